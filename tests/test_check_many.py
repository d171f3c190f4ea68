"""Checks of many role sets: which are checked, and what is said of all of them together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from samples import sarif_schema

from mafia_asp import Rulebook, cli
from mafia_asp.batch import LocalEngine
from mafia_asp.check import Finding, Report
from mafia_asp.check.baseline import Accepted
from mafia_asp.check.many import Job, RoleSet, check_sets, distinct, marked, together, written
from mafia_asp.check.report import Wanted
from mafia_asp.commands.schema import FOLDER

BOOK = Rulebook.load("booklet")
SMALL, LARGE = (("don", 1), ("doctor", 1)), (("don", 1), ("sniper", 1), ("citizen", 2))
SETS = """\
# two role sets
don, doctor

don,sniper,citizen*2   # the larger one
doctor,don
"""


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C")


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    file = tmp_path / "sets.txt"
    file.write_text(SETS, encoding="utf-8")
    return file


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    status = cli.main([str(a) for a in args])
    out, err = capsys.readouterr()
    return status, out, err


def ids(findings: Any) -> set[str]:
    return {finding.identity for finding in findings}


# --- which role sets ------------------------------------------------------------------------------------


def test_equal_role_sets_are_checked_once() -> None:
    other = (SMALL[1], SMALL[0])
    found = distinct(
        [RoleSet(SMALL), RoleSet(LARGE, (LARGE,)), RoleSet(other, (SMALL,)), RoleSet(LARGE, (LARGE,))]
    )
    assert found == [RoleSet(SMALL, (SMALL,)), RoleSet(LARGE, (LARGE,))]


def test_a_role_set_as_it_is_written() -> None:
    assert [written(SMALL), written(LARGE)] == ["don,doctor", "don,sniper,citizen*2"]


# --- what is found --------------------------------------------------------------------------------------


def test_each_report_is_that_of_the_role_set_by_itself() -> None:
    job = Job("booklet", Wanted(("night", "setup")), {}, {})
    seen: list[tuple[int, int]] = []
    reports = check_sets(
        [RoleSet(SMALL), RoleSet(LARGE)], job, LocalEngine(1), lambda done, of: seen.append((done, of))
    )
    assert seen == [(0, 2), (1, 2), (2, 2)]
    for report, roles in zip(reports, (SMALL, LARGE), strict=True):
        alone = BOOK.check([r for r, n in roles for _ in range(n)], phases=["night", "setup"])
        assert report.roles == roles
        assert ids(report.findings) == ids(alone.findings)
    # In several processes the same.
    make_up = job._replace(wanted=Wanted(("setup",)))
    here, there = (check_sets([RoleSet(SMALL), RoleSet(LARGE)], make_up, LocalEngine(n)) for n in (1, 2))
    assert [ids(report.findings) for report in here] == [ids(report.findings) for report in there]
    assert any(ids(report.findings) for report in here)


def report(*findings: Finding, **more: Any) -> Report:
    return Report("booklet", SMALL, findings, **more)


def gap(id: str, **more: Any) -> Finding:
    return Finding("gap", id, **more)


def test_together_each_finding_is_told_once_with_where_it_was_found() -> None:
    whole = together([report(gap("a"), gap("b")), report(gap("b")), report(gap("c"), gap("b"))])
    assert [(f.id, f.sets) for f in whole.findings] == [("a", (1,)), ("b", ()), ("c", (3,))]
    assert whole.complete


def test_what_bears_anywhere_is_not_harmless() -> None:
    idle = gap("a", harmless=True)
    whole = together([report(gap("a")), report(harmless=(idle, gap("b", harmless=True)))])
    assert [f.id for f in whole.findings] == ["a"]
    assert [f.id for f in whole.harmless] == ["b"]


def test_what_was_not_looked_into_anywhere_is_not_settled() -> None:
    whole = together([report(gap("a"), undecided=("b",)), report(undecided=("a",), complete=False)])
    assert (whole.undecided, whole.complete) == (("b",), False)


def test_a_ruling_is_unused_only_where_it_is_so_everywhere() -> None:
    unused = Finding("unused-ruling", "q")
    assert together([report(unused), report()]).findings == ()
    assert [f.id for f in together([report(unused), report(unused)]).findings] == ["q"]


def test_what_is_accepted() -> None:
    accepted = Accepted("a.yaml", {"gap(a)": "why not", "gap(z)": "it was there"})
    reports = [report(gap("a"), gap("b")), report(gap("b"))]
    one, two = marked(reports, accepted)
    assert [f.accepted for f in one.findings] == ["why not", ""]
    assert [f.id for f in two.findings] == ["b"]
    whole = together(reports, accepted)
    assert [(f.kind, f.id) for f in whole.findings if not f.accepted] == [
        ("gap", "b"),
        ("unused-acceptance", "gap(z)"),
    ]


# --- the command ----------------------------------------------------------------------------------------

COMMAND = ("check", "--rulebook", "booklet", "--jobs", "1", "--phase", "night", "--phase", "setup")


def test_every_format(sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forms = ("json", "markdown", "junit", "github", "sarif")
    reports = [part for form in forms for part in ("--report", f"{form}={tmp_path / form}")]
    status, text, _err = run(capsys, *COMMAND, "--sets", sets, *reports)
    assert status == 1
    said = {form: (tmp_path / form).read_text(encoding="utf-8") for form in forms}
    assert text.startswith("2 role sets\n  1  don,doctor: ")
    assert "\n  2  don,sniper,citizen*2: " in text

    data = json.loads(said["json"])
    schema = json.loads((FOLDER / "findings.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(data)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate([{**data[0], "complete": "yes"}])
    found = [{f["identity"] for f in each["findings"]} for each in data]
    assert found[0] != found[1]

    suites = ET.fromstring(said["junit"]).findall("testsuite")
    assert [{c.get("name") for c in suite} for suite in suites] == found
    assert suites[1].get("name") == "mafia-asp check booklet: don,sniper,citizen*2"

    log = json.loads(said["sarif"])
    jsonschema.Draft4Validator(sarif_schema()).validate(log)
    (run_,) = log["runs"]
    assert {r["partialFingerprints"]["mafiaAspFinding/v1"] for r in run_["results"]} == found[0] | found[1]
    for result in run_["results"]:
        identity = result["partialFingerprints"]["mafiaAspFinding/v1"]
        where = [n for n, each in enumerate(found, 1) if identity in each]
        assert result["properties"].get("roleSets", [1, 2]) == where
        assert (f"In role set {where[0]}." in result["message"]["text"]) == (len(where) == 1)
    assert said["github"].count("\n") == len(found[0] | found[1])
    assert said["markdown"].startswith("## 2 role sets\n\n1. `don,doctor`: ")
    assert (
        text.count("In role set 2.") == said["markdown"].count("In role set 2.") == len(found[1] - found[0])
    )


def test_in_persian(sets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, *COMMAND, "--sets", sets, "--lang", "fa")[1]
    assert out.startswith("۲ ترکیب")
    assert "در ترکیب ۲." in out


def test_the_casts_of_scenarios(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text(
        "rulebook: booklet\nscenarios:\n"
        "  - {id: one, players: {Ali: don, Sara: doctor}}\n"
        "  - {id: two, players: {Reza: doctor, Mina: don}}\n"
        "  - {id: three, players: {Reza: doctor, Mina: don, Omid: {role: citizen, was: {role: sniper}}}}\n",
        encoding="utf-8",
    )
    out = run(capsys, *COMMAND[:-2], tmp_path, "--each", "--format", "json", "--exit-zero")[1]
    assert [each["roles"] for each in json.loads(out)] == [
        {"don": 1, "doctor": 1},
        {"doctor": 1, "don": 1, "citizen": 1},
    ]


def test_a_baseline(sets: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    baseline = tmp_path / "accepted.yaml"
    command = (*COMMAND[:-4], "--phase", "setup", "--sets", sets, "--baseline", baseline)
    assert run(capsys, *command, "--update-baseline")[0] == 0
    status, out, _err = run(capsys, *command)
    assert status == 0
    assert "No findings beside those that are accepted." in out
    assert json.loads(run(capsys, *command, "--format", "json")[1])[0]["counts"]["error"] == 0


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--sets", "sets.txt", "--roles", "don"], "--sets FILE"),
        (["--sets", "sets.txt", "--all-roles"], "--sets FILE"),
        (["--sets", "sets.txt", "--each"], "--sets FILE"),
        (["--each"], "--sets FILE"),
        (["--sets", "sets.txt", "--diff", "sets.txt"], "--diff"),
        (["--sets", "sets.txt", "-o", "sets.txt"], "would write over"),
        (["--sets", "nowhere.txt"], "There is no file nowhere.txt"),
        (["--sets", "empty.txt"], "No role set found"),
        (["--sets", "wrong.txt"], "wrong.txt:2: The rulebook booklet has no role snipper."),
        (["--sets", "wrong.txt"], "wrong.txt:4: don*x"),
        (["--roles", "don", "--jobs", "2"], "--sets or --each"),
    ],
)
def test_wrong_input(
    sets: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    args: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(sets.parent)
    Path("wrong.txt").write_text("don\ndon,snipper\n\ndon*x\n", encoding="utf-8")
    Path("empty.txt").write_text("# nothing\n", encoding="utf-8")
    status, out, err = run(capsys, "check", "--rulebook", "booklet", *args)
    assert (status, out) == (2, "")
    assert told in err
    assert sets.read_text(encoding="utf-8") == SETS
