"""The solver with all nights of a role set in it: asked for open points, smallest nights, readings.

One ground program serves three kinds of question: which open points there are (brave consequences), the
smallest night that shows one (``#minimize`` under assumptions), and what the readings of one night are (all
that is said fixed by assumptions).
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import clingo

from ..circuit import Circuit
from ..outcome import observable
from ..solve import SETTINGS, SOUND, Value, lent, plain
from .program import Statement, statements

if TYPE_CHECKING:
    from collections.abc import Callable

#: what a night is made of; everything else follows
SAID = ("phase", "player", "said", "aim", "with", "vote", "holds", "bears", "found", "gone")
BEFORE = ("earlier_said", "earlier_aim", "earlier_with")
_CHOSEN = (*SAID, *BEFORE)
#: what is read of a night's readings
READ = ("out", "pick", "party", "uses_verb", "parity")
#: files of the core that a search replaces, and what only an answer needs
_REPLACED = ("names.lp", "shown.lp")


#: what the solver is best set to where everything has its place, and where the order is open
_AT_ONCE = (*SETTINGS, "--heuristic=Vsids", "--restarts=D,100,0.7", "--opt-strategy=usc")
_ORDERED = ("--configuration=trendy", SOUND, "--opt-strategy=usc")

#: so many atoms that may change at one distance from an answer are a sign that they lead somewhere
_WIDE = 40


class Clock:
    """A deadline; None: there is none."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def over(self) -> bool:
        """Tell whether the time is up."""
        return self._end is not None and time.monotonic() >= self._end

    def part(self, parts: int) -> Clock:
        """Return a clock for one of so many equal parts of what is left."""
        return Clock(None if self._end is None else max(self._end - time.monotonic(), 0.0) / parts)


class Night(NamedTuple):
    """What a night is made of: the generator's atoms (sorted), and their literals in one engine."""

    atoms: tuple[clingo.Symbol, ...]
    literals: frozenset[int]

    @property
    def size(self) -> Counter[str]:
        """How much of each kind is said and given, whoever is named."""
        return Counter(atom.name for atom in self.atoms if atom.name != "aim")

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
    return [statement for file in files for statement in statements(read_text(file, texts))]


def read_text(file: str, texts: Mapping[str, str] | None = None) -> str:
    """Return the text of a file, which may have been read already."""
    text = (texts or {}).get(file)
    if text is None:
        with open(file, encoding="utf-8") as stream:
            text = stream.read()
    return text


