"""The two languages. After a change of words, renew the catalogue from the top folder of the project:

pybabel compile -d mafia_asp/locale -D mafia_asp
"""

from __future__ import annotations

import string
import threading
from gettext import GNUTranslations
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import mafia_asp
from mafia_asp import i18n

PACKAGE = Path(mafia_asp.__file__).parent
PO = PACKAGE / "locale" / "fa" / "LC_MESSAGES" / "mafia_asp.po"
KEYWORDS: dict[str, Any] = {
    "_": None,
    "N_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}


def messages_in_code() -> set[Any]:
    found = extract_from_dir(PACKAGE, method_map=[("**.py", "python")], keywords=KEYWORDS)
    return {message for _file, _line, message, _comments, _context in found}


def catalogue() -> dict[Any, Message]:
    with PO.open("rb") as stream:
        return {m.id: m for m in read_po(stream, locale="fa") if m.id}


def test_every_message_is_translated_and_none_is_left_over() -> None:
    code, translated = messages_in_code(), catalogue()
    assert sorted(map(str, code - set(translated))) == []
    assert sorted(map(str, set(translated) - code)) == []
    empty = [m.id for m in translated.values() if not m.string or (m.pluralizable and not all(m.string))]
    assert empty == []


def test_the_compiled_catalogue_is_fresh() -> None:
    with PO.with_suffix(".mo").open("rb") as stream:
        compiled = GNUTranslations(stream)
    entries = 1  # the header
    for message in catalogue().values():
        if message.pluralizable:
            one, other = message.id
            assert [compiled.ngettext(one, other, n) for n in (1, 2)] == list(message.string)
        else:
            assert compiled.gettext(str(message.id)) == message.string
        entries += len(message.string) if message.pluralizable else 1
    assert len(compiled._catalog) == entries  # type: ignore[attr-defined]


def fields(text: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("message", catalogue().values(), ids=lambda m: str(m.id)[:40])
def test_placeholders_are_the_same_in_both_languages(message: Message) -> None:
    ids = message.id if message.pluralizable else (message.id,)
    strings = message.string if message.pluralizable else (message.string,)
    wanted = set().union(*(fields(i) for i in ids))
    for text in strings:
        assert fields(text) == wanted


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "en"),
        ({"LANG": "fa_IR.UTF-8"}, "fa"),
        ({"LANG": "fa"}, "fa"),
        ({"LANG": "fa-IR"}, "fa"),
        ({"LANG": "fa_IR", "LC_ALL": "C"}, "en"),
        ({"LANG": "C", "LC_MESSAGES": "fa_IR"}, "fa"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "fa_IR", "LC_ALL": ""}, "fa"),
    ],
)
def test_language_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert i18n.environment_language() == expected


def test_speaking() -> None:
    with i18n.language("fa"):
        assert i18n.gettext("nobody") == "هیچ‌کس"
        assert i18n.ngettext("{names} dies", "{names} die", 2) == "{names} کشته می‌شوند"
        assert i18n.gettext("not in the catalogue") == "not in the catalogue"
        assert i18n.pgettext("where", "not in the catalogue") == "not in the catalogue"
        assert i18n.number(120) == "۱۲۰"
    with i18n.language("en"):
        assert i18n.gettext("nobody") == "nobody"
        assert i18n.ngettext("one", "more", 1) == "one"
        assert i18n.ngettext("one", "more", 2) == "more"
        assert i18n.number(120) == "120"


def test_a_language_that_is_not_spoken() -> None:
    with pytest.raises(ValueError, match="de"):
        i18n.set_language("de")


def test_the_language_belongs_to_the_thread() -> None:
    seen: list[str] = []
    with i18n.language("fa"):
        thread = threading.Thread(
            target=lambda: (i18n.set_language("en"), seen.append(i18n.gettext("nobody")))
        )
        thread.start()
        thread.join()
        assert i18n.gettext("nobody") == "هیچ‌کس"
    assert seen == ["nobody"]
