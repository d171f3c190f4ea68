"""Many role sets for ``mafia-asp check``: ``--sets FILE``, or ``--each`` of the scenarios' casts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from ..i18n import gettext as _
from ..i18n import number
from .cast import parse_roles, rulings_of
from .common import DEFAULT_RULEBOOK, new_page, note, progress_line, with_options, worst, write
from .engines import chosen_engine, engine_options

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..check import Report
    from ..check.many import RoleSet
    from ..check.report import Wanted
    from ..rulebook import Rulebook

    F = TypeVar("F", bound=Callable[..., Any])


def sets_options(command: F) -> F:
    """``--sets --each --jobs --engine --scheduler``: what :func:`check_many` takes."""
    return with_options(
        click.option(
            "--sets", metavar="FILE", type=click.Path(), help="Check many role sets: one a line of a file."
        ),
        click.option("--each", is_flag=True, help="Check the cast of each scenario by itself."),
        engine_options,
    )(command)


class Request(NamedTuple):
    """What is asked of a check of many role sets, as the options of ``check`` name it."""

    files: tuple[str, ...]
    rulebook: str | None
    sets: str | None
    wanted: Wanted
    rulings: str | None
    baseline: str | None
    update_baseline: bool
    failing: tuple[str, ...]
    harmless: bool
    lang: str
    #: formats, each with the file that it goes to
    outputs: tuple[tuple[str, str | None], ...]
    width: int | None
    exit_zero: bool


def check_many(asked: Request, jobs: int | None, kind: str, scheduler: str | None) -> int:
    """Check role sets one by one, report on all of them, and give the exit status."""
    from ..check import baseline as accepted
    from ..check.many import Job, check_sets, marked, together

    book, sets = _sets_of_file(asked) if asked.sets else _sets_of_scenarios(asked)
    if not sets:
        raise click.UsageError(_("No role set found."))
    answers, places = rulings_of(asked.rulings, book)
    known = None
    if asked.baseline and not asked.update_baseline:
        known = accepted.read_accepted(asked.baseline, book)
    job = Job(book.path_or_id, asked.wanted, answers, places)
    with chosen_engine(jobs, kind, scheduler) as engine, progress_line() as show:

        def progress(done: int, of: int) -> None:
            show(f"{number(done)}/{number(of)}")

        reports = check_sets(sets, job, engine, progress)
    if asked.update_baseline and asked.baseline:
        count = accepted.update_baseline(asked.baseline, together(reports), book)
        note(_("Written to {file}: {n} findings").format(file=asked.baseline, n=number(count)))
        known = accepted.read_accepted(asked.baseline, book)
    whole = together(reports, known)
    if known is not None:
        reports = marked(reports, known)
    for form, file in asked.outputs:
        write(_show(reports, whole, book, form, file, asked), file)
    statuses = {3 for report in reports if report.undecided or not report.complete}
    if any(not f.accepted and f.severity in asked.failing for f in whole.findings) and not asked.exit_zero:
        statuses.add(1)
    return worst(statuses)


def _sets_of_file(asked: Request) -> tuple[Rulebook, list[RoleSet]]:
    """Read the role sets of a text file, one a line. Raises click.UsageError with every wrong line."""
    from .. import places
    from ..check.many import RoleSet, distinct
    from ..check.report import role_set
    from ..rulebook import Rulebook

    book = Rulebook.load(asked.rulebook or DEFAULT_RULEBOOK)
    name = places.shown_name(asked.sets or "")
    sets, wrong = [], []
    for row, line in enumerate(places.read_text(asked.sets or "").splitlines(), 1):
        if roles := line.partition("#")[0].strip():
            try:
                sets.append(RoleSet(role_set(parse_roles(roles, book))))
            except click.UsageError as error:
                wrong.append(f"{name}:{row}: {error.message}")
    if wrong:
        raise click.UsageError("\n".join(wrong))
    return book, distinct(sets)


def _sets_of_scenarios(asked: Request) -> tuple[Rulebook, list[RoleSet]]:
    """Return the casts of scenarios, as they are and as they were dealt."""
    from ..check.many import RoleSet, distinct
    from ..rulebook import Rulebook, resolve
    from ..scenario import read_scenarios

    sets: list[RoleSet] = []
    books: dict[str, None] = {}
    loaded: dict[str, Rulebook] = {}
    for file in asked.files:
        for scenario in read_scenarios(file, loaded):
            books[resolve(scenario.rulebook, file)] = None
            if not scenario.players:
                continue
            now = Counter(player.role for player in scenario.players)
            dealt = Counter(str(player.was.get("role", player.role)) for player in scenario.players)
            sets.append(RoleSet(tuple(now.items()), (tuple(dealt.items()),)))
    if asked.rulebook is None and len(books) > 1:
        text = _("These scenarios belong to several rulebooks: {books}.")
        raise click.UsageError(text.format(books=", ".join(books)))
    return Rulebook.load(asked.rulebook or next(iter(books), DEFAULT_RULEBOOK)), distinct(sets)


def _show(
    reports: Sequence[Report], whole: Report, book: Rulebook, form: str, file: str | None, asked: Request
) -> str:
    from ..render import check as render

    if form == "json":
        return render.sets_json(reports, book)
    if form == "markdown":
        return render.sets_markdown(reports, whole, book, asked.lang, asked.harmless)
    if form == "junit":
        return render.sets_junit(reports, book, asked.lang)
    if form == "github":
        return render.report_github(whole, book, asked.lang)
    if form == "sarif":
        return render.report_sarif(whole, book)
    page = new_page(file, asked.width, asked.lang)
    render.sets_text(page, reports, whole, book, asked.harmless)
    return str(page.text())
