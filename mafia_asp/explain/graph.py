"""One answer set as a proof: what holds, and by which rules.

Atoms are plain data here: a word, a number, or a tuple that begins with a word. What is looked up is
turned into plain data, and nothing else, since most of an answer set concerns nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import clingo

from .rewrite import WHY, term_text

Term = Any


@dataclass(frozen=True, slots=True)
class Support:
    """One rule that yields an atom: its place, its id in the book, and what it rests on."""

    place: str
    owner: str
    positive: tuple[Term, ...]
    negative: tuple[Term, ...]


class Proof:
    """The atoms of one answer set and their supports."""

    def __init__(self, atoms: list[clingo.Symbol], owners: Mapping[str, str]) -> None:
        self._owners = owners
        self._symbols: dict[str, list[clingo.Symbol]] = {}
        self._whys: dict[str, list[clingo.Symbol]] = {}
        for symbol in atoms:
            name = symbol.name
            if name == WHY:
                self._whys.setdefault(symbol.arguments[0].name, []).append(symbol)
            else:
                self._symbols.setdefault(name, []).append(symbol)
        self._atoms: dict[str, list[Term]] = {}
        self._supports: dict[str, dict[Term, list[Support]]] = {}

    def all(self, name: str) -> list[Term]:
        """Return the true atoms of a predicate, sorted."""
        found = self._atoms.get(name)
        if found is None:
            symbols = sorted(self._symbols.get(name, ()))
            found = self._atoms[name] = [plain(symbol) for symbol in symbols]
        return found

    def match(self, name: str, *arguments: Term | None) -> Iterator[tuple[Any, ...]]:
        """Yield the arguments of the true atoms that agree with `arguments`; None agrees with everything."""
        size = len(arguments) + 1
        for atom in self.all(name):
            if isinstance(atom, tuple) and len(atom) == size and _agrees(arguments, atom[1:]):
                yield atom[1:]

    def holds(self, name: str, *arguments: Term | None) -> bool:
        """Tell whether some atom of a predicate agrees with `arguments`."""
        return next(self.match(name, *arguments), None) is not None

    def supports(self, atom: Term) -> list[Support]:
        """Return the rules that yield an atom, by their places; none for what the scenario says."""
        name = atom[0] if isinstance(atom, tuple) else atom
        index = self._supports.get(name)
        if index is None:
            index = self._supports[name] = {}
            for symbol in self._whys.get(name, ()):
                head, place, positive, negative = symbol.arguments
                support = Support(
                    place.string,
                    self._owners.get(place.string, ""),
                    tuple(map(plain, positive.arguments)),
                    tuple(map(plain, negative.arguments)),
                )
                index.setdefault(plain(head), []).append(support)
            for found in index.values():
                found.sort(key=lambda each: (_by_line(each.place), str(each.positive)))
        return index.get(atom, [])


def _agrees(wanted: tuple[Term | None, ...], found: tuple[Term, ...]) -> bool:
    return all(w is None or w == f for w, f in zip(wanted, found, strict=True))


def plain(symbol: clingo.Symbol) -> Term:
    """Return a symbol as plain data; a tuple begins with an empty word."""
    kind = symbol.type
    if kind is clingo.SymbolType.Number:
        return symbol.number
    if kind is clingo.SymbolType.String:
        return symbol.string
    if kind is not clingo.SymbolType.Function:
        return str(symbol)
    arguments = symbol.arguments
    return (symbol.name, *map(plain, arguments)) if arguments or not symbol.name else symbol.name


def question_name(term: Term) -> str:
    """Return the id that a user sees for a question as plain data."""
    if isinstance(term, str):
        return term
    kind, *rest = term
    if kind == "gap":
        return term_text(rest[0])
    if kind == "dispute":
        return "~".join(_chain(rest[0]))
    if kind == "circle":
        return f"circle({','.join([str(rest[0]), *_chain(rest[1])])})"
    return term_text(term)


def _chain(term: Term) -> list[str]:
    """Return the links of a chain ``(a,(b,end))``."""
    links = []
    while isinstance(term, tuple):
        links.append(str(term[1]))
        term = term[2]
    return links


def _by_line(place: str) -> tuple[str, int]:
    file, _, line = place.rpartition(":")
    return file, int(line)
