"""Scenarios as tests: found in files and folders, decided in parallel, reported in their own order."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from .errors import InputError, LimitError
from .i18n import gettext as _
from .i18n import language
from .process import cores
from .rulebook import Books

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from .errors import Fault
    from .model import Scenario, Verdict
    from .scenario import Entry

#: How many scenarios are worth a process of their own.
_WORTH_A_PROCESS = 40
_LONGEST_CHUNK = 50


class Result(NamedTuple):
    """What came of one scenario: passed, failed, error, limit or skipped."""

    file: str
    line: int
    id: str
    outcome: str
    messages: tuple[str, ...] = ()


class Plan(NamedTuple):
    """How scenarios are run: the language of the messages, and whether conventions may answer."""

    lang: str = "en"
    #: None: as each scenario says, by default off
    conventions: bool | None = None


class Task(NamedTuple):
    """One scenario with its place in the report."""

    file: str
    line: int
    id: str
    scenario: Scenario


def collect(
    paths: Sequence[str],
    keyword: str = "",
    prepare: Callable[[Scenario], Scenario] = lambda s: s,
) -> list[Task | Result]:
    """Read the scenarios of files and folders; what cannot be read stands as an error in its place.

    ``prepare`` may change each scenario (for instance add the table's rulings). With a keyword, only
    scenarios whose id, title or file holds it are kept. Raises InputError for a folder without any.
    """
    from .scenario import scan

    found: dict[tuple[str, int, str], Task | Result] = {}
    for entry in scan(paths):
        scenario = entry.scenario
        name = entry.id or (scenario.title if scenario else "")
        if matches(keyword, entry.file, name, scenario.title if scenario else ""):
            found[entry.file, entry.line, name] = _task(entry, name, prepare)
    return list(found.values())


def _task(entry: Entry, name: str, prepare: Callable[[Scenario], Scenario]) -> Task | Result:
    faults: Sequence[Fault] = entry.faults
    if entry.scenario is not None and not faults:
        try:
            return Task(entry.file, entry.line, name, prepare(entry.scenario))
        except InputError as error:
            faults = error.faults
    return Result(entry.file, entry.line, name or entry.file, "error", tuple(str(f) for f in faults))


def matches(keyword: str, *texts: str) -> bool:
    """Tell whether a keyword stands in one of the texts; the empty keyword stands in all."""
    return not keyword or any(keyword.casefold() in text.casefold() for text in texts)


def run(
    tasks: Sequence[Task | Result],
    plan: Plan,
    *,
    jobs: int | None = None,
    fail_fast: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Result]:
    """Decide and judge every task, in parallel where that is worth it; results in the tasks' order.

    With ``fail_fast`` the list ends with the first failure or error.
    """
    results: list[Result] = []
    progress(0)
    with closing(_batches(tasks, plan, jobs)) as batches:
        for batch in batches:
            for result in batch:
                results.append(result)
                if fail_fast and result.outcome in ("failed", "error", "limit"):
                    return results
            progress(len(results))
    return results


def _batches(
    tasks: Sequence[Task | Result], plan: Plan, jobs: int | None
) -> Generator[list[Result], None, None]:
    from .batch import LocalEngine

    workers = jobs or min(cores(), -(-len(tasks) // _WORTH_A_PROCESS))
    workers = max(1, min(workers, len(tasks)))
    size = 1 if workers == 1 else max(1, min(_LONGEST_CHUNK, len(tasks) // (workers * 4)))
    chunks = [tasks[i : i + size] for i in range(0, len(tasks), size)]
    with closing(LocalEngine(workers).map(partial(run_all, plan=plan), chunks, lost)) as results:
        for _chunk, made in results:
            yield made


def lost(task: Task | Result) -> Result:
    """Return the result of a scenario that ended the process which worked on it."""
    return Result(task.file, task.line, task.id, "error", (_("The process that worked on it has ended."),))


def run_all(tasks: Sequence[Task | Result], plan: Plan) -> list[Result]:
    """Decide and judge these tasks one after the other, in this process."""
    with language(plan.lang):
        return [task if isinstance(task, Result) else run_one(task, plan) for task in tasks]


def run_one(task: Task, plan: Plan) -> Result:
    """Decide and judge one scenario; whatever goes wrong is its own result."""

    def result(outcome: str, *messages: str) -> Result:
        return Result(task.file, task.line, task.id, outcome, messages)

    scenario = task.scenario
    if scenario.expect is None:
        return result("skipped", _("it expects nothing"))
    from .expect import judge

    try:
        decide = _decider(scenario, plan)
        verdict = decide(scenario)
        failures = judge(scenario, verdict, decide)
    except InputError as error:
        return result("error", *(str(f) for f in error.faults))
    except LimitError as error:
        return result("limit", str(error))
    except Exception as error:  # noqa: BLE001 - one scenario must not end the run of all others
        return result("error", f"{type(error).__name__}: {error}")
    if failures:
        return result("failed", *(str(f) for f in failures))
    if verdict.incomplete:
        return result("limit", _("a limit was hit"))
    return result("passed")


def _decider(scenario: Scenario, plan: Plan) -> Callable[[Scenario], Verdict]:
    """Return how a scenario and its readings are decided, which is the same for all where it can be."""
    from .verdict import ScenarioDecider

    if _conventions(scenario, plan) is False:
        return ScenarioDecider(scenario, _books[scenario.rulebook])
    return partial(decide_for_test, plan=plan)


_books = Books()


def decide_for_test(scenario: Scenario, plan: Plan) -> Verdict:
    """Decide with conventions off, unless the plan or the scenario says otherwise."""
    from .verdict import decide

    conventions = _conventions(scenario, plan)
    book = _books[scenario.rulebook]
    return decide(scenario._replace(conventions=conventions), book=book, strict=conventions is False)


def _conventions(scenario: Scenario, plan: Plan) -> bool | tuple[str, ...]:
    conventions = scenario.conventions if plan.conventions is None else plan.conventions
    return False if conventions is None else conventions
