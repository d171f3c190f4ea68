"""Which questions an outcome hangs on: trees, groups, and large nights part by part."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from random_nights import night

from mafia_asp import Rulebook, decide
from mafia_asp.decision import Fork, Leaf, Tree, decision_tree, paths, questions_of
from mafia_asp.disjoint import Disjoint
from mafia_asp.model import Action, Player, Scenario, Verdict
from mafia_asp.resident import decide as resident
from mafia_asp.solve import Limits

BOOK = Rulebook.load("classic_advanced")


def grown(rng: random.Random, depth: int, names: Iterator[str]) -> Tree[int]:
    if depth == 0 or rng.random() < 0.2:
        return Leaf(rng.randrange(3))
    branches = [((answer,), grown(rng, depth - 1, names)) for answer in "xyz"[: rng.randint(2, 3)]]
    return Fork(next(names), tuple(branches))


def rows_of(tree: Tree[int]) -> list[tuple[dict[str, str], int]]:
    return list(paths(tree))


@pytest.mark.parametrize("seed", range(40))
def test_a_tree_says_what_its_rows_say(seed: int) -> None:
    rng = random.Random(seed)
    rows = rows_of(grown(rng, 4, (f"q{n}" for n in range(1000))))
    rng.shuffle(rows)
    tree = decision_tree(rows)
    for picks, outcome in rows:
        at: Tree[int] = tree
        while isinstance(at, Fork):
            question = at.question
            at = next(below for answers, below in at.branches if picks[question] in answers)
        assert at.outcome == outcome


def test_a_question_that_changes_nothing_is_left_out() -> None:
    rows = [({"a": a, "b": b}, a == "x") for a in "xy" for b in "12"]
    tree = decision_tree(rows)
    assert questions_of(tree) == ["a"]
    assert decision_tree([({"a": "x"}, 1), ({"a": "y"}, 1)]) == Leaf(1)


def test_rows_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="same answers differ"):
        decision_tree([({"a": "x"}, 1), ({"a": "x"}, 2)])


def outcomes(found: Verdict) -> Any:
    assert found.readings is not None
    # Who is called is told as one of the readings has it.
    said = [{k: v for k, v in each.items() if k != "calls"} for each in (found.certain, *found.readings)]
    return said, found.possible, [g.questions for g in found.groups]


@pytest.mark.parametrize("by_solver", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_part_by_part_is_the_same_as_listing(
    seed: int, by_solver: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = night(random.Random(seed), 9)
    listed = decide(scenario, book=BOOK, strict=True, limits=Limits(seconds=60, models=4000))
    if by_solver:
        monkeypatch.setattr(resident, "alone", lambda *_: None)
    apart = decide(scenario, book=BOOK, strict=True, limits=Limits(models=1))
    assert not apart.incomplete
    if listed.readings is None or apart.readings is None:
        assert {**listed.certain, "calls": []} == {**apart.certain, "calls": []}
        assert listed.possible == apart.possible
    else:
        assert outcomes(listed) == outcomes(apart)


def test_what_is_certain_stays_certain_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    from mafia_asp import components
    from mafia_asp.resident import parts

    nights = (night(random.Random(number), 12) for number in count())
    found = (decide(each, book=BOOK, strict=True, limits=Limits(models=1)) for each in nights)
    whole = next(each for each in found if not each.settled)
    monkeypatch.setattr(parts, "PART_LIMIT", 1)
    monkeypatch.setattr(components, "PART_LIMIT", 1)
    cut = decide(whole.scenario, book=BOOK, strict=True, limits=Limits(models=1))
    assert cut.incomplete
    assert not cut.settled
    assert cut.certain == whole.certain
    assert cut.possible == whole.possible


def test_beyond_the_limit_those_questions_are_named_that_some_reading_raises(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from mafia_asp import components

    roles = {
        "Ali": "don",
        "Sara": "natasha",
        "Reza": "serial_killer",
        "Mina": "cult_leader",
        "Omid": "citizen",
    }
    players = tuple(Player(name, role) for name, role in roles.items())
    scenario = Scenario(BOOK.id, players, phase="day", actions=(Action("town", "vote_out", ("Ali",)),))
    whole = decide(scenario, book=BOOK, strict=True, limits=Limits(models=4000))
    monkeypatch.setattr(resident, "alone", lambda *_: None)
    monkeypatch.setattr(components, "PART_LIMIT", 1)
    cut = decide(scenario, book=BOOK, strict=True, limits=Limits(models=1))
    assert cut.incomplete
    assert not whole.incomplete
    assert {question.id for question in cut.open} == {question.id for question in whole.open}


def test_things_in_disjoint_sets() -> None:
    sets: Disjoint[str] = Disjoint()
    sets.join()
    sets.join("a", "b")
    sets.join("c", "d", "c")
    assert sets.find("a") == sets.find("b") != sets.find("c")
    sets.join("d", "b")
    assert len({sets.find(each) for each in "abcd"}) == 1
    assert sets.find("e") == "e"


def test_a_convention_on_which_nothing_hangs_is_not_named() -> None:
    cast = {"A": "hooker", "B": "hooker", "D": "don", "E": "citizen"}
    idle = BOOK.night(cast, [("A", "block", "B"), ("B", "block", "A"), ("D", "shoot", "E")])
    assert idle.settled
    assert idle.conventions == ()
    bearing = BOOK.night(
        {"K": "killer", "S": "doctor", "D": "don", "E": "citizen"}, [("K", "shoot", "E"), ("S", "save", "E")]
    )
    assert [c for c, _, _ in bearing.conventions] == ["cv.save_holds"]


def test_a_question_that_only_some_rows_ask_stands_under_its_own_answer_and_none() -> None:
    rows = [({"a": "x"}, 1), ({"b": "x"}, 2), ({"b": "y"}, 3)]
    assert {(*sorted(picks.items()), outcome) for picks, outcome in paths(decision_tree(rows))} == {
        (("b", "-"), 1),
        (("b", "x"), 2),
        (("b", "y"), 3),
    }
