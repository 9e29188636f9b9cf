"""When boosting stops, what it keeps of its course, and how it goes on."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import (
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)

RNG = np.random.default_rng(2)
N = 400
X = RNG.normal(size=(N, 4))
NUMBERS = X[:, 0] + X[:, 1] ** 2 + RNG.normal(size=N)
THREE = np.digitize(NUMBERS, [0.3, 1.5])
FIRST, LAST = slice(0, 250), slice(250, None)


def mse(y, answers):
    return np.mean((y - answers) ** 2)


def test_held_out_rows_stop_before_all_rounds():
    model = GradientBoostingRegressor(
        n_estimators=500, learning_rate=0.3, n_iter_no_change=5, random_state=0
    ).fit(X, NUMBERS)
    assert model.n_estimators_ < 100
    assert len(model.train_score_) == len(model.validation_score_) == model.n_estimators_
    assert len(model.forest_) == model.n_estimators_
    # The last round is no better than the five before it.
    assert model.validation_score_[-1] + 1e-4 >= model.validation_score_[-6:-1].max()
    assert model.history_["validation_loss"] == pytest.approx((model.validation_score_ / 2).tolist())


@pytest.mark.parametrize("weighted", [False, True])
def test_given_rows_are_judged_by(weighted):
    w = RNG.uniform(0.5, 2.0, size=150) if weighted else None
    model = HistGradientBoostingRegressor(max_iter=300, learning_rate=0.3).fit(
        X[FIRST], NUMBERS[FIRST], X_val=X[LAST], y_val=NUMBERS[LAST], sample_weight_val=w
    )
    assert model.n_iter_ < 100
    errors = [
        -0.5 * np.average((NUMBERS[LAST] - answers) ** 2, weights=w)
        for answers in model.staged_predict(X[LAST])
    ]
    np.testing.assert_allclose(model.validation_score_[1:], errors)
    start = NUMBERS[FIRST].mean()
    assert model.validation_score_[0] == pytest.approx(
        -0.5 * np.average((NUMBERS[LAST] - start) ** 2, weights=w)
    )
    assert len(model.train_score_) == model.n_iter_ + 1


def test_given_rows_of_many_classes():
    labels = np.array(["a", "b", "c"])[THREE]
    for cls in (HistGradientBoostingClassifier, GradientBoostingClassifier):
        model = cls(n_iter_no_change=3).fit(X[FIRST], labels[FIRST], X_val=X[LAST], y_val=labels[LAST])
        known = np.arange(150), THREE[LAST]
        losses = [-np.log(p[known]).mean() for p in model.staged_predict_proba(X[LAST])]
        np.testing.assert_allclose(np.abs(model.validation_score_[-len(losses) :]), losses)


def test_no_early_stopping_without_being_asked():
    model = HistGradientBoostingClassifier(max_iter=30).fit(X, THREE)
    assert model.n_iter_ == 30
    assert not hasattr(model, "train_score_")
    with pytest.raises(ValueError, match="early_stopping is False: set it to True"):
        HistGradientBoostingRegressor(early_stopping=False).fit(X, NUMBERS, X_val=X, y_val=NUMBERS)


def test_auto_needs_more_than_ten_thousand_rows():
    rows = RNG.normal(size=(10_001, 2))
    y = rows[:, 0] + RNG.normal(size=10_001)
    model = HistGradientBoostingRegressor(max_iter=500, learning_rate=0.5, random_state=0).fit(rows, y)
    assert model.n_iter_ < 100


def test_training_rows_can_judge():
    model = HistGradientBoostingRegressor(early_stopping=True, validation_fraction=None, tol=0.5)
    model.fit(X, NUMBERS)
    assert model.n_iter_ < 100
    assert not hasattr(model, "validation_score_")
    assert model.train_score_[-1] == pytest.approx(-0.5 * mse(NUMBERS, model.predict(X)))


def test_rows_that_are_not_drawn_can_judge():
    model = GradientBoostingRegressor(
        n_estimators=500,
        learning_rate=0.3,
        subsample=0.5,
        validation_fraction="oob",
        n_iter_no_change=10,
        random_state=0,
    ).fit(X, NUMBERS)
    assert model.n_estimators_ < 200
    assert len(model.oob_improvement_) == len(model.oob_scores_) == model.n_estimators_
    assert model.oob_score_ == model.oob_scores_[-1]
    # Early rounds help; the last one, two, ... ten together do not.
    assert model.oob_improvement_[0] > 0
    assert np.cumsum(model.oob_improvement_[:-11:-1]).max() <= 1e-4


def test_out_of_bag_improvement_is_the_fall_of_the_loss_on_rows_not_drawn():
    model = GradientBoostingRegressor(n_estimators=1, subsample=0.5, learning_rate=1.0, random_state=3)
    model.fit(X, NUMBERS)
    moved = model.predict(X)
    drop = (NUMBERS - NUMBERS.mean()) ** 2 - (NUMBERS - moved) ** 2
    # Of a half of the rows: a mean of all bounds the mean of the half.
    assert model.oob_improvement_[0] < drop.mean()
    assert drop.min() < model.oob_improvement_[0] < drop.max()


def test_scores_other_than_the_loss_can_judge():
    calls = []

    def negative_error(model, rows, target):
        calls.append(len(target))
        return -mse(target, model.predict(rows))

    by_function = HistGradientBoostingRegressor(early_stopping=True, random_state=0, scoring=negative_error)
    by_loss = HistGradientBoostingRegressor(early_stopping=True, random_state=0)
    by_function.fit(X, NUMBERS)
    by_loss.fit(X, NUMBERS)
    assert set(calls) == {40}
    np.testing.assert_allclose(by_function.validation_score_, 2 * by_loss.validation_score_)
    by_score = HistGradientBoostingClassifier(early_stopping=True, random_state=0, scoring=None, max_iter=10)
    labels = np.array(["a", "b", "c"])[THREE]
    held = sum(int(0.1 * np.sum(k == THREE)) for k in range(3))
    right = by_score.fit(X, labels).validation_score_ * held
    np.testing.assert_allclose(right, right.round(), atol=1e-9)


@pytest.mark.parametrize(
    "settings",
    [
        {"subsample": 0.7, "max_features": 0.5},
        {"n_iter_no_change": 50},
        {"estimator": DecisionTreeRegressor(max_depth=2)},
        {"init": DecisionTreeRegressor(max_depth=1)},
    ],
    ids=lambda settings: next(iter(settings)),
)
def test_a_warm_start_is_the_fit_of_all_rounds(settings):
    whole = GradientBoostingRegressor(n_estimators=15, random_state=0, **settings).fit(X, NUMBERS)
    parts = GradientBoostingRegressor(n_estimators=6, random_state=0, warm_start=True, **settings)
    parts.fit(X, NUMBERS).set_params(n_estimators=15).fit(X, NUMBERS)
    np.testing.assert_array_equal(parts.predict(X), whole.predict(X))
    np.testing.assert_array_equal(parts.train_score_, whole.train_score_)
    if hasattr(whole, "oob_improvement_"):
        np.testing.assert_array_equal(parts.oob_improvement_, whole.oob_improvement_)


def test_a_warm_start_of_many_classes_and_bins():
    whole = HistGradientBoostingClassifier(max_iter=8).fit(X, THREE)
    parts = HistGradientBoostingClassifier(max_iter=3, warm_start=True).fit(X, THREE)
    parts.set_params(max_iter=8).fit(X, THREE)
    np.testing.assert_array_equal(parts.decision_function(X), whole.decision_function(X))
    np.testing.assert_allclose(parts.feature_importances_, whole.feature_importances_, rtol=1e-12)


def test_a_warm_start_needs_the_same_table_and_more_rounds():
    model = GradientBoostingRegressor(n_estimators=5, warm_start=True).fit(X, NUMBERS)
    with pytest.raises(ValueError, match="have changed: pass the same ones, or set warm_start=False"):
        model.fit(X[:, :3], NUMBERS)
    with pytest.raises(
        ValueError, match="3 rounds are requested, but warm_start=True and there are 5 already"
    ):
        model.set_params(n_estimators=3).fit(X, NUMBERS)


def test_callbacks_see_each_round():
    from sklearn.callback import ProgressBar  # noqa: F401 - callbacks are there

    seen = GradientBoostingRegressor(n_estimators=4).fit(X, NUMBERS).history_["train_loss"]
    assert len(seen) == 4
    assert np.all(np.diff(seen) < 0)


@pytest.mark.parametrize("sampling", ["uniform", "gradient"])
def test_sampling_keeps_most_of_the_quality(sampling):
    model = HistGradientBoostingRegressor(
        subsample=0.3, sampling=sampling, min_samples_leaf=5, random_state=0
    )
    assert model.fit(X, NUMBERS).score(X, NUMBERS) > 0.6
    again = HistGradientBoostingRegressor(**model.get_params()).set_params(n_jobs=2).fit(X, NUMBERS)
    np.testing.assert_array_equal(model.predict(X), again.predict(X))


def test_rows_by_gradient_are_the_largest_and_a_weighted_rest():
    from hornbook.ensembles.gradient_boosting._row_sampling import RowSampling

    gradient = RNG.normal(size=1000)
    factors = RowSampling(0.3, "gradient", 0).factors(0, gradient, None)
    largest = np.argsort(-np.abs(gradient))[:200]
    assert np.all(factors[largest] == 1.0)
    others = np.delete(factors, largest)
    assert np.sum(others > 0) == 100
    assert np.unique(others).tolist() == [0.0, 8.0]
    uniform = RowSampling(0.3, "uniform", 0)
    assert np.unique(uniform.factors(0, gradient, None), return_counts=True)[1].tolist() == [700, 300]
    w = (np.arange(1000) % 2).astype(float)
    assert np.sum(uniform.factors(1, gradient, w) > 0) == 150
    assert np.all(uniform.factors(1, gradient, w)[w == 0] == 0)
