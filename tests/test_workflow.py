"""What runs in other people's repositories: the action, and the hooks of pre-commit."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from workflow import ACTION, ROOT, Runner

HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}
CASES = """\
rulebook: booklet
players: {Ali: don, Sara: doctor, Omid: citizen}
scenarios:
  - {id: right, actions: [{Ali: {shoot: Omid}}], expect: {dead: [Omid]}}
  - {id: wrong, actions: [{Ali: {shoot: Omid}}], expect: {dead: []}}
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two scenarios, one of which fails, and two role sets."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("LC_ALL", "C")
    folder = tmp_path / "a repository"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "scenarios" / "cases.yaml").write_text(CASES, encoding="utf-8")
    (folder / "scenarios" / "rulings.yaml").write_text("rulebook: booklet\nrulings: {}\n", encoding="utf-8")
    (folder / "role_sets.txt").write_text("don,doctor\ndon,sniper,citizen\n", encoding="utf-8")
    return folder


@pytest.fixture
def command(tmp_path: Path) -> Path:
    """The command, as it stands in this tree."""
    file = tmp_path / "bin" / "mafia-asp"
    file.parent.mkdir()
    file.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m mafia_asp "$@"\n', encoding="utf-8")
    file.chmod(0o755)
    return file


# --- the action -----------------------------------------------------------------------------------------


def test_the_action_tests_and_checks(repository: Path, command: Path, tmp_path: Path) -> None:
    inputs = {"role-sets": "role_sets.txt", "rulebook": "booklet"}
    tested, checked = Runner(tmp_path, repository, command).run(inputs)
    assert (tested.name, tested.status) == ("Test scenarios", 1)
    assert "::error file=scenarios/cases.yaml,line=5,title=failed%3A wrong::dead: expected" in tested.out
    assert tested.summary.startswith("## Scenarios\n\n**2 scenarios: 1 failed, 1 passed**\n")
    # What failed before does not keep the role sets from being checked.
    assert (checked.name, checked.status) == ("Check role sets", 1)
    assert "::error file=encodings/booklet/" in checked.out
    assert checked.summary.startswith("## 2 role sets\n")
    reports = tmp_path / "reports"
    assert {path.name for path in reports.iterdir()} == {
        f"{part}.{form}" for part in ("tests", "check") for form in ("sarif", "xml", "md")
    }
    assert json.loads((reports / "check.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"


def test_the_action_passes_where_all_is_well(repository: Path, command: Path, tmp_path: Path) -> None:
    cases = repository / "scenarios" / "cases.yaml"
    cases.write_text(CASES.replace("dead: []", "dead: [Omid]"), encoding="utf-8")
    inputs = {"scenarios": "scenarios/cases.yaml\n\n", "rulings": "scenarios/rulings.yaml"}
    (tested,) = Runner(tmp_path, repository, command).run(inputs)
    assert (tested.status, tested.out) == (0, "")
    assert "**2 scenarios: 2 passed**" in tested.summary


def test_nothing_in_an_input_is_run(repository: Path, command: Path, tmp_path: Path) -> None:
    evil = '$(touch ran); touch ran; "; touch ran; `touch ran` --help'
    inputs = dict.fromkeys(("scenarios", "role-sets", "rulebook", "rulings", "baseline", "fail-on"), evil)
    ran = Runner(tmp_path, repository, command).run(inputs)
    assert [step.status for step in ran] == [2, 2]
    assert not (repository / "ran").exists()
    (tested,) = Runner(tmp_path / "bin", repository, command).run({"scenarios": "--help"})
    assert tested.status == 2
    assert "--help" in tested.out


def test_every_input_is_used_and_described() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    for name, about in ACTION["inputs"].items():
        assert about["description"]
        assert f"inputs.{name} " in text
    guide = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    assert [name for name in (*ACTION["inputs"], *HOOKS) if f"`{name}`" not in guide] == []


# --- the hooks of pre-commit ----------------------------------------------------------------------------


def hook(name: str, repository: Path, command: Path, *args: str) -> subprocess.CompletedProcess[str] | None:
    """Run a hook as pre-commit does on all files; None where no file concerns it."""
    about = HOOKS[name]
    every = (str(p.relative_to(repository)) for p in sorted(repository.rglob("*")) if p.is_file())
    fitting = [
        f for f in every if re.search(about["files"], f) and not re.search(about.get("exclude", "^$"), f)
    ]
    if not fitting:
        return None
    program, *rest = shlex.split(about["entry"])
    assert program == command.name
    files = fitting if about.get("pass_filenames", True) else []
    return subprocess.run(
        [str(command), *rest, *(args or about.get("args", ())), *files],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", ["mafia-asp-test", "mafia-asp-test-all"])
def test_the_hooks_that_test(name: str, repository: Path, command: Path) -> None:
    done = hook(name, repository, command)
    assert done is not None
    assert done.returncode == 1
    assert "failed wrong (scenarios/cases.yaml:5)" in done.stdout
    (repository / "scenarios" / "cases.yaml").write_text(CASES.replace("[]}", "[Omid]}"), encoding="utf-8")
    done = hook(name, repository, command)
    assert done is not None
    assert (done.returncode, done.stdout) == (0, "2 scenarios: 2 passed\n")


def test_the_hook_that_checks(repository: Path, command: Path) -> None:
    args = ("--sets", "role_sets.txt", "--rulebook", "booklet", "--phase", "night")
    done = hook("mafia-asp-check", repository, command, *args)
    assert done is not None
    assert done.returncode == 1
    assert "2 role sets" in done.stdout
    done = hook("mafia-asp-check", repository, command, *args, "--fail-on", "never")
    assert done is not None
    assert done.returncode == 0


def test_hooks_wait_for_what_concerns_them(tmp_path: Path, command: Path) -> None:
    (tmp_path / "README.md").write_text("nothing", encoding="utf-8")
    assert [hook(name, tmp_path, command) for name in HOOKS] == [None] * 3


def test_hooks_are_as_pre_commit_wants_them() -> None:
    for about in HOOKS.values():
        assert {"id", "name", "entry", "language"} <= set(about)
        assert about["language"] == "python"
        re.compile(about["files"])
