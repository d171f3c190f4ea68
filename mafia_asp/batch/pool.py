"""Processes of this machine that work on chunks, and are started anew where one of them dies."""

from __future__ import annotations

import multiprocessing
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Generic

from ..process import end_with_parent, interrupts_ignored
from .engine import AHEAD, Given, Made

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence


class Pool(Generic[Given, Made]):
    """Works on chunks in so many processes: what :class:`.engine.LocalEngine` does with several jobs."""

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
        """Yield every chunk with what was made of it, in their order."""
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
