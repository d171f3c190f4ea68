"""Random games, played to their end, and what must hold of each.

Random casts of the roles whose days are encoded; random nights, and days on which somebody is voted out.
What is open is answered by random rulings, which hold for the rest of the game; lots are drawn. Every game
must come to an end by a rule before so many phases, nobody comes back, the next phase begins with the roles,
items and counters with which the one before has ended, and the game that was written down is read and played
again without a fault.

``python -m tests.random_games --games 1000`` does it at length.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mafia_asp.errors import MafiaAspError
from mafia_asp.game.grow import entry, grow, numbered, stands, state_after
from mafia_asp.game.record import Game, Record, game_of, may_follow
from mafia_asp.game.replay import State, Step, faults_of, replay, winner
from mafia_asp.game.store import phase_text
from mafia_asp.model import Action, Player, Scenario
from mafia_asp.places import parse_yaml
from mafia_asp.rulebook import Rulebook
from mafia_asp.scenario import to_data
from mafia_asp.verdict import decide
from mafia_asp.yamltext import entries_text
from tests import random_days, random_nights

#: so many phases a game has at the most
MOST_PHASES = 60
#: so many times a phase is tried with further answers, draws or without what was against the rules
_TRIES = 80
#: what is counted for one phase only
_TALLIES = ("votes",)


class BrokenError(Exception):
    """What must not happen in a game, as a sentence."""


def roles_of(book: Rulebook) -> list[str]:
    """The roles of a rulebook."""
    return sorted(book.role_ids)


def beginning(rng: random.Random, book: Rulebook, most: int = 12) -> Scenario:
    """With whom a game begins: 5 to `most` players, of whom a quarter at the most are of the Mafia."""
    size = rng.randint(5, most)
    roles = ["don", "citizen"]
    others = roles_of(book)
    for _ in range(size - len(roles)):
        role = rng.choice(others) if rng.random() < 0.7 else "citizen"
        roles.append(role if _mafia([*roles, role], book) <= size / 4 else "citizen")
    rng.shuffle(roles)
    players = tuple(Player(f"N{seat}", role) for seat, role in enumerate(roles, 1))
    conventions = rng.choice((None, None, None, False))
    return Scenario(book.id, players, conventions=conventions)


def _mafia(roles: Sequence[str], book: Rulebook) -> int:
    """How many of these roles are of the Mafia's side, as a night of introduction has it."""
    return sum(_side(role, book) == "mafia" for role in roles)


def _side(role: str, book: Rulebook) -> str:
    scenario = Scenario(book.id, (Player("N1", role), Player("N2", "citizen")), phase="intro")
    if (book.id, role) not in _SIDES:
        _SIDES[book.id, role] = decide(scenario, book=book).certain["teams"].get("N1", "")
    return _SIDES[book.id, role]


_SIDES: dict[tuple[str, str], str] = {}


@dataclass
class Played:
    """A game that was played, step by step."""

    game: Game
    steps: list[Step] = field(default_factory=list)
    decided: int = 0


def played(rng: random.Random, book: Rulebook, start: Scenario | None = None) -> Played:
    """Play a game to its end.

    Raises:
        BrokenError: it does not come to an end, or something happens in it that must not.
    """
    found = Played(Game(start or beginning(rng, book), book))
    while (state := state_after(found.game, found.steps)) is not None:
        if len(found.game.phases) >= MOST_PHASES:
            raise BrokenError(f"no end after {MOST_PHASES} phases")
        new = _phase(rng, found, state)
        found.steps += new
        found.game = found.game._replace(phases=(*found.game.phases, *(step.record for step in new)))
    return found


