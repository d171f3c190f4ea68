"""A check's findings in every format in which they are given out."""

from __future__ import annotations

from .data import diff_data, report_data, report_json
from .diff import put_diff
from .github import report_github
from .junit import report_junit
from .many import sets_json, sets_junit, sets_markdown, sets_text
from .markdown import report_markdown
from .sarif import report_sarif
from .text import check_text

__all__ = [
    "check_text",
    "diff_data",
    "put_diff",
    "report_data",
    "report_github",
    "report_json",
    "report_junit",
    "report_markdown",
    "report_sarif",
    "sets_json",
    "sets_junit",
    "sets_markdown",
    "sets_text",
]
