"""What is said about a verdict, in words and in order, before any format lays it out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..decision import questions_of
from ..i18n import gettext as _
from ..i18n import ngettext, number
from .layout import isolate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..decision import Tree
    from ..model import Group, OpenQuestion, Outcome, Reason, Refusal, Scenario, Verdict
    from .words import Words

#: Names under which the reasons for an entry of an outcome are listed.
_REASON_KEYS = {
    "answers": ("answers", "told"),
    "roles": ("roles", "role"),
    "teams": ("teams", "team"),
    "items": ("items", "item"),
    "counters": ("counters", "counter", "count"),
    "calls": ("calls", "call"),
}


#: So many rules are given in words below one statement; of further ones only the ids.
IN_WORDS = 2


# Plain classes for what is made once a night: a named tuple costs a quarter of a millisecond to define.


class Origins:
    """Where the rulings come from: the ids that were assumed for this time, and those of a rulings file."""

    __slots__ = ("assumed", "standing")

    def __init__(self, assumed: Iterable[str] = (), standing: Iterable[str] = ()) -> None:
        self.assumed = frozenset(assumed)
        self.standing = frozenset(standing)


ALL_OWN = Origins()


class Cite(NamedTuple):
    """A rule, with its id and source."""

    text: str
    id: str
    source: str = ""


class Item(NamedTuple):
    """One statement, the rules that it rests on, and whether every reading agrees with it."""

    text: str
    cites: Sequence[Cite] = ()
    certain: bool = True


class Section(NamedTuple):
    """Statements of one kind; where there are none, ``none`` is said instead of the title."""

    title: str
    items: Sequence[Item] = ()
    none: str = ""


class Question:
    """An open question: its words, its answers in words, the rules that meet there."""

    __slots__ = ("answers", "cites", "id", "kind", "text", "under")

    def __init__(
        self, id: str, kind: str, text: str, answers: list[tuple[str, str]], cites: list[Cite], under: str
    ) -> None:
        self.id = id
        self.kind = kind
        self.text = text
        self.answers = answers
        self.cites = cites
        #: the answers to others under which alone it arises
        self.under = under


class Divide:
    """Questions that belong together, and what follows from each way to answer them."""

    __slots__ = ("questions", "tree", "ways")

    def __init__(
        self,
        questions: list[Question],
        ways: list[tuple[list[dict[str, str]], list[str]]],
        tree: Tree[int],
    ) -> None:
        self.questions = questions
        #: the answers that lead there (each a set of ``question: answer``), and what happens
        self.ways = ways
        #: which question to ask first, and what each answer leads to: another, or one of ``ways``
        self.tree = tree


class Note:
    """What else has to be known: a statement, what belongs to it, and what is to be copied as it is."""

    __slots__ = ("copied", "more", "text")

    def __init__(self, text: str, more: Sequence[str] = (), copied: Sequence[str] = ()) -> None:
        self.text = text
        self.more = more
        self.copied = copied


class Answer:
    """The whole answer to a night."""

    __slots__ = ("divides", "headline", "notes", "refused", "sections", "state", "title")

    def __init__(
        self,
        title: str,
        state: str,
        headline: str,
        refused: Section | None,
        sections: list[Section],
        divides: list[Divide],
        notes: list[Note],
    ) -> None:
        self.title = title
        #: settled, convention, open, illegal
        self.state = state
        self.headline = headline
        self.refused = refused
        self.sections = sections
        self.divides = divides
        self.notes = notes


def answer(verdict: Verdict, words: Words, origins: Origins = ALL_OWN) -> Answer:
    """Put a verdict into words, in the order in which a moderator needs them."""
    state, headline = _headline(verdict, words)
    return Answer(
        title=title(verdict, words),
        state=state,
        headline=headline,
        refused=_refused(verdict.refused, words),
        sections=_once([s for s in _sections(verdict, words) if s.items or s.none], verdict),
        divides=[divide(g, verdict, words) for g in verdict.groups],
        notes=_notes(verdict, words, origins),
    )


def _once(sections: list[Section], verdict: Verdict) -> list[Section]:
    """Leave out, under what is announced, the rules that stand again where the thing itself is said."""
    heading = announce_title(verdict.scenario)
    below = {c.id for s in sections if s.title != heading for item in s.items for c in item.cites}

    def without(item: Item) -> Item:
        return item._replace(cites=[c for c in item.cites if c.id not in below])

    return [s._replace(items=list(map(without, s.items))) if s.title == heading else s for s in sections]


def by_day(scenario: Scenario) -> bool:
    """Tell whether a scenario is a day, or the end of a game."""
    return scenario.phase in ("day", "end")


def announce_title(scenario: Scenario) -> str:
    """Say when it is that what stands below is announced."""
    return _("Announce") if by_day(scenario) else _("At dawn, announce")


def no_announcement(scenario: Scenario) -> str:
    """Say that there is nothing to announce."""
    return _("Announce: nothing") if by_day(scenario) else _("At dawn, announce: nothing")


def title(verdict: Verdict, words: Words) -> str:
    """Name the scenario and its night."""
    scenario = verdict.scenario
    name = words.foreign(scenario.title or scenario.id)
    return f"{name} · {when(scenario)}" if name else when(scenario)


def when(scenario: Scenario) -> str:
    """Name the phase of a scenario."""
    return when_of(scenario.phase, scenario.number)


def when_of(phase: str, count: int | None) -> str:
    """Name a phase."""
    if phase == "night":
        return _("night {n}").format(n=number(count)) if count is not None else _("a night")
    if phase == "day":
        return _("day {n}").format(n=number(count)) if count is not None else _("a day")
    return {"setup": _("setup"), "intro": _("introduction night"), "end": _("the end of the game")}[phase]


def _headline(verdict: Verdict, words: Words) -> tuple[str, str]:
    illegal = verdict.certain.get("illegal")
    count = len(verdict.open)
    if verdict.incomplete:
        return "open", _("Incomplete: a limit was hit; what stands here is right, but not everything.")
    if not verdict.settled:
        text = ngettext(
            "Open: the rulebook leaves {n} question.",
            "Open: the rulebook leaves {n} questions.",
            count,
        ).format(n=number(count))
        if verdict.conventions:
            text += " " + _("The rest is settled by convention: {ids}").format(
                ids=_conventions(verdict, words)
            )
        return "open", text
    if illegal:
        return "illegal", _("Settled: the game cannot go on like this.")
    if verdict.conventions:
        text = _("Settled by convention: {ids}").format(ids=_conventions(verdict, words))
        return "convention", text
    return "settled", _("Settled.")


def _conventions(verdict: Verdict, words: Words) -> str:
    return words.ids(dict.fromkeys(custom for custom, _question, _answer in verdict.conventions))


def _refused(refusals: Iterable[Refusal], words: Words) -> Section | None:
    items = []
    for r in refusals:
        targets = words.names(r.targets)
        text = _("{actor}: {verb} {targets}") if targets else _("{actor}: {verb}")
        text = text.format(actor=words.name(r.actor), verb=words.verb(r.verb), targets=targets)
        if not r.certain:
            text += " " + _("(in some readings)")
        items.append(Item(text, [words.cite(rule) for rule in r.rules], r.certain))
    return Section(_("Refused"), items) if items else None


# --- the outcome --------------------------------------------------------------------------------


def _sections(verdict: Verdict, words: Words) -> Iterator[Section]:
    certain = verdict.certain
    if certain.get("illegal"):
        cites = _cites(verdict, words, "illegal", ())
        yield Section(_("Not allowed"), [Item(_("the game cannot go on like this"), cites)])
        return
    if "winner" in certain:
        yield Section(
            _("Winner"),
            [Item(words.sides(certain["winner"]), _cites(verdict, words, "winner", ()))],
        )
    scenario = verdict.scenario
    yield _listed(
        verdict, words, "announce", announce_title(scenario), words.token, none=no_announcement(scenario)
    )
    dead, nobody = (
        (_("Out of the game"), _("Out of the game: nobody"))
        if by_day(scenario)
        else (_("Dead"), _("Dead: nobody"))
    )
    yield _listed(verdict, words, "dead", dead, words.name, none=nobody)
    yield _listed(verdict, words, "defence", _("In the defence"), words.name)
    yield _listed(verdict, words, "saved", _("Saved"), words.name)
    yield _told(verdict, words)
    yield _listed(
        verdict,
        words,
        "silenced",
        _("Silent today") if by_day(scenario) else _("Silent tomorrow"),
        words.name,
    )
    yield _changed(verdict, words)
    if verdict.scenario.phase == "intro" and certain.get("wakes_together"):
        groups = certain["wakes_together"]
        groups = groups if isinstance(groups[0], (list, tuple)) else [groups]
        yield Section(_("Wake together"), [Item(words.names(group)) for group in groups])
    if verdict.chance:
        yield Section(
            _("Draw lots"),
            [
                Item(
                    joined(outcome_phrases(each, words), words),
                    () if place else _cites(verdict, words, "chance", ()),
                )
                for place, each in enumerate(verdict.chance)
            ],
        )


def reasons(verdict: Verdict, key: str, value: tuple[str, ...]) -> list[str]:
    """Give the rules that an entry of the outcome rests on, each once, in the verdict's order."""
    keys = _REASON_KEYS.get(key, (key,))
    found = [r.rule for r in verdict.because if r.key in keys and _begins_alike(r.value, value)]
    if key == "answers":
        asked = [r.rule for r in verdict.because if r.key == "answer" and _actor(verdict, r) == value[0]]
        found = asked or found
    return list(dict.fromkeys(found))


