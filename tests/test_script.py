"""The moderator's script: the calls in order, what may be asked for, and a night led on a terminal."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from mafia_asp import Rulebook
from mafia_asp.cli import cli, main
from mafia_asp.commands.schema import FOLDER
from mafia_asp.game.calls import choices
from mafia_asp.game.script import script
from mafia_asp.model import Scenario
from mafia_asp.render.layout import width_of
from mafia_asp.scenario import parse_inline, read_scenarios

BOOK = Rulebook.load("classic_advanced")
CAST = "Ali=don, Kian=bartender, Sara=sniper, Reza=doctor, Mina=detective, Th=thief, Omid=citizen"
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")


def night(players: str = CAST, actions: str = "", book: str = "classic_advanced") -> Scenario:
    return parse_inline(players, actions, rulebook=book, number=2)


def run(*arguments: str) -> Any:
    return CliRunner().invoke(cli, ["script", *arguments], standalone_mode=False)


# ---- what may be told ------------------------------------------------------------------------------


def test_forbidden_names_are_known_beforehand() -> None:
    found = {(c.who, c.verb): c for c in choices(night(), BOOK)}
    assert found["Th", "steal"].refused == {"Mina": ("ca.thief.7",)}
    assert "Mina" not in found["Th", "steal"].free
    assert found["Ali", "shoot"].doubtful == {"Ali": ("ca.don.9",)}
    assert ("Omid", "shoot") not in found


def test_answers_are_known_beforehand() -> None:
    cast = "Ali=don, Sara=mafia, Mina=detective, Omid=citizen"
    [inquiry] = [c for c in choices(night(cast), BOOK) if c.verb == "inquire"]
    assert dict(inquiry.shows) == {"Ali": ("no",), "Sara": ("yes",), "Mina": ("no",), "Omid": ("no",)}


def test_what_has_run_out_is_not_asked_for() -> None:
    from mafia_asp.scenario import from_data

    data = {
        "players": {"Ali": "don", "Sara": {"role": "sniper", "bullets": 0}, "Omid": "citizen"},
        "night": 3,
    }
    [shot] = [c for c in choices(from_data(data), BOOK) if c.who == "Sara"]
    assert shot.free == ()
    assert set(shot.refused) == {"Ali", "Sara", "Omid"}


def test_a_group_is_asked_where_nobody_speaks_for_it() -> None:
    assert ("mafia", "shoot") in {(c.who, c.verb) for c in choices(night("A=mafia, B=mafia, C=doctor"), BOOK)}
    assert "mafia" not in {c.who for c in choices(night("A=don, B=mafia, C=doctor"), BOOK)}


def test_only_some_are_asked() -> None:
    assert {c.who for c in choices(night(), BOOK, only=["Sara"])} == {"Sara"}


# ---- the calls -------------------------------------------------------------------------------------


def test_calls_stand_in_the_order_of_waking() -> None:
    made = script(night("Ali=don, Sara=mafia, Kian=bartender, Mina=detective, Omid=citizen"), BOOK)
    assert [call.who for call in made.calls] == ["mafia", "don", "bartender", "detective"]
    assert made.calls[0].players == ("Ali", "Sara")
    assert [(ask.who, ask.verb) for ask in made.calls[1].asks] == [("Ali", "shoot")]


def test_an_open_order_is_told() -> None:
    made = script(night("Ali=don, Sara=sniper, Reza=doctor"), BOOK)
    assert [dict(order.answers) for order in made.orders] == [
        {"ca.q.general.23": "by_list"},
        {"ca.q.general.23": "doctor_first"},
    ]
    assert made.followed in made.orders
    ruled = night("Ali=don, Sara=sniper, Reza=doctor")._replace(rulings={"ca.q.general.23": "by_list"})
    [order] = script(ruled, BOOK).orders
    assert order.calls == ("don", "sniper", "doctor")


def test_the_dead_are_called_as_the_book_wants() -> None:
    booklet = Rulebook.load("booklet")
    players = "Ali=don, Reza=doctor, Mina=detective"
    scenario = night(players, book="booklet")
    dead = tuple(p._replace(alive=p.name != "Reza") for p in scenario.players)
    made = script(scenario._replace(players=dead), booklet)
    [call] = [call for call in made.calls if call.who == "doctor"]
    assert (call.players, call.gone, call.asks) == ((), ("Reza",), ())
    # The other book is silent about it, and the script says so.
    scenario = night(players)
    made = script(scenario._replace(players=dead), BOOK)
    assert made.silent == ("doctor",)
    assert "doctor" not in [call.who for call in made.calls]


def test_a_drugged_role_is_called_all_the_same() -> None:
    made = script(night(CAST, "Kian drug Mina; Mina inquire Sara"), BOOK)
    [call] = [call for call in made.calls if call.who == "detective"]
    assert call.players == ("Mina",)
    assert [told.action.verb for told in call.told] == ["inquire"]


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_a_script_fits_a_phone(lang: str) -> None:
    result = run("-p", CAST, "-a", "Mina inquire Ali; Th steal Mina Sara", "--lang", lang)
    assert result.return_value == 0
    lines = result.output.splitlines()
    assert len(lines) > 20
    # Ids and what is to be copied stay whole.
    assert [line for line in lines if width_of(line) > 40 and "ca." not in line] == []
    assert "ca.thief.7" in result.output


def test_what_is_shown_stands_under_the_call() -> None:
    result = run("-p", "Ali=don, Mina=detective, Omid=citizen", "-a", "Mina inquire Omid")
    assert "inquire: Omid\n   Show Mina: no" in result.output


def test_the_introduction() -> None:
    result = run("-p", "Ali=don, Sara=mafia, Omid=citizen", "--phase", "intro")
    assert "Wake together: Ali, Sara" in result.output
    assert "Show Sara: Ali" in result.output


def test_a_script_as_data(tmp_path: Path) -> None:
    schema = json.loads((FOLDER / "script.json").read_text(encoding="utf-8"))
    for arguments in (["-p", CAST, "-a", "Th steal Mina Sara"], ["-p", "A=don, B=mafia", "--phase", "intro"]):
        data = json.loads(run(*arguments, "--format", "json").output)
        jsonschema.Draft202012Validator(schema).validate(data)
    data = json.loads(run("-p", CAST, "-a", "Th steal Mina Sara", "--format", "json").output)
    [thief] = [call for call in data["calls"] if call["call"] == "thief"]
    assert thief["told"][0]["refused"] == {"rules": ["ca.thief.7"], "certain": True}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Give either a FILE or players"),
        (["-p", CAST, "--add"], "give both"),
        (["-p", CAST, "--ask"], "needs a terminal"),
        (["-p", CAST, "--ask", "--format", "json"], "no script as JSON"),
    ],
)
def test_options_that_do_not_fit(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["script", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_day_has_no_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "day.yaml"
    file.write_text("phase: day\nplayers: {Ali: don, Sara: citizen}\n", encoding="utf-8")
    assert main(["script", str(file)]) == 2
    assert "nobody is called then" in capsys.readouterr().err


GAME = """\
format: 1
title: Friday
players: {Ali: don, Sara: sniper, Reza: doctor, Mina: detective, Omid: citizen, C1: citizen, C2: citizen}
phases:
- phase: night
  night: 2
  actions:
  - Ali: {shoot: Omid}
