"""Trees for gradient pairs that grow from sums of passes are those that grow on all rows at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.trees import NAMES, options, tables

from hornbook import _native

BINS = np.full(3, 6, dtype=np.int32)
NOMINAL = np.array([False, False, True])
MEMORY = 2**25


def columns_and_codes(cells):
    """Two ordered columns and a nominal one of six codes each, and the codes of rows; -1 is missing."""
    values = [np.arange(6.0) * 1.5, np.arange(6.0), np.zeros(0)]
    columns = _native.coded_columns(BINS, NOMINAL, (cells < 0).any(axis=1), values, values)
    return columns, np.ascontiguousarray(np.where(cells < 0, 6, cells).T.astype(np.uint8))


def bounds_of(g, h):
    return _native.pair_bounds(-g, h)


def by_passes(cells, made, g, h, cut, *, memory=MEMORY):
    """The tree from chunks before and after the cut, which are merged; and the number of passes."""
    columns, codes = columns_and_codes(cells)
    n, passes = len(g), 0
    grower = _native.PairPassGrower(columns, made, 0, 0, bounds_of(g, h), n, int(np.count_nonzero(h)), memory)
    parts = [part for part in (slice(0, cut), slice(cut, n)) if len(g[part])]
    while grower.slots:
        routes, slot = grower.routes()
        sums = 0
        for part in parts:
            nodes = _native.find_nodes(codes[part], 1, BINS, *routes)
            sums = sums + _native.pair_histograms(
                codes[part], BINS, -g[part], h[part], slot[nodes], grower.slots, grower.scale, part.start
            )
        grower.take(sums)
        passes += 1
    routes, number = grower.routes()
    leaf = np.where(h > 0, number[_native.find_nodes(codes, 1, BINS, *routes)], -1).astype(np.int32)
    tree = grower.tree(_native.pair_leaf_sums(leaf, -g, h, grower.nodes))
    return dict(zip(NAMES, tree, strict=True)), leaf, passes


@settings(derandomize=True, max_examples=25, deadline=None)
@given(
    data=tables(),
    settings_=st.sampled_from(
        [
            {"max_leaf_nodes": 4},
            {"max_leaf_nodes": 8, "l1": 0.3, "l2": 1.0, "level_support": 0.1},
            {"max_depth": 3, "gamma": 0.1},
            {"monotone": [1, -1, 0], "max_leaf_nodes": 8},
            {"interactions": [[0], [1, 2]], "max_features": 1},
        ]
    ),
    ignored=st.booleans(),
    seed=st.integers(0, 9),
)
def test_passes_give_the_same_tree(data, settings_, ignored, seed):
    cells, y, w = data
    draw = np.random.default_rng(seed)
    g, h = draw.normal(size=len(y)) + y - 1.0, w * draw.uniform(0.1, 1.0, len(y))
    if ignored:
        h[draw.integers(len(h) - 1)] = 0.0
    made = options(criterion="squared_error", min_gain=0.0, **settings_)
    columns, codes = columns_and_codes(cells)
    table = _native.table_of_codes(codes, 1, columns, 1)
    arrays, leaf = _native.grow_pairs(_native.PairGrower(table), -g, h, made, 0, 0, 1)
    for memory in (MEMORY, 1):
        tree, other, _ = by_passes(cells, made, g, h, int(draw.integers(len(g))), memory=memory)
        np.testing.assert_array_equal(leaf, other)
        for name, array in zip(NAMES, arrays, strict=True):
            np.testing.assert_array_equal(array, tree[name], err_msg=name)


def sample(n=3000):
    draw = np.random.default_rng(0)
    cells = draw.integers(-1, 6, (3, n)).astype(np.int32)
    return cells, draw.normal(size=n) - cells[0] * (cells[1] > 2), draw.uniform(0.1, 1.0, n)


def test_passes_search_nodes_ahead():
    cells, g, h = sample()
    made = options(criterion="squared_error", min_gain=0.0, max_leaf_nodes=16)
    tree, _, passes = by_passes(cells, made, g, h, 1000)
    assert (tree["kind"] == 0).sum() == 16
    assert passes < 10  # not one for each split
    assert by_passes(cells, made, g, h, 1000, memory=1)[2] > passes


def grower_of(n=3000, **chosen):
    cells, g, h = sample(n)
    made = options(criterion="squared_error", **({"min_gain": 0.0} | chosen))
    columns, codes = columns_and_codes(cells)
    return codes, g, h, _native.PairPassGrower(columns, made, 0, 0, bounds_of(g, h), n, n, MEMORY)


def test_sums_must_be_those_of_the_pass():
    codes, g, h, grower = grower_of()
    slot = np.zeros(len(g), dtype=np.int32)
    sums = _native.pair_histograms(codes, BINS, -g, h, slot, 1, grower.scale, 0)
    with pytest.raises(ValueError, match="still open"):
        grower.tree(np.zeros((1, 2)))
    with pytest.raises(ValueError, match="those of the 1 slots of the pass"):
        grower.take(sums[:, 1:].copy())
    with pytest.raises(ValueError, match="count the rows of their nodes"):
        grower.take(2 * sums)
    wrong = sums.copy()
    wrong[0, 1] += 1
    with pytest.raises(ValueError, match="column 1 must hold all rows"):
        grower.take(wrong)
    grower.take(sums)
    assert grower.slots > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"slot": np.ones(3000, dtype=np.int32)}, r"slot\[0\] must be below 1"),
        ({"sum": np.full(3000, 1e300)}, r"sum\[0\] and weight\[0\] must be within the bounds"),
        ({"sum": np.full(3000, np.nan)}, r"sum\[0\] and weight\[0\] must be within the bounds"),
        ({"bins": np.full(3, 256, dtype=np.int32)}, "between 0 and 255 codes; got 256"),
        ({"bins": np.full(3, 3, dtype=np.int32)}, "codes of column 0 must be at most 3"),
        ({"first_row": -1}, "first_row must be the number of a row"),
        ({"scale": (0.0, 1.0, 12, False, False, 0)}, "scale must be what a PairPassGrower says"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_chunks_are_checked(change, message):
    codes, g, h, grower = grower_of()
    arguments = {
        "codes": codes,
        "bins": BINS,
        "sum": -g,
        "weight": h,
        "slot": np.zeros(3000, dtype=np.int32),
        "slots": 1,
        "scale": grower.scale,
        "first_row": 0,
    }
    with pytest.raises(ValueError, match=message):
        _native.pair_histograms(**(arguments | change))


def test_options_of_other_growers_are_refused():
    with pytest.raises(ValueError, match="these options need another grower"):
        grower_of(random_thresholds=True)
    with pytest.raises(ValueError, match="monotone must have one entry for each column"):
        grower_of(monotone=[1])


@settings(derandomize=True, max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_nonsense_from_a_pass_does_no_harm(seed):
    draw = np.random.default_rng(seed)
    codes, g, h, grower = grower_of(60)
    slot = np.zeros(60, dtype=np.int32)
    first = _native.pair_histograms(codes, BINS, -g, h, slot, 1, grower.scale, 0)
    grower.take(first)
    sums = draw.choice([0, 1, -1, 2**40, 2**62, -(2**63)], (grower.slots, first.shape[1]))
    with pytest.raises(ValueError, match="histogram"):
        grower.take(sums)
