"""Without a rule, a scenario that cites it fails: every statement does something, and is shown doing it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from coverage_data import exceptions
from mutation import citing, every_rule, noticed_by, statements, without

#: a sample; ``python tests/mutation.py`` goes through all of them
SAMPLE = sorted(random.Random(20).sample(every_rule(), 100))


@pytest.mark.parametrize("rule", SAMPLE)
def test_loss_of_a_rule_is_noticed(rule: str) -> None:
    by = noticed_by(rule)
    if rule in exceptions("unnoticed"):
        assert by is None, "it is noticed: take it out of the exceptions"
    else:
        assert by is not None, f"not noticed by any of {[s.id for s in citing(rule)]}"


TEXT = """\
%% ca.own.1 | 000:1 | night | rule
%% en: One. %% fa: یک.
does("ca.own.1",a,b,c). helper(x) :- body("ca.own.1").
stops("ca.own.2",a,b).

%% ca.own.2 | 000:2 | night | rule
reading("ca.q.own.1","x").
wins("ca.q.own.1","x",("ca.own.1";"ca.own.2")).
claim("ca.own.2",f(X)) :- g(X),
                          not prevailing("ca.own.1",_).

%? ca.q.own.1 | gap | ca.own.1 ca.own.2
words(1). beats("ca.own.1","ca.own.2").
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "own.lp"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def lines(text: bytes | None) -> list[str]:
    assert text is not None
    return [line.strip() for line in text.decode().splitlines() if line.strip() and not line.startswith("%")]


def test_statements_know_their_block_and_the_rules_that_they_name(file: str) -> None:
    found = [(s.block, sorted(s.names)) for s in statements(file)]
    assert found == [
        ("ca.own.1", ["ca.own.1"]),
        ("ca.own.1", []),
        ("ca.own.1", ["ca.own.2"]),
        ("ca.own.2", []),
        ("ca.own.2", ["ca.own.1", "ca.own.2"]),
        ("ca.own.2", ["ca.own.2"]),
        (None, []),
        (None, ["ca.own.1", "ca.own.2"]),
    ]


def test_a_rule_is_taken_out_with_what_stands_below_it_and_what_names_it(file: str) -> None:
    assert lines(without(file, "ca.own.1")) == [
        'stops("ca.own.2",a,b).',
        'reading("ca.q.own.1","x").',
        'wins("ca.q.own.1","x",("ca.own.2")).',
        'claim("ca.own.2",f(X)) :- g(X),',
        'not prevailing("ca.own.1",_).',
        "words(1).",
    ]


def test_what_stands_below_a_rule_and_names_another_stays(file: str) -> None:
    assert lines(without(file, "ca.own.2")) == [
        'does("ca.own.1",a,b,c). helper(x) :- body("ca.own.1").',
        'wins("ca.q.own.1","x",("ca.own.1")).',
        "words(1).",
    ]


def test_a_file_without_the_rule_is_left_alone(file: str) -> None:
    assert without(file, "ca.own.3") is None
