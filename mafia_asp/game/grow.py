"""What comes next in a game, and what is written down of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model import Outcome
from ..outcome import KEYS
from ..scenario import action_data
from .record import Record, may_follow, next_number
from .replay import Step, begin, play, scenario_of, winner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model import Player, Scenario
    from .record import Game
    from .replay import State

#: Keys of an outcome that are written down whenever they hold anything.
_NOTED = ("dead", "saved", "silenced", "answers", "cannot", "announce", "defence")


def stands(step: Step) -> bool:
    """Whether nothing in a phase is open, to be drawn, or against the rules."""
    verdict = step.verdict
    return verdict.settled and not (verdict.chance or verdict.incomplete or verdict.certain.get("illegal"))


def state_after(game: Game, steps: Sequence[Step]) -> State | None:
    """With what the next phase begins; None where the game is over."""
    return steps[-1].after if steps else begin(game)


def to_come(game: Game, steps: Sequence[Step]) -> Scenario | None:
    """The phase that usually comes next, as a scenario in which nothing is told yet; None after the end."""
    state = state_after(game, steps)
    if state is None:
        return None
    return scenario_of(game, state, numbered(game, Record(may_follow(game.phases)[0])))


def last_told(phases: Sequence[Record]) -> int:
    """How many phases were added last: an end that was found at dawn goes with its night."""
    found = len(phases) > 1 and phases[-1].phase == "end" and not phases[-1].actions
    return 2 if found and phases[-2].phase == "night" else 1


def standing(game: Game, steps: Sequence[Step]) -> tuple[Player, ...]:
    """The players as they are by now, also where the game is over."""
    if (state := state_after(game, steps)) is not None:
        return state.players
    certain, players = steps[-1].verdict.certain, steps[-1].scenario.players
    roles = certain.get("roles", {})
    return tuple(
        player._replace(
            role=roles.get(player.name, player.role),
            alive=player.alive and player.name not in certain.get("dead", ()),
        )
        for player in players
    )


def numbered(game: Game, record: Record) -> Record:
    """The record with its number: counted on, and 1 for the first night of all."""
    if record.number is not None or record.phase not in ("night", "day", "end"):
        return record
    number = next_number(game.phases, record.phase)
    if number is None and record.phase == "night" and not any(r.phase == "night" for r in game.phases):
        number = 1
    return record._replace(number=number)


def grow(game: Game, state: State, record: Record, *, to_the_end: bool = True) -> list[Step]:
    """Play the phase that comes next, and after a night see whether the game is over at dawn.

    The end is there as a step of its own where it is one, or where it is open whether it is; with
    `to_the_end` false it is not looked for. Raises InputError and LimitError as :func:`.replay.play`.
    """
    step = play(game, state, record)
    if record.phase != "night" or step.after is None or not stands(step) or not to_the_end:
        return [step]
    dawn = play(game, step.after, Record("end", record.number))
    return [step, dawn] if winner(dawn.verdict) or not stands(dawn) else [step]


# ---- what is written down --------------------------------------------------------------------------


def entry(step: Step) -> dict[str, Any]:
    """A phase as it is written: the entries of a scenario, and what followed."""
    record = step.record
    data: dict[str, Any] = {"phase": record.phase}
    if record.number is not None:
        data["night" if record.phase == "night" else "day"] = record.number
    data |= {key: text for key, text in (("title", record.title), ("note", record.note)) if text}
    if record.actions:
        data["actions"] = [action_data(action) for action in record.actions]
    if record.rulings:
        data["rulings"] = dict(record.rulings)
    if noted := followed(step):
        data["followed"] = noted
    return data


def followed(step: Step) -> Outcome:
    """What is written down of an outcome: what the table heard, and what has changed for whom."""
    certain, scenario = step.verdict.certain, step.scenario
    noted = Outcome()
    if scenario.phase in ("night", "day"):
        # That nobody died is heard too.
        noted |= {"dead": [], "announce": []}
    noted |= {key: certain[key] for key in _NOTED if certain.get(key)}
    if scenario.phase == "intro" and certain.get("wakes_together"):
        noted["wakes_together"] = certain["wakes_together"]
    if scenario.phase == "end" or winner(step.verdict):
        noted["winner"] = certain.get("winner", "none")
    noted |= {key: changed for key, changed in _changes(scenario, certain).items() if changed}
    return Outcome((key, noted[key]) for key in KEYS if key in noted)


def _changes(scenario: Scenario, certain: Outcome) -> dict[str, dict[str, Any]]:
    """Whose role, items and counters are not what they were when the phase began."""
    changes: dict[str, dict[str, Any]] = {"roles": {}, "items": {}, "counters": {}}
    for player in scenario.players:
        role = certain.get("roles", {}).get(player.name, player.role)
        if role != player.role:
            changes["roles"][player.name] = role
        items = certain.get("items", {}).get(player.name, [])
        if sorted(items) != sorted(player.items):
            changes["items"][player.name] = items
        if counts := _counted(player, certain):
            changes["counters"][player.name] = counts
    return changes


def _counted(player: Player, certain: Outcome) -> dict[str, Any]:
    counts = certain.get("counters", {}).get(player.name, {})
    return {key: left for key, left in counts.items() if player.counts.get(key) != left}
