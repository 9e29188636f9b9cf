"""Iteratively reweighted least squares, as sums over rows."""

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
from hornbook.linear.solvers._scatter import Scatter, whole_scatter
from hornbook.optimize import solve_positive
from hornbook.params import Floats

__all__ = ["Scored", "Scoring", "Step", "independent", "inverse_root"]

HALVINGS = 40
SMALLEST = 1e-12  # eigenvalues of the scaled information below this share of the largest count as 0


@dataclass(frozen=True)
class Scored:
    """What some rows say about coefficients.

    Parameters
    ----------
    deviance : float
        Sum of the deviances; infinite when a mean is impossible.
    pearson : float
        Sum of (y - m)² / variance.
    score : ndarray of shape (n + 1,)
        Slope of the log likelihood by coefficients of the centered columns and intercept.
    information, bend : ndarray of shape (n + 1, n + 1)
        How it bends, as expected and as it does; the same for the family's own link.
    low, high : float
        Smallest and largest value of the linear function.
    """

    deviance: float
    pearson: float
    score: Floats
    information: Floats
    bend: Floats
    low: float
    high: float

    def merge(self, other: Scored) -> Scored:
        """What the rows of both say."""
        return Scored(
            self.deviance + other.deviance,
            self.pearson + other.pearson,
            self.score + other.score,
            self.information + other.information,
            self.bend + other.bend,
            min(self.low, other.low),
            max(self.high, other.high),
        )


@dataclass(frozen=True)
class Step:
    """One step of the fit: where it led, what the rows say there, and whether it was the last."""

    theta: Floats
    scored: Scored
    converged: bool


