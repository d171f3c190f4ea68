"""What a scenario expects, held against what was decided."""

from __future__ import annotations

from typing import Any

import pytest
from samples import QUESTION, after, decider, opened, scenario, settled

from mafia_asp.expect import Failure, compare, mismatches, names_refusal, show, token
from mafia_asp.i18n import language
from mafia_asp.model import OpenQuestion, Outcome, Reason

OPEN = {
    "open": [QUESTION],
    "readings": [{"id": "dies", "dead": ["Sara"]}, {"id": "misses", "dead": []}],
}
BOTH = {"dies": after("dies"), "misses": after("misses")}


def judged(expect: dict[str, Any], verdict: Any, by_answer: Any = None) -> list[str]:
    found = compare(scenario(expect=expect), decider(verdict, by_answer))
    return [f.code for f in found]


@pytest.mark.parametrize(
    ("expected", "outcome"),
    [
        ({"dead": []}, {"dead": []}),
        ({"dead": ["Ali", "Sara"]}, {"dead": ["Sara", "Ali"]}),
        ({"saved": []}, {}),
        ({"calls": ["mafia", "doctor"]}, {"calls": ["mafia", "doctor"]}),
        ({"winner": "none"}, {}),
        ({"winner": ["mafia", "thief"]}, {"winner": ["thief", "mafia"]}),
        ({"illegal": "the citizens are too few"}, {"illegal": True}),
        ({"illegal": False}, {}),
        ({"announce": ["saved"]}, {"announce": ["dead: Ali", "saved"]}),
        ({"announce": [{"dead": "Ali"}]}, {"announce": ["dead: Ali"]}),
        ({"announce": ["dead: Ali or Sara"]}, {"announce": ["either: Ali Sara"]}),
        ({"unannounced": ["saved"]}, {"announce": ["dead: Ali"]}),
        ({"cannot": {"Ali": []}}, {"cannot": {}}),
        ({"cannot": {"Ali": ["shoot"]}}, {"cannot": {"Ali": ["shoot"], "Sara": ["save"]}}),
        ({"answers": {"Ali": "none"}}, {"answers": {}}),
        ({"answers": {"Ali": True}}, {"answers": {"Ali": "yes"}}),
        ({"answers": {"Ali": ["yes", "no"]}}, {"answers": {"Ali": ["yes", "no"]}}),
        ({"answers": {"Ali": ["Sara", "Reza"]}}, {"answers": {"Ali": ["Reza", "Sara"]}}),
        ({"answers": {"Ali": ["Sara"]}}, {"answers": {"Ali": "Sara"}}),
        ({"answers": {"Ali": []}}, {"answers": {"Ali": []}}),
        ({"answers": {"Ali": "yes"}}, {"answers": {"Ali": ["yes", "yes"]}}),
        ({"items": {"Ali": []}}, {"items": {}}),
        ({"items": {"Ali": ["gun", "oil"]}}, {"items": {"Ali": ["oil", "gun"]}}),
        ({"roles": {"Ali": "citizen"}}, {"roles": {"Ali": "citizen", "Sara": "don"}}),
        ({"counters": {"Ali": {"bullets": 0}}}, {"counters": {"Ali": {"bullets": 0, "saves": 2}}}),
        ({"wakes_together": [["Ali", "Sara"]]}, {"wakes_together": [["Sara", "Ali"]]}),
    ],
)
def test_an_outcome_that_is_as_expected(expected: dict[str, Any], outcome: dict[str, Any]) -> None:
    assert mismatches(expected, outcome, ["Ali", "Sara", "Reza"]) == []


