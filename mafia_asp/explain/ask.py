"""Reading a question such as ``Sara dies``, ``Ali told yes`` or ``علی نمی‌تواند شلیک کند``.

Names and words are compared after normalising, with spaces left out, since a half-space may be
missing or be a space: so a question is a player's name and then one of a few phrases.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import Fault, InputError
from ..i18n import LANGUAGES, gettext, language
from ..names import squeeze, suggest

if TYPE_CHECKING:
    from ..model import Scenario
    from ..rulebook import Rulebook

#: what can be asked -> how it is said, in either language
PHRASES: dict[str, tuple[str, ...]] = {
    "dies": (
        *("dies", "die", "died", "dead", "is dead", "killed", "is killed", "was killed"),
        *("می‌میرد", "کشته می‌شود", "مرد", "مرده", "مرده است", "کشته", "کشته شد", "کشته شده", "کشته شده است"),
    ),
    "lives": (
        *("lives", "live", "lived", "survives", "survived", "alive", "is alive"),
        *("زنده می‌ماند", "می‌ماند", "نمی‌میرد", "زنده ماند", "زنده", "زنده است"),
    ),
    "saved": (
        *("saved", "is saved", "was saved"),
        *("نجات می‌یابد", "نجات پیدا می‌کند", "نجات یافت", "نجات یافته", "نجات پیدا کرد", "نجات"),
    ),
    "silenced": (
        *("silenced", "is silenced", "was silenced", "silent", "is silent", "silent tomorrow"),
        *("ساکت می‌شود", "ساکت شد", "ساکت", "ساکت است", "سکوت"),
    ),
    "told": ("told", "is told", "was told", "می‌شنود", "شنید"),
    "becomes": ("becomes", "become", "became", "می‌شود", "شد"),
    "cannot": ("cannot", "can not", "can't", "may not", "نمی‌تواند", "نتوانست"),
}
#: what the program itself prints of such a fact (messages) -> the kind, and the answer where it says one
PRINTED = {
    "{player} dies": ("dies", ""),
    "{player} lives": ("lives", ""),
    "{player} is saved": ("saved", ""),
    "{player} is silent tomorrow": ("silenced", ""),
    "{name} is told nothing": ("told", "none"),
    "{name} is told something": ("told", ""),
    "{name} is told: {what}": ("told", ""),
    "{name}: {what}": ("told", ""),
    "{name} becomes {role}": ("becomes", ""),
    "{name} is {role}": ("becomes", ""),
    "{name} is refused something": ("cannot", ""),
    "{name} is refused: {verbs}": ("cannot", ""),
}
_DETAIL = re.compile(r"\{(?:what|role|verbs)\}")
#: what may follow a verb in Persian
_VERB_ENDS = ("کند", "بکند", "بدهد", "دهد", "بگیرد", "گیرد", "بزند", "زند", "نکند")
#: the forms that are right, shown where a question is not understood
FORMS = {
    "en": (
        *("NAME", "NAME dies|lives|saved|silenced", "NAME told", "NAME told ANSWER"),
        *("NAME becomes ROLE", "NAME cannot VERB"),
    ),
    "fa": (
        *("«نام»", "«نام» می‌میرد", "«نام» زنده می‌ماند", "«نام» نجات می‌یابد", "«نام» ساکت می‌شود"),
        *("«نام» می‌شنود", "«نام» «جواب» می‌شنود", "«نام» «نقش» می‌شود", "«نام» نمی‌تواند «کار»"),
    ),
}


@dataclass(frozen=True, slots=True)
class Fact:
    """What is asked about: a kind of :data:`PHRASES` (empty: all about a player), and its details."""

    kind: str
    player: str = ""
    #: the role, the verb or the answer, by id; empty for any
    value: str = ""


def parse(question: str, scenario: Scenario, book: Rulebook) -> Fact:
    """Return what a question asks.

    Raises:
        InputError: it names nobody at the table, or is not understood; with what would be right.
    """
    wanted = squeeze(question)
    names = sorted((p.name for p in scenario.players), key=lambda name: -len(squeeze(name)))
    faults: list[Fault] = []
    for name in names:
        key = squeeze(name)
        if wanted == key:
            return Fact("", name)
        if wanted.startswith(key):
            found = _predicate(name, wanted[len(key) :], question, scenario, book)
            if isinstance(found, Fact):
                return found
            faults.append(found)
    for name in names:
        if (printed := _as_printed(name, wanted, scenario, book)) is not None:
            return printed
    if faults:
        raise InputError(faults[:1])
    first = _first_words(question)
    near = suggest(first, names)
    args = {"text": first or question, "near": near, "choices": [p.name for p in scenario.players]}
    raise InputError([Fault(None, "why.player", args)])


def _as_printed(name: str, wanted: str, scenario: Scenario, book: Rulebook) -> Fact | None:
    """Return what is asked in the very words that the program prints, in either language."""
    for lang in LANGUAGES:
        with language(lang):
            for message, (kind, value) in PRINTED.items():
                text = gettext(message).replace("{player}", name).replace("{name}", name)
                before, *rest = map(squeeze, _DETAIL.split(text))
                if not rest:
                    if wanted == before:
                        return Fact(kind, name, value)
                    continue
                after = rest[0]
                detail = wanted[len(before) : len(wanted) - len(after)]
                if detail and wanted == before + detail + after:
                    found = _DETAILS[kind](detail, scenario, book)
                    if isinstance(found, str):
                        return Fact(kind, name, found)
    return None


def _first_words(question: str) -> str:
    """Return what stands before the first known phrase, as far as words can be told apart."""
    words = question.split()
    for at in range(1, len(words) + 1):
        for until in range(len(words), at, -1):
            if squeeze("".join(words[at:until])) in _KINDS:
                return " ".join(words[:at])
    return " ".join(words[:1])


_KINDS = {squeeze(phrase): kind for kind, phrases in PHRASES.items() for phrase in phrases}


def _predicate(name: str, rest: str, question: str, scenario: Scenario, book: Rulebook) -> Fact | Fault:
    """Return what is asked about a player, or what is wrong with it."""
    if rest in _KINDS and _KINDS[rest] != "becomes":
        return Fact(_KINDS[rest], name)
    for phrase, kind in sorted(_KINDS.items(), key=lambda pair: -len(pair[0])):
        if kind not in _DETAILS:
            continue
        # In Persian the detail stands before the phrase as well.
        if rest.startswith(phrase):
            detail = rest[len(phrase) :]
        elif rest.endswith(phrase) and not phrase.isascii():
            detail = rest[: -len(phrase)]
        else:
            continue
        found = _DETAILS[kind](detail, scenario, book) if detail else None
        return Fact(kind, name, found) if isinstance(found, str) else _detail_fault(kind, detail, found, book)
    if isinstance(bare := book.lexicon.find("answer", rest), str):
        return Fact("told", name, bare)
    return Fault(None, "why.form", {"text": question, "choices": _forms()})


def _detail_fault(kind: str, detail: str, found: list[str] | None, book: Rulebook) -> Fault:
    if not detail:
        return Fault(None, "why.form", {"text": detail, "choices": _forms()})
    if found:
        if kind == "becomes":
            choices = book.role_choices(detail, found)
            return Fault(None, "role.ambiguous", {"name": detail, "choices": choices})
        return Fault(None, "verb.ambiguous", {"name": detail, "choices": found})
    if kind == "becomes":
        near = suggest(detail, book.role_words())
        return Fault(None, "role.unknown", {"name": detail, "rulebook": book.id, "near": near})
    if kind == "cannot":
        near = suggest(detail, book.lexicon.known("verb"))
        return Fault(None, "verb.unknown", {"name": detail, "near": near})
    words = [word for both in book.lexicon.words["answer"].values() for word in both]
    return Fault(None, "why.answer", {"text": detail, "choices": words})


def _forms() -> list[str]:
    from ..i18n import current_language

    return list(FORMS[current_language()])


def _answer(text: str, scenario: Scenario, book: Rulebook) -> str | list[str] | None:
    for player in scenario.players:
        if squeeze(player.name) == text:
            return player.name
    if text in ("nothing", squeeze("هیچ چیز")):
        return "none"
    for table in ("answer", "team"):
        found = book.lexicon.find(table, text)
        if isinstance(found, str):
            return found
    role = book.find_role(text)
    return role if isinstance(role, str) else None


def _role(text: str, scenario: Scenario, book: Rulebook) -> str | list[str] | None:
    return book.find_role(text)


def _verb(text: str, scenario: Scenario, book: Rulebook) -> str | list[str] | None:
    """Return a verb; in Persian the rest of a compound may follow it, and in both the target."""
    ends = ["", *map(squeeze, _VERB_ENDS), *(squeeze(player.name) for player in scenario.players)]
    for end in ends:
        if text.endswith(end) and len(text) > len(end):
            found = book.find_verb(text.removesuffix(end))
            if found is not None:
                return found
    return None


_DETAILS: dict[str, Callable[[str, Scenario, Rulebook], str | list[str] | None]] = {
    "told": _answer,
    "becomes": _role,
    "cannot": _verb,
}
