"""What is said of a check: every format, explanations, accepted findings, baselines, comparisons."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import yaml
from junitparser import JUnitXml
from samples import sarif_schema

from mafia_asp import InputError, Rulebook, Verdict, cli, decide
from mafia_asp.check import KINDS, Finding, Report, Settlement, Witness, baseline
from mafia_asp.check.kinds import TEXTS
from mafia_asp.commands.schema import FOLDER
from mafia_asp.i18n import language
from mafia_asp.model import Action, Place, Player, Scenario
from mafia_asp.render.check import (
    check_text,
    put_diff,
    report_data,
    report_github,
    report_json,
    report_junit,
    report_markdown,
    report_sarif,
)
from mafia_asp.render.check.words import night_lines
from mafia_asp.render.json import dumps
from mafia_asp.render.layout import Page
from mafia_asp.render.markdown import code
from mafia_asp.render.words import Words
from mafia_asp.rulings import read_rulings
from mafia_asp.scenario import from_data, parse_inline, read_scenarios

BOOK = Rulebook.load("classic_advanced")
QUESTION = "ca.q.sniper.1"
CIRCLE = "circle(even,drug,steal)"
CHASE = BOOK.question(CIRCLE).en
GAP = "stops(save,shot(killer))"


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C")


@cache
def night(kind: str) -> Verdict:
    shown = TEXTS[kind].night
    assert shown
    return decide(parse_inline(*shown), strict=True)


def contradiction(**changes: Any) -> Finding:
    found = Finding(
        "contradiction",
        QUESTION,
        ("ca.sniper.16", "ca.bartender.10"),
        Witness(night("contradiction"), ("ca.general.22",)),
        (
            Settlement("dies", f"{QUESTION}: dies", (QUESTION,)),
            Settlement("misses", f"{QUESTION}: misses", (QUESTION, "ca.q.don.1")),
        ),
    )
    return found._replace(**changes)


def circle() -> Finding:
    line = f'"{CIRCLE}": drug'
    return Finding(
        "circle", CIRCLE, ("ca.thief.6",), Witness(night("circle")), (Settlement("drug", line, (CIRCLE,)),)
    )


def dead_rule() -> Finding:
    return Finding("dead-rule", "ca.sniper.15", ("ca.sniper.15",))


def report(*findings: Finding, **more: Any) -> Report:
    return Report("classic_advanced", (("don", 1), ("citizen", 2)), findings, **{"deep": True, **more})


def said(found: Report, lang: str = "en", harmless: bool = False) -> str:
    with language(lang):
        page = Page(lang=lang, width=90)
        check_text(page, found, BOOK, harmless)
        return page.text()


# --- text ---------------------------------------------------------------------------------------------

ENGLISH = """\
Role set: Don, Citizen (2)

Contradictions

ca.q.sniper.1
  error: Does a drugged Sniper who fires die, or does his shot merely miss?
    If he fires while drugged by the Bartender, the Thief has not named the Bartender and
    the Doctor has not saved the Sniper, the Sniper himself dies. [ca.sniper.16\u00a0·\u00a0000:150]
    A drugged Sniper's shot fails. [ca.bartender.10\u00a0·\u00a0000:245]

  The smallest night that shows it:
    Mina (Bartender) drugs Sara (Sniper). Sara shoots Ali (Don).
    Its players alone would be no legal cast; they break:
      The Mafia team is the smaller one, the citizens are the majority.
      [ca.general.22\u00a0·\u00a0000:41]

  dies → Sara dies
  misses → Sara lives

  To settle it, add one of these lines under rulings:
    ca.q.sniper.1: dies
    ca.q.sniper.1: misses
      closes: ca.q.sniper.1, ca.q.don.1

