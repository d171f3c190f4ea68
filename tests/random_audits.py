"""Random games, audited: nothing is found in what was written down, and whatever is changed in it is.

Each game of :mod:`tests.random_games` is played, with all that must hold of it, and audited as it was
written; then once more for each of some changes to what it says was announced or shown: one announcement
less, one more, another name, another answer.

``python -m tests.random_audits --games 1000`` does it at length.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from mafia_asp.game.audit import Audit, audit
from mafia_asp.game.record import Game, Record, game_of
from mafia_asp.model import Scenario, Verdict
from mafia_asp.places import parse_yaml
from mafia_asp.rulebook import Rulebook
from mafia_asp.scenario import to_data
from mafia_asp.verdict import decide
from tests import random_games, random_nights

Followed = dict[str, Any]


def written(found: random_games.Played) -> Game:
    """The game as it is read from what was written down."""
    book = found.game.book
    return game_of(parse_yaml(random_games.text_of(found), "game.yaml"), "game.yaml", {book.id: book})


def changed(rng: random.Random, game: Game) -> Iterator[tuple[str, int, Game]]:
    """Games in which one thing that was announced or shown is another: what was done, in which phase."""
    for kind in ("less", "more", "dead", "answer"):
        ways = [(n, said) for n, record in enumerate(game.phases) for said in _changes(kind, record, game)]
        if ways:
            number, said = rng.choice(ways)
            record = game.phases[number]._replace(followed=said)
            phases = (*game.phases[:number], record, *game.phases[number + 1 :])
            yield kind, number + 1, game._replace(phases=phases)


def _changes(kind: str, record: Record, game: Game) -> Iterator[Followed]:
    """What a phase says followed, with one change of a kind, in all ways."""
    said = record.followed or {}
    announced = said.get("announce", [])
    if kind == "less":
        for token in announced:
            yield {**said, "announce": [each for each in announced if each != token]}
    elif kind == "more" and "announce" in said:
        for player in game.start.players:
            if f"dead: {player.name}" not in announced:
                yield {**said, "announce": [*announced, f"dead: {player.name}"]}
    elif kind == "dead" and "dead" in said:
        for player in game.start.players:
            name = player.name
            dead = said["dead"]
            yield {**said, "dead": [n for n in dead if n != name] if name in dead else [*dead, name]}
    elif kind == "answer":
        for name, answer in said.get("answers", {}).items():
            if answer in ("yes", "no"):
                other = "no" if answer == "yes" else "yes"
                yield {**said, "answers": {**said["answers"], name: other}}


def first_error(found: Audit) -> int:
    """The phase of the first error or warning; 0 where there is none."""
    return next((finding.number for finding in found.findings if finding.level != "note"), 0)


class Memory:
    """Decides each scenario once: the audits of one game ask for nearly the same ones."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.known: dict[tuple[str, bool], Verdict] = {}

    def __call__(self, scenario: Scenario, strict: bool) -> Verdict:
        key = (json.dumps(to_data(scenario), ensure_ascii=False), strict)
        if key not in self.known:
            self.known[key] = decide(scenario, book=self.book, strict=strict)
        return self.known[key]


def check(rng: random.Random, found: random_games.Played, counts: Counter[str]) -> list[str]:
    """What is wrong with the audits of a game, as sentences."""
    game = written(found)
    memory = Memory(game.book)
    clean = audit(game, decide=memory)
    if clean.findings or not clean.complete:
        return [f"found in what follows: {clean.findings[:1]}"]
    wrong = []
    for kind, number, other in changed(rng, game):
        counts[kind] += 1
        seen = first_error(audit(other, decide=memory))
        if seen != number:
            wrong.append(f"{kind} in phase {number} is found in {seen or 'no phase'}")
    return wrong


def run(
    games: int, seed: int, book: str = random_nights.BOOK, most: int = 12
) -> tuple[Counter[str], list[str]]:
    """Audit so many random games: how many of what, and what was wrong."""
    rules = Rulebook.load(book)
    counts: Counter[str] = Counter()
    failures = []
    for own, rng, start in random_games.beginnings(games, seed, rules, most):
        try:
            found = random_games.played(rng, rules, start)
            random_games.check_written(found)
            wrong = check(rng, found, counts)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong in a game, the next one is played
            counts["not played"] += 1
            wrong = [f"{type(error).__name__} {error}"]
        counts["games"] += 1
        if sys.stderr.isatty() or counts["games"] % 50 == 0:
            print(f"{counts['games']} of {games} games", file=sys.stderr)
        for each in wrong:
            failures.append(f"game {own}: {each}")
            print(failures[-1], file=sys.stderr, flush=True)
    return counts, failures


def main() -> int:
    parser = argparse.ArgumentParser(description="Random games, audited as written and with changes.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--book", choices=("classic_advanced", "booklet"), default=random_nights.BOOK)
    parser.add_argument("--players", type=int, default=12)
    given = parser.parse_args()
    start = time.perf_counter()
    counts, failures = run(given.games, given.seed, given.book, given.players)
    for what, count in sorted(counts.items()):
        print(f"{what}: {count}")
    print(f"{time.perf_counter() - start:.0f} s")
    for each in failures:
        print(each)
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
