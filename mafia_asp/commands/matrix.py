"""``mafia-asp matrix``: role against role: settled, by convention, or open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .cast import (
    acting_phase_option,
    chosen_phases,
    role_set,
    role_set_options,
    rulings_of,
    rulings_option,
    shown_progress,
    timeout_option,
)
from .common import keep_inputs, lang_option, new_page, output_option, width_option, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..check.pairs import Matrix
    from ..rulebook import Rulebook

FORMATS = ("text", "csv", "html", "json")


@click.command(
    "matrix",
    epilog="""\b
Examples:
  mafia-asp matrix --roles don,doctor,sniper,bartender,thief
  mafia-asp matrix --roles don,hooker*2,thief --rulings rulings.yaml
  mafia-asp matrix --all-roles --format html -o matrix.html
  mafia-asp matrix my_nights.yaml --format csv""",
)
@role_set_options
@acting_phase_option
@timeout_option
@rulings_option
@lang_option
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@output_option
@width_option
def command(
    files: tuple[str, ...],
    rulebook: str | None,
    roles: str | None,
    all_roles: bool,
    phases: tuple[str, ...],
    timeout: float | None,
    rulings: str | None,
    lang: str,
    form: str,
    output: str | None,
    width: int | None,
) -> int:
    """Show role against role: settled, by convention, or open.

    Between two roles stand the points that their acts alone bring up: in nights in which nobody acts but one
    player of each, while plain bystanders look on. Only points count on which the outcome of some night of
    the role set hangs. What a role brings up without another stands on the diagonal (with others of its
    kind, where the role set has several), and is not repeated. A meeting is settled if nothing is open, by
    convention if conventions of the game answer everything, and open otherwise. All is found by search.
    """
    from ..check.pairs import matrix

    book, cast = role_set(files, rulebook, roles, all_roles)
    keep_inputs(output, [f for f in (*files, rulings) if f])
    answers, _places = rulings_of(rulings, book)
    searched = chosen_phases(phases, ("night",))
    with shown_progress() as progress:
        found = matrix(book, cast, phases=searched, rulings=answers, seconds=timeout, progress=progress)
    write(_shown(found, book, searched, form, lang, output, width), output)
    return 0 if found.complete else 3


def _shown(
    found: Matrix,
    book: Rulebook,
    phases: Sequence[str],
    form: str,
    lang: str,
    output: str | None,
    width: int | None,
) -> str:
    from ..render import matrix as render
    from ..render.words import Words

    if form == "json":
        return render.matrix_json(found, phases)
    if form == "csv":
        return render.matrix_csv(found)
    words = Words(book, lang)
    if form == "html":
        from ..render.matrix_page import matrix_html

        return matrix_html(found, words)
    page = new_page(output, width, lang)
    render.matrix_text(page, found, words)
    return page.text()