def _phase(rng: random.Random, found: Played, state: State) -> list[Step]:
    """Play the next phase: told at random, and settled by random answers."""
    game = found.game
    allowed = [phase for phase in may_follow(game.phases) if phase != "end"]
    phase = allowed[0]
    if not game.phases and rng.random() < 0.5:
        phase = "intro"
    living = [player for player in state.players if player.alive]
    acts = _night(rng, living, state) if phase == "night" else _day(rng, living) if phase == "day" else ()
    record = numbered(game, Record(phase, actions=tuple(acts)))
    for _ in range(_TRIES):
        new = grow(game, state, record)
        found.decided += len(new)
        if all(map(stands, new)):
            for step in new:
                check_step(step)
            return new
        record = _mended(rng, record, new[-1])
    raise BrokenError(f"{phase} {record.number} is not settled by {_TRIES} answers: {_told(record)}")


def _mended(rng: random.Random, record: Record, step: Step) -> Record:
    """The record with a further answer, with what the lots have brought, or with less that was told."""
    verdict = step.verdict
    if verdict.incomplete:
        raise BrokenError(f"a limit was hit: {_told(record)}")
    if verdict.certain.get("illegal"):
        if not record.actions:
            raise BrokenError(f"{record.phase} {record.number} without actions cannot go on")
        return record._replace(actions=record.actions[:-1])
    # What arises only under another answer is asked when that has been given.
    asked = [question for question in verdict.open if not question.under] or verdict.open
    if asked:
        answers = {question.id: rng.choice(question.answers) for question in asked}
        return record._replace(rulings={**record.rulings, **answers})
    last = record.actions[-1] if record.actions else None
    if last and last.verb == "draw" and len(last.targets) > 1:
        # Some lots are of words.
        drawn: tuple[str, ...] = (rng.choice(random_days.LOTS),)
    else:
        names = [player.name for player in step.scenario.players]
        rng.shuffle(names)
        drawn = tuple(names[:4])
    return record._replace(actions=(*record.actions, Action("moderator", "draw", drawn)))


def _night(rng: random.Random, living: Sequence[Player], state: State) -> Iterator[Action]:
    names = [player.name for player in living]
    everybody = [player.name for player in state.players]
    for player in living:
        abilities = random_nights.ABILITIES.get(player.role)
        if abilities and rng.random() < 0.8:
            verb, places = rng.choice(abilities)
            who = names if rng.random() < 0.95 else everybody
            yield random_nights._act(player.name, verb, places, who, rng)
    if rng.random() < 0.2:
        yield Action("mafia", "shoot", (rng.choice(names),))


def _day(rng: random.Random, living: Sequence[Player]) -> Iterator[Action]:
    names = [player.name for player in living]
    for _ in range(rng.choice((0, 0, 1, 2))):
        yield random_days._talk(names, rng)
    out = rng.choice(names)
    if rng.random() < 0.8:
        yield Action("town", "vote_out", (out,))
    else:
        for name in names:
            yield Action(name, "vote", (out,))
        for name in names:
            yield Action(name, "vote", (out,), {"round": 2})
    if rng.random() < 0.5:
        yield from random_days._after(names, living, rng)


# ---- what must hold -----------------------------------------------------------------------------------


def check_step(step: Step) -> None:
    """Raise BrokenError where the next phase does not begin as this one ends."""
    certain, after = step.verdict.certain, step.after
    if winner(step.verdict):
        if after is not None or step.verdict.next is not None:
            raise BrokenError("something follows after a win")
        return
    if after is None:
        raise BrokenError(f"nothing follows: {_told(step.record)}")
    if step.record.phase == "end":
        return
    for before, player in zip(step.scenario.players, after.players, strict=True):
        name = player.name
        living = before.alive and name not in certain["dead"]
        if player.alive != living and not (before.alive is False and name in certain["dead"]):
            raise BrokenError(f"{name}: alive is {player.alive} after {_told(step.record)}")
        if player.role != certain["roles"][name]:
            raise BrokenError(f"{name} is {player.role}, and not {certain['roles'][name]}")
        if sorted(player.items) != sorted(certain["items"].get(name, [])):
            raise BrokenError(f"{name} has {player.items}, and not {certain['items'].get(name)}")
        for counter, left in certain["counters"].get(name, {}).items():
            if isinstance(left, int) and counter not in _TALLIES and player.counts.get(counter) != left:
                raise BrokenError(f"{name}: {counter} is {player.counts.get(counter)}, and not {left}")


