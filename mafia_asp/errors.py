"""What can go wrong, and how it is told.

::

    MafiaAspError          exit_code 1
    ├── InputError         exit_code 2   the input is wrong: every fault found, each with its place
    └── LimitError         exit_code 3   a limit of time, memory or size was hit

A fault carries a *code* and the words that belong to it; its sentence, in either language, comes
from :mod:`mafia_asp.messages`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from .model import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .model import Place


class Fault(NamedTuple):
    """One thing that is wrong, where it stands, and (in ``args``) what would be right.

    ``args["near"]`` are the nearest names, ``args["choices"]`` is everything that would fit.
    """

    place: Place | None
    code: str
    args: Mapping[str, Any] = EMPTY

    @property
    def text(self) -> str:
        """The fault as a sentence in the language of this context, without its place."""
        from .messages import sentence

        return sentence(self.code, self.args)

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place else self.text


class MafiaAspError(Exception):
    """Whatever this package raises on purpose."""

    exit_code: ClassVar[int] = 1


class InputError(MafiaAspError):
    """The input is wrong. ``faults`` is never empty and is sorted by place."""

    exit_code: ClassVar[int] = 2

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: list[Fault] = sorted(faults, key=_order)
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))


class LimitError(MafiaAspError):
    """A limit was hit. ``code`` and ``args`` as in a fault."""

    exit_code: ClassVar[int] = 3

    def __init__(self, code: str, args: dict[str, Any] | None = None) -> None:
        self.code = code
        self.words = args or {}
        super().__init__(code, self.words)

    def __str__(self) -> str:
        from .messages import sentence

        return sentence(self.code, self.words)


def fail(place: Place | None, code: str, **args: Any) -> InputError:
    """An input error with a single fault, to be raised by the caller."""
    return InputError([Fault(place, code, args)])


def _order(fault: Fault) -> tuple[str, int, int]:
    place = fault.place
    return (place.file, place.line, place.column) if place else ("", 0, 0)
