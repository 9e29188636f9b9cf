"""What a boosted model says about itself, on tables as they are."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.utils import get_tags
from tests.contract.learners import mixed_table

from hornbook import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    LinearRegression,
    datasets,
)
from hornbook.losses import SquaredError

TABLE, GROUP = mixed_table(120)
LABELS = np.array(["one", "two", "three"])[GROUP]
NUMBERS = GROUP + np.arange(120) % 4 / 4


def test_the_working_adds_up_to_score_and_probability():
    model = GradientBoostingClassifier(n_estimators=4).fit(TABLE, LABELS)
    working = model.working(TABLE.iloc[[7]])
    assert [term.name for term in working.terms] == ["base score", "round 1", "round 2", "round 3", "round 4"]
    np.testing.assert_allclose(working.scores, model.decision_function(TABLE.iloc[[7]])[0])
    np.testing.assert_allclose(working.shares, model.predict_proba(TABLE.iloc[[7]])[0])


@pytest.mark.parametrize("loss", ["log_loss", "exponential"])
def test_the_working_of_two_classes_gives_their_probabilities(loss):
    y = np.where(GROUP > 0, "yes", "no")
    model = GradientBoostingClassifier(n_estimators=3, loss=loss).fit(TABLE, y)
    working = model.working(TABLE.iloc[[3]])
    np.testing.assert_allclose(working.shares, model.predict_proba(TABLE.iloc[[3]])[0])
    assert working.prediction == model.predict(TABLE.iloc[[3]])[0]


def test_the_working_of_a_logarithm():
    model = HistGradientBoostingRegressor(loss="poisson", max_iter=3).fit(TABLE, NUMBERS)
    working = model.working(TABLE.iloc[[3]])
    assert working.link == "log"
    assert np.exp(working.scores[0]) == pytest.approx(working.prediction)


def test_the_description_names_loss_rounds_and_columns():
    model = GradientBoostingRegressor(n_estimators=7, loss="huber").fit(TABLE, NUMBERS)
    text = str(model.describe())
    assert text.startswith("Gradient boosting regressor with 7 trees\nloss: huber\nrounds: 7\n")
    assert "mass" in text
    members = GradientBoostingRegressor(estimator=LinearRegression(), n_estimators=3).fit(TABLE, NUMBERS)
    assert "with 3 members" in str(members.describe())
    assert "member: LinearRegression" in str(members.describe())
    assert not hasattr(members, "feature_importances_")


def test_the_plot_shows_the_course_and_the_columns():
    model = GradientBoostingRegressor(n_estimators=7, n_iter_no_change=5, random_state=0).fit(TABLE, NUMBERS)
    ax = model.plot()
    assert ax.get_xlabel() == "number of rounds"
    assert len(ax.lines) == 2
    assert len(ax.figure.axes) == 2
    plain = HistGradientBoostingRegressor(max_iter=3).fit(TABLE, NUMBERS)
    assert plain.plot().get_xlabel() == "share of the decrease in impurity"
    members = GradientBoostingRegressor(estimator=LinearRegression(), n_estimators=3).fit(TABLE, NUMBERS)
    assert members.plot().get_xlabel() == "number of rounds"


def test_categories_and_gaps_go_in_as_they_are():
    model = HistGradientBoostingClassifier(min_samples_leaf=5).fit(TABLE, LABELS)
    assert model.score(TABLE, LABELS) > 0.95
    marked = HistGradientBoostingClassifier(categorical_features=[1], max_iter=5, min_samples_leaf=5)
    codes = np.column_stack([TABLE["size"], GROUP * 7 % 3])
    assert marked.fit(codes, LABELS).score(codes, LABELS) == 1.0


def test_one_class_is_predicted():
    for cls in (GradientBoostingClassifier, HistGradientBoostingClassifier):
        model = cls().fit(TABLE, ["only"] * 120)
        assert set(model.predict(TABLE)) == {"only"}
        assert model.predict_proba(TABLE).tolist() == [[1.0]] * 120
        assert "rounds: 0" in str(model.describe())
        assert model.working(TABLE.iloc[[0]]).prediction == "only"
        assert model.plot() is not None
        assert list(model.staged_predict(TABLE)) == []


def test_a_class_without_weight_has_no_probability():
    w = np.where(LABELS == "two", 0.0, 1.0)
    model = GradientBoostingClassifier(n_estimators=3).fit(TABLE, LABELS, w)
    place = model.classes_.tolist().index("two")
    assert np.all(model.predict_proba(TABLE)[:, place] == 0)
    *_, last = model.staged_predict_proba(TABLE)
    np.testing.assert_allclose(last, model.predict_proba(TABLE), atol=1e-12)
    *_, scores = model.staged_decision_function(TABLE)
    np.testing.assert_allclose(scores, model.decision_function(TABLE), atol=1e-12)


def test_the_last_stage_is_the_prediction():
    iris = datasets.iris()
    for model in (GradientBoostingClassifier(n_estimators=5), HistGradientBoostingClassifier(max_iter=5)):
        model.fit(iris)
        stages = list(model.staged_predict(iris.features))
        assert len(stages) == 5
        np.testing.assert_array_equal(stages[-1], model.predict(iris.features))


def test_threads_do_not_matter():
    rows = np.random.default_rng(0).normal(size=(5000, 6))
    y = rows[:, 0] * rows[:, 1]
    for cls in (GradientBoostingRegressor, HistGradientBoostingRegressor):
        one, three = (cls(n_jobs=n, subsample=0.8, random_state=0).fit(rows, y) for n in (1, 3))
        np.testing.assert_array_equal(one.predict(rows), three.predict(rows))


def test_amounts_are_announced():
    assert get_tags(HistGradientBoostingRegressor(loss="gamma")).target_tags.positive_only
    assert not get_tags(GradientBoostingRegressor()).target_tags.positive_only


def test_probabilities_of_any_loss_are_probabilities():
    y = (GROUP > 0).astype(int)
    p = GradientBoostingClassifier(loss=SquaredError(), learning_rate=1.0).fit(TABLE, y).predict_proba(TABLE)
    assert 0.0 <= p.min() <= p.max() <= 1.0


def test_columns_are_drawn_anew_without_a_seed():
    model = HistGradientBoostingRegressor(max_features=1, max_iter=2)
    assert model.fit(TABLE, NUMBERS).seed_ != model.fit(TABLE, NUMBERS).seed_
    assert HistGradientBoostingRegressor(max_iter=2).fit(TABLE, NUMBERS).seed_ == 0


def test_columns_can_be_drawn_for_each_tree():
    model = HistGradientBoostingRegressor(max_features=1, subspace="tree", max_iter=6, random_state=0)
    trees = model.fit(TABLE[["size", "mass"]], NUMBERS).forest_
    for t in range(len(trees)):
        assert len({j for j in trees.tree(t).feature.tolist() if j >= 0}) <= 1


def test_rows_alone_get_the_scores_that_they_get_among_others():
    model = HistGradientBoostingClassifier(max_iter=30).fit(TABLE, LABELS)
    scores = model.decision_function(TABLE)
    for i in range(0, 120, 7):
        np.testing.assert_array_equal(model.decision_function(TABLE.iloc[[i]]), scores[[i]])
    np.testing.assert_array_equal(model.decision_function(TABLE.iloc[20:26]), scores[20:26])
