"""A ground program evaluated for many columns at once, one bit a column.

Whatever is said and whatever is answered are inputs, so that what is left is a circuit; an atom's value is
a Python integer whose n-th bit says whether it holds in the n-th column, and an operation on such integers
is one on thousands of columns. Of several answers to a question, a column takes the first that it may take,
or the one that is asked of it.

Where atoms depend on each other in a circle, the well-founded model is computed, again for all columns at
once: a column in which it leaves nothing undefined has exactly this one answer set. The other columns are
told apart, to be decided by a solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import clingo

Body = tuple[int, ...]
#: an atom that may hold by a body, and that body; empty where the atom counts what holds
Way = tuple[int, Body]


class Threshold(NamedTuple):
    """Holds where literals of at least so much weight do."""

    bound: int
    literals: tuple[tuple[int, int], ...]


class Rules(clingo.Observer):
    """Takes down a ground program: rules, choices, bounds, constraints."""

    def __init__(self) -> None:
        self.bodies: dict[int, list[Body]] = {}
        self.choices: dict[int, list[Body]] = {}
        self.thresholds: dict[int, list[Threshold]] = {}
        self.constraints: list[Body] = []
        #: whether it has a rule that is not understood here
        self.strange = False

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """Take a rule (called by the grounder)."""
        if choice:
            for atom in head:
                self.choices.setdefault(atom, []).append(tuple(body))
        elif not head:
            self.constraints.append(tuple(body))
        elif len(head) == 1:
            self.bodies.setdefault(head[0], []).append(tuple(body))
        else:
            self.strange = True

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
        """Take a rule with a bound (called by the grounder)."""
        if choice or len(head) != 1 or any(weight < 0 for _, weight in body):
            self.strange = True
        else:
            self.thresholds.setdefault(head[0], []).append(Threshold(lower_bound, tuple(body)))


class Circuit:
    """The part of a ground program on which some atoms hang, ready to be evaluated.

    Args:
        rules: the ground program.
        inputs: atoms whose values are given.
        questions: for each question its answers' atoms, in the order in which they are tried.
        wanted: the atoms that are asked for; the others are left out where nothing wanted needs them.
    """

    def __init__(
        self, rules: Rules, inputs: Iterable[int], questions: Iterable[Sequence[int]], wanted: Iterable[int]
    ) -> None:
        self._inputs = set(inputs)
        #: answer's atom -> the other answers to its question, and how many of them are tried before it
        self._rivals: dict[int, tuple[int, ...]] = {}
        self._before: dict[int, int] = {}
        for answers in questions:
            for place, atom in enumerate(answers):
                self._rivals[atom] = (*answers[:place], *answers[place + 1 :])
                self._before[atom] = place
        self.constants = _constants(rules, self._inputs)
        self._bodies, self._enabling, self._thresholds = self._simplified(rules)
        self.constraints = [body for each in rules.constraints if (body := self._reduced(each)) is not None]
        self._number(wanted)

    def _reduced(self, body: Body) -> Body | None:
        """Return a body without what always holds; None where it never does."""
        found = []
        for literal in body:
            known = self.constants.get(abs(literal))
            if known is None:
                found.append(literal)
            elif known is (literal < 0):
                return None
        return tuple(sorted(set(found), reverse=True))

    def _simplified(
        self, rules: Rules
    ) -> tuple[dict[int, list[Body]], dict[int, list[Body]], dict[int, list[Threshold]]]:
        def reduced(table: Mapping[int, Iterable[Body]]) -> dict[int, list[Body]]:
            found = {}
            for atom, bodies in table.items():
                if atom not in self.constants and atom not in self._inputs:
                    kept = {body for each in bodies if (body := self._reduced(each)) is not None}
                    found[atom] = sorted(kept, key=lambda body: (len(body), body))
            return found

        thresholds: dict[int, list[Threshold]] = {}
        for atom, several in rules.thresholds.items():
            for bound, literals in several:
                if atom in self.constants:
                    continue
                left = []
                for literal, weight in literals:
                    known = self.constants.get(abs(literal))
                    if known is None:
                        left.append((literal, weight))
                    elif known is (literal > 0):
                        bound -= weight
                thresholds.setdefault(atom, []).append(Threshold(bound, tuple(left)))
        return reduced(rules.bodies), reduced(rules.choices), thresholds

    def _number(self, wanted: Iterable[int]) -> None:
        """Number the atoms that are needed in an order in which they can be evaluated."""
        roots = {atom for atom in wanted if atom not in self.constants}
        roots |= {abs(literal) for body in self.constraints for literal in body}
        needs = {atom: self._needs(atom) for atom in self._reached(roots)}
        components = _components(needs)
        self._of = {atom: n for n, atom in enumerate((a for each in components for a in each), 1)}
        self.size = len(self._of)
        # Bodies with the new numbers; a literal's place in a list of values is the literal itself.
        self._plan: list[_Component | _Atom] = []
        for component in components:
            loop = len(component) > 1 or component[0] in needs[component[0]]
            atoms = [self._atom(atom) for atom in component]
            if loop:
                self._plan.append(_Component(atoms))
            elif component[0] not in self._inputs:
                self._plan.append(atoms[0])
        self._able = {
            atom: tuple(map(self._literals, bodies))
            for atom, bodies in self._enabling.items()
            if atom in self._of
        }
        self._barred = [self._literals(body) for body in self.constraints]

    def _needs(self, atom: int) -> set[int]:
        found = {abs(literal) for body in self._bodies.get(atom, ()) for literal in body}
        found |= {abs(literal) for each in self._thresholds.get(atom, ()) for literal, _ in each.literals}
        for answer in (*self._rivals.get(atom, ()), atom):
            found |= {abs(literal) for body in self._enabling.get(answer, ()) for literal in body}
        return found

    def _reached(self, roots: Iterable[int]) -> list[int]:
        seen: dict[int, None] = {}
        stack = sorted(roots, reverse=True)
        while stack:
            atom = stack.pop()
            if atom not in seen:
                seen[atom] = None
                stack += sorted(self._needs(atom))
        return list(seen)

    def _literals(self, body: Body) -> Body:
        return tuple([self._of[b] if b > 0 else -self._of[-b] for b in body])

    def _atom(self, atom: int) -> _Atom:
        choice = None
        if atom in self._enabling:
            rivals = self._rivals.get(atom, ())
            bodies = [tuple(map(self._literals, self._enabling.get(each, ()))) for each in rivals]
            first = self._before.get(atom, 0)
            may = tuple(map(self._literals, self._enabling[atom]))
            choice = _Choice(may, tuple(bodies[:first]), tuple(bodies[first:]))
        thresholds = tuple(
            Threshold(bound, tuple((self._literals((lit,))[0], weight) for lit, weight in literals))
            for bound, literals in self._thresholds.get(atom, ())
        )
        return _Atom(
            self._of[atom], atom, tuple(map(self._literals, self._bodies.get(atom, ()))), thresholds, choice
        )

    def holds(self, atom: int) -> bool | None:
        """Tell whether an atom always or never holds; None where that depends."""
        return self.constants.get(atom)

    def evaluate(
        self, inputs: Mapping[int, int], asked: Mapping[int, int], first: Mapping[int, int], every: int
    ) -> tuple[list[int], int]:
        """Return the value of each atom by its number (:meth:`place`), and the columns left undefined.

        Args:
            inputs: the values of input atoms; what is missing holds nowhere.
            asked: answer's atom -> columns in which this answer is asked for.
            first: answer's atom -> columns in which its question is answered in the first way possible.
            every: all columns.
        """
        values, _, bad = self._evaluate(inputs, _Asked(asked, first), every)
        for body in self._barred:
            bad |= _all(body, values, every)
        return values, bad

    def evaluate_open(self, inputs: Mapping[int, int], every: int) -> tuple[list[int], list[int]]:
        """Return what surely holds and what may hold, whatever the answers are, as :meth:`evaluate` does."""
        sure, may, _ = self._evaluate(inputs, _Asked({}, {}, open=True), every)
        return sure, may

    def _evaluate(
        self, inputs: Mapping[int, int], asked: _Asked, every: int
    ) -> tuple[list[int], list[int], int]:
        sure = [0] * (2 * self.size + 1)
        may = list(sure) if asked.open else sure
        for atom in self._inputs:
            if atom in self._of:
                number = self._of[atom]
                sure[number] = may[number] = inputs.get(atom, 0)
                sure[-number] = may[-number] = every ^ sure[number]
        bad = 0
        for each in self._plan:
            if isinstance(each, _Component):
                bad |= each.settle(sure, may if asked.open else list(sure), every, asked)
                continue
            number = each.number
            held = sure[number] = _held(each, sure, may, every, asked, True)
            if asked.open:
                may[number] = _held(each, may, sure, every, asked, False)
                may[-number] = every ^ held
                sure[-number] = every ^ may[number]
            else:
                sure[-number] = every ^ held
        return sure, may, bad

    def reach(
        self,
        start: Mapping[int, int],
        ways: Mapping[int, Iterable[Way]],
        loose: Mapping[int, int],
        may: Sequence[int],
    ) -> dict[int, int]:
        """Return where atoms hang on some of those in `start`, through what :meth:`evaluate_open` left open.

        Args:
            start: number -> columns.
            ways: the steps that are followed (:meth:`leading_to`).
            loose: where an atom may hold and may not, by its number.
            may: what may hold.

        Returns:
            The columns by number.
        """
        found = {number: columns & loose.get(number, 0) for number, columns in start.items()}
        waiting = _Waiting([number for number, columns in found.items() if columns])
        for number in waiting:
            here = found[number]
            for user, body in ways.get(number, ()):
                known = found.get(user, 0)
                more = here & loose.get(user, 0) & ~known
                for literal in body:
                    if not more:
                        break
                    more &= may[literal]
                if more:
                    found[user] = known | more
                    waiting.add((user,))
        return found

    def leading_to(self, wanted: Iterable[int]) -> dict[int, list[Way]]:
        """Return the ways on from an atom, of those that lead to an atom that is wanted."""
        leading: set[int] = set()
        stack = list(wanted)
        ways: dict[int, dict[Way, None]] = {}
        while stack:
            number = stack.pop()
            if number in leading or number not in self._atoms:
                continue
            leading.add(number)
            atom = self._atoms[number]
            stack += {abs(literal) for literal in _literals_of(atom)}
            for body in (*atom.bodies, *(atom.choice.may if atom.choice is not None else ())):
                for literal in body:
                    ways.setdefault(abs(literal), {})[number, body] = None
            for each in atom.thresholds:
                for literal, _ in each.literals:
                    ways.setdefault(abs(literal), {})[number, ()] = None
        return {number: list(several) for number, several in ways.items()}

    def able(self, atom: int, values: Sequence[int], every: int) -> int:
        """Return where an answer may be given, in an evaluation of all columns."""
        return _any(self._able.get(atom, ()), values, every)

    @cached_property
    def _atoms(self) -> dict[int, _Atom]:
        atoms: dict[int, _Atom] = {}
        for each in self._plan:
            atoms |= each.atoms if isinstance(each, _Component) else {each.number: each}
        return atoms

    def place(self, atom: int) -> int | None:
        """Return where an atom's value stands; None where it always or never holds, or is not needed."""
        return self._of.get(atom)


