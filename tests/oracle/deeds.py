"""What works tonight, and on whom: hindrances, thefts, and what lands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .asking import Asking, Claim, once
from .tables import Term
from .told import Act

#: a deed: ("own", act), ("moved", act of the theft, ability), ("pass", player, ability)
Deed = tuple[Any, ...]


class Deeds(Asking):
    """The layer of deeds."""

    # ---- circles ----

    def cut_edges(self) -> set[tuple[int, int]]:
        """The influences that do not count."""
        return self.circles()[0]

    def void(self, act: int) -> bool:
        """Whether a circle stops an act."""
        return act in self.circles()[1]

    @once
    def circles(self) -> tuple[set[tuple[int, int]], set[int]]:
        """The influences that are cut, and the acts that stop each other, as the answers have it."""
        severed: set[tuple[int, int]] = set(self.told.lapse_cuts) if self.told.lapse else set()
        stopped: set[int] = set()
        told = self.told
        for knot in told.knots:
            answer = self.ask(knot.question, ["nobody", "wake_order", *knot.verbs])
            if answer == "nobody":
                stopped |= knot.acts

            def when(n: int, answer: str = answer) -> tuple[bool, tuple[int, int, str]]:
                return told.number[n].verb != answer, told.rank(n)

            for a, b in told.influence:
                if a in knot.acts and b in knot.acts and not when(a) < when(b):
                    severed.add((a, b))
        return severed, stopped

    def origins(self, deed: Deed) -> set[int]:
        """The acts without which a deed would not be."""
        if deed[0] == "own":
            return {deed[1]}
        if deed[0] == "moved":
            robbed = self.told.named(self.told.number[deed[1]], 1)
            return {deed[1]} | {a.number for a in self.told.acted if (a.actor, a.verb) == (robbed, deed[2])}
        return set()

    def severed(self, cause: Deed, deed: Deed) -> bool:
        """Whether what `cause` does to `deed` is cut."""
        if deed[0] == "pass":
            return False
        return any((origin, deed[1]) in self.cut_edges() for origin in self.origins(cause))

    # ---- deeds ----

    def owner(self, deed: Deed) -> str:
        if deed[0] == "pass":
            return str(deed[1])
        act = self.told.number[deed[1]]
        return act.actor if deed[0] == "own" else str(self.told.named(act, 1))

    def ability(self, deed: Deed) -> Term:
        return self.told.number[deed[1]].verb if deed[0] == "own" else deed[2]

    def deeds(self) -> Iterator[Deed]:
        """Everything that may work tonight."""
        told = self.told
        for act in told.acted:
            yield ("own", act.number)
        for player in sorted(told.alive):
            for _, verb in told.standing(told.role[player]):
                yield ("pass", player, verb)
            for _, role, verb in self.tables["routine"]:
                if role == told.role[player]:
                    yield ("pass", player, verb)
        for theft in told.acted:
            for verb in sorted(self.loot(theft.number), key=str):
                yield ("moved", theft.number, verb)

    def is_standing(self, deed: Deed) -> list[str]:
        """The rules that let a deed stand by itself."""
        role = self.told.role[self.owner(deed)]
        return [rule for rule, verb in self.told.standing(role) if verb == self.ability(deed)]

    @once
    def mode(self, deed: Deed) -> frozenset[Claim]:
        """What the statements make of a deed tonight: (rule, way), the way ``ok`` among them."""
        told, owner, ability = self.told, self.owner(deed), self.ability(deed)
        if owner not in told.role:
            return frozenset()
        role = told.role[owner]
        claims: set[Claim] = set()
        for status in self.hindered(deed):
            rows = [row for row in self.tables["impaired"] if row[1] == status]
            special = [row for row in rows if row[2:4] == (role, ability)]
            general = [row for row in rows if row[2:4] == ("any", "any")]
            claims |= {(row[0], row[4]) for row in special or general}
            if deed[0] == "pass":
                claims |= {(rule, "ok") for rule in self.is_standing(deed)}
            if deed[0] == "moved" and status in told.hindrances:
                claims |= {(rule, "ok") for rule in self._carried_out(deed[1], role, ability, status)}
        loose = deed[0] == "pass" and not self._firm(owner, ability)
        if loose and (robbers := self.robbers_of(owner, ability)):
            opened = {rule for rule, r in self.tables["opened_by_theft"] if r == role}
            for theft in robbers:
                opened_by = opened or self.taking_rules(theft)
                claims |= {(rule, "fails") for rule in opened_by}
            claims |= {(rule, "ok") for rule in self.is_standing(deed)}
        return frozenset(self.weigh(claims))

    def _carried_out(self, theft: int, role: str, ability: Term, status: str) -> set[str]:
        """The rules by which what was stolen is done, of somebody hindered in the same night."""
        told_of = {row[2] for row in self.tables["told_of_loot"] if row[:2] == (role, ability)}
        if told_of & {status, "any"} or not any(verb == ability for _, verb, _ in self.told.does[role]):
            return set()
        stated = {row[0] for row in self.tables["moves"] if row[1:] == (role, ability)}
        return stated or self.taking_rules(self.told.number[theft])

    @once
    def wrong(self, deed: Deed) -> bool:
        """Whether a deed does not do what it ordinarily does."""
        untold = False
        owner = self.owner(deed)
        if owner in self.told.role:
            role, ability = self.told.role[owner], self.ability(deed)
            spoken = {
                row[1] for row in self.tables["impaired"] if row[2:4] in ((role, ability), ("any", "any"))
            }
            for status in sorted(self.hindered(deed)):
                if status not in spoken:
                    untold |= self.holds(("impaired", status, ability))
        return untold or any(way != "ok" for _, way in self.mode(deed))

    @once
    def hindered(self, deed: Deed) -> frozenset[str]:
        """The hindrances that reach a deed."""
        told, owner = self.told, self.owner(deed)
        if owner not in told.role or (deed[0] == "pass" and self._firm(owner, deed[2])):
            return frozenset()
        found = {status for status, player in told.lingering if player == owner and self._still(status)}
        for cause, status in self._blows_at(owner):
            if status not in found and not self.severed(cause, deed) and self.bites(cause, status, owner):
                found.add(status)
        return frozenset(found)

    def _still(self, status: str) -> bool:
        """Whether a hindrance of the night before, of which nothing says when it ends, goes on."""
        return self.holds(("lasts", status))

    def _firm(self, player: str, verb: Term) -> bool:
        return (self.told.role[player], verb) in self.tables["unshaken"]

    def _blows_at(self, player: str) -> Iterator[tuple[Deed, str]]:
        """Every deed that would lay a hindrance on a player, if it lands."""
        told = self.told
        for act in told.acted:
            if act.actor not in told.role:
                continue
            for status in sorted(told.imposed(act.role, act.verb)):
                if told.named(act, told.place(act.verb, ("impose", status))) == player:
                    yield ("own", act.number), status
            robbed = told.named(act, 1)
            if told.takes(act.role, act.verb) and robbed is not None and told.named(act, 2) == player:
                role = told.role[robbed]
                for verb in sorted({v for _, v, _ in told.does[role]}):
                    for status in sorted(told.imposed(role, verb)):
                        yield ("moved", act.number, verb), status

    @once
    def bites(self, cause: Deed, status: str, victim: str) -> bool:
        """Whether a deed lands and what it lays on its victim takes effect."""
        ability = self.ability(cause)
        place = self.told.place(ability, ("impose", status))
        if cause[0] == "moved" and self.stays(cause[1], self.told.role[self.owner(cause)], ability, place):
            return False
        if not (self.lands(cause) or self._left_behind(cause, place)) or not self.reaches(cause, victim):
            return False
        if cause[0] != "moved" or status not in self.told.hindrances:
            return True
        role = self.told.role[victim]
        claims = {(r, "lapses") for r, s, ro in self.tables["lapses_if_robbed"] if (s, ro) == (status, role)}
        claims |= {(r, "bites") for r, s, ro in self.tables["carried_over"] if (s, ro) == (status, role)}
        claims |= {(rule, "bites") for rule in self.taking_rules(self.told.number[cause[1]])}
        return not any(said == "lapses" for _, said in self.weigh(claims))

    def taking_rules(self, theft: Act) -> set[str]:
        return {rule for rule, effect in self.told.effects(theft.role, theft.verb) if effect == "take"}

    # ---- theft ----

    @once
    def works(self, number: int) -> bool:
        """Whether a theft takes what there is."""
        act = self.told.number[number]
        if act.actor not in self.told.role or not self.told.takes(act.role, act.verb):
            return False
        return not self.void(number) and not self.wrong(("own", number))

    @once
    def loot(self, number: int) -> frozenset[Term]:
        """The abilities that a theft takes."""
        told = self.told
        act = told.number[number]
        robbed = told.named(act, 1)
        if robbed is None or number in told.refused or not told.takes(act.role, act.verb):
            return frozenset()
        role = told.role[robbed]
        things: set[Term] = set()
        used: set[Term] = set()
        for other in told.acted:
            uses = other.actor == robbed and any(t != "nobody" for t in other.targets)
            if uses and told.has(role, other.verb) and not told.takes(role, other.verb):
                used.add(other.verb)
                if (number, other.number) not in self.cut_edges():
                    things.add(other.verb)
        if robbed in told.alive:
            # What is carried is taken without an act; where there is one, it is the act that is robbed.
            things |= {verb for _, r, verb in self.tables["carries"] if r == role and verb not in used}
            things |= {verb for _, verb in told.standing(role) if not self._firm(robbed, verb)}
        idle = told.idle(act) if (number, number) not in self.cut_edges() else set()
        if not (things or idle) or not self.works(number):
            return frozenset()
        return frozenset(things | {verb for verb in sorted(idle) if self.holds(("carries", role, verb))})

    def robbers_of(self, player: str, verb: Term) -> list[Act]:
        thefts = [a for a in self.told.acted if self.told.named(a, 1) == player]
        return [a for a in thefts if verb in self.loot(a.number)]

    @once
    def taken(self, number: int) -> bool:
        """Whether an act's ability has been taken from its actor."""
        act = self.told.number[number]
        thefts = [a for a in self.told.acted if self.told.named(a, 1) == act.actor]
        loose = [theft for theft in thefts if (theft.number, number) not in self.cut_edges()]
        return any(act.verb in self.loot(theft.number) for theft in loose)

    # ---- what lands ----

    @once
    def lands(self, deed: Deed) -> bool:
        """Whether a deed does what it ordinarily does."""
        told = self.told
        if deed[0] == "moved":
            robbed = told.named(told.number[deed[1]], 1)
            if robbed is None or not any(v == deed[2] for _, v, _ in told.does[told.role[robbed]]):
                return False
            return deed[2] in self.loot(deed[1]) and not self.wrong(deed)
        act = told.number[deed[1]]
        if act.number in told.refused or act.actor not in told.role or self.void(act.number):
            return False
        return not self.taken(act.number) and not self.wrong(deed)

    def reaches(self, deed: Deed, victim: str) -> bool:
        """Whether a moved ability works on somebody whom others may not name."""
        role = self.told.role[victim]
        if deed[0] != "moved" or not any(row[1] == role for row in self.tables["banned"]):
            return True
        return self.holds(("moved_onto", role))

    def stays(self, theft: int, role: str, verb: Term, place: int) -> bool:
        """Whether a theft leaves what a stolen ability does to one of its two names where it was."""
        told = self.told
        places = {told.place(verb, effect) for _, effect in told.effects(role, verb)}
        stated = any(row[1:] == (role, verb) for row in self.tables["moves"])
        if len(places) < 2 or stated or verb not in self.loot(theft):
            return False
        return not self.holds(("moves", role, verb, place))

    def _left_behind(self, deed: Deed, place: int) -> bool:
        """Whether an act that has been robbed still works on the name in this place."""
        number = deed[1]
        if deed[0] != "own" or not self.taken(number) or self.wrong(deed) or self.void(number):
            return False
        act = self.told.number[number]
        return any(
            self.stays(s.number, act.role, act.verb, place) for s in self.robbers_of(act.actor, act.verb)
        )

    @once
    def landings(self) -> list[tuple[Deed, str, Term, str]]:
        """(deed, whose role it is done as, effect, victim) of everything that takes place.

        A deed that turns on its owner is in the list with the owner as its victim.
        """
        told = self.told
        found = []
        for deed in self.deeds():
            owner = self.owner(deed)
            if owner not in told.role:
                continue
            role, ability = told.role[owner], self.ability(deed)
            turned = self.turned(deed)
            for _, effect in told.effects(role, ability):
                place = told.place(ability, effect)
                if turned and place == 1:
                    found.append((deed, role, effect, owner))
                if deed[0] == "pass" or not (self.lands(deed) or self._left_behind(deed, place)):
                    continue
                victim = told.named(told.number[deed[1]], place if deed[0] == "own" else 2)
                if deed[0] == "moved" and self.stays(deed[1], role, ability, place):
                    continue
                if victim is not None and self.reaches(deed, victim):
                    found.append((deed, role, effect, victim))
        return found

    def turned(self, deed: Deed) -> bool:
        """Whether a deed works, and works on its owner."""
        if deed[0] == "own" and self.void(deed[1]):
            return False
        return any(way == "self" for _, way in self.mode(deed))

    @once
    def held(self, player: str) -> frozenset[str]:
        """Every status that takes effect on a player."""
        return frozenset(self.lasting(player)).union(
            effect[1]
            for deed, _, effect, victim in self.landings()
            if victim == player and effect[0] == "impose"
            if effect[1] not in self.told.hindrances
            or self.turned(deed)
            or self.bites(deed, effect[1], victim)
        )

    @once
    def lasting(self, player: str) -> frozenset[str]:
        """The hindrances that were laid on a player the night before and go on."""
        owners = {self.owner(deed) for deed in self.deeds()}
        asked = {status for status, who in self.told.lingering if who in owners}
        return frozenset(
            status
            for status, who in self.told.lingering
            if who == player and status in asked and self._still(status)
        )
