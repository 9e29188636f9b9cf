"""Calls that would take hours, each stopped by a signal after a moment.

Run as a program, so that one that does not stop holds up nothing else:
``python -m tests.native.stopped_calls THREADS [NAME ...]`` prints the name of each call once it has stopped.
"""

from __future__ import annotations

import signal
import sys
from functools import partial

import numpy as np

from hornbook import _native

MOMENT = 0.3  # seconds: some turns of asking


class LateError(Exception):
    """What the handler of the signal raises."""


def ring(*_):
    """Raise, from the handler of a signal."""
    raise LateError


def numbers(*shape):
    """Any numbers."""
    return np.random.default_rng(0).standard_normal(shape)


def for_ever(call):
    """Make a call again and again: one that is done in seconds may be done before it is stopped."""
    while True:
        call()


def metric(power, d):
    """Arguments of a metric over numbers alone."""
    none = np.empty(0, dtype=np.int32)
    return power, np.ones(d), np.empty(0), none, np.empty((0, 0))


def no_codes(n):
    """As many rows without codes."""
    return np.empty((n, 0), dtype=np.int32)


def nearest_brute(threads, power=2.0):
    X = numbers(200_000, 10)
    return partial(
        _native.nearest_brute, X, no_codes(len(X)), X, no_codes(len(X)), *metric(power, 10), 3, threads
    )


def nearest_by_power(threads):
    return nearest_brute(threads, 3.5)


def nearest_products(threads):
    X = numbers(400_000, 40)
    return partial(_native.nearest_products, X, X, 3, threads)


def within_brute(threads):
    X = numbers(200_000, 10)
    return partial(
        _native.within_brute, X, no_codes(len(X)), X, no_codes(len(X)), *metric(2.0, 10), 1e-3, threads
    )


def pairwise_condensed(threads):
    X = numbers(10_000, 2000)
    return partial(_native.pairwise_condensed, X, no_codes(len(X)), *metric(3.5, 2000), threads)


