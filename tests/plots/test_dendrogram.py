"""The tree of merges as a drawing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from tests.plots.layout import complaints

from hornbook.plots import dendrogram


def test_every_merge_is_a_bar_at_its_height():
    children, heights = [[0, 1], [2, 3], [4, 5]], [1.0, 2.0, 3.5]
    ax = dendrogram(children, heights)
    assert [max(line.get_ydata()) for line in ax.lines] == heights
    assert sorted(text.get_text() for text in ax.get_xticklabels()) == ["0", "1", "2", "3"]
    assert complaints(ax) == []


def test_lines_do_not_cross_and_clusters_below_the_cut_have_colors():
    tree = linkage(np.random.default_rng(0).normal(size=(12, 2)), "average")
    cut = float(tree[-2, 2] + tree[-3, 2]) / 2
    ax = dendrogram(tree[:, :2].astype(int), tree[:, 2], cut=cut)
    order = [int(text.get_text()) for text in ax.get_xticklabels()]
    members = [{i} for i in range(12)]
    for one, other in tree[:, :2].astype(int):
        members.append(members[one] | members[other])
        places = sorted(order.index(leaf) for leaf in members[-1])
        assert places == list(range(places[0], places[0] + len(places)))  # side by side
    below = {line.get_color() for line in ax.lines[:11] if max(line.get_ydata()) < cut}
    above = {line.get_color() for line in ax.lines[:11] if max(line.get_ydata()) >= cut}
    assert below.isdisjoint(above)


def test_many_leaves_are_drawn_as_sizes():
    tree = linkage(np.random.default_rng(0).normal(size=(200, 2)), "ward")
    ax = dendrogram(tree[:, :2].astype(int), tree[:, 2], most_leaves=10)
    texts = [text.get_text() for text in ax.get_xticklabels()]
    assert len(texts) == 10
    assert sum(int(text.strip("()")) if "(" in text else 1 for text in texts) == 200
    assert complaints(ax) == []


def test_what_is_no_tree_is_refused():
    for children in ([[0, 1], [0, 2]], [[0, 9], [1, 2]], [[0, 1]], [[0.5, 1.0], [2.0, 3.0]]):
        with pytest.raises(ValueError, match="dendrogram: 'children' must have two nodes for each height"):
            dendrogram(children, [1.0, 2.0])
    with pytest.raises(ValueError, match="'names' must have one name for each of the 3 leaves; got 1"):
        dendrogram([[0, 1], [2, 3]], [1.0, 2.0], names=["a"])
    with pytest.raises(ValueError, match="'most_leaves' must be 2 or more; got 1"):
        dendrogram([[0, 1], [2, 3]], [1.0, 2.0], most_leaves=1)
    assert dendrogram(np.empty((0, 2), dtype=int), []).figure is not None
