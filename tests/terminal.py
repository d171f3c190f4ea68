"""A command on a terminal of its own, answered line by line."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from typing import NamedTuple

#: Seconds after which a command that says nothing more is given up.
PATIENCE = 30.0
#: What Ctrl-C sends.
INTERRUPT = "\x03"

#: Starts the command with its standard input as the terminal from which Ctrl-C comes.
_START = """
import fcntl, runpy, signal, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("mafia_asp", run_name="__main__", alter_sys=True)
"""


class Run(NamedTuple):
    """What a command showed on its terminal, what it printed, and its exit status."""

    shown: str
    printed: str
    status: int


def converse(
    arguments: list[str], answers: list[tuple[str, str]], *, env: dict[str, str] | None = None
) -> Run:
    """Run ``mafia-asp`` on a pseudo-terminal; type each answer once what it answers has been shown.

    An answer is a piece of the prompt and what is typed then; ``\\x03`` is Ctrl-C. The standard output is a
    pipe. Raises AssertionError where a prompt does not come.
    """
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", _START, *arguments],
        stdin=theirs,
        stderr=theirs,
        stdout=subprocess.PIPE,
        env={**os.environ, "TERM": "dumb", "LANGUAGE": "en"},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        shown = _answer(ours, answers)
        printed, rest = _finish(process, ours, broken_off=bool(answers) and answers[-1][1] == INTERRUPT)
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
        os.close(ours)
    return Run(shown + rest, printed, process.returncode)


def _answer(terminal: int, answers: list[tuple[str, str]]) -> str:
    shown, read_to = "", 0
    for prompt, typed in answers:
        until = time.monotonic() + PATIENCE
        while (at := shown.find(prompt, read_to)) < 0:
            more = _read(terminal, until)
            assert more, f"no {prompt!r} after:\n{shown[read_to:]}"
            shown += more
        read_to = at + len(prompt)
        os.write(terminal, (typed if typed == INTERRUPT else typed + "\n").encode())
    return shown


def _read(terminal: int, until: float) -> str:
    """What the terminal shows next; nothing where it was closed, or says nothing for too long."""
    ready, _, _ = select.select([terminal], [], [], max(0.0, until - time.monotonic()))
    if not ready:
        return ""
    try:
        return os.read(terminal, 65536).decode(errors="replace").replace("\r\n", "\n")
    except OSError:
        return ""


def _finish(process: subprocess.Popen[bytes], terminal: int, *, broken_off: bool) -> tuple[str, str]:
    shown = ""
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        more = _read(terminal, min(until, time.monotonic() + 1.0))
        shown += more
        if broken_off and not more and process.poll() is None:
            # Pressed just before the command began to wait, it is heeded only when something is read.
            os.write(terminal, INTERRUPT.encode())
    try:
        # What it prints is little, and waits in the pipe.
        process.wait(max(0.1, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise AssertionError(f"it still waits after:\n{shown}") from None
    while more := _read(terminal, time.monotonic()):
        shown += more
    assert process.stdout is not None
    return process.stdout.read().decode(), shown
