"""Which answers lead to which outcome, as a small tree.

A table of all combinations of answers repeats itself: most questions matter only under some answer of
another. The tree asks the most telling question first, and under each answer only what still matters.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import product
from typing import Generic, NamedTuple, TypeVar

#: stands for the answer where a question is not asked
UNASKED = "-"

Outcome = TypeVar("Outcome", bound=Hashable)
Picks = Mapping[str, str]


class Leaf(NamedTuple, Generic[Outcome]):
    """An outcome, whatever else is answered."""

    outcome: Outcome


class Fork(NamedTuple, Generic[Outcome]):
    """A question, and what follows under its answers; answers with one consequence stand together."""

    question: str
    branches: tuple[tuple[tuple[str, ...], Leaf[Outcome] | Fork[Outcome]], ...]


Tree = Leaf[Outcome] | Fork[Outcome]


def decision_tree(rows: Sequence[tuple[Picks, Outcome]]) -> Tree[Outcome]:
    """Return the tree for `rows`: every assignment of answers with its outcome.

    In every set of rows that share some answers, some question is asked in all of them: so the core means
    a night's readings to be. Where it is not so, one that is asked in some of them is taken; the others
    stand under UNASKED.

    Raises:
        ValueError: two rows with the same answers differ.
    """
    outcomes = {outcome for _, outcome in rows}
    if len(outcomes) == 1:
        return Leaf(rows[0][1])
    shared = _shared(rows) or _dividing(rows)
    if not shared:
        raise ValueError("two rows with the same answers differ")
    best = min(shared, key=lambda question: (_spread(rows, question), question))
    under: dict[Tree[Outcome], list[str]] = {}
    for answer, some in _split(rows, best).items():
        under.setdefault(decision_tree(some), []).append(answer)
    if len(under) == 1:
        return next(iter(under))
    branches = sorted((tuple(sorted(answers)), tree) for tree, answers in under.items())
    return Fork(best, tuple(sorted(branches, key=lambda branch: branch[0])))


def paths(tree: Tree[Outcome]) -> Iterator[tuple[dict[str, str], Outcome]]:
    """Yield each way through the tree: the answers that matter, and the outcome they lead to."""
    if isinstance(tree, Leaf):
        yield {}, tree.outcome
        return
    for answers, below in tree.branches:
        for answer, (picks, outcome) in product(answers, list(paths(below))):
            yield {tree.question: answer, **picks}, outcome


def relabel(tree: Tree[Outcome], number: Mapping[Outcome, int]) -> Tree[int]:
    """Return the tree with each outcome's number in its place."""
    if isinstance(tree, Leaf):
        return Leaf(number[tree.outcome])
    return Fork(tree.question, tuple((answers, relabel(below, number)) for answers, below in tree.branches))


def questions_of(tree: Tree[Outcome]) -> list[str]:
    """Return the questions of a tree, each once, in the order in which they come up."""
    if isinstance(tree, Leaf):
        return []
    below = [question for _, branch in tree.branches for question in questions_of(branch)]
    return list(dict.fromkeys([tree.question, *below]))


def _shared(rows: Sequence[tuple[Picks, Outcome]]) -> list[str]:
    """Return the questions that are asked in all rows and not answered alike in all."""
    common = set(rows[0][0]).intersection(*(picks for picks, _ in rows))
    return [q for q in sorted(common) if len({picks[q] for picks, _ in rows}) > 1]


def _dividing(rows: Sequence[tuple[Picks, Outcome]]) -> list[str]:
    """Return the questions that are asked in some rows only, or not answered alike in all."""
    every = {question for picks, _ in rows for question in picks}
    return [q for q in sorted(every) if len({picks.get(q, UNASKED) for picks, _ in rows}) > 1]


def _split(rows: Sequence[tuple[Picks, Outcome]], question: str) -> dict[str, list[tuple[Picks, Outcome]]]:
    found: dict[str, list[tuple[Picks, Outcome]]] = {}
    for picks, outcome in rows:
        found.setdefault(picks.get(question, UNASKED), []).append((picks, outcome))
    return dict(sorted(found.items()))


def _spread(rows: Sequence[tuple[Picks, Outcome]], question: str) -> int:
    """How much is left open after `question`: outcomes beyond the first under each of its answers."""
    return sum(len({outcome for _, outcome in some}) - 1 for some in _split(rows, question).values())
