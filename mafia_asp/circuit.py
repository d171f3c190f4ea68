"""A ground program as a circuit from choices to outcomes, to ask what can reach what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

import clingo


class Circuit(clingo.Observer):
    """Collects the ground rules as (heads, body)."""

    def __init__(self) -> None:
        self.rules: list[tuple[Sequence[int], Sequence[int]]] = []

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        """Take a rule (called by the grounder)."""
        self.rules.append((head, body))

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
        """Take a rule with a bound (called by the grounder)."""
        self.rules.append((head, [literal for literal, _ in body]))

    @cached_property
    def users(self) -> dict[int, list[tuple[Sequence[int], Sequence[int]]]]:
        """The rules in whose bodies an atom stands."""
        found: dict[int, list[tuple[Sequence[int], Sequence[int]]]] = {}
        for rule in self.rules:
            for literal in rule[1]:
                found.setdefault(abs(literal), []).append(rule)
        return found

    def layers(self, sources: Iterable[int], possible: Callable[[set[int]], set[int]]) -> Iterator[set[int]]:
        """Yield, step by step, the atoms that can change where `sources` do.

        `possible` tells which of some atoms can be true at all; through a rule that needs one of the
        others nothing passes.
        """
        known: set[int] = set()
        ruled_out: set[int] = set()
        seen: set[int] = set()
        layer = set(sources)
        while layer:
            yield layer
            seen |= layer
            rules = [r for atom in layer for r in self.users.get(atom, ()) if not seen.issuperset(r[0])]
            asked = {atom for heads, body in rules for atom in (*heads, *body) if atom > 0} - known
            ruled_out |= asked - possible(asked)
            known |= asked
            changed = {head for heads, body in rules if ruled_out.isdisjoint(body) for head in heads}
            layer = changed - seen - ruled_out
