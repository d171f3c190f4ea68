"""Role against role: which open points the acts of any two roles bring up by themselves."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from ..verdict import decide_here
from .bounds import own_texts, run_search
from .engine import Clock
from .finder import Search
from .report import judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..model import Phase
    from ..rulebook import Rulebook
    from .bounds import Progress
    from .finder import Point, Shown

#: how a meeting stands, the best first
STATUSES = ("settled", "convention", "open", "undecided")
#: plain bystanders, to whom something may be done, beside as many who may act
_BYSTANDERS = 2


class Meeting(NamedTuple):
    """What is open between two roles, or of one by itself: ids of questions, in order."""

    row: str
    column: str
    open: tuple[str, ...] = ()
    #: what a convention answers
    by_convention: tuple[str, ...] = ()
    #: points of which it is not known whether an outcome hangs on them
    undecided: tuple[str, ...] = ()
    #: whether all points of the meeting were found
    complete: bool = True

    @property
    def status(self) -> str:
        """One of STATUSES: what is open counts before what is undecided."""
        if self.open:
            return "open"
        if self.undecided or not self.complete:
            return "undecided"
        return "convention" if self.by_convention else "settled"


class Matrix(NamedTuple):
    """The answer: every meeting, and the points that belong to none."""

    rulebook: str
    #: roles, and behind them groups that act as one (``group(mafia)``)
    members: tuple[str, ...]
    #: of each member with itself, then of any two, in the order of the members
    meetings: tuple[Meeting, ...]
    #: points that come up whoever acts
    anybody: tuple[str, ...] = ()
    #: points that it takes more than two roles to bring up, or something beside their acts
    elsewhere: tuple[str, ...] = ()
    #: whether everything was searched
    complete: bool = True


def matrix(
    book: Rulebook,
    roles: Iterable[tuple[str, int]],
    *,
    phases: Sequence[Phase] = ("night",),
    rulings: Mapping[str, str] | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Matrix:
    """Find what is open between any two of `roles` (role ids with how many of each), and of each by itself.

    *Between* two roles stand the points that their acts alone bring up: in nights in which nobody acts but
    one player of each, and plain bystanders look on; without those that one of the two brings up alone. What
    a role brings up without another (with others of its kind, where the role set has several) is its
    meeting with itself. Only points count on which the outcome of some night of the role set hangs.
    `rulings` are what the table has decided.

    Raises:
        InputError: the rulebook is refused, or cannot be worked out.
        LimitError: a rulebook of the user's own took too much time or memory.
    """
    arguments = (tuple(roles), tuple(phases), dict(rulings or {}), seconds)
    return run_search(matrix_here, book, *arguments, seconds=seconds, progress=progress)


def matrix_here(
    book: Rulebook,
    roles: Sequence[tuple[str, int]],
    phases: Sequence[Phase],
    rulings: Mapping[str, str],
    seconds: float | None,
    progress: Progress | None,
) -> Matrix:
    """Search in this process, whoever wrote the book (see :func:`matrix`)."""
    clock = Clock(seconds)
    texts = own_texts(book)
    plain = book.base_roles[0]
    wanted = {role: min(times, _BYSTANDERS) if role == plain else times for role, times in roles}
    cast = {**wanted, plain: wanted.get(plain, 0) + _BYSTANDERS}
    sheets: list[_Sheet] = []
    bearing: dict[str, Shown] = {}
    idle: dict[str, Shown] = {}
    undecided: set[str] = set()
    for phase in phases:
        if clock.over():
            break
        show = _Progress(progress, phase)
        show(phase, 0, 0)
        search = Search(book, list(cast.items()), (phase,), clock, rulings=rulings, texts=texts)
        points, whole = search.points()
        points = [point for point in points if point.id not in rulings]
        sheet = _Sheet(search, points, whole, wanted, plain)
        sheets.append(sheet)
        show.steps = len(_pairs(sheet.players)) + len(points)
        sheet.fill(show)
        show.before = len(_pairs(sheet.players))
        # What stands in most cells first: the time may be short.
        left = sorted((p for p in points if p.id not in bearing), key=lambda p: -sheet.count(p.id))
        undecided |= judge(search, left, bearing, idle, show)
    answered = {id for id, shown in bearing.items() if _answered(book, shown)}
    judged = _Judged(bearing.keys() - answered, answered, undecided - bearing.keys())
    return _matrix(book.id, wanted, sheets, judged, complete=len(sheets) == len(phases))


class _Progress:
    """Counts the steps of one phase through its two halves: meetings, and points."""

    def __init__(self, progress: Progress | None, phase: str) -> None:
        self.progress = progress
        self.phase = phase
        self.before = 0
        self.steps = 0

    def __call__(self, what: str, done: int, of: int) -> None:
        if self.progress:
            self.progress(self.phase, self.before + done, self.steps)


def _answered(book: Rulebook, shown: Shown) -> bool:
    """Tell whether the conventions answer a point in the night that hangs on it."""
    verdict = decide_here(shown.told.scenario._replace(conventions=True), book, False, None)
    return all(question.id != shown.point.id for question in verdict.open)


class _Judged(NamedTuple):
    """Ids of the points on which an outcome hangs, or may."""

    open: set[str]
    by_convention: set[str]
    undecided: set[str]

    def meeting(self, pair: tuple[str, str], brought: set[str], complete: bool) -> Meeting:
        """Return a meeting by the points that it brings up."""
        opened, by_convention, undecided = (tuple(sorted(brought & some)) for some in self)
        return Meeting(*pair, opened, by_convention, undecided, complete)


def _pairs(members: Iterable[str]) -> list[tuple[str, str]]:
    """Return each member with itself, then with every later one."""
    some = list(members)
    return [*((one, one) for one in some), *combinations(some, 2)]


def _matrix(
    rulebook: str, roles: Iterable[str], sheets: Sequence[_Sheet], judged: _Judged, complete: bool
) -> Matrix:
    """Put the sheets of several phases together."""
    members = tuple(dict.fromkeys((*roles, *(member for sheet in sheets for member in sheet.players))))
    anybody = {id for sheet in sheets for id in sheet.anybody}
    counted = judged.open | judged.by_convention | judged.undecided
    placed = set(anybody)
    meetings = []
    for pair in _pairs(members):
        brought = {id for sheet in sheets for id in sheet.meetings.get(pair, ())} - anybody
        if pair[0] != pair[1]:
            brought -= {id for sheet in sheets for one in pair for id in sheet.alone.get(one, ())}
        whole = complete and all(pair not in sheet.unfinished for sheet in sheets)
        meetings.append(judged.meeting(pair, brought, whole))
        placed |= brought
    complete = complete and not judged.undecided and all(sheet.complete for sheet in sheets)
    return Matrix(
        rulebook,
        members,
        tuple(meetings),
        tuple(sorted(anybody & counted)),
        tuple(sorted(counted - placed)),
        complete and all(meeting.complete for meeting in meetings),
    )


class _Sheet:
    """Which points the meetings of one phase bring up."""

    def __init__(
        self, search: Search, points: Sequence[Point], whole: bool, wanted: Mapping[str, int], plain: str
    ) -> None:
        self.complete = whole
        self._ids = [point.id for point in points]
        self._engine = search.meetings(points)
        self._plain = plain
        seats = search.space.candidates
        said = [(lit, symbol) for symbol, lit in self._engine.lits("said").items()]
        #: member -> who acts for it, as constants of the search
        self.players = {role: [p for p, of in seats.items() if of == role] for role in wanted}
        groups = {str(symbol.arguments[0]) for symbol in self._engine.lits("group_acts")}
        manned = groups.intersection(str(symbol.arguments[1]) for symbol in self._engine.lits("team"))
        acting = manned.intersection(str(symbol.arguments[1]) for _, symbol in said)
        self.players.update({f"group({group})": [group] for group in sorted(acting)})
        self._bystanders = {p for p, of in seats.items() if of == plain}
        self._seated = [(lit, str(s.arguments[0])) for s, lit in self._engine.lits("player").items()]
        self._saying = [(lit, str(symbol.arguments[1])) for lit, symbol in said]
        #: what comes up whoever acts; of each meeting; of one player alone
        self.anybody: set[str] = set()
        self.meetings: dict[tuple[str, str], set[str]] = {}
        self.alone: dict[str, set[str]] = {}
        self.unfinished: set[tuple[str, str]] = set()

    def fill(self, show: Progress) -> None:
        """Look at every meeting, until the time is up."""
        self.anybody, whole = self._brought(self._bystanders)
        self.complete = self.complete and whole
        for done, pair in enumerate(_pairs(self.players)):
            show("", done, 0)
            acting = self._acting(pair)
            found, whole = self._brought(acting)
            if pair[0] == pair[1]:
                self.alone[pair[0]], alone_whole = (
                    (found, True) if len(acting) == 1 else self._brought(acting[:1])
                )
                whole = whole and alone_whole
            self.meetings[pair] = found
            if not (whole and self.complete):
                self.unfinished.add(pair)

    def count(self, id: str) -> int:
        """Return how many meetings bring a point up."""
        return sum(id in found for found in self.meetings.values())

    def _acting(self, pair: tuple[str, str]) -> list[str]:
        """Return one player of each of two; of one by itself all there are, bystanders left out."""
        first, second = (self.players[member] for member in pair)
        if pair[0] != pair[1]:
            return [first[0], second[0]]
        return first[:-_BYSTANDERS] if pair[0] == self._plain else first

    def _brought(self, acting: Iterable[str]) -> tuple[set[str], bool]:
        """Return the points that come up where these alone act and only bystanders play beside them."""
        there = set(acting)
        barred = [-lit for lit, who in self._seated if who not in there | self._bystanders]
        barred += [-lit for lit, who in self._saying if who not in there]
        met, whole = self._engine.brave("comes_up", barred)
        return {self._ids[symbol.arguments[0].number] for symbol in met}, whole
