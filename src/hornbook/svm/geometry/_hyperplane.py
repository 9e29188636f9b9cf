"""Hyperplanes: distances, margins, support vectors, the canonical form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.params import Floats

__all__ = ["Hyperplane"]

ROUNDING = 1e-9  # of the margin: points this near to it are support vectors


@dataclass(frozen=True)
class Hyperplane:
    """The points x with h(x) = w·x + b = 0.

    Parameters
    ----------
    w : array-like of shape (n_columns,)
        The weights, which are orthogonal to the hyperplane.
    b : float
        The bias.

    Examples
    --------
    >>> from hornbook.svm import Hyperplane
    >>> line = Hyperplane.through([4.0, 0.0], [2.0, 5.0])
    >>> line.w.tolist(), line.b, line.distances([[0.0, 0.0]]).round(2).tolist()
    ([5.0, 2.0], -20.0, [-3.71])
    """

    w: Floats
    b: float

    def __init__(self, w: ArrayLike, b: float) -> None:
        weights = np.asarray(w, dtype=np.float64)
        if weights.ndim != 1 or not np.isfinite(weights).all() or not weights.any() or not np.isfinite(b):
            raise ValueError("Hyperplane: 'w' must be finite numbers, not all 0, and 'b' a finite number.")
        # The only way to set fields of a frozen dataclass in its own constructor.
        object.__setattr__(self, "w", weights)
        object.__setattr__(self, "b", float(b))

    @classmethod
    def through(cls, p: ArrayLike, q: ArrayLike) -> Hyperplane:
        """Return the line through two points of the plane, with the slope -w1 / w2.

        Parameters
        ----------
        p, q : array-like of shape (2,)
            The points.

        Returns
        -------
        Hyperplane
            The line; w is the way from p to q, turned by a right angle.
        """
        first, second = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
        if first.shape != (2,) or second.shape != (2,) or (first == second).all():
            raise ValueError("Hyperplane.through: 'p' and 'q' must be different points of the plane.")
        way = second - first
        # The direction turned by a right angle is normal to the line.
        w = np.array([way[1], -way[0]])
        return cls(w, -float(w @ first))

    def values(self, X: ArrayLike) -> Floats:
        """Compute h(x) of each row.

        Parameters
        ----------
        X : array-like of shape (n, n_columns)
            The points.

        Returns
        -------
        ndarray of shape (n,)
            Positive on the side that w points to.
        """
        rows = np.asarray(X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != len(self.w):
            raise ValueError(f"Hyperplane: points need {len(self.w)} columns; got shape {rows.shape}.")
        return np.asarray(rows @ self.w + self.b)

    def sides(self, X: ArrayLike) -> NDArray[np.intp]:
        """Decide on which side each row is: +1 or -1, and 0 on the hyperplane, where nothing is decided.

        Parameters
        ----------
        X : array-like of shape (n, n_columns)
            The points.

        Returns
        -------
        ndarray of shape (n,)
            The signs of h(x).
        """
        return np.sign(self.values(X)).astype(np.intp)

    def intercepts(self) -> Floats:
        """Compute where the hyperplane crosses each axis, -b / w_j.

        Returns
        -------
        ndarray of shape (n_columns,)
            Infinite for axes that it does not cross.
        """
        # An axis parallel to the hyperplane is never crossed.
        crossings = np.full(len(self.w), np.inf)
        crossings[self.w != 0] = -self.b / self.w[self.w != 0]
        return crossings

    def distances(self, X: ArrayLike) -> Floats:
        """Compute the directed distance of each row, h(x) / |w|.

        Parameters
        ----------
        X : array-like of shape (n, n_columns)
            The points.

        Returns
        -------
        ndarray of shape (n,)
            Positive on the side that w points to.
        """
        return self.values(X) / float(np.linalg.norm(self.w))

    def feet(self, X: ArrayLike) -> Floats:
        """Project each row on the hyperplane: x less its directed distance along w.

        Parameters
        ----------
        X : array-like of shape (n, n_columns)
            The points.

        Returns
        -------
        ndarray of shape (n, n_columns)
            The nearest points of the hyperplane.
        """
        unit = self.w / np.linalg.norm(self.w)
        return np.asarray(X, dtype=np.float64) - np.outer(self.distances(X), unit)

    def separates(self, X: ArrayLike, y: ArrayLike) -> bool:
        """Say whether all rows are on the side of their label.

        Parameters
        ----------
        X : array-like of shape (n, n_columns)
            The points.
        y : array-like of shape (n,)
            Labels -1 and +1.

        Returns
        -------
        bool
            False also when a point is on the hyperplane.
        """
        return bool((self.values(X) * _signs(y, len(np.asarray(X))) > 0).all())

    def margin(self, X: ArrayLike, y: ArrayLike) -> float:
        """Compute the smallest distance y h(x) / |w| of a row from the hyperplane.

        Parameters
        ----------
        X : array-like of shape (n, n_columns)
            The points.
        y : array-like of shape (n,)
            Labels -1 and +1.

        Returns
        -------
        float
            Negative if a point is on the wrong side.
        """
        return float((self.distances(X) * _signs(y, len(np.asarray(X)))).min())

    def support_vectors(self, X: ArrayLike, y: ArrayLike) -> NDArray[np.intp]:
        """Find the rows whose distance is the margin.

        Parameters
        ----------
        X : array-like of shape (n, n_columns)
            The points.
        y : array-like of shape (n,)
            Labels -1 and +1.

        Returns
        -------
        ndarray of int
            Their indices.
        """
        distances = self.distances(X) * _signs(y, len(np.asarray(X)))
        return np.flatnonzero(distances <= distances.min() + ROUNDING * np.abs(distances).max())

    def canonical(self, X: ArrayLike, y: ArrayLike) -> Hyperplane:
        """Scale w and b so that y h(x) is 1 for support vectors and more for others; the margin is 1 / |w|.

        Parameters
        ----------
        X : array-like of shape (n, n_columns)
            The points.
        y : array-like of shape (n,)
            Labels -1 and +1.

        Returns
        -------
        Hyperplane
            The same points, other numbers.
        """
        # Scaling w and b together does not move the hyperplane, so one of the two may be chosen freely;
        # Vapnik's choice makes the margin 1 / |w|.
        least = float((self.values(X) * _signs(y, len(np.asarray(X)))).min())
        if least <= 0:
            raise ValueError(
                "Hyperplane.canonical: a point is on the wrong side or on the hyperplane, so no scale makes "
                "all y h(x) at least 1: choose a hyperplane that separates the classes."
            )
        return Hyperplane(self.w / least, self.b / least)


def _signs(y: ArrayLike, n: int) -> Floats:
    labels = np.asarray(y, dtype=np.float64)
    if labels.shape != (n,) or not n or not np.isin(labels, (-1.0, 1.0)).all():
        raise ValueError(f"Hyperplane: 'y' must be -1 or +1 for each of the {n} points.")
    return labels
