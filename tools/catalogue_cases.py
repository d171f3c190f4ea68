"""Select the cases of a rule catalogue that the encoded cast decides, as scenario files.

``python tools/catalogue_cases.py CATALOGUE_DIR OUT`` writes ``OUT/BOOK/ROLE.yaml``, where ROLE is the one
in a case's id, so that ``mafia-asp test OUT`` runs them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from catalogue import PHASES, case_texts, documents, in_cast

#: Roles that a book names and gives no rules of their own.
BARE = frozenset({"devil", "neutral"})


def decided(book: str, case: dict[str, Any]) -> bool:
    """Tell whether a case is of a phase that is decided and has only encoded roles."""
    roles = {p["role"] if isinstance(p, dict) else p for p in case["players"].values()}
    return case.get("phase", "night") in PHASES and all(in_cast(book, r) or r in BARE for r in roles)


def select(catalogue: Path) -> dict[tuple[str, str], list[str]]:
    """The texts of the decided cases, by book and role."""
    texts = case_texts(catalogue / "cases")
    found: dict[tuple[str, str], list[str]] = {}
    for document in documents(catalogue / "cases"):
        book = document["rulebook"]
        for case in document["scenarios"]:
            if decided(book, case):
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
