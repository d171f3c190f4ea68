"""Many nights: how fast they are decided, beside other engines and beside grounding each night afresh.

Run from a checkout, with the package and its dependencies importable::

    pip install mafia==1.0.0 open-mafia-engine==0.5.0   # the engines beside which it is measured
    python benchmarks/batch.py [--nights 4000] [--seed 1]

All nights are distinct random nights, made before the clock starts. Measured is CPU time of one process
(of the two processes: time on the clock, as a multiple of what a pure loop gains), everything in one run,
so that a busy machine slows all alike. An engine that is not installed is left out.

mafia, open-mafia-engine
    9 players and 8 (5) actions, as far as each knows them; the game is set up before the clock starts.
readings
    the same night in our terms: the Don's shot, a block, a theft, a save, a bodyguard, an inquiry, a
    tracker and a watcher. All readings of each night: the answers and the outcomes of each, as numbers.
verdicts
    what ``Resolver.nights`` gives: what is certain and possible, groups of questions, reasons, the next
    state; and once more for nights that have been decided before.
afresh
    each night ground by itself: all of its readings, and the verdict (``mafia_asp.decide``).
batch
    from lines of JSON to lines of JSON, as ``mafia-asp batch --jobs 1`` does it.
two processes
    the command ``mafia-asp batch`` with two processes beside one, over the same ratio for a loop that only
    counts.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from mafia_asp import Rulebook, decide
from mafia_asp.batch import Inputs, LocalEngine, Plan, chunked, decide_chunk, lost
from mafia_asp.facts import facts
from mafia_asp.model import Action, Scenario
from mafia_asp.resident.decide import Decider, alone
from mafia_asp.scenario import from_data, to_data
from mafia_asp.solve import Ground, Limits
from mafia_asp.verdict import program_of
from tests.random_nights import ABILITIES

ROOT = Path(__file__).resolve().parent.parent
BOOK = Rulebook.load("classic_advanced")
#: role -> what it does, and to how many
NINE = {
    role: ABILITIES.get(role, [])
    for role in "don hooker mafia detective doctor tracker watcher thief shrink".split()
}
DENSE = {
    role: ABILITIES[role]
    for role in (
        *("don", "doctor", "sniper", "bartender", "thief", "detective"),
        *("natasha", "hooker", "lawyer", "spy", "killer", "vigilante"),
    )
}
Cast = dict[str, list[tuple[str, int]]]


def nights(cast: Cast, number: int, rng: random.Random, share: float = 1.0) -> list[Scenario]:
    """Return distinct random nights of a cast, in which a share of the players act."""
    names = [f"N{n}" for n in range(1, len(cast) + 1)]
    base = from_data({"night": 2, "players": dict(zip(names, cast, strict=True))})
    found: dict[str, Scenario] = {}
    while len(found) < number:
        acts = tuple(
            Action(name, verb, tuple(rng.choice(names) for _ in range(places)))
            for name, deeds in zip(names, cast.values(), strict=True)
            for verb, places in deeds
            if rng.random() < share
        )
        found.setdefault(repr(acts), base._replace(actions=acts))
    return list(found.values())


def cpu(work: Callable[[], Any]) -> float:
    """Return the seconds of CPU that something takes."""
    start = process_time()
    work()
    return process_time() - start


# ---- other engines -------------------------------------------------------------------------------


def mafia_nights(number: int, rng: random.Random) -> float:
    """Return the seconds that ``mafia`` takes for so many nights."""
    import mafia as m  # type: ignore[import-not-found,unused-ignore]

    games = []
    for _ in range(number):
        game = m.Game()
        town, side = game.add_faction(m.Town()), game.add_faction(m.Mafia("Mafia"))
        roles = {"Don": m.Godfather(side), "Block": m.Roleblocker(side), "Goon": m.Goon(side)}
        roles |= {"Cop": m.Cop(town), "Doc": m.Doctor(town), "Track": m.Tracker(town)}
        roles |= {"Watch": m.Watcher(town), "Bus": m.Busdriver(town), "Guard": m.Bodyguard(town)}
        who = {name: game.add_player(name, role) for name, role in roles.items()}
        anybody = list(who.values())
        night = m.Night(0)
        night.add_action(m.FactionAction(side, m.Kill(who["Don"], rng.choice(anybody))))
        for name, act in (("Block", m.Roleblock), ("Cop", m.Investigate), ("Doc", m.Protect)):
            night.add_action(act(who[name], rng.choice(anybody)))
        for name, act in (("Track", m.Track), ("Watch", m.Watch), ("Guard", m.Guard)):
            night.add_action(act(who[name], rng.choice(anybody)))
        night.add_action(m.Busdrive(who["Bus"], *rng.sample(anybody, 2)))
        games.append((game, night))
    return cpu(lambda: [game.resolve(night) for game, night in games])


def _without(actors: Sequence[Any], one: Any) -> list[Any]:
    return [actor for actor in actors if actor is not one]


def open_mafia_nights(number: int, rng: random.Random) -> float:
    """Return the seconds that ``open-mafia-engine`` takes for so many nights."""
    import open_mafia_engine.builders.all  # type: ignore[import-not-found,unused-ignore]
    import open_mafia_engine.built_in.all  # type: ignore[import-not-found,unused-ignore] # noqa: F401
    from open_mafia_engine.core.all import (  # type: ignore[import-not-found,unused-ignore]
        EActivate,
        GameBuilder,
    )

    games = []
    with contextlib.redirect_stdout(io.StringIO()):
        for _ in range(number):
            names = [f"N{n}" for n in range(9)]
            game = GameBuilder.load("test").build(names, n_mafia=2)
            game.change_phase()
            game.change_phase()
            asker = next(a for a in game.actors if any("Inspect" in each.name for each in a.abilities))
            acts = []
            for actor in game.actors:
                for ability in actor.abilities:
                    # A redirected protection ends in an error there, so only the inquiry is redirected.
                    target = asker if ability.name == "Redirect" else rng.choice(_without(game.actors, actor))
                    if ability.name != "Vote":
                        path = f"{actor.name}/ability/{ability.name}"
                        acts.append((path, target, rng.choice(_without(game.actors, asker))))
            games.append((game, acts))

    def play() -> None:
        for game, acts in games:
            for ability, target, other in acts:
                more = {"new_target": other} if "Redirect" in ability else {}
                game.process_event(EActivate(game, ability, target=target, **more))
            game.change_phase()

    with contextlib.redirect_stdout(io.StringIO()):
        return cpu(play)


# ---- ours ----------------------------------------------------------------------------------------


def afresh(scenario: Scenario) -> None:
    """Ground a night by itself, and find all of its readings: listed, or part by part where they are many."""
    program = program_of(scenario, BOOK)
    _, complete = Ground(program, facts(scenario, ["all"]).text).models(Limits())
    if not complete:
        alone(program, scenario, ["all"])


def as_lines(scenarios: Sequence[Scenario], folder: str) -> str:
    """Write scenarios as JSON Lines and return the file."""
    file = Path(folder) / "nights.jsonl"
    file.write_text("".join(json.dumps(to_data(each)) + "\n" for each in scenarios), encoding="utf-8")
    return str(file)


def through(file: str, size: int = 500) -> None:
    """Decide a whole batch in this process."""
    for _ in LocalEngine(1).map(partial(decide_chunk, plan=Plan()), chunked(Inputs([file]), size), lost):
        pass


def by_command(file: str, jobs: int) -> float:
    """Return the seconds on the clock for a whole batch, by the command, which knows no night yet."""
    command = [sys.executable, "-m", "mafia_asp", "batch", file, "--jobs", str(jobs), "--exit-zero"]
    start = perf_counter()
    subprocess.run([*command, "-o", f"{file}.{jobs}.out"], check=True, capture_output=True, cwd=ROOT)  # noqa: S603
    return perf_counter() - start


def count_to(number: int) -> int:
    """Do nothing but use a processor."""
    total = 0
    for n in range(number):
        total += n & 1
    return total


def gain_of_a_loop(number: int = 60_000_000) -> float:
    """Return how much faster two processes are in a loop that only counts."""
    start = perf_counter()
    count_to(number)
    one = perf_counter() - start
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(count_to, [1, 1]))
        start = perf_counter()
        list(pool.map(count_to, [number // 2, number // 2]))
        return one / (perf_counter() - start)


def rates(number: int, seed: int) -> Iterator[tuple[str, float]]:
    """Yield the nights a second of everything that can be measured here, each with its name."""
    rng = random.Random(seed)  # noqa: S311 - nights are no secret
    others = (("mafia 1.0.0", mafia_nights, 8), ("open-mafia-engine 0.5.0", open_mafia_nights, 40))
    for name, engine, part in others:
        with contextlib.suppress(ImportError):
            some = max(10, number // part)
            yield name, some / engine(some, rng)
    for name, cast in (("9 players", NINE), ("12 dense", DENSE)):
        several = nights(cast, number if cast is NINE else number // 4, rng)
        few = several[: max(10, number // 200)]
        decider = Decider(BOOK)
        ground = cpu(lambda decider=decider, several=several: decider.readings(several[:200]))
        yield f"{name}: seconds to ground", ground
        size = len(several)
        yield f"{name}: readings", size / cpu(lambda d=decider, s=several: d.readings(s))
        yield f"{name}: verdicts", size / cpu(lambda d=decider, s=several: d.decide(s))
        yield f"{name}: verdicts, known", size / cpu(lambda d=decider, s=several: d.decide(s))
        yield f"{name}: afresh, readings", len(few) / cpu(lambda few=few: [afresh(s) for s in few])
        yield f"{name}: afresh, verdicts", len(few) / cpu(lambda few=few: [decide(s, book=BOOK) for s in few])


def main() -> int:
    """Measure, and print rates and ratios."""
    parser = argparse.ArgumentParser(description="Many nights: rates, and ratios in one run.")
    parser.add_argument("--nights", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found: dict[str, float] = {}
    for name, rate in rates(given.nights, given.seed):
        found[name] = rate
        unit = "s" if "seconds" in name else "nights a second"
        sys.stdout.write(f"{name:36} {rate:12,.1f} {unit}\n")
        sys.stdout.flush()
    several = nights(NINE, given.nights, random.Random(given.seed))  # noqa: S311 - as above
    with tempfile.TemporaryDirectory() as folder:
        file = as_lines(several, folder)
        alone = cpu(lambda: through(file))
        found["9 players: batch"] = len(several) / alone
        sys.stdout.write(f"{'9 players: batch':36} {found['9 players: batch']:12,.1f} nights a second\n")
        loop, gain = gain_of_a_loop(), by_command(file, 1) / by_command(file, 2)
    sys.stdout.write(
        f"{'two processes, batch':36} {gain:12,.2f} x\n{'two processes, loop':36} {loop:12,.2f} x\n\n"
    )
    pairs = (
        ("9 players: readings", "mafia 1.0.0"),
        ("9 players: readings", "open-mafia-engine 0.5.0"),
        ("9 players: readings", "9 players: afresh, readings"),
        ("12 dense: readings", "12 dense: afresh, readings"),
        ("9 players: verdicts", "9 players: afresh, verdicts"),
        ("12 dense: verdicts", "12 dense: afresh, verdicts"),
        ("9 players: batch", "9 players: afresh, verdicts"),
    )
    for one, other in pairs:
        if one in found and other in found:
            sys.stdout.write(f"{one} over {other}: {found[one] / found[other]:.1f} x\n")
    sys.stdout.write(f"two processes, batch over loop: {gain / loop:.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
