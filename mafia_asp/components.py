"""Nights with too many readings to list: cut into parts that cannot touch each other.

The ground program is a circuit from answers to outcomes. Two questions whose answers reach no common
outcome, and neither of which raises the other, are independent whatever else is chosen; each connected
part is listed with the rest held fast. What no answer can change has been simplified away before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import clingo

from .circuit import Circuit
from .decision import Leaf
from .disjoint import Disjoint
from .facts import Facts, question_id
from .outcome import observable
from .readings import PART_LIMIT, WITNESSES, Part, split
from .solve import Atom, Ground, Limits, Model, Program


class _Fixed(clingo.Propagator):
    """Asks the solver, once, what holds whatever is chosen."""

    def __init__(self, atoms: Iterable[int]) -> None:
        self.value: dict[int, bool] = {}
        self._atoms: Iterable[int] = atoms

    def init(self, init: clingo.PropagateInit) -> None:
        held = set(init.assignment.trail)
        literal = init.solver_literal
        for atom in self._atoms:
            solver = literal(atom)
            if solver in held:
                self.value[atom] = True
            elif -solver in held:
                self.value[atom] = False
        self._atoms = ()


class _Component(NamedTuple):
    """Questions that hang together, with the outcome atoms that they can reach."""

    questions: frozenset[str]
    outcomes: tuple[int, ...]


def components(
    program: Program, told: Facts, limits: Limits
) -> tuple[list[Model], list[tuple[frozenset[Atom], list[Part]]], bool]:
    """Return some answer sets, the parts of the night part by part, and whether that is everything.

    Raises:
        LimitError: no answer set was found in time.
    """
    circuit = Circuit()
    ground = Ground(program, told.text, observer=circuit)
    fixed = _Fixed({abs(atom) for heads, body in circuit.rules for atom in chain(heads, body)})
    ground.control.register_propagator(fixed)
    (base, *_), _ = ground.models(limits, cap=1)
    table = _Table(ground)
    seen: list[Model] = [base]
    found: list[tuple[frozenset[Atom], list[Part]]] = []
    everything = True
    sure = frozenset(filter(observable, base.out))
    for component in _connected(table, circuit, fixed):
        held = [literal for question, literal in table.chosen(base) if question not in component.questions]
        rows, complete = table.rows(component, held, limits)
        changing = {table.outcome[literal] for literal in component.outcomes}
        if complete:
            common, parts = split(rows)
        else:
            everything = False
            common, parts = table.bounds(component, held, limits)
        sure = frozenset(atom for atom in sure if atom not in changing or atom in common)
        found.append((frozenset(), parts))
        seen += table.witnesses(base, parts, component, limits)
    found.append((sure, []))
    return seen, found, everything


class _Table:
    """The choices and outcomes of a ground program, by literal."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        #: literal -> (question, answer)
        self.pick: dict[int, tuple[str, str]] = {}
        #: literal -> out atom
        self.outcome: dict[int, Atom] = {}
        atoms = ground.control.symbolic_atoms
        for atom in atoms.by_signature("pick", 2):
            q, x = atom.symbol.arguments
            self.pick[atom.literal] = (question_id(str(q)), str(ground.value(x)))
        for atom in atoms.by_signature("out", 2):
            plain = tuple(ground.value(a) for a in atom.symbol.arguments)
            if not atom.is_fact and observable(plain):
                self.outcome[atom.literal] = plain

    def chosen(self, model: Model) -> list[tuple[str, int]]:
        """Return (question, literal of its answer) of everything that `model` rests on."""
        return [(q, literal) for literal, (q, x) in self.pick.items() if model.picks.get(q) == x]

    def rows(self, component: _Component, held: Sequence[int], limits: Limits) -> tuple[list[Model], bool]:
        """Return the answer sets of one component, read only where it can make a difference."""
        picks = {literal: pick for literal, pick in self.pick.items() if pick[0] in component.questions}
        outcomes = {literal: self.outcome[literal] for literal in component.outcomes}

        def read(model: clingo.Model) -> Model:
            chosen = dict(pick for literal, pick in picks.items() if model.is_true(literal))
            out = frozenset(atom for literal, atom in outcomes.items() if model.is_true(literal))
            return Model(chosen, out)

        return self.ground.models(limits, held, cap=PART_LIMIT, read=read)

    def bounds(
        self, component: _Component, held: Sequence[int], limits: Limits
    ) -> tuple[frozenset[Atom], list[Part]]:
        """Return what holds in every reading of too large a component, and a part without readings.

        Of the questions those are named that some reading raises.
        """
        picks = [literal for literal, (question, _) in self.pick.items() if question in component.questions]
        some, _ = self.ground.consequences("brave", limits, held, [*component.outcomes, *picks])
        every, finished = self.ground.consequences("cautious", limits, held, component.outcomes)
        common = frozenset(self.outcome[literal] for literal in every) if finished else frozenset[Atom]()
        touched = frozenset(self.outcome[literal] for literal in some if literal in self.outcome) - common
        raised = {self.pick[literal][0] for literal in some if literal in self.pick} or component.questions
        return common, [Part(tuple(sorted(raised)), touched, (), Leaf(0), {})]

    def witnesses(
        self, base: Model, parts: Iterable[Part], component: _Component, limits: Limits
    ) -> list[Model]:
        """Return one whole answer set for each reading of `parts`, for its reasons."""
        outside = [literal for question, literal in self.chosen(base) if question not in component.questions]
        found = []
        by_pick = {pick: literal for literal, pick in self.pick.items()}
        for part in parts:
            for reading in part.readings[:WITNESSES]:
                inside = [by_pick[q, x] for q, x in reading.rests_on[0].items()]
                found += self.ground.models(limits, outside + inside, cap=1)[0]
        return found


def _connected(table: _Table, circuit: Circuit, fixed: _Fixed) -> list[_Component]:
    """Return the sets of questions whose answers reach a common outcome or raise each other."""
    parents: dict[int, set[int]] = {}
    for heads, body in circuit.rules:
        if any(fixed.value.get(abs(b)) is (b < 0) for b in body):
            continue
        open_body = {abs(b) for b in body if abs(b) not in fixed.value}
        for head in heads:
            if head not in fixed.value:
                parents.setdefault(head, set()).update(open_body)
    union: Disjoint[str] = Disjoint()
    reached: dict[int, set[str]] = {}
    for atom, (name, _) in table.pick.items():
        if fixed.value.get(atom) is not False:
            union.join(name, *sorted(_ancestors(atom, parents, table)))
    for atom in table.outcome:
        if atom not in fixed.value:
            reached[atom] = _ancestors(atom, parents, table)
            union.join(*sorted(reached[atom]))
    groups: dict[str, tuple[set[str], list[int]]] = {}
    for atom, names in reached.items():
        if names:
            groups.setdefault(union.find(min(names)), (set(), []))[1].append(atom)
    for name, _ in table.pick.values():
        if union.find(name) in groups:
            groups[union.find(name)][0].add(name)
    return [_Component(frozenset(names), tuple(atoms)) for _, (names, atoms) in sorted(groups.items())]


def _ancestors(atom: int, parents: dict[int, set[int]], table: _Table) -> set[str]:
    """Return the questions whose answers `atom` hangs on, through whatever chain."""
    seen: set[int] = set()
    stack = [atom]
    while stack:
        for parent in parents.get(stack.pop(), ()):
            if parent not in seen:
                seen.add(parent)
                stack.append(parent)
    return {table.pick[a][0] for a in seen if a in table.pick}
