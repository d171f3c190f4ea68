"""All readings of many nights at once: each assignment of answers is a column of the circuit.

A night begins as one column, in which every question that comes up takes its first answer. Each other
answer to any of them is a further column, in which the questions before it keep theirs; so every
assignment is reached, and none twice but where questions stand in each other's way.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ..facts import circle_id, dispute_id
from ..model import EMPTY
from ..outcome import observable
from ..solve import Atom, Model
from .program import READ, Ground, is_action

if TYPE_CHECKING:
    import clingo

#: columns evaluated at a time
WIDTH = 8192
#: assignments of a night that are listed; a night with more is left to the solver
MOST = 64
#: nights whose models are kept
KEPT = 20_000

#: models that a solver is asked for
_TRIES = 1000

_UNNAMED: Mapping[int, str] = {}
_NOT_EMPTY = re.compile(rb"[^\0]")
_PLACES = [tuple(place for place in range(8) if byte >> place & 1) for byte in range(256)]


class Fault(Enum):
    """Why the models of a night are not listed: they are too many, or the circuit leaves some undefined."""

    MANY = "many"
    UNDEFINED = "undefined"


class Raw(NamedTuple):
    """A model, by the numbers of the program's questions, their answers, and its entries."""

    answers: Mapping[int, int]
    #: the entries that hold
    held: Sequence[int]
    #: id of each of these questions that is named by what it is about
    names: Mapping[int, str]


class First(NamedTuple):
    """The model in which every question has its first answer, and the other answers that there are."""

    raw: Raw
    others: Sequence[tuple[int, int]]


class Column(NamedTuple):
    """An assignment that is looked for: answers to some questions, by their number."""

    #: the inputs that hold
    night: frozenset[int]
    asked: tuple[tuple[int, int], ...] = ()
    #: the answers to questions that are named by what they are about
    named: Mapping[str, str] = EMPTY


class _Seen(NamedTuple):
    """What became of a column: its model if it has one, the columns that follow, whether it went wrong."""

    column: Column
    raw: Raw | None = None
    more: Sequence[Column] = ()
    failed: bool = False
    #: the other answers that could be given, as numbers of question and answer
    others: Sequence[tuple[int, int]] = ()


