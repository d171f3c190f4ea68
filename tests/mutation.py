"""What a rule does: delete all its statements, and see whether a scenario that cites it notices.

``python -m tests.mutation [RULE…]`` tries every encoded rule (or those named) and lists those whose loss
no scenario notices; exit status 1 if there are any.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import clingo.ast

from mafia_asp.expect import judge
from mafia_asp.model import Scenario, Verdict
from mafia_asp.rulebook import Rulebook, shipped
from mafia_asp.suite import Task, collect
from mafia_asp.verdict import decide

ROOT = Path(__file__).resolve().parent.parent
SCENARIOS = ROOT / "scenarios"

_RULE_ID = re.compile(r'"([a-z]+\.(?!q\.)[a-z_]+(?:\.[0-9a-z_]+)?)"')
_ANSWERED = re.compile(r'reading\("([^"]+)"')
#: a line that begins the block of a rule, and one that ends a block without beginning another
_BLOCK = re.compile(r"%% ([a-z_]+(?:\.[a-z0-9_]+)+) \|")
_END = re.compile(r"%\?|%!|% --")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a file: where its text stands, and what it is about."""

    start: int
    end: int
    #: the rule below which it stands
    block: str | None
    #: the rules that its head names
    names: frozenset[str]
    #: the questions to which it gives answers
    questions: frozenset[str]

    def belongs_to(self, rule: str) -> bool:
        """Tell whether it is one of the statements of a rule: its head names it, or it stands below it.

        What stands below a rule and names another in its head is a statement of that other one. The
        rules of the core are only what names them: general definitions stand below them too.
        """
        if rule in self.names:
            return True
        return self.block == rule and not self.names and not rule.startswith("core.")


@cache
def statements(file: str) -> tuple[Statement, ...]:
    """Every statement of an encoding, in its order; offsets count bytes."""
    text = Path(file).read_bytes()
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    block: str | None = None
    blocks: list[str | None] = []
    for line in lines:
        if begins := _BLOCK.match(line.decode()):
            block = begins[1]
        elif _END.match(line.decode()):
            block = None
        blocks.append(block)
    found: list[Statement] = []

    def add(node: clingo.ast.AST) -> None:
        if node.ast_type != clingo.ast.ASTType.Rule:
            return
        begin, end = node.location.begin, node.location.end
        found.append(
            Statement(
                starts[begin.line - 1] + begin.column - 1,
                starts[end.line - 1] + end.column - 1,
                blocks[begin.line - 1],
                frozenset(_RULE_ID.findall(head := str(node.head))),
                frozenset(_ANSWERED.findall(head)),
            )
        )

    clingo.ast.parse_files([file], add)
    return tuple(found)


def without(file: str, rule: str) -> bytes | None:
    """The text of a file without the statements of a rule; None where it has none.

    Of a statement that lists several rules in a pool, only this one is taken out.
    """
    text = Path(file).read_bytes()
    touched = False
    for statement in reversed(statements(file)):
        if not statement.belongs_to(rule):
            continue
        touched = True
        old = text[statement.start : statement.end]
        new = _out_of_pool(old, f'"{rule}"'.encode())
        text = text[: statement.start] + new + text[statement.end :]
    return text if touched else None


def _out_of_pool(statement: bytes, rule: bytes) -> bytes:
    for listed in (rule + b";", b";" + rule):
        if listed in statement:
            return statement.replace(listed, b"")
    return b""


class Mutant(Rulebook):
    """A rulebook from which the statements of one rule are gone."""

    def __init__(self, book: Rulebook, rule: str, folder: Path) -> None:
        super().__init__(
            *(book.id, book.prefix, book.name, book.folder, book.source, book.base, book.options, book.things)
        )
        self._changed: dict[str, str] = {}
        for file in book.text_files():
            text = without(file, rule)
            if text is not None:
                changed = folder / "-".join(Path(file).parts[-2:])
                changed.write_bytes(text)
                self._changed[file] = str(changed)

    def files_for(
        self, roles: Iterable[str], phase: str = "night", items: Iterable[str] = (), *, won: bool = False
    ) -> list[str]:
        """The files of a night, the changed ones in place of those they were made from."""
        return [self._changed.get(file, file) for file in super().files_for(roles, phase, items, won=won)]


@cache
def book_named(name: str) -> Rulebook:
    """A shipped rulebook, read once."""
    return Rulebook.load(name)


@cache
def all_scenarios() -> tuple[Scenario, ...]:
    """Every shipped scenario that can be read and expects something."""
    tasks = collect([str(SCENARIOS)])
    return tuple(t.scenario for t in tasks if isinstance(t, Task) and t.scenario.expect is not None)


def rules_of(book: Rulebook) -> list[str]:
    """The ids of the rules with a text of their own in a book, and of those of the core."""
    return list(book.rules)


def citing(rule: str) -> list[Scenario]:
    """The scenarios that cite a rule, those first that expect it among the reasons."""
    return sorted((s for s in all_scenarios() if rule in s.cites), key=lambda s: rule not in _reasons(s))


def _reasons(scenario: Scenario) -> set[str]:
    expected = scenario.expect or {}
    parts = [expected, *(expected.get("readings") or ())]
    return {str(rule) for part in parts for rule in _listed(part.get("because"))}


def _listed(value: object) -> Iterator[object]:
    if isinstance(value, (list, tuple)):
        yield from value
    elif value is not None:
        yield value


def fails(scenario: Scenario, book: Rulebook) -> bool:
    """Decide a scenario by a book (without conventions unless it asks for them) and judge it."""

    def decided(scenario: Scenario) -> Verdict:
        conventions = False if scenario.conventions is None else scenario.conventions
        return decide(scenario._replace(conventions=conventions), book=book, strict=conventions is False)

    return bool(judge(scenario, decided(scenario), decided))


def noticed_by(rule: str) -> str | None:
    """The id of a scenario that cites the rule and fails without it; None where there is none."""
    with tempfile.TemporaryDirectory() as folder:
        mutants: dict[str, Mutant] = {}
        for scenario in citing(rule):
            name = scenario.rulebook
            if name not in mutants:
                place = Path(folder, name)
                place.mkdir()
                mutants[name] = Mutant(book_named(name), rule, place)
            if fails(scenario, mutants[name]):
                return scenario.id or scenario.title
    return None


def every_rule() -> list[str]:
    """The ids of all encoded rules, the core's among them, each once."""
    return list(dict.fromkeys(rule for name in shipped() for rule in rules_of(book_named(name))))


def main(rules: list[str]) -> int:
    """Try the rules and print those whose loss goes unnoticed."""
    rules = rules or every_rule()
    unnoticed = 0
    with ProcessPoolExecutor() as pool:
        for rule, by in zip(rules, pool.map(noticed_by, rules, chunksize=4), strict=True):
            if by is None:
                unnoticed += 1
                print(rule, "unnoticed by", [s.id for s in citing(rule)], flush=True)
    print(f"{len(rules)} rules, {unnoticed} unnoticed")
    return int(unnoticed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
