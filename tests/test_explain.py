from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import mafia_asp
from mafia_asp import Rulebook, decide
from mafia_asp.errors import InputError
from mafia_asp.explain import Explanation, answer, store, why, why_not
from mafia_asp.explain.ask import Fact, parse
from mafia_asp.explain.near import Change, Variations, batches
from mafia_asp.explain.tree import Node
from mafia_asp.model import Scenario
from mafia_asp.scenario import parse_inline
from mafia_asp.solve import Limits

CAST = (
    "Ali=don, Kian=mafia, Sara=sniper, Reza=doctor, Mina=bartender, Dara=thief, Nima=detective, "
    "Yas=invulnerable, Tara=guardian, Kia=killer, Nat=natasha, Omid=citizen"
)


@pytest.fixture(autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setattr(store, "folder", lambda: cache)


def night(actions: str, players: str = CAST, *, number: int = 2, **changes: Any) -> Scenario:
    return parse_inline(players, actions, number=number)._replace(**changes)


def trees(said: Explanation) -> list[Node]:
    return [node for part in said.parts for branch in part.branches for node in branch.trees]


def cited(said: Explanation) -> set[str]:
    return set().union(*(tree.cited() for tree in trees(said)))


def leaves(said: Explanation) -> list[str]:
    """Give the statements at which a tree ends."""
    ends = [
        node
        for part in said.data()["parts"]
        for branch in part["branches"]
        for node in _walk(branch["trees"])
    ]
    return [node["text"]["en"] for node in ends if "from" not in node]


def _walk(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for node in nodes for each in (node, *_walk(node.get("from", [])))]


# ---- why ------------------------------------------------------------------------------------------------


def test_an_ordinary_death() -> None:
    said = why(night("Ali shoot Omid"), "Omid dies")
    assert said.render("en", 100) == (
        "Omid dies\n"
        "│  See also [ca.general.174 · 000:646] [ca.general.76 · 000:79]\n"
        "└─ Omid is killed by the shot of the Don\n"
        "   │  Don: Every night he gives one name, and that member of the police is killed and leaves the\n"
        "   │  game. [ca.don.9 · 000:200]\n"
        "   └─ Ali: shoot Omid\n"
    )
    assert leaves(said) == ["Ali: shoot Omid"]


def test_a_save() -> None:
    said = why(night("Ali shoot Omid; Reza save Omid"), "Omid saved")
    assert {"ca.don.9", "ca.don.14", "ca.doctor.2", "ca.doctor.4"} <= cited(said)
    assert sorted(leaves(said)) == ["Ali: shoot Omid", "Reza: save Omid"]


def test_a_save_that_failed_is_shown_by_itself() -> None:
    said = why(night("Ali shoot Omid; Reza save Omid; Mina drug Reza"), "Omid dies")
    assert {"ca.don.9", "ca.doctor.9", "ca.bartender.8", "ca.bartender.3"} <= cited(said)
    assert "Reza: save Omid – this came to nothing" in said.render("en", 100)
    assert "Mina: drug Reza" in leaves(said)


def test_a_save_that_another_rule_goes_before() -> None:
    said = why(night("Ali shoot Omid; Sara shoot Omid; Reza save Omid"), "Omid dies")
    (pierced,) = [n for tree in trees(said) for n in tree.walk() if n.term[0] == "+unstopped"]
    assert pierced.rules[0] == "ca.sniper.21"
    assert pierced.over == ["ca.sniper.11"]
    assert "This goes before [ca.sniper.11 · 000:142]" in said.render("en", 100)


def test_a_stolen_bullet() -> None:
    said = why(night("Dara steal Sara Omid"), "Omid dies")
    assert {"ca.sniper.2", "ca.sniper.18", "ca.thief.6"} <= cited(said)
    assert leaves(said) == ["Dara: steal Sara, Omid"]


def test_an_immunity_laid_open_by_the_drink() -> None:
    said = why(night("Mina drug Yas; Ali shoot Yas"), "Yas dies")
    assert {"ca.invulnerable.5", "ca.bartender.12", "ca.bartender.3"} <= cited(said)
    (mode,) = [n for tree in trees(said) for n in tree.walk() if n.term[0] == "mode"]
    assert mode.over == ["ca.invulnerable.2"]


def test_an_immunity_that_holds() -> None:
    said = why(night("Ali shoot Yas"), "Yas lives")
    assert {"ca.invulnerable.2", "ca.don.15"} <= cited(said)
    assert leaves(said)[0] == "Ali: shoot Yas"


def test_nobody_was_after_this_player() -> None:
    said = why(night("Ali shoot Omid"), "Kian")
    assert said.render("en", 100) == "Kian lives: nothing that was said would kill this player\n"


def test_an_inverted_answer() -> None:
    said = why(night("Mina drug Nima; Nima inquire Kian"), "Nima told")
    assert {"ca.detective.4", "ca.detective.10", "ca.bartender.9"} <= cited(said)
    text = said.render("en", 100)
    assert text.startswith("Nima is told: no\n")
    assert "About Kian (Mafia) the answer is: yes" in text
    assert "ca.detective.11" not in cited(said)
    assert set(leaves(said)) >= {"Nima: inquire Kian", "Mina: drug Nima"}


def test_a_dispute_in_both_readings() -> None:
    said = why(night("Mina drug Sara; Sara shoot Kian"), "Sara")
    (part,) = [part for part in said.parts if part.fact.kind == "dies"]
    assert part.state == "possible"
    by_answer = {branch.answers[0]["ca.q.sniper.1"]: branch for branch in part.branches}
    assert {answer: branch.holds for answer, branch in by_answer.items()} == {"dies": True, "misses": False}
    assert "ca.sniper.16" in by_answer["dies"].trees[0].cited()
    assert "With ca.q.sniper.1: misses:" in said.render("en", 100)


def test_a_refusal() -> None:
    said = why(night("Omid shoot Ali; Nima inquire Ali; Nima inquire Kian"), "Omid cannot shoot")
    assert cited(said) == {"core.lacks"}
    assert leaves(said) == ["Omid: shoot Ali"]
    limited = why(night("Nima inquire Ali; Nima inquire Kian"), "Nima cannot inquire")
    assert "ca.detective.3" in limited.parts[0].branches[0].trees[0].rules
    assert "This is use 2 of inquire" in limited.render("en", 100)


def test_a_convention_is_cited() -> None:
    said = why(night("Kia shoot Omid; Reza save Omid"), "Omid saved")
    text = said.render("en", 100)
    assert "By convention cv.save_holds: ca.q.killer.6: saved" in text
    assert "A save holds against any shot. [cv.save_holds]" in text
    assert why(night("Kia shoot Omid; Reza save Omid"), "Omid", strict=True).parts[0].state == "possible"


def test_a_ruling_is_cited_as_the_tables_own() -> None:
    said = why(night("Kia shoot Omid; Reza save Omid", rulings={"ca.q.killer.6": "dies"}), "Omid dies")
    assert "The table has ruled: ca.q.killer.6: dies" in said.render("en", 100)
    assert "طبق تصمیم میز" in said.render("fa", 100)


def test_an_act_that_counts_by_convention_although_its_actor_is_killed() -> None:
    said = why(night("Ali shoot Sara; Sara shoot Kian"), "Kian dies")
    assert "cv.deaths_at_dawn" in cited(said)


def test_the_three_deaths_of_the_killer() -> None:
    scenario = night("Kia shoot Omid; Nima inquire Kia")
    for player, rule in (("Nima", "ca.killer.10"), ("Kia", "ca.killer.11"), ("Omid", "ca.killer.12")):
        said = why(scenario, f"{player} dies")
        assert {rule, "ca.killer.9", "ca.killer.13"} <= cited(said)
        assert "Nima: inquire Kia" in leaves(said)


def test_a_silence_that_turns_on_its_owner() -> None:
    said = why(
        night("Nat silence Omid; Mina drug Nat", rulings={"ca.q.bartender.3": "effect"}), "Nat silenced"
    )
    assert {"ca.natasha.6", "ca.natasha.11", "ca.bartender.13"} <= cited(said)


def test_what_follows_from_either_answer_is_shown_with_both() -> None:
    scenario = night("Mina drug Sara; Sara shoot Ali", "Ali=don, Sara=sniper, Mina=bartender")
    said = why(scenario, "Ali lives")
    (part,) = said.parts
    assert part.state == "certain"
    assert [branch.answers for branch in part.branches] == [
        ({"ca.q.sniper.1": "dies"},),
        ({"ca.q.sniper.1": "misses"},),
    ]
    assert {"ca.sniper.16", "ca.bartender.10"} <= cited(said)
    text = said.render("en", 100)
    assert text.startswith("Certain, whichever answer is taken: Ali lives\n\nWith ca.q.sniper.1: dies:\n")
    assert "With ca.q.sniper.1: misses:" in text


def test_an_answer_given_is_not_said_to_have_come_to_nothing() -> None:
    said = why(night("Mina drug Nima; Nima inquire Kian"), "Nima")
    assert "acts" not in [part.fact.kind for part in said.parts]


def test_a_no_says_that_the_player_is_on_another_side() -> None:
    said = why(night("Nima inquire Nat"), "Nima told no")
    assert "ca.natasha.1" in cited(said)
    assert "Nat (Natasha) is not of this side: Mafia" in said.render("en", 100)


def test_a_rule_is_shown_with_the_role_that_it_speaks_of() -> None:
    text = why(night("Kia shoot Omid; Nima inquire Kia"), "Nima dies").render("en", 200)
    assert re.search(r"Killer: .*\[ca\.killer\.10", text)
    lacks = why(night("Omid shoot Ali"), "Omid cannot shoot").render("en", 200)
    assert not re.search(r"^.*: .*\[core\.lacks", lacks, re.MULTILINE)


def test_own_acts_that_came_to_nothing() -> None:
    said = why(night("Mina drug Reza; Reza save Omid"), "Reza")
    assert [part.fact.kind for part in said.parts] == ["lives", "acts"]
    assert "ca.doctor.9" in cited(said)


def test_what_is_not_so_is_said() -> None:
    said = why(night("Ali shoot Omid; Reza save Omid"), "Omid dies")
    assert said.parts[0].state == "no"
    assert said.render("en", 100).startswith("It is not so: Omid dies\nOmid lives\n")


def test_every_rule_that_the_answer_cites_for_a_death_is_in_the_tree() -> None:
    scenario = night("Mina drug Yas; Ali shoot Yas; Dara steal Sara Omid; Reza save Tara; Kia shoot Tara")
    verdict = decide(scenario)
    for player in verdict.certain["dead"]:
        reasons = {reason.rule for reason in verdict.because if reason[:2] == ("dead", (player,))}
        assert reasons <= cited(why(scenario, f"{player} dies"))


def test_all_statements_have_words_in_both_languages() -> None:
    scenario = night(
        "Mina drug Sara; Sara shoot Ali; Dara steal Yas Omid; Kia shoot Yas; Nima inquire Kia; Reza save Yas"
    )
    for player in scenario.players:
        said = why(scenario, player.name)
        for lang in ("en", "fa"):
            assert not re.search(r"\bp\d+\b|\+\w+\(|own\(|moved\(", said.render(lang, 80))


# ---- why not ----------------------------------------------------------------------------------------------


def test_what_beat_it_and_the_nearest_action() -> None:
    said = why_not(night("Ali shoot Omid; Reza save Omid"), "Omid dies")
    assert "ca.doctor.4" in cited(said)
    assert said.nearby[0].change == Change(action=2)
    assert said.nearby[0].then["dead"] == ["Omid"]
    text = said.render("en", 100)
    assert "Any one of these changes would make Omid die:" in text
    assert "without “Reza: save Omid”\n    then: Omid dies" in text


def test_the_nearest_ruling() -> None:
    said = why_not(night("Kia shoot Omid; Reza save Omid"), "Omid dies")
    assert said.nearby[0].change == Change(question="ca.q.killer.6", answer="dies")
    assert "with the ruling ca.q.killer.6: dies" in said.render("en", 100)


def test_a_ruling_that_is_in_force_can_be_changed() -> None:
    scenario = night("Mina drug Sara; Sara shoot Kian", rulings={"ca.q.sniper.1": "misses"})
    said = why_not(scenario, "Sara dies")
    assert said.nearby[0].change == Change(question="ca.q.sniper.1", answer="dies")


def test_another_target() -> None:
    said = why_not(night("Nima inquire Omid"), "Nima told yes")
    assert said.nearby[0].change == Change(action=1, place=1, target="Kian")
    assert said.data()["nearby"][0]["instead"] == {"Nima": {"inquire": "Kian"}}


def test_nothing_would_change_it() -> None:
    said = why_not(night("Nima inquire Omid"), "Omid dies")
    assert said.nearby == []
    assert "No single change of an answer or action would make Omid die." in said.render("en", 100)
    assert not said.incomplete


def test_why_not_of_what_is_so() -> None:
    said = why_not(night("Ali shoot Omid"), "Omid dies")
    assert said.render("en", 100).startswith("But it is so: Omid dies\n")
    assert said.nearby == []


def test_why_not_of_a_name_takes_the_opposite_of_what_is_so() -> None:
    assert why_not(night("Ali shoot Omid"), "Omid").parts[0].fact == Fact("lives", "Omid")
    assert why_not(night("Ali shoot Omid"), "Kian").parts[0].fact == Fact("dies", "Kian")


@pytest.mark.parametrize(
    "question", ["Omid dies", "Omid lives", "Omid saved", "Nima told yes", "Omid silenced"]
)
def test_the_search_agrees_with_deciding_each_changed_night(question: str) -> None:
    scenario = night(
        "Ali shoot Omid; Reza save Kian; Nima inquire Omid; Nat silence Ali; Mina drug Nima", CAST
    )
    book = Rulebook.load(scenario.rulebook)
    fact = parse(question, scenario, book)
    from mafia_asp.explain.answer import Night
    from mafia_asp.verdict import program_of

    program = program_of(scenario, book)
    for changes in batches(scenario, fact, {}):
        varied = Variations(scenario, program, ["all"], fact, changes)
        for change in changes[::12]:
            changed = change.applied(scenario)
            expected = Night(changed, book, False, True)._uniform(fact)
            assert varied.holds(change, Limits()) == expected, change


def test_batches_hold_every_change_once_and_begin_with_the_proof() -> None:
    scenario = night("Ali shoot Omid; Reza save Kian; Nima inquire Omid")
    fact = Fact("dies", "Omid")
    changes = [change for some in batches(scenario, fact, {"ca.q.x.1": ["a"]}, {2}) for change in some]
    assert len(set(changes)) == len(changes)
    assert changes[:2] == [Change(action=2), Change("ca.q.x.1", "a")]
    assert [change.action for change in changes if change.kind == "dropped"] == [2, 1, 3]
    assert changes[4].target == "Omid"


EVERYBODY = Path(mafia_asp.__file__).parent.parent / "scenarios" / "examples" / "everybody.yaml"


@pytest.mark.parametrize(("question", "action"), [("Yas dies", 12), ("Sara silenced", 13)])
def test_a_big_table_is_searched_in_seconds(question: str, action: int) -> None:
    (scenario,) = mafia_asp.read_scenarios(str(EVERYBODY))
    start = time.monotonic()
    said = why_not(scenario, question)
    assert time.monotonic() - start < 15  # a second or two on an idle machine
    assert said.nearby[0].change == Change(action=action)


def test_a_limit_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "SEARCH", 0.0)
    said = why_not(night("Ali shoot Omid; Reza save Omid"), "Omid dies")
    assert said.incomplete
    assert said.data()["incomplete"]
    assert "was found within the limit of 5 seconds; not all were tried" in said.render("en", 200)


