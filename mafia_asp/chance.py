"""Lots that the book lets be drawn: what may come of each, told apart from readings.

A lot is never drawn here. ``out(chance(Lot,Result),so(Key,Value))`` says what else holds where a lot that
is not drawn yet comes out so, and ``out(chance(Lot,Result),possible)`` that it may. Pure translation:
which results there are, and what follows from them, the encodings say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from .model import Outcome

if TYPE_CHECKING:
    from .outcome import Reader
    from .solve import Atom

#: so many combinations of results are spelled out; beyond that each lot is told by itself
SPELLED_OUT = 64

#: of what a player has one only, so that what a lot brings stands in place of what there was
ONE_EACH = frozenset({"role", "team"})


def is_lot(atom: Atom) -> bool:
    """Whether an ``out`` atom says what comes of a lot that is not drawn yet."""
    return isinstance(atom[0], tuple) and atom[0][0] == "chance"


def decides(atoms: Iterable[Atom]) -> set[str]:
    """Return the kinds of what hangs on lots that are not drawn yet: dead, role, item, told and so on."""
    return {_kind(atom[1][1]) for atom in atoms if is_lot(atom) and isinstance(atom[1], tuple)}


def _kind(key: object) -> str:
    return str(key[0] if isinstance(key, tuple) else key)


def possible(reader: Reader, atoms: Iterable[Atom]) -> list[Outcome]:
    """Return the outcomes between which the lots decide, with the keys that hang on them."""
    atoms = frozenset(atoms)
    lots: dict[str, dict[str, set[Atom]]] = {}
    for atom in filter(is_lot, atoms):
        _, lot, result = atom[0]
        follows = lots.setdefault(reader.text(lot), {}).setdefault(reader.text(result), set())
        if isinstance(atom[1], tuple):
            follows.add(atom[1][1:])
    if not lots:
        return []
    sure = frozenset(atom for atom in atoms if not is_lot(atom))
    drawn = list(_combined([list(results.values()) for _, results in sorted(lots.items())]))
    touched = reader.outcome(frozenset().union(*drawn), whole=False)
    outcomes = [_part(reader.outcome(_with(sure, each)), touched) for each in drawn]
    return sorted((each for n, each in enumerate(outcomes) if each not in outcomes[:n]), key=str)


def _with(sure: frozenset[Atom], brought: frozenset[Atom]) -> frozenset[Atom]:
    """Return what holds anyhow together with what a result brings, which may displace a role or a side."""
    displaced = {atom[0] for atom in brought if _kind(atom[0]) in ONE_EACH}
    return frozenset(atom for atom in sure if atom[0] not in displaced) | brought


def _part(outcome: Outcome, touched: Outcome) -> Outcome:
    """Return of an outcome the keys, and the players under them, that are touched by some result."""
    part = Outcome()
    for key, value in touched.items():
        whole = outcome[key]
        part[key] = {who: whole.get(who, "none") for who in value} if isinstance(value, dict) else whole
    return part


def _combined(lots: list[list[set[Atom]]]) -> Iterator[frozenset[Atom]]:
    """Yield what follows from each combination of results; where they are too many, from each result."""
    if prod(map(len, lots)) <= SPELLED_OUT:
        for results in product(*lots):
            yield frozenset().union(*results)
        return
    for lot in lots:
        yield from map(frozenset, lot)
