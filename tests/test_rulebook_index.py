from __future__ import annotations

from pathlib import Path

import pytest
from books import own_book, small_root

from mafia_asp import rulebook
from mafia_asp.errors import InputError
from mafia_asp.lexicon import Lexicon
from mafia_asp.names import squeeze
from mafia_asp.rulebook import Rulebook
from mafia_asp.ruletext import FileText


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = small_root(tmp_path)
    monkeypatch.setattr(rulebook, "encodings", lambda: str(folder))
    return folder


def codes(error: InputError) -> set[str]:
    return {fault.code for fault in error.faults}


def test_shipped_books(root: Path) -> None:
    assert rulebook.shipped() == ["small"]
    assert rulebook.book_of("sm.doctor.1") == "small"
    assert rulebook.book_of("zz.doctor.1") is None
    book = Rulebook.load("small")
    assert (book.prefix, book.name["fa"], book.source, book.shipped) == ("sm", "کوچک", "9", True)
    assert book.options["start"].values == ("day", "night")


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("doctor", "doctor"),
        ("Doctor", "doctor"),
        ("دکتر", "doctor"),
        ("پزشك", "doctor"),
        ("تک تیرانداز", "sniper"),
        ("تکتیرانداز", "sniper"),
        ("Bomber-Man", "bomber_man"),
        ("thief", "thief"),
        ("Thief", "thief"),
        ("تیف", "item_thief"),
        ("شهروند", "citizen"),
        ("mafia", "mafia"),
        ("قاتل", ["murderer", "terrorist"]),
        ("general", None),
        ("words", None),
        ("", None),
        ("../small/doctor", None),
    ],
)
def test_role_names(root: Path, text: str, role: object) -> None:
    assert Rulebook.load("small").find_role(text) == role


def test_ids_need_no_headers(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulebook, "_header", lambda file: pytest.fail("a header was read"))
    assert Rulebook.load("small").find_role("doctor") == "doctor"


def test_a_card(root: Path) -> None:
    card = Rulebook.load("small").roles["don"]
    assert (card.en, card.fa, card.aliases, card.source) == (
        "Don",
        "دان",
        ("پدرخوانده", "Godfather"),
        "9:1-9",
    )
    with pytest.raises(KeyError):
        Rulebook.load("small").card("nobody")


def test_verbs(root: Path) -> None:
    book = Rulebook.load("small")
    assert book.find_verb("shoot") == book.find_verb("شلیک") == book.find_verb("Shoot") == "shoot"
    assert book.find_verb("give gun") == "give_gun"
    assert book.find_verb("frobnicate") is None
    assert book.verb_places("steal") == (1, 2)
    assert book.verb_places("speak") == (0, 1)


def test_texts(root: Path) -> None:
    book = Rulebook.load("small")
    assert book.rule("sm.doctor.2").kind == "exception"
    assert book.rule("core.dead").source == "-"
    question = book.question("sm.q.doctor.1")
    assert list(question.answers) == ["counts", "free"]
    assert question.answers["counts"].rules == ("sm.doctor.2",)
    assert question.answers["free"].fa == "نه."
    assert question.rules == ("sm.doctor.1", "sm.doctor.2")
    assert book.conventions["cv.dead"].reason_fa == "رسم است."
    assert set(book.rules) == {"sm.doctor.1", "sm.doctor.2", "sm.general.1", "core.dead"}
    for name in ("sm.doctor.99", "sm.nobody.1", "nonsense", ""):
        with pytest.raises(KeyError):
            book.rule(name)


def test_files_for_a_night(root: Path, tmp_path: Path) -> None:
    names = [Path(file).name for file in Rulebook.load("small").files_for({"sniper", "doctor"})]
    assert names == ["claims.lp", "conventions.lp", "general.lp", "doctor.lp", "sniper.lp"]
    own = own_book(tmp_path / "own")
    files = Rulebook.load(own).files_for({"sniper", "doctor", "nurse"})
    assert ["/".join(Path(file).parts[-2:]) for file in files[2:]] == [
        "small/general.lp",
        "small/sniper.lp",
        "own/doctor.lp",
        "own/nurse.lp",
    ]


def test_files_of_things_and_of_roles_that_go_together(root: Path, tmp_path: Path) -> None:
    def names(book: Rulebook, roles: set[str], items: tuple[str, ...] = ()) -> list[str]:
        return [Path(file).stem for file in book.files_for(roles, items=items)][3:]

    own = own_book(tmp_path / "own", things="{armor: don}")
    (own / "guard.lp").write_text("%*\nrole: guard\nwith: sniper thief\n*%\n", "utf-8")
    book = Rulebook.load(own)
    assert names(book, {"murderer"}, ("armor", "gun")) == ["don", "murderer"]
    assert names(book, {"guard"}) == ["sniper", "thief", "guard"]


