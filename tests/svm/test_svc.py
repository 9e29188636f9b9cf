"""SVC: against a general solver and scikit-learn, its solvers against each other, what it refuses."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn import svm as peer
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.preprocessing import scale
from tests.oracles.svm import kernel_matrix, svc_dual

import hornbook
from hornbook import SVC, kernels

KERNELS = {
    "linear": {},
    "rbf": {"gamma": 0.7},
    "poly": {"gamma": 0.5, "coef0": 1.0, "degree": 2},
}


def two_groups(n, d=2, seed=0, gap=1.0):
    draw = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return draw.normal(size=(n, d)) + gap * y[:, None], y


def check_against_general_solver(loss, kernel, seeds):
    for seed in seeds:
        draw = np.random.default_rng(seed)
        X, y = two_groups(12, 3, seed)
        w, C = draw.integers(1, 4, 12).astype(float), float(10 ** draw.uniform(-1, 2))
        options = KERNELS[kernel]
        model = SVC(C=C, kernel=kernel, loss=loss, tol=1e-9, **options).fit(X, y, sample_weight=w)
        signs = np.where(y == 1, 1.0, -1.0)
        value, _ = svc_dual(kernel_matrix(X, X, kernel, **options), signs, C * w, loss)
        dual, primal = model.objective_[0]
        assert dual == pytest.approx(value, rel=1e-6), seed
        assert primal == pytest.approx(dual, rel=1e-6), seed


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_objective_is_that_of_a_general_solver(loss, kernel):
    check_against_general_solver(loss, kernel, range(3))


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_objective_is_that_of_a_general_solver_many_times(loss, kernel):
    check_against_general_solver(loss, kernel, range(3, 200))


@pytest.mark.parametrize(
    ("load", "settings"),
    [
        (load_iris, {}),
        (load_iris, {"kernel": "sigmoid", "gamma": 0.01, "C": 5.0}),
        (load_wine, {"kernel": "linear"}),
        (load_wine, {"class_weight": "balanced", "C": 0.3}),
        (load_breast_cancer, {"kernel": "poly", "coef0": 1.0}),
        (load_digits, {}),
    ],
)
def test_agrees_with_scikit_learn(load, settings):
    X, y = load(return_X_y=True)
    X = scale(X)
    ours, theirs = SVC(tol=1e-6, **settings).fit(X, y), peer.SVC(tol=1e-6, **settings).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)
    assert abs(len(ours.support_) - len(theirs.support_)) <= 2  # equal rows share a multiplier as they like


def test_scores_of_pairs_and_of_classes_are_scikit_learns():
    X, y = load_iris(return_X_y=True)
    for settings in ({"decision_function_shape": "ovo"}, {"break_ties": True}, {"kernel": "linear"}):
        ours, theirs = SVC(tol=1e-7, **settings).fit(X, y), peer.SVC(tol=1e-7, **settings).fit(X, y)
        np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)  # its kernel is in single precision
    assert not hasattr(SVC().fit(X, y), "coef_")


@pytest.mark.parametrize("shrinking", [True, False])
def test_threads_cache_and_shrinking_do_not_change_the_model(shrinking):
    X, y = two_groups(700, 4, gap=0.5)
    first = SVC(C=20.0, n_jobs=1, shrinking=shrinking).fit(X, y)
    for settings in ({"n_jobs": 3}, {"cache_size": 0.01}):
        other = SVC(C=20.0, shrinking=shrinking, **settings).fit(X, y)
        np.testing.assert_array_equal(first.decision_function(X), other.decision_function(X))
    other = SVC(C=20.0, shrinking=not shrinking).fit(X, y)
    np.testing.assert_allclose(first.decision_function(X), other.decision_function(X), atol=5e-3)
    np.testing.assert_allclose(first.objective_, other.objective_, rtol=1e-4)


def test_many_classes_do_not_depend_on_threads():
    X, y = load_digits(return_X_y=True)
    one, two = SVC(n_jobs=1).fit(X[:500], y[:500]), SVC(n_jobs=2, cache_size=0.1).fit(X[:500], y[:500])
    np.testing.assert_array_equal(one.decision_function(X), two.decision_function(X))


def test_solvers_reach_the_same_objective():
    X, y = two_groups(60, 3)
    for kernel in ("linear", "rbf"):
        smo = SVC(kernel=kernel, loss="squared_hinge", tol=1e-9).fit(X, y)
        newton = SVC(kernel=kernel, loss="squared_hinge", solver="primal_newton", tol=1e-9).fit(X, y)
        np.testing.assert_allclose(smo.decision_function(X), newton.decision_function(X), atol=1e-6)
        np.testing.assert_allclose(smo.objective_, newton.objective_, rtol=1e-7)
        augmented = [
            SVC(kernel=kernel, loss="squared_hinge", solver=solver, augment=True, tol=1e-9).fit(X, y)
            for solver in ("dual_ascent", "primal_newton")
        ]
        scores = [model.decision_function(X) for model in augmented]
        np.testing.assert_allclose(*scores, atol=1e-6)
        assert np.abs(scores[0] - smo.decision_function(X)).max() > 1e-3  # another problem
        np.testing.assert_array_equal(augmented[0].intercept_, [0.0])


def test_kernel_objects_functions_and_matrices_are_the_same_kernel():
    X, y = two_groups(50, 2)
    by_name = SVC(gamma=0.5, tol=1e-9).fit(X, y)
    for kernel in (
        kernels.Gaussian(sigma=1.0),
        kernels.Gaussian(sigma=2**0.5, form="sigma2"),
        lambda a, b: float(np.exp(-0.5 * ((a - b) ** 2).sum())),
        lambda A, B: np.exp(-0.5 * ((A[:, None] - B[None]) ** 2).sum(axis=2)),
        0.5 * kernels.Gaussian(sigma=1.0) + 0.5 * kernels.Gaussian(sigma=1.0),
    ):
        model = SVC(kernel=kernel, tol=1e-9).fit(X, y)
        np.testing.assert_allclose(model.decision_function(X), by_name.decision_function(X), atol=1e-6)
    K = hornbook.kernels.kernel_matrix(X, gamma=0.5)
    model = SVC(kernel="precomputed", tol=1e-9).fit(K, y)
    np.testing.assert_allclose(model.decision_function(K), by_name.decision_function(X), atol=1e-6)


def test_roles_margins_and_conditions():
    X, y = two_groups(80, 2)
    model = SVC(kernel="linear", C=2.0, tol=1e-8).fit(X, y)
    margins = np.where(y == 1, 1, -1) * model.decision_function(X)
    alpha = np.zeros(80)
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    roles = model.roles_
    assert (alpha[roles == "outside"] == 0).all()
    assert (margins[roles == "outside"] >= 1 - 1e-7).all()
    np.testing.assert_allclose(margins[roles == "on the margin"], 1.0, atol=1e-7)
    assert (alpha[roles == "inside the margin"] == 2.0).all()
    assert (margins[roles == "misclassified"] < 0).all()
    assert set(roles) == {"outside", "on the margin", "inside the margin", "misclassified"}
    assert model.margin_[0] == pytest.approx(1 / np.linalg.norm(model.coef_))
    assert model.kkt_[0] <= 1e-8
    assert model.history_["gap"][-1] < 1e-5
    with pytest.raises(AttributeError, match="two classes"):
        SVC().fit(*load_iris(return_X_y=True)).roles_  # noqa: B018 - the property raises


def test_history_ends_at_the_objective():
    X, y = two_groups(800, 3, gap=0.3)
    model = SVC(C=10.0).fit(X, y)
    dual = np.array(model.history_["dual"])
    assert len(dual) > 1
    assert (np.diff(dual) > -1e-9 * dual[-1]).all()
    assert model.history_["dual"][-1] == model.objective_[0, 0]
    assert model.history_["primal"][-1] == model.objective_[0, 1]


def test_probabilities_are_deterministic_and_near_scikit_learns():
    X, y = load_iris(return_X_y=True)
    model = SVC(probability=True).fit(X, y)
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    assert -np.log(proba[np.arange(150), y]).mean() < 0.12
    np.testing.assert_array_equal(proba, SVC(probability=True, n_jobs=1).fit(X, y).predict_proba(X))
    shuffled = SVC(probability=True, random_state=3).fit(X, y).predict_proba(X)
    assert 0 < np.abs(shuffled - proba).max() < 0.2
    two = SVC(probability=True).fit(X[50:], y[50:])
    order = np.argsort(two.decision_function(X))
    assert (np.diff(two.predict_proba(X)[order, 1]) >= 0).all()
    assert not hasattr(SVC(), "predict_proba")


def test_a_hard_margin_needs_classes_that_can_be_separated():
    X, y = two_groups(40, 2, gap=8.0)
    model = SVC(C=np.inf, kernel="linear").fit(X, y)
    signs = np.where(y == 1, 1, -1)
    assert (signs * model.decision_function(X)).min() > 1 - 1e-3
    for loss in ("hinge", "squared_hinge"):
        with pytest.raises(ValueError, match="hard margin, and this kernel does not separate"):
            SVC(C=np.inf, kernel="linear", loss=loss).fit(*two_groups(40, 2))
    with pytest.raises(ValueError, match="does not separate"):
        SVC(C=np.inf).fit([[0.0], [0.0], [1.0]], [0, 1, 1])


def test_hard_tables_are_fitted():
    X, y = two_groups(30, 2)
    twins = SVC().fit(np.concatenate([X, X]), np.concatenate([y, 1 - y]))  # every row in both classes
    np.testing.assert_allclose(twins.decision_function(X), 0.0, atol=1e-2)
    constant = SVC().fit(np.column_stack([X, np.ones(30)]), y)
    assert constant.score(np.column_stack([X, np.ones(30)]), y) > 0.6
    all_constant = SVC().fit(np.ones((4, 1)), [0, 1, 1, 1])
    assert all_constant.predict([[1.0]]).tolist() == [1]


def test_what_it_refuses_and_warns_of():
    X, y = two_groups(30, 2)
    with pytest.raises(ValueError, match="at least 2 classes"):
        SVC().fit(X, np.zeros(30))
    with pytest.raises(ValueError, match="'C'"):
        SVC(C=0.0).fit(X, y)
    with pytest.raises(ValueError, match="not finite"):
        SVC(kernel="poly", degree=300, gamma=1.0).fit(1e9 * X, y)
    with pytest.raises(ValueError, match=r"table of n by m; for 30 and 30 rows it gave shape"):
        SVC(kernel=lambda a, b: np.ones((1, 1))).fit(X, y)  # noqa: ARG005
    with pytest.raises(ValueError, match="NaN or infinity"):
        SVC(kernel=lambda a, b: float("nan")).fit(X, y)  # noqa: ARG005
    with pytest.raises(ValueError, match="must be symmetric"):
        SVC(kernel=lambda a, b: float(a[0])).fit(X, y)  # noqa: ARG005
    with pytest.raises(ValueError, match="square matrix"):
        SVC(kernel="precomputed").fit(X, y)
    with pytest.raises(ValueError, match="augment=True"):
        SVC(solver="dual_ascent").fit(X, y)
    with pytest.raises(ValueError, match="augment=False"):
        SVC(augment=True).fit(X, y)
    with pytest.raises(ValueError, match="loss='squared_hinge'"):
        SVC(solver="primal_newton").fit(X, y)
    with pytest.raises(ValueError, match="function or a matrix"):
        SVC(solver="dual_ascent", augment=True, kernel=lambda a, b: float(a @ b)).fit(X, y)
    with pytest.warns(UserWarning, match="column 'x1' varies by"):
        SVC().fit(X * [1.0, 1e7], y)
    with pytest.warns(UserWarning, match="not positive semidefinite"):
        SVC(kernel=lambda a, b: -float(a @ b)).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        SVC(max_iter=2).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        SVC(max_iter=2, solver="dual_ascent", augment=True).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SVC().fit(X * [1.0, 100.0], y)


def test_an_indefinite_kernel_ends():
    y = np.arange(200) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(5):
            K = np.random.default_rng(seed).normal(size=(200, 200))
            model = SVC(kernel="precomputed", max_iter=100_000).fit(K + K.T, y)
            assert np.isfinite(model.dual_coef_).all()


def test_a_limit_of_steps_is_kept():
    X, y = two_groups(800, 3, gap=0.3)
    with pytest.warns(ConvergenceWarning, match="after 300 steps"):
        short = SVC(C=10.0, max_iter=300).fit(X, y)
    assert short.n_iter_.tolist() == [300]
    assert short.score(X, y) > 0.5


def test_probabilities_need_a_fit_that_learned_them():
    model = SVC().fit([[0.0], [1.0]], [0, 1]).set_params(probability=True)
    with pytest.raises(NotFittedError, match="not available when fitted with probability=False"):
        model.predict_proba([[0.0]])
