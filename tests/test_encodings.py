"""The encodings as text: ids, constants and forms, which clingo itself does not check."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from clingo.ast import AST, ASTType, Transformer, parse_files

from mafia_asp.rulebook import Rulebook, encodings, shipped

CORE = sorted(
    file
    for folder in ("core", "day", "concepts")
    for file in Path(encodings(), folder).glob("*.lp")
    if file.stem != "words"
)
CONVENTIONS = sorted(Path(encodings(), "conventions").glob("*.lp"))
BOOKS = {
    name: sorted(file for file in Path(encodings(), name).glob("*.lp") if file.stem != "words")
    for name in shipped()
}
ALL = [*CORE, *CONVENTIONS, *(file for files in BOOKS.values() for file in files)]
RULE_ID = re.compile(r"(ca|bk|core)\.[a-z_]+(\.\d+)?$")
QUESTION_ID = re.compile(r"(ca|bk)\.q\.")

#: (predicate, arity) -> {argument: what it names}
TABLES = {
    ("side", 3): {0: "rule", 1: "role", 2: "team"},
    ("does", 4): {0: "rule", 1: "role", 2: "verb"},
    ("limit", 4): {0: "rule", 1: "role or group", 2: "verb"},
    ("forbids", 4): {0: "rule", 1: "role", 2: "verb"},
    ("impaired", 5): {0: "rule", 1: "status", 2: "role", 3: "verb"},
    ("lapses_if_robbed", 3): {0: "rule", 1: "status", 2: "role"},
    ("carried_over", 3): {0: "rule", 1: "status", 2: "role"},
    ("carries", 3): {0: "rule", 1: "role", 2: "verb"},
    ("moves", 3): {0: "rule", 1: "role", 2: "verb"},
    ("stops", 3): {0: "rule"},
    ("pierces", 3): {0: "rule"},
    ("beats", 2): {0: "rule", 1: "rule"},
    ("wins", 3): {0: "question", 2: "rule"},
    ("stock", 5): {0: "rule", 1: "role", 2: "verb", 3: "counter"},
    ("least", 3): {0: "rule", 1: "role"},
    ("wakes", 3): {0: "rule", 1: "role"},
    ("reads_as", 4): {0: "rule"},
    ("flips", 4): {0: "rule", 1: "role"},
    ("lasts", 3): {0: "rule", 1: "status"},
    ("absorbs", 5): {0: "rule"},
    ("banned", 2): {0: "rule", 1: "role"},
    ("counts_dead", 3): {0: "rule"},
    ("lapses_with", 4): {0: "rule", 1: "role", 2: "verb"},
    ("spent", 3): {0: "rule", 1: "counter"},
    ("stands_apart", 3): {0: "rule"},
}


@cache
def statements(file: Path) -> tuple[AST, ...]:
    """Return the rules of a file."""
    found: list[AST] = []
    parse_files([str(file)], found.append)
    return tuple(s for s in found if s.ast_type is ASTType.Rule)


def functions(node: AST) -> Iterator[tuple[str, list[AST], AST]]:
    """Yield (name, arguments, node) of every function in a statement, pools spelled out."""
    found: list[AST] = []

    class Collect(Transformer):
        def visit_Function(self, function: AST) -> AST:  # noqa: N802 - the name that clingo calls
            found.append(function)
            self.visit_children(function)
            return function

    Collect().visit(node)
    for function in found:
        yield function.name, list(function.arguments), function


def texts(term: AST) -> list[str]:
    """Return the constants or strings that a term stands for: one, several (a pool), or none."""
    if term.ast_type is ASTType.SymbolicTerm:
        return [str(term.symbol).strip('"')]
    if term.ast_type is ASTType.Pool:
        return [text for each in term.arguments for text in texts(each)]
    if term.ast_type is ASTType.Function and not term.name:
        return [text for each in term.arguments for text in texts(each)]
    if term.ast_type is ASTType.Function and not term.arguments:
        return [term.name]
    return []


def book_of(file: Path) -> list[Rulebook]:
    return (
        [Rulebook.load(file.parent.name)] if file.parent.name in BOOKS else [Rulebook.load(b) for b in BOOKS]
    )


def heads(file: Path) -> Iterator[tuple[str, list[AST], AST]]:
    for rule in statements(file):
        head = rule.head
        if head.ast_type is ASTType.Literal and head.atom.ast_type is ASTType.SymbolicAtom:
            symbol = head.atom.symbol
            for one in symbol.arguments if symbol.ast_type is ASTType.Pool else [symbol]:
                if one.ast_type is ASTType.Function:
                    yield one.name, list(one.arguments), rule


@pytest.mark.parametrize("file", ALL, ids=lambda f: f"{f.parent.name}/{f.stem}")
def test_every_id_exists(file: Path) -> None:
    """Every rule and question id that an encoding mentions stands in the book, with its words."""
    rules = {"core.sees", "core.goes_on"}.union(*(book.rules for book in book_of(file)))
    questions = set[str]().union(*(book.questions for book in book_of(file)))
    cited = {rule for book in book_of(file) for q in book.questions.values() for rule in q.rules}
    for rule in statements(file):
        for name, arguments, function in functions(rule):
            for argument in arguments:
                for text in texts(argument):
                    where = f"{function.location.begin.line}: {name} {text}"
                    if QUESTION_ID.match(text):
                        assert text in questions, where
                    elif RULE_ID.match(text):
                        assert text in rules or text in cited, where


@pytest.mark.parametrize("file", ALL, ids=lambda f: f"{f.parent.name}/{f.stem}")
def test_every_answer_is_one_of_its_question(file: Path) -> None:
    """pick, reading, wins, fills and follows name answers that the question has."""
    places = {"pick": (0, 1), "reading": (0, 1), "wins": (0, 1), "fills": (0, 1), "follows": (0, 2)}
    for rule in statements(file):
        for name, arguments, function in functions(rule):
            if name not in places or len(arguments) < 2:
                continue
            question, answer = (arguments[k] for k in places[name])
            for q in texts(question):
                if not QUESTION_ID.match(q):
                    continue
                known = {
                    a for book in book_of(file) if q in book.questions for a in book.questions[q].answers
                }
                for text in texts(answer):
                    assert text in known, (
                        f"{file.name}:{function.location.begin.line}: {q} has no answer {text}"
                    )


@pytest.mark.parametrize("book", sorted(BOOKS))
def test_every_answer_is_used_and_every_question_comes_up(book: str) -> None:
    """A question with readings is asked somewhere, and all its answers are among the readings."""
    asked: set[str] = set()
    readings: dict[str, set[str]] = {}
    for file in BOOKS[book]:
        for name, arguments, _ in heads(file):
            first = texts(arguments[0]) if arguments else []
            if name in ("ask", "wins", "fills", "knot_of"):
                asked.update(first)
            elif name == "reading":
                for q in first:
                    readings.setdefault(q, set()).update(texts(arguments[1]))
    questions = Rulebook.load(book).questions
    for q, answers in readings.items():
        assert q in asked, f"{q} is never asked"
        assert answers == set(questions[q].answers), q


@pytest.mark.parametrize(
    "file", [f for fs in BOOKS.values() for f in fs], ids=lambda f: f"{f.parent.name}/{f.stem}"
)
def test_every_constant_of_a_table_is_declared(file: Path) -> None:
    """Clingo is silent about typos; the tables' arguments are checked against what is declared."""
    book = Rulebook.load(file.parent.name)
    roles = set(book.role_ids) | {"any", "mafia", "citizen", "zombie", "freemason"}
    words = Path(encodings(), "core", "words.lp").read_text(encoding="utf-8")
    declared = {
        kind: set(re.findall(rf"^{kind}\((\w+)", words, re.MULTILINE))
        for kind in ("verb", "status", "item", "counter", "team")
    }
    for name, arguments, rule in heads(file):
        for position, kind in TABLES.get((name, len(arguments)), {}).items():
            for text in texts(arguments[position]):
                where = f"{file.name}:{rule.location.begin.line}: {name}: {text} is no {kind}"
                if kind.startswith("role"):
                    assert text in roles, where
                elif kind in declared:
                    assert text in declared[kind] | {"any"}, where


