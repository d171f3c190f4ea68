"""Which questions an outcome hangs on, and which of them belong together.

Readings multiply: k questions that do not touch each other have 2^k answer sets and tell nobody
anything. So questions are grouped by what they touch, and the whole is the product of the groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from math import prod
from typing import NamedTuple

from .decision import Tree, decision_tree, paths, questions_of, relabel
from .outcome import observable
from .solve import Atom, Model

Picks = dict[str, str]
#: answer sets of one part that are listed; beyond that the answer is marked incomplete
PART_LIMIT = 4096
#: readings of one part whose reasons are read out
WITNESSES = 12


class Reading(NamedTuple):
    """One distinct outcome of a part: the atoms that hold, and the answers that lead to it."""

    atoms: frozenset[Atom]
    rests_on: tuple[Picks, ...]


class Part(NamedTuple):
    """Questions that touch each other, the atoms that change with them, and their readings."""

    questions: tuple[str, ...]
    touched: frozenset[Atom]
    readings: tuple[Reading, ...]
    #: which answers lead to which of `readings` (by their index)
    tree: Tree[int]
    #: question -> the answer of another under which alone it arises
    under: dict[str, Picks]


def split(models: Sequence[Model]) -> tuple[frozenset[Atom], list[Part]]:
    """Return what holds in every model, and the independent parts of the rest.

    `models` are all answer sets of one connected part of a night, one for each assignment of answers.
    The product of the parts' readings, joined with what is certain, is exactly the set of outcomes.
    """
    seen = [frozenset(filter(observable, model.out)) for model in models]
    certain = frozenset.intersection(*seen)
    outcomes = {out - certain for out in seen}
    if len(outcomes) == 1:
        return certain, []
    rows = [(model.picks, out - certain) for model, out in zip(models, seen, strict=True)]
    touches, under = _touches(rows)
    groups = _groups(touches, under, outcomes)
    parts = [_part(atoms, rows, under) for _, atoms in groups]
    if not _covers(parts, outcomes):
        parts = [_part(frozenset.union(*outcomes), rows, under)]
    return certain, parts


def _touches(rows: Sequence[tuple[Picks, frozenset[Atom]]]) -> tuple[dict[str, set[Atom]], dict[str, Picks]]:
    """Return which atoms each question changes by itself, and what some questions arise under."""
    asked = {q for picks, _ in rows for q in picks}
    always = {q for q in asked if all(q in picks for picks, _ in rows)}
    touches: dict[str, set[Atom]] = {}
    # A bit for each answer; of a row, those that it gives, and all of the questions that it asks.
    bit = {
        item: 1 << place for place, item in enumerate({i: None for picks, _ in rows for i in picks.items()})
    }
    of = {question: sum(b for (q, _), b in bit.items() if q == question) for question in asked}
    given = [sum([bit[item] for item in picks.items()]) for picks, _ in rows]
    open_to = [sum([of[question] for question in picks]) for picks, _ in rows]
    shared = sum(of[question] for question in always)
    for question in sorted(asked):
        # Rows that agree in all that is always asked; of these, the ones with one answer and one outcome.
        buckets: dict[int, dict[tuple[str, frozenset[Atom]], list[int]]] = {}
        for number, (picks, out) in enumerate(rows):
            if question in picks:
                bucket = buckets.setdefault(given[number] & shared & ~of[question], {})
                bucket.setdefault((picks[question], out), []).append(number)
        touched: set[Atom] = set()
        for bucket in buckets.values():
            for ((answer, out), some), ((other, its), more) in combinations(bucket.items(), 2):
                # Most pairs tell nothing new: that is soon seen.
                if answer == other or (differing := out ^ its) <= touched:
                    continue
                # Two rows that agree in every other question that both ask.
                if any(
                    not (given[a] ^ given[b]) & open_to[a] & open_to[b] & ~of[question]
                    for a, b in product(some, more)
                ):
                    touched |= differing
        if touched:
            touches[question] = touched
    return touches, {q: _condition(q, rows) for q in sorted(asked - always)}


def _condition(question: str, rows: Sequence[tuple[Picks, frozenset[Atom]]]) -> Picks:
    """Return the answers that hold wherever `question` is asked, and not everywhere else."""
    inside = [picks for picks, _ in rows if question in picks]
    outside = [picks for picks, _ in rows if question not in picks]
    shared = set(inside[0].items()).intersection(*(p.items() for p in inside)) if inside else set()
    return {q: x for q, x in sorted(shared) if q != question and any(p.get(q) != x for p in outside)}


def _groups(
    touches: dict[str, set[Atom]], under: dict[str, Picks], outcomes: Iterable[frozenset[Atom]]
) -> list[tuple[list[str], frozenset[Atom]]]:
    """Join questions that change a common atom, and those that arise only under another's answer."""
    groups: list[tuple[list[str], frozenset[Atom]]] = []
    for question in sorted(touches):
        names, atoms = [question], frozenset(touches[question])
        parents = set(under.get(question, ()))
        rest = []
        for other, touched in groups:
            related = (
                touched & atoms or parents & set(other) or any(question in under.get(o, ()) for o in other)
            )
            if related:
                names, atoms = names + other, atoms | touched
            else:
                rest.append((other, touched))
        groups = [*rest, (sorted(names), atoms)]
    return sorted(groups) if groups else [([], frozenset.union(*outcomes))]


def _part(
    atoms: frozenset[Atom], rows: Sequence[tuple[Picks, frozenset[Atom]]], under: dict[str, Picks]
) -> Part:
    """Return the part that `atoms` make up: only the questions on which they hang are in its tree."""
    tree = decision_tree([(picks, out & atoms) for picks, out in rows])
    ways: dict[frozenset[Atom], list[Picks]] = {}
    for picks, out in paths(tree):
        ways.setdefault(out, []).append(picks)
    readings = [Reading(out, tuple(sorted(some, key=_as_text))) for out, some in ways.items()]
    readings.sort(key=lambda reading: _as_text(reading.rests_on[0]))
    number = {reading.atoms: index for index, reading in enumerate(readings)}
    asked = sorted(questions_of(tree))
    conditions = {q: under[q] for q in asked if under.get(q)}
    return Part(tuple(asked), atoms, tuple(readings), relabel(tree, number), conditions)


def _as_text(picks: Picks) -> list[tuple[str, str]]:
    return sorted(picks.items())


def _covers(parts: Sequence[Part], outcomes: set[frozenset[Atom]]) -> bool:
    """Whether every outcome is put together from readings of the parts, and nothing is left over."""
    touched: frozenset[Atom] = frozenset().union(*(part.touched for part in parts))
    if sum(len(part.touched) for part in parts) != len(touched):
        return False
    if prod(len(part.readings) for part in parts) != len(outcomes):
        return False
    return all(out <= touched for out in outcomes)
