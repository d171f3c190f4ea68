"""Which nights a search looks at: all that can be said of any part of a role set.

What may be said and be so beforehand is read off the rules themselves: an item, an option or a manner
of speaking that no rule mentions cannot change anything.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .days import MOMENTS, say_day
from .scan import NUMBER, NUMBERS, WORD, constant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..rulebook import Rulebook
    from .scan import Scan

_GIVEN = re.compile(r"give\(")


class Space(NamedTuple):
    """The facts for the generator, and what its constants stand for."""

    text: str
    #: player constant -> role, in seating order
    candidates: dict[str, str]


def generators(phases: Iterable[str]) -> tuple[str, ...]:
    """Return the files of ``encodings/search`` that make what :func:`space` describes."""
    return ("nights",) if MOMENTS.keys().isdisjoint(phases) else ("nights", "days")


class Builder:
    """Collects facts; actions are numbered as they come."""

    def __init__(
        self,
        book: Rulebook,
        roles: Sequence[str],
        scans: Sequence[Scan],
        phases: Sequence[str],
        state: bool,
        wide: bool,
        acts: int | None,
    ) -> None:
        self.book = book
        self.roles = roles
        self.scans = scans
        self.state = state
        self.wide = wide
        self.acts = acts
        self.phases = phases
        #: told in the order in which it happens
        self.by_day = not MOMENTS.keys().isdisjoint(phases)
        self.out: list[str] = []
        #: verb of each action, in the order of their numbers
        self.verbs: list[str] = []
        self.lexicon = book.lexicon

    def say(self, fact: str) -> None:
        """Add a fact."""
        self.out.append(fact + ".")

    def mentioned(self, name: str, role: str = "") -> set[tuple[str, ...]]:
        """Return the arguments with which some rule, or one of a role's file, speaks of a predicate."""
        return {a for s in self.scans for n, a in s.atoms if n == name and role in ("", s.role)}

    def words(self, table: str) -> set[str]:
        """Return what stands in a table of one column."""
        return {word for s in self.scans for name, word in s.words if name == table}

    def acting_phases(self) -> set[str]:
        """Return the phases in which some rule lets somebody use an ability."""
        return {a[-1] for name in ("acts_in", "acts_now") for a in self.mentioned(name)}

    def slot(
        self, actor: str, verb: str, files: set[str], times: int = 1, *, able: bool = True, aimed: bool = True
    ) -> None:
        """Let `actor` use `verb`; what else may be said of it is what these files mention."""
        before = 0
        for _ in range(times):
            self.verbs.append(verb)
            number = len(self.verbs)
            self.say(f"may_say({number},{actor},{verb})")
            if before:
                self.say(f"again({before},{number})")
            if aimed:
                self._targets(number, verb)
            self._extras(number, verb, files, able)
            if self.state and self._was_asked(verb, actor):
                self.say(f"may_have_said({number},{actor},{verb})")
            before = number

    def _targets(self, number: int, verb: str) -> None:
        least, most = self.lexicon.verbs.get(verb, (1, 1))
        if most:
            self.say(f"aims({number},1,{'must' if least else 'may'})")
        if least >= 2 or most == 2:
            self.say(f"aims({number},2,must)")
        for word in sorted(self.nameable(verb, least)):
            self.say(f"may_name({number},{word})")

    def nameable(self, verb: str, least: int) -> set[str]:
        """Return what a verb may name beside players: `least` says whether it must name anything."""
        found = {"nobody"} if least else set()
        kinds = self.lexicon.takes.get(verb, set())
        if "number" in kinds:
            found.update(NUMBERS)
        if "team" in kinds:
            found.update(self.lexicon.words["team"])
        if "role" in kinds:
            found.update(self.roles)
        found |= {word for of, word in self.mentioned("uttered") if of == verb and constant(word)}
        if self.by_day:
            found |= {word for s in self.scans for of, word in s.named if of == verb}
        return found

    def _extras(self, number: int, verb: str, files: set[str], able: bool) -> None:
        said = {
            (name, arguments)
            for s in self.scans
            if s.role in files
            for of, name, arguments in s.beside
            if of == verb or (able and not of)
        }
        for name, arguments in sorted(said):
            if not constant(arguments[0]):
                continue
            if name == "vote":
                self.say(f"may_vote({number},{arguments[0]})")
            elif name == "earlier_with" and self.lexicon.with_keys.get(arguments[0]) == "role":
                for role in self.roles if self.state else ():
                    self.say(f"may_have_added({number},{arguments[0]},{role})")
            else:
                self._extra(number, arguments[0], arguments[1])

    def _extra(self, number: int, key: str, value: str) -> None:
        kind = self.lexicon.with_keys.get(key)
        if constant(value):
            self.say(f"may_add({number},{key},{value})")
        elif kind in ("player", "players"):
            self.say(f"may_add_player({number},{key})")
        elif kind in ("word", "text"):
            self.say(f"may_add({number},{key},{WORD})")
        elif kind == "role":
            for role in self.roles:
                self.say(f"may_add({number},{key},{role})")
        elif kind == "number":
            for count in NUMBERS:
                self.say(f"may_add({number},{key},{count})")

    def _was_asked(self, verb: str, actor: str) -> bool:
        return any(
            a[3] == verb or not constant(a[3])
            for a in self.mentioned("earlier_said")
            if len(a) == 4 and (not constant(a[2]) or a[2] == actor)
        )