def linkage_condensed(_):
    distances = np.random.default_rng(0).random(8000 * 7999 // 2)
    return partial(for_ever, lambda: _native.linkage_condensed(distances.copy(), np.ones(8000), "average"))


def linkage_single(_):
    X = numbers(200_000, 10)
    return partial(_native.linkage_single, X, no_codes(len(X)), *metric(2.0, 10))


def linkage_ward(_):
    return partial(_native.linkage_ward, numbers(200_000, 10), np.ones(200_000))


def chain(n):
    """Edges of a chain of rows."""
    return np.stack([np.arange(n - 1), np.arange(1, n)], axis=1)


def linkage_graph(_):
    edges = chain(400_000)
    call = partial(_native.linkage_graph, edges, np.ones(len(edges)), np.ones(len(edges) + 1), "average")
    return partial(for_ever, call)


def linkage_graph_ward(_):
    call = partial(_native.linkage_graph_ward, numbers(400_000, 3), chain(400_000), np.ones(400_000))
    return partial(for_ever, call)


def density_clusters(threads):
    X = numbers(400_000, 12)
    none = np.empty(0)
    return partial(_native.density_clusters, X, no_codes(len(X)), *metric(2.0, 12), none, 1e-3, 5.0, threads)


def pairwise(threads):
    X = numbers(1000, 20_000)
    return partial(_native.pairwise, X, no_codes(1000), X, no_codes(1000), *metric(3.5, 20_000), threads)


def cluster_distances(threads):
    X, labels = numbers(200_000, 10), np.zeros(200_000, dtype=np.int32)
    rows = X, no_codes(len(X))
    return partial(
        _native.cluster_distances, *rows, labels, np.ones(len(X)), 1, *rows, *metric(2.0, 10), "sum", threads
    )


def swap_pass(threads):
    X, medoids = numbers(200_000, 10), np.arange(3, dtype=np.int64)
    return partial(
        _native.swap_pass, X, no_codes(len(X)), *metric(2.0, 10), np.ones(len(X)), medoids, 0, threads
    )


def matrix_swap_pass(threads):
    D = np.abs(numbers(3000, 3000))
    medoids = np.arange(3, dtype=np.int64)
    return partial(for_ever, partial(_native.matrix_swap_pass, D, np.ones(3000), medoids, 0, threads))


def joining_losses(threads):
    X, nearest = numbers(200_000, 10), np.full(200_000, np.inf)
    return partial(
        _native.joining_losses, X, no_codes(len(X)), *metric(2.0, 10), np.ones(len(X)), nearest, threads
    )


def matrix_joining_losses(threads):
    D = np.abs(numbers(3000, 3000))
    return partial(
        for_ever, partial(_native.matrix_joining_losses, D, np.ones(3000), np.full(3000, np.inf), threads)
    )


def kd_nearest(threads):
    X = numbers(150_000, 40)
    return partial(_native.kd_nearest, X, *_native.kd_build(X, 1), X, 2.0, 5, threads)


def kernel_joint(threads):
    n = 300_000
    points, offsets = np.sort(numbers(n)), np.array([0, n])
    return partial(_native.kernel_joint, numbers(n, 1), points, np.ones(n), offsets, np.ones((1, 1)), threads)


def gaussian_joint(threads):
    return partial(
        _native.gaussian_joint, numbers(2000, 1000), numbers(2000, 1000), np.ones((2000, 1000)), threads
    )


def multinormal_joint(threads):
    X = numbers(4000, 200)
    X[np.random.default_rng(1).random(X.shape) < 0.5] = np.nan  # another part of the covariance in each row
    covariances = np.tile(np.eye(200), (10, 1))
    return partial(_native.multinormal_joint, X, np.zeros((10, 200)), covariances, threads)


def table_of_levels(n, columns):
    """Codes of four levels, and their numbers."""
    codes = np.random.default_rng(0).integers(0, 4, (n, columns), dtype=np.int32)
    return codes, np.full(columns, 4, dtype=np.int32)


def aode_joint(threads):
    codes, levels = table_of_levels(20_000, 300)
    tables = np.zeros((1200, 7)), np.zeros((1200**2, 7)), np.ones(1200, dtype=np.uint8)
    return partial(_native.aode_joint, codes, levels, *tables, None, threads)


def pair_counts(threads):
    codes, levels = table_of_levels(200_000, 300)
    y = np.arange(200_000, dtype=np.int32) % 2
    return partial(_native.pair_counts, codes, y, None, levels, np.arange(300, dtype=np.int32), 2, threads)


def permute_dot(threads):
    return partial(_native.permute_dot, numbers(2_000_000), numbers(2_000_000), 1_000_000, 0, threads)


def permute_two_sample_mean(threads):
    return partial(_native.permute_two_sample_mean, numbers(20_000_000), 10_000_000, 1_000_000, 0, threads)


def auc_bootstrap(threads):
    score = numbers(2_000_000)
    return partial(_native.auc_bootstrap, score > 0, score, 1_000_000, 0, 0, threads)


def mixture_of_many():
    """Components, and rows of which each misses other cells."""
    X = numbers(4000, 200)
    X[np.random.default_rng(1).random(X.shape) < 0.5] = np.nan
    return X, (np.zeros((10, 200)), np.tile(np.eye(200), (10, 1)), np.zeros(10), False)


def mixture_joint(threads):
    X, components = mixture_of_many()
    return partial(_native.mixture_joint, X, *components, threads)


def mixture_sums(threads):
    X, components = mixture_of_many()
    return partial(_native.mixture_sums, X, None, None, *components)


def nearest_centers(threads):
    return partial(_native.nearest_centers, numbers(100_000, 20), numbers(100_000, 20), threads)


def square_distances(threads):
    return partial(_native.square_distances, numbers(2000, 20_000), numbers(1000, 20_000), threads)


def lloyd_pass(threads):
    X = numbers(100_000, 20)
    labels, lower = np.zeros(len(X), dtype=np.int32), np.zeros(len(X), dtype=np.float32)
    bounds = (labels, lower, lower + np.inf, labels.copy(), lower.copy(), lower.copy())
    still = np.zeros((3, len(X)))
    return partial(_native.lloyd_pass, X, None, None, X, np.zeros(20), still, *bounds, False, False, threads)


def closest_candidate(threads):
    X, origin = numbers(100_000, 20), np.zeros(20)
    tiles = _native.float_tiles(X, origin, threads)
    closest = np.full(len(X), 1e-3)
    return partial(_native.closest_candidate, X, closest, tiles, origin, closest.copy(), X, threads)


def fuzzy_sums(_):
    X = numbers(200_000, 20)
    return partial(_native.fuzzy_sums, X, None, X[:5000].copy(), None, 1.7, 0, np.empty(0), False, False)


def grown(threads, criterion, **settings):
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
    return grown(threads, "gini")


def tree_by_ratio(threads):
    return grown(threads, "gain_ratio")


def tree_of_numbers(threads):
    return grown(threads, "squared_error", max_leaf_nodes=100_000)


def tree_of_medians(threads):
    return grown(threads, "absolute_error")


def stump(threads):
    """One stump after the other."""
    n = 150_000
    columns, kinds = list(numbers(20, n)), (np.full(20, -1, dtype=np.int32), np.zeros(20, dtype=bool))
    table = _native.code_table(columns, *kinds, None, 0, threads)
    rows, label = _native.sort_rows(table, threads), (numbers(n) > 0).astype(np.int32)
    return partial(for_ever, partial(_native.grow_stump, table, rows, label, 2, None, None, "gini", threads))


def three_nodes(many):
    """The same tree of three nodes, many times, its values, and rows."""
    kind, feature = np.array([1, 0, 0], dtype=np.uint8), np.array([0, -1, -1], dtype=np.int32)
    first, missing = np.array([1, 1, 2], dtype=np.int32), np.array([0, -1, -1], dtype=np.int32)
    arrays = kind, feature, np.zeros(3), first, missing
    levels = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32), np.ones(3)
    rows = numbers(100_000, 1), no_codes(100_000), np.zeros(1, dtype=np.int32)
    return (np.zeros(many, dtype=np.int32), *arrays, *levels, np.ones((3, 1))), rows


