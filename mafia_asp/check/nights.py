"""From a night that the solver found to a scenario that anybody can read, and to its readings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import clingo

from ..facts import circle_id, dispute_id, question_id
from ..model import Action, Phase, Player, Scenario
from ..solve import Atom, Model, Value
from .engine import Engine, Night

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

#: the people of found nights, in seating order
NAMES = (
    *("Ali", "Sara", "Reza", "Mina", "Omid", "Neda", "Kian", "Laleh", "Navid", "Roya", "Hamid", "Shirin"),
    *("Babak", "Parisa", "Dara", "Yasmin", "Farid", "Nasrin", "Jamshid", "Taraneh", "Bijan", "Golnar"),
    *("Siavash", "Mahin", "Behrooz", "Azadeh", "Cyrus", "Leila", "Payam", "Zohreh"),
)


def player_name(seat: int) -> str:
    """Return the name of whoever sits at a place; the first has the number 0."""
    return NAMES[seat] if seat < len(NAMES) else f"Player {seat + 1}"


#: so many readings of a night are read before it is asked what can hold in them at all
_FEW = 24


class Told(NamedTuple):
    """A night as a scenario, with what stands behind the solver's constants."""

    scenario: Scenario
    #: player constant -> name
    names: dict[str, str]
    #: player constant -> role
    roles: dict[str, str]
    #: action of the search -> its number in the scenario
    numbers: dict[int, int]


def told(
    night: Night, rulebook: str, phase: Phase, roles: Mapping[str, str], rulings: Mapping[str, str]
) -> Told:
    """Return the scenario of a night; `roles` are the candidates' roles by player constant."""
    present = sorted((str(p) for (p,) in night.each("player")), key=lambda p: int(p[1:]))
    names = {player: player_name(seat) for seat, player in enumerate(present)}
    actions, numbers = _actions(night, names, "said", "aim", "with", "vote")
    before, _ = _actions(night, names, "earlier_said", "earlier_aim", "earlier_with", "")
    number: int | None = None
    options: dict[str, object] = {}
    for key, value in night.each("holds"):
        if key.name in ("night", "day"):
            number = value.number
        else:
            options[str(key.arguments[0])] = _value(value, names)
    players = tuple(_player(night, p, names, roles[p]) for p in present)
    scenario = Scenario(
        rulebook, players, phase, number, actions, before, (), options=options, rulings=dict(rulings)
    )
    return Told(scenario, names, {p: roles[p] for p in present}, numbers)


def _player(night: Night, player: str, names: Mapping[str, str], role: str) -> Player:
    items: list[str] = []
    counts: dict[str, int] = {}
    was: dict[str, object] = {}
    for bearer, key, value in night.each("bears"):
        if str(bearer) != player:
            continue
        if key.name == "item":
            items.append(str(value))
        elif key.name == "count":
            counts[str(key.arguments[0])] = value.number
        else:
            was[str(key.arguments[0])] = _value(value, names)
    found = tuple(names[str(t)] for p, t in night.each("found") if str(p) == player)
    gone = any(str(p) == player for (p,) in night.each("gone"))
    return Player(names[player], role, not gone, tuple(sorted(items)), counts, was, found)


def _actions(
    night: Night, names: Mapping[str, str], said: str, aim: str, extra: str, vote: str
) -> tuple[tuple[Action, ...], dict[int, int]]:
    rows = sorted((row[0].number, str(row[-2]), str(row[-1])) for row in night.each(said))
    numbers = {number: place for place, (number, _, _) in enumerate(rows, 1)}
    found = []
    for number, actor, verb in rows:
        targets = sorted((i.number, str(t)) for a, i, t in night.each(aim) if a.number == number)
        more: dict[str, object] = {
            str(k): _value(x, names) for a, k, x in night.each(extra) if a.number == number
        }
        votes = [(str(i), names[str(p)]) for a, i, p in night.each(vote) if vote and a.number == number]
        if votes:
            more["votes"] = _votes(dict(votes))
        aims = tuple(names.get(t, t) for _, t in targets)
        found.append(Action(names.get(actor, actor), verb, aims, more))
    return tuple(found), numbers


