"""The z-test: a mean when the variance is known."""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from hornbook.evaluation.intervals._samples import (
    Alternative,
    finite_number,
    numbers,
    one_of,
    positive,
    share,
    whole,
)
from hornbook.evaluation.significance._null_distribution import NullDistribution
from hornbook.evaluation.significance._t_tests import SIDES, compared, not_rejected
from hornbook.evaluation.significance._test_result import TestResult
from hornbook.params import ParameterError

__all__ = ["z_test"]


def z_test(
    values: ArrayLike | None = None,
    *,
    sigma: float,
    null: float = 0.0,
    mean: float | None = None,
    n: int | None = None,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> TestResult:
    """Test whether a mean differs from a given number when the standard deviation is known.

    The statistic is z = (mean - null) / (sigma / sqrt(n)), which is normal when the true mean is ``null``.
    The same decision on the scale of the mean: with the alternative ``"less"`` the null hypothesis is
    rejected when the mean is at most the critical value c = null + z_alpha sigma / sqrt(n).

    Parameters
    ----------
    values : array-like of shape (n,), optional
        The sample; or give both ``mean`` and ``n``.
    sigma : float
        The known standard deviation of one value.
    null : float, default 0.0
        The mean under the null hypothesis.
    mean : float, optional
        Mean of the sample.
    n : int, optional
        Size of the sample.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        What is claimed of the mean relative to ``null``.
    alpha : float, default 0.05
        Significance level, in (0, 1).

    Returns
    -------
    TestResult
        The effect is the mean; ``details["c"]`` has the critical values of the mean, one for each side.

    Examples
    --------
    >>> result = z_test(mean=128, n=25, sigma=5.4, null=130, alternative="less")
    >>> round(result.p, 3), round(result.details["c"][0], 2), result.rejected
    (0.032, 128.22, True)
    """
    one_of("z_test", "alternative", alternative, SIDES)
    alpha = share("z_test", "alpha", alpha)
    null = finite_number("z_test", "null", null)
    middle, size = _mean_and_size(values, mean, n)
    error = positive("z_test", "sigma", sigma) / math.sqrt(size)
    distribution = NullDistribution("normal")
    statistic = (middle - null) / error
    edges = distribution.critical(alpha, alternative)
    return TestResult(
        name="z-test",
        statistic=statistic,
        p=distribution.p(statistic, alternative),
        alpha=alpha,
        effect=middle,
        interval=not_rejected(middle, error, edges, alternative, alpha, "normal, known variance"),
        alternative=alternative,
        null=null,
        details={
            "n": size,
            "sigma": float(sigma),
            "standard_error": error,
            # The critical mean c: the null hypothesis is rejected when the sample mean is beyond it.
            "c": tuple(null + edge * error for edge in edges),
        },
        quantity="mean",
        symbol="z",
        says=compared(alternative, ("the mean", f"{null:g}")),
        distribution=distribution,
    )


def _mean_and_size(values: ArrayLike | None, mean: float | None, n: int | None) -> tuple[float, int]:
    if (values is None) == (mean is None and n is None) or (mean is None) != (n is None):
        raise ParameterError(
            "z_test: give either 'values' or both 'mean' and 'n'; "
            f"got {'no ' if values is None else ''}values, mean={mean} and n={n}."
        )
    if mean is not None:
        return finite_number("z_test", "mean", mean), whole("z_test", "n", n, least=1)
    assert values is not None
    sample = numbers("z_test", "values", values)
    return float(sample.mean()), len(sample)
