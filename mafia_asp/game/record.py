"""The file of a game: with whom it begins, and phase by phase what was told and what came of it.

No state stands between the phases: it follows from what was told before (:mod:`.replay`). A phase's
entries are those of a scenario, with ``followed`` in the place of ``expect``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import places
from ..errors import Fault, InputError
from ..fields import Fields, items, wrong
from ..model import EMPTY
from ..places import Node
from ..rulebook import DEFAULT, Rulebook, resolve
from ..scenario import ScenarioReader, to_data
from ..unknown import UNKNOWN

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from ..model import Action, Phase, Place, Scenario
    from ..scenario import InlineActions
    from .replay import State

FORMAT = 1
#: What a game begins with, in the order in which it is written.
KEYS = (
    "format",
    "rulebook",
    "id",
    "title",
    "note",
    "options",
    "conventions",
    "players",
    "last_night",
    "last_day",
    "rulings",
    "phases",
)
#: What stands in one phase, in the order in which it is written.
PHASE_KEYS = ("phase", "night", "day", "title", "note", "actions", "rulings", "followed")
#: phase -> the phases that may come after it, the usual one first; an end does not change what comes next
AFTER: dict[str, tuple[Phase, ...]] = {
    "setup": ("intro", "night", "day"),
    "intro": ("day", "night"),
    "night": ("day", "end"),
    "day": ("night", "end"),
}
_OF_A_SCENARIO = ("rulebook", "id", "players", "options", "conventions", "last_night", "last_day")
_OF_THE_GAME = ("format", "phases", "id", "title", "note", "rulings", "last_night", "last_day")
FIRST: tuple[Phase, ...] = ("night", "intro", "setup", "day", "end")


class Record(NamedTuple):
    """One phase as it was recorded."""

    phase: Phase
    #: given, or counted on from the phases before
    number: int | None = None
    #: what was told to the moderator, in the order told
    actions: tuple[Action, ...] = ()
    #: what the table decided in this phase; it holds from here on
    rulings: Mapping[str, str] = EMPTY
    #: what the table heard and the moderator noted, with the keys of an outcome; None: nothing was noted
    followed: dict[str, Any] | None = None
    title: str = ""
    note: str = ""
    place: Place | None = None
    #: places of single entries: "rulings.<id>", "followed", "followed.<key>", "night" …
    places: Mapping[str, Place] = EMPTY


class Game(NamedTuple):
    """A game as it was recorded."""

    #: rulebook, players, options, conventions and rulings with which it begins; its phase says nothing
    start: Scenario
    book: Rulebook
    phases: tuple[Record, ...] = ()
    file: str = ""

    @property
    def title(self) -> str:
        """What the table calls it; may be empty."""
        return self.start.title


def read_game(path: str | os.PathLike[str], books: dict[str, Rulebook] | None = None) -> Game:
    """The game of a file (``-`` reads standard input).

    ``books`` are rulebooks that are loaded already; further ones are added to it. Raises InputError with
    everything that is wrong with the file, each with its place; whether the rules let it happen is not
    looked at here.
    """
    documents = places.read(path)
    if isinstance(documents[0], InputError):
        raise documents[0]
    return game_of(documents[0], path, books)


def game_of(
    document: places.Document, path: str | os.PathLike[str], books: dict[str, Rulebook] | None = None
) -> Game:
    """The game of a document that stands in the file at `path`. Raises InputError."""
    faults = list(document.faults)
    game = _read(document.root, ScenarioReader(books), faults, str(path))
    # What is wrong with the players is found again in each phase.
    unique = {(f.place, f.code, str(f.args)): f for f in faults}
    if game is None or unique:
        raise InputError(unique.values())
    return game


def _read(root: Node, reader: ScenarioReader, faults: list[Fault], path: str) -> Game | None:
    fields = Fields(root, faults, KEYS)
    if root.kind != "map":
        return None
    _check_format(fields, faults)
    shared = {key: node for key, node in root.value.items() if key in KEYS}
    start = reader.scenario(_part(root, shared, without=("format", "phases")), faults, path)
    phases: list[Record] = []
    for node in items(fields.get("phases"), "phases", faults):
        if node.kind != "map":
            faults.append(wrong(node, "phases", "map"))
            continue
        Fields(node, faults, PHASE_KEYS)
        own = {key: each for key, each in node.value.items() if key in PHASE_KEYS}
        scenario = reader.scenario(_phase(root, shared, node, own), faults, path)
        if scenario is not None:
            phases.append(_record(scenario, node, phases, faults))
    if start is None:
        return None
    _check_rulings(start, phases, faults)
    book = reader.book(resolve(fields.word("rulebook", DEFAULT), path))
    return Game(start, book, tuple(phases), places.shown_name(path))


def _phase(root: Node, shared: Mapping[str, Node], node: Node, own: Mapping[str, Node]) -> Node:
    """A phase's own entries as a scenario with the players and options of the game."""
    # Names in a phase are those of the players; rulings of other phases are read with theirs.
    whole = _part(root, shared, without=_OF_THE_GAME)
    whole.value |= own
    whole.keys |= node.keys
    whole.file, whole.line, whole.column = node.file, node.line, node.column
    if "followed" in own:
        whole.value["expect"] = whole.value.pop("followed")
        whole.keys["expect"] = whole.keys.pop("followed")
    return whole


