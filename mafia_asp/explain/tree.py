"""From a proof to what a moderator wants to see: who did what, which rule says so, and what gave way.

The layers of the core that only keep the books (claims and their slots, deeds, meetings) are folded:
the rules on the way are cited by the statement above, and only what has words of its own
(:mod:`mafia_asp.explain.words`) becomes a statement. Predicates that the role files define for
themselves fold in the same way, so that a rulebook of the user's own needs nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from .graph import Proof, Term, question_name
from .rewrite import IF, condition_text

_RULE_ID = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+\Z")
_COMPARES = re.compile(r"[<>]|#")

#: what the scenario says: leaves of the tree
GIVEN = frozenset(
    ("said", "earlier_said", "count", "item", "was", "found", "option", "night", "day", "vote", "with")
)
#: what has a sentence of its own
SHOWN = frozenset(
    (
        "dead",
        "dies",
        "attack",
        "protection",
        "saved",
        "quiet",
        "status",
        "mode",
        "loot",
        "halts",
        "replies",
        "shown",
        "refused",
        "told",
        "becomes",
        "removed",
        "nth",
        "stock_left",
        "falls_first",
    )
)
#: what is merely counted
COUNTED = frozenset(("nth", "stock_left"))
#: of these, whose first argument is the rule
WITH_RULE = frozenset(("told", "becomes", "removed"))
#: what everybody at the table takes for granted, and the core's book-keeping about kinds and orders
HIDDEN = frozenset(
    (
        "player seat role alive gone phase team side in_play has acts_by able place aim names base origin "
        "kin speaks attack_kind direct shotlike innate thing hindrance slot contest contested defeated "
        "reading kind raised ruled by_custom may_be_custom in_force custom fills covers wins special spoken "
        "declared_kin ordinary filled told_of silent member_of acts_in acts_now actor_kind group_wakes "
        "wakes before placed slot_of inf reach same_knot knotted head smaller member walk parity uses_verb "
        "next_verb verb_between verbs circle known may_fall kills_by seat_of manner asked live follows"
    ).split()
)


@dataclass(slots=True)
class Node:
    """A statement, the rules that it rests on, those that had to give way, and what lies below."""

    term: Any
    rules: list[str] = field(default_factory=list)
    over: list[str] = field(default_factory=list)
    #: comparisons that held, as text
    tests: list[str] = field(default_factory=list)
    below: list[Node] = field(default_factory=list)
    #: further rules that the answer cites for the same
    also: list[str] = field(default_factory=list)
    #: what is below was shown before
    again: bool = False

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, from the top."""
        yield self
        for node in self.below:
            yield from node.walk()

    def cited(self) -> set[str]:
        """Return every rule that this node or one below it cites."""
        return {rule for node in self.walk() for rule in (*node.rules, *node.over, *node.also)}


