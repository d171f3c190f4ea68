"""Workflow commands, which GitHub shows as annotations; test results as such."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..suite import Result


def results_github(results: Sequence[Result]) -> str:
    """Give test results as workflow commands: one for each scenario that did not pass."""
    from .paths import shown_path
    from .results import UNSETTLED, outcome_word

    lines = []
    for result in results:
        if result.outcome in UNSETTLED:
            properties = {
                "file": shown_path(result.file),
                "line": str(result.line),
                "title": f"{outcome_word(result.outcome)}: {result.id}",
            }
            lines.append(workflow_command(UNSETTLED[result.outcome], properties, "\n".join(result.messages)))
    return "".join(f"{line}\n" for line in lines)


def workflow_command(command: str, properties: Mapping[str, str], text: str) -> str:
    """Give a workflow command: ``error``, ``warning`` or ``notice``, with its place and its text."""
    inside = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{command} {inside}::{_data(text)}"


def _data(text: str) -> str:
    """Escape what would end the command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Escape what would end a property, too."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
