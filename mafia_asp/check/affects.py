"""Who can affect whom in a role set: every influence that some night shows, and the circles among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import clingo

from .bounds import own_texts, run_search
from .engine import Clock
from .finder import Search

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import networkx as nx  # type: ignore[import-untyped]

    from ..model import Phase
    from ..rulebook import Rulebook
    from .bounds import Progress

#: how circles are told apart: closed by influences alone, or only where the acts of the dead lapse
CIRCLES = ("circle", "lapsing_circle")
#: circles of one sort that are listed, and members of one
_MOST = 30
_LONGEST = 5


class Edge(NamedTuple):
    """What one role can do to another: sorted terms of the search (``hinders``, ``lays(framed)``)."""

    source: str
    target: str
    kinds: tuple[str, ...]


class Circle(NamedTuple):
    """Roles each of which bears on an act of the next, and the last on one of the first, in one night."""

    kind: str
    members: tuple[str, ...]


class Influences(NamedTuple):
    """The answer: who plays, who can affect whom, and where that runs in a circle.

    Roles are ids; a group that acts as one is ``group(mafia)``.
    """

    rulebook: str
    roles: tuple[str, ...]
    edges: tuple[Edge, ...]
    circles: tuple[Circle, ...]
    #: sets of roles among whom influence runs in circles, the largest first
    knots: tuple[tuple[str, ...], ...]
    #: circles beyond the ones that are listed
    more: bool = False
    #: whether the search was finished
    complete: bool = True

    @property
    def members(self) -> tuple[str, ...]:
        """The roles, and behind them the groups that affect somebody."""
        others = {name for edge in self.edges for name in edge[:2]} - set(self.roles)
        return (*self.roles, *sorted(others))


def influences(
    book: Rulebook,
    roles: Iterable[tuple[str, int]],
    *,
    phases: Sequence[Phase] = ("night",),
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Influences:
    """Search all nights of any part of `roles` (role ids with how many of each) for influences.

    Raises:
        InputError: the rulebook is refused, or cannot be worked out.
        LimitError: a rulebook of the user's own took too much time or memory.
    """
    arguments = (tuple(roles), tuple(phases), seconds)
    return run_search(influences_here, book, *arguments, seconds=seconds, progress=progress)


def influences_here(
    book: Rulebook,
    roles: Sequence[tuple[str, int]],
    phases: Sequence[Phase],
    seconds: float | None,
    progress: Progress | None,
) -> Influences:
    """Search in this process, whoever wrote the book (see :func:`influences`)."""
    clock = Clock(seconds)
    texts = own_texts(book)
    found: dict[tuple[str, str], set[str]] = {}
    searches: list[Search] = []
    complete = True
    for phase in phases:
        if clock.over():
            complete = False
            break
        if progress:
            progress(phase, 0, 0)
        search = Search(book, roles, (phase,), clock, texts=texts, file="affects")
        searches.append(search)
        symbols, whole = search.engine.brave("affects")
        complete = complete and whole
        for symbol in symbols:
            kind, source, target = map(str, symbol.arguments)
            found.setdefault((source, target), set()).add(kind)
    edges = tuple(Edge(*pair, tuple(sorted(kinds))) for pair, kinds in sorted(found.items()))
    circles: list[Circle] = []
    more = False
    for kind in CIRCLES:
        some, left, whole = _circles(kind, edges, searches, clock, {circle.members for circle in circles})
        circles += some
        more = more or left
        complete = complete and whole
    names = tuple(dict.fromkeys(role for role, _ in roles))
    return Influences(book.id, names, edges, tuple(circles), _knots(edges), more, complete)


# ---- circles ----------------------------------------------------------------------------------------


def _graph(edges: Iterable[Edge], kinds: Iterable[str]) -> nx.DiGraph:
    import networkx as nx

    graph: nx.DiGraph = nx.DiGraph()
    wanted = set(kinds)
    graph.add_edges_from(edge[:2] for edge in edges if wanted.intersection(edge.kinds))
    return graph


def _knots(edges: Iterable[Edge]) -> tuple[tuple[str, ...], ...]:
    import networkx as nx

    graph = _graph(edges, CIRCLES)
    parts = [tuple(sorted(part)) for part in nx.strongly_connected_components(graph)]
    return tuple(sorted(parts, key=lambda part: (-len(part), part)))


def _circles(
    kind: str, edges: Iterable[Edge], searches: Sequence[Search], clock: Clock, known: set[tuple[str, ...]]
) -> tuple[list[Circle], bool, bool]:
    """Return further circles of a sort, the shortest first; whether there may be more; whether all are tried.

    Each stands for a night that was found: a ring of influences need not close in any single night. Of those
    that deaths close there are many; only the ones that hold no shorter one are returned.
    """
    found: list[Circle] = []
    for members in _rings(_graph(edges, (kind,))):
        if members in known or (kind != CIRCLES[0] and _holds_shorter(members, found)):
            continue
        if len(found) == _MOST:
            return found, True, True
        if clock.over():
            return found, False, False
        if any(_closes(kind, members, search) for search in searches):
            found.append(Circle(kind, members))
    return found, False, True


def _holds_shorter(members: Sequence[str], found: Iterable[Circle]) -> bool:
    """Tell whether some of the members are a circle among themselves."""
    return any(len(circle.members) > 1 and set(circle.members) < set(members) for circle in found)


def _rings(graph: nx.DiGraph) -> Iterator[tuple[str, ...]]:
    """Yield the rings of a graph, the shortest first, each from its first member on."""
    import networkx as nx

    for length in range(1, _LONGEST + 1):
        some = []
        for ring in nx.simple_cycles(graph, length_bound=length):
            if len(ring) == length:
                first = ring.index(min(ring))
                some.append((*ring[first:], *ring[:first]))
        yield from sorted(some)


def _closes(kind: str, members: Sequence[str], search: Search) -> bool:
    """Tell whether one night holds all influences of a ring."""
    literals = search.engine.lits("affects")
    wanted = []
    for source, target in zip(members, (*members[1:], members[0]), strict=True):
        symbol = clingo.parse_term(f"affects({kind},{source},{target})")
        if symbol not in literals:
            return False
        wanted.append(literals[symbol])
    closed = False

    def on_model(model: clingo.Model) -> bool:
        nonlocal closed
        closed = True
        return False

    search.engine.solve(wanted, on_model)
    return closed
