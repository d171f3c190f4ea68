"""``mafia-asp graph``: who can affect whom is what the nights show, and every format says the same."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from functools import cache
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest

from mafia_asp import cli, decide
from mafia_asp.check.affects import Circle, Edge, Influences, influences
from mafia_asp.check.report import role_set
from mafia_asp.commands.new import FOLDER
from mafia_asp.render.graph import Drawing, Line, Node, draw, graph_dot, graph_json, graph_mermaid
from mafia_asp.render.words import Words
from mafia_asp.rulebook import Rulebook
from mafia_asp.scenario import parse_inline

BOOK = Rulebook.load("classic_advanced")
ROOT = Path(__file__).parent.parent
CAST = "don,bartender,thief,doctor,sniper,framer,detective,citizen*2"
FEW = "don,thief,bartender"

# What the pictures may consist of, line by line.
LABEL = r'"[^"\n<>]*(?:<br/>[^"\n<>]*)*"'
MERMAID = re.compile(
    rf"""flowchart\ (?:LR|RL)
    |\ \ accTitle:\ [^{{}}\n]+
    |\ \ %%\ [^{{}}\n]+
    |\ \ [nm]\d+(?:\[{LABEL}\]|\[\[{LABEL}\]\]|\(\[{LABEL}\]\))(?::::\w+)?
    |\ \ [nm]\d+\ -->(?:\|{LABEL}\|)?\ [nm]\d+
    |\ \ linkStyle\ \d+(?:,\d+)*\ [\w:,\#\ -]+
    |\ \ classDef\ \w+\ [\w:,\#\ -]+""",
    re.VERBOSE,
)
TEXT = r'"(?:[^"\\\n]|\\[\\"n])*"'
PART = rf"\w+=(?:\w+|\d+|{TEXT})"
DOT = re.compile(
    rf"""digraph\ \w+\ \{{
    |\ \ (?:graph|node|edge)\ \[{PART}(?:,\ {PART})*\];
    |\ \ [nm]\d+\ \[{PART}(?:,\ {PART})*\];
    |\ \ [nm]\d+\ ->\ [nm]\d+(?:\ \[{PART}(?:,\ {PART})*\])?;
    |\}}""",
    re.VERBOSE,
)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C")


@cache
def found(roles: str = CAST) -> Influences:
    every = [
        r for part in roles.split(",") for r in [part.partition("*")[0]] * int(part.partition("*")[2] or 1)
    ]
    return influences(BOOK, role_set(every))


def run(capsys: pytest.CaptureFixture[str], *args: Any) -> tuple[int, str, str]:
    status = cli.main(["graph", *map(str, args)])
    out, err = capsys.readouterr()
    return status, out, err


def follows(text: str, grammar: re.Pattern[str]) -> None:
    for line in text.splitlines():
        assert grammar.fullmatch(line), line


def kinds(source: str, target: str, roles: str = CAST) -> set[str]:
    return {kind for e in found(roles).edges if (e.source, e.target) == (source, target) for kind in e.kinds}


# ---- what is found -------------------------------------------------------------------------------------


def test_what_a_reader_of_the_book_expects() -> None:
    assert {"hinders", "circle"} <= kinds("bartender", "thief")
    assert {"takes", "circle"} <= kinds("thief", "bartender")
    assert {"protects", "foils"} <= kinds("doctor", "sniper")
    assert "attacks" in kinds("sniper", "don")
    assert "misleads" in kinds("framer", "detective")
    assert "hinders" not in kinds("framer", "detective")
    assert not [edge for edge in found().edges if edge.source == "citizen"]


def died(players: str, actions: str) -> bool:
    verdict = decide(parse_inline(players, actions), strict=True)
    return "Sara" in [*verdict.certain.get("dead", ()), *verdict.possible.get("dead", ())]


@pytest.mark.parametrize("victim", ["don", "bartender", "thief", "doctor", "framer", "detective", "citizen"])
@pytest.mark.parametrize(("killer", "verb"), [("sniper", "shoot"), ("don", "shoot"), ("doctor", "save")])
def test_whoever_can_kill_somebody_attacks_that_role(killer: str, verb: str, victim: str) -> None:
    killed = died(f"Ali={killer}, Sara={victim}, Omid=citizen", f"Ali {verb} Sara")
    assert not killed or killer == victim or "attacks" in kinds(killer, victim)
    assert killed or "attacks" not in kinds(killer, victim) or victim == "don"


def test_nobody_takes_what_nobody_has() -> None:
    for role in ("citizen", "detective"):
        assert "takes" not in kinds("thief", role)


def test_a_role_bears_on_itself_only_where_two_play_it() -> None:
    assert "hinders" in kinds("hooker", "hooker", "don,hooker*2,citizen")
    assert "hinders" not in kinds("hooker", "hooker", "don,hooker,citizen")


def test_each_circle_is_a_ring_of_its_arrows() -> None:
    for circle in found().circles:
        ring = (*circle.members, circle.members[0])
        for source, target in pairwise(ring):
            assert circle.kind in kinds(source, target)
    assert Circle("circle", ("bartender", "thief")) in found().circles


def test_knots_are_who_can_reach_each_other() -> None:
    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        todo = [start]
        while todo:
            here = todo.pop()
            further = {
                e.target
                for e in found().edges
                if e.source == here and {"circle", "lapsing_circle"} & set(e.kinds)
            }
            todo += further - seen
            seen |= further
        return seen

    marked = {name for e in found().edges if {"circle", "lapsing_circle"} & set(e.kinds) for name in e[:2]}
    together = {(a, b) for a, b in permutations(marked, 2) if b in reached(a) and a in reached(b)}
    assert together == {pair for knot in found().knots for pair in permutations(knot, 2)}


def test_roles_of_ones_own(tmp_path: Path) -> None:
    own = Path(shutil.copytree(FOLDER / "rulebook", tmp_path / "my_rules"))
    there = influences(Rulebook.load(own), [("don", 1), ("nurse", 1), ("citizen", 1)])
    assert any(e.source == "nurse" and "protects" in e.kinds for e in there.edges)


# ---- what is drawn -------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "fa"])
@pytest.mark.parametrize("roles", [FEW, CAST])
@pytest.mark.parametrize("circles_only", [False, True])
def test_the_formats_are_well_formed(lang: str, roles: str, circles_only: bool) -> None:
    drawing = draw(found(roles), Words(BOOK, lang), circles_only)
    mermaid, dot = graph_mermaid(drawing, lang), graph_dot(drawing, lang)
    follows(mermaid, MERMAID)
    follows(dot, DOT)
    names = {node.name for node in drawing.nodes}
    assert all({line.source, line.target} <= names for line in drawing.lines)
    assert ("flowchart RL" if lang == "fa" else "flowchart LR") in mermaid
    assert all(line.mark for line in drawing.lines) or not circles_only


def test_dot_is_read_by_others(tmp_path: Path) -> None:
    pydot = pytest.importorskip("pydot")
    drawing = draw(found(FEW), Words(BOOK, "en"))
    (graph,) = pydot.graph_from_dot_data(graph_dot(drawing, "en"))
    assert len(graph.get_edges()) == len(drawing.lines)


def test_nothing_in_a_label_ends_it() -> None:
    nasty = 'a "b" \\ c\nd <script> ]| }'
    drawing = Drawing(nasty, (nasty,), (Node("n0", nasty, "role"),), (Line("n0", "n0", nasty, "circle"),))
    follows(graph_mermaid(drawing, "en"), MERMAID)
    follows(graph_dot(drawing, "en"), DOT)


def test_what_is_done_to_all_alike_is_one_arrow() -> None:
    roles = tuple(f"r{n}" for n in range(9))
    edges = [Edge("r0", role, ("attacks",)) for role in roles[1:]]
    edges += [Edge("r1", role, ("hinders",)) for role in roles[2:-1]]
    edges += [Edge("r2", "r3", ("lays(framed)",)), Edge("r3", "r3", ("hinders",))]
    drawing = draw(Influences("x", roles, tuple(edges), (), ()), Words(BOOK, "en"))
    assert sorted((line.source, line.target, line.label) for line in drawing.lines) == [
        ("n0", "m0", "attacks"),
        ("n1", "m1", "hinders"),
        ("n2", "n3", "framed"),
        ("n3", "n3", "hinders"),
    ]
    assert [node.label for node in drawing.nodes if node.shape == "many"] == [
        "everybody else",
        "everybody else but r0, r8",
    ]


def test_circles_are_marked_where_they_are() -> None:
    drawing = draw(found(FEW), Words(BOOK, "en"))
    names = {node.label: node for node in drawing.nodes}
    marks = {(line.source, line.target): line.mark for line in drawing.lines}
    assert marks[names["Bartender"].name, names["Thief"].name] == "circle"
    assert names["Thief"].mark == "circle"
    assert "Circle: Bartender → Thief → Bartender" in drawing.notes


# ---- the command ---------------------------------------------------------------------------------------


def test_mermaid_is_what_one_gets(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "--roles", FEW)
    assert (status, err) == (0, "")
    follows(out, MERMAID)
    assert 'n1["Thief"]:::circle' in out


def test_in_persian(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = run(capsys, "--roles", "دان،دزد", "--lang", "fa", "--format", "dot")
    assert status == 0
    follows(out, DOT)
    assert "rankdir=RL" in out
    assert "\u2068classic_advanced\u2069" in out
    assert 'label="دزد"' in out


def test_nobody_affects_anybody(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = run(capsys, "--roles", "citizen*3")
    assert status == 0
    assert "There is no circle." in out
    assert "-->" not in out
    status, out, _err = run(capsys, "--roles", "citizen*3", "--format", "json")
    assert json.loads(out)["edges"] == []


def test_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = run(capsys, "--roles", FEW, "--format", "json", "--lang", "fa")
    assert status == 0
    assert out == graph_json(found(FEW), ["night"])
    data = json.loads(out)
    assert {"kind": "circle", "members": ["bartender", "thief"]} in data["circles"]


def test_a_cast_from_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = run(capsys, ROOT / "scenarios" / "examples" / "drugged-sniper.yaml")
    assert status == 0
    assert '"Sniper"' in out


def test_too_little_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no number of seconds" in run(capsys, "--roles", FEW, "--timeout", "nan")[2]
    status, out, _err = run(capsys, "--roles", FEW, "--timeout", "0")
    assert status == 3
    assert "Incomplete" in out
    assert "There is no circle" not in out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "Name a role set in one way"),
        (["--roles", "dno"], "Did you mean don?"),
        (["--roles", "don", "--all-roles"], "Name a role set in one way"),
        (["--roles", "don", "--phase", "setup"], "--phase"),
        (["--roles", "don", "--format", "png"], "--format"),
        (["nowhere.yaml"], "nowhere.yaml"),
        (["--rulebook", "nowhere", "--roles", "don"], "nowhere"),
    ],
)
def test_wrong_input(capsys: pytest.CaptureFixture[str], args: list[str], said: str) -> None:
    status, out, err = run(capsys, *args)
    assert (status, out) == (2, "")
    assert said in err


