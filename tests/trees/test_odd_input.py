"""Tables that trees must cope with."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from hornbook import DecisionTreeClassifier, DecisionTreeRegressor


@pytest.mark.parametrize("splits", ["binary", "multiway"])
@pytest.mark.parametrize("missing", ["direction", "fractional"])
def test_a_hundred_thousand_categories(splits, missing):
    n = 100_000
    draw = np.random.default_rng(0)
    table = pd.DataFrame(
        {"id": pd.Categorical.from_codes(np.arange(n), [f"c{i}" for i in range(n)]), "x": draw.normal(size=n)}
    )
    y = (table["x"] > 0).astype(int)
    model = DecisionTreeClassifier(splits=splits, missing=missing, max_depth=3).fit(table[["x", "id"]], y)
    assert model.score(table[["x", "id"]], y) == 1.0
    alone = DecisionTreeRegressor(splits=splits, missing=missing, max_depth=2).fit(table[["id"]], table["x"])
    assert alone.score(table[["id"]], table["x"]) > 0.5


def test_all_values_missing_or_equal():
    y = np.array([0, 1, 0, 1])
    blank = pd.DataFrame({"a": [np.nan] * 4, "b": [1.0] * 4, "c": pd.Series([None] * 4, dtype="string")})
    for missing in ("direction", "fractional"):
        model = DecisionTreeClassifier(missing=missing).fit(blank, y)
        assert model.get_n_leaves() == 1
        np.testing.assert_array_equal(model.predict_proba(blank), np.full((4, 2), 0.5))


def test_missing_values_and_new_categories_only_at_prediction():
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, 5.0], "c": ["a", "a", "b", "b", "b"]})
    y = np.array([0, 0, 1, 1, 1])
    model = DecisionTreeClassifier().fit(table, y)
    blank = pd.DataFrame({"x": [np.nan], "c": pd.Series([None], dtype="string")})
    assert model.predict(blank).tolist() == [1]  # the heavier side
    with pytest.warns(UserWarning, match="count as missing: column 'c' has 'z'"):
        assert model.predict(pd.DataFrame({"x": [1.0], "c": ["z"]})).tolist() == [0]


def test_missing_values_alone_can_be_told_from_the_others():
    X = np.array([[1.0], [2.0], [np.nan], [np.nan]])
    y = np.array([0, 0, 1, 1])
    model = DecisionTreeClassifier().fit(X, y)
    assert model.predict(X).tolist() == [0, 0, 1, 1]
    assert "x0 is missing" in str(model.rules())
    words = pd.DataFrame({"c": pd.Series(["a", "b", None, None], dtype="string")})
    assert DecisionTreeClassifier().fit(words, y).predict(words).tolist() == [0, 0, 1, 1]


def test_rows_of_weight_zero_do_not_count():
    X, y = np.arange(8.0)[:, None], np.array([0, 1, 0, 1, 0, 0, 1, 1])
    w = np.array([1.0, 0, 1, 0, 1, 1, 1, 1])
    model = DecisionTreeClassifier().fit(X, y, sample_weight=w)
    assert model.get_n_leaves() == 2
    assert model.tree_.threshold[0] == 5.5


def test_huge_and_tiny_numbers_are_cut_between_them():
    X = np.array([[-1.7e308], [1.7e308], [5e-324], [0.0]])
    y = np.array([0, 1, 1, 0])
    model = DecisionTreeClassifier().fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
    assert np.isfinite(model.tree_.threshold[~model.tree_.is_leaf]).all()


def test_values_next_to_each_other_stay_apart():
    x = np.array([1.0, np.nextafter(1.0, 2.0)])
    model = DecisionTreeRegressor().fit(x[:, None], [0.0, 1.0])
    assert model.predict(x[:, None]).tolist() == [0.0, 1.0]


def test_large_offsets_lose_no_digits():
    draw = np.random.default_rng(0)
    X = draw.normal(size=(200, 1))
    y = 1e8 + (X[:, 0] > 0.3)
    model = DecisionTreeRegressor(max_depth=1).fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, rtol=0, atol=1e-6)