def _actor(verdict: Verdict, reason: Reason) -> str:
    """Give who is answered: the reason for an answer names the action by its number."""
    actions, number = verdict.scenario.actions, reason.value[0]
    return actions[int(number) - 1].actor if number.isdigit() and 0 < int(number) <= len(actions) else number


def _begins_alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return all(a == b for a, b in zip(one, other, strict=False))


def _cites(verdict: Verdict, words: Words, key: str, value: tuple[str, ...]) -> list[Cite]:
    return [words.cite(rule) for rule in reasons(verdict, key, value)]


def _hangs_on(verdict: Verdict, key: str, entry: str) -> list[str]:
    """Give the questions of the groups whose outcomes differ in this entry."""
    found = []
    for group in verdict.groups:
        for reading in group.readings:
            part = reading.outcome.get(key)
            if part and entry in part:
                found += [q for q in group.questions if q not in found]
                break
    return found


def _listed(verdict: Verdict, words: Words, key: str, heading: str, say: Any, *, none: str = "") -> Section:
    items = [
        Item(say(entry), _cites(verdict, words, key, (entry,))) for entry in verdict.certain.get(key, [])
    ]
    for entry in (
        verdict.possible.get(key, []) if isinstance(verdict.possible.get(key), (list, tuple)) else []
    ):
        if entry not in verdict.certain.get(key, []):
            items.append(_perhaps(verdict, words, key, entry, say(entry)))
    return Section(heading, items, none=none if not items else "")


