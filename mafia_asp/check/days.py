"""Which days and ends of games a search looks at: everything that the rules speak of, in any order.

At night each ability has its place; by day what is told happens in the order told. So a day is a row of
moments, at each of which anybody may do whatever some rule mentions. The row has an end: how long a day is
searched stands in :data:`MOMENTS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .scan import NUMBERS, WORD, constant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..rulebook import Rulebook
    from .space import Builder

#: phase -> how many things are told in it at the most
MOMENTS = {"day": 3, "end": 2}
#: phases of the texts of rules that hold by day or at the end
BY_DAY = frozenset({"day", "vote", "end"})


def say_day(build: Builder, players: Mapping[str, str]) -> None:
    """Add what may be told of a day."""
    (phase,) = build.phases
    count = MOMENTS[phase] if build.acts is None else build.acts
    build.say(f"moment(1..{count})")
    able = {role: set(_abilities(build, role)) for role in build.roles}
    verbs = set().union(*able.values())
    manners, others = _manners(build)
    # Where a rule lends an ability, or a theft of last night may have moved it, anybody may try it.
    lent = verbs if build.state or build.words("lent") else set()
    for player, role in players.items():
        for verb in sorted(able[role] | manners | lent):
            build.say(f"may_do({player},{verb})")
    for actor, verb in sorted(others):
        build.say(f"may_do({actor},{verb})")
    for verb in sorted(verbs | manners | {verb for _, verb in others}):
        _targets(build, verb)
        _extras(build, verb)
    if build.state:
        _last_night(build, players, count)


def _abilities(build: Builder, role: str) -> Iterator[str]:
    """Yield what a role may use by day: what a rule gives a moment of the day, or lets be used now."""
    now = not build.acting_phases().isdisjoint(build.phases)
    by_day = {(a[1], a[2]) for a in build.mentioned("by_day") if len(a) == 4 and constant(a[2])}
    timely = build.words("timely")
    for arguments in build.mentioned("does"):
        if len(arguments) == 4 and arguments[1] == role and constant(verb := arguments[2]):
            given = (role, verb) in by_day or any(v == verb and not constant(r) for r, v in by_day)
            if now or given or verb in timely:
                yield verb


def _manners(build: Builder) -> tuple[set[str], set[tuple[str, str]]]:
    """Return what anybody may try, and what town and moderator do, as far as some rule speaks of it."""
    known = {a[0] for a in build.mentioned("manner") if constant(a[0])}
    spoken = [a[1:] for name in ("said", "act") for a in build.mentioned(name) if a[2] in known]
    others = {(actor, verb) for actor, verb in spoken if actor in ("moderator", "town")}
    theirs = {verb for _, verb in others}
    # What is said of whoever does it ("_") is said of those of whom another rule tells that they do.
    manners = {v for actor, v in spoken if not constant(actor) and not (actor == "_" and v in theirs)}
    # Of a table of manners that rules read as a whole, the first will do for all.
    for table in sorted(set().union(*(s.tables for s in build.scans))):
        listed = [word for s in build.scans for name, word in s.words if name == table and word in known]
        if listed and not manners.intersection(listed):
            manners.add(min(listed))
    return manners, others


def _targets(build: Builder, verb: str) -> None:
    least, most = build.lexicon.verbs.get(verb, (1, 1))
    asked = any(verb in s.aimed for s in build.scans)
    if not most or not (least or asked):
        return
    build.say(f"names_by({verb},1,{'must' if least else 'may'})")
    if most > 1:
        build.say(f"names_by({verb},2,{'must' if least > 1 else 'may'})")
    for word in sorted(build.nameable(verb, least)):
        build.say(f"may_name_by({verb},{word})")


def _extras(build: Builder, verb: str) -> None:
    """Let something else be said with a verb; what is asked of no verb in particular may be said with any."""
    said = {more for s in build.scans for of, name, more in s.beside if name == "with" and of in ("", verb)}
    for key, value in sorted(said):
        if not constant(key):
            continue
        kind = build.lexicon.with_keys.get(key, "")
        if kind in ("player", "players") and not constant(value):
            build.say(f"may_add_player_by({verb},{key})")
        for each in _values(build, kind, value):
            build.say(f"may_add_by({verb},{key},{each})")


def _values(build: Builder, kind: str, value: str) -> Iterable[str]:
    """Return what may stand where a rule asks for a value of a kind, or for this one."""
    if constant(value):
        return (value,)
    return {
        "word": (WORD,),
        "text": (WORD,),
        "role": build.roles,
        "team": sorted(build.lexicon.words["team"]),
        "number": NUMBERS,
        "flag": ("true",),
        "any": ("true",),
    }.get(kind, ())


def _last_night(build: Builder, players: Mapping[str, str], number: int) -> None:
    """Let every ability of the night have been used the night before."""
    asked = {a[3] for a in build.mentioned("earlier_said") if len(a) == 4}
    anything = any(not constant(verb) for verb in asked)
    keys = {
        (of, more[0])
        for s in build.scans
        for of, name, more in s.beside
        if name == "earlier_with" and constant(more[0])
    }
    for player, role in players.items():
        able = {a[2] for a in build.mentioned("does") if len(a) == 4 and a[1] == role and constant(a[2])}
        for verb in sorted(able if anything else able & asked):
            number += 1
            build.say(f"may_have_said({number},{player},{verb})")
            least, most = build.lexicon.verbs.get(verb, (1, 1))
            if most:
                build.say(f"aims({number},1,must)")
            if least > 1 or most == 2:
                build.say(f"aims({number},2,must)")
            for key in sorted({key for of, key in keys if of in ("", verb)}):
                for value in _values(build, build.lexicon.with_keys.get(key, ""), "_"):
                    build.say(f"may_have_added({number},{key},{value})")


def days_only(book: Rulebook) -> frozenset[str]:
    """Return the rules of days and ends, and the questions about them, which no night may bring up."""
    rules = {id for id, rule in book.rules.items() if rule.phase in BY_DAY}
    asked = {id for id, question in book.questions.items() if not rules.isdisjoint(question.rules)}
    return frozenset(rules | asked)
