"""Decide nights of the party game Mafia from rulebooks written in Answer Set Programming.

>>> import mafia_asp as ma
>>> for scenario in ma.read_scenarios("night.yaml"):
...     verdict = ma.decide(scenario)
...     print(verdict.settled, verdict.certain["dead"])

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .errors import Fault, InputError, LimitError, MafiaAspError
    from .model import Action, Place, Player, Scenario, Verdict
    from .rulebook import Rulebook
    from .scenario import read_scenarios
    from .verdict import decide

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Fault",
    "InputError",
    "LimitError",
    "MafiaAspError",
    "Place",
    "Player",
    "Rulebook",
    "Scenario",
    "Verdict",
    "__version__",
    "decide",
    "read_scenarios",
]

_HOMES = {
    "Action": "model",
    "Fault": "errors",
    "InputError": "errors",
    "LimitError": "errors",
    "MafiaAspError": "errors",
    "Place": "model",
    "Player": "model",
    "Rulebook": "rulebook",
    "Scenario": "model",
    "Verdict": "model",
    "decide": "verdict",
    "read_scenarios": "scenario",
}


def __getattr__(name: str) -> object:
    """Import a public name from its module at first use."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
