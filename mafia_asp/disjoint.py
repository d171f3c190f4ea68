"""Disjoint sets (union and find, with shortened paths)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


class Disjoint(Generic[T]):
    """Things in sets of which no two share one; a thing that nobody has joined is a set by itself."""

    def __init__(self) -> None:
        #: what has been seen so far, each with something of its set
        self.parent: dict[T, T] = {}

    def find(self, item: T) -> T:
        """Return what stands for the set that holds a thing."""
        parent = self.parent
        root = item
        while parent.setdefault(root, root) != root:
            root = parent[root]
        while parent[item] != root:
            parent[item], item = root, parent[item]
        return root

    def join(self, *items: T) -> None:
        """Put things into one set; of no things there is none."""
        roots = [self.find(item) for item in items]
        for root in roots:
            self.parent[self.find(root)] = self.find(roots[0])
