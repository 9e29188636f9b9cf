"""Nearest rows by matrix products: approximations rule out most rows, the rest are computed exactly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.params import Floats, blas_threads

__all__ = ["nearest_by_products"]


QUERIES, ROWS = 512, 4096  # of one product: both factors and the result stay in the cache
ROUNDING = 2.0**-24  # of single precision


def nearest_by_products(
    rows: Floats, queries: Floats, k: int, n_threads: int
) -> tuple[Floats, NDArray[np.int64]]:
    """Return Euclidean distances and indices of the k nearest rows of each query, exact to the last bit.

    The square of a distance is |x|² - 2 x·q + |q|². The products x·q come from BLAS in single precision and
    have an error of at most (d + 2) roundings of |x| |q| (Higham 2002, section 3.1), and |x| |q| is at most
    half of |x|² + |q|². Subtracting twice that error gives a lower bound on the true square, so the exact
    distance of a row is computed only if its lower bound is within reach of the best.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is not ruled out
        return _nearest(rows, queries, k, n_threads)


def _nearest(rows: Floats, queries: Floats, k: int, n_threads: int) -> tuple[Floats, NDArray[np.int64]]:
    center = rows.mean(axis=0)
    # Centered, because rounding errors grow with |x| |q|; scaled, because single precision overflows early.
    sources, targets = rows - center, queries - center
    scale = _scale(max(np.abs(sources).max(), np.abs(targets).max()))
    sources *= scale
    targets *= scale
    slack = 1 - 4 * (rows.shape[1] + 8) * ROUNDING
    # |x|² enters as one more column, so that the product with (-2 q, 1) is the whole bound but for |q|².
    left = _with_column(sources, slack * np.einsum("ij,ij->i", sources, sources))
    floors = slack * np.einsum("ij,ij->i", targets, targets)
    right = _with_column(-2 * targets, np.ones(len(targets)))
    distances = np.full((len(queries), k), np.inf)
    indices = np.full((len(queries), k), -1, dtype=np.int64)
    with blas_threads(n_threads):
        for start in range(0, len(queries), QUERIES):
            part = slice(start, start + QUERIES)
            for first in range(0, len(rows), ROWS):
                rough = right[part] @ left[first : first + ROWS].T
                _native.nearest_refine(
                    rough,
                    floors[part],
                    scale * scale,
                    rows,
                    first,
                    queries[part],
                    distances[part],
                    indices[part],
                    n_threads,
                )
    _native.nearest_settle(distances, indices, n_threads)
    return distances, indices


def _scale(largest: float) -> float:
    """Return the power of two, which changes no digit, that brings the largest number near 1."""
    return float(np.ldexp(1.0, -int(np.clip(np.frexp(largest)[1], -500, 500))))


def _with_column(matrix: Floats, column: Floats) -> NDArray[np.float32]:
    """Return the matrix with one more column, in single precision."""
    return np.concatenate([matrix, column[:, None]], axis=1, dtype=np.float32, casting="same_kind")
