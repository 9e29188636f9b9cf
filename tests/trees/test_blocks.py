"""Trees grown from rows in blocks, and by passes, are those of the table in memory, to the last bit."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import hornbook
from hornbook import (
    Blocks,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    Frame,
    RandomForestClassifier,
    RandomForestRegressor,
    TotallyRandomTreesClassifier,
)
from hornbook.frame.rows import _rows
from hornbook.trees.binned import _bins, _coded_blocks

N = 2500


def table(kind, weights=None, n=N, seed=0):
    """Numbers with gaps, categories with and without order, and a target that depends on some of them."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, 4))
    X[draw.random(X.shape) < 0.05] = np.nan
    rows = pd.DataFrame(X, columns=list("abcd"))
    rows["color"] = pd.Categorical.from_codes(draw.integers(-1, 6, n), list("pqrstu"))
    rows["grade"] = pd.Categorical.from_codes(draw.integers(0, 4, n), list("wxyz"), ordered=True)
    score = np.nan_to_num(X[:, 0]) + rows["color"].isin(["p", "q"]) + 0.5 * draw.normal(size=n)
    edges = {"two": [0.0], "three": [-0.5, 0.8]}
    rows["y"] = 1000.0 + 3.0 * score if kind == "numbers" else np.digitize(score, edges[kind]).astype(str)
    if kind != "numbers":
        rows["y"] = rows["y"].astype("category")
    if weights is not None:
        rows["w"] = 1.0 + np.arange(n) % 3 if weights == "whole" else draw.random(n)
    return Frame(rows, target="y", weight=None if weights is None else "w")


