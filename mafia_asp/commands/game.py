"""``mafia-asp game``: a whole game in one file, phase by phase."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from ..i18n import gettext as _
from ..i18n import number
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
    write,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..game.record import Game, Record
    from ..game.replay import State, Step
    from ..model import Phase, Scenario, Verdict
    from ..places import Node
    from ..rulebook import Rulebook

    F = TypeVar("F", bound=Callable[..., Any])

_EXAMPLES = """\b
Examples:
  mafia-asp game new friday.yaml -p 'Ali=don, Sara=doctor, Reza=citizen, Mina=citizen, Omid=citizen'
  mafia-asp game night friday.yaml -a 'Ali shoot Reza; Sara save Reza'
  mafia-asp game day friday.yaml -a 'town vote_out Mina' --ruling ca.q.general.1=hidden
  mafia-asp game status friday.yaml
  mafia-asp game log friday.yaml --lang fa
  mafia-asp game undo friday.yaml"""


@click.group("game", epilog=_EXAMPLES)
def command() -> None:
    """Keep a whole game in one file: what was told, and what came of it, phase by phase.

    The file grows with each night and day. What the table decides on an open question holds for the rest of
    the game. The file is written in one step: whatever happens, it is the old one or the new one.
    """


# --- new ------------------------------------------------------------------------------------------


@command.command(
    "new",
    epilog="""\b
