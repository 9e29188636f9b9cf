"""Tests of counts: which of two wins more often."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from hornbook.evaluation.intervals._interval import Interval
from hornbook.evaluation.intervals._samples import Alternative, differences, one_of, share
from hornbook.evaluation.significance._null_distribution import NullDistribution
from hornbook.evaluation.significance._t_tests import SIDES, compared
from hornbook.evaluation.significance._test_result import TestResult
from hornbook.optimize import newton_root
from hornbook.params import Floats, ParameterError

__all__ = ["mcnemar", "sign_test"]

_SMALL = 60  # tosses up to which the binomial probabilities are computed from exact integers
Method = Literal["exact", "mid_p"]


def mcnemar(
    y_true: ArrayLike | None = None,
    first: ArrayLike | None = None,
    second: ArrayLike | None = None,
    *,
    table: ArrayLike | None = None,
    method: Method = "exact",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    names: tuple[str, str] = ("the first", "the second"),
) -> TestResult:
    """Test whether two classifiers differ on one test set, from the rows where only one of them is right.

    The test of McNemar (1947): of the b + c rows that only the first (b) or only the second (c) gets right,
    b is binomial with probability 1/2 when they are equally good. The exact p-value is the probability of a b
    at least as extreme, the two-sided one twice the smaller side; the mid-p value counts the observed b half,
    and is less conservative (Fagerland, Lydersen and Laake, 2013).

    Parameters
    ----------
    y_true : array-like of shape (n,), optional
        True classes; or give ``table``.
    first, second : array-like of shape (n,), optional
        Predicted classes of the two.
    table : array-like of shape (2, 2), optional
        Counts of rows: first right, wrong (rows) by second right, wrong (columns).
    method : {"exact", "mid_p"}, default "exact"
        How the observed b counts.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        What is claimed of the fraction of these rows that the first gets right.
    alpha : float, default 0.05
        Significance level, in (0, 1).
    names : pair of str, default ("the first", "the second")
        What the sentence calls the two.

    Returns
    -------
    TestResult
        The effect is b / (b + c), 1/2 under the null hypothesis; ``details["difference"]`` is the difference
        of the accuracies.

    Examples
    --------
    >>> result = mcnemar(table=[[59, 6], [16, 80]])
    >>> round(result.p, 4), result.rejected
    (0.0525, False)
    >>> round(mcnemar(table=[[59, 6], [16, 80]], method="mid_p").p, 4)
    0.0347
    """
    one_of("mcnemar", "method", method, ("exact", "mid_p"))
    counts = _table(y_true, first, second, table)
    # Rows on which both are right, or both wrong, say nothing about which is better: b and c are
    # sufficient (McNemar 1947).
    b, c = int(counts[0, 1]), int(counts[1, 0])
    remark = "" if b + c else "they are right and wrong on the same rows"
    name = "McNemar's test" + (", mid-p" if method == "mid_p" else "")
    details = {"table": counts.tolist(), "difference": (b - c) / int(counts.sum())}
    options = ("mcnemar", alternative, alpha, names)
    return _coin_test(
        name, (b, c), options, method, details, "share of the rows that only one gets right", remark
    )


def sign_test(
    first: ArrayLike,
    second: ArrayLike | None = None,
    *,
    method: Method = "exact",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    names: tuple[str, str] = ("the first", "the second"),
) -> TestResult:
    """Test whether one of two wins more often, whatever the size of the differences.

    Pairs without a difference are left out; of the rest, the number of positive differences is binomial with
    probability 1/2 under the null hypothesis.

    Parameters
    ----------
    first : array-like of shape (n,)
        Scores of the first, as on n tables; the differences themselves when ``second`` is left out.
    second : array-like of shape (n,), optional
        Scores of the second on the same tables.
    method : {"exact", "mid_p"}, default "exact"
        Whether the observed number counts fully or half in its p-value.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        What is claimed of first - second.
    alpha : float, default 0.05
        Significance level, in (0, 1).
    names : pair of str, default ("the first", "the second")
        What the sentence calls the two.

    Returns
    -------
    TestResult
        The effect is the share of positive differences, 1/2 under the null hypothesis.

    Examples
    --------
    >>> result = sign_test([0.1, 0.2, 0.3, 0.1, 0.0, 0.2, -0.1, 0.3, 0.1])
    >>> result.statistic, round(result.p, 4), result.details["ties"]
    (7.0, 0.0703, 1)
    """
    one_of("sign_test", "method", method, ("exact", "mid_p"))
    diff = differences("sign_test", first, second, least=1, of="pairs")
    # Ties are left out: conditioning on the number of untied pairs keeps the binomial null exact.
    wins, losses = int((diff > 0).sum()), int((diff < 0).sum())
    remark = "" if wins + losses else "they are the same in every pair"
    details: dict[str, object] = {"ties": len(diff) - wins - losses, "mean_difference": float(diff.mean())}
    options = ("sign_test", alternative, alpha, names)
    return _coin_test("Sign test", (wins, losses), options, method, details, "share of the pairs won", remark)


def _table(
    y_true: ArrayLike | None, first: ArrayLike | None, second: ArrayLike | None, table: ArrayLike | None
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    present = [column is not None for column in (y_true, first, second)]
    if all(present) == (table is not None) or any(present) != all(present):
        raise ParameterError("mcnemar: give either 'y_true', 'first' and 'second', or 'table'.")
    if table is not None:
        counts = np.asarray(table)
        whole = counts.dtype.kind in "iu" or (counts.dtype.kind == "f" and (counts == np.floor(counts)).all())
        if counts.shape != (2, 2) or not whole or (counts < 0).any() or not counts.any():
            raise ValueError(
                "mcnemar: 'table' must be 2 x 2 counts of rows, not all of them 0; "
                f"got {' '.join(repr(table).split())}."
            )
        return counts.astype(np.int64)
    truth, one, two = (np.asarray(column) for column in (y_true, first, second))
    if truth.ndim != 1 or not len(truth) or not truth.shape == one.shape == two.shape:
        raise ValueError(
            "mcnemar: 'y_true', 'first' and 'second' must be one class for each of the same rows; "
            f"got shapes {truth.shape}, {one.shape} and {two.shape}."
        )
    if any(column.dtype.kind == "f" and np.isnan(column).any() for column in (truth, one, two)):
        raise ValueError("mcnemar: classes must not be NaN; leave such rows out.")
    one_right, two_right = one == truth, two == truth
    return np.array(
        [
            [(one_right & two_right).sum(), (one_right & ~two_right).sum()],
            [(~one_right & two_right).sum(), (~one_right & ~two_right).sum()],
        ]
    )


def _coin_test(
    name: str,
    counts: tuple[int, int],
    options: tuple[str, Alternative, float, tuple[str, str]],
    method: Method,
    details: dict[str, object],
    quantity: str,
    remark: str,
) -> TestResult:
    """Test whether wins and losses look like tosses of a fair coin."""
    function, alternative, alpha, names = options
    one_of(function, "alternative", alternative, SIDES)
    alpha = share(function, "alpha", alpha)
    wins, n = counts[0], sum(counts)
    # Under the null hypothesis the wins are Binomial(n, 1/2); conditional on n, as n is ancillary.
    values = np.arange(n + 1.0)
    distribution = NullDistribution(
        "discrete", values=values, probabilities=_fair(n), mid_p=method == "mid_p"
    )
    # without any toss p is 1, also as a mid-p value, which would count the only outcome half
    p = distribution.p(wins, alternative) if n else 1.0
    effect = wins / n if n else 0.5
    low, high = _share_ends(wins, n, alpha, alternative, mid_p=method == "mid_p")
    kind = "mid-p" if method == "mid_p" else "Clopper-Pearson"
    return TestResult(
        name=name,
        statistic=float(wins),
        p=p,
        alpha=alpha,
        effect=effect,
        interval=Interval(low, high, effect, 1 - alpha, kind),
        alternative=alternative,
        null=0.5,
        details={"n": n, "wins": wins, "losses": counts[1], **details},
        quantity=quantity,
        symbol="wins",
        says=compared(alternative, names),
        remark=remark,
        distribution=distribution,
    )


def _fair(n: int) -> Floats:
    """Probabilities of 0, 1, ..., n heads."""
    if n <= _SMALL:
        # Python integers: C(60, 30) is beyond 2^53, yet the quotient is rounded only once.
        return np.array([math.comb(n, k) / 2**n for k in range(n + 1)])
    # from the middle outward, each probability is the previous one times a ratio: accurate for any n
    k = np.arange(n // 2, n)
    upper = np.concatenate([[1.0], np.cumprod((n - k) / (k + 1))])  # of n // 2, n // 2 + 1, ...
    # By symmetry; for odd n there are two equal middle terms, for even n one.
    lower = upper[:0:-1] if n % 2 == 0 else upper[:1:-1]
    both = np.concatenate([lower, upper])
    return np.asarray(both / both.sum())


def _share_ends(
    k: int, n: int, alpha: float, alternative: Alternative, *, mid_p: bool
) -> tuple[float, float]:
    """Return the probabilities of heads that the test would not reject (Clopper and Pearson, 1934)."""
    if not n:
        return 0.0, 1.0
    tail = alpha / 2 if alternative == "two-sided" else alpha
    low = 0.0 if alternative == "less" else _lower_end(k, n, tail, mid_p=mid_p)
    # P(X <= k | p) = P(n - X >= n - k | 1 - p): the upper end mirrors the lower one.
    high = 1.0 if alternative == "greater" else 1 - _lower_end(n - k, n, tail, mid_p=mid_p)
    return low, high


def _lower_end(k: int, n: int, tail: float, *, mid_p: bool) -> float:
    """Solve P(X >= k) = tail for the probability of heads, or P(X > k) + P(X = k) / 2 = tail."""
    if not mid_p:
        return float(special.betaincinv(k, n - k + 1, tail)) if k else 0.0
    if not k and tail <= 0.5:  # even a coin without heads would not be rejected
        return 0.0

    def excess(p: float) -> tuple[float, float]:
        at_least = float(special.betainc(k, n - k + 1, p)) if k else 1.0
        above = float(special.betainc(k + 1, n - k, p)) if k < n else 0.0
        # d/dp P(X >= k) is the density of a beta distribution.
        slopes = [
            math.exp((i - 1) * math.log(p) + (n - i) * math.log1p(-p) - float(special.betaln(i, n - i + 1)))
            for i in (k, k + 1)
            if 1 <= i <= n
        ]
        return (at_least + above) / 2 - tail, sum(slopes) / 2

    # Bracketed Newton: P is monotone in p, and the slope is known in closed form.
    return newton_root(excess, 0.5, between=(0.0, 1.0))
