"""Which statements of a program belong to which rule of a rulebook.

A statement belongs to the rules that its head names; if its head names none, to the rule below whose text it
stands (not in the core, whose general definitions stand below its few rules too).
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from .program import Statement, Use, statements

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

#: a line that begins the statements of a rule, and one that ends them without beginning another's
_BLOCK = re.compile(r"^[ \t]*%% ([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+) \||^[ \t]*(?:%\?|%!|% --)", re.MULTILINE)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_STRINGS = re.compile(rf"\(?\s*{_STRING.pattern}\s*(?:;\s*{_STRING.pattern}\s*)*\)?")
_ARROW = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<arrow>:-)')


class Owned(NamedTuple):
    """A statement with the rule to which it belongs."""

    statement: Statement
    #: the rule below whose text it stands, or nothing
    block: str

    @property
    def head(self) -> Use | None:
        """The only predicate that it defines; nothing for constraints, choices and disjunctions."""
        heads = [use for use in self.statement.uses if use.head]
        whole = len(heads) == 1 and heads[0].after == len(self.statement.text[: self.turn].rstrip())
        return heads[0] if whole and not heads[0].start else None

    @property
    def turn(self) -> int:
        """Where the head ends."""
        text = self.statement.text
        for found in _ARROW.finditer(text):
            if found["arrow"]:
                return found.start()
        return len(text)

    @property
    def body(self) -> str:
        """The text behind the arrow."""
        return self.statement.text[self.turn + 2 :].strip()

    def named(self, rules: Collection[str]) -> list[str]:
        """Return those of `rules` that its head names."""
        return [id for id in _STRING.findall(self.statement.text[: self.turn]) if id in rules]

    def rules(self, rules: Collection[str]) -> list[str]:
        """Return the rules to which it belongs."""
        return self.named(rules) or ([self.block] if self.block in rules else [])


def ids_of(argument: str, rules: Collection[str]) -> list[str]:
    """Return the rule ids that an argument lists (`"a"`, or a pool of some); nothing for anything else."""
    found = _STRING.findall(argument) if _STRINGS.fullmatch(argument) else []
    return found if all(id in rules for id in found) else []


@lru_cache(maxsize=512)
def owned(text: str, of_core: bool) -> tuple[Owned, ...]:
    """Return the statements of a file's text, each with the rule below which it stands."""
    return tuple(_owned(text, of_core))


def _owned(text: str, of_core: bool) -> Iterator[Owned]:
    start, block = 0, ""
    for found in _BLOCK.finditer(text):
        yield from (Owned(each, block) for each in statements(text[start : found.start()]))
        start, block = found.start(), "" if of_core else found[1] or ""
    yield from (Owned(each, block) for each in statements(text[start:]))


def in_core(file: str) -> bool:
    """Tell whether a file is one of the core's, or of the concepts that are loaded where they are needed."""
    return os.path.basename(os.path.dirname(file)) in ("core", "concepts")
