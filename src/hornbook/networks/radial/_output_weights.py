"""Output weights of a network with fixed functions: least squares at once, or row by row."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from hornbook import _native
from hornbook.frame import Block, Blocks, Moments
from hornbook.linear import Problem, least_squares
from hornbook.networks.radial._basis import Basis
from hornbook.params import Floats

__all__ = ["Recursive", "solved_weights", "target_moments", "targets_of"]

ROUNDING = 4 * np.finfo(np.float64).eps  # of the value of a function
LOOKED_AT = 512  # rows that show whether rows differ at all


def targets_of(block: Block) -> Floats:
    """The targets as a matrix."""
    y = np.asarray(block.y, dtype=np.float64)
    return np.ascontiguousarray(y if y.ndim == 2 else y[:, None])


def target_moments(blocks: Blocks) -> Moments:
    """Mean and variance of the targets."""
    return blocks.reduce(_moments, merge=Moments.merge)


def _moments(block: Block) -> Moments:
    return Moments.of_rows(targets_of(block), block.w)


def solved_weights(blocks: Blocks, basis: Basis, alpha: float, learner: str) -> tuple[Floats, Floats]:
    """Coefficients and intercepts that minimize the sum of squared errors plus alpha times their squares.

    Functions that are the same for all rows, up to rounding, get the coefficient 0.
    """
    fit = least_squares(Problem(blocks, learner, fit_intercept=True, design=basis.apply), alpha)
    # Rounding is all that is left of a function that is much wider than the rows are apart: to be of any use
    # it would need a coefficient in which the other digits are lost.
    flat, wide = np.sqrt(fit.variance) <= ROUNDING * np.abs(fit.mean), bool(fit.mean.max() > 0.5)
    if flat.any() and np.abs(fit.coef[:, flat]).max() > 0.0:
        fit = least_squares(Problem(blocks, learner, fit_intercept=True, design=Varying(basis, ~flat)), alpha)
    if flat.all() and _has_several_rows(blocks):
        warnings.warn(
            f"{learner}: all functions are the same for all rows, so the output is a constant: choose a "
            f"{'smaller' if wide else 'larger'} 'width'.",
            ConvergenceWarning,
            stacklevel=9,
        )
    return fit.coef, fit.intercept


@dataclass(frozen=True)
class Varying:
    """The functions of a basis that are marked, and 0 in the place of the others."""

    basis: Basis
    marks: NDArray[np.bool_]

    def __call__(self, X: Floats) -> Floats:
        return np.where(self.marks, self.basis.apply(X), 0.0)


def _has_several_rows(blocks: Blocks) -> bool:
    """Whether the first rows differ."""
    rows = blocks.take(np.arange(min(LOOKED_AT, blocks.n_rows))).X
    return bool((np.asarray(rows) != np.asarray(rows)[:1]).any())


@dataclass(frozen=True)
class Recursive:
    """Recursive least squares: what all rows so far amount to, and how wrong it was about each.

    Parameters
    ----------
    factor : ndarray of shape (n_centers + 1, n_centers + 1)
        Triangular factor R of the normal equations; the last column is that of the constant.
    targets : ndarray of shape (n_centers + 1, n_targets)
        Z: the coefficients solve R W = Z.
    errors : float
        Weighted sum of the squared errors of rows before they were learned.
    """

    factor: Floats
    targets: Floats
    errors: float = 0.0

    @classmethod
    def start(cls, count: int, n_targets: int, delta: float) -> Recursive:
        """Coefficients of 0, believed as much as rows of square delta."""
        # A square root of the information matrix instead of the covariance matrix of the textbook's formula,
        # which loses its symmetry and definiteness by rounding after many rows (Haykin, Adaptive Filter
        # Theory, on square-root filters).
        return cls(np.sqrt(delta) * np.eye(count + 1), np.zeros((count + 1, n_targets)))

    def after(self, blocks: Blocks, basis: Basis, mean: Floats) -> Recursive:
        """After one more pass over the rows, with the errors of that pass."""
        return blocks.fold(_presented, Recursive(self.factor, self.targets), basis, mean)

    def weights(self, mean: Floats) -> tuple[Floats, Floats]:
        """Coefficients and intercepts."""
        solution = np.linalg.solve(self.factor, self.targets).T
        return np.ascontiguousarray(solution[:, :-1]), solution[:, -1] + mean


def _presented(block: Block, before: Recursive, basis: Basis, mean: Floats) -> Recursive:
    design = np.column_stack([basis.apply(block.X), np.ones(len(block))])
    # Around the mean, as an intercept that is not penalized would be.
    factor, targets, errors = _native.rls_pass(
        design, targets_of(block) - mean, block.w, before.factor, before.targets
    )
    return Recursive(factor, targets, before.errors + errors)
