"""The check: what it finds is there, is smallest, and is everything."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from pathlib import Path

import clingo.ast as ast
import pytest

from mafia_asp.check import Finding, Report
from mafia_asp.check.program import statements
from mafia_asp.check.report import Wanted, check, role_set
from mafia_asp.cli import main
from mafia_asp.model import Action, Player, Scenario
from mafia_asp.rulebook import Rulebook, encodings
from mafia_asp.verdict import decide

BOOK = Rulebook.load("classic_advanced")
CASTS = {
    "small": "don doctor sniper bartender citizen",
    "thieves": "don sniper bartender thief hooker",
    "spies": "spy vigilante don doctor",
    "hookers": "don hooker hooker hooker citizen citizen citizen citizen",
}


@cache
def report(cast: str) -> Report:
    return check(BOOK, role_set(CASTS[cast].split()), wanted=Wanted(("night",)))


def every() -> list[tuple[str, Finding]]:
    return [(cast, finding) for cast in CASTS for finding in report(cast).findings if not finding.harmless]


def scenario(finding: Finding) -> Scenario:
    assert finding.witness is not None
    return finding.witness.verdict.scenario


def open_ids(night: Scenario) -> set[str]:
    return {question.id for question in decide(night, book=BOOK, strict=True).open}


# ---- the text of programs ------------------------------------------------------------------------


def predicates(node: ast.AST) -> Iterator[str]:
    if node.ast_type is ast.ASTType.SymbolicAtom:
        symbol = node.symbol
        yield symbol.arguments[0].name if symbol.ast_type is ast.ASTType.Pool else symbol.name
        return
    for key in node.child_keys:
        below = getattr(node, key)
        for child in [below] if isinstance(below, ast.AST) else below or ():
            yield from predicates(child)


@pytest.mark.parametrize(
    "file",
    [p for p in sorted(Path(encodings()).glob("*/*.lp")) if p.name != "words.lp"],
    ids=lambda p: p.stem,
)
def test_programs_are_taken_apart_as_the_solver_reads_them(file: Path) -> None:
    text = file.read_text("utf-8")
    parsed: list[ast.AST] = []
    ast.parse_string(text, parsed.append)
    rules = [each for each in parsed if each.ast_type is ast.ASTType.Rule]
    mine = [each for each in statements(text) if not each.text.startswith("#")]
    assert len(mine) == len(rules)
    for here, there in zip(mine, rules, strict=True):
        again: list[ast.AST] = []
        ast.parse_string(here.text + ".", again.append)
        assert str(again[-1]) == str(there)
        assert sorted(use.name for use in here.uses) == sorted(
            [*predicates(there.head), *(name for literal in there.body for name in predicates(literal))]
        )


# ---- what is found -------------------------------------------------------------------------------


def test_the_night_of_every_finding_is_open_by_it_when_decided_by_itself() -> None:
    for _, finding in every():
        night = scenario(finding)
        fresh = decide(night, book=BOOK, strict=True)
        assert finding.id in {question.id for question in fresh.open}, night
        assert finding.witness is not None
        assert fresh.groups == finding.witness.verdict.groups


def test_no_action_and_no_player_of_a_finding_can_be_left_out() -> None:
    for _, finding in random.Random(1).sample(every(), 30):
        night = scenario(finding)
        for action in night.actions:
            less = night._replace(actions=tuple(a for a in night.actions if a is not action))
            assert finding.id not in open_ids(less), (finding.id, action)
        for player in night.players:
            if len(night.players) == 1:  # somebody plays
                break
            if any(player.name in (a.actor, *a.targets) for a in night.actions):
                continue
            less = night._replace(players=tuple(p for p in night.players if p is not player))
            assert finding.id not in open_ids(less), (finding.id, player)


def small_nights(roles: list[str]) -> Iterator[Scenario]:
    """Every night of these roles with at most two of some abilities used, each at anybody."""
    able = {"don": "shoot", "sniper": "shoot", "bartender": "drug", "doctor": "save"}
    names = [f"N{number}" for number in range(len(roles))]
    players = tuple(Player(name, role) for name, role in zip(names, roles, strict=True))
    acts = [(name, able[role]) for name, role in zip(names, roles, strict=True) if role in able]
    for count in range(3):
        for chosen in combinations(acts, count):
            for targets in product(names, repeat=count):
                told = tuple(Action(a, v, (t,)) for (a, v), t in zip(chosen, targets, strict=True))
                yield Scenario("classic_advanced", players, "night", None, told)


def test_nothing_is_open_in_small_nights_that_the_search_did_not_find() -> None:
    roles = ["don", "sniper", "bartender", "doctor"]
    found = {f.id for f in check(BOOK, role_set(roles), wanted=Wanted(("night",))).findings}
    seen: set[str] = set()
    for night in random.Random(1).sample(list(small_nights(roles)), 60):
        seen |= open_ids(night)
    assert seen
    assert seen <= found


@pytest.mark.parametrize(
    ("cast", "id", "kind", "people"),
    [
        ("small", "ca.q.sniper.1", "contradiction", 3),
        ("small", "ca.q.bartender.9", "circle", 3),
        ("thieves", "ca.q.hooker.8", "circle", 3),
        ("thieves", "circle(even,drug,steal)", "circle", 3),
        ("spies", "ca.q.vigilante.8", "circle", 3),
    ],
)
def test_known_faults_of_the_book_are_found(cast: str, id: str, kind: str, people: int) -> None:
    (finding,) = [f for f in report(cast).findings if f.id == id]
    assert finding.kind == kind
    night = scenario(finding)
    assert len({name for a in night.actions for name in (a.actor, *a.targets)} - {"mafia"}) <= people


def test_a_group_acts_only_where_somebody_of_its_side_may_play() -> None:
    def acting(roles: str) -> set[str]:
        found = check(BOOK, role_set(roles.split()), wanted=Wanted(("night",))).findings
        return {a.actor for f in found for a in scenario(f).actions}

    assert "mafia" in acting("mafia doctor citizen")
    assert "mafia" not in acting("sniper doctor citizen")


def test_nothing_is_said_of_a_legal_cast_where_no_make_up_was_searched() -> None:
    assert {f.witness.breaks for f in report("small").findings if f.witness} == {None}
    found = check(BOOK, role_set(CASTS["small"].split()), wanted=Wanted(("night", "setup"))).findings
    assert all(f.witness.breaks for f in found if f.witness and f.kind != "composition")


def test_an_odd_circle_comes_with_all_its_readings() -> None:
    # Whoever blocks in this circle reaches nobody outside it: no outcome differs, and yet nothing settles it.
    (finding,) = [f for f in report("hookers").findings if f.id == "circle(odd,block)"]
    assert finding.harmless
    assert {s.answer for s in finding.settlements} == {"nobody", "wake_order", "block"}


def test_a_ruling_settles_a_finding() -> None:
    ruled = check(
        BOOK, role_set(CASTS["small"].split()), wanted=Wanted(("night",)), rulings={"ca.q.sniper.1": "dies"}
    )
    before = {finding.id for finding in report("small").findings}
    assert "ca.q.sniper.1" in before
    assert "ca.q.sniper.1" not in {finding.id for finding in ruled.findings}


def test_harmless_points_are_told_apart() -> None:
    assert "ca.q.general.23" in {finding.id for finding in report("small").harmless}
    for finding in report("small").findings:
        assert not finding.harmless or finding.id.startswith("circle(odd,")
        assert not finding.harmless or finding.severity == "note"


def test_a_search_that_was_cut_off_says_so() -> None:
    cut = check(BOOK, role_set(CASTS["small"].split()), wanted=Wanted(("night",), seconds=0))
    assert not cut.complete


# ---- the command ---------------------------------------------------------------------------------


def run(*arguments: str) -> int:
    return main(["check", *arguments])


def test_the_command_gives_findings_and_a_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--roles", "Bartender,اسنایپر", "--phase", "night", "--format", "json") == 1
    data = json.loads(capsys.readouterr().out)
    assert "ca.q.sniper.1" in [finding["id"] for finding in data["findings"]]
    assert run("--roles", "citizen*3", "--phase", "night", "--fail-on", "never") == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--roles", "snipper"], "Did you mean sniper?"),
        (["--roles", "don*0"], "from 1 to"),
        (["--roles", "don*x"], "from 1 to"),
        (["--roles", "citizen*99,don"], "at the most"),
        ([], "in one way"),
        (["--roles", "don", "--all-roles"], "in one way"),
        (["--roles", "don", "--update-baseline"], "--baseline"),
        (["--roles", ""], "no role"),
        (["nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_what_is_wrong_with_a_command_line_is_told(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    assert told in capsys.readouterr().err


def test_scenario_files_give_their_cast(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "night.yaml"
    file.write_text(NIGHT, "utf-8")
    assert run(str(file), "--phase", "night", "--format", "json") == 1
    assert json.loads(capsys.readouterr().out)["findings"]


NIGHT = "players: {Ali: sniper, Sara: bartender, Reza: citizen}\nactions: [{Ali: {shoot: Reza}}]\n"


def test_a_ruling_on_a_point_without_a_name_settles_it() -> None:
    roles = role_set("don bartender bulletproof citizen citizen".split())
    (id,) = (f.id for f in check(BOOK, roles, wanted=Wanted(("night",))).findings if "bulletproof" in f.id)
    assert "~" in id
    ruled = check(BOOK, roles, rulings={id: id.partition("~")[0]})
    assert ruled.undecided == ()
    assert id not in {finding.id for finding in (*ruled.findings, *ruled.harmless)}
