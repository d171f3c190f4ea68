"""Nights with too many readings to list: cut into parts that cannot touch each other, many nights at once.

Two questions whose answers reach no common outcome, and neither of which raises the other, are independent
whatever else is chosen. So the answers to the questions of one connected part are listed with all others
held as they are in the base, the reading in which every question has its first answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import NamedTuple

from ..disjoint import Disjoint
from ..outcome import observable
from ..readings import PART_LIMIT, WITNESSES, Part, split
from ..solve import Atom, Model
from .readings import Column, Fault, First, Raw, Readings, bits, spread


class Apart(NamedTuple):
    """A night part by part: the base and a witness of each reading; what is certain, and the parts."""

    models: Sequence[Model]
    found: Sequence[tuple[frozenset[Atom], list[Part]]]


class _Piece(NamedTuple):
    """Questions that hang together, by their numbers, and the entries of outcomes that they can reach."""

    night: int
    questions: frozenset[int]
    outcomes: frozenset[int]


class Cut:
    """Nights cut into pieces, with the models of each piece; to be put together where that is wanted.

    Args:
        nights: the inputs of each night, and in `places` where its actions stand.
    """

    def __init__(
        self, readings: Readings, nights: Sequence[frozenset[int]], places: Sequence[Sequence[int]]
    ) -> None:
        self._readings = readings
        self._nights = nights
        self._places = places
        self._bases = readings.first(nights)
        self._pieces: dict[int, list[tuple[_Piece, list[Raw] | Fault]]] = {}
        for piece, rows in _rows(readings, nights, self._bases):
            self._pieces.setdefault(piece.night, []).append((piece, rows))

    def least(self, night: int) -> int:
        """Return how many models a night has at least."""
        return prod(len(rows) for _, rows in self._pieces.get(night, ()) if not isinstance(rows, Fault))

    def apart(self, wanted: Iterable[int]) -> list[Apart | None]:
        """Return some of the nights part by part; None where a solver is needed."""
        readings, nights, places = self._readings, self._nights, self._places
        bases = {n: self._bases[n] for n in wanted}
        drafts = {
            n: None if base is None else _draft(readings, base.raw, self._pieces.get(n, []), places[n])
            for n, base in bases.items()
        }
        shown = [(n, raw) for n, draft in drafts.items() if draft for raw in draft.shown]
        models: dict[int, list[Raw | None]] = {}
        for (n, _), full in zip(shown, readings.in_full([(nights[n], raw) for n, raw in shown]), strict=True):
            models.setdefault(n, []).append(full)
        result: list[Apart | None] = []
        for n, draft in drafts.items():
            base = bases[n]
            found = [raw for raw in (base.raw if base else None, *models.get(n, ())) if raw is not None]
            whole = draft is not None and len(found) == 1 + len(draft.shown)
            result.append(Apart(readings.models(found, places[n]), draft.found) if draft and whole else None)
        return result


class Numbered(NamedTuple):
    """All readings of a night, by the numbers of a program's questions, answers and entries.

    The readings are the product of the pieces: each of a piece's models differs from the base only in the
    answers to the questions of the piece, and in the outcomes that these can reach.
    """

    base: Raw
    pieces: Sequence[Sequence[Raw]]


def numbered(readings: Readings, nights: Sequence[frozenset[int]]) -> list[Numbered | None]:
    """Return all readings of each night; None where a solver is needed."""
    bases = readings.first(nights, bare=True)
    found: list[list[list[Raw]] | None] = [None if base is None else [] for base in bases]
    for piece, rows in _rows(readings, nights, bases):
        so_far = found[piece.night]
        if isinstance(rows, Fault):
            found[piece.night] = None
        elif so_far is not None:
            so_far.append(rows)
    return [
        None if base is None or pieces is None else Numbered(base.raw, pieces)
        for base, pieces in zip(bases, found, strict=True)
    ]


class _Draft(NamedTuple):
    """A night part by part, with the models that show its readings, of which only outcomes are known."""

    shown: list[Raw]
    found: list[tuple[frozenset[Atom], list[Part]]]


def _rows(
    readings: Readings, nights: Sequence[frozenset[int]], bases: Sequence[First | None]
) -> list[tuple[_Piece, list[Raw] | Fault]]:
    """Return the pieces of each night, with the models of their questions' answers."""
    pieces: list[_Piece] = []
    begun: list[Raw] = []
    starts: list[list[Column]] = []
    for piece in _pieces(readings, nights):
        base = bases[piece.night]
        if base is not None:
            start = _start(readings, nights[piece.night], base.raw, piece.questions)
            pieces.append(piece)
            begun.append(base.raw)
            starts.append(readings.beside(base, start, piece.questions))
    rows = readings.assignments(starts, PART_LIMIT, begun=begun, bare=True)
    return list(zip(pieces, rows, strict=True))