def test_a_file_for_the_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "influences.dot"
    status, out, _err = run(capsys, "--roles", FEW, "--format", "dot", "-o", file)
    assert (status, out) == (0, "")
    follows(file.read_text("utf-8"), DOT)
    night = tmp_path / "night.yaml"
    night.write_text("players: {Ali: don}\n", "utf-8")
    status, _out, err = run(capsys, night, "-o", night)
    assert status == 2
    assert "would write over" in err


def graphviz(folder: Path, script: str) -> None:
    folder.mkdir()
    file = folder / "dot"
    file.write_text(f"#!{sys.executable}\n{script}", "utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def test_svg_is_drawn_by_graphviz(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "import sys\nprint('<svg>', sys.argv[1:], len(sys.stdin.buffer.read()), '</svg>')\n"
    graphviz(tmp_path / "bin", script)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    _status, dot, _err = run(capsys, "--roles", FEW, "--format", "dot")
    status, out, _err = run(capsys, "--roles", FEW, "--format", "svg")
    assert status == 0
    assert out == f"<svg> ['-Tsvg'] {len(dot.encode())} </svg>\n"


def test_svg_without_graphviz(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    status, out, err = run(capsys, "--roles", FEW, "--format", "svg")
    assert (status, out) == (2, "")
    assert "Graphviz" in err
    assert "--format dot" in err


def test_graphviz_fails(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graphviz(tmp_path / "bin", "import sys\nsys.exit('Error: out of ink')\n")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    status, out, err = run(capsys, "--roles", FEW, "--format", "svg")
    assert (status, out) == (2, "")
    assert "out of ink" in err
    assert "Traceback" not in err


def test_the_same_whatever_the_seed() -> None:
    outs = set()
    for seed in ("0", "1", "2"):
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "mafia_asp",
                "graph",
                "--roles",
                "don,thief,bartender,hooker",
                "--lang",
                "en",
            ],
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
        outs.add(done.stdout)
    assert len(outs) == 1
