"""Points of tables that no statement decides: their ids, rulings under them, and rows that settle them."""

from __future__ import annotations

from pathlib import Path

import clingo
import pytest

from mafia_asp.explain.show import text
from mafia_asp.facts import derived_kind, facts, question_id, question_term
from mafia_asp.guard import check_text
from mafia_asp.model import Verdict
from mafia_asp.rulebook import Rulebook
from mafia_asp.rulings import canonical
from mafia_asp.scenario import read_scenarios
from mafia_asp.verdict import program_of

EXAMPLES = Path(__file__).parent.parent / "scenarios" / "examples"

BOOK = Rulebook.load("classic_advanced")
POINTS = (
    "absorbs(save,shot(vigilante))",
    "answers_for(mafia,killer)",
    "counts_dead(any)",
    "counts_dead(spy,shoot)",
    "lasts(framed)",
    "moved_onto(killer)",
    "moves(invulnerable,immunity(invulnerable))",
    "moves(lawyer,shield,1)",
    "reads_as(rank,other)",
    "spent(inquiries)",
    "stands_apart(mafia)",
    "unfired(fall(killer))",
)
ROWS = (
    'absorbs("my.a.1",save,shot(a),shot(b),no).',
    'banned("my.a.1",a).',
    "bears_on(A,B) :- said(A,P,shoot), said(B,P,save).",
    'counts_dead("my.a.1",any,yes).',
    "cut_short(A) :- said(A,P,shoot), role(P,a).",
    'due(fall(a),P,fall("my.a.1",P),K) :- names(A,K,1), said(A,P,_), role(K,a).',
    'lapses_with("my.a.1",a,shoot,shot(b)).',
    'moves("my.a.1",a,shoot).',
    'spent("my.a.1",bullets,no).',
    'stands_apart("my.a.1",mafia,yes).',
)


@pytest.mark.parametrize("point", POINTS)
def test_the_id_of_a_point_is_read_and_written(point: str) -> None:
    term, answer = question_term(point, "true")
    assert (term, answer) == (f"gap({point})", '"true"')
    assert question_id(term) == point
    assert derived_kind(point) == "gap"
    assert canonical(BOOK, point.replace(",", " , "), None) == (point, ("true", "false"))


@pytest.mark.parametrize("row", ROWS)
def test_a_book_of_ones_own_may_have_the_row(row: str) -> None:
    assert check_text(row, "a.lp")


def frozen(rulings: dict[str, str]) -> Verdict:
    """A Lawyer with two names is robbed."""
    players = {"Ali": "lawyer", "Reza": "thief", "Sara": "citizen", "Mina": "mafia", "Omid": "detective"}
    acts = [("Ali", "shield", "Sara", "Mina"), ("Reza", "steal", "Ali", "Reza"), ("Omid", "inquire", "Mina")]
    fixed = {"ca.q.general.20": "group_kills"}
    return BOOK.night(players, acts, strict=True, rulings={**fixed, **rulings})


@pytest.mark.parametrize(
    ("first", "second", "dead", "shown"),
    [("true", "true", "Reza", "yes"), ("false", "true", "Sara", "yes"), ("true", "false", "Reza", "no")],
)
def test_rulings_on_points_decide_the_question_that_names_both(
    first: str, second: str, dead: str, shown: str
) -> None:
    points = {"moves(lawyer,shield,1)": first, "moves(lawyer,shield,2)": second}
    named = {
        ("true", "true"): "both_move",
        ("false", "true"): "cover_moves",
        ("true", "false"): "kill_moves",
    }
    for rulings in (points, {"ca.q.lawyer.3": named[first, second]}):
        night = frozen(rulings)
        assert "ca.q.lawyer.3" not in {question.id for question in night.open}
        assert night.certain["dead"] == [dead]
        assert [*night.certain["answers"].values()] == [shown]


def test_rulings_on_points_that_no_answer_keeps_leave_the_question_open() -> None:
    night = frozen({"moves(lawyer,shield,1)": "false", "moves(lawyer,shield,2)": "false"})
    assert "ca.q.lawyer.3" in {question.id for question in night.open}


def test_a_question_that_no_book_names_comes_up_by_its_point() -> None:
    players = {"Ali": "don", "Sara": "spy", "Reza": "doctor", "Mina": "citizen"}
    acts = [("Ali", "shoot", "Mina"), ("Sara", "shoot", "Mina"), ("Reza", "save", "Mina")]
    rulings = {"ca.q.spy.9": "saved", "ca.q.spy.11": "spy"}
    strict = BOOK.night(players, acts, strict=True, rulings=rulings)
    (asked,) = [q for q in strict.open if q.id == "absorbs(save,shot(spy))"]
    assert (asked.kind, asked.answers) == ("gap", ("false", "true"))
    assert BOOK.night(players, acts, rulings=rulings).certain["saved"] == ["Mina"]


def test_a_second_shot_is_explained_by_the_ruling_that_lets_it_through() -> None:
    players = {"Ali": "don", "Sara": "spy", "Reza": "doctor", "Mina": "citizen"}
    acts = [("Ali", "shoot", "Mina"), ("Sara", "shoot", "Mina"), ("Reza", "save", "Mina")]
    rulings = {"ca.q.spy.9": "saved", "ca.q.spy.11": "spy", "absorbs(save,shot(spy))": "false"}
    said = BOOK.night(players, acts, strict=True, rulings=rulings).why("Mina dies")
    why = text(said, "en", 100)
    assert "does not keep a second shot from Mina" in why
    assert '"absorbs(save,shot(spy))": false' in why
    assert "ca.q.spy.9" not in why


@pytest.mark.parametrize("night", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_disputes_that_cannot_be_are_not_named_beforehand(night: Path) -> None:
    """There are as many names as sets of rules on a slot: whatever lets all rules meet would be felt."""
    for scenario in read_scenarios(night):
        book = Rulebook.load(scenario.rulebook)
        control = clingo.Control(logger=lambda code, message: None)
        for file in program_of(scenario, book).files:
            control.load(file)
        control.add("base", [], facts(scenario).text)
        control.ground([("base", [])])
        assert len(list(control.symbolic_atoms.by_signature("named", 2))) < 100
