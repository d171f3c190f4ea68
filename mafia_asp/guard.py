"""Checking the text of a rulebook that is not ours, before a solver sees it.

A user's ``.lp`` file is never loaded by its name. First its characters are looked at (strings and
nested block comments respected): no directives but a few, no scripts, no theories, no nesting
that would exhaust the parser, no letters beyond ASCII outside strings and comments. Then it is
parsed, and only rules and definitions are let through, whose heads are plain atoms of predicates
that a rulebook may define: no constraints, no choices, no disjunctions, and no predicate that
depends on its own negation. What passes is handed over as syntax trees, to be added with a
``ProgramBuilder``.

Grounding such rules may still take any time and memory: run it in a bounded process.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import Fault, InputError
from .files import is_special, leaves
from .model import Place
from .names import suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from clingo import Control
    from clingo.ast import AST

#: Bytes that one file may have, and how deep its brackets may be nested.
SIZE = 1_000_000
DEPTH = 64
#: So many faults of a file's characters are told.
TOLD = 20
#: Words after ``#`` that may stand in a rulebook.
DIRECTIVES = frozenset(("const", "defined", "count", "sum", "min", "max", "true", "false", "inf", "sup"))

#: Predicates that a rulebook may define in heads: the tables, and what a role may claim or ask.
ALLOWED_HEADS = frozenset(
    """
    armed cancels_vote disarmed heavier light spends
    absorbs absorbs_all acts_in agent announce announced_as answerable answers_to ask at at_fault
    at_once attack attempt avenges banned bared bars bars_style bears_on beats because becomes beside
    bid brings by_day by_day_too called carried_over carries changes_bearer claim count_in_doubt
    counts_as counts_at counts_dead counts_with custom cut_short declared_kin disables does due empty
    ends_vote exception face_by_day fills flips
    follows forbids forgets gets given_first goes_first goes_over group group_wakes hampered has_taken
    forfeits fulfils heeds hidden illegal impaired in_place_of innate keeps_act keeps_off keeps_on keeps_thing
    kept kept_from kind knot_of wins_along
    knows_no_mafia laid lapses_if_robbed lapses_with lasting_act lasts least left lent lets lifts limit
    loses lost_loot lot marks may_be_on may_not minds_sole_vote moves name_suffices narrow no_attack not_moved
    noted nullified of_several oneself open_field open_result opened_by_theft outlasts overrides
    half_sided lost_tonight taken_by_day tells_role told_of_loot
    own_order penalty perhaps_mafia pierces pierces_class protection puts_out reaches reading reads_as
    reads_new refines removed reports_for result_of routine seen_by seen_role seen_side sees_at_start
    side side_in_doubt spared spent standing stands stands_apart stands_down starts_with steadfast
    stilled stock stops stops_class styled swapped taken_first takes_dead takes_one tells tells_of
    timely together told told_plain turned turns_by unanswered uncounted unheeded unmet unshaken
    unsuited untold useless uttered vote_weight wakes wakes_beside wakes_last wakes_together wears_out
    white white_when whose why_dead wins wins_alone wins_with
    """.split()
)

_STRAY = re.compile(r'%(?!\*)[^\n]*(?:\n[ \t]*%(?!\*)[^\n]*)*|["%@&#()\[\]{}]|[^\x00-\x7f]+')
_STRING = re.compile(r'[^"\\\n]*(?:\\["\\n][^"\\\n]*)*"')
_BLOCK = re.compile(r"%\*|\*%")
#: Constants that stand for the players of a scenario.
_PLAYER = re.compile(r"p[0-9]+")
_DIRECTIVE = re.compile(r"#\s*([A-Za-z_]*)")
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
    InputError with every fault of every file, and for a folder without any.
    """
    where = os.fspath(folder)
    if faults := folder_faults(where):
        raise InputError(faults)
    names = sorted(name for name in os.listdir(where) if name.endswith(".lp") and name != "words.lp")
    if not names:
        raise InputError([Fault(None, "guard.no_roles", {"name": where})])
    return check_files([os.path.join(where, name) for name in names], allowed)


