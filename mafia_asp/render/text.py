"""A verdict as plain text, for whoever moderates the game: short lines, the important things first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..decision import Leaf
from ..i18n import gettext as _
from .answer import (
    ALL_OWN,
    IN_WORDS,
    Answer,
    Cite,
    Divide,
    Origins,
    Question,
    Section,
    answer,
    joined,
    no_announcement,
    ruling_line,
)
from .layout import isolate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..decision import Tree
    from ..model import Verdict
    from .layout import Page
    from .words import Words

_STATE_STYLES = {
    "settled": ("bold", "green"),
    "convention": ("bold", "green"),
    "open": ("bold", "yellow"),
    "illegal": ("bold", "red"),
}


def put_verdict(page: Page, verdict: Verdict, words: Words, origins: Origins = ALL_OWN) -> None:
    """Add the answer to a night to a page."""
    put_answer(page, answer(verdict, words, origins), words)


def put_answer(page: Page, said: Answer, words: Words) -> None:
    """Add an answer that is in words already."""
    page.put(said.title, "bold")
    if said.refused:
        _put_section(page, said.refused, words, "red")
    page.put()
    page.put(said.headline, *_STATE_STYLES[said.state])
    for section in said.sections:
        _put_section(page, section, words)
    for divide in said.divides:
        page.put()
        put_divide(page, divide, words)
    if said.notes:
        page.put()
        for note in said.notes:
            page.put(note.text, "dim", hang=2)
            for more in note.more:
                page.put(more, "dim", indent=2)
            for line in note.copied:
                page.verbatim(line, "cyan", indent=2)


def _put_section(page: Page, section: Section, words: Words, *styles: str) -> None:
    page.put()
    if not section.items:
        page.put(section.none, *(styles or ("bold",)), hang=2)
        return
    page.put(section.title, *(styles or ("bold",)))
    for item in section.items:
        page.put(item.text, *(() if item.certain else ("yellow",)), indent=2, hang=4)
        _put_cites(page, item.cites, words)


def _put_cites(page: Page, cites: Sequence[Cite], words: Words) -> None:
    for cite in cites[:IN_WORDS]:
        put_cite(page, cite, words)
    # Ids with their sources stay whole; in Persian these are lines of their own, without brackets.
    persian = words.lang == "fa"
    more = [label(cite) if persian else f"[{label(cite)}]" for cite in cites[IN_WORDS:]]
    if more:
        page.put((", " if persian else " ").join(one.replace(" ", "\u00a0") for one in more), "dim", indent=4)


def label(cite: Cite) -> str:
    """Give a rule's id and source."""
    return f"{cite.id} · {cite.source}" if cite.source else cite.id


def put_cite(page: Page, cite: Cite, words: Words, indent: int = 4) -> None:
    """Add a rule in a few words, then its id and source; in Persian these stand on their own line."""
    if words.lang == "fa" and cite.text:
        page.put(cite.text, "dim", indent=indent)
        page.verbatim(label(cite), "dim", indent=indent)
    else:
        # The id and its source stay together on one line.
        mark = f"[{label(cite)}]".replace(" ", "\u00a0")
        page.put(f"{cite.text} {mark}" if cite.text else mark, "dim", indent=indent)


def put_divide(page: Page, divide: Divide, words: Words) -> None:
    """Add a group of open questions, with what follows from each answer."""
    single = len(divide.questions) == 1 and not divide.questions[0].under
    for position, question in enumerate(divide.questions):
        if position:
            page.put()
        put_question(page, question, words)
        if not single:
            _put_answers(page, question, words)
    page.put()
    if single:
        _put_single(page, divide, words)
    else:
        put_tree(page, divide, divide.tree, words, 2)
    page.put()
    page.put(_("To settle it, add one of these lines under rulings:"), "dim", indent=2)
    for question in divide.questions:
        for choice, _text in question.answers:
            page.verbatim(ruling_line(question.id, choice), "cyan", indent=4)


def put_question(page: Page, question: Question, words: Words) -> None:
    """Add an open question: its id, its words, and the rules that meet there."""
    page.verbatim(question.id, "bold", "yellow")
    if question.kind:
        page.put(question.kind, "dim", indent=2)
    if question.under:
        page.put(
            _("arises only with {line}").format(line=isolate(question.under, words.lang)), "dim", indent=2
        )
    if question.text:
        page.put(question.text, indent=2)
    for cite in question.cites:
        put_cite(page, cite, words)


def _put_single(page: Page, divide: Divide, words: Words) -> None:
    question = divide.questions[0]
    texts = dict(question.answers)
    for position, (combinations, phrases) in enumerate(divide.ways):
        chosen = list(dict.fromkeys(c[question.id] for c in combinations if question.id in c))
        if position:
            page.put()
        label = " / ".join(isolate(c, words.lang) for c in chosen)
        outcome = joined(phrases, words) or _("nothing else changes")
        page.put(
            f"{page.paint(label, 'cyan')} {arrow(words.lang)} {page.paint(outcome, 'bold')}", indent=2, hang=4
        )
        for choice in chosen:
            if texts.get(choice):
                page.put(texts[choice], "dim", indent=4)


def _put_answers(page: Page, question: Question, words: Words) -> None:
    for choice, text in question.answers:
        line = isolate(choice, words.lang)
        page.put(f"{line} – {text}" if text else line, indent=2, hang=4)


def put_tree(page: Page, divide: Divide, tree: Tree[int], words: Words, indent: int) -> None:
    """Add what follows from each answer; under an answer, the next question that still matters."""
    if isinstance(tree, Leaf):
        return
    page.verbatim(tree.question, "cyan", indent=indent)
    for answers, below in tree.branches:
        line = (
            f"{page.paint(' / '.join(isolate(a, words.lang) for a in answers), 'cyan')} {arrow(words.lang)}"
        )
        if isinstance(below, Leaf):
            outcome = joined(divide.ways[below.outcome][1], words) or _("nothing else changes")
            line += f" {page.paint(outcome, 'bold')}"
        page.put(line, indent=indent + 2, hang=indent + 4)
        put_tree(page, divide, below, words, indent + 4)


def arrow(lang: str) -> str:
    """Point onwards in the direction of reading."""
    return "←" if lang == "fa" else "→"


def put_announcement(page: Page, verdict: Verdict, words: Words) -> None:
    """Add only what may be read aloud at dawn, a sentence a line."""
    said = [words.token(token) for token in verdict.certain.get("announce", [])]
    nothing = [] if verdict.possible.get("announce") else [no_announcement(verdict.scenario)]
    for sentence in said or nothing:
        page.put(sentence, hang=2)


def put_for(page: Page, verdict: Verdict, player: str, words: Words) -> None:
    """Add only what one player is told."""
    certain, possible = verdict.certain, verdict.possible
    shown = certain.get("answers", {}).get(player, "none")
    maybe = possible.get("answers", {})
    if isinstance(maybe, dict) and player in maybe:
        page.put(_("{name}: not settled").format(name=words.name(player)), "yellow", hang=2)
    elif any(player in each.get("answers", {}) for each in verdict.chance):
        page.put(_("{name}: lots are to be drawn").format(name=words.name(player)), "yellow", hang=2)
    elif shown == "none":
        page.put(_("{name} is told nothing").format(name=words.name(player)), hang=2)
    else:
        page.put(_("{name}: {what}").format(name=words.name(player), what=words.shown(shown)), hang=2)
    for refusal in verdict.refused:
        if refusal.actor == player:
            page.put(_("refused: {verb}").format(verb=words.verb(refusal.verb)), "red", indent=2)
