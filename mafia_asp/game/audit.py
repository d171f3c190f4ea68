"""Whether what was recorded of a game follows from the rules: first error first, and what would allow it.

The game is played again. Where a question is open and the table has not ruled on it, every reading that
fits what was recorded stays possible and is carried on: a *belief* is a state of the game with the answers
on which it rests. Where no belief fits, that is a finding, and the audit goes on from what was recorded, so
that one error does not hide the next.
"""

from __future__ import annotations

import time
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from ..decision import UNASKED
from ..errors import InputError, LimitError
from ..expect import Mismatch, mismatches, token
from ..i18n import gettext as _
from ..model import EMPTY, Action
from .record import Record
from .replay import State, after, begin, scenario_of, winner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..errors import Fault
    from ..model import Outcome, Place, Player, Scenario, Verdict
    from ..rulebook import Rulebook
    from .record import Game

#: kinds of finding, with how much they weigh
KINDS = {
    "differs": "error",
    "another-reading": "warning",
    "illegal": "error",
    "over": "error",
    "undrawn": "error",
    "ruled-otherwise": "warning",
    "rests-on": "note",
}
#: so many states of a game are carried on at most
BELIEFS = 32
#: so often a phase is decided at most
DECISIONS = 200
#: so many seconds are spent on a game
SECONDS = 300.0
#: so many ways in which another reading would allow something are told
WAYS = 3

Answers = dict[str, str]
if TYPE_CHECKING:
    #: a scenario, and whether no convention answers
    Decide = Callable[[Scenario, bool], Verdict]


class Because(NamedTuple):
    """A rule on which what follows rests, and the entry of the outcome for which it stands."""

    entry: str
    rule: str


class Finding(NamedTuple):
    """One thing in a record that does not follow, or on which its following rests."""

    kind: str
    #: which phase of the game, counted from 1
    number: int
    record: Record
    #: the key of the outcome, like ``dead`` or ``answers.Ali``; of ``rests-on`` and ``ruled-otherwise`` the
    #: question
    key: str = ""
    recorded: Any = None
    follows: Any = None
    because: tuple[Because, ...] = ()
    #: answers, each other than those in force, under which what was recorded would follow
    only_if: tuple[Mapping[str, str], ...] = ()
    #: the answers in force to the questions in ``only_if``, each with the convention that gives it (none: the
    #: table's ruling)
    instead_of: Mapping[str, tuple[str, str]] = EMPTY
    #: an error stands before it, of which it may be a consequence
    later: bool = False

    @property
    def level(self) -> str:
        """``error``, ``warning`` or ``note``."""
        return KINDS[self.kind]

    @property
    def place(self) -> Place | None:
        """Where it stands in the file."""
        places = self.record.places
        head = self.key.partition(".")[0]
        for spot in (f"followed.{head}", f"rulings.{self.key}", "followed"):
            if spot in places:
                return places[spot]
        return self.record.place


class Audit(NamedTuple):
    """What the audit of one game found."""

    title: str
    #: id or folder of the rulebook
    rulebook: str
    players: tuple[str, ...]
    #: the phases that were recorded: what kind, which of it, and in which line of the file
    records: tuple[tuple[str, int | None, int], ...]
    findings: tuple[Finding, ...] = ()
    #: how many phases were looked at
    looked_at: int = 0
    #: False where a bound was hit, so that something may have been missed
    complete: bool = True

    @property
    def clean(self) -> bool:
        """Whether everything in it follows from the rules."""
        return all(finding.level == "note" for finding in self.findings)


class _Belief(NamedTuple):
    """A state that the game may be in, and the answers by the table's silence on which it rests."""

    state: State
    answers: Mapping[str, str] = EMPTY


class _Branch(NamedTuple):
    """One reading of a phase that begins with a belief."""

    belief: _Belief
    scenario: Scenario
    answers: Answers
    outcome: Outcome
    #: decided with these answers; None while nobody has needed it
    verdict: Verdict | None = None


