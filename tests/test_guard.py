from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from clingo import Control
from hypothesis import given
from hypothesis import strategies as st

from mafia_asp.errors import InputError
from mafia_asp.guard import ALLOWED_HEADS, add_checked, check_files, check_rulebook, check_text

ALLOWED = {"does", "stops/3", "claim", "mine_*"}


def short(text: str) -> list[tuple[str, int, int]]:
    try:
        check_text(text, "f.lp", ALLOWED)
    except InputError as error:
        return [(f.code, f.place.line, f.place.column) for f in error.faults if f.place and f.text]
    return []


@pytest.mark.parametrize(
    "text",
    [
        'does("m.1", nurse, save, protect(save)).',
        'claim("m.1", refuse(A)) :- said(A,P,V), N = #count { B : said(B,P,V) }, N > 1, not x(A).',
        'stops("m.1", ("save";"armor"), shot(K)) :- kind(K), K != don, #true.',
        "mine_helper(X) :- does(X, _, _, _), X = #max { 1; 2 }.",
        "#defined said/3.\n#const mine_n = 2.",
        '% a @comment with #script\n%* a %* block *% #include "x". *%\ndoes("% no comment @ & #", a, b, c).',
        'does("a \\" quote", a, b, c).',
        "claim(1;2).",
        "does(" + "(" * 40 + "1" + ")" * 40 + ").",
        "%* only a comment *%",
    ],
)
def test_allowed(text: str) -> None:
    assert short(text) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('a.\n#include "other.lp".', ("guard.directive", 2, 1)),
        ("#script (python) import os #end.", ("guard.directive", 1, 1)),
        ("# script (python) #end.", ("guard.directive", 1, 1)),
        ("#show.", ("guard.directive", 1, 1)),
        ("#external does(1).", ("guard.directive", 1, 1)),
        ("#minimize { 1 : does(1) }.", ("guard.directive", 1, 1)),
        ("#program step(t).", ("guard.directive", 1, 1)),
        ("#theory t { }.", ("guard.directive", 1, 1)),
        ("#heuristic does(1). [1,true]", ("guard.directive", 1, 1)),
        ("#edge (1,2).", ("guard.directive", 1, 1)),
        ("#project does/1.", ("guard.directive", 1, 1)),
        ("does(X) :- X = @now().", ("guard.script", 1, 16)),
        ("&sum { x } < 3.", ("guard.theory", 1, 1)),
        ("does(1) :- &diff { x } < 3.", ("guard.theory", 1, 12)),
        ("asp 1 0 0\n1 0 1 1 0 0\n0\n", ("guard.aspif", 1, 1)),
        ("\n asp 1 0 0\n0\n", ("guard.aspif", 1, 1)),
        ("does(" + "(" * 200_000, ("guard.deep", 1, 69)),
        ("does(1). %* open", ("guard.comment", 1, 10)),
        ("%* a %* b *%", ("guard.comment", 1, 1)),
        ('does("open).\n"', ("guard.string", 1, 6)),
        ("does(\x001).", ("file.nul", 1, 6)),
        ("does(1)\ndoes(2).", ("guard.syntax", 2, 1)),
        ("does(1", ("guard.syntax", 2, 1)),
        ('does("\\q").', ("guard.string", 1, 6)),
        ("%* % *%\n#include <incmode>. %", ("guard.directive", 2, 1)),
        (":- does(1).", ("guard.constraint", 1, 1)),
        ("#false :- does(1).", ("guard.constraint", 1, 1)),
        ("{ does(1) }.", ("guard.head", 1, 1)),
        ("1 { does(1); does(2) } 1.", ("guard.head", 1, 1)),
        ("does(1) | does(2).", ("guard.head", 1, 1)),
        ("does(1) ; does(2).", ("guard.head", 1, 1)),
        ("#count { 1 : does(1) } = 1.", ("guard.head", 1, 1)),
        ("-does(1).", ("guard.head", 1, 1)),
        ("not does(1).", ("guard.head", 1, 1)),
        ("1 < 2.", ("guard.head", 1, 1)),
        ("dose(1).", ("guard.predicate", 1, 1)),
        ("does(1).\n  dead(P) :- alive(P).", ("guard.predicate", 2, 3)),
        ("stops(1,2).", ("guard.predicate", 1, 1)),
        ("out(dead,ali).", ("guard.predicate", 1, 1)),
        ("pick(1,2) :- raised(1).", ("guard.predicate", 1, 1)),
        (":~ does(1). [1@1]", ("guard.script", 1, 15)),
        (":~ does(1). [1]", ("guard.statement", 1, 1)),
        ("#const claim = 1.", ("guard.const", 1, 1)),
        ("#const mine_n = 1. [override]", ("guard.directive", 1, 1)),
    ],
)
def test_refused(text: str, fault: tuple[str, int, int]) -> None:
    assert fault in short(text)


