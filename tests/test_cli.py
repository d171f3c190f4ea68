"""The command line: what each command prints, and the status with which it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from samples import QUESTION, after, decider, opened, refused, settled

import mafia_asp
from mafia_asp import cli, expect, house, rulingfile, update, verdict
from mafia_asp.commands import common
from mafia_asp.files import write_atomically
from mafia_asp.model import Verdict

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "scenarios" / "examples"
DRUGGED = str(EXAMPLES / "drugged-sniper.yaml")
TEN = str(EXAMPLES / "ten-players.yaml")

NIGHT = """\
rulebook: classic_advanced
id: drugged-sniper
title: A drugged Sniper fires
night: 2
players: {Ali: don, Sara: sniper, Reza: doctor, Mina: bartender, Omid: citizen}
actions:
  - Ali: {shoot: Omid}
  - Mina: {drug: Sara}
  - Sara: {shoot: Ali}
  - Reza: {save: Omid}
"""


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C")


@pytest.fixture
def night(tmp_path: Path) -> Path:
    file = tmp_path / "night.yaml"
    file.write_text(NIGHT, encoding="utf-8")
    return file


@pytest.fixture
def decides(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give what makes every night end as a verdict made by hand."""

    def install(plain: Verdict, by_answer: dict[str, Verdict] | None = None) -> list[Any]:
        seen: list[Any] = []
        decide = decider(plain, by_answer)

        def decide_as_said(scenario: Any, **options: Any) -> Verdict:
            seen.append((scenario, options))
            found = decide(scenario)
            return Verdict(
                **{
                    **{f: getattr(found, f) for f in Verdict._fields},
                    "scenario": scenario,
                }
            )

        def decide_strictly(scenario: Any, **options: Any) -> Verdict:
            return decide_as_said(scenario._replace(conventions=False), strict=True, **options)

        monkeypatch.setattr(verdict, "decide", decide_as_said)
        monkeypatch.setattr(
            verdict, "ScenarioDecider", lambda _scenario, book: partial(decide_strictly, book=book)
        )
        return seen

    return install


def run(capsys: pytest.CaptureFixture[str], *args: Any) -> tuple[int, str, str]:
    status = cli.main([str(a) for a in args])
    out, err = capsys.readouterr()
    return status, out, err


# --- the whole ------------------------------------------------------------------------------------


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"mafia-asp {mafia_asp.__version__}\n", "")


@pytest.mark.parametrize("command", ["", *cli.COMMANDS])
def test_help_has_examples(capsys: pytest.CaptureFixture[str], command: str) -> None:
    status, out, _err = run(capsys, *command.split(), "--help")
    assert status == 0
    assert "Examples:" in out
    assert f"mafia-asp {command}".strip() in out


def test_the_overview_is_what_the_commands_say() -> None:
    for name in cli.COMMANDS:
        found = cli.LazyGroup().get_command(click.Context(cli.cli), name)
        assert found is not None
        assert found.name == name


def test_a_command_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    status, _out, err = run(capsys, "nihgt")
    assert status == 2
    assert "Did you mean 'night'?" in err


def test_the_public_surface() -> None:
    for name in mafia_asp.__all__:
        assert getattr(mafia_asp, name) is not None
    assert set(mafia_asp.__all__) <= set(dir(mafia_asp))
    with pytest.raises(AttributeError):
        mafia_asp.nothing  # noqa: B018


def test_starting_up_imports_nothing_heavy() -> None:
    code = "import sys, mafia_asp.cli, mafia_asp.commands.night; print(' '.join(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    heavy = {
        "networkx",
        "clingo",
        "yaml",
        "jsonschema",
        "importlib.metadata",
        "asyncio",
        "concurrent.futures",
    }
    assert heavy.isdisjoint(loaded)


# --- night ----------------------------------------------------------------------------------------


def test_a_settled_night(capsys: pytest.CaptureFixture[str], night: Path, decides: Any) -> None:
    decides(settled())
    status, out, err = run(capsys, "night", night)
    assert (status, err) == (0, "")
    assert "Settled." in out


def test_an_open_night(capsys: pytest.CaptureFixture[str], night: Path, decides: Any) -> None:
    decides(opened())
    assert run(capsys, "night", night)[0] == 1
    assert run(capsys, "night", night, "--exit-zero")[0] == 0


def test_a_refused_action(capsys: pytest.CaptureFixture[str], night: Path, decides: Any) -> None:
    decides(refused())
    assert run(capsys, "night", night)[0] == 1
    night.write_text(NIGHT + "expect: {cannot: {Ali: [save]}}\n", encoding="utf-8")
    assert run(capsys, "night", night)[0] == 0


