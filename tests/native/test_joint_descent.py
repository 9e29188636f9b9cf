"""Passes of dual descent for all classes at once against their twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from tests.oracles.svm import joint_step

from hornbook import _native


def passes(X, y, costs, k, constant, number, *, limit=np.inf, seed=0):
    n, d = X.shape
    rows = csr_array(X)
    a, w, order, active = np.zeros(n * k), np.zeros((d + 1) * k), np.arange(n), n
    table = (rows.data, rows.indices.astype(np.int32), rows.indptr.astype(np.int64), d)
    for i in range(number):
        violation, active = _native.joint_descent_pass(
            *table, constant, y, costs, k, a, w, order, active, limit, seed, i
        )
        yield a.reshape(n, k), w.reshape(d + 1, k), order, violation, active


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    n=st.integers(1, 12),
    d=st.integers(0, 9),
    k=st.integers(2, 9),
    constant=st.sampled_from([0.0, 1.0, 2.5]),
    seed=st.integers(0, 2**32),
)
def test_agrees_with_the_twin(n, d, k, constant, seed):
    draw = np.random.default_rng(seed)
    X = draw.integers(-3, 4, (n, d)) * (draw.random((n, d)) < 0.6).astype(float)
    y, costs = draw.integers(k, size=n), draw.uniform(0.1, 2.0, n)
    rows, mine = np.column_stack([X, np.full(n, constant)]), np.zeros((n, k))
    for a, w, order, violation, active in passes(X, y, costs, k, constant, 3, seed=seed):
        most = 0.0
        for i in order:
            curvature = float(rows[i] @ rows[i])
            slopes = rows[i] @ (rows.T @ mine) + (np.arange(k) != y[i])
            if curvature == 0:
                continue
            bounds = np.where(np.arange(k) == y[i], costs[i], 0.0)
            below = mine[i] < bounds - 1e-12
            most = max(most, slopes.max() - slopes[below].min() if below.any() else 0.0)
            mine[i] = joint_step(slopes - curvature * mine[i], y[i], costs[i], curvature)
        assert active == n  # without a limit all rows take part
        np.testing.assert_allclose(a, mine, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(w, rows.T @ mine, rtol=1e-8, atol=1e-9)
        assert violation == pytest.approx(most, rel=1e-6, abs=1e-8)
        mine = a.copy()  # so that rounding does not add up


def test_rows_are_left_out_when_their_class_leads():
    draw = np.random.default_rng(0)
    y = draw.integers(3, size=300)
    X = 3.0 * np.eye(3)[y] + draw.normal(size=(300, 3))
    active = [state[4] for state in passes(X, y, np.ones(300), 3, 1.0, 3, limit=0.1)]
    assert active[2] < 250


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"y": np.array([0, 3])}, "class 3 is not among 3"),
        ({"y": np.array([0])}, "every row needs a class and a cost"),
        ({"n_classes": 1}, "n_classes must be at least 2"),
        ({"n_classes": 2**62}, "entries is not possible"),
        ({"values": np.zeros(5)}, "values must have one entry"),
        ({"weights": np.zeros(8)}, "weights must have one entry"),
        ({"order": np.array([0, 2])}, "order names row 2"),
        ({"n_active": 3}, "n_active must be at most"),
        (
            {"weights": np.where(np.arange(9) == 1, np.nan, 0.0)},
            "row 0 has products with the weights that are not finite",
        ),
    ],
)
def test_what_would_be_read_beyond_its_end_is_refused(changes, sentence):
    call = {
        "y": np.array([0, 2]),
        "costs": np.ones(2),
        "n_classes": 3,
        "values": np.zeros(6),
        "weights": np.zeros(9),
        "order": np.array([0, 0]),
        "n_active": 2,
        **changes,
    }
    rows = np.ones(3), np.array([0, 1, 0], dtype=np.int32), np.array([0, 2, 3]), 2
    with pytest.raises(ValueError, match=sentence):
        _native.joint_descent_pass(*rows, 1.0, *call.values(), np.inf, 0, 0)
