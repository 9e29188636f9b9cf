"""Learners that cannot become best are stopped early, and how often one is stopped that could have."""

from __future__ import annotations

import numpy as np
import pytest
from tests.evaluation.test_verdict_error_rate import (
    ALPHA,
    FOLDS,
    N_ROWS,
    REPEATS,
    error_rates,
    exact,
    rate,
    root_mean_squares,
)

from hornbook.evaluation import Scores, Verdict, looks_of, raced
from hornbook.evaluation.comparison._comparison_with_best import compare_with_best

LOOKS = looks_of(FOLDS, REPEATS)
TESTED = np.full(FOLDS * REPEATS, N_ROWS // FOLDS)


def scores_of(values, **more):
    names = [f"learner {i}" for i in range(len(values))]
    return Scores("error_rate", False, names, values, N_ROWS - TESTED, TESTED, **more)


def clear_case(seed=0):
    """Two good learners, one that is behind, and one that is hopeless."""
    levels = np.array([0.1, 0.1, 0.3, 0.5])
    return error_rates(np.random.default_rng(seed), levels, correlated=True)


def test_a_hopeless_learner_is_stopped_and_called_worse_with_the_folds_it_has():
    scores = raced(scores_of(clear_case()), LOOKS, alpha=ALPHA, equivalence=0.01)
    assert "learner 3" in scores.stopped
    assert not {"learner 0", "learner 1"} & set(scores.stopped)
    stop = scores.stopped["learner 3"]
    assert stop.folds in LOOKS
    assert np.isfinite(scores.values[3]).sum() == stop.folds
    verdict = Verdict.of(scores, alpha=ALPHA, equivalence=0.01)
    standing = next(s for s in verdict.standings if s.name == "learner 3")
    assert (standing.status, standing.folds) == ("worse", stop.folds)
    assert standing.badge == f"worse: stopped after {stop.folds} folds"
    assert standing.adjusted_p == stop.adjusted_p <= ALPHA
    assert standing.worse_than == stop.rival
    assert standing.mean.estimate == pytest.approx(scores.values[3, : stop.folds].mean())
    behind = scores.values[3] - scores.values[list(scores.names).index(verdict.best)]
    assert standing.difference.estimate == pytest.approx(behind[: stop.folds].mean())
    assert "learner 3" in next(s for s in verdict.sentences if s.endswith("worse."))
    assert [s.name for s in verdict.standings][-1] == "learner 3"


def test_what_happens_after_a_stop_does_not_matter():
    values = clear_case()
    scores = raced(scores_of(values), LOOKS, alpha=ALPHA, equivalence=0.01)
    later = values.copy()
    later[3, scores.stopped["learner 3"].folds :] = 0.0
    again = raced(scores_of(later), LOOKS, alpha=ALPHA, equivalence=0.01)
    assert again.stopped == scores.stopped
    np.testing.assert_array_equal(again.values, scores.values)


def test_a_look_waits_for_all_learners_but_not_for_one_that_failed():
    values = clear_case()
    values[1, 4:] = np.nan
    assert not raced(scores_of(values), LOOKS, alpha=ALPHA, equivalence=0.01).stopped
    failed = scores_of(values, errors={"learner 1": "it failed"})
    assert "learner 3" in raced(failed, LOOKS, alpha=ALPHA, equivalence=0.01).stopped


def test_the_reference_is_never_stopped():
    scores = scores_of(clear_case(), reference="learner 3")
    assert "learner 3" not in raced(scores, LOOKS, alpha=ALPHA, equivalence=0.01).stopped


def test_the_final_test_has_what_the_race_leaves():
    values = clear_case()
    plain = Verdict.of(scores_of(values), alpha=ALPHA, equivalence=0.01)
    final = Verdict.of(scores_of(values, spent=0.3), alpha=ALPHA, equivalence=0.01)
    for before, after in zip(plain.standings[1:], final.standings[1:], strict=True):
        assert after.adjusted_p == pytest.approx(min(1.0, before.adjusted_p / 0.7))
        assert (after.status == "worse") == (after.adjusted_p <= ALPHA)


def called_worse(seed, world, levels, correlated, n):
    """Which learners each of n studies with a race calls worse, early or in the end: (n, n_learners)."""
    overlap, verdicts = 1 / (FOLDS - 1), []
    for study in range(n):
        losses = world(np.random.default_rng([seed, study]), np.asarray(levels), correlated)
        scores = raced(scores_of(losses), LOOKS, alpha=ALPHA, equivalence=0.0)
        worse = np.array([name in scores.stopped for name in scores.names])
        left = ALPHA * (1 - scores.spent)
        tested = compare_with_best(losses[~worse], overlap, equivalence=0.0, alpha=left)
        worse[~worse] = tested.adjusted_p <= left
        verdicts.append(worse)
    return np.array(verdicts)


def test_the_badge_is_what_is_counted_here():
    for seed in range(5):
        values = clear_case(seed)
        scores = raced(scores_of(values), LOOKS, alpha=ALPHA, equivalence=0.0)
        badges = {s.name: s.status for s in Verdict.of(scores, alpha=ALPHA, equivalence=0.0).standings}
        worse = called_worse(0, lambda *_, values=values: values, [0.0] * 4, True, n=1)[0]
        assert [badges[name] == "worse" for name in scores.names] == worse.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("correlated", [False, True], ids=["independent", "correlated"])
@pytest.mark.parametrize(("world", "level"), [(error_rates, 0.3), (root_mean_squares, 1.0), (exact, 0.3)])
@pytest.mark.parametrize("k", [2, 20])
def test_race_and_final_test_together_seldom_call_equal_learners_worse(k, world, level, correlated):
    assert rate(called_worse(11, world, np.full(k, level), correlated, 600)).low <= ALPHA


@pytest.mark.slow
@pytest.mark.parametrize("k", [5, 20])
def test_two_best_among_worse_ones_are_seldom_stopped_or_called_worse(k):
    levels = np.array([0.3] * 2 + [0.45] * (k - 2))
    worse = called_worse(12, error_rates, levels, True, 600)
    assert rate(worse[:, :2]).low <= ALPHA
    assert worse[:, 2:].mean() > 0.3  # and the race is not deaf
