"""Random days and ends of games, and what must hold of the answer sets of each, as of random nights.

``python -m tests.random_days --days 2000`` does it at length; ``--book booklet`` for the other book.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from typing import Any

from mafia_asp.model import Action, Player, Scenario
from mafia_asp.rulebook import Rulebook
from tests.random_nights import Report, checked, told

#: book -> roles; those that a day treats otherwise than a plain player stand more than once
ROLES = {
    "classic_advanced": (
        *("don", "mafia", "mafia", "citizen", "citizen", "terrorist", "terrorist", "guardian", "guardian"),
        *("killer", "thief", "bartender", "natasha", "enchanter", "voodoo", "hooker", "neutral", "doctor"),
        *("detective", "invulnerable", "spy"),
    ),
    "booklet": tuple("don mafia terrorist terrorist citizen citizen doctor detective sniper".split()),
}
#: what may have been done the night before, by role
NIGHT = {
    "natasha": "silence",
    "bartender": "drug",
    "hooker": "block",
    "thief": "steal",
    "enchanter": "enchant",
    "voodoo": "curse",
    "guardian": "protect",
    "doctor": "save",
}
WORDS = ("apple", "pear")
OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "classic_advanced": {
        "reveal_on_exit": (True, False),
        "wills": (True, False),
        "handshake": (True, False),
        "started_with": (6, 15),
    },
    "booklet": {},
}


def day(rng: random.Random, book: str, players: int = 10) -> Scenario:
    """Return a day, or now and then the end of a game, of 2 to `players` players."""
    size = rng.randint(2, players)
    names = [f"N{seat}" for seat in range(1, size + 1)]
    seats = tuple(_seat(name, rng.choice(ROLES[book]), rng) for name in names)
    ends = rng.random() < 0.15
    acts = _end(names, rng) if ends else _course(names, seats, rng)
    options = {key: rng.choice(values) for key, values in OPTIONS[book].items() if rng.random() < 0.3}
    return Scenario(
        book,
        seats,
        "end" if ends else "day",
        rng.choice((None, 1, 2)),
        tuple(acts),
        last_night=tuple(_before(seats, names, rng)),
        options=options,
    )


def _seat(name: str, role: str, rng: random.Random) -> Player:
    items = ("gun",) if rng.random() < 0.1 else ()
    counts = {"virus": rng.choice((1, 2))} if rng.random() < 0.1 else {}
    was = {"word": "apple", "enchanted_on_night": 1} if rng.random() < 0.05 else {}
    return Player(name, role, rng.random() > 0.15, items, counts, was)


def _before(seats: Sequence[Player], names: Sequence[str], rng: random.Random) -> list[Action]:
    acts = []
    for player in seats:
        if player.role in NIGHT and rng.random() < 0.6:
            verb = NIGHT[player.role]
            targets = tuple(rng.choice(names) for _ in range(2 if verb == "steal" else 1))
            acts.append(
                Action(player.name, verb, targets, {"word": "apple"} if verb in ("enchant", "curse") else {})
            )
    return acts


def _end(names: Sequence[str], rng: random.Random) -> list[Action]:
    return [
        Action(name, "shake_hands", (rng.choice([*names, "nobody"]),)) for name in names if rng.random() < 0.4
    ]


def _course(names: Sequence[str], seats: Sequence[Player], rng: random.Random) -> list[Action]:
    """What is told of a day: mostly in an order that makes sense, sometimes in any."""
    acts = [talk(names, rng) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.5:
        acts += _ballots(names, 1, rng)
        for number in (2, 3):
            if rng.random() < 0.6:
                acts += [talk(names, rng) for _ in range(rng.randint(0, 1))] + _ballots(names, number, rng)
    else:
        acts += _town(names, rng)
    acts += after(names, seats, rng)
    if rng.random() < 0.2:
        rng.shuffle(acts)
    return acts


def _ballots(names: Sequence[str], number: int, rng: random.Random) -> list[Action]:
    favoured = rng.sample(names, min(2, len(names)))
    extra = {} if number == 1 else {"round": number}
    acts = []
    for name in names:
        if rng.random() < 0.8:
            target = rng.choice(favoured if rng.random() < 0.8 else [*names, "nobody"])
            acts.append(Action(name, "vote", (target,), extra))
    if rng.random() < 0.1:
        acts.append(Action(rng.choice(names), "abstain", ("vote",), extra))
    return acts


def _town(names: Sequence[str], rng: random.Random) -> list[Action]:
    acts = []
    if rng.random() < 0.4:
        verb = rng.choice(("second_vote", "second_vote", "tie", "defence"))
        acts.append(Action("town", verb, tuple(rng.sample(names, min(2, len(names))))))
        acts += [talk(names, rng) for _ in range(rng.randint(0, 2))]
    if rng.random() < 0.9:
        extra: dict[str, Any] = rng.choice(({}, {}, {"sole_vote": True}, {"round": 2}))
        acts.append(Action("town", "vote_out", (rng.choice(names),), extra))
    return acts


def after(names: Sequence[str], seats: Sequence[Player], rng: random.Random) -> list[Action]:
    acts = []
    for player in seats:
        if player.role == "terrorist" and rng.random() < 0.8:
            target = rng.choice(names)
            acts.append(Action(player.name, "explode", (target,)))
            for other in seats:
                if other.role == "guardian" and rng.random() < 0.7:
                    answer = {"answer": rng.choice(("yes", "no"))}
                    acts.append(Action(other.name, "protect", (target,), answer))
    return acts + [talk(names, rng) for _ in range(rng.randint(0, 3))]


def talk(names: Sequence[str], rng: random.Random) -> Action:
    who, whom = rng.choice(names), rng.choice(names)
    talk: list[Action] = [
        Action(who, "speak", ("town",)),
        Action(who, "speak", ("town",), {"word": rng.choice(WORDS)}),
        Action(who, "will", ("town",)),
        Action(who, "claim", (rng.choice(("citizen", "sniper", "don", "terrorist")),)),
        Action(who, "mention", (rng.choice(("sniper", "terrorist", "doctor")),)),
        Action(who, "insult", (whom,)),
        Action(who, "cheat", ("game",)),
        Action(who, "leave", ("game",), rng.choice(({}, {"by": "speak"}))),
        Action(who, "extend", ("day",)),
        Action(who, "object", (whom,)),
        Action(who, "defend", (who,)),
        Action(who, "accuse", (whom,), {"time": rng.choice(("sole_vote", "defence"))}),
        Action(who, "fire", (whom,)),
        Action("moderator", "remove", (whom,)),
        Action("moderator", "virus", (whom,)),
        Action("moderator", "reveal", (whom,)),
    ]
    return rng.choice(talk)


def run(days: int, seed: int, book: str, *, players: int = 10, most: int = 3000, samples: int = 4) -> Report:
    """Check so many random days."""

    def draw(rng: random.Random) -> Scenario:
        return day(rng, book, players)

    return checked("days", days, draw, Rulebook.load(book), seed=seed, most=most, samples=samples)


def main() -> int:
    parser = argparse.ArgumentParser(description="Random days on the whole of a rulebook.")
    parser.add_argument("--days", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--book", choices=sorted(ROLES), default="classic_advanced")
    parser.add_argument("--players", type=int, default=10)
    parser.add_argument("--most", type=int, default=3000, help="answer sets of one day")
    options = parser.parse_args()
    start = time.monotonic()
    report = run(options.days, options.seed, options.book, players=options.players, most=options.most)
    return told(report, start)


if __name__ == "__main__":
    sys.exit(main())