def text_of(found: Played) -> str:
    """The game as it is written down."""
    head = {"format": 1, **to_data(found.game.start), "phases": []}
    text = entries_text(head).removesuffix("phases: []\n") + "phases:\n"
    return text + "".join(phase_text(entry(step)) for step in found.steps)


def check_written(found: Played, *, again: bool = False) -> None:
    """Raise BrokenError where the game that was written down is another when it is read.

    What follows from the same records is the same; with `again` it is decided once more all the same.
    """
    text = text_of(found)
    try:
        game = game_of(parse_yaml(text, "game.yaml"), "game.yaml", {found.game.book.id: found.game.book})
        steps = replay(game) if again else _with_records(found.steps, game.phases)
        faults = [str(fault) for step in steps for fault in faults_of(step)]
    except MafiaAspError as error:
        raise BrokenError(f"cannot be read again: {error}\n{text}") from error
    written = [entry(step) for step in found.steps]
    if faults or written != [entry(step) for step in steps]:
        raise BrokenError(f"is another when it is read again: {faults}\n{text}")
    if [record.followed or {} for record in game.phases] != [each.get("followed", {}) for each in written]:
        raise BrokenError(f"what followed is another when it is read again:\n{text}")
    start, before = (_bare(each) for each in (game.start, found.game.start))
    if start != before:
        raise BrokenError(f"begins otherwise when it is read again:\n{text}")


def _with_records(steps: Sequence[Step], records: Sequence[Record]) -> list[Step]:
    return [step._replace(record=record) for step, record in zip(steps, records, strict=True)]


def _bare(scenario: Scenario) -> Scenario:
    """The scenario without the places at which it stands."""
    players = tuple(player._replace(place=None) for player in scenario.players)
    return scenario._replace(players=players, place=None, places={})


def _told(record: Record) -> str:
    return f"{record.phase} {record.number} {[(a.actor, a.verb, *a.targets) for a in record.actions]}"


@dataclass(frozen=True)
class Report:
    """Counts, and what was wrong, each with the seed of its game."""

    counts: Counter[str]
    failures: list[str]


def beginnings(
    games: int, seed: int, book: Rulebook, most: int
) -> Iterator[tuple[str, random.Random, Scenario]]:
    """Yield so many beginnings of games, each with its own seed and what goes on to be drawn from it."""
    for number in range(games):
        own = f"{seed}-{number}"
        rng = random.Random(own)
        yield own, rng, beginning(rng, book, most)


def run(games: int, seed: int, book: str = random_nights.BOOK, most: int = 12) -> Report:
    """Play so many random games."""
    rules = Rulebook.load(book)
    counts: Counter[str] = Counter()
    failures = []
    for own, rng, start in beginnings(games, seed, rules, most):
        try:
            found = played(rng, rules, start)
            check_written(found)
        except (BrokenError, MafiaAspError) as error:
            roles = [player.role for player in start.players]
            failures.append(f"game {own}, {roles}: {type(error).__name__} {error}")
            continue
        counts["games"] += 1
        counts["phases"] += len(found.steps)
        counts["decided"] += found.decided
        counts["rulings"] += len(found.steps[-1].scenario.rulings)
        counts[f"won by {' and '.join(winner(found.steps[-1].verdict))}"] += 1
    return Report(counts, failures)


def main() -> int:
    parser = argparse.ArgumentParser(description="Random games, played to their end.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--book", choices=sorted(random_days.ROLES), default=random_nights.BOOK)
    parser.add_argument("--players", type=int, default=12)
    options = parser.parse_args()
    start = time.process_time()
    report = run(options.games, options.seed, options.book, options.players)
    for failure in report.failures[:20]:
        print(failure)
    print(dict(sorted(report.counts.items())), f"CPU seconds {time.process_time() - start:.0f}")
    print(f"{len(report.failures)} failures")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
