"""Every shipped scenario comes out as it expects."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from mutation import ROOT, SCENARIOS

from mafia_asp.expect import judge
from mafia_asp.model import Scenario, Verdict
from mafia_asp.rulebook import Rulebook
from mafia_asp.suite import Plan, Task, collect, decide_for_test, run_all
from mafia_asp.verdict import ScenarioDecider

#: one of so many scenarios with readings stands for all
EACH = 37
#: Files of whole games are no scenarios.
FILES = sorted(file for file in SCENARIOS.rglob("*.yaml") if file.parent.name != "games")


@pytest.mark.parametrize("file", FILES, ids=[str(file.relative_to(ROOT)) for file in FILES])
def test_scenarios_come_out_as_they_expect(file: Path) -> None:
    results = run_all(collect([str(file)]), Plan())
    assert results
    wrong = [result for result in results if result.outcome not in ("passed", "skipped")]
    assert not wrong, "\n".join(f"{r.id} (line {r.line}): {'; '.join(r.messages)}" for r in wrong)


def test_scenarios_of_the_books_all_expect_something() -> None:
    folders = [SCENARIOS / "classic_advanced", SCENARIOS / "booklet"]
    tasks = collect([str(folder) for folder in folders])
    assert [task.id for task in tasks if isinstance(task, Task) and task.scenario.expect is None] == []


def test_a_reading_is_decided_from_the_ground_program_of_its_night_as_by_itself() -> None:
    tasks = [task for task in collect([str(SCENARIOS)]) if isinstance(task, Task)]
    sample = [task.scenario for task in tasks if (task.scenario.expect or {}).get("readings")][::EACH]
    decided = 0

    def decide_both(scenario: Scenario) -> Verdict:
        nonlocal decided
        decided += 1
        verdict = decider(scenario)
        assert verdict == decide_for_test(scenario, Plan())._replace(scenario=verdict.scenario)
        return verdict

    for scenario in sample:
        decider = ScenarioDecider(scenario, Rulebook.load(scenario.rulebook))
        judge(scenario, decide_both(scenario), decide_both)
    assert decided > 2 * len(sample) > 20


def test_ids_are_unique() -> None:
    tasks = collect([str(SCENARIOS)])
    count = Counter(task.id for task in tasks if task.id)
    assert [id for id, n in count.items() if n > 1] == []
