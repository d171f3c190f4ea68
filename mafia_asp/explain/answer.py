"""``why`` and ``why_not``: from a question to its explanation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import LimitError
from ..facts import Facts, facts, question_term
from ..model import GroupReading, Outcome, Scenario, Verdict
from ..readings import split
from ..solve import Ground, Limits, Model
from ..verdict import FEW_ACTIONS, conventions_in_force, decide_here, program_of
from ..verdict import _verdict as verdict_of
from .ask import Fact, parse
from .causes import Causes
from .compare import differing, merged, size
from .graph import Proof, question_name
from .near import SEARCH, Change, Variations, batches
from .rewrite import Rewritten, rewrite
from .tree import Node, once

if TYPE_CHECKING:
    import clingo

    from ..rulebook import Rulebook

#: what is told of a player about whom everything is asked
EVERYTHING = ("dies", "saved", "silenced", "told", "becomes", "cannot")
#: so many changes of each kind are compared, and so many are told
COMPARED, TOLD = 4, 2
#: seconds for which changes are searched once one is found, and for comparing those found
FOUND, COMPARING = 2.0, 2.0
#: kinds of change, as they are told
KINDS = ("ruling", "dropped", "moved")
#: statements of a tree that are about an action
ACTS = ("said", "+failed", "+allowed", "refused")
#: so many ways in which something follows are told apart
WAYS = 8


@dataclass(slots=True)
class Branch:
    """What one set of answers leads to, with the trees of one such reading."""

    holds: bool
    trees: list[Node]
    #: the combinations of answers; none where no question bears on the fact
    answers: tuple[dict[str, str], ...] = ()


@dataclass(slots=True)
class Part:
    """One fact that is explained."""

    fact: Fact
    #: "certain", "possible" or "no"
    state: str
    branches: list[Branch]


@dataclass(slots=True)
class Nearby:
    """A change with which the fact would hold, and what would be different then."""

    change: Change
    now: Outcome
    then: Outcome
    #: the open questions on which it would hang; none where it would be certain
    open: tuple[str, ...] = ()


@dataclass(slots=True)
class Explanation:
    """The answer to a question why, or why not."""

    scenario: Scenario
    book: Rulebook
    question: str
    negative: bool
    #: constants of the encodings -> players
    names: dict[str, str]
    parts: list[Part]
    nearby: list[Nearby] = field(default_factory=list)
    #: the time for searching nearby nights was up before all were tried
    incomplete: bool = False

    def render(self, lang: str = "en", width: int = 80) -> str:
        """Return the explanation as plain text in a language (``en``, ``fa``), wrapped to `width` columns."""
        from .show import text

        return text(self, lang, width)

    def markdown(self, lang: str = "en") -> str:
        """Return the explanation as Markdown, its trees as nested lists."""
        from .show import markdown

        return markdown(self, lang)

    def data(self) -> dict[str, Any]:
        """Return the explanation as JSON-ready data, its words in both languages."""
        from .show import data

        return data(self)

    def mermaid(self, lang: str = "en") -> str:
        """Return the trees as a Mermaid flow chart, each statement once."""
        from .show import mermaid

        return mermaid(self, lang)

    def graph(self, lang: str = "en") -> Any:
        """Return the trees as a ``networkx.DiGraph``, from each statement to what it rests on.

        A node is (number of the branch, term), with ``text``, ``rules`` and ``over``.
        """
        from .show import graph

        return graph(self, lang)


def why(
    scenario: Scenario,
    question: str,
    *,
    book: Rulebook | None = None,
    strict: bool = False,
    cache: bool = True,
) -> Explanation:
    """Explain why something is so: the rules that say it, down to what the players said.

    Args:
        question: ``NAME``, or ``NAME dies|lives|saved|silenced|told|becomes ROLE|cannot VERB``, in
            English or Persian.
        book: the rulebook; by default the one that the scenario names.
        strict: no convention answers anything.
        cache: keep the rewritten encodings in the user's cache folder.

    Raises:
        InputError: the question is not understood, or the rulebook is refused.
        LimitError: nothing was found within the limits.
    """
    return _asked(scenario, question, book, strict, cache, negative=False)


def why_not(
    scenario: Scenario,
    question: str,
    *,
    book: Rulebook | None = None,
    strict: bool = False,
    cache: bool = True,
) -> Explanation:
    """Explain why something is not so, and with which nearest ruling or action it would be.

    The arguments and errors are those of :func:`why`.
    """
    return _asked(scenario, question, book, strict, cache, negative=True)


def _asked(
    scenario: Scenario, question: str, book: Rulebook | None, strict: bool, cache: bool, *, negative: bool
) -> Explanation:
    if book is None:
        from ..rulebook import Rulebook

        book = Rulebook.load(scenario.rulebook)
    fact = parse(question, scenario, book)
    if book.shipped:
        return explain_here(scenario, question, fact, book, strict, cache, negative)
    from ..bounded import run_bounded

    return run_bounded(explain_here, scenario, question, fact, book, strict, cache, negative)


def explain_here(
    scenario: Scenario, question: str, fact: Fact, book: Rulebook, strict: bool, cache: bool, negative: bool
) -> Explanation:
    """Explain in this process, whoever wrote the book (see :func:`why`)."""
    night = Night(scenario, book, strict, cache)
    wanted = [fact] if fact.kind else list(night.about(fact.player, negative))
    parts = [night.part(each) for each in wanted]
    said = Explanation(scenario, book, question, negative, night.names, parts)
    if negative and len(parts) == 1 and parts[0].state == "no":
        said.nearby, said.incomplete = night.nearby(parts[0])
    return said


class Night:
    """One decided night, and the proofs of its readings."""

    def __init__(self, scenario: Scenario, book: Rulebook, strict: bool, cache: bool) -> None:
        self._scenario = scenario
        self._book = book
        self._strict = strict
        self._limits = Limits()
        told = facts(scenario, conventions_in_force(scenario, book, strict))
        self.names = told.names
        self._ids = {name: constant for constant, name in told.names.items()}
        self._program = program_of(scenario, book)
        rewritten: Rewritten = rewrite(self._program, cache=cache)
        self._owners = rewritten.owners
        self._ground = Ground(self._program, f"{told.text}\n{rewritten.text}")
        self.verdict = self._decided(told)

    def _decided(self, told: Facts) -> Verdict:
        """Decide the night, with the program that is ground already where its answer sets can be listed."""
        if len(self._scenario.actions) <= FEW_ACTIONS:
            models, complete = self._ground.models_in_order(self._limits)
            if complete:
                return verdict_of(self._scenario, told.names, models, [split(models)], complete)
        return decide_here(self._scenario, self._book, self._strict, self._limits)

    # ---- what is so ----------------------------------------------------------------------------------

    def about(self, player: str, negative: bool) -> Iterator[Fact]:
        """Yield what there is to say about a player; of what is not so, whether this player dies or lives."""
        if negative:
            yield Fact("lives" if self._uniform(Fact("dies", player)) else "dies", player)
            return
        found = False
        for kind in EVERYTHING:
            fact = Fact(kind, player)
            if self._uniform(fact) is not False:
                found = True
                yield fact
        if not found:
            yield Fact("lives", player)
        if (
            self.verdict.settled
            and next(Causes(self.proof({})).hindered(self._ids[player]), None) is not None
        ):
            yield Fact("acts", player)

    def _uniform(self, fact: Fact) -> bool | None:
        """Tell whether a fact holds in all readings (True), in none (False), or in some (None)."""
        rows = self._dividing(fact)
        return None if rows else self._true(fact, self.verdict.certain)

    def _dividing(self, fact: Fact, verdict: Verdict | None = None) -> list[tuple[bool, GroupReading]]:
        """Return the readings of the group on which a fact hangs; none where it hangs on nothing."""
        verdict = verdict or self.verdict
        for group in verdict.groups:
            rows = [(self._true(fact, merged(verdict.certain, r.outcome)), r) for r in group.readings]
            if len({holds for holds, _ in rows}) > 1:
                return rows
        return []

    def _true(self, fact: Fact, outcome: Outcome) -> bool:
        player = next(p for p in self._scenario.players if p.name == fact.player)
        match fact.kind:
            case "dies":
                return fact.player in outcome["dead"]
            case "lives":
                return player.alive and fact.player not in outcome["dead"]
            case "saved" | "silenced":
                return fact.player in outcome[fact.kind]
            case "becomes":
                role = outcome["roles"].get(fact.player, player.role)
                return bool(role != player.role and fact.value in ("", role))
            case "acts":
                return True
            case "cannot":
                refused = outcome["cannot"].get(fact.player, ())
                return fact.value in refused if fact.value else bool(refused)
        told = outcome["answers"].get(fact.player, "none")
        if not fact.value:
            return bool(told != "none")
        return fact.value in told if isinstance(told, list) else bool(told == fact.value)

    # ---- why -----------------------------------------------------------------------------------------

    def part(self, fact: Fact) -> Part:
        """Return the explanation of one fact."""
        rows = self._dividing(fact)
        if not rows:
            holds = self._true(fact, self.verdict.certain)
            return Part(fact, "certain" if holds else "no", self._ways(fact, holds))
        branches = []
        for wanted in (True, False):
            readings = [reading for holds, reading in rows if holds == wanted]
            branch = self._branch(fact, wanted, readings[0].rests_on[0])
            branch.answers = tuple(answers for reading in readings for answers in reading.rests_on)
            branches.append(branch)
        return Part(fact, "possible", branches)

    def _branch(self, fact: Fact, holds: bool, answers: dict[str, str]) -> Branch:
        grower = Causes(self.proof(answers))
        who = self._ids[fact.player]
        return Branch(holds, once(grower.holding(fact, who) if holds else grower.missing(fact, who)))

    def _ways(self, fact: Fact, holds: bool) -> list[Branch]:
        """Return how something that is certain follows: one branch, or one for each way, with its answers.

        Where an open question is answered on the way, the other answers are tried as well.
        """
        ways: dict[frozenset[Any], tuple[Branch, list[dict[str, str]]]] = {}
        waiting: list[dict[str, str]] = [{}]
        while waiting:
            answers = waiting.pop(0)
            branch = self._branch(fact, holds, answers)
            asked = [q for q in opened(branch.trees) if q not in answers]
            others = self._readings_of(asked[0]) if asked else []
            if len(others) > 1 and len(waiting) + len(ways) + len(others) <= WAYS:
                waiting += [{**answers, asked[0]: answer} for answer in others]
                continue
            said = frozenset(node.term for tree in branch.trees for node in tree.walk())
            ways.setdefault(said, (branch, []))[1].append(answers)
        if len(ways) > 1:
            for branch, under in ways.values():
                branch.answers = tuple(under)
        return [branch for branch, _ in ways.values()]

    def _readings_of(self, question: str) -> list[str]:
        known = self.proof({}).match("reading", None, None)
        return [str(x) for q, x in known if question_name(q) == question]

    def proof(self, answers: dict[str, str]) -> Proof:
        """Return the proof of one reading with these answers, for the rest the first of each group."""
        import clingo

        wanted = dict(answers)
        for group in self.verdict.groups:
            if not set(group.questions) & set(answers):
                wanted |= group.readings[0].rests_on[0]
        atoms = self._ground.control.symbolic_atoms
        assumed = []
        for question, answer in wanted.items():
            term = "pick({},{})".format(*question_term(question, answer))
            found = atoms[clingo.parse_term(term)]
            if found is not None:
                assumed.append(found.literal)
        symbols: list[clingo.Symbol] = []

        def read(model: clingo.Model) -> Model:
            if not symbols:
                symbols.extend(model.symbols(atoms=True))
            return _NOTHING

        self._ground.models(self._limits, assumed, cap=1, read=read)
        return Proof(symbols, self._owners)

    # ---- what would have to be different ----------------------------------------------------------------

    def nearby(self, part: Part) -> tuple[list[Nearby], bool]:
        """Return the nearest changes with which a fact would hold, and whether the time was up before."""
        fact = part.fact
        trees = [tree for branch in part.branches for tree in branch.trees]
        proof = {node.term[1] for tree in trees for node in tree.walk() if node.term[0] in ACTS}
        works: dict[tuple[str, bool], list[Change]] = {}
        limits = Limits(SEARCH)
        conventions = conventions_in_force(self._scenario, self._book, self._strict)
        incomplete = False
        try:
            for changes in batches(self._scenario, fact, self._other_answers(), proof):
                if limits.left() < SEARCH - FOUND and any(sure for _, sure in works):
                    break
                if len(works.get((changes[0].kind, True), ())) >= COMPARED:
                    continue
                if limits.left() <= 0:
                    raise LimitError("time", {"seconds": limits.seconds})
                varied = Variations(self._scenario, self._program, conventions, fact, changes)
                for change in changes:
                    holds = varied.holds(change, limits)
                    if holds is not False:
                        works.setdefault((change.kind, holds is True), []).append(change)
        except LimitError:
            incomplete = True
        limits = Limits(COMPARING)
        found: list[Nearby] = []
        for key in sorted(works, key=lambda key: (not key[1], KINDS.index(key[0]))):
            # One change of an action is enough: first to leave it out, then another target.
            known = {near.change.action for near in found if near.change.action}
            fresh = [change for change in works[key] if change.action not in known]
            found += self._told(_spread(fresh)[:COMPARED], fact, limits)
        return found, incomplete

    def _told(self, changes: list[Change], fact: Fact, limits: Limits) -> list[Nearby]:
        """Return the changes that make the least difference, each decided again."""
        found = []
        for number, change in enumerate(changes):
            if number and limits.left() <= 0:
                break
            try:
                changed = change.applied(self._scenario)
                verdict = decide_here(changed, self._book, self._strict, self._limits)
            except LimitError:
                continue
            rows = self._dividing(fact, verdict)
            now, then = differing(self.verdict.certain, verdict.certain)
            if rows:
                asked = {q for _, reading in rows for answers in reading.rests_on for q in answers}
                found.append(Nearby(change, now, then, tuple(sorted(asked))))
            elif self._true(fact, verdict.certain):
                found.append(Nearby(change, now, then))
        found.sort(key=lambda near: size(near.now) + size(near.then))
        # Of several targets for one action, the one that changes least stands for all.
        first = {(near.change.question, near.change.action): near for near in reversed(found)}
        return [near for near in found if near is first[near.change.question, near.change.action]][:TOLD]

    def _other_answers(self) -> dict[str, list[str]]:
        """Return the answers that were not chosen to the questions that this night raises."""
        proof = self.proof({})
        return {
            question_name(q): [str(x) for _, x in proof.match("reading", q, None) if x != picked]
            for q, picked in proof.match("pick", None, None)
        }


def opened(trees: Iterable[Node]) -> list[str]:
    """Return the open questions that are answered on the way, in the order of the trees."""
    nodes = (node for tree in trees for node in tree.walk())
    return list(dict.fromkeys(n.term[1] for n in nodes if n.term[0] == "pick" and n.term[3] == "open"))


def _spread(changes: list[Change]) -> list[Change]:
    """Return changes so that each action has its turn before one has a second."""
    turns: dict[tuple[str, int], int] = {}
    keyed = []
    for change in changes:
        subject = (change.question, change.action)
        turns[subject] = turns.get(subject, 0) + 1
        keyed.append((turns[subject], change))
    return [change for _, change in sorted(keyed, key=lambda pair: pair[0])]


_NOTHING = Model({}, frozenset())
