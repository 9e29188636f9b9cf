"""Rare and costly classes: factors by hand, samples of the right size, any learner inside."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression as SkLogistic
from sklearn.neighbors import KNeighborsClassifier as SkNeighbors
from sklearn.svm import LinearSVC

from hornbook import (
    CostSensitive,
    Frame,
    KNeighborsClassifier,
    LogisticRegression,
    NaiveBayes,
    OverSampler,
    ThresholdMoving,
    UnderSampler,
    datasets,
)
from hornbook.imbalance._balance import sampled_weights

draw = np.random.default_rng(0)
Y = np.where(draw.random(600) < 0.1, "rare", "usual")
X = draw.normal((Y == "rare")[:, None] * 1.2, 1.0, (600, 3))
RARE = Y == "rare"


@pytest.mark.parametrize("inside", [NaiveBayes(), LogisticRegression(), SkLogistic()], ids=str)
def test_odds_are_compared_with_the_ratio_of_the_classes(inside):
    plain = ThresholdMoving(inside, factor=[1.0, 1.0]).fit(X, Y)
    odds = plain.predict_proba(X)[:, 0] / plain.predict_proba(X)[:, 1]
    moved = ThresholdMoving(inside).fit(X, Y)
    np.testing.assert_array_equal(moved.predict(X) == "rare", odds > RARE.sum() / (~RARE).sum())
    again = moved.predict_proba(X)[:, 0] / moved.predict_proba(X)[:, 1]
    np.testing.assert_allclose(again, odds * (~RARE).sum() / RARE.sum(), rtol=1e-9)


def test_costs_move_the_threshold_as_they_weigh_the_rows_of_naive_bayes():
    costs = {"rare": 5.0, "usual": 2.0}
    moved = ThresholdMoving(NaiveBayes(), factor=costs).fit(X, Y).predict_proba(X)
    weighed = CostSensitive(NaiveBayes(), costs=costs).fit(X, Y)
    # The densities of the classes do not change, and the prior odds are multiplied by 5 / 2.
    np.testing.assert_allclose(weighed.predict_proba(X), moved, rtol=1e-9)
    np.testing.assert_allclose(weighed.factor_[0] / weighed.factor_[1], 2.5)
    np.testing.assert_allclose(weighed.factor_ @ [RARE.sum(), (~RARE).sum()], 600)
    decided = CostSensitive(NaiveBayes(), costs=[5.0, 2.0], method="decision").fit(X, Y)
    np.testing.assert_array_equal(decided.predict(X) == "rare", moved[:, 0] > 0.5)


def test_a_table_of_costs_decides_for_the_least_expected_one():
    iris = datasets.iris()
    table = [[0, 1, 9], [1, 0, 4], [2, 1, 0]]
    model = CostSensitive(NaiveBayes(), costs=table, method="decision").fit(iris)
    shares = NaiveBayes().fit(iris).predict_proba(iris)
    np.testing.assert_array_equal(
        model.predict(iris), model.classes_[(shares @ np.transpose(table)).argmin(axis=1)]
    )
    assert not hasattr(CostSensitive(method="decision"), "decision_function")


def test_tables_that_agree_give_weights_and_others_are_refused():
    iris = datasets.iris()
    agree = np.outer([1, 1, 1], [1.0, 2.0, 4.0])
    np.fill_diagonal(agree, 0)
    model = CostSensitive(NaiveBayes(), costs=agree).fit(iris)
    np.testing.assert_allclose(model.factor_ / model.factor_[0], [1, 2, 4])
    with pytest.raises(
        ValueError, match="no weights of the classes .* are consistent with all pairs of 'costs'"
    ):
        CostSensitive(costs=[[0, 1, 9], [1, 0, 4], [2, 1, 0]]).fit(iris)
    with pytest.raises(ValueError, match="must make every mistake cost more than the right answer"):
        CostSensitive(costs=[[0, 0, 1], [1, 0, 1], [1, 1, 0]]).fit(iris)


@pytest.mark.parametrize("inside", [NaiveBayes(), SkNeighbors(), LinearSVC()], ids=str)
def test_samplers_take_any_learner(inside):
    under, over = (make(inside, random_state=1).fit(X, Y) for make in (UnderSampler, OverSampler))
    few, many = float(RARE.sum()), float((~RARE).sum())
    assert under.before_.tolist() == [few, many]
    assert under.after_.tolist() == [few, few]
    assert over.after_.tolist() == [many, many]
    for model in (under, over):
        detected = model.predict(X)[RARE] == "rare"
        assert detected.mean() > 0.5
        assert hasattr(model, "predict_proba") == hasattr(inside, "predict_proba")


def test_dropped_rows_are_the_large_classes_and_repeated_ones_are_all_kept():
    codes = (~RARE).astype(np.int32)
    few, many = RARE.sum(), (~RARE).sum()
    kept = sampled_weights(Frame(X), codes, None, np.array([few, few * 2.0]), seed=4)
    assert (kept[RARE] == 1).all()
    assert set(kept.tolist()) == {0.0, 1.0}
    assert kept[~RARE].sum() == 2 * few
    repeated = sampled_weights(Frame(X), codes, None, np.array([many, many], dtype=float), seed=4)
    assert (repeated[~RARE] == 1).all()
    times = many / few
    assert set(repeated[RARE].tolist()) == {np.floor(times), np.ceil(times)}
    assert (sampled_weights(Frame(X), codes, None, np.array([few, few * 2.0]), seed=5) != kept).any()


@settings(derandomize=True, max_examples=60, deadline=None)
@given(seed=st.integers(0, 1000), ratio=st.sampled_from([0.3, 0.5, 1.0]))
def test_a_row_of_weight_three_is_three_rows_wherever_they_stand(seed, ratio):
    rng = np.random.default_rng(seed)
    table, y, w = (
        rng.integers(0, 3, (20, 2)) * 1.0,
        rng.integers(0, 3, 20).astype(np.int32),
        rng.integers(0, 4, 20),
    )
    w[:3], y[:3] = 1, [0, 1, 2]
    mass = np.bincount(y, weights=w)
    goals = np.minimum(mass, mass.min() / ratio)
    one = sampled_weights(Frame(table), y, w.astype(float), goals, seed)
    order = rng.permutation(w.sum())
    rows = np.repeat(np.arange(20), w)[order]
    other = sampled_weights(Frame(table[rows]), y[rows], None, goals, seed)
    cells = np.column_stack([table, y])
    for cell in np.unique(cells, axis=0):
        same = (cells == cell).all(axis=1)
        np.testing.assert_allclose(one[same].sum(), other[same[rows]].sum(), atol=1e-9)


def test_every_row_has_the_same_chance_to_stay():
    table, y = np.arange(40.0)[:, None], np.r_[np.zeros(10, np.int32), np.ones(30, np.int32)]
    stays = np.mean(
        [sampled_weights(Frame(table), y, None, np.array([10.0, 10.0]), seed) for seed in range(2000)], axis=0
    )
    assert (stays[:10] == 1).all()
    np.testing.assert_allclose(stays[10:], 1 / 3, atol=4.5 * np.sqrt(2 / 9 / 2000))


def test_one_class_needs_no_learning():
    for make in (UnderSampler, OverSampler, ThresholdMoving, CostSensitive):
        assert make().fit([[0.0], [1.0]], ["a", "a"]).predict([[5.0]]).tolist() == ["a"]


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (ThresholdMoving(factor={"rare": 2.0}), r"must name each of the classes \['rare', 'usual'\]"),
        (ThresholdMoving(factor=[1.0, 2.0, 3.0]), "a number above 0 for each of the classes"),
        (ThresholdMoving(factor=[1.0, 0.0]), "a number above 0 for each of the classes"),
        (ThresholdMoving(factor="priors"), "Did you mean 'prior'"),
        (
            CostSensitive(costs=[[0, 1, 1]] * 3),
            r"must be a number for each of the 2 classes .* got shape \(3, 3\)",
        ),
        (CostSensitive(costs=[1.0, -1.0]), "a number above 0 for each"),
        (UnderSampler(ratio=0.0), r"'ratio' must be a number in \(0, 1\]"),
    ],
    ids=str,
)
def test_bad_parameters(learner, message):
    with pytest.raises(ValueError, match=message):
        learner.fit(X, Y)


def test_probabilities_are_needed_to_move_them():
    for learner in (ThresholdMoving(LinearSVC()), CostSensitive(LinearSVC(), method="decision")):
        with pytest.raises(TypeError, match="needs probabilities, which LinearSVC does not give"):
            learner.fit(X, Y)


def test_what_was_done_to_the_classes_is_told_and_drawn():
    model = UnderSampler(KNeighborsClassifier(), random_state=0).fit(X, Y)
    assert "UnderSampler around KNeighborsClassifier" in str(model.describe())
    assert [bar.get_height() for bar in model.plot().patches] == [RARE.sum()] * 2
    assert str(model.working(X[0])).startswith("UnderSampler: The votes of 5 neighbors")
    foreign = OverSampler(SkLogistic(), random_state=0).fit(X, Y)
    assert "probability by LogisticRegression" in str(foreign.working(X[0]))


def test_a_threshold_takes_the_place_of_the_costs():
    X = np.linspace(-2, 2, 40)[:, None]
    y = np.where(X[:, 0] + 0.7 * np.sin(9 * X[:, 0]) > 0, "yes", "no")
    model = CostSensitive(NaiveBayes(), method="decision", threshold=0.8).fit(X, y)
    expected = np.where(model.predict_proba(X)[:, 1] > 0.8, "yes", "no")
    np.testing.assert_array_equal(model.predict(X), expected)
    assert "yes above a probability of 0.8" in str(model.describe())
    assert model.working(X[0]).to_dict()


@pytest.mark.parametrize(("method", "labels"), [("weights", ["a", "b"]), ("decision", ["a", "b", "c"])])
def test_a_threshold_needs_two_classes_and_decisions(method, labels):
    X = np.arange(6.0)[:, None]
    with pytest.raises(ValueError, match="'threshold' is for method='decision' and two classes"):
        CostSensitive(NaiveBayes(), method=method, threshold=0.5).fit(X, np.resize(labels, 6))
