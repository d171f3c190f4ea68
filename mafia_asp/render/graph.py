"""Who can affect whom as a picture: Mermaid, DOT for Graphviz, or data."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, NamedTuple

from ..check.affects import CIRCLES
from ..i18n import N_, language, number
from ..i18n import gettext as _
from .json import FORMAT, dumps
from .layout import clean
from .mermaid import mermaid_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..check.affects import Circle, Influences
    from .words import Words

#: Ways of affecting somebody, in the order in which they are named. Others are named by a status or a verb.
_KINDS = {
    "hinders": N_("hinders"),
    "takes": N_("takes from"),
    "foils": N_("foils an attack of"),
    "misleads": N_("bends what is told to"),
    "forestalls": N_("may kill before the act"),
    "bears_on": N_("bears on the act of"),
    "attacks": N_("attacks"),
    "protects": N_("protects"),
}
#: From so many on, what somebody can do to all alike is drawn to a place that stands for them.
_MANY = 6
#: Columns of a label.
_COLUMNS = 32


class Node(NamedTuple):
    """A place in the picture; `shape`: ``role``, ``group`` or ``many``; `mark`: of CIRCLES, or none."""

    name: str
    label: str
    shape: str
    mark: str = ""


class Line(NamedTuple):
    """An arrow between two places; `mark` as of a node."""

    source: str
    target: str
    label: str
    mark: str = ""


class Drawing(NamedTuple):
    """What a picture shows, in words of one language."""

    title: str
    notes: tuple[str, ...]
    nodes: tuple[Node, ...]
    lines: tuple[Line, ...]


# ---- what is drawn --------------------------------------------------------------------------------


def draw(found: Influences, words: Words, circles_only: bool = False) -> Drawing:
    """Lay out who can affect whom; with `circles_only` what lies in a circle."""
    with language(words.lang):
        return _Draft(found, words, circles_only).drawing()


class _Draft:
    """Puts a picture together."""

    def __init__(self, found: Influences, words: Words, circles_only: bool) -> None:
        self.found = found
        self.words = words
        self.circles_only = circles_only
        self.names = {member: f"n{at}" for at, member in enumerate(found.members)}
        #: whom a place for many leaves out -> the name of the place
        self.many: dict[frozenset[str], str] = {}
        #: source -> way -> whom
        self.reach: dict[str, dict[str, set[str]]] = {}
        for edge in found.edges:
            for kind in edge.kinds:
                if kind not in CIRCLES:
                    self.reach.setdefault(edge.source, {}).setdefault(kind, set()).add(edge.target)

    def drawing(self) -> Drawing:
        """Give the whole picture."""
        lines = [] if self.circles_only else self._to_many()
        for edge in self.found.edges:
            mark = next((kind for kind in CIRCLES if kind in edge.kinds), "")
            alone = [kind for kind in edge.kinds if self._alone(edge.source, edge.target, kind)]
            if mark or (alone and not self.circles_only):
                label = self._ways(alone) if set(edge.kinds) - set(CIRCLES) else self._ways(("bears_on",))
                lines.append(Line(self.names[edge.source], self.names[edge.target], label, mark))
        drawn = {name for line in lines for name in line[:2]}
        nodes = [
            self._node(member)
            for member in self.found.members
            if not self.circles_only or self.names[member] in drawn
        ]
        nodes += [Node(name, self._all_but(left_out), "many") for left_out, name in self.many.items()]
        title = _("Who can affect whom: {book}").format(book=self.words.foreign(self.found.rulebook))
        return Drawing(title, tuple(notes(self.found, self.words)), tuple(nodes), tuple(lines))

    def _to_many(self) -> list[Line]:
        lines = []
        for source, ways in sorted(self.reach.items()):
            by_place: dict[str, list[str]] = {}
            for kind in sorted(ways):
                left_out = self._left_out(source, kind)
                if left_out is not None:
                    place = self.many.setdefault(left_out, f"m{len(self.many)}")
                    by_place.setdefault(place, []).append(kind)
            lines += [Line(self.names[source], to, self._ways(kinds)) for to, kinds in by_place.items()]
        return lines

    def _left_out(self, source: str, kind: str) -> frozenset[str] | None:
        """Give the few roles whom a source does not reach in some way; None where it does not reach many."""
        others = set(self.found.roles) - {source}
        reached = others & self.reach[source].get(kind, set())
        left_out = others - reached
        many = len(reached) >= _MANY and len(left_out) <= len(reached)
        return frozenset(left_out) if many else None

    def _alone(self, source: str, target: str, kind: str) -> bool:
        """Tell whether a way of affecting somebody is drawn by itself."""
        if kind in CIRCLES:
            return False
        grouped = source != target and target in self.found.roles and not self.circles_only
        return not grouped or self._left_out(source, kind) is None

    def _node(self, member: str) -> Node:
        shape = "role" if member in self.found.roles else "group"
        marks = [
            kind
            for kind in CIRCLES
            if any(kind in edge.kinds and member in edge[:2] for edge in self.found.edges)
        ]
        return Node(self.names[member], who(member, self.words), shape, marks[0] if marks else "")

    def _all_but(self, left_out: Iterable[str]) -> str:
        names = self.words.sequence(who(member, self.words) for member in sorted(left_out))
        text = _("everybody else but {names}").format(names=names) if names else _("everybody else")
        return _wrapped(text)

    def _ways(self, kinds: Iterable[str]) -> str:
        order = list(_KINDS)
        rank = {kind: order.index(kind) if kind in _KINDS else len(order) for kind in kinds}
        return _wrapped(
            self.words.sequence(way(k, self.words) for k in sorted(rank, key=lambda k: (rank[k], k)))
        )


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(text, _COLUMNS, break_long_words=False, break_on_hyphens=False))


def who(member: str, words: Words) -> str:
    """Name a role, or a group that acts as one."""
    group = _inside(member, "group")
    return words.name(group) if group else words.role(member)


def way(kind: str, words: Words) -> str:
    """Say in which way somebody is affected."""
    if kind in _KINDS:
        return _(_KINDS[kind])
    if status := _inside(kind, "lays"):
        return words.item(status)
    if verb := _inside(kind, "does"):
        return words.verb(verb)
    return words.foreign(kind)


def _inside(term: str, name: str) -> str:
    """Give what stands in a term of that name; nothing where it has another."""
    return term[len(name) + 1 : -1] if term.startswith(f"{name}(") and term.endswith(")") else ""


def notes(found: Influences, words: Words) -> list[str]:
    """Say which circles there are, and whether anything is missing."""
    with language(words.lang):
        lines = [_circle(circle, words) for circle in found.circles]
        if found.more:
            lines.append(
                _("There are further circles; only {n} of a sort are listed.").format(n=_listed(found))
            )
        if not lines and found.complete:
            lines.append(_("There is no circle."))
        if not found.complete:
            lines.append(_("Incomplete: the time was up before everything was searched."))
        return lines


def _listed(found: Influences) -> str:
    return number(max(sum(circle.kind == kind for circle in found.circles) for kind in CIRCLES))


def _circle(circle: Circle, words: Words) -> str:
    arrow = " ← " if words.lang == "fa" else " → "
    ring = arrow.join(who(member, words) for member in (*circle.members, circle.members[0]))
    if circle.kind == CIRCLES[0]:
        return _("Circle: {ring}").format(ring=ring)
    return _("Circle, if the acts of the dead lapse: {ring}").format(ring=ring)


# ---- Mermaid --------------------------------------------------------------------------------------

_MERMAID_SHAPES = {"role": "[{}]", "group": "[[{}]]", "many": "([{}])"}
#: how circles look: the same in both formats, told apart by their dashes too
_COLOURS = {"circle": "#c0392b", "lapsing_circle": "#b9770e"}
_MERMAID_LINES = {
    "circle": f"stroke:{_COLOURS['circle']},stroke-width:3px",
    "lapsing_circle": f"stroke:{_COLOURS['lapsing_circle']},stroke-width:2px,stroke-dasharray:6 3",
}


def graph_mermaid(drawing: Drawing, lang: str) -> str:
    """Give a picture as a Mermaid flowchart."""
    lines = ["flowchart RL" if lang == "fa" else "flowchart LR", f"  accTitle: {_plain(drawing.title)}"]
    lines += [f"  %% {_plain(note)}" for note in drawing.notes]
    for node in drawing.nodes:
        mark = f":::{node.mark}" if node.mark else ""
        lines.append(f"  {node.name}{_MERMAID_SHAPES[node.shape].format(mermaid_text(node.label))}{mark}")
    for line in drawing.lines:
        label = f"|{mermaid_text(line.label)}|" if line.label else ""
        lines.append(f"  {line.source} -->{label} {line.target}")
    for mark in CIRCLES:
        if at := [str(n) for n, line in enumerate(drawing.lines) if line.mark == mark]:
            lines.append(f"  linkStyle {','.join(at)} {_MERMAID_LINES[mark]}")
        if any(node.mark == mark for node in drawing.nodes):
            lines.append(f"  classDef {mark} {_MERMAID_LINES[mark]}")
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Give a text on one line, without what would end a comment or begin a directive."""
    return (
        " ".join(clean(text.replace("\u2068", "").replace("\u2069", "")).split())
        .replace("{", "(")
        .replace("}", ")")
    )