def test_a_limit(capsys: pytest.CaptureFixture[str], night: Path, decides: Any) -> None:
    decides(settled(incomplete=True))
    assert run(capsys, "night", night, "--exit-zero")[0] == 3


def test_in_persian(capsys: pytest.CaptureFixture[str], night: Path, decides: Any) -> None:
    decides(settled())
    assert "تکلیف روشن است." in run(capsys, "night", night, "--lang", "fa")[1]


def test_language_of_the_environment(
    capsys: pytest.CaptureFixture[str], night: Path, decides: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    decides(settled())
    monkeypatch.setenv("LC_ALL", "fa_IR.UTF-8")
    assert "تکلیف روشن است." in run(capsys, "night", night)[1]


def test_json_of_one_and_of_several(capsys: pytest.CaptureFixture[str], night: Path, decides: Any) -> None:
    decides(settled())
    assert json.loads(run(capsys, "night", night, "--format", "json")[1])["settled"] is True
    assert len(json.loads(run(capsys, "night", night, night, "--format", "json")[1])) == 2


def test_markdown(capsys: pytest.CaptureFixture[str], night: Path, decides: Any) -> None:
    decides(opened())
    assert run(capsys, "night", night, "--format", "markdown")[1].startswith("## A drugged Sniper fires")


def test_narrowed_to_what_is_said(capsys: pytest.CaptureFixture[str], night: Path, decides: Any) -> None:
    decides(settled())
    assert run(capsys, "night", night, "--announce")[1] == "Omid is dead.\n"
    assert run(capsys, "night", night, "--for", "mina")[1] == "Mina: yes\n"
    title = "A drugged Sniper fires · night 2"
    assert run(capsys, "night", night, night, "--announce")[1].count(f"{title}\nOmid is dead.\n") == 2
    assert run(capsys, "night", night, "--announce", "--format", "markdown")[1] == "- Omid is dead.\n"
    out = run(capsys, "night", night, night, "--announce", "--format", "markdown")[1]
    assert out.count(f"## {title}\n\n- Omid is dead.\n") == 2
    data = json.loads(run(capsys, "night", night, "--announce", "--for", "Mina", "--format", "json")[1])
    assert (data["announce"], data["player"], data["answer"]) == (["dead: Omid"], "Mina", "yes")


def test_a_player_who_is_not_there(capsys: pytest.CaptureFixture[str], night: Path, decides: Any) -> None:
    decides(settled())
    status, _out, err = run(capsys, "night", night, "--for", "Saraa")
    assert status == 2
    assert "Saraa" in err
    assert "Sara" in err


def test_an_announcement_that_is_not_settled(
    capsys: pytest.CaptureFixture[str], night: Path, decides: Any
) -> None:
    base = opened()
    reading = base.groups[0].readings[0]
    group = type(base.groups[0])(
        (QUESTION,), (type(reading)(reading.rests_on, {"announce": ["dead: Sara"]}),)
    )
    decides(opened(groups=(group,)))
    assert "Not everything" in run(capsys, "night", night, "--announce")[2]


def test_conventions_and_strict(capsys: pytest.CaptureFixture[str], night: Path, decides: Any) -> None:
    seen = decides(settled())
    for flags in ([], ["--strict"], ["--conventions"]):
        run(capsys, "night", night, *flags)
    assert [(s.conventions, o["strict"]) for s, o in seen] == [(None, False), (False, True), (True, False)]
    assert run(capsys, "night", night, "--strict", "--conventions")[0] == 2


def test_without_a_file(capsys: pytest.CaptureFixture[str], decides: Any) -> None:
    seen = decides(settled())
    args = ["-p", "Ali=don, Sara=sniper", "-a", "Sara shoot Ali", "-a", "Ali shoot Sara", "-n", "3"]
    assert run(capsys, "night", *args)[0] == 0
    scenario = seen[0][0]
    assert scenario.number == 3
    assert [(a.actor, a.verb, a.targets) for a in scenario.actions] == [
        ("Sara", "shoot", ("Ali",)),
        ("Ali", "shoot", ("Sara",)),
    ]


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["x.yaml", "-p", "Ali=don"],
        ["x.yaml", "-a", "Ali shoot Sara"],
        ["x.yaml"],
        ["-p", "Ali=dno"],
        ["-p", "Ali=don", "-n", "0"],
        ["-p", "Ali=don", "--rulebook", "nothing"],
        ["-p", "Ali=don", "--rulings", "nothing.yaml"],
    ],
)
def test_wrong_input(capsys: pytest.CaptureFixture[str], args: list[str]) -> None:
    status, out, err = run(capsys, "night", *args)
    assert (status, out) == (2, "")
    assert err


