"""Calls whose loops wait for something that never comes, unless they are bounded.

Run as a program, so that one that does not end holds up nothing else:
``python -m tests.native.endless_calls`` prints the name of each call when it begins.
"""

from __future__ import annotations

import contextlib
import itertools
import sys

import numpy as np
from tests.native.trees import grown, options

from hornbook import _native

HARD = np.array([np.inf, -np.inf, 1e308, -1e308, 5e-324, -5e-324, 0.0, -0.0, 1.0, np.nextafter(1.0, 2.0)])
CRITERIA = ("gini", "entropy", "gain_ratio", "cart", "daroczy", "squared_error", "absolute_error", "poisson")


def refused(call, *arguments):
    """Say what a call is refused with."""
    try:
        call(*arguments)
    except ValueError as error:
        return str(error)
    return ""


def arguments(kind, first_child, level_offset, *rows):
    """A tree that sends a row everywhere, its values, and the rows."""
    n = len(kind)
    everywhere, shares = np.full(n, -1, dtype=np.int32), np.full(n, 0.5)
    arrays = kind, np.zeros(n, dtype=np.int32), np.zeros(n), first_child, everywhere, level_offset
    no_levels, place = np.empty(0, dtype=np.int32), np.array(rows[2:], dtype=np.int32)
    return (np.zeros(1, dtype=np.int32), *arrays, no_levels, shares, np.ones((n, 1))), (*rows[:2], place)


def predicted(*tree_and_rows):
    """Ask the tree."""
    tree, rows = arguments(*tree_and_rows)
    _native.tree_predict(*tree, *rows, 1)


def explained(*tree_and_rows):
    """Ask the tree for contributions."""
    tree, rows = arguments(*tree_and_rows)
    weights = np.ones(len(tree[-1])), np.ones(1), np.zeros(1, dtype=np.int32)
    _native.tree_contributions(*tree, *weights, 1, *rows, True, 1)


def nodes_that_share_their_children():
    n = 200
    kind, first = np.ones(n, dtype=np.uint8), np.arange(1, n + 1, dtype=np.int32)
    kind[-2:] = first[-2:] = 0
    offsets, nothing = np.zeros(n + 1, dtype=np.int32), np.full((1, 1), np.nan)
    for call in predicted, explained:
        message = refused(call, kind, first, offsets, nothing, np.empty((1, 0), dtype=np.int32), 0)
        assert message == "no node may be the child of two others.", message


def a_node_for_every_level_of_none():
    kind, first = np.array([3, 0], dtype=np.uint8), np.array([2, 0], dtype=np.int32)
    unknown = np.full((1, 1), -1, dtype=np.int32)
    message = refused(predicted, kind, first, np.zeros(3, dtype=np.int32), np.empty((1, 0)), unknown, -1)
    assert message == "node 0 must have a child.", message


def coded(columns, levels=-1, *, nominal=False):
    """A table whose columns are all alike."""
    kinds = np.full(len(columns), levels, dtype=np.int32), np.full(len(columns), nominal)
    return _native.code_table(list(columns), *kinds, None, 0, 1)


def crumbs_of_rows():
    """Two values in each column: every split sends nearly all rows, halved, to both sides."""
    columns = np.full((24, 48), np.nan)
    for j, column in enumerate(columns):
        column[2 * j : 2 * j + 2] = 0.0, 1.0
    y = np.arange(48, dtype=np.int32) % 2
    for threads in (1, 3):
        made = options(fractional=True, criterion="entropy")
        message = refused(lambda t=threads, m=made: grown(coded(columns), m, label=y, n_classes=2, threads=t))
        assert "48 rows make more than 114688 nodes" in message, message