Examples:
  mafia-asp game new friday.yaml -p 'Ali=don, Sara=doctor, Reza=citizen, Mina=citizen'
  mafia-asp game new friday.yaml --from scenarios/examples/ten-players.yaml --title 'Friday table'
  mafia-asp game new friday.yaml --roles don,doctor,citizen*3 --names 'Ali, Sara, Reza, Mina, Omid'
  mafia-asp game new friday.yaml -p '…' --rulings rulings.yaml""",
)
@click.argument("file", metavar="GAME", type=click.Path(dir_okay=False))
@click.option("-p", "--players", metavar="TEXT", help="Players: 'Ali=don, Sara=sniper', in seating order.")
@click.option(
    "--from",
    "source",
    metavar="FILE",
    type=click.Path(),
    help="Players, options and rulings of this scenario.",
)
@click.option("--roles", metavar="LIST", help="Deal these roles: don,doctor,citizen*3.")
@click.option("--names", metavar="LIST", help="The players to whom --roles are dealt, in seating order.")
@click.option("--seed", type=int, metavar="N", help="Deal the same way each time.")
@rulebook_option
@click.option("--title", metavar="TEXT", default="", help="What the table calls this game.")
@click.option(
    "--rulings",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="What the table has decided; it is copied into the game.",
)
@click.option(
    "--ruling",
    "answers",
    metavar="ID=ANSWER",
    multiple=True,
    shell_complete=complete_ruling,
    help="What the table has decided; may be given several times.",
)
@click.option("--strict", is_flag=True, help="Let no convention answer where the book is silent.")
@lang_option
def new(file: str, **given: Any) -> int:
    """Begin a game in a file of its own; a file that is there already is left as it is."""
    from ..game.store import new_text, write_new

    data = _beginning(**{key: value for key, value in given.items() if key != "lang"})
    book = data["rulebook"]
    folder = os.path.dirname(os.path.abspath(file))
    if os.path.isdir(book):
        data["rulebook"] = os.path.relpath(book, folder)
    try:
        write_new(file, new_text(data, as_json=file.lower().endswith(".json")))
    except FileExistsError as error:
        raise click.UsageError(_("{file} exists, and is left as it is.").format(file=file)) from error
    except OSError as error:
        raise click.FileError(file, hint=error.strerror or str(error)) from error
    note(_("{file}: the game begins.").format(file=file))
    return 0


def _beginning(
    players: str | None,
    source: str | None,
    roles: str | None,
    names: str | None,
    seed: int | None,
    rulebook: str | None,
    title: str,
    rulings: str | None,
    answers: tuple[str, ...],
    strict: bool,
) -> dict[str, Any]:
    """Give the entries with which a game begins."""
    from ..game.record import FORMAT
    from ..rulebook import Rulebook
    from ..rulings import parse_assumption, read_rulings
    from ..scenario import parse_inline, to_data

    if sum(each is not None for each in (players, source, roles)) != 1:
        raise click.UsageError(_("Say who plays in one way: -p, --from, or --roles with --names."))
    if (names is not None or seed is not None) and roles is None:
        raise click.UsageError(_("--names and --seed go with --roles."))
    if source is not None:
        if rulebook:
            raise click.UsageError(_("--rulebook goes with -p or --roles; a scenario says it itself."))
        scenario = _one_scenario(source)
    else:
        book_name = rulebook or DEFAULT_RULEBOOK
        players = players if players is not None else _dealt(roles or "", names, seed, book_name)
        scenario = parse_inline(players, rulebook=book_name)
    book = Rulebook.load(scenario.rulebook)
    known = dict(read_rulings(rulings, book).answers) if rulings else {}
    known |= scenario.rulings
    known |= dict(parse_assumption(book, text) for text in answers)
    whole = to_data(scenario._replace(rulings=known, title=title or scenario.title, id=""))
    if strict:
        whole["conventions"] = False
    keys = ("rulebook", "title", "options", "conventions", "players", "last_night", "last_day", "rulings")
    return {"format": FORMAT, **{key: whole[key] for key in keys if key in whole}, "phases": []}


def _one_scenario(source: str) -> Scenario:
    from ..scenario import read_scenarios

    scenarios = read_scenarios(source)
    if len(scenarios) != 1:
        text = _("{file} holds {n} scenarios, and a game begins with one.")
        raise click.UsageError(text.format(file=source, n=number(len(scenarios))))
    if scenarios[0].actions:
        note(
            _("What was done in {file} is not taken over: tell it with 'mafia-asp game night'.").format(
                file=source
            )
        )
    return scenarios[0]


def _dealt(roles: str, names: str | None, seed: int | None, rulebook: str) -> str:
    """Deal roles to players, by lot."""
    import random

    from ..rulebook import Rulebook
    from .cast import parse_roles

    dealt = parse_roles(roles, Rulebook.load(rulebook))
    who = [name.strip() for name in (names or "").replace("،", ",").split(",") if name.strip()]
    if len(who) != len(dealt):
        text = _("--names has {names} players for {roles} roles.")
        raise click.UsageError(text.format(names=number(len(who)), roles=number(len(dealt))))
    lots = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 - cards are dealt
    lots.shuffle(dealt)
    return "; ".join(f"{name}={role}" for name, role in zip(who, dealt, strict=True))


# --- night and day --------------------------------------------------------------------------------

#: Which command tells which phases; the first of them is meant where none is named.
PHASES: dict[str, tuple[Phase, ...]] = {"night": ("night", "intro", "setup"), "day": ("day", "end")}


class Telling(NamedTuple):
    """What is told of the next phase, and how the answer is to look."""

    kind: str
    file: str
    told: str | None = None
    #: what was told, where it has been read already
    entries: Node | None = None
    actions: tuple[str, ...] = ()
    phase: str | None = None
    number_of: int | None = None
    draws: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    go_on: bool = False
    dry_run: bool = False
    lang: str = "en"
    form: str = "text"
    output: str | None = None
    width: int | None = None


def _telling(kind: str) -> Callable[[F], F]:
    """Give a command the arguments and options with which the next phase is told."""
    return with_options(
        click.argument("file", metavar="GAME", type=click.Path()),
        click.argument("told", metavar="[FILE]", required=False, type=click.Path()),
        click.option(
            "-a",
            "--actions",
            metavar="TEXT",
            multiple=True,
            help="What they did: 'Sara shoot Ali; Ali shoot Sara'.",
        ),
        click.option(
            "--phase",
            type=click.Choice(PHASES[kind]),
            help=f"Which phase it is; by default what FILE says, else {PHASES[kind][0]}.",
        ),
        click.option(
            "-n",
            f"--{kind}",
            "number_of",
            type=click.IntRange(min=1),
            metavar="N",
            help="Its number, where none can be counted on.",
        ),
        click.option(
            "--draw",
            "draws",
            metavar="[NAME=]NAMES",
            multiple=True,
            help="What a lot has brought: 'Reza', or 'Sara=Reza,Mina' for Sara's lot.",
        ),
        click.option(
            "--ruling",
            "answers",
            metavar="ID=ANSWER",
            multiple=True,
            shell_complete=complete_ruling,
            help="Answer an open question, for the rest of the game.",
        ),
        click.option("--dry-run", is_flag=True, help="Show what would follow, and add nothing."),
        lang_option,
        click.option(
            "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
        ),
        output_option,
        width_option,
    )


@command.command(
    "night",
    epilog="""\b