def test_every_fault_of_every_file_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("a", "b"):
        text = NIGHT.replace("Sara: sniper", "Sara: snipper").replace("{save: Omid}", "{save: Omidd}")
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    status, out, err = run(capsys, "night", tmp_path / "a.yaml", tmp_path / "b.yaml")
    assert (status, out) == (2, "")
    for name in ("a", "b"):
        assert f"{name}.yaml:5:" in err
        assert f"{name}.yaml:10:" in err
    assert "sniper" in err


def test_a_day_is_no_night(capsys: pytest.CaptureFixture[str], night: Path) -> None:
    night.write_text(NIGHT.replace("night: 2", "phase: day\nday: 2"), encoding="utf-8")
    status, _out, err = run(capsys, "night", night)
    assert status == 2
    assert "night.yaml:1" in err
    assert "mafia-asp day" in err


def test_a_file_for_the_answer(capsys: pytest.CaptureFixture[str], night: Path, decides: Any) -> None:
    decides(settled())
    target = night.parent / "answer.txt"
    assert run(capsys, "night", night, "-o", target)[:2] == (0, "")
    assert "Settled." in target.read_text(encoding="utf-8")
    assert run(capsys, "night", night, "-o", night.parent / "no" / "answer.txt")[0] == 2


def test_the_width(capsys: pytest.CaptureFixture[str], night: Path, decides: Any) -> None:
    decides(settled())
    out = run(capsys, "night", night, "--width", "40")[1]
    assert max(map(len, out.splitlines())) <= 40


def test_standard_input(monkeypatch: pytest.MonkeyPatch, decides: Any) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mafia_asp", "night", "-", "--format", "json", "--exit-zero"],
        input=NIGHT.encode(),
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["id"] == "drugged-sniper"


# --- rulings --------------------------------------------------------------------------------------


def test_rulings_beside_the_scenario(capsys: pytest.CaptureFixture[str], night: Path, decides: Any) -> None:
    seen = decides(opened(), {"dies": after("dies"), "misses": after("misses")})
    beside = night.parent / "rulings.yaml"
    beside.write_text(f"rulebook: classic_advanced\nrulings: {{{QUESTION}: dies}}\n", encoding="utf-8")
    status, _out, err = run(capsys, "night", night)
    assert status == 0
    assert "Rulings from" in err
    assert run(capsys, "night", night, "--no-rulings")[0] == 1
    other = night.parent / "other.yaml"
    other.write_text(f"rulings: {{{QUESTION}: misses}}\n", encoding="utf-8")
    run(capsys, "night", night, "--rulings", other)
    run(capsys, "night", night, "--rulings", other, "--assume", f"{QUESTION}=dies")
    assert [s.rulings.get(QUESTION) for s, _o in seen] == ["dies", None, "misses", "dies"]


def test_the_scenario_goes_before_the_file(
    capsys: pytest.CaptureFixture[str], night: Path, decides: Any
) -> None:
    seen = decides(after("misses"))
    night.write_text(NIGHT + f"rulings: {{{QUESTION}: misses}}\n", encoding="utf-8")
    (night.parent / "rulings.yaml").write_text(f"rulings: {{{QUESTION}: dies}}\n", encoding="utf-8")
    run(capsys, "night", night)
    assert seen[0][0].rulings == {QUESTION: "misses"}


def test_rulings_for_another_rulebook_lie_beside(
    capsys: pytest.CaptureFixture[str], night: Path, decides: Any
) -> None:
    decides(opened())
    (night.parent / "rulings.yaml").write_text("rulebook: booklet\nrulings: {}\n", encoding="utf-8")
    status, _out, err = run(capsys, "night", night)
    assert (status, err) == (1, "")


@pytest.mark.parametrize("assumed", ["nothing", f"{QUESTION}=flies", "ca.q.nobody.1=dies"])
def test_a_wrong_assumption(capsys: pytest.CaptureFixture[str], night: Path, assumed: str) -> None:
    assert run(capsys, "night", night, "--assume", assumed)[0] == 2