class _Choice(NamedTuple):
    """Under which bodies an answer may be given, and each of those tried before it and after it."""

    may: tuple[Body, ...]
    before: tuple[tuple[Body, ...], ...]
    after: tuple[tuple[Body, ...], ...]


class _Atom(NamedTuple):
    """What makes an atom hold, in the numbers of the circuit."""

    number: int
    name: int
    bodies: tuple[Body, ...]
    thresholds: tuple[Threshold, ...]
    choice: _Choice | None


def _all(body: Body, values: Sequence[int], every: int) -> int:
    held = every
    for literal in body:
        held &= values[literal]
        if not held:
            break
    return held


def _any(bodies: Iterable[Body], values: Sequence[int], every: int) -> int:
    held = 0
    for body in bodies:
        both = every
        for literal in body:
            both &= values[literal]
            if not both:
                break
        else:
            held |= both
    return held


class _Asked(NamedTuple):
    """How questions are answered: by answers that are asked for, or by the first that is possible.

    With `every` answer left open there is neither.
    """

    answers: Mapping[int, int]
    first: Mapping[int, int]
    open: bool = False


def _held(
    atom: _Atom, values: Sequence[int], others: Sequence[int], every: int, asked: _Asked, sure: bool
) -> int:
    """Return where an atom holds: by `values` of what is `sure`, or of what may be.

    `others` are the values of the other kind, by which rival answers are ruled out.
    """
    # As _any does, written out: here most of the time is spent.
    held = 0
    for body in atom.bodies:
        both = every
        for literal in body:
            both &= values[literal]
            if not both:
                break
        else:
            held |= both
    for each in atom.thresholds:
        held |= at_least(each, values, every)
    if atom.choice is not None and (able := _any(atom.choice.may, values, every)):
        if not asked.open:
            first = able & asked.first.get(atom.name, 0)
            held |= _without(first, atom.choice.before, others, every)
            held |= able & asked.answers.get(atom.name, 0)
        elif sure:
            # The only one that can be given.
            held |= _without(
                _without(able, atom.choice.before, others, every), atom.choice.after, others, every
            )
        else:
            held |= able
    return held


