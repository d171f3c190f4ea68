from __future__ import annotations

from pathlib import Path

import clingo
import pytest

from mafia_asp import Rulebook
from mafia_asp.explain import rewrite as module
from mafia_asp.explain import store
from mafia_asp.explain.graph import Proof, plain, question_name
from mafia_asp.explain.rewrite import REPORTED, condition_text, rewrite, rewrite_text
from mafia_asp.facts import facts
from mafia_asp.model import Scenario
from mafia_asp.scenario import scan
from mafia_asp.solve import Ground, Program
from mafia_asp.verdict import program_of

ROOT = Path(__file__).parent.parent / "scenarios"
#: of the scenarios that are shipped, each so-manieth is compared
EACH = 34


def solved(source: str) -> list[Proof]:
    """Give the proofs of the answer sets of a program."""
    control = clingo.Control(["0"])
    rewritten = rewrite_text(source, "t/t.lp")
    control.add("base", [], source + rewritten.text)
    control.ground([("base", [])])
    found: list[Proof] = []
    control.solve(on_model=lambda m: found.append(Proof(list(m.symbols(atoms=True)), rewritten.owners)))
    return found


def supports(source: str, *atom: object) -> list[tuple[object, ...]]:
    (proof,) = solved(source)
    return [(s.place, s.positive, s.negative) for s in proof.supports(atom if len(atom) > 1 else atom[0])]


def test_a_rule_is_doubled() -> None:
    source = "b(1). b(2). c(2).\na(X) :- b(X), not c(X)."
    assert supports(source, "a", 1) == [("t/t.lp:2", (("b", 1),), (("c", 1),))]


def test_facts_need_no_support() -> None:
    assert rewrite_text("a. b(1;2).", "t/t.lp").text == ""


def test_anonymous_variables_are_named_where_they_have_a_value() -> None:
    source = 'b(1,2).\na(X) :- b(X,_), not c(_), "_" != "a _ b".'
    ((place, positive, negative),) = supports(source, "a", 1)
    assert (place, positive[0], negative) == ("t/t.lp:2", ("b", 1, 2), ())
    assert condition_text(positive[1]) == '"_" != "a _ b"'


def test_pools_are_spread_together() -> None:
    source = "b(1). b(3).\na(X;X+1) :- b((1;2)), X = (5;7)."
    (proof,) = solved(source)
    for value in (5, 6, 7, 8):
        assert [s.positive[0] for s in proof.supports(("a", value))] == [("b", 1)]


def test_each_rule_that_yields_an_atom_supports_it() -> None:
    (proof,) = solved("b. c.\na :- b.\na :- c.")
    assert [(s.place, s.positive) for s in proof.supports("a")] == [
        ("t/t.lp:2", ("b",)),
        ("t/t.lp:3", ("c",)),
    ]


def test_what_is_chosen_is_supported_by_its_condition() -> None:
    source = 'r(q,"x"). r(q,"y"). ask(q). { pick(Q,X) : r(Q,X) } = 1 :- ask(Q), not ruled(Q). ruled(p).'
    proofs = solved(source)
    assert len(proofs) == 2
    for proof in proofs:
        ((question, answer),) = proof.match("pick", None, None)
        (support,) = proof.supports(("pick", question, answer))
        assert support.positive == (("r", question, answer), ("ask", question))
        assert support.negative == (("ruled", question),)


def test_comparisons_and_aggregates_become_text() -> None:
    source = (
        'b(1,p). b(2,p). b(3,"q r").\na(P,N) :- b(_,P), N = #count{ A : b(A,P), A < 9 }, N > 1, P != "X".'
    )
    (proof,) = solved(source)
    (support, _) = proof.supports(("a", "p", 2))
    texts = [condition_text(term) for term in support.positive[1:]]
    assert texts == ["2 = #count { A: b(A,p), A < 9 }", "2 > 1", 'p != "X"']


def test_heads_that_are_no_atoms() -> None:
    text = rewrite_text(":- a.\n-a :- b.\na ; c :- d.\nnot a :- b.\nout(a) :- b.\n", "t/t.lp").text
    assert [line.split(",")[0] for line in text.split("\n")] == ["_why(a", "_why(c"]


def test_the_id_above_a_rule_owns_it() -> None:
    source = (
        "%% ca.x.1 | 000:1 | night | rule\n%% en: x\n%% fa: x\na.\nb.\n% other\nc.\n\n"
        "%? ca.q.x.1 | gap | ca.x.1\nd.\n"
    )
    owners = rewrite_text(source, "t/t.lp").owners
    assert owners == {"t/t.lp:4": "ca.x.1", "t/t.lp:5": "ca.x.1", "t/t.lp:10": "ca.q.x.1"}