def _votes(places: Mapping[str, str]) -> tuple[str, ...]:
    """Return a list of voters with the given first and last one."""
    first = places.get("first") or places["last"]
    last = places.get("last") or places["first"]
    return (first,) if first == last else (first, last)


def _value(symbol: clingo.Symbol, names: Mapping[str, str]) -> object:
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    text = symbol.string if symbol.type is clingo.SymbolType.String else str(symbol)
    return {"true": True, "false": False}.get(text, names.get(text, text))


# ---- readings ---------------------------------------------------------------------------------------


def readings(engine: Engine, night: Night, at: Told, cap: int) -> tuple[list[Model], bool]:
    """Return the answer sets of one night, one for each assignment of answers, and whether these are all.

    The search asks a nameless question at each place where it comes up. Named, it is one question: answer
    sets that answer it in two ways are no readings.
    """
    reader = _Reader(engine, at)
    assumed = [*engine.fixed(night), *engine.idle]
    found, finished = _read(engine, reader, assumed, min(cap, _FEW))
    if not finished and cap > _FEW and not engine.clock.over():
        # Of many readings only what can hold in some of them is read.
        reader.keep(engine.possible(reader.literals, assumed))
        found, finished = _read(engine, reader, assumed, cap)
    return found, finished


def _read(engine: Engine, reader: _Reader, assumed: Iterable[int], cap: int) -> tuple[list[Model], bool]:
    found: list[Model] = []
    seen = 0

    def on_model(model: clingo.Model) -> bool:
        nonlocal seen
        seen += 1
        if (read := reader.read(model)) is not None:
            found.append(read)
        return seen < cap

    return found, engine.solve(assumed, on_model)


class _Reader:
    """Reads models of a search as a night's answer sets."""

    def __init__(self, engine: Engine, at: Told) -> None:
        self._engine = engine
        self._rulings = at.scenario.rulings
        self._out = [(_renumbered(key, value, at.numbers), lit) for key, value, lit in engine.outcomes]
        self._answers = engine.answers

    @property
    def literals(self) -> set[int]:
        """The literals that are looked at in each answer set."""
        return {literal for _, literal in self._out} | {literal for *_, literal in self._answers}

    def keep(self, literals: Collection[int]) -> None:
        """Look at no others from now on."""
        self._out = [each for each in self._out if each[-1] in literals]
        self._answers = [each for each in self._answers if each[-1] in literals]

    def read(self, model: clingo.Model) -> Model | None:
        """Return an answer set, or nothing where one question has two answers, or not the ruling's."""
        picks: dict[str, str] = {}
        for question, answer, literal in self._answers:
            if not model.is_true(literal):
                continue
            name = self._name(model, question)
            if picks.setdefault(name, answer) != answer or self._rulings.get(name, answer) != answer:
                return None
        return Model(picks, frozenset(atom for atom, literal in self._out if model.is_true(literal)))

    def _name(self, model: clingo.Model, question: clingo.Symbol) -> str:
        """Return the id that a user sees of a question of the search."""
        if question.type is not clingo.SymbolType.Function or question.name not in ("slot", "knot"):
            return question_id(str(question))
        (place,) = question.arguments
        if question.name == "slot":
            return dispute_id(self._words(model, "party", place))
        (parity,) = self._words(model, "parity", place)
        return circle_id(parity, self._words(model, "uses_verb", place))

    def _words(self, model: clingo.Model, name: str, place: clingo.Symbol) -> list[str]:
        return [word for word, literal in self._engine.made_by[name].get(place, ()) if model.is_true(literal)]


def _renumbered(key: Value, value: Value, numbers: Mapping[int, int]) -> Atom:
    """Return an entry of an outcome with the scenario's numbers of actions for those of the search."""
    if isinstance(key, tuple) and key[0] == "answer":
        return ("answer", numbers.get(key[1], 0)), value
    return (key, numbers.get(value, 0)) if key == "refused" else (key, value)
