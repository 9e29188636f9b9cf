"""Dual coordinate descent: one multiplier at a time, with the weights kept up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
from scipy.sparse import csr_array, vstack

from hornbook import _native
from hornbook.frame import Block, Blocks, require_memory
from hornbook.params import Floats

__all__ = ["DescentRows", "DescentStep", "LinearDual", "descent_passes", "dual_descent"]

SPARSE = 0.25  # share of numbers other than 0 up to which only these are kept


@dataclass(frozen=True)
class DescentRows:
    """All rows in memory: as a matrix, or only their numbers other than 0.

    Parameters
    ----------
    X : ndarray or csr_array
        The rows.
    y : ndarray
        Their targets.
    w : ndarray
        Their weights.
    """

    X: Floats | csr_array
    y: Floats
    w: Floats

    @classmethod
    def of(cls, blocks: Blocks) -> DescentRows:
        """Gather the rows of blocks; those without weight are left out."""
        n, stored, d = blocks.reduce(_counted)
        if stored <= SPARSE * n * d:
            X: Floats | csr_array = csr_array(vstack(blocks.reduce(_sparse), format="csr"))
        else:
            require_memory(int(n), int(d), "set dual=False, or use fewer rows")
            parts = blocks.reduce(_dense)
            X = parts[0] if len(parts) == 1 else np.concatenate(parts)
        targets, weights = zip(*blocks.reduce(_targets), strict=True)
        return cls(X, np.concatenate(targets), np.concatenate(weights))

    def dense(self) -> Floats:
        """The rows as a matrix."""
        return np.asarray(self.X.toarray() if isinstance(self.X, csr_array) else self.X)

    def products(self, coef: Floats) -> Floats:
        """Columns times their weights, of each row."""
        return np.asarray(self.X @ coef)


@dataclass(frozen=True)
class LinearDual:
    """Minimize ½ |w|² + ½ Σ ridge b² - Σ target b + width Σ |b|, with w the sum of b times rows.

    Parameters
    ----------
    low, high, target, ridge : ndarray of shape (n_rows,)
        Bounds of the multipliers, and terms of the objective.
    width : float
        Of the tube of regression.
    constant : float
        What a further column holds in every row, in place of an intercept.
    """

    low: Floats
    high: Floats
    target: Floats
    ridge: Floats
    width: float
    constant: float

    def value(self, b: Floats, weights: Floats) -> float:
        """Value of the dual problem as textbooks write it, as a maximum."""
        squares = float(weights @ weights) + float(self.ridge @ b**2)
        return float(self.target @ b) - self.width * float(np.abs(b).sum()) - 0.5 * squares


@dataclass(frozen=True)
class DescentStep:
    """Where the solver is after a pass.

    Parameters
    ----------
    weights : ndarray of shape (n_columns + 1,)
        Of the columns and the constant.
    dual : float
        Value of the dual problem.
    violation : float
        Of the optimality conditions, at most.
    converged : bool
        Whether that is at most the tolerance, for all rows.
    """

    weights: Floats
    dual: float
    violation: float
    converged: bool


def dual_descent(rows: DescentRows, problem: LinearDual, tol: float, seed: int) -> Iterator[DescentStep]:
    """Yield the state after each pass over the rows, in an order that the seed shuffles anew each time."""
    n, d = rows.X.shape
    table: tuple[Any, ...] = (
        (rows.X.data, rows.X.indices.astype(np.int32), rows.X.indptr.astype(np.int64), d)
        if isinstance(rows.X, csr_array)
        else (np.ascontiguousarray(rows.X),)
    )
    step = cast(
        "Callable[..., tuple[float, int]]",
        _native.sparse_descent_pass if len(table) > 1 else _native.linear_descent_pass,
    )
    terms = (problem.constant, problem.low, problem.high, problem.target, problem.ridge, problem.width)
    b, weights = np.zeros(n), np.zeros(d + 1)
    for violation, converged in descent_passes(partial(step, *table, *terms, b, weights), n, tol, seed):
        yield DescentStep(weights.copy(), problem.value(b, weights), violation, converged)


def descent_passes(
    step: Callable[..., tuple[float, int]], n: int, tol: float, seed: int
) -> Iterator[tuple[float, bool]]:
    """Yield the largest violation in each pass, and whether it is the last: at most ``tol``, for all rows.

    Rows at a bound where the last pass showed them safe are left out until all others agree with the
    tolerance; then all are tried again.
    """
    order = np.arange(n, dtype=np.int64)
    active, limit, number, converged = n, np.inf, 0, False
    while not converged:
        # Shrinking as in Hsieh and others (A Dual Coordinate Descent Method for Large-scale Linear SVM,
        # 2008): rows at a bound whose gradient is beyond the last violation are set aside.
        whole = active == n
        violation, active = step(order, active, limit, seed, number)
        number += 1
        done = violation <= tol
        converged = done and whole
        yield violation, converged
        # Only a pass over all rows proves the optimum, so rows that were set aside come back before the end.
        if done:
            active, limit = n, np.inf
        else:
            limit = violation


def _counted(block: Block) -> Floats:
    """Rows with weight, their numbers other than 0, and the number of columns, told by the first chunk."""
    X = _used(block).X
    return np.array([len(X), np.count_nonzero(X), X.shape[1] if block.start == 0 else 0], dtype=np.float64)


def _used(block: Block) -> Block:
    return block if block.w is None else block.at(np.flatnonzero(block.w))


def _sparse(block: Block) -> list[csr_array]:
    return [csr_array(_used(block).X)]


def _dense(block: Block) -> list[Floats]:
    return [_used(block).X]


def _targets(block: Block) -> list[tuple[Floats, Floats]]:
    used = _used(block)
    return [(np.asarray(used.y), np.ones(len(used.X)) if used.w is None else used.w)]
