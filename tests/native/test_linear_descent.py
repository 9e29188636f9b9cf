"""Passes of dual coordinate descent against their twin, on dense and sparse rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from tests.oracles.svm import descent_step

from hornbook import _native


def problem(n, d, seed, kind):
    draw = np.random.default_rng(seed)
    X = draw.integers(-3, 4, (n, d)).astype(float) * (draw.random((n, d)) < 0.6)
    target, bound, none = draw.normal(size=n), draw.uniform(0.1, 2.0, n), np.zeros(n)
    if kind == "squared":
        return X, (-np.full(n, np.inf), np.full(n, np.inf), target, 0.5 / bound, 0.3)
    if kind == "tube":
        return X, (-bound, bound, target, none, 0.3)
    signs = np.where(target > 0, 1.0, -1.0)
    return X, (np.minimum(signs, 0) * bound, np.maximum(signs, 0) * bound, signs, none, 0.0)


def run(X, terms, constant, *, sparse, passes, limit=np.inf, seed=0):
    n, d = X.shape
    b, w, order = np.zeros(n), np.zeros(d + 1), np.arange(n)
    rows = csr_array(X)
    table = (rows.data, rows.indices.astype(np.int32), rows.indptr.astype(np.int64), d) if sparse else (X,)
    step = _native.sparse_descent_pass if sparse else _native.linear_descent_pass
    orders, results, active = [], [], n
    for number in range(passes):
        violation, active = step(*table, constant, *terms, b, w, order, active, limit, seed, number)
        orders.append(order.copy())
        results.append((violation, active))
    return b, w, orders, results


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    n=st.integers(1, 12),
    d=st.integers(0, 17),
    constant=st.sampled_from([0.0, 1.0, 2.5]),
    kind=st.sampled_from(["sides", "tube", "squared"]),
    sparse=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_agrees_with_the_twin(n, d, constant, kind, sparse, seed):
    X, terms = problem(n, d, seed, kind)
    b, w, orders, results = run(X, terms, constant, sparse=sparse, passes=3, seed=seed)
    rows = np.column_stack([X, np.full(n, constant)])
    mine = np.zeros(n)
    for order, (violation, active) in zip(orders, results, strict=True):
        most = 0.0
        for i in order:
            mine[i], one = descent_step(rows, mine, i, *terms)
            most = max(most, one)
        assert violation == pytest.approx(most, rel=1e-9, abs=1e-12)
        assert active == n  # without a limit all rows take part
    np.testing.assert_allclose(b, mine, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(w, rows.T @ mine, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("sparse", [False, True])
def test_rows_are_shuffled_by_the_seed_and_left_out_when_safe(sparse):
    X, terms = problem(300, 4, 1, "sides")
    _, _, orders, _ = run(X, terms, 1.0, sparse=sparse, passes=2)
    assert sorted(orders[0]) == list(range(300))
    assert not np.array_equal(orders[0], np.arange(300))
    assert not np.array_equal(orders[0], orders[1])
    other = run(X, terms, 1.0, sparse=sparse, passes=2, seed=1)[2]
    assert not np.array_equal(orders[0], other[0])
    _, _, _, results = run(X, terms, 1.0, sparse=sparse, passes=3, limit=0.5)
    assert results[2][1] < 300


def sparse_call(**changes):
    terms = [np.full(2, -1.0), np.ones(2), np.ones(2), np.zeros(2)]
    call = {
        "stored": np.ones(3),
        "columns": np.array([0, 1, 0], dtype=np.int32),
        "offsets": np.array([0, 2, 3]),
        "n_columns": 2,
        "order": np.arange(2),
        "n_active": 2,
        "weights": np.zeros(3),
        **changes,
    }
    return _native.sparse_descent_pass(
        call["stored"], call["columns"], call["offsets"], call["n_columns"], 1.0, *terms, 0.0, np.zeros(2),
        call["weights"], call["order"], call["n_active"], np.inf, 0, 0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"columns": np.array([0, 2, 0], dtype=np.int32)}, "column 2 is not among 2"),
        ({"columns": np.array([0, 1], dtype=np.int32)}, "a column for each stored value"),
        ({"offsets": np.array([0, 4, 3])}, "offsets must ascend"),
        ({"offsets": np.array([0, 2, 2])}, "end with the number of values"),
        ({"order": np.array([0, 2])}, "order names row 2"),
        ({"n_active": 3}, "n_active must be at most"),
        ({"n_columns": 2**63 - 1}, "at most 2147483648 columns"),
        ({"weights": np.zeros(2)}, "weights must have one entry"),
    ],
)
def test_what_would_be_read_beyond_its_end_is_refused(changes, sentence):
    assert sparse_call()[1] == 2
    with pytest.raises(ValueError, match=sentence):
        sparse_call(**changes)
