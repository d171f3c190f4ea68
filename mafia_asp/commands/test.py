"""``mafia-asp test``: run scenarios against their expectations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..i18n import gettext as _
from ..i18n import number
from .common import (
    keep_apart,
    lang_option,
    new_page,
    note,
    output_option,
    progress_line,
    report_option,
    width_option,
    worst,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..coverage import Coverage
    from ..suite import Plan, Result, Task

FORMATS = ("text", "json", "markdown", "junit", "github", "sarif")
_STATUS = {"passed": 0, "skipped": 0, "failed": 1, "error": 2, "limit": 3}


@click.command(
    "test",
    epilog="""\b
Examples:
  mafia-asp test scenarios
  mafia-asp test scenarios -k sniper --fail-fast
  mafia-asp test my_nights.yaml --format junit -o report.xml
  mafia-asp test scenarios --format github --report sarif=tests.sarif --report junit=tests.xml
  mafia-asp test scenarios --coverage
  mafia-asp test my_nights.yaml --update""",
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path())
@click.option(
    "-k", "keyword", metavar="TEXT", default="", help="Only scenarios with this in id, title or file."
)
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes; by default as many as help."
)
@click.option("--fail-fast", is_flag=True, help="Stop at the first scenario that fails.")
@click.option(
    "--coverage", "with_coverage", is_flag=True, help="Show which rules are encoded, and which cited."
)
@click.option("--update", is_flag=True, help="Rewrite the expectations that fail, where that is safe.")
@click.option(
    "--rulings", metavar="FILE", type=click.Path(exists=True, dir_okay=False), help="What the table decided."
)
@click.option("--no-rulings", is_flag=True, help="Do not look for rulings.yaml beside the scenarios.")
@click.option("--strict", is_flag=True, help="No conventions, even where a scenario asks for them.")
@click.option("--conventions", is_flag=True, help="Let conventions answer where the book is silent.")
@lang_option
@click.option("--format", "form", type=click.Choice(FORMATS), default="text")
@output_option
@report_option(FORMATS)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if scenarios fail.")
@width_option
def command(
    paths: tuple[str, ...],
    keyword: str,
    jobs: int | None,
    fail_fast: bool,
    with_coverage: bool,
    update: bool,
    rulings: str | None,
    no_rulings: bool,
    strict: bool,
    conventions: bool,
    lang: str,
    form: str,
    output: str | None,
    reports: tuple[tuple[str, str], ...],
    exit_zero: bool,
    width: int | None,
) -> int:
    """Run the scenarios in files and folders against what they expect.

    Conventions are off here, because the rulebook itself is on trial. A scenario that expects
    nothing is skipped. A scenario that cannot be read fails alone.
    """
    from .. import suite
    from ..house import HouseRules

    if strict and conventions:
        raise click.UsageError(_("--strict and --conventions exclude each other."))
    house = HouseRules(rulings, look_beside=not no_rulings)
    with progress_line() as show:
        show(_("Reading the scenarios"))
        tasks = suite.collect(paths, keyword, house.apply_to)
    for file in house.used:
        note(_("Rulings from {file}").format(file=file))
    if not tasks:
        raise click.UsageError(_("No scenario found."))
    read = dict.fromkeys((*(task.file for task in tasks), *house.used, *([rulings] if rulings else ())))
    keep_apart(output, reports, read)
    plan = suite.Plan(lang, True if conventions else False if strict else None)
    with progress_line() as show:

        def count(done: int) -> None:
            show(f"{number(done)}/{number(len(tasks))}")

        results = suite.run(tasks, plan, jobs=jobs, fail_fast=fail_fast, progress=count)
    if update:
        results = _update(tasks, results, plan)
    covered = _coverage(tasks) if with_coverage else None
    wanted: list[tuple[str, str | None]] = [(form, output), *reports]
    for shape, target in wanted:
        write(_show(results, covered, shape, partial(new_page, target, width, lang)), target)
    statuses = [_STATUS[r.outcome] for r in results]
    return worst(0 if s == 1 and exit_zero else s for s in statuses)


def _scenarios(tasks: Sequence[Task | Result]) -> list[Task]:
    from ..suite import Task

    return [task for task in tasks if isinstance(task, Task)]


def _coverage(tasks: Sequence[Task | Result]) -> list[Coverage]:
    from ..coverage import coverage

    return coverage(task.scenario for task in _scenarios(tasks))


def _update(tasks: Sequence[Task | Result], results: Sequence[Result], plan: Plan) -> list[Result]:
    """Rewrite what failed, say what was and what was not, and run the changed scenarios again."""
    from .. import suite
    from ..update import update

    failed = [(t, r) for t, r in zip(tasks, results, strict=False) if r.outcome == "failed"]
    pairs = [(t.file, t.scenario) for t, _r in failed if isinstance(t, suite.Task)]
    changed, left = update(pairs, lambda s: suite.decide_for_test(s, plan))
    names = {id(t.scenario): t for t in _scenarios(tasks)}
    for scenario in changed:
        note(_("Rewritten: {name}").format(name=names[id(scenario)].id))
    for scenario, why in left:
        note(_("Left as it is: {name}: {why}").format(name=names[id(scenario)].id, why=why))
    files = {names[id(s)].file for s in changed}
    again = {(t.file, t.line, t.id): t for f in sorted(files) for t in _scenarios(suite.collect([f]))}
    fresh: dict[tuple[str, str], Any] = {(t.file, t.id): t for t in again.values()}
    rewritten = {(names[id(s)].file, names[id(s)].id) for s in changed}
    return [
        suite.run_all([fresh[r.file, r.id]], plan)[0]
        if (r.file, r.id) in rewritten and (r.file, r.id) in fresh
        else r
        for r in results
    ]


def _show(
    results: Sequence[Result], covered: list[Coverage] | None, form: str, page_for: Callable[[], Any]
) -> str:
    if form == "junit":
        from ..render.junit import junit_xml

        return junit_xml(results)
    if form == "github":
        from ..render.github import results_github

        return results_github(results)
    if form == "sarif":
        from ..render.sarif import results_sarif

        return results_sarif(results)
    from ..render import results as render

    if form == "json":
        from ..render.json import dumps

        return dumps(render.results_data(results, covered))
    if form == "markdown":
        return render.results_markdown(results)
    page = page_for()
    render.put_results(page, results)
    if covered is not None:
        render.put_coverage(page, covered)
    return str(page.text())
