"""How probable it is that one learner is better, practically equal, or worse."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from hornbook.evaluation.intervals._interval import Interval
from hornbook.evaluation.intervals._number_text import plain, significant
from hornbook.evaluation.intervals._samples import (
    differences,
    mean_and_deviation,
    one_of,
    positive,
    share,
    whole,
)
from hornbook.params import Floats, ParameterError, Seed
from hornbook.random import Stream, seed_of

__all__ = ["BayesianComparison", "bayesian_comparison"]

_STREAM = 0x5189ED  # signed ranks
_BATCH = 1024  # samples of the weights drawn at once, which bounds the memory


@dataclass(frozen=True, kw_only=True)
class BayesianComparison:
    """How probable it is that the first of two learners is better, practically equal, or worse.

    Parameters
    ----------
    better, equal, worse : float
        Their sum is 1.
    rope : float
        Half width of the region of practical equivalence.
    method : str
        The model that the probabilities come from.
    effect : float
        Mean of the differences, first - second.
    n : int
        Number of differences.
    interval : Interval, optional
        Credible interval of the mean difference.
    threshold : float, default 0.95
        Smallest probability at which one of the three is declared.
    names : pair of str, default ("the first", "the second")
        What the sentence calls the two.
    """

    better: float
    equal: float
    worse: float
    rope: float
    method: str
    effect: float
    n: int
    interval: Interval | None = None
    threshold: float = 0.95
    names: tuple[str, str] = ("the first", "the second")

    @property
    def decision(self) -> Literal["better", "equal", "worse", "undecided"]:
        """Which of the three reaches the threshold."""
        for name, probability in self._probabilities().items():
            if probability >= self.threshold:
                return name
        return "undecided"

    @property
    def sentence(self) -> str:
        """The result in one sentence."""
        one, two = self.names
        claim = {
            "better": f"{one} is better than {two}",
            "equal": f"{one} and {two} are practically equal",
            "worse": f"{one} is worse than {two}",
            "undecided": f"it is undecided whether {one} is better than {two}",
        }[self.decision]
        numbers = ", ".join(
            f"{name} {significant(probability, 3, [self.threshold])}"
            for name, probability in self._probabilities().items()
        )
        return f"{claim}: {numbers} (region of equivalence +-{self.rope:g}, threshold {self.threshold!r})."

    def _probabilities(self) -> dict[Literal["better", "equal", "worse"], float]:
        return {"better": self.better, "equal": self.equal, "worse": self.worse}

    def __str__(self) -> str:
        return f"{self.method}: {self.sentence}"

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><th>{name}</th><td>{significant(probability, 3, [self.threshold])}</td></tr>"
            for name, probability in self._probabilities().items()
        )
        return f"<table><caption>{escape(str(self))}</caption>{cells}</table>"

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return {
            "name": self.method,
            "better": self.better,
            "equal": self.equal,
            "worse": self.worse,
            "rope": self.rope,
            "effect": plain(self.effect),
            "interval": None if self.interval is None else self.interval.to_dict(),
            "n": self.n,
            "threshold": self.threshold,
            "decision": self.decision,
            "sentence": self.sentence,
        }


def bayesian_comparison(
    first: ArrayLike,
    second: ArrayLike | None = None,
    *,
    rope: float,
    correlation: float | None = None,
    method: Literal["correlated_t", "signed_ranks"] = "correlated_t",
    greater_is_better: bool = True,
    level: float = 0.95,
    threshold: float = 0.95,
    prior_strength: float = 1.0,
    n_samples: int = 50_000,
    random_state: Seed = None,
    names: tuple[str, str] = ("the first", "the second"),
) -> BayesianComparison:
    """Compute how probable it is that the first learner is better, practically equal, or worse.

    ``"correlated_t"`` is for the folds of one table (Corani and Benavoli, 2015): the mean difference has a
    Student t distribution with n - 1 degrees of freedom, centered at the mean of the differences, with the
    squared scale (1/n + c/(1 - c)) s^2, where c is the correlation of folds that share training rows.
    ``"signed_ranks"`` is for the mean scores on many tables (Benavoli et al., 2014): the fraction of pairs of
    tables whose mean difference is beyond the region of equivalence, under random Dirichlet weights of the
    tables and of one pseudo-table without a difference, which is the prior.

    Parameters
    ----------
    first : array-like of shape (n,)
        Scores of the first learner; the differences themselves when ``second`` is left out.
    second : array-like of shape (n,), optional
        Scores of the second learner on the same folds or tables.
    rope : float
        Half width of the region of practical equivalence, at least 0.
    correlation : float, optional
        Correlation of the folds, in [0, 1): the fraction of the rows tested in each fold. Required for
        ``"correlated_t"``, and only there.
    method : {"correlated_t", "signed_ranks"}, default "correlated_t"
        The model.
    greater_is_better : bool, default True
        False when the scores are errors.
    level : float, default 0.95
        Probability of the interval of the mean difference (``"correlated_t"`` only).
    threshold : float, default 0.95
        Smallest probability at which one of the three is declared, in (0, 1).
    prior_strength : float, default 1.0
        Weight of the pseudo-table; every real table has weight 1 (``"signed_ranks"`` only).
    n_samples : int, default 50000
        Number of draws (``"signed_ranks"`` only).
    random_state : int, RandomState or None, default None
        Seed of the draws; a fresh one each time when left out.
    names : pair of str, default ("the first", "the second")
        What the sentence calls the two.

    Returns
    -------
    BayesianComparison
        The three probabilities and a sentence.

    Examples
    --------
    >>> diff = [0.02, 0.03, 0.01, 0.02, 0.04, 0.02, 0.03, 0.01, 0.03, 0.02]
    >>> result = bayesian_comparison(diff, rope=0.01, correlation=0.1)
    >>> print(result.sentence)  # doctest: +NORMALIZE_WHITESPACE
    the first is better than the second: better 0.992, equal 0.00768, worse 1.71e-05
    (region of equivalence +-0.01, threshold 0.95).
    """
    one_of("bayesian_comparison", "method", method, ("correlated_t", "signed_ranks"))
    # rope = 0 is allowed: the three-way question then reduces to better or worse, and "equal" keeps
    # only exact ties.
    width = positive("bayesian_comparison", "rope", rope, zero=True)
    limit = share("bayesian_comparison", "threshold", threshold)
    level = share("bayesian_comparison", "level", level)
    diff = differences("bayesian_comparison", first, second)
    # The signed-rank posterior treats the differences as independent (one per table), so a
    # correlation between folds has no place in it.
    if (method == "correlated_t") != (correlation is not None):
        raise ParameterError(
            "bayesian_comparison: 'correlation' is required for method 'correlated_t', and only for it; "
            f"got method '{method}' and correlation={correlation}."
        )
    interval = None
    if correlation is not None:
        lower, equal, upper, interval = _correlated_t(diff, width, _correlation(correlation), level)
    else:
        strength = positive("bayesian_comparison", "prior_strength", prior_strength)
        draws = whole("bayesian_comparison", "n_samples", n_samples, least=1)
        lower, equal, upper = _signed_ranks(diff, width, strength, draws, seed_of(random_state))
    # The tails are those of first - second; for a loss the lower tail is the good one.
    better, worse = (upper, lower) if greater_is_better else (lower, upper)
    return BayesianComparison(
        better=better,
        equal=equal,
        worse=worse,
        rope=width,
        method="Correlated t" if correlation is not None else "Signed ranks",
        effect=float(diff.mean()),
        n=len(diff),
        interval=interval,
        threshold=limit,
        names=names,
    )


def _correlation(value: float) -> float:
    number = positive("bayesian_comparison", "correlation", value, zero=True)
    if number >= 1:
        raise ParameterError(f"bayesian_comparison: 'correlation' must be a number in [0, 1); got {value}.")
    return number


def _correlated_t(
    diff: Floats, rope: float, correlation: float, level: float
) -> tuple[float, float, float, Interval]:
    """Return the probabilities below, within and above the region, and the interval of the mean."""
    n = len(diff)
    mean, deviation = mean_and_deviation(diff)
    # the variance of Nadeau and Bengio: with c = n_test / (n_train + n_test), c / (1 - c) = n_test / n_train
    scale = deviation * math.sqrt(1 / n + correlation / (1 - correlation))
    if scale == 0:  # the posterior is a point
        lower, upper = float(mean < -rope), float(mean > rope)
    else:
        # Both tails directly: as 1 minus the other, a small probability would lose its digits.
        lower = float(special.stdtr(n - 1, (-rope - mean) / scale))
        upper = float(special.stdtr(n - 1, (mean - rope) / scale))
    half = -float(special.stdtrit(n - 1, (1 - level) / 2)) * scale
    interval = Interval(mean - half, mean + half, mean, level, "correlated t")
    return lower, max(0.0, 1 - lower - upper), upper, interval  # rounding can leave -1e-17


def _signed_ranks(
    diff: Floats, rope: float, strength: float, n_samples: int, seed: int
) -> tuple[float, float, float]:
    """Return how often the pairs below, within and above the region have the largest weight."""
    # Benavoli et al. (2017), JMLR 18: the posterior of a Dirichlet process whose prior puts one
    # pseudo-observation of weight `strength` at zero, hence the appended 0.
    z = np.sort(np.append(diff, 0.0), kind="stable")
    prior = int(np.searchsorted(z, 0.0))
    # sorted differences: for each i, how many z_j put the mean (z_i + z_j) / 2 below the region, or not above
    below = np.searchsorted(z, -2 * rope - z, side="left")
    up_to = np.searchsorted(z, 2 * rope - z, side="right")
    wins = np.zeros(3)
    for batch, start in enumerate(range(0, n_samples, _BATCH)):
        count = min(_BATCH, n_samples - start)
        u = Stream(seed, _STREAM, batch).uniform(count * len(z)).reshape(count, len(z))
        # Dirichlet weights are normalized gamma variables; those of shape 1 are exponential
        w = -np.log1p(-u)
        # The pseudo-observation has shape `strength`; the gamma quantile of the same uniform keeps
        # one draw per weight, so that the stream does not depend on the strength.
        w[:, prior] = special.gammaincinv(strength, u[:, prior])
        w /= w.sum(axis=1, keepdims=True)
        # cumulative weights make the sum over all pairs a lookup per table: n instead of n^2 per draw
        sums = np.concatenate([np.zeros((count, 1)), np.cumsum(w, axis=1)], axis=1)
        lower = (w * sums[:, below]).sum(axis=1)
        upper = (w * (1 - sums[:, up_to])).sum(axis=1)
        shares = np.stack([lower, 1 - lower - upper, upper])
        # a tie, up to rounding, is split evenly among its winners
        first = shares >= shares.max(axis=0) - 1e-12
        wins += (first / first.sum(axis=0)).sum(axis=1)
    lower_p, equal_p, upper_p = wins / n_samples
    return float(lower_p), float(equal_p), float(upper_p)
