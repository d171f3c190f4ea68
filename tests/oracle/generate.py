"""Random nights and random tables for the comparison, all from one seed."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable

from mafia_asp.model import Action, Player, Scenario

from .tables import Tables

#: how a table set differs from the book's: not at all, with rows missing, with rows of other books added
STYLES = ("book", "thinned", "stirred")
_DROPPABLE = (
    *(
        "impaired",
        "beats",
        "wins",
        "stops",
        "pierces",
        "stops_class",
        "fills",
        "reads_as",
        "lapses_if_robbed",
    ),
    *(
        "carried_over",
        "opened_by_theft",
        "flips",
        "carries",
        "unshaken",
        "narrow",
        "wakes",
        "forbids",
        "lasts",
        "absorbs",
        "moves",
        "banned",
    ),
)


def verbs_of(tables: Tables) -> dict[str, dict[str, int]]:
    """Return for each role what it can do, and how many names that takes."""
    found: dict[str, dict[str, int]] = {}
    places = {(verb, effect): place for verb, effect, place in tables["at"]}
    for _, role, verb, effect in tables["does"]:
        most = max(places.get((verb, effect), 1), 2 if effect == "take" else 1)
        known = found.setdefault(role, {})
        known[verb] = max(known.get(verb, 1), most)
    return found


def roles_of(tables: Tables) -> list[str]:
    """Return every role of which the tables say something."""
    return sorted({row[1] for row in tables["side"]} | {row[1] for row in tables["does"]})


def night(tables: Tables, rng: random.Random, players: int = 6, actions: int = 7) -> Scenario:
    """Return a night of up to so many players and actions.

    Three nights in four are woven around a plot: one player whom some row of the tables speaks of, and
    others who hinder, rob, attack, protect or ask about that player.
    """
    verbs, roles = verbs_of(tables), roles_of(tables)
    size = rng.choice([n for n in range(2, players + 1) for _ in range(n * n)])
    names = [f"N{seat}" for seat in range(1, size + 1)]
    busy = [role for role in roles if role in verbs]
    pools = (roles, busy, [role for role in busy if _meddles(tables, role)], _touchy(tables))
    weights = rng.choice([(1, 1, 2, 6), (0, 1, 3, 4), (0, 0, 3, 2), (2, 3, 1, 3)])
    cast = [rng.choice(rng.choices(pools, weights)[0]) for _ in names]
    favourites = rng.sample(names, rng.randint(1, min(size, 4)))
    if rng.random() < 0.75:
        hero, others = rng.choice(pools[3]), [*pools[2] * 2, *_plotters(tables)]
        cast[: size - 1] = [hero, *rng.choices(others, k=size - 2)]
        favourites = [names[0]] * 3 + rng.sample(names, min(2, size))
    seats = tuple(
        Player(name, role, rng.random() > 0.03, counts=_counts(rng))
        for name, role in zip(names, cast, strict=True)
    )
    acts: list[Action] = []
    for seat in seats:
        if seat.role in verbs and rng.random() < 0.9:
            acts += _acts(seat, verbs[seat.role], favourites, names, rng)
    for _, group, verb in tables["group"]:
        if rng.random() < 0.3:
            acts.append(Action(group, verb, (_target(favourites, names, rng),)))
    if rng.random() < 0.05:
        foreign = rng.choice(sorted({v for known in verbs.values() for v in known}))
        acts.append(Action(rng.choice(names), foreign, (_target(favourites, names, rng),)))
    rng.shuffle(acts)
    order = list(seats)
    rng.shuffle(order)
    before = tuple(a for a in acts if rng.random() < 0.5) if rng.random() < 0.15 else ()
    return Scenario("classic_advanced", tuple(order), "night", 2, tuple(acts[:actions]), before)


def _plotters(tables: Tables) -> list[str]:
    """Roles that kill, protect or ask."""
    effects = ("kill", "protect", "ask")
    return sorted(row[1] for row in tables["does"] if row[3] == "kill" or row[3][0] in effects)


def _meddles(tables: Tables, role: str) -> bool:
    hindrances = {row[1] for row in tables["impaired"]}
    effects = [row[3] for row in tables["does"] if row[1] == role]
    return any(e == "take" or (e[0] == "impose" and e[1] in hindrances) for e in effects)


def _touchy(tables: Tables) -> list[str]:
    """Roles that kill, save, ask or stand against something, and those of whom a hindrance says something."""
    found = {row[1] for row in tables["standing"]} | {row[2] for row in tables["impaired"]} - {"any"}
    found |= {row[1] for row in tables["does"] if row[3] == "kill" or row[3][0] in ("kill", "protect", "ask")}
    return sorted(found | {row[2] for row in tables["lapses_if_robbed"]})


def _counts(rng: random.Random) -> dict[str, int]:
    return {"inquiries": rng.randint(0, 2)} if rng.random() < 0.1 else {}


def _acts(
    seat: Player, verbs: dict[str, int], favourites: list[str], names: list[str], rng: random.Random
) -> Iterable[Action]:
    for _ in range(rng.choices((1, 2, 3), (25, 2, 1))[0]):
        verb = rng.choice(sorted(verbs))
        targets = [_target(favourites, names, rng) for _ in range(verbs[verb])]
        if rng.random() < 0.06:
            targets[0] = "nobody"
        if rng.random() < 0.08:
            targets[-1] = seat.name
        yield Action(seat.name, verb, tuple(targets))


def _target(favourites: list[str], names: list[str], rng: random.Random) -> str:
    return rng.choice(favourites if rng.random() < 0.8 else names)


def vary(tables: Tables, style: str, rng: random.Random, keep: Collection[str] = ()) -> Tables:
    """Return the tables with rows missing (but for those of `keep`), or with rows added that no book has."""
    if style == "book":
        return tables
    facts = sorted(tables.facts)
    kept = [fact for fact in facts if fact.partition("(")[0] in keep or not _dropped(fact, rng)]
    return Tables.of([*kept, *_added(tables, rng)] if style == "stirred" else kept)


def _dropped(fact: str, rng: random.Random) -> bool:
    table = fact.partition("(")[0]
    if table not in _DROPPABLE:
        return False
    general = table == "impaired" and ",any,any," in fact
    return rng.random() < (0.6 if general else 0.3)


def _added(tables: Tables, rng: random.Random) -> Iterable[str]:
    """Rows of a rulebook that might be."""
    verbs = verbs_of(tables)
    killers = [row[1] for row in tables["does"] if row[3] == "kill"]
    own = [f"shot({role})" for role in killers] + sorted(
        row[3][1] for row in tables["does"] if row[3][0] == "kill"
    )
    kinds = own + [f"stolen({kind})" for kind in own]
    kinds += [f"backfire({role})" for role in killers] + ["shot(mafia)"]
    walls = ["save", *sorted({_word(row[2]) for row in tables["standing"]})]
    statuses = sorted({row[1] for row in tables["impaired"]})
    shown = sorted({row[1] for row in tables["does"]})
    hinderers = {row[1] for row in tables["does"] if row[3][0] == "impose" and row[3][1] in statuses}
    for n in range(rng.randint(0, 5)):
        yield f'stops("xx.a.{n}",{rng.choice(walls)},{rng.choice(kinds)})'
        yield f'pierces("xx.b.{n}",{rng.choice(kinds)},{rng.choice(walls)})'
    for n in range(rng.randint(0, 2)):
        shots = ",".join(rng.sample(kinds, 2))
        yield f'absorbs("xx.k.{n}",save,{shots},{rng.choice(("yes", "no", "told"))})'
    for n in range(rng.randint(0, 4)):
        role = rng.choice(sorted(verbs))
        ways = ["fails", "inverts"] + ([] if role in hinderers else ["self", "backfires"])
        verb = rng.choice(sorted(verbs[role]))
        yield f'impaired("xx.c.{n}",{rng.choice(statuses)},{role},{verb},{rng.choice(ways)})'
        yield f'lapses_if_robbed("xx.d.{n}",{rng.choice(statuses)},{rng.choice(shown)})'
        yield f'carried_over("xx.e.{n}",{rng.choice(statuses)},{rng.choice(shown)})'
    for n in range(rng.randint(0, 3)):
        answer, inquiry = rng.choice(("yes", "no")), rng.choice(("alignment", "rank"))
        subject = rng.choice(
            (f"role({rng.choice(shown)})", f"held({rng.choice(statuses)},{rng.choice(shown)})")
        )
        yield f'reads_as("xx.f.{n}",{inquiry},{subject},{answer})'
    if rng.random() < 0.4:
        yield f'stock("xx.g.1",spy,inquire,inquiries,{rng.randint(0, 2)})'
    if rng.random() < 0.3:
        yield f'limit("xx.h.1",mafia,shoot,per_night({rng.randint(0, 1)}))'
    if rng.random() < 0.3:
        yield f'forbids("xx.i.1",{rng.choice(sorted(verbs))},shoot,side(mafia))'
    if rng.random() < 0.3:
        yield f'wakes("xx.j.1",{rng.choice(("thief", "hooker"))},{rng.randint(1, 8)})'
    rules = ["xx.a.0", "xx.b.0", "xx.b.1", "xx.c.0", "xx.c.1", "xx.f.0"]
    rules += sorted({row[0] for name in ("stops", "impaired", "reads_as") for row in tables[name]})
    for _ in range(rng.randint(0, 4)):
        one, other = sorted(rng.sample(rules, 2))
        yield f'beats("{one}","{other}")'


def _word(term: object) -> str:
    return f"{term[0]}({term[1]})" if isinstance(term, tuple) else str(term)