1 finding: 1 error.
""".replace("\u00a0", " ")


def test_a_finding_in_english() -> None:
    assert said(report(contradiction())) == ENGLISH


def test_a_finding_in_persian() -> None:
    lines = [line.strip() for line in said(report(contradiction()), "fa").splitlines()]
    at = lines.index("کوچک‌ترین شبی که نشانش می‌دهد:")
    assert lines[at + 1].startswith("\u2068Mina\u2069 (ساقی) \u2068Sara\u2069 (تک‌تیرانداز) را مست می‌کند.")
    assert "\u2068dies\u2069 ← \u2068Sara\u2069 کشته می‌شود" in lines
    # What is copied stands bare.
    assert QUESTION in lines
    assert f"{QUESTION}: misses" in lines
    assert lines[-1] == "۱ یافته: ۱ خطا."


def test_the_worst_come_first_and_each_kind_has_its_heading() -> None:
    lines = said(report(dead_rule(), circle(), contradiction())).splitlines()
    headings = [line for line in lines if line in {text.heading for text in TEXTS.values()}]
    assert headings == ["Contradictions", "Circles", "Dead rules"]
    assert lines[-1] == "3 findings: 2 errors, 1 note."
    assert "  drug / nobody / wake_order → Omid is saved; announce:" in "\n".join(lines)
    assert "    Its players alone are a legal cast." in lines


def test_several_questions_are_a_tree() -> None:
    verdict = decide(
        parse_inline(
            "Ali=don, Sara=bartender, Reza=thief, Omid=sniper",
            "Sara drug Omid; Reza steal Ali Sara; Omid shoot Ali",
        ),
        strict=True,
    )
    text = said(report(Finding("ambiguity", "ca.q.bartender.4", witness=Witness(verdict))))
    assert "Reza (Thief) steals from Ali (Don) onto Sara." in text
    assert "  ca.q.bartender.4\n    either_name →\n      ca.q.don.1\n" in text


def test_derived_ids_are_said_by_what_meets_there() -> None:
    text = said(
        report(
            Finding("gap", GAP),
            Finding("gap", "impaired(drugged,save)"),
            Finding("gap", "lasts(blocked)"),
            Finding("contradiction", "ca.hooker.5~ca.sniper.16", ("ca.hooker.5", "ca.sniper.16")),
            Finding("gap", "no such(thing"),
        )
    )
    assert "Does the protection (save) stop the shot of the Killer?" in " ".join(text.split())
    assert "Does an act (save) still work under this: drugged?" in text
    assert "Does this last beyond its night: blocked?" in text
    assert "Two rules meet here" in text
    assert "ca.hooker.5 ·" in text


@pytest.mark.parametrize(
    ("more", "last"),
    [
        ({}, ["No findings."]),
        (
            {"harmless": (dead_rule(),)},
            ["No findings.", "1 point that changes no outcome is left out; --harmless shows it."],
        ),
        (
            {"undecided": (GAP, QUESTION)},
            [
                "Nothing found so far; not everything was looked into.",
                f"2 points were not decided: {GAP}, {QUESTION}",
            ],
        ),
        (
            {"complete": False},
            [
                "Nothing found so far; not everything was looked into.",
                "The search was not finished: there may be more points than these.",
            ],
        ),
        ({"ruled": ((QUESTION, "dies"),)}, ["No findings.", f"1 point is settled by a ruling: {QUESTION}"]),
    ],
)
def test_no_findings_is_said_only_after_a_whole_search(more: dict[str, Any], last: list[str]) -> None:
    assert said(report(**more)).splitlines()[2:] == last


def test_what_is_accepted_is_counted_and_not_shown() -> None:
    text = said(report(contradiction(accepted="We roll a die.")))
    assert text.splitlines()[2:] == ["No findings beside those that are accepted.", "1 finding is accepted."]


def test_harmless_points_on_request() -> None:
    text = said(report(harmless=(Finding("gap", GAP, harmless=True),)), harmless=True)
    assert f"Points that change no outcome\n\n{GAP}\n  note: Does" in text
    assert "--harmless" not in text


def test_every_kind_has_a_sentence_and_heading_in_both_languages() -> None:
    for lang in ("en", "fa"):
        for kind in KINDS:
            assert said(report(Finding(kind, "ca.don.4")), lang).count("\n") > 5


# --- the night in prose -------------------------------------------------------------------------------


def test_state_and_earlier_nights_are_told() -> None:
    scenario = Scenario(
        "classic_advanced",
        (
            Player("Ali", "don"),
            Player("Sara", "sniper", counts={"bullets": 1}, items=("armor",)),
            Player("Reza", "doctor", alive=False),
            Player("Mina", "citizen", was={"role": "doctor"}),
        ),
        actions=(
            Action("mafia", "shoot", ("Sara",), {"votes": ("Ali",)}),
            Action("Sara", "shoot", ("nobody",)),
            Action("Mina", "explode", ("Ali",)),
        ),
        last_night=(Action("Ali", "silence", ("Mina",)),),
    )
    with language("en"):
        lines = night_lines(scenario, Words.for_scenario(scenario, BOOK, "en"))
    assert lines == [
        "The night before: Ali (Don) silences Mina (Citizen).",
        "The Mafia shoots Sara (Sniper) (votes: Ali). Sara names nobody (shoot). Mina: explode Ali.",
        "Also in play: Reza (Doctor).",
        "Sara has: armor",
        "Sara: bullets left: 1",
        "Reza is out of the game already",
        "Mina: role: Doctor",
    ]


# --- JSON ---------------------------------------------------------------------------------------------


def whole() -> Report:
    return report(
        contradiction(),
        circle(),
        Finding("gap", GAP, ("ca.killer.3",), accepted="It never comes up."),
        dead_rule(),
        Finding(
            "unused-acceptance",
            f"gap({GAP})",
            message=("accepted.unused", (("identity", f"gap({GAP})"),)),
            place=Place("base line.yaml", 3, 5),
        ),
        harmless=(Finding("gap", "lasts(blocked)", harmless=True),),
        undecided=("ca.q.don.1",),
        ruled=(("ca.q.don.3", "x"),),
    )


def schema(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def test_json_is_as_its_schema_says() -> None:
    data = json.loads(report_json(whole(), BOOK))
    jsonschema.Draft202012Validator.check_schema(schema("findings").schema)
    schema("findings").validate(data)
    assert data["counts"] == {
        "error": 2,
        "warning": 0,
        "note": 2,
        "accepted": 1,
        "harmless": 1,
        "undecided": 1,
    }
    first = data["findings"][0]
    assert first["identity"] == f"contradiction({QUESTION})"
    assert first["rules"][1] == {"id": "ca.bartender.10", "source": "000:245"}
    assert (first["legal"], first["breaks"]) == (False, ["ca.general.22"])
    assert [r["outcome"]["dead"] for r in first["groups"][0]["readings"]] == [["Sara"], []]
    assert first["settlements"][0] == {
        "answer": "dies",
        "ruling": f"{QUESTION}: dies",
        "closes": [QUESTION],
    }
    assert data["findings"][4]["place"] == {
        "file": "base line.yaml",
        "line": 3,
        "column": 5,
    }
    assert data["findings"][4]["question"] is None


@pytest.mark.parametrize("key", ["kind", "identity", "night", "settlements"])
def test_the_schema_misses_what_is_missing(key: str) -> None:
    data = json.loads(report_json(whole(), BOOK))
    del data["findings"][0][key]
    with pytest.raises(jsonschema.ValidationError):
        schema("findings").validate(data)


def test_json_is_the_same_in_every_language_and_run() -> None:
    with language("fa"):
        persian = report_json(whole(), BOOK), report_sarif(whole(), BOOK)
    assert persian == (report_json(whole(), BOOK), report_sarif(whole(), BOOK))


def test_the_night_is_a_scenario_that_shows_the_finding(tmp_path: Path) -> None:
    for position in (0, 1):
        found = report_data(whole(), BOOK)["findings"][position]
        schema("scenario").validate(found["night"])
        file = tmp_path / f"{position}.json"
        file.write_text(dumps(found["night"]), encoding="utf-8")
        (scenario,) = read_scenarios(file)
        assert from_data(found["night"])._replace(place=None).rulebook == scenario.rulebook
        assert [q.id for q in decide(scenario).open] == [found["id"]]
        assert cli.main(["night", str(file), "-o", str(tmp_path / "answer.txt")]) == 1


def test_the_line_to_paste_is_a_ruling(tmp_path: Path) -> None:
    lines = [s["ruling"] for f in report_data(whole(), BOOK)["findings"] for s in f["settlements"]]
    file = tmp_path / "rulings.yaml"
    file.write_text(f"rulings:\n  {lines[0]}\n  {lines[-1]}\n", encoding="utf-8")
    assert read_rulings(file, BOOK).answers == {QUESTION: "dies", CIRCLE: "drug"}


# --- SARIF --------------------------------------------------------------------------------------------


def test_sarif_is_as_the_published_schema_says() -> None:
    published = sarif_schema()
    for found in (whole(), report(), report(complete=False)):
        jsonschema.Draft4Validator(published).validate(json.loads(report_sarif(found, BOOK)))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(published).validate({"version": "2.1.0", "runs": [{"results": []}]})


def test_sarif_says_where_and_what(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    run = json.loads(report_sarif(whole(), BOOK))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [r["id"] for r in rules] == list(KINDS)
    first, _second, accepted, _dead, unused = run["results"]
    assert rules[first["ruleIndex"]]["id"] == first["ruleId"] == "contradiction"
    assert first["level"] == "error"
    assert first["partialFingerprints"] == {"mafiaAspFinding/v1": f"contradiction({QUESTION})"}

    def where(location: Any) -> tuple[str, str]:
        at = location["physicalLocation"]
        file = Path(BOOK.folder).parent.parent / at["artifactLocation"]["uri"]
        line = file.read_text(encoding="utf-8").splitlines()[at["region"]["startLine"] - 1]
        return at["artifactLocation"]["uri"], line.split("|")[0]

    assert where(first["locations"][0]) == ("encodings/classic_advanced/sniper.lp", "%% ca.sniper.16 ")
    assert where(first["relatedLocations"][0]) == (
        "encodings/classic_advanced/bartender.lp",
        "%% ca.bartender.10 ",
    )
    assert "Mina (Bartender) drugs Sara (Sniper)." in first["message"]["text"]
    assert accepted["suppressions"][0]["justification"] == "It never comes up."
    assert unused["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "base%20line.yaml"
    assert run["invocations"][0]["executionSuccessful"] is False


# --- GitHub -------------------------------------------------------------------------------------------


def test_annotations() -> None:
    lines = report_github(whole(), BOOK).splitlines()
    assert [line.partition(" ")[0] for line in lines] == [
        "::error",
        "::error",
        "::notice",
        "::notice",
        "::warning",
    ]
    place = BOOK.rule("ca.sniper.16").place
    at = f"file=encodings/classic_advanced/sniper.lp,line={place.line},col=1"
    assert lines[0].startswith(f"::error {at},title=contradiction%3A {QUESTION}::Does a drugged Sniper")
    assert "title=circle%3A circle(even%2Cdrug%2Csteal)::" in lines[1]
    assert report_github(report(), BOOK) == ""


def odd() -> Report:
    """A report with names that mean something in every format."""
    people = {"a::b%,]]>": "don", "`|*<i>\u202f": "bartender", "علی": "sniper"}
    scenario = from_data(
        {
            "rulebook": "classic_advanced",
            "title": "]]>\u2028```\n::error::",
            "players": people,
            "actions": [{"`|*<i>\u202f": {"drug": "علی"}}, {"علی": {"shoot": "a::b%,]]>"}}],
        }
    )
    place = Place("a,b:c%\n::x.lp", 2, 1)
    return report(
        contradiction(witness=Witness(decide(scenario, strict=True)), place=place),
        Finding("misspelt-constant", "x`y``\n::error::]]>\x1b[31m", accepted="because ]]> \x00 50%\n"),
    )


def test_odd_names_stay_within_their_place() -> None:
    annotations = report_github(odd(), BOOK)
    assert annotations.count("\n") == 1
    assert "file=" in annotations
    head = annotations.split("::", 2)[1]
    assert "%25%0A%3A%3Ax.lp,line=2" in head
    assert "a::b%25,]]> (Don)" in annotations

    root = ET.fromstring(report_junit(odd(), BOOK))
    assert "a::b%,]]> (Don)" in (root.find(".//failure").text or "")  # type: ignore[union-attr]
    assert len(root.findall(".//testcase")) == 2
    assert root.find(".//skipped").get("message", "").startswith("because ]]>")  # type: ignore[union-attr]

    markdown = report_markdown(odd(), BOOK, "en")
    assert "\\`\\|\\*\\<i\\>" in markdown
    block = markdown.partition("```yaml\n")[2].partition("\n```\n")[0]
    assert from_data(yaml.load(block, yaml.CSafeLoader)).players[0].name == "a::b%,]]>"

    jsonschema.Draft4Validator(sarif_schema()).validate(json.loads(report_sarif(odd(), BOOK)))
    schema("findings").validate(json.loads(report_json(odd(), BOOK)))
    for lang in ("en", "fa"):
        text = said(odd()._replace(findings=tuple(f._replace(accepted="") for f in odd().findings)), lang)
        assert "\x1b" not in text
        assert text.count("\u2068") == text.count("\u2069") > 0


def test_code_in_markdown() -> None:
    assert code("a") == "`a`"
    assert code("a`b``c") == "```a`b``c```"
    assert code("`a\nb") == "`` `a\ufffdb ``"


# --- Markdown and JUnit ---------------------------------------------------------------------------------


def test_markdown() -> None:
    text = report_markdown(whole(), BOOK, "en", show_harmless=True)
    assert text.startswith(
        "## Check of classic\\_advanced\n\nRole set: Don, Citizen (2)\n\n**4 findings: 2 errors, 2 notes.**\n"
    )
    assert f"| `{QUESTION}: dies` | Sara dies |" in text
    assert "> Mina (Bartender) drugs Sara (Sniper). Sara shoots Ali (Don).  \n" in text
    assert "- `lasts(blocked)`: Does this last" in text
    assert report_markdown(whole(), BOOK, "fa").startswith("## بررسی")


def test_junit() -> None:
    parsed = JUnitXml.fromstring(report_junit(whole(), BOOK).encode())
    # Two errors fail, two notes pass, one is accepted; and what was not decided is an error.
    assert (parsed.tests, parsed.failures, parsed.errors, parsed.skipped) == (6, 2, 1, 1)
    cases = [case for suite in parsed for case in suite]
    assert cases[0].name == f"contradiction({QUESTION})"
    assert next(c for c in cases if c.is_skipped).result[0].message == "It never comes up."
    none = JUnitXml.fromstring(report_junit(report(), BOOK).encode())
    assert (none.tests, none.failures, none.errors, none.skipped) == (1, 0, 0, 0)
    assert next(iter(next(iter(none)))).name == "No findings."


# --- explain --------------------------------------------------------------------------------------------


def explain(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    status = cli.main(["explain", *args])
    out, err = capsys.readouterr()
    return status, out, err


def test_kinds_are_listed_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = explain(capsys)
    assert status == 0
    assert [line.split()[0] for line in out.splitlines() if not line.startswith(" ")] == list(KINDS)
    out = explain(capsys, "gap")[1]
    assert out.startswith("gap (warning)\n  Two things meet,")
    for heading in ("Why it hurts", "For example", "How to settle it"):
        assert f"\n{heading}\n" in out
    assert explain(capsys, "تناقض", "--lang", "fa")[1].startswith("\u2068contradiction\u2069 · تناقض (خطا)")


@pytest.mark.parametrize(
    ("name", "kind", "about"),
    [
        ("Wake order", "wake-order", None),
        (f"gap({GAP})", "gap", GAP),
        ("gap( stops(save, shot(killer)) )", "gap", GAP),
        (CIRCLE, "circle", CIRCLE),
        (QUESTION, "contradiction", QUESTION),
        ("ca.q.bartender.9", "circle", "ca.q.bartender.9"),
        ("ca.hooker.5~ca.sniper.16", "contradiction", "ca.hooker.5~ca.sniper.16"),
        ("dead-rule(ca.sniper.15)", "dead-rule", "ca.sniper.15"),
        ("ca.sniper.15", None, "ca.sniper.15"),
    ],
)
def test_a_finding_leads_to_its_kind_and_its_rules(
    capsys: pytest.CaptureFixture[str], name: str, kind: str | None, about: str | None
) -> None:
    status, out, _err = explain(capsys, name, "--format", "json")
    data = json.loads(out)
    assert (status, [k["kind"] for k in data["kinds"]], data.get("about")) == (
        0,
        [kind] if kind else [],
        about,
    )
    if about:
        assert "\n  mafia-asp rules " in "\n" + explain(capsys, name)[1]
        assert cli.main(["rules", about]) == 0


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("contradicton", "contradiction"),
        ("ca.q.snipr.1", QUESTION),
        ("???", "contradiction, circle"),
        (f"gap({QUESTION})", f"contradiction({QUESTION})"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str], name: str, near: str
) -> None:
    status, out, err = explain(capsys, name)
    assert (status, out) == (2, "")
    assert near in err


@pytest.mark.parametrize("kind", [kind for kind, text in TEXTS.items() if text.night])
def test_examples_are_real(kind: str) -> None:
    asked = [q.id for q in night(kind).open]
    assert len(asked) == 1
    named = BOOK.questions.get(asked[0])
    assert (named.kind if named else night(kind).open[0].kind) == kind


# --- accepted findings ------------------------------------------------------------------------------------

ACCEPTED = f"""\
# Our table.
rulebook: classic_advanced
accepted:
  "contradiction({QUESTION})": We roll a die.   # since March
