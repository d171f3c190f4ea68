"""Words in a rulebook's tables that nothing declares, and conditions that nothing can fulfil.

The solver does not mind a misspelt constant: the rule is there, and no night obeys it. What may stand in
which argument of which table is declared in ``words.lp`` (``table``, ``term``, ``constant``, ``is_a``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ..model import Place, Player, Scenario
from ..names import suggest
from ..verdict import checked_files, program_of
from .findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clingo.ast import AST

    from ..guard import Checked
    from ..lexicon import Lexicon
    from ..rulebook import Rulebook

KIND = "misspelt-constant"
#: what the solver says of a condition that no rule can make true; the file is a number in brackets
_UNDEFINED = re.compile(r"<(\d+)>:(\d+):(\d+)[-\d:]*: info: atom does not occur in any rule head:\s*(\w+)")
_MOST = "any"
#: kinds whose words stand in words.lp -> what a row of theirs looks like
_ROWS = {
    "verb": 'verb({}, 1, 1, "…", "…").',
    **{kind: f'{kind}({{}}, "…", "…").' for kind in ("status", "item", "counter", "team", "attack")},
}


class Word(NamedTuple):
    """A word in an argument: of which kind it should be, and whether it is new by standing there."""

    kind: str
    text: str
    place: Place
    new: bool


def misspelt(book: Rulebook) -> list[Finding]:
    """Return the words of a rulebook of the user's own that nothing declares; none for a shipped one.

    Raises:
        InputError: the rulebook holds what it must not.
    """
    if book.shipped:
        return []
    checked = checked_files(book)
    return [*misspelt_in(book, checked), *_unfulfilled(book, list(checked.values()))]


def misspelt_in(book: Rulebook, files: Iterable[str]) -> list[Finding]:
    """Return the words in some of a rulebook's files that nothing in it declares, each once."""
    files = set(files)
    every = list(_words(book))
    new = [word for word in every if word.new]
    known = _Known(book, new)
    times: dict[str, int] = {}
    for word in every:
        times[word.text] = times.get(word.text, 0) + 1
    found: dict[tuple[str, str], Finding] = {}
    for word in every:
        if word.place.file not in files or word.text in known.fixed(word.kind):
            continue
        if (word.new and times[word.text] > 1) or (not word.new and word.text in known.words(word.kind)):
            continue
        # A word that is new by standing there, and of which nothing else speaks, may be meant as it is.
        near = suggest(word.text, sorted(known.words(word.kind) - {word.text}))
        if near or not word.new:
            found.setdefault((word.kind, word.text), _of_word(word, near))
    # Where a word stands in two arguments, of a kind and of a wider one, it is told once, as the narrower.
    return [
        finding
        for (kind, text), finding in found.items()
        if not any((each, text) in found for each in known.narrower(kind) - {kind})
    ]


def _of_word(word: Word, near: Sequence[str]) -> Finding:
    id = f"{word.kind}({word.text})"
    if near or word.kind not in _ROWS:
        return _finding(id, "misspelt.word", word.text, near, word.place)
    args = (("name", word.text), ("row", _ROWS[word.kind].format(word.text)))
    return Finding(KIND, id, message=("misspelt.new", args), place=word.place)


def _unfulfilled(book: Rulebook, checked: list[Checked]) -> list[Finding]:
    """Return the conditions in a user's files that no rule can make true, as the solver tells them."""
    import clingo

    from ..facts import facts
    from ..guard import ground_faults

    said: list[str] = []
    control = clingo.Control(logger=lambda code, message: said.append(message))
    players = tuple(Player(f"Player {n}", role) for n, role in enumerate(book.role_ids))
    scenario = Scenario(book.path_or_id, players, "setup")
    for file in program_of(scenario, book).files:
        control.load(file)
    control.add("base", [], facts(scenario).text)
    ground_faults(checked, control, said)
    heads = {atom.name for each in checked for s in each.statements for atom, head in _atoms(s) if head}
    known = {name for name, _, _ in control.symbolic_atoms.signatures} | heads
    found: dict[str, Finding] = {}
    for message in said:
        if match := _UNDEFINED.match(message):
            file, line, column, name = match.groups()
            place = Place(checked[int(file)].path, int(line), int(column))
            near = suggest(name, sorted(known - {name}))
            found.setdefault(name, _finding(f"atom({name})", "misspelt.atom", name, near, place))
    return list(found.values())


def _finding(id: str, code: str, name: str, near: Sequence[str], place: Place) -> Finding:
    args = (("name", name), *((("near", near[0]),) if near else ()))
    return Finding(KIND, id, message=(code, args), place=place)