Examples:
  mafia-asp game night friday.yaml -a 'Ali shoot Reza; Sara save Reza'
  mafia-asp game night friday.yaml --phase intro
  mafia-asp game night friday.yaml tonight.yaml
  mafia-asp game night friday.yaml -a '…' --ruling ca.q.sniper.1=dies
  mafia-asp game night friday.yaml -a 'Sara operate Reza' --draw Mina""",
)
@_telling("night")
@click.option("--go-on", is_flag=True, help="Do not look whether the game is over at dawn.")
def night(**given: Any) -> int:
    """Add a night to a game: what was told to the moderator, and what follows from it.

    FILE holds what was told as a scenario does, or is a list of actions; - reads the standard input. What is
    open is asked on a terminal; elsewhere nothing is added, and the answers that may be given with --ruling
    are shown. At dawn it is seen whether the game is over.
    """
    return tell(Telling("night", **given))


@command.command(
    "day",
    epilog="""\b
Examples:
  mafia-asp game day friday.yaml -a 'town vote_out Mina'
  mafia-asp game day friday.yaml today.yaml --ruling ca.q.general.1=hidden
  mafia-asp game day friday.yaml --phase end -a 'Reza shake_hands Mina'""",
)
@_telling("day")
def day(**given: Any) -> int:
    """Add a day to a game, or with --phase end what decides whether the game is over.

    FILE holds what was told as a scenario does, or is a list of actions; - reads the standard input. What is
    open is asked on a terminal; elsewhere nothing is added, and the answers that may be given with --ruling
    are shown.
    """
    return tell(Telling("day", **given))


def tell(telling: Telling) -> int:
    """Play the next phase, and add it where it stands."""
    keep_inputs(telling.output, [telling.file, *([telling.told] if telling.told else ())])
    if telling.dry_run:
        return _next_phase(telling)
    with _held(telling.file):
        return _next_phase(telling)


@contextmanager
def _held(file: str) -> Iterator[None]:
    """Keep others from changing a game meanwhile.

    Raises InputError where there is no such file, so that no lock is left beside it; click.FileError where
    its folder cannot be written to.
    """
    from ..errors import fail
    from ..game.store import locked

    if file == "-":
        raise click.UsageError(_("A game is kept in a file; - is none."))
    if not os.path.exists(file):
        raise fail(None, "file.missing", file=file)
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(file))
        except OSError as error:
            raise click.FileError(file, hint=error.strerror or str(error)) from error
        yield


def _next_phase(telling: Telling) -> int:
    from ..game.grow import entry, stands, state_after
    from ..game.replay import replay
    from ..game.store import open_game

    books: dict[str, Rulebook] = {}
    opened = open_game(telling.file, books)
    game = opened.game
    steps = replay(game)
    state = state_after(game, steps)
    if state is None:
        raise click.UsageError(_("The game is over; nothing was added.") + " " + _undo_hint(telling.file))
    record = _read_told(telling, game, state)
    played = _settled_on_terminal(telling, game, state, record)
    added = all(map(stands, played))
    if added and not telling.dry_run:
        write(opened.with_phases([entry(step) for step in played]), telling.file)
    _show(telling, game, state, played, added and not telling.dry_run)
    if any(step.verdict.incomplete for step in played):
        return 3
    return 0 if added and not any(step.verdict.refused for step in played) else 1


def _read_told(telling: Telling, game: Game, state: State) -> Record:
    """Read what was told, from the command line and from a file."""
    from ..errors import Fault, InputError
    from ..game.grow import numbered
    from ..game.record import may_follow, read_phase
    from ..rulings import parse_assumption
    from ..scenario import InlineActions

    node = telling.entries or _told_node(telling.told)
    _say_phase(node, telling)
    named = node.value["phase"].text
    if named not in PHASES[telling.kind]:
        right = next((kind for kind, phases in PHASES.items() if named in phases), telling.kind)
        text = _("phase {phase}: 'mafia-asp game {command}' takes it.")
        raise click.UsageError(f"{node.value['phase'].place}: " + text.format(phase=named, command=right))
    if named not in (allowed := may_follow(game.phases)):
        text = _("The phase {phase} cannot come now; next comes {allowed}.")
        raise click.UsageError(text.format(phase=named, allowed=_(" or ").join(allowed)))
    faults: list[Fault] = []
    inline = InlineActions("; ".join(telling.actions), faults)
    record = read_phase(game, state, node, inline if telling.actions else None)
    if faults:
        raise InputError(faults)
    drawn = [_draw(text, game, state) for text in telling.draws]
    record = record._replace(actions=(*record.actions, *(action for one in drawn for action in one)))
    for text in telling.answers:
        question, answer = parse_assumption(game.book, text)
        if (known := {**state.rulings, **record.rulings}.get(question, answer)) != answer:
            raise InputError([Fault(None, "game.ruled", {"id": question, "answer": known, "other": answer})])
        if question not in state.rulings:
            record = record._replace(rulings={**record.rulings, question: answer})
    return numbered(game, record)


def _told_node(told: str | None) -> Node:
    """Read the map with the entries of a phase; an empty one where no file is given."""
    from ..errors import InputError
    from ..places import Node, read

    if told is None:
        return Node("actions", 1, 1, "map", {})
    document = read(told)[0]
    if isinstance(document, InputError):
        raise document
    if document.faults:
        raise InputError(document.faults)
    root = document.root
    if root.kind == "list":
        # Nothing but actions.
        node = Node(root.file, root.line, root.column, "map", {"actions": root})
        node.keys = {"actions": root}
        return node
    if root.kind != "map":
        from ..fields import wrong

        raise InputError([wrong(root, "", "map")])
    return root


def _say_phase(node: Node, telling: Telling) -> None:
    """Enter the phase and its number into what was told, where the command line says them."""
    from ..places import Node as Made

    default = "day" if telling.kind == "day" else "night"
    if telling.phase or "phase" not in node.value:
        named = telling.phase or default
        node.value["phase"] = Made(node.file, node.line, node.column, "word", named, named)
        node.keys.setdefault("phase", node.value["phase"])
    if telling.number_of is not None:
        key, count = telling.kind, telling.number_of
        node.value[key] = Made(node.file, node.line, node.column, "int", count, str(count))
        node.keys.setdefault(key, node.value[key])


def _draw(text: str, game: Game, state: State) -> Any:
    """Read what a lot has brought as an action of the moderator."""
    whose, sign, names = text.rpartition("=")
    entry: dict[str, Any] = {
        "draw": [name.strip() for name in names.replace("،", ",").split(",") if name.strip()]
    }
    if sign:
        entry["with"] = {"to": whose.strip()}
    from ..scenario import from_data, to_data

    data = {**to_data(game.start), "actions": [{"moderator": entry}]}
    return from_data(data, "draw", books={game.start.rulebook: game.book}).actions


def _settled_on_terminal(telling: Telling, game: Game, state: State, record: Record) -> list[Step]:
    """Play the phase; on a terminal, ask for what is open until all is answered or passed."""
    from ..game.grow import grow
    from ..render.words import Words
    from .asking import ask

    passed: set[str] = set()
    while True:
        played = grow(game, state, record, to_the_end=not telling.go_on)
        verdict = played[-1].verdict
        asked = next((q for q in verdict.open if q.id not in passed), None)
        if asked is None or not _on_terminal() or verdict.certain.get("illegal"):
            return played
        choice = ask(
            verdict, asked.id, Words.for_scenario(verdict.scenario, game.book, telling.lang), telling.width
        )
        if choice is None:
            passed.add(asked.id)
        else:
            record = record._replace(rulings={**record.rulings, asked.id: choice})


def _on_terminal() -> bool:
    """Whether questions can be asked and answered."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def _show(telling: Telling, game: Game, state: State, played: Sequence[Step], added: bool) -> None:
    """Show what follows from what was told, and whether it was added."""
    from ..game.replay import winner

    names = {"file": telling.file}
    verdict = played[-1].verdict
    won = winner(verdict) if added else []
    if telling.form == "json":
        from ..game.grow import entry
        from ..render.json import FORMAT, dumps, verdict_data

        data = {
            "format": FORMAT,
            "file": telling.file,
            "added": added,
            "over": bool(won),
            "phases": [{**entry(step), "verdict": verdict_data(step.verdict, game.book)} for step in played],
        }
        write(dumps(data), telling.output)
        return
    from ..render.answer import Origins
    from ..render.text import put_verdict
    from ..render.words import Words

    page = new_page(telling.output, telling.width, telling.lang)
    for position, step in enumerate(played):
        if position:
            page.put()
        words = Words.for_scenario(step.scenario, game.book, telling.lang)
        put_verdict(page, step.verdict, words, Origins((), state.rulings))
    page.put()
    if added:
        text = _("Added to {file}. The game is over.") if won else _("Added to {file}.")
        page.put(text.format(**names), "bold", hang=2)
    elif telling.dry_run:
        page.put(_("Nothing was added to {file}: --dry-run.").format(**names), "bold", hang=2)
    else:
        page.put(
            _("Nothing was added to {file}.").format(**names) + " " + _reason(verdict),
            "bold",
            "yellow",
            hang=2,
        )
    write(page.text(), telling.output)


