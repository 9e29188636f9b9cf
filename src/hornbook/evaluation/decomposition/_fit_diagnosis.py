"""Underfitting or overfitting, diagnosed from training and test errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["FitDiagnosis", "fit_diagnosis"]

Fit: TypeAlias = Literal["underfitting", "proper fit", "overfitting"]


@dataclass(frozen=True)
class FitDiagnosis:
    """Whether a learner underfits, fits properly or overfits.

    Parameters
    ----------
    fit : {"underfitting", "proper fit", "overfitting"}
        The diagnosis.
    train_error, test_error : float
        Mean error on training rows, and on test rows.
    gap : float
        Test error minus training error.
    reason : str
        The rule that applied, with its numbers.
    """

    fit: Fit
    train_error: float
    test_error: float
    gap: float
    reason: str

    def __str__(self) -> str:
        return f"{self.fit}: {self.reason}"

    def to_dict(self) -> dict[str, str | float]:
        """Return the diagnosis as plain data."""
        return {
            "fit": self.fit,
            "train_error": self.train_error,
            "test_error": self.test_error,
            "gap": self.gap,
            "reason": self.reason,
        }


def fit_diagnosis(
    train_scores: ArrayLike,
    test_scores: ArrayLike,
    *,
    best: float = 0.0,
    acceptable: float | None = None,
    largest_gap: float = 0.25,
) -> FitDiagnosis:
    """Diagnose underfitting and overfitting from scores on training rows and on test rows.

    The error of a score is its distance from ``best``. The first rule that holds decides:

    1. *underfitting*: the mean training error is above ``acceptable``, so not even the training rows are
       predicted well;
    2. *overfitting*: the gap, test error minus training error, is more than the fraction ``largest_gap`` of
       the test error and, with two or more pairs of scores, more than twice its standard error;
    3. *proper fit* otherwise.

    Parameters
    ----------
    train_scores, test_scores : float or array-like of shape (n_folds,)
        Scores of the same fits on training and on test rows, fold by fold.
    best : float, default 0.0
        The perfect score: 0 for errors, 1 for accuracies.
    acceptable : float, optional
        The largest acceptable training error, such as half the error of a constant prediction. Without it
        underfitting is not diagnosed: a training error alone does not say what is achievable.
    largest_gap : float, default 0.25
        Largest acceptable gap, as a fraction of the test error.

    Returns
    -------
    FitDiagnosis
        The diagnosis and its reason.

    Examples
    --------
    >>> print(fit_diagnosis([0.01, 0.02, 0.0], [0.21, 0.18, 0.25]))
    overfitting: 95 % of the test error of 0.2133 is missing from the training error of 0.01
    >>> print(fit_diagnosis(0.30, 0.31, acceptable=0.1))
    underfitting: the training error of 0.3 is above the acceptable 0.1
    """
    train, test = _errors(train_scores, best, "train_scores"), _errors(test_scores, best, "test_scores")
    if train.shape != test.shape:
        raise ValueError(
            "fit_diagnosis: 'train_scores' and 'test_scores' must come in pairs; "
            f"got {train.size} and {test.size}."
        )
    if not 0 <= largest_gap < 1:
        raise ValueError(f"fit_diagnosis: 'largest_gap' must be a fraction in [0, 1); got {largest_gap}.")
    seen, unseen, gap = float(train.mean()), float(test.mean()), float((test - train).mean())
    fit, reason = _diagnosis(seen, unseen, gap, _noise(test - train), acceptable, largest_gap)
    return FitDiagnosis(fit, seen, unseen, gap, reason)


def _diagnosis(
    seen: float, unseen: float, gap: float, noise: float, acceptable: float | None, largest_gap: float
) -> tuple[Fit, str]:
    if acceptable is not None and seen > acceptable:
        return (
            "underfitting",
            f"the training error of {seen:.4g} is above the acceptable {acceptable:.4g}",
        )
    share = f"{gap / unseen:.0%}".replace("%", " %") if unseen > 0 else "0 %"
    missing = f"{share} of the test error of {unseen:.4g} is missing from the training error of {seen:.4g}"
    # Relative to the test error: a gap of 0.01 matters at an error of 0.02 and not at one of 0.5.
    if gap <= largest_gap * unseen:
        return (
            "proper fit",
            f"only {missing}"
            if gap > 0
            else f"the test error of {unseen:.4g} is no larger than the training error",
        )
    if gap <= 2 * noise:  # two standard errors, about a 95 % interval
        return "proper fit", f"{missing}, but the folds vary too much to call it overfitting"
    return "overfitting", missing


def _noise(gaps: NDArray[np.float64]) -> float:
    """Return the standard error of the mean gap; 0 for a single gap, which has none."""
    return float(gaps.std(ddof=1) / np.sqrt(gaps.size)) if gaps.size > 1 else 0.0


def _errors(scores: ArrayLike, best: float, name: str) -> NDArray[np.float64]:
    values = np.atleast_1d(np.asarray(scores, dtype=np.float64))
    if values.ndim != 1 or values.size == 0 or not np.isfinite(values).all():
        raise ValueError(
            f"fit_diagnosis: '{name}' must be a finite number or a list of them; got {scores!r}."
        )
    # Distance from the best value turns accuracy (best 1) and losses (best 0) into errors alike.
    return np.abs(values - best)
