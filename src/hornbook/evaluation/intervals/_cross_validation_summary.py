"""Mean and variance of cross-validation scores, over folds and over runs."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation.intervals._number_text import significant
from hornbook.evaluation.intervals._samples import Divisor, finite, mean_and_deviation, one_of
from hornbook.params import Floats

__all__ = ["CrossValidationSummary", "cross_validation_summary"]


@dataclass(frozen=True)
class CrossValidationSummary:
    """Mean and variance of a score over folds, and how much both vary from run to run.

    Parameters
    ----------
    mean : float
        Mean over the runs of the mean over the folds.
    variance : float
        Mean over the runs of the variance over the folds.
    variance_of_mean, variance_of_variance : float or None
        Variance over the runs of both; None for a single run.
    runs, folds : int
        Number of runs, and of folds in each.
    divisor : {"n-1", "n"}
        The divisor of every variance.
    """

    mean: float
    variance: float
    variance_of_mean: float | None
    variance_of_variance: float | None
    runs: int
    folds: int
    divisor: Divisor

    @property
    def standard_error(self) -> float:
        """Standard error of the mean over one run, its folds taken as independent: sqrt(variance / folds)."""
        return math.sqrt(self.variance / self.folds)

    def __str__(self) -> str:
        over = f"{self.folds} folds" if self.runs == 1 else f"{self.runs} runs of {self.folds} folds"
        text = f"mean {significant(self.mean)}, variance {significant(self.variance)} over {over}"
        if self.variance_of_mean is None or self.variance_of_variance is None:
            return text
        between = [significant(number) for number in (self.variance_of_mean, self.variance_of_variance)]
        return f"{text}; from run to run they vary by {between[0]} and {between[1]}"

    def _repr_html_(self) -> str:
        return f"<span>{escape(str(self))}</span>"

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain data."""
        return {**asdict(self), "standard_error": self.standard_error}


def cross_validation_summary(scores: ArrayLike, *, divisor: Divisor = "n-1") -> CrossValidationSummary:
    """Summarize the scores of a cross-validation, or of several runs of it.

    For one run: the mean of the K scores and their variance, sum (score - mean)^2 / (K - 1), or with divisor
    ``"n"`` over K. For several runs: the mean of each over the runs, and its variance.

    Parameters
    ----------
    scores : array-like of shape (n_folds,) or (n_runs, n_folds)
        Scores of the folds; at least two folds.
    divisor : {"n-1", "n"}, default "n-1"
        The divisor of every variance.

    Returns
    -------
    CrossValidationSummary
        Means and variances.

    Examples
    --------
    >>> print(cross_validation_summary([8 / 30, 4 / 30, 7 / 30, 11 / 30, 5 / 30]))
    mean 0.233, variance 0.00833 over 5 folds
    """
    one_of("cross_validation_summary", "divisor", divisor, ("n-1", "n"))
    table = _table(scores)
    moments = [mean_and_deviation(run, divisor) for run in table]
    means = np.array([mean for mean, _ in moments])
    # Variance of the folds of each run; their mean over runs is the estimate that is reported.
    variances = np.array([deviation**2 for _, deviation in moments])
    between: list[float | None] = [None, None]
    # With one run there is nothing to say about run-to-run variation, and 0 would be a false claim.
    if len(table) > 1:
        between = [mean_and_deviation(column, divisor)[1] ** 2 for column in (means, variances)]
    return CrossValidationSummary(
        mean=float(means.mean()),
        variance=float(variances.mean()),
        variance_of_mean=between[0],
        variance_of_variance=between[1],
        runs=table.shape[0],
        folds=table.shape[1],
        divisor=divisor,
    )


def _table(scores: ArrayLike) -> Floats:
    try:
        table = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    except (TypeError, ValueError):
        raise ValueError(
            "cross_validation_summary: 'scores' must be numbers, the same number of folds in every run."
        ) from None
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2:
        raise ValueError(
            "cross_validation_summary: 'scores' must have at least 2 folds, with one row for each of several "
            f"runs; got an array of shape {np.shape(scores)}."
        )
    finite("cross_validation_summary", "scores", table)
    return table
