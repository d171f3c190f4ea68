from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import time
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml
from books import own_book, small_root
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mafia_asp import i18n, messages, rulebook, scenario
from mafia_asp.errors import Fault, InputError
from mafia_asp.expected import ABOUT, OUTCOME
from mafia_asp.facts import facts
from mafia_asp.model import Scenario
from mafia_asp.rulings import parse_assumption, read_rulings
from mafia_asp.scenario import find_files, parse_inline, read_scenarios, scan, to_data

CAST = "players: {Ali: don, Sara: sniper, Reza: doctor, Mina: citizen}\n"
HEAD = "rulebook: small\n" + CAST


@pytest.fixture(scope="module", autouse=True)
def root(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = small_root(tmp_path_factory.mktemp("root"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rulebook, "encodings", lambda: folder)
        yield folder


def write(folder: Path, text: str, name: str = "f.yaml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def one(folder: Path, text: str) -> Scenario:
    (found,) = read_scenarios(write(folder, text))
    return found


def faults(folder: Path, text: str, name: str = "f.yaml") -> list[Fault]:
    try:
        read_scenarios(write(folder, text, name))
    except InputError as error:
        return [fault for fault in error.faults if str(fault)]
    return []


def short(found: list[Fault]) -> list[tuple[str, int, int]]:
    return [(f.code, f.place.line, f.place.column) for f in found if f.place]


# ---- what is right ---------------------------------------------------------------------------


def test_a_whole_scenario(tmp_path: Path) -> None:
    text = """\
rulebook: small
id: one
title: A night
cites: [sm.doctor.1]
night: 2
players:
  علی: پدرخوانده
  Sara: {role: اسنایپر, alive: false, items: [زره], bullets: 1, was: {shot: علي, role: thief}, target: Reza}
  Reza: doctor
  Mina: citizen
options: {wills: true, start: day, extra_times: [defence], turn_order: [علي], silent: [دزد], spy_shots: 2}
last_night:
  - Reza: {save: Mina}
actions:
  - علي: {شلیک: MINA}
  - sara: {steal: [Reza, nobody]}
  - مافیا: {shoot: Mina, with: {votes: [علی], round: 1, role: دکتر, when: voting}}
  - Reza: {save: هیچ‌کس}
  - Reza: {save: unknown}
  - Mina: {speak: town}
  - Mina: {claim: دکتر}
  - Mina: {leave: }
rulings: {sm.q.doctor.1: counts, "stops( save , shot(killer) )": true, "sm.doctor.2~sm.doctor.1": sm.doctor.1}
conventions: [cv.dead]
expect:
  dead: [mina]
  saved: []
  answers: {Sara: بله, Reza: [no, yes], Mina: پزشک}
  cannot: {علی: [شلیک], Sara: []}
  counters: {Sara: {bullets: 0}}
  items: {Sara: [زره]}
  roles: {Reza: دکتر}
  teams: {Reza: شهروند}
  announce: [saved, {dead: mina}, "role: sara دکتر"]
  winner: [citizen, دان]
  because: [sm.doctor.1]
"""
    found = one(tmp_path, text)
    assert [player.name for player in found.players] == ["علی", "Sara", "Reza", "Mina"]
    assert [player.role for player in found.players] == ["don", "sniper", "doctor", "citizen"]
    sara = found.players[1]
    assert (sara.alive, sara.items, sara.counts) == (False, ("armor",), {"bullets": 1})
    assert sara.was == {"role": "thief", "shot": "علی", "target": "Reza"}
    assert [(a.actor, a.verb, a.targets) for a in found.actions] == [
        ("علی", "shoot", ("Mina",)),
        ("Sara", "steal", ("Reza", "nobody")),
        ("mafia", "shoot", ("Mina",)),
        ("Reza", "save", ("nobody",)),
        ("Reza", "save", ("unknown",)),
        ("Mina", "speak", ("town",)),
        ("Mina", "claim", ("doctor",)),
        ("Mina", "leave", ()),
    ]
    assert found.actions[2].extra == {"votes": ("علی",), "round": 1, "role": "doctor", "when": "voting"}
    assert found.rulings == {
        "sm.q.doctor.1": "counts",
        "stops(save,shot(killer))": "true",
        "sm.doctor.1~sm.doctor.2": "sm.doctor.1",
    }
    assert found.options == {
        "wills": True,
        "start": "day",
        "extra_times": ("defence",),
        "turn_order": ("علی",),
        "silent": ("thief",),
        "spy_shots": 2,
    }
    assert found.conventions == ("cv.dead",)
    assert found.expect == {
        "dead": ["Mina"],
        "saved": [],
        "answers": {"Sara": "yes", "Reza": ["no", "yes"], "Mina": "doctor"},
        "cannot": {"علی": ["shoot"], "Sara": []},
        "counters": {"Sara": {"bullets": 0}},
        "items": {"Sara": ["armor"]},
        "roles": {"Reza": "doctor"},
        "teams": {"Reza": "citizen"},
        "announce": ["saved", "dead: Mina", "role: Sara doctor"],
        "winner": ["citizen", "don"],
        "because": ["sm.doctor.1"],
    }
    assert (found.number, found.phase, found.id, found.cites) == (2, "night", "one", ("sm.doctor.1",))
    assert found.places["rulings.sm.q.doctor.1"].line == 23


def test_writing_back_changes_nothing(tmp_path: Path) -> None:
    text = (
        HEAD
        + "id: x\nday: 3\nphase: day\nconventions: false\noptions: {wills: false}\n"
        + """\
actions: [{Ali: {steal: [Sara, Mina]}}, {town: {vote_out: Ali, with: {round: 2}}}, {Mina: {speak: }}]
rulings: {"circle(even,steal,drug)": drug}
expect: {open: [sm.q.doctor.1], readings: [{id: counts, dead: []}, {id: free, dead: [Ali]}]}
"""
    )
    before = one(tmp_path, text)
    data = to_data(before)
    for form, name in (
        (yaml.safe_dump(data, allow_unicode=True, sort_keys=False), "g.yaml"),
        (json.dumps(data), "g.json"),
    ):
        (after,) = read_scenarios(write(tmp_path, form, name))
        assert to_data(after) == data
        assert (after.players == before.players) is False  # places differ
        assert [a.targets for a in after.actions] == [a.targets for a in before.actions]


def test_nothing_is_told_apart_from_what_is_not_said(tmp_path: Path) -> None:
    text = "rulebook: small\nplayers: {Ali: {role: don, items: []}, Sara: {role: sniper, alive: false}}\n"
    found = one(tmp_path, text)
    assert [player.bare for player in found.players] == [True, False]
    told = facts(found).text
    assert "bare(p1)." in told
    assert "bare(p2)." not in told
    again = one(tmp_path, yaml.safe_dump(to_data(found), allow_unicode=True, sort_keys=False))
    assert [player.bare for player in again.players] == [True, False]


def test_several_scenarios_share_what_stands_above_them(tmp_path: Path) -> None:
    text = HEAD + "night: 2\nscenarios:\n- {id: a}\n- {id: b, night: 3, players: {Omid: don}}\n"
    first, second = read_scenarios(write(tmp_path, text))
    assert (first.id, first.number, len(first.players)) == ("a", 2, 4)
    assert (second.id, second.number, len(second.players)) == ("b", 3, 1)


def test_json_lines_and_lists(tmp_path: Path) -> None:
    data = {"rulebook": "small", "players": {"Ali": "don"}}
    assert len(read_scenarios(write(tmp_path, f"{json.dumps(data)}\n" * 3, "f.jsonl"))) == 3
    assert len(read_scenarios(write(tmp_path, json.dumps([data, data]), "f.json"))) == 2


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(HEAD.encode())))
    assert len(read_scenarios("-")) == 1


def test_folders(tmp_path: Path) -> None:
    for name in (
        "b.yaml",
        "a/c.yml",
        "a/d.json",
        "e.jsonl",
        "rulings.yaml",
        "a/rulebook.yaml",
        "x.txt",
        ".h.yaml",
        ".g/i.yaml",
    ):
        write(tmp_path, HEAD, name)
    names = [os.path.relpath(file, tmp_path) for file in find_files(tmp_path)]
    assert names == [os.path.join("a", "c.yml"), os.path.join("a", "d.json"), "b.yaml", "e.jsonl"]


def test_a_broken_scenario_fails_alone(tmp_path: Path) -> None:
    text = HEAD + "scenarios:\n- id: a\n- id: b\n  night: x\n- id: c\n  id: d\n- id: e\n"
    entries = list(scan([write(tmp_path, text)]))
    assert [(entry.id, bool(entry.faults)) for entry in entries] == [
        ("a", False),
        ("b", True),
        ("c", True),
        ("e", False),
    ]
    assert [entry.scenario is None for entry in entries] == [False, True, True, False]


def test_a_book_of_ones_own(tmp_path: Path) -> None:
    own_book(tmp_path / "own")
    found = one(tmp_path, "rulebook: own\nplayers: {Ali: پرستار}\n")
    assert found.players[0].role == "nurse"
    assert found.rulebook == str(tmp_path / "own")


def test_the_short_form() -> None:
    found = parse_inline(
        "Ali=don, علی رضا=دکتر؛ Sara = sniper",
        "Ali shoot علی رضا; علی رضا نجات Sara; Sara steal Ali, Sara",
        rulebook="small",
    )
    assert [(a.actor, a.verb, a.targets) for a in found.actions] == [
        ("Ali", "shoot", ("علی رضا",)),
        ("علی رضا", "save", ("Sara",)),
        ("Sara", "steal", ("Ali", "Sara")),
    ]
    assert parse_inline("Ali=don", rulebook="small", phase="day", number=2).number == 2


@pytest.mark.parametrize(
    ("players", "actions", "code", "column"),
    [
        ("Ali", "", "inline.player", 1),
        ("Ali=don, Sara=", "", "inline.player", 10),
        ("Ali=don, Ali=doctor", "", "inline.twice", 10),
        ("Ali=don Sara=doctor", "", "inline.comma", 1),
        ("Ali=don, Sara=doctor", "Ali shoot Sara, Sara save Ali", "inline.semicolon", 17),
        ("Ali=don, Sara=doctor", "Ali shoot Sara Sara save Ali", "inline.semicolon", 16),
        ("Ali=don, Sara=snipr", "", "role.unknown", 15),
        ("Ali=don", "Ali frob Ali", "verb.unknown", 5),
        ("Ali=don", "Ali", "inline.action", 1),
        ("Ali=don", "Ali shoot Ali; Bob shoot Ali", "actor.unknown", 16),
        ("Ali=don", "Ali shoot Bob", "player.unknown", 11),
        ("", "", "inline.none", 1),
        (" , ", "", "inline.none", 1),
    ],
)
def test_faults_of_the_short_form(players: str, actions: str, code: str, column: int) -> None:
    with pytest.raises(InputError) as error:
        parse_inline(players, actions, rulebook="small")
    assert (code, 1, column) in short(error.value.faults)


@pytest.mark.parametrize(
    ("players", "near"),
    [
        ("علی دان، سارا دکتر", ["علی=دان", "سارا=دکتر"]),
        ("Ali:don, Ali Reza: doctor", ["Ali=don", "Ali Reza=doctor"]),
        ("Ali=don Sara=doctor", ["Ali=don, Sara=doctor"]),
        ("علی=دان سارا=دکتر", ["علی=دان، سارا=دکتر"]),
        ("Ali frob", []),
    ],
)
def test_what_the_short_form_was_meant_to_be(players: str, near: list[str]) -> None:
    with pytest.raises(InputError) as error:
        parse_inline(players, "nobody acts", rulebook="small")
    assert [each for fault in error.value.faults for each in fault.args.get("near", ())] == near
    assert "players:" not in "".join(fault.text for fault in error.value.faults)


def test_free_words_are_no_second_action() -> None:
    found = parse_inline("Ali=don, Sara Save=doctor", "Ali shoot Sara Save; Ali say pass", rulebook="small")
    assert [a.targets for a in found.actions] == [("Sara Save",), ("pass",)]


def test_an_unknown_target_stands_for_all() -> None:
    found = parse_inline("Ali=don", "Ali steal unknown; Ali stalk unknown", rulebook="small")
    assert [a.targets for a in found.actions] == [("unknown",), ("unknown", "unknown")]


def test_numbers_in_persian_digits(tmp_path: Path) -> None:
    text = """
rulebook: small
title: ۱۲
night: ۳
players:
  علی: {role: دان, bullets: ۲, was: {inquired_on_night: ٢}}
  ۷: دکتر
options: {spy_shots: ۴}
actions:
- علی: {پیش‌بینی: ۵}
- ۷: {save: 7}
expect: {counters: {علی: {bullets: ۱}}, answers: {علی: ۶}}
"""
    found = one(tmp_path, text)
    assert (found.title, found.number) == ("۱۲", 3)
    assert (found.players[0].counts, found.players[0].was) == ({"bullets": 2}, {"inquired_on_night": 2})
    assert found.options == {"spy_shots": 4}
    assert [(a.actor, a.targets) for a in found.actions] == [("علی", ("5",)), ("۷", ("۷",))]
    assert found.expect == {"counters": {"علی": {"bullets": 1}}, "answers": {"علی": 6}}
    assert parse_inline("Ali=don", "Ali predict ۵", rulebook="small").actions[0].targets == ("5",)
    assert short(faults(tmp_path, HEAD + "night: ۰\n")) == [("value.range", 3, 8)]


def test_digits_in_persian_sentences(tmp_path: Path) -> None:
    with i18n.language("fa"):
        (twice,) = faults(tmp_path, HEAD + "night: 1\nnight: 2\n")
        (many,) = faults(tmp_path, HEAD + "actions: [{Ali: {steal: [Sara, Mina, Reza]}}]\n")
        limit = messages.sentence("time", {"seconds": 2.5})
        assert ("سطر ۳" in twice.text, "۱ تا ۲" in many.text, "۲٫۵" in limit) == (True, True, True)
        assert not any(digit in twice.text + many.text + limit for digit in "0123456789")
    assert "2.5 seconds" in messages.sentence("time", {"seconds": 2.5})
    assert "10 seconds" in messages.sentence("time", {"seconds": 10.0})
    assert "1e-05" in messages.sentence("time", {"seconds": 0.00001})


# ---- what is wrong ----------------------------------------------------------------------------

WRONG = [
    ("rulebok: small\n" + CAST, ("key.unknown", 1, 1), "rulebook"),
    ("rulebook: smal\n" + CAST, ("book.unknown", 1, 11), "small"),
    ("rulebook: [small]\n" + CAST, ("value.kind", 1, 11), "word"),
    ("rulebook: small\n", ("players.missing", 1, 1), "players"),
    ("rulebook: small\nplayers: {}\n", ("players.missing", 2, 10), "players"),
    ("rulebook: small\nplayers: [Ali]\n", ("value.kind", 2, 10), "map"),
    ("rulebook: small\nplayers: Ali\n", ("value.kind", 2, 10), "map"),
    ("rulebook: small\nplayers: {Ali: dno}\n", ("role.unknown", 2, 16), "don"),
    ("rulebook: small\nplayers: {Ali: دکتز}\n", ("role.unknown", 2, 16), "دکتر"),
    ("rulebook: small\nplayers: {Ali: قاتل}\n", ("role.ambiguous", 2, 16), "terrorist"),
    ("rulebook: small\nplayers: {Ali: }\n", ("player.role", 2, 16), "role"),
    ("rulebook: small\nplayers: {Ali: [don]}\n", ("player.role", 2, 16), "role"),
    ("rulebook: small\nplayers: {Ali: {alive: true}}\n", ("player.role", 2, 16), "role"),
    ("rulebook: small\nplayers: {علی: don, علي: doctor}\n", ("player.twice", 2, 21), "علی"),
    ("rulebook: small\nplayers: {Ali: don, ALI: doctor}\n", ("player.twice", 2, 21), "Ali"),
    ("rulebook: small\nplayers: {Ali: don, Ali: doctor}\n", ("data.twice", 2, 21), "Ali"),
    ("rulebook: small\nplayers: {mafia: don}\n", ("player.reserved", 2, 11), "mafia"),
    ("rulebook: small\nplayers: {هیچ‌کس: don}\n", ("player.reserved", 2, 11), "هیچ"),
    ("rulebook: small\nplayers: {'': don}\n", ("player.name", 2, 11), "80"),
    ('rulebook: small\nplayers: {"a\\nb": don}\n', ("player.name", 2, 11), "80"),
    ('rulebook: small\nplayers: {"a\\u202Eb": don}\n', ("player.direction", 2, 11), "Remove"),
    ("rulebook: small\nplayers: {Ali: {role: don, alive: maybe}}\n", ("value.kind", 2, 35), "true or false"),
    ("rulebook: small\nplayers: {Ali: {role: don, bullets: -1}}\n", ("value.range", 2, 37), "0"),
    (
        "rulebook: small\nplayers: {Ali: {role: don, bullets: 99999999999999999999}}\n",
        ("value.range", 2, 37),
        "1000000",
    ),
    ("rulebook: small\nplayers: {Ali: {role: don, bullets: many}}\n", ("value.kind", 2, 37), "whole number"),
    ("rulebook: small\nplayers: {Ali: {role: don, bulets: 1}}\n", ("key.unknown", 2, 28), "bullets"),
    ("rulebook: small\nplayers: {Ali: {role: don, items: [gum]}}\n", ("item.unknown", 2, 36), "gun"),
    ("rulebook: small\nplayers: {Ali: {role: don, items: gun}}\n", ("value.kind", 2, 35), "list"),
    ("rulebook: small\nplayers: {Ali: {role: don, was: {rol: don}}}\n", ("key.unknown", 2, 34), "role"),
    ("rulebook: small\nplayers: {Ali: {role: don, found: [Bob]}}\n", ("player.unknown", 2, 36), "Ali"),
    (HEAD + "phase: nigt\n", ("value.choice", 3, 8), "night"),
    (HEAD + 'night: "x"\n', ("value.kind", 3, 8), "whole number"),
    (HEAD + "night: 0\n", ("value.range", 3, 8), "1"),
    (HEAD + "night: 1.5\n", ("value.kind", 3, 8), "whole number"),
    (HEAD + "night: 1\nday: 2\n", ("scenario.both", 4, 6), "phase"),
    (HEAD + "phase: night\nday: 2\n", ("scenario.day", 4, 6), "phase: day"),
    (HEAD + "options: {wils: true}\n", ("option.unknown", 3, 11), "wills"),
    (HEAD + "options: {wills: perhaps}\n", ("value.kind", 3, 18), "true or false"),
    (HEAD + "options: {start: noon}\n", ("value.choice", 3, 18), "day"),
    (HEAD + "options: {extra_times: [defense]}\n", ("value.choice", 3, 25), "defence"),
    (HEAD + "options: {spy_shots: -2}\n", ("value.range", 3, 22), "0"),
    (HEAD + "options: {turn_order: [Bob]}\n", ("player.unknown", 3, 24), "Ali"),
    (HEAD + "options: [wills]\n", ("value.kind", 3, 10), "map"),
    (HEAD + "actions: {Ali: {shoot: Sara}}\n", ("value.kind", 3, 10), "list of actions"),
    (HEAD + "actions: [Ali]\n", ("action.form", 3, 11), "verb"),
    (HEAD + "actions: [{Ali: shoot}]\n", ("action.deed", 3, 17), "verb"),
    (HEAD + "actions: [{Ali: {shoot: Sara}, Sara: {shoot: Ali}}]\n", ("action.actors", 3, 11), "hyphen"),
    (HEAD + "actions: [{Ali: {shoot: Sara, save: Ali}}]\n", ("action.verbs", 3, 17), "save"),
    (HEAD + "actions: [{Ali: {with: {}}}]\n", ("action.verbs", 3, 17), "verb"),
    (HEAD + "actions: [{Aly: {shoot: Sara}}]\n", ("actor.unknown", 3, 12), "Ali"),
    (HEAD + "actions: [{nobody: {shoot: Sara}}]\n", ("actor.reserved", 3, 12), "town"),
    (HEAD + "actions: [{Ali: {shot_at: Sara}}]\n", ("verb.unknown", 3, 18), "verb"),
    (HEAD + "actions: [{Ali: {sav: Sara}}]\n", ("verb.unknown", 3, 18), "save"),
    (HEAD + "actions: [{Ali: {shoot: Sarra}}]\n", ("player.unknown", 3, 25), "Sara"),
    (HEAD + "actions: [{Ali: {shoot: town}}]\n", ("target.group", 3, 25), "Sara"),
    (HEAD + "actions: [{Ali: {shoot: }}]\n", ("target.one", 3, 25), "one target"),
    (HEAD + "actions: [{Ali: {shoot: [Sara, Mina]}}]\n", ("target.one", 3, 25), "Named here: 2"),
    (HEAD + "actions: [{Ali: {steal: [Sara, Mina, Reza]}}]\n", ("target.number", 3, 25), "1 to 2"),
    (HEAD + "actions: [{Ali: {stalk: Sara}}]\n", ("target.exact", 3, 25), "2 targets"),
    (HEAD + "actions: [{Ali: {shoot: [Sara, nobody]}}]\n", ("target.nobody", 3, 25), "nobody"),
    (HEAD + "actions: [{Ali: {shoot: {a: b}}}]\n", ("value.kind", 3, 25), "player"),
    (HEAD + "actions: [{Ali: {predict: soon}}]\n", ("value.kind", 3, 27), "whole number"),
    (HEAD + "actions: [{Ali: {choose_side: mafai}}]\n", ("team.unknown", 3, 31), "mafia"),
    (HEAD + "actions: [{Ali: {shoot: Sara, with: {vote: [Ali]}}}]\n", ("key.unknown", 3, 38), "votes"),
    (HEAD + "actions: [{Ali: {shoot: Sara, with: {votes: [Bob]}}}]\n", ("player.unknown", 3, 46), "Ali"),
    (HEAD + "actions: [{Ali: {shoot: Sara, with: {role: dno}}}]\n", ("role.unknown", 3, 44), "don"),
    (HEAD + "rulings: {sm.q.doctor.2: free}\n", ("question.unknown", 3, 11), "sm.q.doctor.1"),
    (HEAD + "rulings: {sm.q.doctor.1: fre}\n", ("answer.unknown", 3, 26), "free"),
    (HEAD + "rulings: {sm.q.doctor.1: }\n", ("answer.missing", 3, 26), "counts"),
    (HEAD + "rulings: {sm.q.doctor.1: [free]}\n", ("answer.kind", 3, 26), "word"),
    (HEAD + "rulings: {what ever: free}\n", ("question.form", 3, 11), "stops"),
    (HEAD + "rulings: {sm.doctor.1~sm.doctor.9: x}\n", ("rule.unknown", 3, 11), "sm.doctor.2"),
    (HEAD + "rulings: {sm.doctor.1~sm.doctor.1: sm.doctor.1}\n", ("question.dispute", 3, 11), "different"),
    (HEAD + "rulings: {sm.doctor.1~sm.doctor.2: sm.general.1}\n", ("answer.unknown", 3, 36), "sm.doctor.1"),
    (HEAD + 'rulings: {"stops(save)": true}\n', ("question.arguments", 3, 11), "2"),
    (HEAD + 'rulings: {"stop(save,x)": true}\n', ("question.table", 3, 11), "stops"),
    (HEAD + 'rulings: {"stops(save,shot(killer)": true}\n', ("question.form", 3, 11), "question"),
    (HEAD + 'rulings: {"stops(save,,x)": true}\n', ("question.form", 3, 11), "question"),
    (HEAD + 'rulings: {"stops(save,x) :- y": true}\n', ("question.form", 3, 11), "question"),
    (HEAD + 'rulings: {"stops(save,x)": maybe}\n', ("answer.unknown", 3, 28), "true"),
    (HEAD + 'rulings: {"circle(strange,drug)": drug}\n', ("question.circle", 3, 11), "even"),
    (HEAD + 'rulings: {"circle(even,drog,steal)": drug}\n', ("verb.unknown", 3, 11), "drug"),
    (HEAD + 'rulings: {"circle(even,drug,steal)": save}\n', ("answer.unknown", 3, 38), "wake_order"),
    (HEAD + 'rulings: {"stops(a,b)": true, "stops(a, b)": false}\n', ("ruling.twice", 3, 31), "3"),
    (HEAD + "conventions: [cv.daed]\n", ("convention.unknown", 3, 15), "cv.dead"),
    (HEAD + "conventions: maybe\n", ("value.kind", 3, 14), "true or false"),
    (HEAD + "expect: {ded: []}\n", ("key.unknown", 3, 10), "dead"),
    (HEAD + "expect: [dead]\n", ("value.kind", 3, 9), "map"),
    (HEAD + "expect: {dead: [Sarra]}\n", ("player.unknown", 3, 17), "Sara"),
    (HEAD + "expect: {dead: {Sara: true}}\n", ("value.kind", 3, 16), "list"),
    (HEAD + "expect: {roles: {Sara: dno}}\n", ("role.unknown", 3, 24), "don"),
    (HEAD + "expect: {roles: {Sara: قاتل}}\n", ("role.ambiguous", 3, 24), "murderer"),
    (HEAD + "expect: {answers: {Sara: [yes, قاتل]}}\n", ("role.ambiguous", 3, 32), "murderer"),
    (HEAD + 'expect: {announce: ["role: Sara قاتل"]}\n', ("role.ambiguous", 3, 21), "murderer"),
    (HEAD + "expect: {calls: [قاتل]}\n", ("role.ambiguous", 3, 18), "murderer"),
    (HEAD + "expect: {winner: [قاتل]}\n", ("role.ambiguous", 3, 19), "murderer"),
    (HEAD + "actions: [{Ali: {claim: قاتل}}]\n", ("role.ambiguous", 3, 25), "murderer"),
    (HEAD + "actions: [{Ali: {shoot: Sara, with: {role: قاتل}}}]\n", ("role.ambiguous", 3, 44), "terrorist"),
    (HEAD + "options: {silent: [قاتل]}\n", ("role.ambiguous", 3, 20), "terrorist"),
    (HEAD + "expect: {teams: {Sara: mafai}}\n", ("team.unknown", 3, 24), "mafia"),
    (HEAD + "expect: {cannot: {Sara: [shoott]}}\n", ("verb.unknown", 3, 26), "shoot"),
    (HEAD + "expect: {counters: {Sara: {bullet: 1}}}\n", ("key.unknown", 3, 28), "bullets"),
    (HEAD + "expect: {announce: [savd]}\n", ("token.unknown", 3, 21), "saved"),
    (HEAD + "expect: {answers: {Sara: {one_off: [Ali]}}}\n", ("key.unknown", 3, 27), "one_of"),
    (HEAD + "expect: {answers: {Sara: {}}}\n", ("value.kind", 3, 26), "a word"),
    (HEAD + "expect: {answers: {Sara: {one_of: [Bob]}}}\n", ("player.unknown", 3, 36), "Ali"),
    (HEAD + "expect: {winner: citizn}\n", ("winner.unknown", 3, 18), "citizen"),
    (HEAD + "expect: {illegal: [x]}\n", ("value.kind", 3, 19), "true or false"),
    (HEAD + "expect: {open: [sm.q.doctor.3]}\n", ("question.unknown", 3, 17), "sm.q.doctor.1"),
    (HEAD + "expect: {readings: []}\n", ("expect.readings", 3, 10), "open"),
    (HEAD + "expect: {open: [sm.q.doctor.1], readings: [{id: fre}]}\n", ("expect.answer", 3, 49), "free"),
    (HEAD + "expect: {open: true, readings: [dead]}\n", ("value.kind", 3, 33), "map"),
    (HEAD + "expect: {because: [sm.doctor.7]}\n", ("rule.unknown", 3, 20), "sm.doctor.1"),
    (HEAD + "title: [a]\n", ("value.kind", 3, 8), "word"),
    (HEAD + "cites: {a: b}\n", ("value.kind", 3, 8), "list"),
    ("- a\n- b\n", ("file.kind", 1, 3), "map"),
    ("just a sentence\n", ("file.kind", 1, 1), "map"),
    ("42\n", ("file.kind", 1, 1), "map"),
    (HEAD + "scenarios: []\n", ("scenarios.none", 3, 12), "scenario"),
    (HEAD + "scenarios: {a: b}\n", ("value.kind", 3, 12), "list"),
    (HEAD + "scenarios: [x]\n", ("value.kind", 3, 13), "map"),
    (HEAD + "scenarios: [{scenarios: []}]\n", ("scenarios.nested", 3, 14), "scenarios"),
]


@pytest.mark.parametrize(("text", "fault", "right"), WRONG)
def test_faults(tmp_path: Path, text: str, fault: tuple[str, int, int], right: str) -> None:
    found = faults(tmp_path, text)
    assert fault in short(found)
    (message,) = {f.text for f in found if f.place and (f.code, f.place.line, f.place.column) == fault}
    assert right in message
    assert all(str(f).startswith(f"{tmp_path / 'f.yaml'}:") for f in found)


def test_many_faults_at_once(tmp_path: Path) -> None:
    text = """\
rulebook: small
nigth: 2
players: {Ali: dno, Sara: {role: sniper, bullets: x}, Reza: doctor}
actions:
  - Bob: {shoot: Ali}
  - Reza: {sav: Sara}
  - Sara: {shoot: Alli}
options: {wil: true}
expect: {ded: []}
"""
    assert [code for code, _, _ in short(faults(tmp_path, text))] == [
        "key.unknown",
        "role.unknown",
        "value.kind",
        "actor.unknown",
        "verb.unknown",
        "player.unknown",
        "option.unknown",
        "key.unknown",
    ]


def test_shared_faults_are_told_once(tmp_path: Path) -> None:
    text = HEAD.replace("sniper", "snipr") + "scenarios: [{id: a}, {id: b}, {id: c}]\n"
    assert len(faults(tmp_path, text)) == 1


def test_rulings_that_go_in_a_circle(tmp_path: Path) -> None:
    pairs = {
        "sm.doctor.1~sm.doctor.2": "sm.doctor.1",
        "sm.doctor.2~sm.general.1": "sm.doctor.2",
        "sm.doctor.1~sm.general.1": "sm.general.1",
    }
    text = HEAD + "rulings:\n" + "".join(f"  {key}: {value}\n" for key, value in pairs.items())
    (fault,) = faults(tmp_path, text)
    assert fault.code == "ruling.circle"
    assert set(fault.args["ids"]) == set(pairs)
    assert not faults(tmp_path, text.replace(": sm.general.1", ": sm.doctor.1"))


def test_empty_folders_and_missing_files(tmp_path: Path) -> None:
    write(tmp_path, "rulings: {}\n", "rulings.yaml")
    for path, code in ((tmp_path, "folder.empty"), (tmp_path / "none.yaml", "file.missing")):
        with pytest.raises(InputError) as error:
            read_scenarios(path)
        assert [fault.code for fault in error.value.faults] == [code]
        assert error.value.exit_code == 2


def test_faults_speak_persian(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, HEAD.replace("sniper", "snipr"))
    with i18n.language("fa"):
        assert "snipr" in fault.text


def test_terminal_codes_are_shown_and_not_sent(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, 'rulebook: small\nplayers: {Ali: "d\\x1b[31mon"}\n')
    assert "\x1b" not in str(fault)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.sampled_from(["Ali", "don", "shoot", "", "nobody", "true", None, -1, 2, 10**30, 1.5, True]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from([*scenario.KEYS, "Ali", "role", "with", "items", "was", "shoot", "x"]),
                inner,
                max_size=4,
            )
        ),
        max_leaves=25,
    )
)
def test_any_data_is_read_or_refused(tmp_path: Path, data: object) -> None:
    found = faults(tmp_path, json.dumps(data), "f.json")
    assert all(fault.place for fault in found)
    assert all(fault.code in messages.codes() for fault in found)


