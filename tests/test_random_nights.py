"""The answer sets of random nights on the whole of a rulebook (``random_nights.py`` does it at length)."""

from __future__ import annotations

import random

import pytest
from random_nights import BOOK, check, night, run

from mafia_asp.model import Action, Player, Scenario
from mafia_asp.rulebook import Rulebook

DRUGGED_SNIPER = Scenario(
    BOOK,
    (Player("N1", "sniper"), Player("N2", "bartender"), Player("N3", "doctor"), Player("N4", "killer")),
    "night",
    2,
    (
        Action("N1", "shoot", ("N4",)),
        Action("N2", "drug", ("N1",)),
        Action("N3", "save", ("N2",)),
        Action("N4", "shoot", ("N2",)),
    ),
)


#: a theft that names the Killer undoes, by his fall, the shot at the thief: two outcomes, were it not cut
ROUND_A_FALL = Scenario(
    BOOK,
    (
        Player("N1", "killer"),
        Player("N2", "vigilante"),
        Player("N3", "doctor"),
        Player("N4", "thief"),
        Player("N5", "don"),
    ),
    "night",
    2,
    (
        Action("N1", "shoot", ("N2",)),
        Action("N2", "shoot", ("N4",)),
        Action("N3", "save", ("N3",)),
        Action("N4", "steal", ("N3", "N1")),
    ),
)


#: nights in which a question has hung on its own answer
ROUNDABOUT = {
    "the Jailer holds one whose vote the Mafia need, and they shoot the Jailer": (
        (Player("N1", "jailer"), Player("N2", "undercover_police"), Player("N3", "don")),
        (Action("N1", "jail", ("N2",)), Action("mafia", "shoot", ("N1",), {"votes": ("N3",)})),
    ),
    "the victim is shot by votes that lack the Hooker's, whom a drink that the shot undoes lets be blocked": (
        (
            Player("N1", "bartender"),
            Player("N2", "guard"),
            Player("N3", "hooker"),
            Player("N4", "jailer"),
        ),
        (
            Action("N1", "drug", ("N2",)),
            Action("N2", "block", ("N3",)),
            Action("N3", "block", ("N4",)),
            Action("N4", "jail", ("N4",)),
            Action("mafia", "shoot", ("N1",), {"votes": ("N2",)}),
        ),
    ),
    "who has risen as a Zombie chooses the side on which nobody is infected": (
        (Player("N1", "jekyll_hyde", items=("infected",)), Player("N2", "zombie")),
        (Action("N1", "choose_side", ("mafia",)),),
    ),
    "a recruit whom a shot would turn by what the recruiting takes away": (
        (Player("N1", "cult_leader"), Player("N2", "turncoat")),
        (Action("N1", "recruit", ("N2",)), Action("mafia", "shoot", ("N2",))),
    ),
    "a shot that comes before a recruiting that undoes the shot at the one who shot": (
        (Player("N1", "vigilante"), Player("N2", "cult_leader"), Player("N3", "sniper")),
        (
            Action("N1", "shoot", ("N3",)),
            Action("N3", "shoot", ("N1",)),
            Action("N2", "recruit", ("N3",)),
        ),
    ),
}


def test_a_death_by_a_name_comes_round_to_no_second_outcome() -> None:
    assert check(ROUND_A_FALL, Rulebook.load(BOOK), 1000, random.Random(1)) == ("", True)


@pytest.mark.parametrize("case", ROUNDABOUT)
def test_no_question_hangs_on_its_own_answer(case: str) -> None:
    players, actions = ROUNDABOUT[case]
    scenario = Scenario(BOOK, players, "night", 2, actions)
    assert check(scenario, Rulebook.load(BOOK), 1000, random.Random(1)) == ("", True)


def test_nights_of_few_roles() -> None:
    assert run(15, 7, players=7, most=300, samples=1, few=5).failures == []


def test_every_assignment_has_one_answer_set_and_no_reading_is_lost() -> None:
    report = run(36, 2024, players=12, most=400, samples=2)
    assert report.failures == []
    assert report.counts["capped and sampled"] <= 6


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ("no answer set", "odd :- not odd."),
        ("several answer sets", "one :- not other. other :- not one."),
        ("expected", ':- pick("ca.q.sniper.1","dies").'),
        ("under some answers", ':- pick("ca.q.sniper.1","dies"), pick("ca.q.killer.6","dies").'),
        (
            "no common question",
            'reading(("q.1";"q.2"),("a";"b")). { one }. ask("q.1",x) :- one. ask("q.2",x) :- not one.',
        ),
    ],
)
def test_a_broken_rulebook_is_noticed(fault: str, text: str) -> None:
    book = Rulebook.load(BOOK)
    rng = random.Random(1)
    assert check(DRUGGED_SNIPER, book, 1000, rng)[0] == ""
    wrong, _ = check(DRUGGED_SNIPER, book, 1000, rng, text=text)
    assert fault in wrong


def test_capped_nights_are_sampled() -> None:
    book = Rulebook.load(BOOK)
    rng = random.Random(3)
    assert check(DRUGGED_SNIPER, book, 2, rng) == ("", False)
    broken = ':- pick("ca.q.sniper.1","dies").'
    assert any(check(DRUGGED_SNIPER, book, 1, rng, text=broken)[0] for _ in range(10))


def test_one_seed_makes_one_night() -> None:
    assert night(random.Random(5)) == night(random.Random(5))
    assert night(random.Random(5)) != night(random.Random(6))
