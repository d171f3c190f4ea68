"""Role against role: what is open in nights in which nobody but one player of each acts."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import clingo

from ..verdict import checked_files, decide_here
from .engine import Clock
from .finder import Search
from .report import GROUNDING, OWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..model import Phase
    from ..rulebook import Rulebook
    from .finder import Point, Shown
    from .report import Progress

#: how a meeting stands, the best first
STATUSES = ("settled", "convention", "open", "undecided")
#: bystanders, to whom something may be done
_BYSTANDERS = 2


class Meeting(NamedTuple):
    """What is open between two roles, or of one by itself: ids of questions, in order."""

    row: str
    column: str
    open: tuple[str, ...] = ()
    #: no convention is needed for these: one answers them
    by_convention: tuple[str, ...] = ()
    #: points not looked into, or not finished with, before the time was up
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
    meetings: tuple[Meeting, ...]
    #: points that come up whoever acts
    anybody: tuple[str, ...] = ()
    #: points that need more than two roles, or another's act
    elsewhere: tuple[str, ...] = ()
    #: whether everything was searched
    complete: bool = True

    def meeting(self, one: str, other: str) -> Meeting:
        """Return the meeting of two members, in either order. Raises KeyError."""
        for meeting in self.meetings:
            if {meeting.row, meeting.column} == {one, other}:
                return meeting
        raise KeyError((one, other))


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

    A point is *between* two roles if the outcome of some night hangs on it in which nobody acts but one
    player of each, plain bystanders look on, and nobody else plays; and if neither role raises it without
    the other. What a role raises without another (with a second one of its kind, where the role set has
    two) is on the diagonal. What comes up whoever acts is named apart.

    Raises:
        InputError: the rulebook is refused, or cannot be worked out.
        LimitError: a rulebook of the user's own took too much time or memory.
    """
    arguments = (book, tuple(roles), tuple(phases), dict(rulings or {}), seconds)
    if book.shipped:
        return matrix_here(*arguments, progress)
    from ..bounded import run_bounded

    return run_bounded(matrix_here, *arguments, None, seconds=OWN if seconds is None else seconds + GROUNDING)


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
    texts = None if book.shipped else {path: each.text for path, each in checked_files(book).items()}
    plain = book.base_roles[0]
    wanted = {role: min(times, 2) for role, times in roles}
    cast = {**wanted, plain: wanted.get(plain, 0) + _BYSTANDERS}
    sheets: list[_Sheet] = []
    complete = True
    for phase in phases:
        if clock.over():
            complete = False
            break
        if progress:
            progress(phase, 0, 0)
        search = Search(book, list(cast.items()), phase, clock, rulings=rulings, texts=texts)
        sheets.append(_Sheet(search, wanted, plain))
        sheets[-1].fill(progress)
    members = tuple(dict.fromkeys(member for sheet in sheets for member in sheet.members)) or tuple(wanted)
    together = [_merged(pair, [sheet.meetings.get(pair) for sheet in sheets]) for pair in _pairs(members)]
    anybody = {id for sheet in sheets for id in sheet.anybody}
    placed = {id for each in together for id in (*each.open, *each.by_convention, *each.undecided)}
    elsewhere = {id for sheet in sheets for id in sheet.elsewhere} - anybody - placed
    complete = complete and all(sheet.complete for sheet in sheets)
    return Matrix(
        book.id, members, tuple(together), tuple(sorted(anybody)), tuple(sorted(elsewhere)), complete
    )


def _pairs(members: Iterable[str]) -> list[tuple[str, str]]:
    """Return each member with itself and with every later one."""
    some = list(members)
    return [*((one, one) for one in some), *combinations(some, 2)]


def _merged(pair: tuple[str, str], of_phases: Iterable[Meeting | None]) -> Meeting:
    """Return one meeting for those of several phases; one that was not looked at is not complete."""
    found = list(of_phases)
    there = [meeting for meeting in found if meeting is not None]
    opened = {id for meeting in there for id in meeting.open}
    left = {id for meeting in there for id in meeting.undecided} - opened
    custom = {id for meeting in there for id in meeting.by_convention} - opened - left
    whole = bool(found) and all(meeting is not None and meeting.complete for meeting in found)
    return Meeting(*pair, tuple(sorted(opened)), tuple(sorted(custom)), tuple(sorted(left)), whole)


