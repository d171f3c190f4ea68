"""Comparing what people type: one name in many spellings, and the nearest name to a slip.

Two names are one if they are equal after :func:`normalise`. Role names and verbs, whose words
are known beforehand, are compared more loosely still, by :func:`squeeze`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_FOLD = str.maketrans(
    {"ك": "ک", "ي": "ی", "ى": "ی", "ة": "ه", "ە": "ه", "ہ": "ه", "ھ": "ه", "ۀ": "ه", "ـ": ""}
    | {chr(0x660 + n): str(n) for n in range(10)}
    | {chr(0x6F0 + n): str(n) for n in range(10)}
)
_DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹", "01234567890123456789")
_SPACE = re.compile(r"[\s\u200b-\u200d\u2060\ufeff]+")
_INSIDE_PERSIAN = re.compile(r"(?<=[\u0620-\u06d3]) (?=[\u0620-\u06d3])")
#: Accents, vowel signs and invisible characters, which people leave out.
_LEFT_OUT = re.compile(
    "[\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
    "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]+"
)


def normalise(text: str) -> str:
    """The form in which names are compared.

    Case, accents, vowel signs, Arabic and Persian forms of ye, kaf and he, digits of either
    script and kinds of space do not count; neither does a space or half-space between two
    letters of the Arabic script.
    """
    if text.isascii():
        return " ".join(text.casefold().split())
    folded = _SPACE.sub(" ", text).translate(_FOLD)
    kept = _LEFT_OUT.sub("", unicodedata.normalize("NFKD", folded))
    joined = _SPACE.sub(" ", kept.translate(_FOLD).casefold()).strip()
    return _INSIDE_PERSIAN.sub("", joined)


def latin_digits(text: str) -> str:
    """The text with Persian and Arabic digits as Latin ones."""
    return text if text.isascii() else text.translate(_DIGITS)


def squeeze(text: str) -> str:
    """Looser than :func:`normalise`: spaces, underscores and hyphens do not count either."""
    return normalise(text).replace(" ", "").replace("_", "").replace("-", "")


def squeeze_all(texts: list[str]) -> list[str]:
    """Many texts at once, which is several times as fast as one by one."""
    whole = squeeze("|".join(text.replace("|", " ") for text in texts))
    return whole.split("|") if texts else []


def suggest(word: str, choices: Iterable[str], limit: int = 3) -> list[str]:
    """The choices nearest to a word, the nearest first; none where none is near.

    Near is one slip (a letter missing, added, wrong, or two swapped) for every three letters.
    Of choices that differ in spelling only, the first stands for all.
    """
    wanted = squeeze(word)[:64]
    allowed = max(1, len(wanted) // 3)
    found = []
    seen = set()
    for number, choice in enumerate(choices):
        known = squeeze(choice)[:64]
        if known in seen:
            continue
        seen.add(known)
        if abs(len(known) - len(wanted)) <= allowed and wanted and known:
            slips = _slips(wanted, known, allowed)
            if slips <= allowed and slips < len(wanted):
                found.append((slips, number, choice))
    return [choice for _, _, choice in sorted(found)[:limit]]


def _slips(a: str, b: str, allowed: int) -> int:
    """The least number of slips that turn one word into the other (Damerau, adjacent swaps)."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, before = before, row
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > allowed:
            return allowed + 1
    return row[-1]
