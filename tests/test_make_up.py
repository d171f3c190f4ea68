"""Role sets that are proposed: they keep the make-up, and are as free of contradictions as can be."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

import pytest

from mafia_asp.check.report import Wanted, check
from mafia_asp.check.shape import composition
from mafia_asp.cli import main
from mafia_asp.make_up import Proposal, propose
from mafia_asp.rulebook import Rulebook

BOOK = Rulebook.load("classic_advanced")
BOOKLET = Rulebook.load("booklet")


def broken(proposal: Proposal, book: Rulebook = BOOK) -> list[str]:
    return [finding.id for finding in composition(book, [proposal.roles], {})[0]]


@pytest.mark.parametrize("players", [10, 15, 20])
def test_a_proposal_has_as_many_players_and_breaks_nothing(players: int) -> None:
    proposals = propose(BOOK, players, count=2)
    assert proposals.complete
    assert len(set(proposals.found)) == 2
    for proposal in proposals.found:
        assert sum(times for _, times in proposal.roles) == players
        assert broken(proposal) == []


def test_what_is_asked_for_plays_and_what_is_barred_does_not() -> None:
    (proposal,) = propose(BOOK, 14, wanted={"hooker": 2, "don": 1}, without=["thief", "spy"]).found
    roles = dict(proposal.roles)
    assert roles["hooker"] >= 2
    assert roles["don"] >= 1
    assert not {"thief", "spy"} & roles.keys()
    assert broken(proposal) == []


def test_where_nothing_can_be_proposed_nothing_is() -> None:
    assert propose(BOOK, 4).found == ()
    assert propose(BOOK, 4).complete
    (finding, *_), _whole = composition(BOOK, [(("don", 1), ("citizen", 3))], {})
    assert finding.kind == "composition"


def test_what_is_proposed_is_one_of_the_sets_that_keep_the_rules() -> None:
    """Over all sets of the booklet for five players, each decided by itself."""
    (best,) = propose(BOOKLET, 5).found
    roles = [role for role in BOOKLET.role_ids if role not in BOOKLET.base_roles]
    sets = [
        Counter({**dict.fromkeys(some, 1), "mafia": mafia, "citizen": citizens})
        for size in range(len(roles) + 1)
        for some in combinations(roles, size)
        for mafia in range(5 - size + 1)
        if (citizens := 5 - size - mafia) >= 0
    ]
    legal = [
        Proposal(tuple((role, times) for role, times in some.items() if times))
        for some in sets
        if not composition(BOOKLET, [tuple((r, n) for r, n in some.items() if n)], {})[0]
    ]
    assert legal
    assert Counter(dict(best.roles)) in [Counter(dict(each.roles)) for each in legal]


def test_the_contradictions_of_a_proposal_are_those_that_a_check_finds() -> None:
    (proposal,) = propose(BOOK, 13, wanted={"bartender": 1, "sniper": 1}).found
    few = [(role, times) for role, times in proposal.roles if role in ("bartender", "sniper", "citizen")]
    found = {f.id for f in check(BOOK, few, wanted=Wanted(("night",))).findings if f.severity == "error"}
    assert found & set(proposal.clashes)


def test_the_command_proposes_in_text_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", "15", "--with", "دکتر", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["complete"]
    assert data["proposals"][0]["roles"]["doctor"] == 1
    assert main(["setup", "15", "--with", "doctor", "--lang", "en"]) == 0
    assert "Doctor" in capsys.readouterr().out
    assert main(["setup", "4"]) == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["0"], "1<=x<=60"),
        (["15", "--with", "docter"], "doctor"),
        (["3", "--with", "don,citizen*4"], "asks for 5"),
        (["15", "--with", "don", "--without", "don"], "both"),
    ],
)
def test_what_is_wrong_is_told(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup", *arguments]) == 2
    assert told in capsys.readouterr().err