- phase: day
"""


def test_the_coming_night_of_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "friday.yaml"
    file.write_text(GAME, encoding="utf-8")
    assert main(["script", str(file)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Friday · night 3\n")
    assert "Omid" not in shown
    file.write_text(GAME.removesuffix("- phase: day\n"), encoding="utf-8")
    assert main(["script", str(file)]) == 2
    assert "No night comes next" in capsys.readouterr().err


# ---- led on a terminal -----------------------------------------------------------------------------


@on_posix
def test_a_night_is_led(tmp_path: Path) -> None:
    from tests.terminal import converse

    told = tmp_path / "told.yaml"
    cast = "Ali=don, Kian=bartender, Mina=detective, Th=thief, En=enchanter, Omid=citizen"
    led = converse(
        ["script", "-p", cast, "-n", "2", "--ask", "-o", str(told)],
        [
            ("Nothing is asked", ""),
            ("Ali: shoot (Enter", "Omid"),
            ("Kian: drug (Enter", "<"),
            ("Ali: shoot (Enter", "Mina"),
            ("Kian: drug (Enter", "nobdy"),
            ("Kian: drug (Enter", ""),
            ("Mina: inquire (Enter", "?"),
            ("May be named: Ali, Kian", "En"),
            ("En: enchant [word=…] (Enter", "Omid word=apple"),
            ("Th: steal (Enter", "Mina Ali"),
            ("Keep it all the same?", "n"),
            ("Th: steal (Enter", "Kian"),
            ("Th: steal (Enter", "Kian Omid"),
        ],
    )
    assert led.status == 0, led.shown
    assert "May not give the Detective's name." in led.shown
    assert "Show Mina: yes" in led.shown
    assert "Everybody has been called." in led.shown
    [scenario] = read_scenarios(told)
    assert [(a.actor, a.verb, a.targets) for a in scenario.actions] == [
        ("Ali", "shoot", ("Mina",)),
        ("Mina", "inquire", ("En",)),
        ("En", "enchant", ("Omid",)),
        ("Th", "steal", ("Kian", "Omid")),
    ]
    assert scenario.actions[2].extra == {"word": "apple"}
    assert scenario.number == 2


@on_posix
def test_a_refused_choice_may_be_kept() -> None:
    from tests.terminal import converse

    led = converse(
        ["script", "-p", "Ali=don, Mina=detective, Th=thief", "--ask"],
        [
            ("shoot (Enter", ""),
            ("inquire (Enter", ""),
            ("steal (Enter", "Mina Ali"),
            ("Keep it all the same?", "y"),
        ],
    )
    assert led.status == 1
    assert "- Th: {steal: [Mina, Ali]}" in led.printed


@on_posix
def test_a_night_that_is_broken_off_leaves_nothing(tmp_path: Path) -> None:
    from tests.terminal import converse

    told = tmp_path / "told.yaml"
    led = converse(
        ["script", "-p", "Ali=don, Omid=citizen", "--ask", "-o", str(told)], [("Ali: shoot (Enter", "\x03")]
    )
    assert led.status == 130
    assert led.printed == ""
    assert not told.exists()


@on_posix
def test_a_night_is_added_to_its_game(tmp_path: Path) -> None:
    from tests.terminal import converse

    file = tmp_path / "friday.yaml"
    file.write_text(GAME, encoding="utf-8")
    led = converse(
        ["script", str(file), "--ask", "--add"],
        [("Ali: shoot (Enter", "C1"), ("(Enter", "C1"), ("(Enter", ""), ("(Enter", "Ali")],
    )
    assert led.status == 0, led.shown
    text = file.read_text(encoding="utf-8")
    assert text.startswith(GAME)
    assert "- Ali: {shoot: C1}" in text[len(GAME) :]
    assert "followed:" in text[len(GAME) :]
