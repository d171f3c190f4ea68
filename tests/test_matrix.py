"""``mafia-asp matrix``: what stands in a cell is what two roles bring up, in every format."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from mafia_asp import cli, decide
from mafia_asp.check import Report
from mafia_asp.check.engine import Clock
from mafia_asp.check.finder import Search
from mafia_asp.check.pairs import Matrix, Meeting, matrix
from mafia_asp.check.report import Wanted, check
from mafia_asp.commands.new import FOLDER
from mafia_asp.render.layout import Page, width_of
from mafia_asp.render.matrix import matrix_csv, matrix_json, matrix_text
from mafia_asp.render.matrix_page import matrix_html
from mafia_asp.render.words import Words
from mafia_asp.rulebook import Rulebook
from mafia_asp.scenario import parse_inline

BOOK = Rulebook.load("classic_advanced")
CAST = (("don", 1), ("sniper", 1), ("bartender", 1), ("framer", 1))
FEW = (("don", 1), ("sniper", 1))
ROLES = "don,sniper"
VOID = {"area", "base", "br", "hr", "img", "input", "link", "meta"}


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C")


@cache
def found(cast: tuple[tuple[str, int], ...] = CAST) -> Matrix:
    return matrix(BOOK, cast)


def meeting(one: str, other: str, of: Matrix | None = None) -> Meeting:
    (there,) = [m for m in (of or found()).meetings if (m.row, m.column) in ((one, other), (other, one))]
    return there


def run(capsys: pytest.CaptureFixture[str], *args: Any) -> tuple[int, str, str]:
    status = cli.main(["matrix", *map(str, args)])
    out, err = capsys.readouterr()
    return status, out, err


@cache
def checked() -> Report:
    return check(BOOK, [*CAST, ("citizen", 2)], wanted=Wanted(("night",)))


def ids(some: Meeting) -> set[str]:
    return {*some.open, *some.by_convention, *some.undecided}


# ---- what is found -------------------------------------------------------------------------------------


def test_every_two_meet_once() -> None:
    there = found()
    assert there.members == ("don", "sniper", "bartender", "framer", "group(mafia)")
    pairs = [*((one, one) for one in there.members), *combinations(there.members, 2)]
    assert [(m.row, m.column) for m in there.meetings] == pairs
    assert there.complete


def test_what_a_reader_of_the_book_expects() -> None:
    assert "ca.q.sniper.1" in meeting("sniper", "bartender").open
    assert "ca.q.don.1" in meeting("don", "sniper").open
    assert meeting("don", "bartender").status == "convention"
    assert meeting("framer", "bartender").status == "settled"


def test_what_one_brings_up_alone_is_not_repeated() -> None:
    there = found()
    for one, other in combinations(there.members, 2):
        again = ids(meeting(one, other)) & (ids(meeting(one, one)) | ids(meeting(other, other)))
        assert not again
        assert not ids(meeting(one, other)) & set(there.anybody)


def raised(*roles: str) -> set[str]:
    search = Search(BOOK, [*((role, 1) for role in roles), ("citizen", 2)], ("night",), Clock(None))
    return {point.id for point in search.points()[0]}


@pytest.mark.parametrize("pair", list(combinations([role for role, _ in CAST], 2)), ids="-".join)
def test_two_roles_by_themselves_bring_up_what_stands_between_them(pair: tuple[str, str]) -> None:
    # A search with these two only, in which anybody may do anything, finds it as well.
    assert ids(meeting(*pair)) <= raised(*pair)


def test_every_finding_of_the_check_stands_somewhere() -> None:
    there = found()
    everywhere = {*there.anybody, *there.elsewhere}.union(*map(ids, there.meetings))
    assert everywhere == {finding.id for finding in checked().findings if not finding.harmless}


def test_a_convention_answers_what_is_said_to_be_answered() -> None:
    for finding in checked().findings:
        assert finding.witness is not None
        night = finding.witness.verdict.scenario
        still = finding.id in {q.id for q in decide(night._replace(conventions=True), book=BOOK).open}
        for each in found().meetings:
            assert finding.id not in (each.by_convention if still else each.open)


def test_a_role_with_a_second_one_of_its_kind() -> None:
    # Each of the two may stop the other's shot.
    circle = "circle(even,shoot)"
    two, one = (found((("vigilante", times),)) for times in (2, 1))
    assert circle in meeting("vigilante", "vigilante", two).by_convention
    assert circle not in ids(meeting("vigilante", "vigilante", one))


def test_what_takes_three_stands_elsewhere() -> None:
    # The Don must be drugged while others of his side name a victim.
    assert "ca.q.don.4" in found().elsewhere


def test_rulings_settle() -> None:
    ruled = matrix(BOOK, [("sniper", 1), ("bartender", 1)], rulings={"ca.q.sniper.1": "dies"})
    assert meeting("sniper", "bartender", ruled).status == "settled"


def test_no_side_acts_of_which_nobody_plays() -> None:
    assert found((("doctor", 1), ("sniper", 1))).members == ("doctor", "sniper")


def test_roles_of_ones_own(tmp_path: Path) -> None:
    own = Path(shutil.copytree(FOLDER / "rulebook", tmp_path / "my_rules"))
    there = matrix(Rulebook.load(own), [("don", 1), ("nurse", 1)])
    assert there.complete
    assert there.members[:2] == ("don", "nurse")
    night = parse_inline(
        "Ali=don, Sara=nurse, Omid=citizen", "Ali shoot Omid; Sara save Omid", rulebook=str(own)
    )
    still = {q.id for q in decide(night).open}
    assert still <= set(there.anybody).union(*(m.open for m in there.meetings))


# ---- what is shown -------------------------------------------------------------------------------------


def text(lang: str, width: int, cast: tuple[tuple[str, int], ...] = CAST) -> str:
    page = Page(lang, width)
    matrix_text(page, found(cast), Words(BOOK, lang))
    return page.text()


@pytest.mark.parametrize("lang", ["en", "fa"])
@pytest.mark.parametrize("width", [24, 40, 80])
def test_the_text_fits(lang: str, width: int) -> None:
    # An id is never parted.
    lines = [line for line in text(lang, width).splitlines() if " " in line.strip()]
    assert max(map(width_of, lines)) <= width


def test_the_table_says_how_meetings_stand() -> None:
    table = [line for line in text("en", 80).splitlines() if re.match(r"\d ", line)]
    assert table == [
        "1 Don        5",
        "2 Sniper     1  4",
        "3 Bartender  ~  1  2",
        "4 Framer     ~  ~  .  2",
        "5 the Mafia  1  ~  ~  ~  4",
    ]


def test_a_wide_table_comes_in_strips() -> None:
    def cells(text: str) -> list[str]:
        rows = [line for line in text.splitlines() if re.match(r"\d [A-Za-z]", line)]
        return sorted(cell for row in rows for cell in re.findall(r" ([.~?]|\d+)(?= |$)", row))

    assert cells(text("en", 24)) == cells(text("en", 80))
    assert text("en", 24).count("5 the Mafia") == 2


def test_csv_has_a_line_for_each_meeting() -> None:
    rows = list(csv.DictReader(io.StringIO(matrix_csv(found()))))
    assert len(rows) == len(found().meetings)
    for row, each in zip(rows, found().meetings, strict=True):
        assert (row["row"], row["column"], row["status"]) == (each.row, each.column, each.status)
        assert tuple(row["open"].split()) == each.open
        assert tuple(row["by_convention"].split()) == each.by_convention


def test_json_holds_everything() -> None:
    data = json.loads(matrix_json(found(), ["night"]))
    again = Matrix(
        data["rulebook"],
        tuple(data["members"]),
        tuple(
            Meeting(
                m["row"],
                m["column"],
                *map(tuple, (m["open"], m["by_convention"], m["undecided"])),
                m["complete"],
            )
            for m in data["meetings"]
        ),
        tuple(data["anybody"]),
        tuple(data["elsewhere"]),
        data["complete"],
    )
    assert again == found()


class Html(HTMLParser):
    """Reads a page: what is nested in what, and the attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.mark.parametrize(("lang", "direction"), [("en", "ltr"), ("fa", "rtl")])
