"""Whether what follows from rules that are not ours has the form that an outcome needs.

The shipped rules are written so that it does. A rulebook of the user's own may state
``becomes("my.1", P, 7)``; that is then told with the predicate that says it, and where.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clingo import SymbolType

from .errors import Fault, InputError
from .model import Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clingo import Control, Symbol

    from .guard import Checked

#: key of ``out/2`` -> what its value is, and the tables through which a rulebook says it
_OUT = {
    "dead": ("word", ("removed", "penalty", "attack")),
    "saved": ("word", ("protection",)),
    "silenced": ("word", ("laid", "does")),
    "defence": ("word", ("stands",)),
    "together": ("word", ("wakes_together",)),
    "refused": ("number", ("claim",)),
    "cannot": ("word", ("claim",)),
    "answer": ("told", ("claim", "reads_as", "flips")),
    "told": ("told", ("told",)),
    "role": ("word", ("becomes",)),
    "team": ("word", ("side",)),
    "item": ("term", ("gets",)),
    "count": ("number", ("left",)),
    "noted": ("word", ("noted",)),
    "announce": ("term", ("announce",)),
    "call": ("word", ("called",)),
    "illegal": ("word", ("illegal", "unmet")),
    "winner": ("word", ("wins_game",)),
}
#: key of ``out/2`` -> what stands in its brackets
_SUBJECTS = {"answer": ("number",), "call": ("number",), "count": ("word", "word"), "noted": ("word", "word")}


#: what crosses to Python, and is not free in its form
_SHOWN = (("out", 2), ("because", 3), ("by_act", 3), ("next", 1), ("pick", 2), ("followed", 3), ("heeded", 2))


def check_shapes(control: Control, checked: Sequence[Checked]) -> None:
    """Raise InputError where an atom that may be shown has an argument of a form that it cannot have."""
    faults: dict[tuple[Place | None, str], Fault] = {}
    for name, arity in _SHOWN:
        for found in control.symbolic_atoms.by_signature(name, arity):
            atom = found.symbol
            wrong, tables = _wrong(atom)
            if wrong is not None:
                fault = _fault(atom, wrong, tables, checked)
                faults.setdefault((fault.place, fault.args["name"]), fault)
    if faults:
        raise InputError(faults.values())


def _wrong(atom: Symbol) -> tuple[Symbol | None, Sequence[str]]:
    """The argument of an atom that cannot be, and the tables that it may come from; no table: from any."""
    if atom.name == "because":
        key, value, rule = atom.arguments
        if rule.type is not SymbolType.String:
            return rule, ()
        return next((each for each in (key, value) if not _is(each, "any")), None), ("because",)
    if atom.name != "out":
        return next((each for each in atom.arguments if not _is(each, "any")), None), ()
    key, value = atom.arguments
    wanted, tables = _OUT.get(key.name, ("term", ()))
    subjects = _SUBJECTS.get(key.name, ("word",))
    pairs = [*zip(key.arguments, subjects, strict=False), (value, wanted)]
    return next((each for each, kind in pairs if not _is(each, kind)), None), tables


def _is(symbol: Symbol, kind: str) -> bool:
    """Whether a symbol is a word, a number, or a term of these without infinities and bare tuples."""
    if symbol.type in (SymbolType.Infimum, SymbolType.Supremum):
        return False
    if symbol.type is SymbolType.Number:
        return kind in ("number", "any")
    if kind == "number":
        return False
    if symbol.type is SymbolType.String:
        return True
    if symbol.negative:
        return False
    if kind == "any":
        return all(_is(each, "any") for each in symbol.arguments)
    if not symbol.arguments:
        return bool(symbol.name)
    if kind == "told":
        if symbol.name == "upon" and len(symbol.arguments) == 2:
            number, said = symbol.arguments
            return _is(number, "number") and _is(said, "told")
        return bool(symbol.name) and len(symbol.arguments) == 1 and _is(symbol.arguments[0], "word")
    return kind == "term" and bool(symbol.name) and all(_is(each, "any") for each in symbol.arguments)


def _fault(atom: Symbol, wrong: Symbol, tables: Sequence[str], checked: Sequence[Checked]) -> Fault:
    """The fault, at the rule of the user's whose head most likely says it."""
    word = re.compile(rf"(?<!\w){re.escape(str(wrong))}(?!\w)")
    found: tuple[int, str, Place | None] = (0, " / ".join(tables) or atom.name, None)
    for each in checked:
        for statement in each.statements:
            head = str(getattr(statement, "head", ""))
            name = head.partition("(")[0]
            likely = (2 if word.search(head) else 0) + (1 if name in tables else 0)
            if likely > found[0] and (name in tables or (not tables and likely == 2)):
                begin = statement.location.begin
                found = (likely, name, Place(each.path, begin.line, begin.column))
    args = {"name": found[1], "value": str(wrong), "found": str(atom)}
    return Fault(found[2], "guard.shape", args)
