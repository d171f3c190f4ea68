"""Whole games: their file, what is read from it and played again, and the command that lets it grow."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mafia_asp.cli import main
from mafia_asp.errors import Fault, InputError
from mafia_asp.game import store
from mafia_asp.game.grow import entry, followed
from mafia_asp.game.record import read_game
from mafia_asp.game.replay import replay, winner
from mafia_asp.game.store import BusyError, locked, open_game
from mafia_asp.places import parse_yaml
from mafia_asp.rulebook import Rulebook
from tests.random_games import check_written, played, run, text_of

GAMES = Path(__file__).parent.parent / "scenarios" / "games"
HEAD = """\
format: 1
players: {Ali: don, Nima: mafia, Sara: sniper, Reza: doctor, Mina: citizen, Omid: citizen, Kian: citizen}
"""
KILL = "rulings: {ca.q.general.17: kill, ca.q.general.1: announced}\n"
PLAYERS = "Ali=don, Nima=mafia, Sara=sniper, Reza=doctor, Mina=citizen, Omid=citizen, Kian=citizen"


def write(folder: Path, text: str, name: str = "game.yaml") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def faults(path: str) -> list[Fault]:
    with pytest.raises(InputError) as caught:
        replay(read_game(path))
    return caught.value.faults


def told(found: list[Fault]) -> list[tuple[str, int, int]]:
    return [(f.code, f.place.line, f.place.column) for f in found if f.place]


# ---- reading and playing again -----------------------------------------------------------------------


def test_a_game_is_read_and_played_again(tmp_path: Path) -> None:
    text = (
        HEAD
        + KILL
        + "phases:\n- {phase: intro}\n- {phase: night, night: 1, actions: [{Ali: {shoot: Mina}}]}\n"
    )
    steps = replay(read_game(write(tmp_path, text + "- {phase: day, actions: [{town: {vote_out: Omid}}]}\n")))
    assert [(step.record.phase, step.record.number) for step in steps] == [
        ("intro", None),
        ("night", 1),
        ("day", 1),
    ]
    assert steps[1].verdict.certain.dead == ["Mina"]
    assert [action.actor for action in steps[2].scenario.last_night] == ["Ali"]
    assert steps[2].after is not None
    assert [p.name for p in steps[2].after.players if not p.alive] == ["Mina", "Omid"]


def test_the_night_before_is_not_forgotten_over_a_day(tmp_path: Path) -> None:
    # The Doctor is asked about the same name twice running only where the first night is still known.
    text = (
        HEAD + KILL + "phases:\n- {phase: night, night: 2, actions: [{Reza: {save: Mina}}]}\n- {phase: day}\n"
    )
    steps = replay(read_game(write(tmp_path, text)))
    assert steps[1].after is not None
    assert [(a.actor, a.verb, a.targets) for a in steps[1].after.last_night] == [("Reza", "save", ("Mina",))]


def test_after_a_win_nothing_follows(tmp_path: Path) -> None:
    days = "".join(
        f"- {{phase: day, actions: [{{town: {{vote_out: {name}}}}}]}}\n- {{phase: night}}\n"
        for name in ("Ali", "Nima")
    )
    found = faults(write(tmp_path, HEAD + KILL + "phases:\n" + days))
    assert told(found) == [("game.over", 8, 3)]
    over = write(tmp_path, HEAD + KILL + "phases:\n" + days.rsplit("- ", 1)[0])
    assert main(["game", "status", over, "--format", "yaml"]) == 2
    steps = replay(read_game(over))
    assert winner(steps[-1].verdict) == ["citizen"]
    assert steps[-1].verdict.next is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("players: {Ali: don}\n", [("game.no_format", 1, 1)]),
        ("format: 2\nplayers: {Ali: don}\n", [("game.format", 1, 9)]),
        (HEAD + "phases:\n- {phase: night}\n- {phase: night}\n", [("game.order", 5, 4)]),
        (HEAD + "phases:\n- {phase: intro}\n- {phase: setup}\n", [("game.order", 5, 4)]),
        (HEAD + "phases:\n- {phase: end}\n- {phase: end}\n", [("game.order", 5, 4)]),
        (HEAD + "phases:\n- {phase: night, night: 3}\n- {phase: day, day: 4}\n", [("game.number", 5, 16)]),
        (HEAD + "phases:\n- 5\n", [("value.kind", 4, 3)]),
        (HEAD + "phases:\n- {phas: day}\n", [("key.unknown", 4, 4)]),
        (HEAD + "phases:\n- {phase: night, players: {Ali: don}}\n", [("key.unknown", 4, 18)]),
        (
            HEAD + "phases:\n- {phase: night, actions: [{Ali: {shoot: Xerxes}}]}\n",
            [("player.unknown", 4, 42)],
        ),
        (HEAD + "phases:\n- {phase: night, followed: {dead: [Xerxes]}}\n", [("player.unknown", 4, 36)]),
        (
            HEAD + KILL + "phases:\n- {phase: night, rulings: {ca.q.general.1: hidden}}\n",
            [("game.ruling", 5, 28)],
        ),
        (HEAD.replace("Nima: mafia", "Nima: maffia"), [("role.unknown", 2, 27)]),
    ],
)
def test_what_cannot_be_is_told_with_its_place(
    tmp_path: Path, text: str, expected: list[tuple[str, int, int]]
) -> None:
    assert told(faults(write(tmp_path, text))) == expected


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        ("{phase: night, night: 2, actions: [{Ali: {shoot: unknown}}]}", [("game.unknown", 4, 39)]),
        ("{phase: night, night: 1, actions: [{Ali: {shoot: Mina}}]}", [("game.open", 4, 3)]),
        (
            "{phase: night, night: 2, actions: [{Ali: {shoot: Mina}}], followed: {dead: [Omid]}}",
            [("game.followed", 4, 72)],
        ),
        ("{phase: setup}", [("game.illegal", 4, 3)]),
    ],
)
def test_what_the_rules_do_not_let_happen(
    tmp_path: Path, phase: str, expected: list[tuple[str, int, int]]
) -> None:
    assert told(faults(write(tmp_path, f"{HEAD}phases:\n- {phase}\n"))) == expected


def test_what_followed_is_written_in_short() -> None:
    steps = replay(read_game(GAMES / "friday.yaml"))
    assert followed(steps[1]) == {"dead": [], "announce": []}
    assert "roles" not in followed(steps[2])
    assert followed(steps[-1]) == {"winner": "citizen"}


# ---- the text of the file ----------------------------------------------------------------------------

ENTRY = {
    "phase": "night",
    "night": 2,
    "actions": [{"Ali": {"shoot": "Mina"}}],
    "followed": {"dead": ["Mina"]},
}
BLOCK = "- phase: night\n  night: 2\n  actions:\n  - Ali: {shoot: Mina}\n  followed:\n    dead: [Mina]\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (HEAD, HEAD + "phases:\n" + BLOCK),
        (HEAD.rstrip(), HEAD + "phases:\n" + BLOCK),
        (HEAD + "phases:\n", HEAD + "phases:\n" + BLOCK),
        (HEAD + "phases: []  # none\n", HEAD + "phases:  # none\n" + BLOCK),
        (
            "phases: [] # none\n" + HEAD + "# the end\n",
            "phases: # none\n" + BLOCK + HEAD + "# the end\n",
        ),
        (
            HEAD + "phases:\n- {phase: intro}\n# now it begins\n",
            HEAD + "phases:\n- {phase: intro}\n# now it begins\n" + BLOCK,
        ),
        (
            "phases:\n  -\n    phase: intro # first\n" + HEAD,
            "phases:\n  -\n    phase: intro # first\n"
            + "".join(f"  {line}\n" for line in BLOCK.splitlines())
            + HEAD,
        ),
    ],
)
def test_a_phase_is_added_to_the_text_and_taken_away(tmp_path: Path, before: str, after: str) -> None:
    path = write(tmp_path, before)
    text = open_game(path).with_phases([ENTRY])
    assert text == after
    path = write(tmp_path, text)
    assert read_game(path).phases[-1].followed == {"dead": ["Mina"]}
    less = open_game(path).without_last(1)
    assert [record.phase for record in read_game(write(tmp_path, less)).phases] == [
        record.phase for record in read_game(write(tmp_path, before)).phases
    ]
    assert BLOCK not in less


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "phases: [{phase: intro}]\n",
        "{format: 1, players: {Ali: don, Sara: citizen, Reza: citizen, Mina: citizen}, phases: []}\n",
        HEAD + "phases: []\n...\n",
        "--- \n" + HEAD + "phases:\n  # no phase yet\n...\n",
    ],
)
def test_a_text_that_cannot_be_changed_with_certainty_is_left(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError) as caught:
        open_game(path).with_phases([ENTRY])
    assert [fault.code for fault in caught.value.faults] == ["game.layout"]
    assert main(["game", "night", path, "-n", "2"]) == 2
    assert Path(path).read_text(encoding="utf-8") == text


def test_a_game_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "game.json")
    assert main(["game", "new", path, "-p", PLAYERS]) == 0
    assert main(["game", "night", path, "-n", "2", "-a", "Ali shoot Mina"]) == 0
    data = json.loads(Path(path).read_text(encoding="utf-8"))
    assert data["phases"][0]["followed"]["dead"] == ["Mina"]
    assert main(["game", "undo", path]) == 0
    assert json.loads(Path(path).read_text(encoding="utf-8"))["phases"] == []
    capsys.readouterr()


def test_words_that_yaml_would_read_otherwise_come_back(tmp_path: Path) -> None:
    odd = {
        "phase": "night",
        "title": "a: b # c\n\u2028\u0085\t'\"\\ ~",
        "note": "null",
        "actions": [{"Ali": {"shoot": "Mina"}}],
    }
    text = open_game(write(tmp_path, HEAD)).with_phases([odd])
    record = read_game(write(tmp_path, text)).phases[0]
    assert (record.title, record.note) == (odd["title"], odd["note"])


# ---- the command -------------------------------------------------------------------------------------


def game(*args: str) -> int:
    return main(["game", *args])


def phases_of(path: str | Path) -> Any:
    return parse_yaml(Path(path).read_text(encoding="utf-8"), str(path)).root.data()["phases"]


def test_a_game_of_twelve_over_four_nights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "friday.yaml")
    players = (
        "Ali=don, Nima=natasha, Kian=mafia, Sara=sniper, Reza=doctor, Mina=detective, Omid=bartender, "
        "Yas=terrorist, Leila=citizen, Babak=priest, Hamid=citizen, Zari=citizen"
    )
    first = [
        "Ali shoot Leila; Nima silence Mina; Sara shoot Kian",
        "Reza save Leila; Mina inquire Ali; Omid drug Sara",
    ]
    night = [each for text in first for each in ("-a", text)]
    assert (
        game("new", file, "--title", "Friday table", "-p", players, "--ruling", "ca.q.general.17=kill") == 0
    )
    assert game("night", file, "--phase", "intro") == 0
    assert game("day", file) == 0
    before = Path(file).read_text(encoding="utf-8")
    # What the book leaves open is not decided quietly: nothing is added, and the answers are shown.
    assert game("night", file, *night) == 1
    assert Path(file).read_text(encoding="utf-8") == before
    out = capsys.readouterr().out
    assert "ca.q.sniper.1: misses" in out
    assert "--ruling 'ca.q.sniper.1=dies'" in out
    assert game("night", file, *night, "--ruling", "ca.q.sniper.1=misses") == 0
    # Somebody who is silenced speaks: it is refused, and told.
    day = ["-a", "Mina speak town; town vote_out Hamid", "--ruling", "ca.q.general.1=announced"]
    assert game("day", file, *day) == 1
    assert "\nAdded to" in capsys.readouterr().out
    # A slip is taken back, with the answer that the table gave in it.
    whole = Path(file).read_text(encoding="utf-8")
    assert game("undo", file) == 0
    assert "ca.q.general.1" in capsys.readouterr().err
    assert game("day", file, *day) == 1
    assert Path(file).read_text(encoding="utf-8") == whole
    second = (
        "Ali shoot Zari; Nima silence Babak; Sara shoot Kian; Reza save Zari; Mina inquire Nima; "
        "Omid drug Ali; Babak unsilence Babak"
    )
    assert game("night", file, "-a", second, "--ruling", "ca.q.general.47=same_target") == 0
    assert game("day", file, "-a", "town vote_out Yas; Yas explode Omid") == 0
    third = "Ali shoot Mina; Nima silence Leila; Reza save Reza; Babak unsilence Leila; Mina inquire Ali"
    assert game("night", file, "-a", third) == 0
    assert game("day", file, "-a", "town vote_out Nima") == 0
    assert (
        game(
            "night",
            file,
            "-a",
            "Ali shoot Babak; Sara shoot Ali; Reza save Leila",
            "--ruling",
            "ca.q.don.1=mortal",
        )
        == 0
    )
    assert "The game is over" in capsys.readouterr().out
    assert phases_of(file) == phases_of(GAMES / "friday.yaml")
    # After the end nothing is added; an end that was found at dawn goes with its night.
    whole = Path(file).read_text(encoding="utf-8")
    assert game("day", file, "-a", "town vote_out Zari") == 2
    assert Path(file).read_text(encoding="utf-8") == whole
    assert game("undo", file) == 0
    assert [phase["phase"] for phase in phases_of(file)][-2:] == ["night", "day"]


@pytest.fixture
def friday(tmp_path: Path) -> str:
    return write(tmp_path, (GAMES / "friday.yaml").read_text(encoding="utf-8"), "friday.yaml")


@pytest.fixture
def begun(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    file = str(tmp_path / "begun.yaml")
    assert game("new", file, "-p", PLAYERS, "--ruling", "ca.q.general.1=announced") == 0
    assert game("night", file, "-n", "2", "-a", "Ali shoot Mina") == 0
    capsys.readouterr()
    return file


def test_where_a_game_stands(friday: str, begun: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert game("status", begun) == 0
    out = capsys.readouterr().out
    assert out.startswith("Next: day 2\n\nIn the game: 6\n  Ali: Don\n")
    assert "\nOut of the game\n  Mina: Citizen\n" in out
    assert "  ca.q.general.1: announced\n" in out
    assert game("status", friday) == 0
    assert "Friday table\nThe game is over. Winner: Citizens\n" in capsys.readouterr().out
    assert game("status", begun, "--lang", "fa") == 0
    assert "در بازی: ۶ نفر" in capsys.readouterr().out
    assert game("status", begun, "--format", "json") == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["over"], data["winner"], data["alive"][0], data["next"]["day"]) == (False, [], "Ali", 2)
    assert game("status", friday, "--format", "json") == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["over"], data["winner"], data["next"]) == (True, ["citizen"], None)


def test_a_game_in_prose(friday: str, begun: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert game("log", friday) == 0
    out = capsys.readouterr().out
    assert "\nnight 2\n  Ali: shoot Zari\n" in out
    assert "\n  → Kian dies\n" in out
    assert "\n  → out of the game: Omid, Yas\n" in out
    assert "\n  → wake together: Ali, Kian, Yas\n" in out
    assert "Your table's ruling: ca.q.don.1: mortal" in out
    assert game("log", begun, "--lang", "fa") == 0
    assert "شب ۲" in capsys.readouterr().out
    assert game("log", begun, "--format", "markdown") == 0
    assert "## night 2\n\n- Ali: shoot Mina\n- **Mina dies**\n" in capsys.readouterr().out
    assert game("log", friday, "--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["phases"] == phases_of(friday)


def test_a_phase_for_itself(
    friday: str, begun: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A phase as a scenario is decided as it was; the phase to come is filled in and told."""
    one = str(tmp_path / "one.yaml")
    assert game("log", friday, "--phase", "5", "-o", one) == 0
    assert main(["night", one, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["certain"]["dead"] == ["Kian"]
    assert game("log", begun, "--phase", "99") == 2
    today = tmp_path / "today.yaml"
    assert game("status", begun, "--format", "yaml", "-o", str(today)) == 0
    text = today.read_text(encoding="utf-8")
    assert "actions: []\n" in text
    today.write_text(text.replace("actions: []", "actions:\n- town: {vote_out: Omid}"), encoding="utf-8")
    assert game("day", begun, str(today)) == 0
    assert phases_of(begun)[-1]["followed"]["dead"] == ["Omid"]
    # It does not belong to the game any more.
    assert game("night", begun, "-n", "3") == 0
    capsys.readouterr()
    assert game("day", begun, str(today)) == 2
    assert "not as they are in the game by now" in capsys.readouterr().err


def test_what_is_told_comes_from_a_file_and_the_line(begun: str, tmp_path: Path) -> None:
    actions = write(tmp_path, "- Omid: {accuse: Ali}\n", "actions.yaml")
    assert game("day", begun, actions, "-a", "Kian accuse Ali") == 0
    assert phases_of(begun)[-1]["actions"] == [{"Kian": {"accuse": "Ali"}}, {"Omid": {"accuse": "Ali"}}]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["night"], "next comes day or end"),
        (["day", "-a", "town vote_out Xerxes"], "no player Xerxes"),
        (["day", "-a", "town dance Ali"], "no verb dance"),
        (["day", "--ruling", "ca.q.general.1=hidden"], "It cannot be hidden now"),
        (["day", "--ruling", "ca.q.general.1"], "ID=ANSWER"),
        (["day", "-n", "7"], "has the number 2, and not 7"),
        (["day", "missing.yaml"], "no file missing.yaml"),
        (["day", "-a", "town vote_out unknown"], "has to be named"),
    ],
)
def test_what_cannot_be_added(
    begun: str, capsys: pytest.CaptureFixture[str], args: list[str], said: str
) -> None:
    before = Path(begun).read_text(encoding="utf-8")
    assert game(args[0], begun, *args[1:]) == 2
    assert said in capsys.readouterr().err
    assert Path(begun).read_text(encoding="utf-8") == before
    assert os.listdir(os.path.dirname(begun)) == ["begun.yaml"]


