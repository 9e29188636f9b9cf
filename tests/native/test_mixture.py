"""Sums of expectation maximization: the twin, missing cells, weights, given probabilities, bad arguments."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from tests.oracles.mixture import em_sums, log_joint, posterior

from hornbook import _native
from hornbook.clustering.mixture._components import MixtureModel, Sums


def mixture(rows, cols, k, missing, seed, *, diagonal):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, cols)) * 2 + 5
    X[rng.random(X.shape) < missing] = np.nan
    weights, means = rng.dirichlet(np.ones(k)) + 1e-9, rng.standard_normal((k, cols)) + 5
    if diagonal:
        covariances = rng.random((k, cols)) + 0.2
    else:
        root = rng.standard_normal((k, cols, cols)) + 2 * np.eye(cols)
        covariances = root @ root.transpose(0, 2, 1) + 0.1 * np.eye(cols)
    model = MixtureModel("diag" if diagonal else "full", equal_priors=False, reg_covar=0.0)
    components = model.prepared(weights, means, covariances)
    return X, components, model, model.matrices(components)


@settings(derandomize=True, max_examples=25, deadline=None)
@given(
    rows=st.integers(0, 70),
    cols=st.integers(1, 7),
    k=st.integers(1, 4),
    missing=st.sampled_from([0.0, 0.05, 0.4, 1.0]),
    weighted=st.booleans(),
    diagonal=st.booleans(),
    seed=st.integers(0, 99),
)
def test_agrees_with_the_twin(rows, cols, k, missing, weighted, diagonal, seed):
    X, components, model, matrices = mixture(rows, cols, k, missing, seed, diagonal=diagonal)
    arguments = components.arguments(model)
    joint = log_joint(X, components.weights, components.means, matrices)
    assert_allclose(_native.mixture_joint(X, *arguments, 1), joint, rtol=1e-9, atol=1e-9)
    w = np.random.default_rng(seed).integers(0, 4, rows) * 1.0 if weighted else np.ones(rows)
    p, totals = posterior(joint)
    for known in (None, np.ascontiguousarray(p[:, ::-1])):
        flat = _native.mixture_sums(X, w if weighted else None, known, *arguments)
        sums = Sums.of(flat, k, cols, diagonal=diagonal)
        shares = p if known is None else known
        mass, first, second = em_sums(X, w, shares, components.means, matrices)
        if diagonal:
            second = np.diagonal(second, axis1=1, axis2=2)
        assert sums.log_likelihood == pytest.approx((w * totals).sum() if known is None else 0.0, rel=1e-9)
        assert_allclose(sums.mass, mass, rtol=1e-9, atol=1e-9)
        assert_allclose(sums.first, first, rtol=1e-9, atol=1e-7)
        assert_allclose(sums.second, second, rtol=1e-9, atol=1e-7)


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_densities_do_not_depend_on_threads_or_other_rows(missing):
    X, components, model, _ = mixture(9000, 5, 3, missing, 0, diagonal=False)
    arguments = components.arguments(model)
    whole = _native.mixture_joint(X, *arguments, 1)
    assert_array_equal(_native.mixture_joint(X, *arguments, 3), whole)
    alone = [_native.mixture_joint(X[i : i + 1], *arguments, 1)[0] for i in range(0, 9000, 301)]
    assert_array_equal(whole[::301], alone)


def test_components_with_one_matrix_are_whitened_once_and_exactly():
    X, components, _, _ = mixture(500, 4, 3, 0.0, 1, diagonal=False)
    model = MixtureModel("tied", equal_priors=False, reg_covar=0.0)
    far = 1e8  # seen from the origin, nothing of the differences would be left
    tied = model.prepared(components.weights, components.means + far, components.covariances[0])
    joint = log_joint(X, components.weights, components.means, np.tile(components.covariances[0], (3, 1, 1)))
    assert_allclose(_native.mixture_joint(X + far, *tied.arguments(model), 1), joint, rtol=1e-6)


def test_rows_beyond_all_scales_have_finite_logs():
    X = np.array([[1e308, -1e308], [np.inf, 0.0], [0.0, 0.0]])
    _, components, model, _ = mixture(1, 2, 2, 0.0, 0, diagonal=False)
    joint = _native.mixture_joint(X, *components.arguments(model), 1)
    assert np.isfinite(joint).all()
    assert (joint[:2] < -1e300).all()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"means": np.zeros((2, 4))}, "means must have one row per component and one column per column of X"),
        ({"whiten": np.ones((2, 3))}, "whiten must be 6 x 3; it is 2 x 3"),
        ({"whiten": np.zeros((6, 3))}, "whiten must have positive diagonals; that of component 0"),
        ({"whiten": np.full((6, 3), np.nan)}, "whiten must be finite"),
        ({"whiten": np.zeros((2, 3)), "diagonal": True}, "whiten must be positive; component 0"),
        ({"scales": np.zeros(3)}, "scales must have one entry per component; they have 3 for 2"),
        ({"scales": np.array([0.0, -np.inf])}, "scales must be finite; entry 1 is -inf"),
        ({"w": np.ones(4)}, "w must have one entry per row of X; it has 4 for 5 rows"),
        ({"given": np.ones((5, 3))}, "given must have one row per row of X and one column per component"),
    ],
)
def test_wrong_arguments_are_refused(changed, message):
    good = {
        "X": np.zeros((5, 3)),
        "w": None,
        "given": None,
        "means": np.zeros((2, 3)),
        "whiten": np.tile(np.eye(3), (2, 1)),
        "scales": np.zeros(2),
        "diagonal": False,
    }
    assert len(_native.mixture_sums(**good)) == 1 + 2 * (1 + 3 + 6)
    with pytest.raises(ValueError, match=message):
        _native.mixture_sums(**(good | changed))