# ---- rulings files -----------------------------------------------------------------------------


def test_a_file_of_rulings(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        'rulebook: small\nrulings:\n  sm.q.doctor.1: free\n  "impaired(blocked,shoot)": false\n',
        "rulings.yaml",
    )
    rulings = read_rulings(path)
    assert rulings.answers == {"sm.q.doctor.1": "free", "impaired(blocked,shoot)": "false"}
    assert rulings.places["sm.q.doctor.1"].line == 3
    assert rulings.rulebook == "small"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("rulebook: small\n", "key.missing"),
        ("rulebook: smal\nrulings: {}\n", "book.unknown"),
        ("rulebook: small\nruling: {}\n", "key.unknown"),
        ("rulebook: small\nrulings: [a]\n", "value.kind"),
        ("rulebook: small\nrulings: {sm.q.doctor.9: x}\n", "question.unknown"),
        ("- a\n", "file.kind"),
    ],
)
def test_faults_of_rulings(tmp_path: Path, text: str, code: str) -> None:
    with pytest.raises(InputError) as error:
        read_rulings(write(tmp_path, text, "rulings.yaml"))
    assert code in {fault.code for fault in error.value.faults}


def test_assumptions() -> None:
    book = rulebook.Rulebook.load("small")
    assert parse_assumption(book, "sm.q.doctor.1=free") == ("sm.q.doctor.1", "free")
    for text in ("sm.q.doctor.1", "sm.q.doctor.1=x", "=", "x=y"):
        with pytest.raises(InputError):
            parse_assumption(book, text)


