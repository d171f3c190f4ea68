"""Findings that no question names, and what was judged of them (``python -m tests.sample``)."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest
from sample import (
    DRAWN,
    SEED,
    Unlisted,
    Where,
    blocks,
    cited,
    draw,
    judgements,
    look,
    page,
    places,
    ring,
    shown,
    sources_of,
    united,
)

from mafia_asp.check.findings import Finding
from mafia_asp.check.report import Wanted, check
from mafia_asp.facts import derived_kind
from mafia_asp.rulebook import Rulebook

PAGE = Path(__file__).resolve().parent.parent / "docs" / "judged.md"
#: of the roles that hinder, steal, shoot and save, so many are searched together
FEW = 4
LIVELY = ("bartender", "doctor", "hooker", "killer", "sniper", "spy", "thief", "vigilante")


@pytest.fixture(scope="module")
def found() -> list[Unlisted]:
    """What a few roles, drawn by the seed, show at night."""
    some = random.Random(SEED).sample(LIVELY, FEW)
    roles = (*((role, 1) for role in sorted(some)), ("don", 1), ("citizen", 1))
    return look(Where("classic_advanced", roles, ("night",)))


def test_what_a_few_roles_show_is_open_in_its_night(found: list[Unlisted]) -> None:
    assert found
    for one in found:
        assert one.finding.id not in Rulebook.load(one.book).questions
        assert one.finding.witness
        verdict = one.finding.witness.verdict
        if derived_kind(one.finding.id):
            assert one.finding.id in {question.id for question in verdict.open}
            assert len(one.finding.settlements) > 1
        assert one.finding.identity in shown(one)
        assert sources_of(one)


def test_each_finding_once_with_its_smallest_night(found: list[Unlisted]) -> None:
    large = [one for one in found if one.finding.witness]
    bare = [one._replace(finding=one.finding._replace(witness=None)) for one in large]
    assert united([large, bare]) == united([bare, large]) == sorted(bare, key=lambda one: one.key)


def test_each_two_roles_stand_together() -> None:
    names = [f"r{n}" for n in range(11)]
    together = {pair for some in blocks(names) for pair in combinations(some, 2)}
    assert together == set(combinations(names, 2))
    assert list(blocks(names[:3])) == [("r0", "r1", "r2")]
    twice = [name for some in ring(names) for name in some]
    assert sorted(twice) == sorted(2 * names)
    book = Rulebook.load("classic_advanced")
    assert {role for where in places(book) for role, _ in where.roles} == set(book.role_ids)


def test_a_draw_hangs_on_the_seed_alone() -> None:
    every = [Unlisted("b", Finding("gap", f"g{n:03}")) for n in range(100)]
    assert len(draw(every)) == DRAWN
    assert draw(every) == draw(every, seed=SEED)
    assert draw(every) != draw(every, seed=SEED + 1)
    assert draw(every[:DRAWN]) == every[:DRAWN]


def test_cited_lines_are_read(tmp_path: Path) -> None:
    (tmp_path / "009_book.txt").write_text("one\ntwo\nthree\n", encoding="utf-8")
    assert list(cited(["009:2-3", "009:3"], tmp_path)) == [("009:2", "two"), ("009:3", "three")]


def test_the_page_has_the_judgements_and_few_are_not_real() -> None:
    text = PAGE.read_text(encoding="utf-8")
    headings = [line.split("`")[1] for line in text.splitlines() if line.startswith("## ")]
    said = {identity: judged for (_, identity), judged in judgements().items()}
    assert headings
    assert len(headings) <= DRAWN
    assert set(headings) <= said.keys()
    assert text.count("**Not real.**") == sum(not said[id].real for id in headings) <= 2
    for identity in headings:
        assert said[identity].why in text


def test_the_page_cites_rules_as_the_books_have_them() -> None:
    rules = {**Rulebook.load("classic_advanced").rules, **Rulebook.load("booklet").rules}
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("- `")]
    assert lines
    for line in lines:
        rule = rules[line.split("`")[1]]
        assert line == f"- `{rule.id}` ({rule.source}): {rule.en}"


def test_what_is_not_judged_is_no_page() -> None:
    with pytest.raises(KeyError):
        page([], [Unlisted("b", Finding("gap", "g"))], SEED)


def test_nobody_stands_on_two_sides_or_on_one_to_which_nothing_brings_the_role() -> None:
    roles = (("cult_leader", 1), ("quack", 1), ("zombie", 1), ("mafia", 1), ("citizen", 1))
    book = Rulebook.load("classic_advanced")
    report = check(book, roles, wanted=Wanted(phases=("night",), state=True, casts=()))
    witnesses = [finding.witness for finding in report.findings if finding.witness]
    players = [player for witness in witnesses for player in witness.verdict.scenario.players]
    sides = {(p.role, *(p.was[key] for key in ("team", "side") if key in p.was)) for p in players}
    assert sides
    assert all(len(each) <= 2 for each in sides)
    assert not {each for each in sides if each[0] in ("quack", "mafia")} - {
        ("quack",),
        ("mafia",),
        ("quack", "mafia"),
        ("mafia", "mafia"),
    }
