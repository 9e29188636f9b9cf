"""Trees on small random tables, and the walk that checks each of their nodes."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from hornbook import _native

NAMES = (
    "kind",
    "feature",
    "threshold",
    "first_child",
    "missing_child",
    "level_offset",
    "levels",
    "n_rows",
    "weight",
    "impurity",
    "gain",
    "share",
    "value",
)

# What prediction reads.
ARRAYS = (
    "kind",
    "feature",
    "threshold",
    "first_child",
    "missing_child",
    "level_offset",
    "levels",
    "share",
)
PLACE = np.array([0, -1, -2], dtype=np.int32)


@st.composite
def tables(draw, *, missing=True):
    """Codes of two ordered and one nominal column, with few levels so that values repeat."""
    n = draw(st.integers(2, 24))
    low = -1 if missing else 0
    cells = st.lists(st.integers(low, 5), min_size=n, max_size=n)
    columns = np.array([draw(cells) for _ in range(3)], dtype=np.int32)
    labels = np.array(draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)), dtype=np.int32)
    weights = np.array(draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)), dtype=np.float64)
    return columns, labels, weights


def coded(columns, *, threads=1):
    """The table of the grower: column 0 numbers, column 1 ordered codes, column 2 nominal codes.

    Every other table has many more levels than rows, so that nodes are sorted instead of counted.
    """
    levels = 400 if columns.shape[1] % 2 else 6
    numbers = np.where(columns[0] < 0, np.nan, columns[0] * 1.5)
    return _native.code_table(
        [numbers, columns[1], columns[2]],
        np.array([-1, levels, levels], dtype=np.int32),
        np.array([False, False, True]),
        None,
        0,
        threads,
    )


def rows_of(columns):
    """Numbers, codes and places of the same columns, for prediction."""
    numbers = np.where(columns[:1] < 0, np.nan, columns[:1] * 1.5).T
    return np.ascontiguousarray(numbers), np.ascontiguousarray(columns[1:].T), PLACE


def options(**settings):
    made = _native.TreeOptions()
    for name, value in settings.items():
        setattr(made, name, value)
    return made


def grown(table, made, *, label=None, n_classes=0, total=None, weight=None, seed=1, threads=1):
    arrays = _native.grow_tree(table, label, n_classes, total, weight, made, seed, 0, threads)
    return dict(zip(NAMES, arrays, strict=True))


def children(tree, node):
    first = tree["first_child"][node]
    many = {0: 0, 1: 2, 2: 2, 3: tree["level_offset"][node + 1] - tree["level_offset"][node]}
    return range(first, first + many[int(tree["kind"][node])])


def parts(tree, columns, node, rows):
    """What of each row goes to each child of a node; rows holds the parts that reached the node."""
    j = tree["feature"][node]
    cells = columns[j] * (1.5 if j == 0 else 1.0)
    listed = tree["levels"][tree["level_offset"][node] : tree["level_offset"][node + 1]]
    many = len(children(tree, node))
    if tree["kind"][node] == 1:
        child = (cells > tree["threshold"][node]).astype(int)
    elif tree["kind"][node] == 2:
        child = (~np.isin(columns[j], listed)).astype(int)
    else:
        child = np.searchsorted(listed, columns[j])
    sent = np.array([(child == c) * rows for c in range(many)])
    lacking = columns[j] < 0
    if tree["missing_child"][node] >= 0:
        sent[:, lacking] = 0
        sent[tree["missing_child"][node], lacking] = rows[lacking]
    else:
        known = np.array([part[~lacking].sum() for part in sent])
        sent[:, lacking] = (known / known.sum())[:, None] * rows[lacking]
    return sent


def walk(tree, columns, weights):
    """Each node with the weights of the rows in it."""
    waiting = [(0, weights.astype(float))]
    while waiting:
        node, rows = waiting.pop()
        yield node, rows
        if tree["kind"][node]:
            sent = parts(tree, columns, node, rows)
            waiting += [(child, sent[c]) for c, child in enumerate(children(tree, node))]