@pytest.mark.parametrize(
    ("first", "status"),
    [
        ("ca.bartender.10~ca.sniper.16=ca.sniper.16", 2),
        ("ca.bartender.10~ca.sniper.16=ca.bartender.10", 0),
        (f"{QUESTION}=misses", 0),
        (f"{QUESTION}=dies", 2),
    ],
)
def test_rulings_that_contradict_each_other(
    capsys: pytest.CaptureFixture[str], first: str, status: int
) -> None:
    found, _out, err = run(capsys, "night", DRUGGED, "--assume", first, "--assume", f"{QUESTION}=misses")
    assert (found, len(err.splitlines())) == (status, int(status == 2))
    assert status == 0 or QUESTION in err


def settle(night: Path, answers: str, *args: str) -> Any:
    runner = CliRunner()
    command = cli.LazyGroup().get_command(click.Context(cli.cli), "night")
    assert command is not None
    return runner.invoke(command, [str(night), "--settle", *args], input=answers, standalone_mode=False)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import _NamedTextIOWrapper

    monkeypatch.setattr(_NamedTextIOWrapper, "isatty", lambda self: True, raising=False)


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(("typed", "chosen"), [("2\n", "misses"), ("dies\n", "dies"), ("x\n۱\n", "dies")])
def test_settling(night: Path, decides: Any, typed: str, chosen: str) -> None:
    decides(opened(), {"dies": after("dies"), "misses": after("misses")})
    done = settle(night, typed)
    assert done.exception is None
    assert done.return_value == 0
    written = (night.parent / "rulings.yaml").read_text(encoding="utf-8")
    assert written.endswith(f"rulebook: classic_advanced\nrulings:\n  {QUESTION}: {chosen}\n")


@pytest.mark.usefixtures("terminal")
def test_settling_into_a_file_that_is_named(night: Path, decides: Any) -> None:
    decides(opened(), {"dies": after("dies"), "misses": after("misses")})
    target = night.parent / "ours.yaml"
    assert settle(night, "1\n", "--rulings", str(target)).return_value == 0
    assert f"  {QUESTION}: dies\n" in target.read_text(encoding="utf-8")
    assert not (night.parent / "rulings.yaml").exists()


@pytest.mark.usefixtures("terminal")
def test_passing_leaves_it_open(night: Path, decides: Any) -> None:
    decides(opened())
    assert settle(night, "\n").return_value == 1
    assert not (night.parent / "rulings.yaml").exists()


@pytest.mark.usefixtures("terminal")
def test_settling_says_what_may_be_typed(night: Path, decides: Any) -> None:
    decides(opened(), {"dies": after("dies"), "misses": after("misses")})
    done = settle(night, "9\n\n", "--width", "40")
    assert "Type a number from 1 to 2, or one of\ndies, misses; nothing passes." in done.stderr
    done = settle(night, "9\n\n", "--lang", "fa")
    assert "خالی = فعلاً بی‌جواب" in done.stderr
    assert "Error" not in done.stderr


def test_settling_without_rulings(capsys: pytest.CaptureFixture[str], night: Path) -> None:
    status, _out, err = run(capsys, "night", night, "--settle", "--no-rulings")
    assert status == 2
    assert "--no-rulings" in err


def test_rulings_are_told_by_where_they_come_from(
    capsys: pytest.CaptureFixture[str], night: Path, decides: Any
) -> None:
    decides(settled(rulings=((QUESTION, "dies"),), unused_rulings=("ca.q.don.2", "ca.q.spy.7")))
    beside = night.parent / "rulings.yaml"
    beside.write_text("rulings: {ca.q.don.2: still_no}\n", encoding="utf-8")
    assert "Your table's ruling: ca.q.sniper.1" in run(capsys, "night", night)[1]
    out = run(capsys, "night", night, "--assume", f"{QUESTION}=dies")[1]
    assert f"Assumed for this time: {QUESTION}: dies" in out
    # What lies in the file for other nights is not mentioned; what was said for this one is.
    assert "nothing here asks for: ca.q.spy.7\n" in out


def test_settling_needs_a_terminal(capsys: pytest.CaptureFixture[str], night: Path) -> None:
    assert run(capsys, "night", night, "--settle")[0] == 2


RULINGS = """\
# Our table.
rulebook: classic_advanced
rulings:
  ca.q.don.2: spares   # after a long evening
  # one more
  ca.q.spy.7: "not"
# the end
"""


