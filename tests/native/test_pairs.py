"""Counts of pairs, and sums over parents: twins, gaps, threads, refusals."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from tests.oracles.pairs import aode_joint, aode_terms, pair_counts

from hornbook import _native


def ints(*values):
    return np.array(values, np.int32)


ZERO = ints(0)[:, None]


def table(rows, levels, n_classes, seed):
    rng = np.random.default_rng(seed)
    codes = np.zeros((rows, len(levels)), np.int32)
    for j, m in enumerate(levels):
        codes[:, j] = rng.integers(-1, m, rows)
    return codes, rng.integers(0, n_classes, rows).astype(np.int32), np.array(levels, np.int32), rng


shapes = {
    "rows": st.integers(0, 4) | st.integers(0, 300),
    "levels": st.lists(st.integers(0, 6), max_size=7),
    "n_classes": st.integers(1, 4) | st.integers(1, 30),
    "seed": st.integers(0, 99),
    "threads": st.integers(1, 4),
}


@settings(derandomize=True, max_examples=120, deadline=None)
@given(weighted=st.booleans(), **shapes)
def test_counts_agree_with_the_twin(rows, levels, n_classes, seed, threads, weighted):
    codes, y, n_levels, rng = table(rows, levels, n_classes, seed)
    w = rng.random(rows) if weighted else None
    parents = ints(*rng.permutation(len(levels))[: rng.integers(0, len(levels) + 1)])
    counts = _native.pair_counts(codes, y, w, n_levels, parents, n_classes, threads)
    judged = pair_counts(codes, y, w, n_levels, parents, n_classes)
    assert counts.shape == judged.shape
    assert_allclose(counts, judged, rtol=1e-12, atol=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [1, 3])
@pytest.mark.parametrize("parents", [range(9), range(8, -1, -1), [2, 5], [7]])
def test_columns_counted_in_bundles_are_counted_like_single_ones(n_classes, parents):
    # So many rows that neighbors share one code, a column of 200 levels and one without any alone.
    codes, y, n_levels, rng = table(20_000, [2, 3, 2, 200, 1, 4, 0, 2, 3], n_classes, 5)
    for w in (None, rng.integers(0, 3, 20_000).astype(float), rng.random(20_000)):
        counts = _native.pair_counts(codes, y, w, n_levels, ints(*parents), n_classes, 2)
        judged = pair_counts(codes, y, w, n_levels, parents, n_classes)
        assert_allclose(counts, judged, rtol=1e-11, atol=0 if w is None else 1e-12)


@settings(derandomize=True, max_examples=120, deadline=None)
@given(more=st.booleans(), **shapes)
def test_sums_over_parents_agree_with_the_twin(rows, levels, n_classes, seed, threads, more):
    codes, _, n_levels, rng = table(rows, levels, n_classes, seed)
    total = int(n_levels.sum())
    log_parent, log_pair = np.log(rng.random((total, n_classes))), np.log(rng.random((total**2, n_classes)))
    log_pair[rng.random(log_pair.shape) < 0.02] = -np.inf
    usable = (rng.random(total) < 0.7).astype(np.uint8)
    extra = rng.standard_normal((rows, len(levels) * n_classes)) if more else None
    terms = _native.aode_terms(codes, n_levels, log_parent, log_pair, usable, extra, threads)
    judged = aode_terms(codes, n_levels, log_parent, log_pair, usable, extra)
    assert_allclose(terms.reshape(judged.shape), judged, rtol=1e-12, atol=1e-12)
    joint, parents = _native.aode_joint(codes, n_levels, log_parent, log_pair, usable, extra, threads)
    judged, count = aode_joint(codes, n_levels, usable, judged)
    assert_array_equal(parents, count)
    assert_allclose(joint, judged, rtol=1e-11, atol=1e-11)


def test_no_result_depends_on_the_threads():
    codes, y, n_levels, rng = table(5000, [4, 3, 5, 2], 3, 0)
    w = rng.random(5000)
    every = ints(0, 1, 2, 3)
    one = _native.pair_counts(codes, y, w, n_levels, every, 3, 1)
    tables = np.log(rng.random((14, 3))), np.log(rng.random((196, 3))), np.ones(14, np.uint8)
    alone = _native.aode_joint(codes, n_levels, *tables, None, 1)[0]
    terms = _native.aode_terms(codes, n_levels, *tables, None, 1)
    for threads in (2, 3, 5):
        assert_array_equal(_native.aode_terms(codes, n_levels, *tables, None, threads), terms)
        assert_array_equal(_native.pair_counts(codes, y, w, n_levels, every, 3, threads), one)
        assert_array_equal(_native.aode_joint(codes, n_levels, *tables, None, threads)[0], alone)


def test_a_column_with_itself_holds_its_counts():
    codes, y, n_levels, _ = table(200, [3], 1, 1)
    counts = _native.pair_counts(codes, np.zeros_like(y), None, n_levels, ints(0), 1, 1)
    assert_array_equal(counts, np.diag(np.bincount(codes[codes >= 0], minlength=3)))


def ones(*shape):
    return np.ones(shape)


@pytest.mark.parametrize(
    ("codes", "y", "w", "n_levels", "parents", "n_classes", "threads", "sentence"),
    [
        (ints(2)[:, None], ints(0), None, ints(2), ints(0), 1, 1, "row 0, column 0 has 2 but the column"),
        (ZERO, ints(1), None, ints(2), ints(0), 1, 1, "y must hold classes from 0 to 0; row 0"),
        (
            ZERO,
            ints(0, 0),
            None,
            ints(2),
            ints(0),
            1,
            1,
            "y must have one entry per row of codes",
        ),
        (
            ZERO,
            ints(0),
            ones(2),
            ints(2),
            ints(0),
            1,
            1,
            "w must have one entry per row of codes",
        ),
        (
            ZERO,
            ints(0),
            -ones(1),
            ints(2),
            ints(0),
            1,
            1,
            "w must hold finite weights of at least",
        ),
        (
            ZERO,
            ints(0),
            None,
            ints(2),
            ints(1),
            1,
            1,
            "parents must be columns from 0 to 0; entry",
        ),
        (
            ZERO,
            ints(0),
            None,
            ints(2),
            ints(-1),
            1,
            1,
            "parents must be columns from 0 to 0; entry",
        ),
        (
            ZERO,
            ints(0),
            None,
            ints(2, 2),
            ints(0),
            1,
            1,
            "n_levels must have one entry per column",
        ),
        (ZERO, ints(0), None, ints(2), ints(0), 0, 1, "n_classes must be at least 1; got 0."),
        (ZERO, ints(0), None, ints(2), ints(0), 1, 0, "threads must be at least 1; got 0."),
    ],
)
def test_counts_refuse(codes, y, w, n_levels, parents, n_classes, threads, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        _native.pair_counts(codes, y, w, n_levels, parents, n_classes, threads)


@pytest.mark.parametrize(
    ("codes", "log_parent", "log_pair", "usable", "extra", "sentence"),
    [
        (ints(2)[:, None], ones(2, 1), ones(4, 1), 2, None, "row 0, column 0 has 2 but the column has 2"),
        (
            ZERO,
            ones(3, 1),
            ones(4, 1),
            2,
            None,
            "log_parent must have one row per level; it has 3",
        ),
        (ZERO, ones(2, 1), ones(3, 1), 2, None, "log_pair must have one row per pair of levels"),
        (ZERO, ones(2, 1), ones(4, 2), 2, None, "log_pair must have one row per pair of levels"),
        (ZERO, ones(2, 1), ones(4, 1), 3, None, "usable must have one entry per level; it has 3"),
        (ZERO, ones(2, 1), ones(4, 1), 2, ones(1, 2), "extra must have one row per row and one"),
        (ZERO, ones(2, 1), ones(4, 1), 2, ones(2, 1), "extra must have one row per row and one"),
    ],
)
def test_sums_refuse(codes, log_parent, log_pair, usable, extra, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        _native.aode_joint(codes, ints(2), log_parent, log_pair, np.ones(usable, np.uint8), extra, 1)
    with pytest.raises(ValueError, match=re.escape(sentence)):
        _native.aode_terms(codes, ints(2), log_parent, log_pair, np.ones(usable, np.uint8), extra, 1)


@pytest.mark.parametrize("position", range(5))
def test_nothing_is_converted(position):
    arguments = [ZERO, ints(0), ones(1), ints(1), ints(0)]
    arguments[position] = arguments[position].astype(np.float32)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        _native.pair_counts(*arguments, 1, 1)
