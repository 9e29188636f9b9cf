"""Trees for gradient pairs: each leaf is the best penalized step, each split the best, and none is wasted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.trees import NAMES, coded, grown, options, tables, walk
from tests.oracles.tree import best_gain, gradient_score

from hornbook import Frame
from hornbook.trees import GradientTarget, Grower, GrowerSettings, NumberTarget, SampleSize

NOMINAL = (False, False, True)


def newton_tree(X, g, h, **settings):
    frame = Frame(X)
    how = GrowerSettings("Booster", "squared_error", **({"min_gain": 0.0} | settings))
    grower = Grower.of(frame, how, SampleSize.of(h, len(h)), bin_weights=None, seed=0, n_threads=1)
    return grower.tree_and_leaves(GradientTarget.of(g, h))


@settings(derandomize=True, max_examples=120, deadline=None)
@given(
    data=tables(),
    l2=st.sampled_from([0.0, 0.5, 1.0, 10.0]),
    gamma=st.sampled_from([0.0, 0.1, 1.0]),
    multiway=st.booleans(),
    seed=st.integers(0, 5),
)
def test_every_node_has_the_best_split_and_the_best_step(data, l2, gamma, multiway, seed):
    columns, y, w = data
    draw = np.random.default_rng(seed)
    g, h = draw.normal(size=len(y)) + y - 1.0, w * draw.uniform(0.1, 1.0, len(y))
    made = options(criterion="squared_error", l2=l2, gamma=gamma, min_gain=0.0, multiway=multiway)
    pairs = GradientTarget.of(g, h)
    tree = grown(coded(columns), made, total=pairs.sums, weight=pairs.w)
    for node, rows in walk(tree, columns, np.ones(len(y))):
        here = rows > 0
        G, H = -g[here].sum(), h[here].sum()
        assert tree["value"][node, 0] == pytest.approx(G / (H + l2), rel=1e-9, abs=1e-12)
        score = gradient_score(g[here], h[here], l2)
        best = best_gain(columns[:, here], NOMINAL, h[here], score, multiway=multiway)
        fall = -np.inf if best is None else best * H / 2
        if tree["kind"][node]:
            assert tree["gain"][node] == pytest.approx(best, rel=1e-9, abs=1e-12)
            assert fall > gamma - 1e-9
        else:  # nothing lowers the penalized loss by more than gamma
            assert fall <= gamma + 1e-9


@settings(derandomize=True, max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([0.0, 0.3, 5.0]))
def test_a_split_lowers_the_penalized_loss_by_half_its_gain_in_all(seed, l2):
    draw = np.random.default_rng(seed)
    X, g, h = draw.normal(size=(60, 3)), draw.normal(size=60), draw.uniform(0.1, 2.0, 60)
    tree, leaves = newton_tree(X, g, h, l2=l2, max_depth=3)
    step = tree.value[leaves, 0]
    penalty = l2 / 2 * (tree.value[tree.is_leaf, 0] ** 2).sum()
    after = (g * step + h * step**2 / 2).sum() + penalty
    root = -(g.sum() ** 2) / (h.sum() + l2) / 2
    falls = (tree.gain * tree.weight / 2)[~tree.is_leaf].sum()
    assert after == pytest.approx(root - falls, rel=1e-9, abs=1e-9)


def test_without_curvature_and_penalty_pairs_are_numbers():
    draw = np.random.default_rng(0)
    X, y, w = draw.normal(size=(200, 3)), draw.normal(size=200), draw.integers(1, 4, 200).astype(float)
    ours, _ = newton_tree(X, -w * y, w)
    how = GrowerSettings("Tree", "squared_error", min_gain=0.0)
    grower = Grower.of(Frame(X), how, SampleSize.of(w, 200), bin_weights=None, seed=0, n_threads=1)
    theirs = grower.tree(NumberTarget.of(y, w, "squared_error"))
    np.testing.assert_array_equal(ours.feature, theirs.feature)
    np.testing.assert_allclose(ours.value, theirs.value, atol=1e-12)


def test_penalty_shrinks_leaves_and_gamma_prunes():
    draw = np.random.default_rng(1)
    X, h = draw.normal(size=(300, 2)), np.ones(300)
    g = -np.sign(X[:, 0]) + 0.3 * draw.normal(size=300)
    free, _ = newton_tree(X, g, h, max_depth=1)
    pulled, _ = newton_tree(X, g, h, max_depth=1, l2=50.0)
    assert (np.abs(pulled.value) < np.abs(free.value)).all()
    sizes = [len(newton_tree(X, g, h, gamma=gamma)[0]) for gamma in (0.0, 1.0, 5.0, 1e6)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[2] > sizes[3] == 1


def test_weights_of_rows_multiply_both_derivatives():
    draw = np.random.default_rng(2)
    g, h, w = draw.normal(size=5), draw.uniform(0.5, 1.0, 5), np.array([1.0, 2.0, 0.0, 1.0, 3.0])
    pairs = GradientTarget.of(g, h, w)
    np.testing.assert_array_equal(pairs.sums, -g * w)
    np.testing.assert_array_equal(pairs.w, h * w)
    with pytest.raises(ValueError, match="sums of such squares may overflow"):
        GradientTarget.of(g, h * 1e200)


def test_names_of_the_arrays_are_those_of_the_record():
    assert list(vars(newton_tree(np.zeros((2, 1)), np.ones(2), np.ones(2))[0])) == list(NAMES)


def test_constraints_reach_the_grower_of_bins_and_no_other():
    draw = np.random.default_rng(3)
    X, h = draw.normal(size=(500, 4)), np.ones(500)
    g = -np.sin(3 * X[:, 0]) - X[:, 1] * X[:, 2]
    binned = {"max_bins": 64, "max_leaf_nodes": 20}
    tree, leaves = newton_tree(X, g, h, **binned, columns_per_tree=0.5)
    assert len(set(tree.feature[~tree.is_leaf])) <= 2
    tree, leaves = newton_tree(X, g, h, **binned, interactions=[[0], [3]])
    for node in np.flatnonzero(tree.feature == 0):
        below = tree.below(int(node)) & ~tree.is_leaf
        assert set(tree.feature[below]) == {0}
    tree, leaves = newton_tree(X, g, h, **binned, monotone=[1, 0, 0, 0], l1=0.5, columns_per_level=0.5)
    assert len(tree) > 5
    np.testing.assert_array_equal(leaves, tree.apply(Frame(X), 1))
    for wrong in ({"l1": 1.0}, {"monotone": [1, 0, 0, 0]}, {"interactions": [[0, 1]]}):
        with pytest.raises(ValueError, match="is for gradient pairs on bins: set max_bins"):
            newton_tree(X, g, h, **wrong)


@pytest.mark.parametrize("bins", [6, 40, 255])
def test_rows_left_out_of_a_tree_get_the_leaves_that_apply_gives(bins):
    draw = np.random.default_rng(4)
    X = draw.normal(size=(2_000, 4))
    X[:, 3] = draw.integers(0, 30, 2_000)
    X[draw.random(X.shape) < 0.05] = np.nan
    frame = Frame(Frame(X), kinds={3: "nominal"})
    how = GrowerSettings("Booster", "squared_error", min_gain=0.0, max_bins=bins, max_leaf_nodes=40)
    grower = Grower.of(frame, how, SampleSize.of(None, 2_000), bin_weights=None, seed=0, n_threads=1)
    w = (draw.random(2_000) < 0.15).astype(np.float64)
    tree, leaves = grower.tree_and_leaves(GradientTarget.of(draw.normal(size=2_000), np.ones(2_000), w))
    assert tree.n_rows[0] == w.sum()
    np.testing.assert_array_equal(leaves, tree.apply(frame, 1))
