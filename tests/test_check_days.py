"""The check of days and ends: each finding's day is open by it, is smallest, and small days hold no other."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from mafia_asp.check import Finding, Report
from mafia_asp.check.engine import read_program, search_files
from mafia_asp.check.report import Wanted, check, role_set
from mafia_asp.cli import main
from mafia_asp.model import Action, Player, Scenario
from mafia_asp.rulebook import Rulebook, encodings
from mafia_asp.verdict import decide

BOOKS = {book: Rulebook.load(book) for book in ("classic_advanced", "booklet")}
CASTS = {
    "classic_advanced": ("don terrorist guardian citizen", ("day",), False, 2),
    "booklet": ("don mafia terrorist citizen citizen", ("day", "end"), False, 3),
}


@cache
def report(book: str) -> Report:
    roles, phases, state, acts = CASTS[book]
    return check(BOOKS[book], role_set(roles.split()), wanted=Wanted(phases, state=state, acts=acts))


def scenario(finding: Finding) -> Scenario:
    assert finding.witness is not None
    return finding.witness.verdict.scenario


def open_ids(day: Scenario) -> set[str]:
    return {question.id for question in decide(day, book=BOOKS[day.rulebook], strict=True).open}


@pytest.mark.parametrize("book", BOOKS)
def test_the_day_of_every_finding_is_open_by_it_when_decided_by_itself(book: str) -> None:
    found = [finding for finding in report(book).findings if not finding.harmless]
    assert len(found) > 8
    assert report(book).complete
    for finding in found:
        assert finding.id in open_ids(scenario(finding)), scenario(finding)


@pytest.mark.parametrize("book", BOOKS)
def test_nothing_that_is_told_of_a_finding_can_be_left_out(book: str) -> None:
    for finding in report(book).findings:
        day = scenario(finding)
        for action in day.actions:
            less = day._replace(actions=tuple(a for a in day.actions if a is not action))
            assert finding.id not in open_ids(less), (finding.id, action)


def test_known_faults_of_the_books_are_found() -> None:
    ca = {finding.identity for finding in report("classic_advanced").findings}
    assert {
        "contradiction(ca.q.general.6)",
        "contradiction(ca.q.general.4)",
        "contradiction(ca.q.general.33)",
        "contradiction(ca.q.general.50)",
        "gap(ca.q.general.42)",
        "ambiguity(ca.q.general.32)",
    } <= ca
    bk = {finding.identity for finding in report("booklet").findings}
    assert {"contradiction(bk.q.general.1)", "gap(bk.q.general.2)", "ambiguity(bk.q.general.3)"} <= bk


def small_days() -> Iterator[Scenario]:
    """Every day of two players on which at most two things are told, of a few kinds, in any order."""
    seats = [Player(name, role) for name, role in (("A", "don"), ("B", "terrorist"))]
    names = [seat.name for seat in seats]
    told = [Action(name, "vote", (other,)) for name, other in product(names, names)]
    told += [Action(name, "will", ()) for name in names]
    told += [Action("moderator", "remove", (name,)) for name in names]
    told += [Action("B", "explode", (name,)) for name in names]
    for count in range(3):
        for acts in product(told, repeat=count):
            yield Scenario("booklet", tuple(seats), "day", None, acts)


def test_nothing_is_open_in_small_days_that_the_search_did_not_find() -> None:
    roles = role_set(["don", "terrorist"])
    found = {f.id for f in check(BOOKS["booklet"], roles, wanted=Wanted(("day",), acts=2)).findings}
    seen: set[str] = set()
    for day in random.Random(1).sample(list(small_days()), 60):
        seen |= open_ids(day)
    assert len(seen) >= 5
    assert seen <= found


def test_who_has_won_turns_on_who_is_left() -> None:
    # Two of each side, and others who have left before: only then does the bound on large games matter.
    roles = role_set("don mafia citizen citizen".split())
    found = check(BOOKS["classic_advanced"], roles, wanted=Wanted(("end",), acts=0))
    assert {f.id for f in found.findings} >= {"ca.q.general.33", "ca.q.general.34", "ca.q.general.35"}


def test_with_state_the_night_before_and_a_past_are_searched() -> None:
    roles = role_set("natasha terrorist citizen".split())
    with_state = check(BOOKS["classic_advanced"], roles, wanted=Wanted(("day",), state=True, acts=2))
    (silenced,) = [f for f in with_state.findings if f.id == "ca.q.natasha.4"]
    day = scenario(silenced)
    assert day.last_night or any(player.items or player.was for player in day.players)
    without = check(BOOKS["classic_advanced"], roles, wanted=Wanted(("day",), acts=1))
    assert "ca.q.natasha.4" not in {f.id for f in without.findings}


def test_the_report_says_how_long_the_days_were(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = ["check", "--rulebook", "booklet", "--roles", "don,citizen", "--phase", "day", "--acts", "1"]
    assert main([*arguments, "--lang", "en"]) == 1
    assert "no more than 1 thing told" in capsys.readouterr().out
    assert main([*arguments, "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["told"] == {"day": 1}
    assert all('"phase": "day"' in json.dumps(finding) for finding in data["findings"])


def test_a_search_defines_nothing_that_the_encodings_mean_otherwise() -> None:
    given = {
        *("aim count day earlier_aim earlier_said earlier_with found gone item night".split()),
        *("numbered option phase player role said seat vote was with named circle".split()),
    }
    used = {
        (use.name, len(each.arguments(use)))
        for file in files()
        for each in read_program([file])
        for use in each.uses
    }
    searches = [file.stem for file in Path(encodings(), "search").glob("*.lp") if file.stem != "make_up"]
    for name in searches:
        for each in read_program(search_files(name)):
            for use in each.uses:
                signature = use.name, len(each.arguments(use))
                assert not (use.head and use.name not in given and signature in used), (name, signature)


def files() -> list[str]:
    every = Path(encodings())
    return [
        str(p) for p in sorted(every.glob("*/*.lp")) if p.parent.name != "search" and p.name != "words.lp"
    ]