def _without(able: int, rivals: Iterable[Iterable[Body]], values: Sequence[int], every: int) -> int:
    """Return `able` without the columns in which one of its rivals may be given."""
    for bodies in rivals:
        if not able:
            break
        able &= every ^ _any(bodies, values, every)
    return able


def at_least(threshold: Threshold, values: Sequence[int], every: int) -> int:
    """Return where literals of at least so much weight hold: a sum in bits, and a comparison."""
    bound, literals = threshold
    if bound <= 0:
        return every
    total: list[int] = []
    for literal, weight in literals:
        value = values[literal]
        if value:
            _add(total, value, weight)
    # From the highest bit: greater so far, or equal so far.
    greater, equal = 0, every
    for place in range(max(len(total), bound.bit_length()) - 1, -1, -1):
        bit = total[place] if place < len(total) else 0
        if bound >> place & 1:
            equal &= bit
        else:
            greater |= equal & bit
            equal &= every ^ bit
    return greater | equal


def _add(total: list[int], value: int, weight: int) -> None:
    """Add `weight` in the columns of `value` to a sum in bits."""
    place = 0
    while weight:
        if weight & 1:
            carry, at = value, place
            while carry:
                if at == len(total):
                    total.append(0)
                total[at], carry = total[at] ^ carry, total[at] & carry
                at += 1
        elif place == len(total):
            total.append(0)
        weight >>= 1
        place += 1


