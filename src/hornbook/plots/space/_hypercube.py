"""The vertices of a cube that threshold units map regions on, and the plane between two classes of them."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, color
from hornbook.plots.space._axes3d import axes3d, name_axes
from hornbook.plots.space._feature_space import draw_plane

__all__ = ["hypercube"]


def hypercube(
    chosen: Collection[str],
    others: Collection[str],
    w: ArrayLike | None = None,
    t: float = 0.0,
    ax: Any = None,
    *,
    title: str = "",
) -> Any:
    """Draw the unit cube with its vertices by class, and the plane w·y = t that separates them.

    Parameters
    ----------
    chosen : collection of str
        Codes of three digits, such as "101": the vertices of the first class.
    others : collection of str
        Those of the second class. Vertices in neither are not produced by any region and stay open.
    w : array-like of shape (3,), optional
        Weights of the plane.
    t : float, default 0.0
        Its threshold.
    ax : matplotlib Axes with the projection "3d", optional
        Where to draw; a new figure when left out.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = hypercube(["111"], ["000", "001"], [1, 1, 1], 2.5)
    >>> len(ax.lines), len(ax.texts)  # the edges and the codes
    (12, 8)
    """
    wrong = [code for code in [*chosen, *others] if len(code) != 3 or set(code) - {"0", "1"}]
    if wrong or set(chosen) & set(others):
        raise ValueError(
            "hypercube: 'chosen' and 'others' must be different codes of three digits 0 and 1; got "
            f"{list(chosen)} and {list(others)}."
        )
    ax = axes3d("hypercube", ax)
    corners = list(product((0.0, 1.0), repeat=3))
    for start, stop in combinations(corners, 2):
        if sum(a != b for a, b in zip(start, stop, strict=True)) == 1:
            ax.plot(*zip(start, stop, strict=True), color=GRAY, linewidth=0.9)
    if w is not None:
        weights = np.asarray(w, dtype=np.float64)
        if weights.shape != (3,) or not weights.any():
            raise ValueError(f"hypercube: 'w' must be three numbers, not all 0; got {weights.tolist()}.")
        draw_plane(ax, weights, t, np.array([[-0.15] * 3, [1.15] * 3]), color(2))
    for corner in corners:
        code = "".join(str(int(digit)) for digit in corner)
        look: dict[str, Any] = (
            {"color": color(3), "marker": "o"} if code in chosen else {"color": "black", "marker": "s"}
        )
        if code not in chosen and code not in others:
            look = {"facecolor": "white", "edgecolor": GRAY, "marker": "o"}
        ax.scatter(*([digit] for digit in corner), s=60, depthshade=False, **look)
        ax.text(*(digit + 0.06 for digit in corner), code, fontsize=9)
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.set_ticks([0, 1])
    name_axes(ax, ("y1", "y2", "y3"), title)
    return ax
