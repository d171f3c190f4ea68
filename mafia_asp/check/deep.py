"""Rules of a rulebook that do nothing with a role set: dead, shadowed, redundant.

- *dead*: no night fires the rule (:mod:`.fires` says what that is), and no outcome differs without it;
- *shadowed*: it is claimed in some night, does nothing beside its claims, and none of them ever prevails, in
  no night and under no reading;
- *redundant*: in no night is there an outcome, the order of the calls included, that differs without the rule
  while all answers that both have agree. (Where the book itself gives a night two outcomes under the same
  answers, neither counts as the rule's doing.)

Weighed are the rules whose text stands in a loaded file and is of a searched phase. Rules that only give
reasons (``because/3``) change no outcome by their nature and are not called redundant. First the nights are
searched that were asked for; what does nothing in these, in all nights with any past, state and dead. So
what is reported of a rule holds for every night of the role set.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import clingo

from ..facts import ruling_facts
from ..readings import split
from ..verdict import assemble
from .cone import reaching
from .days import MOMENTS
from .dropped import near_copy, second_copy, with_losses
from .engine import READ, Clock, Engine, Night, book_files, read_program, read_text, search_files, sliced
from .finder import CAP
from .findings import Finding, Witness
from .fires import bearing_ids, instrumented
from .nights import readings, told
from .owned import Owned, in_core, owned
from .program import depending, statements
from .scan import scan
from .space import generators, space

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from ..model import Phase
    from ..rulebook import Rulebook
    from .program import Statement
    from .shape import Breaks

#: phase that is searched -> the phases of the texts of rules that belong there
_TEXTS: dict[str, tuple[str, ...]] = {
    "night": ("night", "dawn"),
    "intro": ("intro",),
    "setup": ("setup",),
    "day": ("day", "vote"),
    "end": ("end",),
}
#: rules that ask nothing of a moderator
_ADVICE = "advice"
#: differing nights of one rule that are looked at before it is given up
_TRIES = 40
#: how often the copy without a rule goes on behind what differs
_DEPTH = 3
#: predicates that differ; with more of them, a rule most likely matters
_FEW = 2
#: predicates behind which there is nothing to be made up for: outcomes, and the answers to choose from
_FINAL = {"out", "reading"}
#: conflicts after which the solver gives up on one rule: as many on every machine
_CONFLICTS = "5000"
_CONFLICTS_AT_FIRST = "1000"


class Case(NamedTuple):
    """What is looked at."""

    book: Rulebook
    roles: Sequence[tuple[str, int]]
    phases: Sequence[Phase]
    #: as asked for: the past and the state, some players dead
    state: bool
    gone: bool
    rulings: Mapping[str, str]
    #: texts of files that have been read already
    texts: dict[str, str] | None


def deep(
    case: Case, clock: Clock, breaks: Breaks | None, show: Callable[[str, int, int], None]
) -> tuple[list[Finding], set[str]]:
    """Return the findings on rules, and the ids of the rules that were not decided in time.

    `breaks` tells which casts are legal, if that is to be told.
    """
    programs = [_Program(case, phase) for phase in case.phases]
    weighed = set[str]().union(*(program.weighed for program in programs))
    firing = _Firing(weighed)
    for program, wide in _passes(programs):
        if firing.left and not clock.over():
            show(f"{program.phase} --deep", len(weighed) - len(firing.left), len(weighed))
            firing.look(program.firing(firing.left, clock, wide), program)
        elif firing.left:
            firing.whole = False
    shadowed = set(firing.claimed)
    unfired = firing.left - shadowed
    idle, unsure = _idle(programs, weighed - shadowed, clock, show)
    unsure |= set() if firing.whole else firing.left
    telling = set[str]().union(*(program.telling for program in programs))
    found = [_finding(case.book, "dead-rule", rule) for rule in unfired & idle - unsure]
    found += [_finding(case.book, "redundant-rule", rule) for rule in (idle - unfired - unsure) & telling]
    if firing.whole:
        found += [_shadowed(case, rule, *firing.claimed[rule], clock, breaks) for rule in shadowed]
    return found, unsure


def _idle(
    programs: Sequence[_Program], rules: set[str], clock: Clock, show: Callable[[str, int, int], None]
) -> tuple[set[str], set[str]]:
    """Return the rules without which no outcome differs, and those of which that is not known."""
    left = set(rules)
    # Most rules make a difference that is easily found. Of the others it is tried to show that they make
    # none, and what cannot be shown is looked for in all nights.
    for program in programs:
        show(f"{program.phase} --deep", len(rules) - len(left), len(rules))
        left -= program.differing(left, clock.part(3), wide=False)[0] if not clock.over() else set()
    proven = set(left)
    for program in programs:
        show(f"{program.phase} --deep", len(rules) - len(left), len(rules))
        proven &= program.equal_nearby(proven, clock.part(2))
    left -= proven
    unsure: set[str] = set()
    for program in programs:
        show(f"{program.phase} --deep", len(rules) - len(left), len(rules))
        differ, missed = (set(), set(left)) if clock.over() else program.differing(left, clock, wide=True)
        left -= differ
        unsure |= missed
    return proven | left, unsure & left


def _passes(programs: Sequence[_Program]) -> list[tuple[_Program, bool]]:
    return [(program, wide) for wide in (False, True) for program in programs]


def _finding(book: Rulebook, kind: str, rule: str, by: Iterable[str] = ()) -> Finding:
    rules = (rule, *sorted(by))
    arguments = (("rule", rule), *((("by", ", ".join(rules[1:])),) if by else ()))
    return Finding(kind, rule, rules, message=(f"deep.{kind}", arguments), place=book.rule(rule).place)


class _Firing:
    """What has been seen of rules so far."""

    def __init__(self, weighed: Iterable[str]) -> None:
        #: rules that have not been seen to do anything but to be beaten
        self.left = set(weighed)
        #: of these, the claimed ones: where
        self.claimed: dict[str, tuple[_Program, Engine]] = {}
        self.whole = True

    def look(self, seen: tuple[Engine, set[tuple[str, str]], bool], program: _Program) -> None:
        engine, marks, finished = seen
        self.whole = self.whole and finished
        for how, rule in sorted(marks):
            if how == "claims":
                self.claimed.setdefault(rule, (program, engine))
        self.left -= {rule for how, rule in marks if how != "claims"}
        self.claimed = {rule: where for rule, where in self.claimed.items() if rule in self.left}


class _Program:
    """The text of one phase's nights, from which programs are made."""

    def __init__(self, case: Case, phase: Phase) -> None:
        self.case = case
        self.phase = phase
        files = book_files(case.book.files_for({role for role, _ in case.roles}, phase))
        texts = {file: read_text(file, case.texts) for file in files}
        self._scans = [scan(file, (o.statement for o in owned(text, False))) for file, text in texts.items()]
        self.ids = frozenset(case.book.rules)
        self._owned = [each for file, text in texts.items() for each in owned(text, in_core(file))]
        self._generator = [
            Owned(each, "")
            for file in search_files("names", *generators(phase))
            for each in read_program([file])
        ]
        mine = {rule for each in self._owned for rule in each.rules(self.ids)}
        #: the rules of the book that are looked at
        self.weighed = {
            rule.id
            for file in files
            if not in_core(file)
            for rule in case.book.text_of(file).rules.values()
            if rule.id in mine and rule.phase in _TEXTS[phase] and rule.kind != _ADVICE
        }
        self._paired = self._leading(self._spoken("drop"))
        #: the rules on which some outcome may hang
        self.telling = {rule for each in self._paired for rule in each.rules(self.ids)}

    def _spoken(self, file: str) -> set[str]:
        return {use.name for each in read_program(search_files(file)) for use in each.uses}

    def _leading(self, targets: Iterable[str], more: Sequence[Statement] = ()) -> list[Owned]:
        """Return the statements that lead to what is read, or to any of `targets`."""
        every = [*self._owned, *self._generator, *(Owned(each, "") for each in more)]
        kept = sliced([each.statement for each in every], {*targets, *READ, "acting", "at_least"})
        ids = {id(statement) for statement in kept}
        return [each for each in every if id(each.statement) in ids]

    def _facts(self, wide: bool) -> str:
        case = self.case
        state, gone = case.state or wide, case.gone or wide
        phases = (self.phase,)
        text = space(case.book, case.roles, self._scans, phases, state=state, gone=gone, wide=wide).text
        return "\n".join([text, *ruling_facts(case.rulings)])

    def candidates(self) -> dict[str, str]:
        """Return the roles of the players of a search by their constants."""
        return space(self.case.book, self.case.roles, self._scans, (self.phase,)).candidates

    def _given(self) -> set[str]:
        """Return the predicates that a night gives; by day the phase is one that a rule may wait for."""
        files = search_files(*generators((self.phase,)))
        heads = {head for each in read_program(files) for head in each.heads}
        return heads | {"phase"} if self.phase in MOMENTS else heads - {"phase"}

    # ---- firing ----

    def firing(
        self, rules: Collection[str], clock: Clock, wide: bool
    ) -> tuple[Engine, set[tuple[str, str]], bool]:
        """Return how some rules fire: (acts, claims or prevails; rule), and whether that is all."""
        given = self._given()
        more = statements("\n".join(instrumented([*self._owned, *self._generator], given, self.ids)))
        heads = {h for each in self._owned if each.rules(self.ids) for h in each.statement.heads}
        program = self._leading({*self._spoken("fires"), *heads}, more)
        text = [f"{each.statement.text}." for each in program]
        text += [f'weighed("{rule}").' for rule in sorted(rules)]
        engine = Engine("\n".join([*text, self._facts(wide)]), search_files("smallest", "fires"), clock)
        seen, finished = engine.brave("seen")
        return engine, {(str(how), rule.string) for how, rule in (s.arguments for s in seen)}, finished

    # ---- leaving out ----

    def equal_nearby(self, rules: Collection[str], clock: Clock) -> set[str]:
        """Return those of `rules` whose loss is made up for at once, so that nothing further on can differ.

        What cannot reach an outcome at all goes first. Then the copy ends where no rule ids are passed on
        any more; then, for what differs there, behind it.
        """
        left = self.telling.intersection(rules)
        if left:
            left = reaching("\n".join([*with_losses(self._paired, left, self.ids), self._facts(True)]), left)
        equal = set(rules) - left
        given = self._given()
        every = [each.statement for each in self._paired]
        passing = bearing_ids(self._paired, self.ids) | {h for each in every for h in each.heads}.difference(
            depending(every, given)
        )
        pending = [(0, passing, left)] if left else []
        for depth, through, group in pending:
            if clock.over():
                break
            copy = near_copy(self._paired, group, self.ids, through)
            text = [*(f"{each.text}." for each in every), *copy, self._facts(wide=True)]
            engine = Engine("\n".join(text), search_files("smallest", "near"), clock)
            same, unlike = _nearby(engine, group)
            equal |= same
            # Rules whose loss shows at the same predicates are looked at together, behind these.
            alike: dict[frozenset[str], set[str]] = {}
            for rule, names in unlike.items():
                if len(names) <= _FEW and not names & _FINAL and depth < _DEPTH:
                    alike.setdefault(frozenset(names), set()).add(rule)
            pending += [(depth + 1, through | names, some) for names, some in alike.items()]
        return equal

    def differing(self, rules: Collection[str], clock: Clock, wide: bool) -> tuple[set[str], set[str]]:
        """Return the rules without which some outcome differs, and those of which that is not known."""
        rules = self.telling.intersection(rules)
        if not rules:
            return set(), set()
        text = [f"{each.statement.text}." for each in self._paired]
        text += second_copy(self._paired, rules, self.ids)
        engine = Engine("\n".join([*text, self._facts(wide)]), search_files("smallest", "drop"), clock)
        whole = [f"{each.statement.text}." for each in self._leading(())]
        intact = Engine("\n".join([*whole, self._facts(wide)]), (), clock)
        for each in (engine, intact):
            limit = _CONFLICTS if wide else _CONFLICTS_AT_FIRST
            each.control.configuration.solve.solve_limit = limit  # type: ignore[union-attr]
        return _Pair(engine, intact).differing(rules, clock)


