"""The file of a game on the disk: one writer at a time, whole or not at all, and the rest stays as it is."""

from __future__ import annotations

import errno
import glob
import json
import os
import sys
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from .. import places
from ..errors import InputError, MafiaAspError, fail
from ..files import write_atomically
from ..i18n import gettext as _
from ..model import Place
from ..yamltext import end_mark, entries_text, flow, offset
from .record import game_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..rulebook import Rulebook
    from .record import Game

#: Seconds for which another process is waited for.
PATIENCE = 10.0
_STEP = 0.05


class BusyError(MafiaAspError):
    """Another process works on the game, and did not come to its end."""

    def __init__(self, file: str) -> None:
        self.file = file
        super().__init__(file)

    def __str__(self) -> str:
        return _("Another process works on {file}. Try again when it is done.").format(file=self.file)


# ---- one at a time ---------------------------------------------------------------------------------


@contextmanager
def locked(path: str, patience: float | None = None) -> Iterator[None]:
    """Keep other processes from changing the game at `path` meanwhile.

    The lock is the system's own, on a file beside the game: it ends with the process that holds it, however
    that ends. Raises BusyError after `patience` seconds (by default PATIENCE), and OSError where the folder
    allows no file.
    """
    folder, name = os.path.split(os.path.realpath(path))
    lock = os.path.join(folder, f".{name}.lock")
    until = time.monotonic() + (PATIENCE if patience is None else patience)
    while (held := _try_to_hold(lock)) is None:
        if time.monotonic() >= until:
            raise BusyError(path)
        time.sleep(_STEP)
    try:
        # Whoever held it before and was killed may have left a draft.
        for draft in glob.glob(os.path.join(glob.escape(folder), glob.escape(f".{name}.") + "*.tmp")):
            with suppress(OSError):
                os.unlink(draft)
        yield
    finally:
        _let_go(lock, held)


