"""What the rules of a file mention of the things that a scenario gives: read off their text."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from .program import statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .program import Statement

#: what a whole number is tried as, and what stands for a word that somebody gives
NUMBERS = ("1", "2")
WORD = '"apple"'

NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|(?<![\w.])(\d{1,2})(?![\w.])')


class Scan(NamedTuple):
    """What the rules of one file mention of the things that a scenario gives."""

    role: str
    #: (predicate, texts of the arguments)
    atoms: frozenset[tuple[str, tuple[str, ...]]]
    #: verbs of which some rule asks whom they name
    aimed: frozenset[str]
    #: (verb, predicate, texts of its arguments but the action): what is said beside; no verb: of any ability
    beside: frozenset[tuple[str, str, tuple[str, ...]]]
    #: the whole numbers in it
    numbers: frozenset[str]
    #: (verb, word): what some rule asks whether it is named, beside players
    named: frozenset[tuple[str, str]] = frozenset()
    #: tables that are read with the verb of an act, whichever it is
    tables: frozenset[str] = frozenset()
    #: (table, word): what stands in a table of one column
    words: frozenset[tuple[str, str]] = frozenset()
    #: (option, number): a number in a statement that speaks of the option
    bounds: frozenset[tuple[str, str]] = frozenset()


@lru_cache(maxsize=512)
def scanned(file: str, text: str) -> Scan:
    """Return what a file with this text mentions."""
    return scan(file, statements(text))


_INPUTS = frozenset(
    {
        *("said", "act", "item", "count", "was", "found", "night", "option", "stock", "nth"),
        *("earlier_said", "group", "does", "limit", "side", "acts_in", "acts_now", "uttered"),
        *("lifts", "keeps_off", "gets", "day", "by_day", "manner"),
    }
)


def scan(file: str, program: Iterable[Statement]) -> Scan:
    """Return what a file mentions; pools are taken apart."""
    atoms = set()
    numbers: set[str] = set()
    aimed: set[str] = set()
    beside: set[tuple[str, str, tuple[str, ...]]] = set()
    named: set[tuple[str, str]] = set()
    tables: set[str] = set()
    words: set[tuple[str, str]] = set()
    bounds: set[tuple[str, str]] = set()
    for statement in program:
        counted = {number for number in NUMBER.findall(statement.text) if number}
        numbers |= counted
        options = [statement.arguments(use)[0] for use in statement.uses if use.name == "option"]
        bounds |= {(option, number) for option in options for number in counted}
        acts: dict[str, set[str]] = {}
        asked: set[str] = set()
        aims: list[tuple[str, str]] = []
        for use in statement.uses:
            if use.name in _INPUTS:
                for arguments in _alternatives(statement.arguments(use)):
                    atoms.add((use.name, tuple(arguments)))
                    if use.name in ("said", "act"):
                        acts.setdefault(arguments[0], set()).add(arguments[2])
            elif use.name in ("aim", "names"):
                act, *places = statement.arguments(use)
                asked.add(act)
                aims += [(act, place) for place in places[1:] if use.name == "aim" and constant(place)]
        verbs = set().union(*acts.values())
        for use in statement.uses:
            column = statement.arguments(use)
            if len(column) != 1:
                continue
            if not use.head and column[0] in verbs and not constant(column[0]):
                tables.add(use.name)
            elif use.head and ":-" not in statement.text:
                words |= {(use.name, word) for (word,) in _alternatives(column) if constant(word)}
        if "timely" in statement.heads:
            words |= {("timely", verb) for verb in verbs if constant(verb)}
        if "lent" in statement.heads:
            lends = (use for use in statement.uses if use.head and use.name == "lent")
            words |= {("lent", statement.arguments(use)[1]) for use in lends}
        named |= {(verb, word) for act, word in aims for verb in acts.get(act, ()) if constant(verb)}
        for use in statement.uses:
            if use.name in ("with", "earlier_with", "vote"):
                for act, *more in _alternatives(statement.arguments(use)):
                    for verb in acts.get(act, {""}):
                        beside.add((verb if constant(verb) else "", use.name, tuple(more)))
        aimed |= {verb for act in asked & acts.keys() for verb in acts[act] if constant(verb)}
    role = os.path.basename(file).removesuffix(".lp")
    return Scan(
        *(role, frozenset(atoms), frozenset(aimed), frozenset(beside), frozenset(numbers)),
        *(frozenset(named), frozenset(tables), frozenset(words), frozenset(bounds)),
    )


def _alternatives(arguments: Sequence[str]) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for argument in arguments:
        enclosed = argument.startswith("(") and argument.endswith(")")
        pool = argument[1:-1] if enclosed else argument if len(arguments) == 1 else ""
        texts = [part.strip() for part in pool.split(";")] if ";" in pool else [argument]
        found = [[*before, text] for before in found for text in texts]
    return found


def constant(text: str) -> bool:
    """Tell whether an argument is a word, a number or a text, and no variable and no compound term."""
    return bool(text) and (text[0].islower() or text[0].isdigit() or text[0] == '"') and "(" not in text
