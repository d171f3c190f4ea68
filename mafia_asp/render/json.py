"""A verdict as data for machines: the same in every language, and the same to the byte in every run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..decision import Leaf, Tree

if TYPE_CHECKING:
    from ..model import Group, OpenQuestion, Reason, Refusal, Scenario, Verdict
    from ..rulebook import Rulebook

#: The version of the machine formats.
FORMAT = 1


def verdict_data(verdict: Verdict, book: Rulebook) -> dict[str, Any]:
    """Give a verdict as JSON data (``mafia-asp schema verdict`` describes it)."""
    from .answer import by_day, ruling_line

    scenario = verdict.scenario
    data: dict[str, Any] = {"format": FORMAT, "rulebook": scenario.rulebook}
    data |= {key: text for key, text in (("id", scenario.id), ("title", scenario.title)) if text}
    data |= {
        "phase": scenario.phase,
        "night": None if by_day(scenario) else scenario.number,
        **({"day": scenario.number} if by_day(scenario) else {}),
        "settled": verdict.settled,
        "certain": verdict.certain,
        "possible": verdict.possible,
        "groups": [group_data(group) for group in verdict.groups],
        "readings": None if verdict.readings is None else list(verdict.readings),
    }
    if verdict.truncated:
        data["truncated"] = True
    data |= {
        "open": [
            _question(q, book, ruling_line(q.id, q.answers[0] if q.answers else "")) for q in verdict.open
        ],
        "refused": [_refusal(r) for r in verdict.refused],
        "chance": list(verdict.chance),
        "conventions": [{"id": c, "question": q, "answer": a} for c, q, a in verdict.conventions],
        "rulings": [{"id": q, "answer": a} for q, a in verdict.rulings],
        "unused_rulings": list(verdict.unused_rulings),
        "because": [_reason(r, book, scenario) for r in verdict.because],
        "next": verdict.next,
    }
    if verdict.incomplete:
        data["incomplete"] = True
    return data


def group_data(group: Group) -> dict[str, Any]:
    """Give a group of questions with its distinct outcomes as JSON data."""
    return {
        "questions": list(group.questions),
        "readings": [
            {"rests_on": [dict(c) for c in r.rests_on], "outcome": r.outcome} for r in group.readings
        ],
        "tree": _tree(group.tree),
    }


def rule_source(book: Rulebook, rule: str) -> str | None:
    """Give the place of a rule in the book's text."""
    from .words import find_rule

    found = find_rule(book, rule)
    return found.source if found else None


def _question(asked: OpenQuestion, book: Rulebook, ruling: str) -> dict[str, Any]:
    from ..i18n import LANGUAGES
    from .words import Words, about

    kind, rules = about(book, asked)
    words = {lang: Words(book, lang) for lang in LANGUAGES}
    data: dict[str, Any] = {
        "id": asked.id,
        "kind": kind,
        "rules": list(rules),
        "sources": [source for rule in rules if (source := rule_source(book, rule))],
        "question": {lang: w.question(asked.id) for lang, w in words.items()},
        "answers": list(asked.answers),
        "ruling": ruling,
    }
    if asked.under:
        data["under"] = dict(asked.under)
    return data


def _refusal(refused: Refusal) -> dict[str, Any]:
    return {
        "action": refused.number,
        "actor": refused.actor,
        "verb": refused.verb,
        "targets": list(refused.targets),
        "rules": list(refused.rules),
        "certain": refused.certain,
    }


def _reason(reason: Reason, book: Rulebook, scenario: Scenario) -> dict[str, Any]:
    fact = f"{reason.key}: {' '.join(reason.value)}" if reason.value else reason.key
    told = [scenario.actions[number - 1] for number in reason.acts]
    return {
        "fact": fact,
        "rule": reason.rule,
        "source": rule_source(book, reason.rule),
        "from": [f"{a.actor}: {a.verb} {' '.join(a.targets)}".rstrip() for a in told],
    }


def _tree(tree: Tree[int]) -> dict[str, Any]:
    """Give a decision tree: a question with its branches, or the index of a reading."""
    if isinstance(tree, Leaf):
        return {"reading": tree.outcome}
    branches = [{"answers": list(answers), "then": _tree(below)} for answers, below in tree.branches]
    return {"question": tree.question, "branches": branches}


def dumps(data: Any) -> str:
    """Print JSON for people and machines: indented, Persian as it is, and a newline at the end."""
    return json.dumps(data, ensure_ascii=False, indent=2, default=list) + "\n"
