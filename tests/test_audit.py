"""The audit of recorded games: what does not follow, and what only another reading would allow."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mafia_asp import Rulebook
from mafia_asp.cli import main
from mafia_asp.commands.schema import FOLDER
from mafia_asp.game.audit import Audit, audit, differences
from mafia_asp.game.record import game_of
from mafia_asp.model import Outcome
from mafia_asp.places import parse_yaml
from tests import random_audits, random_games

BOOKS: dict[str, Rulebook] = {}

#: A night on which nothing is open, one that hangs on ca.q.sniper.1, and one more.
GAME = """\
format: 1
title: Friday
players: {Ali: don, Kian: bartender, Sara: sniper, Reza: doctor, Mina: detective, Omid: citizen, C1: citizen,
  C2: citizen, C3: citizen, C4: citizen}
phases:
- phase: night
  night: 2
  actions:
  - Ali: {shoot: Omid}
  - Reza: {save: Omid}
  - Mina: {inquire: Ali}
  followed:
    dead: []
    announce: [saved]
    answers: {Mina: no}
- phase: day
  followed: {dead: [], announce: []}
- phase: night
  actions:
  - Kian: {drug: Sara}
  - Ali: {shoot: C1}
  - Sara: {shoot: C2}
  followed:
    dead: [Sara, C1]
    announce: ["dead: Sara", "dead: C1"]
- phase: day
  followed: {dead: [], announce: []}
- phase: night
  actions:
  - Ali: {shoot: C3}
  - Reza: {save: C4}
  followed:
    dead: [C3]
    announce: ["dead: C3"]
"""
RULED = GAME.replace("title: Friday\n", "title: Friday\nrulings: {ca.q.sniper.1: misses}\n")


#: What was decided once is known to all these tests.
MEMORY = random_audits.Memory(Rulebook.load("classic_advanced"))


def audited(text: str, **more: Any) -> Audit:
    game = game_of(parse_yaml(text, "friday.yaml"), "friday.yaml", BOOKS)
    return audit(game, decide=MEMORY, **more)


def found(text: str, **more: Any) -> list[tuple[int, str, str]]:
    return [(f.number, f.kind, f.key) for f in audited(text, **more).findings]


# ---- what is found -----------------------------------------------------------------------------------


def test_a_reading_that_fits_is_followed_and_told() -> None:
    result = audited(GAME)
    assert result.clean
    assert result.complete
    [note] = result.findings
    assert (note.number, note.kind, note.level, note.key) == (3, "rests-on", "note", "ca.q.sniper.1")
    assert (note.recorded, note.follows) == (["dies"], ["dies", "misses"])


def test_both_readings_are_carried_on_where_nothing_is_recorded() -> None:
    silent = GAME.replace('    dead: [Sara, C1]\n    announce: ["dead: Sara", "dead: C1"]\n', "    {}\n")
    assert found(silent) == []
    # Sara shoots once more on the last night: she can do so only where she has not died.
    more = "  - Sara: {shoot: C2}\n  followed:\n    dead: [C3, C2]\n    announce: ["
    later = silent.replace("  followed:\n    dead: [C3]\n    announce: [", more + '"dead: C2", ')
    result = audited(later)
    assert [f.key for f in result.findings if f.kind == "rests-on"][:1] == []
    assert [(f.number, f.level) for f in result.findings if f.level != "note"] in ([], [(5, "error")])


def test_a_planted_wrong_announcement() -> None:
    result = audited(GAME.replace("announce: [saved]", 'announce: ["dead: Omid"]'))
    [wrong] = [f for f in result.findings if f.level != "note"]
    assert (wrong.number, wrong.kind, wrong.key) == (1, "differs", "announce")
    assert (wrong.recorded, wrong.follows) == (["dead: Omid"], ["saved"])
    assert wrong.only_if == ()
    assert wrong.place is not None
    assert (wrong.place.line, wrong.place.file) == (14, "friday.yaml")
    assert "ca.doctor.6" in {because.rule for because in wrong.because}


def test_an_announcement_that_only_another_reading_allows() -> None:
    result = audited(RULED)
    assert [(f.number, f.kind, f.key) for f in result.findings] == [
        (3, "another-reading", "dead"),
        (3, "another-reading", "announce"),
    ]
    for finding in result.findings:
        assert finding.only_if == ({"ca.q.sniper.1": "dies"},)
        assert finding.instead_of == {"ca.q.sniper.1": ("misses", "")}
        assert not finding.later


def test_one_announcement_less() -> None:
    assert found(GAME.replace("announce: [saved]", "announce: []")) == [
        (1, "differs", "announce"),
        (3, "rests-on", "ca.q.sniper.1"),
    ]
    partly = found(GAME.replace("announce: [saved]", "announce: []"), partial=True)
    assert partly == [(3, "rests-on", "ca.q.sniper.1")]


def test_a_wrong_answer() -> None:
    assert found(GAME.replace("Mina: no", "Mina: yes"))[0] == (1, "differs", "answers.Mina")
    assert found(GAME.replace("{Mina: no}", "{}"))[0] == (1, "differs", "answers.Mina")


def test_a_wrong_death_does_not_drown_the_rest() -> None:
    # Omid is carried away by mistake: from then on he is dead, and nobody wonders.
    dead = GAME.replace(
        "    dead: []\n    announce: [saved]", '    dead: [Omid]\n    announce: ["dead: Omid"]'
    )
    assert found(dead) == [
        (1, "differs", "dead"),
        (1, "differs", "announce"),
        (3, "rests-on", "ca.q.sniper.1"),
    ]
    # A further error is told, with the remark that it may be a consequence.
    twice = dead.replace('    dead: [C3]\n    announce: ["dead: C3"]', "    dead: []\n    announce: []")
    errors = [f for f in audited(twice).findings if f.level == "error"]
    assert [(f.number, f.key, f.later) for f in errors] == [
        (1, "dead", False),
        (1, "announce", False),
        (5, "dead", True),
        (5, "announce", True),
    ]


def test_why_somebody_lives() -> None:
    dead = GAME.replace("    dead: []\n    announce: [saved]", "    dead: [Omid]\n    announce: [saved]")
    [wrong] = [f for f in audited(dead).findings if f.key == "dead"]
    assert {("Omid", "ca.doctor.2")} <= {(b.entry, b.rule) for b in wrong.because}


def test_a_ruling_that_comes_too_late() -> None:
    late = GAME.replace(
        "- phase: night\n  actions:\n  - Ali: {shoot: C3}",
        "- phase: night\n  rulings: {ca.q.sniper.1: misses}\n  actions:\n  - Ali: {shoot: C3}",
    )
    kinds = [(f.number, f.kind, f.key) for f in audited(late).findings]
    assert (5, "ruled-otherwise", "ca.q.sniper.1") in kinds


LOT = """\
format: 1
players: {Ali: don, Sara: surgeon, Reza: citizen, Mina: citizen, Omid: citizen, Kian: citizen, Yas: sniper}
rulings: {ca.q.surgeon.2: always, ca.q.surgeon.5: from_all}
phases:
- phase: night
  night: 2
  actions:
  - Ali: {shoot: Reza}
  - Yas: {shoot: Reza}
  - Sara: {operate: Reza}
  followed: {dead: [Yas], announce: ["dead: Yas"]}
