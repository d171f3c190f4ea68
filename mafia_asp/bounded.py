"""Work that cannot be interrupted, in a child process with a bound on time and memory.

Grounding a stranger's rules may take for ever and any amount of memory, and clingo cannot be stopped
while it grounds. So it runs in a process of its own, whose address space is limited and which is
killed when its time is up. Whatever becomes of the child, one error tells it.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import tempfile
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from .errors import LimitError, MafiaAspError, fail

T = TypeVar("T")
SECONDS = 10.0
#: bytes of address space
MEMORY = 1 << 30
#: seconds that a child may take to begin
_START = 60
#: What the libraries say before they end the process for want of memory.
_NO_MEMORY = ("bad_alloc", "MemoryError", "annot allocate memory", "out of memory")


def run_bounded(work: Callable[..., T], *arguments: Any, seconds: float = SECONDS, memory: int = MEMORY) -> T:
    """Return ``work(*arguments)``, computed in a child process.

    Everything that goes in and comes out must be picklable. `seconds` are counted from when the child
    begins to work.

    Raises:
        LimitError: the time or the memory did not suffice.
        InputError: the work failed in any other way, or ended its process.
        MafiaAspError: whatever else of that kind `work` raised.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    with tempfile.TemporaryDirectory(prefix="mafia-asp-", ignore_cleanup_errors=True) as folder:
        said = os.path.join(folder, "said")
        child = context.Process(target=_work, args=(theirs, said, work, arguments, memory), daemon=True)
        child.start()
        theirs.close()
        try:
            # The child first says that it has started: imports are ours, not the stranger's.
            if not ours.poll(_START):
                raise LimitError("time", {"seconds": _START})
            ours.recv()
            if not ours.poll(seconds):
                raise LimitError("time", {"seconds": seconds})
            good, value = pickle.loads(ours.recv_bytes())  # noqa: S301 - written by our own child
        except (EOFError, ConnectionError):
            child.join(1)
            raise _death(child.exitcode, said, memory) from None
        finally:
            child.kill()
            child.join()
            ours.close()
    if good:
        result: T = value
        return result
    raise _error(value)


def _error(error: MafiaAspError) -> MafiaAspError:
    """Return what is to be raised: that no outcome satisfies a user's rules is a fault of theirs."""
    if isinstance(error, LimitError) and error.code == "no_answer":
        return fail(None, error.code, **error.words)
    return error


def _death(status: int | None, said: str, memory: int) -> MafiaAspError:
    """Return the error for a child that ended without an answer."""
    text = ""
    with suppress(OSError), open(said, encoding="utf-8", errors="replace") as stream:
        text = stream.read(1 << 16)
    if any(sign in text for sign in _NO_MEMORY):
        return LimitError("memory", {"bytes": memory})
    return fail(None, "guard.died", status="?" if status is None else str(status))


def _work(
    pipe: Connection, said: str, work: Callable[..., Any], arguments: tuple[Any, ...], memory: int
) -> None:
    # What libraries print when they give up is kept for whoever waits, and is not the user's to read.
    with open(said, "wb") as stream:
        os.dup2(stream.fileno(), 2)
    pipe.send("started")
    try:
        _limit(memory)
        data = pickle.dumps((True, work(*arguments)))
    except MafiaAspError as error:
        data = pickle.dumps((False, error))
    except MemoryError:
        data = pickle.dumps((False, LimitError("memory", {"bytes": memory})))
    except Exception as error:  # noqa: BLE001 - a stranger's rules may lead anywhere; told as one fault
        problem = " ".join(f"{type(error).__name__}: {error}".split())
        data = pickle.dumps((False, fail(None, "guard.failed", problem=problem[:200])))
    pipe.send_bytes(data)


def _limit(memory: int) -> None:
    try:
        import resource
    except ImportError:  # not everywhere; the time is bounded all the same
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
