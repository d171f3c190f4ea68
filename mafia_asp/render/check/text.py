"""A report as plain text: grouped by kind, the worst first, each finding with its smallest night."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...check.kinds import TEXTS
from ...i18n import gettext as _
from ..answer import joined
from ..layout import clean, isolate
from ..text import arrow, put_cite, put_tree
from ..words import Words
from .words import (
    by_kind,
    cast_line,
    chosen,
    closing,
    divides,
    in_sets,
    legality,
    night_heading,
    night_lines,
    sentence,
    severity_word,
    shown,
    spot,
    summary,
    words_for,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...check.findings import Finding, Report, Witness
    from ...rulebook import Rulebook
    from ..answer import Divide
    from ..layout import Page

_STYLES = {"error": "red", "warning": "yellow", "note": "dim"}


def check_text(page: Page, report: Report, book: Rulebook, show_harmless: bool = False) -> None:
    """Add a report to a page, in the page's language (which must be the one that is spoken)."""
    words = Words(book, page.lang)
    if report.roles:
        page.put(_("Role set: {roles}").format(roles=cast_line(report, words)), "bold", hang=2)
    _put_kinds(page, shown(report), book)
    if show_harmless and report.harmless:
        page.put()
        page.put(_("Points that change no outcome"), "bold")
        for finding in report.harmless:
            page.put()
            _put_head(page, finding, words)
    page.put()
    said = summary(report, words, show_harmless)
    page.put(said.headline, "bold", *(("green",) if said.clean else ()), hang=2)
    for line in said.more:
        page.put(line, hang=2)


def _put_kinds(page: Page, findings: Iterable[Finding], book: Rulebook) -> None:
    for kind, found in by_kind(findings):
        page.put()
        page.put(_(TEXTS[kind].heading), "bold")
        for finding in found:
            page.put()
            put_finding(page, finding, book)


def put_finding(page: Page, finding: Finding, book: Rulebook) -> None:
    """Add a finding: what it is, the rules, the smallest night, and how to settle it."""
    words = words_for(finding, book, page.lang)
    _put_head(page, finding, words)
    if among := in_sets(finding, words):
        page.put(among, "dim", indent=2, hang=4)
    for rule in finding.rules:
        put_cite(page, words.cite(rule), words)
    if finding.place:
        where = spot(finding.place)
        page.verbatim(clean(f"{where.file}:{where.line}:{where.column}"), "dim", indent=4)
    if finding.witness:
        _put_night(page, finding, finding.witness, words)
    for parts in divides(finding, words):
        page.put()
        _put_ways(page, parts, words)
    if finding.settlements:
        page.put()
        page.put(_("To settle it, add one of these lines under rulings:"), "dim", indent=2)
        for settlement in finding.settlements:
            page.verbatim(clean(settlement.ruling), "cyan", indent=4)
            if more := closing(finding, settlement.closes, words):
                page.put(more, "dim", indent=6)


def _put_head(page: Page, finding: Finding, words: Words) -> None:
    page.verbatim(clean(finding.id), "bold")
    severity = page.paint(severity_word(finding.severity), _STYLES[finding.severity])
    page.put(f"{severity}: {sentence(finding, words)}", indent=2)


def _put_night(page: Page, finding: Finding, witness: Witness, words: Words) -> None:
    page.put()
    page.put(night_heading(witness.verdict.scenario), "dim", indent=2)
    for line in night_lines(witness.verdict.scenario, words):
        page.put(line, indent=4, hang=6)
    if witness.breaks is None or finding.id in witness.breaks:
        return
    page.put(legality(witness), "dim", indent=4, hang=6)
    for rule in witness.breaks:
        put_cite(page, words.cite(rule), words, indent=6)


def _put_ways(page: Page, parts: Divide, words: Words) -> None:
    """Add what follows from each answer, in a line; of several questions, as a tree."""
    single = chosen(parts)
    if single is None:
        put_tree(page, parts, parts.tree, words, 2)
        return
    for answers, phrases in single:
        outcome = joined(phrases, words) or _("nothing else changes")
        label = page.paint(" / ".join(isolate(answer, page.lang) for answer in answers), "cyan")
        page.put(f"{label} {arrow(page.lang)} {page.paint(outcome, 'bold')}", indent=2, hang=4)
