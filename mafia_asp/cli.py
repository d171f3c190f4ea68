"""The command ``mafia-asp``. Each command lives in a module of its own, imported when it is used."""

from __future__ import annotations

import os
import sys
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import click

from . import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Command, the module that holds it, and its line in the overview.
COMMANDS = {
    "night": "Decide a night: who dies, who is told what, and why.",
    "day": "Decide a day, or the end of the game: who leaves, who has won, and why.",
    "game": "Keep a whole game in one file, phase by phase.",
    "audit": "Check recorded games: what was announced and does not follow.",
    "check": "Check a role set: what could go wrong, each with the smallest night.",
    "graph": "Draw who can affect whom, with the circles marked.",
    "matrix": "Show role against role: settled, by convention, or open.",
    "setup": "Propose role sets for a number of players.",
    "script": "Print the calls of a night, or lead the night on the terminal.",
    "test": "Run scenarios against their expectations.",
    "batch": "Decide many scenarios, one line of JSON each.",
    "roles": "List the roles of a rulebook, or show a role's card.",
    "rules": "List the rules of a rulebook, or show one rule or question.",
    "explain": "Say what a kind of finding means, and how to settle it.",
    "schema": "Print the JSON Schema of a file or an answer.",
    "new": "Print a commented file to start from.",
}

EXIT_INPUT = 2
EXIT_INTERRUPTED = 130

#: The width that was asked for; None leaves it to the terminal.
wanted_width: ContextVar[int | None] = ContextVar("mafia_asp_width", default=None)


class LazyGroup(click.Group):
    """A group whose commands are imported only when one of them runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the commands in the order in which they are explained."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        from importlib import import_module

        command = getattr(import_module(f".commands.{cmd_name}", __package__), "command")  # noqa: B009
        return command if isinstance(command, click.Command) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; a slip is answered with the nearest one."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from .names import suggest

            near = suggest(name, COMMANDS)
            hint = f" Did you mean {near[0]!r}?" if near else f" There are: {', '.join(COMMANDS)}."
            ctx.fail(f"No such command {name!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
Examples:
  mafia-asp night tonight.yaml
  mafia-asp night -p 'Ali=don, Sara=doctor, Reza=citizen' -a 'Ali shoot Reza; Sara save Reza'
  mafia-asp test scenarios
  mafia-asp roles doctor --lang fa

\b
Exit status: 0 settled and as expected; 1 something is open, refused or not as
expected; 2 the input is wrong; 3 a limit was hit; 130 interrupted.

\b
Completion in the shell: eval "$(_MAFIA_ASP_COMPLETE=bash_source mafia-asp)"
(zsh_source and fish_source likewise).""",
)
@click.version_option(__version__, prog_name="mafia-asp", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Decide nights of the party game Mafia, with the rule behind every outcome."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit status."""
    _make_streams_speak_persian()
    wanted_width.set(None)
    from .errors import MafiaAspError

    try:
        status: Any = cli.main(
            args=None if args is None else list(args), prog_name="mafia-asp", standalone_mode=False
        )
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        _complain(error)
        return EXIT_INPUT
    except (click.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except MafiaAspError as error:
        for line in str(error).split("\n"):
            _say(line)
        return error.exit_code
    except BrokenPipeError:
        # Whoever read has seen enough.
        _write_no_more()
        return 1
    except OSError as error:
        from .i18n import gettext as _

        _write_no_more()
        _say(_("The answer cannot be printed: {why}.").format(why=error.strerror or error))
        return EXIT_INPUT
    return status if isinstance(status, int) else 0


def _write_no_more() -> None:
    """Drop what is left for the standard output, so that the interpreter does not complain at its end."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(error: click.ClickException) -> None:
    """Show what is wrong with a command line, with how it is used where that helps."""
    from .i18n import gettext as _

    if isinstance(error, click.UsageError) and error.ctx is not None:
        click.echo(error.ctx.get_usage(), err=True)
        text = _("Try '{command} --help' for help.")
        click.echo(text.format(command=error.ctx.command_path) + "\n", err=True)
    _say(_("Error: {what}").format(what=error.format_message()))


def _say(text: str) -> None:
    """Print a line to the standard error, wrapped where it goes to a terminal or a width was asked for."""
    width = wanted_width.get()
    if width is None and sys.stderr is not None and sys.stderr.isatty():
        from shutil import get_terminal_size

        width = get_terminal_size().columns
    if width is None:
        click.echo(text, err=True)
        return
    from .render.layout import NARROWEST, Page

    page = Page(width=max(width, NARROWEST))
    page.put(text, hang=2)
    click.echo(page.text(), nl=False, err=True)


def _make_streams_speak_persian() -> None:
    """Replace letters that the terminal's encoding lacks, where it is not Unicode."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None and not (stream.encoding or "").lower().startswith("utf"):
            reconfigure(errors="replace")
