"""Test results as text, as Markdown and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..i18n import current_language, ngettext, number
from ..i18n import gettext as _
from .json import FORMAT
from .layout import isolate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..coverage import Coverage
    from ..suite import Result
    from .layout import Page

_STYLES = {"failed": "red", "error": "red", "limit": "yellow", "skipped": "dim", "passed": "green"}

#: What a scenario may come to that is not as it should be, and how badly that is taken.
UNSETTLED = {"failed": "error", "error": "error", "limit": "warning"}


def outcome_word(outcome: str) -> str:
    """Name what came of a scenario."""
    known = {
        "passed": _("passed"),
        "failed": _("failed"),
        "error": _("error"),
        "limit": _("limit"),
        "skipped": _("skipped"),
    }
    return known[outcome]


def put_results(page: Page, results: Sequence[Result]) -> None:
    """Add what did not pass, with its reasons, and a line with the counts."""
    for result in results:
        if result.outcome not in UNSETTLED:
            continue
        where = isolate(f"{result.file}:{result.line}", page.lang)
        name = isolate(result.id, page.lang)
        page.put(
            f"{page.paint(outcome_word(result.outcome), _STYLES[result.outcome])} {name} ({where})", hang=2
        )
        for message in result.messages:
            page.put(message, indent=2, hang=4)
    page.put()
    for line in _skips(results):
        page.put(line, "dim")
    page.put(summary(results), "bold", "green" if all_fine(results) else "red")


def _skips(results: Sequence[Result]) -> list[str]:
    """Say how many scenarios were skipped, by reason."""
    from collections import Counter

    reasons = Counter("".join(result.messages[:1]) for result in results if result.outcome == "skipped")
    return [
        _("skipped {n}: {reason}").format(n=number(times), reason=reason) for reason, times in reasons.items()
    ]


def results_markdown(results: Sequence[Result]) -> str:
    """Give the counts, and what did not pass, as Markdown."""
    from .markdown import code, escape

    lines = ["## " + escape(_("Scenarios")), "", f"**{escape(summary(results))}**", ""]
    for result in results:
        if result.outcome not in UNSETTLED:
            continue
        where = code(f"{result.file}:{result.line}")
        lines.append(f"- {escape(outcome_word(result.outcome))} {code(result.id)} ({where})")
        lines += [f"  - {escape(' '.join(message.split()))}" for message in result.messages]
    lines += [f"- {escape(line)}" for line in _skips(results)]
    return "\n".join(lines).rstrip("\n") + "\n"


def all_fine(results: Sequence[Result]) -> bool:
    """Tell whether nothing failed."""
    return bool(results) and all(r.outcome in ("passed", "skipped") for r in results)


def summary(results: Sequence[Result]) -> str:
    """Count what came of the scenarios."""
    outcomes = [r.outcome for r in results]
    total = ngettext("{n} scenario", "{n} scenarios", len(outcomes)).format(n=number(len(outcomes)))
    parts = [f"{number(outcomes.count(o))} {outcome_word(o)}" for o in _STYLES if outcomes.count(o)]
    return f"{total}: " + ("، " if current_language() == "fa" else ", ").join(parts)


def put_coverage(page: Page, coverage: Sequence[Coverage]) -> None:
    """Add which rules of each rulebook are encoded, and which a scenario cites."""
    for book in coverage:
        page.put()
        page.put(_("Rules of {book}").format(book=isolate(book["rulebook"], page.lang)), "bold")
        rows = (
            ("both", _("encoded, and cited by a scenario")),
            ("encoded_only", _("encoded, cited by no scenario")),
            ("cited_only", _("cited, not encoded")),
            ("neither", _("neither encoded nor cited")),
        )
        for key, said in rows:
            ids: list[str] = book[key]  # type: ignore[literal-required]
            page.put(f"{said}: {number(len(ids))}", indent=2)
            if key != "both" and ids:
                page.put(" ".join(isolate(i, page.lang) for i in ids), "dim", indent=4)


def results_data(results: Sequence[Result], coverage: Sequence[Coverage] | None) -> dict[str, Any]:
    """Give the results as JSON data."""
    outcomes = [r.outcome for r in results]
    data: dict[str, Any] = {
        "format": FORMAT,
        "counts": {outcome: outcomes.count(outcome) for outcome in reversed(_STYLES)},
        "results": [
            {"file": r.file, "line": r.line, "id": r.id, "outcome": r.outcome, "messages": list(r.messages)}
            for r in results
        ],
    }
    if coverage is not None:
        data["coverage"] = list(coverage)
    return data