def test_a_change_that_only_might_do_it() -> None:
    said = why_not(night("Ali shoot Omid", "Ali=don, Kian=mafia, Omid=citizen"), "Kian dies")
    (near,) = said.nearby
    assert near.open == ("ca.q.don.10",)
    text = said.render("en", 100)
    assert "Any one of these changes might make Kian die:" in text
    assert "then perhaps: Kian dies (ca.q.don.10)" in text
    (told,) = said.data()["nearby"]
    assert (told["certain"], told["open"]) == (False, ["ca.q.don.10"])


# ---- forms ------------------------------------------------------------------------------------------------


def test_text_keeps_to_the_width() -> None:
    said = why(night("Ali shoot Omid; Sara shoot Omid; Reza save Omid; Mina drug Nat"), "Omid dies")
    for width in (40, 60, 100):
        assert max(map(len, said.render("en", width).split("\n"))) <= width


def test_ids_and_sources_are_never_broken() -> None:
    said = why(night("Ali shoot Omid; Sara shoot Omid; Reza save Omid; Mina drug Nat"), "Omid dies")
    for lang in ("en", "fa"):
        for width in (30, 40, 60, 80):
            text = said.render(lang, width)
            assert len(re.findall(r"\[ca\.[a-z.0-9]+ · 000:[-0-9]+\]", text)) == text.count("[ca.") > 3


