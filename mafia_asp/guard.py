"""Checking the text of a rulebook that is not ours, before a solver sees it.

A user's ``.lp`` file is never loaded by its name. First its characters are looked at (strings and
nested block comments respected): no directives but a few, no scripts, no theories, no nesting
that would exhaust the parser. Then it is parsed, and only rules and definitions are let through,
whose heads are plain atoms of predicates that a rulebook may define: no constraints, no choices, no
disjunctions. What passes is handed over as syntax trees, to be added with a ``ProgramBuilder``.

Grounding such rules may still take any time and memory: run it in a bounded process.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import Fault, InputError
from .model import Place
from .names import suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from clingo import Control
    from clingo.ast import AST

#: Bytes that one file may have, and how deep its brackets may be nested.
SIZE = 1_000_000
DEPTH = 64
#: Words after ``#`` that may stand in a rulebook.
DIRECTIVES = frozenset(("const", "defined", "count", "sum", "min", "max", "true", "false", "inf", "sup"))

#: Predicates that a rulebook may define in heads: the tables, and what a role may claim or ask.
ALLOWED_HEADS = frozenset(
    """
    accepts acts_in agent announce answers_as ask at at_fault attack bared beats because becomes called
    carried_over carries claim custom declared_kin does empty fills flips follows forbids gets
    goes_first group group_wakes hidden illegal impaired kind knot_of laid lapses_if_robbed lasting_act
    least left limit loses lost_loot moves narrow no_attack not_moved nullified opened_by_theft
    own_order penalty pierces pierces_class protection reading reads_as refines removed reports_for
    routine sees_at_start side standing stands_apart stilled stock stops stops_class swapped told
    unanswered unheeded unmet unshaken useless wakes wakes_together why_dead wins
    """.split()
)

_STRAY = re.compile(r'["%@&#()\[\]{}\n]')
_DIRECTIVE = re.compile(r"#\s*([A-Za-z_]*)")
_INK = re.compile(r"\S")
_ASPIF = re.compile(r"\s*asp\s+[0-9]")


class Checked(NamedTuple):
    """A file that has been checked: its text, and its statements for a ``ProgramBuilder``."""

    path: str
    text: str
    statements: tuple[AST, ...]


def check_rulebook(folder: str | os.PathLike[str], allowed: Collection[str] = ALLOWED_HEADS) -> list[Checked]:
    """The checked ``.lp`` files of a rulebook's folder, in the order of their names.

    ``allowed`` are the predicates that its rules may define: names, or names with their arity
    (``stops/3``), or beginnings of names (``mine_*``, for a book's own helpers). ``words.lp`` is read
    as words and never as a program, and is left out. Raises
    InputError with every fault of every file.
    """
    where = os.fspath(folder)
    names = sorted(name for name in os.listdir(where) if name.endswith(".lp"))
    return check_files([os.path.join(where, name) for name in names], allowed, where)


def check_files(
    files: Iterable[str], allowed: Collection[str] = ALLOWED_HEADS, name: str = ""
) -> list[Checked]:
    """The same for the files that are given; ``name`` is what they are said to belong to."""
    from .places import read_text

    checked: list[Checked] = []
    faults: list[Fault] = []
    paths = [path for path in files if os.path.basename(path) != "words.lp"]
    if not paths:
        raise InputError([Fault(None, "guard.no_roles", {"name": name})])
    for path in paths:
        try:
            text = read_text(path, SIZE)
            checked.append(Checked(path, text, check_text(text, path, allowed)))
        except InputError as error:
            faults.extend(error.faults)
    if faults:
        raise InputError(faults)
    return checked


def check_text(text: str, file: str, allowed: Collection[str] = ALLOWED_HEADS) -> tuple[AST, ...]:
    """The statements of a program's text, all of them allowed. Raises InputError."""
    faults, bare = _lexical(text, file)
    if faults:
        raise InputError(faults)
    # The parser is given no comments, so that it cannot disagree about where they end.
    statements = _parse(bare, file)
    kept = []
    for statement in statements:
        fault = _statement_fault(statement, file, allowed)
        if fault is not None:
            faults.append(fault)
        else:
            kept.append(statement)
    if faults:
        raise InputError(faults)
    return tuple(kept)


def add_checked(control: Control, checked: Iterable[Checked]) -> None:
    """Add checked files to a solver's program."""
    from clingo.ast import ProgramBuilder

    with ProgramBuilder(control) as builder:
        for each in checked:
            for statement in each.statements:
                builder.add(statement)


# ---- characters ----------------------------------------------------------------------------------


def lexical_faults(text: str, file: str) -> list[Fault]:
    """What must not even reach the parser."""
    return _lexical(text, file)[0]


def _lexical(text: str, file: str) -> tuple[list[Fault], str]:
    """The faults of a text's characters, and the text with its comments blanked out."""
    start = Place(file, 1, 1)
    if len(text.encode("utf-8", "replace")) > SIZE:
        return [Fault(start, "file.large", {"limit": SIZE})], ""
    if "\x00" in text:
        return [Fault(_place(file, text, text.index("\x00")), "file.nul", {})], ""
    if _ASPIF.match(text):
        return [Fault(start, "guard.aspif", {})], ""
    faults: list[Fault] = []
    kept: list[str] = []
    done = 0
    depth = at = 0
    while match := _STRAY.search(text, at):
        at = match.end()
        place = _place(file, text, match.start())
        found = match.group()
        if found == '"':
            end = _string_end(text, at)
            if end is None:
                return [*faults, Fault(place, "guard.string", {})], ""
            at = end
        elif found == "%":
            end = _comment_end(text, at)
            if end is None:
                return [*faults, Fault(place, "guard.comment", {})], ""
            kept += [text[done : match.start()], _INK.sub(" ", text[match.start() : end])]
            at = done = end
        elif found == "#":
            word = _DIRECTIVE.match(text, match.start())
            name = word[1] if word else ""
            if name not in DIRECTIVES:
                args = {"name": f"#{name}", "near": suggest(name, DIRECTIVES)}
                faults.append(Fault(place, "guard.directive", args))
        elif found in "@&":
            faults.append(Fault(place, "guard.script" if found == "@" else "guard.theory", {}))
        elif found in "([{":
            depth += 1
            if depth > DEPTH:
                return [*faults, Fault(place, "guard.deep", {"limit": DEPTH})], ""
        elif found in ")]}":
            depth = max(0, depth - 1)
    return faults, "".join([*kept, text[done:]])


def _string_end(text: str, at: int) -> int | None:
    """Behind the quotation mark that closes a string; None where it has none in its line."""
    while at < len(text):
        if text[at] == "\\":
            if text[at + 1 : at + 2] not in ("\\", '"', "n"):
                return None
            at += 2
        elif text[at] == '"':
            return at + 1
        elif text[at] == "\n":
            return None
        else:
            at += 1
    return None


def _comment_end(text: str, at: int) -> int | None:
    """Behind a comment whose ``%`` stands before ``at``; None where a block comment is never closed."""
    if text[at : at + 1] != "*":
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    depth, at = 1, at + 1
    while depth:
        opened, closed = text.find("%*", at), text.find("*%", at)
        if closed < 0:
            return None
        if 0 <= opened < closed:
            depth, at = depth + 1, opened + 2
        else:
            depth, at = depth - 1, closed + 2
    return at


def _place(file: str, text: str, at: int) -> Place:
    return Place(file, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


# ---- statements ----------------------------------------------------------------------------------

_MESSAGE = re.compile(r"<string>:(\d+):(\d+)(?:-[\d:]+)?: error: (.*)", re.DOTALL)


def _parse(text: str, file: str) -> list[AST]:
    from clingo.ast import parse_string

    said: list[str] = []
    statements: list[AST] = []
    try:
        parse_string(text, statements.append, logger=lambda code, message: said.append(message))
    except (RuntimeError, UnicodeError) as error:
        faults = []
        for message in said:
            if match := _MESSAGE.match(message.strip()):
                problem = " ".join(match[3].split()).removeprefix("syntax error, ")
                faults.append(
                    Fault(Place(file, int(match[1]), int(match[2])), "guard.syntax", {"problem": problem})
                )
        raise InputError(
            faults or [Fault(Place(file, 1, 1), "guard.syntax", {"problem": str(error)})]
        ) from None
    return statements


def _statement_fault(statement: AST, file: str, allowed: Collection[str]) -> Fault | None:
    from clingo.ast import ASTType

    kind = statement.ast_type
    if kind in (ASTType.Comment, ASTType.Defined):
        return None
    if kind is ASTType.Program:
        base = statement.name == "base" and not statement.parameters
        return None if base else Fault(_where(statement, file), "guard.directive", {"name": "#program"})
    if kind is ASTType.Definition:
        if not statement.is_default:
            return Fault(_where(statement, file), "guard.directive", {"name": "#const [override]"})
        # A constant is replaced everywhere, so one that the core uses would change its meaning.
        if statement.name in _core_words():
            return Fault(_where(statement, file), "guard.const", {"name": statement.name})
        return None
    if kind is not ASTType.Rule:
        return Fault(_where(statement, file), "guard.statement", {"name": _name_of(kind)})
    return _head_fault(statement.head, statement, file, allowed)


def _head_fault(head: AST, rule: AST, file: str, allowed: Collection[str]) -> Fault | None:
    from clingo.ast import ASTType, Sign

    place = _where(head, file)
    if head.ast_type is not ASTType.Literal:
        return Fault(place, "guard.head", {"name": _name_of(head.ast_type)})
    if head.atom.ast_type is ASTType.BooleanConstant:
        return Fault(_where(rule, file), "guard.constraint", {})
    if head.atom.ast_type is not ASTType.SymbolicAtom or head.sign != Sign.NoSign:
        return Fault(place, "guard.head", {"name": str(head)})
    faults = [_atom_fault(term, place, allowed) for term in _alternatives(head.atom.symbol)]
    return next((fault for fault in faults if fault), None)


def _alternatives(term: AST) -> list[AST]:
    """The atoms of a head: several where its arguments are pooled."""
    from clingo.ast import ASTType

    return list(term.arguments) if term.ast_type is ASTType.Pool else [term]


def _atom_fault(term: AST, place: Place, allowed: Collection[str]) -> Fault | None:
    from clingo.ast import ASTType

    if term.ast_type is ASTType.SymbolicTerm:
        name, arity = str(term.symbol), 0
    elif term.ast_type is ASTType.Function and not term.external:
        name, arity = term.name, len(term.arguments)
    else:
        return Fault(place, "guard.head", {"name": str(term)})
    signature = f"{name}/{arity}"
    if name in allowed or signature in allowed:
        return None
    if any(each.endswith("*") and name.startswith(each[:-1]) for each in allowed):
        return None
    return Fault(
        place,
        "guard.predicate",
        {"name": signature, "near": suggest(name, sorted(each.partition("/")[0] for each in allowed))},
    )


def _core_words() -> set[str]:
    """Every constant and predicate of the core and of the words of scenarios."""
    from glob import glob

    from .rulebook import encodings

    words: set[str] = set()
    for file in glob(os.path.join(encodings(), "*", "*.lp")):
        folder, name = os.path.split(file)
        words.add(name.removesuffix(".lp"))
        if os.path.basename(folder) in ("core", "conventions"):
            with open(file, encoding="utf-8") as stream:
                words.update(re.findall(r"\b[a-z]\w*", stream.read()))
    return words


def _where(node: Any, file: str) -> Place:
    begin = node.location.begin
    return Place(file, begin.line, begin.column)


def _name_of(kind: Any) -> str:
    names = {
        "ShowSignature": "#show",
        "ShowTerm": "#show",
        "Minimize": "#minimize",
        "External": "#external",
        "Edge": "#edge",
        "Heuristic": "#heuristic",
        "ProjectAtom": "#project",
        "ProjectSignature": "#project",
        "Script": "#script",
        "Disjunction": "a disjunction",
        "Aggregate": "a choice",
        "HeadAggregate": "an aggregate",
        "TheoryAtom": "a theory atom",
    }
    name = str(kind).rpartition(".")[2]
    return names.get(name, name)
