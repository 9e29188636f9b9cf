"""K-means of the notes: the melons of 4.0 in three clusters, round by round, and its starts."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from hornbook import KMeans, datasets
from hornbook.clustering._initialization import initializer
from hornbook.frame import Block, Blocks, Frame

MELONS = datasets.watermelon("4.0")
POINTS = MELONS.features.numbers
START = POINTS[[5, 11, 23]]  # x6, x12, x24


def melons_in(model):
    """Numbers of the melons of each cluster, counted from 1."""
    return [(np.flatnonzero(model.labels_ == c) + 1).tolist() for c in range(3)]


def after(rounds):
    """The centers after some rounds."""
    return KMeans(3, init=START, max_iter=rounds, tol=0.0).fit(MELONS).cluster_centers_


def test_first_assignment():
    """x1 is 0.369, 0.506, 0.220 from the centers; the printed C1 lacks x20, which its printed mean needs."""
    model = KMeans(3, init=START, max_iter=1, tol=0.0).fit(MELONS)
    start = KMeans(3, init=START).partial_fit(MELONS)
    assert melons_in(start)[0] == [3, 5, 6, 7, 8, 9, 10, 13, 14, 17, 18, 19, 20, 23]
    assert melons_in(start)[1] == [11, 12, 16]
    assert melons_in(start)[2] == [1, 2, 4, 15, 21, 22, 24, 25, 26, 27, 28, 29, 30]
    distances = np.linalg.norm(POINTS[0] - START, axis=1)
    assert distances.round(3).tolist() == [0.369, 0.506, 0.220]
    assert model.cluster_centers_.round(3).tolist() == [[0.493, 0.207], [0.394, 0.066], [0.602, 0.396]]


def test_rounds():
    """Means after rounds 2, 3 and 4; the fifth round equals the fourth."""
    assert after(2).round(4).tolist() == [[0.5088, 0.1990], [0.2975, 0.1528], [0.6235, 0.3879]]
    assert after(3).round(4).tolist() == [[0.5634, 0.1719], [0.3101, 0.2113], [0.6235, 0.3879]]
    assert after(4).round(4).tolist() == [[0.6326, 0.1617], [0.3346, 0.2141], [0.6005, 0.4049]]
    np.testing.assert_array_equal(after(5), after(4))


def test_end():
    """E with the new means falls 0.73193, 0.62593, 0.49861, 0.41257 and then rests."""
    model = KMeans(3, init=START).fit(MELONS)
    assert melons_in(model) == [
        [3, 5, 7, 9, 13, 14, 16, 17, 21],
        [6, 8, 10, 11, 12, 15, 18, 19, 20],
        [1, 2, 4, 22, 23, 24, 25, 26, 27, 28, 29, 30],
    ]
    assert model.n_iter_ == 5
    assert round(model.inertia_, 5) == 0.41257
    errors = []
    for rounds in range(1, 6):
        labels = KMeans(3, init=START if rounds == 1 else after(rounds - 1)).partial_fit(MELONS).labels_
        errors.append(round(float(np.square(POINTS - after(rounds)[labels]).sum()), 5))
    assert errors == [0.73193, 0.62593, 0.49861, 0.41257, 0.41257]


def starts(X, init, seed):
    """Where two centers start."""
    blocks = Blocks.of(Block(X), Frame(X).schema, 1)
    return initializer(init, blocks, 2, X.mean(axis=0), seed)(0)


def test_random_samples_as_first_means():
    """Every start is at k different samples, and all samples are as likely."""
    X = np.arange(6.0)[:, None]
    drawn = np.array([np.unique(starts(X, "random", seed)) for seed in range(600)])
    counts = np.bincount(drawn.ravel().astype(int), minlength=6)
    assert abs(counts - 200).max() < 4 * np.sqrt(200 * 2 / 3)


def test_random_vectors_as_first_means():
    """K vectors anywhere in the box of the data, not at samples; coordinates are uniform and independent."""
    X = np.array([[0.0, 10.0], [1.0, 30.0], [0.2, 11.0]])
    drawn = np.concatenate([starts(X, "uniform", seed) for seed in range(500)])
    assert (drawn >= X.min(axis=0)).all()
    assert (drawn <= X.max(axis=0)).all()
    np.testing.assert_allclose(drawn.mean(axis=0), [0.5, 20.0], rtol=0.06)
    np.testing.assert_allclose(drawn.std(axis=0), np.array([1, 20]) / np.sqrt(12), rtol=0.06)
    assert abs(np.corrcoef(drawn.T)[0, 1]) < 0.12


def test_of_several_starts_the_smallest_scatter_is_kept():
    X = datasets.iris().numbers
    single = [KMeans(3, init="random", n_init=1, random_state=s).fit(X).inertia_ for s in range(12)]
    assert max(single) > min(single) + 10
    model = KMeans(3, init="random", random_state=0).fit(X)
    starts_seen = np.array(model.history_["start"])
    assert starts_seen.max() == 9
    last = [np.array(model.history_["inertia"])[starts_seen == s][-1] for s in range(10)]
    assert model.inertia_ == pytest.approx(min(last), rel=1e-3)
    assert model.inertia_ <= min(single)


def test_an_empty_cluster_is_no_division_by_zero():
    """The notes leave 0 / 0 open: a center without rows takes the farthest row."""
    X = np.array([[0.0], [1.0], [2.0], [10.0]])
    model = KMeans(2, init=[[1.0], [100.0]]).fit(X)
    assert model.cluster_centers_.tolist() == [[1.0], [10.0]]
    with pytest.warns(
        ConvergenceWarning, match=r"distinct clusters \(1\) found smaller than n_clusters \(2\)"
    ):
        KMeans(2).fit(np.ones((5, 2)))
