"""The tree of merged clusters, each merge at its height."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from hornbook.params import Floats
from hornbook.plots.canvas._canvas import GRAY, axes, color, name_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["dendrogram"]

MOST_LEAVES = 30


def dendrogram(
    children: ArrayLike,
    heights: ArrayLike,
    ax: Axes | None = None,
    *,
    names: Sequence[str] | None = None,
    most_leaves: int = MOST_LEAVES,
    cut: float | None = None,
) -> Axes:
    """Draw a tree of merges: two clusters hang from a bar at the height at which they are merged.

    Parameters
    ----------
    children : array-like of int of shape (n - 1, 2)
        The nodes that each merge joins: the leaves are 0 to n - 1, merge i makes node n + i.
    heights : array-like of shape (n - 1,)
        Height of each merge; they do not fall.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    names : sequence of str, optional
        Names of the leaves; their numbers when left out.
    most_leaves : int, default 30
        With more leaves, only the last merges are drawn, and clusters below them show their size: ``(12)``.
    cut : float, optional
        Where to draw a dashed line; clusters below it get their own colors.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = dendrogram([[0, 1], [2, 3]], [0.5, 2.0], names=["a", "b", "c"])
    >>> [text.get_text() for text in ax.get_xticklabels()]
    ['c', 'a', 'b']
    """
    nodes, levels = _checked(children, heights)
    n = len(levels) + 1
    if names is not None and len(names) != n:
        raise ValueError(
            f"dendrogram: 'names' must have one name for each of the {n} leaves; got {len(names)}."
        )
    if most_leaves < 2:
        raise ValueError(f"dendrogram: 'most_leaves' must be 2 or more; got {most_leaves}.")
    ax = axes(ax)
    shown = min(n, most_leaves) - 1  # merges that are drawn
    # Nodes are numbered in the order of their merges, so that the last ones are the highest.
    first = 2 * n - 1 - shown  # of their nodes
    leaves = _leaves(nodes, n, first)
    place = {node: float(i) for i, node in enumerate(leaves)}
    finite = levels[np.isfinite(levels)]
    top = (
        1.1 * float(finite.max(initial=0.0)) or 1.0
    )  # rows that cannot be compared are merged last, at infinity
    shades = {} if cut is None else _shades(nodes, levels, first, cut)
    for i in range(n - 1 - shown, n - 1):
        one, other = nodes[i].tolist()
        height = min(float(levels[i]), top)
        bottom = [min(float(levels[node - n]), top) if node >= first else 0.0 for node in (one, other)]
        across = [place[one], place[one], place[other], place[other]]
        ax.plot(across, [bottom[0], height, height, bottom[1]], color=shades.get(n + i, GRAY), linewidth=1.3)
        # A merge hangs in the middle of its two parts.
        place[n + i] = (place[one] + place[other]) / 2
    own = [str(i) for i in range(n)] if names is None else names
    sizes = _sizes(nodes, n, leaves)
    texts = [own[node] if node < n else f"({size})" for node, size in zip(leaves, sizes, strict=True)]
    name_ticks(ax, texts)
    if cut is not None:
        ax.axhline(cut, color=GRAY, linestyle="dashed", linewidth=1.0)
    ax.set_ylabel("height of the merge")
    ax.set_ylim(0, top)
    return ax


def _checked(children: ArrayLike, heights: ArrayLike) -> tuple[NDArray[np.int64], Floats]:
    nodes, levels = np.asarray(children), np.asarray(heights, dtype=np.float64)
    count = len(levels) if levels.ndim == 1 else -1
    nodes = nodes.reshape(0, 2).astype(np.int64) if nodes.size == 0 else nodes
    whole = nodes.shape == (count, 2) and nodes.dtype.kind in "iu"
    limits = count + 1 + np.arange(max(count, 0))[:, None]
    # Children exist before their parent: a node is below n + i in merge i.
    if not whole or (nodes < 0).any() or (nodes >= limits).any() or len(np.unique(nodes)) != nodes.size:
        raise ValueError(
            "dendrogram: 'children' must have two nodes for each height, every one used once and after it is "
            f"made; got shape {nodes.shape} for {count} heights."
        )
    return nodes, levels


def _leaves(nodes: NDArray[np.int64], n: int, first: int) -> list[int]:
    """The nodes at the bottom of the drawing, from left to right."""
    bottom, stack = [], [2 * n - 2]
    while stack:
        node = stack.pop()
        if node < first:
            bottom.append(node)
        else:
            # Reversed, because a stack gives back the last one first.
            stack += nodes[node - n].tolist()[::-1]
    return bottom


def _sizes(nodes: NDArray[np.int64], n: int, bottom: list[int]) -> list[int]:
    """Number of leaves of each node at the bottom."""
    count = max(bottom) - n + 1  # merges below
    if count <= 0:
        return [1] * len(bottom)
    ends = nodes[:count].ravel(), np.repeat(np.arange(n, n + count), 2)
    graph = coo_array((np.ones(2 * count, dtype=np.int8), ends), (n + count, n + count))
    # Leaves below a drawn node are its connected component in the graph of earlier merges.
    parts = connected_components(graph, directed=False)[1]
    return [int(size) for size in np.bincount(parts[:n])[parts[bottom]]]


def _shades(nodes: NDArray[np.int64], levels: Floats, first: int, cut: float) -> dict[int, str]:
    """Colors of the drawn merges below the cut, one for each cluster, from left to right."""
    n = len(levels) + 1
    shades: dict[int, str] = {}
    stack, n_clusters = [(2 * n - 2, "")], 0
    while stack:
        node, shade = stack.pop()
        if node < first:
            continue
        own = shade
        if not own and levels[node - n] < cut:
            own, n_clusters = color(n_clusters), n_clusters + 1
        if own:
            shades[node] = own
        stack += [(child, own) for child in nodes[node - n].tolist()[::-1]]
    return shades
