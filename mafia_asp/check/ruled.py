"""Rulings of a table that do nothing with a role set: no night asks them, or none ends otherwise by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..facts import question_term
from ..verdict import decide_here
from .days import days_only
from .findings import Finding
from .nights import told
from .twice import Pair

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..model import Phase, Place, Verdict
    from ..rulebook import Rulebook
    from .twice import Nights


class Points(NamedTuple):
    """The points that a search has found: those on which an outcome hangs, the others, and whether all."""

    bearing: frozenset[str]
    idle: frozenset[str]
    whole: bool


def unused_rulings(
    nights: Nights, phases: Iterable[Phase], points: Points, places: Mapping[str, Place]
) -> tuple[list[Finding], bool]:
    """Return the rulings without which every night would be the same, and whether that was decided.

    `points` are those of a finished search. Rulings on questions that no file encodes (of the day, or on
    roles that are not there yet) are passed over; `places` says where each ruling stands.

    Raises:
        InputError: the rulebook cannot be worked out.
    """
    left = [q for q in nights.rulings if q not in points.bearing and _encoded(nights.book, q)]
    used = {q for q in left if q in points.idle}
    for phase in phases:
        if not left:
            break
        pair = Pair(nights, phase, "ruled", ("ruling",))
        for question in tuple(left):
            raised, matters = _does(pair, question, nights, phase)
            if raised is None or matters is None:
                return [], False
            used |= {question} if raised else set()
            if matters:
                left.remove(question)
    findings = []
    for question in sorted(left):
        code = "ruled.harmless" if question in used else "ruled.unraised"
        if code == "ruled.unraised" and not (nights.state and nights.gone):
            code = "ruled.unraised_so_far"
        args = (("id", question), ("answer", nights.rulings[question]))
        findings.append(Finding("unused-ruling", question, message=(code, args), place=places.get(question)))
    return findings, True


def _does(pair: Pair, question: str, nights: Nights, phase: Phase) -> tuple[bool | None, bool | None]:
    """Tell whether some night asks a ruled question, and whether some night ends otherwise by the ruling.

    None: there was not time enough to know.
    """
    term = question_term(question, "")[0]
    literal = pair.literal(f"used({term})")
    if literal is None:
        return False, False
    night, finished = pair.engine.smallest([literal])
    if night is None:
        return (False, False) if finished else (None, None)
    # Nearly always the first night that asks it hangs on it; only else all nights are searched for one.
    book, rulings = nights.book, nights.rulings
    scenario = told(night, book.path_or_id, phase, pair.space.candidates, rulings).scenario
    others = {q: answer for q, answer in rulings.items() if q != question}
    ruled = decide_here(scenario, book, strict=True, limits=None)
    free = decide_here(scenario._replace(rulings=others), book, strict=True, limits=None)
    if _ends(ruled) != _ends(free):
        return True, True
    literal = pair.literal(f"matters({term})")
    return True, False if literal is None else pair.possible(literal)


def _ends(verdict: Verdict) -> list[dict[str, Any]]:
    """Return how a night can end; which role is called is told, but is no outcome of its own."""
    outcomes = (verdict.certain, verdict.possible, *(verdict.readings or ()))
    return [{key: value for key, value in outcome.items() if key != "calls"} for outcome in outcomes]


def _encoded(book: Rulebook, question: str) -> bool:
    """Tell whether a search can come upon a question: some rule of the book speaks of it, and none of a day.

    The derived ids are made by rules.
    """
    if "(" in question or "~" in question:
        return True
    if question in days_only(book):
        return False
    wanted = question_term(question, "")[0]
    for file in book.text_files():
        with open(file, encoding="utf-8") as stream:
            if any(wanted in line for line in stream if not line.lstrip().startswith("%")):
                return True
    return False
