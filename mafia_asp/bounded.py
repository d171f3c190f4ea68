"""Work that cannot be interrupted, in a child process with a bound on time and memory.

Grounding a stranger's rules may take for ever and any amount of memory, and clingo cannot be stopped
while it grounds. So it runs in a process of its own, whose address space is limited and which is
killed when its time is up.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from .errors import LimitError, MafiaAspError

T = TypeVar("T")
SECONDS = 10.0
#: bytes of address space
MEMORY = 1 << 30


def run_bounded(work: Callable[..., T], *arguments: Any, seconds: float = SECONDS, memory: int = MEMORY) -> T:
    """Return ``work(*arguments)``, computed in a child process.

    Everything that goes in and comes out must be picklable. `seconds` are counted from when the child
    begins to work.

    Raises:
        LimitError: the time or the memory did not suffice.
        MafiaAspError: whatever of that kind `work` raised.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_work, args=(theirs, work, arguments, memory), daemon=True)
    child.start()
    theirs.close()
    try:
        # The child first says that it has started: imports are ours, not the stranger's.
        if not ours.poll(60):
            raise LimitError("time", {"seconds": 60})
        ours.recv()
        if not ours.poll(seconds):
            raise LimitError("time", {"seconds": seconds})
        good, value = pickle.loads(ours.recv_bytes())  # noqa: S301 - written by our own child
    except EOFError:
        raise LimitError("memory", {"bytes": memory}) from None
    finally:
        child.kill()
        child.join()
        ours.close()
    if good:
        result: T = value
        return result
    raise value


def _work(pipe: Connection, work: Callable[..., Any], arguments: tuple[Any, ...], memory: int) -> None:
    pipe.send("started")
    try:
        _limit(memory)
        answer = (True, work(*arguments))
    except MafiaAspError as error:
        answer = (False, error)
    except MemoryError:
        answer = (False, LimitError("memory", {"bytes": memory}))
    pipe.send_bytes(pickle.dumps(answer))


def _limit(memory: int) -> None:
    try:
        import resource
    except ImportError:  # not everywhere; the time is bounded all the same
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