baseline:
  # the old ones
  - "gap(stops( save, shot(killer)))"
  - "dead-rule(ca.sniper.15)"   # mend it
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "accepted.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_what_is_accepted_is_marked_and_the_rest_of_the_list_is_a_finding(tmp_path: Path) -> None:
    accepted = baseline.read_accepted(written(tmp_path, ACCEPTED), BOOK)
    assert accepted.baseline == (f"gap({GAP})", "dead-rule(ca.sniper.15)")
    found = baseline.apply(report(contradiction(), circle(), dead_rule()), accepted)
    assert [f.accepted for f in found.findings] == [
        "We roll a die.",
        "",
        "It stood in the baseline.",
        "",
    ]
    part = baseline.apply(report(contradiction(), circle(), dead_rule(), every_phase=False), accepted)
    assert part.findings == found.findings[:-1]  # it may be one of another phase
    unused = found.findings[-1]
    assert (unused.kind, unused.id) == ("unused-acceptance", f"gap({GAP})")
    assert unused.place == Place(str(tmp_path / "accepted.yaml"), 7, 5)
    text = said(found)
    assert f"gap({GAP}) is accepted, and is not found any more." in " ".join(text.split())
    with language("fa"):
        assert "در خط مبنا بود." in report_junit(found, BOOK, "fa")