def in_blocks(whole):
    cuts = [0, 7, len(whole) // 3, len(whole)]
    return Blocks([whole[a:b] for a, b in pairwise(cuts)])


def same(one, other):
    """Equal to the last bit."""
    for field in fields(one):
        np.testing.assert_array_equal(
            getattr(one, field.name), getattr(other, field.name), err_msg=field.name
        )


def trees_of(model):
    return model.forest_ if hasattr(model, "forest_") else model.nodes_


def check(learner, whole, monkeypatch, copied):
    """In memory, from blocks whose codes fit into memory, and by passes with few rows copied at a time."""
    learner = clone(learner).set_params(max_bins=40, random_state=3)
    memory, blocks = clone(learner).fit(whole), in_blocks(whole)
    gathered = clone(learner).fit(blocks)
    monkeypatch.setattr(_coded_blocks, "MEMORY_BYTES", copied)
    passed = clone(learner).fit(blocks)
    for other in (gathered, passed):
        same(trees_of(memory), trees_of(other))
        np.testing.assert_array_equal(memory.feature_importances_, other.feature_importances_)
        np.testing.assert_array_equal(memory.predict(whole), other.predict(whole))
    assert (memory.tree_gaps_ == passed.tree_gaps_).all() if hasattr(memory, "nodes_") else True


TREES = [
    ("two", DecisionTreeClassifier()),
    ("two", DecisionTreeClassifier(criterion="entropy", splits="multiway", min_samples_leaf=5)),
    ("three", DecisionTreeClassifier(max_depth=4)),
    ("three", DecisionTreeClassifier(criterion="gain_ratio", class_weight="balanced")),
    ("three", DecisionTreeClassifier(criterion="cart", pruning="pessimistic", subset_size=1)),
    ("three", DecisionTreeClassifier(criterion="daroczy", purity=0.9, min_weight_fraction_leaf=0.01)),
    ("numbers", DecisionTreeRegressor()),
    ("numbers", DecisionTreeRegressor(max_depth=5)),
    ("numbers", DecisionTreeRegressor(splits="multiway", min_samples_leaf=3, ccp_alpha=0.01)),
]


@pytest.mark.parametrize("weights", [None, "whole", "any"])
@pytest.mark.parametrize(("kind", "learner"), TREES, ids=str)
def test_a_tree_is_the_same_wherever_rows_are(kind, learner, weights, monkeypatch):
    check(learner, table(kind, weights), monkeypatch, 2**13)


FORESTS = [
    ("two", RandomForestClassifier(4)),
    ("three", RandomForestClassifier(4, class_weight="balanced_subsample", min_samples_leaf=3)),
    ("three", RandomForestClassifier(4, class_weight="balanced", max_samples=0.5, split="top_k", top_k=3)),
    ("numbers", RandomForestRegressor(4, max_features=0.4)),
    ("numbers", RandomForestRegressor(4, split="proportional", min_weight_fraction_leaf=0.01)),
    ("three", ExtraTreesClassifier(4)),
    ("numbers", ExtraTreesRegressor(4, bootstrap=True, subspace="tree", max_features=3)),
    ("three", TotallyRandomTreesClassifier(4)),
]


@pytest.mark.parametrize("weights", [None, "any"])
@pytest.mark.parametrize(("kind", "learner"), FORESTS, ids=str)
def test_a_forest_is_the_same_wherever_rows_are(kind, learner, weights, monkeypatch):
    check(learner, table(kind, weights), monkeypatch, 2**14)


@pytest.mark.parametrize("kind", ["two", "numbers"])
def test_bins_come_from_the_same_sample_of_rows(kind, monkeypatch):
    whole = table(kind, "any")
    every_row = DecisionTreeRegressor if kind == "numbers" else DecisionTreeClassifier
    model = every_row(max_bins=12, random_state=1)
    all_rows = clone(model).fit(whole).nodes_
    monkeypatch.setattr(_bins, "SAMPLE", 300)
    sampled = clone(model).fit(whole).nodes_
    assert not np.array_equal(all_rows.threshold, sampled.threshold, equal_nan=True)
    check(model, whole, monkeypatch, 2**13)
    # Rows outside the sample are on the side of a threshold that their code says.
    np.testing.assert_array_equal(
        np.bincount(sampled.apply(whole.features, 1), minlength=len(sampled))[sampled.is_leaf],
        sampled.n_rows[sampled.is_leaf],
    )
    other = clone(model).set_params(random_state=2).fit(whole).nodes_
    assert not np.array_equal(other.threshold, sampled.threshold, equal_nan=True)


def test_bins_do_not_vary_when_nothing_else_is_drawn(monkeypatch):
    monkeypatch.setattr(_bins, "SAMPLE", 300)
    whole = table("two")
    same(*(DecisionTreeClassifier(max_bins=12).fit(whole).nodes_ for _ in range(2)))


@pytest.mark.parametrize("kind", ["three", "numbers"])
def test_sums_of_bins_do_not_depend_on_the_order_of_rows(kind):
    whole = table(kind, "any")
    learner = DecisionTreeRegressor if kind == "numbers" else DecisionTreeClassifier
    order = np.random.default_rng(1).permutation(len(whole))
    same(learner(max_bins=40).fit(whole).nodes_, learner(max_bins=40).fit(whole[order]).nodes_)


def test_whole_numbers_stay_exact():
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(3000, 3)), draw.integers(-50, 1000, 3000).astype(float)
    tree = DecisionTreeRegressor(max_bins=255).fit(X, y).nodes_
    alone = tree.is_leaf & (tree.n_rows == 1)
    assert alone.sum() > 1000
    assert (tree.value[alone] == np.rint(tree.value[alone])).all()


@pytest.mark.parametrize("scale", [1e-120, 1.0, 1e120])
def test_numbers_of_any_size_are_rounded_by_parts_of_their_spread(scale):
    draw = np.random.default_rng(0)
    X, y = draw.normal(size=(500, 2)), scale * draw.normal(size=500)
    tree = DecisionTreeRegressor(max_bins=255, min_samples_leaf=1).fit(X, y)
    exact = DecisionTreeRegressor(min_samples_leaf=1, max_bins=None).fit(X, y)
    np.testing.assert_allclose(tree.predict(X), exact.predict(X), rtol=0, atol=1e-12 * scale)


def test_codes_are_kept_in_a_temporary_file(tmp_path, monkeypatch):
    whole = table("two", "any")
    path = tmp_path / "rows.csv"
    rows = pd.DataFrame({name: np.asarray(whole.features.column(j)) for j, name in enumerate("abcd")})
    rows.assign(y=whole.y, w=whole.w).to_csv(path, index=False)
    read = []
    monkeypatch.setattr(_rows, "CARRIED", 1000)
    monkeypatch.setattr(_coded_blocks, "MEMORY_BYTES", 2**13)
    scanned = hornbook.scan(path, target="y", weight="w", batch_rows=700)
    blocks = Blocks.over(Counting(scanned._rows, read), scanned.schema, scanned.source)
    model = DecisionTreeClassifier(max_bins=40).fit(blocks)
    few = len(read)
    same(
        model.nodes_,
        DecisionTreeClassifier(max_bins=40).fit(hornbook.read(path, target="y", weight="w")).nodes_,
    )
    DecisionTreeClassifier(max_bins=40, max_depth=2).fit(blocks)
    assert len(read) - few == few  # further levels read codes, not the file


