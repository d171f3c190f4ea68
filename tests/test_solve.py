"""A solver loses no answer set however often it is asked, and is freed as soon as it is not needed."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

from mafia_asp.facts import facts
from mafia_asp.model import Scenario
from mafia_asp.rulebook import Rulebook
from mafia_asp.solve import Ground, Limits
from mafia_asp.suite import Task, collect
from mafia_asp.verdict import program_of

FOLDER = Path(__file__).parent.parent / "scenarios" / "classic_advanced"
#: whose answer sets clingo loses when it is asked again, unless it is kept from it
LOST = ["ca.own.jackal.4", "ca.own.bomber_man.7", "ca.own.cult_leader.25"]


def scenario(name: str) -> Scenario:
    tasks = collect([str(FOLDER / f"own_{name.split('.')[2]}.yaml")])
    return next(task.scenario for task in tasks if isinstance(task, Task) and task.id == name)


def ground(name: str) -> Ground:
    night = scenario(name)
    return Ground(program_of(night, Rulebook.load(night.rulebook)), facts(night).text, to_be_ruled=True)


def answers(program: Ground) -> set[frozenset[tuple[str, str]]]:
    models, complete = program.models(Limits(60))
    assert complete
    return {frozenset(model.picks.items()) for model in models}


@pytest.mark.parametrize("name", LOST)
def test_asked_again_it_gives_the_same_answer_sets(name: str) -> None:
    program = ground(name)
    first = answers(program)
    assert len(first) > 4
    for _ in range(4):
        assert answers(program) == first
    question, answer = next(pick for picks in sorted(map(sorted, first)) for pick in picks)
    program.rule({question: answer})
    assert answers(program) == {picks for picks in first if dict(picks).get(question, answer) == answer}
    program.rule({})
    assert answers(program) == first


def test_a_solver_is_freed_without_a_search_for_garbage() -> None:
    gc.collect()
    gc.disable()
    try:
        program = ground(LOST[0])
        answers(program)
        control = weakref.ref(program.control)
        del program
        assert control() is None
    finally:
        gc.enable()
