"""Scenarios decided many at a time, with the same answers as one by one.

Scenarios of one setting share a ground program, evaluated for all of them at once. What that does not cover
is decided by itself: settings of which there are few scenarios, days (whose rules ask for the order told),
rulebooks that are not ours, and nights with more readings than are listed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..facts import player_ids, setting
from ..process import uncollected
from ..readings import split
from ..verdict import (
    asks_for_bearing,
    asks_who_won,
    concluded,
    conventions_in_force,
    decide,
    program_of,
    spoken_of,
)
from .parts import Apart, Cut, Numbered, numbered
from .program import Ground, Universe
from .readings import MOST, Readings

if TYPE_CHECKING:
    from ..model import Scenario, Verdict
    from ..rulebook import Rulebook
    from ..solve import Program

#: nights of one setting from which on a ground program of their own is worth its making
WORTH = 12
#: settings whose programs are kept
KEPT = 24
#: from this share of nights on, whether they can be listed is looked at first
_OFTEN = 0.2
_BY_NIGHT = frozenset({"night", "intro", "setup"})


class _Key(NamedTuple):
    """What scenarios share that are decided by one program."""

    program: Program
    setting: tuple[str, ...]
    conventions: tuple[str, ...]


class _Setting:
    """The programs of one setting: one with its conventions, and one without where that is asked for."""

    def __init__(self, key: _Key, scenario: Scenario) -> None:
        self.key = key
        self.universe = Universe(scenario)
        self.names = {who: name for name, who in player_ids(scenario).items()}
        self._grounds: dict[bool, tuple[Ground, Readings]] = {}
        #: whether many nights of late had more readings than are listed, without conventions and with
        self._many = {True: False, False: False}

    def take(self, nights: Iterable[Scenario]) -> None:
        """Take in what is said in some nights; what is ground so far is ground anew when it is needed."""
        before = len(self.universe.facts)
        for night in nights:
            self.universe.take(night.actions)
        if len(self.universe.facts) > before:
            self._grounds.clear()

    def ground(self, *, plain: bool) -> tuple[Ground, Readings]:
        """Return the program, `plain` without conventions."""
        plain = plain or not self.key.conventions
        if plain not in self._grounds:
            facts = list(self.key.setting)
            if plain:
                facts = [fact for fact in facts if not fact.startswith("convention(")]
            ground = Ground(self.key.program, facts, self.universe.all_facts())
            # Without conventions only the parts are asked for.
            bare = plain and bool(self.key.conventions)
            self._grounds[plain] = ground, Readings(ground, bare=bare)
        return self._grounds[plain]

    def covers(self, night: Scenario) -> bool:
        """Tell whether everything that a night says is in what is or would be ground."""
        return self.universe.covers(night.actions)

    def solved(self, nights: Sequence[Scenario], *, plain: bool) -> list[Apart | None]:
        """Return the readings of nights that are covered; None where a solver is needed."""
        ground, readings = self.ground(plain=plain)
        if not ground.usable:
            return [None for _ in nights]
        said = [self.universe.express(night.actions, ground.literals) for night in nights]
        inputs, places = [each.inputs for each in said], [each.places for each in said]
        result: dict[int, Apart | None] = {}
        cut = Cut(readings, inputs, places) if self._many[plain] else None
        few = [n for n in range(len(said)) if cut is None or cut.least(n) <= MOST]
        for n, raws in zip(few, readings.find([inputs[n] for n in few]), strict=True):
            if raws is not None:
                models = readings.models(raws, places[n])
                result[n] = Apart(models, [split(models)])
        left = [n for n in range(len(said)) if n not in result]
        # Where many nights have too many readings to list, the next ones are not listed in vain.
        self._many[plain] = len(left) > _OFTEN * len(said)
        if cut is None:
            cut = Cut(readings, [inputs[n] for n in left], [places[n] for n in left])
            result |= dict(zip(left, cut.apart(range(len(left))), strict=True))
        else:
            result |= dict(zip(left, cut.apart(left), strict=True))
        return [result[n] for n in range(len(said))]


def alone(program: Program, scenario: Scenario, conventions: Iterable[str]) -> Apart | None:
    """Return one scenario with more readings than are listed, part by part; None where a solver is needed."""
    if rules_on_derived(scenario):
        return None
    universe = Universe(scenario)
    if not universe.take(scenario.actions):
        return None
    ground = Ground(program, setting(scenario, player_ids(scenario), conventions), universe.facts)
    said = universe.express(scenario.actions, ground.literals)
    return Cut(Readings(ground), [said.inputs], [said.places]).apart([0])[0] if ground.usable else None


class Decider:
    """Decides scenarios of one rulebook. Not to be shared between threads.

    Args:
        strict: no convention answers anything, whatever a scenario says; by default those that a scenario
            allows.
    """

    def __init__(self, book: Rulebook, *, strict: bool = False) -> None:
        self._book = book
        self._strict = strict
        self._settings: OrderedDict[_Key, _Setting] = OrderedDict()
        self._keys: OrderedDict[tuple[object, ...], tuple[_Key, object]] = OrderedDict()
        #: how many were decided by a shared program, and how many by themselves
        self.together = 0
        self.apart = 0

    def decide(self, scenarios: Sequence[Scenario]) -> list[Verdict | Exception]:
        """Return the verdict of each scenario, or the error that deciding it raises."""
        with uncollected():
            return self._decide(scenarios)

    def readings(self, scenarios: Sequence[Scenario]) -> list[Numbered | None]:
        """Return all readings of each scenario by numbers, as :func:`.parts.numbered` does.

        None where a scenario has no program that it shares with others.
        """
        found: list[Numbered | None] = [None] * len(scenarios)
        with uncollected():
            for key, numbers in self._groups(scenarios).items():
                if (some := self._covered(key, {n: scenarios[n] for n in numbers})) is not None:
                    shared, covered = some
                    ground, readings = shared.ground(plain=False)
                    if ground.usable:
                        said = [
                            shared.universe.express(each.actions, ground.literals)
                            for each in covered.values()
                        ]
                        several = numbered(readings, [each.inputs for each in said])
                        for n, each in zip(covered, several, strict=True):
                            found[n] = each
        return found

    def _groups(self, scenarios: Sequence[Scenario]) -> dict[_Key, list[int]]:
        """Return which scenarios may share a program; days and others that may not are left out."""
        groups: dict[_Key, list[int]] = {}
        if self._book.shipped:
            for number, scenario in enumerate(scenarios):
                if scenario.phase in _BY_NIGHT and not rules_on_derived(scenario):
                    groups.setdefault(self._key(scenario), []).append(number)
        return groups

    def _decide(self, scenarios: Sequence[Scenario]) -> list[Verdict | Exception]:
        results: dict[int, Verdict | Exception] = {}
        for key, numbers in self._groups(scenarios).items():
            if (some := self._covered(key, {n: scenarios[n] for n in numbers})) is not None:
                results |= self._together(*some)
        self.together += len(results)
        self.apart += len(scenarios) - len(results)
        return [results[n] if n in results else self._alone(s) for n, s in enumerate(scenarios)]

    def _alone(self, scenario: Scenario) -> Verdict | Exception:
        try:
            return decide(scenario, book=self._book, strict=self._strict)
        except Exception as error:  # noqa: BLE001 - one scenario must not end the run of all others
            return error

    def _key(self, scenario: Scenario) -> _Key:
        """Return what the scenario shares with others; worked out once for the same cast, as it is kept."""
        parts = (
            scenario.players,
            scenario.options,
            scenario.rulings,
            scenario.last_night,
            scenario.last_day,
            scenario.conventions,
        )
        asked = frozenset(spoken_of(scenario)), asks_who_won(scenario)
        quick = (scenario.phase, scenario.number, *map(id, parts), *asked)
        known = self._keys.get(quick)
        if known is None:
            conventions = tuple(conventions_in_force(scenario, self._book, self._strict))
            facts = setting(scenario, player_ids(scenario), conventions)
            key = _Key(program_of(scenario, self._book), tuple(facts), conventions)
            # The parts are kept with it, so that their ids stay theirs.
            known = self._keys[quick] = key, parts
            if len(self._keys) > 4 * KEPT:
                self._keys.popitem(last=False)
        return known[0]

    def _covered(
        self, key: _Key, nights: Mapping[int, Scenario]
    ) -> tuple[_Setting, Mapping[int, Scenario]] | None:
        """Return the setting, if it has a program or is worth one, and the nights that this covers."""
        found = self._settings.get(key)
        if found is None:
            if len(nights) < WORTH:
                return None
            found = self._settings[key] = _Setting(key, next(iter(nights.values())))
            if len(self._settings) > KEPT:
                self._settings.popitem(last=False)
        self._settings.move_to_end(key)
        fresh = {n: night for n, night in nights.items() if not found.covers(night)}
        if not fresh:
            return found, nights
        if len(fresh) >= WORTH:
            found.take(fresh.values())
            fresh = {n: night for n, night in fresh.items() if not found.covers(night)}
        return found, {n: night for n, night in nights.items() if n not in fresh}

    def _together(self, shared: _Setting, nights: Mapping[int, Scenario]) -> dict[int, Verdict | Exception]:
        if not nights:
            return {}
        solved = dict(zip(nights, shared.solved(list(nights.values()), plain=False), strict=True))
        asking = [n for n, each in solved.items() if each and asks_for_bearing(nights[n], each.models)]
        found = shared.solved([nights[n] for n in asking], plain=True) if asking else []
        unruled = dict(zip(asking, found, strict=True))
        results: dict[int, Verdict | Exception] = {}
        for n, each in solved.items():
            if each is not None:
                bearing = unruled.get(n)
                if bearing is not None or n not in unruled:
                    found_alone = bearing.found if bearing else ()
                    results[n] = concluded(nights[n], shared.names, each.models, each.found, found_alone)
        return results


def rules_on_derived(scenario: Scenario) -> bool:
    """Tell whether a ruling speaks of a question that has its name from what it is about in a night."""
    return any("~" in question or question.startswith("circle(") for question in scenario.rulings)
