"""Scenarios as tests of pytest: ``pytest --mafia scenarios/`` collects one item a scenario.

pytest imports this module in every run of an environment in which the package is installed, so next
to nothing else of the package is imported before ``--mafia`` asks for it.
"""

from __future__ import annotations

import os
from fnmatch import fnmatch
from typing import TYPE_CHECKING

import pytest

from .i18n import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .house import HouseRules
    from .suite import Plan, Result, Task

_HOUSE: pytest.StashKey[HouseRules] = pytest.StashKey()
_PLAN: pytest.StashKey[Plan] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--mafia`` and what ``mafia-asp test`` has beside it."""
    group = parser.getgroup("mafia", "scenarios of the party game Mafia (mafia_asp)")
    group.addoption(
        "--mafia",
        action="store_true",
        help="Collect scenarios (*.yaml, *.yml, *.json, *.jsonl), one item each.",
    )
    group.addoption(
        "--mafia-rulings", metavar="FILE", help="What the table decided; by default rulings.yaml beside each."
    )
    group.addoption("--mafia-no-rulings", action="store_true", help="Do not look for rulings.yaml.")
    group.addoption(
        "--mafia-conventions", action="store_true", help="Let conventions answer where the book is silent."
    )
    group.addoption(
        "--mafia-strict", action="store_true", help="No conventions, even where a scenario asks for them."
    )
    parser.addini(
        "mafia_files",
        "With --mafia: patterns of the files of a folder that hold scenarios, relative to the root; "
        "by default every file with a fitting ending.",
        type="args",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make ready what all scenarios share, where they are asked for."""
    config.addinivalue_line("markers", "mafia: a scenario of mafia_asp, collected with --mafia.")
    if not config.getoption("mafia"):
        return
    strict, conventions = config.getoption("mafia_strict"), config.getoption("mafia_conventions")
    if strict and conventions:
        raise pytest.UsageError("--mafia-strict and --mafia-conventions exclude each other.")
    rulings = config.getoption("mafia_rulings")
    if rulings and not os.path.isfile(rulings):
        raise pytest.UsageError(f"--mafia-rulings: there is no file {rulings}.")
    from .house import HouseRules
    from .i18n import environment_language
    from .suite import Plan

    config.stash[_HOUSE] = HouseRules(rulings, look_beside=not config.getoption("mafia_no_rulings"))
    config.stash[_PLAN] = Plan(environment_language(), True if conventions else False if strict else None)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    """Collect a file that may hold scenarios: one that was named, or one of a folder that fits."""
    config = parent.config
    if not config.getoption("mafia"):
        return None
    from .scenario import may_hold_scenarios

    if not may_hold_scenarios(file_path.name):
        return None
    patterns = config.getini("mafia_files")
    name = _relative(file_path, config.rootpath)
    if patterns and not parent.session.isinitpath(file_path) and not any(fnmatch(name, p) for p in patterns):
        return None
    file: ScenarioFile = ScenarioFile.from_parent(parent, path=file_path)
    return file


class ScenarioFile(pytest.File):
    """A file of scenarios."""

    def collect(self) -> Iterator[ScenarioItem]:
        """Yield an item for each scenario; one that cannot be read is an item that fails."""
        from collections import Counter

        from .i18n import language
        from .render.layout import clean
        from .suite import collect

        # By the name that a user would type, which is how messages name it.
        path = _relative(self.path, self.config.invocation_params.dir)
        with language(self.config.stash[_PLAN].lang):
            tasks = collect([path], prepare=self.config.stash[_HOUSE].apply_to)
        times = Counter(task.id for task in tasks)
        for task in tasks:
            name = clean(task.id) if times[task.id] == 1 else f"{clean(task.id)}@{task.line}"
            item: ScenarioItem = ScenarioItem.from_parent(self, name=name, task=task)
            yield item


class ScenarioItem(pytest.Item):
    """One scenario, which passes where it comes out as it expects."""

    def __init__(self, *, task: Task | Result, **more: object) -> None:
        super().__init__(**more)  # type: ignore[arg-type]
        self.task = task
        self.add_marker(pytest.mark.mafia)
        scenario = getattr(task, "scenario", None)
        if scenario is not None and scenario.title:
            self.extra_keyword_matches.add(scenario.title)
        if scenario is not None and scenario.expect is None:
            self.add_marker(pytest.mark.skip(reason=_("it expects nothing")))

    def runtest(self) -> None:
        """Decide and judge the scenario. Raises NotAsExpected."""
        from .suite import run_all

        (result,) = run_all([self.task], self.config.stash[_PLAN])
        if result.outcome != "passed":
            raise NotAsExpected(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> object:  # type: ignore[override]
        """Say what is not as expected, without the program's own lines."""
        if not isinstance(excinfo.value, NotAsExpected):
            return super().repr_failure(excinfo)
        return str(excinfo.value)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """Give where the scenario stands."""
        return self.path, self.task.line - 1, self.name


class NotAsExpected(Exception):  # noqa: N818 - it is no error of the program
    """A scenario failed, could not be read, or hit a limit."""

    def __init__(self, result: Result) -> None:
        super().__init__(result)
        self.result = result

    def __str__(self) -> str:
        from .render.layout import clean
        from .render.results import outcome_word

        found = self.result
        # The first line stands in pytest's summary, too.
        lines = [*found.messages, "", f"{found.file}:{found.line}: {outcome_word(found.outcome)}"]
        return "\n".join(clean(line) for text in lines for line in text.split("\n"))


def _relative(path: Path, folder: Path) -> str:
    """Return a path relative to a folder that it lies in, else as it is; with slashes for patterns."""
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)
