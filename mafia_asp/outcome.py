"""From ``out/2`` atoms to an outcome as a user sees it. Pure translation: nothing is decided here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .model import Outcome, Scenario
from .solve import Atom, Value

#: keys whose value is a list of players, in seating order
PLAYER_LISTS = {
    "dead": "dead",
    "saved": "saved",
    "silenced": "silenced",
    "defence": "defence",
    "together": "wakes_together",
}
#: the keys of an outcome, in the order in which they are always given
KEYS = (
    *("dead", "saved", "silenced", "answers", "roles", "teams", "items", "counters", "cannot", "illegal"),
    *("announce", "calls", "defence", "wakes_together", "winner"),
)
#: what is reported but does not make a night open by itself
REPORTED = frozenset({"call"})


def observable(atom: Atom) -> bool:
    """Whether two readings that differ in this ``out`` atom are different outcomes."""
    key = atom[0]
    return (key[0] if isinstance(key, tuple) else key) not in REPORTED


class Reader:
    """Turns sets of ``out`` atoms of one scenario into outcomes."""

    def __init__(self, scenario: Scenario, names: Mapping[str, str]) -> None:
        self._scenario = scenario
        self._names = names
        self._seat = {player.name: seat for seat, player in enumerate(scenario.players)}

    def name(self, value: Value) -> Any:
        """Return a value with players' own names for their constants."""
        return self._names.get(value, value) if isinstance(value, str) else value

    def token(self, value: Value) -> str:
        """Return an announcement token: ``saved``, ``dead: Reza``, ``role: Mina citizen``."""
        if isinstance(value, tuple):
            return f"{value[0]}: {' '.join(self.text(v) for v in value[1:])}"
        return self.text(value)

    def text(self, value: Value) -> str:
        """Return any value as one word of text."""
        if isinstance(value, tuple):
            return f"{value[0]}({','.join(self.text(v) for v in value[1:])})"
        return str(self.name(value))

    def order(self, name: Any) -> tuple[int, str]:
        """Sort key: players in seating order, then everything else by name."""
        return self._seat.get(name, len(self._seat)), str(name)

    def outcome(self, atoms: Iterable[Atom], *, whole: bool = True) -> Outcome:
        """Return the outcome that `atoms` say; with `whole`, every key is there even if empty."""
        out = Outcome(dead=[], saved=[], silenced=[], answers={}, cannot={}) if whole else Outcome()
        answers: dict[int, list[Any]] = {}
        told: dict[str, list[Value]] = {}
        calls: set[tuple[int, str]] = set()
        for atom in atoms:
            key, value = atom[0], atom[1]
            if isinstance(key, str):
                if key in PLAYER_LISTS:
                    out.setdefault(PLAYER_LISTS[key], []).append(self.name(value))
                elif key == "announce":
                    out.setdefault("announce", []).append(self.token(value))
                elif key == "illegal":
                    out["illegal"] = True
                elif key == "winner":
                    out.setdefault("winner", []).append(value)
                continue
            kind, subject = key[0], key[1]
            if kind == "answer":
                answers.setdefault(subject, []).append(self._answer(value))
            elif kind == "told":
                told.setdefault(self.name(subject), []).append(value)
            elif kind == "cannot":
                out.setdefault("cannot", {}).setdefault(self.name(subject), set()).add(value)
            elif kind == "call":
                calls.add((subject, value))
            elif kind in ("role", "team"):
                _add(out.setdefault(f"{kind}s", {}), self.name(subject), value)
            elif kind == "item":
                out.setdefault("items", {}).setdefault(self.name(subject), set()).add(self.text(value))
            elif kind == "count":
                _add(out.setdefault("counters", {}).setdefault(self.name(subject), {}), key[2], value)
            elif kind == "noted":  # names that a player has gathered
                counters = out.setdefault("counters", {}).setdefault(self.name(subject), {})
                counters[key[2]] = sorted({*counters.get(key[2], ()), self.name(value)}, key=self.order)
        self._answers(out, answers, told)
        if whole:
            out.setdefault("illegal", False)
            for key in ("roles", "teams", "items", "counters"):
                out.setdefault(key, {})
            out.setdefault("announce", [])
        if calls or whole:
            out["calls"] = [role for _, role in sorted(calls)]
        return self._sorted(out)

    def _answer(self, value: Value) -> Any:
        return value[1] if isinstance(value, tuple) else self.name(value)

    def _answers(self, out: Outcome, answers: dict[int, list[Any]], told: dict[str, list[Value]]) -> None:
        heard: dict[str, list[tuple[int, Any]]] = {}
        for number, values in answers.items():
            actor = self._scenario.actions[number - 1].actor
            heard.setdefault(actor, []).extend((number, each) for each in sorted(values, key=str))
        besides: dict[str, list[Value]] = {}
        for player, values in told.items():
            upon = [v for v in values if isinstance(v, tuple) and v[0] == "upon"]
            if upon:  # told in the course of an action, be it somebody else's
                said = sorted(((n, self._answer(v)) for _, n, v in upon), key=lambda e: self.order(e[1]))
                heard.setdefault(player, []).extend(said)
            if len(upon) < len(values):
                besides[player] = [v for v in values if v not in upon]
        in_order = {
            player: [v for _, v in sorted(said, key=lambda e: e[0])] for player, said in heard.items()
        }
        for player, shown in in_order.items():
            one = len(shown) == 1 or all(v == "none" for v in shown)
            out.setdefault("answers", {})[player] = shown[0] if one else shown
        for player, values in besides.items():
            more = self._told(values)
            if player in in_order:  # asked, and told something besides
                more = [*in_order[player], *(more if isinstance(more, list) else [more])]
            out.setdefault("answers", {})[player] = more

    def _told(self, values: list[Value]) -> Any:
        """A role, ``none``, one name, a choice of names, or the list of those shown (which may be empty)."""
        offered = [self.name(v[1]) for v in values if isinstance(v, tuple) and v[0] == "one_of"]
        if offered:
            return {"one_of": sorted(set(offered), key=self.order)}
        if "none" in values and not any(isinstance(v, tuple) for v in values):
            return "none"
        shown = [self._shown(v) for v in values if v not in ("nobody", "none")]
        names = list(dict.fromkeys(text for _, text in sorted(shown)))
        single = self._scenario.phase == "night" or any(isinstance(v, tuple) for v in values)
        return names[0] if len(names) == 1 and single else names

    def _shown(self, value: Value) -> tuple[tuple[int, str], str]:
        """What a player is shown, as text, and its place: a name, a role, a name with a role."""
        if isinstance(value, tuple) and value[0] == "holds":
            return self.order(self.name(value[1])), f"{self.name(value[1])} {self.name(value[2])}"
        text = str(value[1] if isinstance(value, tuple) else self.name(value))
        return self.order(text), text

    def _sorted(self, unsorted: Outcome) -> Outcome:
        out = Outcome((key, unsorted[key]) for key in KEYS if key in unsorted)
        for key, value in out.items():
            if key in PLAYER_LISTS.values():
                value.sort(key=self.order)
            elif key == "announce":
                value.sort()
            elif key == "winner":
                out[key] = value[0] if len(value) == 1 else sorted(value)
            elif isinstance(value, dict):
                out[key] = {name: _in_order(value[name]) for name in sorted(value, key=self.order)}
        return out


def _add(table: dict[str, Any], key: str, value: Any) -> None:
    """Enter a value; where several are possible they form a list."""
    if key not in table:
        table[key] = value
    elif table[key] != value:
        known = table[key] if isinstance(table[key], list) else [table[key]]
        table[key] = sorted({*known, value}, key=str)


def _in_order(value: Any) -> Any:
    if isinstance(value, set):
        return sorted(value)
    return dict(sorted(value.items())) if isinstance(value, dict) else value
