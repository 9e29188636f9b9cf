"""How each learner stands in a comparison: worse, tied with the best, or too noisy to rank."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from hornbook.evaluation.comparison._comparison_with_best import ROUNDING, compare_with_best
from hornbook.evaluation.comparison._scores import Scores
from hornbook.evaluation.intervals._interval import Interval
from hornbook.evaluation.metrics._measure import measure_by_name, measures
from hornbook.evaluation.significance._bayes_tests import bayesian_comparison
from hornbook.evaluation.significance._t_tests import (
    corrected_interval,
    corrected_mean,
    corrected_t,
    paired_t,
)
from hornbook.evaluation.significance._test_result import TestResult

__all__ = ["Standing", "standings_of"]

Status = Literal["best", "tied best", "too noisy to rank", "worse", "incomplete"]
Reason = Literal["", "behind Baseline", "probably worse", "interval too wide"]
POWER = 0.8  # probability of finding the smallest detectable difference
PROBABLY = 0.95  # probability of being worse beyond which a learner is not called tied


@dataclass(frozen=True)
class Standing:
    """How one learner stands.

    Parameters
    ----------
    name : str
        The learner.
    status : {"best", "tied best", "too noisy to rank", "worse", "incomplete"}
        ``"worse"`` is what the test against the best rejects, ``"tied best"`` what it does not reject and
        what is good enough to be named beside the best; everything else that is not rejected is ``"too noisy
        to rank"``. ``"incomplete"`` has failed or missing folds and is not ranked.
    mean : Interval, optional
        Mean score over the folds, its interval cut off at the best value of the measure; None when
        incomplete.
    difference : Interval, optional
        Score minus the score of the best, mean over the folds.
    p : float, optional
        Of the corrected resampled t-test against the best, as if the best had been known before.
    adjusted_p : float, optional
        Of the hypothesis that the learner is within the region of equivalence of the truly best one, paid for
        choosing the best on the same scores: at most alpha means worse.
    better, equal, worse : float, optional
        Probability that the learner is better than, practically equal to, or worse than the best.
    detectable : float, optional
        Smallest true difference from the best that makes these folds say "worse" with probability 0.8.
    seconds, stored : float, optional
        Mean time of a fit; mean count of stored numbers.
    note : str, default ""
        Why the learner is incomplete.
    reason : {"", "behind Baseline", "probably worse", "interval too wide"}, default ""
        Why the learner is too noisy to rank.
    worse_than : str, default ""
        For a learner that is worse, the one that shows it most clearly.
    folds : int, optional
        For a learner that a race has stopped, the folds that it has.
    """

    name: str
    status: Status
    mean: Interval | None = None
    difference: Interval | None = None
    p: float | None = None
    adjusted_p: float | None = None
    better: float | None = None
    equal: float | None = None
    worse: float | None = None
    detectable: float | None = None
    seconds: float | None = None
    stored: float | None = None
    note: str = ""
    reason: Reason = ""
    worse_than: str = ""
    folds: int | None = None

    @property
    def badge(self) -> str:
        """The status with its reason, as tables and pictures have it."""
        if self.folds is not None:
            return f"{self.status}: stopped after {self.folds} folds"
        return f"{self.status}: {self.reason}" if self.reason else self.status


def standings_of(scores: Scores, *, alpha: float, equivalence: float) -> list[Standing]:
    """Return how each learner stands, best first, incomplete last.

    Parameters
    ----------
    scores : Scores
        Of at least one learner with a score in every fold.
    alpha : float
        Probability of calling any learner worse that is as good as the best.
    equivalence : float
        Differences up to this are of no practical interest.
    """
    complete = np.flatnonzero(scores.complete)
    order = complete[np.argsort(scores.losses[complete].mean(axis=1), kind="stable")]
    stopped = [_stopped(scores, name, int(order[0]), alpha, equivalence) for name in scores.stopped]
    missing = [i for i in np.flatnonzero(~scores.complete).tolist() if scores.names[i] not in scores.stopped]
    ranked = _ranked(scores, order, alpha, equivalence) + stopped
    sign = -1.0 if scores.greater_is_better else 1.0
    # Differences from the best, signed so that larger is worse: stopped learners are ranked among the
    # rest by the folds they have.
    behind = [-np.inf if s.difference is None else sign * s.difference.estimate for s in ranked]
    places = np.argsort(behind, kind="stable").tolist() if stopped else range(len(ranked))
    return [ranked[place] for place in places] + [_incomplete(scores, i) for i in missing]


def _stopped(scores: Scores, name: str, best: int, alpha: float, equivalence: float) -> Standing:
    """A learner that is worse by the folds that it has."""
    stop = scores.stopped[name]
    first = replace(
        scores,
        values=scores.values[:, : stop.folds],
        n_train=scores.n_train[: stop.folds],
        n_test=scores.n_test[: stop.folds],
        stopped={},
    )
    standing = _against(first, list(scores.names).index(name), best, alpha, equivalence)
    return replace(
        standing, status="worse", adjusted_p=stop.adjusted_p, worse_than=stop.rival, folds=stop.folds
    )


def _against(scores: Scores, i: int, best: int, alpha: float, equivalence: float) -> Standing:
    """A learner compared with the best, as far as it does not depend on the others."""
    values, rival = scores.values[i], scores.values[best]
    test = _test(values, rival, scores.test_share, alpha)
    probabilities = bayesian_comparison(
        values,
        rival,
        rope=equivalence,
        correlation=scores.test_share,
        greater_is_better=scores.greater_is_better,
    )
    return _standing(
        scores,
        i,
        "tied best",
        1 - alpha,
        difference=test.interval,
        p=float(test.p),
        better=float(probabilities.better),
        equal=float(probabilities.equal),
        worse=float(probabilities.worse),
    )


def _ranked(scores: Scores, order: NDArray[np.intp], alpha: float, equivalence: float) -> list[Standing]:
    """Standings of the complete learners, in order."""
    best, left = scores.values[order[0]], 1 - scores.spent
    standings = [_standing(scores, int(order[0]), "best", 1 - alpha)]
    tested = compare_with_best(
        scores.losses[order], scores.overlap, equivalence=equivalence, alpha=left * alpha
    )
    # Half-width of the test plus the quantile for power: the difference that would have been found
    # with probability 0.8, given the noise observed.
    power = student.ppf(POWER, len(best) - 1)
    for place, i in enumerate(order[1:].tolist(), 1):
        error = corrected_mean(scores.values[i] - best, scores.overlap)[1]
        # In terms of the whole alpha, of which a race may have spent a part.
        p = min(1.0, float(tested.adjusted_p[place]) / left)
        standing = replace(
            _against(scores, i, int(order[0]), alpha, equivalence),
            adjusted_p=p,
            detectable=float(equivalence + (tested.critical + power) * error),
        )
        if p <= alpha:
            rival = scores.names[order[tested.rival[place]]]
            standing = replace(standing, status="worse", worse_than=rival)
        standings.append(standing)
    return _with_reasons(standings, scores, equivalence)


def _with_reasons(standings: list[Standing], scores: Scores, equivalence: float) -> list[Standing]:
    """The standings, with those that are not rejected but say too little called too noisy to rank."""
    baseline = next((s.mean for s in standings if s.name == scores.baseline), None)
    reach = max(equivalence, _reach(standings[0], baseline, scores))
    return [
        replace(s, status="too noisy to rank", reason=reason)
        if s.status == "tied best" and (reason := _reason(s, baseline, reach, scores))
        else s
        for s in standings
    ]


def _reason(standing: Standing, baseline: Interval | None, reach: float, scores: Scores) -> Reason:
    assert standing.mean is not None
    assert standing.difference is not None  # of every complete learner but the best
    sign = -1.0 if scores.greater_is_better else 1.0
    if baseline is not None:
        behind = sign * (standing.mean.estimate - baseline.estimate)
        # Rounding apart: a learner that repeats Baseline must not be called behind it.
        if behind > ROUNDING * abs(baseline.estimate):
            return "behind Baseline"
    if (standing.worse or 0.0) > PROBABLY:
        return "probably worse"
    farthest = max(sign * standing.difference.low, sign * standing.difference.high)
    # Baseline itself always reaches as far as Baseline: that says nothing about its interval.
    return "interval too wide" if farthest > reach and standing.name != scores.baseline else ""


def _reach(best: Standing, baseline: Interval | None, scores: Scores) -> float:
    """How far from the best a learner may lie and still be called good; no limit when nothing says."""
    assert best.mean is not None
    # Without a baseline, twice the best learner's distance from a perfect score.
    worst = baseline.estimate if baseline is not None else 2 * best.mean.estimate - _perfect(scores)
    return abs(worst - best.mean.estimate) if np.isfinite(worst) else np.inf


def _test(
    values: NDArray[np.float64], best: NDArray[np.float64], test_share: float, alpha: float
) -> TestResult:
    if test_share == 0:  # no shared training rows, nothing to correct
        return paired_t(values, best, alpha=alpha)
    return corrected_t(values, best, test_fraction=test_share, alpha=alpha)


def _standing(scores: Scores, i: int, status: Status, level: float, **extra: Any) -> Standing:
    name = scores.names[i]
    return Standing(
        name,
        status,
        _possible(corrected_interval(scores.values[i], scores.overlap, level), scores),
        seconds=scores.seconds.get(name),
        stored=scores.stored.get(name),
        **extra,
    )


def _possible(interval: Interval, scores: Scores) -> Interval:
    """The interval without what the measure cannot be: no error rate is below 0."""
    best = _perfect(scores)
    if scores.greater_is_better:
        # fmin and fmax ignore NaN: a measure without a known best value leaves the interval as it is.
        return replace(interval, high=float(np.fmin(interval.high, best)))
    return replace(interval, low=float(np.fmax(interval.low, best)))


def _perfect(scores: Scores) -> float:
    """The best value of the measure, NaN if nobody knows."""
    if scores.perfect is not None:
        return scores.perfect
    return measure_by_name(scores.measure).best if scores.measure in measures() else np.nan


def _incomplete(scores: Scores, i: int) -> Standing:
    name, missing = scores.names[i], int((~np.isfinite(scores.values[i])).sum())
    folds = "1 fold has" if missing == 1 else f"{missing} folds have"
    note = scores.errors.get(name, f"{folds} no finite score")
    return Standing(name, "incomplete", seconds=scores.seconds.get(name), note=note)
