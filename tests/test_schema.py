"""What ``--format json`` prints, against the schema that describes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mafia_asp import Rulebook, decide
from mafia_asp.commands.schema import FOLDER
from mafia_asp.model import Scenario
from mafia_asp.render.json import dumps, verdict_data
from mafia_asp.scenario import parse_inline, read_scenarios

BOOK = Rulebook.load("classic_advanced")
SCENARIOS = Path(__file__).parent.parent / "scenarios"
#: So many scenarios are decided, taken evenly from all.
SAMPLE = 30


def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads((FOLDER / "verdict.json").read_text(encoding="utf-8")))


def data_of(scenario: Scenario) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(dumps(verdict_data(decide(scenario), BOOK)))
    return data


def sample() -> list[Scenario]:
    everything = read_scenarios(SCENARIOS)
    open_ones = [s for s in everything if s.expect and "open" in s.expect]
    settled = [s for s in everything if not (s.expect and "open" in s.expect)]
    half = SAMPLE // 2
    return [each for some in (open_ones, settled) for each in some[:: max(1, len(some) // half)][:half]]


def test_verdicts_are_as_the_schema_says() -> None:
    schema = validator()
    verdicts = [data_of(scenario) for scenario in sample()]
    assert len(verdicts) == SAMPLE
    for verdict in verdicts:
        schema.validate(verdict)
    schema.validate(verdicts)
    assert any(verdict["groups"] for verdict in verdicts)
    assert any(reason["from"] for verdict in verdicts for reason in verdict["because"])


def test_a_choice_of_names() -> None:
    verdict = data_of(parse_inline("Ali=sheriff, Sara=mafia, Reza=mafia, Mina=don", ""))
    assert "one_of" in verdict["certain"]["answers"]["Ali"]
    validator().validate(verdict)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("certain", "answers"), {"Ali": {"one_of": "Sara"}}),
        (("certain", "answers"), {"Ali": {"some_of": ["Sara"]}}),
        (("certain", "answers"), {"Ali": True}),
        (("groups", 0, "tree"), {"question": "q"}),
        (("groups", 0, "tree"), {"reading": "first"}),
        (("groups", 0, "tree"), None),
        (("because", 0, "from"), "Ali: shoot Sara"),
        (("because", 0, "from"), None),
    ],
)
def test_what_the_schema_refuses(path: tuple[Any, ...], value: Any) -> None:
    night = parse_inline(
        "Ali=don, Sara=sniper, Mina=bartender, Reza=doctor", "Mina drug Sara; Sara shoot Ali"
    )
    verdict = data_of(night)
    validator().validate(verdict)
    *above, last = path
    inside: Any = verdict
    for step in above:
        inside = inside[step]
    if value is None:
        del inside[last]
    else:
        inside[last] = value
    with pytest.raises(jsonschema.ValidationError):
        validator().validate(verdict)