def test_a_ruling_is_added_and_comments_stay() -> None:
    after = rulingfile.with_ruling(RULINGS, QUESTION, "dies")
    lines = after.splitlines()
    assert [line for line in lines if line.strip() != f"{QUESTION}: dies"] == RULINGS.splitlines()
    assert lines[-2] == f"  {QUESTION}: dies"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("", 'rulings:\n  "a(b)": x\n'),
        ("rulebook: r\n", 'rulebook: r\nrulings:\n  "a(b)": x\n'),
        ("rulings:\nrulebook: r\n", 'rulings:\n  "a(b)": x\nrulebook: r\n'),
        ("rulings: {}\n", 'rulings: {"a(b)": x}\n'),
        ("rulings: {c: d}", 'rulings: {c: d, "a(b)": x}\n'),
        ("rulings: {c: d} # e\n", 'rulings: {c: d, "a(b)": x} # e\n'),
        ("rulings:\n    c: d", 'rulings:\n    c: d\n    "a(b)": x\n'),
    ],
)
def test_however_the_file_is_written(before: str, expected: str) -> None:
    assert rulingfile.with_ruling(before, "a(b)", "x") == expected


@pytest.mark.parametrize(
    "before", ["rulings: word\n", "[a]\n", "{rulings: {}}\n", "rulings: {c: d\n", "rulings: {q: a}\n"]
)
def test_a_file_that_is_left_alone(before: str) -> None:
    with pytest.raises(rulingfile.UnsafeEditError):
        rulingfile.with_ruling(before, "q", "x")


def test_rulings_beside_what_has_no_folder() -> None:
    from samples import scenario

    assert house.beside(scenario(place=None)) is None


# --- test -----------------------------------------------------------------------------------------


SUITE = """\
rulebook: classic_advanced
players: {Ali: don, Sara: doctor, Reza: citizen, Mina: citizen}
scenarios:
  - id: right
    actions: [{Ali: {shoot: Reza}}]
    expect: {dead: [Omid]}
  - id: wrong
    actions: [{Ali: {shoot: Reza}}]
    expect: {dead: []}  # nobody
  - id: silent
    actions: [{Ali: {shoot: Reza}}]
  - id: tomorrow
    phase: day
    actions: []
    expect: {dead: [Omid]}
  - id: broken
    actions: [{Ali: {shoot: Rezaa}}]
    expect: {dead: []}
"""


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    file = tmp_path / "cases.yaml"
    file.write_text(SUITE.replace("Mina: citizen", "Omid: citizen"), encoding="utf-8")
    return file


def test_a_suite(capsys: pytest.CaptureFixture[str], cases: Path, decides: Any) -> None:
    decides(settled())
    status, out, _err = run(capsys, "test", cases.parent, "--width", "200")
    assert status == 2
    assert "failed wrong" in out
    assert "dead: expected [], got [Omid]" in out
    assert "error broken" in out
    assert "Rezaa" in out
    assert "skipped 1: it expects nothing" in out
    assert out.endswith("5 scenarios: 1 failed, 1 error, 1 skipped, 2 passed\n")


def test_only_some(capsys: pytest.CaptureFixture[str], cases: Path, decides: Any) -> None:
    decides(settled())
    assert run(capsys, "test", cases, "-k", "RIGHT")[:2] == (0, "1 scenario: 1 passed\n")
    assert run(capsys, "test", cases, "-k", "nothing")[0] == 2
    assert run(capsys, "test", cases, "-k", "wrong")[0] == 1
    assert run(capsys, "test", cases, "-k", "wrong", "--exit-zero")[0] == 0


def test_stopping_at_the_first_failure(capsys: pytest.CaptureFixture[str], cases: Path, decides: Any) -> None:
    decides(settled())
    out = run(capsys, "test", cases, "--fail-fast")[1]
    assert out.endswith("2 scenarios: 1 failed, 1 passed\n")


def test_results_as_data(capsys: pytest.CaptureFixture[str], cases: Path, decides: Any) -> None:
    decides(settled())
    data = json.loads(run(capsys, "test", cases, "--format", "json")[1])
    assert data["counts"] == {"passed": 2, "skipped": 1, "limit": 0, "error": 1, "failed": 1}
    assert [r["id"] for r in data["results"]] == ["right", "wrong", "silent", "tomorrow", "broken"]
    assert run(capsys, "test", cases, "--format", "junit")[1].startswith("<?xml")


def test_conventions_are_off(capsys: pytest.CaptureFixture[str], cases: Path, decides: Any) -> None:
    seen = decides(settled())
    run(capsys, "test", cases, "-k", "right")
    run(capsys, "test", cases, "-k", "right", "--conventions")
    assert [(s.conventions, o["strict"]) for s, o in seen] == [(False, True), (True, False)]