def test_names_of_questions() -> None:
    terms = {
        '"ca.q.x.1"': "ca.q.x.1",
        "gap(stops(save,shot(killer)))": "stops(save,shot(killer))",
        'dispute(("ca.a.1",("ca.b.2",end)))': "ca.a.1~ca.b.2",
        "circle(even,(drug,(steal,end)))": "circle(even,drug,steal)",
    }
    assert [question_name(plain(clingo.parse_term(term))) for term in terms] == list(terms.values())


# ---- the encodings --------------------------------------------------------------------------------------


def nights() -> list[Scenario]:
    entries = [entry.scenario for entry in scan([ROOT]) if entry.scenario]
    return [s for s in entries[::EACH] if s.phase in ("setup", "intro", "night")]


def answer_sets(program: Program, text: str) -> dict[frozenset[clingo.Symbol], list[clingo.Symbol]]:
    found: dict[frozenset[clingo.Symbol], list[clingo.Symbol]] = {}
    ground = Ground(program, text)

    def read(model: clingo.Model) -> None:
        symbols = list(model.symbols(atoms=True))
        found[frozenset(symbol for symbol in symbols if symbol.name != "_why")] = symbols

    ground.control.configuration.solve.models = 40
    ground.control.solve(on_model=read)
    return found


def facts_of(program: Program, text: str) -> set[str]:
    """Give what the files and the scenario state outright, without a body."""
    from clingo import ast

    found: set[str] = set()

    def take(statement: ast.AST) -> None:
        if statement.ast_type == ast.ASTType.Rule and not statement.body:
            found.update(str(plain_one.head) for plain_one in statement.unpool())

    ast.parse_files(list(program.files), take)
    ast.parse_string(text, take)
    return found


@pytest.mark.parametrize("scenario", nights(), ids=lambda scenario: scenario.id)
def test_the_doubled_rules_change_nothing_and_every_atom_has_a_support(scenario: Scenario) -> None:
    program = program_of(scenario, Rulebook.load(scenario.rulebook))
    text = facts(scenario, ["all"]).text
    rewritten = rewrite(program, cache=False)
    before, after = answer_sets(program, text), answer_sets(program, f"{text}\n{rewritten.text}")
    if len(before) < 40:
        assert set(before) == set(after)
    atoms, symbols = next(iter(after.items()))
    supported = {symbol.arguments[0] for symbol in symbols if symbol.name == "_why"}
    unsupported = {str(s) for s in atoms - supported if not str(s).startswith(REPORTED)}
    assert unsupported <= facts_of(program, text)
    for symbol in symbols:
        if symbol.name == "_why":
            _, _, positive, negative = symbol.arguments
            assert all(each in atoms for each in positive.arguments if each.name != "_if")
            assert not any(each in atoms for each in negative.arguments)


# ---- the cache --------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(store, "folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


def program(tmp_path: Path, text: str) -> Program:
    file = tmp_path / "t.lp"
    file.write_text(text, encoding="utf-8")
    return Program((str(file),))


def test_the_rewritten_text_is_kept(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = rewrite(program(tmp_path, "a :- b."))
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setattr(module, "rewrite_text", None)
    assert rewrite(program(tmp_path, "a :- b.")) == first


def test_a_changed_source_is_rewritten(tmp_path: Path, folder: Path) -> None:
    assert rewrite(program(tmp_path, "a :- b.")) != rewrite(program(tmp_path, "a :- c."))
    assert len(list(folder.iterdir())) == 2


def test_without_the_cache_nothing_is_kept(tmp_path: Path, folder: Path) -> None:
    assert rewrite(program(tmp_path, "a :- b."), cache=False).text
    assert not folder.exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "[1, 2]", '["a", []]', '"a"', "7", "\x00"])
def test_a_broken_entry_is_made_again(tmp_path: Path, folder: Path, text: str) -> None:
    first = rewrite(program(tmp_path, "a :- b."))
    (entry,) = folder.iterdir()
    entry.write_text(text, encoding="utf-8")
    assert rewrite(program(tmp_path, "a :- b.")) == first


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path, folder: Path) -> None:
    folder.write_text("a file stands where the folder should be", encoding="utf-8")
    assert rewrite(program(tmp_path, "a :- b.")).text
    store.write(None, "key", "text")
    assert store.read(None, "key") is None


def test_old_entries_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "KEPT", 3)
    for number in range(6):
        store.write(tmp_path, f"k{number}", "x")
    assert len(list(tmp_path.iterdir())) == 3


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(store.sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert store.folder() == tmp_path / "mafia_asp" / "explain"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert store.folder() == Path.home() / ".cache" / "mafia_asp" / "explain"
