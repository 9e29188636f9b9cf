"""Growing and reading trees."""

from __future__ import annotations

from functools import partial

import numpy as np
from tests.native.stopped.arguments import for_ever, no_codes, numbers

from hornbook import _native


def _grown(threads, criterion, **settings):
    """One large tree."""
    n, columns = 150_000, 20
    X, y = numbers(columns, n), numbers(n)
    kinds = np.full(columns, -1, dtype=np.int32), np.zeros(columns, dtype=bool)
    table = _native.code_table(list(X), *kinds, None, 0, threads)
    options = _native.TreeOptions()
    options.criterion = criterion
    for name, value in settings.items():
        setattr(options, name, value)
    classes = criterion not in {"squared_error", "absolute_error"}
    target = ((y > 0).astype(np.int32), 2, None) if classes else (None, 0, y)
    return partial(for_ever, partial(_native.grow_tree, table, *target, None, options, 0, 0, threads))


def tree_of_pairs(threads):
    n, columns = 200_000, 20
    kinds = np.full(columns, -1, dtype=np.int32), np.zeros(columns, dtype=bool)
    grower = _native.PairGrower(_native.code_table(list(numbers(columns, n)), *kinds, None, 255, threads))
    options = _native.TreeOptions()
    options.criterion, options.min_gain = "squared_error", 0.0
    call = partial(_native.grow_pairs, grower, numbers(n), np.ones(n), options, 0, 0, threads)
    return partial(for_ever, call)


def histograms_of_pairs(_):
    n, columns = 2_000_000, 20
    codes, bins = np.zeros((n, columns), dtype=np.uint8), np.full(columns, 254, dtype=np.int32)
    slot, scale = np.zeros(n, dtype=np.int32), (2.0**-40, 2.0**-20, 22, False, False, 0)
    call = partial(_native.pair_histograms, codes, bins, numbers(n), np.ones(n), slot, 1, scale, 0)
    return partial(for_ever, call)


def tree_of_classes(threads):
    return _grown(threads, "gini")


def tree_by_ratio(threads):
    return _grown(threads, "gain_ratio")


def tree_of_numbers(threads):
    return _grown(threads, "squared_error", max_leaf_nodes=100_000)


def tree_of_medians(threads):
    return _grown(threads, "absolute_error")


def stump(threads):
    """One stump after the other."""
    n = 150_000
    columns, kinds = list(numbers(20, n)), (np.full(20, -1, dtype=np.int32), np.zeros(20, dtype=bool))
    table = _native.code_table(columns, *kinds, None, 0, threads)
    rows, label = _native.sort_rows(table, threads), (numbers(n) > 0).astype(np.int32)
    return partial(for_ever, partial(_native.grow_stump, table, rows, label, 2, None, None, "gini", threads))


def _three_nodes(many):
    """The same tree of three nodes, many times, its values, and rows."""
    kind, feature = np.array([1, 0, 0], dtype=np.uint8), np.array([0, -1, -1], dtype=np.int32)
    first, missing = np.array([1, 1, 2], dtype=np.int32), np.array([0, -1, -1], dtype=np.int32)
    arrays = kind, feature, np.zeros(3), first, missing
    levels = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32), np.ones(3)
    rows = numbers(100_000, 1), no_codes(100_000), np.zeros(1, dtype=np.int32)
    return (np.zeros(many, dtype=np.int32), *arrays, *levels, np.ones((3, 1))), rows


def tree_predict(threads):
    tree, rows = _three_nodes(1_000_000)
    return partial(_native.tree_predict, *tree, *rows, threads)


def tree_contributions(threads):
    tree, rows = _three_nodes(1_000_000)
    weights = np.ones(3), np.ones(1_000_000), np.zeros(1_000_000, dtype=np.int32)
    return partial(_native.tree_contributions, *tree, *weights, 1, *rows, False, threads)
