"""A verdict as Markdown, to paste into a chat or a wiki."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..i18n import gettext as _
from .answer import (
    ALL_OWN,
    IN_WORDS,
    Answer,
    Cite,
    Divide,
    Origins,
    Section,
    answer,
    joined,
    ruling_line,
    title,
)
from .layout import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..model import Verdict
    from .words import Words

_SPECIAL = str.maketrans({c: "\\" + c for c in "\\`*_[]<>|#"})


def verdict_markdown(verdict: Verdict, words: Words, origins: Origins = ALL_OWN) -> str:
    """Give the answer to a night as a Markdown document."""
    return answer_markdown(answer(verdict, words, origins), words)


def heading(verdict: Verdict, words: Words) -> str:
    """Give the line that names the scenario."""
    return f"## {escape(title(verdict, words))}"


def listed(sentences: Iterable[str]) -> str:
    """Give sentences as a list."""
    return "".join(f"- {escape(sentence)}\n" for sentence in sentences)


def answer_markdown(said: Answer, words: Words) -> str:
    """Give an answer that is in words already as Markdown."""
    return "\n".join(_lines(said, words)).rstrip("\n") + "\n"


def escape(text: str) -> str:
    """Keep what comes from a file from being read as Markdown."""
    return text.translate(_SPECIAL)


def code(text: str) -> str:
    """Give a text as code within a line, whatever it holds."""
    text = clean(text)
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _lines(said: Answer, words: Words) -> Iterator[str]:
    yield f"## {escape(said.title)}"
    yield ""
    if said.refused:
        yield from _section(said.refused)
    yield f"**{escape(said.headline)}**"
    yield ""
    for section in said.sections:
        yield from _section(section)
    for divide in said.divides:
        yield from _divide(divide, words)
    for note in said.notes:
        yield f"*{escape(note.text)}*"
        yield ""
        for more in note.more:
            yield f"- {escape(more)}"
        for line in note.copied:
            yield f"- `{line}`"
        if note.more or note.copied:
            yield ""


def _section(section: Section) -> Iterator[str]:
    if not section.items:
        yield f"### {escape(section.none)}"
        yield ""
        return
    yield f"### {escape(section.title)}"
    yield ""
    for item in section.items:
        yield f"- {escape(item.text)}"
        for cite in item.cites[:IN_WORDS]:
            yield f"  - {_cite(cite)}"
        if more := [_cite(cite._replace(text="")) for cite in item.cites[IN_WORDS:]]:
            yield "  - " + ", ".join(more)
    yield ""


def _cite(cite: Cite) -> str:
    label = f"`{cite.id}`" + (f" (`{cite.source}`)" if cite.source else "")
    return f"{escape(cite.text)} {label}" if cite.text else label


def _divide(divide: Divide, words: Words) -> Iterator[str]:
    for question in divide.questions:
        yield f"### `{question.id}`"
        yield ""
        yield f"{escape(question.text)} ({escape(question.kind)})"
        yield ""
        if question.under:
            yield _("arises only with {line}").format(line=f"`{question.under}`")
            yield ""
        for cite in question.cites:
            yield f"- {_cite(cite)}"
        yield ""
        for choice, text in question.answers:
            yield f"- `{choice}`" + (f": {escape(text)}" if text else "")
        yield ""
    yield "| " + _("answers") + " | " + _("outcome") + " |"
    yield "| --- | --- |"
    for combinations, phrases in divide.ways:
        ways = "<br>".join(
            ", ".join(f"`{ruling_line(q, a)}`" for q, a in combination.items())
            for combination in combinations
        )
        outcome = escape(joined(phrases, words)) or _("nothing else changes")
        yield f"| {ways} | {outcome} |"
    yield ""
    yield _("To settle it, add one of these lines under rulings:")
    yield ""
    yield "```yaml"
    for question in divide.questions:
        for choice, _text in question.answers:
            yield ruling_line(question.id, choice)
    yield "```"
    yield ""
