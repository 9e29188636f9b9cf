"""Contributions of trees against every set of columns, and trees that must not be followed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.trees import ARRAYS, coded, grown, options, rows_of, tables
from tests.oracles.contributions import interactions

from hornbook import _native

ROOT = np.zeros(1, dtype=np.int32)


def explained(tree, rows, *, pairs=False, threads=2, scale=(1.0,), output=(0,), outputs=None, roots=(0,)):
    """Contributions as rows x columns (x columns) x outputs, and the mean."""
    outputs = outputs or tree["value"].shape[1]
    values, mean = _native.tree_contributions(
        np.array(roots, dtype=np.int32),
        *(tree[name] for name in ARRAYS),
        tree["value"],
        tree["weight"],
        np.array(scale, dtype=np.float64),
        np.array(output, dtype=np.int32),
        outputs,
        *rows,
        pairs,
        threads,
    )
    columns = len(rows[2])
    return values.reshape(len(rows[0]), *(columns,) * (2 if pairs else 1), outputs), mean


def shares_of(tree):
    return {**tree, "value": tree["value"] / tree["value"].sum(axis=1, keepdims=True)}


def cells_of(columns, r):
    return np.where(columns[:, r] < 0, np.nan, columns[:, r] * [1.5, 1.0, 1.0])


@settings(derandomize=True, max_examples=60, deadline=None)
@given(data=tables(), multiway=st.booleans(), fractional=st.booleans())
def test_values_and_interactions_are_those_of_every_set_of_columns(data, multiway, fractional):
    columns, y, w = data
    made = options(criterion="entropy", multiway=multiway, fractional=fractional)
    tree = shares_of(grown(coded(columns), made, label=y, n_classes=3, weight=w))
    rows = rows_of(columns)
    values, mean = explained(tree, rows)
    pairs, _ = explained(tree, rows, pairs=True)
    for r in range(min(len(y), 4)):
        expected, base = interactions(tree, cells_of(columns, r))
        np.testing.assert_allclose(pairs[r], expected, atol=1e-13)
        np.testing.assert_allclose(values[r], expected.sum(axis=1), atol=1e-13)
        np.testing.assert_allclose(mean, base, atol=1e-13)


def test_a_level_without_a_branch_stays_where_it_is():
    columns = np.array([[0, 1, 0, 1], [0] * 4, [0, 0, 2, 2]], dtype=np.int32)
    y = np.array([0, 1, 1, 1], dtype=np.int32)
    tree = shares_of(grown(coded(columns), options(multiway=True), label=y, n_classes=2))
    unknown = np.array([[0], [0], [1]], dtype=np.int32)
    pairs, _ = explained(tree, rows_of(unknown), pairs=True)
    np.testing.assert_allclose(pairs[0], interactions(tree, cells_of(unknown, 0))[0], atol=1e-15)


def chain(depth, n_columns, draw):
    """A tree with one leaf beside every question, on columns in turn."""
    n = 2 * depth + 1
    inner = np.arange(n) % 2 == 0
    inner[-1] = False
    node = np.arange(n, dtype=np.int32)
    weight = np.zeros(n)
    weight[~inner] = draw.integers(1, 9, (~inner).sum())
    none = np.zeros(0, dtype=np.int32)
    return {
        "kind": inner.astype(np.uint8),
        "feature": np.where(inner, node // 2 % n_columns, -1).astype(np.int32),
        "threshold": np.where(inner, draw.normal(-1.0, 0.2, n), np.nan),  # most rows go on
        "first_child": np.where(inner, node + 1, node).astype(np.int32),
        "missing_child": np.where(inner, 0, -1).astype(np.int32),
        "level_offset": np.zeros(n + 1, dtype=np.int32),
        "levels": none,
        "share": np.zeros(0),
        "value": draw.normal(size=(n, 2)),
        "weight": weight,
    }


def predicted(tree, rows):
    return _native.tree_predict(ROOT, *(tree[name] for name in ARRAYS), tree["value"], *rows, 1)


@pytest.mark.parametrize("n_columns", [1, 2, 3, 5, 6, 8, 11, 12, 14, 16, 17, 40, 300])
def test_values_add_up_to_the_prediction_on_paths_of_many_columns(n_columns):
    draw = np.random.default_rng(n_columns)
    tree = chain(max(20, n_columns + 3), n_columns, draw)
    X = draw.normal(size=(21, n_columns))
    rows = X, np.empty((21, 0), dtype=np.int32), np.arange(n_columns, dtype=np.int32)
    values, mean = explained(tree, rows)
    leaf = tree["kind"] == 0
    np.testing.assert_allclose(mean, np.average(tree["value"][leaf], axis=0, weights=tree["weight"][leaf]))
    np.testing.assert_allclose(mean + values.sum(axis=1), predicted(tree, rows), atol=1e-12)
    pairs, _ = explained(tree, rows, pairs=True)
    np.testing.assert_allclose(pairs.sum(axis=2), values, atol=1e-11)
    np.testing.assert_array_equal(pairs, pairs.swapaxes(1, 2))


def path_values(tree, x):
    """Shapley values by exact integration of polynomials over each path of a chain.

    phi_j = sum over leaves of value * integral of (o_j - z_j) prod_(i != j) (z_i + t (o_i - z_i)) dt.
    """
    d = len(x)
    phi, z, o = np.zeros((d, 2)), np.ones(d), np.ones(d)
    total = tree["weight"].sum()
    for node in range(0, len(tree["kind"]) - 2, 2):
        j, above = tree["feature"][node], x[tree["feature"][node]] > tree["threshold"][node]
        leaf = node + 1
        for end in [leaf, leaf + 1] if tree["kind"][leaf + 1] == 0 else [leaf]:
            z_end, o_end = z.copy(), o.copy()
            z_end[j] *= tree["weight"][end] / total
            o_end[j] *= above == (end == leaf + 1)
            for i in np.flatnonzero(z_end != 1.0):
                p = np.polynomial.Polynomial([1.0])
                for k in np.flatnonzero(z_end != 1.0):
                    if k != i:
                        p *= np.polynomial.Polynomial([z_end[k], o_end[k] - z_end[k]])
                phi[i] += tree["value"][end] * (o_end[i] - z_end[i]) * p.integ()(1.0)
        rest = total - tree["weight"][leaf]
        z[j] *= rest / total
        o[j] *= above
        total = rest
    return phi


@pytest.mark.parametrize("n_columns", [4, 9, 13, 18])
def test_values_are_integrals_of_products_over_the_paths(n_columns):
    draw = np.random.default_rng(n_columns)
    tree = chain(20, n_columns, draw)
    X = draw.normal(size=(3, n_columns))
    rows = X, np.empty((3, 0), dtype=np.int32), np.arange(n_columns, dtype=np.int32)
    values, _ = explained(tree, rows)
    for r in range(3):
        np.testing.assert_allclose(values[r], path_values(tree, X[r]), atol=1e-11)


def test_trees_are_weighted_and_added_to_their_outputs():
    columns = np.array([[0, 0, 1, 1, 1], [0, 1, 0, 1, 1], [0] * 5], dtype=np.int32)
    tree = shares_of(grown(coded(columns), options(), label=np.array([0, 0, 1, 1, 0], np.int32), n_classes=2))
    rows = rows_of(columns)
    once, mean = explained(tree, rows)
    twice, means = explained(tree, rows, roots=(0, 0), scale=(2.0, -0.5), output=(0, 2), outputs=4)
    np.testing.assert_allclose(twice, np.concatenate([2 * once, -0.5 * once], axis=2), atol=1e-15)
    np.testing.assert_allclose(means, np.concatenate([2 * mean, -0.5 * mean]), atol=1e-15)


@pytest.mark.parametrize("multiway", [False, True])
@pytest.mark.parametrize("fractional", [False, True])
@pytest.mark.parametrize("pairs", [False, True])
def test_a_row_gets_the_same_values_alone_and_on_any_number_of_threads(multiway, fractional, pairs):
    draw = np.random.default_rng(0)
    columns = draw.integers(-1, 90, (3, 301)).astype(np.int32)
    y = ((columns[0] + columns[1] + draw.integers(0, 3, 301)) % 3).astype(np.int32)
    made = options(criterion="entropy", multiway=multiway, fractional=fractional)
    tree = shares_of(grown(coded(columns), made, label=y, n_classes=3))
    together, _ = explained(tree, rows_of(columns), pairs=pairs, threads=1)
    many, _ = explained(tree, rows_of(columns), pairs=pairs, threads=5)
    np.testing.assert_array_equal(together, many)
    for i in range(0, 301, 30):
        alone, _ = explained(tree, rows_of(columns[:, i : i + 1]), pairs=pairs)
        np.testing.assert_array_equal(alone[0], together[i])


def test_children_that_no_weight_has_reached_count_the_same():
    columns = np.array([[0, 0, 1, 1], [0] * 4, [0] * 4], dtype=np.int32)
    tree = shares_of(grown(coded(columns), options(), label=np.array([0, 0, 1, 1], np.int32), n_classes=2))
    values, mean = explained({**tree, "weight": np.zeros(3)}, rows_of(columns))
    np.testing.assert_array_equal(mean, [0.5, 0.5])
    np.testing.assert_allclose(values[:, 0, 0], [0.5, 0.5, -0.5, -0.5])


def test_a_single_leaf_and_no_rows():
    leaf = chain(0, 1, np.random.default_rng(0))
    rows = np.ones((2, 1)), np.empty((2, 0), dtype=np.int32), ROOT
    values, mean = explained(leaf, rows)
    assert not values.any()
    np.testing.assert_array_equal(mean, leaf["value"][0])
    none, mean = explained(leaf, (rows[0][:0], rows[1][:0], ROOT))
    assert none.shape == (0, 1, 2)
    np.testing.assert_array_equal(mean, leaf["value"][0])


WRONG = {
    "kind": (0, 9, "at most 3"),
    "feature": (0, 3, "must be a column"),
    "first_child": (0, 0, "later node"),
    "missing_child": (0, 2, "-1 or a child"),
    "level_offset": (1, 99, "ascend"),
    "weight": (1, np.nan, "cover.1. must be finite and not negative"),
}


@pytest.mark.parametrize("name", sorted(WRONG))
def test_trees_from_elsewhere_are_checked_before_the_first_row(name):
    columns = np.array([[0, 0, 1, 1], [0] * 4, [0] * 4], dtype=np.int32)
    tree = grown(coded(columns), options(), label=np.array([0, 0, 1, 1], dtype=np.int32), n_classes=2)
    place, value, message = WRONG[name]
    tree[name] = tree[name].copy()
    tree[name][place] = value
    with pytest.raises(ValueError, match=message):
        explained(tree, rows_of(columns))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scale": (1.0, 1.0)}, "one entry for each tree"),
        ({"output": (1,)}, "within the outputs"),
        ({"output": (-1,)}, "within the outputs"),
        ({"outputs": 3}, "at most 2 for these trees"),
    ],
)
def test_weights_and_outputs_are_checked(arguments, message):
    columns = np.array([[0, 0, 1, 1], [0] * 4, [0] * 4], dtype=np.int32)
    tree = grown(coded(columns), options(), label=np.array([0, 0, 1, 1], dtype=np.int32), n_classes=2)
    with pytest.raises(ValueError, match=message):
        explained(tree, rows_of(columns), **arguments)
    with pytest.raises(ValueError, match="cover must have one entry"):
        explained({**tree, "weight": tree["weight"][:2].copy()}, rows_of(columns))


def test_trees_deeper_than_memory_allows_are_refused():
    tree = chain(70_000, 1, np.random.default_rng(0))
    rows = np.full((1, 1), 9.0), np.empty((1, 0), dtype=np.int32), ROOT
    with pytest.raises(ValueError, match="deeper than 65536 levels"):
        explained(tree, rows)
