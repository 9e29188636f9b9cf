"""Cutting a tree back to a price of leaves."""

from __future__ import annotations

import numpy as np
import pytest

from hornbook import DecisionTreeClassifier, DecisionTreeRegressor
from hornbook.trees import prune_to


def cost(tree, alpha):
    leaf = tree.is_leaf
    return (tree.weight[leaf] * tree.impurity[leaf]).sum() / tree.weight[0] + alpha * leaf.sum()


@pytest.mark.parametrize("seed", range(4))
def test_the_tree_at_a_price_is_the_cheapest_and_then_the_smallest(seed):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(150, 3)).round(1)
    noisy = X[:, 0] + draw.normal(size=150).round(1)
    w = draw.integers(1, 4, 150)
    model = DecisionTreeRegressor() if seed % 2 else DecisionTreeClassifier()
    y = noisy if seed % 2 else noisy > 0
    full = model.fit(X, y, sample_weight=w).nodes_
    path = model.cost_complexity_pruning_path(X, y, sample_weight=w)
    trees = [prune_to(full, alpha) for alpha in path.ccp_alphas]
    sizes = [int(tree.is_leaf.sum()) for tree in trees]
    assert sizes == sorted(set(sizes), reverse=True)  # each alpha of the path makes a smaller tree
    assert sizes[-1] == 1
    for tree, impurity in zip(trees, path.impurities, strict=True):
        assert cost(tree, 0.0) == pytest.approx(impurity, abs=1e-12)
    for low, high, tree in zip(path.ccp_alphas[:-1], path.ccp_alphas[1:], trees, strict=False):
        between = (low + high) / 2
        np.testing.assert_array_equal(prune_to(full, between).threshold, tree.threshold)
        assert cost(tree, between) <= min(cost(other, between) for other in trees) + 1e-12
