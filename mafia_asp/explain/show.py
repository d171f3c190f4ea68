"""An explanation as text, as data and as a flow chart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..i18n import LANGUAGES, language, number
from ..i18n import gettext as _
from ..model import Group, GroupReading, Outcome
from ..render.answer import group_phrases, joined, ruling_line
from ..render.layout import NARROWEST, isolate, width_of
from ..render.markdown import escape
from .near import SEARCH
from .words import Sentences

if TYPE_CHECKING:
    from .answer import Branch, Explanation, Nearby, Part
    from .tree import Node

FORMAT = 1
#: below so many columns the lines of a tree are shorter
NARROW = 60


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
        # What belongs together is joined by spaces that do not break.
        for word in filter(None, content.split(" ")):
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
        for content in headlines(part, self.say, negative=negative):
            self.line(content)
        branches = ordered(part, negative=negative)
        for branch in branches:
            if len(branches) > 1:
                self.line("")
            for at, content in enumerate(answer_lines(branch, self.say)):
                self.line(content, "  " if at else "", "  ")
            self.say.under = under(branch)
            for tree in branch.trees:
                indent = "  " if branch.answers else ""
                self.node(tree, indent, indent)

    def node(self, node: Node, first: str, later: str) -> None:
        """Add a tree: its statement, its rules, and what is below."""
        persian, narrow = self.lang == "fa", self.width < NARROW
        dash = "" if narrow else "─"
        gap = " " * len(dash)
        bar = f"│ {gap}" if node.below and not persian else f"  {gap}"
        self.line(statement(node, self.say), first, later if persian else later + bar)
        if persian:
            bar = "    "
        for mark, words in rule_lines(node, self.say):
            if words and not persian:
                self.line(f"{words} {mark}", later + bar, later + bar)
            else:
                for one in filter(None, (words, mark)):
                    self.line(one, later + bar, later + bar)
        for at, below in enumerate(node.below, 1):
            if persian:
                self.node(below, later + "• ", later + "  ")
            elif at < len(node.below):
                self.node(below, f"{later}├{dash} ", f"{later}│ {gap}")
            else:
                self.node(below, f"{later}└{dash} ", f"{later}  {gap}")

    # ---- what would be different ------------------------------------------------------------------------

    def nearby(self, said: Explanation) -> None:
        """Add the nearest changes with which the fact would hold."""
        self.line("")
        head, changes, tail = nearby_lines(said, self.say)
        if head:
            self.line(head)
        for change, then in changes:
            self.line(change, "  • ", "    ")
            if then:
                self.line(then, "    ", "    ")
        if tail:
            self.line(tail)


# ---- the pieces, for text and Markdown ---------------------------------------------------------------------


def headlines(part: Part, say: Sentences, *, negative: bool) -> Iterator[str]:
    """Yield what stands above the trees of a part."""
    fact = say.fact(part.fact)
    if part.state == "possible":
        yield _("This is open: {fact}").format(fact=fact)
        return
    branch = part.branches[0]
    if len(part.branches) > 1:
        holds = say.fact(part.fact, holds=branch.holds)
        yield _("Certain, whichever answer is taken: {fact}").format(fact=holds)
    elif part.state == "certain" and negative:
        yield _("But it is so: {fact}").format(fact=fact)
    elif part.state == "no" and not negative:
        yield _("It is not so: {fact}").format(fact=fact)
    if not branch.trees:
        yield say.fact(part.fact, holds=branch.holds)


def ordered(part: Part, *, negative: bool) -> list[Branch]:
    """Return the branches of a part; of an open one, that first which was asked for."""
    if part.state != "possible":
        return part.branches
    return sorted(part.branches, key=lambda branch: branch.holds == negative)


def under(branch: Branch) -> frozenset[str]:
    """Return the questions whose answers a branch names."""
    return frozenset(question for answers in branch.answers for question in answers)


def answer_lines(branch: Branch, say: Sentences) -> Iterator[str]:
    """Yield the answers under which a branch holds, each with its words."""
    for at, answers in enumerate(branch.answers):
        lines = say.words.sequence(isolate(ruling_line(q, x), say.lang) for q, x in answers.items())
        yield (_("With {line}:") if not at else _("or with {line}:")).format(line=lines)
        for question, answer in answers.items():
            if words := say.words.answer_text(question, answer):
                yield words


def statement(node: Node, say: Sentences) -> str:
    """Say the statement of a node."""
    content = say.say(node.term)
    return _("{fact} (see above)").format(fact=content) if node.again else content


def nearby_lines(said: Explanation, say: Sentences) -> tuple[str, list[tuple[str, str]], str]:
    """Return a head line, the changes (each with what would then be so), and what a limit left out."""
    aim = say.aim(said.parts[0].fact)
    seconds = number(int(SEARCH))
    if not said.nearby:
        if not said.incomplete:
            return _("No single change of an answer or action would {do}.").format(do=aim), [], ""
        text = _("No change that would {do} was found within the limit of {n} seconds; not all were tried.")
        return text.format(do=aim, n=seconds), [], ""
    changes = [(change_text(near, say), difference(near, said, say)) for near in said.nearby]
    if any(not near.open for near in said.nearby):
        head = _("Any one of these changes would {do}:")
        if any(near.open for near in said.nearby):
            head = _("Any one of these changes would {do}, or might:")
    else:
        head = _("Any one of these changes might {do}:")
    tail = _("Not all changes were tried within the limit of {n} seconds.").format(n=seconds)
    return head.format(do=aim), changes, tail if said.incomplete else ""


def rule_lines(node: Node, say: Sentences) -> Iterator[tuple[str, str]]:
    """Yield the rules of a statement: id with source, and words; those that gave way without words."""
    for rule in node.rules:
        yield _mark(say, rule), say.rule(rule)
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


def difference(near: Nearby, said: Explanation, say: Sentences) -> str:
    """Say what would be different."""
    group = Group((), (GroupReading((), near.then), GroupReading((), near.now)))
    then = Outcome((key, value) for key, value in near.then.items() if value not in ([], {}))
    sure = joined(group_phrases(then, group, say.words), say.words)
    sentences = [_("then: {what}").format(what=sure)] if sure else []
    if near.open:
        text = _("then perhaps: {fact} ({ids})")
        fact = say.fact(said.parts[0].fact)
        sentences.append(text.format(fact=fact, ids=say.words.ids(near.open)))
    return "; ".join(sentences) if say.lang != "fa" else "؛ ".join(sentences)


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
    found["certain"], found["open"] = not near.open, list(near.open)
    return found


# ---- Markdown --------------------------------------------------------------------------------------------


def markdown(said: Explanation, lang: str) -> str:
    """Return an explanation as Markdown: a paragraph for each fact, its trees as nested lists."""
    with language(lang):
        say = Sentences(said.scenario, said.book, lang, said.names)
        lines: list[str] = []
        for part in said.parts:
            lines += _part_markdown(part, say, negative=said.negative)
        if said.negative and len(said.parts) == 1 and said.parts[0].state == "no":
            head, changes, tail = nearby_lines(said, say)
            lines += [escape(head), ""]
            for change, then in changes:
                lines += [f"- {escape(change)}", *([f"  - {escape(then)}"] if then else [])]
            lines += [""] if changes else []
            lines += [escape(tail), ""] if tail else []
        text = "\n".join(lines).rstrip("\n") + "\n"
    return text.replace("\u00a0", " ")


def _part_markdown(part: Part, say: Sentences, *, negative: bool) -> Iterator[str]:
    for content in headlines(part, say, negative=negative):
        yield from (f"**{escape(content)}**", "")
    for branch in ordered(part, negative=negative):
        for content in answer_lines(branch, say):
            yield from (escape(content), "")
        say.under = under(branch)
        for tree in branch.trees:
            yield from _tree_markdown(tree, say, "")
        yield ""


def _tree_markdown(node: Node, say: Sentences, indent: str) -> Iterator[str]:
    yield f"{indent}- {escape(statement(node, say))}"
    for mark, words in rule_lines(node, say):
        yield f"{indent}  - *{escape(words)}* {_code(mark)}" if words else f"{indent}  - {_code(mark)}"
    for below in node.below:
        yield from _tree_markdown(below, say, indent + "  ")


def _code(mark: str) -> str:
    return " ".join(f"`{one.strip('[]')}`" for one in _plain(mark).split(" ") if one)


def _plain(mark: str) -> str:
    return mark.replace("\u2068", "").replace("\u2069", "")


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