class Grower:
    """Grows trees from one proof. A statement that is needed twice is one node; see :func:`once`."""

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self._grown: dict[Term, Node] = {}
        self._growing: set[Term] = set()
        #: question -> (answer, "ruling" | "convention" | "open", convention)
        self.picked: dict[Term, tuple[Term, str, str]] = {}
        for q, x in proof.match("pick", None, None):
            custom = next((c for c, _, _ in proof.match("followed", None, q, x)), "")
            how = "ruling" if proof.holds("heeded", q, x) else "convention" if custom else "open"
            self.picked[q] = (x, how, custom)

    # ---- growing ----------------------------------------------------------------------------------

    def node(self, term: Term) -> Node:
        """Return the tree of an atom that has words of its own."""
        known = self._grown.get(term)
        if known is not None:
            return known
        if term in self._growing:
            return Node(term, again=True)
        self._growing.add(term)
        node = Node(term)
        for atom in self._atoms_of(term):
            self._expand(node, atom, {atom})
        self._particulars(node, term)
        if isinstance(term, tuple) and term[0] in COUNTED:
            node.rules.clear()  # the limit stands by what it refuses
        tidy(node)
        self._growing.discard(term)
        self._grown[term] = node
        return node

    def grouped(self, term: Term, below: Iterable[Node] = (), atoms: Iterable[Term] = ()) -> Node:
        """Return a statement that is no atom, over some nodes and what the `atoms` that hold rest on."""
        node = Node(term)
        for each in below:
            self._hang(node, each)
        for atom in atoms:
            if self.proof.holds(*atom):
                self._fold(node, atom, set())
        tidy(node)
        return node

    def question(self, question: Term) -> Node:
        """Return the answer to a question that this proof rests on."""
        answer, how, custom = self.picked[question]
        name = question_name(question)
        return Node(("pick", name, str(answer), how, custom), [custom] if custom else [])

    def action(self, number: Term) -> Node:
        """Return what a player said, and what a ruling or convention answers about this very action."""
        ((_, actor, verb),) = self.proof.match("said", number, None, None)
        node = Node(("said", number, actor, verb))
        for question, _ in self.proof.match("ask", None, number):
            if self.picked.get(question, ("", "open", ""))[1] != "open":
                self._hang(node, self.question(question))
        return node

    def _atoms_of(self, term: Term) -> list[Term]:
        """Return the atoms behind a statement: some predicates name the rule as well."""
        if isinstance(term, tuple) and term[0] in WITH_RULE:
            return [(term[0], *arguments) for arguments in self.proof.match(term[0], None, *term[1:])]
        return [term]

    def _expand(self, node: Node, atom: Term, path: set[Term]) -> None:
        """Put below `node` what `atom` rests on, through what is folded."""
        self._cite(node, atom)
        for support in self.proof.supports(atom):
            if support.owner and ".q." not in support.owner:
                _append(node.rules, support.owner)
            for literal in support.positive:
                self._add(node, literal, path)
            for literal in support.negative:
                if isinstance(literal, tuple) and literal[0] == "pick" and literal[1] in self.picked:
                    self._hang(node, self.question(literal[1]))

    def _add(self, node: Node, literal: Term, path: set[Term]) -> None:
        name = literal[0] if isinstance(literal, tuple) else literal
        match name:
            case _ if name == IF:
                text = condition_text(literal)
                if _COMPARES.search(text):
                    _append(node.tests, text)
            case "act":
                self._hang(node, self.action(literal[1]))
            case "pick":
                self._hang(node, self.question(literal[1]))
            case "upheld":
                self._upheld(node, literal[1], None, path)
            case "prevailing":
                self._upheld(node, literal[2], literal[1], path)
            case _ if name in WITH_RULE:
                self._hang(node, self.node((name, *literal[2:])))
            case "status" if len(literal) == 3:
                self._fold(node, literal, path)
            case "mode" if len(literal) == 3 and self.proof.supports(literal):
                self._hang(node, self.node(literal))
            case "said":
                self._hang(node, self.action(literal[1]))
            case "deed" if literal[1][0] == "pass" and node.term[0] in ("mode", "+laid_open"):
                pass  # what is put off is not a reason for its being so
            case "attack" | "protection" if self._same(node.term, literal):
                self._fold(node, literal, path)
            case _ if name in GIVEN:
                self._hang(node, Node(literal))
            case _ if name in SHOWN:
                self._hang(node, self.node(literal))
            case _ if name not in HIDDEN:
                self._fold(node, literal, path)

    def _same(self, above: Term, literal: Term) -> bool:
        """Tell whether a statement already speaks of this attack or protection."""
        match above, literal:
            case ("dies", target, kind, deed), ("attack", *rest):
                return rest == [kind, target, deed]
            case ("+averted" | "+unstopped", *_), ("attack", kind, target, deed):
                return bool(above[-3:] == (kind, target, deed))
            case ("+unstopped", x, *_), ("protection", y, *_):
                return bool(x == y)
        return False

    def _fold(self, node: Node, literal: Term, path: set[Term]) -> None:
        if literal not in path:
            path.add(literal)
            self._expand(node, literal, path)

    def _upheld(self, node: Node, claimed: Term, only: str | None, path: set[Term]) -> None:
        """Cite the rules by which a claim prevails, what they go before, and what decided it."""
        proof = self.proof
        key = ("upheld", claimed, only)
        if key in path:
            return
        path.add(key)
        for rule, _ in proof.match("prevailing", only, claimed):
            _append(node.rules, rule)
            for support in proof.supports(("claim", rule, claimed)):
                for literal in support.positive:
                    self._add(node, literal, path)
        for _, slot in proof.match("slot", claimed, None):
            for other, _ in proof.match("slot", None, slot):
                if other != claimed:
                    for loser, _ in proof.match("defeated", None, other):
                        _append(node.over, loser)
            for question in self.decided_by(slot):
                self._hang(node, self.question(question))

    def decided_by(self, slot: Term) -> list[Term]:
        """Return the questions whose answers decide between the claims of a slot."""
        named = [q for q, _ in self.proof.match("clash", None, slot)]
        named += [q for _, q in self.proof.match("named", slot, None)]
        return [q for q in dict.fromkeys(named) if q in self.picked]

    def _cite(self, node: Node, atom: Term) -> None:
        if isinstance(atom, tuple) and len(atom) > 1 and is_rule(atom[1]):
            _append(node.rules, atom[1])

    def _hang(self, node: Node, below: Node) -> None:
        if below.term != node.term and all(below.term != each.term for each in node.below):
            node.below.append(below)

    def _particulars(self, node: Node, term: Term) -> None:
        """Add what a statement needs beside the rules that yield it."""


def is_rule(value: Term) -> bool:
    """Tell whether a term is the id of a rule (of the book, the core or a convention)."""
    return isinstance(value, str) and "." in value and ".q." not in value and bool(_RULE_ID.match(value))


def once(trees: Iterable[Node]) -> list[Node]:
    """Return trees in which what stands twice is shown where it comes first, and referred to later."""
    seen: set[Term] = set()

    def copied(node: Node) -> Node:
        if not node.below or node.again:
            return node
        if node.term in seen:
            return Node(node.term, again=True)
        seen.add(node.term)
        return replace(node, below=[copied(below) for below in node.below])

    return [copied(tree) for tree in trees]


def tidy(node: Node) -> None:
    """Leave to what is below what stands there anyway, and put what was said first."""
    deeper = {each.term for below in node.below for child in below.below for each in child.walk()}
    if node.term[0] == "dies":
        deeper = {term for term in deeper if term[0] != "said"}
    node.below = [below for below in node.below if below.term not in deeper]
    node.below.sort(key=lambda below: below.term[0] != "said")
    cited = set().union(*(below.cited() for below in node.below))
    node.rules = [rule for rule in node.rules if rule not in cited]


def _append(into: list[str], value: str) -> None:
    if value not in into:
        into.append(value)