class Engine:
    """A ground program of all nights. Not to be shared between threads.

    Raises:
        InputError: rules that are not ours cannot be worked out.
    """

    def __init__(
        self,
        text: str,
        files: Iterable[str],
        clock: Clock,
        circuit: Circuit | None = None,
        *,
        ordered: bool = False,
    ) -> None:
        """Ground a program; `circuit` takes down its rules (see :meth:`leads`).

        `ordered`: what is told comes in an order of its own, as by day.
        """
        self.clock = clock
        options = _ORDERED if ordered else _AT_ONCE
        self.control = clingo.Control(["0", *options], logger=lambda code, message: None)
        if circuit is not None:
            self.control.register_observer(circuit)
        for file in files:
            self.control.load(file)
        self.control.add("base", [], text)
        self.control.ground([("base", [])])
        self._solving: Any = self.control.configuration.solve
        self._lits: dict[str, dict[clingo.Symbol, int]] = {}
        self._arities: dict[str, list[int]] = {}
        for name, arity, _ in self.control.symbolic_atoms.signatures:
            self._arities.setdefault(name, []).append(arity)
        #: literal -> atom, of everything that a night is made of
        self.made_of = {literal: symbol for name in _CHOSEN for symbol, literal in self.lits(name).items()}
        #: what must hold so that a night is of the phase that is looked at, where several are searched
        self.within: list[int] = []

    def turn_to(self, phase: str) -> None:
        """From now on look at one phase of those that the program holds."""
        self.within = [lit for atom, lit in self.lits("phase").items() if str(atom.arguments[0]) == phase]

    def lits(self, name: str) -> dict[clingo.Symbol, int]:
        """Return the atoms of one predicate with their literals."""
        if name not in self._lits:
            atoms = self.control.symbolic_atoms
            self._lits[name] = {
                atom.symbol: atom.literal
                for arity in self._arities.get(name, ())
                for atom in atoms.by_signature(name, arity)
            }
        return self._lits[name]

    def solve(
        self,
        assumptions: Iterable[int],
        on_model: Callable[[clingo.Model], bool | None],
        *,
        enum: str = "auto",
        optimise: bool = False,
    ) -> bool:
        """Solve, watching the clock: whether the search was finished."""
        solving = self._solving
        solving.enum_mode = enum
        solving.opt_mode = "opt" if optimise else "ignore"
        assumed = [*self.within, *assumptions]
        with (
            lent(on_model) as call,
            self.control.solve(assumptions=assumed, on_model=call, async_=True) as handle,
        ):
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
        self,
        names: Sequence[str],
        assumptions: Iterable[int],
        known: Iterable[Collection[clingo.Symbol]] = (),
    ) -> tuple[list[tuple[clingo.Symbol, ...]], bool]:
        """Return the distinct sets of projected atoms of `names`, and whether these are all.

        Those whose arguments are `known` are left out.
        """
        atoms = [(symbol, literal) for name in names for symbol, literal in self.lits(name).items()]
        arguments = {symbol.arguments[0] for symbol, _ in atoms}
        blocked = [some for some in known if arguments.issuperset(some)]
        found: set[tuple[clingo.Symbol, ...]] = set()

        def on_model(model: clingo.Model) -> None:
            held = tuple(symbol for symbol, literal in atoms if model.is_true(literal))
            # The next model has another set.
            true = {symbol.arguments[0] for symbol in held}
            others = blocked if not found else ()
            if true not in blocked:
                found.add(held)
            for some in (true, *others):
                model.context.add_clause([-lit if s.arguments[0] in some else lit for s, lit in atoms])

        finished = self.solve(assumptions, on_model)
        return sorted(found), finished

    def smallest(self, assumptions: Iterable[int], effort: int = -1) -> tuple[Night | None, bool]:
        """Return the smallest night under `assumptions`, and whether the search for it was finished.

        `effort` is the number of conflicts after which it is given up.
        """
        best: list[int] | None = None

        def on_model(model: clingo.Model) -> None:
            # The last one is the smallest; only that is made into a night.
            nonlocal best
            best = [literal for literal in self.made_of if model.is_true(literal)]

        self._solving.solve_limit = effort
        finished = self.solve(assumptions, on_model, optimise=True)
        self._solving.solve_limit = -1
        return (None if best is None else self.night(best)), finished

    def night(self, literals: Iterable[int]) -> Night:
        """Return the night in which exactly these of the generator's literals are true."""
        true = frozenset(literals)
        return Night(tuple(sorted(self.made_of[one] for one in true)), true)

    def fixed(self, night: Night) -> list[int]:
        """Return the assumptions under which exactly this night holds."""
        return [literal if literal in night.literals else -literal for literal in self.made_of]

    def leads(self, circuit: Circuit, sources: Iterable[int], assumptions: Sequence[int] = ()) -> bool:
        """Tell whether a change of `sources` may change an outcome of a night under `assumptions`.

        Read off `circuit`, this engine's ground program, so that "no" is a proof and "yes" is none. With
        assumptions, what cannot be so in such a night is left out, which takes searches of its own.
        """
        outcomes = {literal for _, _, literal in self.outcomes}

        def possible(atoms: set[int]) -> set[int]:
            return self.possible(atoms, assumptions) if assumptions else atoms

        return any(
            not layer.isdisjoint(outcomes) or (assumptions and len(layer) > _WIDE)
            for layer in circuit.layers(sources, possible)
        )

    def possible(self, atoms: Iterable[int], assumptions: Iterable[int]) -> set[int]:
        """Return which atoms may hold in some night under `assumptions`: all that are not known not to."""
        every = set(atoms)
        found, finished = self.held(every, assumptions)
        return found if finished else every

    def held(self, atoms: Iterable[int], assumptions: Iterable[int] = ()) -> tuple[set[int], bool]:
        """Return which atoms hold in some night under `assumptions`, and whether these are all."""
        left = sorted(atoms)
        if not left:
            return set(), True
        found: set[int] = set()

        def on_model(model: clingo.Model) -> bool:
            nonlocal left
            found.update(atom for atom in left if model.is_true(atom))
            left = [atom for atom in left if atom not in found]
            model.context.add_clause(left)
            return bool(left)

        finished = self.solve(assumptions, on_model)
        return found, finished or not left

    # ---- what readings are read from, prepared once ----

    @cached_property
    def idle(self) -> list[int]:
        """The assumptions under which nothing is looked for."""
        return [-literal for literal in self.lits("focus").values()]

    @cached_property
    def outcomes(self) -> list[tuple[Value, Value, int]]:
        """Key, value and literal of what an outcome may hold."""
        rows = [(*map(plain, symbol.arguments), literal) for symbol, literal in self.lits("out").items()]
        return [(key, value, literal) for key, value, literal in rows if observable((key, value))]

    @cached_property
    def answers(self) -> list[tuple[clingo.Symbol, str, int]]:
        """Question, answer and literal of what may be answered."""
        return [
            (symbol.arguments[0], str(plain(symbol.arguments[1])), literal)
            for symbol, literal in self.lits("pick").items()
        ]

    @cached_property
    def made_by(self) -> dict[str, dict[clingo.Symbol, list[tuple[str, int]]]]:
        """Of slots the rules, of knots abilities and parity: predicate -> place -> (word, literal)."""
        found: dict[str, dict[clingo.Symbol, list[tuple[str, int]]]] = {}
        for name in ("party", "uses_verb", "parity"):
            rows = found[name] = {}
            for symbol, literal in self.lits(name).items():
                place, word = symbol.arguments
                rows.setdefault(place, []).append((str(plain(word)), literal))
        return found
