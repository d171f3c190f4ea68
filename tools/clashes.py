"""Write which parts of a role set bring up which contradiction: what ``mafia-asp setup`` goes by.

``python tools/clashes.py BOOK`` checks all roles of a shipped rulebook and writes
``encodings/clashes/BOOK.lp``. A part is a smallest one: without one of its players the contradiction, or
the circle, does not come up in any night.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from typing import TYPE_CHECKING

from mafia_asp.check.engine import Clock
from mafia_asp.check.finder import Point, Search
from mafia_asp.check.findings import KINDS, kind_of
from mafia_asp.check.report import PHASES, all_roles
from mafia_asp.facts import derived_kind
from mafia_asp.rulebook import Rulebook, encodings

if TYPE_CHECKING:
    from collections.abc import Iterator

    import clingo

#: the parts that are listed of one question, the first ones found
MOST = 20


def clashes(point: Point, book: Rulebook) -> bool:
    """Tell whether a point is a contradiction or a circle: what cannot be played as the book has it."""
    kind = derived_kind(point.id) or kind_of(book.question(point.id))
    return KINDS[kind] == "error"


def parts(search: Search, point: Point) -> Iterator[tuple[tuple[str, int], ...]]:
    """Yield the smallest parts of the role set that bring a point up: roles with how many of each."""
    engine = search.engine
    players = {str(symbol.arguments[0]): lit for symbol, lit in engine.lits("player").items()}
    with engine.control.backend() as backend:
        guard = backend.add_atom()
        backend.add_rule([guard], choice=True)
    raised = [*search.raised(point), guard]

    def cast(among: set[str]) -> set[str] | None:
        """Return who plays in some night with no more than these."""
        found: list[set[str]] = []

        def on_model(model: clingo.Model) -> bool:
            found.append({player for player, lit in players.items() if model.is_true(lit)})
            return False

        engine.solve([*raised, *(-lit for player, lit in players.items() if player not in among)], on_model)
        return found[0] if found else None

    for _ in range(MOST):
        there = cast(set(players))
        if there is None:
            return
        needed: set[str] = set()
        while left := sorted(there - needed):
            fewer = cast(there - {left[-1]})
            if fewer is None:
                needed.add(left[-1])
            else:
                there = fewer
        yield tuple(sorted(Counter(search.space.candidates[player] for player in there).items()))
        with engine.control.backend() as backend:
            backend.add_rule([], [*(players[player] for player in there), guard])


def lines(book: Rulebook) -> Iterator[str]:
    """Yield the facts of a rulebook, question by question."""
    found: dict[str, set[tuple[tuple[str, int], ...]]] = {}
    for phase in PHASES:
        search = Search(book, all_roles(book), phase, Clock(None))
        for point in search.points()[0]:
            if clashes(point, book):
                found.setdefault(point.id, set()).update(parts(search, point))
    for id, some in sorted(found.items()):
        least = [one for one in some if not any(other != one and _within(other, one) for other in some)]
        for number, part in enumerate(sorted(least), 1):
            yield f'conflict("{id}",{number}). ' + " ".join(
                f'conflict_part("{id}",{number},{role},{times}).' for role, times in part
            )


def _within(part: tuple[tuple[str, int], ...], other: tuple[tuple[str, int], ...]) -> bool:
    return Counter(dict(part)) <= Counter(dict(other))


def main(name: str) -> None:
    """Write the file of one rulebook."""
    book = Rulebook.load(name)
    file = os.path.join(encodings(), "clashes", f"{book.id}.lp")
    head = "% Which parts of a role set bring up which contradiction; written by tools/clashes.py.\n"
    text = head + "".join(f"{line}\n" for line in lines(book))
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w", encoding="utf-8") as stream:
        stream.write(text)
    print(text.count("conflict("), "parts")


if __name__ == "__main__":
    main(*sys.argv[1:])
