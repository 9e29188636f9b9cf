"""The kernel for mixed columns and missing cells."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.learners import mixed_table

import hornbook
from hornbook import Frame, KernelDiscriminant, KernelKMeans, KernelPerceptron, KernelRidge
from hornbook.kernels import Gaussian, Linear, Mixed, is_mercer, kernel_matrix


@settings(max_examples=25)
@given(
    n=st.integers(2, 40),
    missing=st.floats(0, 0.9),
    width=st.sampled_from([0.2, 1.0, 5.0]),
    seed=st.integers(0, 999),
)
def test_random_tables_have_no_negative_eigenvalues(n, missing, width, seed):
    draw = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "size": draw.normal(size=n).round(1) * 100,
            "mass": draw.exponential(size=n),
            "color": draw.choice(["green", "dark", "light"], n),
            "grade": pd.Categorical(
                draw.choice(["low", "mid", "high"], n), ["low", "mid", "high"], ordered=True
            ),
            "same": 1.0,
        }
    )
    table = table.mask(draw.random(table.shape) < missing)
    table.loc[0] = [1.0, 2.0, "green", "low", 1.0]  # no column is empty
    K = kernel_matrix(Frame(table), kernel=Mixed(width))
    assert is_mercer(K)
    assert np.linalg.eigvalsh(K)[0] > -1e-10 * n
    assert ((K > 0) & (K <= 1 + 1e-12)).all()


def test_standardized_numbers_have_the_gaussian_kernel():
    X = np.random.default_rng(0).normal(size=(30, 4)) * [1, 10, 100, 0.1]
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    np.testing.assert_allclose(kernel_matrix(X, kernel=Mixed()), kernel_matrix(Z, kernel="rbf"), rtol=1e-9)
    wide = kernel_matrix(Z, kernel="rbf", gamma=1 / (4 * 3.0**2))
    np.testing.assert_allclose(kernel_matrix(X, kernel=Mixed(3.0)), wide, rtol=1e-9)


def test_missing_number_is_the_mean_over_a_normal_distribution():
    draws = np.random.default_rng(1).normal(2.0, 3.0, 200_000)
    X = np.append(np.random.default_rng(0).normal(2.0, 3.0, 400), np.nan)[:, None]
    kernel = Mixed(0.7).fitted(X)
    y = np.array([[1.0]])
    mean, spread = float(kernel.mean[0]), float(np.sqrt(kernel.variance[0]))
    sampled = mean + spread * (draws - 2.0) / 3.0
    direct = np.exp(-np.square(sampled - 1.0) / (spread**2 * 0.49)).mean()
    assert kernel.matrix(np.array([[np.nan]]), y)[0, 0] == pytest.approx(direct, abs=3e-3)
    both = np.exp(-np.square(sampled[::2] - sampled[1::2]) / (spread**2 * 0.49)).mean()
    assert kernel.diagonal(np.array([[np.nan]]))[0] == pytest.approx(both, abs=3e-3)


def test_missing_category_is_the_mean_over_the_frequencies():
    colors = ["green", "green", "dark", "light", None]
    K = kernel_matrix(Frame({"color": colors}), kernel=Mixed())
    different = np.exp(-2 / (1 - (0.25 + 0.0625 + 0.0625)))
    assert K[0, 1] == 1.0
    assert K[0, 2] == pytest.approx(different)
    assert K[0, 4] == pytest.approx(K[0, :4].mean())
    assert K[4, 4] == pytest.approx(K[:4, :4].mean())


@pytest.mark.parametrize("learner", [KernelRidge, KernelPerceptron, KernelDiscriminant, KernelKMeans])
def test_learners_take_it(learner, tmp_path):
    X, group = mixed_table(40)
    options = {"random_state": 0} if learner is KernelKMeans else {}
    model = learner(kernel=Mixed(), **options).fit(X, group)
    assert np.isfinite(model.predict(X)).all()
    if learner is not KernelKMeans:
        assert np.isnan(model.X_fit_).any()  # as they are, not imputed
        kept = getattr(model, "support_", np.arange(40))
        values = model._values(model._prepared(X))
        np.testing.assert_allclose(values, kernel_matrix(Frame(X), kernel=Mixed())[:, kept])
    hornbook.save(model, tmp_path / "model.hornbook")
    np.testing.assert_array_equal(hornbook.load(tmp_path / "model.hornbook").predict(X), model.predict(X))
    assert str(model.describe())


def test_sums_with_other_kernels():
    X, group = mixed_table(40)
    both = KernelRidge(kernel=Mixed() + 0.1 * Mixed(3.0)).fit(X, group)
    assert np.isnan(both.X_fit_).any()
    imputed = KernelRidge(kernel=Mixed() * Gaussian(1.0)).fit(X, group)
    assert not np.isnan(imputed.X_fit_).any()
    assert np.isfinite(imputed.predict(X)).all()


def test_wrong_widths_rows_and_cells():
    with pytest.raises(ValueError, match="width"):
        Mixed(0.0)
    with pytest.raises(ValueError, match="use kernel_matrix"):
        Mixed()([1.0], [2.0])
    with pytest.raises(ValueError, match="columns of the fit"):
        Mixed().fitted(np.eye(3)).matrix(np.eye(2), np.eye(2))
    with pytest.raises(ValueError, match="infinite"):
        kernel_matrix([[np.inf], [1.0]], kernel=Mixed())
    with pytest.raises(ValueError, match="missing"):
        kernel_matrix([[np.nan], [1.0]], kernel=Mixed() + Linear())


@pytest.mark.parametrize("name", ["SVC", "SVR", "OneClassSVM", "KernelKMeans"])
def test_machines_and_clusters_get_gaps_as_they_are(name):
    table, y = mixed_table()
    K = kernel_matrix(table, kernel=Mixed())
    target = y if name == "SVC" else np.arange(len(K)) % 7 / 7
    seed = {"random_state": 0} if name == "KernelKMeans" else {}
    by_kernel = getattr(hornbook, name)(kernel=Mixed(), **seed).fit(table, target)
    by_matrix = getattr(hornbook, name)(kernel="precomputed", **seed).fit(K, target)
    if name == "KernelKMeans":
        np.testing.assert_array_equal(by_kernel.labels_, by_matrix.labels_)
    else:
        np.testing.assert_allclose(by_kernel.dual_coef_, by_matrix.dual_coef_, atol=1e-12)
    np.testing.assert_array_equal(by_kernel.predict(table), by_matrix.predict(K))


def test_nystroem_gets_gaps_as_they_are():
    table, _ = mixed_table()
    K = kernel_matrix(table, kernel=Mixed())
    Z = hornbook.Nystroem(Mixed(), n_components=len(K), random_state=0).fit_transform(table)
    np.testing.assert_allclose(Z @ Z.T, K, atol=1e-8)
