"""Whether the connections of a network lead in circles."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from graphlib import CycleError, TopologicalSorter

__all__ = ["is_feed_forward"]


def is_feed_forward(connections: Iterable[tuple[Hashable, Hashable]]) -> bool:
    """Test whether a network is feed-forward: its connections contain no cycle.

    A network with a cycle is recurrent: what its units say depends on what they said before.

    Parameters
    ----------
    connections : iterable of pairs
        Connections, from one unit to another.

    Returns
    -------
    feed_forward : bool
        Whether there is no cycle.

    Examples
    --------
    >>> is_feed_forward([("x1", "h"), ("x2", "h"), ("h", "y")]), is_feed_forward([("h", "y"), ("y", "h")])
    (True, False)
    """
    graph: TopologicalSorter[Hashable] = TopologicalSorter()
    for start, end in connections:
        # A topological order exists if and only if there is no cycle; the sorter finds it in linear time.
        graph.add(end, start)
    try:
        graph.prepare()
    except CycleError:
        return False
    return True
