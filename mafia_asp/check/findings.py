"""What a check finds: plain data, in the order in which it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ..model import Place, Verdict
    from ..ruletext import QuestionText

#: kind -> severity, in the order in which findings are listed
KINDS = {
    "contradiction": "error",
    "circle": "error",
    "composition": "error",
    "gap": "warning",
    "ambiguity": "warning",
    "wake-order": "warning",
    "dead-rule": "note",
    "shadowed-rule": "note",
    "redundant-rule": "note",
    "unused-ruling": "note",
    "unused-acceptance": "note",
    "misspelt-constant": "note",
}
#: what is looked for only on request
DEEP = ("dead-rule", "shadowed-rule", "redundant-rule")
#: from the worst to the mildest
SEVERITIES = ("error", "warning", "note")


def kind_of(question: QuestionText) -> str:
    """Return the kind of finding that a question of a book is."""
    return "circle" if question.kind == "paradox" else question.kind


class Settlement(NamedTuple):
    """One answer to a finding's question: the line to paste, and what it would settle."""

    answer: str
    #: ``ca.q.sniper.1: dies``, to stand under ``rulings:``
    ruling: str
    #: ids of the questions, open in the finding's night, that are so no longer with this ruling
    closes: tuple[str, ...] = ()


class Witness(NamedTuple):
    """The smallest night that shows a finding, decided afresh (strictly, without conventions)."""

    verdict: Verdict
    #: rules of the make-up that the night's part of the role set breaks; empty: it is a legal cast;
    #: None: no make-up was searched
    breaks: tuple[str, ...] | None = ()


class Finding(NamedTuple):
    """One thing that could go wrong with a role set."""

    kind: str
    #: the question's id, or what the finding is about: a rule, a role, a ruling, a constant
    id: str
    rules: tuple[str, ...] = ()
    witness: Witness | None = None
    settlements: tuple[Settlement, ...] = ()
    #: for kinds without a question: (code, arguments) of a sentence of :mod:`mafia_asp.messages`
    message: tuple[str, tuple[tuple[str, str], ...]] = ("", ())
    #: where the finding lies, if it lies in a file
    place: Place | None = None
    #: no night of this role set has a different outcome
    harmless: bool = False
    #: why the table has accepted this finding
    accepted: str = ""
    #: where many role sets were checked: the numbers of those that show it, from 1; empty: all of them
    sets: tuple[int, ...] = ()

    @property
    def identity(self) -> str:
        """What stays the same across runs, players, role sets and lines: ``contradiction(ca.q.sniper.1)``."""
        return f"{self.kind}({self.id})"

    @property
    def severity(self) -> str:
        """``error``, ``warning`` or ``note``; what changes no outcome is worth a note."""
        return "note" if self.harmless else KINDS[self.kind]


def order(finding: Finding) -> tuple[int, str]:
    """Return by what findings are sorted: their kind, then their id."""
    return list(KINDS).index(finding.kind), finding.id


class Report(NamedTuple):
    """The answer to one check."""

    rulebook: str
    #: the role set, as role ids with how many of each
    roles: tuple[tuple[str, int], ...]
    findings: tuple[Finding, ...]
    #: points that turned out to change no outcome, but for odd circles; shown only on request
    harmless: tuple[Finding, ...] = ()
    #: open points, and rules, that were not looked into before the time was up
    undecided: tuple[str, ...] = ()
    #: whether the search for open points was finished: only then is "no findings" a statement
    complete: bool = True
    #: settled by rulings of the table: (question id, answer)
    ruled: tuple[tuple[str, str], ...] = ()
    #: whether rules that do nothing were looked for
    deep: bool = False
    #: whether nights were searched in every phase; else a finding may be one of another phase
    every_phase: bool = True
    #: in how many parts the role set was searched (see :mod:`mafia_asp.check.parts`)
    parts: int = 1
    #: of each phase in which the order told counts, how many things were told at the most
    told: tuple[tuple[str, int], ...] = ()
    #: rules and questions that may come up in a phase that was not searched
    elsewhere: frozenset[str] = frozenset()
