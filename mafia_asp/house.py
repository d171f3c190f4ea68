"""A table's own decisions: which rulings apply to a scenario, and which goes before which.

What is assumed on the command line goes before the scenario's own rulings, these before the file
that was named, else before a ``rulings.yaml`` that lies beside the scenario.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .errors import Fault, InputError
from .rulebook import Books
from .rulings import RULINGS_FILE, parse_assumption, read_rulings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import Scenario
    from .rulebook import Rulebook


class HouseRules:
    """Adds rulings to scenarios; each file is read once. ``used`` lists the files found beside scenarios."""

    def __init__(
        self, file: str | None = None, *, look_beside: bool = True, assumed: Sequence[str] = ()
    ) -> None:
        self.file = file
        self.look_beside = look_beside and file is None
        self.assumed = assumed
        self.used: list[str] = []
        #: the questions that were assumed, and those that files answer
        self.assumed_ids: set[str] = set()
        self.standing: set[str] = set()
        self._read: dict[tuple[str, str], dict[str, str]] = {}
        self._books = Books()

    def apply_to(self, scenario: Scenario) -> Scenario:
        """As :meth:`apply`, with the scenario's own rulebook."""
        return self.apply(scenario, self._books[scenario.rulebook])

    def apply(self, scenario: Scenario, book: Rulebook) -> Scenario:
        """Give the scenario with all rulings that apply to it. Raises InputError."""
        below: dict[str, str] = {}
        if self.file is not None:
            below = self._answers(self.file, book)
        elif self.look_beside and (found := beside(scenario)):
            below = self._beside(found, book)
        above: dict[str, str] = {}
        for question, answer in (parse_assumption(book, text) for text in self.assumed):
            if above.setdefault(question, answer) != answer:
                known = {"id": question, "answer": above[question], "other": answer}
                raise InputError([Fault(None, "ruling.assumed", known)])
        self.assumed_ids.update(above)
        self.standing.update(q for q in below if q not in above and q not in scenario.rulings)
        if not below and not above:
            return scenario
        return scenario._replace(rulings={**below, **scenario.rulings, **above})

    def _answers(self, file: str, book: Rulebook) -> dict[str, str]:
        key = (file, book.id)
        if key not in self._read:
            self._read[key] = read_rulings(file, book).answers
        return self._read[key]

    def _beside(self, file: str, book: Rulebook) -> dict[str, str]:
        """Give what a file found beside the scenario says; one for another rulebook says nothing here."""
        try:
            answers = self._answers(file, book)
        except InputError as error:
            if any(fault.code != "rulings.book" for fault in error.faults):
                raise
            answers = self._read[file, book.id] = {}
        if answers and file not in self.used:
            self.used.append(file)
        return answers


def beside(scenario: Scenario) -> str | None:
    """Give the rulings file in the folder of the scenario's file, where there is one."""
    if scenario.place is None or scenario.place.file.startswith("<"):
        return None
    file = os.path.join(os.path.dirname(scenario.place.file), RULINGS_FILE)
    return file if os.path.isfile(file) else None