def audit(game: Game, *, strict: bool = False, partial: bool = False, decide: Decide | None = None) -> Audit:
    """Hold a record against the rules.

    Args:
        strict: no convention answers where the book is silent.
        partial: announcements and answers that the record lacks are taken as not written down.
        decide: decides a scenario, with or without conventions; by default :func:`mafia_asp.decide`.

    Raises:
        InputError: the rulebook is refused, or rulings contradict each other.
        LimitError: a phase could not be decided within the limits.
    """
    return _Auditor(game, strict=strict, partial=partial, decide=decide).run()


class _BoundError(Exception):
    """So many decisions were not foreseen."""


class _Auditor:
    def __init__(self, game: Game, *, strict: bool, partial: bool, decide: Decide | None) -> None:
        self.game = game
        self.decide = decide or self._decide_afresh
        self.strict = strict or game.start.conventions is False
        self.partial = partial
        self.findings: list[Finding] = []
        self.complete = True
        self.left = DECISIONS
        self.until = time.monotonic() + SECONDS

    def run(self) -> Audit:
        beliefs = [_Belief(begin(self.game))]
        for number, record in enumerate(self.game.phases, 1):
            self.left = DECISIONS
            beliefs = self._phase(number, record, beliefs)
            if not beliefs:
                self._note_over(number)
                return self._found(number)
        return self._found(len(self.game.phases))

    def _found(self, looked_at: int) -> Audit:
        start = self.game.start
        names = tuple(player.name for player in start.players)
        records = tuple((r.phase, r.number, r.place.line if r.place else 1) for r in self.game.phases)
        findings = tuple(self.findings)
        return Audit(start.title, start.rulebook, names, records, findings, looked_at, self.complete)

    def _note_over(self, number: int) -> None:
        """Note that the game went on after its end; where it ended otherwise, that was noted already."""
        told = any(f.number == number and f.kind in ("illegal", "undrawn") for f in self.findings)
        if number < len(self.game.phases) and not told and self.complete:
            self._find("over", number + 1, self.game.phases[number])

    def _find(self, kind: str, number: int, record: Record, **more: Any) -> None:
        later = any(f.level == "error" and f.number < number for f in self.findings)
        self.findings.append(Finding(kind, number, record, later=later, **more))

    # ---- one phase ------------------------------------------------------------------------------

    def _phase(self, number: int, record: Record, beliefs: list[_Belief]) -> list[_Belief]:
        """What may be so after a phase; nothing where the game is over, or cannot be followed any further."""
        beliefs = self._as_ruled(number, record, beliefs)
        branches: list[_Branch] = []
        try:
            for belief in beliefs:
                # What was found before a bound was hit stays.
                branches.extend(self._branches(belief, record))
        except _BoundError:
            self.complete = False
        if not branches:
            if self.complete:
                self._find("undrawn", number, record)
            return []
        if all(branch.outcome.get("illegal") for branch in branches):
            first = self._decided(branches[0])
            self._find("illegal", number, record, because=self._why(first, "illegal", ()))
            return self._go_on([first])
        fitting = [branch for branch in branches if not self._differences(record, branch)]
        if fitting:
            self._note_readings(number, record, branches, fitting)
            return self._after_dawn(number, record, self._go_on([self._decided(b) for b in fitting]))
        return self._wrong(number, record, branches)

    def _as_ruled(self, number: int, record: Record, beliefs: list[_Belief]) -> list[_Belief]:
        """Leave out the beliefs that rest on another answer than the table gives by now."""
        for question, answer in record.rulings.items():
            kept = [b for b in beliefs if b.answers.get(question, answer) == answer]
            if not kept:
                others = sorted({belief.answers[question] for belief in beliefs})
                self._find("ruled-otherwise", number, record, key=question, recorded=answer, follows=others)
            beliefs = kept or beliefs
        return beliefs

    def _go_on(self, branches: Sequence[_Branch]) -> list[_Belief]:
        """The beliefs after some readings of a phase; none where the game is over in all of them."""
        beliefs: dict[Any, _Belief] = {}
        for branch in branches:
            if branch.verdict is None:
                continue
            state = after(branch.scenario, branch.verdict, branch.belief.state, self.game.book)
            if state is not None:
                belief = _Belief(_bare(state), {**branch.belief.answers, **branch.answers})
                beliefs.setdefault(_key(belief), belief)
        found = list(beliefs.values())
        return found if len(found) <= BELIEFS else self._joined(found)

    def _joined(self, beliefs: Sequence[_Belief]) -> list[_Belief]:
        """One belief for each state, resting on what all that have it rest on; the first of too many."""
        by_state: dict[Any, list[_Belief]] = {}
        for belief in beliefs:
            by_state.setdefault(_key(belief._replace(answers={}))[0], []).append(belief)
        joined = []
        for same in by_state.values():
            common = set(same[0].answers.items()).intersection(*(b.answers.items() for b in same))
            dropped = set(same[0].answers) - {question for question, _ in common}
            rulings = {q: a for q, a in same[0].state.rulings.items() if q not in dropped}
            joined.append(_Belief(same[0].state._replace(rulings=rulings), dict(common)))
        self.complete = self.complete and len(joined) <= BELIEFS
        return joined[:BELIEFS]

    # ---- readings -------------------------------------------------------------------------------

    def _decide(self, scenario: Scenario, *, strict: bool | None = None) -> Verdict:
        if not self.left or time.monotonic() > self.until:
            raise _BoundError
        self.left -= 1
        return self.decide(scenario, self.strict if strict is None else strict)

    def _decide_afresh(self, scenario: Scenario, strict: bool) -> Verdict:
        from ..verdict import decide

        return decide(scenario, book=self.game.book, strict=strict)

    def _branches(self, belief: _Belief, record: Record) -> Iterator[_Branch]:
        """The readings of a phase that begins with a belief, with lots that were drawn."""
        scenario = scenario_of(self.game, belief.state, record)
        for answers, outcome, verdict in self._readings(scenario, {}):
            if outcome.get("chance") or (verdict and verdict.chance):
                yield from self._drawn(belief, _with(scenario, answers), answers)
            else:
                yield _Branch(belief, scenario, answers, outcome, verdict)

    def _drawn(self, belief: _Belief, scenario: Scenario, answers: Answers) -> Iterator[_Branch]:
        """The readings in which a lot that is not written down was drawn, for each player in turn."""
        refused = len(self._decide(scenario).refused)
        for player in scenario.players:
            draw = Action("moderator", "draw", (player.name,))
            one = scenario._replace(actions=(*scenario.actions, draw))
            verdict = self._decide(one)
            if not (verdict.chance or verdict.groups) and len(verdict.refused) == refused:
                yield _Branch(belief, one, answers, verdict.certain, verdict)

    def _readings(
        self, scenario: Scenario, answers: Answers, *, strict: bool | None = None
    ) -> Iterator[tuple[Answers, Outcome, Verdict | None]]:
        """Every reading of a scenario: the answers it rests on, and its outcome."""
        verdict = self._decide(_with(scenario, answers), strict=strict)
        if verdict.incomplete:
            self.complete = False
        if not verdict.groups:
            yield answers, verdict.certain, verdict
            return
        if verdict.readings is None:
            for reading in verdict.groups[0].readings:
                for picks in reading.rests_on:
                    yield from self._readings(scenario, {**answers, **_asked(picks)}, strict=strict)
            return
        ways = product(*(group.readings for group in verdict.groups))
        for chosen, outcome in zip(ways, verdict.readings, strict=True):
            for combined in product(*(reading.rests_on for reading in chosen)):
                picks = {q: a for some in combined for q, a in _asked(some).items()}
                yield {**answers, **picks}, outcome, None

    def _decided(self, branch: _Branch) -> _Branch:
        """The branch with its verdict: what else is asked under its answers is answered in the first way."""
        if branch.verdict is not None:
            return branch
        scenario = _with(branch.scenario, branch.answers)
        try:
            verdict = self._decide(scenario)
        except _BoundError:
            self.complete = False
            return branch
        return branch._replace(scenario=scenario, verdict=verdict)

    # ---- what fits ------------------------------------------------------------------------------

    def _differences(self, record: Record, branch: _Branch) -> list[Mismatch]:
        names = [player.name for player in branch.scenario.players]
        return differences(record.followed, branch.outcome, names, partial=self.partial)

    def _note_readings(
        self, number: int, record: Record, branches: Sequence[_Branch], fitting: Sequence[_Branch]
    ) -> None:
        """Note the questions of which only some answers fit what was recorded."""
        questions = dict.fromkeys(question for branch in branches for question in branch.answers)
        for question in questions:
            every = {b.answers[question] for b in branches if question in b.answers}
            left = {b.answers[question] for b in fitting if question in b.answers}
            if left and left < every:
                self._find(
                    "rests-on", number, record, key=question, recorded=sorted(left), follows=sorted(every)
                )

    def _after_dawn(self, number: int, record: Record, beliefs: list[_Belief]) -> list[_Belief]:
        """Note where a game was over at the end of a night, and was played on."""
        follows = self.game.phases[number].phase if number < len(self.game.phases) else "end"
        if record.phase != "night" or follows == "end" or not beliefs:
            return beliefs
        dawn = Record("end", record.number, place=self.game.phases[number].place)
        won: list[Any] = []
        try:
            for belief in beliefs:
                verdict = self._decide(scenario_of(self.game, belief.state, dawn))
                if not winner(verdict):
                    return beliefs
                won = won or [verdict]
        except (_BoundError, LimitError):
            return beliefs
        self._find(
            "over",
            number + 1,
            self.game.phases[number],
            key="winner",
            follows=winner(won[0]),
            because=self._reasons(won[0], "winner", winner(won[0])),
        )
        return beliefs

    # ---- what does not fit ----------------------------------------------------------------------

    def _wrong(self, number: int, record: Record, branches: Sequence[_Branch]) -> list[_Belief]:
        """Note in what a phase does not follow, and go on from what was recorded."""
        nearest = min(branches, key=lambda branch: len(self._differences(record, branch)))
        nearest = self._decided(nearest)
        wrong = self._differences(record, nearest)
        others = self._others(record, nearest)
        whole = [(a, b) for a, b in others if not self._differences(record, b)]
        for mismatch in wrong:
            key = mismatch.key
            allowed = [(a, b) for a, b in others if not _about(key, self._differences(record, b))]
            ways = _least([answers for answers, _ in whole or allowed])
            verdict = nearest.verdict
            asked = {question for way in ways for question in way}
            self._find(
                "another-reading" if ways else "differs",
                number,
                record,
                key=key,
                recorded=mismatch.expected,
                follows=mismatch.got,
                because=self._causes(verdict, mismatch) if verdict else (),
                only_if=tuple(ways),
                instead_of={q: a for q, a in _in_force(verdict).items() if q in asked} if verdict else {},
            )
        if whole:
            least = _least([answers for answers, _ in whole])[0]
            chosen = next(b for a, b in whole if a == least)
            return self._restored(nearest.belief, record, self._go_on([self._decided(chosen)]))
        return self._as_recorded(nearest, record, self._go_on([nearest]))

    def _others(self, record: Record, nearest: _Branch) -> list[tuple[Answers, _Branch]]:
        """Other readings of a phase: the answers that are not those in force, and what follows under them."""
        if nearest.verdict is None:
            return []
        plain = nearest.scenario._replace(rulings={})
        in_force = {question: answer for question, (answer, _by) in _in_force(nearest.verdict).items()}
        found: list[tuple[Answers, _Branch]] = []
        try:
            free = self._decide(plain, strict=True)
            asked = {question.id: question.answers for question in free.open}
            if free.readings is not None:
                for answers, outcome, _verdict in self._readings(plain, {}, strict=True):
                    changed = {q: a for q, a in answers.items() if in_force.get(q) != a}
                    branch = nearest._replace(answers=changed, outcome=outcome, verdict=None)
                    found += [(changed, branch)] if changed else []
                return found
            # Too many to be listed: one answer after the other is changed.
            for question, choices in asked.items():
                for answer in choices:
                    if in_force.get(question) == answer:
                        continue
                    change = {question: answer}
                    for answers, outcome, verdict in self._readings(nearest.scenario, change):
                        branch = nearest._replace(answers=answers, outcome=outcome, verdict=verdict)
                        found.append((answers, branch))
        except _BoundError:
            self.complete = False
        return found

    def _restored(self, before: _Belief, record: Record, beliefs: list[_Belief]) -> list[_Belief]:
        """The beliefs with the rulings of the game: what one phase rests on is no ruling for the next."""
        rulings = {**before.state.rulings, **record.rulings}
        return [_Belief(belief.state._replace(rulings=rulings), before.answers) for belief in beliefs]

    def _as_recorded(self, branch: _Branch, record: Record, beliefs: list[_Belief]) -> list[_Belief]:
        """The beliefs with the deaths, roles, items and counts that were recorded."""
        noted = record.followed or {}
        before = {player.name: player for player in branch.scenario.players}
        return [
            belief._replace(
                state=belief.state._replace(
                    players=tuple(_noted(p, before[p.name], noted) for p in belief.state.players)
                )
            )
            for belief in beliefs
        ]

    # ---- reasons --------------------------------------------------------------------------------

    def _causes(self, verdict: Verdict, mismatch: Mismatch) -> tuple[Because, ...]:
        """The rules for what follows, and those that keep what was recorded from following."""
        key, _dot, whose = mismatch.key.partition(".")
        if whose:
            return self._reasons(verdict, key, [whose.partition(".")[0]])
        got, said = _entries(mismatch.got), _entries(mismatch.expected)
        spared = [name for name in said if name not in got]
        if key not in ("dead", "saved"):
            spared = []
        against = tuple(Because(name, rule) for name in spared for rule in _spares(verdict, name))
        follows = [name for name in got if name not in said]
        return tuple(dict.fromkeys((*self._reasons(verdict, key, follows), *against)))

    def _reasons(self, verdict: Verdict, key: str, entries: Sequence[str]) -> tuple[Because, ...]:
        return tuple(
            dict.fromkeys(because for entry in entries for because in self._why(verdict, key, (entry,)))
        )

    def _why(self, verdict: Verdict | _Branch, key: str, entry: tuple[str, ...]) -> tuple[Because, ...]:
        from ..render.answer import reasons

        decided = verdict.verdict if isinstance(verdict, _Branch) else verdict
        if decided is None:
            return ()
        return tuple(Because(" ".join(entry), rule) for rule in reasons(decided, key, entry))