def test_a_hand_made_fault_is_told_and_the_file_left(friday: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(friday).read_text(encoding="utf-8")
    wrong = text.replace("dead: [Kian]", "dead: [Sara]")
    Path(friday).write_text(wrong, encoding="utf-8")
    line = wrong[: wrong.index("dead: [Sara]")].count("\n") + 1
    assert game("day", friday) == 2
    assert f"friday.yaml:{line}:5: dead: [Sara] is noted here" in capsys.readouterr().err
    assert Path(friday).read_text(encoding="utf-8") == wrong


def test_nothing_is_added_on_trial(begun: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path(begun).read_text(encoding="utf-8")
    assert game("day", begun, "-a", "town vote_out Omid", "--dry-run", "--format", "json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["added"] is False
    assert data["phases"][0]["followed"]["dead"] == ["Omid"]
    assert data["phases"][0]["verdict"]["settled"] is True
    assert Path(begun).read_text(encoding="utf-8") == before


def test_a_lot_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "lots.yaml")
    players = "Ali=don, Sara=surgeon, Reza=citizen, Mina=citizen, Omid=citizen, Kian=citizen, Yas=sniper"
    assert game("new", file, "-p", players) == 0
    night = ["night", file, "-n", "2", "-a", "Ali shoot Reza; Yas shoot Reza; Sara operate Reza", "--go-on"]
    rulings: list[str] = []
    capsys.readouterr()
    for _ in range(8):
        status = game(*night, *rulings, "--format", "json")
        data = json.loads(capsys.readouterr().out)["phases"][-1]["verdict"]
        if not data["open"]:
            break
        wanted = {"ca.q.surgeon.2": "always"}
        rulings += [
            part
            for q in data["open"]
            for part in ("--ruling", f"{q['id']}={wanted.get(q['id'], q['answers'][-1])}")
        ]
    assert (status, bool(data["chance"])) == (1, True)
    assert phases_of(file) in (None, [])
    dead = data["chance"][0]["dead"][0]
    assert game(*night, *rulings, "--draw", dead) == 0
    assert phases_of(file)[-1]["followed"]["dead"] == [dead]
    assert phases_of(file)[-1]["actions"][-1] == {"moderator": {"draw": dead}}


def test_a_game_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "new.yaml")
    source = str(GAMES.parent / "examples" / "ten-players.yaml")
    assert game("new", file, "--from", source, "--strict") == 0
    assert "is not taken over" in capsys.readouterr().err
    start = read_game(file).start
    assert (len(start.players), start.conventions) == (10, False)
    before = Path(file).read_text(encoding="utf-8")
    assert game("new", file, "-p", PLAYERS) == 2
    assert "is left as it is" in capsys.readouterr().err
    assert Path(file).read_text(encoding="utf-8") == before
    dealt = [str(tmp_path / f"{n}.yaml") for n in range(2)]
    for path in dealt:
        roles = ["--roles", "don,doctor,citizen*3", "--names", "Ali, Sara, Reza, Mina, Omid", "--seed", "3"]
        assert game("new", path, *roles) == 0
    assert Path(dealt[0]).read_text() == Path(dealt[1]).read_text()
    assert sorted(p.role for p in read_game(dealt[0]).start.players) == ["citizen"] * 3 + ["doctor", "don"]
    for args in (["-p", PLAYERS, "--from", source], [], ["-p", PLAYERS, "--seed", "3"]):
        assert game("new", str(tmp_path / "no.yaml"), *args) == 2
    assert game("new", str(tmp_path / "no.yaml"), "--roles", "don,doctor", "--names", "Ali") == 2
    assert not (tmp_path / "no.yaml").exists()
    assert game("new", str(tmp_path / "none" / "x.yaml"), "-p", PLAYERS) == 2
    capsys.readouterr()


def test_what_is_open_is_asked_on_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from mafia_asp.commands import game as module

    file = str(tmp_path / "asked.yaml")
    assert game("new", file, "-p", PLAYERS) == 0
    monkeypatch.setattr(module, "_on_terminal", lambda: True)
    runner = CliRunner()
    args = ["night", file, "-a", "Ali shoot Mina"]
    passed = runner.invoke(module.command, args, input="\n", standalone_mode=False)
    assert (passed.return_value, phases_of(file)) == (1, [])
    done = runner.invoke(module.command, args, input="kill\n", standalone_mode=False)
    assert done.return_value == 0
    assert "ca.q.general.17" in done.output
    assert phases_of(file)[0]["rulings"] == {"ca.q.general.17": "kill"}
    # Once is enough.
    assert game("day", file) == 0
    assert game("night", file, "-a", "Ali shoot Kian") == 0


def test_a_rulebook_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "my_rules"
    assert main(["new", "rulebook", "-o", str(book)]) == 0
    file = str(tmp_path / "games.yaml")
    players = "Ali=don, Sara=nurse, Reza=citizen, Mina=citizen, Omid=citizen"
    assert game("new", file, "-p", players, "--rulebook", str(book)) == 0
    assert "rulebook: my_rules\n" in Path(file).read_text(encoding="utf-8").replace('"', "").replace(
        "my_rules/", "my_rules"
    )
    assert game("night", file, "-n", "2", "-a", "Ali shoot Reza") == 0
    assert game("status", file, "--format", "yaml", "-o", str(tmp_path / "next.yaml")) == 0
    assert game("day", file, str(tmp_path / "next.yaml")) == 0
    capsys.readouterr()


# ---- one at a time, whole or not at all --------------------------------------------------------------


def test_somebody_else_works_on_it(
    begun: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "PATIENCE", 0.2)
    before = Path(begun).read_text(encoding="utf-8")
    with locked(begun):
        with pytest.raises(BusyError), locked(begun, 0.1):
            pass
        assert game("day", begun) == 1
        assert "Another process works on" in capsys.readouterr().err
        assert Path(begun).read_text(encoding="utf-8") == before
    assert game("day", begun) == 0
    assert os.listdir(os.path.dirname(begun)) == ["begun.yaml"]


def command(*args: str) -> list[str]:
    return [sys.executable, "-m", "mafia_asp", "game", *args]


def test_two_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    """Phases are told by several processes at once: each is added by exactly one of them, in order."""
    file = write(tmp_path, HEAD + KILL)
    told_at_once = [
        subprocess.Popen(
            command(kind, file, "--format", "json"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        for kind in ("night", "day", "night", "day")
    ]
    outputs = [process.communicate(timeout=120)[0] for process in told_at_once]
    added = sum(json.loads(out)["added"] for out in outputs if out)
    game_now = read_game(file)
    assert len(game_now.phases) == added >= 1
    assert sum(process.returncode == 0 for process in told_at_once) == added
    replay(game_now)


WRITER = """
import sys
from mafia_asp.game.store import locked, open_game
from mafia_asp.files import write_atomically
file = sys.argv[1]
while True:
    with locked(file):
        opened = open_game(file)
        count = len(opened.game.phases)
        if count < 8:
            kind = "day" if count % 2 else "night"
            text = opened.with_phases([{"phase": kind, kind: count // 2 + 1, "note": "x" * 40000}])
        else:
            text = opened.without_last(7)
        write_atomically(file, text)
    print("written", flush=True)
"""


def test_a_process_that_is_killed_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    """Writers are killed at random moments; after each the game is whole, and the next one goes on."""
    file = write(tmp_path, HEAD)
    rng = random.Random(7)
    seen = set()
    for _ in range(8):
        process = subprocess.Popen([sys.executable, "-c", WRITER, file], stdout=subprocess.PIPE)
        assert process.stdout is not None
        for _ in range(rng.randint(1, 6)):
            process.stdout.readline()
        time.sleep(rng.uniform(0.0, 0.02))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        phases = read_game(file).phases
        assert all(len(record.note) == 40000 for record in phases)
        seen.add(len(phases))
    assert len(seen) > 1
    with locked(file, 1):
        # Whoever comes next clears away what the killed ones left.
        assert sorted(os.listdir(tmp_path)) == [".game.yaml.lock", "game.yaml"]
    assert os.listdir(tmp_path) == ["game.yaml"]


DYING = """
import os, signal, sys
from mafia_asp.cli import main
name, after = sys.argv[1], sys.argv[2] == "after"
real = getattr(os, name)
def dying(*args, **more):
    if after:
        real(*args, **more)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(os, name, dying)
main(["game", "day", sys.argv[3]])
"""


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace", "unlink"])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_crash_at_each_step_of_a_write(begun: str, step: str, moment: str) -> None:
    old = Path(begun).read_text(encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", DYING, step, moment, begun], check=False, capture_output=True
    )
    assert done.returncode == -signal.SIGKILL
    now = Path(begun).read_text(encoding="utf-8")
    written = step == "unlink" or (step, moment) == ("replace", "after")
    assert now.startswith(old)
    assert (now != old) == written
    assert game("undo" if written else "day", begun) == 0
    assert os.listdir(os.path.dirname(begun)) == ["begun.yaml"]


def test_a_full_disk_leaves_the_old_file(
    begun: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Path(begun).read_text(encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert game("day", begun) == 2
    assert "No space left" in capsys.readouterr().err
    monkeypatch.undo()
    assert Path(begun).read_text(encoding="utf-8") == before
    assert os.listdir(os.path.dirname(begun)) == ["begun.yaml"]


# ---- random games ------------------------------------------------------------------------------------


#: fifty games, in parts that can be played side by side: (book, games, players at the most)
PARTS = [*[("classic_advanced", 4, 8)] * 3, *[("booklet", 19, 9)] * 2]


@pytest.mark.parametrize(("part", "sample"), list(enumerate(PARTS)))
def test_random_games_come_to_an_end(part: int, sample: tuple[str, int, int]) -> None:
    book, games, players = sample
    report = run(games, 2026 + part, book, players)
    assert report.failures == []
    assert report.counts["games"] == games


def test_one_seed_makes_one_game() -> None:
    book = Rulebook.load("booklet")
    first, again = (played(random.Random(11), book) for _ in range(2))
    assert text_of(first) == text_of(again)
    assert [entry(step) for step in first.steps] == [entry(step) for step in again.steps]
    check_written(first, again=True)


def test_the_file_in_the_documentation(tmp_path: Path) -> None:
    page = (GAMES.parent.parent / "docs" / "games.md").read_text(encoding="utf-8")
    text = page.partition("```yaml\n")[2].partition("```")[0]
    steps = replay(read_game(write(tmp_path, text)))
    assert [step.verdict.certain.dead for step in steps] == [[], ["Omid"]]
