"""Role against role as one page for a browser: without scripts, light and dark, fit for small screens."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ..i18n import gettext as _
from ..i18n import language
from .graph import who
from .matrix import explained, heading, leftovers, sign, status_word, tally, unfinished

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..check.pairs import Matrix, Meeting
    from .words import Words

_STYLE = Path(__file__).parent.parent / "templates" / "matrix.css"
_PAGE = """\
<!DOCTYPE html>
<html lang="{lang}" dir="{direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
</body>
</html>
"""


def matrix_html(found: Matrix, words: Words) -> str:
    """Give the matrix as an HTML document."""
    with language(words.lang):
        title = _("Role against role: {book}").format(book=words.foreign(found.rulebook))
        return _PAGE.format(
            lang=words.lang,
            direction="rtl" if words.lang == "fa" else "ltr",
            title=_text(title),
            style=_STYLE.read_text("utf-8"),
            body="\n".join(_body(found, words)),
        )


def _text(text: str) -> str:
    """Give a text as HTML; the document has elements of its own for the direction of what is foreign."""
    return escape(text)


def _body(found: Matrix, words: Words) -> Iterator[str]:
    if not found.complete:
        yield f'<p role="status"><strong>{_text(unfinished())}</strong></p>'
    yield f"<p>{_text(explained())}</p>"
    yield f"<p>{_text(tally(found, words))}</p>"
    yield from _table(found, words)
    noted = [meeting for meeting in found.meetings if _notes(meeting)]
    if noted:
        behind = _("What is behind the cells")
        yield f"<h2>{_text(behind)}</h2>"
    for meeting in noted:
        yield f'<section id="{_anchor(meeting)}">\n<h3>{_text(heading(meeting, words))}</h3>'
        for status, ids in _notes(meeting):
            yield f"<p>{_text(status_word(status))}</p>"
            yield from _list(ids, words)
        yield "</section>"
    for text, ids in leftovers(found):
        yield f"<h2>{_text(text.rstrip(':'))}</h2>"
        yield from _list(ids, words)


def _notes(meeting: Meeting) -> list[tuple[str, tuple[str, ...]]]:
    """Give what there is to say of a meeting: how points stand, and their ids."""
    every = [
        ("open", meeting.open),
        ("convention", meeting.by_convention),
        ("undecided", meeting.undecided),
    ]
    return [(status, ids) for status, ids in every if ids]


def _anchor(meeting: Meeting) -> str:
    return escape(f"{meeting.row}--{meeting.column}".replace("(", "-").replace(")", ""), quote=True)


def _table(found: Matrix, words: Words) -> Iterator[str]:
    """Give the whole table: each row is read by itself."""
    at = {frozenset((meeting.row, meeting.column)): meeting for meeting in found.meetings}
    caption = _text(_("How the meeting of two roles stands"))
    # What scrolls must be reached by the keyboard too.
    yield f'<div class="table" role="region" aria-label="{caption}" tabindex="0">'
    yield f"<table>\n<caption>{caption}</caption>\n<thead>\n<tr><td></td>"
    for member in found.members:
        yield f'<th scope="col"><span>{_text(who(member, words))}</span></th>'
    yield "</tr>\n</thead>\n<tbody>"
    for row in found.members:
        cells = "".join(_cell(at[frozenset((row, column))]) for column in found.members)
        yield f'<tr><th scope="row">{_text(who(row, words))}</th>{cells}</tr>'
    yield "</tbody>\n</table>\n</div>"


def _cell(meeting: Meeting) -> str:
    word = _text(status_word(meeting.status))
    inside = f'<span aria-hidden="true">{sign(meeting)}</span><span class="word">{word}</span>'
    if meeting.open:
        inside = f'{sign(meeting)} <span class="word">{word}</span>'
    if _notes(meeting):
        inside = f'<a href="#{_anchor(meeting)}">{inside}</a>'
    return f'<td class="{meeting.status}" title="{word}">{inside}</td>'


def _list(ids: Iterable[str], words: Words) -> Iterator[str]:
    yield "<ul>"
    for id in ids:
        yield f'<li><code dir="ltr">{escape(id)}</code> {_text(words.question(id))}</li>'
    yield "</ul>"