def test_persian_rules_stand_deeper_than_what_they_explain() -> None:
    text = why(night("Mina drug Nima; Nima inquire Kian"), "Nima told").render("fa", 40)
    lines = text.split("\n")
    at = next(n for n, line in enumerate(lines) if "ca.detective.4 " in line)
    assert lines[at].startswith("      ")
    assert [line[:2] for line in lines if "About" in line or line.startswith("•")] == ["• ", "• "]


def test_markdown_is_nested_lists() -> None:
    said = why(night("A*b shoot Omid", "A*b=don, Omid=citizen"), "Omid dies")
    assert said.markdown() == (
        "- Omid dies\n"
        "  - *See also* `ca.general.174 · 000:646` `ca.general.76 · 000:79`\n"
        "  - Omid is killed by the shot of the Don\n"
        "    - *Don: Every night he gives one name, and that member of the police is killed and leaves the"
        " game.* `ca.don.9 · 000:200`\n"
        "    - A\\*b: shoot Omid\n"
    )
    missing = why_not(night("Ali shoot Omid; Reza save Omid"), "Omid dies").markdown("fa")
    assert "\n- بدون" in missing
    assert not re.search("[│├└\u00a0]", missing)


def test_persian() -> None:
    text = why(night("علی shoot امید", "علی=don, امید=citizen"), "اميد مي میرد").render("fa", 80)
    assert text.split("\n")[0] == "امید کشته می‌شود"
    assert "هر شب نام یک نفر را می‌گوید و آن پلیس کشته و حذف می‌شود." in text
    assert "• علی: شلیک امید" in text
    assert "│" not in text


