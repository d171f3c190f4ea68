"""What differs from an earlier check, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...i18n import gettext as _
from ...i18n import number
from ..layout import clean, isolate
from .words import severity_word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...check.baseline import Diff, Found
    from ..layout import Page


def put_diff(page: Page, diff: Diff) -> None:
    """Add the findings gained and lost since an earlier check, and how many there are of each."""
    page.put()
    page.put(_("Compared with {file}").format(file=isolate(diff.base, page.lang)), "bold", hang=2)
    _put(page, _("New: {n}").format(n=number(len(diff.gained))), diff.gained, "red")
    _put(page, _("Gone: {n}").format(n=number(len(diff.lost))), diff.lost, "green")
    if diff.undecided:
        text = _("Found before, and not decided this time: {n}")
        _put(page, text.format(n=number(len(diff.undecided))), diff.undecided, "yellow")


def _put(page: Page, heading: str, findings: Iterable[Found], style: str) -> None:
    page.put(heading, style, indent=2)
    for finding in findings:
        page.verbatim(clean(finding["identity"]), indent=4)
        text = clean(finding["message"].get(page.lang, ""))
        severity = severity_word(finding["severity"])
        page.put(f"{severity}: {text}" if text else severity, "dim", indent=6)
