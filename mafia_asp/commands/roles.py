"""``mafia-asp roles``: the roles of a rulebook, and what the book says about one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..i18n import gettext as _
from .common import (
    DEFAULT_RULEBOOK,
    complete_role,
    lang_option,
    new_page,
    output_option,
    rulebook_option,
    width_option,
    write,
)

if TYPE_CHECKING:
    from ..render.layout import Page
    from ..render.words import Words
    from ..rulebook import RoleCard, Rulebook


@click.command(
    "roles",
    epilog="""\b
Examples:
  mafia-asp roles
  mafia-asp roles doctor
  mafia-asp roles دکتر --lang fa
  mafia-asp roles --rulebook booklet --format json""",
)
@click.argument("role", required=False, shell_complete=complete_role)
@rulebook_option
@lang_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@output_option
@width_option
def command(
    role: str | None, rulebook: str | None, lang: str, form: str, output: str | None, width: int | None
) -> int:
    """List the roles of a rulebook, or show a role's card: its names, its rules, its open questions.

    ROLE may be given in any language and spelling.
    """
    from ..render.words import Words
    from ..rulebook import Rulebook

    book = Rulebook.load(rulebook or DEFAULT_RULEBOOK)
    cards = [book.card(_find(book, role))] if role else list(book.roles.values())
    if form == "json":
        from ..render.json import FORMAT, dumps

        if role:
            write(dumps({"format": FORMAT, "rulebook": book.id, **_card_data(book, cards[0])}), output)
        else:
            rows = [_data(card) for card in cards]
            write(dumps({"format": FORMAT, "rulebook": book.id, "roles": rows}), output)
        return 0
    page = new_page(output, width, lang)
    words = Words(book, lang)
    if role:
        _put_card(page, book, cards[0], words)
    else:
        for card in cards:
            here, there = (card.fa, card.en) if lang == "fa" else (card.en, card.fa)
            page.put(f"{page.paint(here, 'bold')} · {words.foreign(there)} · {words.ids([card.id])}", hang=2)
    write(page.text(), output)
    return 0


def _find(book: Rulebook, text: str) -> str:
    """Find a role by any of its names. Raises InputError with the nearest ones."""
    from ..errors import fail
    from ..names import suggest

    found = book.find_role(text)
    if isinstance(found, str):
        return found
    if found:
        raise fail(None, "role.ambiguous", name=text, choices=book.role_choices(text, found))
    # One suggestion a role, whatever else it is called.
    near = {str(book.find_role(word)): word for word in reversed(suggest(text, book.role_words()))}
    raise fail(None, "role.unknown", name=text, rulebook=book.id, near=list(near.values())[::-1])


def _data(card: RoleCard) -> dict[str, Any]:
    return {
        "id": card.id,
        "en": card.en,
        "fa": card.fa,
        "aliases": list(card.aliases),
        "source": card.source or None,
    }


def _card_data(book: Rulebook, card: RoleCard) -> dict[str, Any]:
    from .rules import question_data, rule_data

    text = book.text_of(card.file) if card.file else None
    return {
        **_data(card),
        "rules": [rule_data(rule) for rule in text.rules.values()] if text else [],
        "questions": [question_data(asked) for asked in text.questions.values()] if text else [],
    }


def _put_card(page: Page, book: Rulebook, card: RoleCard, words: Words) -> None:
    from .rules import put_question, put_rule

    here, there = (card.fa, card.en) if words.lang == "fa" else (card.en, card.fa)
    page.put(f"{here} · {words.foreign(there)}", "bold")
    page.put(words.ids([card.id, *([card.source] if card.source else [])]), "dim")
    if card.aliases:
        page.put(
            _("also: {names}").format(names=words.sequence(words.foreign(a) for a in card.aliases)), hang=2
        )
    if card.file is None:
        return
    text = book.text_of(card.file)
    for rule in text.rules.values():
        page.put()
        put_rule(page, rule, words)
    if text.questions:
        page.put()
        page.put(_("Open questions"), "bold")
    for asked in text.questions.values():
        page.put()
        put_question(page, asked, words)