def _start(readings: Readings, night: frozenset[int], base: Raw, inside: frozenset[int]) -> Column:
    """Return the column in which all questions but those `inside` are answered as in the base."""
    held = tuple([(q, x) for q, x in base.answers.items() if q not in inside])
    outside = {base.names[q] for q, _ in held if q in base.names}
    named = {name: answer for name, answer in readings.named(base).items() if name in outside}
    return Column(night, held, named)


def _draft(
    readings: Readings,
    base: Raw,
    pieces: Iterable[tuple[_Piece, list[Raw] | Fault]],
    places: Sequence[int],
) -> _Draft | None:
    """Put a night together from the rows of its pieces; None where a solver is needed."""
    shown: list[Raw] = []
    sure = frozenset(filter(observable, readings.models([base], places)[0].out))
    found: list[tuple[frozenset[Atom], list[Part]]] = []
    for piece, rows in pieces:
        if isinstance(rows, Fault):
            return None
        rows.sort(key=readings.said)
        changing = readings.atoms(piece.outcomes, places)
        reduced = [_reduced(readings, raw, piece.questions, changing) for raw in rows]
        common, parts = split(reduced)
        sure -= frozenset(changing.values()) - common
        found.append((frozenset(), parts))
        for part in parts:
            for reading in part.readings[:WITNESSES]:
                wanted = reading.rests_on[0].items()
                shown.append(next(rows[n] for n, row in enumerate(reduced) if wanted <= row.picks.items()))
    found.append((sure, []))
    return _Draft(shown, found)


def _reduced(readings: Readings, raw: Raw, inside: frozenset[int], changing: Mapping[int, Atom]) -> Model:
    """Return what of a model belongs to a piece: its questions' answers, and the outcomes they can reach."""
    questions = readings.ground.questions
    picks = {
        raw.names.get(q) or questions[q].id: questions[q].answers[x]
        for q, x in raw.answers.items()
        if q in inside
    }
    return Model(picks, frozenset(changing[n] for n in raw.held if n in changing))


def _pieces(readings: Readings, nights: Sequence[frozenset[int]]) -> list[_Piece]:
    """Return the connected sets of questions of each night that reach an outcome."""
    size = len(nights)
    every = (1 << size) - 1
    circuit = readings.circuit
    inputs = spread(((literal, n) for n, night in enumerate(nights) for literal in night), size)
    sure, may = circuit.evaluate_open(inputs, every)
    outcomes = readings.outcomes
    question_at = {at: q for q, several in readings.answers.items() for at in several}
    joined = [_Joined() for _ in nights]
    for question, start in readings.answers.items():
        reached = circuit.reach(dict.fromkeys(start, every), sure, may, every)
        for place, columns in reached.items():
            if place in outcomes:
                for n in bits(columns):
                    joined[n].outcome(outcomes[place], question)
            if place in question_at:
                for n in bits(columns):
                    joined[n].join(question, question_at[place])
    # Questions that are named by what they are about may turn out to be one.
    for each in joined:
        for several in readings.alike:
            raised = [question for question in several if question in each.parent]
            for question in raised[1:]:
                each.join(raised[0], question)
    return [_Piece(n, *piece) for n, each in enumerate(joined) for piece in each.pieces()]


class _Joined(Disjoint[int]):
    """Disjoint sets of the questions of one night, and the outcomes that each question reaches."""

    def __init__(self) -> None:
        super().__init__()
        self._first: dict[int, int] = {}

    def outcome(self, entry: int, question: int) -> None:
        """Note that a question reaches an outcome, with all others that do."""
        self.join(question, self._first.setdefault(entry, question))

    def pieces(self) -> list[tuple[frozenset[int], frozenset[int]]]:
        """Return the sets that reach an outcome, with what they reach."""
        outcomes: dict[int, set[int]] = {}
        for entry, question in self._first.items():
            outcomes.setdefault(self.find(question), set()).add(entry)
        questions: dict[int, set[int]] = {}
        for question in self.parent:
            questions.setdefault(self.find(question), set()).add(question)
        found = [(frozenset(questions[root]), frozenset(entries)) for root, entries in outcomes.items()]
        return sorted(found, key=lambda each: min(each[0]))