def check_files(files: Iterable[str], allowed: Collection[str] = ALLOWED_HEADS) -> list[Checked]:
    """The same for the files that are given. There may be none: a night needs only what is in play."""
    from .places import read_text

    checked: list[Checked] = []
    faults: list[Fault] = []
    for path in files:
        try:
            text = read_text(path, SIZE)
            faults.extend(_header_faults(text, path))
            checked.append(Checked(path, text, check_text(text, path, allowed)))
        except InputError as error:
            faults.extend(error.faults)
    if not faults:
        from .loops import loop_faults

        faults = loop_faults((each.path, each.statements) for each in checked)
    if faults:
        raise InputError(faults)
    return checked


def folder_faults(folder: str) -> list[Fault]:
    """What may not even be opened in a rulebook's folder: pipes, devices, and links that leave it."""
    faults = []
    for name in sorted(os.listdir(folder)):
        if not name.endswith((".lp", ".yaml")):
            continue
        path = os.path.join(folder, name)
        if leaves(path, folder):
            faults.append(Fault(Place(path, 1, 1), "guard.link", {"name": name}))
            continue
        try:
            special = is_special(path)
        except OSError:
            continue  # whoever reads it says why it cannot be read
        if special:
            faults.append(Fault(Place(path, 1, 1), "file.special", {"file": name}))
    return faults


def _header_faults(text: str, path: str) -> list[Fault]:
    """A role file names its role; that name must be the file's."""
    header = re.match(r"\s*%\*(.*?)\*%", text, re.DOTALL)
    role = header and re.search(r"(?m)^[ \t]*role:[ \t]*(.*?)[ \t\r]*$", header[1])
    stem = os.path.basename(path).removesuffix(".lp")
    if not header or not role or role[1] == stem:
        return []
    at = header.start(1) + role.start(1)
    return [Fault(_Lines(path, text).place(at), "guard.role", {"name": role[1], "file": f"{role[1]}.lp"})]


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


def ground_faults(checked: Sequence[Checked], control: Control, log: list[str]) -> list[Fault]:
    """Why checked files cannot be worked out together, with the places.

    `control` is a fresh solver whose messages go to `log`. The statements are added to it, and what
    it says of them is told with the files that they came from.
    """
    from clingo.ast import ProgramBuilder

    try:
        with ProgramBuilder(control) as builder:
            for number, each in enumerate(checked):
                for statement in each.statements:
                    builder.add(_placed(statement, f"<{number}>"))
        control.ground([("base", [])])
    except RuntimeError:
        pass
    return [fault for message in log if (fault := _ground_fault(message, checked))]


def _placed(node: AST, file: str) -> AST:
    """A copy of a syntax tree that says from which file it came."""
    from clingo.ast import Location, Position, Transformer

    class Placing(Transformer):
        def visit(self, ast: AST, *args: Any, **kwargs: Any) -> AST:
            ast = ast.update(**self.visit_children(ast))
            if not hasattr(ast, "location"):
                return ast
            begin, end = (Position(file, p.line, p.column) for p in (ast.location.begin, ast.location.end))
            return ast.update(location=Location(begin, end))

    return Placing().visit(node)


def _ground_fault(message: str, checked: Sequence[Checked]) -> Fault | None:
    match = re.match(r"<(\d+)>:(\d+):(\d+)[-\d:]*: error: (.*)", message, re.DOTALL)
    if match is None:
        return None
    place = Place(checked[int(match[1])].path, int(match[2]), int(match[3]))
    problem = match[4]
    if problem.startswith("unsafe"):
        names = dict.fromkeys(re.findall(r"note: '([^']*)' is unsafe", problem))
        return Fault(place, "guard.unsafe", {"names": list(names)})
    return Fault(place, "guard.ground", {"problem": " ".join(problem.split("\n<")[0].split())})


# ---- characters ----------------------------------------------------------------------------------


def lexical_faults(text: str, file: str) -> list[Fault]:
    """What must not even reach the parser."""
    return _lexical(text, file)[0]


