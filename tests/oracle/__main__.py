"""Compare the oracle with the core on many random nights: ``python -m tests.oracle --nights 3000 --seed 1``.

With ``--mutants``, show which rules of the core could be dropped without a difference in any of the nights.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from .mutants import nights, survivors
from .run import run, totals


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nights", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5, help="how many disagreements to print")
    parser.add_argument("--mutants", action="store_true", help="drop each rule of the core in turn instead")
    options = parser.parse_args()
    start = time.monotonic()
    if options.mutants:
        with tempfile.TemporaryDirectory() as folder:
            kept, tried = survivors(Path(folder), list(nights(options.nights, options.seed)))
        print(*kept, sep="\n")
        print(f"rules {tried}, needed in no night {len(kept)}, seconds {time.monotonic() - start:.0f}")
        return 0
    report = run(options.nights, options.seed)
    for failure in report.failures[: options.show]:
        print(failure)
    print(totals(report), f"seconds {time.monotonic() - start:.0f}")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
