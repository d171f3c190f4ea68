"""Where a search runs: at once for a shipped rulebook, within bounds of time and memory for one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ..verdict import checked_files

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..rulebook import Rulebook

    #: what is being done, and how many of how many are done
    Progress = Callable[[str, int, int], None]
    T = TypeVar("T")

#: seconds for a rulebook of the user's own where no limit was given, and for grounding beside a given one
_OWN = 300.0
_GROUNDING = 30.0


def run_search(
    here: Callable[..., T],
    book: Rulebook,
    *arguments: object,
    seconds: float | None,
    progress: Progress | None,
) -> T:
    """Return ``here(book, *arguments, progress)``; of a rulebook of the user's own no progress is shown.

    Raises:
        InputError: the rulebook is refused, or cannot be worked out.
        LimitError: a rulebook of the user's own took too much time or memory.
    """
    if book.shipped:
        return here(book, *arguments, progress)
    from ..bounded import run_bounded

    bound = _OWN if seconds is None else seconds + _GROUNDING
    return run_bounded(here, book, *arguments, None, seconds=bound)


def own_texts(book: Rulebook) -> dict[str, str] | None:
    """Return the checked texts of a rulebook of the user's own by file; of a shipped one nothing."""
    return None if book.shipped else {path: each.text for path, each in checked_files(book).items()}
