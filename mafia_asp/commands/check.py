"""``mafia-asp check``: what could go wrong with a role set, each with the smallest night that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..i18n import gettext as _
from ..i18n import number
from .cast import (
    chosen_phases,
    phase_option,
    role_set,
    role_set_options,
    rulings_of,
    rulings_option,
    shown_progress,
    timeout_option,
)
from .common import (
    keep_apart,
    lang_option,
    new_page,
    note,
    output_option,
    report_option,
    width_option,
    writable,
    write,
)
from .sets import Request, check_many, sets_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..check import Report
    from ..check.baseline import Diff
    from ..check.shape import Cast
    from ..rulebook import Rulebook

FORMATS = ("text", "json", "markdown", "junit", "github", "sarif")
#: the mildest severity with which a check fails -> the severities that then fail
_FAILING = {
    "error": ("error",),
    "warning": ("error", "warning"),
    "note": ("error", "warning", "note"),
    "never": (),
}


@click.command(
    "check",
    epilog="""\b
Examples:
  mafia-asp check --roles don,doctor,sniper,bartender,citizen*3
  mafia-asp check --roles don,terrorist,guardian,citizen*3 --phase day --phase end
  mafia-asp check my_nights.yaml --rulings rulings.yaml
  mafia-asp check --all-roles --format sarif -o findings.sarif
  mafia-asp check --roles don,doctor,sniper --baseline accepted.yaml --update-baseline
  mafia-asp check --roles don,doctor,sniper --diff before.json
  mafia-asp check --sets role_sets.txt --jobs 2 --format sarif -o findings.sarif
  mafia-asp check games/ --each""",
)
@role_set_options
@sets_options
@phase_option
@click.option("--state", is_flag=True, help="Also items, counters and what was done the night before.")
@click.option("--gone", is_flag=True, help="Also nights on which some players are dead.")
@click.option(
    "--acts",
    type=click.IntRange(0, 20),
    metavar="N",
    help="Days on which up to N things are told (by default 3, at the end 2).",
)
@click.option("--deep", is_flag=True, help="Also find rules that do nothing: dead, shadowed, redundant.")
@click.option("--harmless", is_flag=True, help="Also list what changes no outcome of any night.")
@timeout_option
@rulings_option
@click.option("--baseline", metavar="FILE", type=click.Path(dir_okay=False), help="Accepted findings.")
@click.option("--update-baseline", is_flag=True, help="Write what is found now into the baseline.")
@click.option(
    "--diff",
    "base",
    metavar="BASE",
    type=click.Path(exists=True, dir_okay=False),
    help="Compare with an earlier JSON report.",
)
@click.option(
    "--fail-on",
    type=click.Choice(list(_FAILING)),
    default="warning",
    show_default=True,
    help="The mildest finding with which the status is 1.",
)
@lang_option
@click.option("--format", "form", type=click.Choice(FORMATS), default="text")
@output_option
@report_option(FORMATS)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@width_option
def command(
    files: tuple[str, ...],
    rulebook: str | None,
    roles: str | None,
    all_roles: bool,
    sets: str | None,
    each: bool,
    jobs: int | None,
    kind: str,
    scheduler: str | None,
    phases: tuple[str, ...],
    state: bool,
    gone: bool,
    acts: int | None,
    deep: bool,
    harmless: bool,
    timeout: float | None,
    rulings: str | None,
    baseline: str | None,
    update_baseline: bool,
    base: str | None,
    fail_on: str,
    lang: str,
    form: str,
    output: str | None,
    reports: tuple[tuple[str, str], ...],
    exit_zero: bool,
    width: int | None,
) -> int:
    """Find contradictions, gaps, ambiguities and circles of a role set.

    All nights of every part of the role set are searched, strictly (no convention answers anything); with
    --phase day and --phase end the days and ends of games too, on which a few things are told.
    Each finding comes with the smallest night that shows it, the outcomes that it divides, and the
    rulings that would settle it.
    """
    from ..check import baseline as accepted
    from ..check.report import Wanted, check

    if update_baseline and baseline is None:
        raise click.UsageError(_("--update-baseline needs --baseline FILE."))
    if update_baseline and writable(baseline) == "-":
        raise click.UsageError(_("--update-baseline needs --baseline FILE."))
    wanted = Wanted(chosen_phases(phases), state, gone, timeout, deep=deep, acts=acts)
    if sets or each:
        if roles is not None or all_roles or (each and sets) or bool(files) != each:
            text = _("Many role sets come from --sets FILE, or from scenario files and --each.")
            raise click.UsageError(text)
        if base:
            raise click.UsageError(_("--diff compares one role set with an earlier check of it."))
        keep_apart(output, reports, [f for f in (*files, sets, rulings, baseline) if f])
        outputs = ((form, output), *reports)
        asked = Request(
            files,
            rulebook,
            sets,
            wanted,
            rulings,
            baseline,
            update_baseline,
            _FAILING[fail_on],
            harmless,
            lang,
            outputs,
            width,
            exit_zero,
        )
        return check_many(asked, jobs, kind, scheduler)
    if jobs or kind != "local" or scheduler:
        raise click.UsageError(_("--jobs, --engine and --scheduler go with --sets or --each."))
    book, cast = role_set(files, rulebook, roles, all_roles)
    keep_apart(output, reports, [f for f in (*files, rulings, baseline, base) if f])
    answers, places = rulings_of(rulings, book)
    wanted = wanted._replace(casts=_casts(files, cast) if not all_roles else ())
    known = accepted.read_accepted(baseline, book) if baseline and not update_baseline else None
    before = accepted.read_base(base, book) if base else None
    with shown_progress() as progress:
        report = check(book, cast, wanted=wanted, rulings=answers, places=places, progress=progress)
    if update_baseline and baseline is not None:
        count = accepted.update_baseline(baseline, report, book)
        note(_("Written to {file}: {n} findings").format(file=baseline, n=number(count)))
        known = accepted.read_accepted(baseline, book)
    if known is not None:
        report = accepted.apply(report, known)
    diff = None
    if before is not None:
        from ..render.check import report_data

        diff = accepted.diff(report_data(report, book), before)
    for shape, file in ((form, output), *reports):
        write(_show(report, book, diff, shape, lang, harmless, file, width), file)
    if report.undecided or not report.complete:
        return 3
    fails = any(not f.accepted and f.severity in _FAILING[fail_on] for f in report.findings)
    return 1 if fails and not exit_zero else 0


def _casts(files: Sequence[str], cast: Cast) -> tuple[Cast, ...]:
    """Return the role sets whose make-up is looked at: with files, each scenario's own, as it was dealt."""
    from collections import Counter

    from ..scenario import read_scenarios

    if not files or "-" in files:  # what was read from standard input cannot be read again
        return (cast,)
    dealt = (
        Counter(str(player.was.get("role", player.role)) for player in scenario.players)
        for file in files
        for scenario in read_scenarios(file)
    )
    return tuple(dict.fromkeys(tuple(roles.items()) for roles in dealt if roles))


def _show(
    report: Report,
    book: Rulebook,
    diff: Diff | None,
    form: str,
    lang: str,
    harmless: bool,
    output: str | None,
    width: int | None,
) -> str:
    from ..render import check as render

    if form == "json":
        return render.report_json(report, book, diff)
    if form == "markdown":
        return render.report_markdown(report, book, lang, harmless)
    if form == "junit":
        return render.report_junit(report, book, lang)
    if form == "github":
        return render.report_github(report, book, lang)
    if form == "sarif":
        return render.report_sarif(report, book)
    page = new_page(output, width, lang)
    if diff is not None:
        render.put_diff(page, diff)
    else:
        render.check_text(page, report, book, harmless)
    return str(page.text())
