"""Tables that trees must cope with."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest

from hornbook import (
    DecisionStump,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
)

CLASSIFIERS = [DecisionTreeClassifier, DecisionStump, ObliqueTreeClassifier]
REGRESSORS = [DecisionTreeRegressor, ObliqueTreeRegressor]


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
    assert model.nodes_.threshold[0] == 5.5


def test_huge_and_tiny_numbers_are_cut_between_them():
    X = np.array([[-1.7e308], [1.7e308], [5e-324], [0.0]])
    y = np.array([0, 1, 1, 0])
    model = DecisionTreeClassifier().fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
    assert np.isfinite(model.nodes_.threshold[~model.nodes_.is_leaf]).all()


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


@pytest.mark.slow
def test_a_tree_with_a_hundred_thousand_branches_can_be_shown():
    n = 100_000
    table = pd.DataFrame({"id": pd.Categorical.from_codes(np.arange(n), [f"c{i}" for i in range(n)])})
    model = DecisionTreeClassifier(splits="multiway").fit(table, np.arange(n) % 3)
    assert model.get_n_leaves() == n
    assert len(str(model.describe())) < 5_000
    assert model.working({"id": "c77777"}).terms[-1].name == "id = c77777"
    assert len(model.plot().texts) < 100
    assert model.prune(table, np.zeros(n)).get_n_leaves() == 1


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_a_hundred_thousand_categories_leave_the_other_column_to_every_classifier(kind):
    n = 20_000 if kind is ObliqueTreeClassifier else 100_000
    x = np.random.default_rng(0).normal(size=n)
    codes = pd.Categorical.from_codes(np.arange(n), [f"c{i}" for i in range(n)])
    table = pd.DataFrame({"id": codes, "x": x})
    warned = pytest.warns(UserWarning, match="255 most frequent") if n == 20_000 else nullcontext()
    with warned:
        model = kind().fit(table[["x", "id"]], x > 0)
    assert model.score(table[["x", "id"]], x > 0) > 0.99


@pytest.mark.parametrize("kind", [*CLASSIFIERS, *REGRESSORS])
def test_nothing_to_ask_about_is_a_leaf_with_the_answer_for_all(kind):
    y = np.array([1, 1, 0, 1])
    same = pd.DataFrame({"a": [2.0] * 4, "c": ["u"] * 4})
    model = kind().fit(same, y)
    assert model.get_n_leaves() == 1
    np.testing.assert_array_equal(model.predict(same), np.full(4, 0.75 if kind in REGRESSORS else 1))
    blank = pd.DataFrame({"a": [np.nan] * 4, "b": [np.nan] * 4})
    quiet = nullcontext()
    if kind in (ObliqueTreeClassifier, ObliqueTreeRegressor):
        quiet = pytest.warns(UserWarning, match="no values at all")
    with quiet:
        assert kind().fit(blank, y).get_n_leaves() == 1


@pytest.mark.parametrize("kind", [*CLASSIFIERS, *REGRESSORS])
def test_gaps_and_new_categories_at_prediction_get_an_answer(kind):
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "c": list("aabbab")})
    model = kind().fit(table, np.array([0, 0, 1, 1, 0, 1]))
    new = pd.DataFrame({"x": [np.nan, 2.0], "c": ["z", None]})
    with pytest.warns(UserWarning, match="column 'c' has 'z'"):
        predictions = model.predict(new)
    assert np.isfinite(predictions).all()
    assert ((predictions >= 0) & (predictions <= 1)).all()


@pytest.mark.parametrize("kind", [*CLASSIFIERS, *REGRESSORS])
@pytest.mark.parametrize(
    ("y", "w", "sentence"),
    [
        ([0, 1, 0, 1], [0.0] * 4, "sample_weight is zero for every row: give at least one row"),
        ([0, 1, 0, 1], [1, 1, -1, 1], "sample_weight contains -1.0 in row 2"),
        ([0, np.nan, 0, 1], None, "Input y contains NaN: drop the rows whose target is missing"),
        ([0, np.inf, 0, 1], None, "Input y contains infinity"),
    ],
)
def test_bad_weights_and_targets_are_refused(kind, y, w, sentence):
    with pytest.raises(ValueError, match=sentence):
        kind().fit(np.arange(8.0).reshape(4, 2), y, sample_weight=w)


@pytest.mark.parametrize("kind", [DecisionTreeClassifier, DecisionStump, DecisionTreeRegressor])
def test_more_columns_than_there_are_cannot_be_looked_at(kind):
    X, y = np.arange(8.0).reshape(4, 2), [0, 1, 0, 1]
    sentence = (
        f"{kind.__name__}: parameter 'max_features' is 3, but the table has 2 columns: choose a smaller"
    )
    with pytest.raises(ValueError, match=sentence):
        kind(max_features=3).fit(X, y)
    for wrong in (0, -1, 1.5, "all"):
        with pytest.raises(ValueError, match="'max_features' must be an integer in"):
            kind(max_features=wrong).fit(X, y)


@pytest.mark.parametrize("unit", [1e-300, 1e300])
def test_units_of_columns_do_not_matter_to_slanting_cuts(unit):
    X = np.random.default_rng(0).uniform(size=(60, 2))
    y = (X[:, 0] + X[:, 1] > 1).astype(int)
    usual, other = (ObliqueTreeClassifier(max_depth=2).fit(X * scale, y) for scale in (1.0, unit))
    np.testing.assert_array_equal(usual.predict(X), other.predict(X * unit))
    assert ObliqueTreeRegressor(max_depth=1).fit(X * unit, y).get_n_leaves() == 2


def test_targets_whose_squares_are_no_numbers_are_refused():
    X = np.arange(6.0)[:, None]
    for unit in (1e200, 1e-200):
        with pytest.raises(ValueError, match="sums of such squares may overflow or underflow"):
            DecisionTreeRegressor().fit(X, unit * (X[:, 0] > 2))
        absolute = DecisionTreeRegressor(criterion="absolute_error").fit(X, unit * (X[:, 0] > 2))
        assert absolute.get_n_leaves() == 2
    assert DecisionTreeRegressor().fit(X, np.full(6, 1e300)).get_n_leaves() == 1


def test_split_tables_take_only_the_classes_of_the_fit():
    X = np.arange(4.0)[:, None]
    model = DecisionTreeClassifier().fit(X, [0, 0, 1, 1])
    with pytest.raises(ValueError, match=r"y holds 7, which is not among the classes \[0, 1\] of the fit"):
        model.split_table(0, X, [0, 0, 1, 7])