class Readings:
    """Finds the readings of nights of one ground program.

    With `bare`, only answers and outcomes are read: no reasons, and not what begins the next phase.
    """

    def __init__(self, ground: Ground, *, bare: bool = False) -> None:
        self.ground = ground
        self.circuit = ground.circuit
        self._entries = list(ground.entries.values())
        place = self.circuit.place
        holds = self.circuit.holds
        #: (number of an entry, its literal)
        self._literals_read: list[tuple[int, int]] = []
        #: (number of an entry, where its value stands)
        self._read: list[tuple[int, int]] = []
        self._common: list[int] = []
        for number, (literal, entry) in enumerate(ground.entries.items()):
            if bare and entry.name in _BESIDE:
                continue
            self._literals_read.append((number, literal))
            if (at := place(literal)) is not None:
                self._read.append((number, at))
            elif holds(literal):
                self._common.append(number)
        self._read_bare = [(n, at) for n, at in self._read if self._entries[n].name not in _BESIDE]
        self._naming = {n for n, e in enumerate(self._entries) if e.name in ("party", "uses_verb", "parity")}
        contrary = {n for n, e in enumerate(self._entries) if e.name == "contrary"}
        self._never = not contrary.isdisjoint(self._common)
        #: where it stands that something contradicts itself
        self._contrary = [at for n, at in self._read if n in contrary]
        #: questions in the order in which they are decided, with the places of their answers' values
        self._questions: list[tuple[int, list[tuple[int, int]]]] = []
        self._always: dict[int, int] = {}
        for number, question in enumerate(ground.questions):
            places = []
            for answer, literal in enumerate(question.literals):
                at = place(literal) if literal else None
                if at is not None:
                    places.append((answer, at))
                elif not literal or holds(literal):
                    self._always[number] = answer
            if places:
                self._questions.append((number, places))
        self._questions.sort(key=lambda each: min(at for _, at in each[1]))
        self._nameless = {q for q, question in enumerate(ground.questions) if not question.id}
        #: where the answers to nameless questions stand; None: one of them is always asked
        self._unnamed: list[int] | None = [
            at for q, places in self._questions if q in self._nameless for _, at in places
        ]
        if not self._nameless.isdisjoint(self._always):
            self._unnamed = None
        self._answers = [question.answers for question in ground.questions]
        self._literals = [question.literals for question in ground.questions]
        self._always_held = _grouped((entry.name, entry.value) for entry in ground.always)
        self._known: OrderedDict[frozenset[int], tuple[Raw, ...] | None] = OrderedDict()
        #: questions and the entries that name them -> their ids
        self._named_by: dict[tuple[tuple[int, ...], tuple[int, ...]], dict[int, str]] = {}

    def find(self, nights: Sequence[frozenset[int]], most: int = MOST) -> list[tuple[Raw, ...] | None]:
        """Return the models of each night, in the order of their answers; None where a solver is needed.

        A night is the set of the literals of what is said in it.
        """
        fresh = [night for night in dict.fromkeys(nights) if night not in self._known]
        found = dict(zip(fresh, self._find(fresh, most), strict=True))
        result = []
        for night in nights:
            if night in found:
                result.append(found[night])
            else:
                self._known.move_to_end(night)
                result.append(self._known[night])
        self._known |= found
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return result

    def _find(self, nights: Sequence[frozenset[int]], most: int) -> Iterator[tuple[Raw, ...] | None]:
        starts = [[Column(night)] for night in nights]
        for night, found in zip(nights, self.assignments(starts, most), strict=True):
            raws = self._solved(night, most) if found is Fault.UNDEFINED else found
            yield None if isinstance(raws, Fault) else tuple(sorted(raws, key=self.said))

    def _solved(self, night: frozenset[int], most: int) -> list[Raw] | Fault:
        """Return the models of a night that the circuit leaves undefined, as a solver finds them."""
        models: dict[tuple[tuple[int, int], ...], Raw] = {}
        tries = 0

        def on_model(model: clingo.Model) -> bool:
            nonlocal tries
            tries += 1
            held = [n for n, literal in self._literals_read if model.is_true(literal)]
            picks = dict(self._always)
            for q, _ in self._questions:
                for x, literal in enumerate(self._literals[q]):
                    if literal and model.is_true(literal):
                        picks[q] = x
            names = self._names(picks, held)
            said: dict[str, str] = {}
            # A question that goes by the name of another has its answer.
            if all(
                said.setdefault(names.get(q) or self.ground.questions[q].id, self._answers[q][x])
                == self._answers[q][x]
                for q, x in picks.items()
            ):
                models[tuple(picks.items())] = Raw(picks, held, names)
            return len(models) <= most and tries <= _TRIES

        inputs = [literal if literal in night else -literal for literal in self.ground.literals.values()]
        result = self.ground.control.solve(assumptions=inputs, on_model=on_model)
        return list(models.values()) if result.exhausted and models else Fault.MANY

    def first(self, nights: Sequence[frozenset[int]], *, bare: bool = False) -> list[First | None]:
        """Return the model of each night in which every question has its first answer."""
        found: list[First | None] = [None] * len(nights)
        waiting = [(number, Column(night)) for number, night in enumerate(nights)]
        while waiting:
            some, waiting = waiting[:WIDTH], waiting[WIDTH:]
            for (number, _), seen in zip(some, self._evaluated([c for _, c in some], bare), strict=True):
                if seen.raw is not None:
                    found[number] = First(seen.raw, seen.others)
                elif not seen.failed:
                    waiting += [(number, column) for column in seen.more]
        return found

    def beside(self, first: First, start: Column, inside: frozenset[int]) -> list[Column]:
        """Return the columns that follow from a first model where only questions `inside` are answered."""
        others = [(q, x) for q, x in first.others if q in inside]
        if not first.raw.names:
            return _others(start, first.raw.answers, others)
        return list(self._named_others(start, first.raw.answers, others, first.raw.names))

    def in_full(self, bare: Sequence[tuple[frozenset[int], Raw]]) -> list[Raw | None]:
        """Return in full the models of nights of which only outcomes have been read."""
        starts = []
        for night, raw in bare:
            asked = tuple([(q, x) for q, x in raw.answers.items() if q not in self._always])
            starts.append(Column(night, asked, self.named(raw)))
        found: list[Raw | None] = []
        for at in range(0, len(starts), WIDTH):
            found += [seen.raw for seen in self._evaluated(starts[at : at + WIDTH], bare=False)]
        return found

    def assignments(
        self,
        starts: Sequence[Sequence[Column]],
        most: int,
        *,
        begun: Iterable[Raw] = (),
        bare: bool = False,
    ) -> list[list[Raw] | Fault]:
        """Return for each set of columns the models of all assignments that have the answers of one of them.

        There may be more than `most` of them, or one that is undefined. Models that are known already may
        be given as `begun`, one for each set; with `bare`, only outcomes are read.
        """
        models: list[dict[tuple[tuple[int, int], ...], Raw] | Fault] = [{} for _ in starts]
        for found, raw in zip(models, begun, strict=False):
            assert not isinstance(found, Fault)
            found[tuple(raw.answers.items())] = raw
        waiting = [(number, column) for number, columns in enumerate(starts) for column in columns]
        while waiting:
            some, waiting = waiting[:WIDTH], waiting[WIDTH:]
            some = [each for each in some if not isinstance(models[each[0]], Fault)]
            for (number, _), seen in zip(some, self._evaluated([c for _, c in some], bare), strict=True):
                known = models[number]
                if isinstance(known, Fault):
                    continue
                _, model, more, failed, _ = seen
                if model is not None:
                    known[tuple(model.answers.items())] = model
                if failed:
                    models[number] = Fault.UNDEFINED
                elif len(known) > most:
                    models[number] = Fault.MANY
                elif more:
                    waiting += [(number, each) for each in more]
        return [
            found if isinstance(found, Fault) else list(found.values()) if found else Fault.UNDEFINED
            for found in models
        ]

    def _evaluated(self, columns: Sequence[Column], bare: bool) -> Iterator[_Seen]:
        size = len(columns)
        every = (1 << size) - 1
        inputs = turned([column.night for column in columns])
        literals = self._literals
        asked = spread([(literals[q][x], n) for n, c in enumerate(columns) for q, x in c.asked], size)
        taken = {}
        free: dict[int, int] = {}
        for q, _ in self._questions:
            taken[q] = 0
            for literal in literals[q]:
                taken[q] |= asked.get(literal, 0)
            free |= dict.fromkeys(literals[q], every ^ taken[q])
        values, bad = self.circuit.evaluate(inputs, asked, free, every)
        failed = set(bits(every if self._never else bad | _any_of(values, self._contrary)))
        unnamed = set(bits(every if self._unnamed is None else _any_of(values, self._unnamed)))
        picks, open_ = self._picked(values, every, taken, size)
        held = self._held(values, every, size, bare)
        for n, column in enumerate(columns):
            others = open_[n]
            if n in failed:
                yield _Seen(column, failed=True)
            elif n in unnamed:
                yield self._named_seen(column, picks[n], others, held[n])
            else:
                more = _others(column, picks[n], others) if others else ()
                yield _Seen(column, Raw(picks[n], held[n], _UNNAMED), more, False, others)

    def _picked(
        self, values: Sequence[int], every: int, taken: Mapping[int, int], size: int
    ) -> tuple[list[dict[int, int]], list[list[tuple[int, int]]]]:
        """Return each column's answers, and the other answers that it could give where none is asked for."""
        picks: list[dict[int, int]] = [dict(self._always) for _ in range(size)]
        others: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        for q, places in self._questions:
            literals = self.ground.questions[q].literals
            for x, at in places:
                for n in bits(values[at]):
                    picks[n][q] = x
            if len(places) > 1:
                loose = every ^ taken.get(q, 0)
                for x, at in places:
                    for n in bits(self.circuit.able(literals[x], values, every) & loose & ~values[at]):
                        others[n].append((q, x))
        return picks, others

    def _held(self, values: Sequence[int], every: int, size: int, bare: bool) -> list[list[int]]:
        """Return the entries that hold in each column."""
        common = list(self._common)
        some: list[tuple[int, int]] = []
        for number, at in self._read_bare if bare else self._read:
            if value := values[at]:
                if value == every:
                    common.append(number)
                else:
                    some.append((number, value))
        held = [list(common) for _ in range(size)]
        for number, value in some:
            for n in bits(value):
                held[n].append(number)
        return held

    def _named_seen(
        self, column: Column, picks: dict[int, int], others: list[tuple[int, int]], held: list[int]
    ) -> _Seen:
        """Return what became of a column with questions that are named by what they are about."""
        names = self._names(picks, held)
        unlike = [
            (q, self._answers[q].index(column.named[name]))
            for q, name in names.items()
            if name in column.named and self._answers[q][picks[q]] != column.named[name]
        ]
        if unlike:
            # A question that goes by a name under which it has been answered already.
            asked = {q for q, _ in column.asked}
            if any(q in asked for q, _ in unlike):
                return _Seen(column, failed=True)
            return _Seen(column, more=[column._replace(asked=(*column.asked, *unlike))])
        more = list(self._named_others(column, picks, others, names))
        return _Seen(column, Raw(picks, held, names), more, others=others)

    def _named_others(
        self,
        column: Column,
        picks: Mapping[int, int],
        others: Iterable[tuple[int, int]],
        names: Mapping[int, str],
    ) -> Iterator[Column]:
        """Yield columns as :func:`_others` does, where several questions may go by one name."""
        asked, named = column.asked, column.named
        answers = self._answers
        options: dict[int, list[int]] = {}
        for q, x in others:
            options.setdefault(q, []).append(x)
        done: set[str] = set()
        for q, several in options.items():
            name = names.get(q)
            if name in done:
                continue
            alike = [q] if name is None else [other for other, its in names.items() if its == name]
            for x in several:
                word = answers[q][x]
                changed = tuple([(other, answers[other].index(word)) for other in alike])
                yield Column(column.night, asked + changed, named if name is None else {**named, name: word})
            asked += tuple([(other, picks[other]) for other in alike])
            if name is not None:
                done.add(name)
                named = {**named, name: answers[q][picks[q]]}

    def said(self, raw: Raw) -> list[tuple[str, str]]:
        """Return the answers of a model by the ids of the questions, in their order."""
        return sorted(
            (raw.names.get(q) or self.ground.questions[q].id, self._answers[q][x])
            for q, x in raw.answers.items()
        )

    def named(self, raw: Raw) -> dict[str, str]:
        """Return the answers to the questions that are named by what they are about."""
        return {name: self._answers[q][raw.answers[q]] for q, name in raw.names.items()}

    def _names(self, picks: Mapping[int, int], held: Iterable[int]) -> dict[int, str]:
        """Return the ids of the questions in a column that are named by what they are about."""
        found = tuple([q for q in picks if q in self._nameless])
        if not found:
            return {}
        about_them = tuple([number for number in held if number in self._naming])
        known = self._named_by.get((found, about_them))
        if known is None:
            if len(self._named_by) >= KEPT:
                self._named_by.clear()
            known = self._named_by[found, about_them] = self._named(found, about_them)
        return known

    def _named(self, questions: Iterable[int], naming: Iterable[int]) -> dict[int, str]:
        words: dict[tuple[str, clingo.Symbol], list[str]] = {}
        for number in naming:
            name, (about, word), _ = self._entries[number]
            words.setdefault((name, about), []).append(word)
        names = {}
        for q in questions:
            symbol = self.ground.questions[q].symbol
            about = symbol.arguments[0]
            if symbol.name == "slot":
                names[q] = dispute_id(words["party", about])
            else:
                names[q] = circle_id(words["parity", about][0], words["uses_verb", about])
        return names

    def models(self, raws: Iterable[Raw], places: Sequence[int]) -> list[Model]:
        """Return models with the numbers that actions have in a night, which are at these places."""
        told = {place: number for number, place in enumerate(places, 1)}
        atoms: dict[int, tuple[str, Atom]] = {}
        return [self._model(raw, told, atoms) for raw in raws]

    def _model(self, raw: Raw, told: Mapping[int, int], atoms: dict[int, tuple[str, Atom]]) -> Model:
        """Return a model; `atoms` are the entries that have been numbered already."""
        groups = {name: list(held) for name, held in self._always_held.items()}
        named: dict[clingo.Symbol, str] | None = None
        for number in raw.held:
            known = atoms.get(number)
            if known is None:
                name, value, renumber = self._entries[number]
                if name in ("followed", "heeded"):
                    if named is None:
                        named = {self.ground.questions[q].symbol: its for q, its in raw.names.items()}
                    groups[name].append(tuple([named.get(v, v) for v in value]))
                    continue
                known = atoms[number] = name, (_renumbered(value, told) if renumber else value)
            groups[known[0]].append(known[1])
        return Model.of(dict(self.said(raw)), groups)

    # ---- what taking apart asks for ----

    @cached_property
    def outcomes(self) -> dict[int, int]:
        """Where the value of each outcome stands that may hold, with the number of its entry."""
        return {
            at: number
            for number, at in self._read
            if self._entries[number].name == "out" and observable(self._entries[number].value)
        }

    @cached_property
    def answers(self) -> dict[int, tuple[int, ...]]:
        """Where the values of each question's answers stand, by the number of the question."""
        return {q: tuple(at for _, at in places) for q, places in self._questions}

    @cached_property
    def leading(self) -> dict[int, list[int]]:
        """The atoms in whose bodies an atom stands, of those that lead to an outcome or a question."""
        return self.circuit.leading_to(
            [*self.outcomes, *(at for each in self.answers.values() for at in each)]
        )

    @cached_property
    def alike(self) -> list[list[int]]:
        """The questions that are named by what they are about, disputes and circles apart."""
        found: dict[str, list[int]] = {}
        for q in self.answers:
            if not self.ground.questions[q].id:
                found.setdefault(self.ground.questions[q].symbol.name, []).append(q)
        return list(found.values())

    def atoms(self, entries: Iterable[int], places: Sequence[int]) -> dict[int, Atom]:
        """Return entries of outcomes with the numbers that actions have in a night, by their numbers."""
        told = {place: number for number, place in enumerate(places, 1)}
        return {n: _renumbered(self._entries[n].value, told) for n in entries}


