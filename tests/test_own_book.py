"""A rulebook of one's own, at a table that may or may not have its roles."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mafia_asp import InputError, decide
from mafia_asp.commands.new import FOLDER
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