class _Component:
    """Atoms that depend on each other, evaluated as a well-founded model."""

    def __init__(self, atoms: list[_Atom]) -> None:
        self.atoms = {atom.number: atom for atom in atoms}
        inside = set(self.atoms)
        self._users: dict[int, list[int]] = {}
        for atom in atoms:
            for literal in _literals_of(atom):
                if abs(literal) in inside:
                    self._users.setdefault(abs(literal), []).append(atom.number)
        self._users = {number: sorted(set(users)) for number, users in self._users.items()}
        self._numbers = sorted(self.atoms)
        #: nothing in it hangs on a negation of something in it
        self._positive = not any(-literal in inside for atom in atoms for literal in _literals_of(atom))

    def settle(self, sure: list[int], may: list[int], every: int, asked: _Asked) -> int:
        """Enter the atoms' values, and return the columns in which some of them stay undefined.

        `sure` holds what surely holds, and at the negative places what surely does not; `may` holds in the
        same way what may hold and what may not.
        """
        for number in self._numbers:
            may[-number] = every
        # What may hold at all: from nothing, with everything negated taken to be so.
        self._grow(may, sure, every, asked, sure=False)
        if self._positive and not asked.open:
            for number in self._numbers:
                sure[number] = may[number]
                sure[-number] = may[-number] = every ^ may[number]
            return 0
        for number in self._numbers:
            sure[-number] = every ^ may[number]
        while True:
            self._narrow(sure, may, every, asked)
            left = 0
            for number in self._numbers:
                left |= may[number] ^ sure[number]
            if not left:
                return 0
            # What holds only because of itself does not: once more from what surely holds.
            again = list(may)
            for number in self._numbers:
                again[number] = sure[number]
            self._grow(again, sure, every, asked, sure=False)
            changed = False
            for number in self._numbers:
                if again[number] != may[number]:
                    changed = True
                    may[number] = again[number]
                    sure[-number] = every ^ again[number]
            if not changed:
                return left

    def _grow(
        self, values: list[int], others: Sequence[int], every: int, asked: _Asked, *, sure: bool
    ) -> None:
        """Let atoms hold, with their negations as they stand, until nothing more follows."""
        waiting = _Waiting(self._numbers)
        for number in waiting:
            held = values[number]
            now = held | _held(self.atoms[number], values, others, every, asked, sure)
            if now != held:
                values[number] = now
                waiting.add(self._users.get(number, ()))

    def _narrow(self, sure: list[int], may: list[int], every: int, asked: _Asked) -> None:
        """Let follow what surely holds, and drop what no longer may, until nothing changes."""
        waiting = _Waiting([number for number in self._numbers if may[number]])
        for number in waiting:
            could, holds = may[number], sure[number]
            if holds == could:
                continue
            atom = self.atoms[number]
            now = holds | _held(atom, sure, may, every, asked, True)
            can = could & _held(atom, may, sure, every, asked, False)
            if now != holds:
                sure[number] = now
                may[-number] = every ^ now
            if can != could:
                may[number] = can
                sure[-number] = every ^ can
            if now != holds or can != could:
                waiting.add(self._users.get(number, ()))


