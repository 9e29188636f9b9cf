"""LinearSVC and LinearSVR: against scikit-learn, between solvers, from blocks, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn import svm as peer
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import scale

from hornbook import SVC, SVR, Blocks, Frame, LinearSVC, LinearSVR, OneClassSVM

CANCER, IRIS = load_breast_cancer(return_X_y=True), load_iris(return_X_y=True)
SQUARED = "squared_epsilon_insensitive"


def clouds(n, d=6, seed=0):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, d)) * draw.uniform(0.5, 2.0, d)
    return X, (X[:, 0] - 0.5 * X[:, 1] + draw.normal(size=n) > 0.3).astype(int)


def objective(model, X, y, w=1.0):
    """Penalty plus C times the losses, as the definition says, with two classes."""
    slack = np.maximum(1 - np.where(y == model.classes_[1], 1, -1) * model.decision_function(X), 0)
    inner = model.intercept_[0] / model.intercept_scaling
    losses = model.C * float((w * (slack if model.loss == "hinge" else slack**2)).sum())
    if model.penalty == "l1":
        return np.abs(model.coef_).sum() + abs(inner) + losses
    return 0.5 * (model.coef_**2).sum() + 0.5 * inner**2 + losses


@pytest.mark.parametrize(("X", "y"), [CANCER, IRIS], ids=["cancer", "iris"])
@pytest.mark.parametrize("intercept_scaling", [1.0, 5.0])
@pytest.mark.parametrize(
    ("penalty", "loss", "dual"),
    [
        ("l2", "hinge", True),
        ("l2", "hinge", False),
        ("l2", "squared_hinge", True),
        ("l2", "squared_hinge", False),
        ("l1", "squared_hinge", False),
    ],
)
def test_weights_are_scikit_learns(X, y, intercept_scaling, penalty, loss, dual):
    shared = {
        "penalty": penalty,
        "loss": loss,
        "C": 0.1,
        "intercept_scaling": intercept_scaling,
        "class_weight": "balanced",
    }
    ours = LinearSVC(dual=dual, tol=1e-6, max_iter=20_000, **shared).fit(scale(X), y)
    theirs = peer.LinearSVC(
        dual=dual or loss == "hinge", tol=1e-7, max_iter=200_000, random_state=0, **shared
    ).fit(scale(X), y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=2e-5)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=2e-5)
    np.testing.assert_array_equal(ours.predict(scale(X)), theirs.predict(scale(X)))


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_primal_and_dual_have_the_same_minimum(loss, fit_intercept):
    X, y = clouds(400)
    w = np.random.default_rng(1).integers(0, 3, 400).astype(float)
    shared = {"loss": loss, "C": 0.7, "tol": 1e-8, "max_iter": 50_000, "fit_intercept": fit_intercept}
    primal, dual = (LinearSVC(dual=dual, **shared).fit(X, y, sample_weight=w) for dual in (False, True))
    np.testing.assert_allclose(primal.coef_, dual.coef_, atol=1e-6)
    for model in (primal, dual):
        assert model.objective_[0] == pytest.approx(objective(model, X, y, w), rel=1e-9)
        assert (model.intercept_[0] != 0) == fit_intercept
    assert dual.history_["dual"][-1] == pytest.approx(dual.objective_[0], rel=1e-6)
    # Another order of the rows is another way to the same minimum.
    other = LinearSVC(dual=True, random_state=5, **shared).fit(X, y, sample_weight=w)
    assert other.history_["dual"][0] != dual.history_["dual"][0]
    np.testing.assert_allclose(other.coef_, dual.coef_, atol=1e-6)


def test_a_wide_constant_column_is_the_svm_with_a_free_intercept():
    X, y = clouds(200)
    linear = LinearSVC(loss="hinge", C=0.5, intercept_scaling=1e4).fit(X, y)
    kernel = SVC(kernel="linear", C=0.5, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(linear.coef_, kernel.coef_, atol=1e-5)
    np.testing.assert_allclose(linear.intercept_, kernel.intercept_, atol=1e-5)


@pytest.mark.parametrize("settings", [{}, {"loss": "hinge"}, {"penalty": "l1", "C": 0.01}, {"dual": True}])
def test_blocks_and_threads_do_not_matter(settings):
    X, y = clouds(9000)
    whole = LinearSVC(n_jobs=1, tol=1e-3, **settings).fit(X, y)
    frame = Frame(np.column_stack([X, y]), target=6)
    parts = Blocks([frame[:100], frame[100:5000], frame[5000:]])
    for model in (
        LinearSVC(n_jobs=2, tol=1e-3, **settings).fit(X, y),
        LinearSVC(tol=1e-3, **settings).fit(parts),
    ):
        np.testing.assert_array_equal(whole.coef_, model.coef_)
        np.testing.assert_array_equal(whole.intercept_, model.intercept_)


def test_absolute_values_leave_columns_out():
    X, y = clouds(300, d=30)
    model = LinearSVC(penalty="l1", C=0.02).fit(X, y)
    assert 2 <= (model.coef_ != 0).sum() < 15
    wide = np.hstack([X] * 10)  # so many columns that there is no Hessian
    by_gradients = LinearSVC(penalty="l1", C=0.02, tol=1e-5).fit(wide, y)
    assert by_gradients.objective_[0] == pytest.approx(model.objective_[0], rel=1e-5)
    assert objective(model, X, y) == pytest.approx(model.objective_[0], rel=1e-9)


@pytest.mark.parametrize("share", [0.01, 0.9])
def test_sparse_rows_in_the_dual(share):
    draw = np.random.default_rng(0)
    X = draw.normal(size=(120, 700)) * (draw.random((120, 700)) < share)
    y = (X[:, :50].sum(axis=1) > 0).astype(int)
    sparse, dense = LinearSVC(tol=1e-9).fit(csr_array(X), y), LinearSVC(tol=1e-9, dual=False).fit(X, y)
    assert "violation" in sparse.history_
    assert "violation" not in dense.history_
    np.testing.assert_allclose(sparse.coef_, dense.coef_, atol=1e-6)
    np.testing.assert_array_equal(sparse.predict(csr_array(X)), dense.predict(X))


def test_margins_and_description():
    X, y = clouds(200)
    model = LinearSVC().fit(X, y)
    sides = np.where(y == 1, 1, -1)
    expected = sides * (X @ model.coef_[0] + model.intercept_) / np.linalg.norm(model.coef_)
    np.testing.assert_allclose(model.margins(X, y), expected)
    assert model.describe().facts["distance of the margin from the boundary"] == pytest.approx(
        1 / np.linalg.norm(model.coef_)
    )


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"penalty": "l1", "dual": True}, "penalty='l1' cannot be minimized by dual"),
        ({"C": 0.0}, "'C'"),
        ({"intercept_scaling": 0.0}, "'intercept_scaling'"),
        ({"loss": "log"}, "'loss'"),
    ],
)
def test_what_it_refuses(settings, sentence):
    with pytest.raises(ValueError, match=sentence):
        LinearSVC(**settings).fit(*clouds(20))


def test_too_few_passes_are_said():
    X, y = clouds(200)
    with pytest.warns(ConvergenceWarning, match="'max_iter' = 2 was too small"):
        LinearSVC(dual=True, max_iter=2).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="'max_iter' = 1 was too small"):
        LinearSVC(max_iter=1, tol=1e-9).fit(X, y)


@pytest.mark.parametrize("intercept_scaling", [1.0, 10.0])
@pytest.mark.parametrize(
    ("loss", "dual"),
    [("epsilon_insensitive", True), ("epsilon_insensitive", False), (SQUARED, True), (SQUARED, False)],
)
def test_numbers_are_scikit_learns(loss, dual, intercept_scaling):
    X, y = load_diabetes(return_X_y=True)
    shared = {"loss": loss, "epsilon": 5.0, "C": 0.3, "intercept_scaling": intercept_scaling}
    ours = LinearSVR(tol=1e-7, max_iter=20_000, dual=dual, **shared).fit(scale(X), y)
    theirs = peer.LinearSVR(tol=1e-8, max_iter=200_000, random_state=0, dual=True, **shared)
    theirs.fit(scale(X), y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=2e-4)
    assert ours.intercept_ == pytest.approx(theirs.intercept_[0], abs=2e-4)


def test_numbers_in_primal_and_dual():
    X, _ = clouds(300)
    y = X[:, 0] + np.random.default_rng(0).normal(size=300)
    w = np.random.default_rng(1).integers(0, 3, 300).astype(float)
    shared = {"loss": SQUARED, "epsilon": 0.5, "tol": 1e-8, "max_iter": 50_000}
    primal, dual = (LinearSVR(dual=dual, **shared).fit(X, y, sample_weight=w) for dual in (False, True))
    np.testing.assert_allclose(primal.coef_, dual.coef_, atol=1e-6)
    beyond = np.maximum(np.abs(primal.predict(X) - y) - 0.5, 0)
    penalty = 0.5 * (primal.coef_**2).sum() + 0.5 * primal.intercept_**2
    for model in (primal, dual):
        assert model.objective_ == pytest.approx(penalty + w @ beyond**2, rel=1e-9)
    assert LinearSVR(loss=SQUARED).fit(X, y).history_.keys() == {"objective"}
    assert LinearSVR().fit(X, y).history_.keys() == {"objective"}
    wide = np.hstack([X] * 25)
    assert LinearSVR(C=1e-3).fit(wide, y).history_.keys() == {"dual", "violation"}


@pytest.mark.parametrize("settings", [{"loss": SQUARED}, {"epsilon": 0.5}, {"epsilon": 0.5, "dual": True}])
def test_other_units_and_other_blocks(settings):
    X, _ = clouds(5000)
    y = X[:, 0] + np.random.default_rng(0).normal(size=5000)
    model, frame = LinearSVR(C=0.01, **settings).fit(X, y), Frame(np.column_stack([X, y]), target=6)
    parts = LinearSVR(C=0.01, **settings).fit(Blocks([frame[:77], frame[77:]]))
    np.testing.assert_array_equal(model.coef_, parts.coef_)
    unit = 2.0**-20
    rescaled = {**settings, "epsilon": settings.get("epsilon", 0.0) * unit}
    C = 0.01 if settings.get("loss") == SQUARED else 0.01 * unit
    small = LinearSVR(C=C, **rescaled).fit(X, y * unit)
    np.testing.assert_allclose(small.coef_ / unit, model.coef_, rtol=1e-9)


def test_numbers_need_passes_enough():
    X, y = np.arange(9.0)[:, None], np.arange(9.0) ** 2
    for settings in ({"dual": True}, {"loss": SQUARED}, {}):
        with pytest.warns(ConvergenceWarning, match="'max_iter' = 1 was too small"):
            LinearSVR(max_iter=1, tol=1e-9, **settings).fit(X, y)


@pytest.mark.parametrize("learner", [LinearSVC(), LinearSVR(), SVC(), SVR(), OneClassSVM()])
def test_columns_of_other_sizes_are_named_or_refused(learner):
    X, y = clouds(60)
    with pytest.warns(UserWarning, match="column 'x2' varies by .* others by"):
        clone(learner).fit(X * [1, 1, 1e7, 1, 1, 1], y)
    with pytest.raises(ValueError, match=r"overflow; scale it first"):
        clone(learner).fit(X * 1e200, y)


def test_targets_beyond_squares_are_refused():
    X, y = clouds(30)
    for learner in (SVR(), LinearSVR()):
        with pytest.raises(ValueError, match=r"overflow; scale it first"):
            clone(learner).fit(X, y * 1e200)


@pytest.mark.parametrize("rate", [0.5, 0.02])
def test_hinge_from_a_sample_is_that_of_all_rows(rate, monkeypatch):
    """A first sample shows where the margin is, also that of a rare class; the minimum is of all rows."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(6000, 4))
    score = X[:, 0] + draw.normal(size=6000)
    y = score > np.quantile(score, 1 - rate)
    whole = LinearSVC(loss="hinge").fit(X, y)
    monkeypatch.setattr("hornbook.linear.solvers._active_set.ROOM", 6000)
    sampled = LinearSVC(loss="hinge").fit(X, y)
    assert sampled.n_iter_ > whole.n_iter_
    np.testing.assert_allclose(sampled.coef_, whole.coef_, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(sampled.intercept_, whole.intercept_, rtol=1e-7, atol=1e-9)
