"""An open night as a Mermaid flowchart: which question to ask first, and what each answer leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..decision import Leaf
from ..i18n import gettext as _
from .answer import group_phrases, joined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..decision import Tree
    from ..model import Group, Verdict
    from .words import Words


def verdict_mermaid(verdict: Verdict, words: Words) -> str:
    """Draw the open questions of a night, a tree for each group of them."""
    lines = ["flowchart RL" if words.lang == "fa" else "flowchart LR"]
    if not verdict.groups:
        lines.append(f"  n0([{mermaid_text(_('Settled.'))}])")
    for number, group in enumerate(verdict.groups):
        lines += _nodes(group, group.tree, f"g{number}", words)
    return "\n".join(lines) + "\n"


def _nodes(group: Group, tree: Tree[int], name: str, words: Words) -> Iterator[str]:
    if isinstance(tree, Leaf):
        phrases = group_phrases(group.readings[tree.outcome].outcome, group, words)
        yield f"  {name}([{mermaid_text(joined(phrases, words) or _('nothing else changes'))}])"
        return
    yield f"  {name}{{{{{mermaid_text(tree.question)}}}}}"
    for position, (answers, below) in enumerate(tree.branches):
        yield from _nodes(group, below, f"{name}_{position}", words)
        yield f"  {name} -->|{mermaid_text(' / '.join(answers))}| {name}_{position}"


def mermaid_text(text: str) -> str:
    """Quote a label, whatever it holds; a new line in it stays one."""
    for sign, code in (('"', "#quot;"), ("<", "#lt;"), (">", "#gt;"), ("\n", "<br/>")):
        text = text.replace(sign, code)
    return f'"{text}"'
