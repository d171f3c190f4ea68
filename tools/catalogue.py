"""Reading a rule catalogue: a folder with ``rules/*.yaml`` and ``cases/*.yaml``.

Every scalar is read as its text, so that ``no`` stays a word and ``000:41`` a place in a source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

#: The books that are encoded.
BOOKS = ("classic_advanced", "booklet")
#: The phases that are decided.
PHASES = frozenset({"setup", "intro", "night", "dawn", "day", "vote", "end"})

_ITEM = re.compile(r"^- id: *(\S+) *$", re.MULTILINE)


def documents(folder: Path) -> Iterator[dict[str, Any]]:
    """Every document of a folder of an encoded book, in the order of the file names."""
    for file in sorted(folder.glob("*.yaml")):
        document = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)  # noqa: S506
        if document["rulebook"] in BOOKS:
            yield document


def case_texts(folder: Path) -> dict[str, str]:
    """The text of every case by its id, as it stands in its file."""
    texts: dict[str, str] = {}
    for file in sorted(folder.glob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        starts = list(_ITEM.finditer(text))
        for start, end in zip(starts, [*(s.start() for s in starts[1:]), len(text)], strict=True):
            texts[start[1]] = text[start.start() : end].rstrip("\n") + "\n"
    return texts
