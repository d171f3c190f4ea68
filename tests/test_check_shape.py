"""What a check finds beside questions: make-up, order of calls, rulings that do nothing, misspelt words."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from junitparser import JUnitXml

import mafia_asp as ma
from mafia_asp.check.constants import misspelt_in
from mafia_asp.check.report import Wanted, all_roles, check, role_set
from mafia_asp.cli import main
from mafia_asp.commands.new import FOLDER
from mafia_asp.commands.schema import FOLDER as SCHEMAS
from mafia_asp.errors import InputError
from mafia_asp.model import Action
from mafia_asp.scenario import from_data
from mafia_asp.verdict import decide

LEGAL = "don,mafia*3,doctor,detective,citizen*6"
BROKEN = "don,doctor,sniper,citizen*3"
CALLED = "detective,framer,hooker,citizen"
NEW = ("composition", "wake-order", "unused-ruling", "misspelt-constant")

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C")


def told(capsys: Capture, *arguments: str) -> dict[str, Any]:
    """The JSON of a check, as its schema says."""
    assert main(["check", *arguments, "--format", "json", "--exit-zero"]) == 0
    data = json.loads(capsys.readouterr().out)
    schema = json.loads((SCHEMAS / "findings.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(data)
    return dict(data)


def of_kind(data: dict[str, Any], kind: str) -> dict[str, dict[str, Any]]:
    return {f["id"]: f for f in data["findings"] if f["kind"] == kind}


# ---- composition ---------------------------------------------------------------------------------


def test_a_legal_set_has_nothing_wrong_with_its_make_up(capsys: Capture) -> None:
    data = told(capsys, "--roles", LEGAL, "--phase", "setup")
    assert of_kind(data, "composition") == {}
    assert data["complete"]


def test_each_statement_that_the_whole_set_breaks_is_a_finding(capsys: Capture) -> None:
    found = of_kind(told(capsys, "--roles", BROKEN, "--phase", "setup"), "composition")
    rules = ("general.192", "general.39", "general.40", "general.41", "general.55", "sniper.6")
    assert set(found) <= {f"ca.{rule}" for rule in rules}
    doctor = found["ca.general.39"]
    assert doctor["severity"] == "error"
    assert doctor["rules"] == [{"id": "ca.general.39", "source": "000:51"}]
    assert doctor["message"]["en"] == "Doctor: only with 9 players or more. This set has 6."
    assert "۹" in doctor["message"]["fa"]
    assert not doctor["legal"]
    assert doctor["groups"] == []
    assert "Citizens 5, Mafia 1" in found["ca.general.40"]["message"]["en"]
    # Its setup, decided by itself, is illegal by that very rule.
    verdict = decide(from_data(doctor["night"]), strict=True)
    assert verdict.certain.illegal
    assert "ca.general.39" in {reason.rule for reason in verdict.because if reason.key == "illegal"}


def test_what_hangs_on_a_question_is_that_question_and_nothing_more(capsys: Capture) -> None:
    # Twelve with the moderator, eleven without: whether the moderator counts is open.
    data = told(capsys, "--roles", "don,mafia*3,bartender,citizen*7", "--phase", "setup")
    assert "ca.general.42" not in of_kind(data, "composition")
    assert "ca.q.general.54" in of_kind(data, "ambiguity")


def test_a_ruling_makes_it_certain(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "rulings.yaml"
    file.write_text("rulings:\n  ca.q.general.54: players_only\n", "utf-8")
    arguments = ("--roles", "don,mafia*3,bartender,citizen*7", "--phase", "setup", "--rulings", str(file))
    assert "ca.general.42" in of_kind(told(capsys, *arguments), "composition")


def test_every_scenario_has_a_set_of_its_own(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "two.yaml"
    many = ", ".join(f"C{n}: citizen" for n in range(6))
    file.write_text(
        f"scenarios:\n  - {{phase: setup, players: {{D: don, A: mafia, B: mafia, M: mafia, {many}}}}}\n"
        f"  - {{phase: setup, players: {{S: sniper, A: mafia, B: mafia, {many}}}}}\n",
        "utf-8",
    )
    found = of_kind(told(capsys, str(file), "--phase", "setup"), "composition")
    # The second set has nine players; both together would have eleven.
    assert "ca.sniper.6" in found
    assert len(found["ca.sniper.6"]["night"]["players"]) == 9


def test_all_roles_together_are_no_set(capsys: Capture) -> None:
    report = check(
        ma.Rulebook.load("booklet"),
        all_roles(ma.Rulebook.load("booklet")),
        wanted=Wanted(("setup",), casts=()),
    )
    assert [f for f in report.findings if f.kind == "composition"] == []
    assert main(["check", "--rulebook", "booklet", "--all-roles", "--phase", "setup", "--exit-zero"]) == 0
    assert "Composition" not in capsys.readouterr().out


def test_the_largest_set_is_decided_in_time() -> None:
    book = ma.Rulebook.load("classic_advanced")
    from mafia_asp.check.shape import composition

    before = time.monotonic()
    found, whole = composition(book, [(("don", 1), ("doctor", 40), ("devil", 2), ("citizen", 56))], {})
    assert whole
    assert [f.id for f in found] == ["ca.general.40"]
    assert time.monotonic() - before < 20
    _, whole = composition(book, [(("don", 1), ("citizen", 98))], {}, 0.0)
    assert not whole


# ---- the order of calls --------------------------------------------------------------------------


def test_who_is_called_too_early(capsys: Capture) -> None:
    data = told(capsys, "--roles", CALLED, "--phase", "night")
    found = of_kind(data, "wake-order")
    assert set(found) == {"wakes(detective,framer)", "wakes(detective,hooker)"}
    hooker = found["wakes(detective,hooker)"]
    assert hooker["severity"] == "warning"
    assert [r["id"] for r in hooker["rules"]] == ["ca.detective.4", "ca.general.124", "ca.hooker.4"]
    assert hooker["message"]["en"].startswith("Detective is called before Hooker, but must be told")
    assert set(hooker["night"]["players"].values()) == {"detective", "hooker"}


def test_what_the_night_shows_hangs_on_the_later_act() -> None:
    book = ma.Rulebook.load("classic_advanced")
    report = check(book, role_set([*CALLED.split(",")]), wanted=Wanted(("night",)))
    for finding in report.findings:
        if finding.kind != "wake-order":
            continue
        assert finding.witness is not None
        night = finding.witness.verdict.scenario
        role, later = finding.id[6:-1].split(",")
        roles = {player.name: player.role for player in night.players}
        (asker,) = [name for name, each in roles.items() if each == role]

        def answer(actions: tuple[Action, ...]) -> Any:
            verdict = decide(night._replace(actions=actions), book=book, strict=True)  # noqa: B023
            assert verdict.settled
            return verdict.certain.answers[asker]  # noqa: B023

        less = tuple(action for action in night.actions if roles[action.actor] != later)
        assert answer(night.actions) != answer(less)


def test_two_in_the_rest_have_no_order(capsys: Capture) -> None:
    found = of_kind(told(capsys, "--roles", "sheriff,hooker,citizen", "--phase", "night"), "wake-order")
    assert set(found) == {"wakes(sheriff,hooker)"}
    assert "does not say which of the two comes first" in found["wakes(sheriff,hooker)"]["message"]["en"]


@pytest.mark.parametrize(
    "roles",
    ["don,doctor,sniper,bartender,citizen*3", "don,doctor,sniper*2,citizen*3", "don,detective,doctor"],
)
def test_sets_whose_order_has_no_fault(roles: str, capsys: Capture) -> None:
    assert of_kind(told(capsys, "--roles", roles, "--phase", "night"), "wake-order") == {}


def test_a_list_of_calls_that_leaves_a_role_out(own: Path, capsys: Capture) -> None:
    settings = (own / "rulebook.yaml").read_text("utf-8")
    (own / "rulebook.yaml").write_text(settings.replace("classic_advanced", "booklet"), "utf-8")
    nurse = (own / "nurse.lp").read_text("utf-8")
    (own / "medic.lp").write_text(nurse.replace("nurse", "medic").replace("Nurse", "Medic"), "utf-8")
    order = 'wakes("mine.nurse.2",don,20). wakes("mine.nurse.2",nurse,21).\n'
    (own / "nurse.lp").write_text(nurse + order, "utf-8")
    arguments = ("--rulebook", str(own), "--roles", "don,nurse,medic,citizen", "--phase", "night")
    found = of_kind(told(capsys, *arguments), "wake-order")
    assert set(found) == {"wakes(medic)"}
    assert "has no place in the order" in found["wakes(medic)"]["message"]["en"]
    assert {r["id"] for r in found["wakes(medic)"]["rules"]} >= {"mine.medic.2", "mine.nurse.2"}


# ---- rulings that do nothing ---------------------------------------------------------------------

RULINGS = """\
rulebook: classic_advanced
rulings:
  ca.q.sniper.1: dies
  ca.q.hooker.3: bartender_first
  "stops(save,shot(killer))": true
  ca.q.general.6: plurality
  ca.q.general.23: by_list
