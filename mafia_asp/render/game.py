"""A game in words and as data: where it stands, and what happened phase by phase."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ..game.grow import entry, followed, standing, to_come
from ..game.replay import winner
from ..i18n import gettext as _
from ..i18n import number
from .answer import by_day, outcome_phrases, ruling_line, when
from .json import FORMAT
from .layout import isolate
from .text import arrow
from .words import Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..game.record import Game
    from ..game.replay import Step
    from ..model import Action, Player, Scenario
    from .layout import Page


# ---- where it stands -------------------------------------------------------------------------------


def put_status(page: Page, game: Game, steps: Sequence[Step]) -> None:
    """Add who lives, with which role and what else, who is out, and what comes next."""
    words = Words.for_scenario(game.start, game.book, page.lang)
    players = standing(game, steps)
    if game.title:
        page.put(words.foreign(game.title), "bold")
    page.put(_where(game, steps, words), "bold", "green", hang=2)
    living = [player for player in players if player.alive]
    out = [player for player in players if not player.alive]
    page.put()
    page.put(_("In the game: {n}").format(n=number(len(living))), "bold")
    for player in living:
        page.put(_player(player, words), indent=2, hang=4)
    if out:
        page.put()
        page.put(_("Out of the game"), "bold")
        for player in out:
            page.put(_player(player, words), "dim", indent=2, hang=4)
    if rulings := _rulings(game, steps):
        page.put()
        page.put(_("What the table has decided"), "bold")
        for question, answer in rulings.items():
            page.verbatim(ruling_line(question, answer), "cyan", indent=2)


def _where(game: Game, steps: Sequence[Step], words: Words) -> str:
    if (scenario := to_come(game, steps)) is not None:
        return _("Next: {phase}").format(phase=when(scenario))
    return _("The game is over. {who}").format(who=_won(steps, words))


def _won(steps: Sequence[Step], words: Words) -> str:
    return _("Winner: {who}").format(who=words.sides(winner(steps[-1].verdict)))


def _player(player: Player, words: Words) -> str:
    """Say a player's role, and what he has."""
    text = _("{name}: {what}").format(name=words.name(player.name), what=words.role(player.role))
    parts = [words.item(item) for item in player.items]
    parts += [f"{words.counter(counter)}: {words.amount(left)}" for counter, left in player.counts.items()]
    return f"{text} · {words.sequence(parts)}" if parts else text


def _rulings(game: Game, steps: Sequence[Step]) -> dict[str, str]:
    return dict(steps[-1].scenario.rulings if steps else game.start.rulings)


def status_data(game: Game, steps: Sequence[Step]) -> dict[str, Any]:
    """Give where a game stands as JSON data."""
    from ..scenario import to_data

    scenario = to_come(game, steps)
    players = standing(game, steps)
    return {
        "format": FORMAT,
        "rulebook": game.start.rulebook,
        **({"title": game.title} if game.title else {}),
        "phases": len(steps),
        "over": scenario is None,
        "winner": winner(steps[-1].verdict) if steps else [],
        "players": to_data(game.start._replace(players=players))["players"],
        "alive": [player.name for player in players if player.alive],
        "rulings": _rulings(game, steps),
        "next": None if scenario is None else to_data(scenario),
    }


# ---- what happened ---------------------------------------------------------------------------------


def put_log(page: Page, game: Game, steps: Sequence[Step]) -> None:
    """Add each phase: what was told, what the table decided, and what followed."""
    words = Words.for_scenario(game.start, game.book, page.lang)
    if game.title:
        page.put(words.foreign(game.title), "bold")
    for step in steps:
        page.put()
        page.put(_heading(step, words), "bold")
        for action in step.record.actions:
            page.put(told(action, words), indent=2, hang=4)
        for question, answer in step.record.rulings.items():
            line = isolate(ruling_line(question, answer), words.lang)
            page.put(_("Your table's ruling: {line}").format(line=line), "dim", indent=2, hang=4)
        if customs := dict.fromkeys(custom for custom, _asked, _answer in step.verdict.conventions):
            text = _("Settled by convention: {ids}").format(ids=words.ids(customs))
            page.put(text, "dim", indent=2, hang=4)
        for phrase in _followed(step, words):
            page.put(f"{arrow(words.lang)} {phrase}", "green", indent=2, hang=4)
    page.put()
    page.put(_where(game, steps, words), "bold", hang=2)


def _heading(step: Step, words: Words) -> str:
    name = words.foreign(step.record.title)
    return f"{name} · {when(step.scenario)}" if name else when(step.scenario)


def told(action: Action, words: Words) -> str:
    """Say what somebody told the moderator."""
    targets = words.sequence(words.shown(target) for target in action.targets)
    text = _("{actor}: {verb} {targets}") if targets else _("{actor}: {verb}")
    text = text.format(actor=words.name(action.actor), verb=words.verb(action.verb), targets=targets)
    return f"{text} ({words.shown(dict(action.extra))})" if action.extra else text


def _followed(step: Step, words: Words) -> Iterator[str]:
    noted = followed(step)
    if by_day(step.scenario) and (out := noted.pop("dead", None)) is not None:
        # By day nobody need have died who leaves.
        if out:
            yield _("out of the game: {names}").format(names=words.names(out))
        else:
            yield _("nobody leaves the game")
    yield from outcome_phrases(noted, words)


def log_data(game: Game, steps: Sequence[Step]) -> dict[str, Any]:
    """Give what happened in a game as JSON data."""
    return {
        "format": FORMAT,
        "rulebook": game.start.rulebook,
        **({"title": game.title} if game.title else {}),
        "over": to_come(game, steps) is None,
        "winner": winner(steps[-1].verdict) if steps else [],
        "phases": [entry(step) for step in steps],
    }


def log_markdown(game: Game, steps: Sequence[Step], lang: str) -> str:
    """Give what happened in a game as Markdown."""
    from .markdown import escape

    words = Words.for_scenario(game.start, game.book, lang)
    lines = [f"# {escape(words.foreign(game.title))}", ""] if game.title else []
    for step in steps:
        lines += [f"## {escape(_heading(step, words))}", ""]
        lines += [f"- {escape(told(action, words))}" for action in step.record.actions]
        lines += [f"- `{ruling_line(question, answer)}`" for question, answer in step.record.rulings.items()]
        lines += [f"- **{escape(phrase)}**" for phrase in _followed(step, words)]
        lines.append("")
    return "\n".join([*lines, escape(_where(game, steps, words))]) + "\n"


# ---- one phase for itself ----------------------------------------------------------------------------


def scenario_text(scenario: Scenario, output: str | None) -> str:
    """Give a phase as the text of a scenario file, which is to stand at `output` or is read from a pipe."""
    from ..scenario import to_data
    from ..yamltext import entries_text

    data = to_data(scenario)
    if os.path.isdir(scenario.rulebook):
        folder = os.path.dirname(output) if output and output != "-" else ""
        data["rulebook"] = os.path.relpath(scenario.rulebook, folder or ".")
    if "actions" not in data:
        data["actions"] = []
    return entries_text(data)