- phase: day
"""


def test_a_lot_that_is_not_written_down() -> None:
    assert found(LOT) == []
    assert found(LOT.replace("dead: [Yas]", "dead: [Omid]"))[0] == (1, "differs", "dead")


OVER = """\
format: 1
players: {Ali: don, Omid: citizen, C1: citizen, C2: citizen, C3: citizen}
rulings: {ca.q.general.1: announced}
phases:
- phase: day
  day: 1
  actions: [town: {vote_out: Ali}]
- phase: night
  actions: []
"""


def test_a_game_that_goes_on_after_its_end() -> None:
    [over] = audited(OVER).findings
    assert (over.number, over.kind) == (2, "over")


def test_what_is_not_recorded_is_not_held_against_anybody() -> None:
    without = "".join(
        line for line in GAME.splitlines(keepends=True) if not line.startswith(("    ", "  followed"))
    )
    assert audited(without).findings == ()


def test_keys_that_are_not_announcements() -> None:
    outcome = Outcome(dead=["Sara"], roles={"Ali": "don", "Sara": "citizen"}, winner=["mafia"])
    names = ["Ali", "Sara"]
    assert differences(None, outcome, names) == []
    assert [m.key for m in differences({"roles": {"Sara": "don"}}, outcome, names)] == [
        "roles.Sara",
        "winner",
    ]
    assert differences({"dead": ["Sara"], "winner": "mafia"}, outcome, names) == []


# ---- the command -------------------------------------------------------------------------------------


#: The first night alone, and that with the one that hangs on a question.
SHORT = GAME[: GAME.index("- phase: day")]


@pytest.fixture
def league(tmp_path: Path) -> Path:
    folder = tmp_path / "league"
    folder.mkdir()
    (folder / "a_clean.yaml").write_text(SHORT, encoding="utf-8")
    (folder / "b_wrong.yaml").write_text(SHORT.replace("Mina: no", "Mina: yes"), encoding="utf-8")
    (folder / "c_ruled.yaml").write_text(RULED[: RULED.rindex("- phase: day")], encoding="utf-8")
    (folder / "d_broken.yaml").write_text(
        GAME.replace("Ali: {shoot: C1}", "Ale: {shoot: C1}"), encoding="utf-8"
    )
    (folder / "e_night.yaml").write_text("players: {Ali: don, Sara: citizen}\n", encoding="utf-8")
    return folder


def run(*arguments: str | Path) -> int:
    return main(["audit", *map(str, arguments)])


def test_many_games(league: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(league, "--format", "json") == 2
    alone = capsys.readouterr().out
    data = json.loads(alone)
    schema = json.loads((FOLDER / "audit.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(data)
    outcomes = ["clean", "findings", "findings", "error", "skipped"]
    assert [game["outcome"] for game in data["games"]] == outcomes
    [fault] = data["games"][3]["faults"]
    assert fault["place"]["line"] == 21
    assert run(league, "--format", "json", "--jobs", "2") == 2
    assert capsys.readouterr().out == alone


@pytest.mark.parametrize(
    ("file", "status"), [("a_clean.yaml", 0), ("b_wrong.yaml", 1), ("d_broken.yaml", 2), ("e_night.yaml", 2)]
)
def test_the_exit_status(league: Path, file: str, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(league / file) == status
    assert run(league / file, "--exit-zero") == (0 if status == 1 else status)
    assert "Traceback" not in capsys.readouterr().err


def test_a_target_has_to_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(SHORT.replace("shoot: Omid", "shoot: unknown"), encoding="utf-8")
    assert run(file, "--width", "400") == 2
    assert f"{file}:9:5: In a game the target of shoot has to be named." in capsys.readouterr().out


def test_a_folder_without_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "night.yaml").write_text("players: {Ali: don, Sara: citizen}\n", encoding="utf-8")
    assert run(tmp_path) == 2
    assert "No game found." in capsys.readouterr().err


def test_what_the_text_says(league: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(league / "c_ruled.yaml", "--width", "100") == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "announced, and does not follow: Sara is dead." in said
    assert "It would follow with ca.q.sniper.1: dies. The table has ruled ca.q.sniper.1: misses." in said
    assert run(league / "b_wrong.yaml", "--lang", "fa") == 1
    said = capsys.readouterr().out
    assert "ca.detective.8" in said
    assert "recorded" not in said


def test_reports(league: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from junitparser import JUnitXml

    junit, sarif = tmp_path / "audit.xml", tmp_path / "audit.sarif"
    assert run(league, "--format", "github", "--report", f"junit={junit}", "--report", f"sarif={sarif}") == 2
    assert "::error file=" in capsys.readouterr().out
    suites = JUnitXml.fromfile(str(junit))
    assert (suites.tests, suites.failures, suites.errors) == (7, 2, 1)
    log = json.loads(sarif.read_text(encoding="utf-8"))["runs"][0]
    levels = Counter(result["level"] for result in log["results"])
    assert levels == {"error": 2, "warning": 2}
    for result in log["results"]:
        assert log["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["locations"][0]["physicalLocation"]["region"]["startLine"] > 1


def test_an_audit_writes_over_no_game(league: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = league / "a_clean.yaml"
    assert run(file, "-o", file) == 2
    assert file.read_text(encoding="utf-8") == SHORT


def test_game_files_are_as_the_schema_says() -> None:
    schema = json.loads((FOLDER / "game.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(parse_yaml(RULED, "").root.data())
    for spoilt in (GAME.replace("format: 1", "format: 2"), GAME.replace("- phase: day", "- phase: noon")):
        assert not validator.is_valid(parse_yaml(spoilt, "").root.data())


def test_the_game_of_twelve(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parent.parent / "scenarios" / "games" / "friday.yaml").read_text(encoding="utf-8")
    assert audited(text).findings == ()
    file = tmp_path / "friday.yaml"
    noted = ("dead: []", "saved: [Leila]", "silenced: [Mina]", "answers: {Mina: no}", "announce: [saved]")
    told = "".join(f"    {line}\n" for line in noted)
    wrong = told.replace("no}", "yes}")
    other = told.replace("dead: []", "dead: [Sara]").replace("[saved]", '[saved, "dead: Sara"]')
    # All that comes after the first night is left out: it has been audited above.
    head = text[: text.index("- phase: day\n  day: 1")]
    assert head.count(told) == 1
    file.write_text(head.replace(told, wrong), encoding="utf-8")
    assert run(file, "--format", "json") == 1
    [finding] = json.loads(capsys.readouterr().out)["games"][0]["findings"]
    assert (finding["number"], finding["kind"], finding["key"]) == (3, "differs", "answers.Mina")
    assert "ca.detective.8" in [because["rule"] for because in finding["because"]]
    file.write_text(head.replace(told, other), encoding="utf-8")
    assert run(file, "--format", "json") == 1
    findings = json.loads(capsys.readouterr().out)["games"][0]["findings"]
    assert [(f["kind"], f["only_if"]) for f in findings] == [
        ("another-reading", [{"ca.q.sniper.1": "dies"}]),
        ("another-reading", [{"ca.q.sniper.1": "dies"}]),
    ]


# ---- random games --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("book", "most"), [("booklet", 8), ("classic_advanced", 6)])
def test_random_games_are_audited(book: str, most: int) -> None:
    counts, failures = random_audits.run(2, 8, book, most)
    assert failures == []
    assert counts["less"] + counts["more"] + counts["dead"] >= 4


def test_the_check_of_random_audits_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    book = Rulebook.load("booklet")
    rng = random.Random("8-0")
    played = random_games.played(rng, book, random_games.beginning(rng, book, 8))
    monkeypatch.setattr(random_audits, "audit", lambda game, decide: Audit("", "", (), ()))
    assert any("is found in no phase" in each for each in random_audits.check(rng, played, Counter()))
