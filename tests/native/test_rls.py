"""rls_pass against its twin."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import rls as oracle

from hornbook import _native


@settings(derandomize=True, max_examples=100, deadline=None)
@given(
    rows=st.integers(0, 30),
    cols=st.integers(1, 6),
    targets=st.integers(1, 3),
    weighted=st.booleans(),
    delta=st.sampled_from([0.1, 3.0]),
    seed=st.integers(0, 2**32),
)
def test_agrees_with_the_twin(rows, cols, targets, weighted, delta, seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(rows, cols)), rng.normal(size=(rows, targets))
    w = rng.integers(0, 4, rows) / 2 if weighted else None
    start = np.sqrt(delta) * np.eye(cols), np.zeros((cols, targets))
    R, Z, errors = _native.rls_pass(X, Y, w, *start)
    A, B, expected = oracle.rls_pass(X, Y, w, delta * np.eye(cols), np.zeros((cols, targets)))
    np.testing.assert_allclose(R.T @ R, A, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(R.T @ Z, B, rtol=1e-9, atol=1e-9)
    assert errors == pytest.approx(expected, rel=1e-8, abs=1e-8)
    assert (np.tril(R, -1) == 0).all()


def test_without_a_start_coefficients_are_zero_until_there_are_rows():
    X, Y = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([[3.0], [4.0]])
    R, Z, errors = _native.rls_pass(X, Y, None, np.zeros((2, 2)), np.zeros((2, 1)))
    assert errors == 25.0
    np.testing.assert_allclose(np.linalg.solve(R, Z), [[3.0], [2.0]])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"Y": np.zeros((1, 1))}, "Y must have one row per row of X; it has 1 for 2 rows."),
        ({"w": np.ones(3)}, "w must have one entry per row of X; it has 3 for 2 rows."),
        ({"w": np.array([1.0, -1.0])}, "w must be 0 or more; row 1 has -1."),
        ({"factor": np.zeros((2, 3))}, "factor must be square with one row per column of X; it is 2 x 3"),
        (
            {"targets": np.zeros((3, 2))},
            "targets must have one row per column of X and one column per column",
        ),
    ],
)
def test_refusals(change, sentence):
    usual = {"X": np.zeros((2, 3)), "Y": np.zeros((2, 1)), "w": None}
    usual |= {"factor": np.zeros((3, 3)), "targets": np.zeros((3, 1))}
    with pytest.raises(ValueError, match=re.escape(sentence)):
        _native.rls_pass(**(usual | change))
