"""An explanation as text, as data and as a flow chart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..i18n import LANGUAGES, language
from ..i18n import gettext as _
from ..model import Group, GroupReading, Outcome
from ..render.answer import group_phrases, joined, ruling_line
from ..render.layout import NARROWEST, isolate, width_of
from .words import Sentences

if TYPE_CHECKING:
    from .answer import Branch, Explanation, Nearby, Part
    from .tree import Node

FORMAT = 1


def text(said: Explanation, lang: str, width: int) -> str:
    """Return an explanation as text, wrapped to `width` columns."""
    with language(lang):
        page = _Text(Sentences(said.scenario, said.book, lang, said.names), lang, max(width, NARROWEST))
        for number, part in enumerate(said.parts):
            if number:
                page.line("")
            page.part(part, negative=said.negative)
        if said.negative and len(said.parts) == 1 and said.parts[0].state == "no":
            page.nearby(said)
        return "\n".join(page.lines) + "\n"


class _Text:
    """Lines of an explanation: a tree of lines in English, of indents in Persian."""

    def __init__(self, say: Sentences, lang: str, width: int) -> None:
        self.say = say
        self.lang = lang
        self.width = width
        self.lines: list[str] = []

    def line(self, content: str, first: str = "", later: str = "") -> None:
        """Add a paragraph; `first` stands before its first line, `later` before the others."""
        line, used, empty = first, width_of(first), True
        for word in content.split():
            size = width_of(word)
            if not empty and used + 1 + size > self.width:
                self.lines.append(line.replace("\u00a0", " ").rstrip())
                line, used, empty = later, width_of(later), True
            line += word if empty else f" {word}"
            used += size if empty else size + 1
            empty = False
        self.lines.append(line.replace("\u00a0", " ").rstrip())

    # ---- parts ----------------------------------------------------------------------------------------

    def part(self, part: Part, *, negative: bool) -> None:
        """Add one fact with its trees."""
        say = self.say
        if part.state == "possible":
            self.line(_("This is open: {fact}").format(fact=say.fact(part.fact)))
            branches = sorted(part.branches, key=lambda branch: branch.holds == negative)
            for branch in branches:
                self.line("")
                self._answers(branch)
                self.trees(branch.trees, "  ")
            return
        branch = part.branches[0]
        if part.state == "certain" and negative:
            self.line(_("But it is so: {fact}").format(fact=say.fact(part.fact)))
        elif part.state == "no" and not negative:
            self.line(_("It is not so: {fact}").format(fact=say.fact(part.fact)))
        if not branch.trees:
            self.line(say.fact(part.fact, holds=branch.holds))
        self.trees(branch.trees, "")

    def _answers(self, branch: Branch) -> None:
        """Add the answers under which a branch holds."""
        for number, answers in enumerate(branch.answers):
            lines = self.say.words.sequence(isolate(ruling_line(q, x), self.lang) for q, x in answers.items())
            self.line(
                (_("With {line}:") if not number else _("or with {line}:")).format(line=lines), "", "  "
            )
            for question, answer in answers.items():
                if words := self.say.words.answer_text(question, answer):
                    self.line(words, "  ", "  ")

    def trees(self, nodes: list[Node], indent: str) -> None:
        """Add trees, one below the other."""
        for node in nodes:
            self.node(node, indent, indent)

    def node(self, node: Node, first: str, later: str) -> None:
        """Add a tree: its statement, its rules, and what is below."""
        content = self.say.say(node.term)
        if node.again:
            content = _("{fact} (see above)").format(fact=content)
        bar = "│  " if node.below and self.lang != "fa" else "   "
        self.line(content, first, later + bar)
        for mark, words in rule_lines(node, self.say):
            if words and self.lang != "fa":
                self.line(f"{words} {mark}", later + bar, later + bar)
            else:
                for one in filter(None, (words, mark)):
                    self.line(one, later + bar, later + bar)
        for number, below in enumerate(node.below, 1):
            if self.lang == "fa":
                self.node(below, later + "  • ", later + "    ")
            elif number < len(node.below):
                self.node(below, later + "├─ ", later + "│  ")
            else:
                self.node(below, later + "└─ ", later + "   ")

    # ---- what would be different ------------------------------------------------------------------------

    def nearby(self, said: Explanation) -> None:
        """Add the nearest changes with which the fact would hold."""
        self.line("")
        fact = self.say.fact(said.parts[0].fact)
        if not said.nearby:
            nothing = _("No single answer or action would change it: {fact}")
            unknown = _("The limit was hit before a change was found with which: {fact}")
            self.line((unknown if said.incomplete else nothing).format(fact=fact))
            return
        self.line(_("{fact} – if only this were different, one or the other:").format(fact=fact))
        for near in said.nearby:
            self.line(change_text(near, self.say), "  • ", "    ")
            if phrases := difference(near, self.say):
                self.line(_("then: {what}").format(what=phrases), "    ", "    ")


def rule_lines(node: Node, say: Sentences) -> Iterator[tuple[str, str]]:
    """Yield the rules of a statement: id with source, and words; those that gave way without words."""
    for rule in node.rules:
        yield _mark(say, rule), _rule_words(rule, say)
    if node.over:
        marks = " ".join(_mark(say, rule) for rule in node.over)
        yield marks, _("This goes before")
    for test in (test for test in node.tests if "#" not in test):
        yield "", _("for {test}").format(test=isolate(test, say.lang))
    if node.also:
        yield " ".join(_mark(say, rule) for rule in node.also), _("See also")
    if node.term[0] == "pick" and node.term[3] != "open":
        words = say.words.answer_text(node.term[1], node.term[2])
        if words:
            yield "", words


def _rule_words(rule: str, say: Sentences) -> str:
    return say.words.convention(rule) if rule.startswith("cv.") else say.words.rule(rule)


def _mark(say: Sentences, rule: str) -> str:
    source = say.words.source(rule)
    inner = f"{rule} · {source}" if source else rule
    return isolate(f"[{inner}]", say.lang).replace(" ", "\u00a0")


def change_text(near: Nearby, say: Sentences) -> str:
    """Say a change: an answer, an action left out, or one with another target."""
    change = near.change
    if change.question:
        line = isolate(ruling_line(change.question, change.answer), say.lang)
        words = say.words.answer_text(change.question, change.answer)
        text = _("with the ruling {line} – {words}") if words else _("with the ruling {line}")
        return text.format(line=line, words=words)
    before = say.act(change.action)
    if not change.place:
        return _("without “{action}”").format(action=before)
    after = say.action(change.changed(say.scenario))
    return _("with “{after}” instead of “{before}”").format(after=after, before=before)


def difference(near: Nearby, say: Sentences) -> str:
    """Say what would be different."""
    group = Group((), (GroupReading((), near.then), GroupReading((), near.now)))
    then = Outcome((key, value) for key, value in near.then.items() if value not in ([], {}))
    return joined(group_phrases(then, group, say.words), say.words)


# ---- data ----------------------------------------------------------------------------------------------


def data(said: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON-ready data."""
    says = {}
    for lang in LANGUAGES:
        says[lang] = Sentences(said.scenario, said.book, lang, said.names)
    parts = []
    for part in said.parts:
        branches = [
            {
                "holds": branch.holds,
                "answers": [dict(answers) for answers in branch.answers],
                "trees": [_node(node, says) for node in branch.trees],
            }
            for branch in part.branches
        ]
        fact = {"kind": part.fact.kind, "player": part.fact.player, "value": part.fact.value or None}
        parts.append({"fact": fact, "state": part.state, "branches": branches})
    found: dict[str, Any] = {
        "format": FORMAT,
        "asked": said.question,
        "why_not": said.negative,
        "id": said.scenario.id or None,
        "parts": parts,
    }
    if said.negative:
        found["nearby"] = [_nearby(near, said, says) for near in said.nearby]
        found["incomplete"] = said.incomplete
    return found


