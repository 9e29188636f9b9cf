"""Poisson deviance and monotone columns in trees and forests, with scikit-learn as the judge."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.ensemble
import sklearn.tree

import hornbook
from hornbook import Blocks, DecisionTreeClassifier, DecisionTreeRegressor, Frame, RandomForestRegressor

DRAW = np.random.default_rng(0)
X = DRAW.normal(size=(400, 4))
RATES = np.exp(X[:, 0] + 0.5 * X[:, 1]) * DRAW.gamma(2.0, size=len(X))  # without equal gains
COUNTS = DRAW.poisson(np.exp(X[:, 0] + 0.5 * X[:, 1])).astype(float)
W = DRAW.integers(1, 4, len(X)).astype(float)
OTHERS = DRAW.normal(size=(300, 4))
SIGNS = [1, 0, -1, 0]
FORESTS = ("RandomForest", "ExtraTrees")


@pytest.mark.parametrize(
    "changes", [{"max_depth": 4}, {"max_leaf_nodes": 12}, {"min_samples_leaf": 20}], ids=str
)
@pytest.mark.parametrize("w", [None, W], ids=["unweighted", "weighted"])
def test_poisson_trees_are_those_of_scikit_learn(changes, w):
    settings = {"criterion": "poisson", "min_samples_leaf": 5, "random_state": 0, **changes}
    ours = DecisionTreeRegressor(**settings).fit(X, RATES, sample_weight=w)
    theirs = sklearn.tree.DecisionTreeRegressor(**settings).fit(X, RATES, sample_weight=w)
    np.testing.assert_allclose(ours.predict(OTHERS), theirs.predict(OTHERS))
    np.testing.assert_allclose(np.sort(ours.tree_.impurity), np.sort(theirs.tree_.impurity), atol=1e-12)


@pytest.mark.parametrize("criterion", ["squared_error", "poisson"])
@pytest.mark.parametrize(
    "changes", [{"max_depth": 5}, {"min_samples_leaf": 9, "max_leaf_nodes": 30}], ids=str
)
def test_monotone_trees_are_those_of_scikit_learn(criterion, changes):
    settings = {"criterion": criterion, "monotonic_cst": SIGNS, "min_samples_leaf": 9, **changes}
    ours = DecisionTreeRegressor(**settings).fit(X, RATES)
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0, **settings).fit(X, RATES)
    np.testing.assert_allclose(ours.predict(OTHERS), theirs.predict(OTHERS))


def rising(model, sign, column, answer):
    """Whether answers never move against the sign as a column rises."""
    rows = np.repeat(OTHERS[:50, None], 30, axis=1)
    rows[:, :, column] = np.linspace(-4, 4, 30)
    answers = answer(model)(rows.reshape(-1, 4)).reshape(50, 30, -1)[:, :, -1]
    return (np.diff(answers, axis=1) * sign >= -1e-12).all()


@pytest.mark.parametrize("name", ["DecisionTree", *FORESTS])
@pytest.mark.parametrize("kind", ["Classifier", "Regressor"])
def test_predictions_follow_the_directions(name, kind):
    settings = {"n_estimators": 5} if name in FORESTS else {}
    y = COUNTS > 1 if kind == "Classifier" else COUNTS
    answer = (lambda m: m.predict_proba) if kind == "Classifier" else (lambda m: m.predict)
    free = getattr(hornbook, name + kind)(random_state=0, **settings).fit(X, y)
    bound = getattr(hornbook, name + kind)(random_state=0, monotonic_cst=SIGNS, **settings).fit(X, y)
    assert not rising(free, 1, 0, answer)
    assert rising(bound, 1, 0, answer)
    assert rising(bound, -1, 2, answer)
    named = bound.__class__(**bound.get_params() | {"monotonic_cst": {0: 1, 2: -1}}).fit(X, y)
    np.testing.assert_array_equal(answer(named)(OTHERS), answer(bound)(OTHERS))


@pytest.mark.parametrize("name", FORESTS)
@pytest.mark.parametrize("changes", [{"criterion": "poisson"}, {"monotonic_cst": SIGNS}], ids=str)
def test_forests_do_not_depend_on_threads_and_trees_grow_again(name, changes):
    settings = {"n_estimators": 6, "random_state": 3, "bootstrap": True, **changes}
    one, two = (
        getattr(hornbook, name + "Regressor")(n_jobs=jobs, **settings).fit(X, COUNTS) for jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.predict(OTHERS), two.predict(OTHERS))
    np.testing.assert_allclose(one.tree(2, X, COUNTS).predict(OTHERS), one.estimators_[2].predict(OTHERS))
    mean = np.mean([tree.predict(OTHERS) for tree in one.estimators_], axis=0)
    np.testing.assert_allclose(mean, one.predict(OTHERS))


def test_poisson_forests_predict_as_well_as_those_of_scikit_learn():
    settings = {"n_estimators": 30, "criterion": "poisson", "min_samples_leaf": 5, "random_state": 0}
    mean = np.exp(OTHERS[:, 0] + 0.5 * OTHERS[:, 1])
    ours, theirs = (
        ((family(**settings).fit(X, COUNTS).predict(OTHERS) - mean) ** 2).mean()
        for family in (RandomForestRegressor, sklearn.ensemble.RandomForestRegressor)
    )
    assert ours < 1.15 * theirs


@pytest.mark.parametrize("rule", ["pre", "reduced_error"])
def test_poisson_trees_are_pruned_by_deviance(rule):
    full = DecisionTreeRegressor(criterion="poisson", random_state=0).fit(X, COUNTS)
    pruned = DecisionTreeRegressor(criterion="poisson", pruning=rule, random_state=0).fit(X, COUNTS)
    assert 1 < pruned.get_n_leaves() < full.get_n_leaves()
    assert (pruned.predict(OTHERS) > 0).all()


def test_the_split_table_has_the_gain_of_the_deviance():
    tree = DecisionTreeRegressor(criterion="poisson", max_depth=1).fit(X, COUNTS)
    best = max(row[-1] for row in tree.split_table(0, X, COUNTS).rows if row[0] == "x0")
    assert best == pytest.approx(tree.nodes_.gain[0])


@pytest.mark.parametrize(
    ("y", "message"),
    [(COUNTS - 1.0, "value.s. of y are negative which is not allowed"), (0.0 * COUNTS, "y is 0 in all rows")],
)
@pytest.mark.parametrize("learner", [DecisionTreeRegressor, RandomForestRegressor])
def test_numbers_without_a_deviance_are_refused(learner, y, message):
    with pytest.raises(ValueError, match=message):
        learner(criterion="poisson").fit(X, y)


@pytest.mark.parametrize(
    ("learner", "changes", "message"),
    [
        (DecisionTreeRegressor, {"splits": "multiway"}, "but splits is 'multiway'"),
        (DecisionTreeRegressor, {"missing": "fractional"}, "but missing is 'fractional'"),
        (DecisionTreeRegressor, {"monotonic_cst": [1]}, "has shape 1 but the input data X has 4 features"),
        (RandomForestRegressor, {"monotonic_cst": [2, 0, 0, 0]}, "is 2 for column 'x0'"),
        (DecisionTreeClassifier, {}, "is for numbers and two classes, but there are [0-9]+"),
    ],
)
def test_directions_that_cannot_be_kept_are_refused(learner, changes, message):
    with pytest.raises(ValueError, match=message):
        learner(**{"monotonic_cst": SIGNS} | changes).fit(X, COUNTS)


@pytest.mark.parametrize("changes", [{"criterion": "poisson"}, {"monotonic_cst": SIGNS}], ids=str)
def test_parts_of_a_table_ask_for_the_whole(changes):
    blocks = Blocks([Frame(np.column_stack([X, COUNTS]), target="x4")])
    with pytest.raises((TypeError, ValueError), match="to_frame"):
        DecisionTreeRegressor(max_bins=32, **changes).fit(blocks)
