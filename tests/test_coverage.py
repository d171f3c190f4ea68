"""Every rule is encoded, cited and used; every question is encoded and shown open."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from coverage_data import CATALOGUE, DATA, exceptions, operational, questions
from mutation import ROOT, all_scenarios, book_named, every_rule, statements

from mafia_asp.model import Scenario
from mafia_asp.rulebook import shipped

needs_catalogue = pytest.mark.skipif(not CATALOGUE, reason="no catalogue at hand")


def files() -> list[str]:
    return list(
        dict.fromkeys(os.fspath(file) for name in shipped() for file in book_named(name).text_files())
    )


def encoded() -> set[str]:
    return set(every_rule())


def asked() -> set[str]:
    """The questions that the encodings give answers for."""
    return {question for file in files() for s in statements(file) for question in s.questions}


def cited() -> set[str]:
    return {rule for scenario in all_scenarios() for rule in scenario.cites}


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def tool(name: str) -> Any:
    """Import one of the maintenance scripts."""
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        return __import__(name)
    finally:
        sys.path.pop(0)


def shows(scenario: Scenario, question: str, answers: Iterable[str]) -> bool:
    """Tell whether a scenario expects the question to be open, with each of these answers."""
    expected = scenario.expect or {}
    given = {str(reading.get("id")).lower() for reading in expected.get("readings") or ()}
    wanted = expected.get("open")
    return isinstance(wanted, list) and question in wanted and given >= {a.lower() for a in answers}


def test_rules_encoded_are_those_of_the_books() -> None:
    wanted = (operational() - exceptions("rules_not_encoded").keys()) | exceptions("rules_beside").keys()
    assert encoded() == wanted


def test_exceptions_apply() -> None:
    assert exceptions("rules_not_encoded").keys() <= operational()
    assert not exceptions("rules_not_encoded").keys() & encoded()
    assert not exceptions("rules_beside").keys() & operational()
    assert exceptions("unnoticed").keys() <= encoded()
    assert exceptions("questions_not_encoded").keys() <= questions()
    reasons = [exceptions(part) for part in ("rules_not_encoded", "rules_beside", "questions_not_encoded")]
    assert all(reason for part in reasons for reason in part.values())


def test_every_rule_has_statements() -> None:
    stated = {rule for file in files() for s in statements(file) for rule in (*s.names, s.block)}
    assert encoded() <= stated


def test_every_rule_is_cited() -> None:
    assert encoded() - cited() == set()


def test_questions_encoded_are_those_of_the_books() -> None:
    assert asked() == questions() - exceptions("questions_not_encoded").keys()


@pytest.mark.parametrize("question", sorted(questions() - exceptions("questions_not_encoded").keys()))
def test_question_is_shown_open_with_all_its_answers(question: str) -> None:
    book = next(book_named(name) for name in shipped() if question in book_named(name).questions)
    answers = book.questions[question].answers
    assert any(shows(scenario, question, answers) for scenario in all_scenarios())


def test_readings_that_arise_by_themselves_are_shown() -> None:
    derived = {
        str(q)
        for scenario in all_scenarios()
        for q in listed((scenario.expect or {}).get("open"))
        if isinstance(q, str) and ".q." not in q
    }
    kinds = {"~" if "~" in q else q.partition("(")[0] for q in derived}
    assert {"~", "circle"} <= kinds


@needs_catalogue
def test_tables_are_those_of_the_catalogue() -> None:
    for name, text in tool("rules_csv").tables(Path(str(CATALOGUE))).items():
        assert (DATA / name).read_text(encoding="utf-8") == text, f"write {name} again"


@needs_catalogue
def test_cases_are_those_of_the_catalogue() -> None:
    for (book, role), texts in tool("catalogue_cases").select(Path(str(CATALOGUE))).items():
        text = (ROOT / "scenarios" / book / f"{role}.yaml").read_text(encoding="utf-8")
        assert text == f"rulebook: {book}\nscenarios:\n" + "".join(texts), f"write {book}/{role}.yaml again"
