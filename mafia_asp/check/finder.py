"""The search for open points of a role set, each with the smallest night that hangs on it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import clingo

from ..circuit import Circuit
from ..facts import circle_id, dispute_id, question_id, ruling_facts
from ..readings import Part, split
from ..solve import Atom
from .days import MOMENTS
from .engine import READ, Clock, Engine, Night, book_files, read_program, read_text, search_files, sliced
from .nights import Told, readings, told
from .program import second_copy, statements, under
from .scan import scanned
from .space import Space, generators, space

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..model import Phase
    from ..rulebook import Rulebook
    from ..solve import Model
    from .program import Statement

#: what a point without a name is read from
_MADE_OF = ("disputed", "circling", "circling_in")
#: readings of one night that are listed
CAP = 3000
#: conflicts that are spent on a more usual night of the same size
_POLISH = 50


class Point(NamedTuple):
    """An open point: its id, and what to assume in either program so that a night shows it."""

    id: str
    #: what the solver calls it: a question's term, or the rules of a dispute, or a circle's parity and verbs
    terms: tuple[clingo.Symbol, ...]
    kind: str


class Shown(NamedTuple):
    """An open point with a night; `bears`: its outcome hangs on it."""

    point: Point
    told: Told
    models: tuple[Model, ...]
    #: what is certain of the outcome, and the parts of the rest
    found: tuple[frozenset[Atom], list[Part]]
    whole: bool
    bears: bool


class Search:
    """All nights of some phases with any part of a role set; one phase at a time is looked at.

    What is asked of it holds for the phase that it was last turned to, at first the first one.
    """

    def __init__(
        self,
        book: Rulebook,
        roles: Sequence[tuple[str, int]],
        phases: Sequence[Phase],
        clock: Clock,
        *,
        state: bool = False,
        gone: bool = False,
        rulings: Mapping[str, str] | None = None,
        texts: dict[str, str] | None = None,
        acts: int | None = None,
        file: str = "found",
    ) -> None:
        """Make everything ready; `file` of ``encodings/search`` says what is read out.

        A day, or an end of a game, is a search by itself.
        """
        self.book = book
        self.phases = tuple(phases)
        self.clock = clock
        self.rulings = dict(rulings or {})
        files = {each: book_files(book.files_for({role for role, _ in roles}, each)) for each in phases}
        by_file = {file: read_text(file, texts) for some in files.values() for file in some}
        self.rules, self._loading = _joined(by_file, files)
        scans = [scanned(file, text) for file, text in by_file.items()]
        self.space: Space = space(book, roles, scans, phases, state=state, gone=gone, acts=acts)
        self._generator = read_program(search_files("names", *generators(phases)))
        self._facts = "\n".join([self.space.text, *ruling_facts(self.rulings)])
        self.engine = self._engine(file, ("natural",))
        self._pair: Engine | None = None
        self._sought: set[Point] = set()
        self.turn_to(self.phases[0])
        self._decided: dict[
            tuple[Night, str], tuple[Told, tuple[Model, ...], tuple[frozenset[Atom], list[Part]], bool]
        ] = {}

    def turn_to(self, phase: Phase) -> None:
        """Look at one phase from now on."""
        self.phase = phase
        for engine in (self.engine, self._pair):
            if engine is not None:
                engine.turn_to(phase)

    def _sliced(self, file: str) -> list[Statement]:
        """Return the rules that lead to what is read, or to what a file of the search speaks of."""
        spoken = {use.name for each in read_program(search_files(file)) for use in each.uses}
        return sliced([*self.rules, *self._generator], spoken.union(READ, ("acting", "at_least")))

    def _engine(
        self, file: str, beside: Iterable[str], more: Iterable[str] = (), circuit: Circuit | None = None
    ) -> Engine:
        rules = [f"{statement.text}." for statement in self._sliced(file)]
        text = "\n".join([*rules, *more, *self._loading, self._facts])
        files = search_files("smallest", *beside, file)
        return Engine(text, files, self.clock, circuit, ordered=not MOMENTS.keys().isdisjoint(self.phases))

    def meetings(self, points: Sequence[Point]) -> Engine:
        """Return an engine that tells which of these points come up in a night, by their places (met/1)."""
        known = []
        for number, point in enumerate(points):
            if point.kind == "circle":
                known.append(f"known_parity({number},{point.terms[0]}).")
                known += [f"known_verb({number},{verb})." for verb in point.terms[1:]]
            else:
                name = "known_rule" if point.kind == "dispute" else "known"
                known += [f"{name}({number},{term})." for term in point.terms]
        return self._engine("meetings", ("natural",), known)

    # ---- open points ----

    def points(self, known: Iterable[Point] = ()) -> tuple[list[Point], bool]:
        """Return the open points that some night raises, but for those known, and whether these are all."""
        engine = self.engine
        done = {frozenset(point.terms) for point in known}
        named = {
            literal: symbol.arguments[0]
            for symbol, literal in engine.lits("point").items()
            if frozenset(symbol.arguments) not in done
        }
        held, whole = engine.held(named)
        found = [_named(named[literal]) for literal in held]
        focused = list(engine.lits("focused").values())
        if focused:
            sets, finished = engine.sets(_MADE_OF, focused, done)
            found += [_nameless(some) for some in sets if some]
            whole = whole and finished
        unique = {point.id: point for point in found}
        return [unique[id] for id in sorted(unique)], whole

    def smallest(self, point: Point) -> tuple[Shown | None, bool]:
        """Return the smallest night that raises a point, and whether that is certain."""
        night, finished = None, True
        for bound in self._bounds():
            night, finished = self.engine.smallest([*self.raised(point), *bound])
            if night is not None or not finished:
                break
        return (None if night is None else self.show(point, night)), finished

    def _bounds(self) -> list[list[int]]:
        """The assumptions under which only so much is told: by day step by step, at night at once."""
        told_at = {symbol.arguments[0].number: lit for symbol, lit in self.engine.lits("told_at").items()}
        return [*([-told_at[number]] for number in sorted(told_at)), []]

    def raised(self, point: Point) -> list[int]:
        """Return the assumptions under which a night raises one of the open points."""
        engine = self.engine
        if point.kind == "named":
            return [engine.lits("point")[clingo.Function("point", list(point.terms))]]
        assumed = list(engine.lits("focused").values())
        wanted = {str(term) for term in point.terms}
        for name in _MADE_OF:
            for symbol, literal in engine.lits(name).items():
                assumed.append(literal if str(symbol.arguments[0]) in wanted else -literal)
        return assumed

    def show(self, point: Point, night: Night) -> Shown:
        """Decide a night, and tell whether its outcome hangs on a point (on a ruled one: but for that)."""
        known = night, point.id if point.id in self.rulings else ""
        if known not in self._decided:
            others = {question: answer for question, answer in self.rulings.items() if question != point.id}
            at = told(night, self.book.path_or_id, self.phase, self.space.candidates, others)
            models, whole = readings(self.engine, night, at, CAP)
            found = split(models) if models else (frozenset[Atom](), list[Part]())
            self._decided[known] = at, tuple(models), found, whole
        at, decided, found, whole = self._decided[known]
        bears = any(point.id in part.questions for part in found[1])
        return Shown(point, at, decided, found, whole, bears)

    # ---- does it matter? ----

    def leads(self, point: Point, *, strictly: bool = False) -> bool:
        """Tell whether the answers to a point may lead to a change of an outcome; "no" is a proof.

        With `strictly`, only what can be so in a night that raises the point is looked at.
        """
        assumed = self.raised(point)
        if point.kind == "named":
            places = set(point.terms)
        else:
            focus = {lit: symbol.arguments[0] for symbol, lit in self.engine.lits("focus").items()}
            places = {focus[lit] for lit in self.engine.possible(focus, assumed)}
        sources = [lit for symbol, lit in self.engine.lits("pick").items() if symbol.arguments[0] in places]
        return self.engine.leads(self._circuit, sources, assumed if strictly else ())

    @cached_property
    def _circuit(self) -> Circuit:
        """The ground program rule by rule, ground once more: it takes time, and few searches ask for it."""
        circuit = Circuit()
        self._engine("found", ("natural",), circuit=circuit)
        return circuit

    def bearing(self, point: Point, among: Sequence[Point], effort: int = -1) -> tuple[Shown | None, bool]:
        """Return the smallest night whose outcome hangs on a point, and whether the search was finished.

        `among` are all points that will be asked about, so that one program serves them; `effort` is the
        number of conflicts after which the search is given up.
        """
        if self._pair is None or not set(among) <= self._sought:
            self._pair, self._sought = self._two_copies(among), set(among)
            self._pair.turn_to(self.phase)
        pair = self._pair
        assumed = []
        wanted = {str(term) for term in point.terms}
        for name in ("sought", "sought_rule", "sought_verb", "sought_parity"):
            for symbol, literal in pair.lits(name).items():
                assumed.append(literal if str(symbol.arguments[0]) in wanted else -literal)
        night, finished = pair.smallest(assumed, effort)
        if night is None:
            return None, finished
        usual, _ = pair.smallest([*assumed, *pair.lits("usual").values()], _POLISH)
        if usual is not None and usual.size == night.size:
            night = usual
        wanted_atoms = set(night.atoms)
        here = self.engine.night(lit for lit, atom in self.engine.made_of.items() if atom in wanted_atoms)
        return self.show(point, here), finished

    def _two_copies(self, among: Sequence[Point]) -> Engine:
        program = self._sliced("pair")
        copied = second_copy(program, ("pick",))
        seek = [f"seekable({p.terms[0]})." for p in among if p.kind == "named"]
        seek += [f"seekable_rule({t})." for p in among if p.kind == "dispute" for t in p.terms]
        seek += [f"seekable_verb({t})." for p in among if p.kind == "circle" for t in p.terms[1:]]
        return self._engine("pair", (), [*copied, *dict.fromkeys(seek)])


def _joined(
    by_file: Mapping[str, str], files: Mapping[Phase, Sequence[str]]
) -> tuple[list[Statement], list[str]]:
    """Return the rules of several phases as one program, and what says when those of some of them hold.

    What is loaded for some phases only waits for one of these.
    """
    rules: list[Statement] = []
    loading: dict[str, str] = {}
    for file, text in by_file.items():
        some = statements(text)
        phases = [phase for phase, those in files.items() if file in those]
        if len(phases) == len(files):
            rules += some
            continue
        atom = f"loaded_{len(loading)}"
        known = loading.setdefault(" ".join(phases), atom)
        rules += [under(each, known) for each in some]
    return rules, [f"{atom} :- phase({';'.join(phases.split())})." for phases, atom in loading.items()]


def _named(term: clingo.Symbol) -> Point:
    return Point(question_id(str(term)), (term,), "named")


def _nameless(atoms: Sequence[clingo.Symbol]) -> Point:
    rules = sorted(atom.arguments[0] for atom in atoms if atom.name == "disputed")
    if rules:
        return Point(dispute_id(rule.string for rule in rules), tuple(rules), "dispute")
    verbs = sorted(atom.arguments[0] for atom in atoms if atom.name == "circling")
    parity = next(atom.arguments[0] for atom in atoms if atom.name == "circling_in")
    return Point(circle_id(str(parity), map(str, verbs)), (parity, *verbs), "circle")
