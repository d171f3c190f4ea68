"""A contradiction is found, not declared: without the names of the questions it comes up all the same."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import combinations

import clingo
import pytest
from coverage_data import exceptions, questions, rows
from mutation import all_scenarios, book_named
from strip import strip, stripped

from mafia_asp.facts import facts, question_id
from mafia_asp.model import Scenario
from mafia_asp.rulebook import shipped
from mafia_asp.solve import SETTINGS
from mafia_asp.verdict import program_of

CONTRADICTIONS = frozenset(
    row["id"]
    for row in rows("questions.csv")
    if row["kind"] == "contradiction"
    and row["id"] in questions() - exceptions("questions_not_encoded").keys()
)


def expecting(question: str) -> list[Scenario]:
    """The scenarios that expect a question to be open."""
    return [s for s in all_scenarios() if question in _listed((s.expect or {}).get("open"))]


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


@pytest.fixture(scope="module")
def nameless(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The files from which the names of all contradictions are taken out, and what stands in their place."""
    changed: dict[str, str] = {}
    for name in shipped():
        changed |= stripped(book_named(name), CONTRADICTIONS, tmp_path_factory.mktemp(name))
    return changed


def grounded(scenario: Scenario, changed: dict[str, str]) -> clingo.Control:
    """Ground a night by the encodings alone, without conventions."""
    control = clingo.Control(SETTINGS, logger=lambda code, message: None)
    for file in program_of(scenario, book_named(scenario.rulebook)).files:
        control.load(changed.get(file, file))
    control.add("base", [], facts(scenario).text)
    control.ground([("base", [])])
    return control


def disputes(control: clingo.Control) -> set[frozenset[str]]:
    """The rules of each dispute that comes up by itself under some answers to what else is open."""
    raised = [atom.symbol for atom in control.symbolic_atoms.by_signature("raised", 1)]
    return {
        frozenset(question_id(str(symbol.arguments[0])).split("~"))
        for symbol in raised
        if symbol.arguments[0].match("dispute", 1) and control.solve(assumptions=[(symbol, True)]).satisfiable
    }


@cache
def winners(question: str) -> dict[str, frozenset[str]]:
    """The rules that the encodings let prevail under each answer to a question."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    book = next(book for book in map(book_named, shipped()) if question in book.questions)
    control = clingo.Control(logger=lambda code, message: None)
    for file in book.text_files():
        control.load(file)
    control.ground([("base", [])])
    for atom in control.symbolic_atoms.by_signature("wins", 3):
        name, answer, rule = (each.string for each in atom.symbol.arguments)
        if name == question:
            found[answer].add(rule)
    return {answer: frozenset(rules) for answer, rules in found.items()}


def opposed(dispute: frozenset[str], question: str) -> bool:
    """Tell whether two rules of a dispute prevail under different answers to a question."""
    under = {rule: {x for x, rules in winners(question).items() if rule in rules} for rule in dispute}
    return any(under[a] and under[b] and under[a] != under[b] for a, b in combinations(dispute, 2))


@pytest.mark.parametrize("question", sorted(CONTRADICTIONS))
def test_a_contradiction_comes_up_without_its_name(question: str, nameless: dict[str, str]) -> None:
    scenario = expecting(question)[0]
    found = disputes(grounded(scenario, nameless))
    assert any(opposed(dispute, question) for dispute in found), f"{scenario.id}: only {found}"


TEXT = """\
%? own.q.1 | contradiction | own.1 own.2 «é»
% kind("own.q.1",contradiction).
kind("own.q.1",contradiction). kind("own.q.2",gap).
reading("own.q.1",("one.";"two % no comment")). helper("own.q.1").
ask("own.q.1",A) :- said(A,P,V),
                    not pick("own.q.2","x"). % why
ask("own.q.2",A) :- pick("own.q.1","one.").
together("own.q.1","two % no comment"). %* wins("own.q.1","x","own.1"). *% f("own.q.1").
wins(("own.q.1";"own.q.2"),"x","own.1"). fills("own.q.1";"own.q.1",x).
"""


def test_statements_about_a_question_are_taken_out() -> None:
    assert strip(TEXT, {"own.q.1"}) == (
        "%? own.q.1 | contradiction | own.1 own.2 «é»\n"
        '% kind("own.q.1",contradiction).\n'
        ' kind("own.q.2",gap).\n'
        ' helper("own.q.1").\n'
        "\n"
        " % why\n"
        'ask("own.q.2",A) :- pick("own.q.1","one.").\n'
        ' %* wins("own.q.1","x","own.1"). *% f("own.q.1").\n'
        'wins(("own.q.1";"own.q.2"),"x","own.1"). \n'
    )


def test_other_questions_stay() -> None:
    assert strip('kind("own.q.10",gap).\n', {"own.q.1"}) == 'kind("own.q.10",gap).\n'
