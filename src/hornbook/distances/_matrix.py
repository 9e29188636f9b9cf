"""Distances that the user has computed: a square matrix, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.params import Floats

__all__ = ["precomputed_matrix", "precomputed_queries"]

ROUNDING = 1e-8  # of the largest distance: up to this a matrix is symmetric and its diagonal 0


def precomputed_matrix(owner: str, X: Any) -> Floats:
    """Return the distances between all rows: a square matrix, finite, symmetric, 0 on the diagonal."""
    matrix = np.ascontiguousarray(X, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not len(matrix):
        raise ValueError(
            f"{owner}: with metric='precomputed' X must be the square matrix of the distances "
            f"between all rows; got shape {matrix.shape}."
        )
    refuse_cells(owner, matrix, ~np.isfinite(matrix), "must be finite numbers")
    refuse_cells(owner, matrix, matrix < 0, "must not be negative")
    slack = ROUNDING * float(matrix.max())
    refuse_cells(
        owner,
        matrix,
        np.abs(matrix - matrix.T) > slack,
        "must be symmetric, the same there and back",
    )
    refuse_cells(
        owner, matrix, np.diag(np.diag(matrix) > slack), "must be 0 on the diagonal, from a row to itself"
    )
    return matrix


def precomputed_queries(owner: str, X: Any) -> Floats:
    """Return the distances of new rows to the rows of a fit: finite and not negative."""
    matrix = np.ascontiguousarray(X, dtype=np.float64)
    refuse_cells(owner, matrix, ~np.isfinite(matrix), "must be finite numbers")
    refuse_cells(owner, matrix, matrix < 0, "must not be negative")
    return matrix


def refuse_cells(owner: str, matrix: Floats, wrong: Any, rule: str) -> None:
    """Reject the first wrong cell of a matrix of distances."""
    if wrong.any():
        i, j = np.unravel_index(int(np.argmax(wrong)), matrix.shape)
        raise ValueError(
            f"{owner}: precomputed distances {rule}; got {matrix[i, j]:g} from row {i} to row {j}: repair "
            "the matrix, or pass the rows and name a metric."
        )
