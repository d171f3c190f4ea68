"""Test results as annotations, as SARIF and as Markdown, and several reports of one run."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from samples import sarif_schema

from mafia_asp import cli
from mafia_asp.render.github import results_github
from mafia_asp.render.results import results_markdown
from mafia_asp.render.sarif import results_sarif
from mafia_asp.suite import Result

CASES = """\
players: {Ali: don, Sara: doctor, Reza: sniper, Omid: citizen}
scenarios:
  - {id: right, actions: [{Ali: {shoot: Omid}}], expect: {dead: [Omid]}}
  - {id: wrong, actions: [{Ali: {shoot: Reza}}], expect: {dead: []}}
"""


def results() -> list[Result]:
    return [
        Result("a.yaml", 3, "one", "passed"),
        Result("a.yaml", 9, 'two <&" \x00', "failed", ("dead: expected [], got [Ali]",)),
        Result("b.yaml", 1, "three", "error", ("no",)),
        Result("b.yaml", 5, "four", "skipped", ("it expects nothing",)),
        Result("b.yaml", 7, "five", "limit", ("a limit was hit",)),
    ]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C")


def test_results_as_annotations() -> None:
    assert results_github(results()).splitlines() == [
        '::error file=a.yaml,line=9,title=failed%3A two <&" \x00::dead: expected [], got [Ali]',
        "::error file=b.yaml,line=1,title=error%3A three::no",
        "::warning file=b.yaml,line=7,title=limit%3A five::a limit was hit",
    ]
    odd = Result("a,b:c%\n::x.yaml", 2, "p\n::error::", "failed", ("one\n::error::", "50%"))
    (line,) = results_github([odd]).splitlines()
    properties = "file=a%2Cb%3Ac%25%0A%3A%3Ax.yaml,line=2,title=failed%3A p%0A%3A%3Aerror%3A%3A"
    assert line == f"::error {properties}::one%0A::error::%0A50%25"


def test_results_in_sarif() -> None:
    log = json.loads(results_sarif(results()))
    jsonschema.Draft4Validator(sarif_schema()).validate(log)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    failed, broken, unfinished = run["results"]
    assert [rules[found["ruleIndex"]] for found in run["results"]] == rules
    assert (failed["level"], broken["level"], unfinished["level"]) == ("error", "error", "warning")
    assert "expected [], got [Ali]" in failed["message"]["text"]
    at = failed["locations"][0]["physicalLocation"]
    assert (at["artifactLocation"]["uri"], at["region"]["startLine"]) == ("a.yaml", 9)
    # A limit leaves something unknown.
    assert run["invocations"] == [{"executionSuccessful": False}]
    assert json.loads(results_sarif(results()[:2]))["runs"][0]["invocations"] == [
        {"executionSuccessful": True}
    ]


def test_results_as_markdown() -> None:
    assert results_markdown(results()).splitlines() == [
        "## Scenarios",
        "",
        "**5 scenarios: 1 failed, 1 error, 1 limit, 1 skipped, 1 passed**",
        "",
        '- failed `two <&" \ufffd` (`a.yaml:9`)',
        "  - dead: expected \\[\\], got \\[Ali\\]",
        "- error `three` (`b.yaml:1`)",
        "  - no",
        "- limit `five` (`b.yaml:7`)",
        "  - a limit was hit",
        "- skipped 1: it expects nothing",
    ]


# --- several reports of one run -----------------------------------------------------------------------


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "cases.yaml"
    file.write_text(CASES, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "command", [["test", "cases.yaml"], ["check", "--roles", "don,doctor", "--phase", "setup"]]
)
def test_several_reports_of_one_run(
    cases: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    forms = {"json": "a.json", "sarif": "a.sarif", "junit": "a.xml", "markdown": "a.md", "github": "a.txt"}
    reports = [part for form, file in forms.items() for part in ("--report", f"{form}={file}")]
    status = cli.main([*command, *reports])
    assert capsys.readouterr().out
    for form, file in forms.items():
        assert cli.main([*command, "--format", form]) == status
        assert capsys.readouterr().out == Path(file).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("report", "told"),
    [
        ("sarf=a.sarif", "one of: text, json"),
        ("sarif", "FORMAT=FILE"),
        ("sarif=", "FORMAT=FILE"),
        ("sarif=-", "a file of its own"),
        ("json=nowhere/a.json", "nowhere/a.json"),
        ("json=cases.yaml", "would write over"),
    ],
)
def test_wrong_reports(cases: Path, capsys: pytest.CaptureFixture[str], report: str, told: str) -> None:
    assert cli.main(["test", "cases.yaml", "--report", report]) == 2
    assert told in capsys.readouterr().err
    assert cases.read_text(encoding="utf-8") == CASES


@pytest.mark.parametrize("options", [["--report", "json=./a"], ["-o", "a"]])
def test_two_reports_in_one_file(cases: Path, capsys: pytest.CaptureFixture[str], options: list[str]) -> None:
    assert cli.main(["test", "cases.yaml", "--report", "sarif=a", *options]) == 2
    assert "a file of its own" in capsys.readouterr().err
