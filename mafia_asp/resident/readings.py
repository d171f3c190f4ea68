"""All readings of many nights at once: each assignment of answers is a column of the circuit.

A night begins as one column, in which every question that comes up takes its first answer. Each other
answer to any of them is a further column, in which the questions before it keep theirs; so every
assignment is reached, and none twice but where questions stand in each other's way.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from itertools import compress
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from ..facts import circle_id, dispute_id
from ..model import EMPTY
from ..outcome import observable
from ..solve import Atom, Model, lent
from .program import READ, Ground, is_action

if TYPE_CHECKING:
    import clingo

    from .bits import Way

#: columns evaluated at a time
WIDTH = 8192
#: assignments of a night that are listed; a night with more is left to the solver
MOST = 64
#: nights whose models are kept
KEPT = 20_000

#: models that a solver is asked for
_TRIES = 1000

#: makes a named tuple without the detour over its own constructor, of which there are very many
_new = tuple.__new__
K = TypeVar("K", bound=Hashable)

_UNNAMED: Mapping[int, str] = {}
_NOT_EMPTY = re.compile(rb"[^\0]")
_TRUTH = bytes.maketrans(b"01", b"\0\1")
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
    """What became of some columns, in their order."""

    #: the model of each that has one
    raws: list[Raw | None]
    #: the columns that follow from each
    more: list[Sequence[Column]]
    #: the other answers that could be given, as numbers of question and answer
    others: list[Sequence[tuple[int, int]]]
    #: which of them went wrong
    failed: set[int]


class _Picks(NamedTuple):
    """The answers of a column, and the questions among them that are named by what they are about."""

    answers: dict[int, int]
    nameless: tuple[int, ...]


class _Held(NamedTuple):
    """The entries that hold in a column, and those among them that give a question its name."""

    entries: list[int]
    naming: tuple[int, ...]


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
        self._nights = _Lines(ground.literals.values())
        self._askings = _Lines(
            (q, x) for q, each in enumerate(ground.questions) for x in range(len(each.answers))
        )
        #: (question, answer) in their order, and where their values stand
        self._answered = [(number, answer) for number, places in self._questions for answer, _ in places]
        self._answered_at = [at for _, places in self._questions for _, at in places]
        #: which of them are given -> all answers of a column
        self._picks: dict[bytes, _Picks] = {}
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
            nameless = tuple([q for q in picks if q in self._nameless])
            names = self._names(nameless, tuple([n for n in held if n in self._naming]))
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
        with lent(on_model) as call:
            result = self.ground.control.solve(assumptions=inputs, on_model=call)
        return list(models.values()) if result.exhausted and models else Fault.MANY

    def first(self, nights: Sequence[frozenset[int]], *, bare: bool = False) -> list[First | None]:
        """Return the model of each night in which every question has its first answer."""
        found: list[First | None] = [None] * len(nights)
        waiting = [(number, Column(night)) for number, night in enumerate(nights)]
        while waiting:
            some, waiting = waiting[:WIDTH], waiting[WIDTH:]
            seen = self._evaluated([column for _, column in some], bare)
            for n, ((number, _), raw) in enumerate(zip(some, seen.raws, strict=True)):
                if raw is not None:
                    found[number] = First(raw, seen.others[n])
                elif n not in seen.failed:
                    waiting += [(number, column) for column in seen.more[n]]
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
            found += self._evaluated(starts[at : at + WIDTH], bare=False).raws
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
        models: list[dict[tuple[tuple[int, int], ...], Raw]] = [{} for _ in starts]
        faults: dict[int, Fault] = {}
        for some, first in zip(models, begun, strict=False):
            some[tuple(first.answers.items())] = first
        waiting = [(number, column) for number, columns in enumerate(starts) for column in columns]
        while waiting:
            now, waiting = waiting[:WIDTH], waiting[WIDTH:]
            if faults:
                now = [each for each in now if each[0] not in faults]
            seen = self._evaluated([column for _, column in now], bare)
            for n, ((number, _), raw, more) in enumerate(zip(now, seen.raws, seen.more, strict=True)):
                known = models[number]
                if raw is not None:
                    known[tuple(raw.answers.items())] = raw
                    if len(known) > most:
                        faults.setdefault(number, Fault.MANY)
                elif n in seen.failed:
                    faults.setdefault(number, Fault.UNDEFINED)
                if more:
                    waiting += [(number, each) for each in more]
        return [
            faults.get(number) or (list(some.values()) if some else Fault.UNDEFINED)
            for number, some in enumerate(models)
        ]

    def _evaluated(self, columns: Sequence[Column], bare: bool) -> _Seen:
        size = len(columns)
        every = (1 << size) - 1
        inputs = self.turned([column[0] for column in columns])
        literals = self._literals
        askings = self._askings.turned([column[1] for column in columns])
        asked: dict[int, int] = {}
        for (q, x), value in askings.items():
            asked[literals[q][x]] = asked.get(literals[q][x], 0) | value
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
        picks = self._picked(values, size)
        others = self._other_answers(values, every, taken, size)
        held = self._held(values, every, size, bare)
        seen = _Seen([], [], others, failed)
        for n, column in enumerate(columns):
            raw: Raw | None = None
            more: Sequence[Column] = ()
            if n in failed:
                pass
            elif n in unnamed:
                raw, more = self._named_seen(column, picks[n], held[n], others[n])
                if raw is None and not more:
                    failed.add(n)
            else:
                raw = _new(Raw, (picks[n][0], held[n][0], _UNNAMED))
                if others[n]:
                    more = _others(column, picks[n][0], others[n])
            seen.raws.append(raw)
            seen.more.append(more)
        return seen

    def _picked(self, values: Sequence[int], size: int) -> list[_Picks]:
        """Return each column's answers; columns with the same ones share them."""
        if len(self._picks) > KEPT:
            self._picks.clear()
        known = self._picks
        picks = []
        for given in across([values[at] for at in self._answered_at], size):
            found = known.get(given)
            if found is None:
                answers = {**self._always, **dict(compress(self._answered, given))}
                found = known[given] = _Picks(answers, tuple([q for q in answers if q in self._nameless]))
            picks.append(found)
        return picks

    def _other_answers(
        self, values: Sequence[int], every: int, taken: Mapping[int, int], size: int
    ) -> list[Sequence[tuple[int, int]]]:
        """Return the other answers that each column could give where none is asked for."""
        others: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        for q, places in self._questions:
            if len(places) > 1:
                literals = self.ground.questions[q].literals
                loose = every ^ taken.get(q, 0)
                for x, at in places:
                    each = q, x
                    for n in bits(self.circuit.able(literals[x], values, every) & loose & ~values[at]):
                        others[n].append(each)
        return list[Sequence[tuple[int, int]]](others)

    def _held(self, values: Sequence[int], every: int, size: int, bare: bool) -> list[_Held]:
        """Return the entries that hold in each column; columns with the same ones share them."""
        common = list(self._common)
        some: list[tuple[int, int]] = []
        for number, at in self._read_bare if bare else self._read:
            if value := values[at]:
                if value == every:
                    common.append(number)
                else:
                    some.append((number, value))
        # Those that give names stand last, so that their bytes can be cut off.
        rows = [each for each in some if each[0] not in self._naming]
        last = len(rows)
        rows += [each for each in some if each[0] in self._naming]
        numbers = [number for number, _ in rows]
        always = tuple([number for number in common if number in self._naming])
        known: dict[bytes, _Held] = {}
        names: dict[bytes, tuple[int, ...]] = {}
        held = []
        for given in across([value for _, value in rows], size):
            found = known.get(given)
            if found is None:
                which = given[last:]
                naming = names.get(which)
                if naming is None:
                    naming = names[which] = (*always, *compress(numbers[last:], which))
                found = known[given] = _Held([*common, *compress(numbers, given)], naming)
            held.append(found)
        return held

    def _named_seen(
        self, column: Column, picked: _Picks, held: _Held, others: Sequence[tuple[int, int]]
    ) -> tuple[Raw | None, Sequence[Column]]:
        """Return the model of a column with questions named by what they are about, and what follows.

        It has neither where one of them goes by a name that has been given another answer.
        """
        picks = picked.answers
        names = self._names(picked.nameless, held.naming)
        if column.named:
            unlike = tuple(
                (q, self._answers[q].index(column.named[name]))
                for q, name in names.items()
                if name in column.named and self._answers[q][picks[q]] != column.named[name]
            )
            if unlike:
                # A question that goes by a name under which it has been answered already.
                asked = {q for q, _ in column.asked}
                if any(q in asked for q, _ in unlike):
                    return None, ()
                return None, [column._replace(asked=(*column.asked, *unlike))]
        return Raw(picks, held.entries, names), list(self._named_others(column, picks, others, names))

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

    def _names(self, nameless: tuple[int, ...], naming: tuple[int, ...]) -> Mapping[int, str]:
        """Return the ids of questions that are named by what they are about, which these entries say."""
        if not nameless:
            return _UNNAMED
        known = self._named_by.get((nameless, naming))
        if known is None:
            if len(self._named_by) >= KEPT:
                self._named_by.clear()
            known = self._named_by[nameless, naming] = self._named(nameless, naming)
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

    def turned(self, nights: Sequence[frozenset[int]]) -> dict[int, int]:
        """Return for each input the integer whose bits are the nights in which it holds."""
        return self._nights.turned(nights)

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
    def leading(self) -> dict[int, list[Way]]:
        """The ways on from an atom, of those that lead to an outcome or a question."""
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
    night, asked, named = column
    more = []
    last: int | None = None
    for q, x in others:
        if q != last:
            if last is not None:
                asked += ((last, picks[last]),)
            last = q
        more.append(_new(Column, (night, (*asked, (q, x)), named)))
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


