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
        *("governor", "governor", "judge", "judge", "hunter", "hunter", "gunsmith", "saboteur", "item_thief"),
        *("bomber_man", "granny", "postman", "guard", "magician", "freemason", "bulletproof"),
        *("fool", "fool", "traitor", "zombie", "zombie", "virgin", "yakuza", "mafia_traitor"),
        *("pariah", "suspect", "actor", "janitor", "tailor", "undercover_police"),
        *("alien", "dictator", "jackal", "jackal", "murderer", "prophet", "serial_killer", "sorcerer"),
        *("jekyll_hyde", "cult_leader"),
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
    "gunsmith": "give_gun",
    "saboteur": "sabotage",
    "item_thief": "pilfer",
    "guard": "block",
    "magician": "save",
    "freemason": "link",
    "zombie": "infect",
    "actor": "impersonate",
    "janitor": "clean",
    "tailor": "dress",
    "alien": "test",
    "sorcerer": "foresee",
}
#: what may be done by day, by role
DAY = {"governor": "veto", "hunter": "shoot", "magician": "execute", "postman": "take_along"}
#: what a lot may bring that is of no player
LOTS = ("known", "unknown")
#: what may be so of somebody from before
PAST: tuple[dict[str, Any], ...] = (
    {"word": "apple", "enchanted_on_night": 1},
    {"gun_given_on_night": 1},
    {"gun_given_on_night": 1, "sabotaged_on_night": 1},
    {"items": ["gun"]},
    {"killed_on_night": 1},
    {"role": "governor", "converted_on_night": 1},
    {"role": "judge", "converted_on_night": 1},
    {"role": "hunter", "converted_on_night": 1},
)
WORDS = ("apple", "pear")
#: what else is said with some of these
SAID: dict[str, dict[str, Any]] = {
    "enchant": {"word": "apple"},
    "curse": {"word": "apple"},
    "dress": {"role": "sniper"},
}
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
    seats = tuple(_history(player, seats, names, rng) for player in seats)
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
    items = (rng.choice(("gun", "gun", "armor", "infected", "dress")),) if rng.random() < 0.2 else ()
    counts = {"virus": rng.choice((1, 2))} if rng.random() < 0.1 else {}
    was = rng.choice(PAST) if rng.random() < 0.15 else {}
    if "dress" in items:
        was = {"dressed_as": "doctor"}
    return Player(name, role, rng.random() > 0.15, items, counts, was)


def _history(player: Player, seats: Sequence[Player], names: Sequence[str], rng: random.Random) -> Player:
    """Give a player what the end may ask of the past: a target, a foretold day, a side, a way of leaving."""
    counts, was = dict(player.counts), dict(player.was)
    match player.role:
        case "jackal":
            was["target"] = rng.choice(names)
        case "prophet":
            (counts if rng.random() < 0.7 else was)["predicted_day"] = rng.choice((1, 2))
        case "sorcerer":
            counts["right_guesses"] = rng.choice((0, 1, 1, 2))
        case "alien":
            tested = [name for name in names if rng.random() < 0.9]
            if tested:
                was["tested"] = tested
        case "jekyll_hyde" if rng.random() < 0.8:
            was["side"] = rng.choice(("mafia", "citizen"))
        case "citizen" if rng.random() < 0.5 and any(p.role == "cult_leader" for p in seats):
            was["team"] = "cult"
    if not player.alive and rng.random() < 0.7:
        was[rng.choice(("voted_out_on_day", "killed_on_night", "died_on_day"))] = 1
    return player._replace(counts=counts, was=was)


def _before(seats: Sequence[Player], names: Sequence[str], rng: random.Random) -> list[Action]:
    acts = []
    for player in seats:
        if player.role in NIGHT and rng.random() < 0.6:
            verb = NIGHT[player.role]
            targets = tuple(rng.choice(names) for _ in range(2 if verb == "steal" else 1))
            acts.append(Action(player.name, verb, targets, SAID.get(verb, {})))
    return acts


def _end(names: Sequence[str], rng: random.Random) -> list[Action]:
    return [
        Action(name, "shake_hands", (rng.choice([*names, "nobody"]),)) for name in names if rng.random() < 0.4
    ]


def _course(names: Sequence[str], seats: Sequence[Player], rng: random.Random) -> list[Action]:
    """What is told of a day: mostly in an order that makes sense, sometimes in any."""
    acts = [_talk(names, rng) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.5:
        acts += _ballots(names, 1, rng)
        for number in (2, 3):
            if rng.random() < 0.6:
                acts += [_talk(names, rng) for _ in range(rng.randint(0, 1))] + _ballots(names, number, rng)
    else:
        acts += _town(names, rng)
    acts += _abilities(acts, names, seats, rng) + _after(names, seats, rng)
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
        acts += [_talk(names, rng) for _ in range(rng.randint(0, 2))]
    if rng.random() < 0.9:
        extra: dict[str, Any] = rng.choice(({}, {}, {"sole_vote": True}, {"round": 2}))
        acts.append(Action("town", "vote_out", (rng.choice(names),), extra))
    return acts


def _abilities(
    told: Sequence[Action], names: Sequence[str], seats: Sequence[Player], rng: random.Random
) -> list[Action]:
    """Acts of the day, often upon whoever was voted for, and shots of those who have guns."""
    named = [target for act in told if act.verb in ("vote", "vote_out") for target in act.targets]
    acts = []
    for player in seats:
        targets = (rng.choice(named if named and rng.random() < 0.5 else names),)
        role = str(player.was.get("role", player.role))
        if role in DAY and rng.random() < 0.6:
            nameless = role == "governor" and rng.random() < 0.2
            acts.append(Action(player.name, DAY[role], () if nameless else targets))
        if ("gun" in player.items or player.role == "item_thief") and rng.random() < 0.6:
            acts.append(Action(player.name, "fire", targets))
            if rng.random() < 0.3:
                acts.append(Action("moderator", "draw", (rng.choice(LOTS),)))
    rng.shuffle(acts)
    return acts


def _after(names: Sequence[str], seats: Sequence[Player], rng: random.Random) -> list[Action]:
    acts = []
    for player in seats:
        if player.role == "terrorist" and rng.random() < 0.8:
            target = rng.choice(names)
            acts.append(Action(player.name, "explode", (target,)))
            for other in seats:
                if other.role == "guardian" and rng.random() < 0.7:
                    answer = {"answer": rng.choice(("yes", "no"))}
                    acts.append(Action(other.name, "protect", (target,), answer))
    return acts + [_talk(names, rng) for _ in range(rng.randint(0, 3))]


def _talk(names: Sequence[str], rng: random.Random) -> Action:
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
    if rng.random() < 0.1:
        talk = [
            Action("moderator", "announce", (rng.choice(("dictator", "nobody")),)),
            Action(who, "predict", (rng.choice(("1", "2")),)),
            Action(who, "choose_side", (rng.choice(("mafia", "citizen")),)),
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
