"""Combinations of levels with missing cells: the same sums, however they are computed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hornbook.bayes.models._joint_table as joint_table
from hornbook.bayes.models._joint_table import JointCounts, JointTable


def drawn(seed, n_rows=40, n_queries=60, n_columns=4):
    """Rows with gaps, classes and weights, and other rows with gaps and levels that never occurred."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 3, (n_rows, n_columns)).astype(np.int32)
    y, w = rng.integers(0, 2, n_rows).astype(np.int32), rng.uniform(0.0, 2.0, n_rows)
    queries = rng.integers(-1, 4, (n_queries, n_columns)).astype(np.int32)
    return codes, y, w, queries


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_a_row_agrees_with_all_combinations_that_have_what_it_knows(seed):
    codes, y, w, queries = drawn(seed)
    counts = JointCounts.of(codes, y, w, 2)
    weight = np.where(y[:, None] == [0, 1], w[:, None], 0.0)
    known = queries >= 0
    agree = ((codes == queries[:, None]) | ~known[:, None]).all(axis=2)
    np.testing.assert_allclose(counts.agreeing(queries), agree @ weight, rtol=1e-12, atol=1e-15)
    covers = ((codes >= 0) | ~known[:, None]).all(axis=2)
    np.testing.assert_allclose(counts.totals(known), covers @ weight, rtol=1e-12)


@pytest.mark.parametrize(("many", "pairs"), [(1, 1), (10**9, 1), (10**9, 10**9), (5, 200)])
@pytest.mark.parametrize("smoothing", ["laplace", "zero_only", "none"])
def test_every_way_to_find_combinations_gives_the_same_to_the_last_bit(monkeypatch, many, pairs, smoothing):
    codes, y, w, queries = drawn(7, n_rows=300, n_queries=400)
    table = JointTable(JointCounts.of(codes, y, w, 2), np.full(4, 4, dtype=np.int32), smoothing, 0.5)
    expected = table.log_probability(queries)
    monkeypatch.setattr(joint_table, "MANY", many)
    monkeypatch.setattr(joint_table, "PAIRS", pairs)
    np.testing.assert_array_equal(table.log_probability(queries), expected)
    alone = [table.log_probability(row[None])[0] for row in queries[:20]]
    np.testing.assert_array_equal(alone, expected[:20])
