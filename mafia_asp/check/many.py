"""Checks of many role sets of one rulebook, and what they find taken together."""

from __future__ import annotations

from contextlib import closing
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

from ..errors import LimitError
from ..rulebook import Rulebook
from .baseline import UNUSED, apply
from .findings import Report, order
from .report import Wanted, check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ..batch import Engine
    from ..model import Place
    from .baseline import Accepted
    from .findings import Finding
    from .shape import Cast

#: What is worth telling only where it holds in every role set.
_OF_ALL = ("unused-ruling", UNUSED)


class RoleSet(NamedTuple):
    """A role set to check: role ids with how many of each, in their order."""

    roles: Cast
    #: the role sets whose make-up is looked at, as they were dealt; None: the role set itself
    dealt: tuple[Cast, ...] | None = None


class Job(NamedTuple):
    """What all role sets have in common. Plain data: it goes to other processes, and other machines."""

    #: a shipped rulebook's id, or the folder of one's own
    rulebook: str
    wanted: Wanted
    rulings: Mapping[str, str]
    places: Mapping[str, Place]


def distinct(sets: Iterable[RoleSet]) -> list[RoleSet]:
    """Return role sets of which no two are equal, in the order in which they first come."""
    dealt: dict[frozenset[tuple[str, int]], tuple[Cast, list[Cast]]] = {}
    for each in sets:
        _roles, known = dealt.setdefault(frozenset(each.roles), (each.roles, []))
        known += [cast for cast in each.dealt or () if cast not in known]
    return [RoleSet(roles, tuple(known) or None) for roles, known in dealt.values()]


def check_sets(
    sets: Sequence[RoleSet],
    job: Job,
    engine: Engine,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> list[Report]:
    """Check role sets, each as :func:`.report.check` does; the reports in the order of the sets.

    A role set for which a rulebook of the user's own takes too much time or memory has an empty report
    that is not complete. Raises InputError where the rulebook is refused.
    """
    reports: list[Report] = []
    progress(0, len(sets))
    with closing(
        engine.map(partial(_check, job=job), [(each,) for each in sets], partial(_lost, job=job))
    ) as results:
        for _chunk, found in results:
            reports += found
            progress(len(reports), len(sets))
    return reports


def _check(sets: Sequence[RoleSet], job: Job) -> list[Report]:
    """Check role sets in this process."""
    book = _book(job.rulebook)
    found = []
    for each in sets:
        wanted = job.wanted._replace(casts=each.dealt)
        try:
            report = check(book, each.roles, wanted=wanted, rulings=job.rulings, places=job.places)
        except LimitError:
            report = _lost(each, job)
        found.append(report)
    return found


def _lost(each: RoleSet, job: Job) -> Report:
    """Return the report for a role set that was not searched to the end, for whatever reason."""
    return Report(_book(job.rulebook).id, each.roles, (), complete=False, deep=job.wanted.deep)


@lru_cache(maxsize=4)
def _book(name: str) -> Rulebook:
    return Rulebook.load(name)


def marked(reports: Sequence[Report], accepted: Accepted) -> list[Report]:
    """Mark what is accepted in each report. Entries that match nothing are told by :func:`together`."""
    found = [apply(report, accepted) for report in reports]
    return [r._replace(findings=tuple(f for f in r.findings if f.kind != UNUSED)) for r in found]


def together(reports: Sequence[Report], accepted: Accepted | None = None) -> Report:
    """Return one report of all: each finding once, with its smallest night and the role sets that show it.

    What changes no outcome is harmless only where it does so nowhere. The list of `reports` is not empty.
    """
    times: dict[str, list[int]] = {}
    smallest: dict[str, Finding] = {}
    for number, report in enumerate(reports, 1):
        for finding in report.findings:
            times.setdefault(finding.identity, []).append(number)
            known = smallest.setdefault(finding.identity, finding)
            if _size(finding) < _size(known):
                smallest[finding.identity] = finding
    findings = [
        finding._replace(sets=tuple(times[identity]) if len(times[identity]) < len(reports) else ())
        for identity, finding in smallest.items()
        if finding.kind not in _OF_ALL or len(times[identity]) == len(reports)
    ]
    bearing = {finding.id for finding in findings}
    harmless = {f.id: f for report in reports for f in report.harmless if f.id not in bearing}
    undecided = {id for report in reports for id in report.undecided} - bearing
    one = reports[0]._replace(
        roles=(),
        findings=tuple(sorted(findings, key=order)),
        harmless=tuple(sorted((f for id, f in harmless.items() if id not in undecided), key=order)),
        undecided=tuple(sorted(undecided)),
        complete=all(report.complete for report in reports),
        ruled=tuple(sorted({each for report in reports for each in report.ruled})),
        parts=max(report.parts for report in reports),
    )
    return one if accepted is None else apply(one, accepted)


def _size(finding: Finding) -> tuple[int, int]:
    """Tell how large a finding's night is."""
    if finding.witness is None:
        return 0, 0
    scenario = finding.witness.verdict.scenario
    return len(scenario.actions), len(scenario.players)


def written(roles: Cast) -> str:
    """Return a role set as it is written: ``don,doctor,sniper*2``."""
    return ",".join(role if times == 1 else f"{role}*{times}" for role, times in roles)
