"""What must not change a tree: threads, the layout of the table, rows repeated instead of weighted."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hornbook import Blocks, DecisionTreeClassifier, DecisionTreeRegressor, Frame, RandomForestClassifier


def mixed(n=3000, seed=0):
    """Numbers, strings and gaps."""
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(n, 3))
    code = draw.integers(0, 12, n)
    z = x[:, 0] + np.sin(code) + draw.normal(size=n)
    x[draw.random(x.shape) < 0.1] = np.nan
    words = pl.Series(np.array([f"level {c}" for c in range(12)])[code])
    table = pl.DataFrame({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "d": words})
    table = table.with_columns(pl.col("a", "b", "c").fill_nan(None))
    gaps = pl.Series(draw.random(n) < 0.1)
    return table.with_columns(pl.when(gaps).then(None).otherwise(pl.col("d")).alias("d")), z


def assert_same(one, other):
    for name, array in vars(one).items():
        np.testing.assert_array_equal(array, getattr(other, name), err_msg=name)


SETTINGS = [
    {},
    {"missing": "fractional", "splits": "multiway", "criterion": "gain_ratio"},
    {"max_features": 2, "random_state": 3},
    {"max_leaf_nodes": 60, "max_bins": 32},
    {"criterion": "entropy", "ccp_alpha": 0.001},
    {"pruning": "reduced_error", "random_state": 1},
]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_threads(setting):
    X, z = mixed()
    y = np.digitize(z, [-1.0, 1.0])
    one, *others = (DecisionTreeClassifier(n_jobs=jobs, **setting).fit(X, y).nodes_ for jobs in (1, 2, 5))
    for other in others:
        assert_same(one, other)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_threads_for_numbers(criterion):
    X, z = mixed()
    trees = [
        DecisionTreeRegressor(criterion=criterion, max_depth=7, n_jobs=jobs).fit(X, z).nodes_
        for jobs in (1, 2, 5)
    ]
    assert_same(trees[0], trees[1])
    assert_same(trees[0], trees[2])


def test_layout_of_the_table():
    X, z = mixed(1000)
    expected = DecisionTreeRegressor(max_depth=6).fit(X, z).nodes_
    pieces = pl.concat([X[:100], X[100:350], X[350:]], rechunk=False)
    assert pieces.n_chunks() == 3
    assert_same(DecisionTreeRegressor(max_depth=6).fit(pieces, z).nodes_, expected)
    assert_same(DecisionTreeRegressor(max_depth=6).fit(Frame(X), z).nodes_, expected)
    assert_same(DecisionTreeRegressor(max_depth=6).fit(X.to_pandas(), z).nodes_, expected)
    numbers = X.select("a", "b", "c").to_numpy()
    rows = DecisionTreeRegressor(max_depth=6).fit(np.ascontiguousarray(numbers), z).nodes_
    wide = np.full((1000, 6), 7.0)
    wide[:, ::2] = numbers
    for same in (np.asfortranarray(numbers), wide[:, ::2], numbers.astype(object)):
        assert_same(DecisionTreeRegressor(max_depth=6).fit(same, z).nodes_, rows)
    with pytest.raises(TypeError, match="to_frame"):
        DecisionTreeRegressor().fit(Blocks(Frame(X)), z)


@pytest.mark.parametrize("missing", ["direction", "fractional"])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_whole_weights_are_repeated_rows_for_numbers(criterion, missing):
    X, z = mixed(300)
    w = np.arange(300) % 4
    model = DecisionTreeRegressor(criterion=criterion, missing=missing, min_samples_leaf=1, max_depth=5)
    weighted = model.fit(X, z, sample_weight=w).predict(X)
    repeated = model.fit(X[np.repeat(np.arange(300), w)], np.repeat(z, w)).predict(X)
    np.testing.assert_allclose(weighted, repeated, rtol=0, atol=1e-10)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_ties_of_small_nodes_do_not_hang_on_roundings(criterion):
    model = DecisionTreeRegressor(criterion=criterion)
    for seed in range(40):
        draw = np.random.default_rng([7, seed])
        X, w = np.round(draw.normal(size=(150, 4)), 1), draw.integers(1, 5, size=150)
        z = X[:, 0] + draw.normal(size=150)
        rows = np.repeat(np.arange(150), w)
        asked = draw.normal(size=(500, 4))
        weighted = model.fit(X, z, sample_weight=w).predict(asked)
        for other in (model.fit(X[rows], z[rows]), model.fit(X, z, sample_weight=w * 0.1)):
            np.testing.assert_allclose(other.predict(asked), weighted, rtol=0, atol=1e-9)


@pytest.mark.parametrize("setting", SETTINGS[:2] + SETTINGS[4:5], ids=str)
def test_whole_weights_are_repeated_rows_for_classes(setting):
    X, z = mixed(300)
    y, w = np.digitize(z, [-1.0, 1.0]), np.arange(300) % 4
    weighted = DecisionTreeClassifier(**setting).fit(X, y, sample_weight=w)
    repeated = DecisionTreeClassifier(**setting).fit(X[np.repeat(np.arange(300), w)], np.repeat(y, w))
    np.testing.assert_array_equal(weighted.nodes_.threshold, repeated.nodes_.threshold)
    np.testing.assert_array_equal(weighted.nodes_.levels, repeated.nodes_.levels)
    np.testing.assert_allclose(weighted.nodes_.value, repeated.nodes_.value, rtol=1e-12)


def test_crumbs_of_rows_are_not_split():
    X, z = mixed(1000)
    y = np.digitize(z, [-1.0, 1.0])
    model = DecisionTreeClassifier(missing="fractional", splits="multiway")
    tree = model.fit(X, y).nodes_
    assert tree.weight[~tree.is_leaf].min() >= 1.0 - 1e-9
    assert len(tree) < 10_000
    light = model.fit(X, y, sample_weight=np.full(1000, 1e-3)).nodes_
    np.testing.assert_array_equal(light.feature, tree.feature)
    forest = RandomForestClassifier(3, missing="fractional", random_state=0).fit(X, y)
    assert len(forest.forest_.kind) < 3 * 10_000


@pytest.mark.parametrize("seed", range(5))
def test_weights_do_not_split_rows_of_one_target(seed):
    """A target times its weight, divided by the weight, is off by a rounding, which is no reason to split."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(300, 3))
    y = np.where(X[:, 0] > 0, draw.normal(), draw.normal())
    model = DecisionTreeRegressor().fit(X, y, sample_weight=draw.random(300) + 0.1)
    assert model.get_n_leaves() == 2
    np.testing.assert_allclose(model.predict(X), y, rtol=1e-12)
