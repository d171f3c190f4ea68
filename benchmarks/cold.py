"""How long a cold start takes, as multiples of what importing clingo and click takes.

Run from a checkout, with the package and its dependencies importable::

    python benchmarks/cold.py [RUNS]

Each run starts new processes, in turn, so that a busy machine slows all of them alike:

imports
    ``python -c "import clingo, click"``: what nobody who uses these libraries can avoid.
night
    ``mafia-asp night scenarios/examples/ten-players.yaml``, from the start of the process to its end.
decide
    ``mafia_asp.decide`` alone, timed inside a new process that has imported it and read the scenario:
    for ``ten-players.yaml``, and for ``everybody.yaml`` with the whole cast of 24.

Printed are, for each, the median of the seconds and the median of the ratios to the imports of the same
run (20 runs by default). The promise is that no ratio is above 2. Every process must end with the exit
status that belongs to it: 0, and 1 for a night that is open. Bytecode is written and used whatever
``PYTHONDONTWRITEBYTECODE`` says, and the first round, which writes it, is not counted.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "scenarios" / "examples"
RUNS = 20
PROMISED = 2.0

_IMPORTS = "import clingo, click"
#: what the installed command does
_COMMAND = "import sys; from mafia_asp.__main__ import run; sys.exit(run())"
_DECIDE = """\
import sys
from time import perf_counter
from mafia_asp import Rulebook, decide, read_scenarios
[scenario] = read_scenarios(sys.argv[1])
book = Rulebook.load(scenario.rulebook)
start = perf_counter()
verdict = decide(scenario, book=book)
print(perf_counter() - start)
sys.exit(0 if verdict.settled else 1)
"""


def run(code: str, *arguments: str, status: int = 0) -> tuple[float, str]:
    """Run Python in a new process: the seconds that it took, and what it printed.

    Raises SystemExit where it ends with another exit status than `status`.
    """
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = perf_counter()
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    seconds = perf_counter() - start
    if done.returncode != status:
        raise SystemExit(f"exit status {done.returncode} instead of {status}\n{done.stderr}")
    return seconds, done.stdout


def measure() -> dict[str, float]:
    """One round: the seconds of each, by its name."""
    ten, all_roles = str(EXAMPLES / "ten-players.yaml"), str(EXAMPLES / "everybody.yaml")
    return {
        "imports": run(_IMPORTS)[0],
        "night ten-players": run(_COMMAND, "night", ten)[0],
        "decide ten-players": float(run(_DECIDE, ten)[1]),
        "decide everybody": float(run(_DECIDE, all_roles, status=1)[1]),
    }


def main() -> int:
    """Measure and print; 1 where a ratio is above what is promised."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    measure()
    rounds = [measure() for _ in range(runs)]
    status = 0
    for name in rounds[0]:
        seconds = median(r[name] for r in rounds)
        ratio = median(r[name] / r["imports"] for r in rounds)
        least, most = min(r[name] for r in rounds), max(r[name] for r in rounds)
        sys.stdout.write(f"{name:20} {ratio:5.2f} x  {seconds:.4f} s  ({least:.4f} to {most:.4f})\n")
        status |= ratio > PROMISED
    return status


if __name__ == "__main__":
    sys.exit(main())