def test_the_page_stands_by_itself(lang: str, direction: str) -> None:
    html = matrix_html(found(), Words(BOOK, lang))
    page = Html(html)
    assert not page.stack
    assert page.all("html") == [{"lang": lang, "dir": direction}]
    assert not [tag for tag, _ in page.tags if tag in ("script", "link", "img", "iframe")]
    assert "http" not in html
    assert "url(" not in html
    anchors = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(anchors) == len(set(anchors))
    assert {a["href"] for a in page.all("a")} == {f"#{anchor}" for anchor in anchors}
    members = len(found().members)
    assert [th["scope"] for th in page.all("th")].count("col") == members
    assert [th["scope"] for th in page.all("th")].count("row") == members
    assert len(page.all("td")) == members * members + 1
    assert all(code["dir"] == "ltr" for code in page.all("code"))
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in page.all("meta")
    assert "prefers-color-scheme: dark" in html
    assert "ca.q.sniper.1" in html


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_page_can_be_read_in_light_and_dark() -> None:
    html = matrix_html(found(), Words(BOOK, "en"))
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#\w{6})", part)) for part in html.split("@media (prefers")[:2]
    )
    assert set(light) >= set(dark)
    for colours in (light, {**light, **dark}):
        for ink, paper in (
            ("ink", "paper"),
            ("ink", "head"),
            ("link", "paper"),
            ("open", "open-paper"),
            ("custom", "custom-paper"),
        ):
            dim, bright = sorted((luminance(colours[ink]), luminance(colours[paper])))
            assert (bright + 0.05) / (dim + 0.05) >= 4.5, (ink, paper)


