"""Which rule of a user's own leaves a night without any outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import Fault, InputError, LimitError
from .model import Place
from .solve import Ground, Limits, Model, Program

if TYPE_CHECKING:
    import clingo


def no_outcome(program: Program, facts: str, limits: Limits) -> InputError:
    """Return the error for a night without answer set, at each rule without which there is one.

    Only what depends on a negation is tried, as long as the time lasts.
    """
    faults = []
    for number, file in enumerate(program.checked):
        for position, statement in enumerate(file.statements):
            if "not " not in str(statement) or limits.left() <= 0:
                continue
            rest = (*file.statements[:position], *file.statements[position + 1 :])
            checked = (
                *program.checked[:number],
                file._replace(statements=rest),
                *program.checked[number + 1 :],
            )
            try:
                Ground(Program(program.files, checked), facts).models(limits, cap=1, read=_nothing)
            except (LimitError, InputError):
                continue
            begin = statement.location.begin
            faults.append(Fault(Place(file.path, begin.line, begin.column), "guard.contradiction", {}))
    return InputError(faults or [Fault(None, "no_answer", {})])


def _nothing(model: clingo.Model) -> Model:
    return Model({}, frozenset())
