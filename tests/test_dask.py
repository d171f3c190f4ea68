"""Batches and checks on a Dask cluster: the same as here, also where a worker is killed."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mafia_asp import cli
from mafia_asp.batch import Answer, Input, Inputs, LocalEngine, Plan, chunked, decide_chunk, lost

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

from mafia_asp.batch.on_dask import ClusterLostError, DaskEngine, NoCluster  # noqa: E402

CAST = {"Ali": "don", "Sara": "sniper", "Reza": "doctor", "Mina": "detective", "Omid": "citizen"}
NIGHTS = 48
#: so many nights of one cast share a ground program
CHUNK = 12
POISON = 13


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two worker processes, which come back when they are killed."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
        ) as cluster,
    ):
        yield cluster


def chunks_of(file: Path) -> Iterator[tuple[Input, ...]]:
    return chunked(Inputs([str(file)]), CHUNK)


@pytest.fixture
def nights(tmp_path: Path) -> Path:
    """Nights, two of them broken."""
    names = list(CAST)
    lines = []
    for number in range(NIGHTS):
        aims = (names[number % 5], names[number // 5 % 5], names[number // 25])
        acts = zip(("Ali", "Sara", "Reza"), ("shoot", "shoot", "save"), aims, strict=True)
        night = {
            "rulebook": "booklet",
            "players": CAST,
            "actions": [{who: {act: aim}} for who, act, aim in acts],
        }
        lines.append(json.dumps(night) if number not in (7, 30) else '{"players": {"Ali": "donn"}}')
    file = tmp_path / "nights.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def _waiting(chunk: Sequence[Input], plan: Plan, gate: str) -> list[Answer]:
    """Decide the first chunk at once, and the others when a file is there, so that there is a middle."""
    until = time.monotonic() + 60
    while chunk[0].line > CHUNK and not os.path.exists(gate) and time.monotonic() < until:
        time.sleep(0.05)
    return decide_chunk(chunk, plan)


def test_a_worker_that_is_killed_loses_nothing(cluster: Any, nights: Path) -> None:
    gate = nights.with_name("gate")
    work = partial(_waiting, plan=Plan(), gate=str(gate))
    here = list(LocalEngine(1).map(partial(decide_chunk, plan=Plan()), chunks_of(nights), lost))
    with distributed.Client(cluster) as watch, DaskEngine(cluster.scheduler_address) as engine:
        there = []
        killed = None
        pids = watch.run(os.getpid)
        for chunk, answers in engine.map(work, chunks_of(nights), lost):
            there.append((chunk, answers))
            if killed is None:
                busy = [address for address, tasks in watch.processing().items() if tasks]
                killed = pids[busy[0]]
                os.kill(killed, signal.SIGKILL)
                gate.touch()
        watch.wait_for_workers(2, timeout=60)
        assert killed not in watch.run(os.getpid).values()
    assert there == here
    assert sum(len(answers) for _chunk, answers in there) == NIGHTS


def _deadly(chunk: Sequence[int]) -> list[int]:
    """Work that one number does not let its worker live through."""
    if POISON in chunk:
        os.kill(os.getpid(), signal.SIGKILL)
    return [2 * number for number in chunk]


def test_what_kills_every_worker_is_lost_alone(cluster: Any) -> None:
    chunks = [tuple(range(first, first + 5)) for first in range(0, 40, 5)]
    with DaskEngine(cluster.scheduler_address) as engine:
        done = list(engine.map(_deadly, iter(chunks), lambda number: -number))
    assert [chunk for chunk, _made in done] == chunks
    assert [made for _chunk, part in done for made in part] == [
        -n if n == POISON else 2 * n for n in range(40)
    ]


def _slow(chunk: Sequence[int]) -> list[int]:
    return list(chunk)


def test_no_more_chunks_are_taken_than_are_worked_on(cluster: Any) -> None:
    taken = 0

    def chunks() -> Iterator[Sequence[int]]:
        nonlocal taken
        for number in range(200):
            taken += 1
            yield (number,)

    with DaskEngine(cluster.scheduler_address) as engine:
        results = engine.map(_slow, chunks(), lambda number: -number)
        for given in range(50):
            chunk, made = next(results)
            assert (tuple(chunk), made) == ((given,), [given])
            assert taken - given <= 2 * 3 + 1
        results.close()


def _failing(chunk: Sequence[int]) -> list[int]:
    raise FileNotFoundError(f"no file {chunk[0]}")


def test_what_the_work_raises_is_no_fault_of_the_cluster(cluster: Any) -> None:
    with DaskEngine(cluster.scheduler_address) as engine, pytest.raises(FileNotFoundError, match="no file 1"):
        list(engine.map(_failing, [(1,)], lambda n: -n))


def test_equal_chunks_are_not_one(cluster: Any) -> None:
    with DaskEngine(cluster.scheduler_address) as engine:
        assert [made for _chunk, made in engine.map(_slow, [(1,), (1,)], lambda n: -n)] == [[1], [1]]


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense:"])
def test_no_scheduler(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mafia_asp.batch.on_dask._PATIENCE", 1)
    with pytest.raises(NoCluster):
        DaskEngine(address)


def test_a_cluster_that_ends_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mafia_asp.batch.on_dask._PATIENCE", 2)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as short:
        engine = DaskEngine(short.scheduler_address)
        results = engine.map(_slow, ((n,) for n in range(1000)), lambda n: -n)
        next(results)
        short.close()
        with pytest.raises(ClusterLostError, match="not all"), engine:
            list(results)


# --- the commands -------------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    status = cli.main([str(a) for a in args])
    out, err = capsys.readouterr()
    return status, out, err


def test_a_batch(cluster: Any, nights: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = run(capsys, "batch", nights, "--jobs", "1")
    there = run(capsys, "batch", nights, "--engine", "dask", "--scheduler", cluster.scheduler_address)
    assert there[:2] == here[:2]
    assert there[1].count("\n") == NIGHTS
    assert f"Dashboard: {cluster.dashboard_link}\n" in there[2]


def test_a_rulebook_of_ones_own(cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "new", "rulebook", "-o", tmp_path / "own")[0] == 0
    night = {
        "rulebook": "own",
        "players": {"Ali": "don", "Omid": "citizen"},
        "actions": [{"Ali": {"shoot": "Omid"}}],
    }
    file = tmp_path / "night.jsonl"
    file.write_text(json.dumps(night) + "\n", encoding="utf-8")
    here = run(capsys, "batch", file, "--jobs", "1")
    # Such a rulebook is worked on in a process of its own, which Dask's workers may have.
    there = run(capsys, "batch", file, "--engine", "dask", "--scheduler", cluster.scheduler_address)
    assert json.loads(here[1])["certain"]["dead"] == ["Omid"]
    assert there[:2] == here[:2]


def test_a_check_of_many_role_sets(cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sets = tmp_path / "sets.txt"
    sets.write_text("don,doctor\ndon,sniper,citizen\n", encoding="utf-8")
    command = ("check", "--sets", sets, "--rulebook", "booklet", "--phase", "night", "--format", "json")
    here = run(capsys, *command, "--jobs", "1")
    there = run(capsys, *command, "--engine", "dask", "--scheduler", cluster.scheduler_address)
    assert there[:2] == here[:2]
    assert [report["roles"] for report in json.loads(there[1])] == [
        {"don": 1, "doctor": 1},
        {"don": 1, "sniper": 1, "citizen": 1},
    ]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--scheduler", "tcp://127.0.0.1:9"], "--scheduler needs --engine dask"),
        (["--engine", "dask", "--scheduler", "tcp://127.0.0.1:9", "--jobs", "2"], "its own workers"),
        (
            ["--engine", "dask", "--scheduler", "tcp://127.0.0.1:9"],
            "No scheduler answers at tcp://127.0.0.1:9",
        ),
    ],
)
def test_options_that_do_not_fit(
    nights: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    told: str,
) -> None:
    monkeypatch.setattr("mafia_asp.batch.on_dask._PATIENCE", 1)
    status, out, err = run(capsys, "batch", nights, *options)
    assert (status, out) == (2, "")
    assert told in err


def test_without_dask(
    nights: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "mafia_asp.batch.on_dask", None)
    status, _out, err = run(capsys, "batch", nights, "--engine", "dask")
    assert status == 2
    assert "pip install 'mafia_asp[dask]'" in err
