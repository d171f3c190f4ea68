"""Deciding one scenario: from what was said to the answer that a moderator can act on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from . import chance
from .errors import Fault, InputError, LimitError
from .facts import derived_kind, facts, player_ids
from .model import Group, GroupReading, OpenQuestion, Outcome, Player, Reason, Refusal, Scenario, Verdict
from .outcome import Reader
from .readings import Part, split
from .solve import Atom, Ground, Limits, Model, Program, Value

if TYPE_CHECKING:
    from .guard import Checked
    from .rulebook import Rulebook

#: so many outcomes are spelled out
SPELLED_OUT = 64
#: up to so many actions, the answer sets are simply listed first
FEW_ACTIONS = 9
#: beyond so many, they nearly always are too many to be listed
MANY_ACTIONS = 24
#: what `next` holds of an outcome: where these keys are open, there is no next state
_STATE = frozenset({"dead", "role", "item", "count", "noted", "cannot", "refused", "told", "winner"})
_FACTS = ("role", "gone", "item", "bare", "count", "was", "found")


def decide(
    scenario: Scenario, *, book: Rulebook | None = None, strict: bool = False, limits: Limits | None = None
) -> Verdict:
    """Decide `scenario`.

    Args:
        book: its rulebook; by default the one that it names.
        strict: no convention answers anything (a scenario's own ``conventions`` is overridden).
        limits: bounds on time and answer sets; by default 10 seconds.

    Raises:
        LimitError: nothing could be decided within the limits.
        InputError: the rulebook does not exist or is refused.
    """
    if book is None:
        from .rulebook import Rulebook

        book = Rulebook.load(scenario.rulebook)
    if book.shipped:
        return decide_here(scenario, book, strict, limits)
    from .bounded import run_bounded

    return run_bounded(decide_here, scenario, book, strict, limits)


class ScenarioDecider:
    """Decides one scenario, and the same again with rulings added, of one ground program.

    No convention answers anything. Everything is as :func:`decide` has it with `strict`; what cannot be said
    to a ground program (another scenario, a ruling under a derived id), and what has more answer sets than
    are listed, is decided afresh.
    """

    def __init__(self, scenario: Scenario, book: Rulebook) -> None:
        """Take a scenario; nothing is decided yet."""
        self.scenario = scenario._replace(conventions=False)
        self.book = book
        self._ground: Ground | None = None

    def __call__(self, scenario: Scenario) -> Verdict:
        """Decide the scenario, or one that differs from it in its rulings only (see :func:`decide`)."""
        scenario = scenario._replace(conventions=False)
        further = self._further(scenario)
        if further is None:
            return decide(scenario, book=self.book, strict=True)
        if self._ground is None:
            program = program_of(scenario, self.book)
            self._ground = Ground(program, facts(self.scenario).text, to_be_ruled=True)
        self._ground.rule(further)
        models, complete = self._ground.models_in_order(Limits())
        if not complete:
            return decide(scenario, book=self.book, strict=True)
        names = {who: name for name, who in player_ids(scenario).items()}
        return _concluded(scenario, names, models, [split(models)], True)

    def _further(self, scenario: Scenario) -> dict[str, str] | None:
        """Return the rulings that are not in the ground program; None if they cannot be added to it."""
        told = self.scenario.rulings
        further = dict(scenario.rulings.items() - told.items())
        addable = (
            self.book.shipped
            and len(scenario.actions) <= MANY_ACTIONS
            and scenario._replace(rulings=told) == self.scenario
            and scenario.rulings.items() >= told.items()
            and not any(map(derived_kind, further))
        )
        return further if addable else None


def decide_here(scenario: Scenario, book: Rulebook, strict: bool, limits: Limits | None) -> Verdict:
    """Decide `scenario` in this process, whoever wrote the book (see :func:`decide`)."""
    limits = limits or Limits()
    program = program_of(scenario, book)
    conventions = conventions_in_force(scenario, book, strict)
    names = {who: name for name, who in player_ids(scenario).items()}
    if len(scenario.actions) > MANY_ACTIONS:
        from .resident.decide import alone

        apart = alone(program, scenario, conventions)
        if apart is not None:
            return _concluded(scenario, names, apart.models, apart.found, True)
    # Ground once: where it is asked which conventions mattered, the same program is solved without them.
    switched = conventions if len(scenario.actions) <= FEW_ACTIONS else ()
    ground = Ground(program, facts(scenario, () if switched else conventions).text, switched=switched)
    models, found, complete = _parts(scenario, program, conventions, limits, ground)
    verdict = _concluded(scenario, names, models, found, complete)
    if asks_for_bearing(scenario, models):
        ground.switch_off()
        verdict = _with_bearing(verdict, *_parts(scenario, program, (), limits, ground)[1:])
    return verdict


def concluded(
    scenario: Scenario,
    names: dict[str, str],
    models: Sequence[Model],
    found: Sequence[tuple[frozenset[Atom], list[Part]]],
    unruled: Sequence[tuple[frozenset[Atom], list[Part]]] = (),
) -> Verdict:
    """Return the verdict that a scenario's answer sets and the parts into which they fall make up.

    `names` says whose name stands behind each player constant. `unruled` are the parts with no convention
    in force; they are needed only where :func:`asks_for_bearing` says so.

    Raises:
        InputError: rulings contradict each other.
    """
    verdict = _concluded(scenario, names, models, found, True)
    return _with_bearing(verdict, unruled, True) if asks_for_bearing(scenario, models) else verdict


def asks_for_bearing(scenario: Scenario, models: Iterable[Model]) -> bool:
    """Tell whether the readings without conventions are needed to say which of them mattered."""
    return len(scenario.actions) <= FEW_ACTIONS and any(model.followed for model in models)


def _concluded(
    scenario: Scenario,
    names: dict[str, str],
    models: Sequence[Model],
    found: Sequence[tuple[frozenset[Atom], list[Part]]],
    complete: bool,
) -> Verdict:
    if models[0].contrary:
        raise InputError(
            Fault(
                scenario.places.get(f"rulings.{q}", scenario.place),
                "ruling.contrary",
                {"id": q, "answer": x, "other": y},
            )
            for q, x, y in sorted(models[0].contrary)
        )
    return _verdict(scenario, names, models, found, complete)


def _parts(
    scenario: Scenario, program: Program, conventions: Iterable[str], limits: Limits, ground: Ground
) -> tuple[Sequence[Model], Sequence[tuple[frozenset[Atom], list[Part]]], bool]:
    """Return some answer sets, the parts of the night, and whether that is everything.

    `ground` is the night with these conventions in force. Where all answer sets are listed they stand in
    the order of their answers.
    """
    told = facts(scenario, conventions)
    models, complete = _listed(ground, program, told.text, limits)
    if complete:
        return models, [split(models)], True
    # Of many actions this has been tried already.
    if len(scenario.actions) <= MANY_ACTIONS:
        from .resident.decide import alone

        apart = alone(program, scenario, conventions)
        if apart is not None:
            return apart.models, apart.found, True
    from .components import components

    return components(program, told, limits)


def _listed(ground: Ground, program: Program, text: str, limits: Limits) -> tuple[list[Model], bool]:
    """Return the answer sets; rules of a user's own that leave none are told with their place."""
    try:
        return ground.models_in_order(limits)
    except LimitError as error:
        if error.code != "no_answer":
            raise
    from .contradiction import no_outcome

    raise no_outcome(program, text, limits)


def _with_bearing(
    verdict: Verdict, found: Iterable[tuple[frozenset[Atom], list[Part]]], complete: bool
) -> Verdict:
    """Name only the conventions without which the night would have another outcome.

    A convention may answer a question on which nothing hangs in this night. `found` are the parts of the
    night without conventions.
    """
    if not complete:
        return verdict
    bearing = {question for _, parts in found for part in parts for question in part.questions}
    return verdict._replace(conventions=tuple(each for each in verdict.conventions if each[1] in bearing))


def program_of(scenario: Scenario, book: Rulebook) -> Program:
    """Return the rules of the roles in play; text that is not ours is checked here.

    Raises:
        InputError: a rulebook of the user's own holds what it must not.
    """
    things = {item for player in scenario.players for item in (*player.items, *_had(player))}
    files = book.files_for(_roles(scenario), scenario.phase, things, won=asks_who_won(scenario))
    if book.shipped:
        return Program(tuple(files))
    checked = checked_files(book)
    folders = {each.folder for each in book.books() if not each.shipped}
    ours = tuple(file for file in files if os.path.dirname(file) not in folders)
    return Program(ours, tuple(checked[file] for file in files if file in checked))


def asks_who_won(scenario: Scenario) -> bool:
    """Whether the scenario's expectation names the winner."""
    expected = scenario.expect or {}
    readings = expected.get("readings") or ()
    return any("winner" in each for each in (expected, *readings) if isinstance(each, dict))


def checked_files(book: Rulebook) -> dict[str, Checked]:
    """Return all files of a rulebook that are not ours, by path, whether or not their roles play.

    Raises:
        InputError: a file holds what it must not.
    """
    from .guard import ALLOWED_HEADS, check_files

    own = [each for each in book.books() if not each.shipped]
    allowed = ALLOWED_HEADS | {f"{each.prefix}_*" for each in own}
    files = [
        os.path.join(each.folder, f"{stem}.lp") for each in own for stem in sorted(each.stems - {"words"})
    ]
    return {each.path: each for each in check_files(files, allowed)}


def _had(player: Player) -> tuple[str, ...]:
    """Return the things that a player is said to have had before."""
    had = player.was.get("items", ())
    return tuple(str(item) for item in (had if isinstance(had, (list, tuple)) else (had,)))


def _roles(scenario: Scenario) -> set[str]:
    """Return the roles in play, those that somebody in play has had, and those that are spoken of."""
    had = {str(player.was["role"]) for player in scenario.players if "role" in player.was}
    return had | spoken_of(scenario) | {player.role for player in scenario.players}


def spoken_of(scenario: Scenario) -> set[str]:
    """Return what the actions name that is no player: roles, and words that stand for no role."""
    names = {player.name for player in scenario.players}
    said = {target for action in scenario.actions for target in action.targets if target not in names}
    return said | {str(action.extra["role"]) for action in scenario.actions if "role" in action.extra}


def conventions_in_force(scenario: Scenario, book: Rulebook, strict: bool) -> list[str]:
    """Return the ids of the conventions that may answer questions of this scenario."""
    wanted = scenario.conventions
    if strict or wanted is False:
        return []
    if wanted is None or wanted is True:
        return ["all"]
    return list(wanted)


def _verdict(
    scenario: Scenario,
    names: dict[str, str],
    models: Sequence[Model],
    found: Sequence[tuple[frozenset[Atom], list[Part]]],
    complete: bool,
) -> Verdict:
    reader = Reader(scenario, names)
    certain = frozenset().union(*(sure for sure, _ in found))
    parts = sorted((part for _, more in found for part in more), key=lambda part: part.questions)
    # Calls are reported as the first reading has them.
    calls = frozenset(atom for atom in models[0].out if atom[0][0] == "call")
    readings, truncated = _readings(reader, certain | calls, parts)
    told_apart = [part for part in parts if part.readings]
    raised = {q: x for model in models for q, x in model.picks.items()}
    heeded = {pair for model in models for pair in model.heeded}
    return Verdict(
        scenario=scenario,
        settled=complete and not parts,
        certain=reader.outcome(certain | calls),
        possible=reader.outcome(frozenset().union(*(p.touched for p in parts)), whole=False)
        if parts
        else Outcome(),
        groups=tuple(_group(reader, part, certain) for part in told_apart),
        readings=readings,
        truncated=truncated,
        open=tuple(_question(q, part, models) for part in parts for q in part.questions),
        refused=_refused(scenario, models),
        chance=_chance(reader, certain, parts),
        conventions=tuple(sorted({triple for model in models for triple in model.followed})),
        rulings=tuple(sorted(heeded)),
        unused_rulings=tuple(sorted(scenario.rulings.keys() - raised.keys() - {q for q, _ in heeded})),
        because=_because(reader, models),
        next=_next(scenario, reader, models[0].next, certain, parts),
        incomplete=not complete,
    )


def assemble(
    scenario: Scenario,
    names: dict[str, str],
    models: Sequence[Model],
    found: tuple[frozenset[Atom], list[Part]],
    *,
    complete: bool = True,
) -> Verdict:
    """Return the verdict that a scenario's answer sets make up, read from a program of many nights.

    `names` says whose name stands behind each player constant, and `found` into which parts the answer
    sets fall (see :func:`mafia_asp.readings.split`). What begins the next phase is not read.
    """
    return _verdict(scenario, names, models, [found], complete)._replace(next=None)


def _readings(
    reader: Reader, certain: frozenset[Atom], parts: list[Part]
) -> tuple[tuple[Outcome, ...] | None, bool]:
    if not 0 < prod(len(part.readings) for part in parts) <= SPELLED_OUT:
        return None, True
    drawing = any(chance.is_lot(atom) for part in parts for atom in part.touched)
    outcomes = []
    for chosen in product(*(part.readings for part in parts)):
        atoms = certain.union(*(r.atoms for r in chosen))
        outcomes.append(reader.outcome(atoms))
        if drawing:
            outcomes[-1]["chance"] = chance.possible(reader, atoms)
    return tuple(outcomes), False


def _chance(reader: Reader, certain: frozenset[Atom], parts: list[Part]) -> tuple[Outcome, ...]:
    """Return the outcomes between which lots decide, in whatever reading."""
    drawing = [part for part in parts if any(map(chance.is_lot, part.touched))]
    if not drawing:
        return tuple(chance.possible(reader, certain))
    found = [
        each for part in drawing for r in part.readings for each in chance.possible(reader, certain | r.atoms)
    ]
    return tuple(each for n, each in enumerate(found) if each not in found[:n])


def _group(reader: Reader, part: Part, certain: frozenset[Atom]) -> Group:
    everything = reader.outcome(part.touched, whole=False)
    # Of somebody whose answers differ, the ones that are certain belong to each reading too.
    told = frozenset(atom for atom in certain if atom[0][0] in ("answer", "told"))
    readings = []
    for reading in part.readings:
        outcome = reader.outcome(reading.atoms, whole=False)
        if "answers" in everything:
            answers = reader.outcome(reading.atoms | told, whole=False).get("answers", {})
            outcome["answers"] = {name: answers.get(name, "none") for name in everything["answers"]}
        if "cannot" in everything:
            refused = outcome.get("cannot", {})
            outcome["cannot"] = {name: refused.get(name, []) for name in everything["cannot"]}
        for key, value in everything.items():
            if key == "illegal":
                outcome.setdefault(key, False)
            elif isinstance(value, (list, dict)):
                outcome.setdefault(key, type(value)())
        shown = Outcome((key, outcome[key]) for key in everything if key in outcome)
        if any(map(chance.is_lot, part.touched)):
            shown["chance"] = chance.possible(reader, certain | reading.atoms)
        readings.append(GroupReading(reading.rests_on, shown))
    return Group(part.questions, tuple(readings), part.tree)


def _question(question: str, part: Part, models: Sequence[Model]) -> OpenQuestion:
    answers = sorted(
        {model.picks[question] for model in models if question in model.picks} | _answers(question, part)
    )
    return OpenQuestion(
        question, derived_kind(question), _rules(question), tuple(answers), part.under.get(question, {})
    )


def _answers(question: str, part: Part) -> set[str]:
    return {picks[question] for reading in part.readings for picks in reading.rests_on if question in picks}


def _rules(question: str) -> tuple[str, ...]:
    return tuple(question.split("~")) if "~" in question else ()


def _refused(scenario: Scenario, models: Sequence[Model]) -> tuple[Refusal, ...]:
    rules: dict[int, set[str]] = {}
    times: dict[int, int] = {}
    for model in models:
        for atom in model.because:
            if atom[0] == "refused":
                rules.setdefault(atom[1], set()).add(atom[2])
        for atom in model.out:
            if atom[0] == "refused":
                times[atom[1]] = times.get(atom[1], 0) + 1
    refused = []
    for number in sorted(times):
        action = scenario.actions[number - 1]
        why = tuple(sorted(rules.get(number, ())))
        refused.append(
            Refusal(action.actor, action.verb, action.targets, why, number, times[number] == len(models))
        )
    return tuple(refused)


def _because(reader: Reader, models: Sequence[Model]) -> tuple[Reason, ...]:
    acts: dict[tuple[str, Value], set[int]] = {}
    for model in models:
        for key, value, number in model.by_act:
            acts.setdefault((key, value), set()).add(number)
    reasons = set()
    for key, value, rule in {atom for model in models for atom in model.because}:
        if isinstance(value, int):
            entry: tuple[str, ...] = (str(value),)
        elif isinstance(value, tuple) and key != "announce":
            entry = tuple(reader.text(v) for v in value)
        else:
            entry = (reader.token(value),)
        reasons.add((str(key), entry, str(rule), tuple(sorted(acts.get((key, value), ())))))
    return tuple(Reason(*reason) for reason in sorted(reasons))


def _next(
    scenario: Scenario, reader: Reader, state: Iterable[Atom], certain: Iterable[Atom], parts: Iterable[Part]
) -> dict[str, Any] | None:
    """Return the next phase's scenario; None where part of its state is open or not drawn, or all is over."""
    changing = [atom for part in parts for atom in part.touched]
    touched = {a[0][0] if isinstance(a[0], tuple) else a[0] for a in changing}
    if (touched | chance.decides([*changing, *certain])) & _STATE:
        return None
    if any(atom[0] == "winner" and atom[1] != "none" for atom in certain):
        return None
    facts_of: dict[str, list[tuple[Any, ...]]] = {}
    done: set[int] = set()
    for (fact,) in state:
        kind, subject, *rest = fact
        if kind == "did":
            done.add(subject)
        else:
            facts_of.setdefault(subject, []).append((kind, *rest))
    players: dict[str, Any] = {}
    for seat, player in enumerate(scenario.players, 1):
        facts_here = sorted(facts_of.get(f"p{seat}", ()), key=str)
        own = {kind: [rest for k, *rest in facts_here if k == kind] for kind in _FACTS}
        told: dict[str, Any] = {"role": own["role"][0][0] if own["role"] else player.role}
        if own["gone"]:
            told["alive"] = False
        if own["item"]:
            told["items"] = [reader.text(item) for (item,) in own["item"]]
        elif own["bare"]:
            told["items"] = []
        told |= dict(own["count"])
        if own["was"]:
            told["was"] = _history(reader, own["was"])
        if own["found"]:
            told["found"] = sorted((reader.name(name) for (name,) in own["found"]), key=reader.order)
        players[player.name] = told if len(told) > 1 else told["role"]
    return _following(scenario, players, done)


def _history(reader: Reader, facts: Iterable[Sequence[Any]]) -> dict[str, Any]:
    """What a player was; where a key has several values, their list."""
    values: dict[str, list[Any]] = {}
    for key, value in facts:
        values.setdefault(key, []).append(reader.name(value))
    return {k: each[0] if len(each) == 1 else sorted(each, key=reader.order) for k, each in values.items()}


#: phase -> (next phase, where its actions go)
_FOLLOWS = {
    "setup": ("intro", None),
    "intro": ("day", "last_night"),
    "night": ("day", "last_night"),
    "day": ("night", "last_day"),
}


def _following(scenario: Scenario, players: dict[str, Any], done: set[int]) -> dict[str, Any] | None:
    from .scenario import action_data

    if scenario.phase not in _FOLLOWS:
        return None
    phase, where = _FOLLOWS[scenario.phase]
    following: dict[str, Any] = {"rulebook": scenario.rulebook, "phase": phase}
    if scenario.number is not None and scenario.phase in ("night", "day"):
        following[phase] = scenario.number + (scenario.phase == "day")
    following["players"] = players
    if scenario.options:
        following["options"] = dict(scenario.options)
    if scenario.conventions is not None:
        held = scenario.conventions
        following["conventions"] = held if isinstance(held, bool) else list(held)
    if where:
        acts = [a for n, a in enumerate(scenario.actions, 1) if n in done]
        # Between a night and the next, the day does not make it forgotten; nor the other way round.
        before = {"last_night": scenario.last_night, "last_day": scenario.last_day, where: acts}
        for key, actions in before.items():
            if actions:
                following[key] = [action_data(action) for action in actions]
    if scenario.rulings:
        following["rulings"] = dict(scenario.rulings)
    return following


def with_rulings(scenario: Scenario, rulings: dict[str, str]) -> Scenario:
    """Return `scenario` with `rulings` added to (and going before) its own."""
    return scenario._replace(rulings={**scenario.rulings, **rulings})
