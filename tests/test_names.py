from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mafia_asp.names import latin_digits, normalise, squeeze, squeeze_all, suggest


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ali", "  ALI "),
        ("علي", "علی"),
        ("كاوه", "کاوه"),
        ("علی\u200cرضا", "علی رضا"),
        ("علی\u200cرضا", "علیرضا"),
        ("بازیکن ۱", "بازیکن 1"),
        ("بازیکن ١", "بازیکن 1"),
        ("کارآگاه", "كاراگاه"),
        ("محمّد", "محمد"),
        ("کربلائی", "کربلایی"),
        ("René", "RENE"),
        ("Sara  B", "sara b"),
        ("دقیقهٔ", "دقیقه"),
    ],
)
def test_one_name(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Sara B", "Sarab"), ("p1_1", "p11"), ("Ali", "Ala"), ("پارسا", "پارسه")]
)
def test_two_names(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


def test_squeeze_forgets_separators() -> None:
    assert squeeze("bomber_man") == squeeze("Bomber Man") == squeeze("bomber-man")


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@given(st.lists(st.text(st.characters(exclude_characters="|"), min_size=1), min_size=1, max_size=5))
def test_many_at_once(texts: list[str]) -> None:
    one_by_one = [squeeze(text) for text in texts]
    if not any("|" in word for word in one_by_one):
        assert squeeze_all(texts) == one_by_one


@pytest.mark.parametrize(
    ("word", "choices", "first"),
    [
        ("doctr", ["don", "doctor", "sniper"], "doctor"),
        ("dotcor", ["doctor"], "doctor"),
        ("دکتز", ["دان", "دکتر"], "دکتر"),
        ("shot", ["save", "shoot"], "shoot"),
    ],
)
def test_suggestions(word: str, choices: list[str], first: str) -> None:
    assert suggest(word, choices)[0] == first


def test_no_suggestion_far_away() -> None:
    assert suggest("xyz", ["doctor", "don"]) == []
    assert suggest("", ["a"]) == []
    assert suggest("q" * 5000, ["doctor"]) == []


def test_suggestions_that_differ_in_spelling_only_are_one() -> None:
    assert suggest("dcotor", ["don", "doctor", "Doctor", "DOCTOR"]) == ["doctor"]
    assert suggest("علي رضا۱", ["علی\u200cرضا", "علي رضا", "علیرضا"]) == ["علی\u200cرضا"]


def test_latin_digits() -> None:
    assert [latin_digits(text) for text in ("۱۲", "٣", "-۴", "12", "الف")] == ["12", "3", "-4", "12", "الف"]
