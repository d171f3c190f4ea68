"""Random nights decided many at a time, and a sample of them by themselves: no difference is allowed.

Casts are drawn from the whole of a rulebook, with a past, things and options; of each cast, many nights
are told, in whatever order. ``python -m tests.resident --nights 1000000 --seed 1`` does it at length.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mafia_asp.model import Action, Scenario, Verdict
from mafia_asp.render.json import verdict_data
from mafia_asp.resident.decide import Decider
from mafia_asp.rulebook import Rulebook
from mafia_asp.verdict import decide
from tests.random_nights import describe, night

BOOK = "classic_advanced"


def variations(first: Scenario, number: int, rng: random.Random) -> list[Scenario]:
    """Return nights of one cast: some of the actions of the first, at other players, in any order."""
    names = [player.name for player in first.players]
    nights = [first]
    while len(nights) < number:
        acts = [each for each in first.actions if rng.random() < 0.8]
        if rng.random() < 0.5:
            rng.shuffle(acts)
        nights.append(first._replace(actions=tuple(_elsewhere(act, names, rng) for act in acts)))
    return nights


def _elsewhere(action: Action, names: Sequence[str], rng: random.Random) -> Action:
    targets = tuple(rng.choice(names) if target in names else target for target in action.targets)
    return action._replace(targets=targets)


class Run(NamedTuple):
    """What a run of nights came to."""

    nights: int
    together: int
    compared: int
    #: what differs, each as text
    differences: list[str]


def casts(seed: int, players: int, each: int) -> Iterator[list[Scenario]]:
    """Yield nights of one random cast after the other, without end."""
    rng = random.Random(seed)
    while True:
        first = night(rng, players)
        if rng.random() < 0.5:
            first = first._replace(conventions=False)
        yield variations(first, each, rng)


def run(
    seed: int,
    nights: int,
    *,
    each: int = 200,
    sample: float = 0.05,
    players: int = 14,
    seconds: float = 1e9,
    light: bool = False,
) -> Run:
    """Decide so many random nights together, and a sample of them alone.

    With `light`, of all but the sample only the readings are found, and no verdicts are made of them.
    """
    book = Rulebook.load(BOOK)
    decider = Decider(book)
    rng = random.Random(seed + 1)
    done = read = compared = 0
    differences: list[str] = []
    start = time.monotonic()
    for some in casts(seed, players, each):
        done += len(some)
        drawn = [rng.random() < sample for _ in some]
        if light:
            found = decider.readings([night for night, one in zip(some, drawn, strict=True) if not one])
            read += sum(each is not None for each in found)
            some, drawn = [night for night, one in zip(some, drawn, strict=True) if one], [True] * sum(drawn)
        verdicts = decider.decide(some)
        for scenario, verdict, one in zip(some, verdicts, drawn, strict=True):
            if isinstance(verdict, Exception):
                differences.append(describe(scenario, repr(verdict)))
            elif one:
                compared += 1
                alone = decide(scenario, book=book)
                if _text(verdict, book) != _text(alone, book):
                    differences.append(describe(scenario, _difference(verdict, alone, book)))
        if done >= nights or time.monotonic() - start > seconds:
            return Run(done, decider.together + read, compared, differences)
    raise AssertionError("there is always another cast")


def _text(verdict: Verdict, book: Rulebook) -> str:
    return json.dumps(verdict_data(verdict, book), default=list)


def _difference(one: Verdict, other: Verdict, book: Rulebook) -> str:
    a, b = verdict_data(one, book), verdict_data(other, book)
    return "; ".join(f"{key}: {a.get(key)} and alone {b.get(key)}" for key in b if a.get(key) != b[key])


def main() -> int:
    """Run at length, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--nights", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=200, help="nights of each cast")
    parser.add_argument("--players", type=int, default=14, help="players at most")
    parser.add_argument("--sample", type=float, default=0.05, help="the share of nights that is compared")
    parser.add_argument(
        "--light", action="store_true", help="of nights that are not compared, find the readings only"
    )
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no further cast after so long")
    given = parser.parse_args()
    found = run(
        given.seed,
        given.nights,
        each=given.each,
        sample=given.sample,
        players=given.players,
        seconds=given.seconds,
        light=given.light,
    )
    for text in found.differences[:5]:
        sys.stdout.write(f"{text}\n\n")
    sys.stdout.write(
        f"{found.nights} nights, {found.together} of them decided together; {found.compared} compared, "
        f"{len(found.differences)} different\n"
    )
    return 1 if found.differences else 0


if __name__ == "__main__":
    sys.exit(main())
