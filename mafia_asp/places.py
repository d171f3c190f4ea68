"""Reading YAML 1.2, JSON and JSON Lines, with the place of every key and every value.

Only plain data is read: no tags, no anchors and aliases, no duplicate keys, nothing nested
deeper than :data:`DEPTH`, and nothing larger than :data:`SIZE`. As in YAML 1.2, ``yes``, ``no``
and ``on`` are words; numbers may stand in Persian or Arabic digits too. A
document is read as far as it can be; what is wrong with it is listed in
``Document.faults``, and only what makes further reading senseless is raised.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Literal

from .errors import Fault, InputError, fail
from .files import is_special
from .model import Place
from .names import latin_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Bytes that a file, or a line of JSON Lines, may have.
SIZE = 1_000_000
#: Bytes that a whole file of JSON Lines may have.
SIZE_OF_LINES = 256_000_000
#: How deep lists and maps may be nested.
DEPTH = 64
#: The name under which standard input is reported.
STDIN = "<stdin>"

Kind = Literal["null", "bool", "int", "float", "word", "list", "map"]

#: Patterns are compiled when they are first needed, which most files do not.
_INT = r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"
_FLOAT = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
_WORDS: dict[str, tuple[Kind, Any]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), ("null", None)),
    **dict.fromkeys(("true", "True", "TRUE"), ("bool", True)),
    **dict.fromkeys(("false", "False", "FALSE"), ("bool", False)),
    **dict.fromkeys(
        (".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "-.inf"), ("float", float("nan"))
    ),
}
_NOT_TEXT = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"
#: Longer numbers are told apart from words, but not converted.
_DIGITS = 18


class Node:
    """A value and where it stands. ``text`` is a scalar as it was written.

    A ``list`` has Nodes as its value; a ``map`` a dict of key to Node, with the keys' own Nodes
    in ``keys``.
    """

    __slots__ = ("column", "file", "keys", "kind", "line", "text", "value")

    def __init__(self, file: str, line: int, column: int, kind: Kind, value: Any, text: str = "") -> None:
        self.file = file
        self.line = line
        self.column = column
        self.kind = kind
        self.value = value
        self.text = text
        self.keys: dict[str, Node] = {}

    @property
    def place(self) -> Place:
        """File, line and column, counted from 1."""
        return Place(self.file, self.line, self.column)

    def data(self) -> Any:
        """The value as plain data, without places."""
        if self.kind == "map":
            return {key: node.data() for key, node in self.value.items()}
        if self.kind == "list":
            return [node.data() for node in self.value]
        return self.value


class Document:
    """One document: its root, and what is wrong with its form."""

    __slots__ = ("faults", "root")

    def __init__(self, root: Node, faults: list[Fault]) -> None:
        self.root = root
        self.faults = faults


# ---- files -----------------------------------------------------------------------------------


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file, or standard input for ``-``. Raises InputError where it cannot be read."""
    name = shown_name(path)
    try:
        if os.fspath(path) == "-":
            if sys.stdin is None:  # closed before the start
                raise OSError(errno.EBADF, os.strerror(errno.EBADF))
            yield sys.stdin.buffer
        elif is_special(path):
            raise fail(None, "file.special", file=name)
        else:
            with open(path, "rb") as stream:
                yield stream
    except FileNotFoundError:
        raise fail(None, "file.missing", file=name) from None
    except IsADirectoryError:
        raise fail(None, "file.folder", file=name) from None
    except (OSError, ValueError) as error:
        raise fail(
            None, "file.unreadable", file=name, why=getattr(error, "strerror", None) or str(error)
        ) from None


def read_text(path: str | os.PathLike[str], limit: int = SIZE) -> str:
    """The text of a file, or of standard input for ``-``; a byte order mark is dropped.

    Raises InputError where the file cannot be read, is too large, empty, or not UTF-8 text.
    """
    name = shown_name(path)
    start = Place(name, 1, 1)
    with opened(path) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise fail(start, "file.large", limit=limit)
    return decode(data, name)