def trees_of_hard_numbers():
    draw = np.random.default_rng(0)
    columns = HARD[draw.integers(0, len(HARD), (4, 300))]
    columns[0, ::3] = np.nan
    y, finite = draw.integers(0, 3, 300, dtype=np.int32), HARD[2:][draw.integers(0, 8, 300)]
    weights = np.array([5e-324, 1e-300, 1.0, 1e150])[draw.integers(0, 4, 300)]
    for criterion, random, most, weight in itertools.product(
        CRITERIA, (False, True), (2**63 - 1, 40), (None, weights)
    ):
        made = options(criterion=criterion, random_thresholds=random, max_leaf_nodes=most)
        numbers = criterion in {"squared_error", "absolute_error", "poisson"}
        target = (
            {"total": np.abs(finite) if criterion == "poisson" else finite}
            if numbers
            else {"label": y, "n_classes": 3}
        )
        tree = grown(coded(columns), made, weight=weight, **target)
        assert len(tree["kind"]) < 600  # every node has a row of its own


def levels_divided_at_random():
    codes = np.tile(np.array([0, 1], dtype=np.int32), 8)[np.newaxis]
    y = np.arange(16, dtype=np.int32) // 2 % 2
    for seed in range(2000):
        made = options(random_thresholds=True)
        tree = grown(coded(codes, 2, nominal=True), made, label=y, n_classes=2, seed=seed)
        assert len(tree["kind"]) == 3


def bins_of_hard_weights():
    numbers, kinds = np.arange(1000.0), (np.full(1, -1, dtype=np.int32), np.zeros(1, dtype=bool))
    for weight, bins in itertools.product((5e-324, 1.0, 1e305, 1e308), (2, 3, 255)):
        table = _native.code_table([numbers], *kinds, np.full(1000, weight), bins, 1)
        assert 1 <= table.bins(0) <= bins


def replicates_of_two_rows():
    pair = np.array([True, False]), np.array([1.0, 1.0])
    assert set(_native.auc_bootstrap(*pair, 20_000, 0, 2**64 - 1, 2)) == {0.5}


def permutations_of_few_and_of_hard_values():
    for n in range(2, 40):
        values = np.resize(HARD, n)
        for n_first in range(1, n):
            assert len(_native.permute_two_sample_mean(values, n_first, 100, n, 1)) == 100
        assert len(_native.permute_dot(values, values[::-1].copy(), 100, n, 1)) == 100


def trees_of_equal_and_infinite_rows():
    draw = np.random.default_rng(0)
    for X in (np.zeros((5000, 3)), HARD[draw.integers(0, len(HARD), (5000, 3))]):
        tree = _native.kd_build(X, 1)
        for power in (1.0, 2.0, 3.5, np.inf):
            _native.kd_nearest(X, *tree, X[:100], power, 50, 2)
            for radius in (0.0, 1.0, np.inf, np.nan):
                _native.kd_within(X, *tree, X[:20], power, radius, 1)


def merges_of_equal_and_huge_rows():
    draw = np.random.default_rng(0)
    none, codes, ones = np.empty(0), np.empty((300, 0), dtype=np.int32), np.ones(300)
    metric = 2.0, np.ones(3), none, np.empty(0, dtype=np.int32), np.empty((0, 0))
    finite = HARD[np.isfinite(HARD)]
    for X in (
        np.zeros((300, 3)),
        finite[draw.integers(0, len(finite), (300, 3))],
        draw.integers(0, 2, (300, 3)),
    ):
        rows = X.astype(np.float64)
        with contextlib.suppress(ValueError):  # distances that overflow are refused
            _native.linkage_ward(rows, draw.uniform(1e-9, 1e9, 300))
        edges = np.ascontiguousarray(np.argwhere(np.triu(np.ones((300, 300)), 1)))
        _native.linkage_graph_ward(rows, edges, draw.uniform(1e-9, 1e9, 300))
        _native.linkage_graph(edges, np.full(len(edges), np.inf), draw.uniform(1e-9, 1e9, 300), "average")
        _native.linkage_single(rows, codes, *metric)
        for linkage in ("single", "complete", "average"):
            distances = _native.pairwise_condensed(rows, codes, *metric, 1)
            _native.linkage_condensed(np.nan_to_num(distances, nan=np.inf), ones, linkage)


