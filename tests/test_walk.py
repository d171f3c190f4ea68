"""The walk of docs/checking-a-role.md is run as it is written, and prints what it shows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mafia_asp.check.report import Wanted, check, role_set
from mafia_asp.rulebook import Rulebook

PAGE = Path(__file__).parent.parent / "docs" / "checking-a-role.md"
#: stands in the page for any number of lines
LEFT_OUT = "…"
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_WRITES = re.compile(r"^(Add to )?`([^`]+)`:\s*\Z", re.MULTILINE)
_REPLACES = re.compile(r"^In `([^`]+)`, write `([^`]+)` for `([^`]+)`\.$", re.MULTILINE)


def steps(page: str) -> Iterator[tuple[str, ...]]:
    """Yield what a reader does, in order: write, add, replace, or run."""
    at = 0
    for fence in _FENCE.finditer(page):
        before = page[at : fence.start()]
        at = fence.end()
        for file, new, old in _REPLACES.findall(before):
            yield "replace", file, old, new
        if fence[1] == "console":
            for part in re.split(r"^\$ ", fence[2], flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                yield "run", command, shown
            continue
        written = _WRITES.search(before)
        assert written, f"no file is named before: {fence[2]}"
        yield "add" if written[1] else "write", written[2], fence[2]


def assert_shown(shown: list[str], printed: list[str]) -> None:
    """What the page shows is what was printed, but for what it leaves out."""
    blocks: list[list[str]] = [[]]
    for line in shown:
        if line == LEFT_OUT:
            blocks.append([])
        else:
            blocks[-1].append(line)
    at = 0
    for number, block in enumerate(blocks):
        starts = range(at, len(printed) - len(block) + 1)
        if number == 0:
            starts = starts[:1]
        if number == len(blocks) - 1:
            starts = starts[-1:]
        found = next((n for n in starts if printed[n : n + len(block)] == block), None)
        assert found is not None, "\n".join(["not printed:", *block, "", "printed:", *printed[at:]])
        at = found + len(block)
    assert len(blocks) > 1 or at == len(printed), "\n".join(["printed beside:", *printed[at:]])


def run(command: str, folder: Path) -> list[str]:
    """Run a command of the page as a reader does, and return the lines that it prints."""
    name, *arguments = shlex.split(command)
    assert name == "mafia-asp"
    done = subprocess.run(
        [sys.executable, "-m", "mafia_asp", *arguments],
        cwd=folder,
        env={"PYTHONPATH": ":".join(sys.path), "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return [line.rstrip() for line in done.stdout.splitlines()]


def test_the_walk(tmp_path: Path) -> None:
    ran = 0
    for kind, first, *rest in steps(PAGE.read_text("utf-8")):
        file = tmp_path / first
        if kind == "run":
            shown = rest[0].splitlines()
            printed = run(first, tmp_path)
            assert_shown([line.rstrip() for line in shown], printed)
            ran += 1
        elif kind == "write":
            file.write_text(rest[0], "utf-8")
        elif kind == "add":
            file.write_text(file.read_text("utf-8") + rest[0], "utf-8")
        else:
            text = file.read_text("utf-8")
            assert text.count(rest[0]) == 1
            file.write_text(text.replace(*rest), "utf-8")
    assert ran > 5


@pytest.mark.parametrize(
    ("shown", "fits"),
    [
        ("a b c d", True),
        ("a … d", True),
        ("… b … d", True),
        ("a b …", True),
        ("a … b …", True),
        ("a b c", False),
        ("b …", False),
        ("a … c", False),
        ("a … c b …", False),
        ("… c … b …", False),
        ("a … e …", False),
    ],
)
def test_a_page_that_shows_something_else_is_found(shown: str, fits: bool) -> None:
    printed = "a b c d".split()
    if fits:
        assert_shown(shown.split(), printed)
    else:
        with pytest.raises(AssertionError):
            assert_shown(shown.split(), printed)


# ---- other kinds of role, as the page says -------------------------------------------------------

ROLES = {
    "knight": 'does("my.knight.2", knight, ward, protect(ward)).',
    "firefighter": """\
does("my.firefighter.2", firefighter, soak, impose(soaked)).
impaired("my.firefighter.2", soaked, sniper, shoot, fails).""",
    "medium": """\
does("my.medium.2", medium, sense, ask(warmth)).
reads_as("my.medium.2", warmth, role(don), yes).""",
}
WORDS = """\
verb(ward, 1, 1, "ward", "سپر شدن").
verb(soak, 1, 1, "soak", "خیس کردن").
verb(sense, 1, 1, "sense", "حس کردن").
status(soaked, "soaked", "خیس").
"""


def own_book(folder: Path, extends: str) -> Rulebook:
    names = "name: {en: My book, fa: کتاب من}"
    (folder / "rulebook.yaml").write_text(f"id: mine\nprefix: my\n{names}\nextends: {extends}\n", "utf-8")
    (folder / "words.lp").write_text(WORDS, "utf-8")
    for role, facts in ROLES.items():
        head = f"%*\nrole: {role}\nen: {role}\nfa: نقش {role}\nsource: my:1\n*%\n"
        rules = (
            f"%% my.{role}.{n} | my:{n} | night | rule\n%% en: Statement {n}.\n%% fa: جملهٔ {n}.\n{text}\n"
            for n, text in ((1, f'side("my.{role}.1", {role}, citizen).'), (2, facts))
        )
        (folder / f"{role}.lp").write_text("\n".join([head, *rules]), "utf-8")
    return Rulebook.load(str(folder))


@pytest.mark.parametrize(
    ("extends", "roles", "state", "wanted"),
    [
        (
            "classic_advanced",
            "knight don sniper thief bartender",
            False,
            """stops(ward,shot(don)) stops(ward,shot(mafia)) stops(ward,shot(sniper))
            stops(ward,backfire(sniper)) stops(ward,stolen(shot(don))) stops(ward,stolen(shot(sniper)))
            absorbs(ward,shot(sniper))""",
        ),
        (
            "classic_advanced",
            "firefighter doctor guardian sniper bartender thief don",
            False,
            """impaired(soaked,save) impaired(soaked,drug) impaired(soaked,steal) impaired(soaked,shoot)
            impaired(soaked,immunity(guardian)) circle(even,soak,steal) ca.sniper.16~my.firefighter.2""",
        ),
        ("classic_advanced", "firefighter doctor don", True, "lasts(soaked) impaired(soaked,save)"),
        ("classic_advanced", "medium don thief", False, "reads_as(warmth,other) wakes(medium,thief)"),
        (
            "booklet",
            "knight firefighter medium don sniper doctor terrorist",
            False,
            """stops(ward,shot(mafia)) stops(ward,shot(sniper)) absorbs(ward,shot(sniper))
            impaired(soaked,save) impaired(soaked,shoot) stops(ward,explosion)
            impaired(soaked,explode) reads_as(warmth,other)""",
        ),
    ],
)
def test_what_other_roles_bring_up_by_themselves(
    tmp_path: Path, extends: str, roles: str, state: bool, wanted: str
) -> None:
    report = check(
        own_book(tmp_path, extends), role_set(roles.split()), wanted=Wanted(("night",), state=state)
    )
    assert report.complete
    assert not report.undecided
    found = {finding.id for finding in report.findings}
    assert set(wanted.split()) <= found
    assert not any(finding.kind == "misspelt-constant" for finding in report.findings)