def test_nothing_in_a_name_becomes_markup() -> None:
    nasty = '<b>"&'
    there = Matrix("x", (nasty,), (Meeting(nasty, nasty, (nasty,)),), (nasty,))
    page = Html(matrix_html(there, Words(BOOK, "en")))
    assert not page.stack
    assert not page.all("b")


# ---- the command ---------------------------------------------------------------------------------------


def test_text_is_what_one_gets(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "--roles", ROLES)
    assert (status, out, err) == (0, text("en", 80, FEW), "")


def test_in_persian(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = run(capsys, "--roles", "دان،اسنایپر", "--lang", "fa")
    assert status == 0
    assert "۱ دان" in out
    assert "\u2068ca.q.don.1\u2069" in out


def test_rulings_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "rulings.yaml"
    file.write_text("rulings: {ca.q.don.1: dies}\n", "utf-8")
    status, _out, err = run(capsys, "--roles", "don,sniper", "--rulings", file)
    assert status == 2
    assert "ca.q.don.1" in err
    answer = next(iter(BOOK.question("ca.q.don.1").answers))
    file.write_text(f"rulings: {{ca.q.don.1: {answer}}}\n", "utf-8")
    status, out, _err = run(capsys, "--roles", "don,sniper", "--rulings", file)
    assert status == 0
    assert not re.search(r"ca\.q\.don\.1\b", out)


def test_too_little_time(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _err = run(capsys, "--roles", ROLES, "--timeout", "0")
    assert status == 3
    assert "Incomplete" in out
    status, out, _err = run(capsys, "--roles", ROLES, "--timeout", "0", "--format", "csv")
    assert status == 3
    assert {row["status"] for row in csv.DictReader(io.StringIO(out))} == {"undecided"}


def test_time_runs_out_on_the_way() -> None:
    there = matrix(BOOK, CAST, seconds=0.4)
    whole = found()
    for each in there.meetings:
        assert set(each.open) <= set(meeting(each.row, each.column, whole).open) | {
            # What one of the two brings up alone may not have been found out.
            *meeting(each.row, each.row, whole).open,
            *meeting(each.column, each.column, whole).open,
            *whole.anybody,
        }
        assert there.complete or each.status != "settled" or each.complete


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "Name a role set in one way"),
        (["--roles", "dno"], "Did you mean don?"),
        (["--roles", "don", "--phase", "setup"], "--phase"),
        (["--roles", "don", "--format", "svg"], "--format"),
        (["--roles", "don", "--rulings", "nowhere.yaml"], "nowhere.yaml"),
        (["nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_wrong_input(capsys: pytest.CaptureFixture[str], args: list[str], said: str) -> None:
    status, out, err = run(capsys, *args)
    assert (status, out) == (2, "")
    assert said in err


def test_a_file_for_the_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "matrix.html"
    status, out, _err = run(capsys, "--roles", ROLES, "--format", "html", "-o", file)
    assert (status, out) == (0, "")
    assert file.read_text("utf-8") == matrix_html(found(FEW), Words(BOOK, "en"))


def test_the_same_whatever_the_seed() -> None:
    outs = set()
    for seed in ("0", "1"):
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "mafia_asp",
                "matrix",
                "--roles",
                ROLES,
                "--lang",
                "en",
                "--format",
                "json",
            ],
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
        outs.add(done.stdout.decode())
    assert outs == {matrix_json(found(FEW), ["night"])}