def _reason(verdict: Verdict) -> str:
    """Say what has to be done before a phase can be added."""
    if verdict.certain.get("illegal"):
        return _("Tell it in another way.")
    if verdict.open:
        from ..render.answer import ruling_line

        asked = verdict.open[0]
        example = ruling_line(asked.id, asked.answers[0] if asked.answers else "").replace(": ", "=")
        text = _("Answer what is open with --ruling, as in --ruling '{example}'.").format(example=example)
        if verdict.scenario.phase == "end" and not verdict.scenario.actions:
            text += " " + _(
                "Or add the night with --go-on, and tell its end with 'mafia-asp game day --phase end'."
            )
        return text
    return _("Say with --draw what the lot has brought.")


def _undo_hint(file: str) -> str:
    return _("'mafia-asp game undo {file}' takes the last phase away.").format(file=file)


# --- undo -----------------------------------------------------------------------------------------


@command.command(
    "undo",
    epilog="""\b
Examples:
  mafia-asp game undo friday.yaml""",
)
@click.argument("file", metavar="GAME", type=click.Path())
@lang_option
def undo(file: str, lang: str) -> int:
    """Take the last phase of a game away, with what the table decided in it.

    An end that was found at dawn goes with its night.
    """
    from ..game.grow import last_told
    from ..game.store import open_game
    from ..render.answer import when

    with _held(file):
        opened = open_game(file)
        phases = opened.game.phases
        if not phases:
            raise click.UsageError(_("{file} has no phase yet.").format(file=file))
        count = last_told(phases)
        write(opened.without_last(count), file)
    gone = phases[-count:]
    taken = when(opened.game.start._replace(phase=gone[0].phase, number=gone[0].number))
    note(_("Taken away from {file}: {phase}").format(file=file, phase=taken))
    rulings = [question for record in gone for question in record.rulings]
    if rulings:
        note(_("with the answers to {ids}").format(ids=", ".join(rulings)))
    return 0


