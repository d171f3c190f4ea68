"""Many scenarios in one run: order, errors, going on, and what is left after an interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mafia_asp.batch import Input, Inputs, LocalEngine, chunked
from mafia_asp.batch.work import Answer, lost
from mafia_asp.cli import main
from mafia_asp.commands.schema import FOLDER

NAMES = ("Ali", "Sara", "Reza", "Mina", "Omid")


def scenario(number: int, **more: Any) -> dict[str, Any]:
    players = dict(zip(NAMES, ("don", "sniper", "doctor", "bartender", "citizen"), strict=True))
    acts = [("Ali", "shoot", number), ("Sara", "shoot", number // 5), ("Mina", "drug", number // 25)]
    actions = [{actor: {verb: NAMES[n % 5]}} for actor, verb, n in acts]
    return {"id": f"n{number}", "night": 2, "players": players, "actions": actions, **more}


def lines(*some: Any) -> str:
    return "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in some)


def read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return tmp_path


def test_every_line_is_answered_in_order_and_a_broken_one_by_itself(folder: Path) -> None:
    given = [scenario(0), '{"broken": ', scenario(1), "", {"players": {}}, scenario(2)]
    (folder / "in.jsonl").write_text(lines(*given), encoding="utf-8")
    assert main(["batch", "in.jsonl", "-o", "out.jsonl", "--summary", "sum.json"]) == 2
    answers = read(folder / "out.jsonl")
    assert [(a["source"]["line"], a["source"]["id"]) for a in answers] == [
        *((1, "n0"), (2, "2"), (3, "n1"), (5, "5"), (6, "n2")),
    ]
    assert ["error" in a for a in answers] == [False, True, False, True, False]
    assert answers[1]["error"]["faults"][0]["line"] == 2
    schema = json.loads((FOLDER / "batch.json").read_text(encoding="utf-8"))
    for answer in answers:
        jsonschema.Draft202012Validator(schema).validate(answer)
    summary = json.loads((folder / "sum.json").read_text(encoding="utf-8"))
    assert (summary["inputs"], summary["lines"], summary["error"]) == (5, 5, 2)
    assert summary["settled"] + summary["open"] == 3


def test_the_answers_are_those_of_one_by_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    some = [scenario(n) for n in range(30)]
    (folder / "in.jsonl").write_text(lines(*some), encoding="utf-8")
    main(["batch", "in.jsonl", "-o", "out.jsonl", "--jobs", "1"])
    answers = read(folder / "out.jsonl")
    for number in (0, 7, 23):
        (folder / "one.json").write_text(json.dumps(some[number]), encoding="utf-8")
        capsys.readouterr()
        main(["night", "one.json", "--format", "json"])
        alone = json.loads(capsys.readouterr().out)
        assert {k: v for k, v in answers[number].items() if k != "source"} == alone


def test_files_folders_patterns_and_the_standard_input(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a").mkdir()
    (folder / "a" / "two.yaml").write_text(
        json.dumps({"scenarios": [scenario(1), scenario(2)]}), encoding="utf-8"
    )
    (folder / "b.json").write_text(json.dumps(scenario(3)), encoding="utf-8")
    assert main(["batch", "a", "*.json", "-o", "out.jsonl", "--exit-zero"]) == 0
    assert [a["source"]["id"] for a in read(folder / "out.jsonl")] == ["n1", "n2", "n3"]
    assert main(["batch", "none*.json"]) == 2
    assert "none*.json" in capsys.readouterr().err
    for text in (lines(scenario(4), scenario(5)), lines('{"broken"', scenario(5))):
        with (folder / "stdin").open("w+b") as stream:
            stream.write(text.encode())
            stream.seek(0)
            monkeypatch.setattr(sys, "stdin", open(stream.fileno(), encoding="utf-8", closefd=False))  # noqa: SIM115
            found = list(Inputs(["-"]))
        assert [(each.file, each.line) for each in found] == [("<stdin>", 1), ("<stdin>", 2)]


def test_an_unknown_target_gives_several_lines_of_one_input(folder: Path) -> None:
    given = scenario(1)
    given["actions"] = [{"Ali": {"shoot": "unknown"}}]
    (folder / "in.jsonl").write_text(lines(given, scenario(2)), encoding="utf-8")
    main(["batch", "in.jsonl", "-o", "out.jsonl"])
    parts = [a["source"].get("part") for a in read(folder / "out.jsonl")]
    assert parts == [*([n, 5] for n in range(1, 6)), None]


@pytest.mark.parametrize("cut", [0, 1, 4, 6, 9])
def test_going_on_gives_the_same_file(folder: Path, cut: int) -> None:
    unknown = scenario(1)
    unknown["actions"] = [{"Ali": {"shoot": "unknown"}}]
    (folder / "in.jsonl").write_text(
        lines(scenario(0), "{", unknown, scenario(2), scenario(3)), encoding="utf-8"
    )
    main(["batch", "in.jsonl", "-o", "whole.jsonl"])
    whole = (folder / "whole.jsonl").read_text(encoding="utf-8")
    begun = "".join(whole.splitlines(keepends=True)[:cut])
    (folder / "part.jsonl").write_text(begun + whole[len(begun) :][:20], encoding="utf-8")
    main(["batch", "in.jsonl", "-o", "part.jsonl", "--resume"])
    assert (folder / "part.jsonl").read_text(encoding="utf-8") == whole


def test_a_file_that_is_no_output_is_not_touched(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "in.jsonl").write_text(lines(scenario(0)), encoding="utf-8")
    (folder / "notes.txt").write_text("mine\nonly mine\n", encoding="utf-8")
    assert main(["batch", "in.jsonl", "-o", "notes.txt", "--resume"]) == 2
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "mine\nonly mine\n"
    assert "notes.txt:1" in capsys.readouterr().err
    assert main(["batch", "in.jsonl", "-o", "in.jsonl"]) == 2
    assert main(["batch", "in.jsonl", "--resume"]) == 2
    assert read(folder / "in.jsonl") == [scenario(0)]


def test_several_processes_answer_the_same(folder: Path) -> None:
    (folder / "in.jsonl").write_text(lines(*(scenario(n) for n in range(20))), encoding="utf-8")
    from functools import partial

    from mafia_asp.batch import Plan, decide_chunk

    work = partial(decide_chunk, plan=Plan())
    one, two = (
        [a for _, some in LocalEngine(jobs).map(work, chunked(Inputs(["in.jsonl"]), 6), lost) for a in some]
        for jobs in (1, 2)
    )
    assert one == two
    assert len(one) == 20


def deadly(chunk: Sequence[Input]) -> list[Answer]:
    """Answer, but end the process at one of the inputs."""
    if any(each.data == b"deadly" for each in chunk):
        os._exit(9)
    return [Answer(f"{each.line}\n", ("settled",)) for each in chunk]


def test_a_worker_that_dies_takes_one_input_with_it() -> None:
    inputs = [Input("f", n, str(n), b"deadly" if n == 7 else b"fine") for n in range(20)]
    found = [a for _, some in LocalEngine(2).map(deadly, chunked(inputs, 4), lost) for a in some]
    expected = [lost(each) if each.line == 7 else Answer(f"{each.line}\n", ("settled",)) for each in inputs]
    assert found == expected


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_an_interruption_leaves_whole_lines_and_says_how_to_go_on(folder: Path) -> None:
    with (folder / "in.jsonl").open("w", encoding="utf-8") as stream:
        stream.writelines(lines(scenario(n)) for n in range(20_000))
    command = [sys.executable, "-m", "mafia_asp", "batch", "in.jsonl", "-o", "out.jsonl", "--jobs", "1"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (folder / "out.jsonl").exists():
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "--resume" in said
    text = (folder / "out.jsonl").read_text(encoding="utf-8")
    assert text.endswith("\n")
    numbers = [json.loads(line)["source"]["line"] for line in text.splitlines()]
    assert numbers == list(range(1, len(numbers) + 1))
    assert 0 < len(numbers) < 20_000
