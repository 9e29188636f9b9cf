"""Rows with missing cells: the covariance of greatest likelihood, and coordinates from what is known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Block, Blocks, Moments
from hornbook.params import Floats

__all__ = ["RIDGE", "expected_coordinates", "normal_covariance", "regression"]

RIDGE = 1e-5  # of the variances, while cells are completed: columns that follow from others need an inverse
LEAST = 1e-6  # of the largest singular value: directions in which known cells say nothing


def normal_covariance(
    blocks: Blocks, moments: Moments, tol: float, max_iter: int
) -> tuple[Floats, Floats, int]:
    """Mean and covariance of one normal distribution, missing cells integrated out, and the passes it took.

    Expectation maximization: missing cells enter with their conditional means and covariances given the known
    ones. It ends when no correlation and no mean, in standard deviations, changes by ``tol``.
    """
    mean, variance = moments.mean[0], moments.variance()[0]
    d = len(mean)
    # Proportional to the variances, so that units of columns make no difference; plus their mean, for columns
    # that are constant.
    floor = RIDGE * (variance + variance.mean()) if variance.any() else np.ones(d)
    spread = np.sqrt(np.where(variance > 0, variance, 1.0))
    covariance = np.diag(variance)
    n_iter, change = 0, np.inf
    while n_iter < max_iter and change >= tol:
        factor = np.linalg.cholesky(covariance + np.diag(floor))
        whiten = np.tril(np.linalg.solve(factor, np.eye(d)))
        flat: Floats = blocks.reduce(_normal_sums, mean[None], whiten)
        # Sums are about the mean of the last pass, so that the covariance is a small correction away and not
        # the difference of two large numbers.
        shift = flat[2 : 2 + d] / flat[1]
        second = np.empty((d, d))
        lower = np.tril_indices(d)
        second[lower] = second.T[lower] = flat[2 + d :] / flat[1]
        now = second - np.outer(shift, shift)
        change = max(
            float(np.abs(shift / spread).max()),
            float(np.abs((now - covariance) / np.outer(spread, spread)).max()),
        )
        mean, covariance, n_iter = mean + shift, now, n_iter + 1
    return mean, covariance, n_iter


def _normal_sums(block: Block, mean: Floats, whiten: Floats) -> Floats:
    return _native.mixture_sums(block.X, block.w, None, mean, whiten, np.zeros(1), False)


def expected_coordinates(gaps: Floats, directions: Floats, variances: Floats, noise: float) -> Floats:
    """The expected coordinates of rows given their known cells, NaN where a cell is missing."""
    out = np.empty((len(gaps), len(directions)))
    # Rows with the same gaps share a regression: their patterns are fewer than the rows.
    patterns, places = np.unique(~np.isnan(gaps), axis=0, return_inverse=True)
    for i, known in enumerate(patterns):
        rows = places.ravel() == i
        out[rows] = gaps[rows][:, known] @ regression(known, directions, variances, noise)
    return out


def regression(known: NDArray[np.bool_], directions: Floats, variances: Floats, noise: float) -> Floats:
    """What known columns are multiplied by for the coordinates, of shape (n_known, n_directions).

    With x = z V + noise, z normal with the variances less the noise and V the directions, the expectation is
    the solution of a regression on the known columns; with all columns known, it is the projection itself.
    """
    if known.all():
        return directions.T
    spread = np.sqrt(np.maximum(variances - noise, 0.0))
    factor = spread[:, None] * directions[:, known]
    # The posterior mean of probabilistic PCA (Tipping and Bishop 1999), by the SVD: the normal equations
    # would be singular without noise or with fewer known columns than directions.
    left, sizes, right = np.linalg.svd(factor, full_matrices=False)
    used = sizes > LEAST * sizes.max(initial=0.0)
    factors = np.divide(sizes, sizes**2 + noise, out=np.zeros_like(sizes), where=used)
    return np.asarray((right.T * factors) @ left.T * spread)
