"""A carry: values of every row that live from pass to pass, wherever the rows are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import hornbook
from hornbook import Blocks, Frame
from hornbook.frame import Streamed
from hornbook.frame.rows import _rows
from hornbook.frame.rows._block import blocks_of
from hornbook.frame.rows._carry import Store
from hornbook.frame.rows._team import KeptTeam


def totals_so_far(block, factors=()):
    values = block.X.numbers[:, 0]
    return (np.sum([factor * values for factor in factors], axis=0) + np.zeros(len(block)),)


def add_up(block, kept, factor):
    (before,) = kept
    after = before + factor * block.X.numbers[:, 0]
    return float(after.sum()), (after,)


def add_up_into(block, kept, free, factor):
    np.add(kept[0], factor * block.X.numbers[:, 0], out=free[0])
    if factor < 0 and block.start > 20_000:
        raise RuntimeError("late")
    return float(free[0].sum()), free


def table(n=30_000):
    return np.arange(n, dtype=float)[:, None]


def blocks_in(kind, X, n_jobs=2):
    edges = [0, 100, 7000, 7001, len(X)]
    frames = [Frame(X[a:b]) for a, b in pairwise(edges)]
    if kind == "memory":
        return Blocks(frames, n_jobs=n_jobs)
    rows = Streamed(lambda: blocks_of(frames), len(X), held=5000, team=KeptTeam(n_jobs))
    return Blocks.over(rows, frames[0].schema)


@pytest.mark.parametrize("kind", ["memory", "streamed"])
@pytest.mark.parametrize("together", [1, 4])
def test_values_live_from_pass_to_pass(kind, together, monkeypatch):
    monkeypatch.setattr(_rows, "CARRIED", 100_000)  # the rest goes to a temporary file
    X = table()
    blocks = blocks_in(kind, X)
    carry = blocks.carry(totals_so_far)
    for factors in ([2.0], [2.0, 3.0], [2.0, 3.0, 5.0]):
        total = blocks.reduce(add_up, factors[-1], carry=carry, together=together)
        carry.state = (factors,)
        assert total == sum(factors) * X.sum()
        assert carry.store.in_memory <= (100_000 if kind == "streamed" else 8 * len(X))
    np.testing.assert_array_equal(carry.gather()[0], 10.0 * X[:, 0])


def test_lost_values_are_made_of_state_and_rows():
    blocks = blocks_in("memory", table())
    carry = blocks.carry(totals_so_far)
    blocks.reduce(add_up, 2.0, carry=carry)
    carry.state = ([2.0],)
    carry.store.drop(8192)
    assert blocks.reduce(add_up, 3.0, carry=carry) == 5.0 * table().sum()


def test_a_pass_that_fails_changes_nothing():
    blocks = blocks_in("memory", table())
    carry = blocks.carry(totals_so_far)
    blocks.reduce(add_up, 2.0, carry=carry)

    def fail_late(block, kept, factor):
        if block.start > 20_000:
            raise RuntimeError("late")
        return add_up(block, kept, factor)

    with pytest.raises(RuntimeError, match="late"):
        blocks.reduce(fail_late, 3.0, carry=carry)
    np.testing.assert_array_equal(carry.gather()[0], 2.0 * table()[:, 0])


@pytest.mark.parametrize("kind", ["memory", "streamed"])
def test_passes_fill_two_buffers_in_turn(kind, monkeypatch):
    monkeypatch.setattr(_rows, "CARRIED", 100_000)
    blocks = blocks_in(kind, table())
    carry = blocks.carry(totals_so_far, double_buffered=True)
    places = []
    for total, factor in ((2.0, 2.0), (5.0, 3.0), (10.0, 5.0), (17.0, 7.0)):
        assert blocks.reduce(add_up_into, factor, carry=carry) == total * table().sum()
        with pytest.raises(RuntimeError, match="late"):
            blocks.reduce(add_up_into, -1.0, carry=carry)
        np.testing.assert_array_equal(carry.gather()[0], total * table()[:, 0])
        places.append(carry.store.get(0)[0].ctypes.data)
    assert places[0] == places[2] != places[1] == places[3]
    with pytest.raises(ValueError, match="cannot be kept as rows"):
        blocks.kept(carry)


def test_a_store_spills_several_arrays_of_any_shape():
    store = Store(limit=0)
    arrays = (np.arange(6).reshape(3, 2), np.array([1.5, np.nan, -0.0], dtype=np.float32), np.zeros(0))
    store.put(0, arrays)
    store.put(3, arrays[:1])
    assert (store.in_memory, store.starts()) == (0, [0, 3])
    for one, other in zip(store.get(0), arrays, strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype
    assert store.get(6) is None


def test_fold_goes_through_rows_in_order():
    def append(block, lengths, power):
        return [*lengths, (block.start, len(block) ** power)]

    for kind in ("memory", "streamed"):
        assert blocks_in(kind, table(9000)).fold(append, [], 1) == [(0, 4096), (4096, 4096), (8192, 808)]


@pytest.mark.parametrize("kind", ["memory", "streamed"])
def test_rows_are_taken_by_number_and_chosen_by_value(kind):
    blocks = blocks_in(kind, table(9000))
    assert blocks.take([8999, 0, 7000, 7000]).X.numbers[:, 0].tolist() == [8999.0, 0.0, 7000.0, 7000.0]
    with pytest.raises(IndexError, match="there are 9000 rows"):
        blocks.take([9000])
    few = blocks.where(lambda block: block.X.numbers[:, 0] % 3 == 0)
    assert few.n_rows == 3000
    assert few.reduce(lambda block: block.X.numbers.sum()) == np.arange(0, 9000, 3).sum()


def test_a_file_is_read_no_further_than_needed(tmp_path):
    (tmp_path / "rows.csv").write_text("a\n" + "\n".join(map(str, range(5000))))
    blocks = hornbook.scan(tmp_path / "rows.csv", batch_rows=1000)
    seen = []
    blocks.map(lambda block: seen.append(block.start) or block).take([1500])
    assert seen == [0, 1000]
