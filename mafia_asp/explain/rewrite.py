"""Doubling the rules of an encoding, so that an answer set also says how it came about.

Beside every rule ``h :- b1, b2, not c, X < Y.`` stands another one with the same body and the head
``_why(h, "folder/file.lp:line", (b1,b2,_if("X < Y",(("X",X),("Y",Y)))), (c))``. The support atoms
occur in no body, so that they change nothing; a fact needs no support. Pools are spread out first, an
element of a choice is supported by its condition and by having been chosen, and comparisons and
aggregates become text.

Parsing gives the places and the structure; what is written is text, which can be kept: in the
user's cache folder, by a hash of the source, of this module's version and of clingo's.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import clingo

from . import store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clingo.ast import AST

    from ..solve import Program

#: Changes whenever the rewritten text does.
VERSION = 1
#: The support predicate, and the functor of a condition that is no atom.
WHY, IF = "_why", "_if"
#: what an answer set reports; nothing rests on it
REPORTED = ("out(", "because(", "next(")

_ANONYMOUS = re.compile(r"\"(?:\\.|[^\"\\])*\"|(?<![A-Za-z0-9_'])_(?![A-Za-z0-9_'])")
_VARIABLE = re.compile(r"\"(?:\\.|[^\"\\])*\"|(?<![A-Za-z0-9_'])(_*[A-Z][A-Za-z0-9_']*)")
_OWNER = re.compile(r"%[%?] ([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+) \|")


@dataclass(frozen=True, slots=True)
class Rewritten:
    """Support rules for some files, and which place belongs to which rule or question of the book."""

    text: str
    #: "folder/file.lp:line" -> id
    owners: dict[str, str]


def rewrite(program: Program, *, cache: bool = True) -> Rewritten:
    """Return the support rules for a program's files, from the cache where they are known.

    Raises:
        OSError: a file cannot be read.
        RuntimeError: a file cannot be parsed.
    """
    folder = store.folder() if cache else None
    texts: list[str] = []
    owners: dict[str, str] = {}
    for file in map(Path, program.files):
        source = file.read_text(encoding="utf-8")
        label = _label(file)
        key = hashlib.sha256(f"{VERSION} {clingo.__version__} {label} {source}".encode()).hexdigest()[:32]
        found = _known(store.read(folder, key))
        if found is None:
            found = rewrite_text(source, label)
            store.write(folder, key, json.dumps([found.text, found.owners]))
        texts.append(found.text)
        owners |= found.owners
    for checked in program.checked:
        # Text that is not ours has been parsed by its check, and is not parsed in another way here.
        label = _label(checked.path)
        texts.append(_rules(checked.statements, label))
        owners |= _owners(checked.text, label)
    return Rewritten("\n".join(texts), owners)


def _label(file: str | Path) -> str:
    return "/".join(Path(file).parts[-2:])


def _known(text: str | None) -> Rewritten | None:
    """Return what the cache holds; None for nothing, or for nothing of use."""
    if text is None:
        return None
    try:
        rules, owners = json.loads(text)
    except (ValueError, TypeError):
        return None
    if isinstance(rules, str) and isinstance(owners, dict):
        return Rewritten(rules, {str(place): str(owner) for place, owner in owners.items()})
    return None


def rewrite_text(source: str, label: str) -> Rewritten:
    """Return the support rules for one text; `label` stands before the lines in their places.

    Raises:
        RuntimeError: the text cannot be parsed.
    """
    from clingo import ast

    statements: list[AST] = []
    ast.parse_string(source, statements.append, logger=lambda code, message: None)
    return Rewritten(_rules(statements, label), _owners(source, label))


def _rules(statements: Iterable[AST], label: str) -> str:
    """Return the support rules for the rules among some statements, each once."""
    from clingo import ast

    rules: dict[str, None] = {}
    for statement in statements:
        if statement.ast_type == ast.ASTType.Rule:
            place = f"{label}:{statement.location.begin.line}"
            for plain in statement.unpool():
                rules.update(dict.fromkeys(_supports(plain, place)))
    return "\n".join(rules)


def _owners(source: str, label: str) -> dict[str, str]:
    """Return the id that stands above each line, up to the next blank line or other comment."""
    owners: dict[str, str] = {}
    owner = ""
    for number, line in enumerate(source.splitlines(), 1):
        bare = line.strip()
        if (match := _OWNER.match(bare)) is not None:
            owner = match[1]
        elif not bare or (bare.startswith("%") and bare[1:2] not in ("%", "?")):
            owner = ""
        elif owner and not bare.startswith("%"):
            owners[f"{label}:{number}"] = owner
    return owners


def _supports(rule: AST, place: str) -> Iterator[str]:
    """Yield the support rules of a rule without pools: one, or one for each element of its head."""
    from clingo import ast

    head, kind = rule.head, ast.ASTType
    if head.ast_type == kind.Literal:
        if head.atom.ast_type == kind.SymbolicAtom and head.sign == ast.Sign.NoSign:
            yield from _support(str(head.atom), list(rule.body), place)
        return
    if head.ast_type not in (kind.Aggregate, kind.HeadAggregate, kind.Disjunction):
        return
    for element in head.elements:
        chosen = element.condition if element.ast_type == kind.HeadAggregateElement else element
        literal, condition = chosen.literal, list(chosen.condition)
        if literal.atom.ast_type == kind.SymbolicAtom and literal.sign == ast.Sign.NoSign:
            atom = str(literal.atom)
            yield from _support(atom, [*condition, *rule.body], place, chosen=atom)


def _support(head: str, body: list[AST], place: str, *, chosen: str = "") -> Iterator[str]:
    from clingo import ast

    kind, sign = ast.ASTType, ast.Sign
    if head.startswith(("-", *REPORTED)) or not (body or chosen):
        return
    numbers = count(1)
    written = [chosen] if chosen else []
    for_: list[str] = []
    against: list[str] = []
    texts = [str(literal) for literal in body]
    for at, literal in enumerate(body):
        text = texts[at]
        is_literal = literal.ast_type == kind.Literal
        if is_literal and literal.atom.ast_type == kind.BooleanConstant:
            written.append(text)
        elif (
            is_literal and literal.atom.ast_type == kind.SymbolicAtom and literal.sign != sign.DoubleNegation
        ):
            atom = str(literal.atom)
            if literal.sign == sign.NoSign:
                text = atom = _named(atom, numbers)
                if not atom.startswith("-"):
                    for_.append(atom)
            elif not atom.startswith("-") and not _has_anonymous(atom):
                against.append(atom)
            written.append(text)
        else:
            others = [head, *texts[:at], *texts[at + 1 :]]
            for_.append(_condition(literal, text, others))
            written.append(text)
    support = f'{WHY}({head},"{place}",{_tuple(for_)},{_tuple(against)})'
    yield f"{support} :- {'; '.join(written)}."


def _condition(literal: AST, text: str, others: list[str]) -> str:
    """Return a comparison, an aggregate or a conditional literal as a term: its text and its variables."""
    from clingo import ast

    own = _variables(text)
    atom = literal.atom if literal.ast_type == ast.ASTType.Literal else None
    if atom is not None and atom.ast_type == ast.ASTType.Comparison:
        known = own
    else:
        # What is local to an aggregate has no value outside of it; what it is compared with has one.
        known = own & set().union(*map(_variables, others))
        for side in ("left_guard", "right_guard"):
            guard = getattr(atom, side, None)
            known |= _variables(str(guard.term)) if guard is not None else set()
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    values = _tuple([f'("{name}",{name})' for name in sorted(known)])
    return f'{IF}("{quoted}",{values})'


def _tuple(terms: list[str]) -> str:
    return f"({','.join(terms)}{',' if len(terms) == 1 else ''})"


def _named(text: str, numbers: Iterator[int]) -> str:
    """Return the text of an atom with a name for each of its anonymous variables."""
    return _ANONYMOUS.sub(lambda m: f"Any__{next(numbers)}" if m[0] == "_" else m[0], text)


def _has_anonymous(text: str) -> bool:
    return any(match[0] == "_" for match in _ANONYMOUS.finditer(text))


def _variables(text: str) -> set[str]:
    return {match[1] for match in _VARIABLE.finditer(text) if match[1]}


def condition_text(term: Any) -> str:
    """Return the text of a condition term (as plain data), with the values of its variables."""
    _, text, values = term
    known = {pair[1]: pair[2] for pair in values[1:]}
    return _VARIABLE.sub(lambda m: term_text(known[m[1]]) if m[1] in known else m[0], text)


def term_text(value: Any) -> str:
    """Return plain data as the text of a term."""
    if isinstance(value, tuple):
        return f"{value[0]}({','.join(term_text(each) for each in value[1:])})"
    return str(value)
