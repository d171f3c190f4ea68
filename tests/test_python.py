"""The Python interface, as the documentation shows it."""

from __future__ import annotations

import doctest
import threading

import pytest

import mafia_asp as ma
from mafia_asp import rulebook

BOOK = ma.Rulebook.load("classic_advanced")
CAST = {"Ali": "don", "Sara": "doctor", "Reza": "sniper", "Mina": "bartender", "Omid": "citizen"}


def test_a_night() -> None:
    verdict = BOOK.night(CAST, [("Ali", "shoot", "Omid"), ("Sara", "save", "Omid")])
    assert verdict.settled
    assert verdict.certain.dead == []
    assert verdict.certain.saved == ["Omid"]
    assert verdict.possible == {}
    assert "ca.don.14" in {reason.rule for reason in verdict.because}
    with pytest.raises(AttributeError):
        _ = verdict.certain.nothing


def test_an_open_night() -> None:
    verdict = BOOK.night(CAST, [("Mina", "drug", "Reza"), ("Reza", "shoot", "Ali")], night=2)
    assert not verdict.settled
    assert [q.id for q in verdict.open] == ["ca.q.sniper.1"]
    assert verdict.possible.dead == ["Reza"]
    assert [r.outcome.dead for r in verdict.groups[0].readings] == [["Reza"], []]
    assert verdict.groups[0].tree.question == "ca.q.sniper.1"  # type: ignore[union-attr]
    assert verdict.next is None
    ruled = BOOK.night(
        CAST, [("Mina", "drug", "Reza"), ("Reza", "shoot", "Ali")], rulings={"ca.q.sniper.1": "misses"}
    )
    assert ruled.settled
    assert ruled.certain.dead == []


def test_why_and_a_notebook() -> None:
    verdict = BOOK.night(CAST, [("Ali", "shoot", "Omid")])
    assert "ca.don.9" in verdict.why("Omid dies").render("en", 80)
    assert "Omid" in verdict._repr_markdown_()


def test_many_nights_of_one_cast() -> None:
    cast = BOOK.resolver(CAST)
    nights = [[("Ali", "shoot", "Omid")], [("Ali", "shoot", "Omid"), ("Sara", "save", "Omid")], []]
    assert [v.certain.dead for v in cast.nights(nights)] == [["Omid"], [], []]


def test_wrong_input() -> None:
    with pytest.raises(ma.InputError, match="docter"):
        BOOK.night({"Ali": "docter"})
    with pytest.raises(ma.InputError, match="Nobody"):
        BOOK.resolver(CAST).night([("Nobody", "shoot", "Omid")])
    with pytest.raises(ma.InputError):
        BOOK.night({"Ali": object()})


def test_a_chain_of_phases_can_be_read_back() -> None:
    from mafia_asp.scenario import from_data

    verdict = BOOK.night(
        {**CAST, "Kian": {"role": "spy", "inquiries": 1, "shots": 0}}, [("Ali", "shoot", "Omid")]
    )
    assert verdict.next is not None
    following = from_data(verdict.next)
    assert following.phase == "day"
    assert [p.name for p in following.players if not p.alive] == ["Omid"]


def test_how_somebody_left_is_known_for_good() -> None:
    from mafia_asp.scenario import from_data

    cast = {"Ali": "don", "Leila": "jailer", "Nima": "postman", "Sara": "citizen", "Mina": "citizen"}
    verdict = BOOK.night({**cast, "Omid": "citizen"}, [("Ali", "shoot", "Nima")], night=2)
    for _ in range(3):
        assert verdict.next is not None
        verdict = ma.decide(from_data({**verdict.next, "actions": []}))
    # Nobody was executed by day, so the Jailer may jail; the Postman's moment is over.
    following = verdict.next
    assert following is not None
    assert following["players"]["Nima"] == {
        "role": "postman",
        "alive": False,
        "was": {"killed_on_night": 2},
    }
    jailed = ma.decide(from_data({**following, "actions": [{"Leila": {"jail": "Sara"}}]}))
    assert jailed.certain.cannot == {}


def test_a_resolver_for_each_thread() -> None:
    dead: dict[int, list[str]] = {}

    def work(number: int, victim: str) -> None:
        dead[number] = BOOK.resolver(CAST).night([("Ali", "shoot", victim)]).certain.dead

    threads = [
        threading.Thread(target=work, args=(n, v)) for n, v in enumerate(["Omid", "Mina", "Sara", "Reza"])
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert dead == {0: ["Omid"], 1: ["Mina"], 2: ["Sara"], 3: ["Reza"]}


def test_what_the_docstrings_show() -> None:
    failed, tried = doctest.testmod(rulebook, extraglobs={"Rulebook": ma.Rulebook})
    assert tried
    assert not failed