def _perhaps(verdict: Verdict, words: Words, key: str, entry: str, text: str) -> Item:
    ids = words.ids(_hangs_on(verdict, key, entry))
    if key == "announce":
        said = _("perhaps: {what} ({ids})") if ids else _("perhaps: {what}")
    else:
        said = _("perhaps {what} ({ids})") if ids else _("perhaps {what}")
    return Item(said.format(what=text, ids=ids), certain=False)


def _told(verdict: Verdict, words: Words) -> Section:
    items = []
    for player, value in verdict.certain.get("answers", {}).items():
        if value == "none":
            continue
        text = _("{name}: {what}").format(name=words.name(player), what=words.shown(value))
        items.append(Item(text, _cites(verdict, words, "answers", (player,))))
    for player in _maybe(verdict, "answers"):
        items.append(_perhaps(verdict, words, "answers", player, words.name(player)))
    return Section(_("Tell"), items)


def _maybe(verdict: Verdict, key: str) -> list[str]:
    """Give the players for whom this part of the outcome is not certain."""
    part = verdict.possible.get(key)
    certain = verdict.certain.get(key, {})
    if not isinstance(part, dict):
        return []
    return [p for p in part if p not in certain or key in ("items", "answers")]


def _changed(verdict: Verdict, words: Words) -> Section:
    """Give what else is different afterwards from what the scenario says was so before."""
    items: list[Item] = []
    certain = verdict.certain
    for player in verdict.scenario.players:
        name = player.name
        say = words.name(name)

        def add(text: str, key: str, *value: str, player: str = name) -> None:
            items.append(Item(text, _cites(verdict, words, key, (player, *value))))

        role = certain.get("roles", {}).get(name, player.role)
        if role != player.role:
            add(_("{name} becomes {role}").format(name=say, role=words.role(role)), "roles")
        team = certain.get("teams", {}).get(name)
        if team and role != player.role:
            add(_("{name} is with {team}").format(name=say, team=words.team(team)), "teams")
        after = certain.get("items", {}).get(name, [])
        unsure = verdict.possible.get("items", {}).get(name, [])
        for item in after:
            if item not in player.items:
                add(_("{name} now has: {item}").format(name=say, item=words.item(item)), "items", item)
        for item in player.items:
            if item not in after and item not in unsure:
                add(_("{name} no longer has: {item}").format(name=say, item=words.item(item)), "items", item)
        for counter, left in certain.get("counters", {}).get(name, {}).items():
            if player.counts.get(counter) != left:
                add(words.counted(say, counter, left), "counters", counter)
        for key in ("roles", "items", "counters"):
            if name in _maybe(verdict, key):
                items.append(_perhaps(verdict, words, key, name, say))
    return Section(_("Changed"), items)


