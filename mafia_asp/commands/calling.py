"""Leading a night on a terminal: each is called in turn and asked, and what is refused is told at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..i18n import gettext as _
from .asking import page_of, say

if TYPE_CHECKING:
    from ..game.calls import Choice
    from ..game.script import Call, Script
    from ..model import Action, Scenario, Verdict
    from ..places import Node
    from ..render.layout import Page
    from ..render.words import Words
    from ..rulebook import Rulebook

#: What is typed to go one question back.
BACK = "<"
#: What is typed to see what may be named.
HELP = "?"
_BESIDE = re.compile(r"(\w+)\s*=\s*(\S+)")


class Point(NamedTuple):
    """Where the moderator stands: at a call, and at something asked for there (none: only called)."""

    place: int
    call: Call
    ask: Choice | None


class Caller:
    """Leads one night. What has been told is in ``scenario``, and grows."""

    def __init__(
        self, script: Script, book: Rulebook, words: Words, width: int | None, *, strict: bool
    ) -> None:
        self.script = script
        self.scenario: Scenario = script.scenario
        self.book = book
        self.words = words
        self.width = width
        self.strict = strict
        #: what each was shown when called
        self.shown: dict[str, Any] = {}

    def run(self) -> Verdict:
        """Call everybody, and give the night's verdict. Raises click.Abort where the moderator ends it."""
        points = _points(self.script)
        before: list[Scenario] = []
        at = 0
        while at < len(points):
            self._announce(points[at], new=not at or points[at].place != points[at - 1].place)
            stood = self.scenario
            if self._ask(points[at]):
                before.append(stood)
                at += 1
            elif before:
                self.scenario = before.pop()
                at -= 1
        verdict = self._decide(self.scenario)
        self._close(verdict)
        return verdict

    def _decide(self, scenario: Scenario) -> Verdict:
        from ..verdict import decide

        return decide(scenario, book=self.book, strict=self.strict)

    # --- one call --------------------------------------------------------------------------------

    def _announce(self, point: Point, *, new: bool) -> None:
        from ..render.script import put_call

        if not new:
            return
        page = self._page()
        page.put()
        put_call(page, point.call._replace(asks=(), told=(), shows={}), self.words, point.place)
        for name, shown in point.call.shows.items():
            self._put_shown(page, name, shown)
        say(page)

    def _ask(self, point: Point) -> bool:
        """Ask for one thing; False where the moderator wants to go back."""
        if point.ask is None:
            text = _("Nothing is asked here (Enter: go on; {back}: back)")
            return self._prompt(text.format(back=BACK)) != BACK
        ask = self._now(point.ask)
        page = self._page()
        self._put_limits(page, ask)
        say(page)
        text = _("{what} (Enter: nothing; ?: help; {back}: back)")
        prompt = text.format(what=self._what(ask), back=BACK)
        while True:
            typed = self._prompt(prompt)
            if typed == BACK:
                return False
            if typed == HELP:
                self._help(ask)
                continue
            if not typed or self._tell(ask, typed):
                return True

    def _now(self, ask: Choice) -> Choice:
        """What may be asked for, with what has been told by now."""
        from ..game.calls import choices

        fresh = choices(self.scenario, self.book, strict=self.strict, only=[ask.who])
        return next((c for c in fresh if c.verb == ask.verb), ask)

    def _what(self, ask: Choice) -> str:
        text = _("{name}: {what}").format(name=self.words.name(ask.who), what=self.words.verb(ask.verb))
        if ask.beside:
            more = " ".join(f"{beside.key}=…" for beside in ask.beside)
            text += f" [{more}]"
        return text

    def _put_limits(self, page: Page, ask: Choice) -> None:
        from ..render.script import put_limits

        put_limits(page, ask, self.words)

    def _help(self, ask: Choice) -> None:
        page = self._page()
        page.put(_("May be named: {names}").format(names=self.words.sequence(map(self._name, ask.free))))
        page.put(_("nobody: said, and nobody named. Several uses are parted by a semicolon."), "dim")
        for beside in ask.beside:
            values = self.words.ids(beside.values) if beside.values else "…"
            page.put(f"{beside.key}={values}", "dim")
        say(page)

    def _name(self, text: str) -> str:
        return self.words.name(text) if text in self.words.players else self.words.shown(text)

    def _tell(self, ask: Choice, typed: str) -> bool:
        """Take what was typed into the night; False where it is to be said again."""
        actions = self._read(ask, typed)
        if not actions:
            return False
        scenario = self.scenario._replace(actions=(*self.scenario.actions, *actions))
        verdict = self._decide(scenario)
        first = len(self.scenario.actions)
        page = self._page()
        refused = [r for r in verdict.refused if r.number > first]
        for refusal in refused:
            self._put_refusal(page, refusal)
        if refused:
            say(page)
            if not click.confirm(_("Keep it all the same?"), default=False, err=True):
                return False
            page = self._page()
        self.scenario = scenario
        self._put_answer(page, verdict, ask.who)
        say(page)
        return True

    def _read(self, ask: Choice, typed: str) -> tuple[Action, ...]:
        """Read names, and what is said beside them; a fault is told, and nothing is read."""
        from ..actions import Words as Meanings
        from ..actions import read_actions
        from ..errors import Fault
        from ..model import Place
        from ..places import Node

        faults: list[Fault] = []
        meanings = Meanings(self.book, faults)
        for player in self.scenario.players:
            meanings.enter(player.name, player.place or Place("", 1, 1))
        entries = [self._entry(ask, part, meanings) for part in re.split("[;؛]", typed) if part.strip()]
        actions = read_actions(Node("", 1, 1, "list", entries), "actions", meanings) if entries else ()
        if faults:
            page = self._page()
            for fault in dict.fromkeys(fault.text for fault in faults):
                page.put(fault, "yellow")
            say(page)
            return ()
        return actions

    def _entry(self, ask: Choice, text: str, meanings: Any) -> Node:
        from ..places import Node, resolve
        from ..scenario import split_names

        beside: dict[str, str] = dict(_BESIDE.findall(text))
        rest = _BESIDE.sub(" ", text)
        tokens = [(m.group(), m.start() + 1) for m in re.finditer(r"[^\s,،]+", rest)]
        names = split_names(tokens, meanings)
        deed = _map({ask.verb: names[0] if len(names) == 1 else Node("", 1, 1, "list", names)})
        if beside:
            extras = {key: Node("", 1, 1, *resolve(value), value) for key, value in beside.items()}
            deed.value["with"] = _map(extras)
            deed.keys["with"] = Node("", 1, 1, "word", "with", "with")
        return _map({ask.who: deed})

    # --- what is said to the moderator -------------------------------------------------------------

    def _put_refusal(self, page: Page, refusal: Any) -> None:
        text = _("Refused: {what}") if refusal.certain else _("Refused in some readings: {what}")
        targets = self.words.sequence(map(self._name, refusal.targets))
        verb = self.words.verb(refusal.verb)
        said = _("{name}: {what}").format(name=verb, what=targets) if targets else verb
        page.put(text.format(what=said), "red", hang=2)
        for rule in refusal.rules:
            page.put(self.words.rule(rule), "dim", indent=2)
            page.verbatim(self.words.ids([rule]), "dim", indent=2)

    def _put_answer(self, page: Page, verdict: Verdict, who: str) -> None:
        possible = verdict.possible.get("answers", {})
        if isinstance(possible, dict) and who in possible:
            ids = ", ".join(q.id for q in verdict.open)
            text = _("What {name} is shown is not settled: {ids}")
            page.put(text.format(name=self.words.name(who), ids=ids), "yellow", hang=2)
            return
        shown = verdict.certain.get("answers", {}).get(who, "none")
        if shown != "none":
            self._put_shown(page, who, shown)

    def _put_shown(self, page: Page, name: str, shown: Any) -> None:
        from ..render.script import put_shown

        put_shown(page, {name: shown}, self.words)
        self.shown[name] = shown

    def _close(self, verdict: Verdict) -> None:
        """Say what differs from what was shown, now that everything is told."""
        page = self._page()
        page.put()
        page.put(_("Everybody has been called."), "bold")
        unsure = verdict.possible.get("answers", {})
        for name in unsure if isinstance(unsure, dict) else ():
            page.put(_("{name}: not settled").format(name=self.words.name(name)), "yellow", hang=2)
        for name, answer in verdict.certain.get("answers", {}).items():
            if name in unsure or answer == self.shown.get(name, "none"):
                continue
            self._put_shown_late(page, name, answer)
        say(page)

    def _put_shown_late(self, page: Page, name: str, answer: Any) -> None:
        said = self.words.shown(answer)
        if name in self.shown:
            text = _("Show {name} something else by now: {what}")
        else:
            text = _("Show {name}: {what}")
        page.put(text.format(name=self.words.name(name), what=said), "cyan", hang=2)

    def _page(self) -> Page:
        return page_of(self.words, self.width)

    def _prompt(self, text: str) -> str:
        typed = click.prompt(text, default="", show_default=False, err=True)
        return str(typed).strip()


def _points(script: Script) -> list[Point]:
    """Everything at which the moderator stops, in order."""
    points: list[Point] = []
    for place, call in enumerate(script.calls, 1):
        points += [Point(place, call, ask) for ask in call.asks] or [Point(place, call, None)]
    return points


def _map(entries: dict[str, Node]) -> Node:
    from ..places import Node

    node = Node("", 1, 1, "map", entries)
    node.keys = {key: Node("", 1, 1, "word", key, key) for key in entries}
    return node
