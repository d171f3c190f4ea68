"""Asking the table, on a terminal, for the answer to an open question."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ..i18n import gettext as _
from ..i18n import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model import Verdict
    from ..render.layout import Page
    from ..render.words import Words


def ask(verdict: Verdict, identifier: str, words: Words, width: int | None) -> str | None:
    """Ask one question on the terminal; None where the user passes."""
    from ..render import text
    from ..render.answer import question

    asked = question(next(q for q in verdict.open if q.id == identifier), words)
    page = page_of(words, width)
    text.put_question(page, asked, words)
    for position, (choice, said) in enumerate(asked.answers, 1):
        line = f"{number(position)}. {words.ids([choice])}"
        page.put(f"{line} – {said}" if said else line, indent=2, hang=5)
    say(page)
    choices = [choice for choice, _said in asked.answers]
    prompt = _("Your table's answer (nothing: pass)")
    while True:
        typed = click.prompt(prompt, default="", show_default=False, err=True)
        chosen = _chosen(str(typed), choices)
        if chosen is not None:
            return chosen or None
        page = page_of(words, width)
        text_of_choices = _("Type a number from {first} to {last}, or one of {choices}; nothing passes.")
        page.put(
            text_of_choices.format(first=number(1), last=number(len(choices)), choices=words.ids(choices)),
            "yellow",
        )
        say(page)


def page_of(words: Words, width: int | None) -> Page:
    """Lay out for questions, which are asked on the standard error."""
    from ..render.layout import page

    return page(sys.stderr.isatty(), width, words.lang)


def say(page: Page) -> None:
    """Show a page where questions are asked."""
    click.echo(page.text(), nl=False, err=True)


def _chosen(typed: str, choices: Sequence[str]) -> str | None:
    """Give the answer that was typed, as a word or by its number; None where it is neither."""
    from ..names import normalise

    plain = normalise(typed)
    if plain.isdigit() and 1 <= int(plain) <= len(choices):
        return choices[int(plain) - 1]
    return plain if plain in ("", *choices) else None
