"""Principal components: the judge, the solvers, missing cells, weights, rules, plots, bad input."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import decomposition as judge

from hornbook import PCA, Blocks, Frame, datasets
from hornbook.reduction import cutoff

SOLVERS = ["full", "covariance_eigh", "randomized"]


def rows(n=200, d=6, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ np.diag(2.0 ** -np.arange(d)) @ rng.normal(size=(d, d)) + 10


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("whiten", [False, True])
def test_equals_scikit_learn(solver, whiten):
    X = rows()
    ours = PCA(3, svd_solver=solver, whiten=whiten, iterated_power=12, random_state=0).fit(X)
    theirs = judge.PCA(3, svd_solver="full", whiten=whiten).fit(X)
    names = ["components_", "explained_variance_", "explained_variance_ratio_", "singular_values_", "mean_"]
    for name in [*names, "noise_variance_", "n_components_", "n_samples_"]:
        assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-7, atol=1e-9, err_msg=name)
    scores = theirs.transform(X)
    assert_allclose(ours.transform(X), scores, atol=1e-7)
    assert_allclose(ours.inverse_transform(scores), theirs.inverse_transform(scores), atol=1e-7)
    theirs.whiten = False  # it changes their covariance, though the rows have the same
    assert_allclose(ours.get_covariance(), theirs.get_covariance(), atol=1e-7)
    assert_allclose(ours.get_precision(), theirs.get_precision(), rtol=1e-5)
    assert_allclose(ours.score_samples(X), theirs.score_samples(X), rtol=1e-6)
    assert ours.score(X) == pytest.approx(theirs.score(X), rel=1e-7)
    assert ours.get_feature_names_out().tolist() == theirs.get_feature_names_out().tolist()


@pytest.mark.parametrize("number", [None, 0.9, 0.99, "mle"])
def test_number_of_components_as_in_scikit_learn(number):
    X = rows(300, 8)
    X[:, 5:] = np.random.default_rng(1).normal(size=(300, 3)) * 0.1
    assert PCA(number).fit(X).n_components_ == judge.PCA(number, svd_solver="full").fit(X).n_components_


def test_fewer_rows_than_columns():
    X = rows(5, 30)
    ours, theirs = PCA().fit(X), judge.PCA().fit(X)
    assert ours.components_.shape == theirs.components_.shape == (5, 30)
    assert_allclose(ours.components_[:4], theirs.components_[:4], atol=1e-9)  # five points, four dimensions
    assert_allclose(ours.spectrum_, theirs.explained_variance_, atol=1e-9)
    assert_allclose(ours.components_ @ ours.components_.T, np.eye(5), atol=1e-12)


@pytest.mark.parametrize("solver", ["full", "covariance_eigh"])
@pytest.mark.parametrize("number", [None, 6])
def test_directions_without_variance_do_not_depend_on_rounding(solver, number):
    X = rows(400)
    X[:, 2], X[:, 4] = 7.0, X[:, 0] + X[:, 5]
    model = PCA(number, svd_solver=solver).fit(X)
    assert_allclose(model.components_ @ model.components_.T, np.eye(6), atol=1e-12)
    assert model.explained_variance_[3] > 1e-6
    assert_array_equal(model.explained_variance_[4:], 0.0)
    null = model.components_[4:]
    assert_allclose(null[0], np.eye(6)[2], atol=1e-9)  # the constant column, then the sum
    assert_allclose(null[1] * np.sqrt(3), np.eye(6)[0] + np.eye(6)[5] - np.eye(6)[4], atol=1e-7)
    assert_allclose(PCA(svd_solver=solver).fit(X[::-1]).components_, model.components_, atol=1e-7)
    whitened = PCA(number, svd_solver=solver, whiten=True).fit(X).transform(X)
    assert_allclose(whitened[:, :4].std(axis=0, ddof=1), 1.0)
    assert_allclose(whitened[:, 4:], 0.0, atol=1e-7)


@pytest.mark.parametrize("solver", ["full", "covariance_eigh"])
def test_weighted_rows_have_the_directions_of_repeated_ones(solver):
    X, w = rows(7, 20), np.array([0, 3, 1, 2, 0, 5, 1])
    weighted = PCA(svd_solver=solver).fit(X, sample_weight=w)
    repeated = PCA(svd_solver=solver).fit(X.repeat(w, axis=0))
    assert weighted.components_.shape == (12, 20)
    assert_allclose(weighted.components_, repeated.components_, atol=1e-7)
    assert_allclose(weighted.spectrum_[:12], repeated.spectrum_[:12], atol=1e-9)


def test_full_keeps_small_variances_that_the_covariance_loses():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5000, 3)) @ np.diag([1e6, 1.0, 1e-5]) @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
    exact = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[1]
    assert_allclose(PCA(svd_solver="full").fit(X).singular_values_, exact, rtol=1e-4)
    assert PCA(svd_solver="covariance_eigh").fit(X).explained_variance_[2] == 0


@pytest.mark.parametrize("solver", ["auto", *SOLVERS])
@pytest.mark.parametrize("gaps", [False, True])
def test_single_precision_gives_what_its_numbers_give_in_double(solver, gaps):
    X = rows(5000).astype(np.float32)
    if gaps:
        X[::7, 2] = np.nan
    w = np.arange(len(X)) % 3.0
    for weights in (None, w):
        options = {"n_components": 3, "svd_solver": solver, "random_state": 0}
        double = PCA(**options).fit(X.astype(np.float64), sample_weight=weights)
        single = PCA(**options).fit(X, sample_weight=weights)
        assert_array_equal(single.components_, double.components_)
        assert_array_equal(single.explained_variance_, double.explained_variance_)
    parts = Blocks([Frame(X[:1000]), Frame(X[1000:])])
    assert_array_equal(PCA(**options).fit(parts).mean_, PCA(**options).fit(X).mean_)
    with pytest.raises(ValueError, match="infinity"):
        PCA(**options).fit(np.where(np.arange(6) == 3, np.float32("inf"), X))


def test_the_largest_entry_of_a_direction_is_positive():
    for seed in range(5):
        directions = PCA().fit(rows(seed=seed)).components_
        largest = np.abs(directions).argmax(axis=1)
        assert (directions[np.arange(len(directions)), largest] > 0).all()
        assert_allclose(PCA().fit(rows(seed=seed)[::-1]).components_, directions, atol=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
def test_blocks_equal_memory_and_threads_do_not_matter(solver):
    X = Frame(rows(9000))
    options = {"n_components": 2, "svd_solver": solver, "random_state": 0}
    one = PCA(n_jobs=1, **options).fit(X)
    parts = PCA(n_jobs=3, **options).fit(Blocks([X[:10], X[10:5000], X[5000:]]))
    for name in ("components_", "explained_variance_", "mean_", "spectrum_"):
        assert_array_equal(getattr(one, name), getattr(parts, name))


@pytest.mark.parametrize("solver", SOLVERS)
def test_weights_are_repeated_rows(solver):
    X, w = rows(60), np.arange(60) % 4
    options = {"n_components": 2, "svd_solver": solver, "random_state": 0, "iterated_power": 15}
    weighted = PCA(**options).fit(X, sample_weight=w)
    repeated = PCA(**options).fit(np.repeat(X, w, axis=0))
    assert_allclose(weighted.components_, repeated.components_, atol=1e-7)
    assert_allclose(weighted.explained_variance_, repeated.explained_variance_, rtol=1e-9)


def test_missing_cells_are_integrated_out():
    rng = np.random.default_rng(0)
    whole = rng.multivariate_normal([0, 0, 0], [[1, 0.9, 0], [0.9, 1, 0], [0, 0, 0.5]], 4000)
    X = whole.copy()
    X[whole[:, 0] > 0, 1] = np.nan  # missing by the other column
    X[rng.random(4000) < 0.1, 2] = np.nan
    model, reference = PCA(svd_solver="full").fit(X), PCA().fit(whole)
    assert_allclose(model.explained_variance_, reference.explained_variance_, rtol=0.06)
    assert_allclose(model.components_, reference.components_, atol=0.05)
    assert_allclose(model.mean_, reference.mean_, atol=0.05)
    scores = PCA(1).fit(X).transform(X)
    assert np.isfinite(scores).all()
    assert np.corrcoef(scores[:, 0], reference.transform(whole)[:, 0])[0, 1] > 0.95
    assert np.isfinite(model.score_samples(X)).all()


def test_coordinates_from_known_cells_are_conditional_expectations():
    X = rows(500, 3)
    model = PCA().fit(X)
    row = X[:1].copy()
    row[0, 1] = np.nan
    S, m = model.get_covariance(), model.mean_
    known = [0, 2]
    filled = X[0].copy()
    filled[1] = m[1] + S[1, known] @ np.linalg.solve(S[np.ix_(known, known)], (X[0] - m)[known])
    assert_allclose(model.transform(row), model.transform(filled[None]), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("whiten", [False, True])
def test_working_adds_up_to_the_coordinates(whiten):
    X = rows(500, 3)
    model = PCA(2, whiten=whiten).fit(X)
    row = X[:1].copy()
    row[0, 1] = np.nan
    for x, n_terms in ((X[:1], 3), (row, 2)):
        working = model.working(x).to_dict()
        assert len(working["terms"]) == n_terms  # a missing cell adds nothing
        assert np.sum([term["values"] for term in working["terms"]], axis=0) == pytest.approx(
            model.transform(x)[0]
        )
        assert working["prediction"] == pytest.approx(model.transform(x)[0].tolist())


def test_rules():
    spectrum = [5.0, 3.0, 1.0, 0.5, 0.5]
    assert [cutoff(spectrum, "share", share=s) for s in (0.5, 0.51, 0.8, 1.0)] == [1, 2, 2, 5]
    assert cutoff(spectrum, "kaiser") == 2  # the mean is 2
    assert cutoff(spectrum, "broken_stick") == 2  # 0.457, 0.257, 0.157, ... against 0.5, 0.3, 0.1
    assert cutoff(spectrum, "elbow") == 2  # 3.875, 2.75, 1.625 on the line above 3, 1, 0.5
    assert cutoff([0.0, 0.0]) == 1
    for rule in ("kaiser", "broken_stick", "elbow"):
        model = PCA(rule).fit(datasets.iris().features)
        assert model.n_components_ == cutoff(model.spectrum_, rule)
    for wrong, message in (
        (([1.0, 2.0],), "'variances' must descend"),
        (([-1.0],), "not negative"),
        (([1.0], "guess"), "'rule' must be one of 'share'"),
        (([1.0], "mle"), "rule 'mle' needs n_rows"),
    ):
        with pytest.raises(ValueError, match=message):
            cutoff(*wrong)
    with pytest.raises(ValueError, match="'share' must be above 0"):
        cutoff([1.0], share=0.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_components": 7}, r"'n_components' = 7 must be at most min\(n_samples, n_features\) = 6"),
        ({"svd_solver": "randomized"}, "finds a given number of components, but n_components is None"),
        ({"n_components": 0}, "n_components"),
        ({"n_components": "many"}, "n_components"),
    ],
)
def test_wrong_parameters(options, message):
    with pytest.raises(ValueError, match=message):
        PCA(**options).fit(rows())


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("weighted", [False, True])
def test_infinite_cells_are_refused_wherever_they_are(solver, weighted):
    X, w = rows(9000), np.ones(9000)
    X[7000, 2], w[7000] = -np.inf, 0.0
    for given in (X, Blocks([Frame(X[:100]), Frame(X[100:])])):
        weights = w if weighted and given is X else None
        with pytest.raises(ValueError, match="contains infinity .*: column 'x2', row 7000"):
            PCA(2, svd_solver=solver, random_state=0).fit(given, sample_weight=weights)


def test_rows_that_do_not_vary_and_numbers_that_overflow():
    same = PCA().fit(np.ones((6, 2)))
    assert same.explained_variance_ratio_.tolist() == [0.0, 0.0]
    assert same.transform(np.ones((1, 2))).tolist() == [[0.0, 0.0]]
    with pytest.raises(ValueError, match="the covariance of the model is singular"):
        same.score(np.ones((6, 2)))
    for solver in ("full", "covariance_eigh"):
        with pytest.raises(ValueError, match="squares overflow"):
            PCA(svd_solver=solver).fit(np.array([[1e200], [-1e200], [0.0]]))
    with pytest.raises(ValueError, match="inverse_transform needs 2 columns"):
        same.inverse_transform([[1.0]])


def test_pictures():
    iris = datasets.iris()
    model = PCA(2).fit(iris.features)
    assert len(model.plot().patches) == 4
    ax = model.plot(iris.features, iris.y)
    assert {text.get_text() for text in ax.texts} == set(iris.features.schema.names)
    assert "component 0 (92.5% of the variance)" in ax.get_xlabel()
    assert "Cut-off" in str(model.describe())