# ---- DOT ------------------------------------------------------------------------------------------

_DOT_SHAPES = {"role": "box", "group": "box3d", "many": "ellipse"}
_DOT_LINES = {
    "circle": f'color="{_COLOURS["circle"]}", penwidth=3',
    "lapsing_circle": f'color="{_COLOURS["lapsing_circle"]}", penwidth=2, style=dashed',
}


def graph_dot(drawing: Drawing, lang: str) -> str:
    """Give a picture as a program for Graphviz."""
    title = "\n".join((drawing.title, *drawing.notes))
    lines = [
        "digraph influences {",
        '  graph [charset="UTF-8", rankdir=' + ("RL" if lang == "fa" else "LR") + ", labelloc=t];",
        f"  graph [label={_dot_text(title)}];",
        '  node [fontname="sans-serif"];',
        '  edge [fontname="sans-serif", fontsize=10];',
    ]
    for node in drawing.nodes:
        mark = f", {_DOT_LINES[node.mark]}" if node.mark else ""
        lines.append(f"  {node.name} [label={_dot_text(node.label)}, shape={_DOT_SHAPES[node.shape]}{mark}];")
    for line in drawing.lines:
        more = [f"label={_dot_text(line.label)}"] if line.label else []
        more += [_DOT_LINES[line.mark]] if line.mark else []
        looks = f" [{', '.join(more)}]" if more else ""
        lines.append(f"  {line.source} -> {line.target}{looks};")
    return "\n".join((*lines, "}")) + "\n"


def _dot_text(text: str) -> str:
    """Quote a label, whatever it holds; a new line in it stays one."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


# ---- data -----------------------------------------------------------------------------------------


def graph_json(found: Influences, phases: Sequence[str]) -> str:
    """Give who can affect whom as JSON text: ids alone, the same in every language."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "rulebook": found.rulebook,
        "phases": list(phases),
        "roles": list(found.roles),
        "complete": found.complete,
        "edges": [
            {"from": edge.source, "to": edge.target, "kinds": list(edge.kinds)} for edge in found.edges
        ],
        "circles": [{"kind": circle.kind, "members": list(circle.members)} for circle in found.circles],
        "more_circles": found.more,
        "knots": [list(knot) for knot in found.knots],
    }
    return dumps(data)
