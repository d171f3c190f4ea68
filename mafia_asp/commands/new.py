"""``mafia-asp new``: commented files to start from."""

from __future__ import annotations

from pathlib import Path

import click

from ..i18n import gettext as _
from .common import write

FOLDER = Path(__file__).parent.parent / "templates"
KINDS = ("scenario", "rulings", "rulebook")


@click.command(
    "new",
    epilog="""\b
Examples:
  mafia-asp new scenario -o tonight.yaml
  mafia-asp new rulings -o rulings.yaml
  mafia-asp new rulebook -o my_rules""",
)
@click.argument("kind", type=click.Choice(KINDS))
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(), help="Write to a file; a rulebook, to a folder."
)
def command(kind: str, output: str | None) -> int:
    """Print a commented file to start from. With -o it is written; nothing is ever overwritten.

    A rulebook is a folder: without -o its files are printed one after the other.
    """
    files = template(kind)
    if output is None or output == "-":
        for position, (name, text) in enumerate(files.items()):
            head = ("\n" if position else "") + f"# ---- {name}\n"
            write(head + text if len(files) > 1 else text, None)
        return 0
    target = Path(output)
    try:
        if len(files) == 1:
            _write_new(target, next(iter(files.values())))
        else:
            target.mkdir(parents=True)
            for name, text in files.items():
                _write_new(target / name, text)
    except FileExistsError as error:
        raise click.UsageError(_("{file} exists, and is left as it is.").format(file=output)) from error
    except OSError as error:
        raise click.FileError(output, hint=error.strerror or str(error)) from error
    return 0


def template(kind: str) -> dict[str, str]:
    """Give the files of a template by name."""
    folder = FOLDER / kind
    if folder.is_dir():
        paths = sorted(p for p in folder.iterdir() if p.is_file() and not p.name.startswith("."))
    else:
        paths = sorted(FOLDER.glob(f"{kind}.*"))
    return {path.name: path.read_text(encoding="utf-8") for path in paths}


def _write_new(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
