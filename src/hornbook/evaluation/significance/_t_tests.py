"""Student's t-test of a mean difference: paired over folds, and corrected for shared training rows."""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import ArrayLike

from hornbook.evaluation.intervals._interval import Interval
from hornbook.evaluation.intervals._samples import (
    Alternative,
    Divisor,
    differences,
    mean_and_deviation,
    one_of,
    positive,
    share,
    whole,
)
from hornbook.evaluation.significance._null_distribution import NullDistribution
from hornbook.evaluation.significance._test_result import TestResult
from hornbook.params import Floats, ParameterError

__all__ = [
    "SIDES",
    "compared",
    "corrected_interval",
    "corrected_mean",
    "corrected_t",
    "not_rejected",
    "paired_t",
    "ratio",
]

SIDES = ("two-sided", "less", "greater")


def paired_t(
    first: ArrayLike,
    second: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    divisor: Divisor = "n-1",
    names: tuple[str, str] = ("the first", "the second"),
) -> TestResult:
    """Test whether two learners differ on the same folds, by the paired t-test.

    The statistic is sqrt(K) mean / s with the standard deviation s of the K differences, whose divisor is
    K - 1 (with ``divisor="n"``, the formula of some textbooks, K), and K - 1 degrees of freedom. Folds share
    training rows, so this test rejects a true null hypothesis more often than alpha (Dietterich, 1998);
    `corrected_t` does not.

    Parameters
    ----------
    first : array-like of shape (n_folds,)
        Scores of the first learner; the differences themselves when ``second`` is left out.
    second : array-like of shape (n_folds,), optional
        Scores of the second learner on the same folds.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        What is claimed of first - second.
    alpha : float, default 0.05
        Significance level, in (0, 1).
    divisor : {"n-1", "n"}, default "n-1"
        The divisor of the variance.
    names : pair of str, default ("the first", "the second")
        What the sentence calls the two.

    Returns
    -------
    TestResult
        The effect is the mean difference.

    Examples
    --------
    >>> naive = [7 / 30, 8 / 30, 3 / 30, 12 / 30, 9 / 30]
    >>> full = [6 / 30, 6 / 30, 5 / 30, 10 / 30, 7 / 30]
    >>> result = paired_t(naive, full)
    >>> round(result.statistic, 3), round(result.p, 3), result.rejected
    (1.291, 0.266, False)
    """
    diff = differences("paired_t", first, second)
    one_of("paired_t", "divisor", divisor, ("n-1", "n"))
    mean, deviation = mean_and_deviation(diff, divisor)
    # Treats folds as independent. With shared training rows the variance is too small and the test
    # rejects too often (Dietterich 1998); `corrected_t` is the remedy.
    error = deviation / math.sqrt(len(diff))
    details = {"n": len(diff), "degrees_of_freedom": len(diff) - 1, "deviation": deviation}
    return _t_result("Paired t-test", diff, mean, error, (alternative, alpha, names), details)


def corrected_t(
    first: ArrayLike,
    second: ArrayLike | None = None,
    *,
    test_fraction: float | None = None,
    n_train: int | None = None,
    n_test: int | None = None,
    rope: float | None = None,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    names: tuple[str, str] = ("the first", "the second"),
) -> TestResult:
    """Test whether two learners differ, by the t-test corrected for training rows that the folds share.

    The test of Nadeau and Bengio (2003) for repeated hold-out, applied to repeated cross-validation by
    Bouckaert and Frank (2004): the variance of the mean of K differences is taken as (1/K + n_test/n_train)
    s^2 instead of s^2/K, so that more repeats on the same rows cannot make every difference significant.

    Parameters
    ----------
    first : array-like of shape (n_folds,)
        Scores of the first learner, all repeats; the differences themselves when ``second`` is left out.
    second : array-like of shape (n_folds,), optional
        Scores of the second learner on the same folds.
    test_fraction : float, optional
        Fraction of the rows tested in each fold, 0.1 with ten folds; or give both of the next two.
    n_train, n_test : int, optional
        Training and test rows in each fold.
    rope : float, optional
        Half width of the region of practical equivalence: differences within +-rope do not matter. The
        sentence then says whether the interval lies beyond it, within it, or neither.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        What is claimed of first - second.
    alpha : float, default 0.05
        Significance level, in (0, 1).
    names : pair of str, default ("the first", "the second")
        What the sentence calls the two.

    Returns
    -------
    TestResult
        The effect is the mean difference; with a rope, ``details["practical"]`` is ``"beyond"``,
        ``"within"`` or ``"undecided"``.

    Examples
    --------
    >>> result = corrected_t([0.02, 0.03, 0.01, 0.02, 0.04, 0.02, 0.03, 0.01, 0.03, 0.02], test_fraction=0.1)
    >>> print(result.sentence)  # doctest: +NORMALIZE_WHITESPACE
    the first and the second differ: mean difference 0.0230 [0.013, 0.033], t = 5.28,
    p = 0.000509 <= alpha = 0.05.
    """
    diff = differences("corrected_t", first, second)
    overlap = ratio("corrected_t", test_fraction, n_train, n_test)
    width = None if rope is None else positive("corrected_t", "rope", rope, zero=True)
    mean, error = corrected_mean(diff, overlap)
    details = {
        "n": len(diff),
        "degrees_of_freedom": len(diff) - 1,
        # The deviation of the folds, not of the mean: the reader can redo the correction by hand.
        "deviation": mean_and_deviation(diff)[1],
        "test_train_ratio": overlap,
    }
    options = (alternative, alpha, names)
    return _t_result("Corrected resampled t-test", diff, mean, error, options, details, width)


