"""A folder in the user's cache. Nothing depends on it: what cannot be kept is made again."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

#: So many entries are kept; older ones make room.
KEPT = 400


def folder() -> Path | None:
    """Return the cache folder of this package, which need not exist; None where there is no home."""
    named = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", "")
    try:
        if named and os.path.isabs(named):
            base = Path(named)
        else:
            base = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    except RuntimeError:
        return None
    return base / "mafia_asp" / "explain"


def read(where: Path | None, key: str) -> str | None:
    """Return an entry; None where there is none or it cannot be read."""
    if where is None:
        return None
    try:
        return (where / f"{key}.json").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def write(where: Path | None, key: str, text: str) -> None:
    """Keep an entry, in one step. A folder that cannot be written is no error."""
    if where is None:
        return
    new = where / f".{key}.{os.getpid()}"
    try:
        where.mkdir(parents=True, exist_ok=True)
        new.write_text(text, encoding="utf-8")
        new.replace(where / f"{key}.json")
        _make_room(where)
    except OSError:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def _make_room(where: Path) -> None:
    """Remove the oldest entries where there are too many."""
    entries = list(where.glob("*.json"))
    if len(entries) <= KEPT:
        return
    for entry in sorted(entries, key=lambda each: each.stat().st_mtime)[: len(entries) - KEPT]:
        entry.unlink(missing_ok=True)
