"""Many random nights, decided by both sides, counted and, where they differ, made small."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from mafia_asp.model import Scenario

from .asking import CircleError
from .compare import BOOK, Comparison, Found, book_tables, by_oracle, compare, core_files
from .generate import STYLES, night, vary
from .night import TooManyError
from .tables import Tables
from .told import Told

#: nights with more readings are passed over
MOST = 600


@dataclass
class Report:
    """What the nights were like, and where the two sides differ."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def run(nights: int, seed: int, files: Sequence[Path] | None = None, minimise: bool = True) -> Report:
    """Compare so many nights; those with too many readings are counted and not compared.

    Half of the nights that raise no question are passed over.
    """
    rng = random.Random(seed)
    files = core_files() if files is None else files
    book = book_tables(BOOK)
    report = Report()
    while report.counts["nights"] < nights:
        style = rng.choices(STYLES, (4, 3, 3))[0]
        lapse = rng.choices((False, True, None), (7, 2, 1))[0]
        # A standing protection of somebody who acts, if it can be put off, is beyond what the cuts of
        # lapsing acts cover: no shipped book has one.
        tables = vary(book, style, rng, keep=() if lapse is False else ("unshaken",))
        case = Case(files, tables, night(tables, rng), lapse, style)
        dull = rng.random() < 0.5
        try:
            found = by_oracle(tables, case.scenario, MOST, lapse=case.lapse)
            if len(found) == 1 and dull:
                continue
            if rng.random() < 0.15:
                case = replace(case, scenario=_ruled(found, case.scenario, rng))
            both = case.decide()
        except TooManyError:
            report.counts["too many readings"] += 1
            continue
        except CircleError:
            both = None
        _count(report.counts, case, both)
        if both is None or not both.agree:
            report.failures.append((smallest(case) if minimise else case).describe())
    return report


@dataclass(frozen=True)
class Case:
    """A night to be decided twice."""

    files: Sequence[Path]
    tables: Tables
    scenario: Scenario
    lapse: bool | None = False
    style: str = "book"

    def decide(self) -> Comparison | None:
        """Return both sides, or None where the oracle finds a deed that depends on itself."""
        try:
            return compare(self.files, self.tables, self.scenario, MOST, lapse=self.lapse)
        except CircleError:
            return None

    def fails(self) -> bool:
        try:
            both = self.decide()
        except TooManyError:
            return False
        return both is None or not both.agree

    def describe(self) -> str:
        """Return a night on which the sides differ, as text to work with."""
        said = self.scenario
        lines = [
            f"tables {self.style}; lapse {self.lapse}; {[(p.name, p.role, p.alive) for p in said.players]}"
        ]
        lines.append(f"actions {[(a.actor, a.verb, a.targets) for a in said.actions]} {dict(said.rulings)}")
        lines.append(f"last night {[(a.actor, a.verb, a.targets) for a in said.last_night]}")
        if self.style == "stirred":
            lines.append("added " + "; ".join(f for f in sorted(self.tables.facts) if '"xx.' in f))
        both = self.decide()
        lines.append(both.difference() if both else "the oracle finds a deed that depends on itself")
        return "\n".join(lines)


def totals(report: Report) -> str:
    """One line of counts."""
    counts = " ".join(f"{name} {n}," for name, n in sorted(report.counts.items()))
    return f"{counts} failures {len(report.failures)},"


def _ruled(found: Found, scenario: Scenario, rng: random.Random) -> Scenario:
    asked = sorted({pair for answers, _ in found for pair in answers})
    return scenario._replace(rulings=dict([rng.choice(asked)])) if asked else scenario


def _count(counts: Counter[str], case: Case, both: Comparison | None) -> None:
    told = Told(case.tables, case.scenario)
    counts["nights"] += 1
    counts[f"tables {case.style}"] += 1
    counts["acts lapse"] += bool(case.lapse)
    counts["circle"] += bool(told.knots) and not case.lapse
    meddling = [a for a in told.acts if told.takes(a.role, a.verb) or told.imposed(a.role, a.verb)]
    counts["theft or hindrance"] += bool(meddling)
    counts["refusal"] += bool(told.refused)
    counts["ruling"] += bool(case.scenario.rulings)
    if both is None:
        return
    counts["open"] += both.open
    counts["readings"] += len(both.oracle)
    outcomes = {outcome for _, outcome in both.oracle}
    for key in ("dead", "saved", "silenced", "answers"):
        counts[key] += any(getattr(outcome, key) for outcome in outcomes)
    questions = {q for answers, _ in both.oracle for q, _ in answers}
    counts["asks lasts"] += any(q.startswith("lasts(") for q in questions)
    counts["asks dispute"] += any("~" in q for q in questions)
    counts["asks impaired"] += any(q.startswith("impaired(") for q in questions)
    counts["asks stops"] += any(q.startswith("stops(") for q in questions)
    for table in ("absorbs", "moves", "stands_apart", "reads_as", "moved_onto", "counts_dead"):
        counts[f"asks {table}"] += any(q.startswith(f"{table}(") for q in questions)
    counts["asks named"] += any(".q." in q for q in questions)


def smallest(case: Case) -> Case:
    """Drop actions, then players, while the two sides still differ."""
    while True:
        smaller = next((c for s in _smaller(case.scenario) if (c := replace(case, scenario=s)).fails()), None)
        if smaller is None:
            return case
        case = smaller


def _smaller(scenario: Scenario) -> Iterator[Scenario]:
    if scenario.rulings:
        yield scenario._replace(rulings={})
    for n in range(len(scenario.last_night)):
        yield scenario._replace(last_night=scenario.last_night[:n] + scenario.last_night[n + 1 :])
    for n in range(len(scenario.actions)):
        yield scenario._replace(actions=scenario.actions[:n] + scenario.actions[n + 1 :])
    said = scenario.actions + scenario.last_night
    named = {a.actor for a in said} | {t for a in said for t in a.targets}
    for player in scenario.players:
        if player.name not in named:
            yield scenario._replace(players=tuple(p for p in scenario.players if p != player))
