"""Rules that do nothing: dead, shadowed and redundant ones are found, and no others."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import jsonschema
import pytest
from mutation import Mutant, all_scenarios

from mafia_asp import cli
from mafia_asp.check import Finding, Report, baseline
from mafia_asp.check.findings import DEEP
from mafia_asp.check.fires import instrumented
from mafia_asp.check.owned import owned
from mafia_asp.check.report import Wanted, check, check_here, role_set
from mafia_asp.commands.schema import FOLDER
from mafia_asp.model import Action, Player, Scenario
from mafia_asp.render.check import report_data, report_sarif
from mafia_asp.rulebook import Rulebook
from mafia_asp.verdict import decide

BOOK = Rulebook.load("classic_advanced")
CAST = "don doctor sniper bartender citizen citizen".split()

OWN = """\
id: mine
prefix: mine
name: {en: Mine, fa: مال من}
extends: classic_advanced
"""
HEAD = """\
%*
role: nurse
en: Nurse
fa: پرستار
*%
"""
#: id -> what is to be found of it, and its statements
RULES = {
    "mine.nurse.1": ("", 'side("mine.nurse.1",nurse,citizen).'),
    "mine.nurse.2": ("", 'does("mine.nurse.2",nurse,protect,protect(bandage)).'),
    "mine.nurse.3": ("", 'stops("mine.nurse.3",bandage,shot(don)).'),
    # Nobody saves with a bandage from a blow that nobody strikes.
    "mine.nurse.4": ("dead-rule", 'stops("mine.nurse.4",bandage,shot(dragon)).'),
    # The same once more: without either of the two the other one does it.
    "mine.nurse.5": ("redundant-rule", 'forbids("mine.nurse.5",nurse,protect,self).'),
    "mine.nurse.6": ("redundant-rule", 'forbids("mine.nurse.6",nurse,protect,self).'),
    # A bandage keeps a citizen alive only if the next rule is not there.
    "mine.nurse.7": (
        "shadowed-rule",
        'claim("mine.nurse.7",stops(bandage,T,U)) :- meets(bandage,shot(mafia),T,U), role(T,citizen).',
    ),
    "mine.nurse.8": (
        "",
        'pierces("mine.nurse.8",shot(mafia),bandage). beats("mine.nurse.8","mine.nurse.7").',
    ),
    "mine.nurse.9": ("", 'because(accepted,A,"mine.nurse.9") :- act(A,P,protect), role(P,nurse).'),
}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Rulebook:
    folder = tmp_path_factory.mktemp("mine")
    (folder / "rulebook.yaml").write_text(OWN, "utf-8")
    lines = [HEAD]
    for number, (rule, (_, text)) in enumerate(RULES.items(), 1):
        phase = "setup" if rule == "mine.nurse.1" else "night"
        lines.append(f"%% {rule} | mine:{number} | {phase} | rule\n%% en: a\n%% fa: b\n{text}\n")
    (folder / "nurse.lp").write_text("\n".join(lines), "utf-8")
    return Rulebook.load(folder)


@pytest.fixture(scope="module")
def found(own: Rulebook) -> Report:
    roles = role_set(["don", "mafia", "nurse", "citizen"])
    return check_here(own, roles, Wanted(("night", "setup"), deep=True), {}, {}, None)


def of_rules(report: Report) -> dict[str, Finding]:
    return {finding.id: finding for finding in report.findings if finding.kind in DEEP}


def test_a_rulebook_of_ones_own_is_weighed_exactly(found: Report) -> None:
    mine = {id: finding.kind for id, finding in of_rules(found).items() if id.startswith("mine.")}
    assert mine == {rule: kind for rule, (kind, _) in RULES.items() if kind}
    assert not found.undecided


def test_a_finding_on_a_rule_says_where_it_stands(found: Report, own: Rulebook) -> None:
    for id, finding in of_rules(found).items():
        rule = own.rule(id)
        assert finding.place == rule.place
        assert finding.rules[0] == id
        assert finding.severity == "note"


def test_a_shadowed_rule_comes_with_what_beats_it_in_its_smallest_night(found: Report, own: Rulebook) -> None:
    finding = of_rules(found)["mine.nurse.7"]
    assert finding.rules == ("mine.nurse.7", "mine.nurse.8")
    assert finding.witness is not None
    night = finding.witness.verdict.scenario
    assert {(a.actor, a.verb) for a in night.actions} >= {("mafia", "shoot")}
    assert len(night.actions) == 2
    fresh = decide(night, book=own, strict=True)
    assert fresh.groups == finding.witness.verdict.groups
    assert fresh.certain["dead"] == finding.witness.verdict.certain["dead"]


def test_the_reports_hold_findings_on_rules(found: Report, own: Rulebook) -> None:
    data = report_data(found, own)
    jsonschema.validate(data, json.loads((FOLDER / "findings.json").read_text("utf-8")))
    assert data["deep"] is True
    told = {f["identity"]: f for f in data["findings"]}
    assert told["dead-rule(mine.nurse.4)"]["message"]["en"] == (
        "No night of this role set fires mine.nurse.4."
    )
    assert told["shadowed-rule(mine.nurse.7)"]["message"]["fa"].count("mine.nurse.8") == 1
    assert told["redundant-rule(mine.nurse.5)"]["place"]["line"] > 1
    results = json.loads(report_sarif(found, own))["runs"][0]["results"]
    assert "dead-rule" in {result["ruleId"] for result in results}


def test_what_was_accepted_of_rules_is_not_unused_without_deep(found: Report) -> None:
    known = baseline.Accepted("", {"dead-rule(mine.nurse.4)": "why"}, ("redundant-rule(x.y.1)",))
    plain = found._replace(findings=(), deep=False)
    assert not baseline.apply(plain, known).findings
    accepted = baseline.apply(found._replace(every_phase=True), known)
    assert [f.id for f in accepted.findings if f.kind == "unused-acceptance"] == ["redundant-rule(x.y.1)"]
    assert of_rules(accepted)["mine.nurse.4"].accepted == "why"


def test_without_time_every_rule_is_undecided_and_none_is_reported(own: Rulebook) -> None:
    report = check_here(
        own, role_set(["don", "nurse"]), Wanted(("night",), seconds=0, deep=True), {}, {}, None
    )
    assert not of_rules(report)
    assert {"mine.nurse.2", "mine.nurse.4"} <= set(report.undecided)


def test_the_command_looks_for_rules_only_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["check", "--roles", "don,citizen", "--phase", "night", "--format", "json", "--exit-zero"]
    assert cli.main(arguments) == 0
    assert not json.loads(capsys.readouterr().out)["deep"]
    assert cli.main([*arguments, "--deep"]) == 0
    kinds = {finding["kind"] for finding in json.loads(capsys.readouterr().out)["findings"]}
    assert {"dead-rule", "redundant-rule"} <= kinds


# ---- the shipped book ------------------------------------------------------------------------------


@cache
def shipped() -> Report:
    return check(BOOK, role_set(CAST), wanted=Wanted(("night",), deep=True))


def test_no_rule_is_dead_that_a_scenario_of_these_roles_fires() -> None:
    dead = {id for id, finding in of_rules(shipped()).items() if finding.kind == "dead-rule"}
    assert dead
    fired = set()
    for scenario in random.Random(1).sample(all_scenarios(), 500):
        roles = [player.role for player in scenario.players]
        extra = {role for role in roles if roles.count(role) > CAST.count(role)}
        if scenario.rulebook == BOOK.id and scenario.phase == "night" and extra <= {"citizen"}:
            verdict = decide(scenario, book=BOOK, strict=True)
            fired |= {reason.rule for reason in verdict.because}
    assert fired
    assert not dead & fired


def nights(count: int) -> Iterator[Scenario]:
    rng = random.Random(1)
    able = {"don": "shoot", "sniper": "shoot", "bartender": "drug", "doctor": "save"}
    players = tuple(Player(f"N{seat}", role) for seat, role in enumerate(CAST, 1))
    names = [player.name for player in players]
    for _ in range(count):
        acts = [
            Action(p.name, able[p.role], (rng.choice(names),))
            for p in players
            if p.role in able and rng.random() < 0.8
        ]
        if rng.random() < 0.3:
            acts.append(Action("mafia", "shoot", (rng.choice(names),)))
        yield Scenario(BOOK.id, players, "night", 2, tuple(acts))


@pytest.mark.parametrize("kind", ["dead-rule", "redundant-rule"])
def test_without_a_rule_that_does_nothing_random_nights_end_the_same(kind: str, tmp_path: Path) -> None:
    rules = [id for id, finding in of_rules(shipped()).items() if finding.kind == kind]
    assert len(rules) > 5
    for rule in random.Random(2).sample(rules, 5):
        folder = tmp_path / rule
        folder.mkdir()
        mutant = Mutant(BOOK, rule, folder)
        for night in nights(6):
            with_it = decide(night, book=BOOK, strict=True)
            without = decide(night, book=mutant, strict=True)
            assert with_it.certain == without.certain, (rule, night)
            assert [g.readings for g in with_it.groups] == [g.readings for g in without.groups], (rule, night)


# ---- the text that is made ---------------------------------------------------------------------------

PROGRAM = """\
%% my.1 | 1 | night | rule
stops("my.1",save,shot).
%% my.2 | 1 | night | rule
hidden("my.2",role).
%% my.3 | 1 | night | rule
told("my.3",P) :- said(P).
helper(x) :- said(_).
%% my.4 | 1 | night | rule
marked(x;y).
% ---- words
claim(R,stops(X)) :- meets(X), stops(R,X,_).
meets(X) :- said(X), marked(X).
out(P) :- told(_,P), not hidden(_,role).
prevailing(R,L) :- claim(R,L).
because(R) :- prevailing(R,_).
"""


def test_rules_fire_by_what_they_say_or_where_they_are_read() -> None:
    text = instrumented(owned(PROGRAM, False), {"said"}, {"my.1", "my.2", "my.3", "my.4"})
    assert sorted(text) == sorted(
        [
            'acts("my.2") :- read(hidden("my.2",role)).',
            'acts("my.3") :- said(P).',
            'acts("my.3") :- said(_).',
            'acts("my.4") :- read(marked(x;y)).',
            "read(marked(X)) :- said(X), marked(X).",
            "read(hidden(Any0,role)) :- told(_,P), hidden(Any0,role).",
        ]
    )
