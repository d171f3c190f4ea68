"""The nearest night in which something else would hold: one answer, or one action, different.

Changes are tried in small batches, the most likely first. For each batch a program is grounded in
which a single one of its changes may be made, and each change is tried by assuming it together with
the opposite of what is wanted: where that has no answer set, what is wanted holds in every reading of
the changed night.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import clingo

from ..errors import LimitError
from ..facts import facts, question_term
from ..solve import Ground, Limits, Model, Program

if TYPE_CHECKING:
    from ..model import Action, Scenario
    from .ask import Fact

#: so many changes are grounded together, except for the targets of one action
BATCH = 4
#: seconds for which changes are searched at most
SEARCH = 5.0


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is different: an answer to a question, or an action dropped or aimed elsewhere."""

    question: str = ""
    answer: str = ""
    #: number of the action, from 1; its place and target, or empty where it is dropped
    action: int = 0
    place: int = 0
    target: str = ""

    @property
    def kind(self) -> str:
        """What is different: ``ruling``, ``dropped`` or ``moved``."""
        return "ruling" if self.question else "moved" if self.place else "dropped"

    def applied(self, scenario: Scenario) -> Scenario:
        """Return the scenario with this change."""
        if self.question:
            return scenario._replace(rulings={**scenario.rulings, self.question: self.answer})
        actions = list(scenario.actions)
        if self.place:
            actions[self.action - 1] = self.changed(scenario)
        else:
            del actions[self.action - 1]
        return scenario._replace(actions=tuple(actions))

    def changed(self, scenario: Scenario) -> Action:
        """Return the action as this change has it."""
        said = scenario.actions[self.action - 1]
        targets = [self.target if n == self.place else each for n, each in enumerate(said.targets, 1)]
        return said._replace(targets=tuple(targets))


def batches(
    scenario: Scenario, fact: Fact, answers: dict[str, list[str]], proof: Collection[int] = ()
) -> Iterator[list[Change]]:
    """Yield the changes to try, the most likely first, in batches of one kind.

    Args:
        answers: those not chosen, by question.
        proof: numbers of the actions on which the present state rests.
    """
    dropped = [Change(action=n) for n in range(1, len(scenario.actions) + 1)]
    yield from _chunks([change for change in dropped if change.action in proof])
    yield from _chunks([Change(q, x) for q, others in sorted(answers.items()) for x in others])
    yield from _chunks([change for change in dropped if change.action not in proof])
    by_place = groupby(_moved(scenario), lambda change: (change.action, change.place))
    moved = [list(some) for _, some in by_place]
    for some in moved:
        some.sort(key=lambda change: _distance(change, scenario, fact))
    moved.sort(key=lambda some: (_distance(some[0], scenario, fact)[0], some[0].action not in proof))
    yield from moved


def _chunks(changes: list[Change]) -> Iterator[list[Change]]:
    for start in range(0, len(changes), BATCH):
        yield changes[start : start + BATCH]


def _moved(scenario: Scenario) -> Iterator[Change]:
    players = [player.name for player in scenario.players if player.alive]
    known = {player.name for player in scenario.players}
    for n, action in enumerate(scenario.actions, 1):
        for place, target in enumerate(action.targets, 1):
            if target not in known:
                continue
            for name in players:
                if name not in action.targets and name != action.actor:
                    yield Change(action=n, place=place, target=name)


def _distance(change: Change, scenario: Scenario, fact: Fact) -> tuple[int, int, int]:
    """Order changes by how near they are to the player asked about."""
    action = scenario.actions[change.action - 1]
    near = fact.player in (action.actor, change.target, *action.targets)
    about = {
        other
        for a in scenario.actions
        for other in (a.actor, *a.targets)
        if fact.player in (a.actor, *a.targets)
    }
    return (0 if near else 1 if about & {action.actor, *action.targets} else 2), change.action, change.place


