"""``mafia-asp setup``: role sets for a number of players that keep the rules of the make-up."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from ..i18n import gettext as _
from ..i18n import ngettext
from .cast import parse_roles, rulings_of, rulings_option, timeout_option
from .common import (
    DEFAULT_RULEBOOK,
    keep_inputs,
    lang_option,
    new_page,
    output_option,
    rulebook_option,
    width_option,
    write,
)

if TYPE_CHECKING:
    from ..make_up import Proposal, Proposals
    from ..render.layout import Page
    from ..render.words import Words
    from ..rulebook import Rulebook

#: as many as may be asked for
_MOST_PLAYERS = 60
_MOST_SETS = 50


@click.command(
    "setup",
    epilog="""\b
Examples:
  mafia-asp setup 15
  mafia-asp setup 12 --with don,mafia*3,doctor --without thief
  mafia-asp setup 20 --count 5 --format json
  mafia-asp setup 10 --rulebook booklet --lang fa""",
)
@click.argument("players", metavar="N", type=click.IntRange(1, _MOST_PLAYERS))
@rulebook_option
@click.option("--with", "wanted", metavar="LIST", help="Roles that play: don,hooker*2.")
@click.option("--without", "barred", metavar="LIST", help="Roles that do not play.")
@click.option(
    "--count",
    type=click.IntRange(1, _MOST_SETS),
    default=1,
    show_default=True,
    help="How many role sets, the best ones first.",
)
@rulings_option
@timeout_option
@lang_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@output_option
@width_option
def command(
    players: int,
    rulebook: str | None,
    wanted: str | None,
    barred: str | None,
    count: int,
    rulings: str | None,
    timeout: float | None,
    lang: str,
    form: str,
    output: str | None,
    width: int | None,
) -> int:
    """Propose role sets for N players.

    Each keeps every statement of the rulebook on the make-up, and as few contradictions of the rulebook as
    possible can come up in it (none, where that can be; else they are named). Of a role at most one plays
    unless --with asks for more, but for plain members of the two sides.
    """
    from ..make_up import propose
    from ..rulebook import Rulebook

    book = Rulebook.load(rulebook or DEFAULT_RULEBOOK)
    asked = Counter(parse_roles(wanted, book)) if wanted else Counter[str]()
    without = set(parse_roles(barred, book)) if barred else set[str]()
    if asked.total() > players:
        raise click.UsageError(
            _("--with asks for {asked} players, of {players}.").format(asked=asked.total(), players=players)
        )
    if both := sorted(without.intersection(asked)):
        raise click.UsageError(_("{roles}: both --with and --without.").format(roles=", ".join(both)))
    keep_inputs(output, [rulings] if rulings else [])
    answers, _places = rulings_of(rulings, book)
    found = propose(
        book, players, wanted=asked, without=without, count=count, rulings=answers, seconds=timeout
    )
    if form == "json":
        write(_json(found, book, players), output)
    else:
        write(_text(found, book, players, output, width, lang), output)
    if not found.complete:
        return 3
    return 0 if found.found else 1


def _json(found: Proposals, book: Rulebook, players: int) -> str:
    from ..render.json import FORMAT, dumps

    data: dict[str, Any] = {"format": FORMAT, "rulebook": book.id, "players": players}
    data |= {"complete": found.complete}
    data["proposals"] = [{"roles": dict(each.roles), "clashes": list(each.clashes)} for each in found.found]
    return dumps(data)


def _text(
    found: Proposals, book: Rulebook, players: int, output: str | None, width: int | None, lang: str
) -> str:
    from ..render.words import Words

    page = new_page(output, width, lang)
    words = Words(book, lang)
    if not found.found:
        none = (
            _("No role set for {n} players keeps every statement on the make-up.")
            if found.complete
            else _("The time was up before a role set for {n} players was found.")
        )
        page.put(none.format(n=players), hang=2)
        return page.text()
    for number, proposal in enumerate(found.found):
        if number:
            page.put()
        page.put(page.paint(words.sequence(_roles(proposal, words)), "bold"), hang=2)
        _put_clashes(page, proposal, words)
    if not found.complete:
        page.put()
        page.put(_("The time was up: there may be better ones."), hang=2)
    return page.text()


def _roles(proposal: Proposal, words: Words) -> list[str]:
    return [
        words.role(role) if times == 1 else f"{words.role(role)} × {words.shown(times)}"
        for role, times in proposal.roles
    ]


def _put_clashes(page: Page, proposal: Proposal, words: Words) -> None:
    """Add the contradictions that can come up, each with its question."""
    n = len(proposal.clashes)
    if not n:
        page.put(_("No contradiction of the rulebook comes up."), "dim", indent=2)
        return
    text = ngettext(
        "{n} contradiction of the rulebook can come up:", "{n} contradictions of the rulebook can come up:", n
    )
    page.put(text.format(n=n), "dim", indent=2)
    for id in proposal.clashes:
        page.put(f"{words.question(id)} [{words.ids([id])}]", indent=4, hang=6)