@pytest.mark.parametrize(
    "more",
    [
        {"undecided": (GAP,)},
        {"complete": False},
        {"harmless": (Finding("gap", GAP, harmless=True),)},
    ],
)
def test_what_may_only_not_have_been_found_is_not_reported(tmp_path: Path, more: dict[str, Any]) -> None:
    accepted = baseline.read_accepted(written(tmp_path, ACCEPTED), BOOK)
    found = baseline.apply(report(contradiction(), dead_rule(), **more), accepted)
    assert [f.kind for f in found.findings] == ["contradiction", "dead-rule"]


@pytest.mark.parametrize(
    ("text", "place", "part"),
    [
        ("accepted: {contradicton(x): y}", "1:12", "Did you mean contradiction?"),
        ("accepted: {contradiction: y}", "1:12", "names no finding"),
        ('accepted: {"contradiction(x)": }', "1:", "needs a reason"),
        ('accepted: {"contradiction(x)": "  "}', "1:32", "needs a reason"),
        ('accepted: {"gap(x)": [a]}', "1:22", "needs a word"),
        ('accepted:\n  "gap(x)": y\nbaseline: ["gap(x)"]', "3:12", "the first is in line 2"),
        ('accepted:\n  "gap(x)": y\n  "gap(x)": z', "3:3", "stands twice"),
        ("baseline: {a: b}", "1:11", "needs a list"),
        ("baseline: [[a]]", "1:12", "needs a word"),
        ("rulebook: booklet\nbaseline: []", "1:11", "classic_advanced is checked"),
        ("rulebook: nowhere\nbaseline: []", "1:11", "nowhere"),
        ("acepted: {}", "1:1", "Did you mean accepted?"),
        ("- a", "1:1", "map"),
        ("baseline: &a []", "1:11", "Anchors"),
        ("baseline:\n  - gap(" + "x" * 600 + ")", "2:5", "names no finding"),
        ('baseline: ["gap(a\\nb)"]', "1:12", "names no finding"),
    ],
)
def test_hostile_files_are_told_with_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, place: str, part: str
) -> None:
    # By a short name: what is shown of a longer one is cut, wherever the folder of the test lies.
    monkeypatch.chdir(tmp_path)
    file = written(tmp_path, text).relative_to(tmp_path)
    with pytest.raises(InputError) as caught:
        baseline.read_accepted(file, BOOK)
    assert f"{file}:{place}" in str(caught.value)
    assert part in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        baseline.read_accepted(tmp_path / "none.yaml", BOOK)


