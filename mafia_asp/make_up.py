"""Role sets for a number of players, proposed by search: which roles play together.

A proposal breaks no statement on the make-up (in some reading of the book), brings up as few
contradictions as possible, and has as many roles with something of their own as then are possible. Which
roles bring up which contradiction is read from ``encodings/clashes``, written from a check of all roles
(``tools/clashes.py``).
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from .check.bounds import own_texts, run_search
from .check.engine import Clock, Engine, book_files, read_program, search_files, sliced
from .facts import ruling_facts
from .rulebook import encodings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import clingo

    from .check.bounds import Progress
    from .rulebook import Rulebook

#: the phase in which a role set is looked at
_PHASE = "setup"
#: seconds for all proposals where no limit was given
_SECONDS = 60.0


class Proposal(NamedTuple):
    """A role set that is proposed."""

    #: role ids with how many of each, in the order of the rulebook
    roles: tuple[tuple[str, int], ...]
    #: the questions on contradictions that can come up in it, sorted
    clashes: tuple[str, ...] = ()


class Proposals(NamedTuple):
    """What was found: the proposals, the best ones first, and whether the search for them was finished."""

    found: tuple[Proposal, ...]
    complete: bool


def propose(
    book: Rulebook,
    players: int,
    *,
    wanted: Mapping[str, int] | None = None,
    without: Iterable[str] = (),
    count: int = 1,
    rulings: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> Proposals:
    """Return up to `count` role sets for `players` players, the best ones first.

    `wanted` are roles that must play, with how many of each at least; `without` those that must not.
    Of a role that is not asked for several times at most one plays, but for the roles that every rulebook
    has. No proposal: there is none.

    Raises:
        InputError: the rulebook is refused, or cannot be worked out.
        LimitError: a rulebook of the user's own took too much time or memory.
    """
    asked = dict(wanted or {})
    arguments = (players, asked, frozenset(without), count, dict(rulings or {}), seconds)
    return run_search(_propose_here, book, *arguments, seconds=seconds, progress=None)


def _propose_here(
    book: Rulebook,
    players: int,
    wanted: Mapping[str, int],
    without: frozenset[str],
    count: int,
    rulings: Mapping[str, str],
    seconds: float | None,
    progress: Progress | None,
) -> Proposals:
    numbers = {
        role: players if role in book.base_roles else max(1, wanted.get(role, 1))
        for role in _ordered(book)
        if role not in without
    }
    text = "\n".join([_facts(book, players, numbers, wanted, rulings), *_rules(book, numbers)])
    clock = Clock(_SECONDS if seconds is None else seconds)
    engine = Engine(text, search_files("make_up"), clock)
    return _best(engine, {f"p{n}": role for n, role in enumerate(_each(numbers))}, count)


def _ordered(book: Rulebook) -> list[str]:
    """Return the roles that may be proposed: those with a file, and the base roles last."""
    plain = book.base_roles
    return [*(role for role in book.role_ids if role not in plain), *reversed(plain)]


def _each(numbers: Mapping[str, int]) -> list[str]:
    return [role for role, times in numbers.items() for _ in range(times)]


def _facts(
    book: Rulebook,
    players: int,
    numbers: Mapping[str, int],
    wanted: Mapping[str, int],
    rulings: Mapping[str, str],
) -> str:
    facts = [f"phase({_PHASE}). wanted({players})."]
    last: dict[str, int] = {}
    for n, role in enumerate(_each(numbers)):
        facts.append(f"candidate(p{n},{role}).")
        if role in last:
            facts.append(f"twin(p{last[role]},p{n}).")
        last[role] = n
    facts += [f"asked({role},{times})." for role, times in wanted.items()]
    facts += ruling_facts(rulings)
    for each in book.books():
        file = os.path.join(encodings(), "clashes", f"{each.id}.lp")
        if each.shipped and os.path.isfile(file):
            with open(file, encoding="utf-8") as stream:
                facts += [line for line in stream.read().splitlines() if not line.startswith("%")]
    return "\n".join(facts)


def _rules(book: Rulebook, roles: Iterable[str]) -> list[str]:
    files = book_files(book.files_for(roles, _PHASE))
    texts = own_texts(book)
    program = [statement for file in files for statement in read_program([file], texts)]
    names = read_program(search_files("names"))
    return [f"{statement.text}." for statement in sliced([*program, *names], ("illegal", "headcount", "has"))]


def _best(engine: Engine, roles: Mapping[str, str], count: int) -> Proposals:
    """Return the best role sets, each next one the best of those that are left."""
    seats = {literal: roles[str(symbol.arguments[0])] for symbol, literal in engine.lits("player").items()}
    found: list[Proposal] = []
    while len(found) < count:
        best: tuple[list[int], list[str]] | None = None

        def on_model(model: clingo.Model) -> None:
            nonlocal best
            raised = [s for s in model.symbols(shown=True) if s.name == "raises_conflict"]
            best = [lit for lit in seats if model.is_true(lit)], sorted(s.arguments[0].string for s in raised)

        if not engine.solve((), on_model, optimise=True):
            return Proposals(tuple(found), False)
        if best is None:
            break
        held, clashes = best
        cast = Counter(seats[literal] for literal in held)
        order = dict.fromkeys(roles.values())
        found.append(Proposal(tuple((r, cast[r]) for r in order if r in cast), tuple(clashes)))
        with engine.control.backend() as backend:
            backend.add_rule([], held)
    return Proposals(tuple(found), True)
