"""Distances and neighbors of the native core against their plain twins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import distances as oracle

from hornbook import _native

POWERS = st.sampled_from([0.0, 1.0, 2.0, 3.5, np.inf])


def table(seed, n, d, c, *, missing):
    draw = np.random.default_rng(seed)
    # Halves, so that distances are often equal.
    numbers = draw.integers(-4, 5, size=(n, d)) / 2
    codes = draw.integers(0, 3, size=(n, c)).astype(np.int32)
    if missing:
        numbers[draw.random((n, d)) < 0.3] = np.nan
        codes[draw.random((n, c)) < 0.3] = -1
    return numbers, codes


def metric(seed, d, c, power, *, profiled):
    draw = np.random.default_rng(seed + 1)
    profiles = draw.integers(0, 5, size=(3 * c, 2)) / 4.0 if profiled else np.empty((0, 0))
    shares = draw.integers(1, 4, size=d + c).astype(float)
    return power, shares, np.ones(c), np.full(c, 3, dtype=np.int32), profiles


@settings(derandomize=True, max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 70),
    m=st.integers(1, 5),
    d=st.integers(0, 4),
    c=st.integers(0, 3),
    power=POWERS,
    missing=st.booleans(),
    profiled=st.booleans(),
    threads=st.integers(1, 3),
)
def test_brute_force_agrees_with_the_twin(seed, n, m, d, c, power, missing, profiled, threads):
    if d + c == 0:
        d = 1
    rows, queries = table(seed, n, d, c, missing=missing), table(seed + 7, m, d, c, missing=missing)
    how = metric(seed, d, c, power, profiled=profiled and c > 0)
    expected = oracle.pairwise(rows, queries, *how)
    matrix = _native.pairwise(*rows, *queries, *how, threads)
    np.testing.assert_allclose(matrix, expected, rtol=1e-12)

    k = 1 + seed % n
    distances, indices = _native.nearest_brute(*rows, *queries, *how, k, threads)
    np.testing.assert_allclose(distances, oracle.nearest(expected, k)[0], rtol=1e-12)
    if power == 3.5 or missing:  # powers that differ in the last digit may have equal roots
        reached = np.take_along_axis(matrix, np.maximum(indices, 0), axis=1)
        np.testing.assert_array_equal(np.where(indices < 0, np.inf, reached), distances)
    else:
        np.testing.assert_array_equal(indices, oracle.nearest(matrix, k)[1])

    radius = float(np.median(matrix)) if np.isfinite(np.median(matrix)) else 1.0
    offsets, far, who = _native.within_brute(*rows, *queries, *how, radius, threads)
    for i in range(m):
        mine = slice(offsets[i], offsets[i + 1])
        order = np.argsort(matrix[i], kind="stable")
        order = order[matrix[i][order] <= radius]
        assert sorted(who[mine].tolist()) == sorted(order.tolist())
        assert far[mine].tolist() == matrix[i][order].tolist()


@settings(derandomize=True, max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.one_of(st.integers(1, 70), st.integers(200, 2500)),
    d=st.integers(1, 5),
    power=st.sampled_from([1.0, 2.0, 3.5, np.inf]),
    grid=st.booleans(),
    threads=st.integers(1, 3),
)
def test_a_tree_gives_the_answers_of_brute_force_to_the_last_bit(seed, n, d, power, grid, threads):
    draw = np.random.default_rng(seed)
    both = draw.normal(size=(n + 20, d)) * 10.0 ** draw.integers(-3, 4, size=d)
    if grid:
        both = np.round(draw.normal(size=(n + 20, d)))
    rows, queries = both[:n].copy(), both[n:].copy()
    no_codes, no_query_codes = np.empty((n, 0), np.int32), np.empty((20, 0), np.int32)
    how = (power, np.ones(d), np.empty(0), np.empty(0, np.int32), np.empty((0, 0)))
    order, boxes = _native.kd_build(rows, 1)
    assert sorted(order) == list(range(n))
    k = 1 + seed % min(n, 40)
    by_tree = _native.kd_nearest(rows, order, boxes, queries, power, k, threads)
    by_all = _native.nearest_brute(rows, no_codes, queries, no_query_codes, *how, k, threads)
    radius = float(by_all[0][:, -1].mean())
    by_tree += _native.kd_within(rows, order, boxes, queries, power, radius, threads)
    by_all += _native.within_brute(rows, no_codes, queries, no_query_codes, *how, radius, threads)
    for one, other in zip(by_tree, by_all, strict=True):
        np.testing.assert_array_equal(one, other)


def _by_all(rows, queries, k, threads):
    n, d = rows.shape
    how = (2.0, np.ones(d), np.empty(0), np.empty(0, np.int32), np.empty((0, 0)))
    no_codes, no_query_codes = np.empty((n, 0), np.int32), np.empty((len(queries), 0), np.int32)
    return _native.nearest_brute(rows, no_codes, queries, no_query_codes, *how, k, threads)


COLUMNS = {
    "normal": lambda draw, n, d: draw.normal(size=(n, d)),
    "whole": lambda draw, n, d: np.round(3 * draw.normal(size=(n, d))),
    "tenths": lambda draw, n, d: np.round(draw.normal(size=(n, d)), 1),
    "far away": lambda draw, n, d: draw.normal(size=(n, d)) + 1e6,
    "large whole": lambda draw, n, d: draw.integers(0, 2, size=(n, d)) * 2000.0,
    "uneven": lambda draw, n, d: draw.normal(size=(n, d)) * 10.0 ** draw.integers(-9, 9, size=d),
    "small": lambda draw, n, d: draw.normal(size=(n, d)) * 1e-30,
    "tiny": lambda draw, n, d: np.round(draw.normal(size=(n, d))) * 1e-160,
    "huge": lambda draw, n, d: np.round(draw.normal(size=(n, d))) * 1e150,
    "outlier": lambda draw, n, d: np.where(np.arange(n * d).reshape(n, d) == 3, 1e40, draw.random((n, d))),
    "equal": lambda draw, n, d: np.full((n, d), draw.random()),
    "missing": lambda draw, n, d: np.where(draw.random((n, d)) < 0.1, np.nan, draw.random((n, d))),
}


def test_threads_do_not_matter():
    rows = np.random.default_rng(0).normal(size=(5000, 3))
    order, boxes = _native.kd_build(rows, 1)
    one = _native.kd_nearest(rows, order, boxes, rows, 2.0, 4, 1)
    for threads in (2, 5):
        other = _native.kd_nearest(rows, order, boxes, rows, 2.0, 4, threads)
        np.testing.assert_array_equal(one[0], other[0])
        np.testing.assert_array_equal(one[1], other[1])


@pytest.mark.parametrize("kind", ["normal", "whole", "far away", "outlier", "equal", "huge", "tiny"])
@pytest.mark.parametrize("d", [2, 12])
def test_a_tree_that_changes_to_products_gives_the_same_answers(kind, d):
    # With 12 independent columns, most of the tree is within reach of a query.
    both = COLUMNS[kind](np.random.default_rng(d), 1800, d)
    rows, queries = both[:1500].copy(), both[1500:].copy()
    trees = [_native.kd_build(rows, threads) for threads in (1, 2)]
    for one, other in zip(*trees, strict=True):
        np.testing.assert_array_equal(one, other)
    by_tree = _native.kd_nearest(rows, *trees[0], queries, 2.0, 7, 2)
    for one, other in zip(by_tree, _by_all(rows, queries, 7, 1), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("power", [1.0, 2.0, 3.0, np.inf])
@pytest.mark.parametrize("shift", [8, 24, 32])
def test_a_tree_may_lie_anywhere_in_memory(power, shift):
    def moved(array):
        room = np.empty(array.nbytes + 128, dtype=np.uint8)
        start = -room.ctypes.data % 64 + shift
        copy = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
        copy[...] = array
        return copy

    rows = np.random.default_rng(2).normal(size=(500, 3))
    parts = rows, *_native.kd_build(rows, 1), rows
    neighbors = _native.kd_nearest(*map(moved, parts), power, 3, 1)
    np.testing.assert_array_equal(neighbors[1], _native.kd_nearest(*parts, power, 3, 1)[1])


@settings(derandomize=True, max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.one_of(st.integers(1, 300), st.integers(300, 2500)),
    m=st.integers(1, 60),
    d=st.integers(1, 40),
    most=st.sampled_from([5, 40, 400]),
    kind=st.sampled_from(sorted(COLUMNS)),
    threads=st.integers(1, 3),
)
def test_products_give_the_answers_of_brute_force_to_the_last_bit(seed, n, m, d, most, kind, threads):
    draw = np.random.default_rng(seed)
    both = COLUMNS[kind](draw, n + m, d)
    both[n] = both[draw.integers(n)]  # a query that is also a row
    rows, queries = both[:n].copy(), both[n:].copy()
    k = 1 + seed % min(n, most)
    one = _native.nearest_products(rows, queries, k, threads)
    for mine, other in zip(one, _by_all(rows, queries, k, 1), strict=True):
        np.testing.assert_array_equal(mine, other)


def test_products_of_ties_take_the_lower_indices():
    # All rows but the last are as far away as each other, in whole numbers and in halves.
    for unit in (1.0, 0.3):
        rows = np.tile(np.eye(10) * unit, (300, 1))
        rows[-1] = 0.0
        distances, indices = _native.nearest_products(rows, np.zeros((3, 10)), 5, 2)
        assert indices.tolist() == [[2999, 0, 1, 2, 3]] * 3
        assert distances.tolist() == [[0.0] + [unit] * 4] * 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"queries": np.zeros((1, 3))}, "columns of the rows"),
        ({"rows": np.empty((4, 0)), "queries": np.empty((1, 0))}, "at least one column"),
        ({"rows": np.empty((0, 2))}, "k must be"),
        ({"k": 0}, "k must be"),
        ({"k": 5}, "k must be"),
        ({"threads": 0}, "threads"),
    ],
)
def test_wrong_products_are_refused(change, message):
    good = {"rows": np.zeros((4, 2)), "queries": np.zeros((2, 2)), "k": 1, "threads": 1}
    with pytest.raises(ValueError, match=message):
        _native.nearest_products(**(good | change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"order": np.array([0, 1, 3])}, "order must hold rows"),
        ({"order": np.array([0, 1, -1])}, "order must hold rows"),
        ({"order": np.array([0, 1])}, "one entry per row"),
        ({"boxes": np.zeros((2, 32))}, "boxes must be"),
        ({"queries": np.zeros((1, 3))}, "columns of the rows"),
        ({"queries": np.full((1, 2), np.nan)}, "missing"),
        ({"power": 0.0}, "power 0"),
        ({"power": -1.0}, "power must be"),
        ({"k": 0}, "k must be"),
        ({"k": 4}, "k must be"),
        ({"threads": 0}, "threads"),
    ],
)
def test_a_broken_tree_is_refused(change, message):
    rows = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
    order, boxes = _native.kd_build(rows, 1)
    good = {"rows": rows, "order": order, "boxes": boxes, "queries": rows, "power": 2.0, "k": 1, "threads": 1}
    with pytest.raises(ValueError, match=message):
        _native.kd_nearest(**(good | change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"codes": np.array([[3]], np.int32)}, "code"),
        ({"query_codes": np.array([[-2]], np.int32)}, "code"),
        ({"shares": np.ones(1)}, "shares"),
        ({"shares": np.array([1.0, 0.0])}, "shares"),
        ({"steps": np.ones(2)}, "steps"),
        ({"n_levels": np.array([2, 2], np.int32)}, "n_levels"),
        ({"profiles": np.zeros((1, 2))}, "profiles"),
        ({"query_numbers": np.zeros((1, 2))}, "queries must have"),
        ({"codes": np.zeros((2, 1), np.int32)}, "codes must have"),
    ],
)
def test_a_broken_metric_is_refused(change, message):
    number, code = np.zeros((1, 1)), np.zeros((1, 1), np.int32)
    good = {"numbers": number, "codes": code, "query_numbers": number, "query_codes": code, "power": 2.0}
    good |= {"shares": np.ones(2), "steps": np.ones(1), "n_levels": np.array([2], np.int32)}
    good |= {"profiles": np.empty((0, 0)), "threads": 1}
    assert _native.pairwise(**good).tolist() == [[0.0]]
    with pytest.raises(ValueError, match=message):
        _native.pairwise(**(good | change))


def test_trees_of_nothing_and_wrong_types_are_refused():
    with pytest.raises(ValueError, match="at least one row"):
        _native.kd_build(np.empty((0, 2)), 1)
    with pytest.raises(ValueError, match="missing"):
        _native.kd_build(np.array([[np.nan]]), 1)
    with pytest.raises(TypeError):
        _native.kd_build(np.zeros((2, 2), dtype=np.float32), 1)


@pytest.mark.parametrize("spread", [1.0, 1e-160, 1e150])
@pytest.mark.parametrize("threads", [1, 3])
def test_thousands_of_neighbors_are_in_order(spread, threads):
    draw = np.random.default_rng(0)
    rows = draw.integers(-9, 10, size=(5000, 2)) * spread
    rows[:50] += draw.random((50, 2)) * spread
    order, boxes = _native.kd_build(rows, 1)
    offsets, far, who = _native.kd_within(rows, order, boxes, rows[:20], 1.0, 15.0 * spread, threads)
    distances = np.abs(rows[:20, None] - rows).sum(axis=2)
    for i in range(20):
        expected = np.lexsort((np.arange(5000), distances[i]))
        expected = expected[distances[i][expected] <= 15.0 * spread]
        assert len(expected) > 1024
        mine = slice(offsets[i], offsets[i + 1])
        np.testing.assert_array_equal(who[mine], expected)
        np.testing.assert_array_equal(far[mine], distances[i][expected])
