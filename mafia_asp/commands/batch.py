"""``mafia-asp batch``: decide many scenarios, one line of JSON each."""

from __future__ import annotations

import time
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from ..cli import EXIT_INTERRUPTED
from ..i18n import current_language, ngettext, number
from ..i18n import gettext as _
from .common import keep_inputs, lang_option, note, output_option, progress_line, worst, write
from .engines import chosen_engine, engine_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..batch import Engine, Inputs
    from ..batch.output import Output, Tally
    from ..batch.work import Plan

#: inputs that a process is given at a time
CHUNK = 500
#: seconds between two looks at how far things are
_EVERY = 0.2


@click.command(
    "batch",
    epilog="""\b
Examples:
  mafia-asp batch nights.jsonl > answers.jsonl
  mafia-asp batch games/ 'more/*.yaml' --jobs 4 -o answers.jsonl
  mafia-asp batch nights.jsonl -o answers.jsonl --resume
  mafia-asp batch nights.jsonl -o answers.jsonl --summary summary.json
  generate_nights | mafia-asp batch - | jq -c 'select(.settled == false) | .source'

\b
Each answer is a line {"source": {"file", "line", "id"}, ...}, as 'night --format json' prints it;
what cannot be decided is a line {"source": ..., "error": ...} and does not stop the rest.""",
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path())
@engine_options
@click.option("--resume", is_flag=True, help="Go on with the file of -o: skip what it answers.")
@click.option(
    "--summary", metavar="FILE", type=click.Path(dir_okay=False), help="Write what came of it all, as JSON."
)
@click.option(
    "--rulings", metavar="FILE", type=click.Path(exists=True, dir_okay=False), help="What the table decided."
)
@click.option("--no-rulings", is_flag=True, help="Do not look for rulings.yaml beside the scenarios.")
@click.option("--assume", metavar="ID=ANSWER", multiple=True, help="Answer an open question, everywhere.")
@click.option("--strict", is_flag=True, help="Let no convention answer where the book is silent.")
@click.option("--conventions", is_flag=True, help="Let conventions answer, even where a scenario says not.")
@lang_option
@output_option
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if something is open or refused.")
def command(
    paths: tuple[str, ...],
    jobs: int | None,
    kind: str,
    scheduler: str | None,
    resume: bool,
    summary: str | None,
    rulings: str | None,
    no_rulings: bool,
    assume: tuple[str, ...],
    strict: bool,
    conventions: bool,
    lang: str,
    output: str | None,
    exit_zero: bool,
) -> int:
    """Decide many scenarios: JSON Lines in, or files of any kind; JSON Lines out, in the same order.

    PATH is a file, a folder, a pattern, or - for the standard input. A file of JSON Lines may be of any
    length: it is read and answered line by line.
    """
    from ..batch import Inputs, Plan
    from ..batch.output import Output

    if strict and conventions:
        raise click.UsageError(_("--strict and --conventions exclude each other."))
    if resume and output in (None, "-"):
        raise click.UsageError(_("--resume goes on with a file: give it with -o FILE."))
    if rulings:
        from ..rulings import read_rulings

        # What is wrong with a file that holds for everything is said once, at once.
        read_rulings(rulings)
    inputs = Inputs(paths)
    _keep(output, summary, [*inputs.files, *([rulings] if rulings else ())])
    choice = True if conventions else False if strict else None
    plan = Plan(lang, rulings, not (no_rulings or rulings), assume, choice)
    try:
        with Output(output, resume=resume) as out, chosen_engine(jobs, kind, scheduler) as engine:
            return _Run(inputs, out, plan, summary, exit_zero).through(engine)
    except OSError as error:
        if output in (None, "-") or isinstance(error, BrokenPipeError):
            raise
        raise click.FileError(str(output), hint=error.strerror or str(error)) from error


def _keep(output: str | None, summary: str | None, inputs: list[str]) -> None:
    """Refuse to write over what is read, or twice to one file. Raises click.UsageError."""
    keep_inputs(output, inputs)
    if summary is None:
        return
    from .common import writable

    writable(summary)
    keep_inputs(summary, [*inputs, *([output] if output else ())])


