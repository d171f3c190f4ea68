"""A report as annotations for GitHub: one workflow command a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...i18n import language
from ..github import workflow_command
from ..words import Words
from .words import finished, first_spot, message, shown, summary, words_for

if TYPE_CHECKING:
    from ...check.findings import Report
    from ...rulebook import Rulebook

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def report_github(report: Report, book: Rulebook, lang: str = "en") -> str:
    """Give a report as workflow commands; what is accepted is left out."""
    with language(lang):
        lines = []
        for finding in shown(report):
            where = first_spot(finding, book)
            properties = {
                "file": where.file,
                "line": str(where.line),
                "col": str(where.column),
                "title": f"{finding.kind}: {finding.id}",
            }
            said = message(finding, words_for(finding, book, lang))
            lines.append(workflow_command(_COMMANDS[finding.severity], properties, said))
        if not finished(report):
            said_of_all = summary(report, Words(book, lang))
            text = " ".join([said_of_all.headline, *said_of_all.more])
            lines.append(workflow_command("warning", {"title": "mafia-asp check"}, text))
    return "".join(f"{line}\n" for line in lines)
