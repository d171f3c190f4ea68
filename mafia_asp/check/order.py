"""The order in which roles are called: who has no place in it, and who is called too early.

A night is searched twice, the second time without one act (``encodings/search/order.lp``). Whoever is then
told something else when called needs to be called after whoever does that act. Only nights in which nothing
else is open count, so that what is found does not hang on how some question is answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..verdict import decide_here
from .findings import Finding, Witness
from .nights import told
from .twice import Pair

if TYPE_CHECKING:
    import clingo

    from ..model import Phase, Verdict
    from ..rulebook import Rulebook
    from .nights import Told
    from .shape import Breaks
    from .twice import Nights

#: roles are called at night
PHASE: Phase = "night"
#: what a night is made of, from which one act is left out the second time
_SAID = ("said", "aim", "with", "vote")
#: what the search finds of two roles -> the code of its sentence
_PAIRS = {"late": "order.late", "loose": "order.loose"}


class _Shown(NamedTuple):
    """A night that shows something, the rules by which it does, and the number of the act it hangs on."""

    told: Told
    rules: tuple[str, ...]
    act: int


def wake_order(nights: Nights, breaks: Breaks | None) -> tuple[list[Finding], bool]:
    """Return what is wrong with the order of calls, and whether the search was finished.

    The ids are ``wakes(role)`` for a role without a place, and ``wakes(role,other)`` for one that needs to
    be called after the other, and is called before it or without any order between the two.

    Raises:
        InputError: the rulebook cannot be worked out.
    """
    book = nights.book
    # What was before the night changes the order of no call.
    pair = Pair(nights._replace(state=False, gone=False), PHASE, "order", _SAID)
    found, whole = pair.brave()
    called = {symbol.arguments[0] for symbol in found if symbol.name == "is_called"}
    findings = []
    for symbol in found:
        placeless = symbol.name == "acts_at_night" and symbol.arguments[0] not in called
        if not placeless and symbol.name not in _PAIRS:
            continue
        shown = _smallest(pair, symbol, nights)
        if shown is None:
            whole = False
            continue
        names = [str(argument) for argument in symbol.arguments]
        verdict = decide_here(shown.told.scenario, book, strict=True, limits=None)
        if not placeless and not _differs(verdict, shown.act, names[0], book):
            continue
        code = _PAIRS.get(symbol.name, "order.missing")
        args = tuple(zip(("role", "other"), names, strict=False))
        witness = Witness(verdict, breaks(shown.told.roles.values()) if breaks else None)
        id = f"wakes({','.join(names)})"
        findings.append(Finding("wake-order", id, shown.rules, witness, message=(code, args)))
    return findings, whole


def _smallest(pair: Pair, wanted: clingo.Symbol, nights: Nights) -> _Shown | None:
    """Return the smallest night that shows an atom of the search; None where the time was up."""
    literal = pair.engine.lits(wanted.name)[wanted]
    night, finished = pair.engine.smallest([literal])
    if night is None or not finished:
        return None
    at = told(night, nights.book.path_or_id, PHASE, pair.space.candidates, nights.rulings)
    found, _ = pair.brave([*pair.engine.fixed(night), literal])
    rules = {symbol.arguments[0].string for symbol in found if symbol.name in ("placing", "needs")}
    acts = [at.numbers[symbol.arguments[0].number] for symbol in found if symbol.name == "dropped"]
    return _Shown(at, tuple(sorted(rules)), min(acts, default=0))


def _differs(verdict: Verdict, act: int, role: str, book: Rulebook) -> bool:
    """Tell whether, decided by itself, a night tells a role something else without one of its acts."""
    night = verdict.scenario
    less = night._replace(actions=tuple(a for n, a in enumerate(night.actions, 1) if n != act))
    without = decide_here(less, book, strict=True, limits=None)
    return _told_to(role, verdict) != _told_to(role, without)


def _told_to(role: str, verdict: Verdict) -> list[Any]:
    """Return what a role is told of its acts, and whether it is called."""
    names = [player.name for player in verdict.scenario.players if player.role == role]
    return [
        [
            [outcome.get("answers", {}).get(name), outcome.get("cannot", {}).get(name)]
            for outcome in (verdict.certain, verdict.possible)
            for name in names
        ],
        role in verdict.certain.get("calls", ()),
    ]
