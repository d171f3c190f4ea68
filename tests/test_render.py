"""What is said about a verdict: text, Markdown, JSON, JUnit."""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from junitparser import JUnitXml
from samples import QUESTION, opened, refused, scenario, settled

from mafia_asp.commands.schema import FOLDER as SCHEMAS
from mafia_asp.decision import Fork, Leaf
from mafia_asp.i18n import language
from mafia_asp.model import Group, GroupReading, OpenQuestion, Player, Reason, Verdict
from mafia_asp.render import text
from mafia_asp.render.answer import Origins, quoted, ruling_line
from mafia_asp.render.json import dumps, verdict_data
from mafia_asp.render.junit import junit_xml
from mafia_asp.render.layout import Page, clean, isolate, page, width_of
from mafia_asp.render.markdown import listed, verdict_markdown
from mafia_asp.render.words import Words
from mafia_asp.rulebook import Rulebook
from mafia_asp.suite import Result

BOOK = Rulebook.load("classic_advanced")
SECOND = "circle(odd,drug)"


def said(verdict: Verdict, lang: str = "en", width: int = 70) -> str:
    with language(lang):
        sheet = Page(lang=lang, width=width)
        text.put_verdict(sheet, verdict, Words.for_scenario(verdict.scenario, BOOK, lang))
        return sheet.text()


def lines_of(verdict: Verdict, lang: str = "en") -> list[str]:
    return [line.strip() for line in said(verdict, lang).splitlines()]


# --- the answer to a night ------------------------------------------------------------------------


def test_a_settled_night() -> None:
    lines = lines_of(settled())
    order = [
        "A drugged Sniper fires · night 2",
        "Settled.",
        "At dawn, announce",
        "Dead",
        "Tell",
        "Silent tomorrow",
        "Changed",
    ]
    assert [lines.index(x) for x in order] == sorted(lines.index(x) for x in order)
    assert "Omid" in lines
    assert "Mina: yes" in lines
    assert "Sara: bullets left: 0" in lines
    assert any("ca.don.9 · 000:200" in line for line in lines)


def test_whoever_is_told_nothing_is_not_listed() -> None:
    assert not any(line.startswith("Reza:") for line in lines_of(settled()))


def test_nobody_dies() -> None:
    quiet = settled(certain={"dead": [], "announce": []})
    assert "Dead: nobody" in lines_of(quiet)
    assert "At dawn, announce: nothing" in lines_of(quiet)


def test_refusals_come_first() -> None:
    lines = lines_of(refused())
    assert lines.index("Refused") < lines.index("Settled.")
    assert "Ali: save Sara" in lines


def test_an_open_night() -> None:
    lines = lines_of(opened())
    assert "Open: the rulebook leaves 1 question." in lines
    assert f"perhaps Sara ({QUESTION})" in lines
    assert "contradiction" in lines
    assert "dies → Sara dies" in lines
    assert "misses → Sara lives" in lines
    # Both rules with their sources, and the line to paste.
    assert any("ca.sniper.16 · 000:150" in line for line in lines)
    assert any("ca.bartender.10 · 000:245" in line for line in lines)
    assert f"{QUESTION}: dies" in lines


def test_kind_and_rules_of_a_named_question_come_from_the_book() -> None:
    bare = opened(open=(OpenQuestion(QUESTION, "", (), ("dies", "misses")),))
    assert lines_of(bare) == lines_of(opened()) or "contradiction" in lines_of(bare)
    data = verdict_data(bare, BOOK)["open"][0]
    assert data["kind"] == "contradiction"
    assert set(data["rules"]) == {"ca.sniper.16", "ca.bartender.10"}


def two_questions() -> Verdict:
    ways = (
        GroupReading(({QUESTION: "dies", SECOND: "drug"},), {"dead": ["Sara"]}),
        GroupReading(({QUESTION: "misses"}, {QUESTION: "dies", SECOND: "nobody"}), {"dead": []}),
    )
    second = OpenQuestion(SECOND, "circle", (), ("drug", "nobody"), under={QUESTION: "dies"})
    below = Fork(SECOND, ((("drug",), Leaf(0)), (("nobody",), Leaf(1))))
    tree = Fork(QUESTION, ((("dies",), below), (("misses",), Leaf(1))))
    return opened(open=(*opened().open, second), groups=(Group((QUESTION, SECOND), ways, tree),))


