"""Select the cases of a rule catalogue in the phases that are decided, as scenario files.

``python tools/catalogue_cases.py CATALOGUE_DIR OUT`` writes ``OUT/BOOK/ROLE.yaml``, where ROLE is the one
in a case's id, so that ``mafia-asp test OUT`` runs them.
"""

from __future__ import annotations

import sys
from collections.abc import Container
from pathlib import Path
from typing import Any

import yaml
from catalogue import PHASES, case_texts, documents

#: Cases that are not taken, each with its reason.
EXCEPTIONS = Path(__file__).resolve().parent.parent / "tests" / "data" / "exceptions.yaml"


def decided(case: dict[str, Any], left_out: Container[str]) -> bool:
    """Tell whether a case is of a phase that is decided, and is not left out."""
    return case.get("phase", "night") in PHASES and case["id"] not in left_out


def select(catalogue: Path) -> dict[tuple[str, str], list[str]]:
    """The texts of the decided cases, by book and role."""
    texts = case_texts(catalogue / "cases")
    left_out = yaml.safe_load(EXCEPTIONS.read_text(encoding="utf-8"))["cases_not_taken"]
    found: dict[tuple[str, str], list[str]] = {}
    for document in documents(catalogue / "cases"):
        book = document["rulebook"]
        for case in document["scenarios"]:
            if decided(case, left_out):
                found.setdefault((book, case["id"].split(".")[2]), []).append(texts[case["id"]])
    return found


def main(catalogue: str, out: str) -> None:
    """Write the files and say how many cases they hold."""
    found = select(Path(catalogue))
    for (book, role), texts in sorted(found.items()):
        file = Path(out) / book / f"{role}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"rulebook: {book}\nscenarios:\n" + "".join(texts), encoding="utf-8")
    print(sum(map(len, found.values())), "cases")


if __name__ == "__main__":
    main(*sys.argv[1:])
