"""The verdict: sentence, table, picture and data agree, and the statistics behind them are right."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from hornbook.evaluation import OutOfFold, Scores, Verdict, corrected_for_choice, stored_numbers
from hornbook.evaluation.comparison._comparison_with_best import compare_with_best


def scores_of(values, measure="error_rate", greater=False, **more):
    values = np.asarray(values, dtype=float)
    names = [f"L{i}" for i in range(len(values))]
    sizes = np.full(values.shape[1], 10)
    return Scores(measure, greater, names, values, 90 + 0 * sizes, sizes, **more)


def random_scores(seed, k, n_folds, gap):
    draw = np.random.default_rng(seed)
    fold = draw.normal(size=n_folds) * 0.05
    return 0.3 + fold + gap * np.arange(k)[:, None] + draw.normal(size=(k, n_folds)) * 0.01


def test_difference_by_the_corrected_resampled_t_test():
    values = random_scores(0, 2, 30, 0.02)
    verdict = Verdict.of(scores_of(values), equivalence=0.0)
    other = verdict.standings[1]
    d = values[1] - values[0]
    error = np.sqrt((1 / 30 + 10 / 90) * d.var(ddof=1))
    p = 2 * stats.t.sf(abs(d.mean() / error), 29)
    assert other.p == pytest.approx(p, rel=1e-12)
    assert other.adjusted_p == pytest.approx(p, rel=1e-12)
    reach = stats.t.ppf(0.975, 29) * error
    assert (other.difference.low, other.difference.high) == pytest.approx(
        (d.mean() - reach, d.mean() + reach)
    )
    mean_error = np.sqrt((1 / 30 + 10 / 90) * values[0].var(ddof=1))
    assert verdict.standings[0].mean.high == pytest.approx(
        values[0].mean() + stats.t.ppf(0.975, 29) * mean_error
    )
    assert other.detectable == pytest.approx((stats.t.ppf(0.975, 29) + stats.t.ppf(0.8, 29)) * error)


def test_two_learners_are_tested_against_the_region_of_equivalence():
    values = random_scores(1, 2, 20, 0.02)
    verdict = Verdict.of(scores_of(values), equivalence=0.01)
    d = np.abs(values[1] - values[0]) if values[1].mean() < values[0].mean() else values[1] - values[0]
    error = np.sqrt((1 / 20 + 10 / 90) * d.var(ddof=1))
    assert verdict.standings[1].adjusted_p == pytest.approx(2 * stats.t.sf((d.mean() - 0.01) / error, 19))


def test_many_learners_pay_for_the_choice_of_the_best():
    values = random_scores(2, 6, 20, 0.009)
    verdict = Verdict.of(scores_of(values), equivalence=0.0)
    against_best = [s for s in verdict.standings if s.worse_than == verdict.best]
    assert len(against_best) >= 2
    # More than a single test costs, at most what Bonferroni costs over all ordered pairs.
    assert all(s.p < s.adjusted_p <= 15 * s.p * (1 + 1e-12) for s in against_best)
    # Twenty equal learners: the critical value is near Tukey's, with a variance for each pair a little above.
    equal = np.random.default_rng(3).normal(size=(20, 30))
    tested = compare_with_best(equal, 1 / 9, equivalence=0.0, alpha=0.05)
    tukey = stats.studentized_range.ppf(0.95, 20, 29) / np.sqrt(2)
    assert tukey < tested.critical < stats.t.isf(0.05 / 380, 29)
    assert tested.critical == pytest.approx(tukey, rel=0.06)


def test_the_order_of_learners_and_the_unit_of_the_scores_change_nothing():
    values = random_scores(5, 7, 30, 0.01)
    first = compare_with_best(values, 1 / 9, equivalence=0.005, alpha=0.05)
    turned = compare_with_best(values[::-1] * 1024, 1 / 9, equivalence=0.005 * 1024, alpha=0.05)
    np.testing.assert_array_equal(first.adjusted_p, turned.adjusted_p[::-1])


@settings(derandomize=True, max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 9999),
    k=st.integers(1, 5),
    n_folds=st.integers(2, 30),
    gap=st.sampled_from([0.0, 0.002, 0.01, 0.05]),
    greater=st.booleans(),
    equivalence=st.sampled_from([0.0, 0.01, 0.2]),
    broken=st.sets(st.integers(1, 4), max_size=3),
)
def test_sentence_table_and_data_tell_the_same(seed, k, n_folds, gap, greater, equivalence, broken):
    values = random_scores(seed, k, n_folds, gap)
    for i in broken & set(range(k)):
        values[i, 0] = np.nan
    scores = scores_of(values, "accuracy" if greater else "error_rate", greater)
    verdict = Verdict.of(scores, equivalence=equivalence)
    data = json.loads(json.dumps(verdict.to_dict()))
    means = {s.name: s.mean.estimate for s in verdict.standings if s.mean is not None}
    best = max(means, key=means.get) if greater else min(means, key=means.get)
    assert means[verdict.best] == means[best]
    for standing, plain, row in zip(verdict.standings, data["standings"], verdict.table.rows, strict=True):
        assert plain["name"] == standing.name == row[0]
        if standing.status == "incomplete":
            assert np.isnan(values[int(standing.name[1:])]).any()
            assert standing.name not in data["winners"]
            continue
        if standing.status == "best":
            assert standing.name == data["best"] == verdict.standings[0].name
            continue
        assert (standing.status == "worse") == (standing.adjusted_p <= 0.05)
        assert bool(standing.worse_than) == (standing.status == "worse")
        assert bool(standing.reason) == (standing.status == "too noisy to rank")
        assert plain["reason"] == standing.reason
        assert row[1] == standing.badge
        assert standing.better + standing.equal + standing.worse == pytest.approx(1.0)
        if standing.status == "tied best":
            assert standing.worse <= 0.95
    words = verdict.sentence
    assert words == " ".join(verdict.sentences)
    assert verdict.sentences[0].startswith(f"{verdict.best} has the best ")
    by_status = {status: [s.name for s in verdict.standings if s.status == status] for status in STATUSES}
    assert ("cannot be told apart from" in words) == bool(by_status["tied best"])
    assert (" worse." in words) == bool(by_status["worse"])
    assert ("Too noisy to rank: " in words) == bool(by_status["too noisy to rank"])
    assert ("not ranked" in words) == bool(by_status["incomplete"])
    assert verdict.sentence in str(verdict)
    assert data["sentence"] == words
    assert verdict.recommended in verdict.winners
    assert data["beats_baseline"] is None


STATUSES = ("best", "tied best", "too noisy to rank", "worse", "incomplete")


def with_baseline(values, **more):
    """Scores whose last learner is the baseline."""
    scores = scores_of(values, **more)
    return replace(scores, names=[*scores.names[:-1], "Baseline"])


def test_what_is_behind_baseline_is_not_tied_best():
    fold = np.linspace(-0.01, 0.01, 10)
    noisy = 2.4 + 4.0 * np.tile([-1.0, 1.0], 5) * np.linspace(0.5, 1.0, 10)
    verdict = Verdict.of(with_baseline([0.05 + fold, noisy, 1.1 + fold * 0.1], measure="log_loss"))
    assert [s.name for s in verdict.standings] == ["L0", "Baseline", "L1"]
    assert [s.badge for s in verdict.standings] == ["best", "worse", "too noisy to rank: behind Baseline"]
    assert verdict.winners == ("L0",)
    assert verdict.beats_baseline
    assert "Too noisy to rank: L1 (behind Baseline)." in verdict.sentence


def test_what_is_probably_worse_is_not_tied_best():
    draw = np.random.default_rng(0)
    fold = draw.normal(size=10) * 0.01
    gap = 0.08 + 0.08 * stats.zscore(draw.normal(size=10), ddof=1)
    level = [0.2 + fold, 0.2 + fold + gap, *(0.5 + draw.normal(size=(6, 10)) * 0.01)]
    verdict = Verdict.of(scores_of(level))
    second = verdict.standings[1]
    assert second.worse > 0.95
    assert (second.status, second.reason) == ("too noisy to rank", "probably worse")


def test_an_interval_that_reaches_baseline_says_too_little():
    fold = np.linspace(-0.01, 0.01, 10)
    spread = np.tile([-1.0, 1.0], 5) * 0.8
    wide = Verdict.of(with_baseline([0.2 + fold, 0.21 + spread, 0.6 + fold]))
    assert wide.standings[1].badge == "too noisy to rank: interval too wide"
    narrow = Verdict.of(with_baseline([0.2 + fold, 0.21 + spread / 10, 0.6 + fold]))
    assert narrow.standings[1].status == "tied best"
    # Without a baseline the best's own distance from a perfect score is the yardstick.
    alone = Verdict.of(scores_of([0.2 + fold, 0.21 + spread]))
    assert alone.standings[1].badge == "too noisy to rank: interval too wide"
    assert Verdict.of(scores_of([0.2 + fold, 0.21 + spread / 10])).winners == ("L0", "L1")


def test_nothing_beats_baseline():
    draw = np.random.default_rng(1)
    values = 0.5 + draw.normal(size=(3, 30)) * 0.02
    for places in ([0, 1, 2], [1, 2, 0]):
        verdict = Verdict.of(with_baseline(values[places], stored={"L0": 1.0, "L1": 2.0, "Baseline": 3.0}))
        assert verdict.beats_baseline is False
        assert verdict.recommended == "Baseline"
        assert verdict.sentences[0].startswith("Nothing here beats Baseline, which ")
        assert "Recommended: Baseline, which needs no columns." in verdict.sentence
    alone = Verdict.of(with_baseline(values[:1]))
    assert alone.sentence.startswith("Baseline has the best error_rate")
    broken = Verdict.of(with_baseline([np.full(30, np.nan), values[0]]))
    assert broken.sentences[0].startswith("Nothing here beats Baseline, which has the best error_rate itself")
    assert broken.beats_baseline is False


def test_what_differs_from_baseline_by_rounding_is_not_behind_it():
    values = np.random.default_rng(2).normal(size=30) * 0.02 + 0.7
    verdict = Verdict.of(with_baseline([values, values + 1e-16, values - 2e-16]))
    assert [s.badge for s in verdict.standings] == ["best", "tied best", "tied best"]
    assert verdict.recommended == "Baseline"


def test_a_score_that_is_no_number_is_told_as_one():
    values = np.array([[0.1, 0.2, 0.1, 0.2], [0.3, np.inf, 0.3, np.nan]])
    verdict = Verdict.of(scores_of(values, measure="rmse"))
    assert verdict.standings[1].note == "2 folds have no finite score"
    data = json.loads(json.dumps(verdict.to_dict(), allow_nan=False))
    assert data["scores"]["L1"] == [0.3, None, 0.3, None]


def test_nothing_is_called_the_simplest_whose_size_nobody_knows():
    values = np.tile([[0.1, 0.2, 0.1, 0.2], [0.1, 0.2, 0.2, 0.1]], 3)
    verdict = Verdict.of(scores_of(values))
    assert "Recommended: L0, the best by its mean." in verdict.sentence


def test_the_first_sentence_has_the_score_that_holds():
    scores = noise_scores(0, k=10)
    verdict = Verdict.of(scores)
    assert verdict.corrected.estimate > verdict.standings[0].mean.estimate
    assert str(verdict.corrected) in verdict.sentences[0]
    assert str(verdict.standings[0].mean) not in verdict.sentence
    plain = Verdict.of(replace(scores, out_of_fold=None))
    assert f"{plain.standings[0].mean} over the folds, not corrected for" in plain.sentences[0]


def test_simplest_of_the_best_is_recommended():
    values = np.tile([[0.1, 0.2, 0.1, 0.2], [0.1, 0.2, 0.2, 0.1], [0.5, 0.6, 0.6, 0.5]], 3)
    verdict = Verdict.of(scores_of(values, stored={"L0": 100.0, "L1": 7.0, "L2": 1.0}))
    assert verdict.winners == ("L0", "L1")
    assert verdict.recommended == "L1"
    assert "Recommended: L1, the simplest of the best." in verdict.sentence


def test_what_is_likely_worse_is_not_recommended_for_being_simple():
    values = [[0.25, 0.24, 0.26], [0.26, 0.24, 0.25], [0.28, 0.27, 0.25]]
    verdict = Verdict.of(scores_of(values, stored={"L0": 100.0, "L1": 50.0, "L2": 1.0}), equivalence=0.01)
    assert verdict.winners == ("L0", "L1", "L2")
    assert verdict.standings[2].worse > 0.5
    assert verdict.recommended == "L1"
    assert "Recommended: L1, the simplest that is probably as good." in verdict.sentence


@pytest.mark.parametrize(("measure", "greater"), [("error_rate", False), ("accuracy", True)])
def test_no_interval_goes_beyond_perfection(measure, greater):
    wrong = np.array([[0.0, 0.05, 0.0, 0.01], [0.4, 0.5, 0.6, 0.5]])
    scores = scores_of(1 - wrong if greater else wrong, measure=measure, greater=greater)
    first, second = (standing.mean for standing in Verdict.of(scores).standings)
    assert (first.high if greater else first.low) == (1.0 if greater else 0.0)
    assert first.low < first.estimate < first.high
    assert second.high - second.estimate == pytest.approx(second.estimate - second.low)


def test_small_but_certain_difference_is_no_difference_in_practice():
    values = np.tile([0.1, 0.2, 0.15, 0.12], (2, 5))
    values[1] += 0.001 + 1e-5 * np.arange(20)
    near, strict = (Verdict.of(scores_of(values), equivalence=e) for e in (0.01, 0.0))
    assert near.winners == ("L0", "L1")
    assert strict.winners == ("L0",)
    assert near.standings[1].equal > 0.99


def test_equal_learners_have_a_defined_verdict():
    verdict = Verdict.of(scores_of([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3]]))
    assert verdict.winners == ("L0", "L1")
    assert verdict.standings[1].p == 1.0
    assert verdict.standings[1].equal == 1.0


def test_refusals():
    with pytest.raises(ValueError, match="at least 2 folds; got 1"):
        Verdict.of(scores_of([[0.1], [0.2]]))
    with pytest.raises(ValueError, match="no learner has a score in every fold.*L0: it broke"):
        Verdict.of(scores_of([[0.1, np.nan]], errors={"L0": "it broke"}))
    with pytest.raises(ValueError, match="alpha must lie between 0 and 1; got 2"):
        Verdict.of(scores_of([[0.1, 0.2]]), alpha=2)
    with pytest.raises(ValueError, match="equivalence must be a number >= 0; got -1"):
        Verdict.of(scores_of([[0.1, 0.2]]), equivalence=-1)
    with pytest.raises(ValueError, match="one row for each learner and one column for each fold"):
        Scores("mse", False, ["a"], np.zeros((2, 3)), np.ones(3), np.ones(3))
    with pytest.raises(ValueError, match="every learner needs a name of its own"):
        Scores("mse", False, ["a", "a"], np.zeros((2, 3)), np.ones(3), np.ones(3))
    with pytest.raises(ValueError, match="needs the out-of-fold predictions"):
        corrected_for_choice(scores_of([[0.1, 0.2]]))


def noise_scores(seed, k=30, n=60):
    """Learners that guess: whoever looks best is as bad as the others."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, 2, n)
    answers = {f"L{i}": [draw.integers(0, 2, n)] for i in range(k)}
    values = np.array([[np.mean(a[0][r::10] != truth[r::10]) for r in range(10)] for a in answers.values()])
    sizes = np.full(10, n // 10)
    return Scores(
        "error_rate", False, list(answers), values, n - sizes, sizes, out_of_fold=OutOfFold(truth, answers)
    )


def test_choice_among_guesses_is_seen_through():
    estimates = [
        (noise_scores(s).values.mean(axis=1).min(), corrected_for_choice(noise_scores(s)).estimate)
        for s in range(20)
    ]
    optimistic, corrected = np.mean(estimates, axis=0)
    assert optimistic < 0.40  # the best of 30 guesses
    # Mean of 20 runs with 60 rows each: standard error at most sqrt(0.25 / 60 / 20) = 0.0144.
    assert corrected == pytest.approx(0.5, abs=4 * 0.0144)


def test_choice_with_any_measure_and_weights():
    draw = np.random.default_rng(0)
    y = draw.normal(size=80)
    answers = {"good": [y + draw.normal(size=80) * 0.1], "bad": [y + draw.normal(size=80)]}
    values = np.array([[np.mean((a[0] - y)[r::4] ** 2) for r in range(4)] for a in answers.values()])
    sizes = np.full(4, 20)
    for name, greater in (("mse", False), ("r2", True), ("rmse", False)):
        kept = OutOfFold(y, answers, sample_weight=np.ones(80))
        scores = Scores(
            name, greater, list(answers), -values if greater else values, 80 - sizes, sizes, out_of_fold=kept
        )
        error = answers["good"][0] - y
        direct = {
            "mse": np.mean(error**2),
            "r2": 1 - np.mean(error**2) / y.var(),
            "rmse": np.sqrt(np.mean(error**2)),
        }
        assert corrected_for_choice(scores).estimate == pytest.approx(direct[name], rel=0.05)


def test_stored_numbers():
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    from hornbook import Baseline, NaiveBayes, datasets

    iris = datasets.iris()
    small, large = Baseline().fit(iris), NaiveBayes(density="kernel").fit(iris)
    assert stored_numbers(small) < stored_numbers(NaiveBayes().fit(iris)) < stored_numbers(large)
    X, y = iris.features.matrix, iris.y
    assert stored_numbers(LogisticRegression(max_iter=500).fit(X, y)) < stored_numbers(
        DecisionTreeClassifier().fit(X, y)
    )
    assert stored_numbers([1.0, True, "text", None, {"a": np.zeros((2, 3))}]) == 8


def test_rows_without_weight_are_no_reason_to_have_no_correction():
    truth, weights = np.arange(12.0), np.array([1.0, 1.0, *[0.0] * 10])
    kept = OutOfFold(truth, {"L0": [truth + 0.5], "L1": [truth + 3.0]}, weights, None)
    scores = scores_of([[0.25] * 4, [9.0] * 4], measure="mse", out_of_fold=kept)
    assert corrected_for_choice(scores).estimate == pytest.approx(0.25)
