"""The tables of a rulebook: the facts of its role files, without any of their rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import clingo
import clingo.ast

#: the predicates that count as tables, with how many arguments they take
TABLES = {
    "side": 3,
    "does": 4,
    "standing": 3,
    "routine": 3,
    "carries": 3,
    "impaired": 5,
    "lapses_if_robbed": 3,
    "carried_over": 3,
    "opened_by_theft": 2,
    "unshaken": 2,
    "narrow": 1,
    "stops": 3,
    "pierces": 3,
    "stops_class": 3,
    "absorbs": 5,
    "absorbs_all": 2,
    "banned": 2,
    "pierces_class": 3,
    "declared_kin": 2,
    "beats": 2,
    "reads_as": 4,
    "flips": 4,
    "lasts": 3,
    "limit": 4,
    "forbids": 4,
    "stock": 5,
    "wakes": 3,
    "group": 3,
    "group_wakes": 3,
    "agent": 3,
    "at": 3,
    "moves": 3,
    "told_of_loot": 3,
    "reading": 2,
    "wins": 3,
    "kind": 2,
    "fills": 3,
    "acts_in": 2,
}

#: a term as plain data: a word or text as a string, a number, a compound term as a tuple
Term = Any
Row = tuple[Term, ...]


@dataclass(frozen=True)
class Tables:
    """Rows by table, and the same as ASP facts (one each)."""

    facts: frozenset[str]
    _rows: dict[str, list[Row]] = field(repr=False, compare=False)

    @classmethod
    def of(cls, facts: Iterable[str]) -> Tables:
        """Read facts such as ``side("ca.don.1",don,mafia)``."""
        chosen = frozenset(facts)
        rows: dict[str, list[Row]] = {name: [] for name in TABLES}
        for text in sorted(chosen):
            symbol = clingo.parse_term(text)
            rows[symbol.name].append(tuple(plain(a) for a in symbol.arguments))
        return cls(chosen, rows)

    def __getitem__(self, name: str) -> list[Row]:
        return self._rows[name]

    @cached_property
    def text(self) -> str:
        """The tables as an ASP program."""
        return "\n".join(f"{fact}." for fact in sorted(self.facts))


def plain(symbol: clingo.Symbol) -> Term:
    """Return a symbol as plain data."""
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is clingo.SymbolType.String:
        return symbol.string
    if not symbol.arguments:
        return symbol.name
    return (symbol.name, *[plain(a) for a in symbol.arguments])


def extract(files: Iterable[Path]) -> Tables:
    """Return the facts of `files` that belong to a table; whatever has a body is left out."""
    program: list[str] = []

    def keep(node: clingo.ast.AST) -> None:
        if node.ast_type is not clingo.ast.ASTType.Rule or node.body:
            return
        if node.head.ast_type is clingo.ast.ASTType.Literal:
            program.append(str(node))

    clingo.ast.parse_files([str(file) for file in files], keep)
    control = clingo.Control(logger=lambda code, message: None)
    control.add("base", [], "\n".join(program))
    control.ground([("base", [])])
    found = [
        str(atom.symbol)
        for name, arity in TABLES.items()
        for atom in control.symbolic_atoms.by_signature(name, arity)
        if atom.is_fact
    ]
    return Tables.of(found)