"""


def test_rulings_that_no_night_needs(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "rulings.yaml"
    file.write_text(RULINGS, "utf-8")
    roles = ("--roles", "don,doctor,sniper,bartender,citizen", "--rulings", str(file))
    found = of_kind(told(capsys, *roles), "unused-ruling")
    # One settles nights, one is about the day, one comes up and changes nothing, the others never come up.
    assert set(found) == {"ca.q.hooker.3", "stops(save,shot(killer))", "ca.q.general.23"}
    assert found["ca.q.hooker.3"]["place"] == {"file": str(file), "line": 4, "column": 3}
    assert found["ca.q.hooker.3"]["severity"] == "note"
    assert "is not used" in found["ca.q.hooker.3"]["message"]["en"]
    assert "comes up, but no night" in found["ca.q.general.23"]["message"]["en"]
    # Where a phase is left out, nothing is known of a ruling.
    assert of_kind(told(capsys, *roles, "--phase", "night"), "unused-ruling") == {}


# ---- misspelt words ------------------------------------------------------------------------------

TYPOS = """\
%*
role: arsonist
en: Arsonist
fa: آتش‌افروز
*%

%% mine.arsonist.1 | mine:1 | night | rule
%% en: Sets somebody on fire.
%% fa: کسی را آتش می‌زند.
side("mine.arsonist.1",arsonist,independent).
does("mine.arsonist.1",arsonist,ignite,kil).
limit("mine.arsonist.1",arsonist,ignite,per_nigth(1)).
stops("mine.arsonist.2",save,shot(arsonist)).
claim("mine.arsonist.1",refuse(A)) :- said(A,P,ignit), role(P,docter), stauts(drugged,P).
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER / "rulebook", tmp_path / "my_rules"))


