"""The tables that the encodings are counted against: rules, questions, and the exceptions to both."""

from __future__ import annotations

import csv
import os
from functools import cache
from pathlib import Path

import yaml

DATA = Path(__file__).resolve().parent / "data"
#: Where the catalogue is at hand from which the tables are written, this variable says where.
CATALOGUE = os.environ.get("MAFIA_ASP_CATALOGUE")


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a table."""
    with (DATA / name).open(encoding="utf-8", newline="") as stream:
        return tuple(csv.DictReader(stream))


def operational() -> set[str]:
    """The rules on which the outcome of a night may depend."""
    return {row["id"] for row in rows("rules.csv") if row["operational"] == "true"}


def questions() -> set[str]:
    """The questions of the encoded cast."""
    return {row["id"] for row in rows("questions.csv")}


@cache
def exceptions(part: str) -> dict[str, str]:
    """One part of the exceptions: id and reason."""
    parts: dict[str, dict[str, str]] = yaml.safe_load((DATA / "exceptions.yaml").read_text(encoding="utf-8"))
    return parts[part]
