"""``mafia-asp day``: what it decides, how it says so, and where it sends a night."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mafia_asp.cli import main

DAY = """\
rulebook: classic_advanced
phase: day
day: 2
last_night: [{Sara: {silence: Reza}}]
players: {Ali: don, Sara: natasha, Reza: citizen, Mina: citizen, Omid: citizen, Nima: citizen}
rulings: {ca.q.general.1: hidden}
actions:
- Reza: {speak: town}
- town: {vote_out: Omid}
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "today.yaml"
    path.write_text(DAY, encoding="utf-8")
    return str(path)


def test_a_day_as_text(capsys: pytest.CaptureFixture[str], file: str) -> None:
    assert main(["day", file, "--width", "100"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("day 2\n\nRefused\n  Reza: speak the town\n")
    assert "\nAnnounce\n  Omid leaves the game.\n" in out
    assert "\nOut of the game\n  Omid\n" in out
    assert "\nSilent today\n  Reza\n" in out


def test_a_day_in_persian(capsys: pytest.CaptureFixture[str], file: str) -> None:
    main(["day", file, "--lang", "fa"])
    out = capsys.readouterr().out
    assert "روز ۲" in out
    assert "بیرون از بازی" in out


def test_a_day_as_data_and_what_follows(capsys: pytest.CaptureFixture[str], file: str) -> None:
    main(["day", file, "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    assert (data["phase"], data["night"], data["day"]) == ("day", None, 2)
    assert data["certain"]["winner"] == "none"
    following = data["next"]
    assert (following["phase"], following["night"]) == ("night", 3)
    assert following["players"]["Omid"]["was"] == {"voted_out_on_day": 2}
    assert following["last_day"] == [{"town": {"vote_out": "Omid"}}]


def test_each_command_names_the_other(capsys: pytest.CaptureFixture[str], file: str, tmp_path: Path) -> None:
    assert main(["night", file]) == 2
    assert "'mafia-asp day' decides it" in capsys.readouterr().err
    night = tmp_path / "tonight.yaml"
    night.write_text("players: {Ali: don, Sara: citizen}\nactions: []\n", encoding="utf-8")
    assert main(["day", str(night)]) == 2
    assert "'mafia-asp night' decides it" in capsys.readouterr().err


def test_a_day_without_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    players = "Ali=don, Sara=terrorist, Reza=citizen, Mina=citizen, Omid=citizen, Nima=citizen"
    asked = ["day", "-p", players, "-a", "town vote_out Sara; Sara explode Reza", "-n", "2", "--exit-zero"]
    assert main([*asked, "--assume", "ca.q.general.1=hidden"]) == 0
    assert "\nOut of the game\n  Sara\n" in capsys.readouterr().out


@pytest.mark.parametrize(("reading", "sole"), [("any_vote_out", 2), ("named", None)])
def test_the_night_hears_of_a_sole_vote(
    capsys: pytest.CaptureFixture[str], reading: str, sole: int | None
) -> None:
    players = "Ali=yakuza, Sara=virgin, Reza=citizen, Mina=citizen, Omid=citizen, Nima=citizen"
    asked = ["day", "-p", players, "-a", "town vote_out Sara", "-n", "2", "--format", "json"]
    main([*asked, "--assume", f"ca.q.general.32={reading}"])
    following = json.loads(capsys.readouterr().out)["next"]
    assert following["players"]["Sara"]["was"].get("sole_vote_on_day") == sole
