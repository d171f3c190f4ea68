"""Which rules of a rulebook are encoded, and which of them a scenario cites."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypedDict

from .rulebook import Rulebook

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .model import Scenario

_ID_IN_CODE = re.compile(r'"([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+)"')


class Coverage(TypedDict):
    """The rule ids of one book, each in one of four lists."""

    rulebook: str
    both: list[str]
    encoded_only: list[str]
    cited_only: list[str]
    neither: list[str]


def coverage(scenarios: Iterable[Scenario]) -> list[Coverage]:
    """Sort the rules of every rulebook that the scenarios use.

    A rule is encoded if its id stands in the ASP of the book and not only above it in a comment.
    """
    cited: dict[str, set[str]] = {}
    for scenario in scenarios:
        cited.setdefault(scenario.rulebook, set()).update(scenario.cites)
    return [_of_book(Rulebook.load(name), ids) for name, ids in sorted(cited.items())]


def _of_book(book: Rulebook, cited: set[str]) -> Coverage:
    own = {id for id in book.rules if id.startswith(f"{book.prefix}.")}
    encoded = _encoded(book) & own
    cited = {id for id in cited if ".q." not in id}
    return {
        "rulebook": book.id,
        "both": sorted(encoded & cited, key=by_number),
        "encoded_only": sorted(encoded - cited, key=by_number),
        "cited_only": sorted(cited - encoded, key=by_number),
        "neither": sorted(own - encoded - cited, key=by_number),
    }


def _encoded(book: Rulebook) -> set[str]:
    found: set[str] = set()
    for file in book.text_files():
        with open(file, encoding="utf-8") as stream:
            for line in stream:
                if not line.lstrip().startswith("%"):
                    found.update(_ID_IN_CODE.findall(line))
    return found


def by_number(identifier: str) -> tuple[tuple[int, int, str], ...]:
    """Sort ``ca.doctor.9`` before ``ca.doctor.10``."""
    return tuple((0, int(p), "") if p.isdigit() else (1, 0, p) for p in identifier.split("."))