#: what is read of a model beside answers and outcomes
_BESIDE = frozenset({"because", "by_act", "next", "followed", "heeded"})


def _grouped(atoms: Iterable[tuple[str, Atom]]) -> dict[str, list[Atom]]:
    """Return atoms by their predicates, all of which are there."""
    groups: dict[str, list[Atom]] = {name: [] for name in READ}
    for name, value in atoms:
        groups[name].append(value)
    return groups


def _others(column: Column, picks: Mapping[int, int], others: Iterable[tuple[int, int]]) -> list[Column]:
    """Return a column for each other answer, with the answers to the questions before it as they are."""
    asked, named = column.asked, column.named
    more = []
    last: int | None = None
    for q, x in others:
        if q != last:
            if last is not None:
                asked += ((last, picks[last]),)
            last = q
        more.append(Column(column.night, (*asked, (q, x)), named))
    return more


def _renumbered(value: Any, told: Mapping[int, int]) -> Any:
    """Return plain data with the numbers of a night's actions for the terms of a program's."""
    if not isinstance(value, tuple):
        return value
    return told[value[1]] if is_action(value) else tuple([_renumbered(each, told) for each in value])


def _any_of(values: Sequence[int], places: Iterable[int]) -> int:
    """Return the columns in which a value at one of these places holds."""
    found = 0
    for at in places:
        found |= values[at]
    return found


