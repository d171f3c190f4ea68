"""The moderator's script of a night: who is called, in which order, for what, and what is shown to whom.

The order of calls is the verdict's; this puts under each call what may be asked for there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..decision import Fork, Leaf, paths
from ..model import EMPTY
from .calls import Choice, choices

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..decision import Tree
    from ..model import Action, Refusal, Scenario, Verdict
    from ..rulebook import Rulebook

#: the phases in which anybody is called
PHASES = ("intro", "night")


class Told(NamedTuple):
    """An action that was told already, and its refusal, if it was refused."""

    action: Action
    refusal: Refusal | None = None


class Call(NamedTuple):
    """One call of the moderator."""

    #: a role, or a side that wakes together
    who: str
    #: the living whom it wakes, in seating order
    players: tuple[str, ...] = ()
    #: those of the role who have left the game, and are called all the same
    gone: tuple[str, ...] = ()
    asks: tuple[Choice, ...] = ()
    told: tuple[Told, ...] = ()
    #: what is shown as things stand: player -> answer
    shows: Mapping[str, Any] = EMPTY
    #: the rules by which it is called
    rules: tuple[str, ...] = ()


class Order(NamedTuple):
    """What the order of calls hangs on: the answers to some questions, and the calls under them."""

    answers: Mapping[str, str]
    calls: tuple[str, ...]


class Script(NamedTuple):
    """A night as the moderator leads it."""

    verdict: Verdict
    calls: tuple[Call, ...]
    #: what may be told without a call
    uncalled: tuple[Choice, ...] = ()
    #: what is shown to players who are not called
    besides: Mapping[str, Any] = EMPTY
    #: roles of players who have left the game that the book does not have called
    silent: tuple[str, ...] = ()
    #: more than one where the order of calls is open
    orders: tuple[Order, ...] = ()

    @property
    def followed(self) -> Order | None:
        """The order that this script keeps to, where the order is open."""
        names = tuple(call.who for call in self.calls if call.who)
        return next((o for o in self.orders if o.calls == names), None) if len(self.orders) > 1 else None

    @property
    def scenario(self) -> Scenario:
        """The night, with what was told so far."""
        return self.verdict.scenario


def script(scenario: Scenario, book: Rulebook, *, strict: bool = False) -> Script:
    """The script of a night, or of the introduction, with what was told so far.

    Raises:
        ValueError: nobody is called in such a phase.
        LimitError: it could not be worked out within the limits.
        InputError: the rulebook is refused, or rulings contradict each other.
    """
    from ..verdict import decide

    if scenario.phase not in PHASES:
        raise ValueError(scenario.phase)
    verdict = decide(scenario, book=book, strict=strict)
    return arrange(
        verdict, choices(scenario, book, strict=strict), book, orders(scenario, book, strict=strict)
    )


def arrange(
    verdict: Verdict, asks: Sequence[Choice], book: Rulebook, orders: tuple[Order, ...] = ()
) -> Script:
    """Put what may be asked for under the calls of a verdict."""
    scenario = verdict.scenario
    role_of = {player.name: player.role for player in scenario.players}
    gone = {player.name for player in scenario.players if not player.alive}
    sides = book.lexicon.words["team"]
    together = _flat(verdict.certain.get("wakes_together", ()))
    names = list(dict.fromkeys(verdict.certain.get("calls", ())))
    called: list[Call] = []
    alone = scenario.phase == "night" and len(together) < 2
    if together and not alone and not any(name in sides for name in names):
        called.append(Call("", together, rules=_rules(verdict, "together", "")))
    answers = {name: shown for name, shown in verdict.certain.get("answers", {}).items() if shown != "none"}
    for who in names:
        bearers = [name for name in role_of if role_of[name] == who]
        players = together if who in sides and together else tuple(n for n in bearers if n not in gone)
        mine = [who, *(bearers if who not in sides or not together else ())]
        called.append(
            Call(
                who,
                players,
                tuple(name for name in bearers if name in gone),
                tuple(ask for ask in asks if ask.who in mine and ask.who not in gone),
                tuple(_told(verdict, mine)),
                {name: answers[name] for name in mine if name in answers},
                _rules(verdict, "call", who),
            )
        )
    heard = {name for call in called for name in call.shows}
    placed = {(ask.who, ask.verb) for call in called for ask in call.asks}
    silent = dict.fromkeys(role_of[n] for n in role_of if n in gone and role_of[n] not in names)
    # A plain member of a side that wakes together is not missed.
    acting = {role_of.get(ask.who) for ask in asks}
    return Script(
        verdict,
        tuple(called),
        tuple(a for a in asks if a.free and (a.who, a.verb) not in placed and _alone(a, role_of, gone)),
        {name: shown for name, shown in answers.items() if name not in heard},
        tuple(role for role in silent if role in acting),
        orders,
    )


def _alone(ask: Choice, role_of: Mapping[str, str], gone: set[str]) -> bool:
    """Whether a choice is a living player's own."""
    return ask.who in role_of and ask.who not in gone


def _flat(groups: Any) -> tuple[str, ...]:
    names = [name for each in groups for name in (each if isinstance(each, (list, tuple)) else [each])]
    return tuple(dict.fromkeys(names))


def _told(verdict: Verdict, actors: Sequence[str]) -> list[Told]:
    refusals = {refusal.number: refusal for refusal in verdict.refused}
    return [
        Told(action, refusals.get(number))
        for number, action in enumerate(verdict.scenario.actions, 1)
        if action.actor in actors
    ]


def _rules(verdict: Verdict, key: str, who: str) -> tuple[str, ...]:
    found = (r.rule for r in verdict.because if r.key == key and (not who or r.value[0] == who))
    return tuple(dict.fromkeys(found))


# ---- where the order itself is open ----------------------------------------------------------------


def orders(scenario: Scenario, book: Rulebook, *, strict: bool = False) -> tuple[Order, ...]:
    """The orders of calls between which open questions decide; one without answers where none does.

    It is asked of the night before anything is told: what the order hangs on is the same then, and nothing
    else is open. Raises LimitError and InputError as :func:`script`.
    """
    if book.shipped:
        return _orders(scenario, book, strict)
    from ..bounded import run_bounded

    return run_bounded(_orders, scenario, book, strict)


def _orders(scenario: Scenario, book: Rulebook, strict: bool) -> tuple[Order, ...]:
    from ..decision import decision_tree
    from ..facts import facts
    from ..solve import Ground, Limits
    from ..verdict import conventions_in_force, program_of

    quiet = scenario._replace(actions=())
    told = facts(quiet, conventions_in_force(scenario, book, strict))
    models, _ = Ground(program_of(quiet, book), told.text).models(Limits())
    rows = []
    for model in models:
        calls = sorted((atom[0][1], atom[1]) for atom in model.out if atom[0][0] == "call")
        rows.append((model.picks, tuple(dict.fromkeys(role for _, role in calls))))
    tree: Tree[tuple[str, ...]] = decision_tree(rows)
    if isinstance(tree, Leaf):
        return (Order({}, tree.outcome),)
    assert isinstance(tree, Fork)
    return tuple(Order(answers, calls) for answers, calls in paths(tree))
