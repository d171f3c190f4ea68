"""The search for open points of a role set, each with the smallest night that hangs on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import clingo

from ..facts import question_id, question_term
from ..readings import split
from .engine import TARGETS, Clock, Engine, Night, book_files, read_program, search_files, sliced
from .nights import Told, readings, told
from .program import depending, renamed
from .space import Space, scan, space

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..model import Phase
    from ..readings import Part
    from ..rulebook import Rulebook
    from ..solve import Model
    from .program import Statement

#: readings of one night that are listed
CAP = 3000


class Point(NamedTuple):
    """An open point: its id, and what to assume in either program so that a night shows it."""

    id: str
    #: what the solver calls it: a question's term, or the rules of a dispute, or a circle's parity and verbs
    terms: tuple[clingo.Symbol, ...]
    kind: str


class Shown(NamedTuple):
    """An open point with a night; `bears`: its outcome hangs on it."""

    point: Point
    phase: Phase
    night: Night
    told: Told
    models: tuple[Model, ...]
    whole: bool
    bears: bool


class Search:
    """All nights of one phase with any part of a role set."""

    def __init__(
        self,
        book: Rulebook,
        roles: Sequence[tuple[str, int]],
        phase: Phase,
        clock: Clock,
        *,
        state: bool = False,
        gone: bool = False,
        rulings: Mapping[str, str] | None = None,
        texts: dict[str, str] | None = None,
    ) -> None:
        self.book = book
        self.phase = phase
        self.clock = clock
        self.rulings = dict(rulings or {})
        files = book_files(book.files_for({role for role, _ in roles}, phase))
        by_file = {file: read_program([file], texts) for file in files}
        self.rules: list[Statement] = [each for some in by_file.values() for each in some]
        scans = [scan(file, some) for file, some in by_file.items()]
        self.space: Space = space(book, roles, scans, phase, state=state, gone=gone)
        self._generator = read_program(search_files("names", "nights"))
        self._found = read_program(search_files("found"))
        ruled = [question_term(question, answer) for question, answer in self.rulings.items()]
        self._facts = self.space.text + "\n" + "\n".join(f"ruling({q},{x})." for q, x in ruled)
        self.engine = self._engine(self._found, TARGETS, ())
        self._pair: Engine | None = None

    def _engine(self, more: Sequence[Statement], targets: Iterable[str], copied: Iterable[str]) -> Engine:
        program = sliced([*self.rules, *self._generator, *more], (*targets, "acting", "place_of"))
        text = "\n".join(f"{statement.text}." for statement in program)
        return Engine(
            "\n".join([text, *copied, self._facts, _directives(more)]),
            search_files("smallest"),
            clock=self.clock,
        )

    # ---- open points ----

    def points(self) -> tuple[list[Point], bool]:
        """Return the open points that some night raises, and whether these are all."""
        engine = self.engine
        named, whole = engine.brave("point")
        found = [_named(symbol.arguments[0]) for symbol in named]
        focused = list(engine.lits("focused").values())
        if focused:
            sets, finished = engine.sets(("disputed", "circling", "circling_in"), focused)
            found += [_nameless(some) for some in sets if some]
            whole = whole and finished
        unique = {point.id: point for point in found}
        return [unique[id] for id in sorted(unique)], whole

    def smallest(self, point: Point) -> tuple[Shown | None, bool]:
        """Return the smallest night that raises a point, and whether that is certain."""
        night, finished = self.engine.smallest(self._raised(point))
        return (None if night is None else self.show(point, night)), finished

    def _raised(self, point: Point) -> list[int]:
        engine = self.engine
        if point.kind == "named":
            return [engine.lits("point")[clingo.Function("point", list(point.terms))]]
        assumed = list(engine.lits("focused").values())
        wanted = {str(term) for term in point.terms}
        for name in ("disputed", "circling", "circling_in"):
            for symbol, literal in engine.lits(name).items():
                assumed.append(literal if str(symbol.arguments[0]) in wanted else -literal)
        return assumed

    def show(self, point: Point, night: Night) -> Shown:
        """Decide a night, and tell whether its outcome hangs on a point."""
        at = told(night, self.book.path_or_id, self.phase, self.space.candidates, self.rulings)
        models, whole = readings(self.engine, night, at, CAP)
        _, parts = split(models) if models else (frozenset(), [])
        return Shown(point, self.phase, night, at, tuple(models), whole, _hangs(point, parts))

    def broken(self, players: Iterable[str]) -> tuple[str, ...]:
        """Return the rules of the make-up that a part of the role set breaks in every reading."""
        engine = self.engine
        wanted = {clingo.Function("player", [clingo.Function(player)]) for player in players}
        assumed = [literal if atom in wanted else -literal for literal, atom in engine.made_of.items()]
        assumed += [-literal for literal in engine.lits("focus").values()]
        found: list[set[str]] = []

        def on_model(model: clingo.Model) -> None:
            held = {
                str(engine.value(s.arguments[0]))
                for s, lit in engine.lits("illegal").items()
                if model.is_true(lit)
            }
            found.append(held)

        engine.solve(assumed, on_model)
        return tuple(sorted(set.intersection(*found))) if found else ()

    # ---- does it matter? ----

    def bearing(self, point: Point, among: Sequence[Point]) -> tuple[Shown | None, bool]:
        """Return the smallest night whose outcome hangs on a point, and whether the search was finished.

        `among` are all points that will be asked about, so that one program serves them.
        """
        if self._pair is None:
            self._pair = self._two_copies(among)
        pair = self._pair
        assumed = []
        wanted = {str(term) for term in point.terms}
        for name in ("sought", "sought_rule", "sought_verb", "sought_parity"):
            for symbol, literal in pair.lits(name).items():
                assumed.append(literal if str(symbol.arguments[0]) in wanted else -literal)
        night, finished = pair.smallest(assumed)
        if night is None:
            return None, finished
        known = {symbol: literal for literal, symbol in self.engine.made_of.items()}
        here = Night(night.atoms, frozenset(known[atom] for atom in night.atoms if atom in known), night.cost)
        return self.show(point, here), finished

    def _two_copies(self, among: Sequence[Point]) -> Engine:
        pair = read_program(search_files("pair"))
        program = sliced(
            [*self.rules, *self._generator], ("out", "pick", "raised", "parity", "uses_verb", "party")
        )
        names = depending(program, ("pick",))
        copied = [renamed(each, names, "__2") for each in program if names.intersection(each.heads)]
        seek = [f"seekable({p.terms[0]})." for p in among if p.kind == "named"]
        seek += [f"seekable_rule({t})." for p in among if p.kind == "dispute" for t in p.terms]
        seek += [f"seekable_verb({t})." for p in among if p.kind == "circle" for t in p.terms[1:]]
        self._facts += "\n" + "\n".join(dict.fromkeys(seek))
        return self._engine(pair, ("apart", "focused", "out", "pick"), copied)


def _directives(more: Sequence[Statement]) -> str:
    """Return what is shown and projected, which is no part of the statements."""
    heads = {head for statement in more for head in statement.heads}
    if "point" in heads:
        return "#show. #show point/1."
    return "#show."


def _named(term: clingo.Symbol) -> Point:
    return Point(question_id(str(term)), (term,), "named")


def _nameless(atoms: Sequence[clingo.Symbol]) -> Point:
    rules = sorted(atom.arguments[0] for atom in atoms if atom.name == "disputed")
    if rules:
        return Point("~".join(rule.string for rule in rules), tuple(rules), "dispute")
    verbs = sorted(atom.arguments[0] for atom in atoms if atom.name == "circling")
    parity = next(atom.arguments[0] for atom in atoms if atom.name == "circling_in")
    words = ",".join(map(str, [parity, *verbs]))
    return Point(f"circle({words})", (parity, *verbs), "circle")


def _hangs(point: Point, parts: Sequence[Part]) -> bool:
    return any(point.id in part.questions for part in parts)
