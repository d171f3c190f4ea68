"""Running clingo on one scenario: facts in, answer sets out.

Every assignment of answers to the raised questions has exactly one answer set, so the answer sets of a
night are its readings. How clingo is called (settings, bounds) follows what was measured: text by path,
``frumpy``, models read in the callback.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import clingo

from .errors import LimitError
from .facts import question_id

#: what a symbol becomes: a word, a number, or a tuple that begins with a word
Value = Any
Atom = tuple[Value, ...]


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
    models: int = 256
    start: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """Return the seconds left, which may be negative."""
        return self.seconds - (time.monotonic() - self.start)


class Ground:
    """The ground program of one scenario, to be asked for its readings."""

    def __init__(
        self,
        files: Iterable[Path],
        facts: str,
        *,
        texts: Sequence[str] = (),
        observer: clingo.Observer | None = None,
        log: Callable[[str], None] | None = None,
    ) -> None:
        def logger(code: clingo.MessageCode, message: str) -> None:
            if log is not None:
                log(message)

        self.control = clingo.Control(["0", "--configuration=frumpy"], logger=logger)
        if observer is not None:
            self.control.register_observer(observer)
        for path in files:
            self.control.load(str(path))
        for text in texts:
            self.control.add("base", [], text)
        self.control.add("base", [], facts)
        self.control.ground([("base", [])])
        self._cache: dict[clingo.Symbol, Value] = {}

    def models(
        self, limits: Limits, assumptions: Sequence[tuple[clingo.Symbol, bool]] = (), cap: int | None = None
    ) -> tuple[list[Model], bool]:
        """Return the answer sets under `assumptions`, and whether these are all.

        Raises:
            LimitError: no answer set was found within the time.
        """
        cap = limits.models if cap is None else cap
        found: list[Model] = []

        def on_model(model: clingo.Model) -> bool:
            found.append(self._read(model))
            return len(found) <= cap

        with self.control.solve(assumptions=list(assumptions), on_model=on_model, async_=True) as handle:
            done = handle.wait(0.02)
            while not done and limits.left() > 0:
                done = handle.wait(0.05)
            if not done:
                handle.cancel()
            result = handle.get()
        if not found and not done:
            raise LimitError("time", {"seconds": limits.seconds})
        complete = done and len(found) <= cap and bool(result.exhausted or len(found) <= cap)
        return found[:cap], complete

    def _read(self, model: clingo.Model) -> Model:
        groups: dict[str, list[Atom]] = {"out": [], "because": [], "followed": [], "heeded": []}
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
