"""Directions of columns, columns that may meet, rare levels and rounded gradients of binned boosting."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import Frame, HistGradientBoostingClassifier, HistGradientBoostingRegressor
from hornbook.evaluation import auc


def table(n=600):
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, size=(n, 3))
    return X, X[:, 0] + np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=n)


@pytest.mark.parametrize(
    ("constraint", "sign"), [([1, 0, 0], 1), ({"x0": 1}, 1), ([-1, 0, 0], -1), (np.array([-1, 0, 0]), -1)]
)
def test_predictions_never_go_against_the_direction(constraint, sign):
    X, y = table()
    model = HistGradientBoostingRegressor(max_iter=40, monotonic_cst=constraint).fit(X, y)
    grid = np.linspace(-2, 2, 200)
    for row in X[:20]:
        rows = np.tile(row, (200, 1))
        rows[:, 0] = grid
        assert (sign * np.diff(model.predict(rows)) >= -1e-12).all()


def test_without_a_direction_the_same_table_bends_back():
    X, y = table()
    rows = np.tile(X[0], (200, 1))
    rows[:, 0] = np.linspace(-2, 2, 200)
    assert (np.diff(HistGradientBoostingRegressor(max_iter=40).fit(X, y).predict(rows)) < -1e-3).any()


def test_probabilities_of_the_second_class_follow_the_direction():
    X, y = table()
    model = HistGradientBoostingClassifier(max_iter=20, monotonic_cst={0: 1}).fit(X, y > 0)
    rows = np.tile(X[0], (100, 1))
    rows[:, 0] = np.linspace(-2, 2, 100)
    assert (np.diff(model.predict_proba(rows)[:, 1]) >= -1e-12).all()


@pytest.mark.parametrize("constraint", ["no_interactions", [[0], [1], [2]], [["x0"], ["x1"]]])
def test_columns_that_may_not_meet_add_up(constraint):
    X, y = table()
    model = HistGradientBoostingRegressor(max_iter=30, interaction_cst=constraint).fit(X, y)
    pairs = model.contributions(X[:50], interactions=True).interactions
    apart = pairs[:, ~np.eye(3, dtype=bool)]
    np.testing.assert_allclose(apart, 0.0, atol=1e-12)


def test_pairs_may_meet():
    X, y = table()
    model = HistGradientBoostingRegressor(max_iter=30, interaction_cst="pairwise").fit(X, y)
    assert abs(model.contributions(X[:50], interactions=True).interactions[:, 1, 2]).max() > 0.1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"monotonic_cst": [1, 0]}, "has shape 2 but the input data X has 3 features"),
        ({"monotonic_cst": [2, 0, 0]}, r"is 2 for column 'x0' \(values: \[2, 0\]\): choose 1 if"),
        ({"monotonic_cst": {"z": 1}}, "in parameter 'monotonic_cst': There is no column 'z'"),
        ({"interaction_cst": [[0, 7]]}, "in parameter 'interaction_cst': There is no column at position 7"),
        ({"interaction_cst": [0, 1]}, r"a sequence of tuples or lists of columns .* is \[0, 1\]"),
        ({"interaction_cst": ["x0", "x1"]}, "a sequence of tuples or lists"),
        (
            {"interaction_cst": "some"},
            "'pairwise' or 'no_interactions'; parameter 'interaction_cst' is 'some'",
        ),
    ],
)
def test_constraints_that_make_no_sense_are_refused(changes, message):
    X, y = table(100)
    with pytest.raises(ValueError, match=message):
        HistGradientBoostingRegressor(**changes).fit(X, y)


def test_directions_of_categories_and_of_many_classes_are_refused():
    X, y = table(100)
    names = Frame({"a": np.where(X[:, 0] > 0, "up", "down")})
    with pytest.raises(
        ValueError, match="Categorical features cannot have monotonic constraints, but .* for column 'a'"
    ):
        HistGradientBoostingRegressor(monotonic_cst=[1]).fit(names, y)
    with pytest.raises(ValueError, match="for numbers and two classes, but there are 3"):
        HistGradientBoostingClassifier(monotonic_cst=[1, 0, 0]).fit(X, np.arange(100) % 3)


def test_levels_of_few_rows_do_not_drown_the_others():
    rng = np.random.default_rng(0)
    levels, n = 200, 4000
    effects = rng.normal(size=levels)
    codes = rng.integers(levels, size=(n, 6))  # only the first column matters
    y = effects[codes[:, 0]] + rng.normal(size=n) > 0
    texts = {f"c{j}": np.array([f"level {c}" for c in codes[:, j]]) for j in range(6)}
    model = HistGradientBoostingClassifier(max_iter=50)
    model.fit(Frame({name: column[:3000] for name, column in texts.items()}), y[:3000])
    scores = model.predict_proba(Frame({name: column[3000:] for name, column in texts.items()}))[:, 1]
    assert auc(y[3000:], scores) > 0.65


def test_rounded_gradients_change_splits_but_hardly_the_fit():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(70_000, 4))
    y = X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=len(X)) > 0
    fits = [
        HistGradientBoostingClassifier(
            max_iter=5, quantize=quantize, early_stopping=False, random_state=0, n_jobs=n_jobs
        ).fit(X, y)
        for quantize, n_jobs in ((False, 1), (True, 1), (True, 2))
    ]
    exact, rounded, threaded = (model.predict_proba(X[:5000])[:, 1] for model in fits)
    np.testing.assert_array_equal(rounded, threaded)
    assert (exact != rounded).any()
    assert abs(auc(y[:5000], exact) - auc(y[:5000], rounded)) < 0.01
