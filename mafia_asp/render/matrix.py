"""Role against role, as text, CSV or data (the page for a browser is in :mod:`.matrix_page`)."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from ..i18n import gettext as _
from ..i18n import language, number
from .graph import who
from .json import FORMAT, dumps
from .layout import width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..check.pairs import Matrix, Meeting
    from .layout import Page
    from .words import Words

#: What stands in a cell: the same in every language. Where points are open, it is their number.
_SIGNS = {"settled": ".", "convention": "~", "undecided": "?"}
_STYLES = {"settled": ("dim",), "convention": (), "open": ("red",), "undecided": ("yellow",)}


# ---- words that several formats share ------------------------------------------------------------------


def status_word(status: str) -> str:
    """Name how a meeting stands."""
    return {
        "settled": _("settled"),
        "convention": _("by convention"),
        "open": _("open"),
        "undecided": _("undecided"),
    }[status]


def sign(meeting: Meeting) -> str:
    """Give what stands in a meeting's cell."""
    return _SIGNS.get(meeting.status) or number(len(meeting.open))


def heading(meeting: Meeting, words: Words) -> str:
    """Name a meeting by who meets."""
    one, other = who(meeting.row, words), who(meeting.column, words)
    if meeting.row == meeting.column:
        return _("{role} alone").format(role=one)
    return _("{one} and {other}").format(one=one, other=other)


def tally(found: Matrix, words: Words) -> str:
    """Count the meetings of each sort."""
    counted = dict.fromkeys(("settled", "convention", "open", "undecided"), 0)
    for meeting in found.meetings:
        counted[meeting.status] += 1
    parts = (f"{status_word(status)}: {number(count)}" for status, count in counted.items() if count)
    return words.sequence(parts)


def leftovers(found: Matrix) -> list[tuple[str, tuple[str, ...]]]:
    """Give the points that stand in no cell, under a heading each."""
    both = [
        (_("Whoever acts:"), found.anybody),
        (_("Only with more than two roles, or with something beside their acts:"), found.elsewhere),
    ]
    return [(text, ids) for text, ids in both if ids]


def unfinished() -> str:
    """Say that something is missing."""
    return _("Incomplete: the time was up before everything was searched.")


def explained() -> str:
    """Say what a cell is about."""
    return _(
        "A cell holds what the acts of two roles bring up by themselves, without anybody else's, where the "
        "outcome of some night hangs on it; on the diagonal, what a role brings up alone."
    )


# ---- text ----------------------------------------------------------------------------------------------


def matrix_text(page: Page, found: Matrix, words: Words) -> None:
    """Add the matrix to a page, in the page's language: the table, then what is open and where."""
    with language(words.lang):
        page.put(_("Role against role: {book}").format(book=words.foreign(found.rulebook)), "bold")
        page.put()
        _put_table(page, found, words)
        legend = [f"{text} {status_word(status)}" for status, text in _SIGNS.items()]
        page.put(words.sequence([*legend, _("a number: so many points are open")]), "dim", hang=2)
        page.put(explained(), "dim", hang=2)
        for status in ("open", "convention", "undecided"):
            _put_meetings(page, found, status, words)
        for text, ids in leftovers(found):
            page.put()
            page.put(text, "bold", hang=2)
            page.put(words.ids(ids), indent=2, hang=4)
        page.put()
        page.put(tally(found, words), "bold", hang=2)
        if not found.complete:
            page.put(unfinished(), "yellow", hang=2)


def _put_table(page: Page, found: Matrix, words: Words) -> None:
    """Add one half of the table, in as many strips as the width needs."""
    members = found.members
    at = {(meeting.row, meeting.column): meeting for meeting in found.meetings}
    column = max(2, *(len(sign(m)) for m in found.meetings), len(str(len(members)))) + 1
    labels = [f"{number(n)} {who(member, words)}" for n, member in enumerate(members, 1)]
    margin = max(map(width_of, labels))
    fitting = max(1, (page.width - margin) // column)
    for start in range(0, len(members), fitting):
        strip = range(start, min(start + fitting, len(members)))
        page.verbatim(" " * margin + "".join(f"{number(n + 1):>{column}}" for n in strip), "dim")
        for row in range(start, len(members)):
            line = labels[row] + " " * (margin - width_of(labels[row]))
            for place in strip:
                if place <= row:
                    meeting = at[members[place], members[row]]
                    text = sign(meeting)
                    line += " " * (column - len(text)) + page.paint(text, *_STYLES[meeting.status])
            page.verbatim(line)
        page.put()


def _put_meetings(page: Page, found: Matrix, status: str, words: Words) -> None:
    """Add the meetings in which there is something of that sort, with the ids."""
    field = "by_convention" if status == "convention" else status
    rows = [(meeting, getattr(meeting, field)) for meeting in found.meetings]
    rows = [(meeting, ids) for meeting, ids in rows if ids]
    if not rows:
        return
    page.put()
    page.put(
        {"open": _("Open:"), "convention": _("By convention:"), "undecided": _("Undecided:")}[status], "bold"
    )
    for meeting, ids in rows:
        page.put(f"{heading(meeting, words)}: {words.ids(ids)}", indent=2, hang=4)


# ---- for machines --------------------------------------------------------------------------------------


def matrix_csv(found: Matrix) -> str:
    """Give a line for each meeting, with ids; those of one cell are parted by blanks."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("row", "column", "status", "open", "by_convention", "undecided"))
    for meeting in found.meetings:
        ids = (meeting.open, meeting.by_convention, meeting.undecided)
        writer.writerow((meeting.row, meeting.column, meeting.status, *map(" ".join, ids)))
    return out.getvalue()


def matrix_json(found: Matrix, phases: Sequence[str]) -> str:
    """Give the matrix as JSON text: ids alone, the same in every language."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "rulebook": found.rulebook,
        "phases": list(phases),
        "members": list(found.members),
        "complete": found.complete,
        "meetings": [
            {
                "row": meeting.row,
                "column": meeting.column,
                "status": meeting.status,
                "open": list(meeting.open),
                "by_convention": list(meeting.by_convention),
                "undecided": list(meeting.undecided),
                "complete": meeting.complete,
            }
            for meeting in found.meetings
        ],
        "anybody": list(found.anybody),
        "elsewhere": list(found.elsewhere),
    }
    return dumps(data)