# --- outcomes in a few words ---------------------------------------------------------------------


_LISTS = ("dead", "saved", "silenced")


def _names_in(outcomes: Iterable[Outcome], key: str) -> list[str]:
    return list(dict.fromkeys(name for o in outcomes for name in o.get(key, ())))


def outcome_phrases(outcome: Outcome, words: Words) -> list[str]:
    """Say an outcome in short phrases."""
    return [phrase for key, value in outcome.items() for phrase in _phrases(key, value, words)]


def group_phrases(outcome: Outcome, group: Group, words: Words) -> list[str]:
    """Say the part of an outcome in which the readings of a group differ, by whom it concerns."""
    parts = [reading.outcome for reading in group.readings]
    dead, saved = outcome.get("dead", []), outcome.get("saved", [])
    others = {key: [n for n in _names_in(parts, key) if n not in outcome.get(key, ())] for key in _LISTS}
    said: list[str] = []
    if dead:
        said += _phrases("dead", dead, words)
    if lives := [n for n in others["dead"] if n not in saved]:
        said.append(ngettext("{names} lives", "{names} live", len(lives)).format(names=words.names(lives)))
    if saved:
        said += _phrases("saved", saved, words)
    if unsaved := [n for n in others["saved"] if n not in dead]:
        text = ngettext("{names} is not saved", "{names} are not saved", len(unsaved))
        said.append(text.format(names=words.names(unsaved)))
    if outcome.get("silenced"):
        said += _phrases("silenced", outcome["silenced"], words)
    if heard := others["silenced"]:
        said.append(
            ngettext("{names} may speak", "{names} may speak", len(heard)).format(names=words.names(heard))
        )
    for key, value in outcome.items():
        if key == "announce":
            rest = [t for t in value if t not in {f"dead: {name}" for name in dead}]
            said += _phrases(key, rest, words) if rest else []
        elif key not in _LISTS and key != "calls":
            said += _phrases(key, value, words)
    return said


def joined(phrases: Iterable[str], words: Words) -> str:
    """Join phrases into one line."""
    return ("؛ " if words.lang == "fa" else "; ").join(phrases)


def _phrases(key: str, value: Any, words: Words) -> Iterator[str]:
    match key:
        case "dead":
            if not value:
                yield _("nobody dies")
            else:
                text = ngettext("{names} dies", "{names} die", len(value))
                yield text.format(names=words.names(value))
        case "saved":
            if not value:
                yield _("nobody is saved")
            else:
                text = ngettext("{names} is saved", "{names} are saved", len(value))
                yield text.format(names=words.names(value))
        case "silenced":
            if not value:
                yield _("nobody is silenced")
            else:
                text = ngettext("{names} is silenced", "{names} are silenced", len(value))
                yield text.format(names=words.names(value))
        case "wakes_together":
            groups = value if value and isinstance(value[0], (list, tuple)) else [value]
            for group in groups:
                yield _("wake together: {names}").format(names=words.names(group))
        case "defence":
            text = _("in the defence: {names}")
            yield text.format(names=words.names(value)) if value else _("nobody goes into the defence")
        case "announce":
            said = " ".join(words.token(t) for t in value).rstrip(".")
            yield _("announce: {what}").format(what=said) if said else _("announce nothing")
        case "calls":
            yield _("call: {roles}").format(roles=words.sequence(words.role(r) for r in value))
        case "answers":
            for player, shown in value.items():
                if shown == "none":
                    yield _("{name} is told nothing").format(name=words.name(player))
                else:
                    yield _("{name} is told: {what}").format(name=words.name(player), what=words.shown(shown))
        case "roles":
            for player, role in value.items():
                yield _("{name} is {role}").format(name=words.name(player), role=words.role(role))
        case "teams":
            for player, team in value.items():
                yield _("{name} is with {team}").format(name=words.name(player), team=words.team(team))
        case "items":
            for player, items in value.items():
                have = words.sequence(words.item(i) for i in items) or _("nothing")
                yield _("{name} has: {items}").format(name=words.name(player), items=have)
        case "counters":
            for player, counts in value.items():
                for counter, left in counts.items():
                    yield words.counted(words.name(player), counter, left)
        case "cannot":
            for actor, verbs in value.items():
                if verbs:
                    what = words.sequence(words.verb(v) for v in verbs)
                    yield _("{name} is refused: {verbs}").format(name=words.name(actor), verbs=what)
                else:
                    yield _("{name} is refused nothing").format(name=words.name(actor))
        case "chance":
            ways = " | ".join(joined(outcome_phrases(each, words), words) for each in value)
            yield _("lots decide: {ways}").format(ways=ways) if ways else _("no lots are drawn")
        case "illegal":
            yield _("the game cannot go on like this") if value else _("the game goes on")
        case "winner":
            yield _("winner: {who}").format(who=words.sides(value))
        case _:
            yield f"{key}: {words.shown(value)}"


