"""What the loss of a rule can reach at all, read off the ground program.

The program is grounded once with every rule of the book open to be left out. Where no chain of ground rules
leads from a rule to an entry of an outcome, no outcome differs without it, and nothing need be searched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import clingo

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class _Users(clingo.Observer):
    """Collects which atoms are derived with the help of which."""

    def __init__(self) -> None:
        self.users: dict[int, set[int]] = {}
        #: atoms whose falsity or truth some constraint demands
        self.demanded: set[int] = set()

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self._add(head, body)

    def weight_rule(
        self, choice: bool, head: Sequence[int], lower_bound: int, body: Sequence[tuple[int, int]]
    ) -> None:
        self._add(head, [literal for literal, _ in body])

    def _add(self, head: Sequence[int], body: Iterable[int]) -> None:
        for literal in body:
            if head:
                self.users.setdefault(abs(literal), set()).update(head)
            else:
                self.demanded.add(abs(literal))


def reaching(text: str, rules: Iterable[str]) -> set[str]:
    """Return those of `rules` from whose loss (`dropped/1`) some chain leads to an outcome (`out/2`)."""
    observer = _Users()
    control = clingo.Control(logger=lambda code, message: None)
    control.register_observer(observer)
    control.add("base", [], text)
    control.ground([("base", [])])
    atoms = control.symbolic_atoms
    ends = {atom.literal for atom in atoms.by_signature("out", 2)} | observer.demanded
    wanted = set(rules)
    return {
        rule
        for atom in atoms.by_signature("dropped", 1)
        if (rule := atom.symbol.arguments[0].string) in wanted and _leads(atom.literal, ends, observer.users)
    }


def _leads(start: int, ends: set[int], users: dict[int, set[int]]) -> bool:
    seen = {start}
    stack = [start]
    while stack:
        for atom in users.get(stack.pop(), ()):
            if atom in ends:
                return True
            if atom not in seen:
                seen.add(atom)
                stack.append(atom)
    return False
