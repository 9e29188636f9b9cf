"""Iteratively reweighted least squares (Nelder and Wedderburn 1972), as sums over rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from hornbook import _native
from hornbook.frame import Block, Blocks
from hornbook.linear.solvers._families import Family, Link
from hornbook.linear.solvers._row_space import centered_rows, span
from hornbook.linear.solvers._scatter import Scatter, total_scatter
from hornbook.optimize import solve_positive
from hornbook.params import Floats

__all__ = ["FisherScoring", "ScoreSums", "Step", "identified_directions", "inverse_root"]

HALVINGS = 40
SMALLEST = 1e-12  # eigenvalues of the scaled information, relative to the largest, that count as 0


@dataclass(frozen=True)
class ScoreSums:
    """Deviance of some rows at given coefficients, with its derivatives.

    Parameters
    ----------
    deviance : float
        Sum of the deviances; infinite when a mean is impossible for the family.
    pearson : float
        Sum of (y - m)² / variance.
    score : ndarray of shape (n + 1,)
        Gradient of the log likelihood by the coefficients of the centered columns, the intercept last.
    information, observed : ndarray of shape (n + 1, n + 1)
        Expected and observed Fisher information; equal for the canonical link.
    low, high : float
        Smallest and largest value of the linear predictor.
    """

    deviance: float
    pearson: float
    score: Floats
    information: Floats
    observed: Floats
    low: float
    high: float

    def merge(self, other: ScoreSums) -> ScoreSums:
        """Sums of the rows of both."""
        return ScoreSums(
            self.deviance + other.deviance,
            self.pearson + other.pearson,
            self.score + other.score,
            self.information + other.information,
            self.observed + other.observed,
            min(self.low, other.low),
            max(self.high, other.high),
        )


@dataclass(frozen=True)
class Step:
    """One step of the fit: the coefficients, the sums there, and whether it was the last."""

    theta: Floats
    sums: ScoreSums
    converged: bool


@dataclass(frozen=True)
class FisherScoring:
    """Newton's method for a generalized linear model: every step is a weighted least squares fit.

    Where the log likelihood is not concave, as can happen far from its maximum when the link is not
    canonical, the expected information takes the place of the observed one (Fisher scoring). Coefficients are
    those of centered columns, so that columns far from 0 keep their digits.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    center : ndarray of shape (n,)
        What is subtracted from the columns.
    basis : ndarray of shape (n, m), optional
        Directions to which the coefficients are restricted, if columns are redundant.
    family : Family
        How the target is distributed around its mean.
    link : Link
        The link function.
    free : ndarray of int
        Indices of the coefficients that are fitted; the others stay as they are.
    tol : float
        Stop when a step promises to lower the deviance by at most its square, relative to the deviance.
    """

    blocks: Blocks
    center: Floats
    basis: Floats | None
    family: Family
    link: Link
    free: NDArray[np.intp]
    tol: float

    @property
    def width(self) -> int:
        """Coefficients, without the intercept."""
        return len(self.center) if self.basis is None else self.basis.shape[1]

    def uncentered(self, theta: Floats) -> Floats:
        """Coefficients of the original columns; the intercept, last, absorbs the centering."""
        coef = theta[:-1] if self.basis is None else self.basis @ theta[:-1]
        return np.concatenate([coef, theta[-1:] - self.center @ coef])

    def at(self, theta: Floats) -> ScoreSums:
        """Sums over all rows at these coefficients, the intercept last."""
        state = (self.center, self.basis, self.family, self.link)
        return self.blocks.reduce(_score_sums, theta, *state, merge=ScoreSums.merge)

    def steps(self, theta: Floats) -> Iterator[Step]:
        """Steps from a feasible start; ends without convergence when no step lowers the deviance."""
        current = self.at(theta)
        while True:
            step = self._step(current)
            # Step halving: a full Newton step can overshoot, or leave the range of possible means.
            for _ in range(HALVINGS):
                candidate = self.at(theta + step)
                if candidate.deviance <= current.deviance + 1e-12 * abs(current.deviance):
                    break
                step = step / 2
            else:
                return
            theta = theta + step
            # The gradient times the step: twice the decrease that the quadratic model promises.
            promised = float(current.score @ step)
            done = (
                # An absolute part as well, as in R's glm: the deviance of a perfect fit is 0, and nothing is
                # small beside it.
                promised <= self.tol**2 * (abs(candidate.deviance) + 0.1)
                or candidate.deviance >= current.deviance
            )
            current = candidate
            yield Step(theta, current, done)
            if done:
                return

    def _step(self, sums: ScoreSums) -> Floats:
        block = np.ix_(self.free, self.free)
        observed = sums.observed[block]
        if not _is_semidefinite(observed):  # not concave here: Newton might step away from the maximum
            observed = sums.information[block]
        step = np.zeros_like(sums.score)
        step[self.free] = solve_positive(observed, sums.score[self.free])
        return step


def _is_semidefinite(observed: Floats) -> bool:
    """Whether a matrix is positive semidefinite up to rounding."""
    size = np.sqrt(np.abs(np.diag(observed)))
    unit = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    # Scaling both sides alike keeps the signs of the eigenvalues (Sylvester's law of inertia), and makes
    # those comparable that belong to columns in different units.
    values = eigh(observed * unit[:, None] * unit, eigvals_only=True)
    return bool(values.min(initial=0.0) >= -SMALLEST * values.max(initial=0.0))


@np.errstate(all="ignore")
def _score_sums(
    block: Block, theta: Floats, center: Floats, basis: Floats | None, family: Family, link: Link
) -> ScoreSums:
    y, X = np.asarray(block.y), block.X - center
    if basis is not None:
        X = X @ basis
    z = X @ theta[:-1] + theta[-1]
    positive = np.ones(len(y), dtype=bool) if block.w is None else block.w > 0
    w = np.ones(len(y)) if block.w is None else block.w
    mean = link.mean(z)
    possible = family.inside(mean) & np.isfinite(z) & ((z > 0) | (not link.positive))
    # An impossible mean makes the deviance infinite, so that step halving backs off.
    if not possible[positive].all():
        n = len(theta)
        flat = np.zeros((n, n))
        return ScoreSums(np.inf, np.inf, np.zeros(n), flat, flat, -np.inf, np.inf)
    slope, variance = link.slope(z), family.variance(mean)
    residual = np.where(positive, w * (y - mean) * slope / variance, 0.0)
    expected = np.where(positive, w * slope**2 / variance, 0.0)
    score = np.append(X.T @ residual, residual.sum())
    deviance = np.where(positive, family.deviance(y, mean), 0.0)
    pearson = np.where(positive, (y - mean) ** 2 / variance, 0.0)
    ends = (float(z[positive].min()), float(z[positive].max())) if positive.any() else (np.inf, -np.inf)
    # (d mean / dz)² / variance is the expected information; the observed one adds a term in the residual,
    # which vanishes for the canonical link.
    information = observed = _native.weighted_gram(X, expected)
    if link.name != family.canonical:
        correction = link.curve(z) / variance - slope**2 * family.steepness(mean) / variance**2
        true = expected - np.where(positive, w * (y - mean) * correction, 0.0)
        # The kernel takes square roots of the weights, so negative ones are subtracted separately.
        observed = _native.weighted_gram(X, np.maximum(true, 0.0))
        if (true < 0).any():
            observed = observed - _native.weighted_gram(X, np.maximum(-true, 0.0))
    return ScoreSums(float(w @ deviance), float(w @ pearson), score, information, observed, *ends)


def inverse_root(matrix: Floats) -> Floats:
    """A root R of the inverse RR' of a positive semidefinite matrix, with as many columns as its rank.

    Rows and columns are scaled to a unit diagonal first; a singular matrix gets its pseudo-inverse in these
    units.
    """
    size = np.sqrt(np.diag(matrix))
    unit = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    values, vectors = eigh(matrix * unit[:, None] * unit)
    used = values > SMALLEST * values.max(initial=0.0)
    return np.asarray(unit[:, None] * vectors[:, used] / np.sqrt(values[used]))


def identified_directions(blocks: Blocks, center: Floats, unit: Floats, offset: int | None) -> Floats | None:
    """Directions in which the coefficients are identified, as columns; None if those are all columns.

    Of coefficients that fit equally well, the fit takes those that are shortest after multiplication by the
    standard deviations of their columns; ``unit`` holds the inverses of these. The column of the offset,
    whose coefficient is fixed, is the last direction.
    """
    n, free = len(center), np.ones(len(center), dtype=bool)
    if offset is not None:
        free[offset] = False
    unit = np.where(free, unit, 0.0)  # the offset is no direction of the fit
    if blocks.n_rows < n:
        rows = centered_rows(blocks, center)
        directions, _ = span((rows.X if rows.w is None else rows.X[rows.w > 0]) * unit, np.sqrt(SMALLEST))
    else:
        scatter = blocks.reduce(total_scatter, merge=Scatter.merge)
        gap = (scatter.mean[0] - center) * unit
        mass = float(scatter.mass[0])
        values, vectors = eigh(scatter.within * unit[:, None] * unit / mass + np.outer(gap, gap))
        directions = vectors[:, values > SMALLEST * values.max(initial=0.0)]
        if directions.shape[1] == free.sum():
            return None
    basis = unit[:, None] * directions
    return basis if offset is None else np.column_stack([basis, ~free])
