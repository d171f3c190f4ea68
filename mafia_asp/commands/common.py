"""What several commands share: options, where output goes, and the table's rulings."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..i18n import LANGUAGES, current_language, set_language
from ..i18n import gettext as _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from click.shell_completion import CompletionItem

    from ..render.layout import Page

    F = TypeVar("F", bound=Callable[..., Any])

DEFAULT_RULEBOOK = "classic_advanced"


def _speak(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    set_language(value)
    return current_language()


def _remember_width(ctx: click.Context, param: click.Parameter, value: int | None) -> int | None:
    from ..cli import wanted_width

    wanted_width.set(value)
    return value


def lang_option(command: F) -> F:
    """``--lang``: sets the language of this run and gives it to the command."""
    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        callback=_speak,
        is_eager=True,
        help="Language of the answer; by default the environment's.",
    )(command)


def _writable(context: click.Context, parameter: click.Parameter, output: str | None) -> str | None:
    """Refuse what cannot be written to before anything is worked out."""
    return writable(output)


def writable(output: str | None) -> str | None:
    """Return a file to write to, ``-`` for the standard output. Raises click.FileError if it cannot be."""
    if output is None:
        return None
    from ..files import STDOUT, check_target

    if output in STDOUT:
        return "-"
    try:
        check_target(output)
    except OSError as error:
        raise click.FileError(output, hint=error.strerror or str(error)) from error
    return output


def keep_inputs(output: str | None, inputs: Iterable[str]) -> None:
    """Refuse to write over a file that is read. Raises click.UsageError."""
    if output is None:
        return
    from ..files import same_file

    if found := same_file(output, inputs):
        text = _("That would write over {file}, which is read. Give another name.")
        raise click.UsageError(text.format(file=found))


def keep_apart(output: str | None, reports: Sequence[tuple[str, str]], inputs: Iterable[str]) -> None:
    """Refuse to write over a file that is read, or two answers to one file. Raises click.UsageError."""
    inputs = list(inputs)
    keep_inputs(output, inputs)
    for _form, file in reports:
        keep_inputs(file, inputs)
        if output is not None and os.path.realpath(output) == os.path.realpath(file):
            raise click.UsageError(_("{value}: each report needs a file of its own.").format(value=file))


def with_options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Give a command arguments and options, in the order in which its help is to list them."""

    def wrap(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return wrap


def output_option(command: F) -> F:
    """``-o``: a file instead of the standard output."""
    return click.option(
        "-o",
        "--output",
        metavar="FILE",
        type=click.Path(),
        callback=_writable,
        help="Write to a file, in one step.",
    )(command)


def report_option(forms: Sequence[str]) -> Callable[[F], F]:
    """``--report FORMAT=FILE``, several times: the same answer in further formats, as (format, file)."""

    def read(
        ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
    ) -> tuple[tuple[str, str], ...]:
        found: dict[str, str] = {}
        for value in values:
            form, _equals, file = value.partition("=")
            if form not in forms or not file:
                text = _("{value}: write FORMAT=FILE, where FORMAT is one of: {choices}.")
                raise click.BadParameter(text.format(value=value, choices=", ".join(forms)))
            target = writable(file)
            if target == "-" or any(os.path.realpath(file) == os.path.realpath(other) for other in found):
                raise click.BadParameter(
                    _("{value}: each report needs a file of its own.").format(value=value)
                )
            found[file] = form
        return tuple((form, file) for file, form in found.items())

    return click.option(
        "--report",
        "reports",
        metavar="FORMAT=FILE",
        multiple=True,
        callback=read,
        help="Write the same in a further format; may be given several times.",
    )


def width_option(command: F) -> F:
    """``--width``: columns of the text."""
    return click.option(
        "--width",
        type=click.IntRange(min=24),
        metavar="N",
        callback=_remember_width,
        is_eager=True,
        help="Columns; by default the terminal's.",
    )(command)


def rulebook_option(command: F) -> F:
    """``--rulebook``: a shipped rulebook's id, or a folder."""
    return click.option(
        "--rulebook",
        metavar="BOOK",
        shell_complete=complete_rulebook,
        help=f"A shipped rulebook's id, or a folder with one of your own; by default {DEFAULT_RULEBOOK}.",
    )(command)


def write(text: str, output: str | None) -> None:
    """Print a text, or write it to a file. Raises click.ClickException where the file cannot be written."""
    if output is None or output == "-":
        if sys.stdout is None:
            raise click.ClickException(_("The answer cannot be printed: the standard output is closed."))
        click.echo(text, nl=False, color=True)
        return
    from ..files import write_atomically

    try:
        write_atomically(output, text)
    except OSError as error:
        raise click.FileError(output, hint=error.strerror or str(error)) from error


def note(text: str) -> None:
    """Tell the user something that is no part of the answer."""
    click.echo(text, err=True)


@contextmanager
def progress_line() -> Iterator[Callable[[str], None]]:
    """Give what shows how far things are: one line of the standard error, where that is a terminal."""
    shown = sys.stderr is not None and sys.stderr.isatty()

    def show(text: str) -> None:
        if shown:
            click.echo(f"\r\x1b[K{text}", nl=False, err=True)

    try:
        yield show
    finally:
        show("")


def new_page(output: str | None, width: int | None, lang: str) -> Page:
    """Lay out for where the text goes: a terminal, or a file."""
    from ..render.layout import page

    return page(output is None and sys.stdout is not None and sys.stdout.isatty(), width, lang)


def worst(statuses: Iterable[int]) -> int:
    """Give the exit status of several: 2 over 3 over 1 over 0."""
    found = set(statuses)
    return next((s for s in (2, 3, 1) if s in found), 0)


# --- completion in the shell: file names only, no rulebook is parsed ---------------------------------


def encodings_folder() -> Path:
    """Give the folder with the shipped rulebooks."""
    from pathlib import Path

    from ..rulebook import encodings

    return Path(encodings())


def _items(values: Iterable[str], incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(v) for v in sorted(values) if v.startswith(incomplete)]


def complete_rulebook(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the id of a shipped rulebook, or a folder."""
    from click.shell_completion import CompletionItem

    books = (path.parent.name for path in encodings_folder().glob("*/book.yaml"))
    return [*_items(books, incomplete), CompletionItem(incomplete, type="dir")]


def _book_folder(ctx: click.Context) -> Path:
    return encodings_folder() / (ctx.params.get("rulebook") or DEFAULT_RULEBOOK)


def complete_role(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete a role's id."""
    return _items((path.stem for path in _book_folder(ctx).glob("*.lp")), incomplete)


def _marked(ctx: click.Context, marks: tuple[str, ...]) -> set[str]:
    """Give the ids in the comment lines that begin with one of the marks."""
    found = set()
    for path in _book_folder(ctx).glob("*.lp"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith(marks) and line.count("|") >= 2:
                found.add(line[2:].partition("|")[0].strip())
    return found


def complete_rule(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the id of a rule or a question."""
    return _items((i for i in _marked(ctx, ("%%", "%?")) if "." in i), incomplete)


def complete_ruling(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete ``question=answer``."""
    question, equals, _answer = incomplete.partition("=")
    if not equals:
        return _items((f"{i}=" for i in _marked(ctx, ("%?",)) if ".q." in i), incomplete)
    answers: set[str] = set()
    for path in _book_folder(ctx).glob("*.lp"):
        inside = False
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("%?"):
                head = line[2:].partition("|")[0].strip()
                if ".q." in head and "|" in line:
                    inside = head == question
                elif inside and "|" in line and ":" not in head:
                    answers.add(f"{question}={head}")
    return _items(answers, incomplete)
