"""Whether points are in general position."""

from __future__ import annotations

import math
from itertools import combinations, islice
from typing import Any

import numpy as np

from hornbook.concepts._points import points_of

__all__ = ["in_general_position"]

MOST = 2_000_000  # groups of points that are looked at
AT_ONCE = 20_000
FLAT = 1e-10  # smallest over largest singular value of points on a hyperplane, up to rounding


def in_general_position(X: Any) -> bool:
    """Test whether no l + 1 of the points in R^l lie on a hyperplane.

    Of fewer points, none may lie on the line, plane, ... through the others. Every group of l + 1 points is
    looked at, so this is for few points or few dimensions.

    Parameters
    ----------
    X : table of numbers of shape (n_points, l)
        The points.

    Returns
    -------
    bool
        Up to rounding: points are on a hyperplane when their coordinates, scaled to one range, are within
        1e-10 of one.

    Examples
    --------
    >>> in_general_position([[0, 0], [0, 1], [1, 0], [1, 1]])
    True
    >>> in_general_position([[0, 0], [1, 1], [2, 2], [0, 1]])
    False
    """
    points = points_of("in_general_position", X)
    n, d = points.shape
    size = min(n, d + 1)
    groups = math.comb(n, size)
    if groups > MOST:
        raise ValueError(
            f"in_general_position: {n} points in {d} dimensions have {groups} groups of {size}, and at most "
            f"{MOST} are looked at: pass fewer points."
        )
    reach = np.ptp(points, axis=0)
    scaled = (points - points.mean(axis=0)) / np.where(reach > 0, reach, 1.0)
    chosen = combinations(range(n), size)
    while part := list(islice(chosen, AT_ONCE)):
        corners = scaled[np.array(part)]
        # Points lie on a hyperplane when the edges from the first to the others are dependent.
        edges = corners[:, 1:] - corners[:, :1]
        if size > 1 and (_thinnest(edges) <= FLAT).any():
            return False
    return True


def _thinnest(edges: Any) -> Any:
    """The smallest singular value of each group over the largest; 0 for points that are all equal."""
    values = np.linalg.svd(edges, compute_uv=False)
    widest = values[:, 0]
    return np.divide(values[:, -1], widest, out=np.zeros_like(widest), where=widest > 0)
