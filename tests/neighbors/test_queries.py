"""Questions to remembered rows as scikit-learn answers them: graphs, radii, own rows, distances by name."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn import neighbors as theirs
from sklearn.metrics import pairwise_distances
from sklearn.model_selection import cross_val_score

from hornbook import KNeighborsClassifier, KNeighborsRegressor, RadiusNeighborsClassifier, load, save
from hornbook.distances import pairwise

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = (X.sum(axis=1) > 0).astype(int) + (X[:, 0] > 1)
QUERIES = RNG.normal(size=(9, 3))


@pytest.mark.parametrize("mode", ["connectivity", "distance"])
@pytest.mark.parametrize("rows", [None, QUERIES], ids=["own", "new"])
def test_graphs_of_scikit_learn(mode, rows):
    ours, peer = KNeighborsClassifier(4).fit(X, Y), theirs.KNeighborsClassifier(4).fit(X, Y)
    one, other = ours.kneighbors_graph(rows, mode=mode), peer.kneighbors_graph(rows, mode=mode)
    np.testing.assert_allclose(one.toarray(), other.toarray(), atol=1e-12)
    ours, peer = RadiusNeighborsClassifier(0.8).fit(X, Y), theirs.RadiusNeighborsClassifier(0.8).fit(X, Y)
    one, other = ours.radius_neighbors_graph(rows, mode=mode), peer.radius_neighbors_graph(rows, mode=mode)
    np.testing.assert_allclose(one.toarray(), other.toarray(), atol=1e-12)
    with pytest.raises(ValueError, match="Unsupported mode"):
        ours.radius_neighbors_graph(rows, mode="weights")


@pytest.mark.parametrize("rows", [None, QUERIES, csr_matrix(QUERIES)], ids=["own", "new", "sparse"])
def test_rows_within_a_radius(rows):
    ours, peer = RadiusNeighborsClassifier(0.8).fit(X, Y), theirs.RadiusNeighborsClassifier(0.8).fit(X, Y)
    dense = rows.toarray() if isinstance(rows, csr_matrix) else rows
    far, which = ours.radius_neighbors(rows)
    expected_far, expected = peer.radius_neighbors(dense, sort_results=True)
    assert [part.tolist() for part in which] == [part.tolist() for part in expected]
    np.testing.assert_allclose(np.concatenate(far), np.concatenate(expected_far), atol=1e-12)
    near = ours.radius_neighbors(rows, 0.1, return_distance=False)
    assert sum(map(len, near)) < sum(map(len, which))
    with pytest.raises(ValueError, match="return_distance must be True"):
        ours.radius_neighbors(rows, return_distance=False, sort_results=True)


@pytest.mark.parametrize("weights", [None, "uniform", "distance", lambda far: 1 / (1 + far)])
def test_own_rows_are_predicted_from_the_others(weights):
    own = KNeighborsClassifier(5, weights=weights, ties="first").fit(X, Y)
    peer = theirs.KNeighborsClassifier(5, weights=weights).fit(X, Y)
    assert own.predict(None).tolist() == peer.predict(None).tolist()
    np.testing.assert_allclose(own.predict_proba(None), peer.predict_proba(None), atol=1e-12)
    alone = KNeighborsClassifier(5, weights=weights, ties="first").fit(
        np.delete(X, 7, axis=0), np.delete(Y, 7)
    )
    assert own.predict(None)[7] == alone.predict(X[7:8])[0]
    numbers = KNeighborsRegressor(5, weights=weights).fit(X, X[:, 0])
    expected = theirs.KNeighborsRegressor(5, weights=weights).fit(X, X[:, 0]).predict(None)
    np.testing.assert_allclose(numbers.predict(None), expected, atol=1e-12)
    near = RadiusNeighborsClassifier(2.0, weights=weights, ties="first").fit(X, Y)
    expected = theirs.RadiusNeighborsClassifier(2.0, weights=weights, outlier_label="most_frequent")
    assert near.predict(None).tolist() == expected.fit(X, Y).predict(None).tolist()


def test_own_rows_drawn_ties_and_rows_without_weight():
    drawn = KNeighborsClassifier(4, ties="random", random_state=0)
    assert drawn.fit(csr_matrix(X), Y).predict(None).tolist() == drawn.fit(X, Y).predict(None).tolist()
    partly = KNeighborsClassifier(4).fit(X, Y, sample_weight=np.arange(60) % 2)
    with pytest.raises(ValueError, match="some training rows have weight 0"):
        partly.predict(None)
    assert partly.kneighbors_graph(QUERIES).shape == (9, 60)


def test_own_rows_of_light_weight_count_as_copies():
    twice = np.repeat(X, 2, axis=0)
    weighed = KNeighborsRegressor(6).fit(X, X[:, 0], sample_weight=np.full(60, 2.0))
    # The copy of a row is another row: of five others, three pairs remain.
    far, which = KNeighborsRegressor(7).fit(twice, twice[:, 0]).kneighbors()
    assert (far[:, 0] == 0).all()
    np.testing.assert_allclose(weighed.predict(None), [twice[mine[1:], 0].mean() for mine in which[::2]])


NAMED = [
    ("braycurtis", np.abs(X)),
    ("canberra", X),
    ("correlation", X),
    ("cosine", X),
    ("haversine", X[:, :2] / 3),
    ("sqeuclidean", X),
    ("cityblock", X),
    ("l1", X),
    ("l2", X),
    ("infinity", X),
    ("nan_euclidean", np.where(X > 1.5, np.nan, X)),
    *((name, (X > 0).astype(float)) for name in ("dice", "jaccard", "rogerstanimoto", "russellrao", "yule")),
]


@pytest.mark.parametrize(("metric", "table"), NAMED, ids=[name for name, _ in NAMED])
def test_distances_by_name(metric, table):
    boolean = metric in ("dice", "jaccard", "rogerstanimoto", "russellrao", "yule")
    name = "chebyshev" if metric == "infinity" else metric
    rows = table != 0 if boolean else table
    expected = pairwise_distances(rows, rows.copy(), metric=name)
    ours = pairwise(table, metric=metric)
    known = np.isfinite(expected)
    np.testing.assert_allclose(ours[known], expected[known], atol=1e-7)
    assert (ours[~known] == (table[:, None] != table).any(axis=2)[~known]).all()
    model = KNeighborsRegressor(3, metric=metric).fit(table, X[:, 0])
    np.testing.assert_allclose(model.kneighbors(table)[0][:, 0], ours.min(axis=1), atol=1e-7)
    assert metric in str(model.describe()) or "distance" in str(model.describe())


def test_haversine_takes_two_columns():
    with pytest.raises(ValueError, match="metric='haversine' takes two columns"):
        KNeighborsRegressor(metric="haversine").fit(X, Y).predict(X)


def test_distances_that_are_given(tmp_path):
    matrix, across = pairwise(X), pairwise(QUERIES, X)
    for weights in ("uniform", "distance"):
        plain = KNeighborsClassifier(5, weights=weights).fit(X, Y)
        given = KNeighborsClassifier(5, weights=weights, metric="precomputed").fit(matrix, Y)
        np.testing.assert_array_equal(given.predict_proba(across), plain.predict_proba(QUERIES))
        np.testing.assert_array_equal(given.predict(None), plain.predict(None))
    w = np.arange(60) % 3
    some = KNeighborsClassifier(5, metric="precomputed").fit(matrix, Y, w)
    assert some.predict(across).tolist() == KNeighborsClassifier(5).fit(X, Y, w).predict(QUERIES).tolist()
    save(some, tmp_path / "given.model")
    assert load(tmp_path / "given.model").predict(across).tolist() == some.predict(across).tolist()
    scores = cross_val_score(KNeighborsClassifier(5, metric="precomputed"), matrix, Y, cv=3)
    np.testing.assert_allclose(scores, cross_val_score(KNeighborsClassifier(5), X, Y, cv=3))
    for wrong in (matrix[:, :9], csr_matrix(matrix)):
        with pytest.raises(ValueError, match="metric='precomputed' needs the square matrix"):
            KNeighborsClassifier(metric="precomputed").fit(wrong, Y)
    with pytest.raises(ValueError, match="must not be negative"):
        KNeighborsClassifier(metric="precomputed").fit(-matrix, Y)
    assert "a matrix" in str(some.describe())


def test_named_distances_are_saved(tmp_path):
    model = KNeighborsClassifier(3, metric="cosine").fit(X, Y)
    save(model, tmp_path / "cosine.model")
    assert load(tmp_path / "cosine.model").predict(QUERIES).tolist() == model.predict(QUERIES).tolist()


def test_settings_of_distances():
    variances = X.var(axis=0)
    scaled = KNeighborsRegressor(4, metric="seuclidean", metric_params={"V": variances}).fit(X, X[:, 0])
    expected = (
        KNeighborsRegressor(4).fit(X / np.sqrt(variances), X[:, 0]).predict(QUERIES / np.sqrt(variances))
    )
    np.testing.assert_allclose(scaled.predict(QUERIES), expected)
    covariance = np.cov(X.T)
    by_cov = KNeighborsRegressor(4, metric="mahalanobis", metric_params={"V": covariance}).fit(X, X[:, 0])
    by_inverse = KNeighborsRegressor(
        4, metric="mahalanobis", metric_params={"VI": np.linalg.inv(covariance)}
    ).fit(X, X[:, 0])
    np.testing.assert_allclose(by_cov.kneighbors(QUERIES)[0], by_inverse.kneighbors(QUERIES)[0])
    function = KNeighborsRegressor(4, metric=lambda x, y, scale: scale * np.abs(x - y).sum())
    function.set_params(metric_params={"scale": 2.0}).fit(X, X[:, 0])
    expected = KNeighborsRegressor(4, metric="manhattan").fit(X, X[:, 0]).kneighbors(QUERIES)[0]
    np.testing.assert_allclose(function.kneighbors(QUERIES)[0], 2 * expected)
    weighted = KNeighborsRegressor(4, metric_params={"p": 1, "w": [1.0, 0.0, 2.0]})
    with pytest.warns(SyntaxWarning, match="Parameter p is found in metric_params"):
        weighted.fit(X, X[:, 0])
    expected = theirs.KNeighborsRegressor(4, p=1, metric_params={"w": [1.0, 0.0, 2.0]}).fit(X, X[:, 0])
    np.testing.assert_allclose(weighted.predict(QUERIES), expected.predict(QUERIES))
    with pytest.raises(ValueError, match="takes no settings"):
        KNeighborsRegressor(metric="cosine", metric_params={"V": 1}).fit(X, Y)
    with pytest.raises(ValueError, match="metric_params="):
        KNeighborsRegressor(metric="seuclidean").fit(X, Y)


def test_powers_below_one_are_no_metric():
    with pytest.warns(UserWarning, match="Mind that for 0 < p < 1"):
        model = KNeighborsRegressor(4, p=0.5).fit(X, X[:, 0])
    expected = (np.abs(QUERIES[:1, None] - X) ** 0.5).sum(axis=2) ** 2
    np.testing.assert_allclose(model.kneighbors(QUERIES[:1])[0][0], np.sort(expected[0])[:4])
    with pytest.raises(ValueError, match="does not support 0 < p < 1"):
        KNeighborsRegressor(p=0.5, algorithm="kd_tree").fit(X, Y)


def test_several_targets():
    targets = np.column_stack([X[:, 0], X[:, 1] ** 2])
    for weights in ("uniform", "distance"):
        model = KNeighborsRegressor(4, weights=weights).fit(X, targets)
        peer = theirs.KNeighborsRegressor(4, weights=weights).fit(X, targets)
        np.testing.assert_allclose(model.predict(QUERIES), peer.predict(QUERIES), atol=1e-12)
    terms = np.array([term["values"] for term in model.working(QUERIES[0]).to_dict()["terms"]])
    np.testing.assert_allclose(terms.sum(axis=0), model.predict(QUERIES[:1])[0])
    assert "mean target" in str(model.describe())
