"""DBSCAN against its definition, against scikit-learn, and its options."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array
from sklearn import cluster
from tests.contract.learners import mixed_table
from tests.oracles.density import dbscan

from hornbook import DBSCAN
from hornbook.clustering import core_rows, density_connected, density_reachable
from hornbook.distances import Minkowski, pairwise

# Few distinct values, so that distances tie and are exactly eps.
ROWS = st.integers(1, 40).flatmap(
    lambda n: arrays(np.float64, (n, 2), elements=st.integers(0, 6).map(lambda i: i / 2))
)
EPS = st.sampled_from([0.25, 0.5, 0.75, 1.0, 2.0])


# Two clusters, and a row that core rows of both reach; those of the second are nearer.
TWO_AND_BORDER = np.array([[0.0], [0.0], [0.0], [0.2], [1.0], [1.2], [1.2], [1.2], [0.62]])


def blobs(n, d, seed=0, spread=0.15):
    draw = np.random.default_rng(seed)
    places = draw.random((6, d)) * 3
    cloud = places[draw.integers(0, 6, n)] + draw.normal(0, spread, (n, d))
    return np.where(draw.random((n, 1)) < 0.1, draw.random((n, d)) * 3, cloud)


@settings(derandomize=True, max_examples=25, deadline=None)
@given(ROWS, EPS, st.integers(1, 6))
def test_labels_are_those_of_the_definition(X, eps, min_samples):
    model = DBSCAN(eps, min_samples=min_samples).fit(X)
    core, labels = dbscan(pairwise(X), eps, min_samples)
    assert model.labels_.tolist() == labels.tolist()
    assert model.core_sample_indices_.tolist() == np.flatnonzero(core).tolist()


@pytest.mark.parametrize("unit", [1.0, 1e-170, 1e-30, 1e60, 1e140])
@pytest.mark.parametrize("offset", [0.0, 1e7])
def test_many_columns_are_decided_exactly_at_any_scale(unit, offset):
    """Most distances are decided in single precision; those that are just eps must not be."""
    draw = np.random.default_rng(0)
    X = draw.integers(0, 3, (150, 8)) + offset
    X[:40] += draw.normal(0.0, 1e-7, (40, 8))
    X[40:60] = X[60:80] + draw.normal(0.0, 1e-3, (20, 8))
    X *= unit
    for eps in (unit, unit * np.sqrt(3.0), unit * 2.0):
        core, labels = dbscan(pairwise(X), eps, 4)
        model = DBSCAN(eps, min_samples=4).fit(X)
        assert model.labels_.tolist() == labels.tolist()
        assert model.core_sample_indices_.tolist() == np.flatnonzero(core).tolist()


@settings(derandomize=True, max_examples=25, deadline=None)
@given(ROWS, EPS, st.integers(1, 6))
def test_clusters_are_connected_and_maximal(X, eps, min_samples):
    """Members are density-connected; a row reachable from a core member is in the cluster, up to borders."""
    labels = DBSCAN(eps, min_samples=min_samples).fit(X).labels_
    core = core_rows(X, eps, min_samples)
    reached = density_reachable(X, eps, min_samples)
    connected = density_connected(X, eps, min_samples)
    same = (labels[:, None] == labels) & (labels >= 0)
    assert (connected | ~same).all()
    assert (same | ~(reached & core)).all()  # maximal in core rows
    assert ((labels >= 0) == reached.any(axis=0)).all()  # whatever is reached is in a cluster, the rest noise
    # A border row is in a cluster that reaches it, and in the first of those.
    for j in np.flatnonzero(~core & (labels >= 0)):
        assert labels[j] == labels[reached[:, j]].min()


@settings(derandomize=True, max_examples=25, deadline=None)
@given(ROWS, EPS, st.integers(1, 5), st.data())
def test_weights_count_as_repeated_rows(X, eps, min_samples, data):
    w = data.draw(arrays(np.float64, len(X), elements=st.integers(0, 3)))
    if not w.any():
        w[0] = 1.0
    model = DBSCAN(eps, min_samples=min_samples).fit(X, sample_weight=w)
    core, labels = dbscan(pairwise(X), eps, min_samples, w)
    assert model.labels_.tolist() == labels.tolist()
    repeated = DBSCAN(eps, min_samples=min_samples).fit(X.repeat(w.astype(int), axis=0))
    assert repeated.predict(X).tolist() == model.predict(X).tolist()
    assert model.predict(X)[core].tolist() == labels[core].tolist()


@pytest.mark.parametrize(
    ("n", "d", "eps"), [(3000, 1, 0.002), (3000, 2, 0.06), (3000, 3, 0.15), (2000, 9, 0.7)]
)
@pytest.mark.parametrize(("metric", "p"), [("euclidean", None), ("manhattan", None), ("minkowski", 3.0)])
def test_labels_of_scikit_learn_at_any_number_of_threads(n, d, eps, metric, p):
    X = blobs(n, d)
    radius = eps if metric == "euclidean" else 1.3 * eps
    theirs = cluster.DBSCAN(eps=radius, min_samples=8, metric=metric, p=p).fit(X)
    for threads in (1, 3):
        ours = DBSCAN(radius, min_samples=8, metric=metric, p=p, n_jobs=threads).fit(X)
        np.testing.assert_array_equal(ours.labels_, theirs.labels_)
        np.testing.assert_array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
        np.testing.assert_array_equal(ours.components_, theirs.components_)
    assert len(set(ours.labels_.tolist())) > 2


def test_every_way_to_the_distances_gives_the_same_clusters():
    X = blobs(400, 2)
    model = DBSCAN(0.12).fit(X)
    D = pairwise(X)
    others = {
        "matrix": DBSCAN(0.12, metric="precomputed").fit(D),
        "function": DBSCAN(0.12, metric=lambda a, b: float(np.sqrt(((a - b) ** 2).sum()))).fit(X),
        "sparse": DBSCAN(0.12).fit(csr_array(X)),
        "brute": DBSCAN(0.12, algorithm="brute").fit(X),
    }
    for name, other in others.items():
        assert other.labels_.tolist() == model.labels_.tolist(), name
    new = blobs(50, 2, seed=1)
    expected = model.predict(new).tolist()
    assert len(set(expected)) > 2
    assert others["matrix"].predict(pairwise(X, new).T).tolist() == expected
    assert others["sparse"].predict(csr_array(new)).tolist() == expected
    assert others["function"].predict(new).tolist() == expected


def test_mixed_columns_and_gaps_by_the_mixed_distance():
    X, _ = mixed_table(200)
    for metric in ("euclidean", "gower", "hamming"):
        eps = {"euclidean": 0.6, "gower": 0.1, "hamming": 2.0}[metric]
        model = DBSCAN(eps, metric=metric).fit(X)
        core, labels = dbscan(pairwise(X, metric=metric), eps, 5)
        assert model.labels_.tolist() == labels.tolist()
        assert core.any()


def test_a_new_row_goes_to_the_nearest_core_row_within_eps():
    X = np.array([[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]])
    model = DBSCAN(0.3, min_samples=3).fit(X)
    assert model.predict([[0.5], [0.61], [0.9], [-0.3], [-0.31]]).tolist() == [0, -1, 1, 0, -1]
    working = model.working([0.45])
    assert "core row 2 of cluster 0 at distance 0.25, the nearest" in str(working)
    assert model.working([0.65]).prediction == -1
    assert "noise" in str(model.working([0.65]))


def test_border_rows_go_to_the_first_or_the_nearest_cluster():
    X = TWO_AND_BORDER
    first, nearest = (DBSCAN(0.45, min_samples=4, border=rule).fit(X) for rule in ("first", "nearest"))
    assert first.labels_.tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 0]
    assert nearest.labels_.tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 1]
    by_matrix = DBSCAN(0.45, min_samples=4, border="nearest", metric="precomputed").fit(pairwise(X))
    assert by_matrix.labels_.tolist() == nearest.labels_.tolist()
    given_order = DBSCAN(0.45, min_samples=4, order=[5]).fit(X)
    assert given_order.labels_.tolist() == [1, 1, 1, 1, 0, 0, 0, 0, 0]
    by_matrix = DBSCAN(0.45, min_samples=4, order=[5], metric="precomputed").fit(pairwise(X))
    assert by_matrix.labels_.tolist() == given_order.labels_.tolist()


def test_a_row_of_weight_zero_is_labeled_but_reaches_nothing():
    X = np.array([[0.0], [0.1], [0.5], [0.9], [1.0]])
    w = [1, 1, 0, 1, 1]
    assert DBSCAN(0.5, min_samples=2).fit(X).labels_.tolist() == [0] * 5
    assert DBSCAN(0.45, min_samples=2).fit(X, sample_weight=w).labels_.tolist() == [0, 0, 0, 1, 1]
    one = DBSCAN(0.45, min_samples=2, metric="precomputed").fit(pairwise(X), sample_weight=w)
    assert one.labels_.tolist() == [0, 0, 0, 1, 1]


def test_arguments_of_the_distance():
    X = blobs(300, 2)
    weighted = DBSCAN(0.1, metric="minkowski", p=2.0, metric_params={"w": [1.0, 4.0]}).fit(X)
    assert weighted.labels_.tolist() == DBSCAN(0.1, metric=Minkowski(2.0, [1.0, 4.0])).fit(X).labels_.tolist()
    assert weighted.labels_.tolist() == DBSCAN(0.1).fit(X * [1.0, 2.0]).labels_.tolist()
    scaled = DBSCAN(0.2, metric=_scaled_distance, metric_params={"by": 2.0}).fit(X)
    assert scaled.labels_.tolist() == DBSCAN(0.1).fit(X).labels_.tolist()
    with pytest.raises(TypeError, match="'metric_params' must be None where 'metric' is an object"):
        DBSCAN(metric=Minkowski(), metric_params={"p": 1}).fit(X)
    with pytest.raises(ValueError, match="'metric_params' does not fit metric='hamming'"):
        DBSCAN(metric="hamming", metric_params={"p": 1}).fit(X)


def _scaled_distance(a, b, by):
    return by * float(np.sqrt(((a - b) ** 2).sum()))


def test_no_core_row_makes_everything_noise():
    model = DBSCAN(0.1, min_samples=3).fit([[0.0], [1.0], [2.0]])
    assert model.labels_.tolist() == [-1, -1, -1]
    assert model.components_.shape == (0, 1)
    assert model.predict([[0.0]]).tolist() == [-1]
    assert model.working([0.0]).prediction == -1
    assert "0 clusters" in str(model.describe())
    assert model.plot().figure is not None
    assert DBSCAN(0.1, min_samples=1).fit([[5.0]]).labels_.tolist() == [0]
    assert DBSCAN(0.1, min_samples=5).fit(np.ones((7, 2))).labels_.tolist() == [0] * 7


def test_what_cannot_be_clustered_is_refused():
    with pytest.raises(ValueError, match="eps"):
        DBSCAN(0.0).fit([[0.0]])
    D = pairwise(blobs(20, 2))
    matrix = DBSCAN(metric="precomputed")
    with pytest.raises(ValueError, match="square matrix of the distances between all rows; got shape"):
        matrix.fit(D[:19])
    for wrong, message in ((np.nan, "finite.*row 3 to row 4"), (-1.0, "negative.*row 3 to row 4")):
        bad = D.copy()
        bad[3, 4] = wrong
        with pytest.raises(ValueError, match=message):
            matrix.fit(bad)
    bad = D.copy()
    bad[3, 4] += 1.0
    with pytest.raises(ValueError, match="symmetric.*row 3 to row 4"):
        matrix.fit(bad)
    with pytest.raises(TypeError, match="pass X.toarray"):
        matrix.fit(csr_array(D))
    with pytest.raises(ValueError, match="row 99, which is not a core row"):
        DBSCAN(0.3, order=[99]).fit(np.concatenate([blobs(99, 2), [[50.0, 0.0]]]))
    with pytest.raises(AttributeError, match="core_sample_indices_"):
        DBSCAN(metric="precomputed").fit(D).components_  # noqa: B018 - reading it is what fails


def test_a_distance_that_is_no_metric_is_said():
    squares = pairwise(blobs(50, 2)) ** 2
    with pytest.warns(UserWarning, match="DBSCAN: the distance is not a metric: triangle is violated"):
        DBSCAN(0.3, metric="precomputed").fit(squares)
    with pytest.warns(UserWarning, match="not a metric: symmetry"):
        DBSCAN(0.3, metric=lambda a, b: max(float(a[0] - b[0]), 0.0)).fit(blobs(50, 2))


def test_clusters_are_described():
    X = np.concatenate([TWO_AND_BORDER, [[9.0]]])
    facts = DBSCAN(0.45, min_samples=4).fit(X).describe().to_dict()
    assert facts["title"] == "DBSCAN: 2 clusters of 10 rows"
    assert [facts["facts"][name] for name in ("core rows", "border rows", "noise")] == [8, 1, 1]
    text = DBSCAN(0.45, min_samples=4, metric="precomputed").fit(pairwise(X)).describe()
    assert "precomputed" in str(text)


def test_plots_of_one_column_of_many_and_of_distances():
    X = blobs(60, 3)
    labels = [DBSCAN(0.5).fit(part).plot(part).get_xlabel() for part in (X[:, :1], X[:, :2], X)]
    assert labels == ["x0", "x0", "direction of largest variance"]
    D = pairwise(X)
    ax = DBSCAN(0.5, metric="precomputed").fit(D).plot(D[:5])
    assert "rows given" in ax.get_title()


def test_frames_keep_the_meaning_of_codes():
    table = pd.DataFrame({"x": [0.0, 0.1, 0.2, 0.0, 0.1, 0.2], "kind": list("aaabbb")})
    model = DBSCAN(0.5, min_samples=3).fit(table)
    assert model.labels_.tolist() == [0, 0, 0, 1, 1, 1]
    assert model.predict(table.iloc[[5, 0]]).tolist() == [1, 0]
    assert model.components_.shape == (6, 2)


def test_a_radius_beyond_which_distances_overflow():
    rows = np.array([[0.0, 1.0], [0.5, 1.0], [7.0, 1.0]])
    far = DBSCAN(eps=1e160, min_samples=1, metric="manhattan").fit(rows * 1e160)
    assert far.labels_.tolist() == [0, 0, 1]  # no squares, no overflow
    with pytest.raises(ValueError, match="DBSCAN: column 'x0' holds values so large that distances overflow"):
        DBSCAN(eps=1e160, min_samples=1).fit(rows * 1e160)
    outlier = DBSCAN(eps=1.0, min_samples=1).fit([[0.0], [0.5], [1e200]])
    assert outlier.labels_.tolist() == [0, 0, 1]