@pytest.mark.parametrize(
    ("expected", "outcome", "keys"),
    [
        ({"dead": []}, {"dead": ["Ali"]}, ["dead"]),
        ({"dead": ["Ali"]}, {"dead": ["Ali", "Sara"]}, ["dead"]),
        ({"calls": ["mafia", "doctor"]}, {"calls": ["doctor", "mafia"]}, ["calls"]),
        ({"winner": "none"}, {"winner": "mafia"}, ["winner"]),
        ({"illegal": False}, {"illegal": True}, ["illegal"]),
        ({"announce": ["saved"]}, {"announce": ["dead: Ali"]}, ["announce"]),
        ({"unannounced": ["saved"]}, {"announce": ["saved"]}, ["unannounced"]),
        ({"cannot": {"Ali": []}}, {"cannot": {"Ali": ["shoot"]}}, ["cannot.Ali"]),
        (
            {"answers": {"Ali": "no", "Sara": "yes"}},
            {"answers": {"Ali": "yes"}},
            ["answers.Ali", "answers.Sara"],
        ),
        ({"answers": {"Ali": ["yes", "no"]}}, {"answers": {"Ali": ["no", "yes"]}}, ["answers.Ali"]),
        ({"answers": {"Ali": "yes"}}, {"answers": {"Ali": ["yes", "no"]}}, ["answers.Ali"]),
        ({"answers": {"Ali": []}}, {"answers": {}}, ["answers.Ali"]),
        ({"items": {"Ali": ["gun"]}}, {"items": {"Ali": ["gun", "oil"]}}, ["items.Ali"]),
        ({"counters": {"Ali": {"bullets": 0}}}, {"counters": {}}, ["counters.Ali.bullets"]),
    ],
)
def test_an_outcome_that_is_not(expected: dict[str, Any], outcome: dict[str, Any], keys: list[str]) -> None:
    assert [m.key for m in mismatches(expected, outcome, ["Ali", "Sara"])] == keys


def test_several_words_in_an_announcement() -> None:
    assert token({"role": "Mina citizen"}) == token("role: Mina citizen") == "role: mina citizen"


def test_settled_as_expected() -> None:
    assert judged({"dead": ["Omid"], "answers": {"Mina": "yes"}}, settled()) == []


def test_settled_otherwise() -> None:
    found = compare(scenario(expect={"dead": []}), decider(settled()))
    assert [str(f) for f in found] == ["dead: expected [], got [Omid]"]


def test_holds_in_some_readings_only() -> None:
    found = compare(scenario(expect={"dead": ["Sara"]}), decider(opened()))
    assert [f.code for f in found] == ["open_key"]
    assert QUESTION in str(found[0])


def test_what_is_open_elsewhere_does_not_matter() -> None:
    assert judged({"saved": ["Omid"]}, opened()) == []


def test_open_as_expected() -> None:
    assert judged(OPEN, opened(), BOTH) == []
    assert judged({"open": True}, opened()) == []


def test_open_with_keys_that_hold_everywhere() -> None:
    assert judged({**OPEN, "saved": ["Omid"]}, opened(), BOTH) == []
    assert judged({**OPEN, "saved": []}, opened(), BOTH) == ["differs"]


def test_not_open() -> None:
    assert "not_open" in judged({"open": ["ca.q.sniper.2"]}, opened())
    assert judged({"open": True}, settled()) == ["settled"]
    assert judged({"open": False}, opened()) == ["unsettled"]


def test_ids_of_questions_compare_without_spaces() -> None:
    derived = OpenQuestion("stops(save,shot(killer))", "gap", (), ("true", "false"))
    assert judged({"open": ["stops(save, shot(killer))"]}, opened(open=(derived,))) == []


def test_a_reading_is_missing_or_not_expected() -> None:
    one = {"open": [QUESTION], "readings": [{"id": "dies", "dead": ["Sara"]}]}
    assert judged(one, opened(), BOTH) == ["extra_reading"]
    three = {"open": [QUESTION], "readings": [*OPEN["readings"], {"dead": ["Ali"]}]}
    assert judged(three, opened(), BOTH) == ["no_reading"]


def test_readings_are_checked_under_their_own_answer() -> None:
    swapped = {
        "open": [QUESTION],
        "readings": [{"id": "dies", "dead": []}, {"id": "misses", "dead": ["Sara"]}],
    }
    assert judged(swapped, opened(), BOTH) == ["reading_differs", "reading_differs"]


def test_an_answer_that_no_open_question_has() -> None:
    wrong = {
        "open": [QUESTION],
        "readings": [{"id": "flies", "dead": ["Sara"]}, {"id": "misses", "dead": []}],
    }
    assert judged(wrong, opened(), BOTH) == ["unknown_answer"]


def test_answers_under_which_a_question_arises_are_fixed_with_it() -> None:
    nested = OpenQuestion(QUESTION, "gap", (), ("dies", "misses"), under={"ca.q.other.1": "a"})
    seen: list[dict[str, str]] = []

    def decide(asked: Any) -> Any:
        seen.append(asked.rulings)
        return BOTH.get(asked.rulings.get(QUESTION), opened(open=(nested,)))

    assert compare(scenario(expect=OPEN), decide) == []
    assert seen[1:] == [
        {"ca.q.other.1": "a", QUESTION: "dies"},
        {"ca.q.other.1": "a", QUESTION: "misses"},
    ]