# --- baselines --------------------------------------------------------------------------------------------


def test_a_baseline_is_made_and_renewed(tmp_path: Path) -> None:
    file = tmp_path / "new.yaml"
    assert baseline.update_baseline(file, report(dead_rule(), contradiction()), BOOK) == 2
    assert file.read_text(encoding="utf-8") == (
        "# What this table has accepted.\nrulebook: classic_advanced\nbaseline:\n"
        f'  - "contradiction({QUESTION})"\n  - "dead-rule(ca.sniper.15)"\n'
    )
    again = baseline.apply(report(dead_rule(), contradiction()), baseline.read_accepted(file, BOOK))
    assert all(f.accepted for f in again.findings)
    assert baseline.update_baseline(file, report(), BOOK) == 0
    assert file.read_text(encoding="utf-8").endswith("baseline: []\n")
    assert baseline.update_baseline(file, report(dead_rule()), BOOK) == 1
    assert os.listdir(tmp_path) == ["new.yaml"]


def test_reasons_and_comments_stay(tmp_path: Path) -> None:
    file = written(tmp_path, ACCEPTED + "# the end\n")
    found = baseline.apply(report(contradiction(), circle(), dead_rule()), baseline.read_accepted(file, BOOK))
    assert baseline.update_baseline(file, found, BOOK) == 2
    text = file.read_text(encoding="utf-8")
    assert f'  "contradiction({QUESTION})": We roll a die.   # since March\n' in text
    assert text.endswith(
        f'baseline:\n  - "circle({CIRCLE})"\n  - "dead-rule(ca.sniper.15)"   # mend it\n# the end\n'
    )
    # Renewed again, nothing changes.
    baseline.update_baseline(file, found, BOOK)
    assert file.read_text(encoding="utf-8") == text


