"""The kernels of trees on rows that are elsewhere, beside what NumPy makes of the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.trees import options

from hornbook import _native

LEVELS = np.array([-1, -1, 3], dtype=np.int32)
NOMINAL = np.array([False, False, True])


def columns_of(draw, n):
    X = np.round(draw.normal(size=(n, 2)), 1)
    X[draw.random(X.shape) < 0.1] = np.nan
    return [X[:, 0], X[:, 1].astype(np.float32), draw.integers(-1, 3, n).astype(np.int32)]


def coded(draw, n, w=None):
    cuts = [np.array([-0.5, 0.0, 1.0]), np.array([0.25]), np.zeros(0)]
    bins = np.array([4, 2, 3], dtype=np.int32)
    columns = columns_of(draw, n)
    return columns, bins, cuts, _native.code_rows(columns, LEVELS, NOMINAL, bins, cuts, w, 2)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 700), st.booleans())
def test_codes_count_the_cuts_below_a_number(seed, n, weighted):
    draw = np.random.default_rng(seed)
    w = draw.integers(0, 2, n).astype(float) if weighted else None
    columns, bins, cuts, (codes, width, (low, high, missing)) = coded(draw, n, w)
    assert width == 1
    out = np.zeros(n, dtype=bool) if w is None else w == 0
    for j in range(3):
        cells = columns[j].astype(float)
        lacks = cells < 0 if j == 2 else np.isnan(cells)
        expected = cells if j == 2 else np.searchsorted(cuts[j], cells)
        np.testing.assert_array_equal(codes[:, j], np.where(lacks | out, bins[j], expected))
        assert missing[j] == (lacks & ~out).any()
        for b in range(bins[j] if j < 2 else 0):
            inside = cells[(codes[:, j] == b) & ~lacks & ~out]
            assert low[j][b] == inside.min(initial=np.inf)
            assert high[j][b] == inside.max(initial=-np.inf)


def test_wide_codes_take_more_bytes():
    column, cuts = np.arange(1000.0), np.arange(999) + 0.5
    bins = np.array([1000], dtype=np.int32)
    codes, width, _ = _native.code_rows(
        [column], np.array([-1], dtype=np.int32), np.array([False]), bins, [cuts], None, 1
    )
    assert width == 2
    np.testing.assert_array_equal(codes.view(np.uint16)[:, 0], np.arange(1000))


def layout(columns, bins, stride, size):
    """Where the histograms of columns begin within a slot, in steps of 64 bytes."""
    sizes = [-(-(int(bins[j]) + 1) * stride * size // 64) * 64 for j in columns]
    return np.cumsum([0, *sizes]).astype(np.int64)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3000), st.sampled_from(["counts", "weights", "numbers"]))
def test_histograms_are_sums_by_slot_column_and_code(seed, n, kind):
    draw = np.random.default_rng(seed)
    _, bins, _, (codes, width, _) = coded(draw, n)
    slot = draw.integers(-1, 4, n).astype(np.int32)  # slot 3 wants its spread alone
    w = None if kind == "counts" else draw.integers(1, 9, n) / 8
    label = draw.integers(0, 3, n).astype(np.int32) if kind != "numbers" else None
    total = draw.integers(-50, 50, n) / 4 if kind == "numbers" else None
    stride, whole = (3, True) if kind == "counts" else (4, False) if kind == "weights" else (3, False)
    columns = np.array([0, 2], dtype=np.int32)
    at = layout(columns, bins, stride, 4 if whole else 8)
    histograms, spreads = _native.node_histograms(
        codes, width, bins, slot, label, total, w, 3 if label is not None else 0, 2.0**-20,
        columns, at, 3, 4, whole, kind == "weights",
    )  # fmt: skip
    cells = histograms.view(np.uint32 if whole else np.float64).reshape(3, -1)
    for s in range(3):
        for place, j in enumerate(columns):
            first = at[place] // cells.itemsize
            table = cells[s, first : first + (bins[j] + 1) * stride].reshape(-1, stride)
            for code in range(bins[j] + 1):
                rows = (slot == s) & (codes[:, j] == code)
                weights = np.ones(n) if w is None else w
                if label is None:
                    expected = [total[rows].sum(), weights[rows].sum(), rows.sum()]
                else:
                    expected = [weights[rows & (label == k)].sum() for k in range(3)]
                    expected += [rows.sum()] if stride == 4 else []
                np.testing.assert_array_equal(table[code], expected)
    if total is not None:
        for s in range(4):
            rows, numbers = slot == s, total / w
            exact = (np.rint(numbers * total * 2.0**20) * 2.0**-20)[rows].sum()
            np.testing.assert_array_equal(
                spreads[s], [exact, numbers[rows].min(initial=np.inf), numbers[rows].max(initial=-np.inf)]
            )


def routes(**changed):
    """A root that cuts column 0 at code 1, and a right child that sends level 2 of column 2 to the left."""
    arrays = {
        "kind": np.array([1, 0, 2, 0, 0], dtype=np.uint8),
        "column": np.array([0, -1, 2, -1, -1], dtype=np.int32),
        "below": np.array([1, 0, 0, 0, 0], dtype=np.int32),
        "first_child": np.array([1, -1, 3, -1, -1], dtype=np.int32),
        "missing_child": np.array([1, -1, 0, -1, -1], dtype=np.int32),
        "level_offset": np.array([0, 0, 0, 1, 1, 1], dtype=np.int32),
        "levels": np.array([2], dtype=np.int32),
    }
    return {**arrays, **changed}


def test_rows_find_their_nodes():
    draw = np.random.default_rng(0)
    columns, bins, _, (codes, width, _) = coded(draw, 500)
    nodes = _native.find_nodes(codes, width, bins, **routes())
    left = np.where(np.isnan(columns[0]), False, codes[:, 0] <= 1)
    to_third = (columns[2] == 2) | (columns[2] < 0)
    np.testing.assert_array_equal(nodes, np.where(left, 1, np.where(to_third, 3, 4)))


@pytest.mark.parametrize(
    "changed",
    [
        {"column": np.array([3, -1, 2, -1, -1], dtype=np.int32)},
        {"first_child": np.array([0, -1, 3, -1, -1], dtype=np.int32)},  # in circles
        {"first_child": np.array([4, -1, 3, -1, -1], dtype=np.int32)},
        {"missing_child": np.array([2, -1, 0, -1, -1], dtype=np.int32)},
        {"level_offset": np.array([0, 0, 0, 2, 2, 2], dtype=np.int32)},
        {"kind": np.array([7, 0, 2, 0, 0], dtype=np.uint8)},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_routes_that_lead_nowhere_are_refused(changed):
    _, bins, _, (codes, width, _) = coded(np.random.default_rng(0), 20)
    with pytest.raises(ValueError, match=r"node \d has .* that do not exist|level_offset must ascend"):
        _native.find_nodes(codes, width, bins, **routes(**changed))


def test_codes_that_a_column_does_not_have_are_refused():
    _, bins, _, (codes, width, (low, high, missing)) = coded(np.random.default_rng(0), 20)
    codes[3, 1] = 9
    columns = _native.coded_columns(bins[:2], NOMINAL[:2], missing[:2], low[:2], high[:2])
    with pytest.raises(ValueError, match="codes of column 1 must be at most 2; got 9"):
        _native.table_of_codes(np.ascontiguousarray(codes[:, :2]), width, columns, 1)
    zeros, columns = np.zeros(20, dtype=np.int32), np.array([1], dtype=np.int32)
    with pytest.raises(ValueError, match="codes of column 1 must be at most 2; got 9"):
        _native.node_histograms(
            codes, width, bins, zeros, zeros, None, None, 1, 0.0, columns, layout([1], bins, 1, 4),
            1, 1, True, False,
        )  # fmt: skip


def grower_of(n=60, small=10, **chosen):
    draw = np.random.default_rng(0)
    _, bins, _, (codes, _, (low, high, missing)) = coded(draw, n)
    columns = _native.coded_columns(bins, NOMINAL, missing, low, high)
    made = options(**chosen)
    return codes, bins, _native.LevelGrower(columns, made, 0, 0, 2, False, True, float(n), n, 0.0, small, 1)


def test_a_grower_refuses_what_is_not_its_own():
    codes, bins, grower = grower_of()
    with pytest.raises(ValueError, match="still open"):
        grower.tree()
    with pytest.raises(ValueError, match="those of the open nodes"):
        grower.take(np.zeros(3, dtype=np.uint8), np.zeros((1, 3)))
    with pytest.raises(ValueError, match="node 5 does not wait"):
        grower.finish(5, codes, 1, np.zeros(60, dtype=np.int32), 2, None, None, 0.0)
    layout_now = grower.next_pass()
    label = (codes[:, 0] > 1).astype(np.int32)
    sums = _native.node_histograms(
        codes, 1, bins, np.zeros(60, dtype=np.int32), label, None, None, 2, 0.0, *layout_now
    )
    grower.take(*sums)
    for node, rows in grower.small_nodes():
        with pytest.raises(ValueError, match=f"node {node} has {rows} rows; got 3"):
            grower.finish(node, codes[:3], 1, label[:3], 2, None, None, 0.0)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_nonsense_from_a_pass_does_no_harm(seed, numbers):
    draw = np.random.default_rng(seed)
    _, bins, _, (_, _, (low, high, missing)) = coded(draw, 2000)  # every bin has a row
    columns = _native.coded_columns(bins, NOMINAL, missing, low, high)
    made = options(criterion="squared_error" if numbers else "gini")
    grower = _native.LevelGrower(columns, made, 0, 0, 0 if numbers else 2, numbers, True, 60.0, 60, 0.0, 5, 1)
    for _ in range(4):
        _, at, histograms, slots, whole, _ = grower.next_pass()
        if not slots:
            break
        size = histograms * int(at[-1])
        if whole:
            sums = draw.integers(0, 40, size // 4).astype(np.uint32)
        else:
            sums = draw.choice([-1.0, 0.0, 3.0, 1e300, -1e300, 7.5], size // 8)
        spreads = draw.choice([np.nan, np.inf, 0.0, 1e300, -4.0], (slots, 3))
        try:
            grower.take(sums.view(np.uint8), spreads)
        except ValueError as problem:
            assert str(problem)  # noqa: PT017 - one sentence, or none
            break


@pytest.mark.parametrize(
    "chosen", [{"criterion": "absolute_error"}, {"fractional": True}, {"max_leaf_nodes": 5}], ids=str
)
def test_trees_that_need_all_rows_are_refused(chosen):
    with pytest.raises(ValueError, match="histograms alone cannot give"):
        grower_of(**chosen)
