"""Distances that the user has computed: a square matrix, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = ["called_matrix", "precomputed_matrix", "precomputed_queries"]

# What the distances are, and what to do about wrong ones.
GIVEN = ("precomputed distances", "repair the matrix, or pass the rows and name a metric")
CALLED = ("values of the distance function", "correct the function, or name a metric")
ROUNDING = 1e-8  # of the largest distance: up to this a matrix is symmetric and its diagonal 0


def precomputed_matrix(owner: str, X: Any) -> Floats:
    """Return the distances between all rows: a square matrix, finite, symmetric, 0 on the diagonal."""
    matrix = np.ascontiguousarray(X, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not len(matrix):
        raise ValueError(
            f"{owner}: with metric='precomputed' X must be the square matrix of the distances "
            f"between all rows; got shape {matrix.shape}."
        )
    _check_distances(owner, matrix, GIVEN)
    return matrix


def called_matrix(owner: str, matrix: Floats, rows: NDArray[np.integer]) -> Floats:
    """Return the values of a distance function for all pairs of these rows, checked in the same way."""
    _check_distances(owner, matrix, CALLED, rows)
    return matrix


def _check_distances(
    owner: str, matrix: Floats, texts: tuple[str, str], rows: NDArray[np.integer] | None = None
) -> None:
    refuse_cells(owner, matrix, ~np.isfinite(matrix), "must be finite numbers", texts, rows)
    refuse_cells(owner, matrix, matrix < 0, "must not be negative", texts, rows)
    slack = ROUNDING * float(matrix.max())
    gaps = np.abs(matrix - matrix.T) > slack
    refuse_cells(owner, matrix, gaps, "must be symmetric, the same there and back", texts, rows)
    diagonal = np.diag(np.diag(matrix) > slack)
    refuse_cells(owner, matrix, diagonal, "must be 0 on the diagonal, from a row to itself", texts, rows)


def precomputed_queries(owner: str, X: Any) -> Floats:
    """Return the distances of new rows to the rows of a fit: finite and not negative."""
    matrix = np.ascontiguousarray(X, dtype=np.float64)
    refuse_cells(owner, matrix, ~np.isfinite(matrix), "must be finite numbers")
    refuse_cells(owner, matrix, matrix < 0, "must not be negative")
    return matrix


def refuse_cells(
    owner: str,
    matrix: Floats,
    wrong: Any,
    rule: str,
    texts: tuple[str, str] = GIVEN,
    rows: NDArray[np.integer] | None = None,
) -> None:
    """Reject the first wrong cell of a matrix of distances, or of those between some rows."""
    if wrong.any():
        what, remedy = texts
        i, j = np.unravel_index(int(np.argmax(wrong)), matrix.shape)
        one, other = (i, j) if rows is None else (rows[i], rows[j])
        raise ValueError(
            f"{owner}: {what} {rule}; got {matrix[i, j]:g} from row {one} to row {other}: {remedy}."
        )