def test_a_book_of_ones_own(root: Path, tmp_path: Path) -> None:
    book = Rulebook.load(own_book(tmp_path / "own"))
    assert not book.shipped
    assert book.find_role("پرستار") == "nurse"
    assert book.find_role("طبیب") == "doctor"
    assert book.find_role("دکتر") is None
    assert book.find_role("sniper") == "sniper"
    assert book.rule("mine.doctor.1").place.file.endswith("nurse.lp")
    assert "sm.general.1" in book.rules
    assert "sm.doctor.1" not in book.rules
    assert "wills" in book.options


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ({"extends": "smal"}, "book.unknown"),
        ({"extends": "."}, "book.circle"),
        ({"prefix": "sm"}, "book.taken"),
        ({"prefix": "core"}, "book.id"),
        ({"prefix": "Ä"}, "book.id"),
        ({"id": "small"}, "book.taken"),
        ({"name": "[a]"}, "value.kind"),
        ({"extands": "small"}, "key.unknown"),
        ({"extends": "[a, b]"}, "value.kind"),
    ],
)
def test_faults_of_a_book(root: Path, tmp_path: Path, keys: dict[str, str], code: str) -> None:
    with pytest.raises(InputError) as error:
        Rulebook.load(own_book(tmp_path / "own", **keys))
    assert code in codes(error.value)
    assert all(str(fault) for fault in error.value.faults)


def test_no_such_book(root: Path, tmp_path: Path) -> None:
    for name, code in (
        ("smal", "book.unknown"),
        (str(tmp_path), "book.no_file"),
        ("a/b", "book.unknown"),
        ("", "book.no_file"),
    ):
        with pytest.raises(InputError) as error:
            Rulebook.load(name)
        assert codes(error.value) == {code}
    with pytest.raises(InputError, match="small"):
        Rulebook.load("smal")


def test_words_of_ones_own(root: Path, tmp_path: Path) -> None:
    folder = own_book(tmp_path / "own")
    (folder / "words.lp").write_text('verb(nurse, 1, 1, "nurse", "پرستاری").\n', "utf-8")
    assert Rulebook.load(folder).find_verb("پرستاری") == "nurse"
    (folder / "words.lp").write_text("verb(nurse).\nnonsense\nfoo(a, b).\n", "utf-8")
    with pytest.raises(InputError) as error:
        Rulebook.load(folder).find_verb("nurse")
    assert [(f.code, f.place.line) for f in error.value.faults if f.place] == [
        ("words.row", n) for n in (1, 2, 3)
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("%% sm.a.1 | 9:1 | night\n", "text.rule"),
        ("%% sm.a.1 | 9:1 | midnight | rule\n", "text.rule"),
        ("%% en: words\n", "text.stray"),
        ("%% sm.a.1 | 9:1 | night | rule\n%% en: words\na.\n", "text.words"),
        ("%% sm.a.1 | 9:1 | night | rule\n%% en: a\n%% fa: b\na.\n" * 2, "text.twice"),
        ("%? sm.q.a.1 | riddle | sm.a.1\n", "text.question"),
        ("%? sm.q.a.1 | gap | sm.a.1\n%? en: a\n%? fa: b\n%? yes | en: a | fa: b\nb.\n", "text.answers"),
        ("%! dead | en: a | fa: b\n", "text.convention"),
    ],
)
def test_faults_of_texts(text: str, code: str) -> None:
    assert code in {fault.code for fault in FileText("a.lp", text).faults}


def test_the_shipped_words_are_unambiguous() -> None:
    lexicon = Lexicon([f"{rulebook.encodings()}/core/words.lp"])
    for table in lexicon.words:
        for name in lexicon.words[table]:
            for word in (name, *lexicon.words[table][name]):
                assert lexicon.find(table, word) == name, (table, word)
    assert all(least <= most for least, most in lexicon.verbs.values())
    assert set(lexicon.takes) <= set(lexicon.verbs)
    assert len({squeeze(verb) for verb in lexicon.verbs}) == len(lexicon.verbs)


def test_the_shipped_books_are_whole() -> None:
    for name in rulebook.shipped():
        book = Rulebook.load(name)
        assert book.name["en"]
        assert book.name["fa"]
        assert [fault for file in book.text_files() for fault in book.text_of(file).faults] == []
        for card in book.roles.values():
            assert card.en
            assert card.fa
        for spec in book.options.values():
            assert spec.en
            assert spec.fa
