"""The perceptron in dual form, with scalar products and with kernels."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from hornbook import DualPerceptron, KernelPerceptron, Perceptron, datasets
from hornbook.kernels import Gaussian, Linear, kernel_matrix

IRIS = datasets.iris()
ROWS, CLASSES = IRIS.features.numbers, IRIS.y


@pytest.mark.parametrize("weighted", [False, True])
def test_dual_form_has_the_weights_of_the_perceptron(weighted):
    w = 1.0 + np.arange(150) % 3 if weighted else None
    X = np.round(10 * ROWS)  # integers, so that no sum is rounded
    own = CLASSES == "setosa"
    dual = DualPerceptron().fit(X, own, sample_weight=w)
    primal = Perceptron(update="sign").fit(X, own, sample_weight=w)
    np.testing.assert_array_equal(dual.coef_, primal.coef_)
    np.testing.assert_array_equal(dual.intercept_, primal.intercept_)
    assert dual.n_iter_ == primal.n_iter_
    signs = np.where(own, 1.0, -1.0)
    np.testing.assert_array_equal(dual.coef_[0], (dual.alpha_[0] * signs) @ X)
    np.testing.assert_array_equal(dual.history_["mistakes"], primal.history_["mistakes"])


def test_linear_kernel_on_augmented_rows_is_the_dual_form():
    own = CLASSES == "setosa"
    kernel = KernelPerceptron(kernel="linear", augment=True).fit(ROWS, own)
    dual = DualPerceptron().fit(ROWS, own)
    np.testing.assert_array_equal(kernel.alpha_, dual.alpha_)
    np.testing.assert_allclose(kernel.decision_function(ROWS), dual.decision_function(ROWS), rtol=1e-9)


def test_scores_are_counts_times_signs_times_kernel_values():
    model = KernelPerceptron(kernel=Gaussian(0.3)).fit(ROWS, CLASSES)
    assert model.mistakes_ == 0
    assert (model.predict(ROWS) == CLASSES).all()
    signs = np.where(model.classes_[:, None] == CLASSES, 1.0, -1.0)
    K = kernel_matrix(ROWS, kernel=Gaussian(0.3))
    np.testing.assert_allclose(model.decision_function(ROWS), K @ (model.alpha_ * signs).T, atol=1e-12)
    np.testing.assert_array_equal(model.support_, np.flatnonzero(model.alpha_.any(axis=0)))
    assert len(model.X_fit_) == len(model.support_) < 150


def test_matrix_of_kernel_values_gives_the_same_counts():
    K = kernel_matrix(ROWS, kernel=Gaussian(1.0))
    model = KernelPerceptron(kernel="precomputed").fit(K, CLASSES)
    direct = KernelPerceptron(kernel=Gaussian(1.0)).fit(ROWS, CLASSES)
    np.testing.assert_array_equal(model.alpha_, direct.alpha_)
    np.testing.assert_array_equal(model.predict(K), direct.predict(ROWS))
    with pytest.raises(ValueError, match="augment"):
        KernelPerceptron(kernel="precomputed", augment=True).fit(K, CLASSES)


@pytest.mark.parametrize("learner", [DualPerceptron, KernelPerceptron])
def test_rows_with_both_labels_end_after_passes_without_progress(learner):
    X, y = [[0.0], [0.0], [1.0]], [0, 1, 1]
    model = learner(n_iter_no_change=5).fit(X, y)
    assert model.mistakes_ > 0
    assert model.n_iter_ < 20
    with pytest.warns(ConvergenceWarning, match="'max_iter' = 3"):
        learner(max_iter=3, n_iter_no_change=None).fit(X, y)


def test_weight_of_a_row_bounds_how_often_it_counts_in_a_pass():
    X, y = [[1.0], [10.0]], [0, 1]
    with pytest.warns(ConvergenceWarning):
        model = KernelPerceptron(kernel=Linear(), max_iter=1).fit(X, y, sample_weight=[0.5, 1.0])
    assert model.alpha_.tolist() == [[0.5, 1.0]]


def test_kernel_rows_of_length_zero_never_end_a_pass():
    model = KernelPerceptron(kernel="linear", n_iter_no_change=3).fit([[0.0], [0.0], [1.0]], [0, 1, 1])
    assert model.alpha_[0, 0] == model.n_iter_  # wrong in every pass, and counted once in each
