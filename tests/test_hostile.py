"""Rulebooks and files that mean ill, or are merely odd: told in a sentence, and never obeyed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from mafia_asp import cli
from mafia_asp.bounded import run_bounded
from mafia_asp.errors import InputError, LimitError
from mafia_asp.files import write_atomically
from mafia_asp.guard import check_files, check_rulebook, check_text
from mafia_asp.loops import loop_faults
from mafia_asp.places import read_text

NURSE = (
    "%*\nrole: nurse\nen: Nurse\nfa: پرستار\n*%\n"
    'side("mine.nurse.1", nurse, citizen).\ndoes("mine.nurse.2", nurse, save, protect(save)).\n'
)
SCENARIO = """\
rulebook: .
night: 2
players: {Ali: nurse, Sara: don, Reza: citizen}
actions:
  - Ali: {save: Reza}
  - Sara: {shoot: Reza}
"""


def own(folder: Path, rules: str = "", prefix: str = "mine") -> Path:
    """A rulebook of the user's own, whose nurse has these rules from line 8 on, and a night of it."""
    folder.mkdir(exist_ok=True)
    (folder / "rulebook.yaml").write_text(
        f"id: own\nprefix: {prefix}\nname: {{en: Own, fa: خود}}\nextends: classic_advanced\n", "utf-8"
    )
    (folder / "nurse.lp").write_text(f"{NURSE}{rules}\n", "utf-8")
    night = folder / "night.yaml"
    night.write_text(SCENARIO, "utf-8")
    return night


def run(capsys: pytest.CaptureFixture[str], *args: Any) -> tuple[int, str, str]:
    status = cli.main([str(a) for a in args])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return status, out, err


# ---- where an answer is written to ---------------------------------------------------------------


@pytest.fixture
def night(tmp_path: Path) -> Path:
    file = tmp_path / "night.yaml"
    file.write_text("night: 1\nplayers: {Ali: don, Sara: citizen}\nexpect: {dead: []}\n", "utf-8")
    return file


def special(path: Path, kind: str) -> Path:
    if kind == "folder":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        before = Path.cwd()
        os.chdir(path.parent)  # the name of a socket must be short
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
        os.chdir(before)
    return path


@pytest.mark.parametrize("kind", ["folder", "fifo", "socket"])
@pytest.mark.parametrize("command", ["night", "test"])
def test_only_regular_files_are_written_to(
    capsys: pytest.CaptureFixture[str], night: Path, kind: str, command: str
) -> None:
    target = special(night.parent / "there", kind)
    before = target.stat()
    status, _out, err = run(capsys, command, night, "-o", target)
    assert status == 2
    assert "only a regular file is written to" in err
    assert (target.stat().st_ino, target.stat().st_mode) == (before.st_ino, before.st_mode)
    with pytest.raises(OSError, match="only a regular file"):
        write_atomically(target, "text")
    assert target.stat().st_ino == before.st_ino


def test_a_link_to_a_pipe_is_not_written_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    with pytest.raises(OSError, match="only a regular file"):
        write_atomically(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "pipe").is_fifo()


def test_the_file_behind_a_link_is_replaced(capsys: pytest.CaptureFixture[str], night: Path) -> None:
    real = night.parent / "real.txt"
    real.write_text("old")
    link = night.parent / "link.txt"
    link.symlink_to("real.txt")
    assert run(capsys, "night", night, "-o", link)[0] == 0
    assert link.is_symlink()
    assert real.read_text("utf-8") not in ("", "old")


def test_the_standard_output_by_its_name(night: Path) -> None:
    command = [sys.executable, "-m", "mafia_asp", "night", str(night), "-o"]
    plain = subprocess.run([*command, "-"], capture_output=True, check=True).stdout
    assert subprocess.run([*command, "/dev/stdout"], capture_output=True, check=True).stdout == plain != b""


@pytest.mark.parametrize("name", ["night.yaml", "link.yaml", "hard.yaml", "rulings.yaml"])
@pytest.mark.parametrize("command", ["night", "test"])
def test_what_is_read_is_not_written_over(
    capsys: pytest.CaptureFixture[str], night: Path, command: str, name: str
) -> None:
    (night.parent / "link.yaml").symlink_to("night.yaml")
    os.link(night, night.parent / "hard.yaml")
    rulings = night.parent / "rulings.yaml"
    rulings.write_text("rulings: {ca.q.sniper.1: dies}\n", "utf-8")
    before = night.read_text("utf-8"), rulings.read_text("utf-8")
    status, _out, err = run(capsys, command, night, "-o", night.parent / name)
    assert status == 2
    assert "which is read" in err
    assert (night.read_text("utf-8"), rulings.read_text("utf-8")) == before


# ---- what is read --------------------------------------------------------------------------------