# ---- comparing -----------------------------------------------------------------------------------


def differences(
    noted: Mapping[str, Any] | None, outcome: Outcome, players: Sequence[str], *, partial: bool = False
) -> list[Mismatch]:
    """In what an outcome is not what was noted. Without `partial`, what was not noted was not said."""
    if noted is None:
        return []
    found = mismatches(dict(noted), outcome, players)
    if partial:
        return found
    if "announce" in noted and not any(m.key == "announce" for m in found):
        said = {token(t) for t in noted["announce"] or ()}
        if {token(t) for t in outcome.get("announce", ())} - said:
            found.append(Mismatch("announce", noted["announce"], outcome.get("announce", [])))
    if "answers" in noted:
        for name, answer in outcome.get("answers", {}).items():
            if name not in noted["answers"] and answer != "none":
                found.append(Mismatch(f"answers.{name}", "none", answer))
    won = outcome.get("winner", "none")
    if "winner" not in noted and won not in ("none", [], ["none"]):
        found.append(Mismatch("winner", "none", won))
    return found


def _about(key: str, found: Sequence[Mismatch]) -> bool:
    return any(mismatch.key == key for mismatch in found)


def _in_force(verdict: Verdict) -> dict[str, tuple[str, str]]:
    """The answers in force in a phase, each with the convention that gives it (none: a ruling)."""
    by_custom = {question: (answer, custom) for custom, question, answer in verdict.conventions}
    return by_custom | {question: (answer, "") for question, answer in verdict.rulings}