def _candidates(roles: Iterable[tuple[str, int]]) -> dict[str, str]:
    every = [role for role, times in roles for _ in range(times)]
    return {f"p{seat}": role for seat, role in enumerate(every, 1)}


def space(
    book: Rulebook,
    roles: Iterable[tuple[str, int]],
    scans: Sequence[Scan],
    phases: Sequence[str],
    *,
    state: bool = False,
    gone: bool = False,
    wide: bool = False,
    acts: int | None = None,
) -> Space:
    """Return the nights of any of `phases` with any part of `roles`; a day or an end goes with no other.

    With `state`, players may bear items, counts and a past, and things may have been done the night
    before; with `gone`, players may be dead. With `wide`, limits may be broken once, the past may be that
    of another role, whoever only speaks names somebody, and the book's options are tried with every number
    that some rule speaks of. Of a day, at most `acts` things are told.
    """
    players = _candidates(roles)
    build = Builder(book, sorted(set(players.values())), scans, phases, state, wide, acts)
    for phase in phases:
        build.say(f"may_be_phase({phase})" if len(phases) > 1 else f"phase({phase})")
    last: dict[str, str] = {}
    for seat, (player, role) in enumerate(players.items(), 1):
        build.say(f"may_play({player},{role})")
        build.say(f"place_of({player},{seat})")
        if role in last:
            build.say(f"twin({last[role]},{player})")
        last[role] = player
        # Who has won turns on who is left.
        if gone or "end" in phases:
            build.say(f"may_be_gone({player})")
    if build.by_day:
        say_day(build, players)
    else:
        if not build.acting_phases().isdisjoint(phases):
            _abilities(build, players)
            for phase in set(phases) - build.acting_phases():
                build.say(f"idle_phase({phase})")
        build.say(f"abilities({len(build.verbs)})")
        _manners(build, players)
    _beforehand(build, players)
    return Space("\n".join(build.out), players)


def _abilities(build: Builder, players: dict[str, str]) -> None:
    able = _abilities_of(build)
    for player, role in players.items():
        counted = bool(build.mentioned("stock", role) or build.mentioned("nth", role))
        for verb in sorted(able.get(role, ())):
            build.slot(player, verb, {role}, max(2 if counted else 1, _beyond(build, role, verb)))
    for group, verb in _choices_of_groups(build):
        if _manned(build, group):
            build.slot(group, verb, {s.role for s in build.scans}, _beyond(build, group, verb))


def _abilities_of(build: Builder) -> dict[str, set[str]]:
    """Return the verbs of each role's abilities."""
    able: dict[str, set[str]] = {}
    for arguments in build.mentioned("does"):
        if len(arguments) == 4 and constant(arguments[1]) and constant(arguments[2]):
            able.setdefault(arguments[1], set()).add(arguments[2])
    return able


def _choices_of_groups(build: Builder) -> list[tuple[str, str]]:
    """Return groups that act as one, each with a verb."""
    found = (a for a in build.mentioned("group") if len(a) == 3 and all(map(constant, a[1:])))
    return sorted((group, verb) for _, group, verb in found)


def _beyond(build: Builder, actor: str, verb: str) -> int:
    """Return how often an ability is to be used so that a limit on it is broken."""
    limits = (a for a in build.mentioned("limit") if build.wide and len(a) == 4 and a[1] == actor)
    numbers = [NUMBER.search(limit[3]) for limit in limits if limit[2] in (verb, "any")]
    return max((int(found[1]) + 1 for found in numbers if found and found[1]), default=1)


def _manned(build: Builder, group: str) -> bool:
    """Tell whether somebody may play who is on the side that acts as a group."""
    return any(
        side == group and (role in build.roles or not constant(role))
        for _, role, side in build.mentioned("side")
    )


