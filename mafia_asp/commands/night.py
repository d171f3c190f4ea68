"""``mafia-asp night``: decide nights, and say what follows, why, and what is left open."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from ..i18n import gettext as _
from .common import (
    DEFAULT_RULEBOOK,
    complete_ruling,
    keep_inputs,
    lang_option,
    new_page,
    note,
    output_option,
    rulebook_option,
    width_option,
    with_options,
    worst,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..explain import Explanation
    from ..house import HouseRules
    from ..model import Scenario, Verdict
    from ..render.answer import Origins
    from ..render.layout import Page
    from ..render.words import Words
    from ..rulebook import Books, Rulebook

#: Which command decides which phases.
PHASES = {"night": ("setup", "intro", "night"), "day": ("day", "end")}


class Wish(NamedTuple):
    """What the user wants to see, and how nights are to be decided."""

    why: tuple[str, ...] = ()
    why_not: tuple[str, ...] = ()
    announce: bool = False
    player: str | None = None
    strict: bool = False
    conventions: bool = False
    lang: str = "en"
    form: str = "text"
    exit_zero: bool = False
    width: int | None = None


F = TypeVar("F", bound=Callable[..., Any])


def deciding(number_name: str, number_help: str) -> Callable[[F], F]:
    """Give a command the arguments and options with which a phase of a game is decided and shown."""
    return with_options(
        click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path()),
        click.option(
            "-p", "--players", metavar="TEXT", help="Players without a file: 'Ali=don, Sara=sniper'."
        ),
        click.option(
            "-a",
            "--actions",
            metavar="TEXT",
            multiple=True,
            help="What they did: 'Sara shoot Ali; Ali shoot Sara'.",
        ),
        rulebook_option,
        click.option(
            "-n", f"--{number_name}", "number_of", type=click.IntRange(min=1), metavar="N", help=number_help
        ),
        click.option(
            "--why",
            metavar="FACT",
            multiple=True,
            help="Why is it so? 'Sara', 'Sara dies', 'Ali cannot shoot'.",
        ),
        click.option(
            "--why-not", metavar="FACT", multiple=True, help="Why is it not so? 'Sara dies', 'Ali told yes'."
        ),
        click.option("--announce", is_flag=True, help="Show only what may be read aloud."),
        click.option("--for", "player", metavar="NAME", help="Show only what this player is told."),
        click.option(
            "--rulings",
            metavar="FILE",
            type=click.Path(dir_okay=False),
            help="What the table has decided; by default rulings.yaml beside the scenario.",
        ),
        click.option("--no-rulings", is_flag=True, help="Do not look for rulings.yaml."),
        click.option(
            "--assume",
            metavar="ID=ANSWER",
            multiple=True,
            shell_complete=complete_ruling,
            help="Answer an open question, for this time.",
        ),
        click.option(
            "--settle", is_flag=True, help="Ask for the open answers, and add them to the rulings file."
        ),
        click.option("--strict", is_flag=True, help="Let no convention answer where the book is silent."),
        click.option(
            "--conventions", is_flag=True, help="Let conventions answer, even if the scenario says not."
        ),
        lang_option,
        click.option(
            "--format", "form", type=click.Choice(["text", "json", "markdown", "mermaid"]), default="text"
        ),
        output_option,
        click.option("--exit-zero", is_flag=True, help="Exit with 0 even if something is open or refused."),
        width_option,
    )


@click.command(
    "night",
    epilog="""\b
