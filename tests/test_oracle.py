"""The core against an independent judge, on the same tables (at length: ``python -m tests.oracle``)."""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle import mutants
from oracle.asking import CircleError
from oracle.compare import book_tables, compare, core_files
from oracle.night import Outcome, courses
from oracle.run import Case, run, smallest
from oracle.tables import Tables

from mafia_asp.model import Action, Player, Scenario

#: a book of four roles, made up for these tests
TABLES = (
    'side("t.1",wolf,mafia)',
    'does("t.2",wolf,shoot,kill)',
    'does("t.3",nurse,save,protect(save))',
    'does("t.4",drunk,drug,impose(drugged))',
    'does("t.5",crook,steal,take)',
    "at(steal,take,1)",
    'does("t.6",seer,inquire,ask(alignment))',
    'reads_as("t.7",alignment,side(mafia),yes)',
    'reads_as("t.8",alignment,not_side(mafia),no)',
    'impaired("t.9",drugged,any,any,fails)',
    'wakes("t.10",drunk,1)',
    'acts_in("t.11",night)',
)
SEATS = tuple(Player(name.upper(), name) for name in ("wolf", "nurse", "drunk", "crook", "seer"))


def night(*acts: str) -> Scenario:
    said = [act.split() for act in acts]
    return Scenario("made_up", SEATS, "night", 2, tuple(Action(a, v, tuple(t)) for a, v, *t in said))


def found(tables: Tables, scenario: Scenario) -> dict[tuple[str, ...], Outcome]:
    """Return the oracle's outcomes by the answers, and require that the core has the same."""
    both = compare(core_files(), tables, scenario)
    assert both.agree, both.difference()
    return {tuple(sorted(answers.values())): outcome for answers, outcome in courses(tables, scenario)}


def test_a_meeting_without_a_statement_is_open() -> None:
    outcomes = found(Tables.of(TABLES), night("WOLF shoot SEER", "NURSE save SEER"))
    assert outcomes["true",].saved == {"SEER"}
    assert outcomes["false",].dead == {"SEER"}


def test_a_drugged_saviour_saves_nobody() -> None:
    tables = Tables.of([*TABLES, 'stops("t.20",save,shot(wolf))'])
    acts = ["WOLF shoot SEER", "NURSE save SEER"]
    assert found(tables, night(*acts))[()].saved == {"SEER"}
    assert found(tables, night(*acts, "DRUNK drug NURSE"))[()].dead == {"SEER"}


def test_a_stolen_shot_falls_on_the_second_name() -> None:
    outcomes = found(Tables.of(TABLES), night("WOLF shoot SEER", "CROOK steal WOLF DRUNK"))
    assert outcomes[()].dead == {"DRUNK"}


def test_an_inquiry_is_answered_unless_its_asker_is_drugged() -> None:
    tables = Tables.of(TABLES)
    assert found(tables, night("SEER inquire WOLF"))[()].answers == {(1, "yes")}
    assert found(tables, night("SEER inquire NURSE"))[()].answers == {(1, "no")}
    assert found(tables, night("SEER inquire NURSE", "DRUNK drug SEER"))[()].answers == set()


def test_a_circle_is_asked_about_and_cut() -> None:
    # The thief takes the drink and puts it on the seer; the drink is meant for the thief.
    acts = ["DRUNK drug CROOK", "CROOK steal DRUNK SEER", "SEER inquire WOLF"]
    outcomes = {
        answer: outcome.answers for (answer,), outcome in found(Tables.of(TABLES), night(*acts)).items()
    }
    assert outcomes == {
        "nobody": {(3, "yes")},
        "wake_order": {(3, "yes")},
        "drug": {(3, "yes")},
        "steal": set(),
    }


def test_rules_that_contradict_each_other_are_in_dispute() -> None:
    tables = Tables.of([*TABLES, 'stops("t.20",save,shot(wolf))', 'pierces("t.21",shot(wolf),save)'])
    outcomes = found(tables, night("WOLF shoot SEER", "NURSE save SEER"))
    assert outcomes["t.20",].saved == {"SEER"}
    assert outcomes["t.21",].dead == {"SEER"}


def test_a_circle_that_no_influence_shows_is_an_error_of_the_oracle() -> None:
    # A hindrance that turns on its giver is beyond what influence covers: no course is made up for it.
    tables = Tables.of([*TABLES, 'carries("t.30",drunk,drug)'])
    with pytest.raises(CircleError):
        courses(tables, night("CROOK steal DRUNK CROOK"))


