"""Cells filled by close rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from hornbook import Frame, RandomForestClassifier, RandomForestRegressor
from hornbook.ensembles.forests._imputation import imputed


def test_one_round_by_hand():
    X, y = load_iris(return_X_y=True)
    X = X.copy()
    X[::10, 2] = np.nan
    model = RandomForestClassifier(15, max_depth=3, random_state=0)
    filled = model.impute(X, y, n_iter=1).matrix
    first = X.copy()
    for c in range(3):
        hole = np.isnan(X[:, 2]) & (y == c)
        first[hole, 2] = np.nanmedian(X[y == c, 2])
    close = clone(model).fit(first, y).proximity(first)
    known = ~np.isnan(X[:, 2])
    for i in np.flatnonzero(~known):
        weights = close[i, known]
        assert filled[i, 2] == pytest.approx(weights @ X[known, 2] / weights.sum(), rel=1e-12)
    np.testing.assert_array_equal(filled[known], X[known])
    assert not hasattr(model, "forest_")


def test_cells_come_back_better_than_by_the_mean():
    X, y = load_iris(return_X_y=True)
    draw = np.random.default_rng(0)
    holes = draw.random(X.shape) < 0.1
    torn = np.where(holes, np.nan, X)
    for forest, target in ((RandomForestClassifier, y), (RandomForestRegressor, X[:, 3])):
        filled = forest(40, random_state=0).impute(torn, target, n_iter=3).matrix
        by_mean = np.where(holes, np.nanmean(torn, axis=0), X)
        assert ((filled - X) ** 2).sum() < 0.4 * ((by_mean - X) ** 2).sum()


def test_levels_are_filled_with_levels():
    draw = np.random.default_rng(0)
    group = draw.integers(0, 3, 150)
    color = np.array(["red", "green", "blue"], dtype=object)[group]
    holes = draw.random(150) < 0.15
    table = pd.DataFrame({"color": np.where(holes, None, color), "size": draw.normal(3 * group, 0.5)})
    # All classes are one at first, so that only close rows can say which level it was.
    filled = RandomForestRegressor(30, random_state=0).impute(table, group + draw.normal(0, 0.1, 150))
    assert (filled["color"][holes] == color[holes]).mean() > 0.9
    assert (filled["color"][~holes] == color[~holes]).all()


def test_weights_count_and_whole_tables_stay():
    X, y = load_iris(return_X_y=True)
    model = RandomForestClassifier(5, random_state=0)
    np.testing.assert_array_equal(model.impute(X, y).matrix, X)
    torn = X.copy()
    torn[0, 0] = np.nan
    w = np.ones(150)
    w[1:40] = 0.0
    kept = np.r_[0, 40:150]
    assert model.impute(torn, y, sample_weight=w).matrix[0, 0] >= X[40:50, 0].min()
    assert model.impute(Frame(torn[kept]), y[kept]).matrix[0, 0] >= X[40:50, 0].min()


def test_a_row_of_weight_three_is_three_rows():
    draw = np.random.default_rng(0)
    X, y = load_iris(return_X_y=True)
    w = draw.integers(1, 4, 150)
    torn = pd.DataFrame(np.where(draw.random(X.shape) < 0.1, np.nan, X), columns=list("abcd"))
    torn["kind"] = np.where(
        draw.random(150) < 0.2, None, np.array(["low", "high"])[(X[:, 1] > 3).astype(int)]
    )
    model = RandomForestClassifier(8, max_depth=3, bootstrap=False, random_state=0)
    weighted = model.impute(torn, y, sample_weight=w, n_iter=2)
    repeated = model.impute(
        torn.loc[np.repeat(np.arange(150), w)].reset_index(drop=True), np.repeat(y, w), n_iter=2
    )
    np.testing.assert_allclose(repeated.numbers, np.repeat(weighted.numbers, w, axis=0), rtol=1e-9)
    np.testing.assert_array_equal(repeated.codes, np.repeat(weighted.codes, w, axis=0))


def test_a_row_that_is_close_to_none_keeps_the_first_guess():
    table = pd.DataFrame(
        {"size": [np.nan, np.nan, 1.0, 2.0, 6.0], "color": [None, None, "red", "blue", "blue"]}
    )
    leaves = np.array([[0], [1], [1], [2], [3]], dtype=np.int32)  # the second row is close to the third alone
    w = np.array([1.0, 1.0, 5.0, 1.0, 1.0])
    filled = imputed(Frame(table), np.zeros(5, dtype=np.intp), w, lambda _: leaves, 1)
    assert filled["size"].tolist() == [1.0, 1.0, 1.0, 2.0, 6.0]
    assert filled["color"].tolist() == ["red", "red", "red", "blue", "blue"]
    light = imputed(Frame(table), np.zeros(5, dtype=np.intp), np.ones(5), lambda _: leaves, 1)
    assert light["size"].tolist()[:2] == [2.0, 1.0]
    assert light["color"].tolist()[:2] == ["blue", "red"]


def test_a_column_without_values_is_named():
    with pytest.raises(ValueError, match="column 'b' has no value in any row"):
        RandomForestClassifier(3).impute(pd.DataFrame({"a": [1.0, 2.0], "b": [np.nan, np.nan]}), [0, 1])
    with pytest.raises(ValueError, match=r"'n_iter' must be an integer in \[1, inf\); got 0"):
        RandomForestClassifier(3).impute([[1.0], [2.0]], [0, 1], n_iter=0)
