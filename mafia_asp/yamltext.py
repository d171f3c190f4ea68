"""Text of YAML files that are changed in place: values on one line, and where values stand."""

from __future__ import annotations

import json
from typing import Any


def flow(value: Any) -> str:
    """Write a value in flow style on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(k)}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow(v) for v in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    return str(value) if isinstance(value, int) else scalar(value)


def scalar(value: Any) -> str:
    """Write a word, in quotes where it would be read as something else."""
    text = str(value)
    plain = all(c.isalnum() or c in "._-" for c in text) and text[:1].isalpha()
    if plain and text.lower() not in ("true", "false", "null"):
        return text
    # A quoted word of JSON is one of YAML, but for what YAML takes for the end of a line.
    quoted = json.dumps(text, ensure_ascii=False)
    return quoted.translate({0x7F: "\\x7f", 0x85: "\\x85", 0x2028: "\\u2028", 0x2029: "\\u2029"})


def entries_text(data: dict[str, Any]) -> str:
    """Write the entries of a map: one a line, and below it each of a map or a list of maps on its own."""
    lines: list[str] = []
    for key, value in data.items():
        if isinstance(value, dict) and value:
            lines += [f"{scalar(key)}:", *(f"  {scalar(name)}: {flow(each)}" for name, each in value.items())]
        elif isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            lines += [f"{scalar(key)}:", *(f"- {flow(each)[1:-1]}" for each in value)]
        else:
            lines.append(f"{scalar(key)}: {flow(value)}")
    return "\n".join(lines) + "\n"


def end_mark(node: Any) -> Any:
    """Give where a value ends; the mark of a block stands only where the next thing begins."""
    import yaml

    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        return end_mark(node.value[-1][1])
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        return end_mark(node.value[-1])
    return node.end_mark


def offset(text: str, mark: Any) -> int:
    """Give the offset of a mark; libyaml counts bytes in its index but letters in its columns."""
    lines = text.splitlines(keepends=True)
    return sum(len(line) for line in lines[: mark.line]) + int(mark.column)
