"""Reading a rule catalogue: a folder with ``rules/*.yaml`` and ``cases/*.yaml``.

Every scalar is read as its text, so that ``no`` stays a word and ``000:41`` a place in a source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

#: The roles of each book that are encoded; None: all of them.
CAST: dict[str, frozenset[str] | None] = {
    "classic_advanced": frozenset(
        "general don mafia citizen detective doctor sniper invulnerable guardian sheriff natasha priest "
        "freemason cult_leader jackal serial_killer murderer alien prophet traitor mafia_traitor "
        "terrorist bartender thief hooker lawyer framer enchanter voodoo killer vigilante spy "
        "tracker stalker watcher granny bomber_man karbalayi postman hunter governor judge "
        "jailer dreamer chef guard sorcerer pariah suspect dictator "
        "zombie yakuza shrink turncoat jekyll_hyde surgeon virgin "
        "miller undercover_police tailor underminer actor janitor fool "
        "gunsmith blacksmith item_thief bulletproof samurai saboteur magician quack".split()
    ),
    "booklet": None,
}
#: The phases that are decided.
PHASES = frozenset({"setup", "intro", "night", "dawn"})

_ITEM = re.compile(r"^- id: *(\S+) *$", re.MULTILINE)


def in_cast(book: str, role: str) -> bool:
    """Tell whether a role of a book is encoded."""
    cast = CAST[book]
    return cast is None or role in cast


def documents(folder: Path) -> Iterator[dict[str, Any]]:
    """Every document of a folder that belongs to a book of the cast, in the order of the file names."""
    for file in sorted(folder.glob("*.yaml")):
        document = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)  # noqa: S506
        if document["rulebook"] in CAST:
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
