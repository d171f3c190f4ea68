"""Many nights of one cast, decided one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import InputError
from .scenario import from_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .model import Action, Scenario, Verdict
    from .resident.decide import Decider
    from .rulebook import Rulebook

#: (actor, verb, target, …)
Told = tuple[str, ...]
#: nights that are decided together
AT_ONCE = 1000


class Resolver:
    """Decides nights of one cast. Not to be shared between threads: each takes one of its own.

    Args:
        players: names with roles, or with state as in a scenario file, in seating order.
        strict: no convention answers anything.
        more: further keys of a scenario file that all nights share: ``options``, ``rulings``, …

    Raises:
        InputError: the cast or what is shared is wrong.
    """

    def __init__(
        self, book: Rulebook, players: Mapping[str, Any], *, strict: bool = False, **more: Any
    ) -> None:
        self._book = book
        self._strict = strict
        self._shared = {"rulebook": book.path_or_id, "players": dict(players), **more}
        self._base = from_data(self._shared)
        #: what has been told before, as it was read
        self._actions: dict[Told, Action] = {}
        self._decider: Decider | None = None

    def scenario(self, actions: Iterable[Told], **more: Any) -> Scenario:
        """Return the scenario of a night with these actions, in the order told."""
        told = [{a[0]: {a[1]: a[2] if len(a) == 3 else list(a[2:])}} for a in actions]
        return from_data({**self._shared, "actions": told, **more})

    def night(self, actions: Iterable[Told], **more: Any) -> Verdict:
        """Decide one night.

        Raises:
            InputError: an action names nobody of the cast, or no verb.
            LimitError: the night could not be decided within the limits.
        """
        from .verdict import decide

        return decide(self.scenario(actions, **more), book=self._book, strict=self._strict)

    def nights(self, many: Iterable[Iterable[Told]], *, at_once: int = AT_ONCE) -> Iterator[Verdict]:
        """Decide nights in their order, `at_once` of them together, and hold no more than those.

        The answers are those of :meth:`night`, which is slower by far.

        Raises:
            InputError: as :meth:`night` does, when the night's turn comes.
            LimitError: as :meth:`night` does, when the night's turn comes.
        """
        from itertools import islice

        from .resident.decide import Decider

        if self._decider is None:
            self._decider = Decider(self._book, strict=self._strict)
        left = iter(many)
        while some := list(islice(left, at_once)):
            found = [self._told(actions) for actions in some]
            good = [each for each in found if not isinstance(each, Exception)]
            decided = iter(self._decider.decide(good))
            for each in found:
                verdict = each if isinstance(each, Exception) else next(decided)
                if isinstance(verdict, Exception):
                    raise verdict
                yield verdict

    def _told(self, actions: Iterable[Told]) -> Scenario | InputError:
        """Return the scenario of a night, or what is wrong with it; each action is read once."""
        told = [tuple(action) for action in actions]
        try:
            for action in told:
                if action not in self._actions:
                    (self._actions[action],) = self.scenario([action]).actions
        except (InputError, IndexError, TypeError, AttributeError):
            # Whatever it is, it is told with its place in the whole.
            try:
                return self.scenario(told)
            except InputError as error:
                return error
        return self._base._replace(actions=tuple([self._actions[action] for action in told]))