# --- open questions and notes ---------------------------------------------------------------------


def divide(group: Group, verdict: Verdict, words: Words) -> Divide:
    """Put a group of questions into words, and what follows from each way to answer them."""
    by_id = {q.id: q for q in verdict.open}
    questions = [question(by_id[q], words) for q in questions_of(group.tree) or group.questions if q in by_id]
    ways = [
        (
            [dict(combination) for combination in reading.rests_on],
            group_phrases(reading.outcome, group, words),
        )
        for reading in group.readings
    ]
    return Divide(questions, ways, group.tree)


def question(asked: OpenQuestion, words: Words) -> Question:
    """Put an open question into words."""
    kind, rules = words.about(asked)
    # A question may concern roles that do not play here; their rules are left out.
    playing = [rule for rule in rules if words.in_play(rule)] or rules
    return Question(
        id=asked.id,
        kind=words.kind(kind),
        text=words.question(asked.id),
        answers=[(a, words.answer_text(asked.id, a)) for a in asked.answers],
        cites=[words.cite(rule) for rule in playing],
        under=joined((ruling_line(q, a) for q, a in asked.under.items()), words),
    )


def ruling_line(identifier: str, answer: str) -> str:
    """Give the line to paste under ``rulings:``; derived ids and odd answers stand in quotes."""
    return f"{quoted(identifier)}: {quoted(answer)}"


def quoted(text: str) -> str:
    """Quote a word of a rulings file where YAML would read it otherwise."""
    plain = text.replace(".", "").replace("_", "").replace("-", "")
    if plain.isalnum() and plain.isascii() and not plain.isdigit() and text not in ("null", "Null", "NULL"):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _notes(verdict: Verdict, words: Words, origins: Origins) -> list[Note]:
    notes = [
        _convention(custom, verdict, words) for custom in dict.fromkeys(c[0] for c in verdict.conventions)
    ]
    if notes:
        notes.append(
            Note(_("Your table may decide otherwise: with another answer under rulings:, or --strict."))
        )
    for asked, chosen in verdict.rulings:
        line = isolate(ruling_line(asked, chosen), words.lang)
        text = (
            _("Assumed for this time: {line}")
            if asked in origins.assumed
            else _("Your table's ruling: {line}")
        )
        notes.append(Note(text.format(line=line)))
    # What a rulings file holds for other nights is no news on this one.
    if unused := [asked for asked in verdict.unused_rulings if asked not in origins.standing]:
        ids = words.ids(unused)
        notes.append(Note(_("Rulings that nothing here asks for: {ids}").format(ids=ids)))
    return notes


def _convention(custom: str, verdict: Verdict, words: Words) -> Note:
    """Say what a convention says, which questions it answers here, and how."""
    text = _("By convention {id}: {text}")
    more, copied = [], []
    for by, asked, chosen in verdict.conventions:
        if by == custom:
            meaning = words.answer_text(asked, chosen) or words.foreign(chosen)
            more.append(f"{words.question(asked)} – {meaning}")
            copied.append(ruling_line(asked, chosen))
    text = text.format(id=isolate(custom, words.lang), text=words.convention(custom))
    return Note(text, list(dict.fromkeys(more)), copied)