def test_a_fault_of_ours_ends_one_scenario_only(
    capsys: pytest.CaptureFixture[str], cases: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*args: Any, **options: Any) -> Verdict:
        raise RuntimeError("a bug")

    monkeypatch.setattr(verdict, "ScenarioDecider", break_down)
    status, out, _err = run(capsys, "test", cases)
    assert status == 2
    assert "RuntimeError: a bug" in out


def test_paths_without_scenarios(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, "test", tmp_path)[0] == 2
    assert run(capsys, "test", tmp_path / "nothing")[0] == 2


def test_in_parallel_the_same_to_the_byte(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mafia_asp", "test", str(EXAMPLES), str(tmp_path), "--format", "json"]
    for number in range(3):
        (tmp_path / f"{number}.yaml").write_text(NIGHT + "expect: {dead: [Mina]}\n", encoding="utf-8")
    outputs = set()
    for jobs, seed in (("1", "1"), ("2", "2"), ("3", "3")):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [*command, "--jobs", jobs], capture_output=True, cwd=ROOT, env=environment, check=False
        )
        assert done.returncode in (0, 1), done.stderr
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_coverage(capsys: pytest.CaptureFixture[str], cases: Path, decides: Any) -> None:
    decides(settled())
    text = cases.read_text(encoding="utf-8").replace("- id: right", "- id: right\n    cites: [ca.don.9]")
    cases.write_text(text, encoding="utf-8")
    data = json.loads(run(capsys, "test", cases, "-k", "right", "--coverage", "--format", "json")[1])
    (book,) = data["coverage"]
    assert "ca.don.9" in book["both"] + book["cited_only"]
    assert "Rules of classic_advanced" in run(capsys, "test", cases, "-k", "right", "--coverage")[1]


# --- rewriting expectations -----------------------------------------------------------------------


def test_rewriting_what_fails(capsys: pytest.CaptureFixture[str], cases: Path, decides: Any) -> None:
    decides(settled())
    before = cases.read_text(encoding="utf-8")
    status, out, err = run(capsys, "test", cases, "-k", "wrong", "--update")
    assert (status, out) == (0, "1 scenario: 1 passed\n")
    assert "Rewritten: wrong" in err
    assert cases.read_text(encoding="utf-8") == before.replace(
        "{dead: []}  # nobody", "{dead: [Omid]}  # nobody"
    )


def test_rewriting_what_is_open(capsys: pytest.CaptureFixture[str], night: Path, decides: Any) -> None:
    decides(opened(), {"dies": after("dies"), "misses": after("misses")})
    night.write_text(NIGHT + "expect:\n  dead: [Ali] # so?\n# the end\n", encoding="utf-8")
    assert run(capsys, "test", night, "--update")[0] == 0
    written = night.read_text(encoding="utf-8")
    assert written == NIGHT + (
        f"expect:\n  open: [{QUESTION}]\n"
        "  readings: [{id: dies, dead: [Sara]}, {id: misses, dead: []}] # so?\n# the end\n"
    )


@pytest.mark.parametrize(
    "expectation",
    [
        "expect:\n  dead: [Ali]  # why\n  saved: []\n",
        "expect: {open: true}\n",
        "expect: {dead: [Ali], because: [ca.don.9]}\n",
    ],
)
def test_what_is_not_rewritten(
    capsys: pytest.CaptureFixture[str], night: Path, decides: Any, expectation: str
) -> None:
    decides(settled())
    night.write_text(NIGHT + expectation, encoding="utf-8")
    status, _out, err = run(capsys, "test", night, "--update")
    assert status == 1
    assert "Left as it is" in err
    assert night.read_text(encoding="utf-8") == NIGHT + expectation


def test_json_is_not_rewritten(capsys: pytest.CaptureFixture[str], tmp_path: Path, decides: Any) -> None:
    decides(settled())
    file = tmp_path / "night.json"
    file.write_text(
        json.dumps({"players": {"Ali": "don", "Omid": "citizen"}, "actions": [], "expect": {"dead": []}})
    )
    assert "only YAML" in run(capsys, "test", file, "--update")[2]


def test_persian_expectations_are_rewritten(
    capsys: pytest.CaptureFixture[str], night: Path, decides: Any
) -> None:
    decides(settled(certain={"dead": ["علی"]}, readings=({"dead": ["علی"]},)))
    text = "players: {علی: دان, سارا: شهروند}\nactions: []\nexpect: {dead: [سارا]} # سارا\n"
    night.write_text(text, encoding="utf-8")
    assert run(capsys, "test", night, "--update")[0] == 0
    assert night.read_text(encoding="utf-8") == text.replace("[سارا]", "[علی]")