def decode(data: bytes, file: str) -> str:
    """UTF-8 bytes as text. Raises InputError with the place of the first byte that is no text."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise fail(Place(file, 1, 1), "file.utf16")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # With a byte order mark, positions count from behind it.
        before = data.removeprefix(b"\xef\xbb\xbf")[: error.start].decode("utf-8", "replace")
        code = "file.binary" if b"\x00" in data else "file.utf8"
        raise fail(_place_after(file, before), code, byte=f"0x{error.object[error.start]:02x}") from None
    if bad := _not_text(text):
        place = _place_after(file, text[: bad.start()])
        if text.count("\x00") * 4 > len(text):
            raise fail(Place(file, 1, 1), "file.utf16")
        if bad.group() == "\x00":
            raise fail(place, "file.nul")
        raise fail(place, "file.control", character=f"U+{ord(bad.group()):04X}")
    if not text.strip():
        raise fail(Place(file, 1, 1), "file.empty")
    return text


def _not_text(text: str) -> re.Match[str] | None:
    """Find the first character that no text has."""
    # What is printable is text, and so are breaks of lines, tabs and half-spaces: soon said of most files.
    plain = text.replace("\n", "").replace("\r", "").replace("\t", "").replace("\u200c", "")
    return None if plain.isprintable() else re.search(_NOT_TEXT, text)


def shown_name(path: str | os.PathLike[str]) -> str:
    """The name by which a file is reported."""
    return STDIN if os.fspath(path) == "-" else os.fspath(path)


def read(path: str | os.PathLike[str]) -> list[Document | InputError]:
    """The documents of a file: one, or one a line for JSON Lines (``.jsonl``).

    The ending chooses the form; standard input and other endings are JSON where they look like
    it and YAML otherwise. A line of JSON Lines that cannot be read stands in the list as its
    error. Raises InputError where nothing can be read.
    """
    name = shown_name(path)
    return documents(read_text(path, SIZE_OF_LINES if _by_lines(name) else SIZE), name)


def _by_lines(name: str) -> bool:
    return os.path.splitext(name)[1].lower() in (".jsonl", ".ndjson")


def documents(text: str, name: str) -> list[Document | InputError]:
    """The documents in the text of a file of this name (see :func:`read`). Raises InputError."""
    ending = os.path.splitext(name)[1].lower()
    if _by_lines(name):
        return list(json_lines(text, name))
    if ending == ".json" or (
        ending not in (".yaml", ".yml") and re.match(r'\s*(?:\{\s*["}]|\[\s*[\[{"\]])', text)
    ):
        try:
            return [parse_json(text, name)]
        except InputError as error:
            if error.faults[0].code == "json.more" and ending != ".json":
                return list(json_lines(text, name))
            raise
    return [parse_yaml(text, name)]


def _place_after(file: str, before: str) -> Place:
    return Place(file, before.count("\n") + 1, len(before) - before.rfind("\n"))


# ---- YAML ------------------------------------------------------------------------------------


def parse_yaml(text: str, file: str) -> Document:
    """The one YAML document of a text. Raises InputError where it is no YAML."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    try:
        return _Builder(loader, file).document()
    except yaml.MarkedYAMLError as error:
        raise InputError([_yaml_fault(error, file, text)]) from None
    except yaml.YAMLError as error:
        raise fail(Place(file, 1, 1), "yaml.syntax", problem=str(error)) from None
    finally:
        loader.dispose()


