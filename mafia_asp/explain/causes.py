"""Why something is so, and why something is not: where to begin in a proof, and what came to nothing.

Only the core's own words stand here (an effect that kills or protects, a deed, a meeting), no role
and no ability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .ask import Fact
from .graph import Term
from .tree import Grower, Node, tidy

Wanted = Callable[[Term], bool]

#: kind of fact -> keys of ``because/3`` under which the answer cites rules for it
CITED_UNDER = {
    "dies": ("dead",),
    "lives": ("saved", "spared"),
    "saved": ("saved",),
    "silenced": ("silenced",),
    "told": ("told",),
    "becomes": ("role",),
}


class Causes(Grower):
    """Trees for the facts that a user asks about. Players are the constants of the encodings."""

    # ---- for ----------------------------------------------------------------------------------------

    def holding(self, fact: Fact, who: Term) -> list[Node]:
        """Return why `fact` is so. `who` is its player's constant."""
        proof = self.proof
        match fact.kind:
            case "dies":
                found = [self.node(("dead", who))]
            case "lives":
                found = [self.lives(who)]
            case "saved":
                found = [self.node(("saved", who))]
            case "silenced":
                found = [self.node(("quiet", who))]
            case "becomes":
                found = [
                    self.node(("becomes", p, role)) for _, p, role in proof.match("becomes", None, who, None)
                ]
            case "told":
                found = list(self._told(who)) or self._not_told(who)
            case "acts":
                found = list(self.hindered(who))
            case _:
                found = [
                    self._refusal(action)
                    for action in self._said(who, fact.value)
                    if proof.holds("refused", action)
                ]
        for node in found:
            self._cite_more(node, fact, who)
        return found

    def lives(self, who: Term) -> Node:
        """Return what kept somebody alive, or that nobody was after this player."""
        below: list[Node] = []
        if self.proof.holds("saved", who):
            below.append(self.node(("saved", who)))
        for kind, target, deed in self.proof.match("attack", None, who, None):
            halts = [self.node(("halts", *found)) for found in self.proof.match("halts", None, target, deed)]
            shown = {node.term for root in below for node in root.walk()}
            if any(node.term not in shown for node in halts):
                below.append(self.grouped(("+averted", kind, target, deed), halts))
        below += self.failures(who, _kills)
        return self.grouped(("+lives", who) if below else ("+nobody_attacks", who), below)

    def _told(self, who: Term) -> Iterator[Node]:
        for action in self._said(who, ""):
            for found in self.proof.match("replies", action, None):
                yield self.node(("replies", *found))
        for value in dict.fromkeys(x for _, _, x in self.proof.match("told", None, who, None)):
            yield self.node(("told", who, value))

    def hindered(self, who: Term) -> Iterator[Node]:
        """Yield what became of somebody's own acts that did not work as they were meant."""
        for action in self._said(who, ""):
            deed = ("own", action)
            if any(value != "none" for _, value in self.proof.match("replies", action, None)):
                continue  # an answer was given, and is explained by itself
            atoms = (("wrong", deed), ("taken", deed), ("void", action), ("nullified", deed, None))
            if any(self.proof.holds(*atom) for atom in atoms):
                yield from filter(None, [self._failure(action, None)])

    def _refusal(self, action: Term) -> Node:
        return self.node(("refused", action))

    def _said(self, who: Term, verb: str) -> list[Term]:
        return [a for a, _, v in self.proof.match("said", None, who, None) if not verb or v == verb]

    def _cite_more(self, node: Node, fact: Fact, who: Term) -> None:
        """Add the rules that the answer cites for a fact and that its tree does not show."""
        shown = node.cited()
        keys = [(key, who) for key in CITED_UNDER.get(fact.kind, ())]
        if node.term[0] in ("replies", "refused"):
            keys = [("answer" if node.term[0] == "replies" else "refused", node.term[1])]
        for key, value in keys:
            idle = self._idle_flips(value) if key == "answer" else set()
            for _, _, rule in self.proof.match("because", key, value, None):
                if rule not in shown and rule not in idle:
                    shown.add(rule)
                    node.also.append(rule)

    # ---- against --------------------------------------------------------------------------------------

    def missing(self, fact: Fact, who: Term) -> list[Node]:
        """Return why `fact` is not so: what is so instead, and what came to nothing."""
        proof = self.proof
        match fact.kind:
            case "dies":
                return [self.lives(who)]
            case "lives":
                return [self.node(("dead", who))] if proof.holds("dead", who) else [Node(("gone", who))]
            case "saved":
                return [self._not_saved(who)]
            case "silenced":
                freed = [
                    self.node(("status", *found)) for found in proof.match("status", "unsilenced", who, None)
                ]
                failed = list(self.failures(who, lambda effect: effect == ("impose", "silenced")))
                return [self.grouped(("+speaks", who), [*freed, *failed])]
            case "told":
                return self._not_told(who)
            case "becomes":
                now = [
                    self.node(("becomes", p, role)) for _, p, role in proof.match("becomes", None, who, None)
                ]
                return now or [Node(("+unchanged", who))]
            case _:
                return self._allowed(who, fact.value)

    def _not_saved(self, who: Term) -> Node:
        if self.proof.holds("dead", who):
            return self.node(("dead", who))
        below = self.lives(who)
        failed = self.failures(who, lambda effect: _is(effect, "protect"))
        return self.grouped(("+not_saved", who), [below, *failed])

    def _not_told(self, who: Term) -> list[Node]:
        found = [*self._told(who)]
        answered = {node.term[1] for node in found if node.term[0] == "replies"}
        asking = {
            (role, verb)
            for _, role, verb, effect in self.proof.match("does", None, None, None, None)
            if _is(effect, "ask")
        }
        for action, actor, verb in self.proof.match("said", None, who, None):
            if action not in answered and any((role, verb) in asking for role in self._kinds(actor)):
                found += filter(None, [self._failure(action, None)])
        return found or [Node(("+asks_nothing", who))]

    def _allowed(self, who: Term, verb: str) -> list[Node]:
        found = []
        for action in self._said(who, verb):
            if self.proof.holds("refused", action):
                continue
            node = Node(("+allowed", action))
            self._hang(node, self.action(action))
            for claim in (("allow", action), ("accept", action), ("acts_tonight", action)):
                self._upheld(node, claim, None, set())
            found.append(node)
        return found or [Node(("+says_nothing", who, verb))]

    # ---- protections that gave way ------------------------------------------------------------------------

    def _particulars(self, node: Node, term: Term) -> None:
        match term:
            case ("dies", target, kind, deed):
                for each in self._gave_way(target, kind, deed):
                    self._hang(node, each)
            case ("halts", x, target, deed):
                for found in self.proof.match("attack", None, target, deed):
                    self._add(node, ("attack", *found), set())
                for found in self.proof.match("protection", x, target, None):
                    self._add(node, ("protection", *found), set())
            case ("mode", ("own", action), _):
                idle = self._idle_flips(action)
                node.rules = [rule for rule in node.rules if rule not in idle]
            case ("shown", inquiry, target, value):
                self._of_no_side(node, inquiry, target, value)
            case ("status", _, target, deed) if self.proof.holds("upheld", ("bites", deed, target)):
                self._upheld(node, ("bites", deed, target), None, set())

    def _idle_flips(self, action: Term) -> set[Term]:
        """Return the rules that turn round another answer than the one that this action would have had."""
        proof = self.proof
        used = {
            rule
            for _, value in proof.match("replies", action, None)
            for rule, _ in proof.match("prevailing", None, ("answer", action, value))
        }
        flips = {rule for rule, *_ in proof.match("flips", None, None, None, None)}
        return flips - used if flips & used else set()

    def _of_no_side(self, node: Node, inquiry: Term, target: Term, value: Term) -> None:
        """Say which side somebody is on instead, where the answer goes by a side that it is not."""
        proof = self.proof
        for rule, _ in proof.match("prevailing", None, ("shows", inquiry, target, value)):
            for _, _, subject, _ in proof.match("reads_as", rule, inquiry, None, value):
                if not _is(subject, "not_side") or proof.holds("team", target, subject[1]):
                    continue
                for _, role in proof.match("role", target, None):
                    rules = [each for each, _, _ in proof.match("side", None, role, None)]
                    self._hang(node, Node(("+not_of", target, role, subject[1]), rules))

    def _gave_way(self, target: Term, kind: Term, deed: Term) -> Iterator[Node]:
        """Yield what might have protected somebody from an attack, each with why it did not."""
        proof = self.proof
        for x, _, giver in proof.match("protection", None, target, None):
            if not proof.holds("meets", x, kind, target, deed):
                continue
            node = Node(("+unstopped", x, kind, target, deed))
            self._upheld(node, ("pierces", x, target, deed), None, set())
            places = [("", x, target, deed)]
            if proof.holds("halts", x, target, deed):
                # It holds against this attack alone, and another came with it.
                worn = self.node(("worn", x, target, deed))
                for point, _ in proof.match("unsettled", None, target):
                    named = {question for question, _, _ in proof.match("fills", None, None, point)}
                    for question in [("gap", point), *named] if _is(point, "absorbs") else ():
                        if question in self.picked:
                            self._hang(worn, self.question(question))
                self._hang(node, worn)
                places = []
            for question, _ in [found for place in places for found in proof.match("ask", None, place)]:
                if question in self.picked:
                    self._hang(node, self.question(question))
            self._add(node, ("protection", x, target, giver), set())
            tidy(node)
            yield node
        yield from self.failures(target, lambda effect: _is(effect, "protect"))
        yield from self._laid_open(target)

    def _laid_open(self, target: Term) -> Iterator[Node]:
        """Yield the standing protections of somebody that something has put off."""
        proof = self.proof
        for standing, _, verb in proof.match("deed", None, target, None):
            if not _is(standing, "pass"):
                continue
            speaks = proof.holds("stops", None, verb, None) or proof.holds("stops_class", None, verb, None)
            modes = [mode for _, mode in proof.match("mode", standing, None)] if speaks else []
            yield from (self.node(("mode", standing, mode)) for mode in modes)
            if (
                speaks
                and not modes
                and (proof.holds("wrong", standing) or proof.holds("bared", target, verb))
            ):
                yield self.grouped(
                    ("+laid_open", target, verb), atoms=[("wrong", standing), ("bared", target, verb)]
                )

    # ---- acts that came to nothing ------------------------------------------------------------------------

    def failures(self, target: Term, wanted: Wanted) -> Iterator[Node]:
        """Yield the acts at somebody whose `wanted` effect did not come about, each with the reason."""
        proof = self.proof
        for action, actor, verb in proof.match("said", None, None, None):
            for effect in self._effects(actor, verb):
                aimed = wanted(effect) and self._aimed(action, verb, effect, target)
                if aimed and not self._landed(action, effect, target):
                    if (node := self._failure(action, target)) is not None:
                        yield node
                    break
        for theft, owner, verb in proof.match("loot", None, None, None):
            deed = ("moved", theft, verb)
            if not proof.holds("aim", theft, 2, target) or not any(map(wanted, self._effects(owner, verb))):
                continue
            if not proof.holds("effect", deed, None, None, target):
                atoms = [
                    ("wrong", deed),
                    ("lost_loot", theft, verb),
                    ("nullified", deed, target),
                    ("void", theft),
                ]
                below = [self.node(("loot", theft, owner, verb))]
                yield self.grouped(("+failed_moved", theft, owner, verb), below, atoms)

    def _kinds(self, actor: Term) -> list[Term]:
        """Return the roles of an actor; a group is its own."""
        return [role for _, role in self.proof.match("role", actor, None)] or [actor]

    def _effects(self, actor: Term, verb: Term) -> list[Term]:
        kinds = self._kinds(actor)
        found = [
            effect for kind in kinds for _, _, _, effect in self.proof.match("does", None, kind, verb, None)
        ]
        if any(self.proof.holds("group", None, kind, verb) for kind in kinds):
            found.append("kill")
        return list(dict.fromkeys(found))

    def _aimed(self, action: Term, verb: Term, effect: Term, target: Term) -> bool:
        places = [i for _, _, i in self.proof.match("place", verb, effect, None)] or [1]
        return any(self.proof.holds("aim", action, place, target) for place in places)

    def _landed(self, action: Term, effect: Term, target: Term) -> bool:
        proof, deed = self.proof, ("own", action)
        if _kills(effect):
            return proof.holds("attack", None, target, deed)
        useless = proof.holds("useless", deed, target)
        return proof.holds("effect", deed, None, effect, target) and not useless

    def _failure(self, action: Term, target: Term) -> Node | None:
        """Return why an act came to nothing; None where another act of the group stands for it."""
        proof, deed = self.proof, ("own", action)
        if proof.holds("voiced", action):
            return None
        below = [self.action(action)]
        if proof.holds("refused", action):
            return self.grouped(("+failed", action), [*below, self.node(("refused", action))])
        atoms: list[Term] = [("taken", deed), ("wrong", deed), ("void", action), ("no_attack", deed)]
        atoms += [("nullified", deed, target), ("useless", deed, target), ("unheeded", action)]
        atoms += [("at_fault", *found) for found in proof.match("at_fault", None, action)]
        return self.grouped(("+failed", action), below, atoms)


def _kills(effect: Term) -> bool:
    """Tell whether an ability's effect is an attack."""
    return effect == "kill" or _is(effect, "kill")


def _is(term: Term, name: str) -> bool:
    return isinstance(term, tuple) and term[0] == name
