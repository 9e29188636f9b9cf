"""Which learners are worse than the best, tested so that it pays for choosing the best on the same scores."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["ROUNDING", "ComparisonWithBest", "compare_with_best"]

STREAM = 0x3E57  # draws of this module, apart from everybody else's
DRAWS = 10_000
BATCH = 250  # draws that are held in memory at once
MOST_FREEDOM = 100  # beyond it the null distribution hardly changes
ROUNDING = 1e-12  # differences of this share of the scores are no differences


@dataclass(frozen=True)
class ComparisonWithBest:
    """For each learner, whether it is worse than the best.

    Parameters
    ----------
    adjusted_p : ndarray of shape (n_learners,)
        Of the hypothesis that the learner is within the region of equivalence of the truly best one.
    rival : ndarray of shape (n_learners,)
        The learner that speaks most against it.
    critical : float
        How many standard errors beyond the region a learner must lie to be called worse in the first step.
    """

    adjusted_p: Floats
    rival: NDArray[np.intp]
    critical: float


def compare_with_best(
    losses: Floats, overlap: float, *, equivalence: float, alpha: float
) -> ComparisonWithBest:
    """Test for each learner whether it is worse than the best by more than the region of equivalence.

    Testing each learner against the one with the best mean calls equal learners worse too often: that one was
    chosen for having been lucky. Here the statistic of learner i is the largest of all
    t_ij = (mean_i - mean_j - equivalence) / se_ij over its rivals j, with the variance of Nadeau and Bengio
    (2003), and it is judged against the largest such statistic of learners that are all equal. Learners are
    rejected one by one, worst first, and each step pays only for the learners that are left (step-down,
    Romano and Wolf 2005). So the probability that any learner within the region of equivalence of the truly
    best is called worse is at most alpha, as in the model confidence set of Hansen, Lunde and Nason (2011).

    The null distribution is that of learners with independent scores of equal variance (Tukey's, but with a
    variance for each pair): correlations that were estimated from so few folds would make the test reject
    too much. Scores that are correlated make it reject less, not more. Where Bonferroni's bound is smaller
    it counts instead, which is exact for two learners.

    Parameters
    ----------
    losses : ndarray of shape (n_learners, n_folds)
        Scores for which smaller is better, of the same folds.
    overlap : float
        Rows scored on over rows learned from.
    equivalence : float
        Differences up to this are of no practical interest.
    alpha : float
        Probability of any false rejection.

    Returns
    -------
    ComparisonWithBest
        Adjusted p-values, rivals and the critical value.
    """
    n_learners, freedom = len(losses), losses.shape[1] - 1
    if n_learners == 1:
        return ComparisonWithBest(np.ones(1), np.zeros(1, dtype=np.intp), math.inf)
    statistics = _statistics(losses, overlap, equivalence)
    largest, rival = statistics.max(axis=1), statistics.argmax(axis=1)
    # The best is unknown, so every learner is compared with every other: max over rivals j of t_ij,
    # as in Hsu's (1981) multiple comparisons with the best, but with the null distribution of the
    # maximum over all learners still in the race.
    drawn = _null_maxima(n_learners, min(freedom, MOST_FREEDOM))
    adjusted, so_far = np.ones(n_learners), 0.0
    order = np.argsort(-largest, kind="stable")
    # Step-down (Romano and Wolf 2005): the largest statistic faces the maximum over all learners, the
    # next one that over the rest; the running maximum keeps adjusted p-values monotone.
    for n_left, i in zip(range(n_learners, 0, -1), order, strict=True):
        # Bonferroni over n_left (n - 1) pairs is exact in the far tail, where the simulation has no
        # draws left.
        bound = n_left * (n_learners - 1) * float(special.stdtr(freedom, -largest[i]))
        below = int(np.searchsorted(drawn[n_left - 1], largest[i]))
        so_far = max(so_far, min(bound, (1 + DRAWS - below) / (1 + DRAWS), 1.0))
        adjusted[i] = so_far
    return ComparisonWithBest(adjusted, rival, _critical(drawn[-1], n_learners, freedom, alpha))


def _statistics(losses: Floats, overlap: float, equivalence: float) -> Floats:
    """t_ij of every learner i against every rival j, -inf on the diagonal."""
    n_learners, n_folds = losses.shape
    statistics = np.full((n_learners, n_learners), -math.inf)
    noise = ROUNDING * float(np.abs(losses).max())
    for i, row in enumerate(losses):
        # (learners, folds): this learner's loss minus everybody's, fold by fold.
        differences = row - losses
        excess = differences.mean(axis=1) - equivalence
        error = differences.std(axis=1, ddof=1) * math.sqrt(1 / n_folds + overlap)
        statistics[i] = np.where(excess > noise, math.inf, -math.inf)  # no spread, so no doubt
        np.divide(excess, error, out=statistics[i], where=error > noise)
    np.fill_diagonal(statistics, -math.inf)
    return statistics


def _critical(drawn: Floats, n_learners: int, freedom: int, alpha: float) -> float:
    """Smallest statistic that is rejected when all learners are left."""
    bound = -float(special.stdtrit(freedom, alpha / (n_learners * (n_learners - 1))))
    beyond = math.floor(
        alpha * (1 + DRAWS) + ROUNDING
    )  # draws that may lie at the statistic or beyond, and 1
    return bound if beyond < 1 else min(bound, float(drawn[-beyond]))


@functools.lru_cache(maxsize=16)
def _null_maxima(n_learners: int, freedom: int) -> Floats:
    """Sorted draws of the largest t_ij, i among the first 1, 2, ... learners, when all learners are equal."""
    # The null distribution depends on the numbers of learners and folds only: pivotal under equal
    # variances, so it is drawn once and cached.
    maxima = [_largest(means, scores) for means, scores in _draws(n_learners, freedom)]
    return np.sort(np.maximum.accumulate(np.concatenate(maxima), axis=1), axis=0).T.copy()


def _largest(means: Floats, scores: Floats) -> Floats:
    """Largest t_ij of every learner in every draw, from means and from independent scores around them."""
    # (draws, learners, learners); the variance of a difference is c_ii + c_jj - 2 c_ij.
    covariances = scores @ scores.transpose(0, 2, 1)
    own = np.diagonal(covariances, axis1=1, axis2=2)
    variance = own[:, :, None] + own[:, None, :] - 2 * covariances
    difference = means[:, :, None] - means[:, None, :]
    everyone = np.arange(means.shape[1])
    # A learner is not its own rival; 1 avoids a division by zero on the diagonal.
    variance[:, everyone, everyone], difference[:, everyone, everyone] = 1.0, -math.inf
    return np.asarray((difference / np.sqrt(variance)).max(axis=2))


def _draws(n_learners: int, freedom: int) -> Iterator[tuple[Floats, Floats]]:
    """Batches of standard normal means, and of scores whose products estimate their covariance."""
    for start in range(0, DRAWS, BATCH):
        count = min(BATCH, DRAWS - start)
        stream = Stream(0, STREAM, start // BATCH)
        means, scores = np.split(_normal(stream, count, n_learners * (1 + freedom)), [n_learners], axis=1)
        yield means, scores.reshape(count, n_learners, freedom) / math.sqrt(freedom)


def _normal(stream: Stream, n_rows: int, n_columns: int) -> Floats:
    uniform = stream.uniform(n_rows * n_columns).reshape(n_rows, n_columns)
    return np.asarray(special.ndtri(np.clip(uniform, 2.0**-54, None)))  # 0 has no normal quantile
