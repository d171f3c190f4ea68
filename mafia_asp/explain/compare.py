"""Outcomes side by side: one put on top of another, and only what differs."""

from __future__ import annotations

from typing import Any

from ..model import Outcome

#: what is not worth telling of a night that differs
UNTOLD = frozenset(("calls", "teams", "announce", "wakes_together"))


def merged(certain: Outcome, part: Outcome) -> Outcome:
    """Return what is certain, with what one reading adds to it."""
    whole = Outcome(certain)
    for key, value in part.items():
        before = whole.get(key)
        if isinstance(value, list) and isinstance(before, list):
            whole[key] = [*before, *(each for each in value if each not in before)]
        elif isinstance(value, dict) and isinstance(before, dict):
            whole[key] = {**before, **value}
        else:
            whole[key] = value
    return whole


def differing(now: Outcome, then: Outcome) -> tuple[Outcome, Outcome]:
    """Return the parts of two outcomes in which they differ, by key and by player."""
    left, right = Outcome(), Outcome()
    for key in dict.fromkeys((*now, *then)):
        a, b = now.get(key), then.get(key)
        if key in UNTOLD or a == b:
            continue
        if isinstance(a, list) and isinstance(b, list):
            left[key], right[key] = _without(a, b), _without(b, a)
        elif isinstance(a, dict) and isinstance(b, dict):
            names = [name for name in dict.fromkeys((*a, *b)) if a.get(name) != b.get(name)]
            nothing: Any = "none" if key == "answers" else []
            left[key] = {name: a.get(name, nothing) for name in names}
            right[key] = {name: b.get(name, nothing) for name in names}
        else:
            left[key], right[key] = a, b
    return left, right


def _without(these: list[Any], those: list[Any]) -> list[Any]:
    return [each for each in these if each not in those]


def size(outcome: Outcome) -> int:
    """Return how many entries an outcome has."""
    return sum(len(value) if isinstance(value, (list, dict)) else 1 for value in outcome.values())
