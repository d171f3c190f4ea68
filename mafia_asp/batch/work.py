"""Deciding a chunk of inputs: what a process, here or on another machine, is given and gives back."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import Fault, InputError, LimitError
from ..i18n import language

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..house import HouseRules
    from ..model import Scenario, Verdict
    from ..resident.decide import Decider
    from ..rulebook import Rulebook
    from .inputs import Input

#: ways in which an answer may end, in the order in which a summary lists them, with the exit status of each
STATUS = {"settled": 0, "open": 1, "refused": 1, "error": 2, "limit": 3}


class Plan(NamedTuple):
    """How everything in a batch is decided. Picklable, and the same for every chunk."""

    #: the language of what is wrong with inputs
    lang: str = "en"
    #: the file with the table's rulings; None: none
    rulings: str | None = None
    #: whether a ``rulings.yaml`` beside a scenario counts
    look_beside: bool = True
    #: rulings as ``ID=ANSWER`` that go before all others
    assumed: tuple[str, ...] = ()
    #: None: conventions answer as each scenario says, by default they do
    conventions: bool | None = None


class Answer(NamedTuple):
    """What came of one input: whole lines of JSON, and how each of them ended (a key of STATUS)."""

    text: str
    outcomes: tuple[str, ...]
    #: files with rulings that were found beside scenarios and used
    used: tuple[str, ...] = ()


class _Task(NamedTuple):
    """A scenario with the source that its line names."""

    source: dict[str, Any]
    scenario: Scenario


def decide_chunk(chunk: Sequence[Input], plan: Plan) -> list[Answer]:
    """Return one answer for each input. Nothing that an input holds makes it raise."""
    with language(plan.lang):
        return list(_answers(chunk, plan))


def _answers(chunk: Sequence[Input], plan: Plan) -> Iterator[Answer]:
    desk = _desk(plan)
    given: list[tuple[list[_Task | str], tuple[str, ...]]] = []
    for each in chunk:
        known = len(desk.house.used)
        tasks = desk.tasks(each)
        given.append((tasks, tuple(desk.house.used[known:])))
    decided = iter(desk.decide([task for tasks, _ in given for task in tasks if not isinstance(task, str)]))
    for tasks, used in given:
        lines = [(task, "error") if isinstance(task, str) else next(decided) for task in tasks]
        yield Answer("".join(text for text, _ in lines), tuple(outcome for _, outcome in lines), used)


@lru_cache(maxsize=2)
def _desk(plan: Plan) -> _Desk:
    return _Desk(plan)


class _Desk:
    """Reads and decides scenarios in one process; each rulebook and file of rulings is read once."""

    def __init__(self, plan: Plan) -> None:
        from ..house import HouseRules
        from ..rulebook import Books

        self.plan = plan
        self.books = Books()
        self.deciders: dict[str, Decider] = {}
        self.house: HouseRules = HouseRules(plan.rulings, look_beside=plan.look_beside, assumed=plan.assumed)

    def tasks(self, given: Input) -> list[_Task | str]:
        """Return the scenarios of an input, each with its source; the line to write where one is wrong."""
        try:
            found = list(self._scenarios(given))
        except InputError as error:
            return [error_line(_source(given), error.faults)]
        except Exception as error:  # noqa: BLE001 - one input must not end the run of all others
            return [error_line(_source(given), [_unforeseen(error)])]
        parts = len(found)
        tasks: list[_Task | str] = []
        for number, (name, scenario, faults) in enumerate(found, 1):
            source = _source(given)
            if name:
                source["id"] = name
            if parts > 1:
                source["part"] = [number, parts]
            tasks.append(error_line(source, faults) if scenario is None else _Task(source, scenario))
        return tasks

    def _scenarios(self, given: Input) -> Iterator[tuple[str, Scenario | None, Sequence[Fault]]]:
        """Yield name, scenario and faults; a target that is not known makes several scenarios of one."""
        from ..scenario import scan_line
        from ..unknown import filled_in

        if given.data is None:
            entries = [("", given.scenario, given.faults)]
        else:
            read = scan_line(given.data, given.file, given.line, self.books)
            entries = [(e.id if e.scenario and e.scenario.id else "", e.scenario, e.faults) for e in read]
        for name, scenario, faults in entries:
            if scenario is None:
                yield name, None, faults
                continue
            for one in filled_in(scenario):
                ready = self.house.apply(one, self.books[one.rulebook])
                if self.plan.conventions is not None:
                    ready = ready._replace(conventions=self.plan.conventions)
                yield one.id or one.title, ready, ()

    def decide(self, tasks: Sequence[_Task]) -> list[tuple[str, str]]:
        """Return the line of each task, and how it ended; those of one rulebook are decided together."""
        by_book: dict[str, list[int]] = {}
        for number, task in enumerate(tasks):
            by_book.setdefault(task.scenario.rulebook, []).append(number)
        lines: dict[int, tuple[str, str]] = {}
        for name, numbers in by_book.items():
            found = self._decider(name).decide([tasks[n].scenario for n in numbers])
            for n, verdict in zip(numbers, found, strict=True):
                lines[n] = self._line(tasks[n], verdict)
        return [lines[n] for n in range(len(tasks))]

    def _line(self, task: _Task, verdict: Verdict | Exception) -> tuple[str, str]:
        if isinstance(verdict, InputError):
            return error_line(task.source, verdict.faults), "error"
        if isinstance(verdict, LimitError):
            return error_line(task.source, [Fault(None, verdict.code, verdict.words)]), "limit"
        if isinstance(verdict, Exception):
            return error_line(task.source, [_unforeseen(verdict)]), "error"
        try:
            return answer_line(task.source, verdict, self.books[task.scenario.rulebook])
        except Exception as error:  # noqa: BLE001 - as above
            return error_line(task.source, [_unforeseen(error)]), "error"

    def _decider(self, name: str) -> Decider:
        from ..resident.decide import Decider

        if name not in self.deciders:
            self.deciders[name] = Decider(self.books[name])
        return self.deciders[name]


def _source(given: Input) -> dict[str, Any]:
    return {"file": given.file, "line": given.line, "id": given.id}


def _unforeseen(error: Exception) -> Fault:
    problem = " ".join(f"{type(error).__name__}: {error}".split())
    return Fault(None, "batch.failed", {"problem": problem[:200]})


def lost(given: Input) -> Answer:
    """Return the answer for an input whose worker did not live to answer."""
    return Answer(error_line(_source(given), [Fault(None, "batch.died", {})]), ("error",))


def answer_line(source: dict[str, Any], verdict: Verdict, book: Rulebook) -> tuple[str, str]:
    """Return the line for a verdict, and how it ended."""
    from ..expect import names_refusal
    from ..render.json import verdict_data

    text = _dumps({"source": source, **verdict_data(verdict, book)})
    if verdict.incomplete:
        return text, "limit"
    if not verdict.settled:
        return text, "open"
    expected = verdict.scenario.expect
    refused = any(not names_refusal(expected, r.actor, r.verb) for r in verdict.refused)
    return text, "refused" if refused or verdict.certain.get("illegal") else "settled"


def error_line(source: dict[str, Any], faults: Iterable[Fault]) -> str:
    """Return the line for what is wrong with an input, in the language of this context."""
    listed = [
        {
            "code": fault.code,
            "message": fault.text,
            **({"line": fault.place.line, "column": fault.place.column} if fault.place else {}),
        }
        for fault in faults
    ]
    return _dumps({"source": source, "error": {"faults": listed}})


def _dumps(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, default=list) + "\n"
