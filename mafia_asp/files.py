"""Writing files whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress


def write_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file in one step: whoever reads sees the old file or the new one.

    A link is followed, and the mode of a file that exists is kept. Raises OSError.
    """
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    draft = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    try:
        with open(draft, "x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if os.path.exists(target):
            os.chmod(draft, os.stat(target).st_mode & 0o7777)
        os.replace(draft, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(draft)
        raise