class _Builder:
    """Turns the events of a YAML parser into a tree, without recursion."""

    def __init__(self, loader: Any, file: str) -> None:
        self.loader = loader
        self.file = file
        self.faults: list[Fault] = []

    def document(self) -> Document:
        import yaml

        loader, file = self.loader, self.file
        stack: list[Node] = []
        #: the key that waits for its value, for each open map
        waiting: list[Node | None] = []
        root: Node | None = None
        documents = 0
        while True:
            event = loader.get_event()
            kind = type(event)
            if kind is yaml.StreamEndEvent:
                break
            if kind is yaml.DocumentStartEvent:
                documents += 1
                if documents > 1:
                    raise fail(self._place(event), "yaml.documents")
                continue
            if kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                stack.pop()
                waiting.pop()
                continue
            if kind is yaml.StreamStartEvent or kind is yaml.DocumentEndEvent:
                continue
            node = self._node(event)
            if root is None:
                root = node
            else:
                self._put(stack[-1], waiting, node)
            if kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
                if len(stack) == DEPTH:
                    raise fail(node.place, "data.deep", limit=DEPTH)
                stack.append(node)
                waiting.append(None)
        if root is None or (root.kind == "null" and not root.text):
            raise fail(Place(file, 1, 1), "file.empty")
        return Document(root, self.faults)

    def _place(self, event: Any) -> Place:
        mark = event.start_mark
        return Place(self.file, mark.line + 1, mark.column + 1)

    def _node(self, event: Any) -> Node:
        import yaml

        mark = event.start_mark
        line, column = mark.line + 1, mark.column + 1
        kind = type(event)
        if kind is yaml.AliasEvent:
            self.faults.append(Fault(Place(self.file, line, column), "yaml.alias", {"name": event.anchor}))
            return Node(self.file, line, column, "null", None, "*")
        if event.anchor is not None:
            self.faults.append(Fault(Place(self.file, line, column), "yaml.anchor", {"name": event.anchor}))
        if event.tag is not None:
            self.faults.append(Fault(Place(self.file, line, column), "yaml.tag", {"name": event.tag}))
        if kind is yaml.ScalarEvent:
            text = event.value
            plain = event.style in (None, "", ":") and event.implicit[0]
            shape, value = resolve(text) if plain else ("word", text)
            return Node(self.file, line, column, shape, value, text)
        if kind is yaml.MappingStartEvent:
            return Node(self.file, line, column, "map", {})
        return Node(self.file, line, column, "list", [])

    def _put(self, parent: Node, waiting: list[Node | None], node: Node) -> None:
        if parent.kind == "list":
            parent.value.append(node)
            return
        key = waiting[-1]
        if key is None:
            if node.kind in ("list", "map"):
                self.faults.append(Fault(node.place, "yaml.key", {}))
                node.text = f"?{node.line}:{node.column}"
            waiting[-1] = node
            return
        waiting[-1] = None
        _enter(parent, key, node, self.faults)


def resolve(text: str) -> tuple[Kind, Any]:
    """What a plain word means in YAML's core schema: its kind and value."""
    if text in _WORDS:
        return _WORDS[text]
    written = text
    if not text.isascii() and not text[0].isalpha():
        text = latin_digits(text)
    if text[0] in "-+.0123456789":
        if (text.isdigit() and text.isascii()) or re.fullmatch(_INT, text):
            if len(text) > _DIGITS:
                return "float", float("inf")
            base = {"0o": 8, "0x": 16}.get(text[:2], 10)
            return "int", int(text, base)
        if re.fullmatch(_FLOAT, text):
            return "float", float(text)
    return "word", written


def _enter(parent: Node, key: Node, node: Node, faults: list[Fault]) -> None:
    name = key.text
    if name in parent.value:
        faults.append(Fault(key.place, "data.twice", {"key": name, "first": parent.keys[name].line}))
        return
    parent.value[name] = node
    parent.keys[name] = key


def _yaml_fault(error: Any, file: str, text: str) -> Fault:
    mark = error.problem_mark or error.context_mark
    problem = str(error.problem or error.context or "")
    line, column = (mark.line, mark.column) if mark else (0, 0)
    lines = text.split("\n")
    place = Place(file, line + 1, column + 1)
    if 0 <= line < len(lines) and re.match(r"\s*\t", lines[line].rstrip("\r")):
        return Fault(Place(file, line + 1, lines[line].index("\t") + 1), "yaml.tab", {})
    if "nesting" in problem:
        return Fault(place, "data.deep", {"limit": DEPTH})
    if "mapping values are not allowed" in problem:
        return Fault(place, "yaml.colon", {})
    if "simple key" in problem or "expected ':'" in problem:
        return Fault(place, "yaml.no_colon", {})
    if "cannot start any token" in problem:
        return Fault(
            place, "yaml.start", {"character": lines[line][column : column + 1] if line < len(lines) else ""}
        )
    if "end of stream" in problem and "quoted" in str(error.context):
        start = error.context_mark or mark
        return Fault(Place(file, start.line + 1, start.column + 1), "yaml.quote", {})
    if (
        "expected <block end>" in problem
        or "did not find expected key" in problem
        or "expected '-'" in problem
    ):
        return Fault(place, "yaml.indent", {})
    if "did not find expected ',' or" in problem:
        return Fault(place, "yaml.bracket", {"bracket": "}" if "}" in problem else "]"})
    return Fault(place, "yaml.syntax", {"problem": problem})


