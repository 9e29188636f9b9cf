"""What support vector machines say about columns and fits that do not suit them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from hornbook.frame import SparseRows
from hornbook.kernels import Linear
from hornbook.linear import refuse_large
from hornbook.params import Floats
from hornbook.svm._binary_problem import BinarySolution

__all__ = ["warn_fit", "warn_scales", "warn_spread"]

HUGE = 1e4  # how many times as much as usual a column varies


def warn_scales(model: Any, data: Floats | SparseRows) -> None:
    """Name a column that varies so much more than the others that they hardly count in any kernel."""
    with np.errstate(over="ignore", invalid="ignore"):
        spread = _spread(data)
    large = np.flatnonzero(~np.isfinite(spread))
    if len(large):
        refuse_large(type(model).__name__, column=str(model.encoded_names_[large[0]]))
    warn_spread(model, spread)


def _spread(data: Floats | SparseRows) -> Floats:
    """Standard deviations of the columns, of the cells that are there."""
    if isinstance(data, SparseRows):
        stored, n = data.matrix, max(len(data), 1)
        mean = np.asarray(stored.sum(axis=0)).ravel() / n
        counts = np.bincount(data.columns, minlength=data.n_columns)
        # Cells that are not stored are 0 and differ from the mean by the mean: squares of deviations in two
        # sums, without the cancellation of a mean of squares minus a squared mean.
        squares = np.bincount(
            data.columns, np.square(data.values - mean[data.columns]), minlength=data.n_columns
        )
        return np.asarray(np.sqrt((squares + (n - counts) * mean**2) / n))
    if not len(data):
        return np.zeros(data.shape[1])
    gaps = np.isnan(data)
    if not gaps.any():
        return np.asarray(data.std(axis=0))
    return np.asarray(np.ma.masked_array(data, gaps).std(axis=0).filled(0.0))


def warn_spread(model: Any, spread: Floats) -> None:
    """The same from the standard deviations of the columns."""
    varying = np.sort(spread[spread > 0])
    if len(varying) < 2:
        return
    # The lower median: with two columns it is the smaller one, beside which the other may be huge.
    usual = varying[(len(varying) - 1) // 2]
    j = int(spread.argmax())
    if spread[j] > HUGE * usual:
        warnings.warn(
            f"{type(model).__name__}: column {str(model.encoded_names_[j])!r} varies by {spread[j]:.3g}, "
            f"others by {usual:.3g}, so they hardly count: scale the columns, for example with "
            "hornbook.Scaled.",
            UserWarning,
            stacklevel=7,
        )


def warn_fit(model: Any, solutions: Sequence[BinarySolution]) -> None:
    """Say which parameter ended the fit too early, and that a kernel is none."""
    name = type(model).__name__
    if any(solution.indefinite for solution in solutions):
        warnings.warn(
            f"{name}: the kernel is not positive semidefinite, so the result is a point where steps of the "
            "solver no longer help, and there may be better ones: choose another kernel.",
            UserWarning,
            stacklevel=7,
        )
    late = [solution for solution in solutions if solution.status == "out of steps"]
    if late:
        most = max(solution.violation for solution in late)
        warnings.warn(
            f"{name}: the solver stopped after {max(s.steps for s in late)} steps with the optimality "
            f"conditions violated by {most:.3g}: {_remedies(model)}.",
            ConvergenceWarning,
            stacklevel=7,
        )
    stuck = [solution for solution in solutions if solution.status == "stalled"]
    if stuck:
        most = max(solution.violation for solution in stuck)
        warnings.warn(
            f"{name}: rounding keeps the solver from reaching 'tol', and the optimality conditions are "
            f"violated by {most:.3g}: raise tol, or scale the columns.",
            ConvergenceWarning,
            stacklevel=7,
        )


def _remedies(model: Any) -> str:
    """What helps a solver that was stopped; pairs of rows need many steps if C is large, columns few."""
    remedies = ["raise max_iter"] if model.max_iter >= 0 else []
    remedies += ["scale the columns", "raise tol"]
    if hasattr(model, "C"):
        remedies.append("lower C")
        if isinstance(model.kernel_, Linear):
            remedies.append(f"use hornbook.Linear{type(model).__name__}, whose solvers need far fewer steps")
    return ", ".join(remedies[:-1]) + f", or {remedies[-1]}"
