"""``mafia-asp day``: decide days and ends of games, as ``mafia-asp night`` decides nights."""

from __future__ import annotations

from typing import Any

import click

from .night import decide_and_show, deciding


@click.command(
    "day",
    epilog="""\b
Examples:
  mafia-asp day today.yaml
  mafia-asp day today.yaml --why 'Sara dies'
  mafia-asp day today.yaml --announce --lang fa
  mafia-asp day today.yaml --assume ca.q.general.6=direct_majority
  mafia-asp day -p 'Ali=don, Sara=terrorist, Reza=citizen' -a 'town vote_out Sara; Sara explode Reza'""",
)
@deciding("day", "Which day it is.")
def command(**given: Any) -> int:
    """Decide a day or the end of a game: who leaves, what is announced, who has won, each with its rule.

    FILE is a scenario in YAML or JSON; - reads the standard input. What is told happens in the order
    told. Where the rulebook leaves something open, every reading is shown with the question that divides
    them.
    """
    return decide_and_show("day", **given)
