"""A large input for ``mafia-asp batch``, and how much memory it takes.

``python -m tests.big_batch --lines 100000 --casts 1000 --broken 0.01 --seed 1 -o nights.jsonl`` writes it;
``python -m tests.big_batch --measure`` decides its first 10,000 lines and then all of it, compares the peaks
of memory, and checks every line of the answers.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from tests.random_nights import ABILITIES, TRADERS

#: book -> roles whose nights depend on nothing but what is said
ROLES = {
    "classic_advanced": sorted(set(ABILITIES) - TRADERS - {"dreamer", "jekyll_hyde", "jailer", "magician"}),
    "booklet": ["don", "doctor", "detective", "sniper", "mafia", "terrorist", "citizen"],
}
NAMES = "Ali Sara Reza Mina Omid Kian Nima Tara Leila Arash Yas Dara".split()
#: a quarter of the players are plain citizens
_PLAIN = 4
#: the most that the peak for all lines may be, by that of the first ones
MOST = 1.1


class Cast(NamedTuple):
    """Players with their roles."""

    book: str
    roles: dict[str, str]

    def night(self, rng: random.Random) -> dict[str, Any]:
        """Return a night on which most of them act."""
        names = list(self.roles)
        actions = []
        for name, role in self.roles.items():
            if role in ABILITIES and rng.random() < 0.7:
                verb, times = rng.choice(ABILITIES[role])
                aims = rng.sample(names, times)
                said: dict[str, Any] = {verb: aims if times > 1 else aims[0]}
                if verb in ("enchant", "curse"):
                    said["with"] = {"word": "apple"}
                if verb == "dress":
                    said["with"] = {"role": "doctor"}
                actions.append({name: said})
        return {"rulebook": self.book, "night": 2, "players": self.roles, "actions": actions}


def cast(rng: random.Random, book: str) -> Cast:
    """Return 6 to 10 players."""
    size = rng.randint(6, 10)
    special = rng.sample(ROLES[book], min(len(ROLES[book]), size - size // _PLAIN))
    roles = [*special, *["citizen"] * (size - len(special))]
    rng.shuffle(roles)
    return Cast(book, dict(zip(rng.sample(NAMES, size), roles, strict=True)))


def broken(line: str, rng: random.Random) -> bytes:
    """Return a line with a fault."""
    match rng.randrange(6):
        case 0:
            return line[: rng.randrange(1, len(line))].encode()
        case 1:
            return line.replace('"players"', '"player"').encode()
        case 2:
            return line.replace('"citizen"', '"citizan"').encode()
        case 3:
            return line.encode().replace(b"a", b"\xff", 1)
        case 4:
            return json.dumps({"players": {}, "actions": []}).encode()
        case _:
            return json.dumps([[[line]]]).encode()


def lines(
    count: int, casts: int, share: float, seed: int, *, mixed: bool = False, book: str = "classic_advanced"
) -> Iterator[bytes]:
    """Yield lines, as many for each cast, and all those of a cast together unless they are `mixed`."""
    rng = random.Random(seed)
    some = [cast(rng, book) for _ in range(casts)]
    for number in range(count):
        each = rng.choice(some) if mixed else some[number * casts // count]
        line = json.dumps({"id": f"n{number}", **each.night(rng)}, ensure_ascii=False)
        yield (broken(line, rng) if rng.random() < share else line.encode()) + b"\n"


def write(file: Path, given: Iterable[bytes]) -> None:
    """Write lines to a file."""
    with file.open("wb") as stream:
        stream.writelines(given)


# --- how much memory it takes ---------------------------------------------------------------------------


class Measured(NamedTuple):
    """What a run of ``batch`` took: bytes of all its processes at their peaks, and seconds."""

    peak: int
    seconds: float
    status: int


def measure(file: Path, answers: Path, *options: str) -> Measured:
    """Run ``batch`` on a file. The peak is the sum over its processes of what each had at the most."""
    command = [sys.executable, "-m", "mafia_asp", "batch", str(file), "-o", str(answers), *options]
    start = time.monotonic()
    peaks: dict[int, int] = {}
    with subprocess.Popen(command) as run:

        def watch() -> None:
            while run.poll() is None:
                for pid in _family(run.pid):
                    peaks[pid] = max(peaks.get(pid, 0), _peak(pid))
                time.sleep(0.2)

        watcher = threading.Thread(target=watch)
        watcher.start()
        status = run.wait()
        watcher.join()
    return Measured(sum(peaks.values()), time.monotonic() - start, status)


def _family(pid: int) -> list[int]:
    """Return a process and all that it has started."""
    found = [pid]
    for each in found:
        try:
            for thread in os.listdir(f"/proc/{each}/task"):
                text = Path(f"/proc/{each}/task/{thread}/children").read_text(encoding="ascii")
                found += map(int, text.split())
        except OSError:
            continue
    return found


def _peak(pid: int) -> int:
    """Return the most bytes of memory that a process has had."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    line = next((line for line in text.splitlines() if line.startswith("VmHWM:")), "VmHWM: 0")
    return int(line.split()[1]) * 1024