def test_misspelt_words_are_told_with_place_and_what_is_near(own: Path, capsys: Capture) -> None:
    (own / "arsonist.lp").write_text(TYPOS, "utf-8")
    arguments = ("--rulebook", str(own), "--roles", "arsonist,nurse,citizen", "--phase", "setup")
    found = of_kind(told(capsys, *arguments), "misspelt-constant")
    places = {id: (f["place"]["line"], f["place"]["column"]) for id, f in found.items()}
    assert places == {
        "effect(kil)": (11, 40),
        "allowance(per_nigth)": (12, 41),
        "rule(mine.arsonist.2)": (13, 7),
        "verb(ignit)": (14, 48),
        "role(docter)": (14, 63),
        "atom(stauts)": (14, 72),
    }
    assert found["role(docter)"]["message"]["en"].endswith("Did you mean doctor?")
    assert found["atom(stauts)"]["message"]["en"].endswith("Did you mean status?")
    assert all(f["place"]["file"].endswith("arsonist.lp") for f in found.values())


def test_a_book_without_slips_has_no_such_finding(own: Path, capsys: Capture) -> None:
    arguments = ("--rulebook", str(own), "--roles", "nurse,citizen", "--phase", "setup")
    assert of_kind(told(capsys, *arguments), "misspelt-constant") == {}


