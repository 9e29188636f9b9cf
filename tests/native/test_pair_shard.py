"""Rows that keep the nodes of trees grown elsewhere give the sums, and the trees, of all rows at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.test_pair_passes import BINS, bounds_of, columns_and_codes, sample
from tests.native.trees import NAMES, options, tables

from hornbook import _native


def by_shards(cells, made, g, h, cut, *, memory=2**25):
    """The tree from two shards, and the leaf of each row."""
    columns, codes = columns_and_codes(cells)
    n = len(g)
    grower = _native.PairPassGrower(columns, made, 0, 0, bounds_of(g, h), n, int(np.count_nonzero(h)), memory)
    parts = [slice(0, cut), slice(cut, n)] if 0 < cut < n else [slice(0, n)]
    shards = [_native.PairShard(codes[part], BINS, part.start, 2) for part in parts]
    for shard, part in zip(shards, parts, strict=True):
        shard.begin(1, -g[part], h[part], grower.scale)
    while grower.slots:
        routes, slot = grower.routes()
        for shard in shards:
            shard.follow(1, *routes)
        nodes = np.flatnonzero(slot >= 0)
        grower.take(_native.shard_histograms(shards, 1, nodes[slot[nodes].argsort()].astype(np.int32)))
    routes, number = grower.grown()
    for shard in shards:
        shard.follow(1, *routes)
    leaf = np.concatenate([shard.leaves(1, number) for shard in shards])
    return grower.tree(_native.pair_leaf_sums(leaf, -g, h, grower.nodes)), leaf


@settings(derandomize=True, max_examples=25, deadline=None)
@given(
    data=tables(),
    settings_=st.sampled_from([{"max_leaf_nodes": 4}, {"max_leaf_nodes": 8, "l2": 1.0}, {"max_depth": 3}]),
    ignored=st.booleans(),
    seed=st.integers(0, 9),
)
def test_shards_give_the_same_tree(data, settings_, ignored, seed):
    cells, y, w = data
    draw = np.random.default_rng(seed)
    g, h = draw.normal(size=len(y)) + y - 1.0, w * draw.uniform(0.1, 1.0, len(y))
    if ignored:
        h[draw.integers(len(h) - 1)] = 0.0
    made = options(criterion="squared_error", min_gain=0.0, **settings_)
    columns, codes = columns_and_codes(cells)
    table = _native.table_of_codes(codes, 1, columns, 1)
    arrays, leaf = _native.grow_pairs(_native.PairGrower(table), -g, h, made, 0, 0, 1)
    for memory in (2**25, 1):
        tree, other = by_shards(cells, made, g, h, int(draw.integers(len(g))), memory=memory)
        np.testing.assert_array_equal(leaf, other)
        for name, one, two in zip(NAMES, arrays, tree, strict=True):
            np.testing.assert_array_equal(one, two, err_msg=name)


def test_pairs_of_8_bits_give_the_same_tree():
    cells, g, h = sample(2**17)
    made = options(criterion="squared_error", min_gain=0.0, max_leaf_nodes=16, quantize=True)
    columns, codes = columns_and_codes(cells)
    grower = _native.PairGrower(_native.table_of_codes(codes, 1, columns, 1))
    arrays, leaf = _native.grow_pairs(grower, -g, h, made, 0, 0, 1)
    tree, other = by_shards(cells, made, g, h, 2**16)
    np.testing.assert_array_equal(leaf, other)
    for name, one, two in zip(NAMES, arrays, tree, strict=True):
        np.testing.assert_array_equal(one, two, err_msg=name)


SPLIT = tuple(
    np.array(values, dtype=np.uint8 if i == 0 else np.int32)
    for i, values in enumerate(([1, 0, 0], [0, -1, -1], [2, 0, 0], [1, -1, -1], [1, 1, 1], [0, 0, 0, 0], []))
)


def changed(place, values):
    return tuple(np.array(values, dtype=part.dtype) if i == place else part for i, part in enumerate(SPLIT))


def test_what_does_not_fit_is_refused():
    cells, g, h = sample(100)
    _, codes = columns_and_codes(cells)
    scale = (1e-12, 1e-12, 7, False, False, 0)
    shard = _native.PairShard(codes, BINS, 0, 1)
    with pytest.raises(ValueError, match="a tree must begin before it has splits"):
        shard.follow(0, *SPLIT)
    with pytest.raises(ValueError, match="must have one entry for each row"):
        shard.begin(0, -g[:50], h[:50], scale)
    with pytest.raises(ValueError, match="tree must be from 0 to 0"):
        shard.begin(1, -g, h, scale)
    shard.begin(0, -g, h, scale)
    shard.follow(0, *SPLIT)
    for routes, sentence in (
        (changed(1, [3, -1, -1]), "has a column or children that do not exist"),
        (
            tuple(part[:1] if i < 5 else part[:2] for i, part in enumerate(SPLIT)),
            "children that do not exist",
        ),
    ):
        with pytest.raises(ValueError, match=sentence):
            shard.follow(0, *routes)
    with pytest.raises(ValueError, match="node must be one that rows have been sent to; got 3"):
        _native.shard_histograms([shard], 0, np.array([3], dtype=np.int32))
    with pytest.raises(ValueError, match="histograms need rows and a node"):
        _native.shard_histograms([], 0, np.array([0], dtype=np.int32))
    with pytest.raises(ValueError, match="number must have one entry for each node"):
        shard.leaves(0, np.zeros(2, dtype=np.int32))
    with pytest.raises(ValueError, match="codes of column 0 must be at most 2"):
        _native.PairShard(codes, np.full(3, 2, dtype=np.int32), 0, 1)
    fresh = _native.PairShard(codes, BINS, 0, 1)
    fresh.begin(0, -g, h, scale)
    with pytest.raises(ValueError, match="splits in two"):
        fresh.follow(
            0, *changed(0, [3, 0, 0])[:5], np.array([0, 2, 2, 2], np.int32), np.array([0, 1], np.int32)
        )
    with pytest.raises(ValueError, match="levels must be those of the column; got -1"):
        fresh.follow(
            0, *changed(0, [2, 0, 0])[:5], np.array([0, 1, 1, 1], np.int32), np.array([-1], np.int32)
        )