def read_phase(game: Game, before: State, node: Node, inline: InlineActions | None) -> Record:
    """A phase that is to come next, from a map with the entries of a phase or of a whole scenario.

    What a whole scenario says of the players has to be what they are by now (`before`). `inline` are actions
    of the command line, and go before those of the map.
    Raises InputError with all that is wrong.
    """
    faults: list[Fault] = []
    keys = [key for key in PHASE_KEYS if key != "followed"]
    Fields(node, faults, (*keys, *_OF_A_SCENARIO))
    reader = ScenarioReader({game.start.rulebook: game.book})
    head = game.start._replace(rulings={}, last_night=(), last_day=(), id="", title="", note="")
    root = places.parse_json(json.dumps(to_data(head), ensure_ascii=False), game.file).root
    own = {key: each for key, each in node.value.items() if key in keys}
    whole = _phase(root, {k: v for k, v in root.value.items() if k in KEYS}, node, own)
    scenario = reader.scenario(whole, faults, ".", inline)
    if inline and "actions" in own:
        # The reader takes the one or the other.
        written = reader.scenario(whole, [], ".")
        if scenario and written:
            scenario = scenario._replace(actions=(*scenario.actions, *written.actions))
    if "players" in node.value and not faults:
        _check_state(game, before, node, reader, faults)
    if scenario is None or faults:
        raise InputError({(f.place, f.code, str(f.args)): f for f in faults}.values())
    record = _record(scenario, node, game.phases, faults)
    record = record._replace(rulings=_new_rulings(before, record, faults))
    if faults:
        raise InputError(faults)
    return record


def _check_state(game: Game, before: State, node: Node, reader: ScenarioReader, faults: list[Fault]) -> None:
    """A whole scenario is the next phase of the game only if it begins as the game goes on."""
    found = reader.scenario(node, faults, node.file)
    if found is None or faults:
        return
    told = tuple(player._replace(place=None) for player in found.players)
    known = tuple(player._replace(place=None) for player in before.players)
    if found.rulebook != game.start.rulebook or told != known:
        faults.append(Fault(node.keys["players"].place, "game.state", {}))


def _new_rulings(before: State, record: Record, faults: list[Fault]) -> dict[str, str]:
    """The rulings that the game does not hold yet."""
    for question, answer in record.rulings.items():
        if (known := before.rulings.get(question, answer)) != answer:
            args = {"id": question, "answer": known, "other": answer}
            faults.append(Fault(record.places.get(f"rulings.{question}"), "game.ruled", args))
    return {q: answer for q, answer in record.rulings.items() if q not in before.rulings}


def _check_format(fields: Fields, faults: list[Fault]) -> None:
    if "format" not in fields:
        faults.append(Fault(fields.place(), "game.no_format", {"format": FORMAT}))
    elif (found := fields.number("format", 1)) not in (None, FORMAT):
        faults.append(Fault(fields.place("format"), "game.format", {"format": FORMAT, "text": str(found)}))


def _part(root: Node, entries: Mapping[str, Node], *, without: Sequence[str]) -> Node:
    """A map of its own with some entries of another."""
    node = Node(root.file, root.line, root.column, "map", {})
    node.value = {key: each for key, each in entries.items() if key not in without}
    node.keys = {key: root.keys[key] for key in node.value}
    return node


def _record(scenario: Scenario, node: Node, before: Sequence[Record], faults: list[Fault]) -> Record:
    own = {key: each.place for key, each in node.keys.items()}
    spots = own | {key.replace("expect", "followed", 1): spot for key, spot in scenario.places.items()}
    record = Record(
        scenario.phase,
        scenario.number,
        scenario.actions,
        scenario.rulings,
        scenario.expect,
        scenario.title,
        scenario.note,
        node.place,
        spots,
    )
    for action in record.actions:
        if UNKNOWN in action.targets:
            faults.append(Fault(action.place or record.place, "game.unknown", {"verb": action.verb}))
    allowed = may_follow(before)
    if record.phase not in allowed:
        known = {"found": record.phase, "choices": list(allowed)}
        faults.append(Fault(spots.get("phase", node.place), "game.order", known))
        return record
    expected = next_number(before, record.phase)
    if record.number is None:
        return record._replace(number=expected)
    if expected not in (None, record.number):
        place = spots.get("day", spots.get("night", node.place))
        args: dict[str, Any] = {"phase": record.phase, "number": expected, "found": record.number}
        faults.append(Fault(place, "game.number", args))
    return record


def _check_rulings(start: Scenario, phases: Sequence[Record], faults: list[Fault]) -> None:
    """A ruling holds for the whole game: a later phase may not decide otherwise."""
    known = {
        question: (answer, start.places.get(f"rulings.{question}"))
        for question, answer in start.rulings.items()
    }
    for record in phases:
        for question, answer in record.rulings.items():
            place = record.places.get(f"rulings.{question}")
            first, where = known.setdefault(question, (answer, place))
            if first != answer:
                args = {"id": question, "answer": first, "other": answer, "first": where.line if where else 0}
                faults.append(Fault(place, "game.ruling", args))


# ---- the order of the phases -----------------------------------------------------------------------


def may_follow(before: Sequence[Record]) -> tuple[Phase, ...]:
    """The phases that may come after these."""
    if not before:
        return FIRST
    last = before[-1].phase
    if last != "end":
        return AFTER[last]
    earlier = next((record.phase for record in reversed(before) if record.phase != "end"), None)
    return ("night", "day") if earlier is None else tuple(p for p in AFTER[earlier] if p != "end")


def next_number(before: Sequence[Record], phase: str) -> int | None:
    """The number that a phase has after these, as far as they have numbers.

    Night 1 is followed by day 1, and that by night 2.
    """
    last = next((record for record in reversed(before) if record.phase in ("night", "day")), None)
    if last is None or last.number is None or phase not in ("night", "day", "end"):
        return None
    return int(last.number) + (phase == "night")
