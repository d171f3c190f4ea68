"""Processes of ours: what a short-lived one need not take apart before it ends, and how workers behave.

Freeing a solver takes 6 ms, a tenth of what deciding a night costs. The process behind the command line
ends at once after its answer and leaves its memory to the system; it says so with :func:`short_lived`.
"""

from __future__ import annotations

import gc
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: so many are kept; further ones are freed as usual, so that long runs do not grow
_MOST = 4
_kept: list[object] | None = None


def short_lived() -> None:
    """Say that this process ends after its answer."""
    global _kept  # noqa: PLW0603 - it is the process that ends, all of it
    _kept = []


def keep(thing: object) -> None:
    """Keep a thing from being freed, if this process is short-lived."""
    if _kept is not None and len(_kept) < _MOST:
        _kept.append(thing)


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no garbage: with thousands of small things at once, that takes half of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def end_with_parent() -> None:
    """Let this process end when the one that started it does, however that comes about."""
    import multiprocessing
    import threading

    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl-C for a moment, where this thread may say so."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