def corrected_mean(values: Floats, overlap: float) -> tuple[float, float]:
    """Return the mean over folds and its standard error; overlap is the ratio n_test / n_train."""
    mean, deviation = mean_and_deviation(values)
    # Nadeau and Bengio (2003): the second term stays when folds are added, as their training rows overlap
    return mean, deviation * math.sqrt(1 / len(values) + overlap)


def corrected_interval(values: Floats, overlap: float, level: float) -> Interval:
    """Return the interval of a mean over folds that share training rows."""
    edges = NullDistribution("t", (len(values) - 1.0,)).critical(1 - level, "two-sided")
    return not_rejected(*corrected_mean(values, overlap), edges, "two-sided", 1 - level, "corrected t")


def ratio(function: str, test_fraction: float | None, n_train: int | None, n_test: int | None) -> float:
    """Return n_test / n_train from either form of the parameters."""
    if (test_fraction is None) == (n_train is None and n_test is None) or (n_train is None) != (
        n_test is None
    ):
        raise ParameterError(
            f"{function}: give either 'test_fraction' or both 'n_train' and 'n_test'; "
            f"got test_fraction={test_fraction}, n_train={n_train}, n_test={n_test}."
        )
    if test_fraction is not None:
        fraction = share(function, "test_fraction", test_fraction)
        # test_fraction f means n_test / n_train = f / (1 - f), for instance 1/9 in ten folds.
        return fraction / (1 - fraction)
    return whole(function, "n_test", n_test, least=1) / whole(function, "n_train", n_train, least=1)


def compared(alternative: Alternative, names: tuple[str, str]) -> tuple[str, str]:
    """Return the claim about two things when the null hypothesis is rejected, and when it is not."""
    one, two = names
    if alternative == "two-sided":
        return f"{one} and {two} differ", f"{one} and {two} cannot be told apart"
    claim = f"{one} is {'less' if alternative == 'less' else 'greater'} than {two}"
    return claim, f"there is not enough evidence that {claim}"


def _t_result(
    name: str,
    diff: Floats,
    mean: float,
    error: float,
    options: tuple[Alternative, float, tuple[str, str]],
    details: dict[str, Any],
    rope: float | None = None,
) -> TestResult:
    function = {"Paired t-test": "paired_t"}.get(name, "corrected_t")
    alternative, alpha, names = options
    one_of(function, "alternative", alternative, SIDES)
    alpha = share(function, "alpha", alpha)
    distribution = NullDistribution("t", (len(diff) - 1.0,))
    edges = distribution.critical(alpha, alternative)
    interval = not_rejected(mean, error, edges, alternative, alpha, "Student t")
    same = not diff.any()
    remark = "they are the same on every fold" if same else ""
    if rope is not None:
        details["rope"] = rope
        details["practical"], remark = _practical(interval, rope, remark)
    # zero variance: any difference is certain, and p must not become NaN
    statistic = mean / error if error > 0 else math.copysign(math.inf, mean) if mean else 0.0
    return TestResult(
        name=name,
        statistic=statistic,
        # Identical scores leave 0 / 0; there is no evidence at all, so p is 1.
        p=1.0 if same else distribution.p(statistic, alternative),
        alpha=alpha,
        effect=mean,
        interval=interval,
        alternative=alternative,
        details={**details, "standard_error": error},
        quantity="mean difference",
        symbol="t",
        says=compared(alternative, names),
        remark=remark,
        distribution=distribution,
    )


def not_rejected(
    estimate: float,
    error: float,
    edges: tuple[float, ...],
    alternative: Alternative,
    alpha: float,
    method: str,
) -> Interval:
    """Return the interval of the values that a test with these critical values would not reject."""
    # `edges` has one value for a one-sided and two for a two-sided test: [0] is the lower one, [-1]
    # the upper one, and the interval is turned around because it is solved for the mean.
    low = -math.inf if alternative == "less" else estimate - edges[-1] * error
    high = math.inf if alternative == "greater" else estimate - edges[0] * error
    return Interval(low, high, estimate, 1 - alpha, method)


def _practical(interval: Interval, rope: float, remark: str) -> tuple[str, str]:
    """Return where an interval lies relative to the region of practical equivalence, and the remark."""
    # Two one-sided tests (Schuirmann 1987): inside the region at level alpha if the whole interval
    # is.
    if interval.low >= -rope and interval.high <= rope:
        place, words = "within", f"the whole interval is within +-{rope:g}, too small to matter"
    elif interval.low > rope or interval.high < -rope:
        place, words = "beyond", f"the whole interval is beyond +-{rope:g}"
    else:
        place, words = "undecided", f"it is undecided whether the difference exceeds +-{rope:g}"
    return place, f"{remark}, {words}" if remark else words
