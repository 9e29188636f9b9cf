"""How often a learner that is as good as the best gets the badge "worse", and how often a worse one does."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from scipy import stats

from hornbook.evaluation import Scores, Verdict, proportion_interval
from hornbook.evaluation.comparison._comparison_with_best import compare_with_best

STUDIES = 2000
N_ROWS, FOLDS, REPEATS = 200, 10, 3
ALPHA = 0.05


def fold_means(draw, values):
    """Means over random folds, repeat by repeat: (n_learners, repeats, n_rows) to (n_learners, folds)."""
    parts = [
        values[:, r, draw.permutation(N_ROWS)].reshape(-1, FOLDS, N_ROWS // FOLDS) for r in range(REPEATS)
    ]
    return np.concatenate([part.mean(axis=2) for part in parts], axis=1)


def noise(draw, k, correlated):
    """Standard normal noise of each learner, repeat and row: the row's own, the learner's, the fit's."""
    row, own, fit = (
        draw.normal(size=(1, 1, N_ROWS)),
        draw.normal(size=(k, 1, N_ROWS)),
        draw.normal(size=(k, REPEATS, N_ROWS)),
    )
    shared = 0.7 if correlated else 0.0
    return np.sqrt(shared) * row + np.sqrt(1 - shared) * (np.sqrt(0.8) * own + np.sqrt(0.2) * fit)


def error_rates(draw, levels, correlated):
    """Fold scores of classifiers that err with the given probabilities."""
    latent = noise(draw, len(levels), correlated)
    return fold_means(draw, (latent < stats.norm.ppf(levels)[:, None, None]).astype(float))


def root_mean_squares(draw, levels, correlated):
    """Fold scores of regressors with the given expected scores and residuals of heavier tails than normal."""
    residuals = np.sinh(noise(draw, len(levels), correlated))
    return levels[:, None] / unit_score() * np.sqrt(fold_means(draw, residuals**2))


@functools.cache
def unit_score():
    """What the root mean square of the rows of a fold is on average."""
    residuals = np.sinh(np.random.default_rng(0).normal(size=(200_000, N_ROWS // FOLDS)))
    return np.sqrt((residuals**2).mean(axis=1)).mean()


def exact(draw, levels, correlated):
    """Fold scores for which the variance of Nadeau and Bengio is exact: any two folds correlate by 1/10."""
    k, n = len(levels), FOLDS * REPEATS
    shared = 0.7 if correlated else 0.0
    fold, own = draw.normal(size=(1, n)), draw.normal(size=(k, n))
    rows, learner = draw.normal(), draw.normal(size=(k, 1))
    folds = np.sqrt(shared) * fold + np.sqrt(1 - shared) * own
    return levels[:, None] + 0.1 * (
        np.sqrt(0.9) * folds + np.sqrt(0.1) * (np.sqrt(shared) * rows + np.sqrt(1 - shared) * learner)
    )


def called_worse(seed, world, levels, correlated, equivalence=0.0, n=STUDIES):
    """Which learners each of n studies calls worse: (n, n_learners)."""
    overlap = 1 / (FOLDS - 1)
    verdicts = []
    for study in range(n):
        losses = world(np.random.default_rng([seed, study]), np.asarray(levels), correlated)
        tested = compare_with_best(losses, overlap, equivalence=equivalence, alpha=ALPHA)
        verdicts.append(tested.adjusted_p <= ALPHA)
    return np.array(verdicts)


def rate(worse):
    """Share of studies in which any of these learners is called worse."""
    return proportion_interval(int(worse.any(axis=1).sum()), len(worse), level=0.95, method="exact")


def test_the_badge_is_what_is_counted_here():
    tested = np.full(FOLDS * REPEATS, N_ROWS // FOLDS)
    for seed in range(20):
        levels = np.array([0.2, 0.2, 0.4, 0.5])
        values = error_rates(np.random.default_rng([0, seed]), levels, correlated=True)
        scores = Scores("error_rate", False, list("abcd"), values, N_ROWS - tested, tested)
        badges = {s.name: s.status for s in Verdict.of(scores, equivalence=0.01).standings}
        worse = called_worse(0, lambda *_, values=values: values, levels, True, equivalence=0.01, n=1)[0]
        assert [badges[name] == "worse" for name in "abcd"] == worse.tolist()


WORLDS = [(error_rates, 0.3), (root_mean_squares, 1.0)]


@pytest.mark.slow
@pytest.mark.parametrize("correlated", [False, True], ids=["independent", "correlated"])
@pytest.mark.parametrize(("world", "level"), WORLDS, ids=["classification", "regression"])
@pytest.mark.parametrize("k", [2, 5, 10, 20])
def test_equal_learners_are_seldom_called_worse(k, world, level, correlated):
    levels = np.full(k, level)
    assert rate(called_worse(1, world, levels, correlated)).low <= ALPHA


@pytest.mark.slow
@pytest.mark.parametrize("correlated", [False, True], ids=["independent", "correlated"])
@pytest.mark.parametrize(("world", "level"), WORLDS, ids=["classification", "regression"])
@pytest.mark.parametrize("k", [5, 10, 20])
def test_two_best_among_worse_ones_are_seldom_called_worse(k, world, level, correlated):
    levels = np.array([level] * 2 + [1.3 * level] * (k - 2))
    assert rate(called_worse(2, world, levels, correlated)[:, :2]).low <= ALPHA


@pytest.mark.slow
@pytest.mark.parametrize("correlated", [False, True], ids=["independent", "correlated"])
@pytest.mark.parametrize(("world", "level"), [(error_rates, 0.5), (root_mean_squares, 1.0)])
@pytest.mark.parametrize("k", [2, 5, 10, 20])
def test_learners_that_equal_baseline_are_seldom_called_worse(k, world, level, correlated):
    def with_baseline(draw, levels, correlated):
        """Baseline gives the same answers in all repeats and has nothing in common with the others."""
        others = world(draw, levels[1:], correlated)
        alone = world(draw, levels[:1], correlated=False)
        return np.concatenate([alone, others])

    assert rate(called_worse(3, with_baseline, np.full(k, level), correlated)).low <= ALPHA


@pytest.mark.slow
@pytest.mark.parametrize(("world", "level"), WORLDS, ids=["classification", "regression"])
@pytest.mark.parametrize("k", [2, 10])
def test_learners_at_the_edge_of_the_region_of_equivalence_are_seldom_called_worse(k, world, level):
    edge = 0.1 * level
    levels = np.array([level] + [level + edge] * (k - 1))
    assert rate(called_worse(4, world, levels, True, equivalence=edge)).low <= ALPHA


@pytest.mark.slow
@pytest.mark.parametrize("correlated", [False, True], ids=["independent", "correlated"])
@pytest.mark.parametrize("k", [2, 5, 10, 20])
def test_the_level_is_reached_where_the_variance_is_exact(k, correlated):
    interval = rate(called_worse(5, exact, np.full(k, 0.3), correlated))
    assert interval.low <= ALPHA
    assert interval.high >= 0.6 * ALPHA  # not by being deaf: the test uses up what it is allowed


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 10, 20])
def test_what_is_clearly_worse_is_called_so(k):
    levels = np.array([0.2] * (k // 2) + [0.42] * (k - k // 2))
    worse = called_worse(6, error_rates, levels, correlated=True, equivalence=0.01, n=200)
    assert worse[:, k // 2 :].mean() > 0.8
