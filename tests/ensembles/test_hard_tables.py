"""Tables that are hard to grow forests on: a good answer, or one sentence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from hornbook import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    TotallyRandomTreesClassifier,
    TotallyRandomTreesRegressor,
)
from hornbook.ensembles.forests import _imputation, _proximity

FORESTS = (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    TotallyRandomTreesClassifier,
    TotallyRandomTreesRegressor,
)
every = pytest.mark.parametrize("forest", FORESTS, ids=lambda forest: forest.__name__)


def rows(forest, n=120, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, 3))
    return X, X[:, 0] if forest.__name__.endswith("Regressor") else np.where(X[:, 0] > 0, "high", "low")


@every
def test_a_hundred_thousand_categories(forest):
    draw = np.random.default_rng(0)
    size = draw.normal(size=150_000)
    name = [f"n{i}" for i in np.append(np.arange(100_000), draw.integers(0, 100_000, 50_000))]
    table = pd.DataFrame({"name": name, "size": size})
    y = size if forest.__name__.endswith("Regressor") else (size > 0).astype(int)
    model = forest(2, random_state=0).fit(table, y)
    # On new rows, in which the category says nothing either.
    new = pd.DataFrame({"name": name[:2000], "size": np.random.default_rng(1).normal(size=2000)})
    truth = new["size"] if forest.__name__.endswith("Regressor") else (new["size"] > 0).astype(int)
    assert model.score(new, truth) > 0.95


@every
def test_columns_that_say_nothing_do_no_harm(forest):
    X, y = rows(forest)
    alone = forest(8, random_state=0).fit(X[:, :1], y)
    empty = np.column_stack([np.full(120, np.nan), X[:, 0], np.full(120, 7.0)])
    model = forest(8, random_state=0).fit(empty, y)
    assert model.score(empty, y) > 0.95 * alone.score(X[:, :1], y)
    assert model.feature_importances_.tolist() == [0.0, 1.0, 0.0]


@every
@pytest.mark.parametrize("cell", [np.nan, 3.0])
def test_a_table_without_differences_gives_the_mean(forest, cell):
    _, y = rows(forest)
    model = forest(400, bootstrap=True, random_state=0).fit(np.full((120, 2), cell), y)
    assert set(model.forest_.n_leaves) == {1}
    assert not model.feature_importances_.any()
    if hasattr(model, "classes_"):
        share = model.predict_proba(np.full((1, 2), cell))[0]
        np.testing.assert_allclose(share, [(y == "high").mean(), (y == "low").mean()], atol=0.01)
    else:
        assert model.predict(np.full((1, 2), cell))[0] == pytest.approx(y.mean(), abs=0.02)


@every
def test_missing_only_when_asked(forest):
    """A row without values is answered by the whole forest, near what is usual."""
    X, y = rows(forest)
    model = forest(60, random_state=0).fit(X, y)
    holes = X.copy()
    holes[:, 1:] = np.nan
    assert model.score(holes, y) > 0.95  # the column that decides is there
    nothing = model.predict(np.full((1, 3), np.nan))
    assert nothing[0] in {"high", "low"} if hasattr(model, "classes_") else np.isfinite(nothing[0])


@every
def test_weights_of_any_size(forest):
    X, y = rows(forest)
    w = np.random.default_rng(1).random(120) + 0.5
    asked = {"bootstrap": True, "random_state": 0}
    usual = forest(4, **asked).fit(X, y, sample_weight=w)
    for factor in (2.0**-1000, 2.0**-40, 2.0**60, 2.0**1000):
        scaled = forest(4, **asked).fit(X, y, sample_weight=w * factor)
        np.testing.assert_array_equal(scaled.forest_.threshold, usual.forest_.threshold)
    with pytest.raises(ValueError, match="sample_weight is zero for every row"):
        forest(2).fit(X, y, sample_weight=np.zeros(120))
    one = forest(3, **asked).fit(X, y, sample_weight=np.arange(120) == 5)
    assert set(one.predict(X)) == {y[5]}


@every
def test_units_beyond_float64_are_said_or_do_not_matter(forest):
    X, y = rows(forest)
    usual = forest(2, bootstrap=False, random_state=0).fit(X, y).predict(X)
    for weight in (2.0**-660, 2.0**660):  # powers of two change no digit
        model = forest(2, bootstrap=False, random_state=0).fit(X, y, sample_weight=np.full(120, weight))
        np.testing.assert_array_equal(model.predict(X), usual)
    if forest.__name__.endswith("Classifier"):
        with pytest.raises(ValueError, match=r"sample_weight goes up to 1e.200, .* multiply all weights by"):
            forest(2, class_weight=dict.fromkeys(np.unique(y).tolist(), 1e200)).fit(X, y)
    if forest.__name__.endswith("Regressor"):
        with pytest.raises(ValueError, match="y differs from its mean by up to .*: bring it to another unit"):
            forest(2).fit(X, y * 1e200)


@every
def test_rows_of_no_weight_are_as_if_they_were_not_there(forest):
    X, y = rows(forest)
    kept = np.arange(120) % 3 > 0
    with_them = forest(5, random_state=0).fit(X, y, sample_weight=kept)
    without = forest(5, random_state=0).fit(X[kept], y[kept])
    np.testing.assert_array_equal(with_them.forest_.threshold, without.forest_.threshold)
    # As many are drawn as have a weight, also when weights say how likely rows are.
    w = np.where(kept, np.random.default_rng(1).random(120), 0.0)
    with_them = forest(5, bootstrap=True, random_state=0).fit(X, y, sample_weight=w)
    without = forest(5, bootstrap=True, random_state=0).fit(X[kept], y[kept], sample_weight=w[kept])
    np.testing.assert_array_equal(with_them.forest_.threshold, without.forest_.threshold)


@pytest.mark.parametrize("forest", [RandomForestRegressor, ExtraTreesRegressor])
def test_numbers_far_from_zero_lose_no_digits(forest):
    X, _ = rows(forest)
    y = np.round(X[:, 0] + X[:, 1] ** 2, 3) * 1024 // 1 / 1024  # exact also when shifted
    near, far = (forest(8, min_samples_leaf=5, random_state=0).fit(X, y + shift) for shift in (0.0, 2.0**40))
    np.testing.assert_array_equal(far.forest_.threshold, near.forest_.threshold)
    np.testing.assert_allclose(far.predict(X) - 2.0**40, near.predict(X), atol=1e-3)


@every
def test_what_is_wrong_is_said(forest):
    X, y = rows(forest)
    missing = pd.Series(y).where(np.arange(120) != 3)
    with pytest.raises(ValueError, match="contains NaN: drop the rows whose target is missing"):
        forest(2).fit(X, missing)
    if "max_features" in forest().get_params():
        with pytest.raises(ValueError, match="'max_features' is 4, but the table has 3 columns"):
            forest(2, max_features=4).fit(X, y)


def test_many_rows_are_compared_some_at_a_time(monkeypatch):
    X, y = load_iris(return_X_y=True)
    holes = X.copy()
    holes[::7, 1] = np.nan
    model = RandomForestClassifier(10, random_state=0).fit(X, y)
    scores, filled = model.outliers(X, y), model.impute(holes, y).matrix
    monkeypatch.setattr(_proximity, "_CELLS", 200)
    monkeypatch.setattr(_imputation, "_CELLS", 200)
    np.testing.assert_allclose(model.outliers(X, y), scores, rtol=1e-12)
    np.testing.assert_allclose(model.impute(holes, y).matrix, filled, rtol=1e-12)
