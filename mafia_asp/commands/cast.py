"""The role set that several commands look at: ``--roles``, ``--all-roles``, or the cast of scenario files."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..i18n import gettext as _
from ..i18n import number
from .common import DEFAULT_RULEBOOK, progress_line, rulebook_option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..check.bounds import Progress
    from ..model import Phase, Place
    from ..rulebook import Rulebook

    F = TypeVar("F", bound=Callable[..., Any])

#: the phases that may be asked for, the one with the most in it first; by default the first three
PHASES: tuple[Phase, ...] = ("night", "intro", "setup", "day", "end")
USUAL: tuple[Phase, ...] = PHASES[:3]
#: players of one role set
_MOST = 99


def role_set_options(command: F) -> F:
    """``FILE... --rulebook --roles --all-roles``: what :func:`role_set` takes."""
    for option in (
        click.option(
            "--all-roles", is_flag=True, help="Every role of the rulebook once, citizens as needed."
        ),
        click.option("--roles", metavar="LIST", help="Role set: don,doctor,sniper*2,citizen*3."),
        rulebook_option,
        click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path()),
    ):
        command = option(command)
    return command


def rulings_option(command: F) -> F:
    """``--rulings``: a file, which :func:`rulings_of` reads."""
    return click.option(
        "--rulings",
        metavar="FILE",
        type=click.Path(exists=True, dir_okay=False),
        help="What the table decided.",
    )(command)


def rulings_of(file: str | None, book: Rulebook) -> tuple[dict[str, str], dict[str, Place]]:
    """Return the answers of a file of rulings (question: answer), and where each stands.

    Raises:
        InputError: with every fault of the file.
    """
    if file is None:
        return {}, {}
    from ..rulings import read_rulings

    found = read_rulings(file, book)
    return dict(found.answers), dict(found.places)


def acting_phase_option(command: F) -> F:
    """``--phase`` where it is about who acts; may be given several times."""
    return click.option(
        "--phase",
        "phases",
        type=click.Choice(("night", "intro")),
        multiple=True,
        help="Which phase; may be given several times; by default the night.",
    )(command)


def phase_option(command: F) -> F:
    """``--phase``, which may be given several times."""
    return click.option(
        "--phase",
        "phases",
        type=click.Choice(PHASES),
        multiple=True,
        help="Only this phase; may be given several times. By default all but the day and the end.",
    )(command)


def chosen_phases(phases: Sequence[str], default: tuple[Phase, ...] = USUAL) -> tuple[Phase, ...]:
    """Return the phases that were asked for, in their order."""
    return tuple(phase for phase in PHASES if phase in phases) if phases else default


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """Give what shows how far a search is, where the standard error is a terminal."""
    with progress_line() as show:

        def progress(what: str, done: int, of: int) -> None:
            show(f"{what} {number(done)}/{number(of)}" if of else what)

        yield progress


class _Seconds(click.FloatRange):
    """A time that passes: ``nan``, which is neither small nor large, is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds: float = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(_("{value} is no number of seconds.").format(value=value), param, ctx)
        return seconds


def timeout_option(command: F) -> F:
    """``--timeout``: seconds."""
    return click.option(
        "--timeout", type=_Seconds(min=0), metavar="SECONDS", help="Stop and show what was found."
    )(command)


def role_set(
    files: Sequence[str], rulebook: str | None, roles: str | None, all_of_them: bool
) -> tuple[Rulebook, tuple[tuple[str, int], ...]]:
    """Return the rulebook and the role set that were asked for, in one of three ways.

    Raises:
        click.UsageError: not exactly one way, or a role set that names no roles.
        InputError: a rulebook or a scenario file cannot be read.
    """
    from ..check import report
    from ..rulebook import Rulebook

    if sum((bool(files), roles is not None, all_of_them)) != 1:
        raise click.UsageError(_("Name a role set in one way: --roles, --all-roles, or scenario files."))
    if files:
        return _cast_of(files, rulebook)
    book = Rulebook.load(rulebook or DEFAULT_RULEBOOK)
    return book, report.all_roles(book) if all_of_them else report.role_set(parse_roles(roles or "", book))


def parse_roles(text: str, book: Rulebook) -> list[str]:
    """Return the roles of ``don,doctor,sniper*2``, by any of their names.

    Raises:
        click.UsageError: a role is unknown or ambiguous, or there are too many.
    """
    from ..names import suggest

    found: list[str] = []
    for part in text.replace("،", ",").split(","):
        name, star, times = part.partition("*")
        role = book.find_role(name.strip())
        if isinstance(role, list):
            raise click.UsageError(
                _("{name} may be any of: {choices}. Write the id.").format(
                    name=name.strip(), choices=", ".join(book.role_choices(name.strip(), role))
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