class _Known:
    """The words of each kind."""

    def __init__(self, book: Rulebook, new: Iterable[Word]) -> None:
        lexicon = book.lexicon
        self._lexicon = lexicon
        self._of: dict[str, set[str]] = {kind: set(words) for kind, words in lexicon.words.items()}
        self._of["role"] = set(book.role_ids)
        self._of["option"] = set(book.options)
        self._of["rule"] = {*book.rules, *book.conventions}
        self._of["question"] = set(book.questions)
        self._of["past"] = {*lexicon.was_keys, *lexicon.state_keys}
        for kind, words in lexicon.constants.items():
            self._of.setdefault(kind, set()).update(words)
        for kind, functor, _ in lexicon.terms:
            self._of.setdefault(kind, set()).add(functor)
        self._new: dict[str, set[str]] = {}
        self._fixed: dict[str, frozenset[str]] = {}
        self._every: dict[str, frozenset[str]] = {}
        for word in new:
            self._new.setdefault(word.kind, set()).add(word.text)

    def narrower(self, kind: str) -> set[str]:
        """Return a kind and all that belong to it."""
        found = {kind}
        waiting = [kind]
        while waiting:
            for below in self._lexicon.narrower.get(waiting.pop(), ()):
                if below not in found:
                    found.add(below)
                    waiting.append(below)
        return found

    def fixed(self, kind: str) -> frozenset[str]:
        """Return the words of a kind that are there without any rule."""
        if kind not in self._fixed:
            narrower = self.narrower(kind)
            self._fixed[kind] = frozenset().union(*(self._of.get(each, ()) for each in narrower))
        return self._fixed[kind]

    def words(self, kind: str) -> frozenset[str]:
        """Return all words of a kind."""
        if kind not in self._every:
            new = (self._new.get(each, ()) for each in self.narrower(kind))
            self._every[kind] = self.fixed(kind).union(*new)
        return self._every[kind]


# ---- where words stand ---------------------------------------------------------------------------


def _words(book: Rulebook) -> Iterator[Word]:
    """Yield the words in the tables of all files of a book."""
    from clingo.ast import parse_files

    own = {} if book.shipped else checked_files(book)
    for file in book.text_files():
        statements: list[AST] = []
        if file in own:
            statements += own[file].statements
        else:
            parse_files([file], statements.append)
        for statement in statements:
            for atom, head in _atoms(statement):
                yield from _of_atom(atom, head, file, book.lexicon)


def _atoms(node: Any, head: bool = False) -> Iterator[tuple[Any, bool]]:
    """Yield the atoms of a statement, and whether it is the statement's head that they stand in."""
    from clingo.ast import AST, ASTType

    if node.ast_type is ASTType.SymbolicAtom:
        symbol = node.symbol
        for each in symbol.arguments if symbol.ast_type is ASTType.Pool else [symbol]:
            yield each, head
        return
    for key in node.child_keys:
        child = getattr(node, key)
        for each in [child] if isinstance(child, AST) else child or ():
            yield from _atoms(each, key == "head" or (head and key != "condition"))


def _of_atom(atom: Any, head: bool, file: str, lexicon: Lexicon) -> Iterator[Word]:
    from clingo.ast import ASTType

    if atom.ast_type is not ASTType.Function:
        return
    kinds = lexicon.tables.get((atom.name, len(atom.arguments)), ())
    for number, (kind, term) in enumerate(zip(kinds, atom.arguments, strict=False), 1):
        yield from _of_term(term, kind, head and (atom.name, number) in lexicon.declares, file, lexicon)


def _of_term(term: Any, kind: str, declares: bool, file: str, lexicon: Lexicon) -> Iterator[Word]:
    from clingo import SymbolType
    from clingo.ast import ASTType

    if kind == _MOST:
        return
    new = declares and kind in lexicon.growing
    if term.ast_type is ASTType.Pool:
        for each in term.arguments:
            yield from _of_term(each, kind, declares, file, lexicon)
    elif term.ast_type is ASTType.SymbolicTerm:
        if term.symbol.type is SymbolType.String:
            yield Word(kind, term.symbol.string, _place(term, file), new)
        elif term.symbol.type is SymbolType.Function and term.symbol.name:
            yield Word(kind, term.symbol.name, _place(term, file), new)
    # A question that is a term is one with a derived id.
    elif term.ast_type is ASTType.Function and term.name and kind != "question":
        yield Word(kind, term.name, _place(term, file), new)
        inside = _kinds_within(lexicon, kind, term.name, len(term.arguments))
        for below, argument in zip(inside, term.arguments, strict=False):
            yield from _of_term(argument, below, declares, file, lexicon)


def _kinds_within(lexicon: Lexicon, kind: str, functor: str, arity: int) -> tuple[str, ...]:
    """Return the kinds of a term's arguments, by its kind or a narrower one."""
    if found := lexicon.terms.get((kind, functor, arity)):
        return found
    below = (_kinds_within(lexicon, each, functor, arity) for each in lexicon.narrower.get(kind, ()))
    return next((found for found in below if found), ())


def _place(node: Any, file: str) -> Place:
    begin = node.location.begin
    return Place(file, begin.line, begin.column)
