"""Files: which may be read and written, and writing them whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Names of the standard output, which is written to and never replaced.
STDOUT = ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def is_special(path: str | os.PathLike[str]) -> bool:
    """Whether something is there that is neither a file nor a folder: a pipe, a device, a socket.

    Opening such a thing may wait for ever. Raises OSError where it cannot be looked at.
    """
    mode = os.stat(path).st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def leaves(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> bool:
    """Whether a file of a folder is a link to somewhere outside it."""
    inside = os.path.join(os.path.realpath(folder), "")
    return not os.path.realpath(path).startswith(inside)


def same_file(path: str | os.PathLike[str], others: Iterable[str | os.PathLike[str]]) -> str | None:
    """Return the first of `others` that is the very file at `path`, by whatever name; None if none is."""
    for other in others:
        with suppress(OSError):
            if os.path.samefile(path, other):
                return os.fspath(other)
    return None


def check_target(path: str | os.PathLike[str]) -> None:
    """Raise OSError where `path` has no folder, or is something that is no regular file nor a link to one."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        os.stat(os.path.dirname(os.path.realpath(path)))
        return
    if not stat.S_ISREG(mode):
        from .i18n import gettext as _

        code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        why = _("it is a folder, a pipe or a device, and only a regular file is written to")
        raise OSError(code, why, os.fspath(path))


def write_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file in one step: whoever reads sees the old file or the new one.

    A link is followed, and the mode of a file that exists is kept. Raises OSError, also where
    something is there that is no regular file.
    """
    check_target(path)
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    # Whoever was killed while writing has left his own draft; its name must not stand in the way.
    draft = os.path.join(folder, f".{name}.{os.urandom(4).hex()}.tmp")
    try:
        with open(draft, "x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if os.path.exists(target):
            os.chmod(draft, os.stat(target).st_mode & 0o7777)
        os.replace(draft, target)
    except FileExistsError:
        # Another's draft is not ours to remove.
        raise
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(draft)
        raise
