"""Nights with too many readings to list: cut into parts that cannot touch each other, many nights at once.

Two questions whose answers reach no common outcome, and neither of which raises the other, are independent
whatever else is chosen. So the answers to the questions of one connected part are listed with all others
held as they are in the base, the reading in which every question has its first answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import prod
from typing import NamedTuple

from ..disjoint import Disjoint
from ..outcome import observable
from ..readings import PART_LIMIT, WITNESSES, Part, split
from ..solve import Atom, Model
from .readings import Column, Fault, First, Raw, Readings, bits


class Apart(NamedTuple):
    """A night part by part: the base and a witness of each reading; what is certain, and the parts."""

    models: Sequence[Model]
    found: Sequence[tuple[frozenset[Atom], list[Part]]]


class _Piece(NamedTuple):
    """Questions that hang together, by their numbers, and what they can reach."""

    night: int
    questions: frozenset[int]
    reach: _Reach


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
        changing = readings.atoms(piece.reach.outcomes(piece.night, piece.questions), places)
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
    sure, may = circuit.evaluate_open(readings.turned(nights), every)
    loose = {number: both for number in range(1, circuit.size + 1) if (both := may[number] & ~sure[number])}
    question_at = {at: q for q, several in readings.answers.items() for at in several}
    reach = _Reach({}, readings.outcomes)
    linked: dict[tuple[int, int], int] = {}
    for question, start in readings.answers.items():
        reached = circuit.reach(dict.fromkeys(start, every), readings.leading, loose, may)
        places = reach.entries.keys() & reached.keys()
        reach.by_question[question] = {place: reached[place] for place in places}
        for place in question_at.keys() & reached.keys():
            pair = question, question_at[place]
            linked[pair] = linked.get(pair, 0) | reached[place]
    for pair, columns in reach.common():
        linked[pair] = linked.get(pair, 0) | columns
    # Questions that are named by what they are about may turn out to be one.
    raised = {question: reach.anything(question) for question in readings.answers}
    for pair, columns in linked.items():
        for question in pair:
            raised[question] |= columns
    for several in readings.alike:
        for pair in combinations(several, 2):
            if columns := raised[pair[0]] & raised[pair[1]]:
                linked[pair] = linked.get(pair, 0) | columns
    return list(_connected(reach, linked, size))


class _Reach(NamedTuple):
    """Which outcomes each question reaches: question -> where an outcome's value stands -> columns."""

    by_question: dict[int, dict[int, int]]
    #: place -> number of the outcome's entry
    entries: Mapping[int, int]

    def anything(self, question: int) -> int:
        """Return the columns in which a question reaches an outcome."""
        columns = 0
        for some in self.by_question[question].values():
            columns |= some
        return columns

    def common(self) -> Iterator[tuple[tuple[int, int], int]]:
        """Yield two questions with the columns in which they reach one outcome, as often as they do."""
        at: dict[int, list[tuple[int, int]]] = {}
        for question, places in self.by_question.items():
            for place, columns in places.items():
                at.setdefault(place, []).append((question, columns))
        for several in at.values():
            for (one, its), (other, others) in combinations(several, 2):
                if both := its & others:
                    yield (one, other), both

    def outcomes(self, night: int, questions: Iterable[int]) -> frozenset[int]:
        """Return the entries of outcomes that some questions reach in a night."""
        return frozenset(
            self.entries[place]
            for question in questions
            for place, columns in self.by_question[question].items()
            if columns >> night & 1
        )


def _connected(reach: _Reach, linked: Mapping[tuple[int, int], int], size: int) -> Iterator[_Piece]:
    """Yield the sets of questions that are linked to each other, night by night, and reach an outcome."""
    reaching: list[list[int]] = [[] for _ in range(size)]
    pairs: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for question in reach.by_question:
        for n in bits(reach.anything(question)):
            reaching[n].append(question)
    for pair, columns in linked.items():
        if pair[0] != pair[1]:
            for n in bits(columns):
                pairs[n].append(pair)
    # Many nights have the same questions, linked in the same way.
    known: dict[tuple[tuple[int, ...], tuple[tuple[int, int], ...]], list[frozenset[int]]] = {}
    for n, questions in enumerate(reaching):
        key = tuple(questions), tuple(pairs[n])
        found = known.get(key)
        if found is None:
            found = known[key] = _sets(*key)
        for some in found:
            yield _Piece(n, some, reach)


def _sets(questions: Iterable[int], pairs: Iterable[tuple[int, int]]) -> list[frozenset[int]]:
    """Return the connected sets in which one of `questions` is."""
    sets = Disjoint[int]()
    for pair in pairs:
        sets.join(*pair)
    members: dict[int, list[int]] = {sets.find(question): [] for question in questions}
    for question in sets.parent:
        if (root := sets.find(question)) in members:
            members[root].append(question)
    return sorted(map(frozenset, members.values()), key=min)
