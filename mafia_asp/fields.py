"""Taking typed values out of a map that somebody wrote, noting what is wrong instead of stopping."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import Fault
from .names import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .model import Place
    from .places import Node

#: The largest number that a file may give; the solver's own limit is far beyond it.
LARGEST = 1_000_000


def shape(node: Node) -> str:
    """What a value is, as a word that messages translate."""
    return "number" if node.kind == "float" else node.kind


class Fields:
    """The entries of a map. Every fault goes to the list that it was given.

    ``keys`` are the keys that may stand there; None allows any. A value that is no map counts
    as an empty one, after a fault.
    """

    def __init__(
        self, node: Node | None, faults: list[Fault], keys: Iterable[str] | None, name: str = ""
    ) -> None:
        self.node = node
        self.faults = faults
        self.entries: dict[str, Node] = {}
        if node is None or (node.kind == "null" and name):
            return
        if node.kind != "map":
            self._wrong(node, name, "map")
            return
        self.entries = node.value
        if keys is not None:
            known = list(keys)
            for key in self.entries:
                if key not in known:
                    args = {"key": key, "near": suggest(key, known), "choices": known}
                    faults.append(Fault(node.keys[key].place, "key.unknown", args))

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def items(self) -> Iterator[tuple[str, Node]]:
        """Keys and values, in the order of the file."""
        return iter(self.entries.items())

    def place(self, key: str | None = None) -> Place | None:
        """Where the key's value stands; without one, where the map does."""
        node = self.entries.get(key, self.node) if key else self.node
        return node.place if node else None

    def get(self, key: str) -> Node | None:
        """The value's node, if there is a value."""
        node = self.entries.get(key)
        return None if node is None or node.kind == "null" else node

    def word(self, key: str, default: str = "") -> str:
        """A word or sentence; a number or truth value is taken as it is written."""
        node = self.get(key)
        if node is None:
            return default
        if node.kind in ("list", "map"):
            self._wrong(node, key, "word")
            return default
        return str(node.text)

    def number(self, key: str, least: int = 0) -> int | None:
        """A whole number from ``least`` to LARGEST."""
        node = self.get(key)
        return None if node is None else number(node, key, self.faults, least)

    def truth(self, key: str, default: bool) -> bool:
        """True or false."""
        node = self.get(key)
        return default if node is None else truth(node, key, self.faults, default)

    def list(self, key: str) -> list[Node]:
        """The nodes of a list."""
        return items(self.get(key), key, self.faults)

    def map(self, key: str, keys: Iterable[str] | None) -> Fields:
        """The entries of a map inside this one."""
        return Fields(self.entries.get(key), self.faults, keys, key)

    def _wrong(self, node: Node, key: str, wanted: str) -> None:
        self.faults.append(wrong(node, key, wanted))


def wrong(node: Node, key: str, wanted: str) -> Fault:
    """The fault of a value of another kind than its key wants."""
    args: dict[str, Any] = {"key": key, "wanted": wanted, "found": shape(node)}
    if node.text:
        args["text"] = node.text
    return Fault(node.place, "value.kind" if key else "file.kind", args)


def number(node: Node, key: str, faults: list[Fault], least: int = 0) -> int | None:
    """A whole number from ``least`` to LARGEST; None after a fault."""
    if node.kind == "int" and least <= node.value <= LARGEST:
        return int(node.value)
    if node.kind == "int" or (node.kind == "float" and node.text.lstrip("-+").isdigit()):
        faults.append(
            Fault(node.place, "value.range", {"key": key, "text": node.text, "least": least, "most": LARGEST})
        )
    else:
        faults.append(wrong(node, key, "int"))
    return None


def truth(node: Node, key: str, faults: list[Fault], default: bool = False) -> bool:
    """True or false; the default after a fault."""
    if node.kind == "bool":
        return bool(node.value)
    faults.append(wrong(node, key, "bool"))
    return default


def items(node: Node | None, key: str, faults: list[Fault]) -> list[Node]:
    """The nodes of a list; none after a fault."""
    if node is None:
        return []
    if node.kind != "list":
        faults.append(wrong(node, key, "list"))
        return []
    return list(node.value)
