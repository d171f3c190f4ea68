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
from typing import TYPE_CHECKING, Any, Self, TypeVar

from distributed import Client, LocalCluster
from distributed.scheduler import KilledWorker

from ..errors import MafiaAspError
from ..i18n import gettext as _
from ..suite import cores, interrupts_ignored
from .engine import AHEAD

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence
    from types import TracebackType

Given = TypeVar("Given")
Made = TypeVar("Made")

#: seconds in which a scheduler has to answer
_PATIENCE = 10
#: A worker may have several threads; what is read once in a process is not made for that.
_one_at_a_time = threading.Lock()


class NoScheduler(Exception):  # noqa: N818 - it is told as what it is
    """Nothing that is a scheduler answers at an address."""


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
        NoScheduler: nothing answers there within some seconds.
    """

    def __init__(self, scheduler: str | None = None, jobs: int | None = None) -> None:
        self._cluster: Any = None
        if scheduler is None:
            # Workers inherit that they ignore Ctrl-C.
            with interrupts_ignored():
                self._cluster = LocalCluster(
                    n_workers=jobs or cores(),
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.ERROR,
                )
        try:
            self._client = Client(self._cluster or scheduler, timeout=_PATIENCE)
        except (OSError, ValueError) as error:
            raise NoScheduler(" ".join(str(error).split())) from error

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
                    made: list[Made] = future.result()
                except KilledWorker:
                    made = self._one_by_one(work, chunk, lost)
                waiting.popleft()
                # Only now: what a worker made is kept there for as long as somebody knows of it.
                del future
                yield chunk, made
        except (OSError, CancelledError) as error:
            raise ClusterLostError(str(error) or type(error).__name__) from error
        finally:
            self._client.cancel([future for _chunk, future in waiting])

    def _workers(self) -> int:
        """Tell how many workers there are now: they may come and go."""
        return max(1, len(self._client.nthreads()))

    def _submit(self, work: Callable[[Sequence[Given]], list[Made]], chunk: Sequence[Given]) -> Any:
        # Equal chunks at two places are two tasks.
        return self._client.submit(_work, work, chunk, pure=False)

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
                made += self._submit(work, (given,)).result()
            except KilledWorker:
                made.append(lost(given))
        return made


def _work(work: Callable[[Sequence[Given]], list[Made]], chunk: Sequence[Given]) -> list[Made]:
    """Do the work of a chunk, in a worker."""
    # Dask starts workers as daemons, which may have no children; a rulebook that is not shipped is worked on
    # in a process of its own, which ends before this function does.
    getattr(multiprocessing.current_process(), "_config", {})["daemon"] = False
    with _one_at_a_time:
        return work(chunk)
