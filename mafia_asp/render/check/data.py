"""A report as data for machines: the same in every language, and the same to the byte in every run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...check.findings import SEVERITIES
from ...i18n import LANGUAGES
from ..json import FORMAT, dumps, group_data, rule_source
from .words import asks, groups_of, sentence, shown, spot, words_for

if TYPE_CHECKING:
    from ...check.baseline import Diff
    from ...check.findings import Finding, Report, Witness
    from ...rulebook import Rulebook


def report_json(report: Report, book: Rulebook, diff: Diff | None = None) -> str:
    """Give a report as JSON text, with what differs from an earlier one where that was asked."""
    data = report_data(report, book)
    if diff is not None:
        data["diff"] = diff_data(diff)
    return dumps(data)


def report_data(report: Report, book: Rulebook) -> dict[str, Any]:
    """Give a report as JSON data (``mafia-asp schema findings`` describes it)."""
    found = shown(report)
    counts = {severity: sum(f.severity == severity for f in found) for severity in SEVERITIES}
    counts["accepted"] = len(report.findings) - len(found)
    counts["harmless"] = len(report.harmless)
    counts["undecided"] = len(report.undecided)
    return {
        "format": FORMAT,
        "rulebook": report.rulebook,
        "roles": dict(report.roles),
        "complete": report.complete,
        "parts": report.parts,
        "told": dict(report.told),
        "deep": report.deep,
        "counts": counts,
        "findings": [finding_data(f, book) for f in report.findings],
        "harmless": [finding_data(f, book) for f in report.harmless],
        "undecided": list(report.undecided),
        "ruled": [{"id": question, "answer": answer} for question, answer in report.ruled],
    }


def finding_data(finding: Finding, book: Rulebook) -> dict[str, Any]:
    """Give a finding as JSON data."""
    witness = finding.witness
    place = spot(finding.place) if finding.place else None
    said = {lang: sentence(finding, words_for(finding, book, lang)) for lang in LANGUAGES}
    return {
        "kind": finding.kind,
        "id": finding.id,
        "identity": finding.identity,
        "severity": finding.severity,
        "rules": [{"id": rule, "source": rule_source(book, rule)} for rule in finding.rules],
        "question": said if asks(finding) else None,
        "message": said,
        "night": night_data(witness, book) if witness else None,
        "legal": not witness.breaks if witness and witness.breaks is not None else None,
        "breaks": list(witness.breaks or ()) if witness else [],
        "groups": [group_data(g) for g in groups_of(finding, witness.verdict)] if witness else [],
        "settlements": [
            {"answer": s.answer, "ruling": s.ruling, "closes": list(s.closes)} for s in finding.settlements
        ],
        "harmless": finding.harmless,
        "accepted": finding.accepted,
        "place": {"file": place.file, "line": place.line, "column": place.column} if place else None,
    }


def night_data(witness: Witness, book: Rulebook) -> dict[str, Any]:
    """Give a finding's night as a scenario in the form of a file: conventions off, or they would answer."""
    from ...scenario import to_data

    scenario = witness.verdict.scenario._replace(rulebook=book.path_or_id, conventions=False, expect=None)
    return to_data(scenario)


def diff_data(diff: Diff) -> dict[str, Any]:
    """Give what differs from an earlier report as JSON data."""
    return {
        "base": diff.base,
        "gained": [dict(f) for f in diff.gained],
        "lost": [dict(f) for f in diff.lost],
        "undecided": [dict(f) for f in diff.undecided],
    }
