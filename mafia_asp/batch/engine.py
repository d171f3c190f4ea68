"""Where chunks are worked on: in this process, or in several on this machine.

An engine takes a function that can be pickled and an endless-or-not stream of chunks, and gives the
results in the order of the chunks. It takes chunks only as fast as results are fetched.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Protocol, TypeVar

from ..process import cores

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
            from .pool import Pool

            yield from Pool(self.jobs, work, lost).map(chain(begun, left))
