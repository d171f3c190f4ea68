"""What the search finds by itself (``python -m tests.match`` looks for everything)."""

from __future__ import annotations

from pathlib import Path

import pytest
from coverage_data import rows
from match import ONLY_CALLS, acting, kinds, listed, match, names_of, page, share, to_find

FINDINGS = Path(__file__).resolve().parent.parent / "docs" / "findings.md"
#: of every kind, and of every table whose cells are questions
SAMPLE = {
    "bk.q.doctor.2": "absorbs(save,shot(sniper))",
    "bk.q.general.1": "bk.general.18~bk.general.20~bk.general.69~bk.general.70~bk.general.72",
    "ca.q.bartender.9": "circle(even,drug,save)",
    "ca.q.blacksmith.4": "stops(armor,counter(bomber_man))",
    "ca.q.don.4": "stands_apart(mafia)",
    "ca.q.framer.5": "lasts(framed)",
    "ca.q.freemason.11": "side_of(jekyll_hyde,link)",
    "ca.q.general.26": "counts_dead(any)",
    "ca.q.general.9": "revote(later)",
    "ca.q.guard.2": "stands_apart(mafia)",
    "ca.q.hooker.8": "circle(odd,block,steal)",
    "ca.q.invulnerable.3": "moves(invulnerable,immunity(invulnerable))",
    "ca.q.killer.3": "answers_for(mafia,killer)",
    "ca.q.killer.4": "unfired(fall(killer))",
    "ca.q.lawyer.3": "moves(lawyer,shield,1)",
    "ca.q.quack.6": "sets_off(turn(turncoat),idle_name)",
    "ca.q.sheriff.4": "moves(sheriff,learn_mafia)",
    "ca.q.sniper.1": "ca.bartender.10~ca.sniper.16",
    "ca.q.spy.2": "counts_dead(spy,shoot)",
    "ca.q.spy.3": "reads_as(rank,other)",
    "ca.q.spy.7": "spent(inquiries)",
    "ca.q.thief.10": "moved_onto(killer)",
    "ca.q.vigilante.3": "stops(save,penalty(vigilante))",
    "ca.q.vigilante.7": "counts_dead(vigilante,shoot)",
    "ca.q.vigilante.8": "circle(even,save,shoot)",
    "ca.q.virgin.7": "ca.granny.3~ca.virgin.2",
    "ca.q.watcher.2": "visits(watch,any_naming)",
    "ca.q.yakuza.13": "counts_new(turn(yakuza),recruit)",
}


@pytest.mark.parametrize("question", SAMPLE)
def test_a_question_is_found_without_its_name(question: str) -> None:
    (found,) = match([question])
    assert found.id == SAMPLE[question]
    assert not found.harmless
    assert acting(found)


def test_a_point_answers_to_the_question_that_names_it() -> None:
    names = names_of("classic_advanced")
    assert names.answers_to("ca.bartender.10~ca.sniper.16", "ca.q.sniper.1")
    assert not names.answers_to("ca.bartender.10~ca.sniper.16", "ca.q.sniper.2")
    assert not names.answers_to("ca.don.17~ca.guardian.10", "ca.q.bartender.5")
    assert names.answers_to("stops(save,shot(killer))", "ca.q.killer.6")
    assert not names.answers_to("stops(save,shot(killer))", "ca.q.spy.9")
    assert not names.answers_to("circle(even,drug,steal)", "ca.q.hooker.8")


def test_silences_and_misses_are_questions_of_their_kind() -> None:
    gaps = {row["id"] for row in rows("questions.csv") if row["kind"] == "gap"}
    assert listed("silences").keys() <= gaps & kinds().keys()
    assert listed("misses").keys() <= kinds().keys()
    assert all(listed("silences").values())
    assert all(listed("misses").values())


def test_the_page_has_every_question_and_the_share() -> None:
    text = FINDINGS.read_text(encoding="utf-8")
    told = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}
    assert told == kinds().keys()
    assert text.count("| not found: ") == len(listed("misses"))
    assert len(listed("misses").keys() & to_find().keys()) <= 0.05 * len(to_find())
    for question, id in SAMPLE.items():
        assert any(line.startswith(f"| `{question}` ") and f"`{id}`" in line for line in text.splitlines())


def test_what_is_missing_is_told() -> None:
    found = match(["ca.q.killer.6", "ca.q.natasha.1"])
    gone = [one._replace(id="", night=None) for one in found]
    assert share(found) == (2, 2)
    assert share(gone) == (0, 2)
    assert ONLY_CALLS in page(found)
