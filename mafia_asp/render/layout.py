"""Lines of text for a terminal or a phone: wrapping, colour, and two directions of writing."""

from __future__ import annotations

import os
import unicodedata

#: Width where there is no terminal to ask.
PLAIN_WIDTH = 80
#: Wider lines are hard to read.
WIDEST = 100
NARROWEST = 24

_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_FSI, _PDI = "\u2068", "\u2069"
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


def clean(text: str) -> str:
    """Replace what could steer a terminal or turn the direction of a line: names come from files."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        "\ufffd" if c in _BIDI_CONTROLS or unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c
        for c in text
    )


def _direction(text: str) -> set[str]:
    """Give which directions of writing occur: ``ltr``, ``rtl``. Digits count as left to right."""
    if text.isascii():
        return {"ltr"} if any(map(str.isalnum, text)) else set()
    found = set()
    for c in text:
        if c.isascii():
            if c.isalnum():
                found.add("ltr")
        elif unicodedata.bidirectional(c) in ("R", "AL", "AN", "EN"):
            found.add("rtl")
        elif c.isalpha():
            found.add("ltr")
    return found


def isolate(text: str, lang: str) -> str:
    """Keep a foreign piece (an id, a Latin name in Persian) from disturbing the line around it."""
    text = clean(text)
    home = "rtl" if lang == "fa" else "ltr"
    return text if _direction(text) <= {home} else f"{_FSI}{text}{_PDI}"


def width_of(text: str) -> int:
    """Count the columns that a text takes, escape sequences and marks of direction left out."""
    if text.isascii() and "\x1b" not in text:
        return len(text)
    width, escaped = 0, False
    for c in text:
        if escaped:
            escaped = c != "m"
        elif c == "\x1b":
            escaped = True
        elif c in _BIDI_CONTROLS or unicodedata.category(c) in ("Mn", "Me", "Cf"):
            continue
        else:
            width += 2 if unicodedata.east_asian_width(c) in ("W", "F") else 1
    return width


class Page:
    """Lines that grow from top to bottom, wrapped to a width and coloured where that is wanted."""

    __slots__ = ("colour", "lang", "lines", "width")

    def __init__(self, lang: str = "en", width: int = PLAIN_WIDTH, colour: bool = False) -> None:
        self.lang = lang
        self.width = width
        self.colour = colour
        self.lines: list[str] = []

    def paint(self, text: str, *styles: str) -> str:
        """Colour a piece of a line, where colour is wanted."""
        if not self.colour or not text:
            return text
        codes = ";".join(_STYLES[s] for s in styles)
        return f"\x1b[{codes}m{text}\x1b[0m"

    def put(self, text: str = "", *styles: str, indent: int = 0, hang: int | None = None) -> None:
        """Add a paragraph; its further lines are indented by ``hang`` (by default as the first)."""
        if not text:
            if self.lines and self.lines[-1]:
                self.lines.append("")
            return
        hang = indent if hang is None else hang
        room = max(self.width, NARROWEST)
        line, used = " " * indent, indent
        empty = True
        for word in text.split(" "):
            size = width_of(word)
            if not empty and used + 1 + size > room:
                self.lines.append(self._painted(line, styles))
                line, used, empty = " " * hang, hang, True
            line += word if empty else " " + word
            used += size if empty else size + 1
            empty = False
        self.lines.append(self._painted(line, styles))

    def verbatim(self, text: str, *styles: str, indent: int = 0) -> None:
        """Add a line that is never wrapped: something to be copied."""
        self.lines.append(self._painted(" " * indent + text, styles))

    def _painted(self, line: str, styles: tuple[str, ...]) -> str:
        line = line.replace("\u00a0", " ")
        body = line.lstrip(" ")
        return line[: len(line) - len(body)] + self.paint(body, *styles) if styles else line

    def text(self) -> str:
        """Give the whole page, with one newline at its end."""
        lines = list(self.lines)
        while lines and not lines[-1]:
            lines.pop()
        return "\n".join(lines) + "\n" if lines else ""


def page(stream_is_terminal: bool, width: int | None = None, lang: str = "en") -> Page:
    """Lay out for the standard output: its width and colours where it is a terminal, else plain."""
    if width is None:
        width = PLAIN_WIDTH
        if stream_is_terminal:
            try:
                width = os.get_terminal_size().columns or PLAIN_WIDTH
            except OSError:
                width = PLAIN_WIDTH
            width = min(width, WIDEST)
    return Page(lang=lang, width=max(width, NARROWEST), colour=stream_is_terminal and colour_wanted())


def colour_wanted() -> bool:
    """Tell whether the environment allows colours on a terminal."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