def _lexical(text: str, file: str) -> tuple[list[Fault], str]:
    """The faults of a text's characters, and the text with its comments blanked out."""
    start = Place(file, 1, 1)
    if len(text.encode("utf-8", "replace")) > SIZE:
        return [Fault(start, "file.large", {"limit": SIZE})], ""
    lines = _Lines(file, text)
    if "\x00" in text:
        return [Fault(lines.place(text.index("\x00")), "file.nul", {})], ""
    if _ASPIF.match(text):
        return [Fault(start, "guard.aspif", {})], ""
    faults: list[Fault] = []
    kept: list[str] = []
    done = 0
    depth = at = 0

    def fault(code: str, **args: Any) -> None:
        faults.append(Fault(lines.place(begin), code, args))

    while (match := _STRAY.search(text, at)) and len(faults) < TOLD:
        begin, at = match.span()
        found = match.group()
        if found == '"':
            string = _STRING.match(text, at)
            if string is None:
                fault("guard.string")
                return faults, ""
            at = string.end()
        elif found[0] == "%" and text[begin + 1 : begin + 2] != "*":
            # Comments to the ends of their lines: nothing stands behind them.
            kept += [text[done:begin], "\n" * found.count("\n")]
            done = at
        elif found == "%":
            end = _block_end(text, at)
            if end is None:
                fault("guard.comment")
                return faults, ""
            inside = text[begin:end].split("\n")
            kept += [text[done:begin], "\n".join(" " * len(line) for line in inside)]
            at = done = end
        elif found == "#":
            word = _DIRECTIVE.match(text, match.start())
            name = word[1] if word else ""
            if name not in DIRECTIVES:
                fault("guard.directive", name=f"#{name}", near=suggest(name, DIRECTIVES))
        elif found in "@&":
            fault("guard.script" if found == "@" else "guard.theory")
        elif found in "([{":
            depth += 1
            if depth > DEPTH:
                fault("guard.deep", limit=DEPTH)
                return faults, ""
        elif found in ")]}":
            depth = max(0, depth - 1)
        else:
            fault("guard.letter", character=found[0], number=f"U+{ord(found[0]):04X}")
    return faults, "".join([*kept, text[done:]])


def _block_end(text: str, at: int) -> int | None:
    """Behind a block comment whose ``%`` stands before ``at``; None where it is never closed."""
    depth = 1
    for sign in _BLOCK.finditer(text, at + 1):
        depth += 1 if sign.group() == "%*" else -1
        if not depth:
            return sign.end()
    return None


class _Lines:
    """Where the lines of a text begin, found when a place is first asked for."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._text = text
        self._starts: list[int] = []

    def place(self, at: int) -> Place:
        if not self._starts:
            self._starts = [0, *(found.end() for found in re.finditer("\n", self._text))]
        line = bisect_right(self._starts, at)
        return Place(self._file, line, at - self._starts[line - 1] + 1)


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
        if _PLAYER.fullmatch(statement.name) or statement.name in reserved_words():
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
    helper = any(each.endswith("*") and name.startswith(each[:-1]) for each in allowed)
    if helper and name not in reserved_words():
        return None
    if helper:
        return Fault(place, "guard.taken", {"name": signature})
    return Fault(
        place,
        "guard.predicate",
        {"name": signature, "near": suggest(name, sorted(each.partition("/")[0] for each in allowed))},
    )


@cache
def reserved_words() -> frozenset[str]:
    """Every constant and predicate of the shipped encodings, and the names of their roles."""
    from glob import glob

    from .rulebook import encodings

    words: set[str] = set()
    for file in glob(os.path.join(encodings(), "*", "*.lp")):
        words.add(os.path.basename(file).removesuffix(".lp"))
        with open(file, encoding="utf-8") as stream:
            text = re.sub(r"(?s)%\*.*?\*%", " ", stream.read())
        if os.path.basename(file) != "words.lp":
            text = re.sub(r'"[^"\n]*"|%.*', " ", text)
        words.update(re.findall(r"(?<![\w.])_*[a-z]\w*", text))
    return frozenset(words)


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
