"""The solver with all nights of a role set in it: asked for open points, smallest nights, readings.

One ground program serves three kinds of question: which open points there are (brave consequences), the
smallest night that shows one (``#minimize`` under assumptions), and what the readings of one night are (all
that is said fixed by assumptions).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import clingo

from ..solve import Value
from .program import Statement, statements

if TYPE_CHECKING:
    from collections.abc import Callable

#: what a night is made of; everything else follows
SAID = ("player", "said", "aim", "with", "vote", "holds", "bears", "found", "gone")
BEFORE = ("earlier_said", "earlier_aim", "earlier_with")
_CHOSEN = (*SAID, *BEFORE)
#: what a search reads; rules that lead to none of it are left out
TARGETS = (
    "point",
    "disputed",
    "circling",
    "circling_in",
    "focused",
    "out",
    "pick",
    "party",
    "uses_verb",
    "parity",
    "illegal",
)
#: files of the core that a search replaces, and what only an answer needs
_REPLACED = ("names.lp", "shown.lp")


class Clock:
    """A deadline; None: there is none."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def over(self) -> bool:
        """Tell whether the time is up."""
        return self._end is not None and time.monotonic() >= self._end


class Night(NamedTuple):
    """What a night is made of, as the generator's atoms (sorted), and how large it is."""

    atoms: tuple[clingo.Symbol, ...]
    literals: frozenset[int]
    cost: tuple[int, ...]

    def each(self, name: str) -> list[list[clingo.Symbol]]:
        """Return the arguments of the atoms of one predicate."""
        return [list(atom.arguments) for atom in self.atoms if atom.name == name]


def sliced(program: Sequence[Statement], targets: Iterable[str]) -> list[Statement]:
    """Return the statements that lead to any of the predicates in `targets`, constraints included."""
    defined: dict[str, list[Statement]] = {}
    kept = []
    for statement in program:
        if statement.text.startswith("#defined") or (statement.uses and not statement.heads):
            kept.append(statement)
        for head in statement.heads:
            defined.setdefault(head, []).append(statement)
    needed = set(targets) | {use.name for statement in kept for use in statement.uses}
    stack = list(needed)
    while stack:
        for statement in defined.get(stack.pop(), ()):
            for use in statement.uses:
                if use.name not in needed:
                    needed.add(use.name)
                    stack.append(use.name)
    wanted = {id(statement) for name in needed for statement in defined.get(name, ())}
    wanted |= {id(statement) for statement in kept}
    return [statement for statement in program if id(statement) in wanted]


def search_files(*names: str) -> list[str]:
    """Return the paths of files of ``encodings/search``."""
    from ..rulebook import encodings

    return [os.path.join(encodings(), "search", f"{name}.lp") for name in names]


def book_files(files: Iterable[str]) -> list[str]:
    """Return the files of a rulebook and the core that a search keeps."""
    return [
        file
        for file in files
        if os.path.basename(file) not in _REPLACED
        and os.path.basename(os.path.dirname(file)) != "conventions"
    ]


def read_program(files: Iterable[str], texts: dict[str, str] | None = None) -> list[Statement]:
    """Return the statements of some files; `texts` are the ones that have been read already."""
    found: list[Statement] = []
    for file in files:
        text = (texts or {}).get(file)
        if text is None:
            with open(file, encoding="utf-8") as stream:
                text = stream.read()
        found += statements(text)
    return found


