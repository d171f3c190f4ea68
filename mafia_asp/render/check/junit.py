"""A report as JUnit XML: one test case a finding, or one that passed where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...i18n import gettext as _
from ...i18n import language
from ..junit import xml_document, xml_text
from ..words import Words
from .words import finished, first_spot, message, reason, sentence, summary, words_for

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from ...check.findings import Finding, Report
    from ...rulebook import Rulebook


def report_junit(report: Report, book: Rulebook, lang: str = "en") -> str:
    """Give a report as a JUnit XML document. Errors and warnings fail, notes pass with what they say."""
    from xml.etree import ElementTree as ET

    root = ET.Element("testsuites", name="mafia-asp")
    root.append(report_suite(report, book, lang))
    return xml_document(with_counts(root))


def report_suite(report: Report, book: Rulebook, lang: str = "en", roles: str = "") -> Element:
    """Give a report as a suite of JUnit XML; `roles` tell it from those of other role sets."""
    from xml.etree import ElementTree as ET

    name = f"mafia-asp check {report.rulebook}" + (f": {roles}" if roles else "")
    with language(lang):
        suite = ET.Element("testsuite", name=xml_text(name))
        for finding in report.findings:
            _case(suite, finding, book, lang)
        if not finished(report):
            said = summary(report, Words(book, lang))
            case = ET.SubElement(suite, "testcase", name="undecided", classname="check")
            text = " ".join([said.headline, *said.more])
            ET.SubElement(case, "error", message=xml_text(text), type="limit").text = xml_text(text)
        elif not report.findings:
            ET.SubElement(suite, "testcase", name=_("No findings."), classname="check")
    return suite


def with_counts(root: Element) -> Element:
    """Write into a document's root, and into each of its suites, how many cases ended in which way."""
    for element in (root, *root):
        counts = {
            "tests": len(element.findall(".//testcase")),
            "failures": len(element.findall(".//failure")),
            "errors": len(element.findall(".//error")),
            "skipped": len(element.findall(".//skipped")),
        }
        for key, count in counts.items():
            element.set(key, str(count))
    return root


def _case(suite: Element, finding: Finding, book: Rulebook, lang: str) -> None:
    from xml.etree import ElementTree as ET

    words = words_for(finding, book, lang)
    where = first_spot(finding, book)
    case = ET.SubElement(
        suite,
        "testcase",
        name=xml_text(finding.identity),
        classname=finding.kind,
        file=xml_text(where.file),
        line=str(where.line),
    )
    if finding.accepted:
        ET.SubElement(case, "skipped", message=xml_text(reason(finding, lang)))
    elif finding.severity == "note":
        ET.SubElement(case, "system-out").text = xml_text(message(finding, words))
    else:
        body = ET.SubElement(case, "failure", message=xml_text(sentence(finding, words)))
        body.set("type", finding.severity)
        body.text = xml_text(message(finding, words))
