"""Where the lines of a batch go: whole lines only, to a file that a later run can go on with, or printed."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from typing import IO, TYPE_CHECKING, Any, Self

from ..errors import fail
from ..files import STDOUT, check_target
from ..model import Place
from .work import STATUS

if TYPE_CHECKING:
    from types import TracebackType

    from .work import Answer

#: The version of the summary.
FORMAT = 1


class Output:
    """Writes answers, each in one step. To be used as a context.

    Args:
        target: a file, or None for the standard output.
        resume: go on with what the file holds; what follows its last whole answer is dropped.

    Raises:
        OSError: the file cannot be written.
        InputError: the file to go on with is no output of a batch.
    """

    def __init__(self, target: str | None, *, resume: bool = False) -> None:
        self.target = None if target in STDOUT else target
        #: inputs whose answers were there already
        self.skip = 0
        #: whole lines in the file
        self.lines = 0
        self._stream: IO[bytes] | None = None
        self._begun = False
        if self.target is not None:
            check_target(self.target)
            if resume and os.path.exists(self.target):
                self._begun = True
                self._resume(self.target)

    def _resume(self, target: str) -> None:
        """Count the answers in the file, and cut off what is not whole."""
        end = at = lines = since = 0
        with open(target, "rb") as stream:
            for number, line in enumerate(stream, 1):
                if not line.endswith(b"\n"):
                    break
                at += len(line)
                since += 1
                part, parts = _part(line, target, number)
                if part == parts:
                    end, lines = at, lines + since
                    since = 0
                    self.skip += 1
        self.lines = lines
        with open(target, "r+b") as stream:
            stream.truncate(end)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()

    def write(self, answer: Answer) -> None:
        """Write the lines of one input. A file that was there before is replaced with the first of them."""
        if self.target is None:
            assert sys.stdout is not None
            sys.stdout.write(answer.text)
        else:
            if self._stream is None:
                # Unbuffered: what an interruption leaves behind are whole answers.
                self._stream = open(self.target, "ab" if self._begun else "wb", buffering=0)  # noqa: SIM115
            self._stream.write(answer.text.encode())
        self.lines += len(answer.outcomes)


def _part(line: bytes, file: str, number: int) -> tuple[int, int]:
    """Return which of how many lines of one input this is."""
    try:
        part, parts = json.loads(line)["source"].get("part", (1, 1))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise fail(Place(file, number, 1), "batch.resume") from None
    return part, parts


class Tally:
    """What came of the inputs so far."""

    def __init__(self) -> None:
        self.inputs = 0
        self.outcomes: Counter[str] = Counter()

    def add(self, answer: Answer) -> None:
        """Count one more input."""
        self.inputs += 1
        self.outcomes.update(answer.outcomes)

    def data(self, *, skipped: int, seconds: float, interrupted: bool) -> dict[str, Any]:
        """Return the summary as JSON data."""
        lines = sum(self.outcomes.values())
        return {
            "format": FORMAT,
            "inputs": self.inputs,
            "skipped": skipped,
            "lines": lines,
            **{outcome: self.outcomes[outcome] for outcome in STATUS},
            "seconds": round(seconds, 3),
            "per_second": round(lines / seconds, 1) if seconds else None,
            "interrupted": interrupted,
        }
