"""SARIF 2.1.0, the exchange format of static analysis; test results in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import __version__
from ..i18n import gettext as _
from .json import dumps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..suite import Result

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
SCENARIO = "mafiaAspScenario/v1"


def results_sarif(results: Sequence[Result]) -> str:
    """Give test results as a SARIF log: one result for each scenario that did not pass."""
    from .paths import shown_path
    from .results import UNSETTLED

    rules = [
        _rule("failed-scenario", _("A scenario does not come out as it expects.")),
        _rule("broken-scenario", _("A scenario cannot be read.")),
        _rule("unfinished-scenario", _("A limit was hit before a scenario was decided.")),
    ]
    outcomes = list(UNSETTLED)
    found: list[dict[str, Any]] = []
    for result in results:
        if result.outcome in UNSETTLED:
            rule = outcomes.index(result.outcome)
            file = shown_path(result.file)
            found.append(
                {
                    "ruleId": rules[rule]["id"],
                    "ruleIndex": rule,
                    "level": UNSETTLED[result.outcome],
                    "message": {"text": "\n".join([f"{result.id}:", *result.messages])},
                    "locations": [{"physicalLocation": location(file, result.line)}],
                    "partialFingerprints": {SCENARIO: f"{file}#{result.id}"},
                }
            )
    return sarif_log(rules, found, {"executionSuccessful": all(r.outcome != "limit" for r in results)})


def _rule(identifier: str, text: str) -> dict[str, Any]:
    return {"id": identifier, "shortDescription": {"text": text}}


def sarif_log(
    rules: Sequence[dict[str, Any]], results: Sequence[dict[str, Any]], invocation: dict[str, Any]
) -> str:
    """Give a log of one run."""
    run = {
        "tool": {
            "driver": {
                "name": "mafia-asp",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": rules,
            }
        },
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def location(file: str, line: int, column: int = 1) -> dict[str, Any]:
    """Give a place in a file."""
    return {
        "artifactLocation": {"uri": _uri(file)},
        "region": {"startLine": line, "startColumn": column},
    }


def _uri(path: str) -> str:
    """Give a path as a URI: relative as it is, else with its scheme."""
    from pathlib import Path
    from urllib.parse import quote

    return Path(path).as_uri() if Path(path).is_absolute() else quote(path)