def test_too_many_readings() -> None:
    many = opened(readings=None, truncated=True)
    assert judged({"saved": ["Omid"]}, many) == []
    assert judged({"dead": []}, many) == ["open_key"]
    assert "truncated" in judged(OPEN, many, BOTH)


def test_chance() -> None:
    drawn = settled(chance=({"dead": ["Ali"]}, {"dead": ["Omid"]}))
    assert judged({"chance": [{"dead": ["Omid"]}, {"dead": ["Ali"]}]}, drawn) == []
    assert judged({"chance": [{"dead": ["Omid"]}]}, drawn) == ["chance"]
    # A row may say, beside what a lot decides, what holds anyhow: here that Omid is dead.
    beside = settled(chance=({"announce": ["shooter: Omid"]}, {"announce": []}))
    rows = [{"dead": ["Omid"], "announce": ["shooter: Omid"]}, {"dead": ["Omid"]}]
    assert judged({"chance": rows}, beside) == []
    assert judged({"chance": [{"dead": ["Ali"]}]}, beside) == ["chance"]


def test_because() -> None:
    assert judged({"dead": ["Omid"], "because": ["ca.don.9"]}, settled()) == []
    assert judged({"dead": ["Omid"], "because": ["ca.don.10"]}, settled()) == ["because"]
    # Beside an open question it bears on some reading; in a reading, on that one.
    assert judged({**OPEN, "because": ["ca.doctor.4"]}, opened(), BOTH) == []
    by_answer = {
        "dies": opened(readings=BOTH["dies"].readings, because=(Reason("dead", ("Sara",), "ca.x.1"),))
    }
    there = {
        "open": [QUESTION],
        "readings": [{"id": "dies", "dead": ["Sara"], "because": ["ca.x.1"]}, {"dead": []}],
    }
    assert judged(there, opened(), by_answer) == []
    there["readings"][0]["because"] = ["ca.x.2"]  # type: ignore[index]
    assert judged(there, opened(), by_answer) == ["because"]


def test_nothing_to_compare() -> None:
    with pytest.raises(ValueError, match="expects nothing"):
        compare(scenario(expect=None), decider(settled()))
    assert judged({"deaad": []}, settled()) == ["unknown_key"]


def test_refusals_that_a_scenario_names() -> None:
    expected = {"cannot": {"Ali": ["save"]}}
    assert names_refusal(expected, "Ali", "save")
    assert names_refusal({"readings": [expected]}, "Ali", "save")
    assert not names_refusal(expected, "Ali", "shoot")
    assert not names_refusal(None, "Ali", "save")


def test_values_are_shown_as_a_file_writes_them() -> None:
    assert show({"Ali": ["yes", True], "Sara": None}) == "{Ali: [yes, true], Sara: none}"


def test_failures_speak_persian() -> None:
    with language("fa"):
        assert "انتظار" in str(Failure("differs", {"key": "dead", "expected": [], "got": ["Ali"]}))


def test_who_is_called_leaves_no_night_open_and_is_judged_by_its_own_answers() -> None:
    expect = {
        "open": [QUESTION],
        "readings": [{"id": "dies", "calls": ["don"]}, {"id": "misses", "calls": []}],
    }
    calls = {
        "dies": settled(certain={"calls": ["don"]}, readings=({"calls": ["don"]},)),
        "misses": settled(certain={"calls": []}, readings=({"calls": []},)),
    }
    assert judged(expect, settled(), calls) == []
    calls["misses"] = calls["dies"]
    assert judged(expect, settled(), calls) == ["reading_differs"]
    assert judged(expect, settled(), {"dies": settled(unused_rulings=(QUESTION,))}) == ["not_open"]


def test_a_choice_of_names_is_compared_as_it_is_given() -> None:
    got = Outcome(answers={"Mina": {"one_of": ["Ali", "Sara"]}})
    assert mismatches({"answers": {"Mina": {"one_of": ["sara", "Ali"]}}}, got, ["Ali", "Sara"]) == []
    for other in ({"one_of": ["Ali"]}, ["Ali", "Sara"], "Ali", "none"):
        assert mismatches({"answers": {"Mina": other}}, got, ["Ali", "Sara"]) != []
