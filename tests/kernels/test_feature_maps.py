"""Explicit feature spaces: scalar products there are the kernel."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.kernels import Gaussian, Linear, Polynomial, feature_map, feature_names, kernel_matrix


@settings(max_examples=25)
@given(
    n_columns=st.integers(1, 4),
    degree=st.integers(1, 4),
    constant=st.sampled_from([0.0, 0.5, 1.0, 3.0]),
    scale=st.sampled_from([1.0, 0.25]),
)
def test_products_of_mapped_rows_are_the_kernel(n_columns, degree, constant, scale):
    X = np.random.default_rng(degree).normal(size=(6, n_columns))
    kernel = Polynomial(degree, constant, scale)
    mapped = feature_map(X, kernel)
    np.testing.assert_allclose(mapped @ mapped.T, kernel_matrix(X, kernel=kernel), rtol=1e-9, atol=1e-9)
    assert mapped.shape[1] == len(feature_names(kernel, [f"x{j}" for j in range(n_columns)]))


def test_linear_kernel_is_its_own_feature_space():
    X = np.eye(3)
    np.testing.assert_array_equal(feature_map(X, Linear()), X)
    assert feature_names(Linear(), ["a", "b", "c"]) == ["a", "b", "c"]


def test_names_of_powers():
    assert feature_names(Polynomial(3, constant=0.0), ["a", "b"]) == ["a³", "a² b", "a b²", "b³"]


def test_other_kernels_and_tables_are_refused():
    with pytest.raises(TypeError, match="hornbook.Nystroem"):
        feature_map([[1.0]], Gaussian(1.0))
    with pytest.raises(ValueError, match="finite"):
        feature_map([[np.nan]], Linear())
    with pytest.raises(MemoryError, match="use the kernel itself"):
        feature_map(np.ones((1000, 400)), Polynomial(6))
