"""A second copy of a program beside the first, in which one rule of the book is left out.

The copy is whole (:func:`second_copy`: two nights side by side), or it ends where the loss of the rule is
first seen (:func:`near_copy`): what is behind that line is shared. If no atom on the line ever differs,
nothing behind it does.

Every statement of a rule gets a condition in the copy: that the rule is not the one left out. So one program
serves for all rules; which of them is left out is assumed when it is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .owned import Owned, ids_of
from .program import SECOND, depending, renamed, statements

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def with_losses(program: Sequence[Owned], droppable: Collection[str], rules: Collection[str]) -> list[str]:
    """Return a program in which each of `droppable` may be left out, without a copy of it."""
    text = [f"{_guarded(each, droppable, rules).statement.text}." for each in program]
    return [*text, *(f'{{ dropped("{rule}") }}.' for rule in sorted(droppable))]


def second_copy(program: Sequence[Owned], droppable: Collection[str], rules: Collection[str]) -> list[str]:
    """Return the rules that stand beside `program` so that each of `droppable` may be left out.

    `rules` are the ids of all rules. What no answer and no loss of a rule can change is not copied.
    """
    guarded = [_guarded(each, droppable, rules) for each in program]
    roots = {"pick"}
    for each, copy in zip(program, guarded, strict=True):
        if copy is not each:
            roots.update(each.statement.heads)
    names = depending([each.statement for each in program], roots)
    text = [f'droppable("{rule}").' for rule in sorted(droppable)]
    for each, copy in zip(program, guarded, strict=True):
        if names.intersection(each.statement.heads):
            text.append(renamed(copy.statement, names, SECOND))
        if copy is not each and each.head and each.head.name == "reading":
            question = each.statement.arguments(each.head)[0]
            text += [f'gives_answer("{rule}",{question}).' for rule in each.rules(rules) if rule in droppable]
    # A question that has lost its answers with the rule still has one.
    return [*text, "reading__2(Q,lost) :- lost(Q)."]


def near_copy(
    program: Sequence[Owned],
    droppable: Collection[str],
    rules: Collection[str],
    passing: Collection[str],
) -> list[str]:
    """Return rules for a copy that goes on through the predicates in `passing` only.

    `unlike(P)` holds where an atom of a predicate at which it ends differs from the original.
    """
    guarded = [_guarded(each, droppable, rules) for each in program]
    # What is chosen, and what it is chosen from, is the same in both: that is on the line, or behind it.
    choices = [each for each in program if each.head is None]
    chosen = {use.name for each in choices for use in each.statement.uses if use.head}
    offered = {use.name for each in choices for use in each.statement.uses if not use.head}
    copied: set[str] = set()
    line: set[str] = set()
    arity: dict[str, set[int]] = {}
    changed = True
    while changed:
        changed = False
        for each, copy in zip(program, guarded, strict=True):
            if each.head is None or each.head.name in copied | line | chosen:
                continue
            if copy is not each or any(use.name in copied for use in each.statement.uses if not use.head):
                name = each.head.name
                (copied if name in passing and name not in offered else line).add(name)
                changed = True
    text = [f'droppable("{rule}").' for rule in sorted(droppable)]
    for each, copy in zip(program, guarded, strict=True):
        if each.head is None or each.head.name not in copied | line:
            continue
        arity.setdefault(each.head.name, set()).add(len(each.statement.arguments(each.head)))
        kept = tuple(use for use in copy.statement.uses if use.head or use.name in copied)
        names = frozenset({each.head.name, *copied})
        text.append(renamed(copy.statement._replace(uses=kept), names, SECOND))
    for name in sorted(line):
        for count in sorted(arity[name]):
            atom = f"({','.join(f'X{n}' for n in range(count))})" if count else ""
            text.append(f"unlike({name}) :- {name}{atom}, not {name}{SECOND}{atom}.")
            text.append(f"unlike({name}) :- {name}{SECOND}{atom}, not {name}{atom}.")
    return text


def _guarded(each: Owned, droppable: Collection[str], rules: Collection[str]) -> Owned:
    """Return a statement that holds only while none of its rules is left out; itself if it has none."""
    owners = [rule for rule in each.rules(rules) if rule in droppable]
    if not owners or each.statement.text.startswith("#defined"):
        return each
    head = each.statement.text[: each.turn].rstrip()
    guards = [each.body] if each.body else []
    if each.head and (arguments := each.statement.arguments(each.head)):
        for place, argument in enumerate(arguments):
            listed = ids_of(argument, rules)
            if len(listed) > 1:
                # Of a list of rules, only the one that is left out goes.
                arguments[place] = f"Rule{place}"
                guards += [f"Rule{place} = {argument}", f"not dropped(Rule{place})"]
                owners = [rule for rule in owners if rule not in listed]
        head = f"{each.head.name}({','.join(arguments)})"
    guards += [f'not dropped("{rule}")' for rule in owners]
    (whole,) = statements(f"{head} :- {', '.join(guards)}.")
    return Owned(whole, each.block)
