"""The moderator's script: for a phone beside the table, and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..i18n import gettext as _
from ..i18n import number
from .answer import ruling_line, when
from .layout import isolate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..game.calls import Choice
    from ..game.script import Call, Script, Told
    from .layout import Page
    from .words import Words

#: Where a name is written down.
BLANK = "______"
#: Columns of a phone held upright.
PHONE = 40


def put_script(page: Page, script: Script, words: Words) -> None:
    """Add the whole script to a page."""
    scenario = script.scenario
    name = words.foreign(scenario.title or scenario.id)
    page.put(f"{name} · {when(scenario)}" if name else when(scenario), "bold")
    for place, call in enumerate(script.calls, 1):
        page.put()
        put_call(page, call, words, place)
    if script.besides:
        page.put()
        put_shown(page, script.besides, words, 0)
    _put_uncalled(page, script, words)
    _put_order(page, script, words)


def put_call(page: Page, call: Call, words: Words, place: int) -> None:
    """Add one call: whom it wakes, what is asked for, and what is shown."""
    page.put(f"{number(place)}. {_heading(call, words)}", "bold", hang=3)
    if call.gone:
        said = _("Out of the game, and called all the same: {names}")
        page.put(said.format(names=words.names(call.gone)), "dim", indent=3)
    several = len({ask.who for ask in call.asks}) > 1
    for ask in call.asks:
        told = [each for each in call.told if (each.action.actor, each.action.verb) == (ask.who, ask.verb)]
        put_ask(page, ask, words, told, several=several)
    known = {(ask.who, ask.verb) for ask in call.asks}
    for told_only in call.told:
        if (told_only.action.actor, told_only.action.verb) not in known:
            _put_told(page, told_only, words, several=True)
    put_shown(page, call.shows, words)


def _heading(call: Call, words: Words) -> str:
    names = words.names(call.players)
    if not call.who:
        return _("Wake together: {names}").format(names=names)
    who = words.team(call.who) if call.who in words.book.lexicon.words["team"] else words.role(call.who)
    return _("{name}: {what}").format(name=who, what=names) if names else who


def put_ask(
    page: Page, ask: Choice, words: Words, told: Iterable[Told] = (), *, several: bool = False
) -> None:
    """Add what is asked for: what was told of it, or a place for it, and what is refused."""
    told = list(told)
    verb = words.verb(ask.verb)
    who = _("{name}: {what}").format(name=words.name(ask.who), what=verb) if several else verb
    for each in told:
        _put_told(page, each, words, several=several)
    if not told and not ask.free and ask.refused:
        page.put(_("{verb}: not this time").format(verb=who), indent=3, hang=5)
        _put_rules(page, ask.refused, words)
        return
    if not told:
        page.put(_("{verb}: {blank}").format(verb=who, blank=BLANK), indent=3, hang=5)
    for key in ask.beside:
        values = words.ids(key.values) if key.values else BLANK
        page.put(f"{words.ids([key.key])}: {values}", "dim", indent=5, hang=7)
    if not told:
        put_limits(page, ask, words)


def put_limits(page: Page, ask: Choice, words: Words) -> None:
    """Add who may not be named, by which rules, and what would be shown."""
    if ask.refused:
        page.put(_("not: {names}").format(names=words.names(ask.refused)), "red", indent=5, hang=7)
        _put_rules(page, ask.refused, words)
    if ask.doubtful:
        every = set(ask.doubtful) >= set(ask.free)
        names = _("anybody") if every else words.names(ask.doubtful)
        page.put(_("perhaps not: {names}").format(names=names), "yellow", indent=5, hang=7)
        _put_rules(page, ask.doubtful, words)
    if ask.shows:
        page.put(_("shows {what}").format(what=_shows(ask, words)), "dim", indent=5, hang=7)


def _put_rules(page: Page, by: Mapping[str, tuple[str, ...]], words: Words) -> None:
    ids = dict.fromkeys(rule for rules in by.values() for rule in rules)
    for rule in ids:
        page.verbatim(words.ids([rule]), "dim", indent=7)


def _put_told(page: Page, told: Told, words: Words, *, several: bool) -> None:
    action = told.action
    verb = words.verb(action.verb)
    if several:
        verb = _("{name}: {what}").format(name=words.name(action.actor), what=verb)
    targets = words.sequence(
        words.shown(t) if t not in words.players else words.name(t) for t in action.targets
    )
    page.put(_("{name}: {what}").format(name=verb, what=targets) if targets else verb, indent=3, hang=5)
    if told.refusal:
        text = _("refused") if told.refusal.certain else _("refused in some readings")
        page.put(text, "red", indent=5)
        for rule in told.refusal.rules:
            page.verbatim(words.ids([rule]), "dim", indent=7)


def _shows(ask: Choice, words: Words) -> str:
    """Say what an inquiry would show: the commonest answer last, for all others."""
    by: dict[tuple[str, ...], list[str]] = {}
    for name, answers in ask.shows.items():
        by.setdefault(answers, []).append(name)
    ordered = sorted(by.items(), key=lambda entry: len(entry[1]))
    if len(ordered) > 4:
        # Everybody shows something else.
        return words.sequence(
            _("{name}: {what}").format(name=words.name(name), what=_either(answers, words))
            for name, answers in ask.shows.items()
        )
    *few, (common, _names) = ordered
    parts = [
        _("{answer} for {names}").format(answer=_either(answers, words), names=words.names(names))
        for answers, names in few
    ]
    rest = _("{answer} for all others") if few else _("{answer} for everybody")
    return ("؛ " if words.lang == "fa" else "; ").join([*parts, rest.format(answer=_either(common, words))])


def _either(answers: Iterable[str], words: Words) -> str:
    return " / ".join(words.shown(answer) for answer in answers)


def put_shown(page: Page, shows: Mapping[str, Any], words: Words, indent: int = 3) -> None:
    """Add what is shown to whom."""
    for name, value in shows.items():
        text = _("Show {name}: {what}").format(name=words.name(name), what=words.shown(value))
        page.put(text, "cyan", indent=indent, hang=indent + 2)


def _put_uncalled(page: Page, script: Script, words: Words) -> None:
    if script.uncalled:
        page.put()
        page.put(_("Not called, and may tell you all the same:"), "bold")
        for ask in script.uncalled:
            put_ask(page, ask, words, several=True)
    if script.silent:
        page.put()
        names = words.sequence(map(words.role, script.silent))
        text = _("Out of the game and not called; the rulebook does not say that they are: {roles}")
        page.put(text.format(roles=names), "dim")


def _put_order(page: Page, script: Script, words: Words) -> None:
    followed = script.followed
    if len(script.orders) < 2:
        return
    page.put()
    page.put(_("The rulebook leaves open who is called when. This order rests on:"), "yellow")
    questions = dict.fromkeys(question for order in script.orders for question in order.answers)
    for question in questions:
        answers = dict.fromkeys(o.answers[question] for o in script.orders if question in o.answers)
        chosen = followed.answers.get(question) if followed else None
        for answer in answers:
            mark = "*" if answer == chosen else "-"
            page.verbatim(f"{mark} {ruling_line(question, answer)}", "cyan", indent=2)
            if text := words.answer_text(question, answer):
                page.put(isolate(text, words.lang), "dim", indent=4)


# ---- as data ---------------------------------------------------------------------------------------


def script_data(script: Script) -> dict[str, Any]:
    """Give the script as JSON data (``mafia-asp schema script`` describes it)."""
    from .json import FORMAT

    scenario = script.scenario
    data: dict[str, Any] = {"format": FORMAT, "rulebook": scenario.rulebook}
    data |= {key: text for key, text in (("id", scenario.id), ("title", scenario.title)) if text}
    return {
        **data,
        "phase": scenario.phase,
        "night": scenario.number,
        "calls": [
            {
                "call": call.who or None,
                "players": list(call.players),
                "gone": list(call.gone),
                "asks": [_ask_data(ask) for ask in call.asks],
                "told": [_told_data(told) for told in call.told],
                "shows": dict(call.shows),
                "rules": list(call.rules),
            }
            for call in script.calls
        ],
        "uncalled": [_ask_data(ask) for ask in script.uncalled],
        "shows": dict(script.besides),
        "silent": list(script.silent),
        "orders": [
            {"answers": dict(o.answers), "calls": list(o.calls), "followed": o == script.followed}
            for o in script.orders
        ]
        if len(script.orders) > 1
        else [],
    }


def _ask_data(ask: Choice) -> dict[str, Any]:
    return {
        "who": ask.who,
        "verb": ask.verb,
        "names": list(ask.places),
        "free": list(ask.free),
        "refused": {name: list(rules) for name, rules in ask.refused.items()},
        "doubtful": {name: list(rules) for name, rules in ask.doubtful.items()},
        "shows": {name: list(answers) for name, answers in ask.shows.items()},
        "with": {beside.key: list(beside.values) for beside in ask.beside},
    }


def _told_data(told: Told) -> dict[str, Any]:
    from ..scenario import action_data

    data: dict[str, Any] = {"action": action_data(told.action), "refused": None}
    if told.refusal:
        data["refused"] = {"rules": list(told.refusal.rules), "certain": told.refusal.certain}
    return data
