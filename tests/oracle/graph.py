"""Circles in small graphs, given as sets of edges between numbers."""

from __future__ import annotations

from collections.abc import Iterable

Edges = set[tuple[int, int]]


def reach(edges: Edges) -> dict[int, set[int]]:
    """Return for each node what can be got to from it, itself only where there is a way back."""
    found: dict[int, set[int]] = {a: set() for edge in edges for a in edge}
    for start, seen in found.items():
        waiting = [start]
        while waiting:
            node = waiting.pop()
            for a, b in edges:
                if a == node and b not in seen:
                    seen.add(b)
                    waiting.append(b)
    return found


def circles(edges: Edges) -> list[frozenset[int]]:
    """Return the largest sets of nodes each of which can be got to from each, in ascending order."""
    to = reach(edges)
    return sorted({frozenset(b for b in to[a] if a in to[b]) for a in to if a in to[a]}, key=sorted)


def two_coloured(nodes: Iterable[int], edges: Edges) -> bool:
    """Whether connected nodes can take turns in two colours, so that no way round has an odd length."""
    colour: dict[int, bool] = {}
    waiting = [(min(nodes), True)]
    while waiting:
        node, shade = waiting.pop()
        if node in colour:
            if colour[node] != shade:
                return False
            continue
        colour[node] = shade
        waiting += [(b, not shade) for a, b in edges if a == node]
        waiting += [(a, not shade) for a, b in edges if b == node]
    return True
