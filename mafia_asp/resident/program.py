"""One ground program for many nights of one setting: whatever is said in some of them is an input of it.

A setting is everything but the actions: who plays, what was before, what is agreed. Each thing said in any
of the nights is an external atom, so that whatever a scenario can say is covered, and nothing is ground
that nobody says.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import clingo

from ..facts import player_ids, said
from ..solve import SETTINGS, Program, plain
from .bits import Circuit, Rules

if TYPE_CHECKING:
    from ..model import Action, Scenario
    from ..solve import Value

#: what a model is read from, beside the answers
READ = {
    "out": 2,
    "because": 3,
    "by_act": 3,
    "next": 1,
    "followed": 3,
    "heeded": 2,
    "contrary": 3,
    "party": 2,
    "uses_verb": 2,
    "parity": 2,
}
#: in these a question stands at the second place but last
_NAMING = ("followed", "heeded")
#: uses of abilities beyond this many times those that differ are left to the solver
_SLACK = 4
#: files of the core in whose place a program of many nights has others
_REPLACED = ("names.lp", "shown.lp")

#: what an action is known by: actor, verb, targets, what else was said
ActionKey = tuple[str, str, tuple[str, ...], str]
Token = tuple[str, str]


class Slots:
    """Places for the uses of abilities, in an order into which every night's actions fit as they were told.

    Which of two actions came first may matter for two of one actor, and for two of one verb; an order
    of others is not kept.
    """

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self._known: dict[tuple[Token, ...], tuple[int, ...] | None] = {}

    def fit(self, told: tuple[Token, ...], *, grow: bool) -> tuple[int, ...] | None:
        """Return the place of each action; None where it has none. With `grow`, places are added."""
        places = self._known.get(told)
        if places is None:
            places = self._fit(told, grow)
            if places is not None:
                self._known[told] = places
        return places

    def _fit(self, told: tuple[Token, ...], grow: bool) -> tuple[int, ...] | None:
        places: list[int | None] = [None] * len(told)
        left = list(range(len(told)))
        for place, token in enumerate(self.tokens):
            for at, index in enumerate(left):
                if told[index] == token and not any(_bound(told[b], token) for b in left[:at]):
                    places[index] = place
                    del left[at]
                    break
            if not left:
                break
        if left and grow and len(self.tokens) + len(left) <= _SLACK * max(len(set(self.tokens)), len(told)):
            for index in left:
                places[index] = len(self.tokens)
                self.tokens.append(told[index])
            left = []
        return None if left else tuple(place for place in places if place is not None)


def _bound(one: Token, other: Token) -> bool:
    """Tell whether it may matter which of two actions was told first."""
    return one[0] == other[0] or one[1] == other[1] or "moderator" in (one[0], other[0])


class Said(NamedTuple):
    """What is said in a night, in the terms of a program: its inputs, and the places of the actions."""

    inputs: frozenset[int]
    places: tuple[int, ...]


class Universe:
    """All that is said in some nights of one setting."""

    def __init__(self, scenario: Scenario) -> None:
        self.slots = Slots()
        self._ids = player_ids(scenario)
        self._players = list(self._ids.values())
        self.facts: dict[str, None] = {}
        self._said: dict[tuple[ActionKey, int], tuple[str, ...]] = {}
        #: how many facts there were when they were last put together, and all of them
        self._expanded: tuple[int, frozenset[str]] = (0, frozenset())

    def take(self, actions: Sequence[Action]) -> bool:
        """Take in what a night says; False where there is no place for it."""
        places = self.slots.fit(self._tokens(actions), grow=True)
        if places is None:
            return False
        for action, place in zip(actions, places, strict=True):
            self.facts.update(dict.fromkeys(self._facts(action, place)))
        return True

    def covers(self, actions: Sequence[Action]) -> bool:
        """Tell whether everything that a night says has been taken in, or names other players only."""
        places = self.slots.fit(self._tokens(actions), grow=False)
        if places is None:
            return False
        known = self._every_fact()
        return all(
            known.issuperset(self._facts(action, place))
            for action, place in zip(actions, places, strict=True)
        )

    def express(self, actions: Sequence[Action], literals: Mapping[str, int]) -> Said:
        """Return a night that is covered, as inputs of a program."""
        places = self.slots.fit(self._tokens(actions), grow=False)
        assert places is not None
        facts = (
            fact for action, place in zip(actions, places, strict=True) for fact in self._facts(action, place)
        )
        # What no rule asks for is no atom of the program.
        return Said(frozenset([literals[fact] for fact in facts if fact in literals]), places)

    def _every_fact(self) -> frozenset[str]:
        if len(self.facts) != self._expanded[0]:
            self._expanded = len(self.facts), frozenset(self.all_facts())
        return self._expanded[1]

    def all_facts(self) -> list[str]:
        """Return the facts; who names one player in some night may name any other."""
        found = dict(self.facts)
        for fact in self.facts:
            if fact.startswith("aim("):
                before, _, target = fact[:-1].rpartition(",")
                if target in self._ids.values():
                    found |= dict.fromkeys(f"{before},{player})" for player in [*self._players, "nobody"])
        return list(found)

    def _tokens(self, actions: Sequence[Action]) -> tuple[Token, ...]:
        return tuple([(self._ids.get(action.actor, action.actor), action.verb) for action in actions])

    def _facts(self, action: Action, place: int) -> tuple[str, ...]:
        extra = repr(sorted(action.extra.items())) if action.extra else ""
        key = (action.actor, action.verb, action.targets, extra), place
        facts = self._said.get(key)
        if facts is None:
            facts = self._said[key] = tuple(said(slot_term(place), action, self._ids))
        return facts


def slot_term(place: int) -> str:
    """Return the term that stands for the action at a place."""
    return f"a({place})"


class Question(NamedTuple):
    """A question that may come up: its id, or nothing where it is named by what it is about; its answers."""

    id: str
    symbol: clingo.Symbol
    answers: tuple[str, ...]
    literals: tuple[int, ...]


class Entry(NamedTuple):
    """An atom that is read: which predicate, its arguments as plain data, and whether actions are in it."""

    name: str
    value: tuple[Value, ...]
    renumber: bool


class Ground:
    """The ground program of a setting, as a circuit from what is said and answered to what follows."""

    def __init__(self, program: Program, setting: Iterable[str], inputs: Iterable[str]) -> None:
        from ..check.engine import search_files

        rules = Rules()
        self.control = control = clingo.Control(["0", *SETTINGS], logger=lambda code, message: None)
        control.register_observer(rules)
        kept = [file for file in program.files if not _replaced(file)]
        Program((*kept, *search_files("names")), program.checked).load(control)
        externals = [f"#external {fact}. [free]" for fact in inputs]
        control.add("base", [], "\n".join([*setting, *externals]))
        control.ground([("base", [])])
        atoms = control.symbolic_atoms
        self.literals: dict[str, int] = {
            str(atom.symbol): atom.literal for atom in atoms if atom.is_external and atom.literal
        }
        self.questions = _questions(atoms)
        #: what holds in every night, and what may hold, by literal
        self.always: list[Entry] = []
        self.entries: dict[int, Entry] = {}
        for name, arity in READ.items():
            for atom in atoms.by_signature(name, arity):
                if atom.is_fact:
                    self.always.append(_entry(name, atom.symbol))
                elif atom.literal:
                    self.entries[atom.literal] = _entry(name, atom.symbol)
        answers = [question.literals for question in self.questions]
        wanted = [*self.entries, *(literal for each in answers for literal in each)]
        self.circuit = Circuit(rules, self.literals.values(), answers, wanted)
        self.usable = not rules.strange


def _replaced(file: str) -> bool:
    folder, name = os.path.split(file)
    return name in _REPLACED and os.path.basename(folder) == "core"


def _questions(atoms: clingo.SymbolicAtoms) -> list[Question]:
    from ..facts import question_id

    found: dict[clingo.Symbol, list[tuple[clingo.Symbol, int]]] = {}
    for atom in atoms.by_signature("pick", 2):
        if atom.literal or atom.is_fact:
            question, answer = atom.symbol.arguments
            found.setdefault(question, []).append((answer, atom.literal if not atom.is_fact else 0))
    questions = []
    for symbol, answers in sorted(found.items()):
        answers.sort()
        name = "" if nameless(symbol) else question_id(str(symbol))
        words = tuple(str(plain(answer)) for answer, _ in answers)
        questions.append(Question(name, symbol, words, tuple(literal for _, literal in answers)))
    return questions


def nameless(question: clingo.Symbol) -> bool:
    """Tell whether a question is named by what it is about in a night, as a dispute and a circle are."""
    return question.type is clingo.SymbolType.Function and question.name in ("slot", "knot")


def _entry(name: str, symbol: clingo.Symbol) -> Entry:
    arguments = symbol.arguments
    if name in _NAMING:
        from ..facts import question_id

        place = {"followed": 1}.get(name, 0)
        question = arguments[place]
        value: list[Value] = [
            plain(each) if n < place else str(plain(each)) for n, each in enumerate(arguments)
        ]
        value[place] = question if nameless(question) else question_id(str(question))
        return Entry(name, tuple(value), False)
    if name in ("party", "uses_verb", "parity"):
        return Entry(name, (arguments[0], str(plain(arguments[1]))), False)
    value = [plain(each) for each in arguments]
    return Entry(name, tuple(value), any(map(_has_action, value)))


def _has_action(value: Value) -> bool:
    if not isinstance(value, tuple):
        return False
    return is_action(value) or any(map(_has_action, value))


def is_action(value: Value) -> bool:
    """Tell whether plain data is the term of an action."""
    return isinstance(value, tuple) and len(value) == 2 and value[0] == "a" and isinstance(value[1], int)