class _Waiting:
    """Numbers that wait for their turn, the smallest first, each at most once."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._heap = list(numbers)
        heapify(self._heap)
        self._inside = set(self._heap)

    def __iter__(self) -> Iterator[int]:
        while self._heap:
            number = heappop(self._heap)
            self._inside.discard(number)
            yield number

    def add(self, numbers: Iterable[int]) -> None:
        """Let numbers wait that do not yet."""
        for number in numbers:
            if number not in self._inside:
                self._inside.add(number)
                heappush(self._heap, number)


def _literals_of(atom: _Atom) -> Iterator[int]:
    """Yield the literals that an atom hangs on; those that rule an answer out count as negated."""
    for body in atom.bodies:
        yield from body
    for each in atom.thresholds:
        yield from (literal for literal, _ in each.literals)
    if atom.choice is not None:
        for body in atom.choice.may:
            yield from body
        for bodies in (*atom.choice.before, *atom.choice.after):
            for body in bodies:
                yield from (-literal for literal in body)
                yield from body


def _constants(rules: Rules, inputs: set[int]) -> dict[int, bool]:
    """Return the atoms that hold, or do not, whatever the inputs and answers are."""
    users: dict[int, set[int]] = {}
    heads = {*rules.bodies, *rules.choices, *rules.thresholds}
    mentioned = set(heads)
    for table in (rules.bodies, rules.choices):
        for head, bodies in table.items():
            for body in bodies:
                for literal in body:
                    users.setdefault(abs(literal), set()).add(head)
    for head, several in rules.thresholds.items():
        for each in several:
            for literal, _ in each.literals:
                users.setdefault(abs(literal), set()).add(head)
    mentioned |= users.keys() | {abs(literal) for body in rules.constraints for literal in body}
    constants: dict[int, bool] = dict.fromkeys(mentioned - heads - inputs, False)
    waiting = [*heads - inputs]
    while waiting:
        atom = waiting.pop()
        if atom in constants or atom in inputs:
            continue
        known = _known(rules, atom, constants)
        if known is not None:
            constants[atom] = known
            waiting += users.get(atom, ())
    return constants


def _known(rules: Rules, atom: int, constants: Mapping[int, bool]) -> bool | None:
    """Return whether an atom holds, as far as constants tell."""

    def state(body: Body) -> bool | None:
        values = [constants.get(abs(literal)) for literal in body]
        if any(value is (literal < 0) for value, literal in zip(values, body, strict=True)):
            return False
        return True if None not in values else None

    states = [state(body) for body in rules.bodies.get(atom, ())]
    if True in states:
        return True
    for bound, literals in rules.thresholds.get(atom, ()):
        sure = sum(w for lit, w in literals if constants.get(abs(lit)) is (lit > 0))
        most = sum(w for lit, w in literals if constants.get(abs(lit)) is not (lit < 0))
        if sure >= bound:
            return True
        states.append(None if most >= bound else False)
    states += [None if state(body) is not False else False for body in rules.choices.get(atom, ())]
    return None if None in states else False


def _components(needs: Mapping[int, Iterable[int]]) -> list[list[int]]:
    """Return the strongly connected components of a graph, what is needed first; within one, as found.

    (Tarjan's algorithm without recursion. Within a component the atoms stand in the order in which a search
    in depth leaves them, so that most of what an atom needs comes before it.)
    """
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    on_stack: set[int] = set()
    stack: list[int] = []
    left: dict[int, int] = {}
    found: list[list[int]] = []
    for root in needs:
        if root in order:
            continue
        order[root] = low[root] = len(order)
        stack.append(root)
        on_stack.add(root)
        calls = [(root, iter(needs[root]))]
        while calls:
            atom, below = calls[-1]
            for each in below:
                if each not in order:
                    order[each] = low[each] = len(order)
                    stack.append(each)
                    on_stack.add(each)
                    calls.append((each, iter(needs[each])))
                    break
                if each in on_stack:
                    low[atom] = min(low[atom], order[each])
            else:
                calls.pop()
                left[atom] = len(left)
                if calls:
                    low[calls[-1][0]] = min(low[calls[-1][0]], low[atom])
                if low[atom] == order[atom]:
                    component = []
                    while True:
                        one = stack.pop()
                        on_stack.discard(one)
                        component.append(one)
                        if one == atom:
                            break
                    found.append(sorted(component, key=left.__getitem__))
    return found