def test_a_near_miss_is_answered() -> None:
    with pytest.raises(InputError, match="Did you mean does"):
        check_text("dose(1).", "f.lp", ALLOWED)


def test_every_file_is_checked(tmp_path: Path) -> None:
    (tmp_path / "a.lp").write_text("dead(1).\n:- a.\n", "utf-8")
    (tmp_path / "b.lp").write_bytes(b"\xff\xfe")
    (tmp_path / "c.lp").write_text("#show.\n", "utf-8")
    (tmp_path / "words.lp").write_text("anything", "utf-8")
    with pytest.raises(InputError) as error:
        check_rulebook(tmp_path, ALLOWED)
    assert [fault.code for fault in error.value.faults] == [
        "guard.predicate",
        "guard.constraint",
        "file.utf16",
        "guard.directive",
    ]


def test_a_folder_without_roles(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        check_rulebook(tmp_path)
    assert error.value.faults[0].code == "guard.no_roles"
    assert check_files([]) == []


def test_large_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.lp").write_text("does(1).\n" * 120_000, "utf-8")
    with pytest.raises(InputError) as error:
        check_rulebook(tmp_path, ALLOWED)
    assert error.value.faults[0].code == "file.large"


def test_what_was_checked_can_be_solved(tmp_path: Path) -> None:
    (tmp_path / "a.lp").write_text(
        'does("m.1", nurse, save, protect(save)).\nmine_x :- does(_, nurse, _, _).\n', "utf-8"
    )
    control = Control()
    add_checked(control, check_rulebook(tmp_path, ALLOWED))
    control.ground()
    assert {str(atom.symbol.name) for atom in control.symbolic_atoms} == {"does", "mine_x"}


def test_checking_is_quick() -> None:
    text = "".join(
        f'does("m.{n}", nurse, save, protect(save)) :- said(A,P,V), not gone(P), V != {n}.\n'
        for n in range(60)
    )
    start = time.perf_counter()
    check_text(text, "f.lp", ALLOWED)
    assert time.perf_counter() - start < 0.1


@given(st.text("does(claim)12:-.,;{}#@&%*\"\\ \n|_X'not", max_size=60))
def test_any_text_is_checked_or_refused(text: str) -> None:
    short(text)


def test_every_table_of_the_documents_may_be_filled_by_a_rulebook_of_ones_own() -> None:
    text = (Path(__file__).parents[1] / "docs" / "writing-roles.md").read_text(encoding="utf-8")
    tables = text.partition("## The tables")[2].partition("## Claims and questions")[0]
    rows = [line.split("|")[1] for line in tables.splitlines() if line.startswith("| `")]
    named = [re.findall(r"`(\w+)\(", row) for row in rows]
    found = [name for names in named for name in names if name != "join"]  # an effect
    assert found
    assert set(found) <= ALLOWED_HEADS
    assert len(rows) == len(set(rows))
