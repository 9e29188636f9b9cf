"""Sparse tables give learners with kernels the results of dense ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array

import hornbook
from hornbook import kernels


def tables(n=700, d=30):
    sparse = csr_array(random_array((n, d), density=0.1, random_state=np.random.default_rng(1)))
    X = sparse.toarray()
    draw = np.random.default_rng(2)
    return X, sparse, X[:, 0] + X[:, 1] ** 2 + 0.1 * draw.normal(size=n)


KERNELS = ["linear", "poly", "rbf", "laplacian", kernels.Gaussian(0.7), kernels.Gaussian()]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_classes(kernel, weighted):
    X, sparse, t = tables()
    y = np.digitize(t, [0.02, 0.2])
    w = np.resize([1.0, 2.0, 0.5], len(X)) if weighted else None
    options = {"kernel": kernel, "C": 5.0, "tol": 1e-8}
    dense = hornbook.SVC(**options).fit(X, y, sample_weight=w)
    model = hornbook.SVC(**options).fit(sparse, y, sample_weight=w)
    np.testing.assert_allclose(model.objective_, dense.objective_, rtol=1e-8)  # the solver stops at tol
    np.testing.assert_allclose(model.decision_function(sparse), dense.decision_function(X), atol=1e-5)
    np.testing.assert_array_equal(model.predict(sparse), model.predict(X))
    assert model.support_vectors_.shape == (len(model.support_), X.shape[1])


def test_threads_do_not_matter():
    _, sparse, t = tables()
    one, two = (hornbook.SVC(n_jobs=n).fit(sparse, t > 0.1) for n in (1, 2))
    np.testing.assert_array_equal(one.dual_coef_, two.dual_coef_)


@pytest.mark.parametrize(
    "make",
    [
        lambda: hornbook.SVC(probability=True, solver="smo"),
        lambda: hornbook.SVC(solver="primal_newton", loss="squared_hinge"),
        hornbook.KernelPerceptron,
        hornbook.DualPerceptron,
        hornbook.KernelDiscriminant,
    ],
)
def test_other_learners_of_classes(make):
    X, sparse, t = tables(200)
    dense, model = make().fit(X, t > 0.1), make().fit(sparse, t > 0.1)
    np.testing.assert_array_equal(model.predict(sparse), dense.predict(X))


@pytest.mark.parametrize("make", [hornbook.SVR, hornbook.KernelRidge])
def test_numbers(make):
    X, sparse, t = tables()
    np.testing.assert_allclose(make().fit(sparse, t).predict(sparse), make().fit(X, t).predict(X), atol=1e-6)


def test_outliers_clusters_and_features():
    X, sparse, _ = tables()
    dense, model = hornbook.OneClassSVM(nu=0.2).fit(X), hornbook.OneClassSVM(nu=0.2).fit(sparse)
    np.testing.assert_allclose(model.score_samples(sparse), dense.score_samples(X), atol=1e-6)
    np.testing.assert_array_equal(model.predict(sparse), model.predict(X))
    for features in (
        hornbook.Nystroem(random_state=0),
        hornbook.RBFSampler(gamma="scale", random_state=0),
    ):
        np.testing.assert_array_equal(features.fit(sparse).transform(sparse), features.fit(X).transform(X))
    clusters = hornbook.KernelKMeans(3, random_state=0)
    np.testing.assert_array_equal(clusters.fit(sparse).labels_, clusters.fit(X).labels_)
    np.testing.assert_array_equal(kernels.kernel_matrix(sparse), kernels.kernel_matrix(X))


def test_missing_cells_are_refused_at_fit_and_filled_at_prediction():
    X, sparse, t = tables(100)
    gappy = sparse.copy()
    gappy.data[3] = np.nan
    with pytest.raises(ValueError, match="sparse matrix has missing values"):
        hornbook.SVC().fit(gappy, t > 0.1)
    model = hornbook.SVC().fit(sparse, t > 0.1)
    rows = X[:2].copy()
    rows[0, 4] = np.nan
    filled = rows.copy()
    filled[0, 4] = X[:, 4].mean()
    np.testing.assert_allclose(model.decision_function(rows), model.decision_function(filled))
