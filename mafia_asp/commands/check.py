"""``mafia-asp check``: what could go wrong with a role set, each with the smallest night that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..i18n import gettext as _
from ..i18n import number
from .common import (
    DEFAULT_RULEBOOK,
    keep_inputs,
    lang_option,
    new_page,
    note,
    output_option,
    progress_line,
    rulebook_option,
    width_option,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..check import Report
    from ..check.baseline import Diff
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
  mafia-asp check my_nights.yaml --rulings rulings.yaml
  mafia-asp check --all-roles --format sarif -o findings.sarif
  mafia-asp check --roles don,doctor,sniper --baseline accepted.yaml --update-baseline
  mafia-asp check --roles don,doctor,sniper --diff before.json""",
)
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path())
@rulebook_option
@click.option("--roles", metavar="LIST", help="Role set: don,doctor,sniper*2,citizen*3.")
@click.option("--all-roles", is_flag=True, help="Every role of the rulebook once, citizens as needed.")
@click.option(
    "--phase",
    "phases",
    type=click.Choice(["night", "intro", "setup"]),
    multiple=True,
    help="Only this phase; may be given several times.",
)
@click.option("--state", is_flag=True, help="Also items, counters and what was done the night before.")
@click.option("--gone", is_flag=True, help="Also nights on which some players are dead.")
@click.option("--deep", is_flag=True, help="Also find rules that do nothing: dead, shadowed, redundant.")
@click.option("--harmless", is_flag=True, help="Also list what changes no outcome of any night.")
@click.option(
    "--timeout", type=click.FloatRange(min=0), metavar="SECONDS", help="Stop and show what was found."
)
@click.option(
    "--rulings", metavar="FILE", type=click.Path(exists=True, dir_okay=False), help="What the table decided."
)
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
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@width_option
def command(
    files: tuple[str, ...],
    rulebook: str | None,
    roles: str | None,
    all_roles: bool,
    phases: tuple[str, ...],
    state: bool,
    gone: bool,
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
    exit_zero: bool,
    width: int | None,
) -> int:
    """Find contradictions, gaps, ambiguities and circles of a role set.

    All nights of every part of the role set are searched, strictly (no convention answers anything).
    Each finding comes with the smallest night that shows it, the outcomes that it divides, and the
    rulings that would settle it.
    """
    from ..check import baseline as accepted
    from ..check.report import PHASES, Wanted, check

    if update_baseline and baseline is None:
        raise click.UsageError(_("--update-baseline needs --baseline FILE."))
    book, cast = _role_set(files, rulebook, roles, all_roles)
    keep_inputs(output, [f for f in (*files, rulings, baseline, base) if f])
    answers = _rulings(rulings, book)
    known = accepted.read_accepted(baseline, book) if baseline and not update_baseline else None
    before = accepted.read_base(base, book) if base else None
    chosen = tuple(phase for phase in PHASES if not phases or phase in phases)
    with progress_line() as show:

        def progress(phase: str, done: int, of: int) -> None:
            show(f"{phase} {number(done)}/{number(of)}" if of else phase)

        wanted = Wanted(chosen, state, gone, timeout, deep)
        report = check(book, cast, wanted=wanted, rulings=answers, progress=progress)
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
    write(_show(report, book, diff, form, lang, harmless, output, width), output)
    if report.undecided or not report.complete:
        return 3
    fails = any(not f.accepted and f.severity in _FAILING[fail_on] for f in report.findings)
    return 1 if fails and not exit_zero else 0


def _role_set(
    files: Sequence[str], rulebook: str | None, roles: str | None, all_of_them: bool
) -> tuple[Rulebook, tuple[tuple[str, int], ...]]:
    """Return the rulebook and the role set that were asked for, in one of three ways."""
    from ..check.report import all_roles, role_set
    from ..rulebook import Rulebook

    if sum((bool(files), roles is not None, all_of_them)) != 1:
        raise click.UsageError(_("Name a role set in one way: --roles, --all-roles, or scenario files."))
    if files:
        return _cast_of(files, rulebook)
    book = Rulebook.load(rulebook or DEFAULT_RULEBOOK)
    return book, all_roles(book) if all_of_them else role_set(_parse_roles(roles or "", book))


def _parse_roles(text: str, book: Rulebook) -> list[str]:
    """Return the roles of ``don,doctor,sniper*2``, by any of their names."""
    from ..names import suggest

    found: list[str] = []
    for part in text.replace("،", ",").split(","):
        name, star, times = part.partition("*")
        role = book.find_role(name.strip())
        if isinstance(role, list):
            raise click.UsageError(
                _("{name} may be any of: {choices}. Write the id.").format(
                    name=name.strip(), choices=", ".join(role)
                )
            )
        if role is None:
            near = suggest(name.strip(), book.role_words())
            text = _("The rulebook {book} has no role {name}. 'mafia-asp roles' lists them.")
            hint = " " + _("Did you mean {near}?").format(near=near[0]) if near else ""
            raise click.UsageError(text.format(book=book.id, name=name.strip() or "''") + hint)
        if star and not (times.strip().isdecimal() and 1 <= int(times) <= _MOST):
            raise click.UsageError(
                _("{part}: behind the * stands how many there are, from 1 to {most}.").format(
                    part=part.strip(), most=_MOST
                )
            )
        found += [role] * (int(times) if star else 1)
    if len(found) > _MOST:
        raise click.UsageError(_("A role set holds {most} players at the most.").format(most=_MOST))
    return found


#: players of one role set
_MOST = 99


def _cast_of(files: Sequence[str], rulebook: str | None) -> tuple[Rulebook, tuple[tuple[str, int], ...]]:
    """Return the cast of scenario files: of each role as many as some scenario has."""
    from collections import Counter

    from ..rulebook import Rulebook, resolve
    from ..scenario import read_scenarios

    most: Counter[str] = Counter()
    books: dict[str, None] = {}
    for file in files:
        for scenario in read_scenarios(file):
            books[resolve(scenario.rulebook, file)] = None
            most |= Counter(player.role for player in scenario.players)
    if rulebook is None and len(books) > 1:
        raise click.UsageError(
            _("These scenarios belong to several rulebooks: {books}.").format(books=", ".join(books))
        )
    if not most:
        raise click.UsageError(_("No scenario found."))
    book = Rulebook.load(rulebook or next(iter(books)))
    return book, tuple(most.items())


def _rulings(file: str | None, book: Rulebook) -> dict[str, str]:
    if file is None:
        return {}
    from ..rulings import read_rulings

    return dict(read_rulings(file, book).answers)


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
