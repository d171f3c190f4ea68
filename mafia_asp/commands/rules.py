"""``mafia-asp rules``: what a rulebook says, rule by rule, and what it leaves open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

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
    from collections.abc import Iterable

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
        _put_all(page, book, words)
    write(page.text(), output)
    return 0


class _Derived(NamedTuple):
    """A question that no file names: its id is put together from what meets there."""

    id: str
    answers: tuple[str, ...]


def _look_up(book: Rulebook, identifier: str) -> RuleText | QuestionText | ConventionText | _Derived:
    """Find a rule, question or convention. Raises InputError with the nearest ids."""
    from ..errors import Fault, InputError, fail
    from ..rulings import canonical, nearest_id

    for find in (book.rule, book.question, book.conventions.__getitem__):
        try:
            return find(identifier)
        except KeyError:
            continue
    if "(" in identifier or "~" in identifier:
        found = canonical(book, identifier, None)
        if isinstance(found, Fault):
            raise InputError([found])
        if found[0] in book.questions:
            return book.questions[found[0]]
        return _Derived(found[0], found[1] or ())
    if isinstance(role := book.find_role(identifier), str):
        text = _("{name} is a role; 'mafia-asp roles {id}' shows its rules.")
        raise click.UsageError(text.format(name=identifier, id=role))
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
    if isinstance(found, _Derived):
        return {"question": _derived_data(book, found)}
    return {"convention": convention_data(found)}


def _derived_data(book: Rulebook, asked: _Derived) -> dict[str, Any]:
    from ..i18n import LANGUAGES, language
    from ..render.words import Words

    data: dict[str, Any] = {"id": asked.id, "rules": asked.id.split("~") if "~" in asked.id else []}
    answers: list[dict[str, Any]] = [{"id": answer} for answer in asked.answers]
    for lang in LANGUAGES:
        words = Words(book, lang)
        with language(lang):
            data[lang] = words.question(asked.id)
            for answer in answers:
                answer[lang] = words.answer_text(asked.id, answer["id"])
    return {**data, "answers": answers}


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


def put_question(page: Page, asked: QuestionText, words: Words, *, rules: bool = True) -> None:
    """Add a question: its id, its words, its answers."""
    page.verbatim(asked.id, "yellow")
    page.put(f"{words.rule_text(asked)} ({words.kind(asked.kind)})", indent=2)
    for choice in asked.answers.values():
        page.put(f"{words.ids([choice.id])} – {words.rule_text(choice)}", indent=2, hang=6)
    if asked.rules and rules:
        page.put(words.ids(asked.rules), "dim", indent=2)


def _put_derived(page: Page, book: Rulebook, asked: _Derived, words: Words) -> None:
    page.verbatim(asked.id, "yellow")
    page.put(words.question(asked.id), indent=2)
    if "~" in asked.id:
        _put_rules(page, book, asked.answers, words)
        return
    for choice in asked.answers:
        page.put(f"{words.ids([choice])} – {words.answer_text(asked.id, choice)}", indent=2, hang=6)


def _put_all(page: Page, book: Rulebook, words: Words) -> None:
    """Add everything, role by role and in the order of the book."""
    for owner, rules in _by_owner(book.rules):
        page.put()
        page.put(_heading(book, owner, words), "bold")
        for name in rules:
            put_rule(page, book.rules[name], words)
    page.put()
    page.put(_("Open questions"), "bold")
    for _owner, questions in _by_owner(book.questions):
        for name in questions:
            page.put()
            put_question(page, book.questions[name], words)
    page.put()
    page.put(_("Conventions"), "bold")
    for found in book.conventions.values():
        put_convention(page, found, words)


def _by_owner(ids: Iterable[str]) -> list[tuple[tuple[str, str], list[str]]]:
    """Sort ids by the book and role that they are of, what is of no role first, numbers as numbers.

    A circle's id has no role in it.
    """
    owners: dict[tuple[str, str], list[str]] = {}
    for name in ids:
        prefix, *middle, _last = name.replace(".q.", ".", 1).split(".") if "." in name else ("", "")
        owners.setdefault((prefix, middle[0] if middle else ""), []).append(name)
    order = sorted(owners, key=lambda owner: (owner[1] not in ("", "general"), owner[1], owner[0]))
    return [(owner, sorted(owners[owner], key=_natural)) for owner in order]


def _natural(name: str) -> list[tuple[bool, int, str]]:
    return [(not p.isdigit(), int(p) if p.isdigit() else 0, p) for p in name.split(".")]


def _heading(book: Rulebook, owner: tuple[str, str], words: Words) -> str:
    prefix, role = owner
    if role in book.role_ids:
        return words.role(role)
    return (
        _("The game in general")
        if role == "general"
        else _("What holds in every rulebook ({prefix})").format(prefix=words.ids([prefix]))
    )


def put_convention(page: Page, found: ConventionText, words: Words) -> None:
    """Add a convention: its id, its words, its reason."""
    page.verbatim(found.id, "cyan")
    page.put(words.rule_text(found), indent=2)
    reason = (found.reason_fa if words.lang == "fa" else found.reason_en) or found.reason_en
    if reason:
        page.put(reason, "dim", indent=2)


def _put_one(page: Page, book: Rulebook, identifier: str, words: Words) -> None:
    from ..ruletext import QuestionText, RuleText

    found = _look_up(book, identifier)
    if isinstance(found, RuleText):
        put_rule(page, found, words)
        for asked in _concerned(book, found.id):
            page.put()
            put_question(page, asked, words)
    elif isinstance(found, QuestionText):
        put_question(page, found, words, rules=False)
        _put_rules(page, book, found.rules, words)
    elif isinstance(found, _Derived):
        _put_derived(page, book, found, words)
    else:
        put_convention(page, found, words)


def _put_rules(page: Page, book: Rulebook, rules: Iterable[str], words: Words) -> None:
    for rule in rules:
        page.put()
        put_rule(page, book.rule(rule), words)