class Variations:
    """The ground program of a night in which one of a few changes may be made."""

    def __init__(
        self, scenario: Scenario, program: Program, conventions: list[str], fact: Fact, changes: list[Change]
    ) -> None:
        told = facts(scenario, conventions)
        self._ids = {name: constant for constant, name in told.names.items()}
        self._terms = {change: self._term(change) for change in changes}
        varied = "\n".join(map(_conditional, told.text.split("\n")))
        can = " ".join(f"_can({term})." for term in self._terms.values())
        text = f"{varied}\n{can}\n{_VARY}\n{goal(fact, self._ids[fact.player])}"
        self._ground = Ground(program, text)

    def _term(self, change: Change) -> str:
        if change.question:
            question, answer = question_term(change.question, change.answer)
            return f"rule({question},{answer})"
        if not change.place:
            return f"drop({change.action})"
        return f"to({change.action},{change.place},{self._ids[change.target]})"

    def holds(self, change: Change, limits: Limits) -> bool | None:
        """Tell whether, with this change, what is wanted holds in every reading (True), in none, or in some.

        Raises:
            LimitError: the time is up.
        """
        if limits.left() <= 0:
            raise LimitError("time", {"seconds": limits.seconds})
        atoms = self._ground.control.symbolic_atoms
        varied = atoms[clingo.parse_term(f"_vary({self._terms[change]})")]
        wanted = atoms[clingo.parse_term("_goal")]
        if varied is None or wanted is None:
            return False
        if not self._possible([varied.literal, wanted.literal], limits):
            return False
        return None if self._possible([varied.literal, -wanted.literal], limits) else True

    def _possible(self, assumed: list[int], limits: Limits) -> bool:
        try:
            self._ground.models(limits, assumed, cap=1, read=_nothing)
        except LimitError as error:
            if error.code == "no_answer":
                return False
            raise
        return True


def _nothing(model: clingo.Model) -> Model:
    return Model({}, frozenset())


_VARY = """
{ _vary(X) : _can(X) } 1.
_off(A) :- _vary(drop(A)).
_moved(A,I) :- _vary(to(A,I,_)).
aim(A,I,T) :- _vary(to(A,I,T)).
ruling(Q,X) :- _vary(rule(Q,X)).
_other(Q) :- _vary(rule(Q,_)).
#defined _can/1.
"""


def _conditional(line: str) -> str:
    """Return a line of a scenario's facts, holding only where the change leaves it."""
    name, _, rest = line.partition("(")
    if name in ("said", "with"):
        return f"{line[:-1]} :- not _off({rest.split(',')[0]})."
    if name == "aim":
        action, place, *_ = rest.split(",")
        return f"{line[:-1]} :- not _off({action}), not _moved({action},{place})."
    if name == "vote":
        return line.replace(").", f") :- not _off({rest.split(',')[0]}).")
    if name == "ruling":
        return f"{line[:-1]} :- not _other({clingo.parse_term(line[:-1]).arguments[0]})."
    return line


def goal(fact: Fact, who: str) -> str:
    """Return the rules of ``_goal``: that `fact` holds of the player with this constant."""
    value = fact.value
    match fact.kind:
        case "dies":
            return f"_goal :- out(dead,{who})."
        case "lives":
            return f"_goal :- not out(dead,{who}), alive({who})."
        case "saved" | "silenced":
            return f"_goal :- out({fact.kind},{who})."
        case "becomes" if value:
            return f"_goal :- out(role({who}),{value}), not role({who},{value})."
        case "becomes":
            return f"_goal :- out(role({who}),X), not role({who},X)."
        case "cannot":
            return f"_goal :- out(cannot({who}),{value or '_'})."
    shown = [value, f"role({value})", f"side({value})"] if value else ["X"]
    test = "" if value else ", X != none"
    rules = []
    for each in shown:
        rules.append(f"_goal :- said(A,{who},_), out(answer(A),{each}){test}.")
        rules.append(f"_goal :- out(told({who}),{each}){test}.")
    return "\n".join(rules)