def _entries(value: Any) -> list[str]:
    listed = value if isinstance(value, (list, tuple)) else [value]
    return [str(each) for each in listed if each not in (None, "none")]


def _spares(verdict: Verdict, name: str) -> list[str]:
    """The rules by which somebody thought dead lives: saved, spared, or not reached by what was done."""
    actions = enumerate(verdict.scenario.actions, 1)
    aimed = {str(number) for number, action in actions if name in action.targets}
    found = []
    for reason in verdict.because:
        on_him = reason.key in ("saved", "spared", "passed", "lapsed") and reason.value[:1] == (name,)
        failed = reason.key in ("failed", "refused") and reason.value[0] in aimed
        if on_him or failed:
            found.append(reason.rule)
    return list(dict.fromkeys(found))


def _least(ways: Sequence[Answers]) -> list[Answers]:
    """The ways with the fewest answers, each once, in a fixed order."""
    if not ways:
        return []
    fewest = min(map(len, ways))
    unique = {tuple(sorted(way.items())) for way in ways if len(way) == fewest}
    return [dict(way) for way in sorted(unique)[:WAYS]]


# ---- states --------------------------------------------------------------------------------------


def _with(scenario: Scenario, answers: Answers) -> Scenario:
    return scenario._replace(rulings={**scenario.rulings, **answers}) if answers else scenario


