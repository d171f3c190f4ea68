"""Targets that are not known: one scenario for each way to fill them in."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from .errors import Fault, InputError

if TYPE_CHECKING:
    from .model import Action, Scenario

UNKNOWN = "unknown"
#: so many ways are tried at most
LIMIT = 200


def filled_in(scenario: Scenario) -> list[Scenario]:
    """Return `scenario` itself, or one for each choice of players for its unknown targets.

    The id of each says what was filled in: ``id [Sara shoot Ali]``.

    Raises:
        InputError: there are more than `LIMIT` ways.
    """
    gaps = [(n, k) for n, a in enumerate(scenario.actions) for k, t in enumerate(a.targets) if t == UNKNOWN]
    if not gaps:
        return [scenario]
    living = [player.name for player in scenario.players if player.alive]
    if len(living) ** len(gaps) > LIMIT:
        raise InputError([Fault(scenario.place, "unknown.many", {"limit": LIMIT})])
    return [_fill(scenario, gaps, names) for names in product(living, repeat=len(gaps))]


def _fill(scenario: Scenario, gaps: list[tuple[int, int]], names: tuple[str, ...]) -> Scenario:
    actions = list(scenario.actions)
    for (number, position), name in zip(gaps, names, strict=True):
        action = actions[number]
        targets = tuple(name if k == position else t for k, t in enumerate(action.targets))
        actions[number] = action._replace(targets=targets)
    told = ", ".join(_said(actions[number]) for number in sorted({n for n, _ in gaps}))
    label = f"{scenario.id} [{told}]".strip()
    title = f"{scenario.title} · {told}" if scenario.title else told
    return scenario._replace(actions=tuple(actions), id=label, title=title)


def _said(action: Action) -> str:
    return " ".join((action.actor, action.verb, *action.targets))
