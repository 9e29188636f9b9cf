"""Whether points are in general position."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.concepts._points import points_of
from hornbook.params import Floats
from hornbook.plots import lines

__all__ = ["Position", "in_general_position"]


MOST = 2_000_000  # groups of points that are examined
AT_ONCE = 20_000
FLAT = 1e-10  # smallest over largest singular value of points on a hyperplane, up to rounding


@dataclass(frozen=True)
class Position:
    """The result of `in_general_position`; truthy when the points are.

    Parameters
    ----------
    points : ndarray of shape (n_points, l)
        The points.
    groups : ndarray of int of shape (n_groups, l + 1)
        Points that lie on one hyperplane: empty in general position, else the first such groups.
    """

    points: Floats
    groups: NDArray[np.intp]

    def __bool__(self) -> bool:
        return len(self.groups) == 0

    def plot(self, ax: Any = None) -> Any:
        """Draw points of the plane, with a line through those that share one."""
        if self.points.shape[1] != 2:
            raise ValueError(
                f"Position: points of {self.points.shape[1]} columns cannot be drawn: take two columns."
            )
        along = [_longest_edge(self.points[group]) for group in self.groups]
        across = np.array([[-edge[1], edge[0]] for edge in along]).reshape(len(along), 2)
        starts = np.array([self.points[group[0]] for group in self.groups]).reshape(across.shape)
        title = "in general position" if self else "not in general position"
        return lines(self.points, across, (across * starts).sum(axis=1), title=title, ax=ax)


def in_general_position(X: Any) -> Position:
    """Test whether no l + 1 of the points in R^l lie on a hyperplane.

    Of fewer points, none may lie on the line, plane, ... through the others. Every group of l + 1 points is
    examined, so this is for few points or few dimensions.

    Parameters
    ----------
    X : table of numbers of shape (n_points, l)
        The points.

    Returns
    -------
    Position
        Truthy or falsy, with the points that are on a hyperplane. Up to rounding: points are on one when
        their coordinates, scaled to one range, are within 1e-10 of it.

    Examples
    --------
    >>> bool(in_general_position([[0, 0], [0, 1], [1, 0], [1, 1]]))
    True
    >>> in_general_position([[0, 0], [1, 1], [2, 2], [0, 1]]).groups.tolist()
    [[0, 1, 2]]
    """
    points = points_of("in_general_position", X)
    n, d = points.shape
    size = min(n, d + 1)  # fewer points must not even share a plane of lower dimension
    n_groups = math.comb(n, size)
    if n_groups > MOST:
        raise ValueError(
            f"in_general_position: {n} points in {d} dimensions have {n_groups} groups of {size}, and at "
            f"most {MOST} are examined: pass fewer points."
        )
    # Columns in one range, so that the threshold does not depend on their units.
    reach = np.ptp(points, axis=0)
    scaled = (points - points.mean(axis=0)) / np.where(reach > 0, reach, 1.0)
    chosen = combinations(range(n), size)
    while part := list(islice(chosen, AT_ONCE)):
        groups = np.array(part, dtype=np.intp)
        corners = scaled[groups]
        # Points lie on a hyperplane when the edges from the first to the others are linearly dependent.
        edges = corners[:, 1:] - corners[:, :1]
        flat = _flatness(edges) <= FLAT if size > 1 else np.zeros(len(groups), dtype=np.bool_)
        if flat.any():
            return Position(points, groups[flat])
    return Position(points, np.zeros((0, size), dtype=np.intp))


def _longest_edge(corners: Floats) -> Floats:
    """From the first of some points on a line to the farthest of the others."""
    edges = corners - corners[0]
    return np.asarray(edges[np.argmax((edges**2).sum(axis=1))])


def _flatness(edges: Any) -> Any:
    """The smallest singular value of each group over the largest; 0 for points that are all equal."""
    values = np.linalg.svd(edges, compute_uv=False)
    widest = values[:, 0]
    return np.divide(values[:, -1], widest, out=np.zeros_like(widest), where=widest > 0)