def test_words_of_its_own_are_no_slips(own: Path, capsys: Capture) -> None:
    lines = [
        'does("mine.arsonist.1",arsonist,douse,impose(soaked)).',
        'does("mine.arsonist.1",arsonist,ignite,kill).',
        'standing("mine.arsonist.1",arsonist,immunity(arsonist)).',
        'stops("mine.arsonist.1",immunity(arsonist),shot(don)).',
        'impaired("mine.arsonist.1",soaked,any,any,fails).',
    ]
    (own / "arsonist.lp").write_text("\n".join([*TYPOS.splitlines()[:10], *lines, ""]), "utf-8")
    arguments = ("--rulebook", str(own), "--roles", "arsonist,citizen", "--phase", "setup")
    assert of_kind(told(capsys, *arguments), "misspelt-constant") == {}


def test_a_verb_that_no_book_has_is_told_once_with_the_row_to_write(own: Path, capsys: Capture) -> None:
    lines = [
        'does("mine.arsonist.1",arsonist,burn,kill(fire)).',
        'limit("mine.arsonist.1",arsonist,burn,per_night(1)).',
    ]
    (own / "arsonist.lp").write_text("\n".join([*TYPOS.splitlines()[:10], *lines, ""]), "utf-8")
    arguments = ("--rulebook", str(own), "--roles", "arsonist,citizen", "--phase", "setup")
    (found,) = of_kind(told(capsys, *arguments), "misspelt-constant").items()
    assert found[0] == "verb(burn)"
    row = 'verb(burn, 1, 1, "…", "…").'
    assert found[1]["message"]["en"].endswith(row)
    (own / "words.lp").write_text(row.replace("…", "burn", 1).replace("…", "سوزاندن") + "\n", "utf-8")
    assert of_kind(told(capsys, *arguments), "misspelt-constant") == {}


@pytest.mark.parametrize("name", ["classic_advanced", "booklet"])
def test_the_shipped_books_have_no_misspelt_word(name: str) -> None:
    book = ma.Rulebook.load(name)
    assert misspelt_in(book, book.text_files()) == []


def test_a_slip_in_a_shipped_file_would_be_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    book = ma.Rulebook.load("booklet")
    doctor = tmp_path / "doctor.lp"
    text = Path(book.folder, "doctor.lp").read_text("utf-8")
    doctor.write_text(text.replace("protect(save)", "protect(svae)", 1), "utf-8")
    files = [str(doctor) if Path(file).name == "doctor.lp" else file for file in book.text_files()]
    monkeypatch.setattr(book, "text_files", lambda: files)
    found = misspelt_in(book, files)
    assert found
    assert {finding.id for finding in found} <= {"protection(save)", "protection(svae)"}


# ---- every format, baselines, comparisons, Python --------------------------------------------------


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    file = tmp_path / "rulings.yaml"
    answer = next(iter(ma.Rulebook.load("classic_advanced").question("ca.q.bartender.9").answers))
    file.write_text(f"rulings: {{ca.q.bartender.9: {answer}}}\n", "utf-8")
    return ["check", "--roles", "detective,hooker,citizen", "--rulings", str(file)]