def test_data_is_json_with_rules_and_sources() -> None:
    data = why(night("Ali shoot Omid"), "Omid dies").data()
    assert json.loads(json.dumps(data)) == data
    (dies,) = data["parts"][0]["branches"][0]["trees"][0]["from"]
    (rule,) = dies["rules"]
    assert (rule["id"], rule["source"]) == ("ca.don.9", "000:200")
    assert set(rule["text"]) == {"en", "fa"}
    assert dies["from"][0]["text"] == {
        "en": "Ali: shoot Omid",
        "fa": "\u2068Ali\u2069: شلیک \u2068Omid\u2069",
    }


def test_flow_chart() -> None:
    chart = why(night('A "x" <b> shoot Omid', 'A "x" <b>=don, Omid=citizen'), "Omid dies").mermaid()
    assert chart == (
        "flowchart TD\n"
        '  n1["Omid dies"]\n'
        '  n2["Omid is killed by the shot of the Don<br/>[ca.don.9 · 000:200]"]\n'
        '  n3["A #quot;x#quot; #lt;b#gt;: shoot Omid"]\n'
        "  n1 --> n2\n"
        "  n2 --> n3\n"
    )


def test_graph() -> None:
    graph = why(night("Ali shoot Omid"), "Omid dies").graph()
    assert [data["text"] for _, data in graph.nodes(data=True)][-1] == "Ali: shoot Omid"
    assert len(graph.edges) == 2


