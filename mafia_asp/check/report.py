"""One check of a role set, from its roles to what is found."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ..facts import derived_kind, is_odd_circle
from ..readings import split
from ..render.words import find_question
from ..verdict import assemble
from . import shape
from .bounds import own_texts, run_search
from .constants import misspelt
from .days import MOMENTS, days_only
from .engine import Clock
from .finder import Point, Search, Shown
from .findings import Finding, Report, Settlement, Witness, kind_of, order
from .order import wake_order
from .parts import parts
from .ruled import Points, unused_rulings
from .twice import Nights

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ..model import Phase, Place, Verdict
    from ..rulebook import Rulebook
    from .bounds import Progress
    from .shape import Breaks, Cast

#: the phases that may be searched, the one with the most in it first; and those that are, where none is named
PHASES: tuple[Phase, ...] = ("night", "intro", "setup", "day", "end")
USUAL: tuple[Phase, ...] = PHASES[:3]


#: in so many searches a night is looked for that hangs on a point; with other roles there may be one
_TRIES = 4
#: so few roles are searched in several phases at once
_FEW = 8
#: conflicts after which the search for a night that hangs on a point is looked at from another side
_EFFORT = 500


class Wanted(NamedTuple):
    """What a check is to look at beside the role set."""

    phases: tuple[Phase, ...] = USUAL
    #: items, counts, a past, and what was done the night before
    state: bool = False
    #: some players may be dead
    gone: bool = False
    #: seconds; None: as long as it takes
    seconds: float | None = None
    #: the role sets whose make-up is looked at; None: the role set itself
    casts: tuple[Cast, ...] | None = None
    #: rules that do nothing
    deep: bool = False
    #: how many things are told of a day, or of an end, at the most; None: as :mod:`.days` says
    acts: int | None = None


def check(
    book: Rulebook,
    roles: Iterable[tuple[str, int]],
    *,
    wanted: Wanted | None = None,
    rulings: Mapping[str, str] | None = None,
    places: Mapping[str, Place] | None = None,
    progress: Progress | None = None,
) -> Report:
    """Search all nights of any part of `roles` (role ids with how many of each) for open points.

    Each is shown with the smallest night whose outcome hangs on it; what changes no outcome of any night
    is reported as harmless. `rulings` are what the table has decided, and `places` where each stands. What
    else is found: see :func:`_beside`.

    Raises:
        InputError: the rulebook is refused, or cannot be worked out.
        LimitError: a rulebook of the user's own took too much time or memory.
    """
    wanted = wanted or Wanted()
    arguments = (tuple(roles), wanted, dict(rulings or {}), dict(places or {}))
    return run_search(check_here, book, *arguments, seconds=wanted.seconds, progress=progress)


def check_here(
    book: Rulebook,
    roles: Sequence[tuple[str, int]],
    wanted: Wanted,
    rulings: Mapping[str, str],
    places: Mapping[str, Place],
    progress: Progress | None,
) -> Report:
    """Check a role set in this process, whoever wrote the book (see :func:`check`)."""
    clock = Clock(wanted.seconds)
    # Rules take their turn after open points, and have half of the time.
    first = clock.part(2) if wanted.deep else clock
    show = progress or _silent
    texts = own_texts(book)
    bearing: dict[str, Shown] = {}
    idle: dict[str, Shown] = {}
    undecided: set[str] = set()
    tried: Counter[str] = Counter()
    complete = True
    breaks = shape.breaks(book, tuple(roles), rulings, texts) if "setup" in wanted.phases else None
    some = parts(book, roles)
    for phases in together(wanted.phases, max(map(len, some))):
        for number, part in enumerate(some):
            if first.over():
                complete = False
                break
            show(phases[0], number, len(some) if len(some) > 1 else 0)
            search = Search(
                *(book, part, phases, first),
                state=wanted.state,
                gone=wanted.gone,
                rulings=rulings,
                texts=texts,
                acts=wanted.acts,
            )
            for phase in phases:
                search.turn_to(phase)
                whole, missed = _phase(search, bearing, idle, show if len(some) == 1 else _silent, tried)
                complete = complete and whole
                undecided |= missed
    if len(some) > 1:
        # What changes nothing with few roles may change something with more.
        undecided |= idle.keys() - bearing.keys()
    known = set(rulings)
    points = Points(frozenset(bearing), frozenset(idle), complete and not undecided)
    nights = Nights(book, tuple(roles), clock, rulings, texts, wanted.state, wanted.gone)
    findings, whole = _beside(nights, some, wanted, points, places, breaks, show)
    complete = complete and whole
    if wanted.deep:
        from .deep import Case, deep

        case = Case(book, roles, wanted.phases, wanted.state, wanted.gone, rulings, texts)
        idle_rules, missed = deep(case, clock, breaks, show)
        findings += idle_rules
        undecided |= missed
    for shown in bearing.values():
        if shown.point.id not in known:
            findings.append(_finding(book, shown, breaks))
    harmless = [
        _finding(book, shown, breaks)._replace(harmless=True)
        for id, shown in idle.items()
        if id not in bearing and id not in undecided and id not in known
    ]
    # An odd circle has no course of its own, nor has a statement that denies itself, whatever hangs on them.
    findings += [finding for finding in harmless if is_odd_circle(finding.id)]
    findings += [finding._replace(harmless=False) for finding in harmless if finding.id in book.rules]
    harmless = [each for each in harmless if not is_odd_circle(each.id) and each.id not in book.rules]
    return Report(
        book.id,
        tuple(roles),
        tuple(sorted(findings, key=order)),
        tuple(sorted(harmless, key=order)),
        tuple(sorted(undecided - bearing.keys())),
        complete and len(some) == 1,
        tuple(sorted(rulings.items())),
        wanted.deep,
        set(USUAL) <= set(wanted.phases),
        len(some),
        tuple((phase, wanted.acts or MOMENTS[phase]) for phase in wanted.phases if phase in MOMENTS),
        frozenset() if MOMENTS.keys() <= set(wanted.phases) else days_only(book),
    )


def _beside(
    nights: Nights,
    some: Sequence[Cast],
    wanted: Wanted,
    points: Points,
    places: Mapping[str, Place],
    breaks: Breaks | None,
    show: Progress,
) -> tuple[list[Finding], bool]:
    """Return what is found that is no question of a night, and whether that is all.

    The make-up of the role set, the order of calls, rulings that do nothing, and misspelt words.
    """
    findings = misspelt(nights.book)
    whole, late = True, False
    if "setup" in wanted.phases:
        casts = (nights.roles,) if wanted.casts is None else wanted.casts
        found, whole = shape.composition(nights.book, casts, nights.rulings)
        findings += found
    if "night" in wanted.phases and not (late := nights.clock.over()):
        calls: dict[str, Finding] = {}
        for number, part in enumerate(some):
            show("wake order", number, len(some) if len(some) > 1 else 0)
            found, finished = wake_order(nights._replace(roles=part), breaks)
            for finding in found:
                calls.setdefault(finding.id, finding)
            whole = whole and finished
        findings += calls.values()
    every = points.whole and set(USUAL) <= set(wanted.phases)
    if nights.rulings and every and len(some) == 1 and not (late := nights.clock.over()):
        show("rulings", 0, 0)
        found, finished = unused_rulings(nights, wanted.phases, points, places)
        findings += found
        whole = whole and finished
    return findings, whole and not late


def together(phases: Sequence[Phase], roles: int) -> list[tuple[Phase, ...]]:
    """Return the phases that one search of so many roles looks at: a day or an end stands by itself.

    Of few roles most of the time goes into making the program; of many, into searching it, and then a
    program of one phase is the faster one.
    """
    nights = tuple(phase for phase in phases if phase not in MOMENTS)
    if roles > _FEW or not nights:
        return [(phase,) for phase in phases]
    return [nights, *((phase,) for phase in phases if phase in MOMENTS)]


def _silent(what: str, done: int, of: int) -> None:
    """Show nothing."""


def _phase(
    search: Search,
    bearing: dict[str, Shown],
    idle: dict[str, Shown],
    show: Progress,
    tried: Counter[str],
) -> tuple[bool, set[str]]:
    """Look at one phase: whether its points are all, and which of them were not decided.

    `tried` counts for each point in how many searches it was looked for a night that hangs on it.
    """
    done = [shown.point for shown in bearing.values()]
    done += [shown.point for id, shown in idle.items() if tried[id] >= _TRIES]
    left, complete = search.points(done)
    tried.update(point.id for point in left)
    return complete, judge(search, left, bearing, idle, show)


def judge(
    search: Search,
    left: Sequence[Point],
    bearing: dict[str, Shown],
    idle: dict[str, Shown],
    show: Progress,
) -> set[str]:
    """Sort points into `bearing` (some outcome hangs on them) and `idle`; return the undecided ones' ids."""
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
    left_over = _by_structure(search, pending, idle)
    for number, (shown, found) in enumerate(_bearing(search, left_over)):
        show(search.phase, len(left) - len(left_over) + number, len(left))
        if found is None:
            undecided.add(shown.point.id)
        elif found.bears:
            bearing[found.point.id] = found
        else:
            idle[shown.point.id] = shown
    return undecided


