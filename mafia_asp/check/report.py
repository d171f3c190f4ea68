"""One check of a role set, from its roles to what is found."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ..facts import derived_kind
from ..readings import split
from ..verdict import assemble, checked_files
from .engine import Clock
from .finder import Search, Shown
from .findings import KINDS, Finding, Report, Settlement, Witness, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ..model import Phase, Verdict
    from ..rulebook import Rulebook

    #: what is being done, and how many of how many are done
    Progress = Callable[[str, int, int], None]

#: the phases that are searched, the one with the most in it first
PHASES: tuple[Phase, ...] = ("night", "intro", "setup")


#: seconds for a rulebook of the user's own where no limit was given, and for grounding beside a given one
_OWN = 300.0
_GROUNDING = 30.0


class Wanted(NamedTuple):
    """What a check is to look at beside the role set."""

    phases: tuple[Phase, ...] = PHASES
    #: items, counts, a past, and what was done the night before
    state: bool = False
    #: some players may be dead
    gone: bool = False
    #: seconds; None: as long as it takes
    seconds: float | None = None
    #: rules that do nothing
    deep: bool = False


def check(
    book: Rulebook,
    roles: Iterable[tuple[str, int]],
    *,
    wanted: Wanted | None = None,
    rulings: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Report:
    """Search all nights of any part of `roles` (role ids with how many of each) for open points.

    Each is shown with the smallest night whose outcome hangs on it; what changes no outcome of any night
    is reported as harmless. `rulings` are what the table has decided.

    Raises:
        InputError: the rulebook is refused, or cannot be worked out.
        LimitError: a rulebook of the user's own took too much time or memory.
    """
    arguments = (book, tuple(roles), wanted or Wanted(), dict(rulings or {}))
    if book.shipped:
        return check_here(*arguments, progress)
    from ..bounded import run_bounded

    seconds = arguments[2].seconds
    return run_bounded(
        check_here, *arguments, None, seconds=(_OWN if seconds is None else seconds + _GROUNDING)
    )


def check_here(
    book: Rulebook,
    roles: Sequence[tuple[str, int]],
    wanted: Wanted,
    rulings: Mapping[str, str],
    progress: Progress | None,
) -> Report:
    """Check a role set in this process, whoever wrote the book (see :func:`check`)."""
    clock = Clock(wanted.seconds)
    # Rules take their turn after open points, and have half of the time.
    first = clock.part(2) if wanted.deep else clock
    show = progress or _silent
    texts = None if book.shipped else {path: each.text for path, each in checked_files(book).items()}
    bearing: dict[str, Shown] = {}
    idle: dict[str, Shown] = {}
    undecided: set[str] = set()
    complete = True
    setup: Search | None = None
    for phase in wanted.phases:
        if first.over():
            complete = False
            break
        show(phase, 0, 0)
        search = Search(
            book, roles, phase, first, state=wanted.state, gone=wanted.gone, rulings=rulings, texts=texts
        )
        setup = search if phase == "setup" else setup
        whole, missed = _phase(search, bearing, idle, show)
        complete = complete and whole
        undecided |= missed
    known = set(rulings)
    findings: list[Finding] = []
    if wanted.deep:
        from .deep import Case, deep

        case = Case(book, roles, wanted.phases, wanted.state, wanted.gone, rulings, texts)
        findings, missed = deep(case, clock, setup, show)
        undecided |= missed
    for shown in bearing.values():
        if shown.point.id not in known:
            findings.append(_finding(book, shown, setup))
    harmless = [
        _finding(book, shown, setup)._replace(harmless=True)
        for id, shown in idle.items()
        if id not in bearing and id not in undecided and id not in known
    ]
    return Report(
        book.id,
        tuple(roles),
        tuple(sorted(findings, key=_order)),
        tuple(sorted(harmless, key=_order)),
        tuple(sorted(undecided - bearing.keys())),
        complete,
        tuple(sorted(rulings.items())),
        wanted.deep,
    )


def _silent(what: str, done: int, of: int) -> None:
    """Show nothing."""


def _order(finding: Finding) -> tuple[int, str]:
    return list(KINDS).index(finding.kind), finding.id


def _phase(
    search: Search,
    bearing: dict[str, Shown],
    idle: dict[str, Shown],
    show: Progress,
) -> tuple[bool, set[str]]:
    """Look at one phase: whether its points are all, and which of them were not decided."""
    points, complete = search.points()
    left = [point for point in points if point.id not in bearing]
    undecided: set[str] = set()
    pending: list[Shown] = []
    for number, point in enumerate(left):
        show(search.phase, number, len(left))
        if search.clock.over():
            undecided.add(point.id)
            continue
        shown, finished = search.smallest(point)
        if shown is None:
            undecided.add(point.id)
        elif shown.bears and finished:
            bearing[point.id] = shown
        else:
            pending.append(shown)
    among = [shown.point for shown in pending]
    for number, shown in enumerate(pending):
        show(search.phase, len(left) - len(pending) + number, len(left))
        if search.clock.over():
            undecided.add(shown.point.id)
            continue
        found, finished = search.bearing(shown.point, among)
        if found is not None and found.bears:
            bearing[found.point.id] = found
        elif found is None and finished:
            idle[shown.point.id] = shown
        else:
            undecided.add(shown.point.id)
    return complete, undecided


def _finding(book: Rulebook, shown: Shown, setup: Search | None) -> Finding:
    kind, rules = _what(book, shown)
    verdict = assemble(shown.told.scenario, shown.told.names, shown.models, shown.found, complete=shown.whole)
    breaks = setup.broken(shown.told.names) if setup else ()
    return Finding(kind, shown.point.id, rules, Witness(verdict, breaks), _settlements(shown, verdict))


def _what(book: Rulebook, shown: Shown) -> tuple[str, tuple[str, ...]]:
    """Return a point's kind as a finding, and the rules concerned."""
    id = shown.point.id
    if kind := derived_kind(id):
        return kind, tuple(id.split("~")) if "~" in id else ()
    question = book.question(id)
    return kind_of(question), question.rules


def _settlements(shown: Shown, verdict: Verdict) -> tuple[Settlement, ...]:
    from ..render.answer import ruling_line

    id = shown.point.id
    asked = {question.id for question in verdict.open}
    found = []
    for answer in sorted({model.picks[id] for model in shown.models if id in model.picks}):
        under = [model for model in shown.models if model.picks.get(id, answer) == answer]
        still = {question for part in split(under)[1] for question in part.questions}
        found.append(Settlement(answer, ruling_line(id, answer), tuple(sorted(asked - still))))
    return tuple(found)


def role_set(roles: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return roles with how many of each, in the order in which they first come."""
    return tuple(Counter(roles).items())


def all_roles(book: Rulebook) -> tuple[tuple[str, int], ...]:
    """Return every role of a book once, and plain bystanders as needed, to whom something is done."""
    plain, *others = book.base_roles
    ordinary = [role for role in book.role_ids if role not in book.base_roles]
    return (*((role, 1) for role in (*ordinary, *others)), (plain, 2))
