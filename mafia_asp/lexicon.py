"""The words of a rulebook beside its roles: verbs, items, counters, sides, keys of a scenario.

They stand in ``words.lp`` files, one fact a line, which are read here by line and never loaded
for a night. A rulebook's own ``words.lp`` adds to the core's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .errors import Fault, InputError
from .model import Place
from .names import squeeze, squeeze_all
from .places import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable

_FACT = re.compile(r"^([a-z_]+)\((.*)\)\.[ \t]*(?:%.*)?$", re.MULTILINE)
_BLOCK = re.compile(r"%\*.*?\*%", re.DOTALL)
#: Tables whose rows are an id and what it is called in each language.
_NAMED = ("status", "item", "counter", "team", "answer", "attack", "token", "reserved", "base_role")


class Lexicon:
    """What ``words.lp`` files say. Words are looked up in any language and spelling."""

    def __init__(self, files: Iterable[str]) -> None:
        #: verb -> least and most targets
        self.verbs: dict[str, tuple[int, int]] = {}
        #: verb -> kinds of thing that it may name beside players
        self.takes: dict[str, set[str]] = {}
        #: key of an action's ``with``, of a player's ``was``, of a player -> kind of its value
        self.with_keys: dict[str, str] = {}
        self.was_keys: dict[str, str] = {}
        self.state_keys: dict[str, str] = {}
        #: table whose undecided cells are questions -> least and most arguments
        self.gaps: dict[str, tuple[int, int]] = {}
        #: (table, number of arguments) -> the kind of each argument; and in which arguments words are new
        self.tables: dict[tuple[str, int], tuple[str, ...]] = {}
        self.declares: set[tuple[str, int]] = set()
        #: kinds of which there are always more
        self.growing: set[str] = set()
        #: kind -> words that belong to it; kind -> kinds that belong to it
        self.constants: dict[str, set[str]] = {}
        self.narrower: dict[str, set[str]] = {}
        #: (kind, functor, number of arguments) -> the kind of each argument
        self.terms: dict[tuple[str, str, int], tuple[str, ...]] = {}
        #: table -> id -> (English, Persian)
        self.words: dict[str, dict[str, tuple[str, str]]] = {table: {} for table in ("verb", *_NAMED)}
        self._aliases: list[tuple[str, str, str]] = []
        self._found: dict[str, dict[str, set[str]]] = {}
        self._faults: list[Fault] = []
        for file in files:
            self._read(file)
        if self._faults:
            raise InputError(self._faults)

    def find(self, table: str, text: str) -> str | list[str] | None:
        """The id that a word has in a table; several ids where it is ambiguous; None if unknown."""
        if text in self.words[table]:
            return text
        ids = self._index(table).get(squeeze(text), set())
        return None if not ids else next(iter(ids)) if len(ids) == 1 else sorted(ids)

    def known(self, table: str) -> list[str]:
        """Every word of a table: its ids, and what they are called in either language."""
        rows = self.words[table].items()
        return list(dict.fromkeys([key for key, _ in rows] + [word for _, both in rows for word in both]))

    def _index(self, table: str) -> dict[str, set[str]]:
        index = self._found.get(table)
        if index is None:
            rows = [(key, word) for key, both in self.words[table].items() for word in (key, *both)]
            rows += [(key, word) for owner, key, word in self._aliases if owner == table]
            index = {}
            for (key, _), word in zip(rows, squeeze_all([word for _, word in rows]), strict=True):
                index.setdefault(word, set()).add(key)
            self._found[table] = index
        return index

    def _read(self, file: str) -> None:
        text = _BLOCK.sub(lambda block: "\n" * block.group().count("\n"), read_text(file))
        for match in _FACT.finditer(text):
            table, inside = match.groups()
            try:
                self._add(table, inside.replace('"', "").split(", "))
            except (ValueError, IndexError):
                self._fault(file, text, match.start(), match.group())
        if rest := _FACT.sub("", text).strip():
            for line in rest.split("\n"):
                if line.strip() and not line.lstrip().startswith("%"):
                    self._fault(file, text, text.find(line), line.strip())

    def _fault(self, file: str, text: str, at: int, line: str) -> None:
        place = Place(file, text.count("\n", 0, at) + 1, 1)
        self._faults.append(Fault(place, "words.row", {"line": line}))

    def _add(self, table: str, row: list[str]) -> None:
        if table == "verb":
            key, least, most, *both = row
            self.verbs[key] = (int(least), int(most))
            self.words["verb"][key] = (both[0], both[1])
        elif table in _NAMED:
            self.words[table][row[0]] = (row[1], row[2])
        elif table.endswith("_alias"):
            self._aliases.append((table.removesuffix("_alias"), row[0], row[1]))
        elif table == "takes":
            self.takes.setdefault(row[0], set()).add(row[1])
        elif table == "gap":
            self.gaps[row[0]] = (int(row[1]), int(row[2]))
        elif table == "table":
            self.tables[row[0], len(row) - 1] = tuple(row[1:])
        elif table == "term":
            self.terms[row[0], row[1], len(row) - 2] = tuple(row[2:])
        elif table == "constant":
            self.constants.setdefault(row[0], set()).add(row[1])
        elif table == "is_a":
            self.narrower.setdefault(row[1], set()).add(row[0])
        elif table == "grows":
            self.growing.add(row[0])
        elif table == "declares":
            self.declares.add((row[0], int(row[1])))
        elif table in ("with", "was", "state"):
            getattr(self, f"{table}_keys")[row[0]] = row[1]
        else:
            raise ValueError(table)
