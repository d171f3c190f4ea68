"""Where chunks are worked on: in this process, or in several on this machine.

An engine takes a function that can be pickled and an endless-or-not stream of chunks, and gives the
results in the order of the chunks. It takes chunks only as fast as results are fetched.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from ..suite import cores, end_with_parent, interrupts_ignored

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

#: what is worked on, and what comes of it
Given = TypeVar("Given")
Made = TypeVar("Made")

#: chunks a worker has waiting beside the one that it works on
AHEAD = 2


class Engine(Protocol):
    """Whatever works on chunks: :class:`LocalEngine`, or one that spreads them over machines."""

    def map(
        self,
        work: Callable[[Sequence[Given]], list[Made]],
        chunks: Iterable[Sequence[Given]],
        lost: Callable[[Given], Made],
    ) -> Generator[tuple[Sequence[Given], list[Made]], None, None]:
        """Yield every chunk with what `work` made of it, in their order. To be closed when not used up.

        `work` gives one result for each thing in a chunk; `lost` is the result for one that kills whoever
        works on it.
        """
        ...


class LocalEngine:
    """Works on chunks in this process (one job), or in processes of its own (several).

    Args:
        jobs: how many; None: as many as there are cores.
    """

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or cores()

    def map(
        self,
        work: Callable[[Sequence[Given]], list[Made]],
        chunks: Iterable[Sequence[Given]],
        lost: Callable[[Given], Made],
    ) -> Generator[tuple[Sequence[Given], list[Made]], None, None]:
        """Yield every chunk with what `work` made of it, in their order.

        A worker that dies takes no input with it but the one of which it dies.
        """
        left = iter(chunks)
        begun = list(islice(left, 2))
        if self.jobs == 1 or len(begun) < 2:
            for chunk in chain(begun, left):
                yield chunk, work(chunk)
        else:
            yield from _Pool(self.jobs, work, lost).map(chain(begun, left))


class _Pool(Generic[Given, Made]):
    """Processes that are started anew where one of them dies."""

    def __init__(
        self, jobs: int, work: Callable[[Sequence[Given]], list[Made]], lost: Callable[[Given], Made]
    ) -> None:
        self._jobs = jobs
        self._work = work
        self._lost = lost
        self._executor: ProcessPoolExecutor | None = None
        self._before = set(multiprocessing.active_children())

    def map(
        self, chunks: Iterable[Sequence[Given]]
    ) -> Generator[tuple[Sequence[Given], list[Made]], None, None]:
        waiting: deque[tuple[Sequence[Given], Future[list[Made]]]] = deque()
        left = iter(chunks)
        finished = False
        try:
            while True:
                while len(waiting) < self._jobs * (1 + AHEAD) and (chunk := next(left, None)):
                    waiting.append((chunk, self._submit(chunk)))
                if not waiting:
                    break
                chunk, future = waiting[0]
                try:
                    answers = future.result()
                except BrokenProcessPool:
                    self._stop(kill=True)
                    answers = self._one_by_one(chunk)
                    rest = [chunk for chunk, _ in waiting]
                    waiting = deque([(chunk, self._submit(chunk)) for chunk in rest[1:]])
                    yield rest[0], answers
                    continue
                waiting.popleft()
                yield chunk, answers
            finished = True
        finally:
            self._stop(kill=not finished)

    def _submit(self, chunk: Sequence[Given]) -> Future[list[Made]]:
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(self._jobs, mp_context=context, initializer=end_with_parent)
        # Submitting starts workers, which inherit that they ignore Ctrl-C.
        with interrupts_ignored():
            try:
                return self._executor.submit(self._work, chunk)
            except BrokenProcessPool as error:
                failed: Future[list[Made]] = Future()
                failed.set_exception(error)
                return failed

    def _one_by_one(self, chunk: Sequence[Given]) -> list[Made]:
        """Work on a chunk in which a worker died, each input by itself."""
        answers: list[Made] = []
        for given in chunk:
            try:
                answers += self._submit((given,)).result()
            except BrokenProcessPool:
                self._stop(kill=True)
                answers.append(self._lost(given))
        return answers

    def _stop(self, *, kill: bool) -> None:
        if self._executor is None:
            return
        self._executor.shutdown(wait=not kill, cancel_futures=True)
        self._executor = None
        if kill:
            for worker in set(multiprocessing.active_children()) - self._before:
                worker.terminate()
