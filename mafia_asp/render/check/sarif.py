"""A report as SARIF 2.1.0, the exchange format of static analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...check.findings import KINDS
from ...check.kinds import TEXTS
from ...i18n import language
from ..sarif import location, sarif_log
from ..words import Words
from .words import finished, first_spot, message, reason, related_spots, summary, words_for

if TYPE_CHECKING:
    from ...check.findings import Finding, Report
    from ...rulebook import Rulebook

FINGERPRINT = "mafiaAspFinding/v1"


def report_sarif(report: Report, book: Rulebook) -> str:
    """Give a report as a SARIF log, in English."""
    with language("en"):
        return sarif_log(
            [_descriptor(kind) for kind in KINDS],
            [_result(f, book) for f in report.findings],
            _invocation(report, book),
        )


def _descriptor(kind: str) -> dict[str, Any]:
    text = TEXTS[kind]
    words = {"means": text.means, "why": text.hurts, "example": text.example, "settle": text.settle}
    headings = {"why": "Why it hurts", "example": "For example", "settle": "How to settle it"}
    plain = [f"{headings[k]}: {v}" if k in headings else v for k, v in words.items()]
    marked = [f"**{headings[k]}:** {v}" if k in headings else v for k, v in words.items()]
    return {
        "id": kind,
        "name": "".join(part.capitalize() for part in kind.split("-")),
        "shortDescription": {"text": text.means},
        "fullDescription": {"text": f"{text.means} {text.hurts}"},
        "help": {"text": "\n".join(plain), "markdown": "\n\n".join(marked)},
        "defaultConfiguration": {"level": KINDS[kind]},
    }


def _invocation(report: Report, book: Rulebook) -> dict[str, Any]:
    """Say whether the check was finished; where it was not, no result means nothing."""
    done: dict[str, Any] = {"executionSuccessful": finished(report)}
    if not finished(report):
        said = summary(report, Words(book, "en"))
        text = " ".join([said.headline, *said.more])
        done["toolExecutionNotifications"] = [{"level": "warning", "message": {"text": text}}]
    return done


def _result(finding: Finding, book: Rulebook) -> dict[str, Any]:
    words = words_for(finding, book, "en")
    result: dict[str, Any] = {
        "ruleId": finding.kind,
        "ruleIndex": list(KINDS).index(finding.kind),
        "level": finding.severity,
        "message": {"text": message(finding, words)},
        "locations": [{"physicalLocation": location(*first_spot(finding, book))}],
        "partialFingerprints": {FINGERPRINT: finding.identity},
        "properties": {
            "id": finding.id,
            "rules": list(finding.rules),
            "rulings": [s.ruling for s in finding.settlements],
        },
    }
    if finding.sets:
        result["properties"]["roleSets"] = list(finding.sets)
    if related := related_spots(finding, book):
        result["relatedLocations"] = [
            {
                "id": position,
                "physicalLocation": location(*where),
                "message": {"text": f"{rule}: {words.rule(rule)}".rstrip(": ")},
            }
            for position, (rule, where) in enumerate(related, 1)
        ]
    if finding.accepted:
        result["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": reason(finding, "en")}
        ]
    return result
