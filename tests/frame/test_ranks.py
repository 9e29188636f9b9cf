"""Numbers by rank, from counts of their bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.frame import Block, Blocks, Rank, Schema, ranked


def numbers(block):
    return block.X


def blocks_of(X, w=None):
    return Blocks.of(Block(X, None, w), Schema((), named=False), 1)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    st.lists(st.floats(allow_nan=False, width=64), min_size=1, max_size=40),
    st.integers(0, 39),
)
def test_each_number_is_found_by_its_rank(values, place):
    column = np.array(values)
    place = min(place, len(column) - 1)
    rows = blocks_of(np.column_stack([column[::-1], column]))
    ranks = [Rank(1, float(place), beyond=True), Rank(0, place + 1.0)]
    assert ranked(rows, numbers, ranks) == [np.sort(column)[place]] * 2


def test_ranks_over_many_rows_leave_out_what_is_missing_or_has_no_weight():
    draw = np.random.default_rng(0)
    X = draw.normal(size=(20_000, 2))
    X[::7, 0] = np.nan
    w = draw.integers(0, 3, len(X)).astype(float)
    for j in (0, 1):
        known = np.flatnonzero((w > 0) & ~np.isnan(X[:, j]))
        repeated = np.sort(np.repeat(X[known, j], w[known].astype(int)))
        wanted = [0, 1, 1234, len(repeated) - 1]
        got = ranked(blocks_of(X, w), numbers, [Rank(j, float(k), beyond=True) for k in wanted])
        assert got == repeated[wanted].tolist()


def test_a_column_without_numbers_is_refused():
    with pytest.raises(ValueError, match="Column 0 has no numbers to rank"):
        ranked(blocks_of(np.array([[np.nan]])), numbers, [Rank(0, 0.0)])
    assert ranked(blocks_of(np.ones((1, 1))), numbers, []) == []