def test_what_a_role_does_every_night_is_no_protection() -> None:
    tables = Tables.of([*TABLES, 'routine("t.40",seer,learn_mafia)'])
    assert found(tables, night("WOLF shoot SEER"))[()].dead == {"SEER"}


@pytest.mark.parametrize("shooter", ["WOLF shoot SEER", "WOLF shoot NURSE"])
def test_the_acts_of_those_killed_earlier_may_lapse(shooter: str) -> None:
    tables = Tables.of(
        [*TABLES, 'does("t.41",seer,shoot,kill)', 'wakes("t.42",wolf,0)', 'wakes("t.43",crook,2)']
    )
    scenario = night("SEER shoot DRUNK", shooter)
    both = compare(core_files(), tables, scenario, lapse=True)
    assert both.agree, both.difference()
    ((_, outcome),) = both.oracle
    assert outcome.dead == ({"SEER"} if shooter == "WOLF shoot SEER" else {"NURSE", "DRUNK"})


def test_the_acts_of_those_killed_by_a_stolen_shot_may_lapse() -> None:
    tables = Tables.of([*TABLES, 'does("t.41",seer,shoot,kill)', 'wakes("t.42",wolf,0)'])
    scenario = night("SEER shoot DRUNK", "WOLF shoot NURSE", "CROOK steal WOLF SEER")
    both = compare(core_files(), tables, scenario, lapse=True)
    assert both.agree, both.difference()
    assert {outcome.dead for _, outcome in both.oracle} == {frozenset({"SEER"})}


def test_a_void_act_does_not_turn_on_its_owner() -> None:
    more = ['does("t.44",nurse,silence,impose(silenced))', 'impaired("t.45",drugged,nurse,silence,self)']
    tables = Tables.of([*TABLES, *more, 'wakes("t.46",wolf,0)'])
    acts = ["NURSE silence SEER", "DRUNK drug NURSE", "WOLF shoot NURSE"]
    both = compare(core_files(), tables, night(*acts), lapse=True)
    assert both.agree, both.difference()
    assert {outcome.silenced for _, outcome in both.oracle} == {frozenset()}


def test_two_shots_and_one_protection() -> None:
    acts = night("WOLF shoot DRUNK", "SEER shoot DRUNK", "NURSE save DRUNK")
    rows = [
        *TABLES,
        'does("t.41",seer,shoot,kill)',
        'stops("t.47",save,shot(wolf))',
        'stops("t.48",save,shot(seer))',
    ]
    outcomes = found(Tables.of(rows), acts)
    assert outcomes["true",].saved == {"DRUNK"}
    assert outcomes["false",].dead == {"DRUNK"}
    for answer, dead in (("yes", set()), ("no", {"DRUNK"}), ("told", set())):
        stated = Tables.of([*rows, f'absorbs("t.49",save,shot(seer),shot(wolf),{answer})'])
        assert found(stated, acts)[()].dead == dead


def test_a_group_whose_spokesman_is_stopped() -> None:
    rows = [*TABLES, 'group("t.50",pack,shoot)', 'agent("t.51",pack,wolf)']
    acts = ["pack shoot SEER", "DRUNK drug WOLF"]
    for voice in ([], ["WOLF shoot SEER"]):
        outcomes = found(Tables.of(rows), night(*acts, *voice))
        assert outcomes["true",].dead == {"SEER"}
        assert outcomes["false",].dead == set()
    assert found(Tables.of(rows), night(acts[0], "DRUNK drug SEER"))[()].dead == {"SEER"}


def test_an_inquiry_about_somebody_whom_no_row_lists() -> None:
    rows = [row for row in TABLES if "not_side" not in row]
    outcomes = found(
        Tables.of([*rows, 'reads_as("t.52",alignment,role(drunk),no)']), night("SEER inquire NURSE")
    )
    assert outcomes["true",].answers == {(1, "yes")}
    assert outcomes["false",].answers == {(1, "no")}


