"""Running clingo on one scenario: facts in, answer sets out.

Every assignment of answers to the raised questions has exactly one answer set, so the answer sets of a
night are its readings. How clingo is called (settings, bounds) follows what was measured: text by path,
``frumpy``, models read in the callback.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import clingo

from .errors import LimitError
from .facts import question_id

if TYPE_CHECKING:
    from .guard import Checked

#: what a symbol becomes: a word, a number, or a tuple that begins with a word
Value = Any
Atom = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """The rules of a rulebook: files of ours by path, text that is not ours checked beforehand."""

    files: tuple[Path, ...]
    #: what :mod:`mafia_asp.guard` let through
    checked: tuple[Checked, ...] = ()

    def load(self, control: clingo.Control) -> None:
        """Add the rules to a solver."""
        for path in self.files:
            control.load(str(path))
        if self.checked:
            from .guard import add_checked

            add_checked(control, self.checked)


@dataclass(frozen=True, slots=True)
class Model:
    """One answer set: the answers it rests on, and what follows."""

    picks: dict[str, str]
    #: (key, value) of ``out/2``
    out: frozenset[Atom]
    #: (key, value, rule) of ``because/3``
    because: frozenset[Atom]
    #: (convention, question, answer)
    followed: frozenset[Atom]
    #: (question, answer)
    heeded: frozenset[Atom]


@dataclass(slots=True)
class Limits:
    """Bounds of one query: seconds on the clock from `start`, and answer sets."""

    seconds: float = 10.0
    models: int = 64
    start: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """Return the seconds left, which may be negative."""
        return self.seconds - (time.monotonic() - self.start)


class Ground:
    """The ground program of one scenario, to be asked for its readings."""

    def __init__(
        self,
        program: Program,
        facts: str,
        *,
        observer: clingo.Observer | None = None,
        log: Callable[[str], None] | None = None,
    ) -> None:
        problems: list[str] = []

        def logger(code: clingo.MessageCode, message: str) -> None:
            if code is clingo.MessageCode.RuntimeError:
                problems.append(" ".join(message.split()))
            if log is not None:
                log(message)

        self.control = clingo.Control(["0", "--configuration=frumpy"], logger=logger)
        if observer is not None:
            self.control.register_observer(observer)
        try:
            program.load(self.control)
            self.control.add("base", [], facts)
            self.control.ground([("base", [])])
        except RuntimeError as error:
            raise LimitError("ground", {"problem": "; ".join(problems) or str(error)}) from None
        self._cache: dict[clingo.Symbol, Value] = {}

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
            LimitError: no answer set was found within the time.
        """
        cap = limits.models if cap is None else cap
        read = read or self._read
        found: list[Model] = []

        def on_model(model: clingo.Model) -> bool:
            found.append(read(model))
            return len(found) <= cap

        with self.control.solve(assumptions=list(assumptions), on_model=on_model, async_=True) as handle:
            done = handle.wait(0.02)
            while not done and limits.left() > 0:
                done = handle.wait(0.05)
            if not done:
                handle.cancel()
            result = handle.get()
        if not found:
            # With the shipped books there always is an answer; a book of the user's own may have none.
            raise LimitError("time", {"seconds": limits.seconds}) if not done else LimitError("no_answer")
        return found[:cap], bool(done and result.exhausted and len(found) <= cap)

    def _read(self, model: clingo.Model) -> Model:
        groups: dict[str, list[Atom]] = {"out": [], "because": [], "by_act": [], "followed": [], "heeded": []}
        picks: dict[str, str] = {}
        for symbol in model.symbols(shown=True):
            name, arguments = symbol.name, symbol.arguments
            if name == "pick":
                picks[self.value(arguments[0], question=True)] = str(self.value(arguments[1]))
            elif name == "followed":
                c, q, x = arguments
                groups[name].append((self.value(c), self.value(q, question=True), str(self.value(x))))
            elif name == "heeded":
                groups[name].append((self.value(arguments[0], question=True), str(self.value(arguments[1]))))
            else:
                groups[name].append(tuple(self.value(a) for a in arguments))
        return Model(
            picks,
            frozenset(groups["out"]),
            frozenset(groups["because"]),
            frozenset(groups["followed"]),
            frozenset(groups["heeded"]),
        )

    def value(self, symbol: clingo.Symbol, *, question: bool = False) -> Value:
        """Return a symbol as plain data; with `question`, as the id that a user sees."""
        if question:
            return question_id(str(symbol))
        known = self._cache.get(symbol)
        if known is None:
            known = self._cache[symbol] = _plain(symbol)
        return known


def _plain(symbol: clingo.Symbol) -> Value:
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is clingo.SymbolType.String:
        return symbol.string
    if not symbol.arguments:
        return symbol.name
    return (symbol.name, *[_plain(a) for a in symbol.arguments])
