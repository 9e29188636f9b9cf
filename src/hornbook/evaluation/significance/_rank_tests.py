"""The signed-rank test of Wilcoxon (1945)."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook.evaluation.intervals._interval import Interval
from hornbook.evaluation.intervals._samples import Alternative, differences, one_of, ranking_keys, share
from hornbook.evaluation.significance._null_distribution import NullDistribution
from hornbook.evaluation.significance._t_tests import SIDES, compared
from hornbook.evaluation.significance._test_result import TestResult
from hornbook.params import Floats

__all__ = ["average_ranks", "wilcoxon"]

_EXACT_UP_TO = 50  # as scipy: the normal approximation is good beyond
_MOST_EXACT = 1000  # the exact distribution takes time and memory that grow as n^3 and n^2
_MOST_PAIRED = 500  # beyond, the n (n + 1) / 2 means of pairs are counted, not made
Zeros = Literal["drop", "pratt"]


def wilcoxon(
    first: ArrayLike,
    second: ArrayLike | None = None,
    *,
    zeros: Zeros = "drop",
    method: Literal["auto", "exact", "normal"] = "auto",
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    names: tuple[str, str] = ("the first", "the second"),
) -> TestResult:
    """Test whether differences are symmetric about zero, by the signed-rank test of Wilcoxon (1945).

    Differences are ranked by size; T+ is the sum of the ranks of the positive ones. Under the null hypothesis
    each rank has either sign with probability 1/2. Differences that differ by rounding error only are ties,
    and get the mean of their ranks.

    Parameters
    ----------
    first : array-like of shape (n,)
        Scores of the first, as on n tables; the differences themselves when ``second`` is left out.
    second : array-like of shape (n,), optional
        Scores of the second on the same tables.
    zeros : {"drop", "pratt"}, default "drop"
        Zero differences are dropped before ranking (Wilcoxon, 1945) or after it (Pratt, 1959).
    method : {"auto", "exact", "normal"}, default "auto"
        The distribution of T+: over all signs, or normal with the variance corrected for ties. With
        ``"auto"`` it is exact up to 50 differences without ties and zeros.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        What is claimed of first - second.
    alpha : float, default 0.05
        Significance level, in (0, 1).
    names : pair of str, default ("the first", "the second")
        What the sentence calls the two.

    Returns
    -------
    TestResult
        The statistic is T+ when exact, else its z. The effect is the pseudo-median: the median of the means
        of all pairs of differences (Hodges and Lehmann, 1963). Its interval is given when there are neither
        ties nor zeros; with them, test and interval could disagree.

    Examples
    --------
    >>> diff = [0.03, -0.01, 0.04, 0.02, 0.06, 0.05, 0.08, 0.07]
    >>> result = wilcoxon(diff)
    >>> result.statistic, result.p, round(result.effect, 4)
    (35.0, 0.015625, 0.045)
    """
    one_of("wilcoxon", "zeros", zeros, ("drop", "pratt"))
    one_of("wilcoxon", "method", method, ("auto", "exact", "normal"))
    one_of("wilcoxon", "alternative", alternative, SIDES)
    alpha = share("wilcoxon", "alpha", alpha)
    diff = differences("wilcoxon", first, second, least=1, of="pairs")
    keys = ranking_keys(diff)
    ranks = _signed_ranks(keys, zeros)
    # without ties and zeros the ranks are 1, ..., n, and test and interval are dual
    clean = len(np.unique(np.abs(keys))) == len(keys) and bool(keys.all())
    exact = method == "exact" or (method == "auto" and clean and len(ranks) <= _EXACT_UP_TO)
    if exact and len(ranks) > _MOST_EXACT:
        raise ValueError(
            f"wilcoxon: method 'exact' is for at most {_MOST_EXACT} differences; got {len(ranks)}, "
            "use method 'normal'."
        )
    total = float(ranks[ranks > 0].sum())
    distribution = _exact(np.abs(ranks)) if exact else NullDistribution("normal")
    statistic = total if exact else _z(total, ranks)
    # Only then is the interval the set of shifts that the test accepts; with ties the ranks of
    # shifted differences change in a way the order statistics do not follow.
    interval = _interval(diff, distribution, alternative, alpha) if clean else None
    return TestResult(
        name="Wilcoxon's signed-rank test",
        statistic=statistic,
        p=distribution.p(statistic, alternative) if keys.any() else 1.0,
        alpha=alpha,
        effect=_pseudo_median(diff),
        interval=interval,
        alternative=alternative,
        details={
            "n": len(diff),
            "zeros": int((keys == 0).sum()),
            "rank_sum": total,
            "zero_handling": zeros,
            "exact": exact,
        },
        quantity="pseudo-median of the differences",
        symbol="T+" if exact else "z",
        says=compared(alternative, names),
        remark="" if keys.any() else "they are the same in every pair",
        distribution=distribution,
    )


def average_ranks(keys: Floats) -> Floats:
    """Return ranks 1, 2, ... of numbers; ties get the mean of their ranks."""
    _, place, counts = np.unique(keys, return_inverse=True, return_counts=True)
    # The last rank of a run of equal keys minus half its length is the mean of its ranks.
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[place], dtype=np.float64)


def _signed_ranks(keys: Floats, zeros: Zeros) -> Floats:
    """Return the ranks of the differences that are not zero, with their sign."""
    if zeros == "drop":
        keys = keys[keys != 0]
    # Pratt (1959) ranks zeros with the rest and then drops them, so the others keep higher ranks;
    # Wilcoxon drops them first.
    nonzero = keys != 0
    return np.asarray(average_ranks(np.abs(keys))[nonzero] * np.sign(keys[nonzero]))


def _z(total: float, ranks: Floats) -> float:
    # With random signs the sum of the positive ranks r has mean sum r / 2 and variance sum r^2 / 4, ties or
    # not: the tie correction of textbooks is already in the ranks.
    squares = float((ranks**2).sum())
    if not squares:
        return 0.0
    return (total - float(np.abs(ranks).sum()) / 2) / math.sqrt(squares / 4)


def _exact(ranks: Floats) -> NullDistribution:
    """Return the distribution of the sum of the positive ranks, by adding one rank after the other."""
    # In units of half ranks everything is an integer and the table of sums can be indexed.
    steps = np.rint(2 * ranks).astype(np.int64)  # ties have half ranks
    unit = 2 if (steps % 2 == 0).all() else 1
    steps //= unit
    probabilities = np.zeros(int(steps.sum()) + 1)
    probabilities[0] = 1.0
    reached = 0
    for step in steps:  # halved at every step: counts up to 2^n would overflow
        # A rank joins the positive ones with probability 1/2: shift-and-add, the generating function
        # prod (1 + x^r) / 2. The copy matters: source and target overlap.
        probabilities[step : reached + step + 1] += probabilities[: reached + 1].copy()
        probabilities /= 2
        reached += int(step)
    values = np.arange(len(probabilities), dtype=np.float64) * (unit / 2)
    return NullDistribution("discrete", values=values, probabilities=probabilities)


def _interval(
    diff: Floats, distribution: NullDistribution, alternative: Alternative, alpha: float
) -> Interval:
    """Return the shifts that the test would not reject: order statistics of the means of pairs."""
    n = len(diff)
    pairs = n * (n + 1) // 2
    edge = distribution.critical(alpha, alternative)[0]
    if distribution.family == "normal":
        # n (n + 1) (2 n + 1) / 24 is the variance of T+ without ties, and `clean` excludes them.
        edge = pairs / 2 - abs(edge) * math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    elif alternative == "greater":
        edge = pairs - edge
    # rejected when at most `edge` means of pairs lie on the other side
    out = math.floor(edge) if edge >= 0 else -1
    low = -math.inf if alternative == "less" or out < 0 else _pair_order(diff, out + 1)
    high = math.inf if alternative == "greater" or out < 0 else _pair_order(diff, pairs - out)
    return Interval(low, high, _pseudo_median(diff), 1 - alpha, "Hodges-Lehmann")


def _pseudo_median(diff: Floats) -> float:
    """Return the median of the means of all pairs i <= j."""
    pairs = len(diff) * (len(diff) + 1) // 2
    # Hodges and Lehmann (1963); the two orders coincide when the number of pairs is odd.
    return (_pair_order(diff, (pairs + 1) // 2) + _pair_order(diff, pairs // 2 + 1)) / 2


def _pair_order(diff: Floats, k: int) -> float:
    """Return the k-th smallest mean of two differences, each also paired with itself."""
    d = np.sort(diff)
    if len(d) <= _MOST_PAIRED:
        i, j = np.triu_indices(len(d))
        # Halved before the sum: the sum of two large doubles may overflow.
        return float(np.partition(d[i] / 2 + d[j] / 2, k - 1)[k - 1])
    # too many pairs to make them all: bisect until the range holds one
    low, high = float(d[0]), float(d[-1])
    for _ in range(100):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if _pairs_up_to(d, middle) >= k else (middle, high)
    # The bisection has found a double at or just above the answer; the answer is the largest mean of
    # a pair that does not exceed it, and is one of the data's own means.
    partner = np.searchsorted(d, 2 * high - d, side="right") - 1
    paired = partner >= 0
    return float((d[paired] / 2 + d[partner[paired]] / 2).max())


def _pairs_up_to(d: Floats, x: float) -> int:
    # ordered pairs count every pair i < j twice and every i = j once
    both = int(np.searchsorted(d, 2 * x - d, side="right").sum())
    return (both + int((d <= x).sum())) // 2
