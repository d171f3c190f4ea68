"""Scenarios as tests of pytest."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mafia_asp.suite import Plan, collect, run_all

pytest_plugins = ["pytester"]

PLUGIN = ("-p", "mafia_asp.pytest_plugin", "--mafia")
CASES = """\
players: {Ali: don, Sara: doctor, Reza: sniper, Mina: bartender, Omid: citizen}
scenarios:
  - id: right
    title: A plain night
    actions: [{Ali: {shoot: Omid}}]
    expect: {dead: [Omid]}
  - id: wrong
    actions: [{Ali: {shoot: Reza}}]
    expect: {dead: []}
  - id: silent
    actions: [{Ali: {shoot: Reza}}]
  - id: broken
    actions: [{Ali: {shoot: Rezaa}}]
    expect: {dead: []}
"""
OPEN = """\
players: {Ali: don, Sara: sniper, Reza: doctor, Mina: bartender, Omid: citizen}
night: 2
id: drugged
actions: [{Mina: {drug: Sara}}, {Sara: {shoot: Ali}}]
expect: {dead: [Sara]}
"""
#: does a save hold against the Killer's shot? the book does not say
SAVED = """\
players: {Ali: don, Kian: killer, Reza: doctor, Omid: citizen}
night: 2
id: saved
actions: [{Kian: {shoot: Omid}}, {Reza: {save: Omid}}]
expect: {dead: []}
"""


@pytest.fixture(autouse=True, scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Load what a scenario needs: a run within this process drops with itself the modules that it loads."""
    file = tmp_path_factory.mktemp("loaded") / "cases.yaml"
    file.write_text(CASES, encoding="utf-8")
    assert len(run_all(collect([str(file)]), Plan())) == 4


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C")


@pytest.fixture
def cases(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makefile(".yaml", **{"nights/cases": CASES})
    return pytester


def test_one_item_a_scenario(cases: pytest.Pytester) -> None:
    done = cases.runpytest(*PLUGIN, "nights", "-v", "-rfs")
    done.assert_outcomes(passed=1, failed=2, skipped=1)
    done.stdout.fnmatch_lines(
        [
            "nights/cases.yaml::right PASSED*",
            "*__ wrong __*",
            "dead: expected [[]], got [[]Reza]",
            "nights/cases.yaml:7: failed",
            "*__ broken __*",
            "nights/cases.yaml:13:29: There is no player Rezaa. Did you mean Reza?",
            "nights/cases.yaml:12: error",
            "FAILED nights/cases.yaml::wrong - dead: expected [[]], got [[]Reza]",
            "SKIPPED * it expects nothing",
        ]
    )
    # What went wrong is in the scenario; the program's own lines are no help.
    assert "pytest_plugin" not in "\n".join(done.outlines[5:])


def test_nothing_is_collected_unless_asked_for(cases: pytest.Pytester) -> None:
    cases.makepyfile("def test_this(): pass")
    cases.runpytest("-p", "mafia_asp.pytest_plugin").assert_outcomes(passed=1)
    cases.runpytest(*PLUGIN).assert_outcomes(passed=2, failed=2, skipped=1)
    cases.runpytest(*PLUGIN, "-m", "not mafia").assert_outcomes(passed=1, deselected=4)


@pytest.mark.parametrize("chosen", [["nights/cases.yaml::right"], ["-k", "plain"], ["nights", "-k", "right"]])
def test_one_scenario_alone(cases: pytest.Pytester, chosen: list[str]) -> None:
    done = cases.runpytest(*PLUGIN, *chosen)
    assert done.parseoutcomes()["passed"] == 1
    assert not done.ret


def test_equal_ids_have_different_names(cases: pytest.Pytester) -> None:
    cases.makefile(".yaml", **{"nights/cases": CASES.replace("id: wrong", "id: right")})
    done = cases.runpytest(*PLUGIN, "--collect-only", "-q")
    done.stdout.fnmatch_lines(["nights/cases.yaml::right@3", "nights/cases.yaml::right@7"])


def test_which_files_of_a_folder_hold_scenarios(cases: pytest.Pytester) -> None:
    cases.makefile(".yaml", compose="services: {}\n")
    cases.makefile(".yaml", **{"nights/rulings": "rulebook: classic_advanced\nrulings: {}\n"})
    cases.runpytest(*PLUGIN).assert_outcomes(passed=1, failed=3, skipped=1)
    cases.makeini("[pytest]\nmafia_files = nights/*.yaml")
    cases.runpytest(*PLUGIN).assert_outcomes(passed=1, failed=2, skipped=1)
    # One that is named is read, whatever the patterns say.
    cases.runpytest(*PLUGIN, "compose.yaml").assert_outcomes(failed=1)


def test_rulings_of_the_table(pytester: pytest.Pytester) -> None:
    pytester.makefile(".yaml", drugged=OPEN)
    done = pytester.runpytest(*PLUGIN)
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*ca.q.sniper.1*"])
    ruled = "rulebook: classic_advanced\nrulings: {ca.q.sniper.1: dies}\n"
    pytester.makefile(".yaml", **{"table/own": ruled})
    pytester.runpytest(*PLUGIN, "drugged.yaml", "--mafia-rulings", "table/own.yaml").assert_outcomes(passed=1)
    pytester.makefile(".yaml", rulings=ruled)
    pytester.runpytest(*PLUGIN, "drugged.yaml").assert_outcomes(passed=1)
    pytester.runpytest(*PLUGIN, "drugged.yaml", "--mafia-no-rulings").assert_outcomes(failed=1)


def test_conventions_answer_only_where_they_may(pytester: pytest.Pytester) -> None:
    pytester.makefile(".yaml", night=SAVED)
    pytester.runpytest(*PLUGIN).assert_outcomes(failed=1)
    pytester.runpytest(*PLUGIN, "--mafia-conventions").assert_outcomes(passed=1)
    pytester.runpytest(*PLUGIN, "--mafia-strict").assert_outcomes(failed=1)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--mafia-strict", "--mafia-conventions"], "exclude each other"),
        (["--mafia-rulings", "nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_wrong_options(pytester: pytest.Pytester, options: list[str], told: str) -> None:
    done = pytester.runpytest(*PLUGIN, *options)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines([f"*{told}*"])


def test_in_several_processes(cases: pytest.Pytester) -> None:
    cases.runpytest_subprocess(*PLUGIN, "-n", "2").assert_outcomes(passed=1, failed=2, skipped=1)


def test_unused_it_costs_next_to_nothing() -> None:
    code = "import sys, pytest; before = set(sys.modules); import mafia_asp.pytest_plugin\n"
    code += "print(*sorted(m for m in set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = [name for name in done.stdout.split() if not name.endswith("contextvars")]
    assert loaded == ["mafia_asp", "mafia_asp.i18n", "mafia_asp.pytest_plugin"]
