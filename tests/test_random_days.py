"""Random days of both books: every assignment of answers has one answer set, and no answer is lost."""

from __future__ import annotations

import random

import pytest

from tests.random_days import ROLES, day, run


@pytest.mark.parametrize("book", sorted(ROLES))
def test_answers_and_answer_sets_of_random_days(book: str) -> None:
    report = run(16, 2024, book, players=8, most=400, samples=2)
    assert report.failures == []


def test_one_seed_makes_one_day() -> None:
    assert day(random.Random(5), "booklet") == day(random.Random(5), "booklet")
    assert day(random.Random(5), "booklet") != day(random.Random(6), "booklet")