# ---- JSON ------------------------------------------------------------------------------------

_BLANK = r"[ \t\n\r]*"
_ATOM = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null"


def json_lines(text: str, file: str) -> Iterator[Document | InputError]:
    """The documents of a text with one JSON value a line; blank lines are passed over."""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            if len(line) > SIZE:
                raise fail(Place(file, number, 1), "file.large", limit=SIZE)
            yield parse_json(line, file, number)
        except InputError as error:
            yield error


def parse_json(text: str, file: str, line: int = 1) -> Document:
    """The JSON value of a text that begins on the given line. Raises InputError if it is none."""
    return _Json(text, file, line).document()


class _Json:
    """A strict JSON parser that keeps places."""

    def __init__(self, text: str, file: str, line: int) -> None:
        self.text = text
        self.file = file
        self.line = line
        self.faults: list[Fault] = []
        self._blanks = re.compile(_BLANK)
        self._atoms = re.compile(_ATOM)
        self.breaks = [m.end() for m in re.finditer("\n", text)]

    def document(self) -> Document:
        root, at = self._value(self._blank(0), 0)
        at = self._blank(at)
        if at < len(self.text):
            raise fail(self._place(at), "json.more")
        return Document(root, self.faults)

    def _where(self, at: int) -> tuple[int, int]:
        from bisect import bisect_right

        row = bisect_right(self.breaks, at)
        return self.line + row, at - (self.breaks[row - 1] if row else 0) + 1

    def _place(self, at: int) -> Place:
        return Place(self.file, *self._where(at))

    def _blank(self, at: int) -> int:
        return self._blanks.match(self.text, at).end()  # type: ignore[union-attr]

    def _node(self, at: int, kind: Kind, value: Any, text: str = "") -> Node:
        line, column = self._where(at)
        return Node(self.file, line, column, kind, value, text)

    def _value(self, at: int, depth: int) -> tuple[Node, int]:
        first = self.text[at : at + 1]
        if first == '"':
            return self._string(at)
        if first in ("{", "["):
            if depth == DEPTH:
                raise fail(self._place(at), "data.deep", limit=DEPTH)
            return self._map(at, depth + 1) if first == "{" else self._list(at, depth + 1)
        if match := self._atoms.match(self.text, at):
            kind, value = resolve(match.group())
            return self._node(at, kind, value, match.group()), match.end()
        raise fail(self._place(at), "json.end" if not first else "json.value", found=first)

    def _string(self, at: int) -> tuple[Node, int]:
        from json.decoder import JSONDecodeError, scanstring  # type: ignore[attr-defined]

        try:
            value, end = scanstring(self.text, at + 1, True)
        except JSONDecodeError as error:
            raise fail(self._place(error.pos), "json.string", problem=error.msg) from None
        if bad := _not_text(value):
            raise fail(self._place(at), "file.control", character=f"U+{ord(bad.group()):04X}")
        return self._node(at, "word", value, value), end

    def _list(self, at: int, depth: int) -> tuple[Node, int]:
        node = self._node(at, "list", [])
        at = self._blank(at + 1)
        if self.text[at : at + 1] == "]":
            return node, at + 1
        while True:
            item, at = self._value(at, depth)
            node.value.append(item)
            at, ended = self._next(at, "]")
            if ended:
                return node, at

    def _map(self, at: int, depth: int) -> tuple[Node, int]:
        node = self._node(at, "map", {})
        at = self._blank(at + 1)
        if self.text[at : at + 1] == "}":
            return node, at + 1
        while True:
            if self.text[at : at + 1] != '"':
                raise fail(self._place(at), "json.key", found=self.text[at : at + 1])
            key, at = self._string(at)
            at = self._blank(at)
            if self.text[at : at + 1] != ":":
                raise fail(self._place(at), "json.colon", found=self.text[at : at + 1])
            item, at = self._value(self._blank(at + 1), depth)
            _enter(node, key, item, self.faults)
            at, ended = self._next(at, "}")
            if ended:
                return node, at

    def _next(self, at: int, close: str) -> tuple[int, bool]:
        at = self._blank(at)
        found = self.text[at : at + 1]
        if found == close:
            return at + 1, True
        if found != ",":
            raise fail(self._place(at), "json.comma", found=found, bracket=close)
        return self._blank(at + 1), False