class _Lines(Generic[K]):
    """Turns sets of keys, one a column, into one integer for each key, whose bits are the columns.

    What is worked out for a set is kept.

    Args:
        keys: all that there are.
    """

    def __init__(self, keys: Iterable[K]) -> None:
        self._place = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self._lines: dict[Collection[K], bytes] = {}

    def turned(self, columns: Sequence[Collection[K]]) -> dict[K, int]:
        """Return the columns in which each key is, for keys that are in some."""
        if len(self._lines) > KEPT:
            self._lines.clear()
        lines, place, length = self._lines, self._place, len(self._place)
        different = set(columns)
        for some in different.difference(lines):
            line = bytearray(b"0") * length
            for key in some:
                line[place[key]] = ord("1")
            lines[some] = bytes(line)
        # One line a column, read key by key, the last column first: binary numbers.
        text = b"".join([lines[some] for some in columns])
        last = len(text) - length
        return {key: int(text[last + place[key] :: -length], 2) for key in set().union(*different)}


def across(rows: Sequence[int], size: int) -> Iterator[bytes]:
    """Yield for each column one byte a row: whether its bit is set there."""
    form = f"0{size}b"
    text = "".join([format(row, form) for row in rows]).encode().translate(_TRUTH)
    # The first column is the last digit.
    return (text[last::size] for last in range(size - 1, -1, -1))


def bits(value: int) -> Iterator[int]:
    """Yield the places of the bits that are set."""
    data = value.to_bytes((value.bit_length() + 7) // 8, "little")
    for match in _NOT_EMPTY.finditer(data):
        at = match.start()
        for place in _PLACES[data[at]]:
            yield at * 8 + place