# --- status and log -------------------------------------------------------------------------------


def _showing(forms: Sequence[str]) -> Callable[[F], F]:
    """Give a command the arguments and options with which a game is shown."""
    return with_options(
        click.argument("file", metavar="GAME", type=click.Path()),
        lang_option,
        click.option("--format", "form", type=click.Choice(forms), default="text", show_default=True),
        output_option,
        width_option,
    )


@command.command(
    "status",
    epilog="""\b
Examples:
  mafia-asp game status friday.yaml
  mafia-asp game status friday.yaml --format yaml -o tonight.yaml""",
)
@_showing(["text", "json", "yaml"])
def status(file: str, lang: str, form: str, output: str | None, width: int | None) -> int:
    """Show where a game stands: who lives, with which role and what else, and what comes next.

    With --format yaml it is a scenario of the phase to come, to be filled in with what is told.
    """
    game, steps = _played(file, output)
    from ..game.grow import to_come
    from ..render.game import put_status, scenario_text, status_data

    if form == "yaml":
        scenario = to_come(game, steps)
        if scenario is None:
            raise click.UsageError(_("The game is over; no phase is to come."))
        write(scenario_text(scenario, output), output)
        return 0
    if form == "json":
        from ..render.json import dumps

        write(dumps(status_data(game, steps)), output)
        return 0
    page = new_page(output, width, lang)
    put_status(page, game, steps)
    write(page.text(), output)
    return 0


