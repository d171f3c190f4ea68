"""Mutants of the core: each lacks one rule, and the comparison should notice."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import clingo.ast

from mafia_asp.model import Scenario

from .asking import CircleError
from .compare import Found, book_tables, by_core, by_oracle, core_files
from .generate import STYLES, night, vary
from .night import TooManyError
from .tables import Tables

#: what the comparison does not look at: reasons, later phases, what no table leads to
UNSEEN = frozenset(
    {"because", "next", "illegal", "changed", "followed", "heeded", "rests", "kind", "why_dead"}
)
#: tables, night, whether the acts of the dead lapse, and what the oracle says
Night = tuple[Tables, Scenario, bool, Found]


def rules(files: Sequence[Path]) -> list[str]:
    """Return the statements of the core as text, one each."""
    found: list[str] = []
    clingo.ast.parse_files([str(file) for file in files], lambda node: found.append(str(node)))
    return [text for text in found if not text.startswith(("#program", "%"))]


def head(rule: str) -> str:
    """Return the predicate of a rule's head, or the directive's word."""
    return rule.lstrip("{ ").partition("(")[0].partition(" ")[0].partition(".")[0]


def without(texts: Sequence[str], dropped: Sequence[str], folder: Path) -> list[Path]:
    """Write a core that lacks some rules, and return its only file."""
    file = folder / "core.lp"
    file.write_text("\n".join(text for text in texts if text not in dropped), encoding="utf-8")
    return [file]


def nights(number: int, seed: int, most: int = 60) -> Iterator[Night]:
    """Return nights with what the oracle says of them."""
    rng = random.Random(seed)
    book = book_tables()
    while number:
        lapse = rng.random() < 0.2
        tables = vary(book, rng.choice(STYLES), rng, keep=("unshaken",) if lapse else ())
        scenario = night(tables, rng)
        try:
            found = by_oracle(tables, scenario, most, lapse=lapse)
        except (TooManyError, CircleError):
            continue
        if len(found) == 1 and rng.random() < 0.5:
            continue
        number -= 1
        yield tables, scenario, lapse, found


def noticed(files: Sequence[Path], over: Sequence[Night]) -> int | None:
    """Return the number of the first night on which these files differ from the oracle."""
    for number, (tables, scenario, lapse, found) in enumerate(over, 1):
        try:
            core = by_core(files, tables, scenario, 600, lapse=lapse)
        except RuntimeError:  # not even a program
            return number
        if core != found:
            return number
    return None


def survivors(
    folder: Path, over: Sequence[Night], files: Sequence[Path] | None = None
) -> tuple[list[str], int]:
    """Return the rules without which nothing differs, and how many rules were tried."""
    texts = rules(core_files() if files is None else files)
    tried = [rule for rule in texts if not rule.startswith("#") and head(rule) not in UNSEEN]
    kept = [rule for rule in tried if noticed(without(texts, [rule], folder), over) is None]
    return kept, len(tried)