def test_what_was_not_looked_into_stays_in_the_baseline(tmp_path: Path) -> None:
    file = written(tmp_path, ACCEPTED)
    baseline.update_baseline(file, report(undecided=(GAP,)), BOOK)
    assert baseline.read_accepted(file, BOOK).baseline == (f"gap({GAP})",)


@pytest.mark.parametrize(
    "text",
    [
        'rulebook: classic_advanced\nbaseline:\n- "gap(x)"\naccepted: {"gap(y)": z}\n',
        'baseline: ["gap(x)", "gap(w)"]\naccepted: {"gap(y)": z}\n',
        'baseline:\n  ["gap(x)",\n   "gap(w)"]\naccepted: {"gap(y)": z}\n',
        'accepted: {"gap(y)": z}\nbaseline:   # ours\n',
        'accepted: {"gap(y)": z}\nbaseline: []   # ours',
        'accepted: {"gap(y)": z}',
        'accepted:\r\n  "gap(y)": z\r\nbaseline:\r\n  - "gap(x)"\r\n',
        'baseline: null\naccepted: {"gap(y)": z}\n',
    ],
)
def test_however_a_list_is_written(tmp_path: Path, text: str) -> None:
    file = written(tmp_path, text)
    baseline.update_baseline(file, report(dead_rule(), Finding("gap", "y")), BOOK)
    after = baseline.read_accepted(file, BOOK)
    assert after.baseline == ("dead-rule(ca.sniper.15)",)
    assert after.reasons == {"gap(y)": "z"}
    assert ("# ours" in text) == ("# ours" in file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "text",
    [
        '{"baseline": ["gap(x)"]}',
        'baseline: [\n  "gap(x)",  # why\n]\n',
        'baseline:\n  - "gap(\n    x)"\n',
    ],
)
def test_what_cannot_be_renewed_with_certainty_is_left_alone(tmp_path: Path, text: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(InputError):
        baseline.update_baseline(file, report(dead_rule()), BOOK)
    assert file.read_text(encoding="utf-8") == text


# --- comparing ----------------------------------------------------------------------------------------------


def compared(folder: Path, before: Report, now: Report) -> baseline.Diff:
    file = folder / "base.json"
    file.write_text(report_json(before, BOOK), encoding="utf-8")
    return baseline.diff(report_data(now, BOOK), baseline.read_base(file, BOOK))


def test_what_came_and_what_went(tmp_path: Path) -> None:
    diff = compared(tmp_path, report(contradiction(), dead_rule()), report(dead_rule(), circle()))
    assert [f["identity"] for f in diff.gained] == [f"circle({CIRCLE})"]
    assert [f["identity"] for f in diff.lost] == [f"contradiction({QUESTION})"]
    page = Page(width=200)
    with language("en"):
        put_diff(page, diff)
    assert page.text() == (
        f"Compared with {tmp_path / 'base.json'}\n"
        f"  New: 1\n    circle({CIRCLE})\n"
        f"      error: {CHASE}\n"
        f"  Gone: 1\n    contradiction({QUESTION})\n"
        "      error: Does a drugged Sniper who fires die, or does his shot merely miss?\n"
    )
    data = json.loads(report_json(report(dead_rule(), circle()), BOOK, diff))
    schema("findings").validate(data)
    assert data["diff"]["lost"][0]["id"] == QUESTION
    same = compared(tmp_path, whole(), whole())
    assert (same.gained, same.lost, same.undecided) == ((), (), ())


@pytest.mark.parametrize("more", [{"undecided": (QUESTION,)}, {"complete": False}])
def test_what_was_not_looked_into_is_not_gone(tmp_path: Path, more: dict[str, Any]) -> None:
    diff = compared(tmp_path, report(contradiction()), report(**more))
    assert (diff.lost, [f["id"] for f in diff.undecided]) == ((), [QUESTION])
    with language("fa"):
        page = Page(lang="fa")
        put_diff(page, diff)
        assert "قبلاً پیدا شده و این بار بررسی نشده: ۱" in page.text()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[]", "1:1: This is not the JSON of a check."),
        ('{"format": 1}', "1:1: This is not the JSON of a check."),
        ('{"format": 2, "rulebook": "classic_advanced", "findings": []}', "This is format 2"),
        ('{"format": true, "rulebook": "classic_advanced", "findings": []}', "This is format"),
        ('{"format": 1, "rulebook": "booklet", "findings": []}', "of the rulebook booklet"),
        ('{"format": 1, "rulebook": "classic_advanced", "findings": {}}', "needs a list"),
        (
            '{"format": 1, "rulebook": "classic_advanced", "findings": [{"identity": "a(b)"}]}',
            "not a finding",
        ),
        ('{"format": 1, "rulebook": "classic_advanced", "findings": [3]}', "map"),
        ("findings: []", "not JSON"),
        ("[" * 5000, "nested"),
    ],
)
def test_what_is_no_earlier_check(tmp_path: Path, text: str, part: str) -> None:
    file = tmp_path / "base.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        baseline.read_base(file, BOOK)
    assert part in str(caught.value)
    assert str(file) in str(caught.value)


def test_reports_are_the_same_whatever_the_hash_seed(tmp_path: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import test_check_reports as t\n"
        "r = t.whole()\n"
        "print(t.report_json(r, t.BOOK), t.report_sarif(r, t.BOOK), t.report_junit(r, t.BOOK), t.said(r))\n"
    )
    folder = str(Path(__file__).parent)
    printed = {
        subprocess.run(
            [sys.executable, "-c", program, folder],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