def test_networkx_is_imported_only_for_a_graph() -> None:
    code = (
        "import sys\nfrom mafia_asp.scenario import parse_inline\nfrom mafia_asp.explain import why\n"
        "said = why(parse_inline('Ali=don, Omid=citizen', 'Ali shoot Omid', number=2), 'Omid', cache=False)\n"
        "said.render(), said.data(), said.mermaid()\nassert 'networkx' not in sys.modules\n"
    )
    path = str(Path(mafia_asp.__file__).parent.parent)
    subprocess.run([sys.executable, "-c", code], check=True, cwd=path)


def test_a_rulebook_of_the_users_own(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(Path(mafia_asp.__file__).parent / "templates" / "rulebook", folder)
    book = Rulebook.load(str(folder))
    role = next(role for role in book.role_ids if (folder / f"{role}.lp").is_file())
    scenario = parse_inline(
        f"Ali=don, Nur={role}, Omid=citizen", "Ali shoot Omid", rulebook=str(folder), number=2
    )
    assert "ca.don.9" in cited(why(scenario, "Omid dies"))


# ---- questions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("Ali", Fact("", "Ali")),
        ("ali dies", Fact("dies", "Ali")),
        ("Ali is killed", Fact("dies", "Ali")),
        ("Ali LIVES", Fact("lives", "Ali")),
        ("Ali saved", Fact("saved", "Ali")),
        ("Ali silenced", Fact("silenced", "Ali")),
        ("Ali told", Fact("told", "Ali")),
        ("Ali told yes", Fact("told", "Ali", "yes")),
        ("Ali told nothing", Fact("told", "Ali", "none")),
        ("Ali told Ali Reza", Fact("told", "Ali", "Ali Reza")),
        ("Ali becomes Godfather", Fact("becomes", "Ali", "don")),
        ("Ali cannot shoot", Fact("cannot", "Ali", "shoot")),
        ("Ali cannot", Fact("cannot", "Ali")),
        ("Ali cannot shoot Omid", Fact("cannot", "Ali", "shoot")),
        ("Ali Reza dies", Fact("dies", "Ali Reza")),
        ("Ali dead", Fact("dies", "Ali")),
        ("Ali silent", Fact("silenced", "Ali")),
        ("Ali is silent", Fact("silenced", "Ali")),
        ("Ali is silent tomorrow", Fact("silenced", "Ali")),
        ("Ali is told: yes", Fact("told", "Ali", "yes")),
        ("Ali: yes", Fact("told", "Ali", "yes")),
        ("Ali no", Fact("told", "Ali", "no")),
        ("Ali is told nothing", Fact("told", "Ali", "none")),
        ("Ali is refused: shoot", Fact("cannot", "Ali", "shoot")),
        ("سارا خیر", Fact("told", "سارا", "no")),
        ("جواب سارا: خیر", Fact("told", "سارا", "no")),
        ("سارا نجات", Fact("saved", "سارا")),
        ("سارا مرده", Fact("dies", "سارا")),
        ("سارا فردا ساکت است", Fact("silenced", "سارا")),
        ("سارا می‌میرد", Fact("dies", "سارا")),
        ("سارا مي ميرد", Fact("dies", "سارا")),
        ("سارا کشته می شود", Fact("dies", "سارا")),
        ("سارا زنده می‌ماند", Fact("lives", "سارا")),
        ("سارا نجات می‌یابد", Fact("saved", "سارا")),
        ("سارا ساکت می‌شود", Fact("silenced", "سارا")),
        ("سارا می‌شنود", Fact("told", "سارا")),
        ("سارا بله می‌شنود", Fact("told", "سارا", "yes")),
        ("سارا دکتر می‌شود", Fact("becomes", "سارا", "doctor")),
        ("سارا می‌شود دکتر", Fact("becomes", "سارا", "doctor")),
        ("سارا نمی‌تواند شلیک کند", Fact("cannot", "سارا", "shoot")),
        ("سارا نمی تواند شلیک", Fact("cannot", "سارا", "shoot")),
    ],
)
def test_questions(question: str, fact: Fact) -> None:
    scenario = night("", "Ali=don, Ali Reza=doctor, Omid=citizen, سارا=sniper")
    assert parse(question, scenario, Rulebook.load(scenario.rulebook)) == fact


@pytest.mark.parametrize(
    ("question", "code", "shown"),
    [
        ("Alu dies", "why.player", "Did you mean Ali?"),
        ("", "why.player", "Ali, Omid"),
        ("Ali kneels", "why.form", "NAME becomes ROLE"),
        ("Ali becomes", "why.form", "NAME becomes ROLE"),
        ("Ali becomes dotcor", "role.unknown", "doctor"),
        ("Ali cannot sheot", "verb.unknown", "shoot"),
        ("Ali told perhaps", "why.answer", "yes"),
    ],
)
def test_questions_that_are_not_understood(question: str, code: str, shown: str) -> None:
    scenario = night("", "Ali=don, Omid=citizen")
    with pytest.raises(InputError) as caught:
        why(scenario, question)
    (fault,) = caught.value.faults
    assert fault.code == code
    assert shown in str(fault)
