"""Merging neighbors alone, against scikit-learn and a plain loop; and trees kept in a folder."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import Memory
from scipy import sparse
from sklearn.cluster import AgglomerativeClustering as Theirs
from sklearn.neighbors import kneighbors_graph
from tests.clustering.hierarchy.test_agglomerative import LINKAGES, partition, rows
from tests.oracles.linkage import agglomerate_graph

from hornbook import AgglomerativeClustering, _native
from hornbook.distances import pairwise


def both(X, k, how, graph, **options):
    ours = AgglomerativeClustering(k, linkage=how, connectivity=graph, **options)
    theirs = Theirs(k, linkage=how, connectivity=graph, compute_full_tree=True, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ours.fit(X), theirs.fit(X)


@pytest.mark.parametrize("how", LINKAGES)
@pytest.mark.parametrize(("n", "neighbors"), [(12, 2), (90, 3), (300, 12)])
def test_merges_of_scikit_learn(how, n, neighbors):
    X = rows(n, 3)
    graph = kneighbors_graph(X, neighbors)
    for k in (2, 5):
        ours, theirs = both(X, k, how, graph)
        assert partition(ours.labels_) == partition(theirs.labels_)
    theirs = Theirs(None, distance_threshold=0.0, linkage=how, connectivity=graph)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs.fit(X)
    np.testing.assert_allclose(ours.distances_, theirs.distances_, rtol=1e-9)
    np.testing.assert_array_equal(np.sort(ours.children_), np.sort(theirs.children_))


@pytest.mark.parametrize("how", LINKAGES)
def test_a_graph_of_all_pairs_is_no_limit(how):
    X = rows(40, 2)
    free = AgglomerativeClustering(3, linkage=how).fit(X)
    bound = AgglomerativeClustering(3, linkage=how, connectivity=np.ones((40, 40))).fit(X)
    np.testing.assert_allclose(bound.distances_, free.distances_, rtol=1e-9)
    np.testing.assert_array_equal(bound.labels_, free.labels_)


@pytest.mark.parametrize("how", LINKAGES)
@settings(derandomize=True, max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**20), n=st.integers(2, 12))
def test_weighted_merges_of_neighbors_are_those_of_the_definition(how, seed, n):
    draw = np.random.default_rng(seed)
    X, w = draw.normal(size=(n, 2)), draw.uniform(0.3, 3.0, n)
    graph = np.triu(draw.random((n, n)) < 0.3, 1) | np.eye(n, k=1, dtype=bool)
    model = AgglomerativeClustering(1, linkage=how, connectivity=graph).fit(X, sample_weight=w)
    heights, children = agglomerate_graph(X, w, how, graph | graph.T)
    np.testing.assert_allclose(model.distances_, heights, rtol=1e-9)
    assert model.children_.tolist() == children


def test_rows_that_are_no_neighbors_stay_apart():
    X = np.array([[0.0], [0.1], [5.0], [0.2], [5.1]])
    chain = np.eye(5, k=1)  # a band of time: rows 2 and 4 are near, row 3 lies between them
    assert AgglomerativeClustering(2).fit(X).labels_.tolist() == [0, 0, 1, 0, 1]
    labels = AgglomerativeClustering(4, connectivity=chain, linkage="single").fit(X).labels_
    assert labels.tolist() == [0, 0, 1, 2, 3]


@pytest.mark.parametrize("how", LINKAGES)
def test_parts_are_joined_by_their_nearest_rows_with_a_warning(how):
    X = np.vstack([rows(15, 2), rows(15, 2, 1) + 8, rows(15, 2, 2) - 9])
    graph = sparse.block_diag([kneighbors_graph(part, 4) for part in np.split(X, 3)]).tocsr()
    model = AgglomerativeClustering(3, linkage=how, connectivity=graph)
    with pytest.warns(UserWarning, match="'connectivity' has 3 parts without an edge between them"):
        model.fit(X)
    ours, theirs = both(X, 3, how, graph)
    assert partition(ours.labels_) == partition(theirs.labels_)
    full = Theirs(None, distance_threshold=0.0, linkage=how, connectivity=graph)
    with pytest.warns(UserWarning, match="connected components"):
        full.fit(X)
    np.testing.assert_allclose(ours.distances_, full.distances_, rtol=1e-9)


def test_parts_are_measured_in_pieces(monkeypatch):
    X = rows(40, 2)
    alone = AgglomerativeClustering(4, linkage="average", connectivity=np.zeros((40, 40)))
    with pytest.warns(UserWarning, match="has 40 parts"):
        whole = alone.fit(X).distances_
    monkeypatch.setattr("hornbook.clustering.hierarchy._graph.AT_ONCE", 7)
    monkeypatch.setattr("hornbook.clustering.hierarchy._graph.ROWS_AT_ONCE", 3)
    with pytest.warns(UserWarning, match="has 40 parts"):
        np.testing.assert_array_equal(alone.fit(X).distances_, whole)
    np.testing.assert_allclose(whole, AgglomerativeClustering(4, linkage="average").fit(X).distances_)


@pytest.mark.parametrize("how", ["average", "complete"])
def test_other_distances_and_a_precomputed_matrix(how):
    X = rows(60, 3)
    graph = kneighbors_graph(X, 8)
    for metric in ("manhattan", lambda a, b: np.abs(a - b).sum()):
        named = AgglomerativeClustering(4, linkage=how, metric=metric, connectivity=graph).fit(X)
        given = AgglomerativeClustering(4, linkage=how, metric="precomputed", connectivity=graph)
        np.testing.assert_allclose(
            given.fit(pairwise(X, metric="manhattan")).distances_, named.distances_, rtol=1e-9
        )
    ours, theirs = both(X, 4, how, graph, metric="manhattan")
    assert partition(ours.labels_) == partition(theirs.labels_)


def test_a_function_of_the_rows_and_rows_without_weight():
    X = rows(50, 2)
    by_function = AgglomerativeClustering(4, connectivity=lambda rows: kneighbors_graph(rows, 6)).fit(X)
    given = AgglomerativeClustering(4, connectivity=kneighbors_graph(X, 6)).fit(X)
    np.testing.assert_array_equal(by_function.labels_, given.labels_)
    w = np.where(np.arange(50) < 30, 1.0, 0.0)
    graph = kneighbors_graph(X, 9).toarray()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        some = AgglomerativeClustering(4, connectivity=graph).fit(X, sample_weight=w)
        alone = AgglomerativeClustering(4, connectivity=graph[:30, :30]).fit(X[:30])
    np.testing.assert_allclose(some.distances_, alone.distances_)


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (np.ones((3, 4)), r"'connectivity' must be a matrix .* of shape \(5, 5\).*got shape \(3, 4\)"),
        (sparse.eye_array(4), r"got shape \(4, 4\)"),
        (np.full((5, 5), np.nan), "must be a matrix of finite numbers"),
        (np.full((5, 5), "a"), "must be a matrix of finite numbers"),
        (lambda X: X, r"got shape \(5, 1\)"),
        (np.ones(5), r"got shape \(5,\)"),
        ("chain", "connectivity"),
    ],
)
def test_graphs_that_do_not_fit(graph, message):
    with pytest.raises(ValueError, match=message):
        AgglomerativeClustering(2, connectivity=graph).fit(np.arange(5.0)[:, None])


@pytest.mark.parametrize("how", ["ward", "average"])
@pytest.mark.parametrize("graph", [None, np.eye(30, k=1)])
def test_the_tree_is_kept_in_a_folder(tmp_path, how, graph, monkeypatch):
    X = rows(30, 2)
    plain = AgglomerativeClustering(3, linkage=how, connectivity=graph).fit(X)
    for memory in (str(tmp_path / "one"), tmp_path / "one", Memory(tmp_path / "other", verbose=0)):
        model = AgglomerativeClustering(3, linkage=how, connectivity=graph, memory=memory).fit(X)
        np.testing.assert_array_equal(model.labels_, plain.labels_)
    assert list((tmp_path / "one").rglob("*.pkl"))

    def refuse(*_):
        raise AssertionError("made anew")

    for name in ("linkage_ward", "linkage_condensed", "linkage_graph", "linkage_graph_ward"):
        monkeypatch.setattr(_native, name, refuse)
    again = AgglomerativeClustering(5, linkage=how, connectivity=graph, memory=tmp_path / "one", n_jobs=1)
    assert again.fit(X).n_clusters_ == 5
    with pytest.raises(AssertionError, match="made anew"):
        again.fit(X + 1e-9)


def test_memory_is_a_folder():
    with pytest.raises(ValueError, match="memory"):
        AgglomerativeClustering(2, memory=3).fit([[0.0], [1.0]])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"edges": np.array([[0, 3]])}, "edges must be of rows from 0 to 2; edge 0 has row 3"),
        ({"edges": np.array([[0, -1]])}, "edge 0 has row -1"),
        ({"edges": np.array([[0, 1, 2]])}, "edges must have two columns; they have 3"),
        ({"edges": np.array([[0, 1], [0, 0]])}, "edges must connect all rows"),
        ({"masses": np.ones(0)}, "at least one row"),
    ],
)
def test_edges_that_do_not_fit_are_refused(changes, message):
    good = {"edges": np.array([[0, 1], [1, 2]]), "masses": np.ones(3)}
    arguments = good | changes
    with pytest.raises(ValueError, match=message):
        _native.linkage_graph(distances=np.ones(len(arguments["edges"])), linkage="single", **arguments)
    with pytest.raises(ValueError, match=message):
        _native.linkage_graph_ward(rows=np.ones((len(arguments["masses"]), 1)), **arguments)
    with pytest.raises(ValueError, match="distances must have one entry per edge; they have 3 for 2"):
        _native.linkage_graph(good["edges"], np.ones(3), good["masses"], "single")
    with pytest.raises(ValueError, match="distances must not be missing; that of edge 1 is"):
        _native.linkage_graph(good["edges"], np.array([1.0, np.nan]), good["masses"], "single")
    with pytest.raises(ValueError, match="rows must be finite; row 1 is not"):
        _native.linkage_graph_ward(np.array([[0.0], [np.inf], [0.0]]), good["edges"], good["masses"])
    with pytest.raises(ValueError, match="masses must have one entry per row; they have 3 for 2"):
        _native.linkage_graph_ward(np.zeros((2, 1)), good["edges"], good["masses"])
