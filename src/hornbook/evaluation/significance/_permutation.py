"""Tests with a simulated null distribution: permutations of the sample, or surrogate data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook import _native
from hornbook.evaluation.intervals._interval import proportion_interval
from hornbook.evaluation.intervals._samples import Alternative, numbers, one_of, share, whole
from hornbook.evaluation.intervals._statistic import Statistic, as_number, takes_axis
from hornbook.evaluation.significance._null_distribution import NullDistribution
from hornbook.evaluation.significance._rank_tests import average_ranks
from hornbook.evaluation.significance._t_tests import SIDES, compared
from hornbook.evaluation.significance._test_result import TestResult
from hornbook.params import Floats, Jobs, ParameterError, Seed, threads
from hornbook.random import Stream, seed_of

__all__ = ["permutation_test", "surrogate_test"]

_PERMUTATIONS, _SURROGATES = 1, 2  # streams
_BATCH_CELLS = 1 << 20  # numbers permuted at once, 8 MB


def permutation_test(
    x: ArrayLike,
    y: ArrayLike,
    *,
    statistic: Literal["mean", "pearson", "spearman"] | Statistic = "mean",
    permute: Literal["samples", "pairs"] | None = None,
    alternative: Alternative = "two-sided",
    n_permutations: int = 10_000,
    plus_one: bool = True,
    alpha: float = 0.05,
    random_state: Seed = None,
    n_jobs: Jobs = None,
) -> TestResult:
    """Test whether two samples differ, or two columns depend on each other, by permuting them at random.

    A permutation destroys what the test looks for, so the statistics of many permutations show how large it
    gets by chance. The one-sided p-value is (b + 1) / (m + 1) when b of m permutations reach the observed
    statistic, which is itself one of the permutations (Phipson and Smyth, 2010); with ``plus_one=False`` it
    is the plain fraction b / m, which can be 0 and is then too small. The two-sided one is twice the smaller
    side.

    Parameters
    ----------
    x, y : array-like
        Two samples, or two columns of the same rows.
    statistic : {"mean", "pearson", "spearman"} or callable, default "mean"
        Mean of x minus mean of y; the correlation of the values; the correlation of their ranks; or a
        function ``statistic(x, y)`` that returns a number (if it takes ``axis``, it is called for many
        permutations at once).
    permute : {"samples", "pairs"}, optional
        What is permuted: which sample each value belongs to, or which y goes with which x. Required for a
        function, and only then.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        What is claimed of the statistic.
    n_permutations : int, default 10000
        Number of permutations.
    plus_one : bool, default True
        Whether the sample itself counts as one of them.
    alpha : float, default 0.05
        Significance level, in (0, 1).
    random_state : int, RandomState or None, default None
        Seed of the draws; a fresh one each time when left out.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Returns
    -------
    TestResult
        The statistics of the permutations are in ``distribution.values``; ``details["p_interval"]`` is a
        95 % confidence interval of the p-value that all possible permutations would give.

    Examples
    --------
    >>> treated, control = [4.1, 5.0, 5.6, 4.8, 6.1], [3.2, 4.0, 3.7, 4.4, 3.9]
    >>> result = permutation_test(treated, control, random_state=0)
    >>> round(result.statistic, 2), round(result.p, 3)
    (1.28, 0.016)
    """
    one_of("permutation_test", "alternative", alternative, SIDES)
    alpha = share("permutation_test", "alpha", alpha)
    count = whole("permutation_test", "n_permutations", n_permutations, least=1)
    one = numbers("permutation_test", "x", x, of="numbers")
    two = numbers("permutation_test", "y", y, of="numbers")
    pairs = _are_pairs(statistic, permute)
    if pairs and (len(one) != len(two) or len(one) < 2):
        raise ValueError(
            f"permutation_test: 'x' and 'y' must be at least 2 numbers of the same rows; "
            f"got {len(one)} and {len(two)}."
        )
    seed, n_threads = seed_of(random_state), threads(n_jobs)
    if callable(statistic):
        observed, draws = _by_function(statistic, one, two, count, seed, pairs=pairs)
    elif statistic == "mean":
        observed, draws = _by_means(one, two, count, seed, n_threads)
    else:
        # Ranks are permuted with the values they belong to, so ranking once before the loop is
        # enough.
        if statistic == "spearman":  # Pearson's correlation of the ranks
            one, two = average_ranks(one), average_ranks(two)
        observed, draws = _by_correlation(one, two, count, seed, n_threads)
    name = statistic if isinstance(statistic, str) else "function"
    return _result(name, observed, draws, alternative, alpha, plus_one, pairs=pairs)


def surrogate_test(
    statistic: Callable[[Any], float],
    data: Any,
    make_surrogate: Callable[[Any, np.random.Generator], Any],
    *,
    n_surrogates: int = 1000,
    alternative: Alternative = "greater",
    plus_one: bool = True,
    alpha: float = 0.05,
    random_state: Seed = None,
) -> TestResult:
    """Test a null hypothesis that is given as a generator of data for which it holds.

    Each surrogate data set is generated as if the null hypothesis held (Theiler et al., 1992); their
    statistics show how large it gets by chance. A permutation test is the special case in which the
    surrogates are permutations of the data.

    Parameters
    ----------
    statistic : callable
        ``statistic(data)`` returns a number.
    data : object
        The data, passed on as they are.
    make_surrogate : callable
        ``make_surrogate(data, generator)`` returns new data of the same kind and draws only from the given
        ``numpy.random.Generator``; it must not change ``data``.
    n_surrogates : int, default 1000
        Number of surrogate data sets.
    alternative : {"two-sided", "less", "greater"}, default "greater"
        What is claimed of the statistic of the data against those of surrogates.
    plus_one : bool, default True
        Whether the data themselves count as one of the surrogates.
    alpha : float, default 0.05
        Significance level, in (0, 1).
    random_state : int, RandomState or None, default None
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    TestResult
        The statistics of the surrogates are in ``distribution.values``.

    Examples
    --------
    >>> series = np.sin(np.arange(60) / 5)
    >>> def together(s):
    ...     return float(np.mean(s[1:] * s[:-1]))
    >>> result = surrogate_test(
    ...     together, series, lambda s, generator: generator.permutation(s), random_state=0
    ... )
    >>> result.rejected
    True
    """
    one_of("surrogate_test", "alternative", alternative, SIDES)
    alpha = share("surrogate_test", "alpha", alpha)
    count = whole("surrogate_test", "n_surrogates", n_surrogates, least=1)
    seed = seed_of(random_state)
    observed = as_number("surrogate_test", statistic(data))
    draws = np.empty(count)
    for i in range(count):
        # each surrogate has its own counter: the i-th is the same however many are drawn
        bits = np.random.Philox(key=[seed, _SURROGATES], counter=[0, i, 0, 0])
        draws[i] = as_number("surrogate_test", statistic(make_surrogate(data, np.random.Generator(bits))))
    return _result("surrogates", observed, draws, alternative, alpha, plus_one, pairs=False)


def _are_pairs(statistic: str | Statistic, permute: str | None) -> bool:
    if callable(statistic):
        one_of("permutation_test", "permute", permute, ("samples", "pairs"))
        return permute == "pairs"
    one_of("permutation_test", "statistic", statistic, ("mean", "pearson", "spearman"))
    if permute is not None:
        raise ParameterError(
            "permutation_test: 'permute' is only for a function; "
            f"'{statistic}' permutes {'samples' if statistic == 'mean' else 'pairs'} by itself."
        )
    return statistic != "mean"


def _by_means(x: Floats, y: Floats, count: int, seed: int, n_threads: int) -> tuple[float, Floats]:
    pooled = np.concatenate([x, y])
    # centering avoids cancellation in the sums; equal values then give a difference of exactly 0
    centered = pooled - (pooled[0] if pooled.min() == pooled.max() else pooled.mean())
    observed = float(centered[: len(x)].mean() - centered[len(x) :].mean())
    return observed, _native.permute_two_sample_mean(centered, len(x), count, seed, n_threads)


def _by_correlation(x: Floats, y: Floats, count: int, seed: int, n_threads: int) -> tuple[float, Floats]:
    one, two = _unit(x), _unit(y)
    return float(one @ two), _native.permute_dot(one, two, count, seed, n_threads)


def _unit(values: Floats) -> Floats:
    """Return the values centered and scaled to length 1; zeros when they are all the same."""
    if values.min() == values.max():
        return np.zeros(len(values))
    # scaled before and after centering, so that the squares neither overflow nor underflow
    centered = values / np.abs(values).max()
    centered = centered - centered.mean()
    centered = centered / np.abs(centered).max()
    return np.asarray(centered / np.sqrt(np.sum(centered**2)))


def _by_function(
    statistic: Statistic, x: Floats, y: Floats, count: int, seed: int, *, pairs: bool
) -> tuple[float, Floats]:
    pooled = y if pairs else np.concatenate([x, y])
    many = takes_axis(statistic)
    # A vectorized statistic gets a stack of permutations at a time; any other gets one at a time.
    batch = max(1, _BATCH_CELLS // len(pooled)) if many else 1
    observed = as_number("permutation_test", statistic(x, y))
    draws = np.empty(count)
    for start in range(0, count, batch):
        rows = range(start, min(start + batch, count))
        # One stream per permutation, keyed by its index: the draws do not depend on the batch size.
        mixed = pooled[np.stack([Stream(seed, _PERMUTATIONS, i).permutation(len(pooled)) for i in rows])]
        left = np.broadcast_to(x, (len(rows), len(x))) if pairs else mixed[:, : len(x)]
        right = mixed if pairs else mixed[:, len(x) :]
        values = statistic(left, right, axis=-1) if many else statistic(left[0], right[0])
        draws[start : start + len(rows)] = values
    if not np.isfinite(draws).all():
        raise ValueError(
            "permutation_test: 'statistic' must return a finite number for every permutation; "
            f"it did not for {int((~np.isfinite(draws)).sum())} of {count}."
        )
    return observed, draws


_TEXTS = {
    "mean": ("Permutation test of means", "difference of the means", "difference"),
    "pearson": ("Permutation test of Pearson's correlation", "correlation", "r"),
    "spearman": ("Permutation test of Spearman's correlation", "rank correlation", "rho"),
    "function": ("Permutation test", "statistic", "statistic"),
    "surrogates": ("Surrogate data test", "statistic", "statistic"),
}


def _result(
    kind: str,
    observed: float,
    draws: Floats,
    alternative: Alternative,
    alpha: float,
    plus_one: bool,
    *,
    pairs: bool,
) -> TestResult:
    distribution = NullDistribution("draws", values=draws, plus_one=plus_one)
    name, quantity, symbol = _TEXTS[kind]
    known = kind in ("mean", "pearson", "spearman")
    remark = ""
    # A constant column has no correlation; `_unit` gave zeros, and p is 1 rather than NaN.
    if known and not draws.any() and observed == 0:
        remark = "all values are the same" if kind == "mean" else "one of the columns is constant"
    return TestResult(
        name=name,
        statistic=observed,
        p=distribution.p(observed, alternative),
        alpha=alpha,
        effect=observed,
        alternative=alternative,
        null=0.0 if known else float(np.median(draws)),  # a user's statistic need not be centered at 0
        details={
            "n_surrogates" if kind == "surrogates" else "n_permutations": len(draws),
            "plus_one": plus_one,
            "p_interval": _p_interval(distribution.tails(observed), len(draws), alternative, plus_one),
        },
        quantity=quantity,
        symbol=symbol,
        says=_claims(kind, alternative, pairs=pairs),
        remark=remark,
        distribution=distribution,
    )


def _p_interval(
    tails: tuple[float, float], count: int, alternative: Alternative, plus_one: bool
) -> tuple[float, float]:
    """Return the interval of the p-value that all permutations would give."""
    # how many permutations reach the statistic is binomial, with the exact p-value as its probability
    tail = {"two-sided": min(tails), "less": tails[0], "greater": tails[1]}[alternative]
    # Undoes `tails`, which has returned (reached + plus_one) / (count + plus_one).
    reached = round(tail * (count + plus_one)) - plus_one
    sides = 2 if alternative == "two-sided" else 1
    interval = proportion_interval(reached, count, method="exact")
    return min(1.0, sides * interval.low), min(1.0, sides * interval.high)


def _claims(kind: str, alternative: Alternative, *, pairs: bool) -> tuple[str, str]:
    if kind == "surrogates":
        return compared(alternative, ("the statistic of the data", "that of the surrogates"))
    if not pairs:
        return compared(alternative, ("x", "y"))
    sign = {"two-sided": "", "less": "negatively ", "greater": "positively "}[alternative]
    claim = f"x and y are {sign}{'correlated' if kind != 'function' else 'dependent'}"
    return claim, f"there is not enough evidence that {claim}"
