"""What follows from the words said alone: who acts, which act bears on which, and where that is a circle."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from mafia_asp.model import Scenario

from .graph import Edges, circles, two_coloured
from .tables import Row, Tables, Term


@dataclass(frozen=True)
class Act:
    """One thing said: its number in the order told, and whose role (or group) it is done as."""

    number: int
    actor: str
    verb: str
    targets: tuple[str, ...]
    role: str


@dataclass(frozen=True)
class Knot:
    """Acts that bear on each other in a circle."""

    acts: frozenset[int]
    question: str
    verbs: tuple[str, ...]


class Told:
    """A scenario seen through the tables; the same under every answer."""

    def __init__(self, tables: Tables, scenario: Scenario, *, lapse: bool = False) -> None:
        """Read a scenario; with `lapse`, what somebody killed earlier in the night does is void."""
        self.tables = tables
        self.lapse = lapse
        self.role = {player.name: player.role for player in scenario.players}
        self.alive = {player.name for player in scenario.players if player.alive}
        self.counts: dict[tuple[str, str], Term] = {
            (p.name, c): n for p in scenario.players for c, n in p.counts.items()
        }
        self.rulings = dict(scenario.rulings)
        self._before = scenario.last_night
        self.does: dict[str, list[Row]] = defaultdict(list)
        for rule, role, verb, effect in tables["does"]:
            self.does[role].append((rule, verb, effect))
        self.hindrances = {row[1] for row in tables["impaired"]}
        self.acts = [
            Act(n, a.actor, a.verb, a.targets, self.role.get(a.actor, a.actor))
            for n, a in enumerate(scenario.actions, 1)
        ]
        self.number = {act.number: act for act in self.acts}
        self.refused = {act.number for act in self.acts if self._refusable(act)}
        self.acted = [act for act in self.acts if act.number not in self.refused]

        self.before = [
            Act(-n, a.actor, a.verb, a.targets, self.role.get(a.actor, a.actor))
            for n, a in enumerate(scenario.last_night, 1)
        ]
        self.lingering = {
            (status, act.targets[0])
            for act in scenario.last_night
            if act.targets and act.targets[0] in self.alive
            for status in self.imposed(self.role.get(act.actor, act.actor), act.verb)
            if not any(row[1] == status for row in tables["lasts"])
        }

    # ---- what roles can do ----

    def can(self, role: str, verb: str) -> bool:
        """Whether a role (or a group) uses an ability by an act."""
        return any(v == verb for _, v, _ in self.does[role]) or self.group_can(role, verb)

    def _own(self, act: Act) -> bool:
        """Whether an act is an ability of its actor's role."""
        return any(verb == act.verb for _, verb, _ in self.does[act.role])

    def group_can(self, group: str, verb: str) -> bool:
        return any(row[1:] == (group, verb) for row in self.tables["group"])

    def effects(self, role: str, verb: str) -> list[Row]:
        """(rule, effect) of an ability."""
        return [(rule, effect) for rule, v, effect in self.does[role] if v == verb]

    def place(self, verb: str, effect: object) -> int:
        """Which of the names an effect applies to."""
        return next((row[2] for row in self.tables["at"] if row[:2] == (verb, effect)), 1)

    def takes(self, role: str, verb: str) -> bool:
        return any(effect == "take" for _, effect in self.effects(role, verb))

    def imposed(self, role: str, verb: str) -> set[str]:
        """The hindrances that an ability lays on somebody."""
        return {e[1] for _, e in self.effects(role, verb) if e[0] == "impose" and e[1] in self.hindrances}

    def marks(self, act: Act, player: str) -> set[str]:
        """What an act would lay on a player, hindrance or not."""
        laid = [e for _, e in self.effects(act.role, act.verb) if e[0] == "impose"]
        return {e[1] for e in laid if self.named(act, self.place(act.verb, e)) == player}

    def standing(self, role: str) -> list[Row]:
        """(rule, ability) of what a role has without doing anything."""
        return [(rule, verb) for rule, r, verb in self.tables["standing"] if r == role]

    def has(self, role: str, verb: str) -> bool:
        own = {v for _, v in self.standing(role)} | {v for _, r, v in self.tables["routine"] if r == role}
        return verb in own or any(v == verb for _, v, _ in self.does[role])

    def sides(self, player: str) -> set[str]:
        return {side for _, role, side in self.tables["side"] if role == self.role[player]}

    def named(self, act: Act, place: int) -> str | None:
        """The player whom an act names in a place, if it names one there."""
        if place > len(act.targets) or act.targets[place - 1] not in self.role:
            return None
        return act.targets[place - 1]

    # ---- what the moderator refuses ----

    def _refusable(self, act: Act) -> bool:
        if act.actor in self.role and act.actor not in self.alive:
            return True
        if not self.can(act.role, act.verb):
            return True
        return self._over_limit(act) or self._forbidden(act) or self._out_of_stock(act)

    def _over_limit(self, act: Act) -> bool:
        for _, role, verb, allowance in self.tables["limit"]:
            # How often is unsaid where it is no pair.
            if role == act.role and verb in ("any", act.verb) and isinstance(allowance, tuple):
                most = allowance[1]
                if verb == "any" and act.actor not in self.role:
                    continue
                so_far = [b for b in self.acts if b.actor == act.actor and b.number <= act.number]
                # An attempt at what the role cannot do at all is no use of its abilities.
                uses = [b.verb == verb or (verb == "any" and self._own(b)) for b in so_far]
                if sum(uses) > most:
                    return True
        return False

    def _forbidden(self, act: Act) -> bool:
        first = self.named(act, 1)
        for _, role, verb, what in self.tables["forbids"]:
            if (role, verb) != (act.role, act.verb):
                continue
            if what == "self":
                if act.actor in act.targets:
                    return True
            elif first is None:
                continue
            elif (what[0] == "role" and first in self.alive and self.role[first] == what[1]) or (
                what[0] == "side" and what[1] in self.sides(first)
            ):
                return True
        return False

    def _out_of_stock(self, act: Act) -> bool:
        for _, role, verb, counter, first in self.tables["stock"]:
            if (role, verb) != (act.role, act.verb) or act.actor not in self.role:
                continue
            left = self._left(act.actor, counter, first)
            if not isinstance(left, int) or not self._draws(act, counter):
                continue
            drawn = [b for b in self.acts if b.actor == act.actor and self._draws(b, counter)]
            if sum(b.number <= act.number for b in drawn) > left:
                return True
        return False

    def _left(self, actor: str, counter: str, first: Term) -> Term:
        """How much an actor has of a stock: where nobody says, what the night before has left of it."""
        known = self.counts.get((actor, counter))
        if known is not None or not isinstance(first, int):
            return first if known is None else known
        verbs = {v for _, role, v, c, _ in self.tables["stock"] if (role, c) == (self.role[actor], counter)}
        drawn = [a for a in self._before if a.actor == actor and a.verb in verbs]
        return max(0, first - sum(bool(a.targets) and a.targets[0] != "nobody" for a in drawn))

    def drawn_on(self, act: Act) -> set[str]:
        """The counters on which an act draws, where it is known how much is left."""
        rows = [row for row in self.tables["stock"] if row[1] == act.role and self._draws(act, row[3])]
        return {c for *_, c, first in rows if isinstance(self.counts.get((act.actor, c), first), int)}

    def _draws(self, act: Act, counter: str) -> bool:
        if not act.targets or act.targets[0] == "nobody":
            return False
        return any(row[1:4] == (act.role, act.verb, counter) for row in self.tables["stock"])

    # ---- what may be stolen unused ----

    def idle(self, theft: Act) -> set[str]:
        """The abilities of whoever is robbed that take a single name and have been given none."""
        robbed = self.named(theft, 1)
        if robbed not in self.alive or not self.takes(theft.role, theft.verb):
            return set()
        role = self.role[robbed]
        if any(row[2] == role for row in self.tables["agent"]):
            return set()
        used = {a.verb for a in self.acts if a.actor == robbed and self.named(a, 1) is not None}
        used |= {verb for _, r, verb in self.tables["carries"] if r == role}
        used |= {row[2] for row in self.tables["stock"] if row[1] == role}
        used |= {row[0] for row in self.tables["at"]}
        found = {verb for _, verb, effect in self.does[role] if self._strikes_one(effect)}
        return {verb for verb in found - used if not self.takes(role, verb)}

    def _strikes_one(self, effect: Term) -> bool:
        if isinstance(effect, tuple) and effect[0] == "impose":
            return effect[1] in self.hindrances
        return effect == "kill" or (isinstance(effect, tuple) and effect[0] in ("kill", "protect"))

    # ---- which act bears on which ----

    @cached_property
    def influence(self) -> Edges:
        """An edge from an act to each one that it may keep from working or change."""
        edges: Edges = set()
        thefts = self._thefts
        hinderers = [a for a in self.acts if a.actor in self.role and self.imposed(a.role, a.verb)]
        # Everything that may lay a hindrance on somebody: by itself, or taken and put on another.
        blows = [({a}, self.named(a, 1)) for a in hinderers]
        for theft in thefts:
            blows += [
                ({theft, a}, self.named(theft, 2)) for a in hinderers if a.actor == self.named(theft, 1)
            ]
            owner = self.role.get(self.named(theft, 1) or "", "")
            if any(self.imposed(owner, verb) for verb in self.idle(theft)):
                blows.append(({theft}, self.named(theft, 2)))
        for causes, victim in blows:
            hurt = [a for a in self.acts if a.actor == victim and self.can(a.role, a.verb)]
            hurt += [a for a in thefts if victim is not None and self.named(a, 1) == victim]
            edges |= {(c.number, a.number) for c in causes for a in hurt}
        for theft in thefts:
            robbed = [a for a in self.acts if a.actor == self.named(theft, 1) and self.can(a.role, a.verb)]
            edges |= {(theft.number, a.number) for a in robbed}
        return edges | self._for_groups(blows)

    def _for_groups(self, blows: list[tuple[set[Act], str | None]]) -> Edges:
        """Who speaks for a group bears on the group's act, and so does whatever meets that player."""
        edges: Edges = set()
        for act in self.acts:
            if act.actor in self.role or not self.group_can(act.actor, act.verb):
                continue
            agents = {row[2] for row in self.tables["agent"] if row[1] == act.actor}
            for player, role in self.role.items():
                if role in agents:
                    causes = {a for a in self.acts if a.actor == player and self.can(a.role, a.verb)}
                    causes |= {a for cause, victim in blows if victim == player for a in cause}
                    causes |= {theft for theft in self._thefts if self.named(theft, 1) == player}
                    edges |= {(cause.number, act.number) for cause in causes if cause is not act}
        return edges

    @cached_property
    def knots(self) -> list[Knot]:
        """The circles of influence, each with the question that it raises."""
        found: list[Knot] = []
        if self.lapse:
            return found
        for part in circles(self.influence):
            even = two_coloured(part, {(a, b) for a, b in self.influence if {a, b} <= part})
            verbs = tuple(sorted({self.number[n].verb for n in part}))
            question = f"circle({','.join(('even' if even else 'odd', *verbs))})"
            found.append(Knot(part, question, verbs))
        return found

    # ---- where the acts of those killed earlier lapse ----

    def kills(self, act: Act) -> bool:
        if act.actor not in self.role:
            return self.group_can(act.actor, act.verb)
        return any(
            self.blow(act.role, effect) is not None and self.place(act.verb, effect) == 1
            for _, effect in self.effects(act.role, act.verb)
        )

    def blow(self, role: str, effect: Term) -> Term | None:
        """The kind of attack that an effect of a role's ability is, if it kills."""
        if effect == "kill":
            return "shot", role
        return effect[1] if effect[0] == "kill" else None

    @cached_property
    def named_kinds(self) -> set[Term]:
        """The kinds of attack that abilities name."""
        return {effect[1] for *_, effect in self.tables["does"] if effect[0] == "kill"}

    def threatens(self, act: Act) -> bool:
        """Whether an act kills, or names whom others kill."""
        names = any(effect == "name_victim" for _, effect in self.effects(act.role, act.verb))
        return self.kills(act) or (names and self.named(act, 1) is not None)

    def shields(self, role: str, verb: str) -> set[Term]:
        """The kinds of protection that an ability gives."""
        return {effect[1] for _, effect in self.effects(role, verb) if effect[0] == "protect"}

    def may_lapse(self, act: Act, victim: str | None) -> bool:
        """Whether an act is one that the death of `victim` would make void."""
        names_somebody = bool(act.targets) and act.targets[0] != "nobody"
        return act.actor == victim and self.can(act.role, act.verb) and names_somebody

    @cached_property
    def falls(self) -> set[tuple[int, int]]:
        """(blow, act): the blow would come before the act of its victim."""
        found = set()
        for blow in filter(self.threatens, self.acts):
            thefts = [a for a in self._thefts if self.named(a, 1) == blow.actor]
            lands = [(blow, self.named(blow, 1))]
            lands += [(theft, self.named(theft, 2)) for theft in thefts if self.named(theft, 2) != blow.actor]
            for cause, victim in lands:
                for act in self.acts:
                    earlier = self.rank(blow.number) < self.rank(act.number)
                    earlier = earlier or (cause is blow and self._unplaced_pair(blow, act))
                    by_another = cause is not blow or cause.actor != victim
                    if earlier and by_another and self.may_lapse(act, victim):
                        found.add((cause.number, act.number))
        return found

    def _unplaced_pair(self, blow: Act, act: Act) -> bool:
        """Whether both kill and are called at no said time, and are not after each other."""
        unplaced = (1, 0)
        after_each_other = self.named(act, 1) == blow.actor and self.named(blow, 1) == act.actor
        return self.rank(blow.number)[:2] == self.rank(act.number)[:2] == unplaced and not after_each_other

    @cached_property
    def _thefts(self) -> list[Act]:
        return [a for a in self.acts if a.actor in self.role and self.takes(a.role, a.verb)]

    @cached_property
    def lapse_cuts(self) -> set[tuple[int, int]]:
        """The influences that do not count: those against the order of the night within a circle."""
        edges = self.influence | self.falls
        falling = [act for act in self.acts if any(b == act.number for _, b in self.falls)]
        for act in self.acts:
            if act.actor in self.role and self.shields(act.role, act.verb):
                victim = self.named(act, 1)
                edges |= {(act.number, b.number) for b in falling if b.actor == victim}
        for theft in self._thefts:
            second = self.named(theft, 2)
            mine = [b for b in self.acts if b.actor == second and self.can(b.role, b.verb)]
            edges |= {(theft.number, b.number) for b in mine}
            for act in self.acts:
                if act.actor == self.named(theft, 1) and self.shields(act.role, act.verb):
                    edges |= {(act.number, b.number) for b in falling if b.actor == second}
        return {
            (a, b)
            for part in circles(edges)
            for a, b in edges
            if {a, b} <= part and not self.rank(a) < self.rank(b)
        }

    def rank(self, number: int) -> tuple[int, int, str]:
        """When an act comes in the night: by the order of waking; what is in none last, killings first."""
        act = self.number[number]
        table = [row[2] for row in self.tables["wakes"] if row[1] == act.role]
        if act.actor not in self.role:
            table = [row[2] for row in self.tables["group_wakes"] if row[1] == act.actor]
        return (0, min(table), "") if table else (1, 0 if self.threatens(act) else 1, act.verb)
