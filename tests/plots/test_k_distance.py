"""The distances to the k-th row show where noise begins."""

from __future__ import annotations

import numpy as np
import pytest
from tests.plots.layout import complaints

from hornbook import DBSCAN
from hornbook.plots import clusters, k_distance


def test_the_curve_crosses_eps_at_the_number_of_rows_that_are_not_core():
    X = np.random.default_rng(0).normal(size=(80, 2))
    ax = k_distance(X, 6)
    heights = ax.lines[0].get_ydata()
    assert (np.diff(heights) <= 0).all()
    for eps in (0.3, 0.5, 0.8):
        n_core = len(DBSCAN(eps, min_samples=6).fit(X).core_sample_indices_)
        assert (heights <= eps).sum() == n_core
    assert complaints(ax) == []


def test_the_bend_lies_between_clusters_and_noise():
    draw = np.random.default_rng(0)
    X = np.concatenate(
        [draw.normal(0, 0.05, (60, 2)), draw.normal(3, 0.05, (60, 2)), draw.random((6, 2)) * 40]
    )
    eps = float(k_distance(X, 5).lines[1].get_ydata()[0])
    labels = DBSCAN(eps, min_samples=5).fit(X).labels_
    assert labels.max() == 1
    assert (labels[-6:] == -1).sum() >= 5


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match="'min_samples' must be from 1 to the 2 rows of X; got 3"):
        k_distance([[0.0], [1.0]], 3)
    with pytest.raises(ValueError, match="clusters: 'X' must be finite numbers of shape"):
        clusters([[1.0]], [0])
    with pytest.raises(ValueError, match="clusters: 'labels' must have one integer"):
        clusters([[1.0, 2.0]], [0.5])
