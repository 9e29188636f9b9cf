"""Prototypes of clusters: a center and, where distances are specific to clusters, a shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hornbook import _native
from hornbook.params import Floats

__all__ = ["FuzzyPrototypes"]


@dataclass(frozen=True)
class FuzzyPrototypes:
    """Centers and shapes of clusters.

    With a shape C, the squared distance from a cluster is (x - center)ᵀ C⁻¹ (x - center), computed as
    |R (x - center)|² from a factor R of C⁻¹ = RᵀR.

    Parameters
    ----------
    centers : ndarray of shape (n_clusters, n_columns)
        The centers.
    shapes : ndarray of shape (n_clusters, n_columns, n_columns), optional
        Symmetric positive definite matrices; without them distances are Euclidean.
    factors : ndarray of shape (n_clusters, n_columns, n_columns), optional
        Their factors, upper triangular.
    """

    centers: Floats
    shapes: Floats | None = None
    factors: Floats | None = None

    @staticmethod
    def shaped(centers: Floats, shapes: Floats) -> FuzzyPrototypes:
        """Prototypes with shapes, of which the factors are computed."""
        # From eigenvectors: Cholesky's method fails on matrices that are singular up to rounding.
        values, vectors = np.linalg.eigh(shapes)
        floor = np.finfo(np.float64).eps * values[:, -1:] / 4
        # S^(-1/2) = D^(-1/2) V'; the floor keeps a direction without spread from dividing by zero.
        halves = np.swapaxes(vectors, 1, 2) / np.sqrt(np.maximum(values, floor))[:, :, None]
        # QR makes the factor triangular, which the kernel exploits; R'R is the same inverse.
        return FuzzyPrototypes(centers, shapes, np.ascontiguousarray(np.linalg.qr(halves, mode="r")))

    def square_distances(self, X: Floats) -> Floats:
        """Squared distances of rows from all centers, over the known columns.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_columns)
            The rows; missing cells are NaN.
        """
        if self.factors is None:
            return _native.square_distances(X, self.centers, 1)
        squares = np.empty((len(X), len(self.centers)))
        for i, factor in enumerate(self.factors):
            with np.errstate(over="ignore", invalid="ignore"):
                # Mahalanobis distances as lengths of transformed deviations: never negative by
                # rounding.
                squares[:, i] = np.square(self.deviations(X, i) @ factor.T).sum(axis=1)
        # What overflows with both signs is far away, too.
        return np.nan_to_num(squares, copy=False, nan=np.inf, posinf=np.inf)

    def deviations(self, X: Floats, i: int) -> Floats:
        """Rows minus a center, where a missing cell has the value that is nearest to the cluster.

        Of all values that missing cells could have, the nearest leave the distance over the known columns:
        with a shape they are the conditional means, else the center itself.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_columns)
            The rows.
        i : int
            The cluster.
        """
        rows: Floats = X - self.centers[i]
        missing = np.isnan(rows)
        if not missing.any():
            return rows
        rows[missing] = 0.0
        if self.factors is None:
            return rows
        patterns, which = np.unique(missing, axis=0, return_inverse=True)
        for number, gaps in enumerate(patterns):
            if gaps.any() and not gaps.all():
                mine = np.flatnonzero(which.ravel() == number)
                known, unknown = self.factors[i][:, ~gaps], self.factors[i][:, gaps]
                # Least squares: the missing part that minimizes |U m + K k|^2, the conditional mean
                # of a normal.
                fill = -np.linalg.lstsq(unknown, known, rcond=None)[0]
                rows[np.ix_(mine, gaps)] = rows[np.ix_(mine, ~gaps)] @ fill.T
        return rows