@pytest.mark.parametrize("form", ["text", "markdown", "junit", "github", "sarif"])
@pytest.mark.parametrize("lang", ["en", "fa"])
def test_every_format_shows_them(form: str, lang: str, arguments: list[str], capsys: Capture) -> None:
    assert main([*arguments, "--format", form, "--lang", lang, "--exit-zero"]) == 0
    out = capsys.readouterr().out
    ids = ["wakes(detective,hooker)", "ca.general.192", "ca.q.bartender.9"]
    if form == "github":
        ids[0] = "wakes(detective%2Chooker)"
    assert all(id in out for id in ids)
    if form == "sarif":
        results = {r["properties"]["id"]: r for r in json.loads(out)["runs"][0]["results"]}
        at = results["wakes(detective,hooker)"]["locations"][0]["physicalLocation"]
        assert at["artifactLocation"]["uri"] == "encodings/classic_advanced/detective.lp"
        at = results["ca.q.bartender.9"]["locations"][0]["physicalLocation"]
        assert (at["region"]["startLine"], at["region"]["startColumn"]) == (1, 11)
    if form == "junit":
        suite = next(iter(JUnitXml.fromstring(out.encode())))
        names = {case.name for case in suite}
        assert {"wake-order(wakes(detective,hooker))", "unused-ruling(ca.q.bartender.9)"} <= names


def test_they_can_be_accepted_and_compared(arguments: list[str], tmp_path: Path, capsys: Capture) -> None:
    known, before = tmp_path / "accepted.yaml", tmp_path / "before.json"
    assert main([*arguments, "--format", "json", "-o", str(before), "--exit-zero"]) == 0
    assert main([*arguments, "--baseline", str(known), "--update-baseline"]) == 0
    text = known.read_text("utf-8")
    for identity in ("wake-order(wakes(detective,hooker))", "composition(ca.general.192)"):
        assert identity in text
    capsys.readouterr()
    less = ["check", "--roles", "detective,citizen*2", *arguments[3:]]
    assert main([*less, "--baseline", str(known), "--format", "json", "--exit-zero"]) == 0
    data = json.loads(capsys.readouterr().out)
    gone = {f["id"] for f in data["findings"] if f["kind"] == "unused-acceptance"}
    assert "wake-order(wakes(detective,hooker))" in gone
    assert main([*less, "--diff", str(before), "--format", "json", "--exit-zero"]) == 0
    lost = {f["identity"] for f in json.loads(capsys.readouterr().out)["diff"]["lost"]}
    assert "wake-order(wakes(detective,hooker))" in lost


def test_the_python_interface() -> None:
    book = ma.Rulebook.load("classic_advanced")
    report = book.check(
        ["Don", "دکتر", "sniper", "bartender"], rulings={"ca.q.sniper.1": "dies"}, phases=["night"]
    )
    assert report.complete
    assert report.roles == (("don", 1), ("doctor", 1), ("sniper", 1), ("bartender", 1))
    assert "ca.q.sniper.1" not in {finding.id for finding in report.findings}
    assert not {finding.kind for finding in report.findings} & {"composition", "wake-order"}
    for wrong in (["snipper"], ["don", ""]):
        with pytest.raises(InputError):
            book.check(wrong)
    with pytest.raises(InputError) as error:
        book.check(["don"], rulings={"ca.q.sniper.1": "flies"})
    assert "flies" in str(error.value)


@pytest.mark.parametrize("phases", ["nite", ["dawn"], ["night", "vote"]])
def test_phases_that_are_not_searched_are_refused(phases: object) -> None:
    with pytest.raises(InputError) as refused:
        ma.Rulebook.load("booklet").check(["don"], phases=phases)  # type: ignore[arg-type]
    assert [fault.code for fault in refused.value.faults] == ["value.choice"]


@pytest.mark.parametrize("target", ["-", "nowhere/accepted.yaml"])
def test_a_baseline_that_cannot_be_written_is_refused_before_the_search(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["check", "--roles", "don", "--baseline", target, "--update-baseline"]) == 2
    assert list(tmp_path.iterdir()) == []
