"""What is asked in the course of a night, and which statements hold where they contradict each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any, TypeVar, cast

from .tables import Tables, Term
from .told import Told

#: what a statement says: the rule and the literal
Claim = tuple[str, Term]
Answers = dict[str, str]

_Method = TypeVar("_Method", bound=Callable[..., Any])


class QuestionError(Exception):
    """A question came up to which no answer has been given."""

    def __init__(self, question: str, readings: Iterable[str]) -> None:
        super().__init__(question)
        self.question = question
        self.readings = sorted(set(readings))


class CircleError(Exception):
    """A deed turned out to depend on itself although every known circle had been cut."""


def once(method: _Method) -> _Method:
    """Remember what a method gave; a call that needs its own result is a circle."""

    @wraps(method)
    def wrapper(self: Asking, *args: Any) -> Any:
        key = (method.__name__, args)
        if key in self.under_way:
            raise CircleError(str(key))
        if key not in self.known:
            self.under_way.add(key)
            try:
                self.known[key] = method(self, *args)
            finally:
                self.under_way.discard(key)
        return self.known[key]

    return cast(_Method, wrapper)


class Asking:
    """The night under one set of answers."""

    def __init__(self, told: Told, answers: Answers) -> None:
        self.told = told
        self.tables = told.tables
        self.answers = answers
        self.beats = {(a, b) for a, b in self.tables["beats"]} | set(_implied(self.tables))
        self.known: dict[Any, Any] = {}
        self.under_way: set[Any] = set()

    # ---- questions and claims ----

    def ask(self, question: str, readings: Iterable[str]) -> str:
        """Return the answer to a question; raise it if there is none yet."""
        allowed = set(readings)
        if (ruling := self.told.rulings.get(question)) in allowed:
            allowed = {str(ruling)}
        if self.answers.get(question) not in allowed:
            raise QuestionError(question, allowed)
        return self.answers[question]

    def named_readings(self, question: str) -> list[str]:
        return [str(answer) for q, answer in self.tables["reading"] if q == question]

    def holds(self, point: Term) -> bool:
        """Whether a point that no statement decides is so: by the question that names it, or by its own."""
        fills = [row for row in self.tables["fills"] if row[2] == point]
        if not fills:
            return self.ask(word(point), ("true", "false")) == "true"
        answers = {q: self.ask(q, self.named_readings(q)) for q in sorted({row[0] for row in fills})}
        return any(answers[q] == answer for q, answer, _ in fills)

    def weigh(self, claims: Iterable[Claim]) -> set[Claim]:
        """Return those of the claims on one matter that hold: exceptions first, then questions."""
        everything = set(claims)
        left = {
            (rule, said)
            for rule, said in everything
            if not any(other != said and (r, rule) in self.beats for r, other in everything)
        }
        if len({said for _, said in left}) < 2:
            return left
        backs: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for question, answer, rule in self.tables["wins"]:
            backs[question][rule].add(answer)
        for question in sorted(backs):
            side = backs[question]
            entered = [claim for claim in left if claim[0] in side]
            if any(a[1] != b[1] and side[a[0]] - side[b[0]] for a in entered for b in entered):
                answer = self.ask(question, self.named_readings(question))
                winners = {said for rule, said in entered if answer in side[rule]}
                left -= {claim for claim in entered if winners - {claim[1]}}
        if len({said for _, said in left}) > 1:
            parties = sorted({rule for rule, _ in left})
            answer = self.ask("~".join(parties), parties)
            winners = {said for rule, said in left if rule == answer}
            left = {claim for claim in left if not winners - {claim[1]}}
        return left


def _implied(tables: Tables) -> Iterator[tuple[str, str]]:
    """Precedence that lies in the tables: what is said of a role or a status is an exception to a side's."""
    ordinary = {rule for rule, _, subject, _ in tables["reads_as"] if subject[0] in ("side", "not_side")}
    for rule, inquiry, subject, _ in tables["reads_as"]:
        for other, asked, about, _ in tables["reads_as"]:
            if asked != inquiry:
                continue
            if rule not in ordinary and other in ordinary:
                yield rule, other
            if subject[0] == "held" and len(subject) == 3 and about == ("role", subject[2]):
                yield rule, other
    for rule, status, role in tables["carried_over"]:
        for other, *same in tables["lapses_if_robbed"]:
            if same == [status, role]:
                yield rule, other


def word(term: Term) -> str:
    """Return a term as questions spell it."""
    if isinstance(term, tuple):
        return f"{term[0]}({','.join(word(part) for part in term[1:])})"
    return str(term)