def _nearby(engine: Engine, rules: Iterable[str]) -> tuple[set[str], dict[str, set[str]]]:
    """Return the rules without which nothing differs, and of others what did in some night."""
    dropped = {atom.arguments[0].string: literal for atom, literal in engine.lits("dropped").items()}
    names = {str(atom.arguments[0]): literal for atom, literal in engine.lits("unlike").items()}
    same: set[str] = set()
    unlike: dict[str, set[str]] = {}
    engine.control.configuration.solve.solve_limit = _CONFLICTS  # type: ignore[union-attr]
    left = sorted(rules)
    # What was too hard at first may be easy once the solver has learned from the others.
    for _ in range(2):
        hard = []
        for rule in left:
            seen: set[str] = set()

            def on_model(model: clingo.Model, seen: set[str] = seen) -> bool:
                seen.update(name for name, literal in names.items() if model.is_true(literal))
                return False

            finished = engine.solve([dropped[rule]], on_model)
            if seen:
                unlike[rule] = seen
            elif finished:
                same.add(rule)
            else:
                hard.append(rule)
        left = hard
    return same, unlike


class _Pair:
    """Two copies of the nights of one phase, one of them without a rule; and the nights with all rules."""

    def __init__(self, engine: Engine, intact: Engine) -> None:
        self.engine = engine
        self.intact = intact
        self._dropped = {atom.arguments[0].string: lit for atom, lit in engine.lits("dropped").items()}

    def differing(self, rules: Collection[str], clock: Clock) -> tuple[set[str], set[str]]:
        """Return the rules without which some outcome differs, and those of which that is not known."""
        found: set[str] = set()
        unsure: set[str] = set()
        # One by one, so that what is hard to tell of one does not keep the others waiting.
        left = sorted(rules)
        for number, rule in enumerate(left):
            if not self._search([self._dropped[rule]], clock.part(len(left) - number), found, unsure):
                unsure.add(rule)
        return found, unsure - found

    def _search(self, assumptions: Sequence[int], clock: Clock, found: set[str], unsure: set[str]) -> bool:
        """Look for rules that make a difference and are not seen yet: whether the search was finished.

        `found` and `unsure` grow. A rule is unsure after too many nights whose difference is not its own.
        """
        tries: Counter[str] = Counter()
        engine = self.engine

        def on_model(model: clingo.Model) -> None:
            rule = next(rule for rule, literal in self._dropped.items() if model.is_true(literal))
            tries[rule] += 1
            if self._real(model):
                found.add(rule)
            elif tries[rule] >= _TRIES:
                unsure.add(rule)
            else:
                # Any other night will do, but none with all of this in it.
                held = (-one for one in engine.made_of if model.is_true(one))
                model.context.add_clause([-self._dropped[rule], *held])
                return
            model.context.add_clause([-self._dropped[rule]])

        engine.clock = clock
        return engine.solve(assumptions, on_model)

    def _real(self, model: clingo.Model) -> bool:
        """Tell whether an outcome without a rule is none that there is with it, under the same answers.

        That it is one would be no work of the rule: the night has two outcomes under these answers.
        """
        intact = self.intact
        night = {atom for literal, atom in self.engine.made_of.items() if model.is_true(literal)}
        assumed = intact.fixed(intact.night(lit for lit, atom in intact.made_of.items() if atom in night))
        outcome = self._arguments(model, "out__2")
        for atom, literal in intact.lits("out").items():
            there = tuple(atom.arguments) in outcome
            assumed.append(literal if there else -literal)
            outcome.discard(tuple(atom.arguments))
        if outcome:
            return True
        given = {q: x for name in ("pick__2", "pick") for q, x in self._arguments(model, name)}
        possible = {tuple(atom.arguments) for atom in intact.lits("pick")}
        for atom, literal in intact.lits("pick").items():
            question, answer = atom.arguments
            if given.get(question, answer) != answer and (question, given[question]) in possible:
                assumed.append(-literal)
        same = False

        def on_model(_model: clingo.Model) -> bool:
            nonlocal same
            same = True
            return False

        intact.solve(assumed, on_model)
        return not same

    def _arguments(self, model: clingo.Model, name: str) -> set[tuple[clingo.Symbol, ...]]:
        lits = self.engine.lits(name)
        return {tuple(atom.arguments) for atom, literal in lits.items() if model.is_true(literal)}


