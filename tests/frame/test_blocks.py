"""Blocks: the same sums for any cut of the rows and any number of threads."""

from __future__ import annotations

from itertools import pairwise
from threading import get_ident
from time import sleep

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from hornbook.frame import Block, Blocks, Frame, Moments
from hornbook.frame.rows import _rows
from hornbook.frame.rows._block import chunks_of


def blocks_of(values, cuts, n_jobs=1):
    edges = [0, *sorted(set(cuts) - {0, len(values)}), len(values)]
    frames = [Frame(values[a:b, None]) for a, b in pairwise(edges)]
    return Blocks(frames, n_jobs=n_jobs)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(n=st.integers(1, 20_000), cuts=st.lists(st.integers(0, 20_000), max_size=6))
def test_chunks_are_4096_rows_by_global_row(n, cuts):
    values = np.arange(n, dtype=float)
    pieces = list(chunks_of(blocks_of(values, [c for c in cuts if c < n])))
    assert [chunk.start for chunk in pieces] == list(range(0, n, 4096))
    chunks = [chunk.X.numbers[:, 0] for chunk in pieces]
    assert [len(chunk) for chunk in chunks[:-1]] == [4096] * (len(chunks) - 1)
    assert 1 <= len(chunks[-1]) <= 4096
    np.testing.assert_array_equal(np.concatenate(chunks), values)


@settings(derandomize=True, max_examples=30, deadline=None)
@given(cuts=st.lists(st.integers(0, 99_999), max_size=5), n_jobs=st.integers(1, 5))
def test_sum_has_the_same_bits_for_any_blocks_and_threads(cuts, n_jobs):
    values = np.random.default_rng(0).normal(size=100_000) * 10.0 ** np.arange(-10, 10).repeat(5000)
    expected = blocks_of(values, []).reduce(lambda block: block.X.numbers.sum())
    assert blocks_of(values, cuts, n_jobs).reduce(lambda block: block.X.numbers.sum()) == expected


@pytest.mark.parametrize(
    ("n_chunks", "shape"),
    [
        (1, "0"),
        (2, "(01)"),
        (3, "((01)2)"),
        (4, "((01)(23))"),
        (5, "(((01)(23))4)"),
        (7, "(((01)(23))((45)6))"),
    ],
)
def test_merging_is_pairwise_in_order(n_chunks, shape):
    values = np.repeat(np.arange(n_chunks, dtype=float), 4096)
    for n_jobs in (1, 2):
        merged = blocks_of(values, [100, 5000], n_jobs).reduce(
            lambda block: str(int(block.X.numbers[0, 0])), merge=lambda one, other: f"({one}{other})"
        )
        assert merged == shape


def test_state_target_and_weights_reach_the_function():
    frame = Frame({"a": [1.0, 2.0], "y": [0.0, 1.0], "w": [3.0, 4.0]}, target="y", weight="w")
    total = Blocks([frame, frame]).reduce(lambda block, power: (block.w * block.y**power).sum(), 2)
    assert total == 8.0


def test_map_and_to_frame():
    frames = [Frame({"a": [1.0, 2.0]}), Frame({"a": [3.0]})]
    blocks = Blocks(frames)
    doubled = blocks.map(lambda block: Block(block.X.numbers * 2))
    assert doubled.reduce(lambda block: block.X.sum()) == 12.0
    assert blocks.to_frame().numbers[:, 0].tolist() == [1.0, 2.0, 3.0]
    assert Blocks(frames[0]).to_frame() is frames[0]
    assert blocks.n_rows == 3
    assert [len(block) for block in blocks] == [2, 1]


def test_numpy_libraries_run_on_one_thread_inside():
    def blas_threads(block):
        return max([lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"], default=1)

    assert blocks_of(np.arange(3.0), []).reduce(blas_threads) == 1


def test_exception_in_a_thread_comes_out():
    def fail(block):
        if block.X.numbers[0, 0] >= 40_000:
            raise RuntimeError("row forty thousand")
        return 0

    with pytest.raises(RuntimeError, match="row forty thousand"):
        blocks_of(np.arange(100_000.0), [], n_jobs=3).reduce(fail)


def test_refusals():
    with pytest.raises(ValueError, match="Blocks need at least one Frame"):
        Blocks([])
    with pytest.raises(ValueError, match="Block 1 has other columns"):
        Blocks([Frame({"a": [1.0]}), Frame({"b": [1.0]})])
    with pytest.raises(ValueError, match="no rows"):
        Blocks(Frame(np.empty((0, 2)))).reduce(len)


@settings(derandomize=True, max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 9999), n=st.integers(2, 50), cut=st.integers(1, 49), shift=st.sampled_from([0.0, 1e9])
)
def test_merged_moments_equal_those_of_all_rows(seed, n, cut, shift):
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, 3)) + shift
    X[draw.random((n, 3)) < 0.2] = np.nan
    y, w = draw.integers(0, 2, n).astype(np.int32), draw.integers(0, 3, n).astype(float)
    cut = min(cut, n - 1)
    whole = Moments.of(X, y, w, 2)
    parts = Moments.of(X[:cut], y[:cut], w[:cut], 2).merge(Moments.of(X[cut:], y[cut:], w[cut:], 2))
    np.testing.assert_allclose(parts.mass, whole.mass)
    np.testing.assert_allclose(parts.mean, whole.mean, rtol=1e-12)
    np.testing.assert_allclose(parts.scatter, whole.scatter, rtol=1e-6, atol=1e-6)
    for c in range(2):
        for j in range(3):
            own = (y == c) & ~np.isnan(X[:, j])
            repeated = np.repeat(X[own, j], w[own].astype(int))
            if len(repeated) > 1:
                assert whole.variance()[c, j] == pytest.approx(repeated.var(), rel=1e-6, abs=1e-6)
                assert whole.variance(unbiased=True)[c, j] == pytest.approx(
                    repeated.var(ddof=1), rel=1e-6, abs=1e-6
                )
    known = ~np.isnan(X)
    pooled = whole.pooled()
    np.testing.assert_allclose(pooled.mass[0], (w[:, None] * known).sum(axis=0))


@pytest.mark.parametrize("n", [3 * 4096, 5 * 4096 + 7])
def test_few_chunks_are_shared_if_they_take_long(n, monkeypatch):
    def quick(block):
        return {get_ident()}, block.X.numbers.sum()

    def slow(block):
        sleep(0.02)
        return quick(block)

    def merge(one, other):
        return one[0] | other[0], one[1] + other[1]

    values = np.random.default_rng(0).normal(size=n)
    here, total = blocks_of(values, []).reduce(slow, merge=merge)
    assert here == {get_ident()}
    threads, same = blocks_of(values, [], 2).reduce(slow, merge=merge)
    assert len(threads) > 1
    assert same == total
    monkeypatch.setattr(_rows, "WORTH", 60.0)  # what is done sooner stays here
    assert blocks_of(values, [], 2).reduce(quick, merge=merge) == (here, total)
