"""GustafsonKessel: shapes, volumes, limits against singular matrices, missing values, and errors."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from tests.oracles import fuzzy as oracle

from hornbook import FuzzyCMeans, GustafsonKessel, datasets
from hornbook.clustering import PolynomialTransform
from hornbook.clustering.fuzzy._prototypes import FuzzyPrototypes

IRIS = datasets.iris().numbers
START = IRIS[[0, 60, 120]]


def ellipses(n=200, seed=0):
    """Two long clusters that cross, which no two spheres can tell apart."""
    rng = np.random.default_rng(seed)
    long, short = rng.normal(size=n) * 4, rng.normal(size=n) * 0.2
    first = np.column_stack([long, short])
    return np.concatenate([first, first[:, ::-1] + [0.0, 1.0]])


def alternated(X, centers, w, passes, volumes=1.0):
    """C = F (volume / |F|)^(1/d), F = sum u^w (x - c)(x - c)ᵀ / sum u^w"""
    k, d = centers.shape
    shapes = np.repeat(np.eye(d)[None], k, axis=0) * np.reshape(volumes, (-1, 1, 1)) ** (1 / d)
    for _ in range(passes):
        v = oracle.memberships(oracle.squares(X, centers, shapes), w, "probabilistic", ()) ** w
        centers = v.T @ X / v.sum(axis=0)[:, None]
        gaps = X[:, None] - centers
        shapes = np.einsum("nk,nkd,nke->kde", v, gaps, gaps) / v.sum(axis=0)[:, None, None]
        shapes *= ((volumes / np.linalg.det(shapes)) ** (1 / d))[:, None, None]
    return centers, shapes


@pytest.mark.parametrize("w", [2.0, 1.6])
@pytest.mark.parametrize("volumes", [1.0, [1.0, 2.0, 0.5]])
def test_alternation(w, volumes):
    with pytest.warns(ConvergenceWarning, match="GustafsonKessel: the centers still move"):
        model = GustafsonKessel(3, w, init=START, volumes=volumes, tol=0.0, max_iter=6).fit(IRIS)
    centers, shapes = alternated(IRIS, START, w, 6, np.asarray(volumes))
    np.testing.assert_allclose(model.cluster_centers_, centers, rtol=1e-8)
    np.testing.assert_allclose(model.covariances_, shapes, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(np.linalg.det(model.covariances_), np.broadcast_to(volumes, 3), rtol=1e-9)
    squares = oracle.squares(IRIS, model.cluster_centers_, model.covariances_)
    np.testing.assert_allclose(model.transform(IRIS) ** 2, squares, rtol=1e-8)
    inverses = np.swapaxes(model.factors_, 1, 2) @ model.factors_
    np.testing.assert_allclose(inverses, np.linalg.inv(model.covariances_), rtol=1e-7, atol=1e-7)


def test_crossing_ellipses_are_told_apart():
    X = ellipses()
    truth = np.repeat([0, 1], 200)
    model = GustafsonKessel(2, random_state=0, n_init=5).fit(X)
    spheres = FuzzyCMeans(2, random_state=0, n_init=5).fit(X)

    def agreement(labels):
        return max((labels == truth).mean(), (labels != truth).mean())

    assert agreement(model.labels_) > 0.9
    assert agreement(spheres.labels_) < 0.8
    along = np.abs(np.linalg.eigh(model.covariances_)[1][:, :, -1])
    np.testing.assert_allclose(np.sort(along[:, 0]), [0.0, 1.0], atol=0.1)


@pytest.mark.parametrize("kind", ["probabilistic", "noise", "possibilistic"])
@pytest.mark.parametrize("fuzzifier", [2.0, PolynomialTransform(0.3)], ids=str)
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.filterwarnings("ignore:.*number of distinct clusters")
def test_objective_falls_in_every_pass(kind, fuzzifier, gaps):
    X = IRIS[::2].copy()
    if gaps:
        X[np.random.default_rng(0).random(X.shape) < 0.05] = np.nan
    model = GustafsonKessel(2, fuzzifier, kind=kind, random_state=0, tol=1e-3).fit(X)
    starts, values = np.array(model.history_["start"]), np.array(model.history_["objective"])
    for start in np.unique(starts):
        assert (np.diff(values[starts == start]) <= 1e-9 * values[0]).all()
    assert np.isfinite(model.memberships_).all()


def test_spheres_only_give_fuzzy_c_means():
    plain = FuzzyCMeans(3, init=START).fit(IRIS)
    for limits in ({"regularization": 1.0}, {"max_condition": 1.0}):
        model = GustafsonKessel(3, init=START, **limits).fit(IRIS)
        np.testing.assert_allclose(model.cluster_centers_, plain.cluster_centers_, rtol=1e-8)
        assert model.objective_ == pytest.approx(plain.objective_)
        np.testing.assert_allclose(model.covariances_, np.repeat(np.eye(4)[None], 3, axis=0), atol=1e-9)


def test_regularization_mixes_in_the_sphere_of_all_rows():
    model = GustafsonKessel(2, init=IRIS[[0, 120]], regularization=0.3, tol=1e-9, max_iter=1000).fit(IRIS)
    v = model.memberships_**2
    for i in range(2):
        gaps = IRIS - model.cluster_centers_[i]
        mixed = 0.7 * (v[:, i] * gaps.T) @ gaps / v[:, i].sum()
        mixed += 0.3 * np.linalg.det(np.cov(IRIS.T, bias=True)) ** 0.25 * np.eye(4)
        np.testing.assert_allclose(
            model.covariances_[i], mixed / np.linalg.det(mixed) ** 0.25, rtol=1e-5, atol=1e-7
        )


def test_condition_is_limited():
    line = np.linspace(-3, 3, 40)
    X = np.concatenate([np.column_stack([line, 0 * line]), np.column_stack([line, 0 * line + 5])])
    start = [[0.0, 0.0], [0.0, 5.0]]
    for most, pull in ((1e15, 0.0), (1e6, 0.0), (50.0, 5.6313815e-5)):
        model = GustafsonKessel(2, init=start, max_condition=most, tol=1e-10).fit(X)
        conditions = np.linalg.cond(model.covariances_)
        if most < 1e10:
            np.testing.assert_allclose(conditions, most, rtol=1e-6)
        assert conditions.max() <= most * 1.001
        # Clusters that are kept wide reach the rows of the other line a little, which pull at their centers.
        np.testing.assert_allclose(model.cluster_centers_, [[0, pull], [0, 5 - pull]], atol=1e-12)
        heights = model.memberships_**2
        means = heights.T @ X / heights.sum(axis=0)[:, None]
        np.testing.assert_allclose(model.cluster_centers_, means, atol=1e-12)
        assert np.isfinite(model.memberships_).all()


@pytest.mark.filterwarnings("ignore:.*number of distinct clusters")
def test_constant_columns_identical_rows_and_fewer_rows_than_columns():
    X = np.column_stack([IRIS, np.full(150, 7.0), IRIS[:, 0] + IRIS[:, 1]])
    model = GustafsonKessel(3, random_state=0, max_condition=1e8, max_iter=1000).fit(X)
    assert np.isfinite(model.memberships_).all()
    np.testing.assert_allclose(model.cluster_centers_[:, 4], 7.0)
    same = GustafsonKessel(2, random_state=0).fit(np.ones((5, 3)))
    np.testing.assert_allclose(same.covariances_, np.repeat(np.eye(3)[None], 2, axis=0))
    few = GustafsonKessel(2, random_state=0, max_iter=2000, tol=1e-2).fit(IRIS[[0, 60, 140]])
    assert np.isfinite(few.memberships_).all()


def test_missing_cells_are_conditional_means():
    rng = np.random.default_rng(0)
    roots = rng.normal(size=(2, 3, 3))
    shapes = roots @ np.swapaxes(roots, 1, 2) + np.eye(3)
    prototypes = FuzzyPrototypes.shaped(rng.normal(size=(2, 3)), shapes)
    X = rng.normal(size=(4, 3))
    X[0, 1] = X[1, [0, 2]] = X[2] = np.nan
    squares = prototypes.square_distances(X)
    for row, known in ((0, [0, 2]), (1, [1]), (3, [0, 1, 2])):
        for i in range(2):
            gap = (X[row] - prototypes.centers[i])[known]
            within = shapes[i][np.ix_(known, known)]
            assert squares[row, i] == pytest.approx(gap @ np.linalg.solve(within, gap))
            filled = prototypes.deviations(X, i)[row]
            np.testing.assert_allclose(filled, shapes[i][:, known] @ np.linalg.solve(within, gap), rtol=1e-9)
    assert squares[2].tolist() == [0.0, 0.0]


def test_sizes_of_clusters_follow_their_volumes():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(300, 2)) * 3, rng.normal(size=(60, 2)) * 0.4 + [6.5, 0.0]])
    start = [[0.0, 0.0], [6.5, 0.0]]
    even = GustafsonKessel(2, init=start).fit(X)
    sized = GustafsonKessel(2, init=start, volumes=[50.0, 0.1]).fit(X)
    truth = np.repeat([0, 1], [300, 60])
    assert (sized.labels_ != truth).sum() < (even.labels_ != truth).sum()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            {"volumes": [1.0, 2.0]},
            "GustafsonKessel: parameter 'volumes' must be a positive number or 3 of them",
        ),
        ({"volumes": 0.0}, "parameter 'volumes' must be a positive number or 3"),
        ({"regularization": 1.5}, "regularization"),
        ({"max_condition": 0.5}, "max_condition"),
        ({"n_clusters": 200}, "n_samples=150 should be >= n_clusters=200: GustafsonKessel needs"),
    ],
)
def test_what_does_not_fit_is_refused(parameters, message):
    with pytest.raises(ValueError, match=message):
        GustafsonKessel(**({"n_clusters": 3} | parameters)).fit(IRIS)
