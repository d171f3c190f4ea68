"""``mafia-asp schema``: the JSON Schemas of what goes in and what comes out."""

from __future__ import annotations

from pathlib import Path

import click

from ..i18n import gettext as _
from .common import output_option, write

FOLDER = Path(__file__).parent.parent / "schemas"


def names() -> list[str]:
    """Give the names of the schemas that ship with the package."""
    return sorted(path.name.removesuffix(".json").removesuffix(".schema") for path in FOLDER.glob("*.json"))


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in names() if name.startswith(incomplete)]


@click.command(
    "schema",
    epilog="""\b
Examples:
  mafia-asp schema
  mafia-asp schema scenario -o scenario.schema.json
  mafia-asp schema verdict""",
)
@click.argument("name", required=False, shell_complete=_complete)
@output_option
def command(name: str | None, output: str | None) -> int:
    """Print a JSON Schema: scenario, rulings, verdict, findings or batch, for an editor or a checker.

    Without a NAME, the names are listed.
    """
    known = names()
    if name is None:
        write("".join(f"{one}\n" for one in known), output)
        return 0
    if name not in known:
        text = _("There is no schema {name}; there are: {known}.")
        raise click.UsageError(text.format(name=name, known=", ".join(known)))
    path = next(p for p in (FOLDER / f"{name}.json", FOLDER / f"{name}.schema.json") if p.exists())
    write(path.read_text(encoding="utf-8"), output)
    return 0
