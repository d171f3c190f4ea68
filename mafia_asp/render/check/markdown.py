"""A report as Markdown, each finding with its night as a scenario to copy."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ...check.kinds import TEXTS
from ...i18n import gettext as _
from ...i18n import language
from ..answer import joined, ruling_line
from ..markdown import code, escape
from ..words import Words
from .data import night_data
from .words import (
    by_kind,
    cast_line,
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
    from collections.abc import Iterable, Iterator

    from ...check.findings import Finding, Report, Witness
    from ...rulebook import Rulebook
    from ..answer import Divide


def report_markdown(report: Report, book: Rulebook, lang: str, show_harmless: bool = False) -> str:
    """Give a report as a Markdown document."""
    with language(lang):
        return "\n".join(_lines(report, book, lang, show_harmless)).rstrip("\n") + "\n"


def _lines(report: Report, book: Rulebook, lang: str, show_harmless: bool) -> Iterator[str]:
    words = Words(book, lang)
    said = summary(report, words, show_harmless)
    yield "## " + escape(_("Check of {book}").format(book=words.ids([report.rulebook])))
    yield ""
    if report.roles:
        yield escape(_("Role set: {roles}").format(roles=cast_line(report, words)))
        yield ""
    yield f"**{escape(said.headline)}**"
    yield ""
    yield from (f"- {escape(line)}" for line in said.more)
    if said.more:
        yield ""
    for kind, found in by_kind(shown(report)):
        yield f"### {escape(_(TEXTS[kind].heading))}"
        yield ""
        for finding in found:
            yield from _finding(finding, book, lang)
    if show_harmless and report.harmless:
        yield "### " + _("Points that change no outcome")
        yield ""
        yield from _brief(report.harmless, words)


def _brief(findings: Iterable[Finding], words: Words) -> Iterator[str]:
    for finding in findings:
        yield f"- {code(finding.id)}: {escape(sentence(finding, words))}"
    yield ""


def _finding(finding: Finding, book: Rulebook, lang: str) -> Iterator[str]:
    words = words_for(finding, book, lang)
    yield f"#### {code(finding.id)}"
    yield ""
    yield f"{severity_word(finding.severity)}: {escape(sentence(finding, words))}"
    yield ""
    if among := in_sets(finding, words):
        yield among
        yield ""
    for rule in finding.rules:
        yield f"- {_cite(rule, words)}"
    if finding.place:
        where = spot(finding.place)
        yield "- " + code(f"{where.file}:{where.line}:{where.column}")
    if finding.rules or finding.place:
        yield ""
    if finding.witness:
        yield from _night(finding, finding.witness, words)
    for parts in divides(finding, words):
        yield from _ways(parts, words)
    if finding.settlements:
        yield _("To settle it, add one of these lines under rulings:")
        yield ""
        for settlement in finding.settlements:
            more = closing(finding, settlement.closes, words)
            yield f"- {code(settlement.ruling)}" + (f" ({escape(more)})" if more else "")
        yield ""


def _night(finding: Finding, witness: Witness, words: Words) -> Iterator[str]:
    yield escape(night_heading(witness.verdict.scenario))
    yield ""
    yield from (f"> {escape(line)}  " for line in night_lines(witness.verdict.scenario, words))
    yield ""
    breaks = witness.breaks
    if breaks is not None and finding.id not in breaks:
        yield escape(legality(witness))
        yield ""
    if breaks and finding.id not in breaks:
        yield from (f"- {_cite(rule, words)}" for rule in breaks)
        yield ""
    yield "```yaml"
    # JSON is YAML, and none of its lines can end the block.
    for key, value in night_data(witness, words.book).items():
        yield f"{key}: {json.dumps(value, ensure_ascii=False)}"
    yield "```"
    yield ""


def _ways(parts: Divide, words: Words) -> Iterator[str]:
    yield "| " + _("answers") + " | " + _("outcome") + " |"
    yield "| --- | --- |"
    for combinations, phrases in parts.ways:
        ways = "<br>".join(
            ", ".join(code(ruling_line(q, a)) for q, a in combination.items()) for combination in combinations
        )
        yield f"| {ways} | {escape(joined(phrases, words)) or _('nothing else changes')} |"
    yield ""


def _cite(rule: str, words: Words) -> str:
    source = words.source(rule)
    label = code(rule) + (f" ({code(source)})" if source else "")
    text = words.rule(rule)
    return f"{escape(text)} {label}" if text else label
