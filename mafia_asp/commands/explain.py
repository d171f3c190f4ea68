"""``mafia-asp explain``: what a kind of finding means, why it hurts, and how to settle it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..check.kinds import TEXTS
from ..i18n import LANGUAGES, language
from ..i18n import gettext as _
from .common import (
    DEFAULT_RULEBOOK,
    lang_option,
    new_page,
    output_option,
    rulebook_option,
    width_option,
    write,
)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ..check.kinds import KindText
    from ..render.layout import Page
    from ..rulebook import Rulebook

_MORE = "mafia-asp rules "


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(kind) for kind in TEXTS if kind.startswith(incomplete)]


@click.command(
    "explain",
    epilog="""\b
Examples:
  mafia-asp explain
  mafia-asp explain contradiction
  mafia-asp explain 'gap(stops(save,shot(killer)))'
  mafia-asp explain ca.q.sniper.1 --lang fa""",
)
@click.argument("name", required=False, shell_complete=_complete)
@rulebook_option
@lang_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@output_option
@width_option
def command(
    name: str | None, rulebook: str | None, lang: str, form: str, output: str | None, width: int | None
) -> int:
    """Say what a kind of finding means, why it hurts at the table, and how to settle it.

    NAME is a kind, or what a check prints of a finding: its id, or its kind and id. Without
    one, the kinds are listed.
    """
    found = _find(name, rulebook) if name else None
    if form == "json":
        from ..render.json import FORMAT, dumps

        kinds = [found.kind] if found and found.kind else [] if found else list(TEXTS)
        data: dict[str, Any] = {"format": FORMAT, "kinds": [_data(kind) for kind in kinds]}
        if found and found.about:
            data["about"] = found.about
        write(dumps(data), output)
        return 0
    page = new_page(output, width, lang)
    if found is None:
        for kind, text in TEXTS.items():
            _put_head(page, kind, text)
    else:
        _put(page, found)
    write(page.text(), output)
    return 0


class _Found(NamedTuple):
    """What a name means: a kind, and the id of the question or rule that it is about."""

    kind: str
    about: str = ""


def _find(name: str, rulebook: str | None) -> _Found:
    """Find what is meant. Raises InputError with the nearest names."""
    from ..errors import fail
    from ..names import suggest
    from ..rulebook import Rulebook, book_of
    from ..rulings import nearest_id

    name = name.strip()
    if kind := _kind(name):
        return _Found(kind)
    head, bracket, rest = name.partition("(")
    inside = rest[:-1].strip() if bracket and rest.endswith(")") and head in TEXTS else ""
    identifier = inside or name
    book = Rulebook.load(rulebook or book_of(identifier.partition("~")[0]) or DEFAULT_RULEBOOK)
    # A circle's id has the form of a kind with an id.
    kind, about = _look_up(book, name)
    if inside and not about:
        own, about = _look_up(book, inside)
        if about and own and own != head:
            raise fail(None, "finding.kind", id=about, kind=own, given=head)
        return _Found(head, about)
    if not about:
        near = suggest(name, _names()) or nearest_id(name, [*book.questions, *book.rules])[:3]
        raise fail(None, "finding.unknown", name=name, near=near, choices=list(TEXTS))
    return _Found(kind, about)


def _kind(name: str) -> str:
    """Find a kind by its name in either language."""
    from ..names import squeeze

    return next((kind for word, kind in _names().items() if squeeze(word) == squeeze(name)), "")


def _names() -> dict[str, str]:
    """Give every word for a kind, and the kind."""
    words = {kind: kind for kind in TEXTS}
    for lang in LANGUAGES:
        with language(lang):
            words |= {_(each): kind for kind, text in TEXTS.items() for each in (text.name, text.heading)}
    return words


def _look_up(book: Rulebook, identifier: str) -> tuple[str, str]:
    """Give the kind that the question with this id has, and the id; of a rule only the id."""
    from ..check.findings import kind_of
    from ..errors import Fault
    from ..facts import derived_kind
    from ..render.words import find_question, find_rule
    from ..rulings import canonical

    if asked := find_question(book, identifier):
        return kind_of(asked), identifier
    if find_rule(book, identifier):
        return "", identifier
    found = canonical(book, identifier, None)
    if isinstance(found, Fault):
        return "", ""
    about = found[0]
    return derived_kind(about), about


# --- data --------------------------------------------------------------------------------------------


def _data(kind: str) -> dict[str, Any]:
    """Give the words for a kind as JSON data."""
    from ..check.findings import KINDS

    text = TEXTS[kind]
    data: dict[str, Any] = {"kind": kind, "severity": KINDS[kind]}
    for lang in LANGUAGES:
        with language(lang):
            keys = ("name", "means", "hurts", "example", "settle")
            data[lang] = {key: _(getattr(text, key)) for key in keys}
    return {**data, "night": _night_line(text) if text.night else None}


def _night_line(text: KindText) -> str:
    assert text.night is not None
    players, actions = text.night
    return f"mafia-asp night --strict -p '{players}' -a '{actions}'"


# --- text --------------------------------------------------------------------------------------------


def _put_head(page: Page, kind: str, text: KindText) -> None:
    from ..check.findings import KINDS
    from ..render.check.words import severity_word
    from ..render.layout import isolate

    title = isolate(kind, page.lang)
    if page.lang != "en":
        title += f" · {_(text.name)}"
    page.put(f"{page.paint(title, 'bold')} ({severity_word(KINDS[kind])})")
    page.put(_(text.means), indent=2)


def _put(page: Page, found: _Found) -> None:
    from ..render.layout import clean

    if found.kind:
        text = TEXTS[found.kind]
        _put_head(page, found.kind, text)
        for heading, said in (
            (_("Why it hurts"), text.hurts),
            (_("For example"), text.example),
            (_("How to settle it"), text.settle),
        ):
            page.put()
            page.put(heading, "bold")
            page.put(_(said), indent=2)
            if said is text.example and text.night:
                page.verbatim(_night_line(text), "cyan", indent=2)
    if found.about:
        page.put()
        page.put(_("What is said about it, and by which rules:"))
        quote = "'" if any(c in found.about for c in "~( ") else ""
        page.verbatim(f"{_MORE}{quote}{clean(found.about)}{quote}", "cyan", indent=2)
