"""Adding a ruling to a table's ``rulings.yaml`` without disturbing what else stands there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .files import write_atomically
from .render.answer import ruling_line

if TYPE_CHECKING:
    from typing import Any


class UnsafeEditError(ValueError):
    """The file is written in a way that a new line cannot be added to with certainty."""


def add_ruling(path: str | Path, rulebook: str, question: str, answer: str) -> None:
    """Add a ruling to the file, which is made where there is none.

    Comments, order and layout stay. The new file is read again before it replaces the old one.
    Raises UnsafeEditError where that is not what was meant, and OSError.
    """
    file = Path(path)
    if not file.exists():
        head = f"# What this table has decided.\nrulebook: {rulebook}\nrulings:\n"
        write_atomically(file, f"{head}  {ruling_line(question, answer)}\n")
        return
    before = file.read_text(encoding="utf-8")
    after = with_ruling(before, question, answer)
    write_atomically(file, after)


def with_ruling(text: str, question: str, answer: str) -> str:
    """Give the text of a rulings file with one more ruling at the end of its ``rulings``."""
    line = ruling_line(question, answer)
    after = _insert(text, line)
    old, new = _load(text) or {}, _load(after)
    expected = {**old, "rulings": {**(old.get("rulings") or {}), **_load(line)}}
    if new != expected or question in (old.get("rulings") or {}):
        raise UnsafeEditError(line)
    return after


def _load(text: str) -> Any:
    import yaml

    try:
        return yaml.load(text, yaml.CBaseLoader)  # noqa: S506 - words only, nothing is constructed
    except yaml.YAMLError as error:
        raise UnsafeEditError(str(error)) from error


def _insert(text: str, line: str) -> str:
    import yaml

    try:
        root = yaml.compose(text, yaml.CSafeLoader)
    except yaml.YAMLError as error:
        raise UnsafeEditError(str(error)) from error
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    if root is None:
        return "".join(lines) + f"rulings:\n  {line}\n"
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        raise UnsafeEditError(line)
    rulings = next(((k, v) for k, v in root.value if k.value == "rulings"), None)
    if rulings is None:
        return "".join(lines) + f"rulings:\n  {line}\n"
    key, value = rulings
    if isinstance(value, yaml.MappingNode) and value.flow_style:
        # The end mark of a flow mapping stands behind its closing brace.
        row, column = value.end_mark.line, value.end_mark.column - 1
        comma = ", " if value.value else ""
        head = lines[row][:column].rstrip()
        lines[row] = f"{head}{comma}{line}{lines[row][column:]}"
    elif isinstance(value, yaml.MappingNode):
        last = value.value[-1][1]
        indent = " " * value.value[0][0].start_mark.column
        lines.insert(last.end_mark.line + 1, f"{indent}{line}\n")
    elif value.value == "":
        lines.insert(key.end_mark.line + 1, f"  {line}\n")
    else:
        raise UnsafeEditError(line)
    return "".join(lines)