@dataclass(frozen=True)
class Scoring:
    """Every step is a weighted least squares fit, by Newton's method.

    Where the log likelihood bends the wrong way, as it can far from its top when the link is not the family's
    own, the expected bend takes the place of the true one (Fisher's scoring). Coefficients are those of
    centered columns, so that columns far from 0 keep their digits.

    Parameters
    ----------
    blocks : Blocks
        The rows.
    center : ndarray of shape (n,)
        What is subtracted from the columns.
    basis : ndarray of shape (n, m), optional
        Directions along which coefficients are sought, if columns are redundant.
    family : Family
        How the target is distributed around its mean.
    link : Link
        How the mean follows from the linear function.
    free : ndarray of int
        Places of the coefficients that are fitted; the others stay as they are.
    tol : float
        Stop when a step is to lower the deviance by no more than the square of this, as a share of it.
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
        """Coefficients for the columns as they are: the intercept, last, takes what was subtracted."""
        coef = theta[:-1] if self.basis is None else self.basis @ theta[:-1]
        return np.concatenate([coef, theta[-1:] - self.center @ coef])

    def at(self, theta: Floats) -> Scored:
        """What all rows say about the coefficients, the intercept last."""
        state = (self.center, self.basis, self.family, self.link)
        return self.blocks.reduce(_scored, theta, *state, merge=Scored.merge)

    def steps(self, theta: Floats) -> Iterator[Step]:
        """Steps from a possible start; ends without convergence when no step is possible."""
        here = self.at(theta)
        while True:
            way = self._step(here)
            for _ in range(HALVINGS):
                there = self.at(theta + way)
                if there.deviance <= here.deviance + 1e-12 * abs(here.deviance):
                    break
                way = way / 2
            else:
                return
            theta = theta + way
            promised = float(here.score @ way)
            done = promised <= self.tol**2 * (abs(there.deviance) + 0.1) or there.deviance >= here.deviance
            here = there
            yield Step(theta, here, done)
            if done:
                return

    def _step(self, here: Scored) -> Floats:
        block = np.ix_(self.free, self.free)
        bend = here.bend[block]
        if not _is_bowl(bend):
            bend = here.information[block]
        way = np.zeros_like(here.score)
        way[self.free] = solve_positive(bend, here.score[self.free])
        return way


def _is_bowl(bend: Floats) -> bool:
    """Whether a matrix has no negative eigenvalues but for rounding."""
    size = np.sqrt(np.abs(np.diag(bend)))
    unit = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    values = eigh(bend * unit[:, None] * unit, eigvals_only=True)
    return bool(values.min(initial=0.0) >= -SMALLEST * values.max(initial=0.0))


@np.errstate(all="ignore")
def _scored(
    block: Block, theta: Floats, center: Floats, basis: Floats | None, family: Family, link: Link
) -> Scored:
    y, X = np.asarray(block.y), block.X - center
    if basis is not None:
        X = X @ basis
    z = X @ theta[:-1] + theta[-1]
    there = np.ones(len(y), dtype=bool) if block.w is None else block.w > 0
    w = np.ones(len(y)) if block.w is None else block.w
    mean = link.mean(z)
    fine = family.inside(mean) & np.isfinite(z) & ((z > 0) | (not link.positive))
    if not fine[there].all():
        n = len(theta)
        flat = np.zeros((n, n))
        return Scored(np.inf, np.inf, np.zeros(n), flat, flat, -np.inf, np.inf)
    slope, variance = link.slope(z), family.variance(mean)
    pull = np.where(there, w * (y - mean) * slope / variance, 0.0)
    expected = np.where(there, w * slope**2 / variance, 0.0)
    score = np.append(X.T @ pull, pull.sum())
    known = np.where(there, family.deviance(y, mean), 0.0)
    pearson = np.where(there, (y - mean) ** 2 / variance, 0.0)
    ends = (float(z[there].min()), float(z[there].max())) if there.any() else (np.inf, -np.inf)
    information = bend = _native.weighted_gram(X, expected)
    if link.name != family.canonical:
        lesser = link.curve(z) / variance - slope**2 * family.steepness(mean) / variance**2
        true = expected - np.where(there, w * (y - mean) * lesser, 0.0)
        bend = _native.weighted_gram(X, np.maximum(true, 0.0))
        if (true < 0).any():
            bend = bend - _native.weighted_gram(X, np.maximum(-true, 0.0))
    return Scored(float(w @ known), float(w @ pearson), score, information, bend, *ends)


def inverse_root(matrix: Floats) -> Floats:
    """A root R of the inverse RR' of a matrix without negative eigenvalues, with as many columns as its rank.

    Rows and columns are scaled to a diagonal of ones first; where singular it is the pseudo-inverse in these
    units.
    """
    size = np.sqrt(np.diag(matrix))
    unit = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    values, vectors = eigh(matrix * unit[:, None] * unit)
    used = values > SMALLEST * values.max(initial=0.0)
    return np.asarray(unit[:, None] * vectors[:, used] / np.sqrt(values[used]))


def independent(blocks: Blocks, center: Floats, unit: Floats, given: int | None) -> Floats | None:
    """Directions that the rows can tell apart, as columns of coefficients; None if those are all columns.

    Of coefficients that fit equally well those are sought that are shortest after multiplication by the
    spread of their columns, ``unit`` being its inverse. A column whose coefficient is given is the last
    direction.
    """
    n, free = len(center), np.ones(len(center), dtype=bool)
    if given is not None:
        free[given] = False
    unit = np.where(free, unit, 0.0)
    if blocks.n_rows < n:
        held = centered_rows(blocks, center)
        directions, _ = span((held.X if held.w is None else held.X[held.w > 0]) * unit, np.sqrt(SMALLEST))
    else:
        scatter = blocks.reduce(whole_scatter, merge=Scatter.merge)
        gap = (scatter.mean[0] - center) * unit
        mass = float(scatter.mass[0])
        values, vectors = eigh(scatter.within * unit[:, None] * unit / mass + np.outer(gap, gap))
        directions = vectors[:, values > SMALLEST * values.max(initial=0.0)]
        if directions.shape[1] == free.sum():
            return None
    basis = unit[:, None] * directions
    return basis if given is None else np.column_stack([basis, ~free])
