"""What a batch is to decide, one input after the other, however many there are.

An input is a line of JSON Lines, not read any further here, or one scenario of another file. A file or a
line that cannot be read is an input too, with what is wrong with it.
"""

from __future__ import annotations

import glob
import os
from itertools import islice
from typing import IO, TYPE_CHECKING, NamedTuple

from .. import places
from ..errors import Fault, InputError, fail
from ..model import Place, Scenario
from ..scenario import OTHER_FILES, find_files, scan_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..rulebook import Rulebook

#: endings of files with one scenario a line
LINES = (".jsonl", ".ndjson")


class Input(NamedTuple):
    """One thing to decide and where it stands: a line's bytes, or a scenario, or what is wrong with it."""

    file: str
    line: int
    id: str
    #: a line of JSON Lines as it stands in its file
    data: bytes | None = None
    scenario: Scenario | None = None
    faults: tuple[Fault, ...] = ()


class Inputs:
    """The inputs at some paths: files, folders, patterns such as ``nights/*.jsonl``, ``-`` for stdin.

    May be gone through once. ``done`` of ``size`` bytes have been read so far; ``size`` is 0 while it is
    not known, as it is of the standard input.

    Raises:
        InputError: a path holds no scenario file.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self.files = [file for path in paths for file in _files(path)]
        sizes = [_size(file) for file in self.files]
        self.size = sum(size for size in sizes if size) if None not in sizes else 0
        self.done = 0
        self._books: dict[str, Rulebook] = {}

    def __iter__(self) -> Iterator[Input]:
        for file in self.files:
            before = self.done
            try:
                yield from self._of_file(file)
            except InputError as error:
                line = error.faults[0].place.line if error.faults[0].place else 1
                yield Input(places.shown_name(file), line, "", faults=tuple(error.faults))
            self.done = max(self.done, before + (_size(file) or 0))

    def _of_file(self, file: str) -> Iterator[Input]:
        name = places.shown_name(file)
        with places.opened(file) as stream:
            head: list[bytes] = []
            if file.lower().endswith(LINES) or (not _whole(file) and _has_lines(stream, head)):
                yield from self._lines(name, head, stream)
                return
            rest = b"".join(head) + stream.read(places.SIZE + 1)
        if len(rest) > places.SIZE:
            raise fail(Place(name, 1, 1), "file.large", limit=places.SIZE)
        for position, entry in enumerate(scan_text(places.decode(rest, name), file, self._books), 1):
            title = entry.scenario.title if entry.scenario else ""
            known = entry.id if entry.id != str(position) else title
            yield Input(name, entry.line, known or entry.id, None, entry.scenario, entry.faults)

    def _lines(self, name: str, head: Iterable[bytes], stream: IO[bytes]) -> Iterator[Input]:
        for number, line in enumerate(_all_lines(head, stream), 1):
            self.done += len(line)
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if len(line) > places.SIZE:
                self.done += _skip_line(line, stream)
                fault = Fault(Place(name, number, 1), "file.large", {"limit": places.SIZE})
                yield Input(name, number, str(number), faults=(fault,))
            elif line.strip():
                yield Input(name, number, str(number), line.rstrip(b"\r\n"))


def _all_lines(head: Iterable[bytes], stream: IO[bytes]) -> Iterator[bytes]:
    """Yield lines, none of them much longer than a scenario may be."""
    yield from head
    while line := stream.readline(places.SIZE + 2):
        yield line


def _skip_line(line: bytes, stream: IO[bytes]) -> int:
    """Pass over what is left of a line that is too long, and return how much that was."""
    skipped = 0
    while line and not line.endswith(b"\n"):
        line = stream.readline(places.SIZE)
        skipped += len(line)
    return skipped


def _whole(file: str) -> bool:
    """Tell whether a file's ending says that it is one document."""
    return file.lower().endswith((".yaml", ".yml", ".json"))


def _has_lines(stream: IO[bytes], head: list[bytes]) -> bool:
    """Tell whether what has no telling name begins as JSON Lines do; what was read of it goes into `head`.

    The first line is a whole value of JSON, or the second one begins another map, as none does within one.
    """
    import json

    texts: list[bytes] = []
    while len(texts) < 2 and (line := stream.readline(places.SIZE + 2)):
        head.append(line)
        if line.strip():
            texts.append(line.removeprefix(b"\xef\xbb\xbf"))
            if not texts[0].lstrip().startswith((b"{", b"[")):
                return False
            if len(texts) == 1:
                try:
                    return isinstance(json.loads(line), (dict, list))
                except (ValueError, RecursionError):
                    continue
    return len(texts) == 2 and texts[1].startswith(b"{")


def _files(path: str) -> list[str]:
    """The files at a path, or those that a pattern fits, sorted. Raises InputError where there is none."""
    if path == "-" or os.path.exists(path) or not glob.has_magic(path):
        return find_files(path)
    found = sorted(glob.glob(path, recursive=True), key=lambda file: file.split(os.sep))
    files = [
        file
        for each in found
        for file in (find_files(each) if os.path.isdir(each) else [each])
        if os.path.basename(file) not in OTHER_FILES
    ]
    if not files:
        raise fail(None, "pattern.empty", name=path)
    return list(dict.fromkeys(files))


def _size(file: str) -> int | None:
    """Return how many bytes a file has; None where that cannot be known before it has been read."""
    if file == "-":
        return None
    try:
        return os.stat(file).st_size
    except OSError:
        return 0


def chunked(inputs: Iterable[Input], size: int) -> Iterator[tuple[Input, ...]]:
    """Yield the inputs in chunks of `size`, the last one with what is left."""
    left = iter(inputs)
    while chunk := tuple(islice(left, size)):
        yield chunk
