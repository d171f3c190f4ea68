"""Running clingo on one scenario: facts in, answer sets out.

Every assignment of answers to the raised questions has exactly one answer set, so the answer sets of a
night are its readings. How clingo is called (settings, bounds) follows what was measured: text by path,
``frumpy`` without its preprocessing, models read in the callback.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import clingo

from .errors import Fault, InputError, LimitError
from .facts import question_id
from .process import keep

if TYPE_CHECKING:
    from .guard import Checked

#: what a symbol becomes: a word, a number, or a tuple that begins with a word
Value = Any
Atom = tuple[Value, ...]
#: With equivalences (``--eq``), clingo 5.8.3 loses answer sets of programs like ours when it solves a second
#: time, and some when it solves the first.
SOUND = "--eq=0"
SETTINGS = ("--configuration=frumpy", SOUND)
#: every ruling there can be on a named question, whose id is a text; the other ids are terms
_RULINGS = "\n#external ruling(Q,X) : reading(Q,X), Q < (#inf,)."
#: so many conflicts a query may take before it is watched by the clock
SHORT = 5000


class Program(NamedTuple):
    """The rules of a rulebook: files of ours by path, text that is not ours checked beforehand."""

    files: tuple[str, ...]
    #: what :mod:`mafia_asp.guard` let through
    checked: tuple[Checked, ...] = ()

    def load(self, control: clingo.Control) -> None:
        """Add the rules to a solver."""
        for path in self.files:
            control.load(path)
        if self.checked:
            from .guard import add_checked

            add_checked(control, self.checked)


class Model(NamedTuple):
    """One answer set: the answers it rests on, and what follows."""

    picks: dict[str, str]
    #: (key, value) of ``out/2``
    out: frozenset[Atom]
    #: (key, value, rule) of ``because/3``
    because: frozenset[Atom] = frozenset()
    #: (key, value, number of an action) of ``by_act/3``
    by_act: frozenset[Atom] = frozenset()
    #: facts with which the next phase begins, of ``next/1``
    next: frozenset[Atom] = frozenset()
    #: (convention, question, answer)
    followed: frozenset[Atom] = frozenset()
    #: (question, answer)
    heeded: frozenset[Atom] = frozenset()
    #: (question, its ruling, what another ruling says of it)
    contrary: frozenset[Atom] = frozenset()

    @classmethod
    def of(cls, picks: dict[str, str], groups: Mapping[str, Iterable[Atom]]) -> Model:
        """Return the answer set with these atoms, which stand by their predicates (all of GROUPS)."""
        return cls(picks, *[frozenset(groups[name]) for name in GROUPS])


#: the predicates of a model's atoms, as they stand in it
GROUPS = Model._fields[1:]


class Limits:
    """Bounds of one query: seconds on the clock from `start` (by default now), and answer sets."""

    __slots__ = ("models", "seconds", "start")

    def __init__(self, seconds: float = 10.0, models: int = 64, start: float | None = None) -> None:
        self.seconds = seconds
        self.models = models
        self.start = time.monotonic() if start is None else start

    def left(self) -> float:
        """Return the seconds left, which may be negative."""
        return self.seconds - (time.monotonic() - self.start)


@contextmanager
def lent(on_model: Callable[[clingo.Model], bool | None]) -> Iterator[Callable[[clingo.Model], bool | None]]:
    """Lend a function to one call of a solver.

    A solver holds on to what it was called with last. Where the solver can be reached from there, it would
    stay in memory until garbage is looked for, and every further one begin on memory of its own, which takes
    longer than grounding a night.
    """
    held = [on_model]

    def call(model: clingo.Model) -> bool | None:
        return held[0](model)

    try:
        yield call
    finally:
        held.clear()


class Ground:
    """The ground program of one scenario, to be asked for its readings.

    Args:
        switched: the ids of conventions that are in force, until :meth:`switch_off`.
        to_be_ruled: whether the book's named questions can be ruled on afterwards (:meth:`rule`).

    Raises:
        InputError: rules that are not ours cannot be worked out, or say what no outcome can hold.
    """

    def __init__(
        self,
        program: Program,
        facts: str,
        *,
        switched: Iterable[str] = (),
        to_be_ruled: bool = False,
        observer: clingo.Observer | None = None,
        log: Callable[[str], None] | None = None,
    ) -> None:
        problems: list[str] = []

        def logger(code: clingo.MessageCode, message: str) -> None:
            if code is clingo.MessageCode.RuntimeError:
                problems.append(" ".join(message.split()))
            if log is not None:
                log(message)

        limit = f"--solve-limit={SHORT}"
        self.control = clingo.Control(["0", *SETTINGS, limit], logger=logger)
        keep(self.control)
        if observer is not None:
            self.control.register_observer(observer)
        try:
            program.load(self.control)
            self._switches = [
                clingo.Function("convention", [clingo.String(convention)]) for convention in switched
            ]
            externals = "".join(f"\n#external {each}. [true]" for each in self._switches)
            if to_be_ruled:
                externals += _RULINGS
            self.control.add("base", [], facts + externals)
            self.control.ground([("base", [])])
        except RuntimeError as error:
            raise _refused(program, "; ".join(problems) or str(error)) from None
        if program.checked:
            from .shapes import check_shapes

            check_shapes(self.control, program.checked)
        self._cache: dict[clingo.Symbol, Value] = {}
        self._atoms: dict[clingo.Symbol, tuple[str, Atom]] = {}
        self._limited = True
        self._ruled: list[clingo.Symbol] = []

    def switch_off(self) -> None:
        """From now on no convention answers anything."""
        for each in self._switches:
            self.control.assign_external(each, False)

    def rule(self, rulings: Mapping[str, str]) -> None:
        """From now on named questions are ruled on so, beside what was told; what was ruled before lapses."""
        for each in self._ruled:
            self.control.assign_external(each, False)
        self._ruled = [
            clingo.Function("ruling", [clingo.String(q), clingo.String(x)]) for q, x in rulings.items()
        ]
        for each in self._ruled:
            self.control.assign_external(each, True)

    def models(
        self,
        limits: Limits,
        assumptions: Sequence[int] = (),
        cap: int | None = None,
        read: Callable[[clingo.Model], Model] | None = None,
    ) -> tuple[list[Model], bool]:
        """Return the answer sets under `assumptions` (program literals), and whether these are all.

        At most `cap` are returned, each read by `read` (by default in full).

        Raises:
            LimitError: no answer set was found within the time, or there is none.
        """
        cap = limits.models if cap is None else cap
        read = read or self._read
        found: list[Model] = []

        def on_model(model: clingo.Model) -> bool:
            found.append(read(model))
            return len(found) <= cap and limits.left() > 0

        # Nearly every query is short: then no second thread is needed.
        done = exhausted = False
        if self._limited:
            with lent(on_model) as call:
                exhausted = bool(self.control.solve(assumptions=assumptions, on_model=call).exhausted)
            done = exhausted or len(found) > cap
        if not done and limits.left() > 0:
            found.clear()
            done, exhausted = self._search(limits, assumptions, on_model)
        if not found:
            # With the shipped books there always is an answer; a book of the user's own may have none.
            raise LimitError("no_answer") if done else LimitError("time", {"seconds": limits.seconds})
        return found[:cap], done and exhausted and len(found) <= cap

    def models_in_order(self, limits: Limits) -> tuple[list[Model], bool]:
        """Return the answer sets as :meth:`models` does; where all are listed, in the order of answers."""
        models, complete = self.models(limits)
        if complete:
            models.sort(key=lambda model: sorted(model.picks.items()))
        return models, complete

    def consequences(
        self, mode: str, limits: Limits, assumptions: Sequence[int], literals: Iterable[int]
    ) -> tuple[set[int], bool]:
        """Return which `literals` hold in some (``brave``) or every (``cautious``) answer set.

        They must be of atoms that are shown: clingo keeps count of no others. The second value says whether
        the search was finished; if not, what holds in some may lack something, and what holds in every one
        may have too much.
        """
        solving: Any = self.control.configuration.solve
        wanted = list(literals)
        held: set[int] = set()

        def on_model(model: clingo.Model) -> bool:
            held.clear()
            held.update(literal for literal in wanted if model.is_true(literal))
            return limits.left() > 0

        solving.enum_mode = mode
        try:
            _, exhausted = self._search(limits, assumptions, on_model)
        finally:
            solving.enum_mode = "auto"
        return held, exhausted

    def _search(
        self, limits: Limits, assumptions: Sequence[int], on_model: Callable[[clingo.Model], bool]
    ) -> tuple[bool, bool]:
        """Solve until the time is up: whether the search ended by itself, and whether it saw everything."""
        if self._limited:
            solving: Any = self.control.configuration.solve
            solving.solve_limit = "umax,umax"
            self._limited = False
        with (
            lent(on_model) as call,
            self.control.solve(assumptions=assumptions, on_model=call, async_=True) as handle,
        ):
            done = handle.wait(0.02)
            while not done and limits.left() > 0:
                done = handle.wait(0.05)
            if not done:
                handle.cancel()
            return done, bool(handle.get().exhausted)

    def _read(self, model: clingo.Model) -> Model:
        groups: dict[str, list[Atom]] = {name: [] for name in GROUPS}
        picks: dict[str, str] = {}
        known = self._atoms
        for symbol in model.symbols(shown=True):
            atom = known.get(symbol)
            if atom is None:
                atom = known[symbol] = self._atom(symbol)
            if atom[0] == "pick":
                picks[atom[1][0]] = atom[1][1]
            else:
                groups[atom[0]].append(atom[1])
        return Model.of(picks, groups)

    def _atom(self, symbol: clingo.Symbol) -> tuple[str, Atom]:
        """Return the predicate of a shown atom, and its arguments as plain data."""
        name, arguments = symbol.name, symbol.arguments
        if name not in ("pick", "heeded", "followed"):
            return name, tuple([self.value(a) for a in arguments])
        *before, question, answer = arguments
        said = [self.value(question, question=True), str(self.value(answer))]
        return name, (*[self.value(a) for a in before], *said)

    def value(self, symbol: clingo.Symbol, *, question: bool = False) -> Value:
        """Return a symbol as plain data; with `question`, as the id that a user sees."""
        if question:
            return question_id(str(symbol))
        known = self._cache.get(symbol)
        if known is None:
            known = self._cache[symbol] = plain(symbol)
        return known


def _refused(program: Program, problem: str) -> InputError:
    """Return the error for rules that clingo does not work out, with their places where they are known."""
    from .guard import ground_faults

    said: list[str] = []
    control = clingo.Control(logger=lambda code, message: said.append(message))
    faults = ground_faults(program.checked, control, said)
    return InputError(faults or [Fault(None, "ground", {"problem": problem})])


def plain(symbol: clingo.Symbol) -> Value:
    """Return a symbol as a word, a number, or a tuple that begins with a word."""
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is clingo.SymbolType.String:
        return symbol.string
    if not symbol.arguments:
        return symbol.name
    return (symbol.name, *[plain(a) for a in symbol.arguments])