class Counting:
    """Rows that say when they are read."""

    def __init__(self, rows, read):
        self._inner, self._read = rows, read

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def __iter__(self):
        self._read.append(1)
        return iter(self._inner)

    def map(self, function):
        return Counting(self._inner.map(function), self._read)

    def reduce(self, *arguments):
        self._read.append(1)
        return self._inner.reduce(*arguments)


@pytest.mark.parametrize(
    "learner",
    [
        DecisionTreeClassifier(),
        DecisionTreeClassifier(max_bins=8, missing="fractional"),
        DecisionTreeClassifier(max_bins=8, max_leaf_nodes=5),
        DecisionTreeClassifier(max_bins=8, pruning="reduced_error"),
        RandomForestClassifier(3),
        RandomForestClassifier(3, max_bins=8, oob_score=True),
        RandomForestClassifier(3, max_bins=8, split="top_k", max_random_splits=2),
    ],
    ids=str,
)
def test_what_needs_all_rows_says_so(learner):
    with pytest.raises(TypeError, match=r"needs all rows at once.*max_bins=255.*blocks\.to_frame\(\)"):
        learner.fit(in_blocks(table("two", n=60)))


def test_questions_about_rows_need_them_in_memory():
    whole = table("two", n=60)
    blocks = in_blocks(whole)
    forest = RandomForestClassifier(3, max_bins=8, random_state=0).fit(blocks)
    with pytest.raises(TypeError, match=r"blocks\.to_frame\(\)"):
        forest.staged_errors(blocks)
    tree = DecisionTreeClassifier(max_bins=8).fit(blocks)
    with pytest.raises(TypeError, match=r"blocks\.to_frame\(\)"):
        tree.split_table(0, blocks, None)
    assert len(forest.staged_errors(whole)) == 3


def test_numeric_columns_become_categories_when_a_file_is_opened():
    blocks = in_blocks(table("two", n=60))
    model = DecisionTreeClassifier(max_bins=8, categorical_features=["a"])
    with pytest.raises(ValueError, match=r"'a'.*scan\(path, kinds=\{'a': 'nominal'\}\)"):
        model.fit(blocks)
    DecisionTreeClassifier(max_bins=8, categorical_features=["color"]).fit(blocks)
    RandomForestClassifier(2, max_bins=8, categorical_features=["color"]).fit(blocks)


def test_a_warm_start_on_blocks_adds_trees():
    whole = table("three")
    blocks = in_blocks(whole)
    model = RandomForestClassifier(2, max_bins=16, warm_start=True, random_state=0).fit(blocks)
    model.set_params(n_estimators=5).fit(blocks)
    same(model.forest_, RandomForestClassifier(5, max_bins=16, random_state=0).fit(whole).forest_)


@pytest.mark.parametrize("odd", ["column", "class", "row"])
def test_small_and_odd_tables(odd, monkeypatch):
    whole = table("two", n=40)
    rows = pd.DataFrame({"a": np.full(40, np.nan), "b": 1.0, "y": np.arange(40) % 2})
    if odd == "class":
        rows["y"] = 1
    if odd == "row":
        rows = rows.assign(b=np.arange(40.0), w=np.where(np.arange(40) == 7, 1.0, 0.0))
    whole = Frame(rows, target="y", weight="w" if odd == "row" else None, kinds={"y": "nominal"})
    check(DecisionTreeClassifier(), whole, monkeypatch, 1)


def test_a_share_of_the_weight_is_the_same_share_everywhere(monkeypatch):
    draw = np.random.default_rng(0)
    rows = pd.DataFrame({"a": np.repeat(np.arange(10.0), 20), "y": np.repeat(draw.integers(0, 2, 10), 20)})
    whole = Frame(rows.assign(w=0.1), target="y", weight="w", kinds={"y": "nominal"})
    for learner in (DecisionTreeClassifier(), ExtraTreesClassifier(3)):
        check(learner.set_params(min_weight_fraction_leaf=0.1), whole, monkeypatch, 2**10)
