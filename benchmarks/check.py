"""How long a check takes, as multiples of what importing clingo and click takes, and how it grows.

Run from a checkout, with the package and its dependencies importable::

    python benchmarks/check.py [--deep] [--seconds LIMIT] [SIZE ...]

SIZE is a number of roles (a role set of so many roles of classic_advanced, in a fixed order, and two plain
citizens) or ``all``; by default 5, 10, 15, 20 and all. Each is one new process, on one core, that checks all
phases: the open points with their smallest nights, and of each whether an outcome hangs on it. Seconds are
those of the processor, so that a busy machine counts less; the imports are timed before and after each and
the ratio is to their mean. With ``--deep`` the rules that do nothing are looked for as well, and reported
apart (the difference of two runs).

``--naive ROLES`` enumerates instead every night of a small role set (comma-separated), which is what a
search without assumptions, consequences and optimisation has to do, and prints how many there are, and by
what factor the check of the same nights is faster.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
ORDER = (
    *(
        "don",
        "doctor",
        "sniper",
        "bartender",
        "detective",
        "thief",
        "killer",
        "hooker",
        "vigilante",
        "natasha",
    ),
    *("spy", "framer", "lawyer", "enchanter", "guardian", "invulnerable", "priest", "sheriff", "voodoo"),
    *("terrorist",),
)
_IMPORTS = "import clingo, click"
#: what the installed command does
_COMMAND = "import sys; from mafia_asp.__main__ import run; sys.exit(run())"


def seconds(code: str, *arguments: str) -> tuple[float, int]:
    """Run Python in a new process: the processor's seconds that it took, and its exit status."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code, *arguments], env=environment, stdout=subprocess.DEVNULL, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.returncode


def imports() -> float:
    """Seconds of the imports, the middle one of five."""
    return sorted(seconds(_IMPORTS)[0] for _ in range(5))[2]


def measure(size: str, limit: float, deep: bool) -> None:
    """Check one role set and print a line."""
    roles = ("--all-roles",)
    if size != "all":
        roles = ("--roles", ",".join((*ORDER[: int(size)], "citizen*2")))
    arguments = ["check", *roles, "--format", "json", "--exit-zero", "--timeout", str(limit)]
    unit = imports()
    plain, status = seconds(_COMMAND, *arguments)
    unit = (unit + imports()) / 2
    line = f"{size:>4} roles {plain:8.2f} s {plain / unit:8.1f} x{_left(status)}"
    if deep:
        more, status = seconds(_COMMAND, *arguments, "--deep")
        line += f"   deep {more - plain:8.2f} s{_left(status)}"
    print(line, flush=True)


def _left(status: int) -> str:
    return "" if status == 0 else f" (status {status}: not everything was searched)"


def naive(roles: str) -> None:
    """Enumerate all nights of a role set, and compare with the search for its open points."""
    from mafia_asp import Rulebook
    from mafia_asp.check.engine import Clock
    from mafia_asp.check.finder import Search
    from mafia_asp.check.report import role_set

    book = Rulebook.load("classic_advanced")
    start = perf_counter()
    search = Search(book, role_set(roles.split(",")), ("night",), Clock(None))
    ready = perf_counter() - start
    start = perf_counter()
    points, _ = search.points()
    for point in points:
        search.smallest(point)
    searched = perf_counter() - start
    engine = search.engine
    count = 0

    def on_model(model: object) -> None:
        nonlocal count
        count += 1

    start = perf_counter()
    engine.solve(engine.idle, on_model)
    every = perf_counter() - start
    print(f"{roles}: ground {ready:.2f} s; {len(points)} points with their nights {searched:.2f} s")
    print(f"{count} answer sets of all nights one by one {every:.2f} s: {every / searched:.0f} x")


def main() -> None:
    """Parse the command line and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sizes", nargs="*", default=["5", "10", "15", "20", "all"], metavar="SIZE")
    parser.add_argument("--deep", action="store_true")
    parser.add_argument("--seconds", type=float, default=600.0, metavar="LIMIT")
    parser.add_argument("--naive", metavar="ROLES")
    given = parser.parse_args()
    if given.naive:
        naive(given.naive)
        return
    for size in given.sizes:
        measure(size, given.seconds, given.deep)


if __name__ == "__main__":
    main()