# ---- schemas, templates, messages ------------------------------------------------------------------


def packaged(name: str) -> Any:
    return json.loads(resources.files("mafia_asp").joinpath("schemas", name).read_text("utf-8"))


def test_the_schema_has_the_keys_that_are_read() -> None:
    schema = packaged("scenario.json")
    assert set(schema["properties"]) == {*scenario.KEYS, "scenarios"}
    assert set(schema["$defs"]["scenario"]["properties"]) == set(scenario.KEYS)
    assert set(schema["$defs"]["expect"]["properties"]) == {*OUTCOME, *ABOUT}
    assert set(schema["$defs"]["outcome"]["properties"]) == set(OUTCOME)


def test_schemas_are_valid() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    for name in ("scenario.json", "rulings.json", "verdict.json"):
        jsonschema.Draft202012Validator.check_schema(packaged(name))


def test_the_schema_takes_what_is_written(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    text = (
        HEAD
        + "actions: [{Ali: {steal: [Sara, Mina]}}, {town: {vote_out: Ali, with: {round: 2}}}]\n"
        + "expect: {dead: [Ali], answers: {Sara: {one_of: [Ali, Mina]}}}\n"
    )
    jsonschema.validate(to_data(one(tmp_path, text)), packaged("scenario.json"))
    persian = {"night": "۳", "players": {"Ali": {"role": "don", "bullets": "۲"}}}
    jsonschema.validate(persian, packaged("scenario.json"))
    for wrong in ({"players": []}, {"rulebook": "x"}, {"players": {"Ali": "don"}, "night": "3"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, packaged("scenario.json"))


def test_templates_are_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(str(resources.files("mafia_asp").joinpath("templates")))
    here = Path(rulebook.__file__).parent
    shipped = here / "encodings" if (here / "encodings").is_dir() else here.parent / "encodings"
    monkeypatch.setattr(rulebook, "encodings", lambda: shipped)
    assert len(read_scenarios(folder / "scenario.yaml")) == 1
    shown = re.findall(r"^# +(\w+: \{role: .*)$", (folder / "scenario.yaml").read_text("utf-8"), re.MULTILINE)
    assert shown
    state = read_scenarios(write(tmp_path, "players:\n  " + "\n  ".join(shown) + "\n"))[0].players
    for player in state:
        encoded = Path(shipped, "classic_advanced", f"{player.role}.lp")
        words = {*player.counts, *player.items}
        assert not words or all(re.search(rf"\b{word}\b", encoded.read_text("utf-8")) for word in words)
    assert read_rulings(folder / "rulings.yaml").answers == {}
    book = rulebook.Rulebook.load(folder / "rulebook")
    assert book.find_role("پرستار") == "nurse"
    assert [fault for file in book.text_files() for fault in book.text_of(file).faults] == []
    for file in folder.rglob("*.*"):
        assert len(file.read_text("utf-8").splitlines()) <= 60


def test_every_message_can_be_said() -> None:
    words = {"near": ["a"], "choices": ["b"], "found": "list", "wanted": "map"}
    for code in messages.codes():
        assert "{" not in messages.sentence(code, words).replace("{verb: Name}", "")


def test_codes_have_sentences() -> None:
    source = "".join(file.read_text("utf-8") for file in Path(rulebook.__file__).parent.glob("*.py"))
    used = set(re.findall(r'(?:fault|Fault|fail)\(\s*[^"\n]*?,\s*"([a-z_]+\.[a-z_0-9]+)"', source))
    assert len(used) > 60
    assert used <= set(messages.codes())


# ---- speed ----------------------------------------------------------------------------------------


def test_reading_is_quick(tmp_path: Path) -> None:
    names = "Ali Sara Reza Mina Omid Kian Yas Nima Leila Babak".split()
    roles = "don doctor sniper thief murderer citizen citizen citizen mafia bomber_man".split()
    cast = "".join(f"  {name}: {role}\n" for name, role in zip(names, roles, strict=True))
    acts = "actions:\n- Ali: {shoot: Mina}\n- Sara: {save: Mina}\n- Reza: {shoot: Ali}\n"
    path = write(tmp_path, f"rulebook: small\nplayers:\n{cast}{acts}")
    times = []
    for _ in range(10):
        start = time.perf_counter()
        read_scenarios(path)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.004


def test_importing_pulls_in_nothing_heavy() -> None:
    code = "import sys, mafia_asp.scenario; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"clingo", "networkx", "jsonschema", "yaml", "click", "difflib", "gettext", "json", "asyncio"}
    assert not heavy & set(done.stdout.split())
