"""``mafia-asp graph``: who can affect whom, found by search, with the circles marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..i18n import gettext as _
from .cast import (
    acting_phase_option,
    chosen_phases,
    role_set,
    role_set_options,
    shown_progress,
    timeout_option,
)
from .common import keep_inputs, lang_option, output_option, width_option, write

if TYPE_CHECKING:
    from ..check.affects import Influences
    from ..rulebook import Rulebook

FORMATS = ("mermaid", "dot", "svg", "json")


@click.command(
    "graph",
    epilog="""\b
Examples:
  mafia-asp graph --roles don,doctor,thief,bartender,citizen*2
  mafia-asp graph --roles don,doctor,sniper --format dot -o influences.dot
  mafia-asp graph --all-roles --circles --format svg -o circles.svg
  mafia-asp graph my_nights.yaml --lang fa""",
)
@role_set_options
@acting_phase_option
@click.option("--circles", "circles_only", is_flag=True, help="Only what lies in a circle.")
@timeout_option
@lang_option
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="mermaid",
    show_default=True,
    help="svg needs Graphviz, whose program 'dot' draws it.",
)
@output_option
@width_option
def command(
    files: tuple[str, ...],
    rulebook: str | None,
    roles: str | None,
    all_roles: bool,
    phases: tuple[str, ...],
    circles_only: bool,
    timeout: float | None,
    lang: str,
    form: str,
    output: str | None,
    width: int | None,
) -> int:
    """Draw who can affect whom in a role set.

    All nights of every part of the role set are searched. An arrow from one role to another says that in
    some night an act of the one bears on an act of the other, or on that player. Where influence runs in a
    circle, its arrows are thick and red; dashed where it closes only if the acts of the dead lapse. Each
    circle that is listed was found in a night. What somebody can do to many alike is drawn as one arrow to
    a place that stands for them.
    """
    from ..check.affects import influences

    program = _graphviz() if form == "svg" else ""
    book, cast = role_set(files, rulebook, roles, all_roles)
    keep_inputs(output, files)
    searched = chosen_phases(phases, ("night",))
    with shown_progress() as progress:
        found = influences(book, cast, phases=searched, seconds=timeout, progress=progress)
    if form == "json":
        from ..render.graph import graph_json

        write(graph_json(found, searched), output)
    else:
        write(_picture(found, book, circles_only, lang, form, program), output)
    return 0 if found.complete else 3


def _picture(
    found: Influences, book: Rulebook, circles_only: bool, lang: str, form: str, program: str
) -> str:
    from ..render import graph
    from ..render.words import Words

    drawing = graph.draw(found, Words(book, lang), circles_only)
    if form == "mermaid":
        return graph.graph_mermaid(drawing, lang)
    text = graph.graph_dot(drawing, lang)
    return _drawn(text, program) if form == "svg" else text


def _graphviz() -> str:
    """Give the path of Graphviz's program. Raises click.ClickException where it is not installed."""
    from shutil import which

    program = which("dot")
    if program is None:
        text = _(
            "SVG is drawn by Graphviz, whose program 'dot' is not installed here. Install Graphviz, or take "
            "--format dot and draw that elsewhere."
        )
        raise click.ClickException(text)
    return program


def _drawn(text: str, program: str) -> str:
    """Let Graphviz draw. Raises click.ClickException where it fails."""
    import subprocess

    try:
        done = subprocess.run(  # noqa: S603 - the program that the user has installed, without a shell
            [program, "-Tsvg"], input=text, capture_output=True, encoding="utf-8", check=True
        )
    except (OSError, subprocess.CalledProcessError, UnicodeDecodeError) as error:
        said = (getattr(error, "stderr", "") or str(error)).strip().split("\n")[-1]
        what = _("Graphviz could not draw it ({why}). --format dot gives the text that it was given.")
        raise click.ClickException(what.format(why=said)) from error
    return done.stdout
