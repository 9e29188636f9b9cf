"""Every way to split points in two, and which of them a hyperplane can realize."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.concepts._points import points_of
from hornbook.concepts._separability import can_be_split
from hornbook.display import Table
from hornbook.params import Floats
from hornbook.plots import lines

__all__ = ["Groupings", "linear_dichotomies"]


MOST_POINTS = 12  # 2048 groupings, a linear program each


@dataclass(frozen=True)
class Groupings:
    """All splits of some points into two unordered groups.

    Parameters
    ----------
    names : sequence of str
        Names of the points.
    sides : ndarray of bool of shape (n_groupings, n_points)
        Which points are in the group without the first point.
    separable : ndarray of bool of shape (n_groupings,)
        Whether a hyperplane realizes the split.
    points : ndarray of shape (n_points, n_columns)
        The points.
    weights : ndarray of shape (n_groupings, n_columns)
        w of a hyperplane for each grouping; 0 where there is none, or all points are on one side.
    thresholds : ndarray of shape (n_groupings,)
        Their thresholds: the points of ``sides`` have w·x > t.
    """

    names: Sequence[str]
    sides: NDArray[np.bool_]
    separable: NDArray[np.bool_]
    points: Floats
    weights: Floats
    thresholds: Floats

    @property
    def count(self) -> int:
        """How many labelings with two classes are linearly separable: twice the groupings that are."""
        return 2 * int(self.separable.sum())

    @property
    def table(self) -> Table:
        """One row for each grouping."""
        rows = [
            [self._group(~side), self._group(side), "yes" if can else "no"]
            for side, can in zip(self.sides, self.separable, strict=True)
        ]
        title = f"{self.count} of {2 * len(self.sides)} labelings are linearly separable"
        return Table(title, ["one group", "the other", "separable"], rows)

    def plot(self, ax: Any = None) -> Any:
        """Draw points of the plane and a line for each grouping that has one."""
        if self.points.shape[1] != 2:
            raise ValueError(
                f"Groupings: points of {self.points.shape[1]} columns cannot be drawn: take two columns."
            )
        return lines(
            self.points, self.weights, self.thresholds, names=self.names, title=self.table.title, ax=ax
        )

    def _group(self, chosen: NDArray[np.bool_]) -> str:
        return " ".join(name for name, here in zip(self.names, chosen, strict=True) if here)

    def __str__(self) -> str:
        return str(self.table)


def linear_dichotomies(X: Any, names: Sequence[str] | None = None) -> Groupings:
    """List all ways to split points into two groups, and test whether a hyperplane realizes them.

    Parameters
    ----------
    X : table of numbers of shape (n_points, n_columns)
        At most 12 points.
    names : sequence of str, optional
        Names of the points; A, B, C, ... when left out.

    Returns
    -------
    Groupings
        For points in general position, ``count`` is `dichotomies` (n, l).

    Examples
    --------
    >>> groupings = linear_dichotomies([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> groupings.count, [groupings.names[i] for i in groupings.sides[~groupings.separable][0].nonzero()[0]]
    (14, ['B', 'C'])
    """
    points = points_of("linear_dichotomies", X)
    n = len(points)
    if n > MOST_POINTS:
        raise ValueError(
            f"linear_dichotomies: {n} points can be split in {2 ** (n - 1)} ways: pass at most {MOST_POINTS} "
            "points, or count with hornbook.concepts.dichotomies."
        )
    labels = list(ascii_uppercase[:n]) if names is None else [str(name) for name in names]
    if len(labels) != n:
        raise ValueError(
            f"linear_dichotomies: 'names' must have a name for each of the {n} points; got {len(labels)}."
        )
    # The first point is always on the same side: swapping the two groups gives the same grouping.
    numbers = np.arange(2 ** (n - 1))
    sides = ((numbers[:, None] >> np.arange(n)[::-1]) & 1).astype(np.bool_)
    separations = [can_be_split(points, side) for side in sides]
    none = np.zeros(points.shape[1])
    return Groupings(
        labels,
        sides,
        np.array([separation.separable for separation in separations]),
        points,
        np.array([none if separation.weights is None else separation.weights for separation in separations]),
        np.array(
            [0.0 if separation.threshold is None else separation.threshold for separation in separations]
        ),
    )
