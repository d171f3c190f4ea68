"""Write what a rule catalogue holds of the encoded books, as the tables that the tests read.

``python tools/rules_csv.py CATALOGUE_DIR [OUT]`` writes ``rules.csv`` (every rule in a phase that is
decided) and ``questions.csv`` (every question, with the phases of its rules) into
OUT, by default ``tests/data``.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from catalogue import PHASES, documents

RULES = ("id", "role", "phase", "source", "kind", "operational")
QUESTIONS = ("id", "kind", "phases")


def tables(catalogue: Path) -> dict[str, str]:
    """The text of each table by its file name."""
    books = list(documents(catalogue / "rules"))
    rules: list[tuple[str, ...]] = []
    phases: dict[str, str] = {}
    for book in books:
        for role in book["roles"]:
            for rule in role.get("rules", []):
                phases[rule["id"]] = rule["phase"]
                if rule["phase"] in PHASES:
                    operational = rule.get("operational", "true")
                    rules.append(
                        (rule["id"], role["id"], rule["phase"], rule["source"], rule["kind"], operational)
                    )
    questions = [
        (question["id"], question["kind"], " ".join(sorted({phases[r] for r in question["rules"]})))
        for book in books
        for question in book["questions"]
    ]
    return {"rules.csv": _csv(RULES, rules), "questions.csv": _csv(QUESTIONS, questions)}


def _csv(header: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(_in_order(rows))
    return out.getvalue()


def _in_order(rows: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    def key(row: tuple[str, ...]) -> list[tuple[int, str]]:
        return [(int(part), "") if part.isdigit() else (0, part) for part in row[0].split(".")]

    return iter(sorted(rows, key=key))


def main(catalogue: str, out: str = "tests/data") -> None:
    """Write both tables."""
    for name, text in tables(Path(catalogue)).items():
        Path(out, name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