class _Run:
    """One run: from the inputs through an engine to the output, with what is told meanwhile."""

    def __init__(self, inputs: Inputs, out: Output, plan: Plan, summary: str | None, exit_zero: bool) -> None:
        from ..batch.output import Tally

        self.inputs = inputs
        self.out = out
        self.plan = plan
        self.summary = summary
        self.exit_zero = exit_zero
        self.tally: Tally = Tally()
        self.used: dict[str, None] = {}
        self.start = time.monotonic()

    def through(self, engine: Engine) -> int:
        """Decide everything, and return the exit status."""
        interrupted = False
        try:
            with progress_line() as show:
                self._decide(engine, show)
        except KeyboardInterrupt:
            interrupted = True
        for file in self.used:
            note(_("Rulings from {file}").format(file=file))
        self._report(interrupted=interrupted)
        if interrupted:
            return EXIT_INTERRUPTED
        return self._status()

    def _decide(self, engine: Engine, show: Callable[[str], None]) -> None:
        from functools import partial

        from ..batch import chunked, decide_chunk, lost

        left = iter(self.inputs)
        for _skipped in islice(left, self.out.skip):
            pass
        shown = 0.0
        work = partial(decide_chunk, plan=self.plan)
        with closing(engine.map(work, chunked(left, CHUNK), lost)) as results:
            for _chunk, answers in results:
                for answer in answers:
                    self.out.write(answer)
                    self.tally.add(answer)
                    self.used |= dict.fromkeys(answer.used)
                if (now := time.monotonic()) - shown >= _EVERY:
                    shown = now
                    show(self._progress(now))

    def _progress(self, now: float) -> str:
        """Say how many inputs are done, how fast, and how long the rest will take where that is known."""
        seconds = max(now - self.start, 1e-3)
        rate = self.tally.inputs / seconds
        done = number(self.tally.inputs + self.out.skip)
        text = _("{done} done, {rate} a second").format(done=done, rate=number(round(rate)))
        share = self.inputs.done / self.inputs.size if self.inputs.size else 0.0
        if 0.0 < share < 1.0:
            left = _clock(seconds * (1.0 - share) / share)
            more = _("{share} %, {left} left").format(share=number(int(share * 100)), left=left)
            text += ("، " if current_language() == "fa" else ", ") + more
        return text

    def _report(self, *, interrupted: bool) -> None:
        """Say what came of it all, and how to go on where it was interrupted."""
        from ..render.json import dumps

        seconds = time.monotonic() - self.start
        data = self.tally.data(skipped=self.out.skip, seconds=seconds, interrupted=interrupted)
        if self.summary:
            write(dumps(data), self.summary)
        note(_said(data))
        if not interrupted:
            return
        if self.out.target is None:
            note(_("Interrupted: what was printed is whole. With -o FILE, --resume can go on later."))
        else:
            text = _("Interrupted: {file} holds whole lines. To go on, give the same command with --resume.")
            note(text.format(file=self.out.target))

    def _status(self) -> int:
        from ..batch.work import STATUS

        statuses = {STATUS[outcome] for outcome, count in self.tally.outcomes.items() if count}
        if not (self.tally.inputs or self.out.skip):
            raise click.UsageError(_("No scenario found."))
        return worst(0 if status == 1 and self.exit_zero else status for status in statuses)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
    return text if current_language() == "en" else "".join(number(int(c)) if c.isdigit() else c for c in text)


def _said(data: dict[str, Any]) -> str:
    """Put the counts of a summary into one line."""
    words = {
        "settled": _("settled"),
        "open": _("open"),
        "refused": _("with something refused"),
        "error": _("wrong"),
        "limit": _("limit"),
    }
    comma = "، " if current_language() == "fa" else ", "
    counts = comma.join(f"{number(data[key])} {word}" for key, word in words.items() if data[key])
    total = ngettext("{n} answer", "{n} answers", data["lines"]).format(n=number(data["lines"]))
    text = _("{total} in {seconds} s ({rate} a second)").format(
        total=total, seconds=number(round(data["seconds"])), rate=number(round(data["per_second"] or 0))
    )
    return f"{text}: {counts}" if counts else text
