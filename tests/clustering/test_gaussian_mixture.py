"""Gaussian mixtures: the judge, the likelihood, the covariance types, starts, missing cells, collapses."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture as Judge
from tests.base.test_watch import Listener

from hornbook import Frame, GaussianMixture, datasets
from hornbook.clustering.mixture._components import MixtureModel

TYPES = ["full", "tied", "diag", "spherical", "equal_determinant"]


def groups(n=300, d=3, k=3, seed=0, apart=4.0):
    rng = np.random.default_rng(seed)
    places, shape = apart * rng.normal(size=(k, d)), rng.normal(size=(k, d, d)) / 2 + np.eye(d)
    label = rng.integers(k, size=n)
    return places[label] + np.einsum("nij,nj->ni", shape[label], rng.normal(size=(n, d))), label


@pytest.mark.parametrize("kind", TYPES[:4])
def test_passes_equal_those_of_scikit_learn(kind):
    X, _ = groups()
    identity = {"full": np.tile(np.eye(3), (3, 1, 1)), "tied": np.eye(3), "diag": np.ones((3, 3))}
    options = {
        "covariance_type": kind,
        "weights_init": [0.2, 0.3, 0.5],
        "means_init": X[:3],
        "precisions_init": identity.get(kind, np.ones(3)),
        "max_iter": 12,
        "tol": 1e-9,
    }
    with pytest.warns(ConvergenceWarning):
        ours, theirs = GaussianMixture(3, **options).fit(X), Judge(3, **options).fit(X)
    for name in ("weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"):
        assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-9, atol=1e-11, err_msg=name)
    assert ours.lower_bound_ == pytest.approx(theirs.lower_bound_, abs=1e-12)
    assert (ours.n_iter_, ours.converged_) == (theirs.n_iter_, theirs.converged_)
    for name in ("predict", "predict_proba", "score_samples", "score", "bic", "aic"):
        assert_allclose(getattr(ours, name)(X), getattr(theirs, name)(X), rtol=1e-9, atol=1e-9, err_msg=name)


@settings(derandomize=True, max_examples=20, deadline=None)
@given(
    kind=st.sampled_from(TYPES),
    priors=st.booleans(),
    missing=st.sampled_from([0.0, 0.15]),
    seed=st.integers(0, 50),
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_likelihood_never_falls_without_regularization(kind, priors, missing, seed):
    X, _ = groups(120, 3, 3, seed, apart=1.5)
    rng = np.random.default_rng(seed)
    X[rng.random(X.shape) < missing] = np.nan
    model = GaussianMixture(
        2,
        covariance_type=kind,
        equal_priors=priors,
        reg_covar=0.0,
        tol=0.0,
        max_iter=25,
        random_state=seed,
        init_params="random" if seed % 2 else "kmeans",
    ).fit(X)
    bounds = np.array(model.history_["lower_bound"])
    assert (np.diff(bounds) >= -1e-12 * np.abs(bounds[1:])).all()
    assert len(bounds) == 25


@pytest.mark.parametrize("kind", TYPES)
def test_the_estimates_are_a_maximum_within_their_type(kind):
    """No small change of the covariances that keeps their form raises the likelihood."""
    X, _ = groups(200, 2, 2)
    model = GaussianMixture(2, covariance_type=kind, reg_covar=0.0, tol=1e-12, max_iter=500, random_state=0)
    model.fit(X)
    best, restriction = model.score(X), MixtureModel(kind, equal_priors=False, reg_covar=0.0)
    rng = np.random.default_rng(0)
    for _ in range(20):
        other = model.covariances_ * np.exp(1e-3 * rng.normal(size=model.covariances_.shape))
        if other.ndim > 1 and other.shape[-2:] == (2, 2) and kind != "diag":
            other = (other + np.swapaxes(other, -1, -2)) / 2
        if kind == "equal_determinant":
            determinants = np.linalg.det(other)
            other = other * np.sqrt(determinants.mean() / determinants)[:, None, None]
        components = restriction.prepared(model.weights_, model.means_, other)
        changed = GaussianMixture(2, covariance_type=kind)
        vars(changed).update(vars(model))
        changed._keep(components, model.lower_bound_, model.n_iter_)
        assert changed.score(X) < best + 1e-12


def test_equal_determinants_and_equal_priors():
    X, label = groups(400, 3, 3)
    X[label == 0] *= 3
    model = GaussianMixture(3, covariance_type="equal_determinant", equal_priors=True, random_state=0).fit(X)
    determinants = np.linalg.det(model.covariances_)
    assert_allclose(determinants, determinants[0], rtol=1e-9)
    assert model.weights_.tolist() == [1 / 3] * 3
    free = GaussianMixture(3, random_state=0).fit(X)
    assert np.ptp(np.linalg.det(free.covariances_)) > determinants[0]


def test_no_component_can_collapse_where_determinants_are_equal():
    X = np.concatenate([np.random.default_rng(0).normal(size=(60, 2)), np.full((1, 2), 9.0)])
    options = {"means_init": [[0.0, 0.0], [9.0, 9.0]], "weights_init": [0.5, 0.5], "reg_covar": 0.0}
    start = {**options, "precisions_init": np.tile(np.eye(2), (2, 1, 1))}
    with pytest.raises(ValueError, match=r"component 1 has no width in some direction.*raise reg_covar"):
        GaussianMixture(2, **start).fit(X)
    start["precisions_init"] = np.eye(2)
    assert GaussianMixture(2, covariance_type="tied", **start).fit(X).score(X) < 0
    start["precisions_init"] = np.tile(np.eye(2), (2, 1, 1))
    model = GaussianMixture(2, covariance_type="equal_determinant", **start).fit(X)
    assert_allclose(*np.linalg.det(model.covariances_), rtol=1e-6)
    assert model.score(X) < 0  # without that restriction it grows without bound


def test_collapsed_starts_are_repeated_and_said():
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal(size=(40, 2)), rng.normal(size=(40, 2)) + 6, [[30.0, 30.0]]])
    messages = []
    for seed in range(12):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = GaussianMixture(3, init_params="random_from_data", random_state=seed).fit(X)
        assert np.isfinite(model.score(X))
        messages += [str(warning.message) for warning in caught]
    assert any("is no wider than reg_covar in any direction" in message for message in messages)


def test_exact_treatment_of_missing_cells_beats_filling_in():
    """The likelihood of the known cells is what rises, and estimates are those of the maximum."""
    rng = np.random.default_rng(0)
    full = rng.multivariate_normal([0, 0], [[1, 0.9], [0.9, 1]], 4000)
    X = full.copy()
    X[full[:, 0] > 0, 1] = np.nan  # missing by the other column: means of known cells are biased
    model = GaussianMixture(1, tol=1e-10, max_iter=500, reg_covar=0.0).fit(X)
    assert_allclose(model.means_[0], full.mean(axis=0), atol=0.05)
    assert_allclose(model.covariances_[0], np.cov(full.T), atol=0.08)
    assert abs(np.nanmean(X[:, 1]) - full[:, 1].mean()) > 0.5


def test_rows_without_any_cell_have_the_prior_and_column_without_values_is_harmless():
    X, _ = groups(100, 2, 2)
    model = GaussianMixture(2, random_state=0).fit(X)
    empty = np.full((1, 2), np.nan)
    assert_allclose(model.predict_proba(empty)[0], model.weights_)
    assert model.score_samples(empty)[0] == pytest.approx(0.0, abs=1e-12)
    with pytest.warns(UserWarning, match="Column 'x2' has no values at all"):
        wide = GaussianMixture(2, random_state=0).fit(np.column_stack([X, np.full(100, np.nan)]))
    assert_allclose(np.sort(wide.weights_), np.sort(model.weights_), atol=1e-6)


def test_means_can_end_the_passes():
    X, _ = groups(400, 2, 3, apart=1.5)
    model = GaussianMixture(3, convergence="means", tol=1e-4, max_iter=1000, random_state=0).fit(X)
    shifts = model.history_["shift"]
    assert shifts[-1] < 1e-4 <= min(shifts[:-1])
    assert model.converged_
    by_likelihood = GaussianMixture(3, random_state=0).fit(X)
    changes = np.abs(np.diff(by_likelihood.history_["lower_bound"]))
    assert changes[-1] < 1e-3 <= changes[:-1].min()


@pytest.mark.parametrize("init", ["kmeans", "k-means++", "random", "random_from_data"])
def test_every_start_finds_groups_that_are_apart(init):
    label = np.arange(500) % 3
    X = np.array([[0.0, 0.0], [20.0, 0.0], [0.0, 20.0]])[label] + np.random.default_rng(0).normal(
        size=(500, 2)
    )
    model = GaussianMixture(3, init_params=init, n_init=6, max_iter=300, tol=1e-7, random_state=0).fit(X)
    assert [len(set(label[model.labels_ == i])) for i in range(3)] == [1, 1, 1]
    assert sorted(set(model.history_["start"])) == [0, 1, 2, 3, 4, 5]


class Rounds(Listener):
    """Keeps the means of each pass, and draws the second."""

    def __init__(self):
        super().__init__()
        self.means = []

    def on_fit_task_end(self, estimator, context):
        if context.task_name == "pass":
            self.means.append(estimator.means_)
            if len(self.means) == 2:
                self.ellipses = len(estimator.plot().patches)


def test_callbacks_see_the_components_of_each_pass():
    X, _ = groups(300, 2, 3, apart=1.5)
    rounds = Rounds()
    model = GaussianMixture(3, random_state=0).set_callbacks(rounds).fit(X)
    assert len(rounds.means) == model.n_iter_ > 2
    assert rounds.means[-1] is model.means_
    moves = [np.abs((b - a) / X.std(axis=0)).max() for a, b in itertools.pairwise(rounds.means)]
    assert_allclose(moves, model.history_["shift"][1:])
    assert rounds.ellipses >= 3


@pytest.mark.filterwarnings("ignore:GaussianMixture. did not converge in max_iter=. passes")
def test_warm_start_goes_on():
    X, _ = groups(300, 2, 3, apart=1.5)
    model = GaussianMixture(3, random_state=0, warm_start=True, max_iter=3, tol=1e-12)
    first = model.fit(X).lower_bound_
    second = model.fit(X).lower_bound_
    whole = GaussianMixture(3, random_state=0, max_iter=6, tol=1e-12).fit(X).lower_bound_
    assert first < second == whole
    with pytest.raises(ValueError, match="warm_start=True continues from 3 components in 2 encoded columns"):
        model.fit(X[:, :1])


def test_sample_has_the_moments_of_the_mixture():
    X, _ = groups(500, 2, 2)
    for kind in TYPES:
        model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X)
        rows, labels = model.sample(40_000)
        assert_allclose(np.bincount(labels) / 40_000, model.weights_, atol=0.01)
        mean = model.weights_ @ model.means_
        assert_allclose(rows.mean(axis=0), mean, atol=0.1)
        assert (model.predict(rows) == labels).mean() > 0.9
    with pytest.raises(ValueError, match="n_samples"):
        model.sample(0)


def test_information_criteria_find_the_number_of_groups():
    X, _ = groups(600, 2, 3, apart=6.0)
    scores = {k: GaussianMixture(k, random_state=0, n_init=3).fit(X).bic(X) for k in (1, 2, 3, 4)}
    assert min(scores, key=scores.get) == 3


def test_free_parameters():
    counts = {
        kind: MixtureModel(kind, equal_priors=False, reg_covar=0.0).n_parameters(3, 4) for kind in TYPES
    }
    assert counts == {"full": 44, "tied": 24, "diag": 26, "spherical": 17, "equal_determinant": 42}
    assert MixtureModel("full", equal_priors=True, reg_covar=0.0).n_parameters(3, 4) == 42


@pytest.mark.parametrize(
    ("X", "options", "message"),
    [
        ([[0.0], [1.0]], {"n_components": 3}, "n_samples=2 should be >= n_components=3"),
        ([[0.0], [0.0], [1.0]], {"n_components": 3}, "component . has lost all its rows.*lower n_components"),
        ([[1.0, 2.0]] * 5, {"reg_covar": 0.0}, "component 0 has no width.*raise reg_covar"),
        ([[1e200], [-1e200]], {}, "column 'x0' holds values so large that variances overflow"),
        ([[0.0], [1.0]], {"means_init": [[0.0, 1.0]]}, "'means_init' must be finite numbers of shape"),
        ([[0.0], [1.0]], {"weights_init": [0.5]}, "'weights_init' must be positive numbers with sum 1"),
        ([[0.0], [1.0]], {"precisions_init": [[[-1.0]]]}, "'precisions_init' must be positive"),
        ([[0.0], [1.0]], {"covariance_type": "round"}, "covariance_type"),
    ],
)
def test_bad_input_gets_one_sentence(X, options, message):
    with pytest.raises(ValueError, match=message):
        GaussianMixture(random_state=0, **options).fit(np.array(X))


def test_identical_rows_and_constant_columns_are_answered_when_regularized():
    same = GaussianMixture(1).fit(np.ones((6, 2)))
    assert same.means_.tolist() == [[1.0, 1.0]]
    X, _ = groups(100, 2, 2)
    model = GaussianMixture(2, random_state=0).fit(np.column_stack([X, np.full(100, 7.0)]))
    assert_allclose(model.covariances_[:, 2, 2], 1e-6, rtol=1e-6)


def test_outliers_have_the_lowest_scores():
    X, _ = groups(300, 2, 2)
    model = GaussianMixture(2, random_state=0).fit(X)
    far = np.array([[100.0, -100.0], [1e200, 0.0]])
    assert model.score_samples(far).max() < model.score_samples(X).min()
    assert np.isfinite(model.score_samples(far)).all()


def test_weights_of_scores():
    X, _ = groups(50, 2, 2)
    model = GaussianMixture(2, random_state=0).fit(X)
    w = np.arange(50.0)
    assert model.score(X, sample_weight=w) == pytest.approx(np.average(model.score_samples(X), weights=w))


def test_plot_shows_rows_classes_and_ellipses():
    iris = datasets.iris()
    model = GaussianMixture(3, random_state=0).fit(Frame(iris.features.numbers[:, :2]))
    ax = model.plot(iris.features.numbers[:, :2], iris.y)
    assert len(ax.patches) >= 6
    assert {"cluster 0", "cluster 2"} <= {text.get_text() for text in ax.get_legend().get_texts()}
    assert ax.get_xlabel()


@pytest.mark.parametrize("n_init", [1, 3])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_starts_that_collapse_are_repeated_after_a_single_pass(n_init):
    X = np.repeat(np.random.default_rng(0).normal(size=(8, 2)), 3, axis=0)
    model = GaussianMixture(6, n_init=n_init, max_iter=1, random_state=0).fit(X)
    assert np.isfinite(model.lower_bound_)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_single_passes_converge_with_a_warm_start():
    X = np.random.default_rng(1).normal(size=(60, 2)) + np.repeat([[0.0], [6.0]], 30, axis=0)
    model = GaussianMixture(2, warm_start=True, max_iter=1, random_state=0)
    fits = 0
    while fits < 50 and not model.fit(X).converged_:
        fits += 1
    assert 0 < fits < 50
