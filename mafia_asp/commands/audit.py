"""``mafia-asp audit``: whether what was recorded of games follows from the rules."""

from __future__ import annotations

import os
from contextlib import closing
from functools import partial as applied
from typing import TYPE_CHECKING

import click

from ..i18n import gettext as _
from ..i18n import number
from .common import (
    keep_apart,
    lang_option,
    new_page,
    output_option,
    progress_line,
    report_option,
    width_option,
    worst,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..game.audit import Plan, Result, Source

FORMS = ("text", "json", "junit", "sarif", "github")
_STATUS = {"clean": 0, "skipped": 0, "findings": 1, "error": 2, "limit": 3}
#: So many games are worth a process of their own.
_WORTH_A_PROCESS = 4


@click.command(
    "audit",
    epilog="""\b
Examples:
  mafia-asp audit friday.yaml
  mafia-asp audit league/ --jobs 4 --format sarif -o audit.sarif
  mafia-asp audit league/ --report junit=audit.xml --report json=audit.json
  mafia-asp audit friday.yaml --partial --lang fa""",
)
@click.argument("paths", metavar="GAME...", nargs=-1, required=True, type=click.Path())
@click.option(
    "--partial",
    is_flag=True,
    help="Announcements and answers that a record lacks are taken as not written down.",
)
@click.option("--strict", is_flag=True, help="Let no convention answer where the book is silent.")
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes; by default as many as help."
)
@lang_option
@click.option("--format", "form", type=click.Choice(FORMS), default="text")
@report_option(FORMS)
@output_option
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if something does not follow.")
@width_option
def command(
    paths: tuple[str, ...],
    partial: bool,
    strict: bool,
    jobs: int | None,
    lang: str,
    form: str,
    reports: tuple[tuple[str, str], ...],
    output: str | None,
    exit_zero: bool,
    width: int | None,
) -> int:
    """Play recorded games again, and report what was announced or shown and does not follow from the rules.

    GAME is the file of a game (mafia-asp game), or a folder with such files; - reads the standard input. The
    first error stands first, with the rules, and with the answer to an open question, if there is one, under
    which it would be right. Where the table has not ruled on an open question, every reading that fits the
    record stays possible. After an error the audit goes on from what was recorded.
    """
    from ..game.audit import Plan

    sources = _sources(paths)
    keep_apart(output, reports, [source.file for source in sources])
    results = _audit(sources, Plan(strict, partial, lang), jobs)
    if all(result.outcome == "skipped" for result in results):
        raise click.UsageError(_("No game found."))
    write(_show(results, form, output, width, lang), output)
    for each, file in reports:
        write(_show(results, each, file, width, lang), file)
    statuses = [_STATUS[result.outcome] for result in results]
    return worst(0 if status == 1 and exit_zero else status for status in statuses)


def _sources(paths: Sequence[str]) -> list[Source]:
    """Give every file once, in the order given. Raises InputError for a folder without any file."""
    from ..game.audit import Source
    from ..scenario import find_files

    found: dict[str, Source] = {}
    for path in paths:
        inside = path != "-" and os.path.isdir(path)
        for file in find_files(path):
            known = found.get(file)
            found[file] = Source(file, inside and (known is None or known.found))
    return list(found.values())


def _audit(sources: Sequence[Source], plan: Plan, jobs: int | None) -> list[Result]:
    from ..batch import LocalEngine
    from ..game.audit import audit_files, lost

    workers = jobs
    if any(source.file == "-" for source in sources) or (jobs is None and len(sources) < _WORTH_A_PROCESS):
        workers = 1
    results: list[Result] = []
    work = applied(audit_files, plan=plan)
    with (
        progress_line() as show,
        closing(LocalEngine(workers).map(work, [[source] for source in sources], lost)) as found,
    ):
        show(f"{number(0)}/{number(len(sources))}")
        for _chunk, made in found:
            results += made
            show(f"{number(len(results))}/{number(len(sources))}")
    return results


def _show(results: Sequence[Result], form: str, output: str | None, width: int | None, lang: str) -> str:
    from ..render import audit as render

    if form == "sarif":
        return render.audits_sarif(results)
    speaker = render.Speaker(lang)
    if form == "json":
        from ..render.json import dumps

        return dumps(render.audits_data(results, speaker))
    if form == "junit":
        from ..render.junit import junit_xml

        return junit_xml(render.as_tests(results, speaker))
    if form == "github":
        from ..render.github import results_github

        return results_github(render.as_tests(results, speaker))
    page = new_page(output, width, lang)
    render.put_audits(page, results, speaker)
    return page.text()
