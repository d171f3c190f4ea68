"""The data that flows through the package: what was said, and what was decided.

Data flows one way: scenario file -> Scenario -> facts -> answer sets -> Verdict -> rendering.
Nothing here decides anything; the game itself lives in ``encodings/``.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn

from .decision import Leaf, Tree

if TYPE_CHECKING:
    from .explain import Explanation

Phase = Literal["setup", "intro", "night", "day", "end"]


class _Empty(dict[str, Any]):
    """A map that stays empty, for fields that hold one by default."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this map is shared and stays empty")

    __setitem__ = __ior__ = update = setdefault = _refuse

    def __reduce__(self) -> str:
        return "EMPTY"


EMPTY: Mapping[str, Any] = _Empty()


class Outcome(dict[str, Any]):
    """An outcome, as JSON data, with its keys as attributes: ``outcome.dead``.

    The keys are those that a scenario may expect: dead saved answers silenced roles teams items
    counters cannot illegal announce calls winner …
    """

    __slots__ = ()

    def __getattr__(self, key: str) -> Any:
        try:
            return self[key]
        except KeyError:
            raise AttributeError(key) from None


class Place(NamedTuple):
    """Where something stands in a file. Lines and columns count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Player(NamedTuple):
    """One player, in the state with which the phase begins."""

    name: str
    role: str
    alive: bool = True
    items: tuple[str, ...] = ()
    counts: Mapping[str, int] = EMPTY
    was: Mapping[str, Any] = EMPTY
    found: tuple[str, ...] = ()
    place: Place | None = None
    #: the file says that this player has nothing, also nothing that the role has from the start
    bare: bool = False


class Action(NamedTuple):
    """One thing told to the moderator: an actor, a verb, its targets, and what else was said.

    ``actor`` and ``targets`` are player names as the file spells them, or one of the reserved
    words ``mafia town moderator nobody unknown``; ``verb`` is the encodings' own name of it.
    """

    actor: str
    verb: str
    targets: tuple[str, ...] = ()
    extra: Mapping[str, Any] = EMPTY
    place: Place | None = None


class Scenario(NamedTuple):
    """A phase of a game as somebody describes it, and perhaps what should come of it."""

    rulebook: str
    players: tuple[Player, ...]
    phase: Phase = "night"
    number: int | None = None
    actions: tuple[Action, ...] = ()
    last_night: tuple[Action, ...] = ()
    last_day: tuple[Action, ...] = ()
    options: Mapping[str, Any] = EMPTY
    rulings: Mapping[str, str] = EMPTY
    conventions: bool | tuple[str, ...] | None = None
    expect: dict[str, Any] | None = None
    id: str = ""
    title: str = ""
    cites: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    basis: str = ""
    note: str = ""
    place: Place | None = None
    #: places of single entries: "rulings.<id>", "expect", "options.<id>", …
    places: Mapping[str, Place] = EMPTY


class Reason(NamedTuple):
    """Why one entry of an outcome holds: the rule that says so."""

    key: str
    #: the entry: a player, (player, value), an announcement token, …
    value: tuple[str, ...]
    rule: str
    #: numbers of the actions that led there, in the order told
    acts: tuple[int, ...] = ()


class Refusal(NamedTuple):
    """An action that the moderator refuses, and the rule that forbids it."""

    actor: str
    verb: str
    targets: tuple[str, ...]
    rules: tuple[str, ...]
    number: int
    #: False where some reading lets it stand
    certain: bool = True


class OpenQuestion(NamedTuple):
    """A point that the rulebook leaves open and on which this outcome hangs."""

    id: str
    kind: str
    rules: tuple[str, ...]
    answers: tuple[str, ...]
    #: the answers of other questions under which alone it arises
    under: Mapping[str, str] = EMPTY


class GroupReading(NamedTuple):
    """One distinct outcome of a group of questions, and the answers that lead to it."""

    rests_on: tuple[dict[str, str], ...]
    outcome: Outcome


class Group(NamedTuple):
    """Questions that touch each other, with their distinct outcomes (differing keys only)."""

    questions: tuple[str, ...]
    readings: tuple[GroupReading, ...]
    #: which question to ask first, and what each answer leads to: another question, or a reading (its index)
    tree: Tree[int] = Leaf(0)


class Verdict(NamedTuple):
    """The answer to one scenario."""

    scenario: Scenario
    settled: bool
    certain: Outcome
    possible: Outcome
    groups: tuple[Group, ...] = ()
    #: every distinct outcome, while there are at most 64; else None and ``truncated``
    readings: tuple[Outcome, ...] | None = ()
    truncated: bool = False
    open: tuple[OpenQuestion, ...] = ()
    refused: tuple[Refusal, ...] = ()
    chance: tuple[Outcome, ...] = ()
    #: (convention id, question id, answer) of each convention that decided something
    conventions: tuple[tuple[str, str, str], ...] = ()
    #: (question id, answer) of each ruling that decided something
    rulings: tuple[tuple[str, str], ...] = ()
    #: rulings whose question this scenario does not raise
    unused_rulings: tuple[str, ...] = ()
    because: tuple[Reason, ...] = ()
    #: the next phase's scenario, as data; None while something in it is open
    next: dict[str, Any] | None = None
    #: a limit was hit: what is here is right but not everything
    incomplete: bool = False

    def why(self, question: str) -> "Explanation":
        """Explain an outcome: ``verdict.why("Sara lives")``, ``verdict.why("Sara")``.

        Raises:
            InputError: the question is about nobody here, or cannot be understood.
        """
        from .explain import why

        return why(self.scenario, question)

    def _repr_markdown_(self) -> str:
        """Show the answer in a notebook."""
        from .render.markdown import verdict_markdown
        from .render.words import Words
        from .rulebook import Rulebook

        words = Words.for_scenario(self.scenario, Rulebook.load(self.scenario.rulebook), "en")
        return verdict_markdown(self, words)