def tree_predict(threads):
    tree, rows = three_nodes(1_000_000)
    return partial(_native.tree_predict, *tree, *rows, threads)


def tree_contributions(threads):
    tree, rows = three_nodes(1_000_000)
    weights = np.ones(3), np.ones(1_000_000), np.zeros(1_000_000, dtype=np.int32)
    return partial(_native.tree_contributions, *tree, *weights, 1, *rows, False, threads)


def coordinate_descent(_):
    """Coordinates that chase each other in a circle."""
    hessian = np.kron(np.eye(50), np.array([[1.0, 1.0], [-1.0, 1.0]]))
    start, slope = np.ones(100), np.tile([1.0, 0.0], 50)
    return partial(_native.coordinate_descent, hessian, slope, np.zeros(100), start, 0.0, 2**31 - 1)


def perceptron_pass(_):
    """Rows that stay on the wrong side however often they are corrected."""
    X, y = numbers(100_000, 200), np.zeros(100_000, dtype=np.int32)
    far = np.append(np.zeros(200), 1e6)
    return partial(_native.perceptron_pass, X, y, np.full(len(X), 1e9), far, 1e-9, True)


def lvq_pass(_):
    """Rows of weights that are presented as often as possible."""
    X, y, order = numbers(100_000, 20), np.zeros(100_000, dtype=np.int32), np.arange(100_000)
    codes, settings = np.arange(10, dtype=np.int32), (0, 0.1, 0.3, 0.1, 2.0)
    return partial(_native.lvq_pass, X, y, np.full(len(X), 1e9), order, X[:10].copy(), codes, *settings)


def rls_pass(_):
    X, Y = numbers(100_000, 200), numbers(100_000, 1)
    return partial(_native.rls_pass, X, Y, None, np.eye(200), np.zeros((200, 1)))


def network(n, *sizes):
    """Rows, targets, and the structure and weights of a network for them."""
    layers = np.array(sizes)
    kinds, shape = np.array([2, 1, 0], dtype=np.int32), np.ones(4)
    theta = 0.01 * numbers(int(((layers[:-1] + 1) * layers[1:]).sum()))
    return numbers(n, sizes[0]), np.zeros((n, sizes[-1])), (layers, kinds, shape), theta


def network_outputs(threads):
    X, _, structure, theta = network(20_000, 200, 3000, 1)
    return partial(for_ever, partial(_native.network_outputs, X, *structure, theta, False, threads))


def network_gradient(_):
    X, targets, structure, theta = network(20_000, 200, 3000, 1)
    return partial(for_ever, partial(_native.network_gradient, X, targets, None, *structure, theta))


def network_jacobian(_):
    X, _, structure, theta = network(1_000_000, 5, 5, 1)
    return partial(for_ever, partial(_native.network_jacobian, X, *structure, theta))


def network_epochs(threads):
    X, targets, structure, theta = network(100_000, 50, 3000, 1)
    order, state = np.tile(np.arange(len(X)), (1, 1000)), (theta, np.zeros_like(theta), np.zeros_like(theta))
    counts, rates = np.array([3, 1, 1, 100, 0, 0]), np.array([0.001, 0.9, 0.999, 1e-8, 1e-4, 1.0, 0, 0, 0])
    return partial(
        _native.network_epochs,
        X,
        targets,
        None,
        order,
        *structure,
        counts,
        rates,
        *state,
        None,
        False,
        threads,
    )


def network_kalman(_):
    X, targets, structure, theta = network(100_000, 20, 40, 1)
    order = np.tile(np.arange(len(X)), 100)
    return partial(
        _native.network_kalman, X, targets, None, order, *structure, 1.0, 0.0, theta, np.eye(len(theta))
    )


