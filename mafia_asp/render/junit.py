"""Test results as JUnit XML: one test case a scenario, one suite a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from xml.etree.ElementTree import Element

    from ..suite import Result


def junit_xml(results: Sequence[Result]) -> str:
    """Give the results as a JUnit XML document. No times are given: the same run gives the same bytes."""
    from xml.etree import ElementTree as ET

    root = ET.Element("testsuites", {"name": "mafia-asp", **_counts(results)})
    for file in dict.fromkeys(r.file for r in results):
        part = [r for r in results if r.file == file]
        suite = ET.SubElement(root, "testsuite", {"name": xml_text(file), **_counts(part)})
        for result in part:
            case = ET.SubElement(
                suite,
                "testcase",
                name=xml_text(result.id),
                classname=xml_text(file),
                file=xml_text(file),
                line=str(result.line),
            )
            if result.outcome in _TAGS:
                first = result.messages[0] if result.messages else result.outcome
                body = ET.SubElement(case, _TAGS[result.outcome], message=xml_text(first))
                if result.outcome != "skipped":
                    body.set("type", result.outcome)
                    body.text = xml_text("\n".join(result.messages))
    return xml_document(root)


_TAGS = {"failed": "failure", "error": "error", "limit": "error", "skipped": "skipped"}


def _counts(results: Sequence[Result]) -> dict[str, str]:
    outcomes = [r.outcome for r in results]
    return {
        "tests": str(len(outcomes)),
        "failures": str(outcomes.count("failed")),
        "errors": str(outcomes.count("error") + outcomes.count("limit")),
        "skipped": str(outcomes.count("skipped")),
    }


def xml_document(root: Element) -> str:
    """Give an element as a whole document."""
    from xml.etree import ElementTree as ET

    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def xml_text(text: str) -> str:
    """Leave out what XML 1.0 cannot hold."""
    return "".join(
        c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "\ufffd"
        for c in text
    )
