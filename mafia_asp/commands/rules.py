"""``mafia-asp rules``: what a rulebook says, rule by rule, and what it leaves open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..i18n import gettext as _
from .common import (
    DEFAULT_RULEBOOK,
    complete_rule,
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
    from ..rulebook import Rulebook
    from ..ruletext import ConventionText, QuestionText, RuleText


@click.command(
    "rules",
    epilog="""\b
Examples:
  mafia-asp rules
  mafia-asp rules ca.doctor.9
  mafia-asp rules ca.q.sniper.1 --lang fa
  mafia-asp rules --rulebook booklet --format json""",
)
@click.argument("rule", required=False, shell_complete=complete_rule)
@rulebook_option
@lang_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@output_option
@width_option
def command(
    rule: str | None, rulebook: str | None, lang: str, form: str, output: str | None, width: int | None
) -> int:
    """List the rules of a rulebook, or show one rule, question or convention.

    RULE is an id; its prefix tells the rulebook.
    """
    from ..render.words import Words
    from ..rulebook import Rulebook, book_of

    book = Rulebook.load(rulebook or (rule and book_of(rule)) or DEFAULT_RULEBOOK)
    if form == "json":
        from ..render.json import FORMAT, dumps

        head = {"format": FORMAT, "rulebook": book.id}
        write(dumps(head | (_one_data(book, rule) if rule else _all_data(book))), output)
        return 0
    page = new_page(output, width, lang)
    words = Words(book, lang)
    if rule:
        _put_one(page, book, rule, words)
    else:
        for text in book.rules.values():
            put_rule(page, text, words)
        if book.questions:
            page.put()
            page.put(_("Open questions"), "bold")
        for asked in book.questions.values():
            page.put()
            put_question(page, asked, words)
    write(page.text(), output)
    return 0


def _look_up(book: Rulebook, identifier: str) -> RuleText | QuestionText | ConventionText:
    """Find a rule, question or convention. Raises InputError with the nearest ids."""
    from ..errors import fail
    from ..rulings import nearest_id

    for find in (book.rule, book.question, book.conventions.__getitem__):
        try:
            return find(identifier)
        except KeyError:
            continue
    known = [*book.rules, *book.questions, *book.conventions]
    raise fail(None, "rule.unknown", id=identifier, rulebook=book.id, near=nearest_id(identifier, known))


def _concerned(book: Rulebook, rule: str) -> list[QuestionText]:
    """Give the questions that concern a rule."""
    return [
        asked
        for asked in book.questions.values()
        if rule in asked.rules or any(rule in answer.rules for answer in asked.answers.values())
    ]


# --- data --------------------------------------------------------------------------------------------


def rule_data(rule: RuleText) -> dict[str, Any]:
    """Give a rule as JSON data."""
    return {
        "id": rule.id,
        "source": rule.source,
        "phase": rule.phase,
        "kind": rule.kind,
        "en": rule.en,
        "fa": rule.fa,
    }


def question_data(asked: QuestionText) -> dict[str, Any]:
    """Give a question as JSON data."""
    return {
        "id": asked.id,
        "kind": asked.kind,
        "rules": list(asked.rules),
        "en": asked.en,
        "fa": asked.fa,
        "answers": [
            {"id": a.id, "en": a.en, "fa": a.fa, "rules": list(a.rules)} for a in asked.answers.values()
        ],
    }


def convention_data(found: ConventionText) -> dict[str, Any]:
    """Give a convention as JSON data."""
    return {
        "id": found.id,
        "en": found.en,
        "fa": found.fa,
        "reason": {"en": found.reason_en, "fa": found.reason_fa},
    }


def _all_data(book: Rulebook) -> dict[str, Any]:
    return {
        "rules": [rule_data(r) for r in book.rules.values()],
        "questions": [question_data(q) for q in book.questions.values()],
        "conventions": [convention_data(c) for c in book.conventions.values()],
    }


def _one_data(book: Rulebook, identifier: str) -> dict[str, Any]:
    from ..ruletext import QuestionText, RuleText

    found = _look_up(book, identifier)
    if isinstance(found, RuleText):
        return {"rule": {**rule_data(found), "questions": [q.id for q in _concerned(book, found.id)]}}
    if isinstance(found, QuestionText):
        return {"question": question_data(found)}
    return {"convention": convention_data(found)}


# --- text --------------------------------------------------------------------------------------------


def put_rule(page: Page, rule: RuleText, words: Words) -> None:
    """Add a rule: its id and source, then its words."""
    source = f" · {rule.source}" if rule.source != "-" else ""
    page.verbatim(f"{rule.id}{source}", "cyan")
    kind = "" if rule.kind == "rule" else f" ({_kind(rule.kind)})"
    page.put((words.rule_text(rule) or "…") + kind, indent=2)


def _kind(kind: str) -> str:
    known = {
        "exception": _("exception"),
        "default": _("default"),
        "variant": _("variant"),
        "advice": _("advice"),
    }
    return known.get(kind, kind)


def put_question(page: Page, asked: QuestionText, words: Words) -> None:
    """Add a question: its id, its words, its answers."""
    page.verbatim(asked.id, "yellow")
    page.put(f"{words.rule_text(asked)} ({words.kind(asked.kind)})", indent=2)
    for choice in asked.answers.values():
        page.put(f"{words.ids([choice.id])} – {words.rule_text(choice)}", indent=2, hang=6)
    if asked.rules:
        page.put(words.ids(asked.rules), "dim", indent=2)


def _put_one(page: Page, book: Rulebook, identifier: str, words: Words) -> None:
    from ..ruletext import QuestionText, RuleText

    found = _look_up(book, identifier)
    if isinstance(found, RuleText):
        put_rule(page, found, words)
        for asked in _concerned(book, found.id):
            page.put()
            put_question(page, asked, words)
    elif isinstance(found, QuestionText):
        put_question(page, found, words)
        for rule in found.rules:
            page.put()
            page.verbatim(rule, "cyan")
            page.put(words.rule(rule), indent=2)
    else:
        page.verbatim(found.id, "cyan")
        page.put(words.rule_text(found), indent=2)
        reason = (found.reason_fa if words.lang == "fa" else found.reason_en) or found.reason_en
        if reason:
            page.put(reason, "dim", indent=2)