def _both(say: Callable[[Sentences], str], says: dict[str, Sentences]) -> dict[str, str]:
    words = {}
    for lang, sentences in says.items():
        with language(lang):
            words[lang] = say(sentences)
    return words


def _node(node: Node, says: dict[str, Sentences]) -> dict[str, Any]:
    found: dict[str, Any] = {"text": _both(lambda say: say.say(node.term), says)}
    if node.term[0] == "pick":
        found["question"], found["answer"], found["by"] = node.term[1:4]
    if node.rules:
        found["rules"] = [_rule(rule, says) for rule in node.rules]
    for key, rules in (("over", node.over), ("also", node.also)):
        if rules:
            found[key] = [_rule(rule, says) for rule in rules]
    if node.tests:
        found["tests"] = list(node.tests)
    if node.again:
        found["again"] = True
    if node.below:
        found["from"] = [_node(below, says) for below in node.below]
    return found


def _rule(rule: str, says: dict[str, Sentences]) -> dict[str, Any]:
    source = says["en"].words.source(rule)
    return {"id": rule, "source": source or None, "text": _both(lambda say: _rule_words(rule, say), says)}


def _nearby(near: Nearby, said: Explanation, says: dict[str, Sentences]) -> dict[str, Any]:
    from ..scenario import action_data

    change = near.change
    found: dict[str, Any] = {"text": _both(lambda say: change_text(near, say), says)}
    if change.question:
        found["ruling"] = {change.question: change.answer}
    else:
        found["action"] = change.action
        found["instead"] = action_data(change.changed(said.scenario)) if change.place else None
    found["now"], found["then"] = near.now, near.then
    return found


# ---- graphs ----------------------------------------------------------------------------------------------


def graph(said: Explanation, lang: str) -> Any:
    """Return the trees of an explanation as a directed graph; ``networkx`` is imported here only."""
    found: Any = import_module("networkx").DiGraph()
    with language(lang):
        say = Sentences(said.scenario, said.book, lang, said.names)
        branches = (branch for part in said.parts for branch in part.branches)
        for number, branch in enumerate(branches):
            for node in (node for tree in branch.trees for node in tree.walk() if not node.again):
                name = (number, node.term)
                found.add_node(name, text=say.say(node.term), rules=list(node.rules), over=list(node.over))
                found.add_edges_from((name, (number, below.term)) for below in node.below)
    return found


def mermaid(said: Explanation, lang: str) -> str:
    """Return the trees of an explanation as a Mermaid flow chart."""
    statements: list[str] = []
    arrows: list[str] = []
    with language(lang):
        say = Sentences(said.scenario, said.book, lang, said.names)
        for branch in (branch for part in said.parts for branch in part.branches):
            ids: dict[Any, str] = {}
            for node in (node for tree in branch.trees for node in tree.walk() if not node.again):
                if node.term not in ids:
                    ids[node.term] = f"n{len(statements) + 1}"
                    statements.append(f'  {ids[node.term]}["{_label(node, say)}"]')
            for node in (node for tree in branch.trees for node in tree.walk()):
                arrows += [f"  {ids[node.term]} --> {ids[below.term]}" for below in node.below]
    return "\n".join(["flowchart TD", *statements, *dict.fromkeys(arrows)]) + "\n"


def _label(node: Node, say: Sentences) -> str:
    parts = [say.say(node.term), *(_mark(say, rule) for rule in node.rules)]
    return "<br/>".join(part.translate(_ESCAPES) for part in parts)


_ESCAPES = str.maketrans({"&": "#amp;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "\u00a0": " "})
