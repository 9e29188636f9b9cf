"""Validation of the edges of a network: existing nodes, no duplicates, no cycles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hornbook.params import suggest

__all__ = ["has_cycle", "parents_of"]


def parents_of(edges: Sequence[Any], names: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """The parents of each node, ascending, from pairs of names."""
    parents: list[list[int]] = [[] for _ in names]
    for edge in edges:
        parent, child = _ends(edge, names)
        if parent == child:
            raise ValueError(
                f"BayesianNetwork: edges has {edge!r}, an edge from a node to itself: leave it out."
            )
        if parent in parents[child]:
            raise ValueError(f"BayesianNetwork: edges has the edge {edge!r} twice: leave one out.")
        parents[child].append(parent)
    ordered = tuple(tuple(sorted(above)) for above in parents)
    _check_acyclic(ordered, names)
    return ordered


def _ends(edge: Any, names: Sequence[str]) -> tuple[int, int]:
    if isinstance(edge, str) or not isinstance(edge, Sequence) or len(edge) != 2:
        raise ValueError(
            f"BayesianNetwork: every entry of edges must be a pair (parent, child) of names; got {edge!r}."
        )
    for name in edge:
        if name not in names:
            hint = suggest(str(name), names) or f" The nodes are {', '.join(map(repr, names))}."
            raise ValueError(f"BayesianNetwork: edges names {name!r}, which is no column or class.{hint}")
    parent, child = edge
    return names.index(parent), names.index(child)


def _check_acyclic(parents: tuple[tuple[int, ...], ...], names: Sequence[str]) -> None:
    sorted_nodes: set[int] = set()
    while len(sorted_nodes) < len(names):
        # Kahn's algorithm level by level: nodes whose parents are all sorted come next.
        ready = [
            i for i in range(len(names)) if i not in sorted_nodes and sorted_nodes.issuperset(parents[i])
        ]
        if not ready:
            cycle = " <- ".join(repr(names[i]) for i in _cycle(parents, sorted_nodes))
            raise ValueError(
                f"BayesianNetwork: edges must not form a cycle; got {cycle}: leave one of them out."
            )
        sorted_nodes.update(ready)


def has_cycle(parents: Sequence[Sequence[int]]) -> bool:
    """Whether the graph has a directed cycle (topological sort, Kahn 1962)."""
    children: list[list[int]] = [[] for _ in parents]
    waiting = [len(above) for above in parents]
    for child, above in enumerate(parents):
        for parent in above:
            children[parent].append(child)
    ready = [node for node, count in enumerate(waiting) if not count]
    # The list grows while it is read: it is the queue of nodes whose parents are all sorted.
    for node in ready:
        for child in children[node]:
            waiting[child] -= 1
            if not waiting[child]:
                ready.append(child)
    return len(ready) < len(parents)


def _cycle(parents: tuple[tuple[int, ...], ...], sorted_nodes: set[int]) -> list[int]:
    """Follow parents among the unsorted nodes until one repeats: that is a cycle."""
    path = [next(i for i in range(len(parents)) if i not in sorted_nodes)]
    while True:
        above = next(p for p in parents[path[-1]] if p not in sorted_nodes)
        if above in path:
            return [*path[path.index(above) :], above]
        path.append(above)
