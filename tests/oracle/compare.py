"""The oracle against the core: the same tables, the same night, every assignment and every outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import clingo

from mafia_asp.facts import facts, question_id
from mafia_asp.model import Scenario
from mafia_asp.rulebook import Rulebook, encodings

from .asking import Answers
from .night import Outcome, courses
from .tables import Row, Tables, extract, plain

BOOK = "classic_advanced"
#: what a book may say of the acts of those killed earlier in the same night: nothing (None), or yes or no
LAPSE = {None: "", False: 'counts_dead("xx",any,yes).', True: 'counts_dead("xx",any,no).'}
Found = Counter[tuple[frozenset[tuple[str, str]], Outcome]]


@dataclass(frozen=True)
class Comparison:
    """Both sides of one night."""

    oracle: Found
    core: Found

    @property
    def agree(self) -> bool:
        return self.oracle == self.core

    @property
    def open(self) -> bool:
        """Whether there is more than one outcome."""
        return len({outcome for _, outcome in self.oracle}) > 1

    def difference(self) -> str:
        """What only one side has, as text."""
        lines = []
        for name, one, other in (("oracle", self.oracle, self.core), ("core", self.core, self.oracle)):
            for (answers, outcome), times in sorted((one - other).items(), key=str):
                lines.append(f"only the {name} (x{times}): {dict(sorted(answers))} -> {outcome}")
        return "\n".join(lines)


def core_files(folder: Path | None = None) -> list[Path]:
    """Return the files of the core that decide a night."""
    return [f for f in sorted((folder or Path(encodings(), "core")).glob("*.lp")) if f.stem != "words"]


def book_tables(book: str = BOOK) -> Tables:
    """Return the tables of a shipped rulebook."""
    return extract(sorted(Path(Rulebook.load(book).folder).glob("*.lp")))


def by_oracle(tables: Tables, scenario: Scenario, most: int = 5000, *, lapse: bool | None = False) -> Found:
    """Return what the oracle finds. Raises TooManyError, CircleError."""
    return Counter(
        (_key(answers), outcome) for answers, outcome in courses(tables, scenario, most, lapse=lapse)
    )


def by_core(
    files: Sequence[Path], tables: Tables, scenario: Scenario, most: int = 5000, *, lapse: bool | None = False
) -> Found:
    """Return what the core finds with nothing but these tables (of more than `most`, one more)."""
    told = facts(scenario)
    return Counter(
        (_key(picks), _outcome(out, told.names))
        for picks, out in answer_sets(files, f"{tables.text}\n{told.text}\n{LAPSE[lapse]}", most + 1)
    )


def answer_sets(files: Sequence[Path], text: str, most: int) -> list[tuple[dict[str, str], list[Any]]]:
    """Return the answers and the outcome (key, value) of each answer set of some files and a text."""
    control = clingo.Control([str(most)], logger=lambda code, message: None)
    for file in files:
        control.load(str(file))
    control.add("base", [], text)
    control.ground([("base", [])])
    found: list[tuple[dict[str, str], list[Any]]] = []

    def read(model: clingo.Model) -> None:
        atoms = [(s.name, s.arguments) for s in model.symbols(shown=True)]
        picks = {question_id(str(a[0])): str(plain(a[1])) for name, a in atoms if name == "pick"}
        found.append((picks, [(plain(a[0]), plain(a[1])) for name, a in atoms if name == "out"]))

    control.solve(on_model=read)
    return found


def compare(
    files: Sequence[Path], tables: Tables, scenario: Scenario, most: int = 5000, *, lapse: bool | None = False
) -> Comparison:
    """Decide one night twice. Raises TooManyError, CircleError."""
    oracle = by_oracle(tables, scenario, most, lapse=lapse)
    return Comparison(oracle, by_core(files, tables, scenario, most, lapse=lapse))


def _key(answers: Answers) -> frozenset[tuple[str, str]]:
    return frozenset(answers.items())


def _outcome(out: Sequence[Row], names: dict[str, str]) -> Outcome:
    parts: dict[str, set[str]] = {"dead": set(), "saved": set(), "silenced": set()}
    answers, refused = set(), set()
    for key, value in out:
        if key in parts:
            parts[key].add(names[value])
        elif key == "refused":
            refused.add(value)
        elif key[0] == "answer" and value != "none":
            answers.add((key[1], str(value)))
    return Outcome(
        dead=frozenset(parts["dead"]),
        saved=frozenset(parts["saved"]),
        silenced=frozenset(parts["silenced"]),
        answers=frozenset(answers),
        refused=frozenset(refused),
    )
