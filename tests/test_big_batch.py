"""A small part of the large input (``big_batch.py`` makes all of it, and measures the memory it takes)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from big_batch import checked, lines, write

from mafia_asp import cli


def test_the_same_seed_gives_the_same_lines() -> None:
    first = list(lines(200, 20, 0.1, 7))
    assert first == list(lines(200, 20, 0.1, 7))
    assert first != list(lines(200, 20, 0.1, 8))
    assert len(first) == 200
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in first)


@pytest.mark.parametrize(("book", "mixed"), [("classic_advanced", False), ("booklet", True)])
def test_every_line_is_answered_in_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], book: str, mixed: bool
) -> None:
    given, answers = tmp_path / "nights.jsonl", tmp_path / "answers.jsonl"
    write(given, lines(60, 3, 0.2, 11, mixed=mixed, book=book))
    assert cli.main(["batch", str(given), "-o", str(answers), "--jobs", "1"]) == 2
    assert checked(given, answers).wrong == []
    told = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    assert 4 <= sum("error" in each for each in told) <= 24


def test_what_is_wrong_with_answers_is_noticed(tmp_path: Path) -> None:
    given, answers = tmp_path / "nights.jsonl", tmp_path / "answers.jsonl"
    given.write_bytes(b'{"players": {"Ali": "don"}}\n{"players"\n')
    good = [{"source": {"line": 1}}, {"source": {"line": 2}, "error": {"faults": [{"code": "json.syntax"}]}}]
    for told, wrong in ((good, 0), (good[::-1], 2), ([good[0], {"source": {"line": 2}}], 1)):
        answers.write_text("".join(json.dumps(each) + "\n" for each in told), encoding="utf-8")
        assert len(checked(given, answers).wrong) == wrong
    late = {"source": {"line": 1}, "error": {"faults": [{"code": "time"}]}}
    answers.write_text(f"{json.dumps(late)}\n{json.dumps(good[1])}\n", encoding="utf-8")
    assert checked(given, answers) == ([], 1)
    answers.write_text(json.dumps(good[0]) + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match="shorter"):
        checked(given, answers)