def clusters_of_equal_and_infinite_rows():
    draw = np.random.default_rng(0)
    none, codes = np.empty(0), np.empty((5000, 0), dtype=np.int32)
    for X in (np.zeros((5000, 3)), HARD[draw.integers(0, len(HARD), (5000, 3))]):
        for power in (0.0, 1.0, 2.0, 3.5, np.inf):
            metric = power, np.ones(3), none, np.empty(0, dtype=np.int32), np.empty((0, 0))
            for radius in (0.0, 5e-324, 1e-170, 1.0, 1e308):
                _native.density_clusters(X, codes, *metric, none, radius, 5.0, 2)


def products_of_equal_and_infinite_rows():
    draw = np.random.default_rng(0)
    for X in (np.zeros((5000, 3)), HARD[draw.integers(0, len(HARD), (5000, 3))]):
        for k in (1, 50, 5000):
            _native.nearest_products(X, X[:100], k, 2)


def corrections_without_effect():
    X, y = np.resize(HARD, (200, 3)), np.arange(200, dtype=np.int32) % 2
    for weight, eta, far in itertools.product((1e308, np.inf), (5e-324, 1.0, 1e308), (0.0, 1e308, np.nan)):
        _native.perceptron_pass(X, y, np.full(200, weight), np.full(4, far), eta, True)


def prototypes_that_never_arrive():
    X, y = np.resize(HARD, (200, 3)), np.arange(200, dtype=np.int32) % 2
    order, classes = np.arange(200), np.array([0, 1, 1], dtype=np.int32)
    for rule, weight, eta in itertools.product(range(4), (1e308, np.inf), (5e-324, 0.5, 1e308)):
        for start in (np.zeros((3, 3)), np.full((3, 3), 1e308), np.full((3, 3), np.nan)):
            _native.lvq_pass(X, y, np.full(200, weight), order, start, classes, rule, eta, 0.3, 0.1, 2.0)


def descents_that_never_settle():
    for bend in (np.nan, np.inf, 1e308, -1.0):
        hessian = np.array([[1.0, bend], [bend, 1.0]])
        _native.coordinate_descent(hessian, np.ones(2), np.zeros(2), np.zeros(2), 0.0, 100_000)


def machines_that_never_converge():
    n = 40
    signs, places = np.resize([1.0, -1.0], n), np.arange(n)
    for kind, table in itertools.product((0, 1, 2, 3), (np.resize(HARD, (n, 3)), np.zeros((n, 1)))):
        for high, ridge, tol in itertools.product(
            (1e-300, 1.0, np.inf), (0.0, 1e-300, 1e308), (0.0, -1.0, np.nan)
        ):
            low, top = np.where(signs > 0, 0.0, -high), np.where(signs > 0, high, 0.0)
            problem = places, places, low, top, -signs, np.full(n, ridge), np.zeros(n)
            solver = _native.smo_solver(table, kind, 1e3, 1.0, 3, *problem, tol, 20_000, 2**10, True, 1)
            while solver.run(1000, 1):
                pass
            solver.values(), solver.dual, solver.gap, solver.bias


def densities_far_away():
    points, offsets = np.array([-1e308, 0.0, 5e-324, 1e308]), np.array([0, 4])
    for width in (1e-300, 1.0, 1e308):
        bandwidth = np.full((1, 1), width)
        _native.kernel_joint(HARD[:, np.newaxis].copy(), points, np.ones(4), offsets, bandwidth, 1)


def scores_that_tie():
    score = np.resize(np.append(HARD, [np.inf, 1.0]), 5000)
    y = np.arange(5000) % 2 == 0
    assert len(_native.score_groups(y, score, None)[0]) == 9  # 0 and -0 are one
    assert len(_native.upper_hull(np.zeros(5000), np.zeros(5000))) >= 1


HELPERS = {refused, arguments, predicted, explained, coded}
CALLS = {
    name: call
    for name, call in list(vars().items())
    if getattr(call, "__module__", None) == __name__ and callable(call) and call not in HELPERS
}


if __name__ == "__main__":
    for begun, make in CALLS.items():
        sys.stdout.write(f"{begun}\n")
        sys.stdout.flush()
        make()
