"""``mafia-asp script``: the moderator's script of a night, and leading the night by it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

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
    write,
)

if TYPE_CHECKING:
    from ..game.script import Script
    from ..model import Scenario
    from ..rulebook import Rulebook

_PHASES = ("intro", "night")


class _Source(NamedTuple):
    """The night that is to be led, and whether it is the next one of a game."""

    scenario: Scenario
    book: Rulebook
    game: bool = False


@click.command(
    "script",
    epilog="""\b
Examples:
  mafia-asp script tonight.yaml
  mafia-asp script friday.yaml --lang fa
  mafia-asp script friday.yaml --ask --add
  mafia-asp script tonight.yaml --ask -o told.yaml
  mafia-asp script -p 'Ali=don, Sara=doctor, Reza=detective, Mina=citizen'""",
)
@click.argument("file", metavar="[FILE]", required=False, type=click.Path())
@click.option("-p", "--players", metavar="TEXT", help="Players without a file: 'Ali=don, Sara=sniper'.")
@click.option(
    "-a", "--actions", metavar="TEXT", help="What was told already: 'Sara shoot Ali; Ali shoot Sara'."
)
@rulebook_option
@click.option(
    "-n", "--night", "number_of", type=click.IntRange(min=1), metavar="N", help="Which night it is."
)
@click.option(
    "--phase", type=click.Choice(_PHASES), help="The introduction, or a night; by default what FILE says."
)
@click.option(
    "--ask", is_flag=True, help="Lead the night on this terminal: each is called and asked in turn."
)
@click.option("--add", is_flag=True, help="With --ask: add the night to the game in FILE.")
@click.option(
    "--rulings",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="What the table has decided; by default rulings.yaml beside the scenario.",
)
@click.option("--no-rulings", is_flag=True, help="Do not look for rulings.yaml.")
@click.option(
    "--assume",
    metavar="ID=ANSWER",
    multiple=True,
    shell_complete=complete_ruling,
    help="Answer an open question, for this time.",
)
@click.option("--strict", is_flag=True, help="Let no convention answer where the book is silent.")
@lang_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@output_option
@width_option
def command(
    file: str | None,
    players: str | None,
    actions: str | None,
    rulebook: str | None,
    number_of: int | None,
    phase: str | None,
    ask: bool,
    add: bool,
    rulings: str | None,
    no_rulings: bool,
    assume: tuple[str, ...],
    strict: bool,
    lang: str,
    form: str,
    output: str | None,
    width: int | None,
) -> int:
    """Print the calls of a night in the order of waking: who is asked for what, and what is shown to whom.

    FILE is a scenario, or a game (mafia-asp game), whose coming night it is; - reads the standard input.
    With --ask the night is led on this terminal: what is told is taken down, a choice that the rules refuse
    is warned of at once, and at the end the night is printed as a scenario, ready for mafia-asp night. Lines
    are as wide as a phone; --width changes that.
    """
    from ..house import HouseRules
    from ..render.script import PHONE, put_script, script_data
    from ..render.words import Words

    _check_use(file, players, actions, rulebook, number_of, phase, ask, add, form)
    source = _inline(players, actions, rulebook, number_of, phase) if players else _read(str(file), phase)
    keep_inputs(output, [*([file] if file else ()), *([rulings] if rulings else ())])
    house = HouseRules(rulings, look_beside=not (no_rulings or rulings or source.game), assumed=assume)
    scenario = house.apply(source.scenario, source.book)
    for used in house.used:
        note(_("Rulings from {file}").format(file=used))
    keep_inputs(output, house.used)
    strict = strict or scenario.conventions is False
    made = _script(scenario, source.book, strict)
    words = Words.for_scenario(scenario, source.book, lang)
    if ask:
        return _lead(made, source, words, width or PHONE, file if add else None, output, strict, lang)
    if form == "json":
        from ..render.json import dumps

        write(dumps(script_data(made)), output)
    else:
        page = new_page(output, width or PHONE, lang)
        put_script(page, made, words)
        write(page.text(), output)
    return 3 if made.verdict.incomplete else 0


def _check_use(
    file: str | None,
    players: str | None,
    actions: str | None,
    rulebook: str | None,
    number_of: int | None,
    phase: str | None,
    ask: bool,
    add: bool,
    form: str,
) -> None:
    """Refuse options that do not go together. Raises click.UsageError."""
    if bool(file) == bool(players):
        raise click.UsageError(_("Give either a FILE or players with -p. Try 'mafia-asp script --help'."))
    if file and (actions or rulebook or number_of):
        raise click.UsageError(_("-a, --rulebook and --night go with -p; a file says these itself."))
    if add and not ask:
        raise click.UsageError(_("--add adds what --ask takes down: give both."))
    if add and (file is None or file == "-"):
        raise click.UsageError(_("--add needs the FILE of a game."))
    if ask and form == "json":
        raise click.UsageError(_("--ask gives a scenario, and no script as JSON."))
    if ask and not (sys.stdin and sys.stdin.isatty()):
        raise click.UsageError(_("--ask asks questions and needs a terminal."))


def _script(scenario: Scenario, book: Rulebook, strict: bool) -> Script:
    from ..game.script import PHASES, script

    if scenario.phase not in PHASES:
        where = f"{scenario.place}: " if scenario.place else ""
        text = _("phase {phase}: nobody is called then; a script is for a night or the introduction.")
        raise click.UsageError(where + text.format(phase=scenario.phase))
    return script(scenario, book, strict=strict)


# --- which night ----------------------------------------------------------------------------------


def _inline(
    players: str, actions: str | None, rulebook: str | None, number_of: int | None, phase: str | None
) -> _Source:
    from ..rulebook import Rulebook
    from ..scenario import parse_inline

    named = rulebook or DEFAULT_RULEBOOK
    scenario = parse_inline(players, actions or "", rulebook=named, phase=phase or "night", number=number_of)
    return _Source(scenario, Rulebook.load(scenario.rulebook))


def _read(file: str, phase: str | None) -> _Source:
    """Read the scenario of a file, or the coming night of a game. Raises InputError."""
    from .. import places
    from ..errors import InputError
    from ..scenario import ScenarioReader, is_game

    documents = places.read(file)
    first = documents[0]
    if isinstance(first, InputError):
        raise first
    if is_game(first.root):
        return _coming(first, file, phase)
    books: dict[str, Rulebook] = {}
    reader = ScenarioReader(books)
    entries = [
        entry
        for each in documents
        if not isinstance(each, InputError)
        for entry in reader.document(each, file)
    ]
    if faults := [fault for entry in entries for fault in entry.faults]:
        raise InputError(faults)
    if len(entries) != 1 or entries[0].scenario is None:
        text = _("{file} holds {n} scenarios; a script is for one.")
        raise click.UsageError(text.format(file=places.shown_name(file), n=len(entries)))
    scenario = entries[0].scenario
    if phase is not None and phase != scenario.phase:
        raise click.UsageError(_("--phase goes with -p or a game; a scenario says its phase itself."))
    return _Source(scenario, reader.book(scenario.rulebook))


def _coming(document: Any, file: str, phase: str | None) -> _Source:
    """Give the night that comes next in a game."""
    from ..game.grow import numbered, state_after
    from ..game.record import Record, game_of, may_follow
    from ..game.replay import replay, scenario_of

    game = game_of(document, file)
    steps = replay(game)
    state = state_after(game, steps)
    if state is None:
        raise click.UsageError(_("The game is over; nobody is called any more."))
    allowed = [each for each in may_follow(game.phases) if each in _PHASES]
    wanted = phase or ("night" if "night" in allowed else "")
    if wanted not in allowed:
        text = _("No night comes next in this game, but: {allowed}. 'mafia-asp game' adds that.")
        raise click.UsageError(text.format(allowed=_(" or ").join(may_follow(game.phases))))
    record = numbered(game, Record("intro" if wanted == "intro" else "night"))
    scenario = scenario_of(game, state, record)
    return _Source(scenario._replace(title=game.title), game.book, game=True)


# --- leading it -----------------------------------------------------------------------------------


def _lead(
    made: Script,
    source: _Source,
    words: Any,
    width: int,
    game: str | None,
    output: str | None,
    strict: bool,
    lang: str,
) -> int:
    """Lead the night on the terminal; print it, or add it to its game."""
    from ..scenario import to_data
    from ..yamltext import entries_text
    from .calling import Caller

    if game is not None and not source.game:
        raise click.UsageError(_("--add needs the FILE of a game."))
    caller = Caller(made, source.book, words, width, strict=strict)
    verdict = caller.run()
    if game is not None:
        return _add(game, caller.scenario, output, width, lang)
    scenario = caller.scenario
    if source.game:
        # What comes before the night stands in the game.
        data = {k: v for k, v in to_data(scenario).items() if k in ("phase", "night", "actions")}
        data = {"phase": scenario.phase, **data}
    else:
        data = to_data(scenario)
    write(entries_text(data), output)
    return int(any(refusal.certain for refusal in verdict.refused))


def _add(game: str, scenario: Scenario, output: str | None, width: int, lang: str) -> int:
    """Add what was told to a game, as ``mafia-asp game night`` does."""
    from ..places import parse_yaml
    from ..scenario import action_data
    from ..yamltext import entries_text
    from .game import Telling, tell

    data = {"phase": scenario.phase, "actions": [action_data(action) for action in scenario.actions]}
    entries = parse_yaml(entries_text(data), "actions").root
    return tell(Telling("night", game, entries=entries, output=output, width=width, lang=lang))
