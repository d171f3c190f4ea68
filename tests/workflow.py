"""Run the steps of action.yml as a runner would: each script in a bash, with its environment filled in.

``python -m tests.workflow`` runs the action whole, installation included, on the shipped examples.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


class Ran(NamedTuple):
    """What came of a step."""

    name: str
    status: int
    out: str
    summary: str


class Runner:
    """A runner with a folder of its own.

    Args:
        folder: where it may write.
        where: the repository that uses the action.
        command: a command that takes the place of the one that would be installed; None: it is installed.
    """

    def __init__(self, folder: Path, where: Path, command: Path | None = None) -> None:
        self.folder = folder
        self.where = where
        self.command = command

    def run(self, inputs: Mapping[str, str]) -> list[Ran]:
        """Run the steps whose conditions hold, to the end; a step that fails does not end the others."""
        given = {name: str(about.get("default", "")) for name, about in ACTION["inputs"].items()}
        assert set(inputs) <= set(given)
        values = {f"inputs.{name}": value for name, value in {**given, **inputs}.items()}
        values["github.action_path"] = str(ROOT)
        ran: list[Ran] = []
        for step in ACTION["runs"]["steps"]:
            if not _holds(step.get("if", "true"), values, failed=any(each.status for each in ran)):
                continue
            if step.get("id") == "install" and self.command is not None:
                reports = self.folder / "reports"
                reports.mkdir()
                outputs = {"command": str(self.command), "reports": str(reports)}
            else:
                done, outputs = self._step(step, values)
                ran.append(done)
                values[f"steps.{step.get('id')}.outcome"] = "failure" if done.status else "success"
            values |= {f"steps.{step.get('id')}.outputs.{key}": value for key, value in outputs.items()}
            if self.command is not None:
                values["steps.install.outcome"] = "success"
        return ran

    def _step(self, step: Mapping[str, Any], values: Mapping[str, str]) -> tuple[Ran, dict[str, str]]:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"], "what is filled into a script may be run"
        said, summary = self.folder / "said", self.folder / "summary"
        said.write_text("")
        summary.write_text("")
        environment = {
            **os.environ,
            **{key: _filled(value, values) for key, value in step["env"].items()},
            "RUNNER_TEMP": str(self.folder),
            "GITHUB_OUTPUT": str(said),
            "GITHUB_STEP_SUMMARY": str(summary),
        }
        done = subprocess.run(
            # As a runner calls it.
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.where,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        outputs = dict(line.split("=", 1) for line in said.read_text(encoding="utf-8").splitlines())
        text = summary.read_text(encoding="utf-8")
        return Ran(step["name"], done.returncode, done.stdout + done.stderr, text), outputs


def _filled(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\$\{\{ (\S+) \}\}", lambda found: values[found[1]], text)


def _holds(condition: str, values: Mapping[str, str], *, failed: bool) -> bool:
    """Tell whether a condition holds; of the language of conditions as much as the action uses."""
    parts = condition.removeprefix("${{").removesuffix("}}").strip().split(" && ")
    if "!cancelled()" not in parts and failed:
        return False
    for part in parts:
        if part in ("true", "!cancelled()"):
            continue
        name, sign, text = part.split(" ")
        same = values[name] == text.strip("'")
        if same != {"==": True, "!=": False}[sign]:
            return False
    return True


def main() -> int:
    """Run the action on the shipped examples, with everything that it installs."""
    with tempfile.TemporaryDirectory() as name:
        sets = Path(name, "role_sets.txt")
        sets.write_text("don,doctor,citizen\n", encoding="utf-8")
        inputs = {
            "scenarios": "scenarios/examples\nscenarios/booklet",
            "role-sets": str(sets),
            "rulebook": "booklet",
            "fail-on": "never",
            "python": sys.executable,
        }
        ran = Runner(Path(name), ROOT).run(inputs)
        for step in ran:
            print(f"{step.name}: {step.status}\n{step.out}{step.summary[:300]}")
        reports = sorted(path.name for path in Path(name, "mafia-asp-reports").iterdir())
        print("reports:", *reports)
    whole = len(ran) == len(ACTION["runs"]["steps"]) and len(reports) == 6
    return 0 if whole and not any(step.status for step in ran) else 1


if __name__ == "__main__":
    sys.exit(main())