def _try_to_hold(lock: str) -> int | None:
    """Hold the lock file; None where another does."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    opened = os.open(lock, flags, 0o666)
    try:
        if _hold(opened) and _is_at(lock, opened):
            return opened
    except BaseException:
        os.close(opened)
        raise
    os.close(opened)
    return None


def _is_at(lock: str, opened: int) -> bool:
    """Whether an open file still bears this name: who held it before has removed it."""
    try:
        return os.path.samestat(os.fstat(opened), os.stat(lock))
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def _hold(opened: int) -> bool:
        try:
            msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _let_go(lock: str, opened: int) -> None:
        os.close(opened)
        with suppress(OSError):
            os.unlink(lock)

else:
    import fcntl

    def _hold(opened: int) -> bool:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                return False
            raise
        return True

    def _let_go(lock: str, opened: int) -> None:
        # Removed while it is held, so that nobody holds a file that is about to go.
        with suppress(OSError):
            os.unlink(lock)
        os.close(opened)


# ---- the file --------------------------------------------------------------------------------------


class GameFile:
    """A game with the text in which it stands."""

    def __init__(self, path: str, text: str, root: places.Node, game: Game) -> None:
        self.path = path
        self.text = text
        self.root = root
        self.game = game

    def with_phases(self, entries: list[dict[str, Any]]) -> str:
        """The text with further phases; raises InputError where they cannot be added with certainty."""
        if self._is_json():
            data = self.root.data()
            return _json({**data, "phases": [*(data.get("phases") or []), *entries]})
        text = self.text if self.text.endswith("\n") else self.text + "\n"
        for entry in entries:
            text = _added(text, entry, self.path)
        wanted = [*(self.root.data().get("phases") or []), *map(_as_read, entries)]
        return self._checked(text, wanted)

    def without_last(self, number: int) -> str:
        """The text without its last phases; raises InputError where that is not certain to be right."""
        if self._is_json():
            data = self.root.data()
            return _json({**data, "phases": data["phases"][:-number]})
        text = self.text
        for _time in range(number):
            text = _shortened(text, self.path)
        return self._checked(text, self.root.data()["phases"][:-number])

    def _is_json(self) -> bool:
        return self.path.lower().endswith(".json")

    def _checked(self, text: str, phases: list[Any]) -> str:
        """The text, once it has been read again and nothing but the phases has changed."""
        wanted = {**self.root.data(), "phases": phases}
        try:
            document = places.parse_yaml(text, self.path)
        except InputError:
            raise _layout(self.root, self.path) from None
        found = document.root.data()
        found["phases"] = found.get("phases") or []
        if document.faults or found != wanted:
            raise _layout(self.root, self.path)
        return text


def open_game(path: str, books: dict[str, Rulebook] | None = None) -> GameFile:
    """Read the game at `path` to change it. Raises InputError with all that is wrong with the file."""
    text = places.read_text(path)
    if path.lower().endswith(".json"):
        document = places.parse_json(text, path)
    else:
        document = places.parse_yaml(text, path)
    return GameFile(path, text, document.root, game_of(document, path, books))


def write_new(path: str, text: str) -> None:
    """Write a file that is not there yet. Raises FileExistsError, and OSError."""
    with locked(path):
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)
        write_atomically(path, text)


def new_text(data: dict[str, Any], *, as_json: bool = False) -> str:
    """The text of a game that begins with these entries."""
    return _json(data) if as_json else entries_text(data)


def phase_text(entry: dict[str, Any], indent: str = "") -> str:
    """A phase as an item of the list of phases."""
    lines = entries_text(entry).splitlines()
    return "".join(f"{indent}{'  ' if n else '- '}{line}\n" for n, line in enumerate(lines))


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2, default=list) + "\n"


def _as_read(entry: dict[str, Any]) -> Any:
    return places.parse_yaml(flow(entry), "").root.data()


def _layout(root: places.Node, path: str) -> InputError:
    node = root.keys.get("phases") if root.kind == "map" else None
    return fail(node.place if node else Place(path, 1, 1), "game.layout")


def _phases(text: str, path: str) -> tuple[Any, Any, bool]:
    """The nodes of the key ``phases`` and its value, and whether it is the last; None where there is none."""
    import yaml

    root = yaml.compose(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        raise fail(Place(path, 1, 1), "game.layout")
    for key, value in root.value:
        if key.value == "phases":
            return key, value, key is root.value[-1][0]
    return None, None, True


def _added(text: str, entry: dict[str, Any], path: str) -> str:
    import yaml

    key, value, last = _phases(text, path)
    block = phase_text(entry)
    if key is None:
        return f"{text}phases:\n{block}"
    if isinstance(value, yaml.SequenceNode) and value.value and not value.flow_style:
        block = phase_text(entry, " " * value.start_mark.column)
        at = len(text) if last else _next_line(text, offset(text, end_mark(value)))
        return text[:at] + block + text[at:]
    if value.value:
        raise fail(Place(path, key.start_mark.line + 1, key.start_mark.column + 1), "game.layout")
    head = offset(text, key.end_mark)
    colon = text.index(":", head) + 1
    text = text[:colon] + text[max(colon, offset(text, value.end_mark)) :]
    at = len(text) if last else _next_line(text, colon)
    return text[:at] + block + text[at:]


def _shortened(text: str, path: str) -> str:
    import yaml

    key, value, _last = _phases(text, path)
    if not isinstance(value, yaml.SequenceNode) or value.flow_style or not value.value:
        where = key.start_mark if key else None
        place = Place(path, where.line + 1, where.column + 1) if where else Place(path, 1, 1)
        raise fail(place, "game.layout")
    item = value.value[-1]
    dash = text.rindex("-", 0, offset(text, item.start_mark))
    start = text.rfind("\n", 0, dash) + 1
    return text[:start] + text[_next_line(text, offset(text, end_mark(item))) :]


def _next_line(text: str, at: int) -> int:
    """Where the line after the one with this offset begins."""
    if at and text[at - 1] == "\n":
        return at
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1
