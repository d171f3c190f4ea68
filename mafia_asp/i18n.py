"""The two languages in which the package speaks: English, and Persian from a gettext catalogue.

The English sentence is the key, so English costs nothing; the Persian catalogue is read at the
first Persian sentence. The language belongs to the context (a thread, a task), not to the process.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from gettext import NullTranslations

LANGUAGES = ("en", "fa")
DOMAIN = "mafia_asp"
LOCALE = os.path.join(os.path.dirname(__file__), "locale")

_chosen: ContextVar[str | None] = ContextVar("mafia_asp_language", default=None)
_loaded: dict[str, NullTranslations] = {}
_PERSIAN_DIGITS = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")


def N_(message: str) -> str:
    """Mark a sentence for the catalogue that is translated where it is shown."""
    return message


def environment_language() -> str:
    """The environment's language (LC_ALL, LC_MESSAGES, LANG: the first that is set), else English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            code = value.replace("-", "_").partition(".")[0].partition("_")[0].lower()
            return code if code in LANGUAGES else "en"
    return "en"


def set_language(language: str | None) -> None:
    """Choose the language of this context; None leaves it to the environment.

    Raises ValueError for a language that the package does not speak.
    """
    if language is not None and language not in LANGUAGES:
        raise ValueError(f"no such language: {language!r}")
    _chosen.set(language)


def current_language() -> str:
    """``en`` or ``fa``."""
    return _chosen.get() or environment_language()


@contextmanager
def language(code: str | None) -> Iterator[None]:
    """Speak this language inside the block; None changes nothing."""
    before = _chosen.get()
    if code is not None:
        set_language(code)
    try:
        yield
    finally:
        _chosen.set(before)


def _catalogue(code: str) -> NullTranslations:
    catalogue = _loaded.get(code)
    if catalogue is None:
        from gettext import translation

        catalogue = translation(DOMAIN, LOCALE, [code], fallback=True)
        _loaded[code] = catalogue
    return catalogue


def gettext(message: str) -> str:
    """The message in the language of this context."""
    code = current_language()
    return message if code == "en" else _catalogue(code).gettext(message)


def ngettext(one: str, other: str, count: int) -> str:
    """The form of a message that fits the count, in the language of this context."""
    code = current_language()
    if code == "en":
        return one if count == 1 else other
    return _catalogue(code).ngettext(one, other, count)


def pgettext(context: str, message: str) -> str:
    """The message in the language of this context, where one English word has two meanings."""
    code = current_language()
    return message if code == "en" else _catalogue(code).pgettext(context, message)


def number(count: int) -> str:
    """A count within a sentence, in the digits of the language. Never for ids."""
    return str(count).translate(_PERSIAN_DIGITS) if current_language() == "fa" else str(count)


_ = gettext
