"""A rulebook of one's own, at a table that may or may not have its roles."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mafia_asp import InputError, cli, decide
from mafia_asp.check.report import Wanted, check
from mafia_asp.commands.new import FOLDER
from mafia_asp.i18n import language
from mafia_asp.rulebook import Rulebook, shipped
from mafia_asp.scenario import parse_inline


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER / "rulebook", tmp_path / "my_rules"))


@pytest.mark.parametrize(
    ("players", "actions", "dead"),
    [
        ("Ali=don, Sara=nurse, Mina=citizen", "Ali shoot Mina; Sara save Mina", []),
        ("Ali=don, Sara=doctor, Mina=citizen", "Ali shoot Mina", ["Mina"]),
    ],
)
def test_with_and_without_its_roles_at_the_table(
    own: Path, players: str, actions: str, dead: list[str]
) -> None:
    assert decide(parse_inline(players, actions, rulebook=str(own))).certain["dead"] == dead


def test_a_book_that_changes_names_only(own: Path) -> None:
    (own / "nurse.lp").unlink()
    night = parse_inline("Ali=don, Mina=citizen", "Ali shoot Mina", rulebook=str(own))
    assert decide(night).certain["dead"] == ["Mina"]


def test_two_names_for_whoever_steals(own: Path) -> None:
    with pytest.raises(InputError) as error:
        parse_inline("Ali=thief, Sara=doctor", "Ali steal Sara", rulebook=str(own))
    assert [(f.code, f.args["most"]) for f in error.value.faults] == [("target.exact", 2)]


#: roles of which two bear one name, with a header each
NAMESAKES = {
    "murderer": ("Murderer", "قاتل", ""),
    "item_thief": ("Item Thief", "دزد آیتم", "تیف | Thief"),
    "traitor": ("Traitor", "ترایتور", ""),
    "mafia_traitor": ("Khaen", "خائن", "Mafia Traitor"),
}


@pytest.fixture
def namesakes(own: Path) -> Path:
    for role, (en, fa, aliases) in NAMESAKES.items():
        head = f"%*\nrole: {role}\nen: {en}\nfa: {fa}\naliases: {aliases}\n*%\n"
        (own / f"{role}.lp").write_text(head, encoding="utf-8")
    return own


def test_namesakes_are_told_apart(namesakes: Path) -> None:
    book = Rulebook.load(namesakes)
    assert book.find_role("قاتل") == ["murderer", "terrorist"]
    assert [book.find_role(name) for name in ("thief", "دزد", "تیف", "دزد آیتم", "item_thief")] == [
        *("thief", "thief", "item_thief", "item_thief", "item_thief")
    ]
    names = ("traitor", "ترایتور", "خائن", "Mafia Traitor", "mafia_traitor")
    assert [book.find_role(name) for name in names] == ["traitor"] * 2 + ["mafia_traitor"] * 3


def test_every_id_means_itself() -> None:
    for name in shipped():
        book = Rulebook.load(name)
        assert [book.find_role(role) for role in book.role_ids] == list(book.role_ids)


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "several roles"), ("fa", "نام چند نقش است")],
)
def test_an_ambiguous_name_is_answered_with_the_choices(
    namesakes: Path, capsys: pytest.CaptureFixture[str], lang: str, said: str
) -> None:
    night = namesakes / "night.yaml"
    night.write_text("rulebook: .\nplayers: {Ali: قاتل, Sara: don}\n", encoding="utf-8")
    for arguments in (
        ["night", str(night)],
        ["roles", "--rulebook", str(namesakes), "قاتل"],
        ["check", "--rulebook", str(namesakes), "--roles", "قاتل,don"],
    ):
        with language("en"):  # what --lang sets ends here
            assert cli.main([*arguments, "--lang", lang]) == 2
        text = "".join(capsys.readouterr())
        assert "murderer (Murderer)" in text
        assert "terrorist (تروریست)" in text
        assert said in text or arguments[0] == "check"


MIME = """\
%*
role: mime
en: Mime
fa: پانتومیم
*%

%% my.mime.1 | - | night | rule
%% en: Whom the Mime asks about is told to him, and is not.
%% fa: پانتومیم هم می‌شنود و هم نمی‌شنود.
does("my.mime.1",mime,inquire,ask(mimed)).
claim("my.mime.1",answer(A,(yes;no))) :- act(A,P,inquire), role(P,mime).
"""


def test_a_statement_that_denies_itself_is_a_contradiction(own: Path) -> None:
    (own / "mime.lp").write_text(MIME, encoding="utf-8")
    report = check(Rulebook.load(own), [("mime", 1)], wanted=Wanted(("night",)))
    (found,) = [finding for finding in report.findings if finding.id == "my.mime.1"]
    assert (found.kind, found.rules, found.severity) == ("contradiction", ("my.mime.1",), "error")