def _asked(picks: Mapping[str, str]) -> Answers:
    return {question: answer for question, answer in picks.items() if answer != UNASKED}


def _bare(state: State) -> State:
    """The state without the places from which it was read."""
    return state._replace(
        players=tuple(player._replace(place=None) for player in state.players),
        last_night=tuple(action._replace(place=None) for action in state.last_night),
        last_day=tuple(action._replace(place=None) for action in state.last_day),
    )


def _key(belief: _Belief) -> tuple[str, tuple[tuple[str, str], ...]]:
    state = belief.state
    return repr((state.players, state.last_night, state.last_day)), tuple(sorted(belief.answers.items()))


def _noted(player: Player, before: Player, noted: Mapping[str, Any]) -> Player:
    """A player as the record has him after a phase."""
    name = player.name
    if "dead" in noted and before.alive:
        player = player._replace(alive=name not in noted["dead"])
    if name in (roles := noted.get("roles", {})):
        player = player._replace(role=roles[name])
    if name in (items := noted.get("items", {})):
        player = player._replace(items=tuple(items[name]))
    if name in (counters := noted.get("counters", {})):
        numbers = {key: left for key, left in counters[name].items() if isinstance(left, int)}
        player = player._replace(counts={**player.counts, **numbers})
    return player


# ---- many games ------------------------------------------------------------------------------------