def spread(pairs: Iterable[tuple[int, int]], size: int) -> dict[int, int]:
    """Return for each key the integer whose bits are the columns that stand with it."""
    found: dict[int, bytearray] = {}
    length = (size + 7) // 8
    for key, column in pairs:
        line = found.get(key)
        if line is None:
            line = found[key] = bytearray(length)
        line[column >> 3] |= 1 << (column & 7)
    return {key: int.from_bytes(line, "little") for key, line in found.items()}


def turned(nights: Sequence[frozenset[int]]) -> dict[int, int]:
    """Return for each input the integer whose bits are the nights in which it holds."""
    different = set(nights)
    literals = sorted(set().union(*different))
    place = {literal: number for number, literal in enumerate(literals)}
    lines: dict[frozenset[int], bytes] = {}
    for night in different:
        line = bytearray(b"0") * len(literals)
        for literal in night:
            line[place[literal]] = ord("1")
        lines[night] = bytes(line)
    # One line a night, read column by column, the last night first: binary numbers.
    text = b"".join([lines[night] for night in nights])
    last = len(text) - len(literals)
    return {literal: int(text[last + n :: -len(literals)], 2) for literal, n in place.items()}


def bits(value: int) -> Iterator[int]:
    """Yield the places of the bits that are set."""
    data = value.to_bytes((value.bit_length() + 7) // 8, "little")
    for match in _NOT_EMPTY.finditer(data):
        at = match.start()
        for place in _PLACES[data[at]]:
            yield at * 8 + place
