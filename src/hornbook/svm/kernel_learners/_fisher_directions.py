"""Directions of feature space along which classes lie far apart for their width."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, eigh

from hornbook.params import Floats

__all__ = ["FisherDirections", "fisher_directions"]

RANK = 1e-10  # of the largest eigenvalue: smaller ones count as 0
REFINEMENTS = 2  # of a solution, which give back the digits that squaring the matrix has cost


@dataclass(frozen=True)
class FisherDirections:
    """Coefficients of the training rows, and what the classes look like along the directions.

    Parameters
    ----------
    coef : ndarray of shape (n, n_directions)
        The coefficients a, with aᵀKa = 1.
    means, scatters : ndarray of shape (n_classes, n_directions)
        Projected means, and sums of squares around them.
    spread : ndarray of shape (n_directions,)
        Variance within classes, regularization included.
    ratio : float
        (m1 - m2)² / (s1² + s2²) along the first direction.
    """

    coef: Floats
    means: Floats
    scatters: Floats
    spread: Floats
    ratio: float


def fisher_directions(
    K: Floats, y: NDArray[Any], w: Floats, k: int, regularization: float, learner: str
) -> FisherDirections:
    """Maximize the scatter M between classes over the scatter N within, both in terms of kernel values.

    With u_c the unit vector of the roots of the weights in class c, and K weighted by these roots on both
    sides, m_c = K u_c / √(mass of c) and N = K (I - Σ u_c u_cᵀ) K: with weights of 1 the formulas of
    textbooks. Weighted so, a row of weight 2 is the same as two rows, also for the regularization.
    """
    root = np.sqrt(w)
    weighted = K * root[:, None] * root
    with np.errstate(over="ignore"):
        # The scatter within holds sums of squares of kernel values.
        overflow = not np.isfinite(np.square(np.abs(weighted).max(initial=0.0)) * len(K))
    if overflow:
        raise ValueError(
            f"{learner}: the kernel has values so large that their squares overflow: scale the columns, or "
            "choose another kernel."
        )
    indicator = np.where(y[:, None] == np.arange(k), root[:, None], 0.0)
    mass = np.square(indicator).sum(axis=0)
    units = indicator / np.sqrt(mass)
    images = weighted @ units
    # K (I - E Eᵀ) with the normalized indicators E of the classes, which is K minus its class means: N is
    # this times its transpose.
    within = weighted - images @ units.T
    means = images / np.sqrt(mass)
    if k == 2:
        between = means[:, 1:] - means[:, :1]
    else:
        between = (means - (means @ mass / mass.sum())[:, None]) * np.sqrt(mass)
    solved = _solved(within, between, regularization)
    # M has rank k - 1 at most: the eigenproblem is between'(N + r I)^-1 between, of the size of the classes,
    # and not one of the size of the rows.
    values, vectors = eigh(between.T @ solved)
    order = np.argsort(-values)[: min(k - 1, int((values > RANK * values.max(initial=0.0)).sum()))]
    b = solved @ vectors[:, order]
    return _summary(K, y, w, b * root[:, None], b, regularization, learner)


def _solved(within: Floats, between: Floats, regularization: float) -> Floats:
    """(N + regularization I)⁻¹ times the columns, N = within withinᵀ; else the pseudo-inverse of N."""
    N = within @ within.T
    if regularization > 0:
        shifted = N.copy()
        # A little more than asked for, so that rounding cannot make the factorization fail; refinement takes
        # it back.
        shifted.flat[:: len(N) + 1] += regularization + len(N) * np.finfo(np.float64).eps * np.abs(N).max()
        factor = cho_factor(shifted, lower=True, overwrite_a=True)
        x = np.asarray(cho_solve(factor, between))
        for _ in range(REFINEMENTS):
            left = between - within @ (within.T @ x) - regularization * x
            x += cho_solve(factor, left)
        return x
    values, vectors = eigh(N)
    inverse = np.divide(1.0, values, out=np.zeros_like(values), where=values > RANK * values.max(initial=0.0))
    return np.asarray(vectors @ (inverse[:, None] * (vectors.T @ between)))


def _summary(
    K: Floats, y: NDArray[Any], w: Floats, a: Floats, b: Floats, regularization: float, learner: str
) -> FisherDirections:
    image = K @ a
    squares = (a * image).sum(axis=0)
    if not (squares > 0).all():
        raise ValueError(
            f"{learner}: a direction has no length, so the kernel is not positive semidefinite: choose "
            "another, or raise the regularization."
        )
    length = np.sqrt(squares)
    a, b, image = a / length, b / length, image / length
    k = int(y.max()) + 1
    hits = np.where(y == np.arange(k)[:, None], w, 0.0)
    means = hits @ image / hits.sum(axis=1, keepdims=True)
    scatters = hits @ np.square(image - means[y])
    total = scatters.sum(axis=0)
    spread = (total + regularization * np.square(b).sum(axis=0)) / w.sum()
    # Without any width the nearest mean decides all the same, whatever the unit.
    spread = np.where(spread > 0, spread, 1.0)
    ratio = 0.0
    if means.shape[1]:
        gap = float(np.square(means[1] - means[0])[0])
        ratio = gap / float(total[0]) if total[0] > 0 else np.inf if gap > 0 else 0.0
    return FisherDirections(a, means, scatters, spread, ratio)
