"""Chunks worked on by a Dask cluster: of this machine, or of many. Needs the extra ``dask``.

Dask starts a task anew where its worker dies, and so it does with what a dead worker had finished but
not handed over. Results are fetched in the order of the chunks, so they are the same as local ones.
"""

from __future__ import annotations

import logging
import multiprocessing
import threading
from collections import deque
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self, TypeVar

from distributed import Client, LocalCluster
from distributed.scheduler import KilledWorker

from ..errors import MafiaAspError
from ..i18n import gettext as _
from ..process import cores, interrupts_ignored
from .engine import AHEAD

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from types import TracebackType

Given = TypeVar("Given")
Made = TypeVar("Made")

#: seconds in which a scheduler has to answer
_PATIENCE = 10
#: A worker may have several threads; what is read once in a process is not made for that.
_one_at_a_time = threading.Lock()


class NoCluster(Exception):  # noqa: N818 - it is told as what it is
    """There is no cluster: nothing that is a scheduler answers at an address, or none could be started."""

    def __init__(self, text: str, error: Exception, address: str | None = None) -> None:
        super().__init__(text.format(address=address, why=" ".join(str(error).split())))


class ClusterLostError(MafiaAspError):
    """The cluster is gone in the middle of the work. What was given out is right."""

    exit_code = 3

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = " ".join(why.split())

    def __str__(self) -> str:
        return _("The cluster is gone: {why}. What was written is right, and not all.").format(why=self.why)


class DaskEngine:
    """Works on chunks on a cluster. To be used as a context, which ends a cluster that it has started.

    Args:
        scheduler: its address; None starts a cluster on this machine.
        jobs: how many processes that one has; None: as many as there are cores.

    Raises:
        NoCluster: nothing answers there within some seconds, or no cluster can be started here.
    """

    def __init__(self, scheduler: str | None = None, jobs: int | None = None) -> None:
        self._cluster: Any = _local_cluster(jobs or cores()) if scheduler is None else None
        try:
            # No global state: there may be several clusters in one process.
            self._client = Client(self._cluster or scheduler, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise NoCluster(_("No scheduler answers at {address}: {why}"), error, scheduler) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End what was begun."""
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    @property
    def dashboard(self) -> str:
        """The address of Dask's page on the cluster; empty where it has none."""
        return str(self._client.dashboard_link or "")

    def map(
        self,
        work: Callable[[Sequence[Given]], list[Made]],
        chunks: Iterable[Sequence[Given]],
        lost: Callable[[Given], Made],
    ) -> Generator[tuple[Sequence[Given], list[Made]], None, None]:
        """Yield every chunk with what `work` made of it, in their order.

        Raises ClusterLostError.
        """
        waiting: deque[tuple[Sequence[Given], Any]] = deque()
        left = iter(chunks)
        try:
            while True:
                most = self._workers() * (1 + AHEAD)
                while len(waiting) < most and (chunk := next(left, None)):
                    waiting.append((chunk, self._submit(work, chunk)))
                if not waiting:
                    return
                chunk, future = waiting[0]
                try:
                    made: list[Made] = self._result(future)
                except KilledWorker:
                    made = self._one_by_one(work, chunk, lost)
                waiting.popleft()
                # Only now: what a worker made is kept there for as long as somebody knows of it.
                del future
                yield chunk, made
        finally:
            self._client.cancel([future for _chunk, future in waiting])

    def _workers(self) -> int:
        """Tell how many workers there are now: they may come and go."""
        with _lost_cluster():
            return max(1, len(self._client.nthreads()))

    def _submit(self, work: Callable[[Sequence[Given]], list[Made]], chunk: Sequence[Given]) -> Any:
        with _lost_cluster():
            # Equal chunks at two places are two tasks.
            return self._client.submit(_work, work, chunk, pure=False)

    def _result(self, future: Any) -> Any:
        with _lost_cluster(future):
            return future.result()

    def _one_by_one(
        self,
        work: Callable[[Sequence[Given]], list[Made]],
        chunk: Sequence[Given],
        lost: Callable[[Given], Made],
    ) -> list[Made]:
        """Work on a chunk in which several workers died, each thing by itself."""
        made: list[Made] = []
        for given in chunk:
            try:
                made += self._result(self._submit(work, (given,)))
            except KilledWorker:
                made.append(lost(given))
        return made


def _local_cluster(workers: int) -> Any:
    """Start a cluster of processes on this machine, which ignore Ctrl-C."""
    try:
        with interrupts_ignored():
            return LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.ERROR,
            )
    except (OSError, RuntimeError) as error:
        raise NoCluster(_("No cluster could be started on this machine: {why}"), error) from error


@contextmanager
def _lost_cluster(future: Any = None) -> Iterator[None]:
    """Say so where a cluster is no longer there. What a future's own work raises is no sign of that."""
    try:
        yield
    except (OSError, CancelledError) as error:
        if future is not None and future.status == "error":
            raise
        raise ClusterLostError(str(error) or type(error).__name__) from error


def _work(work: Callable[[Sequence[Given]], list[Made]], chunk: Sequence[Given]) -> list[Made]:
    """Do the work of a chunk, in a worker."""
    # Dask starts workers as daemons, which may have no children; a rulebook that is not shipped is worked on
    # in a process of its own, which ends before this function does.
    getattr(multiprocessing.current_process(), "_config", {})["daemon"] = False
    with _one_at_a_time:
        return work(chunk)