class Checked(NamedTuple):
    """What a look at all answers gives."""

    #: answers that are not in their place, or are no error where their line is broken, or are one elsewhere
    wrong: list[str]
    #: how many nights were not decided within the limit of time
    late: int


def checked(given: Path, answers: Path) -> Checked:
    """Look at the answer to every line."""
    wrong: list[str] = []
    late = 0
    with given.open("rb") as asked, answers.open(encoding="utf-8") as told:
        for number, (line, answer) in enumerate(zip(asked, told, strict=True), 1):
            data = json.loads(answer)
            faults = data.get("error", {}).get("faults", ())
            if data["source"]["line"] != number:
                wrong.append(f"line {number} is answered by that of line {data['source']['line']}")
            elif any(fault["code"] == "time" for fault in faults):
                late += 1
            elif ("error" in data) != _is_broken(line):
                wrong.append(f"line {number}: {answer[:200]}")
    return Checked(wrong, late)


def _is_broken(line: bytes) -> bool:
    try:
        data = json.loads(line)
    except ValueError:
        return True
    known = isinstance(data, dict) and data.get("players")
    return not known or "citizan" in data["players"].values()


def main() -> int:
    """Write the input; with ``--measure`` decide a part of it and all of it, and compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--casts", type=int, default=1_000)
    parser.add_argument("--broken", type=float, default=0.01, metavar="SHARE")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--book", choices=sorted(ROLES), default="classic_advanced")
    parser.add_argument("--mixed", action="store_true", help="do not keep the nights of a cast together")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="by default a file that is deleted")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--first", type=int, default=10_000, help="how many lines the part has")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = asked.output or folder / "nights.jsonl"
        given = lines(asked.lines, asked.casts, asked.broken, asked.seed, mixed=asked.mixed, book=asked.book)
        write(whole, given)
        print(f"{whole}: {asked.lines} lines over {asked.casts} casts, {whole.stat().st_size:,} bytes")
        if not asked.measure:
            return 0
        part = folder / "part.jsonl"
        with whole.open("rb") as stream:
            part.write_bytes(b"".join(islice(stream, asked.first)))
        runs = []
        for file in (part, whole):
            answers = folder / f"answers-of-{file.name}"
            run = measure(file, answers, "--jobs", str(asked.jobs), "--exit-zero")
            found = checked(file, answers)
            print(
                f"{file.name}: {run.peak / 1e6:.0f} MB at the peak, {run.seconds:.0f} s, exit {run.status}, "
                f"{found.late} not decided in time"
            )
            if found.wrong:
                print(*found.wrong[:20], sep="\n")
                return 1
            runs.append(run)
    ratio = runs[1].peak / runs[0].peak
    print(
        f"{asked.lines} lines take {ratio:.2f} times the memory of {asked.first}; at most {MOST} are wanted"
    )
    return 0 if ratio <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