Examples:
  mafia-asp night tonight.yaml
  mafia-asp night tonight.yaml --why 'Sara dies'
  mafia-asp night tonight.yaml --announce --lang fa
  mafia-asp night tonight.yaml --assume ca.q.sniper.1=dies
  mafia-asp night tonight.yaml --settle
  mafia-asp night -p 'Ali=don, Sara=sniper' -a 'Sara shoot Ali; Ali shoot Sara'
  cat tonight.yaml | mafia-asp night - --format json""",
)
@deciding("night", "Which night it is.")
def command(**given: Any) -> int:
    """Decide a night: who dies and of what, what to announce, what to tell whom, each with its rule.

    FILE is a scenario in YAML or JSON; - reads the standard input. Where the rulebook leaves
    something open, every reading is shown with the question that divides them.
    """
    return decide_and_show("night", **given)


def decide_and_show(
    kind: str,
    files: tuple[str, ...],
    players: str | None,
    actions: tuple[str, ...],
    rulebook: str | None,
    number_of: int | None,
    rulings: str | None,
    no_rulings: bool,
    assume: tuple[str, ...],
    settle: bool,
    output: str | None,
    **wishes: Any,
) -> int:
    """Decide what was given, a ``night`` or a ``day``, and show it as the user wishes."""
    wish = Wish(**wishes)
    if wish.strict and wish.conventions:
        raise click.UsageError(_("--strict and --conventions exclude each other."))
    if bool(files) == bool(players):
        text = _("Give either a FILE or players with -p. Try 'mafia-asp {command} --help'.")
        raise click.UsageError(text.format(command=kind))
    if files and (actions or rulebook or number_of):
        text = _("-a, --rulebook and --{number} go with -p; a file says these itself.")
        raise click.UsageError(text.format(number=kind))
    if settle and no_rulings:
        raise click.UsageError(
            _("--settle writes rulings, and --no-rulings leaves them out: give one of them.")
        )
    if settle and not (sys.stdin and sys.stdin.isatty()):
        raise click.UsageError(_("--settle asks questions and needs a terminal."))

    from ..house import HouseRules
    from ..rulebook import Books

    books = Books()
    scenarios = _inline(kind, players, actions, rulebook, number_of) if players else _read(kind, files, books)
    keep_inputs(output, [*files, *([rulings] if rulings else ())])
    night = _Nights(wish, books)
    # What --settle is to write to need not be there yet.
    known = None if settle and rulings and not os.path.exists(rulings) else rulings
    look = not (no_rulings or rulings)
    house = HouseRules(known, look_beside=look, assumed=assume)
    verdicts = night.decide_all(scenarios, house)
    if settle:
        verdicts = [night.settle(v, rulings) for v in verdicts]
    keep_inputs(output, house.used)
    write(night.show(verdicts, new_page(output, wish.width, wish.lang), house), output)
    return worst(_status(v, wish) for v in verdicts)


# --- what is to be decided ------------------------------------------------------------------------


def _inline(
    kind: str, players: str, actions: Sequence[str], rulebook: str | None, number_of: int | None
) -> list[Scenario]:
    from ..scenario import parse_inline

    book = rulebook or DEFAULT_RULEBOOK
    return [parse_inline(players, "; ".join(actions), rulebook=book, phase=kind, number=number_of)]


def _read(kind: str, files: Sequence[str], books: dict[str, Rulebook]) -> list[Scenario]:
    """Read all files before anything is decided, and report all that is wrong with them."""
    from ..errors import InputError
    from ..scenario import read_scenarios

    scenarios: list[Scenario] = []
    faults = []
    for file in files:
        try:
            scenarios += read_scenarios(file, books)
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    for scenario in scenarios:
        if scenario.phase not in PHASES[kind]:
            where = f"{scenario.place}: " if scenario.place else ""
            right = next(command for command, phases in PHASES.items() if scenario.phase in phases)
            text = _("phase {phase}: 'mafia-asp {command}' decides it.")
            raise click.UsageError(where + text.format(phase=scenario.phase, command=right))
    return scenarios


# --- deciding and showing ---------------------------------------------------------------------------


class _Nights:
    """Decides nights and puts them into words; each rulebook is loaded once."""

    def __init__(self, wish: Wish, books: Books) -> None:
        self.wish = wish
        self._books = books

    def book(self, scenario: Scenario) -> Rulebook:
        return self._books[scenario.rulebook]

    def words(self, scenario: Scenario) -> Words:
        from ..render.words import Words

        return Words.for_scenario(scenario, self.book(scenario), self.wish.lang)

    def decide_all(self, scenarios: Sequence[Scenario], house: HouseRules) -> list[Verdict]:
        from ..unknown import filled_in

        ready = [house.apply(one, self.book(s)) for s in scenarios for one in filled_in(s)]
        for file in house.used:
            note(_("Rulings from {file}").format(file=file))
        return [self.decide(s) for s in ready]

    def decide(self, scenario: Scenario) -> Verdict:
        from ..verdict import decide

        if self.wish.strict or self.wish.conventions:
            scenario = scenario._replace(conventions=self.wish.conventions)
        return decide(scenario, book=self.book(scenario), strict=scenario.conventions is False)

    def show(self, verdicts: Sequence[Verdict], page: Page, house: HouseRules) -> str:
        if self.wish.form == "json":
            return self._json(verdicts)
        if self.wish.form == "mermaid":
            return "\n".join(self._drawn(v) for v in verdicts)
        if self.wish.form == "markdown":
            return "\n".join(self._markdown(v, house, len(verdicts) > 1) for v in verdicts)
        for position, verdict in enumerate(verdicts):
            if position:
                page.put()
                page.put("—" * 3, "dim")
                page.put()
            self._put(page, verdict, house, several=len(verdicts) > 1)
        return page.text()

    def _origins(self, verdict: Verdict, house: HouseRules) -> Origins:
        """Tell the rulings that are of this night in particular from those that a file holds for all."""
        from ..render.answer import Origins

        places = verdict.scenario.places
        own = {key.removeprefix("rulings.") for key in places if key.startswith("rulings.")}
        return Origins(house.assumed_ids, house.standing - own - house.assumed_ids)

    def _narrowed(self) -> bool:
        wish = self.wish
        return bool(wish.why or wish.why_not or wish.announce or wish.player)

    def _put(self, page: Page, verdict: Verdict, house: HouseRules, *, several: bool) -> None:
        from ..render import text

        words = self.words(verdict.scenario)
        if not self._narrowed():
            text.put_verdict(page, verdict, words, self._origins(verdict, house))
        elif several:
            from ..render.answer import title

            page.put(title(verdict, words), "bold")
        self._put_said(page, verdict, words)
        for _asked, said in self._explanations(verdict):
            page.put()
            page.lines += said.render(self.wish.lang, page.width).rstrip("\n").split("\n")

    def _put_said(self, page: Page, verdict: Verdict, words: Words) -> None:
        """Add what is read aloud, and what one player is told, where that is asked for."""
        from ..render import text

        if self.wish.announce:
            text.put_announcement(page, verdict, words)
            if _open_in(verdict, "announce"):
                note(_("Not everything that is to be announced is settled."))
        if self.wish.player:
            text.put_for(page, verdict, _player(verdict.scenario, self.wish.player), words)

    def _markdown(self, verdict: Verdict, house: HouseRules, several: bool) -> str:
        from ..render import markdown

        words = self.words(verdict.scenario)
        if not self._narrowed():
            return markdown.verdict_markdown(verdict, words, self._origins(verdict, house))
        from ..render.layout import Page

        aloud = Page(self.wish.lang, width=10**6)
        self._put_said(aloud, verdict, words)
        parts = [f"{markdown.heading(verdict, words)}\n"] if several else []
        if aloud.lines:
            parts.append(markdown.listed(line.strip() for line in aloud.lines if line))
        parts += [said.markdown(self.wish.lang) for _asked, said in self._explanations(verdict)]
        return "\n".join(parts)

    def _explanations(self, verdict: Verdict) -> list[tuple[str, Explanation]]:
        """Give the explanations that were asked for; each says for itself what it explains."""
        if not (self.wish.why or self.wish.why_not):
            return []
        from ..explain import why, why_not

        scenario, book = verdict.scenario, self.book(verdict.scenario)
        asked = [(q, why) for q in self.wish.why] + [(q, why_not) for q in self.wish.why_not]
        return [(q, ask(scenario, q, book=book, strict=scenario.conventions is False)) for q, ask in asked]

    def _drawn(self, verdict: Verdict) -> str:
        """Draw what was asked why, or how the open questions divide the night."""
        explained = self._explanations(verdict)
        if explained:
            return "\n".join(said.mermaid(self.wish.lang) for _asked, said in explained)
        from ..render.mermaid import verdict_mermaid

        return verdict_mermaid(verdict, self.words(verdict.scenario))

    def _json(self, verdicts: Sequence[Verdict]) -> str:
        from ..render.json import dumps

        data = [self._data(v) for v in verdicts]
        return dumps(data[0] if len(data) == 1 else data)

    def _data(self, verdict: Verdict) -> dict[str, Any]:
        from ..render.json import FORMAT, verdict_data

        if not self._narrowed():
            return verdict_data(verdict, self.book(verdict.scenario))
        data: dict[str, Any] = {
            "format": FORMAT,
            "id": verdict.scenario.id or None,
            "settled": verdict.settled,
        }
        if self.wish.announce:
            data["announce"] = verdict.certain.get("announce", [])
        if self.wish.player:
            name = _player(verdict.scenario, self.wish.player)
            data["player"] = name
            data["answer"] = verdict.certain.get("answers", {}).get(
                name, None if _open_in(verdict, "answers", name) else "none"
            )
        explanations = self._explanations(verdict)
        if explanations:
            data["why"] = [{"asked": asked, **said.data()} for asked, said in explanations]
        return data

    # --- settling -----------------------------------------------------------------------------------

    def settle(self, verdict: Verdict, file: str | None) -> Verdict:
        """Ask for the answer to each open question, keep it in the rulings file, and decide again."""
        from ..rulingfile import UnsafeEditError, add_ruling
        from ..rulings import RULINGS_FILE
        from .asking import ask

        place = verdict.scenario.place
        if file is None and (place is None or place.file.startswith("<")):
            raise click.UsageError(_("--settle without a scenario file needs --rulings FILE."))
        target = file or os.path.join(os.path.dirname(place.file if place else ""), RULINGS_FILE)
        passed: set[str] = set()
        while asked := next((q for q in verdict.open if q.id not in passed), None):
            choice = ask(verdict, asked.id, self.words(verdict.scenario), self.wish.width)
            if choice is None:
                passed.add(asked.id)
                continue
            try:
                add_ruling(target, verdict.scenario.rulebook, asked.id, choice)
            except (UnsafeEditError, OSError) as error:
                from ..render.answer import ruling_line

                text = _("The ruling could not be added to {file}; add it yourself: {line}")
                raise click.ClickException(
                    text.format(file=target, line=ruling_line(asked.id, choice))
                ) from error
            note(_("Added to {file}").format(file=target))
            scenario = verdict.scenario
            verdict = self.decide(scenario._replace(rulings={**scenario.rulings, asked.id: choice}))
        return verdict


def _open_in(verdict: Verdict, key: str, entry: str | None = None) -> bool:
    """Tell whether readings differ in a key, or in one entry of it."""
    for group in verdict.groups:
        for reading in group.readings:
            part = reading.outcome.get(key)
            if part is not None and (entry is None or entry in part):
                return True
    return False


def _player(scenario: Scenario, text: str) -> str:
    """Find a player by a name in any spelling. Raises click.BadParameter, with the nearest names."""
    from ..names import normalise, suggest

    names = [p.name for p in scenario.players]
    wanted = normalise(text)
    for name in names:
        if normalise(name) == wanted:
            return name
    near = suggest(text, names) or names
    message = _("{name} is no player here; there is {near}").format(name=text, near=", ".join(near))
    raise click.BadParameter(message, param_hint="'--for'")


def _status(verdict: Verdict, wish: Wish) -> int:
    """Give the exit status: 3 after a limit, 1 where something is open, refused or not allowed."""
    if verdict.incomplete:
        return 3
    if wish.exit_zero:
        return 0
    unsettled = not verdict.settled or bool(verdict.certain.get("illegal"))
    return int(unsettled or any(not _expected(verdict, r.actor, r.verb) for r in verdict.refused))


def _expected(verdict: Verdict, actor: str, verb: str) -> bool:
    """Tell whether the scenario itself says that this action is refused."""
    from ..expect import names_refusal

    return names_refusal(verdict.scenario.expect, actor, verb)