def test_questions_that_belong_together() -> None:
    lines = lines_of(two_questions())
    assert f"arises only with {QUESTION}: dies" in lines
    at = lines.index(QUESTION, lines.index(SECOND))
    assert lines[at : at + 6] == [
        QUESTION,
        "dies →",
        SECOND,
        "drug → Sara dies",
        "nobody → Sara lives",
        "misses → Sara lives",
    ]
    assert f'"{SECOND}": nobody' in lines


def test_settled_by_convention_and_by_rulings() -> None:
    lines = lines_of(
        settled(
            conventions=(("cv.save_holds", "stops(save,shot(killer))", "true"),),
            rulings=((QUESTION, "dies"),),
            unused_rulings=("ca.q.don.2",),
        )
    )
    assert "Settled by convention: cv.save_holds" in lines
    # The convention whole, what it was asked, its answer to be copied, and how to overrule it.
    assert "By convention cv.save_holds: A save holds against any shot." in lines
    assert any(line.startswith("Does this protection stop that attack?") for line in lines)
    assert '"stops(save,shot(killer))": true' in lines
    assert any(line.startswith("Your table may decide otherwise") for line in lines)
    assert f"Your table's ruling: {QUESTION}: dies" in lines
    assert "Rulings that nothing here asks for: ca.q.don.2" in lines


def test_an_open_night_names_its_conventions() -> None:
    verdict = opened(conventions=(("cv.save_holds", "stops(save,shot(killer))", "true"),))
    assert "The rest is settled by convention: cv.save_holds" in " ".join(lines_of(verdict))


def test_what_is_assumed_and_what_stands_in_a_file() -> None:
    verdict = settled(rulings=((QUESTION, "dies"),), unused_rulings=("ca.q.don.2", "ca.q.don.3"))
    words = Words.for_scenario(verdict.scenario, BOOK, "en")
    sheet = Page()
    text.put_verdict(sheet, verdict, words, Origins({QUESTION}, {"ca.q.don.2"}))
    assert f"Assumed for this time: {QUESTION}: dies" in sheet.text()
    assert "Rulings that nothing here asks for: ca.q.don.3\n" in sheet.text()


def test_a_night_that_cannot_go_on() -> None:
    lines = lines_of(settled(certain={"illegal": True}))
    assert "Settled: the game cannot go on like this." in lines
    assert "Dead: nobody" not in lines


def test_a_limit() -> None:
    assert any(line.startswith("Incomplete") for line in lines_of(settled(incomplete=True)))


def test_what_is_open_is_not_told_as_a_change() -> None:
    people = (Player("Ali", "don", items=("gun", "oil")), Player("Sara", "sniper"))
    verdict = opened(
        scenario=scenario(players=people),
        certain={"dead": [], "items": {"Ali": ["oil"]}, "roles": {"Ali": "don"}},
        possible={"items": {"Ali": ["gun"]}, "roles": {"Sara": ["citizen", "sniper"]}},
        groups=(),
    )
    lines = lines_of(verdict)
    assert "perhaps Ali" in lines
    assert "perhaps Sara" in lines
    assert not any("no longer" in line for line in lines)


def test_everything_else_that_changed() -> None:
    people = (Player("Ali", "doctor", items=("gun",)), Player("Sara", "sniper"))
    certain = {"dead": [], "roles": {"Ali": "citizen", "Sara": "sniper"}, "items": {"Sara": ["armor"]}}
    lines = lines_of(settled(scenario=scenario(players=people), certain=certain))
    assert "Ali becomes Citizen" in lines
    assert "Ali no longer has: gun" in lines
    assert "Sara now has: armor" in lines