def test_an_update_changes_nothing_else() -> None:
    with pytest.raises(update.CannotUpdateError):
        update._check("a: 1\nexpect: {}\n", "a: 2\nexpect: {dead: []}\n", {"dead": []})


# --- roles, rules, schema, new --------------------------------------------------------------------


def test_roles(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = run(capsys, "roles")
    assert status == 0
    assert any(line.startswith("Doctor · ") for line in out.splitlines())
    data = json.loads(run(capsys, "roles", "--format", "json")[1])
    assert {"id": "doctor", "en": "Doctor", "fa": "دکتر"}.items() <= next(
        r for r in data["roles"] if r["id"] == "doctor"
    ).items()


@pytest.mark.parametrize("name", ["doctor", "Doctor", "دكتر", "پزشک"])
def test_a_role(capsys: pytest.CaptureFixture[str], name: str) -> None:
    status, out, _err = run(capsys, "roles", name)
    assert status == 0
    assert "ca.doctor.9 · 000:132" in out
    data = json.loads(run(capsys, "roles", name, "--format", "json")[1])
    assert data["id"] == "doctor"
    assert {"id", "source", "phase", "kind", "en", "fa"} == set(data["rules"][0])


def test_a_role_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    status, _out, err = run(capsys, "roles", "docter")
    assert status == 2
    assert "Doctor" in err or "doctor" in err


def test_rules(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "rules")[1]
    assert "ca.doctor.9" in out
    assert QUESTION in out
    assert "ca.doctor.9" in [
        r["id"] for r in json.loads(run(capsys, "rules", "--format", "json")[1])["rules"]
    ]


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_a_rule_a_question(capsys: pytest.CaptureFixture[str], lang: str) -> None:
    assert run(capsys, "rules", "ca.doctor.9", "--lang", lang)[1].startswith("ca.doctor.9 · 000:132\n")
    assert "ca.sniper.16" in run(capsys, "rules", QUESTION, "--lang", lang)[1]
    assert (
        json.loads(run(capsys, "rules", QUESTION, "--format", "json")[1])["question"]["answers"][0]["id"]
        == "dies"
    )
    assert "questions" in json.loads(run(capsys, "rules", "ca.sniper.16", "--format", "json")[1])["rule"]


def test_rules_stand_by_role_and_in_the_order_of_the_book(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "rules")[1].splitlines()
    assert lines.index("The game in general") < lines.index("Bartender") < lines.index("Doctor")
    numbers = [int(line.split()[0].rpartition(".")[2]) for line in lines if line.startswith("ca.general.")]
    assert numbers == sorted(numbers)
    assert "Conventions" in lines


def test_a_question_shows_its_rules_with_their_sources(capsys: pytest.CaptureFixture[str]) -> None:
    assert "ca.sniper.16 · 000:150\n" in run(capsys, "rules", QUESTION)[1]


def test_a_question_that_no_file_names(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = run(capsys, "rules", "circle( even, steal, block )")
    assert status == 0
    assert out.startswith("circle(even,block,steal)\n  These abilities chase each other")
    assert "  steal – steal goes first\n" in out
    assert "ca.don.9 · 000:200\n" in run(capsys, "rules", "ca.don.9~ca.doctor.4")[1]
    data = json.loads(run(capsys, "rules", "circle(odd,drug)", "--format", "json")[1])["question"]
    assert data["answers"][2] == {"id": "drug", "en": "drug goes first", "fa": "مست کردن مقدم است"}
    assert run(capsys, "rules", "circle(odd)")[0] == 2


def test_a_circle_for_which_the_book_has_words(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = run(capsys, "rules", "circle(even, steal, drug)")
    assert status == 0
    assert out.startswith("circle(even,drug,steal)")
    assert "ca.bartender.18 · 000:257" in out
    assert "Does the Bartender's coming first" in " ".join(out.split())


def test_a_role_among_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    status, _out, err = run(capsys, "rules", "Doctor")
    assert status == 2
    assert "'mafia-asp roles doctor'" in err


def test_a_slip_in_a_role_names_each_role_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "roles", "bartendr")[2].endswith("Did you mean bartender?\n")


def test_a_rule_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    status, _out, err = run(capsys, "rules", "ca.doctor.999")
    assert status == 2
    assert "ca.doctor." in err


def test_schemas(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _err = run(capsys, "schema", "scenario")
    assert status == 0
    assert json.loads(out)["$schema"]
    run(capsys, "schema", "scenario", "-o", tmp_path / "s.json")
    assert (tmp_path / "s.json").read_text(encoding="utf-8") == out
    assert "scenario\n" in run(capsys, "schema")[1]
    status, _out, err = run(capsys, "schema", "nothing")
    assert status == 2
    assert "scenario" in err


@pytest.mark.parametrize("kind", ["scenario", "rulings", "rulebook"])
def test_a_file_to_start_from(capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str) -> None:
    status, out, _err = run(capsys, "new", kind)
    assert status == 0
    assert "#" in out
    target = tmp_path / ("mine" if kind == "rulebook" else "mine.yaml")
    assert run(capsys, "new", kind, "-o", target)[0] == 0
    assert target.exists()
    status, _out, err = run(capsys, "new", kind, "-o", target)
    assert status == 2
    assert "exists, and is left as it is" in err


# --- completion, files, signals -------------------------------------------------------------------


def completions(complete: Any, incomplete: str, **params: Any) -> list[str]:
    ctx = click.Context(click.Command("x"))
    ctx.params = params
    return [item.value for item in complete(ctx, click.Option(["--x"]), incomplete)]


def test_completion() -> None:
    assert completions(common.complete_rulebook, "class") == ["classic_advanced", "class"]
    assert "doctor" in completions(common.complete_role, "doc")
    assert "ca.doctor.9" in completions(common.complete_rule, "ca.doctor.")
    assert QUESTION in completions(common.complete_rule, "ca.q.sn")
    assert f"{QUESTION}=" in completions(common.complete_ruling, "ca.q.sniper")
    assert completions(common.complete_ruling, f"{QUESTION}=") == [f"{QUESTION}=dies", f"{QUESTION}=misses"]


def test_completion_in_the_shell() -> None:
    environment = {
        **os.environ,
        "_MAFIA_ASP_COMPLETE": "bash_complete",
        "COMP_WORDS": "mafia-asp ni",
        "COMP_CWORD": "1",
    }
    code = "from mafia_asp.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["plain,night"]


def test_files_are_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.txt"
    write_atomically(file, "one")
    file.chmod(0o600)
    write_atomically(file, "two")
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("two", 0o600)

    def fail(*args: Any) -> None:
        raise OSError("full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="full"):
        write_atomically(file, "three")
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]
    assert file.read_text() == "two"


def test_interrupted(
    capsys: pytest.CaptureFixture[str], night: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*args: Any, **options: Any) -> Verdict:
        raise KeyboardInterrupt

    monkeypatch.setattr(verdict, "decide", interrupt)
    assert run(capsys, "night", night)[0] == 130


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_while_a_suite_runs(tmp_path: Path) -> None:
    for number in range(400):
        (tmp_path / f"{number}.yaml").write_text(NIGHT + "expect: {dead: [Mina]}\n", encoding="utf-8")
    command = [sys.executable, "-m", "mafia_asp", "test", str(tmp_path), "--jobs", "2"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        _out, err = process.communicate(timeout=30)
    assert process.returncode in (130, 1)
    assert b"Traceback" not in err


def test_a_reader_that_has_seen_enough() -> None:
    command = f"{sys.executable} -m mafia_asp rules | head -n 1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("where", [">/dev/full", ">&-"])
@pytest.mark.parametrize("command", ["rules ca.doctor.9", "new scenario", "schema", f"night {DRUGGED}"])
def test_an_output_that_takes_nothing(command: str, where: str) -> None:
    line = f"{sys.executable} -m mafia_asp {command} {where}"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "The answer cannot be printed" in done.stderr
    assert done.stderr.count("\n") == 1


def test_errors_keep_to_the_width(capsys: pytest.CaptureFixture[str]) -> None:
    status, _out, err = run(capsys, "night", "-p", "Ali=dno", "--width", "40")
    assert status == 2
    assert err.count("\n") > 1
    assert max(map(len, err.splitlines())) <= 40


# --- the real thing -------------------------------------------------------------------------------


def test_the_shipped_examples(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = run(capsys, "test", EXAMPLES)
    assert status == 0, out


def test_a_drugged_sniper(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = run(capsys, "night", DRUGGED)
    assert status == 1
    assert "dies → Sara dies" in out
    assert "misses → Sara lives" in out
    assert run(capsys, "night", DRUGGED, "--assume", f"{QUESTION}=dies")[0] == 0


def test_ten_players(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = run(capsys, "night", TEN)
    assert status == 0
    assert "Settled" in out


def test_known_keys_are_those_that_a_scenario_may_expect() -> None:
    from mafia_asp.expected import ABOUT, OUTCOME

    assert set(OUTCOME) == expect.KNOWN
    assert set(ABOUT) | {"id"} == expect.ABOUT_VERDICT