def test_a_pipe_is_not_waited_for(capsys: pytest.CaptureFixture[str], night: Path) -> None:
    pipe = night.parent / "pipe.yaml"
    os.mkfifo(pipe)
    with pytest.raises(InputError) as error:
        read_text(pipe)
    assert error.value.faults[0].code == "file.special"
    for args in (["night", pipe], ["test", pipe], ["night", night, "--rulings", pipe]):
        status, out, err = run(capsys, *args)
        assert status == 2
        assert "only regular files are read" in out + err
    # Among the files of a folder it is one error beside the rest.
    status, out, _err = run(capsys, "test", night.parent)
    assert status == 2
    assert "only regular files are read" in out


@pytest.mark.parametrize("name", ["nurse.lp", "words.lp", "idle.lp", "rulebook.yaml"])
def test_a_pipe_in_a_rulebook(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    night = own(tmp_path / "own")
    (night.parent / name).unlink(missing_ok=True)
    os.mkfifo(night.parent / name)
    status, _out, err = run(capsys, "night", night)
    assert status == 2
    assert name in err


@pytest.mark.parametrize("name", ["words.lp", "idle.lp"])
def test_a_link_out_of_the_rulebook(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    night = own(tmp_path / "own")
    outside = tmp_path / "outside.lp"
    outside.write_text("secret(1).\n")
    (night.parent / name).symlink_to(outside)
    status, _out, err = run(capsys, "night", night)
    assert status == 2
    assert "leads out of the rulebook's folder" in err
    assert "secret" not in err


def test_a_link_within_the_rulebook(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    night = own(tmp_path / "own")
    (night.parent / "more").mkdir()
    (night.parent / "more" / "idle.txt").write_text("% nothing\n")
    (night.parent / "idle.lp").symlink_to("more/idle.txt")
    assert run(capsys, "night", night)[0] == 0


# ---- characters ----------------------------------------------------------------------------------


def codes(text: str, *allowed: str) -> list[tuple[str, int, int]]:
    with pytest.raises(InputError) as error:
        check_text(text, "f.lp", {"mine_*", *allowed})
    return [(f.code, f.place.line, f.place.column) for f in error.value.faults if f.place and f.text]


@pytest.mark.parametrize("letter", ["پرستار", "“", "\u00a0", "\u200c", "\ufeff", "é", "\U0001f600"])
def test_letters_outside_quotes_and_comments(letter: str) -> None:
    good = f'% {letter}\nmine_a("{letter}"). %* {letter} *%\n'
    check_text(good, "f.lp", {"mine_*"})
    assert codes(f"{good}mine_a(x{letter}).\n{letter}") == [("guard.letter", 3, 9), ("guard.letter", 4, 1)]


def test_a_strange_letter_in_a_night(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, _out, err = run(capsys, "night", own(tmp_path / "own", "mine_a(x\u200cy)."))
    assert status == 2
    assert "nurse.lp:8:9: " in err
    assert "U+200C" in err


@pytest.mark.parametrize(
    "text", ["% a line of words\n" * 53_000, "%* a *%" * 135_000, "%*" * 480_000, "@" * 960_000]
)
def test_characters_are_looked_at_once(text: str) -> None:
    faults, start = [], time.process_time()
    try:
        check_text(f"{text}\n#defined mine_a/0.", "f.lp")
    except InputError as error:
        faults = error.faults
    assert time.process_time() - start < 1.5
    assert len(faults) <= 20


# ---- rules ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prefix", "head"),
    [
        ("void", "void_dead"),
        ("goes", "goes_before(x,1,2)"),
        ("next", "next_verb(1,2,3)"),
        ("in", "in_force(1)"),
    ],
)
def test_a_prefix_opens_no_predicate_of_the_core(prefix: str, head: str) -> None:
    with pytest.raises(InputError) as error:
        check_text(f"{head}.", "f.lp", {f"{prefix}_*"})
    assert [f.code for f in error.value.faults] == ["guard.taken"]
    check_text(f"{prefix}_of_mine(1).", "f.lp", {f"{prefix}_*"})


@pytest.mark.parametrize("name", ["p1", "p12", "don", "claim", "mafia", "nobody"])
def test_constants_with_a_meaning(name: str) -> None:
    assert codes(f"#const {name} = 1.") == [("guard.const", 1, 1)]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("mine_a :- not mine_a.", 1),
        ("mine_a :- not mine_b. mine_b :- not mine_a.", 2),
        ("mine_a(X) :- mine_b(X). mine_b(X) :- role(X,_), not mine_a(X).", 1),
        ("mine_a(N) :- N = #count { X : mine_a(X) }.", 1),
        ("mine_a :- #true : mine_a.", 1),
        ("mine_a :- not not mine_a.", 1),
        ('claim("r",refuse(A)) :- said(A,_,_), not claim(_,refuse(A)).', 1),
        ("mine_a(X) :- role(X,_), not mine_b(X). mine_b(X) :- role(X,don).", 0),
        ("mine_a(X) :- mine_b(X). mine_b(X) :- mine_a(X). mine_c :- not mine_a(1).", 0),
        ("mine_a(X,Y) :- mine_a(X), not mine_a(Y). mine_a(1).", 0),
    ],
)
def test_circles_through_a_negation(text: str, faults: int) -> None:
    statements = check_text(text, "f.lp", {"mine_*", "claim"})
    found = loop_faults([("f.lp", statements)])
    assert [f.code for f in found] == ["guard.loop"] * faults
    assert all(f.place for f in found)


def test_a_circle_through_two_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    night = own(tmp_path / "own", "mine_a :- not mine_b.")
    (night.parent / "idle.lp").write_text("mine_b :- mine_a.\n")
    status, _out, err = run(capsys, "night", night)
    assert status == 2
    assert "nurse.lp:8:15: mine_a/0 depends on its own negation" in err


def test_a_file_is_called_as_its_role(tmp_path: Path) -> None:
    (tmp_path / "nurse.lp").write_text(NURSE, "utf-8")
    check_rulebook(tmp_path)
    (tmp_path / "matron.lp").write_text("\n" + NURSE, "utf-8")
    with pytest.raises(InputError) as error:
        check_files([str(tmp_path / "matron.lp")])
    (fault,) = error.value.faults
    assert fault.code == "guard.role"
    assert fault.place is not None
    assert fault.place.line == 3


def test_roles_that_do_not_play_are_checked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    night = own(tmp_path / "own")
    (night.parent / "idle.lp").write_text("dead(p1).\n")
    status, _out, err = run(capsys, "night", night)
    assert status == 2
    assert "idle.lp:1:1: " in err


@pytest.mark.parametrize(
    ("rules", "place", "words"),
    [
        ("mine_a.\nmine_b(X,Y) :- not mine_c(X), role(Z,_).", "9:1", "what X, Y may be"),
        ("#const mine_n = 1.\n#const mine_n = 2.\nmine_a(mine_n).", "9:1", "redefinition of constant"),
        ('claim("r",refuse(A)) :- said(A,_,_), not refused(A).', "8:1", "no outcome is left"),
        ('becomes("r",P,7) :- role(P,nurse).', "8:1", "becomes"),
        ("called(7,f(x),zork).", "8:1", "called"),
        ('told("r",P,#inf) :- role(P,nurse).', "8:1", "told"),
        ('told("r",P,f(g,h)) :- role(P,nurse).', "8:1", "told"),
        ('announce("r",(1,2)).', "8:1", "announce"),
        ('gets("r",P,7) :- role(P,nurse).', "8:1", "gets"),
        ("left(P,bullets,zork) :- role(P,nurse).", "8:1", "left"),
        ('side("r",nurse,7).', "8:1", "side"),
        ("limit(7,nurse,save,per_night(0)).", "8:1", "limit"),
        ('claim("r",answer(A,#sup)) :- said(A,_,_).', "8:1", "claim"),
        ('wakes_together("r",7).', "8:1", "wakes_together"),
    ],
)
def test_faults_of_rules_have_their_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, rules: str, place: str, words: str
) -> None:
    night = own(tmp_path / "own", rules)
    status, _out, err = run(capsys, "night", night)
    assert status == 2
    assert f"nurse.lp:{place}: " in err
    assert words in err
    assert "<string>" not in err


