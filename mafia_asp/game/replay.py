"""Playing a recorded game again: with which state each phase begins, and what follows in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import Fault, InputError, LimitError
from ..model import EMPTY
from ..scenario import from_data

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model import Action, Player, Scenario, Verdict
    from ..rulebook import Rulebook
    from .record import Game, Record


class State(NamedTuple):
    """With what a phase begins."""

    players: tuple[Player, ...]
    last_night: tuple[Action, ...] = ()
    last_day: tuple[Action, ...] = ()
    #: what the table has decided so far
    rulings: Mapping[str, str] = EMPTY


class Step(NamedTuple):
    """One phase, played again."""

    record: Record
    scenario: Scenario
    verdict: Verdict
    #: with what the next phase begins; None where that is open, and where the game is over
    after: State | None


def begin(game: Game) -> State:
    """The state with which a game begins."""
    start = game.start
    return State(start.players, start.last_night, start.last_day, start.rulings)


def scenario_of(game: Game, state: State, record: Record) -> Scenario:
    """A phase of a game as a scenario that stands for itself."""
    spots = {key: place for key, place in record.places.items() if key.startswith("rulings.")}
    return game.start._replace(
        players=state.players,
        phase=record.phase,
        number=record.number,
        actions=record.actions,
        last_night=state.last_night,
        last_day=state.last_day,
        rulings={**state.rulings, **record.rulings},
        expect=None,
        id="",
        title=record.title,
        note=record.note,
        place=record.place,
        places=spots,
    )


def play(game: Game, state: State, record: Record) -> Step:
    """Play one phase that begins with `state`; conventions answer unless the game says that they do not.

    Raises:
        InputError: its rulings contradict each other.
        LimitError: it could not be decided within the limits.
    """
    from ..verdict import decide

    scenario = scenario_of(game, state, record)
    verdict = decide(scenario, book=game.book, strict=scenario.conventions is False)
    return Step(record, scenario, verdict, after(scenario, verdict, state, game.book))


def after(scenario: Scenario, verdict: Verdict, state: State, book: Rulebook) -> State | None:
    """The state with which the next phase begins; None where it is open, or there is no next phase."""
    if scenario.phase == "end":
        # An end that is none leaves everything as it was.
        return None if verdict.open or winner(verdict) else state._replace(rulings=scenario.rulings)
    if verdict.next is None:
        return None
    following = from_data(verdict.next, books={scenario.rulebook: book})
    return State(following.players, following.last_night, following.last_day, scenario.rulings)


def winner(verdict: Verdict) -> list[str]:
    """Who has won, so that the game is over: sides, roles or ``nobody``; empty where it goes on."""
    said: Any = verdict.certain.get("winner", "none")
    won = [said] if isinstance(said, str) else list(said)
    return [side for side in won if side != "none"]


def replay(game: Game) -> list[Step]:
    """Play all phases of a game again.

    Raises:
        InputError: something in it cannot have been: with its place in the file, and what would be right.
        LimitError: a phase could not be decided within the limits.
    """
    from ..solve import Limits

    steps: list[Step] = []
    state: State | None = begin(game)
    for record in game.phases:
        if state is None:
            before = steps[-1]
            won = winner(before.verdict)
            raise InputError(
                [Fault(record.place, "game.over", {"phase": before.record.phase, "winner": won})]
            )
        step = play(game, state, record)
        if step.verdict.incomplete:
            raise LimitError("time", {"seconds": Limits().seconds})
        if faults := faults_of(step):
            raise InputError(faults)
        steps.append(step)
        state = step.after
    return steps


def faults_of(step: Step) -> list[Fault]:
    """What is wrong with a phase of a game: what is open or not drawn, a false record."""
    record, verdict = step.record, step.verdict
    faults = []
    if verdict.certain.get("illegal"):
        faults.append(Fault(record.place, "game.illegal", {"phase": record.phase}))
        return faults
    for question in verdict.open:
        from ..render.answer import ruling_line

        choices = [ruling_line(question.id, answer) for answer in question.answers]
        faults.append(Fault(record.place, "game.open", {"id": question.id, "choices": choices}))
    if verdict.chance and not verdict.open:
        faults.append(Fault(record.place, "game.draw", {}))
    if not faults and record.followed:
        faults = _contradicted(step)
    return faults


def _contradicted(step: Step) -> list[Fault]:
    """Where what was noted is not what follows."""
    from ..expect import mismatches, show

    record = step.record
    names = [player.name for player in step.scenario.players]
    faults = []
    for wrong in mismatches(record.followed or {}, step.verdict.certain, names):
        place = record.places.get(f"followed.{wrong.key.partition('.')[0]}", record.place)
        args = {"key": wrong.key, "said": show(wrong.expected), "follows": show(wrong.got)}
        faults.append(Fault(place, "game.followed", args))
    return faults
