"""A search over nights that stand twice, side by side, and differ in one thing that was put in.

What that thing is, and what is looked for, says a file of ``encodings/search``: in it, the predicates of the
second copy end in ``__2``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..facts import ruling_facts
from ..model import EMPTY
from .days import MOMENTS
from .engine import Engine, book_files, read_program, read_text, search_files, sliced
from .program import SECOND, second_copy
from .scan import scanned
from .space import generators, space

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import clingo

    from ..model import Phase
    from ..rulebook import Rulebook
    from .engine import Clock


class Nights(NamedTuple):
    """Which nights are searched: of a role set, under some rulings, and with how much before them."""

    book: Rulebook
    roles: tuple[tuple[str, int], ...]
    clock: Clock
    rulings: Mapping[str, str] = EMPTY
    #: the texts of files that have been read already, by path
    texts: dict[str, str] | None = None
    #: items, counts, a past, and what was done the night before
    state: bool = False
    #: some players may be dead
    gone: bool = False


class Pair:
    """All nights of one phase with any part of a role set, each of them twice.

    Args:
        file: the file of ``encodings/search`` that says what differs, and what is looked for.
        roots: the predicates that differ; everything that depends on them is there twice.

    Raises:
        InputError: the rulebook cannot be worked out.
    """

    def __init__(self, nights: Nights, phase: Phase, file: str, roots: Iterable[str]) -> None:
        book = nights.book
        files = book_files(book.files_for({role for role, _ in nights.roles}, phase))
        scans = [scanned(path, read_text(path, nights.texts)) for path in files]
        self.space = space(book, nights.roles, scans, (phase,), state=nights.state, gone=nights.gone)
        every = [*read_program(files, nights.texts), *read_program(search_files("names"))]
        spoken = {use.name for each in read_program(search_files(file)) for use in each.uses}
        rules = sliced(every, {"at_least", *(name.removesuffix(SECOND) for name in spoken)})
        copied = second_copy(rules, roots)
        kept = [f"{each.text}." for each in (*rules, *read_program(search_files(*generators((phase,)))))]
        text = "\n".join([*kept, *copied, self.space.text, *ruling_facts(nights.rulings)])
        found = search_files("smallest", "natural", file)
        self.engine = Engine(text, found, nights.clock, ordered=phase in MOMENTS)

    def brave(self, assumptions: Iterable[int] = ()) -> tuple[list[clingo.Symbol], bool]:
        """Return what the search's file shows of some night, sorted, and whether that is all."""
        found: list[clingo.Symbol] = []

        def on_model(model: clingo.Model) -> None:
            found[:] = model.symbols(shown=True)

        finished = self.engine.solve(assumptions, on_model, enum="brave")
        return sorted(found), finished

    def literal(self, text: str) -> int | None:
        """Return the literal of an atom by its text; None where no night can have it."""
        name = text.partition("(")[0]
        return next((each for atom, each in self.engine.lits(name).items() if str(atom) == text), None)

    def possible(self, literal: int) -> bool | None:
        """Tell whether some night has an atom; None where the time was up."""
        seen = False

        def on_model(model: clingo.Model) -> bool:
            nonlocal seen
            seen = True
            return False

        finished = self.engine.solve([literal], on_model)
        return True if seen else False if finished else None