def test_what_showed_last_night_may_show_tonight() -> None:
    more = ['does("t.53",nurse,frame,impose(framed))', 'reads_as("t.54",alignment,held(framed),yes)']
    before = (Action("NURSE", "frame", ("DRUNK",)),)
    scenario = night("SEER inquire DRUNK")._replace(last_night=before)
    outcomes = found(Tables.of([*TABLES, *more]), scenario)
    assert {answer: outcome.answers for (answer,), outcome in outcomes.items()} == {
        "true": {(1, "yes")},
        "false": {(1, "no")},
    }
    stated = Tables.of([*TABLES, *more, 'lasts("t.55",framed,one_night)'])
    assert found(stated, scenario)[()].answers == {(1, "no")}


def test_a_stolen_act_on_somebody_whom_nobody_may_name() -> None:
    tables = Tables.of([*TABLES, 'banned("t.56",drunk)'])
    outcomes = found(tables, night("WOLF shoot SEER", "CROOK steal WOLF DRUNK"))
    assert outcomes["true",].dead == {"DRUNK"}
    assert outcomes["false",].dead == set()


def test_a_stolen_protection_may_protect_somebody_else() -> None:
    tables = Tables.of([*TABLES, 'standing("t.57",nurse,coat)', 'stops("t.58",coat,shot(wolf))'])
    asked = found(tables, night("WOLF shoot SEER", "CROOK steal NURSE SEER"))
    assert {outcome.dead for outcome in asked.values()} == {frozenset(), frozenset({"SEER"})}


def test_of_two_names_a_theft_may_move_either() -> None:
    more = [
        'does("t.59",drunk,drug,impose(slow))',
        "at(drug,impose(slow),2)",
        'impaired("t.60",slow,any,any,fails)',
    ]
    outcomes = found(
        Tables.of([*TABLES, *more]),
        night("DRUNK drug NURSE WOLF", "CROOK steal DRUNK SEER", "SEER inquire WOLF"),
    )
    assert len(outcomes) == 3


def test_whether_the_acts_of_those_killed_earlier_count_may_be_open() -> None:
    tables = Tables.of([*TABLES, 'wakes("t.42",wolf,0)'])
    both = compare(core_files(), tables, night("WOLF shoot SEER", "SEER inquire WOLF"), lapse=None)
    assert both.agree, both.difference()
    told = {answer: outcome.answers for answers, outcome in both.oracle for _, answer in answers}
    assert told == {"true": {(2, "yes")}, "false": set()}


def test_only_facts_are_tables() -> None:
    tables = book_tables()
    assert ("ca.doctor.2", "doctor", "save", ("protect", "save")) in tables["does"]
    assert ("ca.doctor.4", "save", ("shot", "mafia")) in tables["stops"]
    assert not [row for row in tables["stops"] if row[0] == "ca.don.4"]  # said by a rule with a condition


def test_oracle_and_core_agree_on_random_nights() -> None:
    report = run(50, 36)
    assert report.failures == []
    counts = report.counts
    assert counts["open"] >= 5
    assert counts["circle"] >= 8
    assert counts["theft or hindrance"] >= 25
    assert min(counts[f"tables {style}"] for style in ("book", "thinned", "stirred")) >= 8
    assert min(counts[f"asks {kind}"] for kind in ("dispute", "impaired", "stops", "named")) >= 1


@pytest.fixture(scope="module")
def over() -> list[mutants.Night]:
    return list(mutants.nights(200, 14))


def test_the_core_as_it_is_passes(over: list[mutants.Night]) -> None:
    assert mutants.noticed(core_files(), over[:30]) is None


@pytest.mark.parametrize("heads", ["severed", "defeated", "special", "kin", "taken", "cut", "nth", "parity"])
def test_a_core_without_some_rules_is_noticed(heads: str, over: list[mutants.Night], tmp_path: Path) -> None:
    texts = mutants.rules(core_files())
    dropped = [text for text in texts if mutants.head(text) == heads]
    assert dropped
    assert mutants.noticed(mutants.without(texts, dropped, tmp_path), over) is not None


def test_a_failing_night_is_made_small(tmp_path: Path) -> None:
    texts = mutants.rules(core_files())
    files = mutants.without(texts, [text for text in texts if mutants.head(text) == "taken"], tmp_path)
    tables = Tables.of([*TABLES, 'stops("t.20",save,shot(wolf))'])
    acts = ["NURSE save SEER", "WOLF shoot SEER", "CROOK steal WOLF DRUNK", "SEER inquire NURSE"]
    case = Case(files, tables, night(*acts))
    assert case.fails()
    small = smallest(case).scenario
    assert {a.verb for a in small.actions} == {"shoot", "steal"}
    assert len(small.players) < len(SEATS)
