"""Reports of many role sets: taken together for people, one after the other for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...check.findings import SEVERITIES
from ...check.many import written
from ...i18n import gettext as _
from ...i18n import language, ngettext, number
from ..json import dumps
from ..junit import xml_document
from ..layout import isolate
from ..markdown import code, escape
from .data import report_data
from .junit import report_suite, with_counts
from .markdown import report_markdown
from .text import check_text
from .words import counted, finished, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...check.findings import Report
    from ...rulebook import Rulebook
    from ..layout import Page

_STYLES = {"error": "red", "warning": "yellow", "note": "dim"}


def sets_text(
    page: Page, reports: Sequence[Report], whole: Report, book: Rulebook, show_harmless: bool = False
) -> None:
    """Add the role sets, each with what was found in it, and then all findings, each of them once."""
    page.put(_heading(reports), "bold")
    wide = len(number(len(reports)))
    for place, report in enumerate(reports, 1):
        severities = [finding.severity for finding in shown(report)]
        worst = next((s for s in SEVERITIES if s in severities), None)
        found = page.paint(_found(report), *((_STYLES[worst],) if worst else ()))
        roles = isolate(written(report.roles), page.lang)
        page.put(f"{number(place).rjust(wide)}  {roles}: {found}", indent=2, hang=4 + wide)
    check_text(page, whole, book, show_harmless)


def sets_markdown(
    reports: Sequence[Report], whole: Report, book: Rulebook, lang: str, show_harmless: bool = False
) -> str:
    """Give the same as a Markdown document."""
    with language(lang):
        lines = [f"## {escape(_heading(reports))}", ""]
        for place, report in enumerate(reports, 1):
            lines.append(f"{place}. {code(written(report.roles))}: {escape(_found(report))}")
    return "\n".join(lines) + "\n\n" + report_markdown(whole, book, lang, show_harmless)


def sets_json(reports: Sequence[Report], book: Rulebook) -> str:
    """Give the reports as a list in JSON, each as one by itself would be."""
    return dumps([report_data(report, book) for report in reports])


def sets_junit(reports: Sequence[Report], book: Rulebook, lang: str = "en") -> str:
    """Give the reports as JUnit XML, a suite for each role set."""
    from xml.etree import ElementTree as ET

    root = ET.Element("testsuites", name="mafia-asp")
    root.extend(report_suite(report, book, lang, written(report.roles)) for report in reports)
    return xml_document(with_counts(root))


def _heading(reports: Sequence[Report]) -> str:
    return ngettext("{n} role set", "{n} role sets", len(reports)).format(n=number(len(reports)))


def _found(report: Report) -> str:
    """Say in a few words what was found in a role set."""
    severities = [finding.severity for finding in shown(report)]
    parts = [counted(s, severities.count(s)) for s in SEVERITIES if s in severities]
    if not finished(report):
        parts.append(_("not finished"))
    return ", ".join(parts) if parts else _("nothing")
