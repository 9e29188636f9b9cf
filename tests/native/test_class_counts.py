"""Weighted counts of each class and level."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from tests.oracles.class_stats import class_counts

from hornbook import _native


def ints(*values):
    return np.array(values, np.int32)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(
    rows=st.integers(0, 4) | st.integers(0, 300),
    levels=st.lists(st.integers(0, 9), max_size=20),
    n_classes=st.integers(1, 5) | st.integers(1, 60),
    weighted=st.booleans(),
    seed=st.integers(0, 99),
)
def test_agrees_with_the_twin(rows, levels, n_classes, weighted, seed):
    rng = np.random.default_rng(seed)
    codes = np.zeros((rows, len(levels)), np.int32)
    for j, m in enumerate(levels):
        codes[:, j] = rng.integers(-1, m, rows)
    y = rng.integers(0, n_classes, rows).astype(np.int32)
    w = rng.random(rows) if weighted else None
    n_levels = np.array(levels, np.int32)
    counts = _native.class_counts(codes, y, w, n_levels, n_classes)
    assert_allclose(counts, class_counts(codes, y, w, n_levels, n_classes), rtol=1e-13, atol=0)


def test_counts_of_known_cells_add_up_to_the_rows():
    rng = np.random.default_rng(0)
    codes = rng.integers(-1, 6, (5000, 3)).astype(np.int32)
    counts = _native.class_counts(codes, np.zeros(5000, np.int32), None, ints(6, 6, 6), 1)
    known = (codes >= 0).sum(axis=0)
    assert counts.reshape(3, 6).sum(axis=1).tolist() == known.tolist()


@pytest.mark.parametrize(
    ("codes", "y", "w", "n_levels", "n_classes", "sentence"),
    [
        (
            ints(0, 2)[:, None],
            ints(0, 0),
            None,
            ints(2),
            1,
            "row 1, column 0 has 2 but the column has 2 levels.",
        ),
        (ints(0, -2)[:, None], ints(0, 0), None, ints(2), 1, "row 1, column 0 has -2 but the column has 2"),
        (ints(2**31 - 1)[:, None], ints(0), None, ints(2), 1, "row 0, column 0 has 2147483647 but"),
        (ints(-(2**31))[:, None], ints(0), None, ints(2**24), 1, "row 0, column 0 has -2147483648 but"),
        (ints(0)[:, None], ints(0), None, ints(0), 1, "row 0, column 0 has 0 but the column has 0 levels."),
        (ints(0)[:, None], ints(1), None, ints(1), 1, "y must hold classes from 0 to 0; row 0 has 1."),
        (ints(0)[:, None], ints(-1), None, ints(1), 1, "y must hold classes from 0 to 0; row 0 has -1."),
        (ints(0)[:, None], ints(0, 0), None, ints(1), 1, "y must have one entry per row of codes; it has 2"),
        (
            ints(0)[:, None],
            ints(0),
            np.ones(2),
            ints(1),
            1,
            "w must have one entry per row of codes; it has 2",
        ),
        (
            ints(0)[:, None],
            ints(0),
            None,
            ints(1, 1),
            1,
            "n_levels must have one entry per column of codes; it has 2",
        ),
        (ints(0)[:, None], ints(0), None, ints(-3), 1, "n_levels must not be negative; column 0 has -3."),
        (ints(0)[:, None], ints(0), None, ints(1), 0, "n_classes must be at least 1; got 0."),
        (ints(0)[:, None], ints(0), None, ints(1), 2**63 - 1, "n_classes must be at most 16777216"),
    ],
)
def test_refusals(codes, y, w, n_levels, n_classes, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        _native.class_counts(codes, y, w, n_levels, n_classes)


@pytest.mark.parametrize("position", range(4))
def test_nothing_is_converted(position):
    arguments = [ints(0)[:, None], ints(0), np.ones(1), ints(1)]
    arguments[position] = arguments[position].astype(np.int64)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        _native.class_counts(*arguments, 1)
