"""A large role set, searched in parts: so many roles at a time that every two are together in some part.

The nights of all roles at once are too many to be searched in one program: it grows with the square of the
players. What goes wrong at a table comes up between few roles. So every two roles are put into a part
together, and the roles of the rules that one of the rulebook's questions is about, as far as they fit.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..rulebook import Rulebook

#: a role set with more roles that have rules of their own is searched in parts
MOST = 26
#: roles of one part, plain members of the sides not counted
SIZE = 6


def parts(book: Rulebook, roles: Sequence[tuple[str, int]]) -> list[tuple[tuple[str, int], ...]]:
    """Return the parts of a role set, each with its plain members; the role set itself if it is small."""
    plain = [(role, times) for role, times in roles if role in book.base_roles]
    own = {role: times for role, times in roles if role not in book.base_roles}
    if len(own) <= MOST:
        return [tuple(roles)]
    blocks = _covering(list(own), _spoken_of(book, own))
    return [tuple((role, own[role]) for role in own if role in block) + tuple(plain) for block in blocks]


def _spoken_of(book: Rulebook, roles: Iterable[str]) -> list[frozenset[str]]:
    """Return the roles, of those given, whose rules each question of the book is about."""
    known = set(roles)
    owner = {
        rule: text.place.file.rpartition("/")[2].removesuffix(".lp") for rule, text in book.rules.items()
    }
    found = {
        frozenset(owner[rule] for rule in question.rules if owner.get(rule) in known)
        for question in book.questions.values()
    }
    return sorted((some for some in found if 2 < len(some) <= SIZE), key=sorted)


def _covering(roles: Sequence[str], together: Iterable[frozenset[str]]) -> list[set[str]]:
    """Return sets of at most SIZE roles: each of `together` within one, and every two of `roles`."""
    blocks: list[set[str]] = []
    for some in together:
        fitting = [block for block in blocks if len(block | some) <= SIZE]
        if fitting:
            max(fitting, key=lambda block: len(block & some)).update(some)
        else:
            blocks.append(set(some))
    left = {frozenset(pair) for pair in combinations(roles, 2)}
    for block in blocks:
        left -= {frozenset(pair) for pair in combinations(block, 2)}
    for block in blocks:
        _fill(block, roles, left)
    for pair in combinations(roles, 2):
        if frozenset(pair) in left:
            blocks.append(set(pair))
            _fill(blocks[-1], roles, left)
    return blocks


def _fill(block: set[str], roles: Sequence[str], left: set[frozenset[str]]) -> None:
    """Add to a block the roles that bring most pairs together for the first time."""
    left -= {frozenset(pair) for pair in combinations(block, 2)}
    while len(block) < SIZE:
        gains = [(sum(frozenset((role, other)) in left for other in block), role) for role in roles]
        gain, best = max(gains, key=lambda each: (each[0], -roles.index(each[1])))
        if not gain:
            return
        block.add(best)
        left -= {frozenset((best, other)) for other in block}