def test_persian() -> None:
    lines = lines_of(opened(), "fa")
    assert "باز: ۱ پرسش را کتاب قانون باز گذاشته است." in lines
    assert "\u2068dies\u2069 ← \u2068Sara\u2069 کشته می‌شود" in lines
    # What is to be copied holds no marks of direction, and its digits are ASCII.
    assert f"{QUESTION}: dies" in lines
    assert "ca.sniper.16 · 000:150" in lines


def test_persian_names_need_no_isolates_in_persian() -> None:
    verdict = settled(
        scenario=scenario(title="", id="", players=(Player("علی", "don"),)), certain={"dead": ["علی"]}
    )
    assert "علی" in lines_of(verdict, "fa")
    assert "\u2068علی\u2069" in lines_of(verdict, "en")


@pytest.mark.parametrize("verdict", [settled(), opened(), refused(), two_questions()])
@pytest.mark.parametrize("lang", ["en", "fa"])
def test_lines_keep_to_the_width(verdict: Verdict, lang: str) -> None:
    for line in said(verdict, lang, 44).splitlines():
        copied = any(mark in line for mark in ("ca.", "circle(")) and " " not in line.strip(" []")
        assert width_of(line) <= 44 or copied or ": " in line


# --- narrowed answers -----------------------------------------------------------------------------


def narrowed(put: Any, *args: Any) -> str:
    sheet = Page()
    put(sheet, *args, Words.for_scenario(scenario(), BOOK, "en"))
    return sheet.text()


def test_only_what_may_be_read_aloud() -> None:
    assert narrowed(text.put_announcement, settled()) == "Omid is dead.\n"
    assert (
        narrowed(text.put_announcement, settled(certain={"announce": []})) == "At dawn, announce: nothing\n"
    )


@pytest.mark.parametrize(
    ("token", "english", "persian"),
    [
        ("dead: Omid", "Omid is dead.", "\u2068Omid\u2069 کشته شد."),
        ("saved: Omid", "Omid was saved last night.", "دیشب \u2068Omid\u2069 نجات پیدا کرد."),
        (
            "role: Omid Jan citizen",
            "The role of Omid Jan was Citizen.",
            "نقش \u2068Omid Jan\u2069 این بود: شهروند.",
        ),
        ("either: Ali Omid Jan", "Either Ali or Omid Jan is dead.", None),
        ("side: Ali mafia", "Ali was with Mafia.", None),
        ("count: mafia 2", "In play: Mafia (2).", "در بازی: مافیا (۲ نفر)."),
        ("casualties: 3", "Number of dead: 3.", "شمار کشته‌ها: ۳."),
        ("word: new moon", "The word is: new moon.", None),
        ("nobody_died", "Nobody died last night.", "دیشب کسی کشته نشد."),
        ("of_another_book: Ali", "of another book: Ali", None),
        ("dead", "dead", None),
    ],
)
def test_announcements_are_sentences(token: str, english: str, persian: str | None) -> None:
    people = ["Ali", "Omid", "Omid Jan"]
    assert Words(BOOK, "en", people).token(token) == english
    if persian:
        with language("fa"):
            assert Words(BOOK, "fa", people).token(token) == persian


def test_every_announcement_is_a_sentence_in_both_languages() -> None:
    for both in BOOK.lexicon.words["token"].values():
        assert all(words.endswith(".") for words in both)
        assert both[0].count("{}") == both[1].count("{}") <= 2


def test_a_choice_of_names() -> None:
    offered = settled(certain={**settled().certain, "answers": {"Mina": {"one_of": ["Ali", "Sara"]}}})
    assert narrowed(text.put_for, offered, "Mina") == "Mina: one of: Ali, Sara\n"
    assert "Mina: one of: Ali, Sara" in lines_of(offered)
    with language("fa"):
        words = Words.for_scenario(scenario(), BOOK, "fa")
        assert words.shown({"one_of": ["Ali"]}) == "یکی از: \u2068Ali\u2069"
    assert "- Mina: one of: Ali, Sara\n" in verdict_markdown(
        offered, Words.for_scenario(scenario(), BOOK, "en")
    )


