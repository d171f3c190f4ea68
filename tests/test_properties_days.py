"""What must not change a day: names, seats, those who have left, the order of ballots, idle words."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from random_days import ROLES, day
from test_properties import Change, Readings, readings, rotated, str_of, with_names

from mafia_asp.model import Action, Player, Scenario
from mafia_asp.verdict import decide

IDLE = frozenset({"Idle", "moderator"})
#: verbs that hang on how many play: by the count of votes, by half of the players
COUNTED = frozenset({"vote", "abstain", "extend", "tie", "defence"})
numbers = st.integers(0, 10**9)
few = settings(max_examples=7, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def small_day(number: int) -> Scenario:
    rng = random.Random(number)
    scenario = day(rng, rng.choice(sorted(ROLES)), players=7)
    # Whether a game is a small one is said, so that nothing hangs on how many seats there are.
    return scenario._replace(
        options={**scenario.options, "started_with": 12} if scenario.rulebook != "booklet" else {}
    )


def with_somebody_who_has_left(scenario: Scenario, rng: random.Random) -> Scenario:
    """Put somebody who has left the game before in some seat."""
    seat = rng.randrange(len(scenario.players) + 1)
    left = Player("Idle", "citizen", alive=False)
    return scenario._replace(players=(*scenario.players[:seat], left, *scenario.players[seat:]))


def with_ballots_swapped(scenario: Scenario, rng: random.Random) -> Scenario:
    """Let neighbouring ballots of one round, of two players, be told the other way round."""
    acts = list(scenario.actions)
    for n in range(len(acts) - 1):
        one, other = acts[n], acts[n + 1]
        alike = one.verb == other.verb == "vote" and one.extra == other.extra
        if alike and one.actor != other.actor and rng.random() < 0.7:
            acts[n], acts[n + 1] = other, one
    return scenario._replace(actions=tuple(acts))


def with_an_idle_word(scenario: Scenario, rng: random.Random) -> Scenario:
    """Let the moderator pass, of which no rule speaks, at some moment."""
    at = rng.randrange(len(scenario.actions) + 1)
    acts = scenario.actions
    return scenario._replace(actions=(*acts[:at], Action("moderator", "pass"), *acts[at:]))


CHANGES: list[Change] = [rotated, with_somebody_who_has_left, with_ballots_swapped, with_an_idle_word]
BY_NAME = [pytest.param(change, id=change.__name__) for change in CHANGES]


@pytest.mark.parametrize("change", BY_NAME)
@few
@seed(1)
@given(number=numbers)
def test_no_reading_changes(change: Change, number: int) -> None:
    scenario = small_day(number)
    other = change(scenario, random.Random(number))
    assert readings(scenario, without=IDLE) == readings(other, without=IDLE)


def outcomes(found: Readings | None) -> set[frozenset[str]] | None:
    """Return the distinct outcomes of a day, without who has won."""
    if found is None:
        return None
    return {frozenset(atom for atom in out if not atom.startswith("out(winner")) for _, out in found}


@few
@seed(2)
@given(number=numbers)
def test_an_idle_citizen_changes_at_most_who_has_won_where_no_heads_are_counted(number: int) -> None:
    scenario = small_day(number)
    acts = tuple(act for act in scenario.actions if act.verb not in COUNTED)
    # That the game is over as soon as the count says so is one way in which an idle citizen matters.
    pinned = {} if scenario.rulebook == "booklet" else {"ca.q.general.42": "after_effects"}
    less = scenario._replace(actions=acts, rulings=pinned)
    more = less._replace(players=(*less.players, Player("Idle", "citizen")))
    assert outcomes(readings(less, without=IDLE)) == outcomes(readings(more, without=IDLE))


@few
@given(number=numbers)
def test_names_do_not_matter(number: int) -> None:
    scenario = small_day(number)
    words = ["Zahra", "علی", "Ärger", "mafia boss", "p1", "nobody else", "Ali Reza", "q 7", "town crier"]
    chosen = random.Random(number).sample(words, len(scenario.players))
    names = {p.name: name for p, name in zip(scenario.players, chosen, strict=True)}
    before, after = decide(scenario), decide(with_names(scenario, names))
    for key in ("certain", "possible", "readings", "groups", "refused"):
        assert str_of(getattr(after, key)) == str_of(getattr(before, key), names)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (rotated, "out(dead,P) :- seat(P,1)."),
        (with_somebody_who_has_left, "out(many,N) :- N = #count{ P : player(P) }."),
        (with_ballots_swapped, "out(later,P) :- ballot(A,P,1), ballot(B,_,1), B < A."),
        (with_an_idle_word, "out(many,N) :- N = #count{ A : said(A,_,_) }."),
    ],
)
def test_a_rule_that_looks_at_what_must_not_matter_is_noticed(change: Change, rule: str) -> None:
    def differs(number: int) -> bool:
        scenario = small_day(number)
        other = change(scenario, random.Random(number))
        return scenario != other and readings(scenario, rule, IDLE) != readings(other, rule, IDLE)

    assert any(differs(number) for number in range(60))