@command.command(
    "log",
    epilog="""\b
Examples:
  mafia-asp game log friday.yaml
  mafia-asp game log friday.yaml --lang fa
  mafia-asp game log friday.yaml --phase 3 | mafia-asp night - --why 'Sara dies'""",
)
@_showing(["text", "json", "markdown"])
@click.option(
    "--phase",
    "position",
    type=click.IntRange(min=1),
    metavar="N",
    help="The N-th phase as a scenario that stands for itself.",
)
def log(file: str, lang: str, form: str, output: str | None, width: int | None, position: int | None) -> int:
    """Tell a game phase by phase: what was told, and what followed.

    With --phase, one of them is printed as a scenario, which the other commands decide and explain.
    """
    game, steps = _played(file, output)
    from ..render.game import log_data, log_markdown, put_log, scenario_text

    if position is not None:
        if form != "text":
            raise click.UsageError(_("--phase prints a scenario, and goes without --format."))
        if position > len(steps):
            text = _("{file} has {n} phases.")
            raise click.UsageError(text.format(file=file, n=number(len(steps))))
        write(scenario_text(steps[position - 1].scenario, output), output)
    elif form == "json":
        from ..render.json import dumps

        write(dumps(log_data(game, steps)), output)
    elif form == "markdown":
        write(log_markdown(game, steps, lang), output)
    else:
        page = new_page(output, width, lang)
        put_log(page, game, steps)
        write(page.text(), output)
    return 0


def _played(file: str, output: str | None) -> tuple[Game, list[Step]]:
    """Read a game and play it again."""
    from ..game.record import read_game
    from ..game.replay import replay

    keep_inputs(output, [file])
    game = read_game(file)
    return game, replay(game)