def test_only_what_a_player_is_told() -> None:
    assert narrowed(text.put_for, settled(), "Mina") == "Mina: yes\n"
    assert narrowed(text.put_for, settled(), "Reza") == "Reza is told nothing\n"
    assert narrowed(text.put_for, refused(), "Ali") == "Ali is told nothing\n  refused: save\n"
    unsure = opened(possible={"answers": {"Mina": ["yes", "no"]}})
    assert narrowed(text.put_for, unsure, "Mina") == "Mina: not settled\n"


# --- layout ---------------------------------------------------------------------------------------


def test_rules_are_given_whole_and_further_ones_by_their_ids() -> None:
    rules = ("ca.sniper.16", "ca.doctor.7", "ca.don.9", "ca.don.14")
    many = settled(because=tuple(Reason("dead", ("Omid",), rule) for rule in rules))
    english = " ".join(lines_of(many))
    assert "the Doctor has not saved the Sniper, the Sniper himself dies. [ca.sniper.16 · 000:150]" in english
    assert "[ca.don.9 · 000:200] [ca.don.14 · 000:206]" in english
    # In Persian all of them are lines of their own, none in brackets.
    persian = lines_of(many, "fa")
    assert "ca.sniper.16 · 000:150" in persian
    assert "ca.don.9 · 000:200, ca.don.14 · 000:206" in persian
    markdown = verdict_markdown(many, Words.for_scenario(scenario(), BOOK, "en"))
    assert "the Sniper himself dies. `ca.sniper.16` (`000:150`)\n" in markdown
    assert "  - `ca.don.9` (`000:200`), `ca.don.14` (`000:206`)\n" in markdown


def test_wrapping_and_colour() -> None:
    sheet = Page(width=24, colour=True)
    sheet.put("one two three four five six", "red", indent=2, hang=4)
    assert sheet.text() == "  \x1b[31mone two three four\x1b[0m\n    \x1b[31mfive six\x1b[0m\n"
    assert [width_of(line) for line in sheet.lines] == [20, 12]


def test_plain_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not page(False).colour
    assert page(False).width == 80
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert page(True).colour
    monkeypatch.setenv("NO_COLOR", "1")
    assert not page(True).colour


def test_names_cannot_steer_the_terminal() -> None:
    assert clean("A\x1b[31mli\u202e") == "A\ufffd[31mli\ufffd"
    assert isolate("علی", "fa") == "علی"
    assert isolate("علی", "en") == "\u2068علی\u2069"
    assert isolate("ca.don.9", "fa") == "\u2068ca.don.9\u2069"
    assert isolate("Ali", "en") == "Ali"


@given(st.text(max_size=60))
def test_whatever_a_file_calls_a_player_is_safe_to_print(name: str) -> None:
    for lang in ("en", "fa"):
        shown = isolate(name, lang)
        assert "\x1b" not in shown
        assert "\n" not in shown
        assert shown.count("\u2068") == shown.count("\u2069") <= 1


# --- rulings to paste -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("identifier", "answer", "line"),
    [
        (QUESTION, "dies", f"{QUESTION}: dies"),
        ("stops(save,shot(killer))", "true", '"stops(save,shot(killer))": true'),
        ("ca.doctor.4~ca.don.9", "ca.don.9", '"ca.doctor.4~ca.don.9": ca.don.9'),
        (QUESTION, "null", f'{QUESTION}: "null"'),
    ],
)
def test_the_line_to_paste(identifier: str, answer: str, line: str) -> None:
    assert ruling_line(identifier, answer) == line


def test_quotes_inside() -> None:
    assert quoted('a"b\\') == '"a\\"b\\\\"'


# --- JSON -----------------------------------------------------------------------------------------


