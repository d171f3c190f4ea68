"""The encodings without the names of some questions: what is left must find the contradictions by itself.

A question of the catalogue gives a name, answers and their rules to a point that the statements of the book
raise; whatever only names it can be taken away, and the point has to come up all the same.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from clingo.ast import AST, ASTType, parse_string

from mafia_asp.rulebook import Rulebook

#: the heads that name a question, ask it, or say what follows from its answers
NAMING = frozenset(
    """
    kind reading ask wins together exception fills knot_of goes_first stilled follows refines
    """.split()
)


def strip(text: str, questions: Collection[str]) -> str:
    """Return the text of an encoding without the statements that name one of the questions in their head.

    The head is one of those in `NAMING`, and its first argument a question, or a pool of nothing but these
    questions. The lines of a statement that is taken out stay, empty, so that places remain what they were.
    """
    data = text.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    cuts: list[tuple[int, int]] = []

    def look(node: AST) -> None:
        if node.ast_type is ASTType.Rule and _names_one_of(node.head, questions):
            begin, end = node.location.begin, node.location.end
            # Columns count bytes.
            cuts.append((starts[begin.line - 1] + begin.column - 1, starts[end.line - 1] + end.column - 1))

    parse_string(text, look)
    for start, end in reversed(cuts):
        data = data[:start] + b"\n" * data[start:end].count(b"\n") + data[end:]
    return data.decode()


def _names_one_of(head: AST, questions: Collection[str]) -> bool:
    if head.ast_type is not ASTType.Literal or head.atom.ast_type is not ASTType.SymbolicAtom:
        return False
    symbol = head.atom.symbol
    alternatives = symbol.arguments if symbol.ast_type is ASTType.Pool else [symbol]
    return all(
        one.ast_type is ASTType.Function
        and one.name in NAMING
        and one.arguments
        and set(_strings(one.arguments[0])) <= set(questions)
        for one in alternatives
    )


def _strings(term: AST) -> list[str]:
    """Return the strings that a term stands for; of anything else its text, which is no question's id."""
    if term.ast_type is ASTType.Pool:
        return [text for each in term.arguments for text in _strings(each)]
    if term.ast_type is ASTType.SymbolicTerm:
        return [str(term.symbol).removeprefix('"').removesuffix('"')]
    return [str(term)]


def stripped(book: Rulebook, questions: Collection[str], folder: Path) -> dict[str, str]:
    """Write anew the files from which something is taken out: each file, and the one in its place."""
    changed: dict[str, str] = {}
    for file in map(str, book.text_files()):
        old = Path(file).read_text(encoding="utf-8")
        new = strip(old, questions)
        if new != old:
            place = folder / "-".join(Path(file).parts[-2:])
            place.write_text(new, encoding="utf-8")
            changed[file] = str(place)
    return changed