class Engine:
    """A ground program of all nights. Not to be shared between threads.

    Raises:
        InputError: rules that are not ours cannot be worked out.
    """

    def __init__(
        self, text: str, files: Iterable[str] = (), *, clock: Clock, arguments: Sequence[str] = ()
    ) -> None:
        self.clock = clock
        options = ["0", "--configuration=tweety", "--opt-strategy=usc", *arguments]
        self.control = clingo.Control(options, logger=lambda code, message: None)
        for file in files:
            self.control.load(file)
        self.control.add("base", [], text)
        self.control.ground([("base", [])])
        self._solving: Any = self.control.configuration.solve
        self._values: dict[clingo.Symbol, Value] = {}
        #: literal -> atom, of everything that a night is made of
        self.made_of: dict[int, clingo.Symbol] = {}
        self.facts: list[clingo.Symbol] = []
        self.literals: dict[str, dict[clingo.Symbol, int]] = {}
        for atom in self.control.symbolic_atoms:
            name = atom.symbol.name
            if name in _CHOSEN:
                self.made_of[atom.literal] = atom.symbol
            self.literals.setdefault(name, {})[atom.symbol] = atom.literal

    def lits(self, name: str) -> dict[clingo.Symbol, int]:
        """Return the atoms of one predicate with their literals."""
        return self.literals.get(name, {})

    def solve(
        self,
        assumptions: Iterable[int],
        on_model: Callable[[clingo.Model], bool | None],
        *,
        enum: str = "auto",
        optimise: bool = False,
        models: int = 0,
    ) -> bool:
        """Solve, watching the clock: whether the search was finished."""
        solving = self._solving
        solving.enum_mode = enum
        solving.opt_mode = "opt" if optimise else "ignore"
        solving.models = models
        with self.control.solve(assumptions=list(assumptions), on_model=on_model, async_=True) as handle:
            done = handle.wait(0.001)
            while not done and not self.clock.over():
                done = handle.wait(0.05)
            if not done:
                handle.cancel()
            result = handle.get()
            return bool(done and (result.exhausted or result.unsatisfiable))

    def brave(self, name: str, assumptions: Iterable[int] = ()) -> tuple[list[clingo.Symbol], bool]:
        """Return the shown atoms of `name` that hold in some night, and whether these are all."""
        found: list[clingo.Symbol] = []

        def on_model(model: clingo.Model) -> None:
            found[:] = [symbol for symbol in model.symbols(shown=True) if symbol.name == name]

        finished = self.solve(assumptions, on_model, enum="brave")
        return sorted(found), finished

    def sets(
        self, names: Sequence[str], assumptions: Iterable[int]
    ) -> tuple[list[tuple[clingo.Symbol, ...]], bool]:
        """Return the distinct sets of projected atoms of `names`, and whether these are all."""
        atoms = [(symbol, literal) for name in names for symbol, literal in self.lits(name).items()]
        found: set[tuple[clingo.Symbol, ...]] = set()

        def on_model(model: clingo.Model) -> None:
            held = tuple(symbol for symbol, literal in atoms if model.is_true(literal))
            found.add(held)
            # The next model has another set.
            true = set(held)
            model.context.add_clause([-lit if symbol in true else lit for symbol, lit in atoms])

        finished = self.solve(assumptions, on_model)
        return sorted(found), finished

    def smallest(self, assumptions: Iterable[int]) -> tuple[Night | None, bool]:
        """Return the smallest night under `assumptions`, and whether the search for it was finished."""
        best: list[Night] = []

        def on_model(model: clingo.Model) -> None:
            best[:] = [self.night(model)]

        finished = self.solve(assumptions, on_model, optimise=True)
        return (best[0] if best else None), finished

    def night(self, model: clingo.Model) -> Night:
        """Return what a model's night is made of."""
        true = [literal for literal in self.made_of if model.is_true(literal)]
        return Night(tuple(sorted(self.made_of[one] for one in true)), frozenset(true), tuple(model.cost))

    def fixed(self, night: Night) -> list[int]:
        """Return the assumptions under which exactly this night holds."""
        return [literal if literal in night.literals else -literal for literal in self.made_of]

    def value(self, symbol: clingo.Symbol) -> Value:
        """Return a symbol as plain data."""
        known = self._values.get(symbol)
        if known is None:
            from ..solve import plain

            known = self._values[symbol] = plain(symbol)
        return known
