"""Attacks, protections, and where the two meet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations

from .asking import Claim, once
from .deeds import Deed, Deeds
from .tables import Term
from .told import Act


class Meetings(Deeds):
    """The layer of attacks and protections."""

    def attacks(self) -> Iterator[tuple[Term, str, Deed]]:
        """(kind, victim, deed) of every attack."""
        told = self.told
        for deed, role, effect, victim in self.landings():
            blow = told.blow(role, effect)
            if blow is not None:
                yield (("stolen", blow) if deed[0] == "moved" else blow), victim, deed
        for act in told.acted:
            own: Deed = ("own", act.number)
            if act.actor in told.role:
                fires_back = any(way == "backfires" for _, way in self.mode(own))
                aimed = told.named(act, 1) is not None
                if fires_back and aimed and not self.taken(act.number) and not self.void(act.number):
                    yield ("backfire", act.role), act.actor, own
            elif self._group_strikes(act):
                yield ("shot", act.actor), act.targets[0], own

    def _group_strikes(self, act: Act) -> bool:
        """A group strikes by itself unless the role that is its voice has named the same victim."""
        told = self.told
        victim = told.named(act, 1)
        if victim is None:
            return False
        voices = {role for _, group, role in self.tables["agent"] if group == act.actor}
        spoken = [
            b
            for b in told.acted
            if b.actor in told.role and b.role in voices and told.group_can(act.actor, b.verb)
        ]
        agreed = [b for b in spoken if told.named(b, 1) == victim]
        lost = any(self._lost(b, act) for b in agreed)
        mute = not any(b.targets for b in spoken) and any(
            self._silenced(player, act) for player in told.alive if told.role[player] in voices
        )
        if lost or mute:
            return self.holds(("stands_apart", act.actor))
        return not agreed

    def _lost(self, voice: Act, act: Act) -> bool:
        """Whether the one who speaks for a group is hindered or robbed, as far as its act can know."""
        gone = self.wrong(("own", voice.number)) or self.taken(voice.number)
        return gone and (voice.number, act.number) not in self.cut_edges()

    def _silenced(self, player: str, act: Act) -> bool:
        """Whether something lies on a player by which a group's verb is impaired."""
        role = self.told.role[player]
        rows = [row for row in self.tables["impaired"] if row[2:4] == (role, act.verb)]
        special = {row[1] for row in rows}
        general = {row[1] for row in self.tables["impaired"] if row[2:4] == ("any", "any")}
        hit = special | (general if self.told.has(role, act.verb) else set())
        if hit & self.lasting(player):
            return True
        return any(
            status in hit
            and not any((o, act.number) in self.cut_edges() for o in self.origins(cause))
            and self.bites(cause, status, player)
            for cause, status in self._blows_at(player)
        )

    @once
    def protections(self, player: str) -> dict[Term, list[Deed]]:
        """The kinds of protection that a player has, and whence."""
        found: dict[Term, list[Deed]] = defaultdict(list)
        for deed, _, effect, victim in self.landings():
            if victim == player and effect[0] == "protect":
                found[effect[1]].append(deed)
        for kind, deed in [*self._own_protections(player), *self._passed_on(player)]:
            found[kind].append(deed)
        return found

    def _passed_on(self, player: str) -> Iterator[tuple[Term, Deed]]:
        """Standing protections that a theft has put on a player, if that moves them."""
        told = self.told
        for theft in told.acted:
            robbed = told.named(theft, 1)
            if robbed in (None, player) or told.named(theft, 2) != player:
                continue
            role = told.role[str(robbed)]
            for verb in sorted({v for _, v in told.standing(role)} & self.loot(theft.number), key=str):
                moved = any(row[1:] == (role, verb) for row in self.tables["moves"])
                if moved or self.holds(("moves", role, verb)):
                    yield verb, ("moved", theft.number, verb)

    def kin(self, kind: Term) -> set[Term]:
        """An attack's kind, and those whose statements hold for it where there are none on itself."""
        kin = {kind} | {k for of, k in self.tables["declared_kin"] if of == kind}
        return kin | {kind[1]} if kind[0] == "stolen" else kin

    @once
    def worn(self, victim: str) -> set[tuple[Term, Term]]:
        """(protection, kind of attack): it would hold, but not against another blow at the same time."""
        innate = {verb for _, _, verb in self.tables["standing"]}
        kinds = {k for k, who, _ in self.attacks() if who == victim}
        blows = sorted((k for k in kinds if self._blows(k)), key=str)
        found = set()
        for x, sources in self.protections(victim).items():
            without_limit = any(row[1] == x for row in self.tables["absorbs_all"])
            if x in innate or without_limit or all(deed[0] == "pass" for deed in sources):
                continue
            struck = sorted((k for k in kinds if self.wards_off(x, sources, k) is not None), key=str)
            found |= {(x, one) for one, other in permutations(struck, 2) if self._goes_home(x, one, other)}
            met = [k for k in blows if k in struck]
            for one, other in permutations(met, 2):
                if not self._second(one, other) or self._hands(one) & self._hands(other):
                    continue
                if not self._spoken_of(x, one, other) and not self.holds(("absorbs", x, self._blow(other))):
                    found.add((x, other))
        return found

    def _hands(self, kind: Term) -> set[Term]:
        """Whose attack it is: a role's, and that of the group for which the role speaks."""
        owners = {k[1] for k in self.kin(kind) if k[0] == "shot"}
        return owners | {group for _, group, role in self.tables["agent"] if role in owners}

    def _blows(self, kind: Term) -> set[Term]:
        """The shots, and the kinds that an ability names, whose kind or kin an attack is."""
        return {k for k in self.kin(kind) if k[0] == "shot" or k in self.told.named_kinds}

    def _blow(self, kind: Term) -> Term:
        return min(self._blows(kind), key=_in_order)

    def _second(self, one: Term, other: Term) -> bool:
        """Whether the other blow is the second: a group's is the first, else the one earlier by name."""
        groups = {row[1] for row in self.tables["group"]} | {row[2] for row in self.tables["agent"]}
        blows = [self._blow(k) for k in (one, other)]
        ranks = [(not (k[0] == "shot" and k[1] in groups), _in_order(k)) for k in blows]
        return ranks[0] < ranks[1]

    def _goes_home(self, protection: Term, one: Term, other: Term) -> bool:
        """Whether a statement lets the one shot through where the other comes at the same time."""
        a, b = self.kin(one), self.kin(other)
        rows = [row[2:] for row in self.tables["absorbs"] if row[1] == protection]
        return any(shot in a and beside in b and answer == "no" for shot, beside, answer in rows)

    def _spoken_of(self, protection: Term, one: Term, other: Term) -> bool:
        """Whether a statement says what the protection does against the two together."""
        a, b = self.kin(one), self.kin(other)
        return any(
            x == protection and ((k in a and beside in b) or (k in b and beside in a))
            for _, x, k, beside, _ in self.tables["absorbs"]
        )

    def wards_off(self, protection: Term, sources: list[Deed], kind: Term) -> bool | None:
        """Whether a protection keeps an attack away; None where the two do not meet at all."""
        kin = self.kin(kind)
        said = {k for _, x, k in self.tables["stops"] if x == protection}
        said |= {k for _, k, x in self.tables["pierces"] if x == protection}
        nearest = {kind} if kind in said else kin & said
        if (protection,) in self.tables["narrow"] and not nearest:
            return None
        claims: set[Claim] = {
            (r, "stops") for r, x, k in self.tables["stops"] if x == protection and k in nearest
        }
        claims |= {(r, "pierces") for r, k, x in self.tables["pierces"] if x == protection and k in nearest}
        classes = {"any"} | ({"shot"} if any(k[0] == "shot" for k in kin) else set())
        classes |= {"blow"} if self._blows(kind) else set()
        claims |= {(r, "stops") for r, x, c in self.tables["stops_class"] if x == protection and c in classes}
        if any(source[0] == "pass" for source in sources):
            claims |= {
                (r, "pierces") for r, k, c in self.tables["pierces_class"] if k in kin and c == "standing"
            }
        if claims:
            return any(said == "stops" for _, said in self.weigh(claims))
        fills = [row for row in self.tables["fills"] if row[2] in {("stops", protection, k) for k in kin}]
        if not fills:
            return self.holds(("stops", protection, kind))
        answers = {q: self.ask(q, self.named_readings(q)) for q in sorted({row[0] for row in fills})}
        return any(answers[q] == answer for q, answer, _ in fills)

    def _own_protections(self, player: str) -> Iterator[tuple[Term, Deed]]:
        if player in self.told.alive:
            for _, verb in self.told.standing(self.told.role[player]):
                if not self.wrong(("pass", player, verb)):
                    yield verb, ("pass", player, verb)

    # ---- where the acts of those killed earlier lapse ----

    def void(self, act: int) -> bool:
        """Whether a circle, or the death of its actor, stops an act."""
        return self._fallen(act) if self.told.lapse else super().void(act)

    @once
    def _fallen(self, number: int) -> bool:
        """Whether an act's actor has been killed before it, as far as the act can know."""
        told, victim = self.told, self.told.number[number].actor
        for blow, act in sorted(told.falls):
            if act == number and blow not in told.refused and (blow, act) not in self.cut_edges():
                for kind in self._blows_of(told.number[blow], victim):
                    shields = self._shields(victim, number)
                    if not any(self.wards_off(x, by, kind) for x, by in shields.items()):
                        return True
        return False

    def _blows_of(self, act: Act, victim: str) -> Iterator[Term]:
        """The kinds of attack that an act brings on a player, by itself or by what it has stolen."""
        told = self.told
        own: Deed = ("own", act.number)
        if told.kills(act) and told.named(act, 1) == victim and self._strikes(act, own):
            blows = [told.blow(act.role, effect) for _, effect in told.effects(act.role, act.verb)]
            yield from [b for b in blows if b is not None] if act.actor in told.role else [("shot", act.role)]
        robbed = told.named(act, 1)
        if robbed is not None and told.takes(act.role, act.verb) and told.named(act, 2) == victim:
            role = told.role[robbed]
            for verb, effect in sorted({(v, e) for _, v, e in told.does[role]}, key=str):
                blow, moved = told.blow(role, effect), ("moved", act.number, verb)
                if blow is not None and self.lands(moved) and self.reaches(moved, victim):
                    yield "stolen", blow

    def _strikes(self, act: Act, own: Deed) -> bool:
        return self.lands(own) if act.actor in self.told.role else self._group_strikes(act)

    def _shields(self, victim: str, act: int) -> dict[Term, list[Deed]]:
        """The protections of a player, but for those that `act` must not depend on."""
        told = self.told
        given: list[tuple[Term, Deed]] = []
        for other in told.acted:
            if other.actor not in told.role:
                continue
            if told.named(other, 1) == victim:
                given += [(x, ("own", other.number)) for x in told.shields(other.role, other.verb)]
            robbed = told.named(other, 1)
            if robbed is not None and told.takes(other.role, other.verb) and told.named(other, 2) == victim:
                for verb in {v for _, v, _ in told.does[told.role[robbed]]}:
                    moved: Deed = ("moved", other.number, verb)
                    given += [(x, moved) for x in told.shields(told.role[robbed], verb)]
        found: dict[Term, list[Deed]] = defaultdict(list)
        for kind, deed in given:
            seen = not any((o, act) in self.cut_edges() for o in self.origins(deed))
            if seen and self.lands(deed) and self.reaches(deed, victim):
                found[kind].append(deed)
        for kind, deed in self._passed_on(victim):
            if not any((o, act) in self.cut_edges() for o in self.origins(deed)):
                found[kind].append(deed)
        for kind, deed in self._own_protections(victim):
            found[kind].append(deed)
        return found


def _in_order(kind: Term) -> tuple[bool, Term]:
    """Words go before terms."""
    return isinstance(kind, tuple), kind