def test_every_principle_that_a_question_falls_under_is_a_convention() -> None:
    named = {
        text
        for files in BOOKS.values()
        for file in files
        for name, arguments, _ in heads(file)
        if name == "follows"
        for text in texts(arguments[1])
    }
    known = set(re.findall(r"follows\(Q,(\w+),X\)", "".join(f.read_text("utf-8") for f in CONVENTIONS)))
    assert named
    assert named == known


def test_the_core_knows_no_role() -> None:
    """No role's name stands in the core or in a convention."""
    roles = {file.stem for files in BOOKS.values() for file in files} - {
        "general",
        "setup",
        "day",
        "end",
        "words",
        "mafia",
        "citizen",
    }
    for file in [*CORE, *CONVENTIONS]:
        for rule in statements(file):
            for name, arguments, function in functions(rule):
                named = [name, *(text for a in arguments for text in texts(a))]
                assert not roles & set(named), f"{file.name}:{function.location.begin.line}"


def test_no_role_names_in_python() -> None:
    """Python never decides an outcome: it has no role's name, and no rule's."""
    roles = {file.stem for files in BOOKS.values() for file in files} - {
        "general",
        "setup",
        "day",
        "end",
        "words",
        "mafia",
        "neutral",
    }
    # Who does something is a key of a refusal, and to guard is an act in a sentence.
    also_words = {("json.py", "actor"), ("words.py", "guard")}
    package = Path(__file__).parents[1] / "mafia_asp"
    for file in package.rglob("*.py"):
        code = re.sub(r'""".*?"""', "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        words = set(re.findall(r"[\"']([a-z_]+)[\"']", code))
        named = {role for role in roles & words if (file.name, role) not in also_words}
        assert not named, f"{file.name}: {named}"


@pytest.mark.parametrize("book", sorted(BOOKS))
def test_every_rule_has_both_paraphrases_and_a_source(book: str) -> None:
    """Id, source and the words in both languages stand above each rule."""
    for rule in Rulebook.load(book).rules.values():
        assert rule.en, rule
        assert rule.fa, rule
        assert rule.source, rule
    for question in Rulebook.load(book).questions.values():
        assert question.en, question
        assert question.fa, question
        assert all(answer.en and answer.fa for answer in question.answers.values()), question.id