class _Sheet:
    """The meetings of one phase."""

    def __init__(self, search: Search, wanted: Mapping[str, int], plain: str) -> None:
        self.search = search
        self.meetings: dict[tuple[str, str], Meeting] = {}
        self.anybody: tuple[str, ...] = ()
        self.elsewhere: tuple[str, ...] = ()
        self.complete = True
        seats = search.space.candidates
        #: member -> who plays it, as constants of the search
        self.players = {role: [p for p, of in seats.items() if of == role] for role in wanted}
        self.bystanders = {p for p, of in seats.items() if of == plain}
        said = search.engine.lits("said")
        acting = {str(symbol.arguments[0]) for symbol in search.engine.lits("group_acts")}
        groups = acting.intersection(str(symbol.arguments[1]) for symbol in said)
        self.players.update({f"group({group})": [group] for group in sorted(groups)})
        self.plain = plain
        self.members = tuple(self.players)
        self._seated = {symbol: str(symbol.arguments[0]) for symbol in search.engine.lits("player")}
        self._saying = {symbol: str(symbol.arguments[1]) for symbol in said}
        self._earlier = {symbol: str(symbol.arguments[2]) for symbol in search.engine.lits("earlier_said")}

    def barred(self, acting: Iterable[str]) -> list[clingo.Symbol]:
        """Return what must not hold so that these alone act, and nobody else plays but bystanders."""
        there = set(acting)
        out = [symbol for symbol, who in self._seated.items() if who not in there | self.bystanders]
        out += [symbol for symbol, who in self._saying.items() if who not in there]
        return out + [symbol for symbol, who in self._earlier.items() if who not in there]

    def fill(self, progress: Progress | None) -> None:
        """Look at every meeting, until the time is up."""
        pairs = list(_pairs(self.members))
        steps = len(pairs) + 1

        def show(done: int) -> None:
            if progress:
                progress(self.search.phase, done, steps)

        points, whole = self._raised(self.bystanders)
        self.anybody = tuple(points)
        self.complete = self.complete and whole
        alone: dict[str, set[str]] = {}
        judged: list[tuple[tuple[str, str], dict[str, Point], list[clingo.Symbol], bool]] = []
        for done, pair in enumerate(pairs, 1):
            show(done)
            acting = self._acting(pair)
            points, whole = self._raised(acting)
            known = set(self.anybody)
            if pair[0] == pair[1]:
                solo = points if len(acting) == 1 else self._raised(acting[:1])[0]
                alone[pair[0]] = set(solo)
            else:
                known |= alone[pair[0]] | alone[pair[1]]
            judged.append(
                (pair, {id: p for id, p in points.items() if id not in known}, self.barred(acting), whole)
            )
        self._judge(judged)
        every, whole = self.search.points()
        self.elsewhere = tuple(point.id for point in every)
        self.complete = self.complete and whole and all(m.complete for m in self.meetings.values())

    def _acting(self, pair: tuple[str, str]) -> list[str]:
        """Return one player of each of two; of one by itself, at most two, bystanders left out."""
        first, second = (self.players[member] for member in pair)
        if pair[0] != pair[1]:
            return [first[0], second[0]]
        return first[:-_BYSTANDERS] if pair[0] == self.plain else first

    def _raised(self, acting: Iterable[str]) -> tuple[dict[str, Point], bool]:
        points, whole = self.search.points(self.barred(acting))
        return {point.id: point for point in points}, whole

    def _judge(
        self, cases: Sequence[tuple[tuple[str, str], dict[str, Point], list[clingo.Symbol], bool]]
    ) -> None:
        """Find out on which points an outcome hangs, and which of those a convention answers."""
        pending = []
        answers: dict[tuple[str, str], dict[str, str]] = {}
        for pair, points, barred, _whole in cases:
            here = answers.setdefault(pair, {})
            for id, point in points.items():
                here[id] = "undecided"
                if self.search.clock.over():
                    continue
                shown, finished = self.search.smallest(point, barred)
                if shown is not None and shown.bears:
                    here[id] = self._by(shown)
                elif finished:
                    pending.append((pair, point, barred))
        among = list({point.id: point for _, point, _ in pending}.values())
        for pair, point, barred in pending:
            if self.search.clock.over():
                break
            shown, finished = self.search.bearing(point, among, barred)
            if shown is not None and shown.bears:
                answers[pair][point.id] = self._by(shown)
            elif shown is None and finished:
                answers[pair][point.id] = "settled"
        for pair, _points, _barred, whole in cases:
            by = {status: tuple(i for i, s in answers[pair].items() if s == status) for status in STATUSES}
            self.meetings[pair] = Meeting(*pair, by["open"], by["convention"], by["undecided"], whole)

    def _by(self, shown: Shown) -> str:
        """Tell whether the conventions answer a point in the night that hangs on it."""
        verdict = decide_here(shown.told.scenario._replace(conventions=True), self.search.book, False, None)
        still = any(question.id == shown.point.id for question in verdict.open)
        return "open" if still else "convention"
