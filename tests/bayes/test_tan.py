"""TAN: its weights, its tree, its products, and its corners."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import minimum_spanning_tree
from sklearn.metrics import mutual_info_score
from tests.bayes.tables import coded, mixed
from tests.oracles.one_dependence import tree

from hornbook import TAN, NaiveBayes


def brute_information(codes, y, w, sizes, i, j, kind):
    known = (codes[:, i] >= 0) & (codes[:, j] >= 0)
    total = 0.0
    for c in np.unique(y):
        own = known & (y == c)
        share = w[own].sum() / w[known].sum() if kind == "conditional" else 1.0
        for a, b in product(range(sizes[i]), range(sizes[j])):
            both = w[own & (codes[:, i] == a) & (codes[:, j] == b)].sum() / w[own].sum()
            one = w[own & (codes[:, i] == a)].sum() / w[own].sum()
            other = w[own & (codes[:, j] == b)].sum() / w[own].sum()
            total += share * both * np.log(both / (one * other)) if both > 0 else 0.0
    return total


@settings(derandomize=True, max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 9999),
    missing=st.sampled_from([0.0, 0.2]),
    kind=st.sampled_from(["conditional", "per_class"]),
    smoothing=st.sampled_from(["laplace", "zero_only", "none"]),
    root=st.integers(0, 2),
)
def test_agrees_with_brute_force(seed, missing, kind, smoothing, root):
    codes, y, w, sizes, table = coded(seed, missing=missing)
    model = TAN(information=kind, smoothing=smoothing, alpha=0.6, root=root).fit(table, y, w)
    for i, j in combinations(range(3), 2):
        judged = brute_information(codes, y, w, sizes, i, j, kind)
        assert model.mutual_information_[i, j] == pytest.approx(judged, rel=1e-9, abs=1e-12)
    names = list(table.schema.names)
    parents = [None if p is None else names.index(p) for p in model.parents_.values()]
    assert parents[root] is None
    judged = [tree(codes, y, w, sizes, 3, row, parents, (smoothing, 0.6)) for row in codes]
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba(table)), judged, rtol=1e-9, atol=1e-300)


def test_with_one_class_the_weights_are_mutual_information():
    codes, _, _, _, table = coded(1)
    model = TAN().fit(table, np.zeros(40, dtype=int))
    for i, j in combinations(range(3), 2):
        judged = mutual_info_score(codes[:, i], codes[:, j])
        assert model.mutual_information_[i, j] == pytest.approx(judged, abs=1e-12)


@settings(derandomize=True, max_examples=40, deadline=None)
@given(seed=st.integers(0, 9999), d=st.integers(2, 9))
def test_the_tree_has_the_largest_weight(seed, d):
    from hornbook.bayes.models._tan_tree import spanning_tree

    draw = np.random.default_rng(seed)
    weights = draw.random((d, d)) + 0.01
    weights = weights + weights.T
    parents = spanning_tree(weights, int(draw.integers(d)))
    assert (parents < 0).sum() == 1
    weight = sum(weights[j, p] for j, p in enumerate(parents) if p >= 0)
    assert weight == pytest.approx(-minimum_spanning_tree(np.triu(-weights, 1)).sum())


def test_the_root_turns_the_edges_and_keeps_them():
    _, y, w, _, table = coded(2)
    edges = set()
    for root in range(3):
        parents = TAN(root=root).fit(table, y, w).parents_
        edges.add(frozenset(frozenset(edge) for edge in parents.items() if edge[1] is not None))
    assert len(edges) == 1


def test_normal_densities_hang_below_the_category_that_tells_most():
    X, y = mixed(n=400, gaps=False)
    model = TAN(density="gaussian").fit(X, y)
    assert model.parents_["mass"] == "shape"  # long things weigh three more
    info = model.mutual_information_
    assert info[2, 3] == info[3, 2] > info[2, 1]
    assert info[0, 2] == 0
    np.testing.assert_allclose(np.diag(info), 0)
    assert "given shape" in model.tables_["mass"].title


def test_numbers_alone_with_normal_densities_are_naive_bayes():
    X, y = mixed()
    X = X[["size", "mass"]]
    model = TAN(density="gaussian").fit(X, y)
    assert set(model.parents_.values()) == {None}
    np.testing.assert_allclose(model.predict_proba(X), NaiveBayes().fit(X, y).predict_proba(X), rtol=1e-9)


def test_one_column_is_naive_bayes():
    X, y = mixed()
    np.testing.assert_allclose(
        TAN().fit(X[["color"]], y).predict_proba(X[["color"]]),
        NaiveBayes().fit(X[["color"]], y).predict_proba(X[["color"]]),
        rtol=1e-12,
    )


def test_three_ways_of_use_agree():
    X, y = mixed()
    X.loc[0, ["size", "mass"]] = [-9.0, -9.0]
    X.loc[1, ["size", "mass"]] = [9.0, 9.0]
    for density in ("bins", "gaussian"):
        whole, lazy = TAN(density=density).fit(X, y), TAN(density=density, lazy=True).fit(X, y)
        assert lazy.predict_proba(X).tolist() == whole.predict_proba(X).tolist()
        assert lazy.mutual_information_.tolist() == whole.mutual_information_.tolist()
        grown = (
            TAN(density=density).partial_fit(X[:50], y[:50], classes=[0, 1, 2]).partial_fit(X[50:], y[50:])
        )
        np.testing.assert_allclose(grown.predict_proba(X), whole.predict_proba(X), rtol=1e-7)


def test_priors_and_costs():
    X, y = mixed()
    model = TAN(priors=[0.2, 0.3, 0.5]).fit(X, y)
    ratio = model.predict_joint_log_proba(X) - TAN().fit(X, y).predict_joint_log_proba(X)
    np.testing.assert_allclose(
        ratio, np.tile(np.log([0.2, 0.3, 0.5]) - np.log(np.bincount(y) / 120), (120, 1))
    )
    costs = np.array([[0.0, 1, 5], [2, 0, 1], [9, 1, 0]])
    careful = TAN(costs=costs).fit(X, y)
    assert careful.predict(X).tolist() == (careful.predict_proba(X) @ costs.T).argmin(axis=1).tolist()


def test_wrong_roots_are_refused():
    X, y = mixed()
    with pytest.raises(ValueError, match="TAN: root: There is no column 'colr': did you mean 'color'"):
        TAN(root="colr").fit(X, y)
    with pytest.raises(ValueError, match="TAN: root is 'size', a number with a normal density"):
        TAN(root="size", density="gaussian").fit(X, y)


def test_told_and_drawn():
    X, y = mixed()
    model = TAN(root="color").fit(X, y)
    assert model.tables_["color"].title == "P(color | class)"
    text = str(model.describe())
    assert "mutual information" in text
    assert model.parents_["shape"] in text
    ax = model.plot()
    heights = {text.get_text(): text.get_position()[1] for text in ax.texts if text.get_text()}
    assert heights["class"] > heights["color"] > heights["shape"]