def test_json_of_an_open_night() -> None:
    data = json.loads(dumps(verdict_data(opened(), BOOK)))
    assert data["format"] == 1
    assert data["settled"] is False
    assert data["possible"] == {"dead": ["Sara"]}
    assert data["groups"][0]["readings"][0] == {
        "rests_on": [{QUESTION: "dies"}],
        "outcome": {"dead": ["Sara"]},
    }
    assert data["open"][0]["sources"] == ["000:245", "000:150"]
    assert data["open"][0]["ruling"] == f"{QUESTION}: dies"
    assert set(data["open"][0]["question"]) == {"en", "fa"}
    assert "truncated" not in data
    assert data["because"][0] == {
        "fact": "saved: Omid",
        "rule": "ca.doctor.4",
        "source": "000:126-128",
        "from": ["Reza: save Omid"],
    }


@pytest.mark.parametrize(
    "verdict", [settled(), opened(), refused(), two_questions(), settled(scenario=scenario(id="", title=""))]
)
def test_json_is_as_the_schema_says(verdict: Verdict) -> None:
    schema = json.loads((SCHEMAS / "verdict.json").read_text(encoding="utf-8"))
    data = json.loads(dumps(verdict_data(verdict, BOOK)))
    jsonschema.Draft202012Validator(schema).validate(data)
    jsonschema.Draft202012Validator(schema).validate([data, data])


def test_questions_with_derived_ids_have_words_in_both_languages() -> None:
    asked = verdict_data(two_questions(), BOOK)["open"][1]
    assert asked["under"] == {QUESTION: "dies"}
    assert asked["question"]["en"].startswith("These abilities")
    assert "توانایی" in asked["question"]["fa"]


def test_json_keeps_persian_and_says_what_is_missing() -> None:
    many = opened(readings=None, truncated=True, incomplete=True, scenario=scenario(id="شب"))
    shown = dumps(verdict_data(many, BOOK))
    assert "شب" in shown
    data = json.loads(shown)
    assert (data["readings"], data["truncated"], data["incomplete"]) == (None, True, True)


def test_json_is_the_same_in_every_language() -> None:
    with language("fa"):
        persian = dumps(verdict_data(refused(), BOOK))
    assert persian == dumps(verdict_data(refused(), BOOK))


# --- Markdown -------------------------------------------------------------------------------------


def test_markdown() -> None:
    words = Words.for_scenario(scenario(), BOOK, "en")
    shown = verdict_markdown(opened(), words)
    assert shown.startswith("## A drugged Sniper fires · night 2\n")
    assert f"| `{QUESTION}: dies` | Sara dies |" in shown
    assert f"```yaml\n{QUESTION}: dies\n{QUESTION}: misses\n```" in shown


def test_a_list_in_markdown() -> None:
    assert listed(["*A*", "b"]) == "- \\*A\\*\n- b\n"


def test_names_are_not_read_as_markdown() -> None:
    starred = scenario()._replace(title="*A* [b](c) <i>")
    words = Words.for_scenario(starred, BOOK, "en")
    assert "\\*A\\* \\[b\\](c) \\<i\\>" in verdict_markdown(settled(scenario=starred), words)


# --- JUnit ----------------------------------------------------------------------------------------


def results() -> list[Result]:
    return [
        Result("a.yaml", 3, "one", "passed"),
        Result("a.yaml", 9, 'two <&" \x00', "failed", ("dead: expected [], got [Ali]",)),
        Result("b.yaml", 1, "three", "error", ("no",)),
        Result("b.yaml", 5, "four", "skipped", ("it expects nothing",)),
        Result("b.yaml", 7, "five", "limit", ("a limit was hit",)),
    ]


def test_junit_is_read_by_a_parser() -> None:
    parsed = JUnitXml.fromstring(junit_xml(results()).encode())
    assert (parsed.tests, parsed.failures, parsed.errors, parsed.skipped) == (5, 1, 2, 1)
    assert [suite.name for suite in parsed] == ["a.yaml", "b.yaml"]
    first = next(iter(parsed))
    assert [case.name for case in first] == ["one", 'two <&" \ufffd']
    assert next(c for c in first if c.result).result[0].message == "dead: expected [], got [Ali]"


def test_junit_is_well_formed_and_has_no_times() -> None:
    root = ET.fromstring(junit_xml(results()))
    assert not any("time" in element.attrib for element in root.iter())