# ---- a rule that is always beaten ----------------------------------------------------------------------


def _shadowed(
    case: Case, rule: str, program: _Program, engine: Engine, clock: Clock, breaks: Breaks | None
) -> Finding:
    """Return the finding on a rule that is always beaten, with the smallest night in which it is."""
    engine.clock = clock
    claimed = engine.lits("seen")[clingo.Function("seen", [clingo.Function("claims"), clingo.String(rule)])]
    night, _ = engine.smallest([claimed])
    if night is None:
        return _finding(case.book, "shadowed-rule", rule)
    at = told(night, case.book.path_or_id, program.phase, program.candidates(), case.rulings)
    models, whole = readings(engine, night, at, CAP)
    by = _beaten_by(engine, night, rule)
    verdict = assemble(at.scenario, at.names, models, split(models), complete=whole)
    witness = Witness(verdict, breaks(at.roles.values()) if breaks else ())
    return _finding(case.book, "shadowed-rule", rule, by)._replace(witness=witness)


def _beaten_by(engine: Engine, night: Night, rule: str) -> set[str]:
    """Return the rules that beat one in some reading of a night."""
    beaters = [
        (atom.arguments[1].string, literal)
        for atom, literal in engine.lits("beaten_by").items()
        if atom.arguments[0].string == rule
    ]
    found: set[str] = set()

    def on_model(model: clingo.Model) -> None:
        found.update(by for by, literal in beaters if model.is_true(literal))

    engine.solve(engine.fixed(night), on_model)
    return found