class Plan(NamedTuple):
    """How games are audited; the same for all of them."""

    strict: bool = False
    partial: bool = False
    lang: str = "en"


class Source(NamedTuple):
    """A file to audit; one that was found in a folder need not be a game."""

    file: str
    found: bool = False


class Result(NamedTuple):
    """What came of one file: ``clean``, ``findings``, ``error``, ``limit``, or ``skipped``: it is no game."""

    file: str
    outcome: str
    audit: Audit | None = None
    #: what is wrong with the file
    faults: tuple[Fault, ...] = ()
    #: what else went wrong: a limit, or something unforeseen
    message: str = ""


def audit_files(sources: Sequence[Source], plan: Plan) -> list[Result]:
    """Audit games one after the other. Nothing that a file holds makes it raise."""
    from ..i18n import language

    with language(plan.lang):
        return [_audit_file(source, plan) for source in sources]


def lost(source: Source) -> Result:
    """The result for a game that ended the process which worked on it."""
    return Result(source.file, "error", message=_("The process that worked on it has ended."))


def _audit_file(source: Source, plan: Plan) -> Result:
    from .. import places
    from ..scenario import is_game
    from .record import game_of

    name = places.shown_name(source.file)
    try:
        document = places.read(source.file)[0]
        if isinstance(document, InputError):
            return Result(name, "skipped" if source.found else "error", faults=tuple(document.faults))
        if source.found and not (is_game(document.root) and "players" in document.root.value):
            return Result(name, "skipped")
        found = audit(game_of(document, source.file, _books), strict=plan.strict, partial=plan.partial)
    except InputError as error:
        return Result(name, "error", faults=tuple(error.faults))
    except LimitError as error:
        return Result(name, "limit", message=str(error))
    except Exception as error:  # noqa: BLE001 - one game must not end the audit of all others
        return Result(name, "error", message=f"{type(error).__name__}: {error}")
    outcome = "findings" if not found.clean else "clean" if found.complete else "limit"
    return Result(name, outcome, found)


#: Rulebooks that this process has loaded, by what games name.
_books: dict[str, Rulebook] = {}