@pytest.mark.parametrize(
    "rule",
    [
        'becomes("r",P,zork) :- role(P,nurse).',
        'told("r",P,zork) :- role(P,nurse).',
        'announce("r",f(1,2)).',
        'removed("r",zork).',
        'called("r",1,zork).',
        'reading("mine.q",(1;2)). ask("mine.q",1).',
        "mine_n(2147483647+1).",
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_odd_rules_do_no_harm(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, rule: str, form: str
) -> None:
    status, out, _err = run(capsys, "night", own(tmp_path / "own", rule), "--format", form)
    assert status in (0, 1, 2)
    assert out or status == 2


# ---- the child process ---------------------------------------------------------------------------


def raise_runtime_error() -> None:
    raise RuntimeError("one\n two")


def recurse() -> None:
    recurse()


def kill_itself() -> None:
    os.kill(os.getpid(), 9)


def run_out_of_memory() -> None:
    bytearray(1 << 31)


def abort_for_memory() -> None:
    os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
    os.abort()


def cannot_be_sent() -> Any:
    return lambda: None


@pytest.mark.parametrize(
    ("work", "code"),
    [
        (raise_runtime_error, "guard.failed"),
        (recurse, "guard.failed"),
        (cannot_be_sent, "guard.failed"),
        (kill_itself, "guard.died"),
    ],
)
def test_whatever_becomes_of_the_child_is_one_fault(work: Any, code: str) -> None:
    with pytest.raises(InputError) as error:
        run_bounded(work)
    assert [f.code for f in error.value.faults] == [code]
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("work", [run_out_of_memory, abort_for_memory])
def test_memory_is_named_where_it_was_memory(work: Any) -> None:
    with pytest.raises(LimitError) as error:
        run_bounded(work)
    assert error.value.code == "memory"


def test_time_and_an_answer() -> None:
    with pytest.raises(LimitError) as error:
        run_bounded(time.sleep, 30, seconds=0.2)
    assert error.value.code == "time"
    assert run_bounded(len, "abc") == 3
