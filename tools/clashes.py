"""Write which roles bring up which contradiction: what ``mafia-asp setup`` goes by.

``python tools/clashes.py BOOK [ROLE …]`` searches the nights with every two roles of a shipped rulebook,
beside plain members of the sides, and the days and ends of games with every two of which something is said
that holds then. It writes ``encodings/clashes/BOOK.lp``: of each contradiction and circle on which some
outcome hangs, the pairs of roles with which it comes up, or single roles, or nothing where it comes up
whoever plays. With roles, only the pairs in which one of them is are searched anew, and the others kept.
With ``--nights`` as the first word, days and ends are searched with single roles only: a tenth of the time.
"""

from __future__ import annotations

import os
import re
import sys
from itertools import combinations
from typing import TYPE_CHECKING

from mafia_asp.check.days import BY_DAY
from mafia_asp.check.engine import Clock, read_text
from mafia_asp.check.finder import Point, Search, Shown
from mafia_asp.check.findings import KINDS, kind_of
from mafia_asp.check.report import PHASES, USUAL, judge, together
from mafia_asp.facts import derived_kind
from mafia_asp.rulebook import Rulebook, encodings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from mafia_asp.model import Phase

Part = tuple[str, ...]

_LINE = re.compile(r'conflict\("(.*?)",\d+\)\.')
_ROLE = re.compile(r'conflict_part\("[^"]*",\d+,(\w+),1\)\.')


def clashes(point: Point, book: Rulebook) -> bool:
    """Tell whether a point is a contradiction or a circle: what cannot be played as the book has it."""
    question = book.questions.get(point.id)
    kind = derived_kind(point.id) or (kind_of(question) if question else "contradiction")
    return KINDS[kind] == "error"


def brought(book: Rulebook, part: Part, known: Collection[str], phases: Iterable[Phase]) -> set[str]:
    """Return the contradictions, but for those known, on which an outcome hangs where these roles play."""
    found: dict[str, Shown] = {}
    plain = [(role, 2 if role == book.base_roles[0] else 1) for role in book.base_roles]
    for some in together(tuple(phases), len(part) + len(plain)):
        search = Search(book, [*((role, 1) for role in part), *plain], some, Clock(None))
        for phase in some:
            search.turn_to(phase)
            points = [p for p in search.points()[0] if p.id not in known and p.id not in found]
            judge(search, [p for p in points if clashes(p, book)], found, {}, lambda what, done, of: None)
    return set(found)


def search(
    book: Rulebook, wanted: Collection[str], kept: dict[str, set[Part]], days: Collection[str]
) -> dict[str, set[Part]]:
    """Return the parts of each contradiction: those kept, and those of pairs with one of the wanted roles.

    With every two of `days`, days and ends are searched too.
    """
    found = {id: {part for part in parts if not wanted & set(part)} for id, parts in kept.items()}
    roles = [role for role in book.role_ids if role not in book.base_roles]
    always = brought(book, (), (), PHASES)
    found.update((id, {()}) for id in always)
    alone: dict[str, set[str]] = {}
    for role in roles:
        alone[role] = brought(book, (role,), always, PHASES)
        for id in alone[role]:
            found.setdefault(id, set()).add((role,))
    pairs = [pair for pair in combinations(roles, 2) if not wanted or wanted & set(pair)]
    for done, pair in enumerate(pairs, 1):
        print(f"\r{done} of {len(pairs)}", end="", file=sys.stderr, flush=True)
        phases = PHASES if set(pair) <= set(days) else USUAL
        for id in brought(book, pair, always | alone[pair[0]] | alone[pair[1]], phases):
            found.setdefault(id, set()).add(pair)
    return {id: _smallest(parts) for id, parts in sorted(found.items()) if parts}


def _of_days(book: Rulebook) -> set[str]:
    """Return the roles of which something is said that holds by day or at the end."""
    files = {rule.place.file for rule in book.rules.values() if rule.phase in BY_DAY}
    files |= {file for file in book.text_files() if "daytime" in read_text(file)}
    return {os.path.basename(file).removesuffix(".lp") for file in files}


def _smallest(parts: set[Part]) -> set[Part]:
    return {part for part in parts if not any(other != part and set(other) <= set(part) for other in parts)}


def read(file: str) -> dict[str, set[Part]]:
    """Return the parts that a file lists."""
    found: dict[str, set[Part]] = {}
    if os.path.isfile(file):
        with open(file, encoding="utf-8") as stream:
            for line in stream:
                if head := _LINE.match(line):
                    found.setdefault(head[1], set()).add(tuple(_ROLE.findall(line)))
    return found


def main(*words: str) -> None:
    """Write the file of one rulebook."""
    nights = words[0] == "--nights"
    name, *roles = words[1:] if nights else words
    book = Rulebook.load(name)
    file = os.path.join(encodings(), "clashes", f"{book.id}.lp")
    days = frozenset[str]() if nights else frozenset(_of_days(book))
    found = search(book, frozenset(roles), read(file) if roles else {}, days)
    lines = ["% Which roles bring up which contradiction; written by tools/clashes.py.\n"]
    for id, parts in found.items():
        for number, part in enumerate(sorted(parts), 1):
            facts = [f'conflict("{id}",{number}).', *(f'conflict_part("{id}",{number},{r},1).' for r in part)]
            lines.append(" ".join(facts) + "\n")
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w", encoding="utf-8") as stream:
        stream.writelines(lines)
    print(f"\n{len(found)} contradictions, {len(lines) - 1} parts")


if __name__ == "__main__":
    main(*sys.argv[1:])