def _by_structure(search: Search, pending: Iterable[Shown], idle: dict[str, Shown]) -> list[Shown]:
    """Set aside the points whose answers lead to no outcome, and return the others."""
    others = []
    for shown in pending:
        if search.leads(shown.point):
            others.append(shown)
        else:
            idle[shown.point.id] = shown
    return others


def _bearing(search: Search, pending: Sequence[Shown]) -> Iterator[tuple[Shown, Shown | None]]:
    """Yield each point with a night that hangs on it, with itself if there is none, or with nothing.

    Two copies of the resolution side by side find such a night soon or, where there is none, may take
    long to prove it. Then it is first looked whether anything at all leads from the point to an outcome.
    """
    among = [shown.point for shown in pending]
    for shown in pending:
        if search.clock.over():
            yield shown, None
            continue
        found, finished = search.bearing(shown.point, among, _EFFORT)
        if not finished and not search.clock.over():
            if found is None and not search.leads(shown.point, strictly=True):
                yield shown, shown
                continue
            found, finished = search.bearing(shown.point, among)
        if found is not None and found.bears:
            yield shown, found
        else:
            yield shown, shown if found is None and finished else None


def _finding(book: Rulebook, shown: Shown, breaks: Breaks | None) -> Finding:
    kind, rules = _what(book, shown)
    verdict = assemble(shown.told.scenario, shown.told.names, shown.models, shown.found, complete=shown.whole)
    broken = breaks(shown.told.roles.values()) if breaks else None
    return Finding(kind, shown.point.id, rules, Witness(verdict, broken), _settlements(shown, verdict))


def _what(book: Rulebook, shown: Shown) -> tuple[str, tuple[str, ...]]:
    """Return a point's kind as a finding, and the rules concerned."""
    id = shown.point.id
    if "~" in id:
        return derived_kind(id), tuple(id.split("~"))
    question = find_question(book, id)
    if question is None and id in book.rules:
        # A statement that claims two things of one moment.
        return "contradiction", (id,)
    rules = question.rules if question else ()
    return derived_kind(id) or (kind_of(question) if question else ""), rules


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
