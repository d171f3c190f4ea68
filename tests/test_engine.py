"""Processes that work on chunks end with the one that started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SLEEPER = """\
import sys, time, os
from pathlib import Path
from mafia_asp.batch import LocalEngine

def sleep(chunk):
    Path(sys.argv[1], str(os.getpid())).touch()
    time.sleep(120)
    return list(chunk)

if __name__ == "__main__":
    list(LocalEngine(2).map(sleep, [(1,), (2,)], lambda n: n))
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_the_process_that_started_them(tmp_path: Path, how: signal.Signals) -> None:
    script, seen = tmp_path / "sleeper.py", tmp_path / "seen"
    script.write_text(SLEEPER, encoding="utf-8")
    seen.mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(script), str(seen)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as parent:
        _wait(lambda: len(list(seen.iterdir())) == 2)
        workers = [Path("/proc", file.name) for file in seen.iterdir()]
        assert all(map(_alive, workers))
        parent.send_signal(how)
    _wait(lambda: not any(map(_alive, workers)))


def _alive(process: Path) -> bool:
    """Tell whether a process has not ended yet, whoever is to take note of its end."""
    try:
        return "\nState:\tZ" not in (process / "status").read_text(encoding="utf-8")
    except OSError:
        return False


def _wait(ready: object) -> None:
    """Wait until something is so, and fail where it does not become so."""
    assert callable(ready)
    until = time.monotonic() + 60
    while not ready():
        assert time.monotonic() < until
        time.sleep(0.1)
