"""Predicates that depend on their own negation, in rules that are not ours.

The core relies on every assignment of answers having exactly one outcome. A rule that negates what
follows from it has none, or several; so no such circle may run through a rulebook's own predicates.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import Fault
from .model import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clingo.ast import AST


class _Use(NamedTuple):
    """A predicate in a body: with a negation (or something that counts as one), and where."""

    predicate: str
    negative: bool
    node: Any


def loop_faults(files: Iterable[tuple[str, Sequence[AST]]]) -> list[Fault]:
    """Every negation that lies on a circle of these files' predicates, each with its place."""
    from clingo.ast import ASTType

    edges: dict[str, set[str]] = defaultdict(set)
    negations: list[tuple[str, str, Place]] = []
    for file, statements in files:
        for rule in statements:
            if rule.ast_type is not ASTType.Rule:
                continue
            heads = [use.predicate for use in _uses(rule.head, False)]
            uses = [use for literal in rule.body for use in _uses(literal, False)]
            for head in heads:
                edges[head].update(use.predicate for use in uses)
                negations += [(head, use.predicate, _place(use.node, file)) for use in uses if use.negative]
    # Nearly always nothing that a book defines is negated in it.
    negations = [each for each in negations if each[1] in edges]
    if not negations:
        return []
    import networkx as nx  # type: ignore[import-untyped]

    graph = nx.DiGraph([(head, used) for head, several in edges.items() for used in several])
    component = {
        name: number for number, names in enumerate(nx.strongly_connected_components(graph)) for name in names
    }
    found = {
        place: Fault(place, "guard.loop", {"name": head, "other": used})
        for head, used, place in negations
        if component[head] == component[used]
    }
    return list(found.values())


def _uses(node: AST, negative: bool) -> Iterator[_Use]:
    """The atoms below a node of a head or a body."""
    from clingo.ast import AST, ASTType, Sign

    kind = node.ast_type
    if kind is ASTType.SymbolicAtom:
        for name in _signatures(node.symbol):
            yield _Use(name, negative, node.symbol)
        return
    if kind is ASTType.Literal:
        negative = negative or node.sign != Sign.NoSign
    elif kind in (ASTType.Aggregate, ASTType.BodyAggregate, ASTType.ConditionalLiteral):
        # What is counted, or required of all, bears on the result in both directions.
        negative = True
    for key in node.child_keys:
        below = getattr(node, key)
        for child in [below] if isinstance(below, AST) else below or ():
            yield from _uses(child, negative)


def _signatures(term: AST) -> list[str]:
    from clingo.ast import ASTType

    if term.ast_type is ASTType.Pool:
        return [name for each in term.arguments for name in _signatures(each)]
    if term.ast_type is ASTType.UnaryOperation:
        return _signatures(term.argument)
    if term.ast_type is ASTType.Function:
        return [f"{term.name}/{len(term.arguments)}"]
    return [f"{term.symbol}/0"]


def _place(node: Any, file: str) -> Place:
    begin = node.location.begin
    return Place(file, begin.line, begin.column)
