"""What must not change a night: names, the order in which it was told, where the seats begin, bystanders."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from random_nights import BOOK, Asked, night

from mafia_asp.facts import facts
from mafia_asp.model import Action, Player, Scenario
from mafia_asp.rulebook import Rulebook
from mafia_asp.verdict import decide

MOST = 400
#: the answers of a reading, and its outcome with players by name and acts by what they are
Readings = Counter[tuple[frozenset[tuple[str, str]], frozenset[str]]]
BOOKS = Rulebook.load(BOOK)
#: what is said of an act, by its number
OF_AN_ACT = re.compile(r"\b(answer|refused|upon|patient|dream)([(,])(\d+)\b")

few = settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
seeds = st.integers(0, 10**9)


def small_night(number: int) -> Scenario:
    return night(random.Random(number), players=9)


def readings(scenario: Scenario, text: str = "", without: frozenset[str] = frozenset()) -> Readings | None:
    """Return the readings of a night, or None where there are too many.

    Players' constants become names, numbers of acts become the n-th act of the actor; what is said of
    the players in `without` is left out.
    """
    book = BOOKS if scenario.rulebook == BOOK else Rulebook.load(scenario.rulebook)
    sets = Asked(scenario, book, text).sets(MOST, outcomes=True)
    if not sets.complete:
        return None
    names = facts(scenario).names
    told: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for number, action in enumerate(scenario.actions, 1):
        seen[action.actor] += 1
        told[str(number)] = f"{action.actor}.{seen[action.actor]}"

    def plain(atom: str) -> str:
        atom = re.sub(r"\bp\d+\b", lambda m: names[m[0]], atom)
        return OF_AN_ACT.sub(lambda m: f"{m[1]}{m[2]}{told[m[3]]}", atom)

    found: Readings = Counter()
    for picks, out in zip(sets.picks, sets.outs, strict=True):
        said = frozenset(
            atom for atom in map(plain, out) if not any(re.search(rf"\b{name}\b", atom) for name in without)
        )
        found[frozenset(picks.items()), said] += 1
    return found


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return data with every player's name replaced, in keys and in the midst of text too."""
    if isinstance(value, str):
        return re.sub(r"\bN\d+\b", lambda m: names.get(m[0], m[0]), value)
    if isinstance(value, dict):
        return {renamed(k, names): renamed(v, names) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [renamed(v, names) for v in value]
    return value


def with_names(scenario: Scenario, names: Mapping[str, str]) -> Scenario:
    def acts(told: tuple[Action, ...]) -> tuple[Action, ...]:
        return tuple(
            a._replace(actor=names.get(a.actor, a.actor), targets=tuple(names.get(t, t) for t in a.targets))
            for a in told
        )

    return scenario._replace(
        players=tuple(p._replace(name=names[p.name]) for p in scenario.players),
        actions=acts(scenario.actions),
        last_night=acts(scenario.last_night),
    )


def told_in_another_order(scenario: Scenario, rng: random.Random) -> Scenario:
    """Shuffle what was told; what one actor said stays in order."""

    def shuffled(acts: tuple[Action, ...]) -> tuple[Action, ...]:
        actors = [a.actor for a in acts]
        rng.shuffle(actors)
        queues = {actor: [a for a in acts if a.actor == actor] for actor in actors}
        return tuple(queues[actor].pop(0) for actor in actors)

    return scenario._replace(actions=shuffled(scenario.actions), last_night=shuffled(scenario.last_night))


def rotated(scenario: Scenario, rng: random.Random) -> Scenario:
    """Let the seats begin elsewhere."""
    start = rng.randrange(1, len(scenario.players))
    return scenario._replace(players=scenario.players[start:] + scenario.players[:start])


def with_bystander(scenario: Scenario, rng: random.Random) -> Scenario:
    """Put one more plain citizen, who does nothing, in the last seat."""
    return scenario._replace(players=(*scenario.players, Player("Idle", "citizen")))


def without_bystander(scenario: Scenario, rng: random.Random) -> Scenario:
    """Put the bystander in some other seat, so that those after it move up when it goes."""
    seat = rng.randrange(len(scenario.players))
    return scenario._replace(
        players=(*scenario.players[:seat], Player("Idle", "citizen"), *scenario.players[seat:])
    )


Change = Callable[[Scenario, random.Random], Scenario]
CHANGES: list[Change] = [told_in_another_order, rotated, with_bystander, without_bystander]
BY_NAME = [pytest.param(change, id=change.__name__) for change in CHANGES]


@pytest.mark.parametrize("change", BY_NAME)
@few
@seed(1)
@given(number=seeds)
def test_no_reading_changes(change: Change, number: int) -> None:
    scenario = small_night(number)
    other = change(scenario, random.Random(number))
    before, after = (readings(s, without=frozenset({"Idle"})) for s in (scenario, other))
    assert before == after


@few
@given(number=seeds)
def test_names_do_not_matter(number: int) -> None:
    scenario = small_night(number)
    words = [
        "Zahra",
        "علی",
        "Ärger",
        "mafia boss",
        "p1",
        "nobody else",
        "Ali Reza",
        "q 7",
        "دن",
        "town crier",
    ]
    chosen = random.Random(number).sample(words, len(scenario.players))
    names = {p.name: name for p, name in zip(scenario.players, chosen, strict=True)}
    before, after = decide(scenario), decide(with_names(scenario, names))
    for key in ("certain", "possible", "readings", "groups", "refused"):
        assert str_of(getattr(after, key)) == str_of(getattr(before, key), names)


def str_of(value: Any, names: Mapping[str, str] | None = None) -> str:
    """Return data as text, with players renamed; groups and refusals by their fields."""
    if hasattr(value, "_asdict"):
        return str({field: str_of(v, names) for field, v in value._asdict().items()})
    if isinstance(value, tuple):
        return str(sorted(str_of(v, names) for v in value))
    changed = renamed(value, names or {})
    return str(ordered(changed))


def ordered(value: Any) -> Any:
    """Sort what has no order of its own once names differ: announcements, what lots bring, and keys."""
    if isinstance(value, dict):
        return {k: sorted(v) if k == "announce" else ordered(v) for k, v in sorted(value.items(), key=str)}
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return sorted(map(ordered, value), key=str)
    return value


@pytest.mark.parametrize("change", BY_NAME)
@few
@given(number=seeds)
def test_no_verdict_changes(change: Change, number: int) -> None:
    scenario = small_night(number)
    other = change(scenario, random.Random(number))
    before, after = decide(scenario), decide(other)
    assert before.settled == after.settled
    assert {q.id for q in before.open} == {q.id for q in after.open}
    assert seen(before.certain) == seen(after.certain)
    assert before.truncated == after.truncated
    assert Counter(map(seen, before.readings or ())) == Counter(map(seen, after.readings or ()))


def seen(outcome: dict[str, Any]) -> str:
    """Return an outcome as text, without the bystander and without any order of seats."""

    def plain(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return sorted((k, plain(v, k)) for k, v in value.items() if k != "Idle")
        if isinstance(value, list):
            # Several answers to one asker come in the order told; lists of players have the order of seats.
            kept = [v for v in value if v != "Idle"]
            return kept if key != "calls" and set(kept) <= {"yes", "no", "none"} else sorted(map(str, kept))
        return value

    return str(plain(outcome))


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (told_in_another_order, "out(first_told,P) :- said(1,P,_)."),
        (told_in_another_order, "out(dead,T) :- aim(A,1,T), aim(B,1,nobody), A < B."),
        (rotated, "out(dead,P) :- seat(P,1)."),
        (with_bystander, "out(many,N) :- N = #count{ P : player(P) }."),
        (without_bystander, "out(next_to(P),Q) :- seat(P,N), seat(Q,N+1)."),
        (without_bystander, "{ pick(odd,(yes;no)) } = 1 :- #count{ P : player(P) } > 6."),
    ],
)
def test_a_rule_that_looks_at_what_must_not_matter_is_noticed(change: Change, rule: str) -> None:
    def differs(number: int) -> bool:
        scenario = small_night(number)
        other = change(scenario, random.Random(number))
        ignored = frozenset({"Idle"})
        return readings(scenario, rule, ignored) != readings(other, rule, ignored)

    assert any(differs(number) for number in range(30))
