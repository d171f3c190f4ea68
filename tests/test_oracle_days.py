"""The core by day against an independent judge (at length: ``python -m tests.oracle.days``)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from oracle import days, mutants
from oracle.days import Book, Outcome, by_core, by_oracle, core_files

from mafia_asp.model import Action, Player, Scenario

SEATS = tuple(Player(name.upper(), name) for name in ("wolf", "bomber", "guard", "folk", "elder"))


def day(*acts: str) -> Scenario:
    """Return a day of everybody in SEATS: ``WOLF vote FOLK``, in round two with ``/2``."""
    told = []
    for act in acts:
        text, _, number = act.partition("/")
        actor, verb, *targets = text.split()
        told.append(Action(actor, verb, tuple(targets), {"round": int(number)} if number else {}))
    return Scenario("made_up", SEATS, "day", None, tuple(told))


def book(*rows: str, half_of: str = "alive", when: str = "voted_out") -> Book:
    return Book(frozenset(rows), half_of, when)


def found(book: Book, scenario: Scenario) -> dict[tuple[str, ...], Outcome]:
    """Return the outcomes by the answers, and require that both sides have the same."""
    oracle, core = by_oracle(book, scenario), by_core(core_files(), book, scenario)
    assert oracle is not None
    assert oracle == core, days.describe(core_files(), book, scenario)
    return {tuple(sorted(answer for _, answer in answers)): outcome for answers, outcome in oracle}


def test_more_than_half_leaves_and_the_vote_is_over() -> None:
    outcome = found(
        book(), day("WOLF vote FOLK", "BOMBER vote FOLK", "GUARD vote FOLK", "ELDER vote WOLF/2")
    )[()]
    assert outcome.dead == {"FOLK"}
    assert outcome.refused == {4}


def test_statements_on_the_first_vote_that_contradict_each_other_are_in_dispute() -> None:
    acts = day("WOLF vote FOLK", "BOMBER vote FOLK", "GUARD vote FOLK")
    outcomes = found(book("always_again"), acts)
    assert outcomes["t.half",].dead == {"FOLK"}
    assert outcomes["t.second",].defence == {"FOLK"}


def test_a_vote_of_double_weight_makes_more_than_half() -> None:
    acts = day("WOLF vote FOLK", "ELDER vote FOLK")
    assert found(book("again_below_half"), acts)[()].dead == set()
    assert found(book("again_below_half", "weight"), acts)[()].dead == {"FOLK"}


def test_in_a_second_vote_only_those_who_led_may_be_voted_for() -> None:
    acts = day("WOLF vote FOLK", "GUARD vote WOLF", "ELDER vote BOMBER/2", "ELDER vote WOLF/2")
    outcome = found(book("again_below_half", "only"), acts)[()]
    assert outcome.refused == {3}
    assert outcome.dead == {"WOLF"}


def test_whoever_is_voted_out_takes_another_along_unless_somebody_answers() -> None:
    acts = ["town vote_out BOMBER", "BOMBER explode FOLK"]
    assert found(book(), day(*acts))[()].dead == {"BOMBER", "FOLK"}
    assert found(book(), day(*acts, "GUARD protect FOLK"))[()].dead == {"BOMBER"}
    assert found(book(), day(*reversed(acts)))[()].refused == {1}


def test_a_ballot_for_a_round_that_is_past_ends_no_vote() -> None:
    outcome = found(book(), day("WOLF vote FOLK/2", "ELDER vote WOLF"))[()]
    assert outcome.dead == {"FOLK"}
    assert outcome.refused == {2}


def test_at_equal_numbers_two_statements_may_name_the_winner() -> None:
    seats = tuple(player for player in SEATS if player.role in ("wolf", "folk"))
    outcomes = found(book("until_fewer"), day()._replace(players=seats))
    assert outcomes["t.level",].winner == {"mafia"}
    assert outcomes["t.until",].winner == {"none"}


def test_judge_and_core_agree_on_random_days() -> None:
    report = days.run(35, 23)
    assert report.failures == []
    counts = report.counts
    assert counts["dead"] >= 20
    assert counts["refused"] >= 25
    assert counts["defence"] >= 8
    assert min(counts["open"], counts["disputes"], counts["explosions"]) >= 3


@pytest.fixture(scope="module")
def over() -> list[tuple[Book, Scenario, days.Found]]:
    """Days with what the judge says of them; those with little in them are passed over."""
    rng = random.Random(7)
    some: list[tuple[Book, Scenario, days.Found]] = []
    while len(some) < 40:
        drawn = days.random_book(rng), days.random_day(rng)
        oracle = by_oracle(*drawn)
        if oracle is not None and any(outcome.dead and outcome.refused for _, outcome in oracle):
            some.append((*drawn, oracle))
    return some


@pytest.mark.parametrize("head", ["left_before", "vote_over", "over_half", "holds_from", "behind"])
def test_a_core_without_some_rules_is_noticed(
    head: str, over: list[tuple[Book, Scenario, days.Found]], tmp_path: Path
) -> None:
    texts = mutants.rules(core_files())
    dropped = [text for text in texts if mutants.head(text) == head]
    assert dropped
    files = mutants.without(texts, dropped, tmp_path)
    assert any(by_core(files, some, scenario) != oracle for some, scenario, oracle in over)