def weighted_gram(_):
    return partial(_native.weighted_gram, numbers(3000, 5000), np.ones(3000))


def class_scatter(_):
    return partial(_native.class_scatter, numbers(3000, 5000), np.zeros(3000, dtype=np.int32), None, 1)


def row_scatter(_):
    return partial(_native.row_scatter, numbers(3000, 5000), None)


def bootstrap_counts(_):
    return partial(_native.bootstrap_counts, 0, 0, 1000, 2**31 - 1)


def philox(_):
    return partial(for_ever, partial(_native.philox, 0, 0, 0, 20_000_000, 0))


def kernel_values(threads):
    X = numbers(40_000, 50)
    return partial(_native.kernel_values, X, X, 2, 0.1, 0.0, 1, threads)


def kernel_sums(threads):
    X = numbers(200_000, 50)
    starts = np.array([0, len(X)])
    return partial(_native.kernel_sums, X, X, 2, 0.1, 0.0, 1, np.ones((1, len(X))), starts, threads)


def ascent_pass(_):
    """Multipliers that never settle, pass after pass."""
    X = numbers(2000, 3)
    signs, states = np.resize([1.0, -1.0], 2000), (np.zeros(2000), np.zeros(2000))
    call = partial(_native.ascent_pass, X @ X.T, signs, np.full(2000, np.inf), *states)
    return partial(for_ever, call)


def linear_descent_pass(_):
    """Rows of one column, whose multipliers never settle."""
    n = 5_000_000
    terms = np.zeros(n), np.full(n, 1e6), np.ones(n), np.zeros(n)
    states = np.zeros(n), np.zeros(2), np.arange(n)
    call = partial(_native.linear_descent_pass, numbers(n, 1), 1.0, *terms, 0.0, *states, n, np.inf, 0, 0)
    return partial(for_ever, call)


def sparse_descent_pass(_):
    """The same on sparse rows."""
    n = 5_000_000
    terms = np.zeros(n), np.full(n, 1e6), np.ones(n), np.zeros(n)
    states = np.zeros(n), np.zeros(2), np.arange(n)
    rows = np.ones(n), np.zeros(n, dtype=np.int32), np.arange(n + 1), 1
    call = partial(_native.sparse_descent_pass, *rows, 1.0, *terms, 0.0, *states, n, np.inf, 0, 0)
    return partial(for_ever, call)


def smo(threads):
    """Classes that no boundary separates, and a very high price for that."""
    solver = _solver(20_000, threads)
    return partial(solver.run, 2**31 - 1, threads)


def smo_run_all(threads):
    return partial(_native.smo_run_all, [_solver(2000, 1) for _ in range(8)], threads)


def smo_pairs(threads):
    """Four problems, each of which would take long."""
    n = 20_000
    rows, starts = np.arange(n), np.arange(0, n + 1, n // 4)
    problems = starts, rows, np.resize([1.0, -1.0], n), np.full(n, 1e6), np.empty(0), False
    return partial(
        _native.smo_pairs, numbers(n, 5), 2, 0.1, 0.0, 1, *problems, 0.0, 2**62, 2**24, True, threads
    )


def smo_solver(threads):
    """The sums of a start that has all rows in it."""
    return partial(_solver, 100_000, threads, 0.5)


def _solver(n, threads, start=0.0):
    X, places, signs = numbers(n, 5), np.arange(n), np.resize([1.0, -1.0], n)
    low, high = np.minimum(signs, 0.0) * 1e6, np.maximum(signs, 0.0) * 1e6
    problem = places, places, low, high, -signs, np.zeros(n), start * signs
    return _native.smo_solver(X, 2, 0.1, 0.0, 1, *problem, 0.0, 2**62, 2**24, True, threads)


HELPERS = {
    ring,
    numbers,
    for_ever,
    metric,
    no_codes,
    table_of_levels,
    chain,
    grown,
    three_nodes,
    mixture_of_many,
    network,
    _solver,
}
CALLS = {
    name: call
    for name, call in list(vars().items())
    if getattr(call, "__module__", None) == __name__ and callable(call) and call not in {*HELPERS, LateError}
}


def main(threads, names):
    """Make the calls, all without names, and stop each."""
    signal.signal(signal.SIGALRM, ring)
    for name in names or CALLS:
        call = CALLS[name](threads)
        try:
            signal.setitimer(signal.ITIMER_REAL, MOMENT)
            call()
        except LateError:
            sys.stdout.write(f"{name}\n")
        else:
            signal.setitimer(signal.ITIMER_REAL, 0)
            sys.stdout.write(f"{name} ended by itself\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
