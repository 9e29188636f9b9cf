"""5x2 cross-validation: the t-test of Dietterich (1998) and the combined F-test of Alpaydin (1999)."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation.intervals._interval import Interval
from hornbook.evaluation.intervals._samples import differences, one_of, share
from hornbook.evaluation.significance._null_distribution import NullDistribution
from hornbook.evaluation.significance._t_tests import compared
from hornbook.evaluation.significance._test_result import TestResult
from hornbook.params import Floats

__all__ = ["five_by_two"]


def five_by_two(
    first: ArrayLike,
    second: ArrayLike | None = None,
    *,
    method: Literal["f", "t"] = "f",
    alpha: float = 0.05,
    names: tuple[str, str] = ("the first", "the second"),
) -> TestResult:
    """Test whether two learners differ, from five runs of two-fold cross-validation.

    With d_ij the difference in fold j of run i and s_i^2 = (d_i1 - d_i2)^2 / 2, the statistic of Dietterich
    (1998) is t = d_11 / sqrt(sum s_i^2 / 5) with 5 degrees of freedom; its numerator is a single difference.
    That of Alpaydin (1999) combines all ten: F = sum d_ij^2 / (2 sum s_i^2) with 10 and 5 degrees of freedom.

    Parameters
    ----------
    first : array-like of shape (5, 2)
        Scores of the first learner, runs by folds; the differences when ``second`` is left out.
    second : array-like of shape (5, 2), optional
        Scores of the second learner on the same folds.
    method : {"f", "t"}, default "f"
        Alpaydin's combined F, or Dietterich's t.
    alpha : float, default 0.05
        Significance level, in (0, 1).
    names : pair of str, default ("the first", "the second")
        What the sentence calls the two.

    Returns
    -------
    TestResult
        With ``"t"`` the effect is the first difference, with its interval; with ``"f"`` the mean of all ten,
        and there is no interval, as F has no sign.

    Examples
    --------
    >>> diff = [[0.05, 0.03], [0.04, 0.06], [0.05, 0.02], [0.03, 0.05], [0.06, 0.04]]
    >>> result = five_by_two(diff)
    >>> round(result.statistic, 2), round(result.p, 4)
    (8.04, 0.0164)
    """
    one_of("five_by_two", "method", method, ("f", "t"))
    alpha = share("five_by_two", "alpha", alpha)
    diff = _runs(first, second)
    # F by default: t uses only the first of ten differences in its numerator, and its result changes
    # with the order of the folds (Alpaydin 1999).
    test = _t if method == "t" else _f
    effect, interval, statistic, distribution = test(diff, alpha)
    return TestResult(
        name=f"5x2 cross-validation {method.upper() if method == 'f' else method}-test",
        statistic=statistic,
        p=distribution.p(statistic, "two-sided"),
        alpha=alpha,
        effect=effect,
        interval=interval,
        details={
            "mean_difference": float(diff.mean()),
            "variances": ((diff[:, 0] - diff[:, 1]) ** 2 / 2).tolist(),
            "degrees_of_freedom": list(distribution.parameters),
        },
        quantity="difference in the first fold" if method == "t" else "mean difference",
        symbol="t" if method == "t" else "F",
        says=compared("two-sided", names),
        remark="" if diff.any() else "they are the same on every fold",
        distribution=distribution,
    )


def _runs(first: ArrayLike, second: ArrayLike | None) -> Floats:
    for name, scores in (("first", first), ("second", second)):
        if scores is not None and np.shape(scores) != (5, 2):
            raise ValueError(
                f"five_by_two: '{name}' must have 5 runs of 2 folds; "
                f"got an array of shape {np.shape(scores)}."
            )
    # `differences` works on columns; the shape comes back below, row = run, column = fold.
    flat = [None if scores is None else np.reshape(np.asarray(scores), 10) for scores in (first, second)]
    assert flat[0] is not None
    return differences("five_by_two", flat[0], flat[1]).reshape(5, 2)


_Outcome = tuple[float, Interval | None, float, NullDistribution]


def _t(diff: Floats, alpha: float) -> _Outcome:
    scaled, power = _scaled(diff)
    # the mean of five s_i^2, each half a squared difference
    # Each of the five variances has one degree of freedom: 5 in all.
    error = math.sqrt(float(((scaled[:, 0] - scaled[:, 1]) ** 2).sum()) / 10)
    top, effect = float(scaled[0, 0]), float(diff[0, 0])
    statistic = top / error if error > 0 else math.copysign(math.inf, top) if top else 0.0
    distribution = NullDistribution("t", (5.0,))
    half = math.ldexp(distribution.critical(alpha, "two-sided")[1] * error, power)
    interval = Interval(effect - half, effect + half, effect, 1 - alpha, "Student t")
    return effect, interval, statistic, distribution


def _f(diff: Floats, alpha: float) -> _Outcome:  # noqa: ARG001  called in place of _t
    scaled, _ = _scaled(diff)
    squares = float((scaled**2).sum())
    spread = float(((scaled[:, 0] - scaled[:, 1]) ** 2).sum())
    # F = sum of d^2 / (2 sum of s_i^2), with s_i^2 = (d_i1 - d_i2)^2 / 2, so the twos cancel.
    statistic = squares / spread if spread > 0 else math.inf if squares else 0.0
    return float(diff.mean()), None, statistic, NullDistribution("f", (10.0, 5.0))


def _scaled(diff: Floats) -> tuple[Floats, int]:
    """Return the differences divided by a power of two, so that their squares stay in range."""
    power = math.frexp(float(np.abs(diff).max()))[1]
    return np.ldexp(diff, -power), power  # exact: t and F do not change, only the interval is scaled back
