"""Random nights on the whole of a rulebook, and what must hold of the answer sets of each.

Of every night it is asked that each assignment of answers has exactly one answer set, that every answer
of every question that comes up occurs, and that the assignments form a full decision tree: some question
is common to all, each of its answers is there, and under each the same holds again.

``python -m tests.random_nights --nights 5000`` does it at length.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import clingo

from mafia_asp.facts import facts, question_id
from mafia_asp.model import Action, Player, Scenario
from mafia_asp.rulebook import Rulebook
from mafia_asp.solve import SETTINGS

BOOK = "classic_advanced"
#: role -> (ability, how many names)
ABILITIES = {
    "don": [("shoot", 1)],
    "doctor": [("save", 1)],
    "sniper": [("shoot", 1)],
    "bartender": [("drug", 1)],
    "thief": [("steal", 2)],
    "detective": [("inquire", 1)],
    "natasha": [("silence", 1)],
    "priest": [("unsilence", 1)],
    "killer": [("shoot", 1)],
    "hooker": [("block", 1)],
    "lawyer": [("shield", 2)],
    "framer": [("frame", 1)],
    "enchanter": [("enchant", 1)],
    "voodoo": [("curse", 1)],
    "vigilante": [("shoot", 1)],
    "spy": [("inquire", 1), ("shoot", 1)],
    "freemason": [("link", 1)],
    "cult_leader": [("recruit", 1)],
    "serial_killer": [("kill", 1)],
    "murderer": [("kill", 1)],
    "alien": [("test", 1)],
    "underminer": [("undermine", 1)],
    "fool": [("name", 1)],
    "tailor": [("dress", 1)],
    "actor": [("impersonate", 1)],
    "janitor": [("clean", 1)],
    "zombie": [("infect", 1)],
    "yakuza": [("convert", 1)],
    "shrink": [("protect", 1)],
    "surgeon": [("operate", 1)],
    "jekyll_hyde": [("choose_side", 1)],
    "tracker": [("track", 1)],
    "stalker": [("stalk", 2)],
    "watcher": [("watch", 1)],
    "karbalayi": [("protect", 1), ("convert", 1)],
    "postman": [("take_along", 1)],
    "guard": [("block", 1)],
    "jailer": [("jail", 1)],
    "dreamer": [("dream", 1)],
    "chef": [("dine", 2)],
    "sorcerer": [("foresee", 1)],
    "gunsmith": [("give_gun", 1)],
    "blacksmith": [("give_armor", 1)],
    "item_thief": [("pilfer", 1)],
    "saboteur": [("sabotage", 1)],
    "magician": [("save", 1), ("execute", 1)],
    "quack": [("protect", 1)],
}
#: what a player may bear from the nights before: item -> an ability that it lends
BORNE = {"linked": ("link", 1)}
_OTHERS = (
    "invulnerable guardian citizen terrorist sheriff mafia miller undercover_police jackal traitor "
    "mafia_traitor prophet turncoat virgin granny bomber_man hunter governor judge pariah suspect dictator "
    "bulletproof samurai"
)
ROLES = (*ABILITIES, *_OTHERS.split())
#: who deals with things that others may have
TRADERS = frozenset({"gunsmith", "blacksmith", "item_thief"})
#: what else is said with an ability
_SAID_WITH = {"enchant": {"word": "apple"}, "curse": {"word": "apple"}, "dress": {"role": "doctor"}}

Picks = Mapping[str, str]


def night(rng: random.Random, players: int = 18, must: Sequence[str] = (), few: int = 0) -> Scenario:
    """Return a night of 4 to `players` players; roles repeat in half of the nights.

    Some of the roles that `must` play take the places of others. With `few`, all are of so many roles, so
    that these meet more often.
    """
    size = rng.randint(4, players)
    alike = rng.random() < 0.5
    roles = rng.choices(ROLES, k=size) if alike else rng.sample(ROLES, min(size, len(ROLES)))
    if few:
        roles = rng.choices(rng.sample(ROLES, few), k=size)
    for role in rng.choices(must, k=rng.randint(2, 4)) if must else ():
        roles[rng.randrange(len(roles))] = role
    names = [f"N{seat}" for seat in range(1, len(roles) + 1)]
    eagerness = rng.choice((0.4, 0.7, 0.9))
    acts: list[Action] = []
    seats = tuple(_seat(name, role, roles, rng) for name, role in zip(names, roles, strict=True))
    for player in seats:
        for item in player.items:
            if item in BORNE and rng.random() < eagerness:
                acts.append(_act(player.name, *BORNE[item], names, rng))
    for name, role in zip(names, roles, strict=True):
        if role in ABILITIES and rng.random() < eagerness:
            times = rng.choice((1, 2)) if role == "spy" else 1
            acts += [_act(name, *rng.choice(ABILITIES[role]), names, rng) for _ in range(times)]
    acts += [Action(a.actor, "execute", a.targets) for a in acts if a.verb == "jail" and rng.random() < 0.4]
    if "dreamer" in roles and rng.random() < 0.5:
        acts.append(Action("moderator", "draw", tuple(rng.sample(names, min(4, len(names))))))
    if rng.random() < 0.3:
        votes = {"votes": tuple(rng.sample(names, 2))} if rng.random() < 0.3 else {}
        acts.append(Action("mafia", "shoot", (rng.choice(names),), votes))
    rng.shuffle(acts)
    before = tuple(
        a._replace(targets=tuple(rng.choice(names) for _ in a.targets)) for a in acts if rng.random() < 0.5
    )
    options = {"spy_inquiries": 4, "spy_shots": 2} if rng.random() < 0.5 else {}
    return Scenario(
        BOOK,
        seats,
        "night",
        2,
        tuple(acts),
        last_night=before if rng.random() < 0.2 else (),
        options=options,
    )


def _seat(name: str, role: str, roles: Sequence[str], rng: random.Random) -> Player:
    counts = {"bullets": rng.choice((0, 1, 2))} if role == "sniper" and rng.random() < 0.5 else {}
    alive = rng.random() > (0.5 if role == "virgin" else 0.05)
    items = ["linked"] if "freemason" in roles and rng.random() < 0.1 else []
    if "zombie" in roles and rng.random() < 0.1:
        items.append("infected")
    if TRADERS.intersection(roles):
        items += [thing for thing in ("gun", "armor") if rng.random() < 0.15]
    bare = not items and rng.random() < 0.3
    return Player(name, role, alive, tuple(items), counts, bare=bare)


def _act(actor: str, verb: str, places: int, names: Sequence[str], rng: random.Random) -> Action:
    targets = [rng.choice(names) for _ in range(places)]
    if rng.random() < 0.05:
        targets[0] = "nobody"
    elif verb == "choose_side":
        targets[0] = rng.choice(("mafia", "citizen"))
    elif verb == "dream":
        targets[0] = rng.choice(("one", "three"))
    return Action(actor, verb, tuple(targets), _SAID_WITH.get(verb, {}))


@dataclass(frozen=True)
class Sets:
    """The answer sets of a night: the answers given in each, the outcomes, and all answers there are."""

    picks: list[dict[str, str]]
    outs: list[frozenset[str]]
    readings: dict[str, frozenset[str]]
    complete: bool


class Asked:
    """A night with its ground program; answers may be fixed one by one."""

    def __init__(self, scenario: Scenario, book: Rulebook, text: str = "") -> None:
        self.control = clingo.Control(SETTINGS, logger=lambda code, message: None)
        roles = {player.role for player in scenario.players}
        items = {item for player in scenario.players for item in player.items}
        for file in book.files_for(roles, scenario.phase, items):
            self.control.load(file)
        self.control.add("base", [], facts(scenario).text + text)
        self.control.add("base", [], "#show reading(Q,X) : reading(Q,X), raised(Q).")
        self.control.ground([("base", [])])
        self._pairs: dict[clingo.Symbol, tuple[str, str]] = {}
        self._texts: dict[clingo.Symbol, str] = {}

    def sets(self, most: int, fixed: Mapping[str, str] | None = None, *, outcomes: bool = False) -> Sets:
        """Return up to `most` answer sets in which each question of `fixed` that comes up is so answered."""
        picks: list[dict[str, str]] = []
        outs: list[frozenset[str]] = []
        readings: set[clingo.Symbol] = set()

        def read(model: clingo.Model) -> None:
            shown = model.symbols(shown=True)
            picks.append(dict(self._pair(s) for s in shown if s.name == "pick"))
            readings.update(s for s in shown if s.name == "reading")
            if outcomes:
                outs.append(frozenset(self._text(s) for s in shown if s.name == "out"))

        barred = []
        for atom in self.control.symbolic_atoms.by_signature("pick", 2):
            question, answer = self._pair(atom.symbol)
            if (fixed or {}).get(question, answer) != answer:
                barred.append((atom.symbol, False))
        self.control.configuration.solve.models = most + 1  # type: ignore[union-attr]
        self.control.solve(assumptions=barred, on_model=read)
        complete = len(picks) <= most
        answers: dict[str, set[str]] = {}
        for question, answer in map(self._pair, readings):
            answers.setdefault(question, set()).add(answer)
        return Sets(picks[:most], outs[:most], {q: frozenset(x) for q, x in answers.items()}, complete)

    def _pair(self, symbol: clingo.Symbol) -> tuple[str, str]:
        """Return the question and the answer of a ``pick`` or ``reading``."""
        if symbol not in self._pairs:
            question, answer = symbol.arguments
            self._pairs[symbol] = question_id(str(question)), _word(answer)
        return self._pairs[symbol]

    def _text(self, symbol: clingo.Symbol) -> str:
        if symbol not in self._texts:
            self._texts[symbol] = str(symbol)
        return self._texts[symbol]


def _word(symbol: clingo.Symbol) -> str:
    return symbol.string if symbol.type is clingo.SymbolType.String else str(symbol)


def fault(sets: Sets, fixed: Mapping[str, str] | None = None) -> str:
    """Return what is wrong with the answer sets of a night, or nothing.

    Questions of `fixed` count as having the one answer that has been given.
    """
    if not sets.picks:
        return "no answer set"
    if len({frozenset(p.items()) for p in sets.picks}) < len(sets.picks):
        return "an assignment of answers with several answer sets"
    if not sets.complete:
        return ""
    readings = {
        q: frozenset({fixed[q]}) if fixed and fixed.get(q) in x else x for q, x in sets.readings.items()
    }
    seen: dict[str, set[str]] = {}
    for picks in sets.picks:
        for question, answer in picks.items():
            seen.setdefault(question, set()).add(answer)
    for question, answers in sorted(seen.items()):
        if answers != set(readings.get(question, ())):
            return f"{question}: {sorted(readings.get(question, ()))} expected, {sorted(answers)} found"
    return _tree(sets.picks, readings)


def _tree(assignments: Sequence[Picks], readings: Mapping[str, frozenset[str]]) -> str:
    """Return why these assignments are no full decision tree, or nothing."""
    if len(assignments) == 1 and not any(len(readings[q]) > 1 for q in assignments[0]):
        return ""
    common = set(assignments[0]).intersection(*assignments)
    if not common:
        return f"no common question: {[dict(sorted(a.items())) for a in assignments[:3]]}"
    # Any question that all share will do as the root; the smallest keeps the work the same in every run.
    question = min(common)
    branches: dict[str, list[dict[str, str]]] = {}
    for picks in assignments:
        branches.setdefault(picks[question], []).append({q: x for q, x in picks.items() if q != question})
    if set(branches) != readings[question]:
        return f"{question}: only {sorted(branches)} under some answers to others"
    return next((wrong for branch in branches.values() if (wrong := _tree(branch, readings))), "")


def check(
    scenario: Scenario, book: Rulebook, most: int, rng: random.Random, samples: int = 4, text: str = ""
) -> tuple[str, bool]:
    """Return what is wrong with a night (or nothing), and whether all of its answer sets were seen.

    Where there are more than `most`, most of the questions are fixed at random, and the rest is checked.
    """
    asked = Asked(scenario, book, text)
    sets = asked.sets(most)
    wrong = fault(sets)
    if wrong or sets.complete:
        return wrong, sets.complete
    for _ in range(samples):
        fixed: dict[str, str] = {}
        part = sets
        while not part.complete and not wrong:
            loose = sorted(q for q in part.picks[-1] if q not in fixed)
            for question in rng.sample(loose, max(1, len(loose) // 3)):
                fixed[question] = rng.choice(sorted(part.readings[question]))
            part = asked.sets(most, fixed)
            wrong = fault(part, fixed)
        if wrong:
            return f"{wrong} under {fixed}", False
    return "", False


def smallest(scenario: Scenario, fails: Callable[[Scenario], bool]) -> Scenario:
    """Drop what was said and who plays while the night still fails."""
    while True:
        smaller = next((s for s in _smaller(scenario) if fails(s)), None)
        if smaller is None:
            return scenario
        scenario = smaller


def _smaller(scenario: Scenario) -> Iterator[Scenario]:
    for key in ("actions", "last_night"):
        acts = getattr(scenario, key)
        for n in range(len(acts)):
            yield scenario._replace(**{key: acts[:n] + acts[n + 1 :]})
    if scenario.options:
        yield scenario._replace(options={})
    said = scenario.actions + scenario.last_night
    busy = {a.actor for a in said} | {t for a in said for t in a.targets}
    for player in scenario.players:
        if player.name not in busy:
            yield scenario._replace(players=tuple(p for p in scenario.players if p != player))
        if not player.alive or player.counts or player.items:
            plain = tuple(Player(p.name, p.role) if p == player else p for p in scenario.players)
            yield scenario._replace(players=plain)


def describe(scenario: Scenario, wrong: str) -> str:
    """Return a failing night as text."""
    players = [
        (p.name, p.role, *([] if p.alive else ["dead"]), *p.items, *p.counts.items())
        for p in scenario.players
    ]
    acts = [[(a.actor, a.verb, *a.targets) for a in acts] for acts in (scenario.actions, scenario.last_night)]
    return (
        f"{wrong}\n  players {players}\n  actions {acts[0]} last night {acts[1]} options {scenario.options}"
    )


@dataclass(frozen=True)
class Report:
    """Counts, and the failing nights made small."""

    counts: Counter[str]
    failures: list[str]


def checked(
    what: str,
    times: int,
    draw: Callable[[random.Random], Scenario],
    book: Rulebook,
    *,
    seed: int,
    most: int,
    samples: int,
) -> Report:
    """Check so many scenarios as they are drawn; each failing one is told as small as it can be made."""
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    failures = []
    for _ in range(times):
        scenario = draw(rng)
        wrong, complete = check(scenario, book, most, rng, samples)
        counts[what] += 1
        counts["capped and sampled"] += not complete
        if wrong:
            counts["failing"] += 1

            def fails(candidate: Scenario) -> bool:
                return bool(check(candidate, book, most, random.Random(seed), samples)[0])

            small = smallest(scenario, fails)
            failures.append(
                describe(small, check(small, book, most, random.Random(seed), samples)[0] or wrong)
            )
    return Report(counts, failures)


def run(
    nights: int,
    seed: int,
    *,
    players: int = 18,
    most: int = 3000,
    samples: int = 4,
    must: Sequence[str] = (),
    few: int = 0,
) -> Report:
    """Check so many random nights."""

    def draw(rng: random.Random) -> Scenario:
        return night(rng, players, must, few)

    return checked("nights", nights, draw, Rulebook.load(BOOK), seed=seed, most=most, samples=samples)


def told(report: Report, start: float) -> int:
    """Print a report, and return the exit status that belongs to it."""
    for failure in report.failures[:10]:
        print(failure)
    print(dict(sorted(report.counts.items())), f"seconds {time.monotonic() - start:.0f}")
    return 1 if report.failures else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Random nights on the whole of a rulebook.")
    parser.add_argument("--nights", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, default=18)
    parser.add_argument("--most", type=int, default=3000, help="answer sets of one night")
    parser.add_argument("--roles", default="", help="roles of which some must play, separated by commas")
    parser.add_argument("--few", type=int, default=0, help="all players of a night are of so many roles")
    options = parser.parse_args()
    start = time.monotonic()
    must = [role for role in options.roles.split(",") if role]
    report = run(
        options.nights,
        options.seed,
        players=options.players,
        most=options.most,
        must=must,
        few=options.few,
    )
    return told(report, start)


if __name__ == "__main__":
    sys.exit(main())
