"""The text of a program, taken apart into statements and the predicates in them.

No parser: one lexical pass over text that the solver is known to accept. A name is a predicate where it
stands outside all parentheses and is no side of a comparison; what stands inside parentheses are terms,
which may bear the same names (``claim(R,mode(D,M))``).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_TOKEN = re.compile(
    r"""(?P<block>%\*) | (?P<comment>%[^\n]*) | "(?:[^"\\]|\\.)*"
      | (?P<arrow>:-|:~) | (?P<dots>\.\.) | (?P<end>\.)
      | (?P<compare><=|>=|!=|[=<>+\-*/\\^]) | (?P<open>\() | (?P<close>\)) | (?P<sign>\#\w*)
      | (?P<name>_*[a-z][\w']*) | (?P<term>_*[A-Z][\w']*|\d+|_) | (?P<comma>[,;:|{}])""",
    re.VERBOSE,
)
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_BLOCK = re.compile(r"%\*|\*%")
#: words that stand where predicates do
_KEYWORDS = frozenset({"not"})


class Use(NamedTuple):
    """A predicate in a statement: its name, and where the name and its whole atom stand in the text."""

    name: str
    start: int
    end: int
    #: behind the closing parenthesis of its arguments
    after: int
    head: bool


class Statement(NamedTuple):
    """One statement: its text without the full stop, and the predicates in it."""

    text: str
    uses: tuple[Use, ...]

    @property
    def heads(self) -> list[str]:
        """The predicates that the statement defines."""
        return [use.name for use in self.uses if use.head]

    def arguments(self, use: Use) -> list[str]:
        """Return the texts of an atom's arguments."""
        inside = self.text[use.end : use.after].strip()
        return _split(inside[1:-1]) if inside else []


def _split(text: str) -> list[str]:
    """Return the parts of a text between commas that stand in no parentheses."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
    parts.append(text[start:].strip())
    return parts


@lru_cache(maxsize=512)
def statements(text: str) -> tuple[Statement, ...]:
    """Return the statements of a program's text; directives but ``#defined`` are left out."""
    return tuple(_statements(text))


def _statements(text: str) -> Iterator[Statement]:
    at = start = 0
    depth = 0
    body = False
    before = ""  # the kind of the token before
    begun = False
    uses: list[list[int | str | bool]] = []
    pending: list[int | str | bool] | None = None  # an atom whose end is not known yet
    dropped: list[tuple[int, int]] = []
    while match := _TOKEN.search(text, at):
        at = match.end()
        kind = match.lastgroup
        if kind in ("comment", "block"):
            end = _block_end(text, at) if kind == "block" else at
            if begun:
                dropped.append((match.start(), end))
            else:
                start = end
            at = end
            continue
        if not begun:
            begun, start = True, match.start()
        if kind is None:
            before = "string"
        elif kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
            if not depth:
                if pending is not None:
                    pending[3] = at
                    pending = None
                before = "term"
        elif depth:
            continue
        elif kind == "arrow":
            body, before = True, ""
        elif kind == "compare":
            # A name that a comparison follows was a constant or a term.
            if (
                before in ("atom", "term")
                and uses
                and uses[-1][3] == _last_end(text, match.start(), uses[-1])
            ):
                uses.pop()
            before = "compare"
        elif kind == "name" and match[0] not in _KEYWORDS:
            if before == "compare":
                before = "constant"
            else:
                use: list[int | str | bool] = [match[0], match.start(), at, at, not body]
                uses.append(use)
                pending = use if text[at : at + 1] == "(" else None
                before = "atom"
        elif kind == "end":
            yield from _finished(text, start, match.start(), uses, dropped)
            uses, dropped, body, begun, before, pending = [], [], False, False, "", None
        else:
            before = "term" if kind == "term" else ""


def _last_end(text: str, at: int, use: list[int | str | bool]) -> int:
    """Return where a use ends if nothing but blanks stand between it and `at`, else -1."""
    end = use[3]
    assert isinstance(end, int)
    return end if not text[end:at].strip() else -1


def _finished(
    text: str,
    start: int,
    end: int,
    uses: list[list[int | str | bool]],
    dropped: list[tuple[int, int]],
) -> Iterator[Statement]:
    body = text[start:end]
    if body.startswith("#") and not body.startswith("#defined"):
        return
    if body.startswith("#defined"):
        uses = []
    for begin, stop in dropped:
        body = body[: begin - start] + " " * (stop - begin) + body[stop - start :]
    moved = []
    for name, a, b, c, head in uses:
        assert isinstance(name, str)
        assert isinstance(a, int)
        assert isinstance(b, int)
        assert isinstance(c, int)
        moved.append((name, a - start, b - start, c - start, bool(head)))
    yield Statement(body, tuple(_heads(body, moved)))


def _heads(body: str, found: Iterable[tuple[str, int, int, int, bool]]) -> Iterator[Use]:
    """Yield the uses; in a choice, what stands behind a colon is a condition and no head."""
    for name, a, b, c, head in found:
        condition = head and _behind_colon(body, a)
        yield Use(name, a, b, c, head and not condition)


def _behind_colon(body: str, at: int) -> bool:
    colon = body.rfind(":", 0, at)
    return colon >= 0 and colon > max(body.rfind(";", 0, at), body.rfind("{", 0, at))


def _block_end(text: str, at: int) -> int:
    depth = 1
    for sign in _BLOCK.finditer(text, at):
        depth += 1 if sign[0] == "%*" else -1
        if not depth:
            return sign.end()
    return len(text)


def depending(program: Iterable[Statement], roots: Iterable[str]) -> frozenset[str]:
    """Return the predicates that depend on any of `roots`, through whatever chain, with the roots."""
    users: dict[str, set[str]] = {}
    for statement in program:
        heads = set(statement.heads)
        for use in statement.uses:
            if not use.head:
                users.setdefault(use.name, set()).update(heads)
    found = set(roots)
    stack = list(found)
    while stack:
        for head in users.get(stack.pop(), ()):
            if head not in found:
                found.add(head)
                stack.append(head)
    return frozenset(found)


def under(statement: Statement, condition: str) -> Statement:
    """Return a statement that holds only where an atom does; directives stay as they are."""
    if statement.text.startswith("#"):
        return statement
    joint = "; " if ":-" in _TEXT.sub("", statement.text) else " :- "
    text = f"{statement.text}{joint}{condition}"
    start = len(statement.text) + len(joint)
    use = Use(condition, start, len(text), len(text), head=False)
    return Statement(text, (*statement.uses, use))


#: what the predicates of a second copy end in
SECOND = "__2"


def second_copy(program: Iterable[Statement], roots: Iterable[str]) -> list[str]:
    """Return once more the statements that depend on any of `roots`, as a copy beside the first."""
    statements = list(program)
    names = depending(statements, roots)
    return [renamed(each, names, SECOND) for each in statements if names.intersection(each.heads)]


def renamed(statement: Statement, names: frozenset[str], suffix: str) -> str:
    """Return a statement with `suffix` added to the predicates in `names`."""
    parts = []
    at = 0
    for use in statement.uses:
        if use.name in names:
            parts += [statement.text[at : use.end], suffix]
            at = use.end
    parts.append(statement.text[at:])
    return "".join(parts) + "."
