"""The make-up of a role set: which statements on who plays, and how many, the whole set breaks.

The whole set is decided as a setup; a statement that it breaks in every reading is a finding. One that it
breaks only under some answer is none: that question is found by the search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ..errors import LimitError
from ..facts import facts, ruling_facts
from ..model import Player, Scenario
from ..solve import Ground, Limits, plain
from ..verdict import decide_here, program_of
from .engine import Clock, Engine, book_files, read_program, search_files, sliced
from .findings import Finding, Witness
from .nights import player_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import clingo

    from ..rulebook import Rulebook

#: the roles of some players -> the rules of the make-up that these break by themselves, in every reading
Breaks = Callable[[Iterable[str]], tuple[str, ...]]
#: a role set: role ids with how many of each
Cast = tuple[tuple[str, int], ...]
#: seconds for one role set
_SECONDS = 10.0


def breaks(
    book: Rulebook,
    roles: Cast,
    rulings: Mapping[str, str],
    texts: dict[str, str] | None = None,
    seconds: float = _SECONDS,
) -> Breaks:
    """Return what tells which rules of the make-up some of `roles` break in every reading.

    One ground program holds every part of the role set. `texts` are those of files that have been read.
    What it returns raises LimitError where that took more than `seconds`.
    """
    seats = {f"p{seat}": role for seat, role in enumerate((r for r, times in roles for _ in range(times)), 1)}

    @cache
    def made() -> Engine:
        files = book_files(book.files_for({role for role, _ in roles}, "setup"))
        program = [*read_program(files, texts), *read_program(search_files("names"))]
        facts = [
            f"may_play({player},{role}). place_of({player},{player[1:]})." for player, role in seats.items()
        ]
        facts += ruling_facts(rulings)
        rules = [f"{statement.text}." for statement in sliced(program, ("illegal",))]
        return Engine("\n".join([*rules, *facts]), search_files("cast"), Clock(None))

    @cache
    def broken(wanted: tuple[str, ...]) -> tuple[str, ...]:
        engine = made()
        engine.clock = Clock(seconds)
        left = Counter(wanted)
        assumed = []
        for player, literal in engine.lits("player").items():
            role = seats[player.arguments[0].name]
            assumed.append(literal if left[role] > 0 else -literal)
            left[role] -= 1
        found: list[clingo.Symbol] = []

        def on_model(model: clingo.Model) -> None:
            found[:] = model.symbols(shown=True)

        if not engine.solve(assumed, on_model, enum="cautious"):
            raise LimitError("time", {"seconds": seconds})
        return tuple(sorted(symbol.arguments[0].string for symbol in found))

    return lambda wanted: broken(tuple(sorted(wanted)))


class _Broken(NamedTuple):
    """A statement that a role set breaks: about which roles, and from how many players on they play."""

    rule: str
    roles: tuple[str, ...]
    wanted: int | None


def composition(
    book: Rulebook, casts: Iterable[Cast], rulings: Mapping[str, str], seconds: float = _SECONDS
) -> tuple[list[Finding], bool]:
    """Return what is wrong with the make-up of each of `casts`, a rule once, and whether all were decided.

    Raises:
        InputError: the rulebook cannot be worked out.
    """
    found: dict[str, Finding] = {}
    whole = True
    for cast in casts:
        try:
            for finding in _of_cast(book, cast, rulings, seconds):
                found.setdefault(finding.id, finding)
        except LimitError:
            whole = False
    return list(found.values()), whole


def _of_cast(book: Rulebook, cast: Cast, rulings: Mapping[str, str], seconds: float) -> list[Finding]:
    roles = [role for role, times in cast for _ in range(times)]
    players = tuple(Player(player_name(seat), role) for seat, role in enumerate(roles))
    scenario = Scenario(book.path_or_id, players, "setup", rulings=dict(rulings))
    limits = Limits(seconds)
    broken = _broken(scenario, book, limits)
    if not broken:
        return []
    verdict = decide_here(scenario, book, strict=True, limits=limits)
    witness = Witness(verdict, tuple(each.rule for each in broken))
    teams = Counter(side for sides in verdict.certain.get("teams", {}).values() for side in _several(sides))
    sides = " ".join(f"{side}:{n}" for side, n in sorted(teams.items()))
    return [
        Finding("composition", each.rule, (each.rule,), witness, message=_message(each, len(players), sides))
        for each in broken
    ]


def _several(value: object) -> Sequence[str]:
    return [str(one) for one in value] if isinstance(value, (list, tuple)) else [str(value)]


def _broken(scenario: Scenario, book: Rulebook, limits: Limits) -> list[_Broken]:
    """Return the statements that a role set breaks in every reading, in the order of their ids."""
    program = program_of(scenario, book)
    program = program._replace(files=(*program.files, *search_files("broken")))
    ground = Ground(program, facts(scenario).text)

    def held(name: str, arity: int) -> list[clingo.Symbol]:
        """Return the atoms of a predicate that hold in every reading."""
        atoms = list(ground.control.symbolic_atoms.by_signature(name, arity))
        literals, finished = ground.consequences("cautious", limits, (), [atom.literal for atom in atoms])
        if not finished:
            raise LimitError("time", {"seconds": limits.seconds})
        return [atom.symbol for atom in atoms if atom.literal in literals]

    about: dict[str, set[str]] = {}
    for symbol in held("unmet", 2):
        rule, what = symbol.arguments
        about.setdefault(rule.string, set()).add(str(what))
    for symbol in held("prevailing", 2):
        rule, claimed = symbol.arguments
        if claimed.name == "unfit":
            about.setdefault(rule.string, set()).add(str(claimed.arguments[0]))
    wanted = {(s.arguments[0].string, str(s.arguments[1])): plain(s.arguments[2]) for s in held("least", 3)}
    known = set(book.role_ids)
    found = []
    for name in sorted(symbol.arguments[0].string for symbol in held("illegal", 1)):
        roles = tuple(sorted(about.get(name, set()) & known))
        numbers = {wanted[name, role] for role in roles if (name, role) in wanted}
        found.append(_Broken(name, roles, max(numbers, default=None)))
    return found


def _message(broken: _Broken, players: int, sides: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    args = [("players", str(players)), ("rule", broken.rule)]
    if broken.roles:
        args.append(("roles", " ".join(broken.roles)))
    if broken.wanted is not None:
        return "composition.least", (*args, ("wanted", str(broken.wanted)))
    code = "composition.roles" if broken.roles else "composition.set"
    return code, (*args, ("sides", sides))
