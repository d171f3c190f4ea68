"""Many nights of one cast, decided one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .scenario import from_data

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .model import Scenario, Verdict
    from .rulebook import Rulebook

#: (actor, verb, target, …)
Told = tuple[str, ...]


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
        from_data(self._shared)

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

    def nights(self, many: Iterable[Iterable[Told]]) -> Iterator[Verdict]:
        """Decide nights one by one, in their order, holding none of them."""
        for actions in many:
            yield self.night(actions)
