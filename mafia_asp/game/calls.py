"""What may still be told in a night: who may be asked for which action, and at whose name it is refused.

One search over one further action (``encodings/search/calls.lp``): whatever the rules refuse, by a limit, a
stock, a forbidden name or the actor's state, is seen before anybody says it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from ..model import EMPTY
from ..outcome import Reader

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from ..model import Scenario
    from ..rulebook import Rulebook
    from ..solve import Atom, Limits, Program

#: what stands for the name where an action names nobody
NO_NAME = "none"


class Beside(NamedTuple):
    """What the rules ask of an action beside its names: a key of ``with``, and the values they know."""

    key: str
    values: tuple[str, ...] = ()


class Choice(NamedTuple):
    """An action that somebody may be asked for, as far as it is known before it is told."""

    #: a player, or a group
    who: str
    verb: str
    #: the fewest and the most names that it takes
    places: tuple[int, int]
    #: names that may be told (of several names, the first): players in seating order, then other words
    free: tuple[str, ...] = ()
    #: name -> the rules by which it is refused, whatever is open
    refused: Mapping[str, tuple[str, ...]] = EMPTY
    #: name -> the rules by which it is refused in some readings
    doubtful: Mapping[str, tuple[str, ...]] = EMPTY
    #: name -> what it would show, as things stand; several where readings differ
    shows: Mapping[str, tuple[str, ...]] = EMPTY
    beside: tuple[Beside, ...] = ()


def choices(
    scenario: Scenario, book: Rulebook, *, strict: bool = False, only: Collection[str] | None = None
) -> list[Choice]:
    """The actions that may be asked for beside those of `scenario`, in seating order.

    With `only`, those of these players and groups.

    Raises:
        LimitError: the time did not suffice.
        InputError: the rulebook is refused.
    """
    if book.shipped:
        return _choices(scenario, book, strict, only)
    from ..bounded import run_bounded

    return run_bounded(_choices, scenario, book, strict, only)


def _choices(scenario: Scenario, book: Rulebook, strict: bool, only: Collection[str] | None) -> list[Choice]:
    from ..facts import facts
    from ..solve import Limits
    from ..verdict import conventions_in_force, program_of

    limits = Limits()
    program = program_of(scenario, book)
    told = facts(scenario, conventions_in_force(scenario, book, strict))
    asked = [
        (who, verb)
        for who, verb in _asked(program, told.text, limits)
        if only is None or told.names.get(who, who) in only
    ]
    if not asked:
        return []
    search = _with_search(program, "calls")
    first = len(scenario.actions) + 1
    text = "\n".join(
        [
            told.text,
            *(f"may_say({number},{who},{verb})." for number, (who, verb) in enumerate(asked, first)),
            *(_words(verb, scenario, book) for verb in sorted({verb for _, verb in asked})),
        ]
    )
    found = _brave(search, text, limits, {"free_to": 3, "not_free": 4, "sees": 4})
    reader = Reader(scenario, told.names)
    names = {player.name: player.role for player in scenario.players}
    made = [
        _choice(reader, who, verb, book.verb_places(verb), found)._replace(
            beside=_beside(book, names.get(reader.text(who), ""), verb)
        )
        for who, verb in asked
    ]
    return sorted(made, key=lambda choice: reader.order(choice.who))


def _with_search(program: Program, name: str) -> Program:
    from ..rulebook import encodings

    return program._replace(files=(*program.files, os.path.join(encodings(), "search", f"{name}.lp")))


def _asked(program: Program, text: str, limits: Limits) -> list[tuple[str, str]]:
    """Who may be asked for what, whether or not it is then refused."""
    from ..solve import Ground

    ground = Ground(_with_search(program, "asked"), text)
    atoms = ground.control.symbolic_atoms.by_signature("is_asked", 2)
    pairs = [[str(argument) for argument in atom.symbol.arguments] for atom in atoms]
    return sorted((who, verb) for who, verb in pairs)


def _words(verb: str, scenario: Scenario, book: Rulebook) -> str:
    """The facts about a verb: how many names it takes, and what else it may name."""
    least, most = book.verb_places(verb)
    kinds = book.lexicon.takes.get(verb, set())
    words = [*book.lexicon.words["team"]] if "team" in kinds else []
    words += sorted({player.role for player in scenario.players}) if "role" in kinds else []
    return " ".join([f"places({verb},{least},{most}).", *(f"may_name({verb},{word})." for word in words)])


def _brave(program: Program, text: str, limits: Limits, wanted: Mapping[str, int]) -> dict[str, set[Atom]]:
    """What holds of some predicates in some answer set: their arguments as plain data."""
    from ..errors import LimitError
    from ..solve import Ground, plain

    ground = Ground(program, text)
    solving: Any = ground.control.configuration.solve
    # Only what is looked for tells answer sets apart.
    solving.project = "project,3"
    literals: dict[int, list[tuple[str, Atom]]] = {}
    for name, arity in wanted.items():
        for atom in ground.control.symbolic_atoms.by_signature(name, arity):
            entry = (name, tuple(plain(argument) for argument in atom.symbol.arguments))
            literals.setdefault(atom.literal, []).append(entry)
    held, finished = ground.consequences("brave", limits, (), literals)
    if not finished:
        raise LimitError("time", {"seconds": limits.seconds})
    found: dict[str, set[Atom]] = {name: set() for name in wanted}
    for literal in held:
        for name, entry in literals[literal]:
            found[name].add(entry)
    return found


def _choice(
    reader: Reader, who: str, verb: str, places: tuple[int, int], found: Mapping[str, set[Atom]]
) -> Choice:
    def mine(name: str) -> Iterable[Atom]:
        return (atom[2:] for atom in found[name] if atom[:2] == (who, verb))

    free = {reader.text(name) for (name,) in mine("free_to")}
    rules: dict[str, set[str]] = {}
    for name, rule in mine("not_free"):
        rules.setdefault(reader.text(name), set()).add(str(rule))
    seen: dict[str, set[str]] = {}
    for name, answer in mine("sees"):
        shown = answer[1] if isinstance(answer, tuple) else answer
        seen.setdefault(reader.text(name), set()).add(reader.text(shown))
    by = {name: tuple(sorted(some)) for name, some in sorted(rules.items(), key=lambda e: reader.order(e[0]))}
    # Of two names, which second one is told decides too.
    doubtful = {n: r for n, r in by.items() if n in free and places[1] < 2}
    return Choice(
        who=reader.text(who),
        verb=verb,
        places=places,
        free=tuple(sorted(free, key=reader.order)),
        refused={n: r for n, r in by.items() if n not in free},
        doubtful=doubtful,
        shows={n: tuple(sorted(s)) for n, s in sorted(seen.items(), key=lambda e: reader.order(e[0]))},
    )


def _beside(book: Rulebook, role: str, verb: str) -> tuple[Beside, ...]:
    """What the rules of a role ask of an action beside its names."""
    from ..check.program import statements
    from ..check.scan import scan
    from ..places import read_text

    file = book.file_of(role)
    if file is None:
        return ()
    found: dict[str, set[str]] = {}
    for of, name, arguments in scan(file, statements(read_text(file))).beside:
        key = arguments[0]
        if of == verb and name == "with" and key in book.lexicon.with_keys:
            known = found.setdefault(key, set())
            if arguments[1][:1].islower():
                known.add(arguments[1])
    return tuple(Beside(key, tuple(sorted(known))) for key, known in sorted(found.items()))