def _manners(build: Builder, players: dict[str, str]) -> None:
    """Let everybody speak as some rule mentions it, and the moderator and the town do what rules mention."""
    # Nobody's ability is anybody's, in a phase without abilities either.
    abilities = set(build.verbs).union(*_abilities_of(build).values())
    abilities |= {verb for _, verb in _choices_of_groups(build)}
    anybody: set[str] = set()
    others: set[tuple[str, str]] = set()
    for name in ("said", "act"):
        for arguments in build.mentioned(name):
            actor, verb = arguments[1], arguments[2]
            if not constant(verb) or verb in abilities:
                continue
            if actor in ("moderator", "town"):
                others.add((actor, verb))
            elif not constant(actor):
                anybody.add(verb)
    files = {s.role for s in build.scans}
    aimed = frozenset(anybody | {verb for _, verb in others}) if build.wide else _aimed(build)
    for actor, verb in sorted(others):
        build.slot(actor, verb, files, able=False, aimed=verb in aimed)
    for verb in sorted(anybody):
        for player in players:
            build.slot(player, verb, files, able=False, aimed=verb in aimed)


def _aimed(build: Builder) -> frozenset[str]:
    return frozenset().union(*(s.aimed for s in build.scans))


def _beforehand(build: Builder, players: dict[str, str]) -> None:
    when = "day" if build.by_day else "night"
    for (number,) in sorted(build.mentioned(when)) if build.by_day or "night" in build.phases else ():
        if number.isdigit():
            build.say(f"may_be({when},{number})")
    for option, value in sorted(_options(build)):
        build.say(f"may_be(option({option}),{value})")
    if not build.state:
        return
    for player in players:
        for thing in sorted(_things(build)):
            build.say(f"may_bear({player},item,{thing})")
        for team in sorted({a[2] for a in build.mentioned("was") if a[1:] == ("team", a[-1])}):
            if constant(team):
                build.say(f"may_bear({player},was(team),{team})")
    for s in build.scans:
        bearers = [p for p, role in players.items() if role == s.role] or list(players)
        for player in bearers:
            for key, value in sorted({*_state(s), *_past(build, s, players)}):
                build.say(f"may_bear({player},{key},{value})")
                if build.wide and key.startswith("was("):
                    for other in players.keys() - {player}:
                        build.say(f"may_bear({other},{key},{value})")
            if any(name == "found" for name, _ in s.atoms) and s.role != "outcomes":
                build.say(f"may_find({player})")


def _things(build: Builder) -> set[str]:
    """Return the things that somebody gives, gets or takes, or that keep blows off: anybody may have them."""
    given = {_GIVEN.sub("", a[3])[:-1] for a in build.mentioned("does") if _GIVEN.match(a[-1])}
    taken = {a[2] for a in build.mentioned("lifts") if len(a) == 4}
    worn = {a[1] for a in build.mentioned("keeps_off") if len(a) == 2}
    got = {a[2] for a in build.mentioned("gets") if len(a) == 3}
    return {thing for thing in given | taken | worn | got if constant(thing)}


def _past(build: Builder, mentioned: Scan, players: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield what a file asks of somebody's past where any player or side will do; by day, any number too."""
    kinds: dict[str, Iterable[str]] = {"player": players, "team": build.lexicon.words["team"]}
    if build.by_day:
        kinds |= {"number": NUMBERS, "text": (WORD,), "role": build.roles, "flag": ("true",)}
    for name, arguments in mentioned.atoms:
        if name != "was" or len(arguments) != 3 or not constant(arguments[1]) or constant(arguments[2]):
            continue
        kind = build.lexicon.was_keys.get(arguments[1], build.lexicon.state_keys.get(arguments[1]))
        yield from ((f"was({arguments[1]})", value) for value in kinds.get(kind or "", ()))


def _options(build: Builder) -> Iterator[tuple[str, str]]:
    for arguments in build.mentioned("option"):
        option = arguments[0]
        spec = build.book.options.get(option)
        if spec is None:
            continue
        if spec.type == "bool":
            yield from ((option, value) for value in ("true", "false"))
        elif spec.type == "int":
            spoken = (s.numbers for s in build.scans if any(name == "option" for name, _ in s.atoms))
            numbers = {*NUMBERS}.union(*spoken) if build.wide else {*NUMBERS}
            if build.by_day:
                # At a bound, and just above it.
                bounds = {int(n) for s in build.scans for of, n in s.bounds if of == option}
                numbers |= {str(n + more) for n in bounds for more in (0, 1)}
            yield from ((option, value) for value in numbers if value)
        else:
            yield from ((option, str(value)) for value in spec.values)


def _state(mentioned: Scan) -> Iterator[tuple[str, str]]:
    for name, arguments in mentioned.atoms:
        if name == "item" and len(arguments) == 2 and constant(arguments[1]):
            yield "item", arguments[1]
        elif name == "count" and len(arguments) == 3 and constant(arguments[1]):
            yield from ((f"count({arguments[1]})", str(number)) for number in range(3))
        elif name == "stock" and len(arguments) == 5 and constant(arguments[3]):
            yield from ((f"count({arguments[3]})", str(number)) for number in range(3))
        elif name == "was" and len(arguments) == 3 and constant(arguments[1]) and constant(arguments[2]):
            yield f"was({arguments[1]})", arguments[2]
