"""Distances between rows, and clusters made of them."""

from __future__ import annotations

from functools import partial

import numpy as np
from tests.native.stopped.arguments import for_ever, metric, no_codes, numbers

from hornbook import _native


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


def _chain(n):
    """Edges of a chain of rows."""
    return np.stack([np.arange(n - 1), np.arange(1, n)], axis=1)


def linkage_graph(_):
    edges = _chain(400_000)
    call = partial(_native.linkage_graph, edges, np.ones(len(edges)), np.ones(len(edges) + 1), "average")
    return partial(for_ever, call)


def linkage_graph_ward(_):
    call = partial(_native.linkage_graph_ward, numbers(400_000, 3), _chain(400_000), np.ones(400_000))
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


def fuzzy_memberships(_):
    X = numbers(40_000, 20)
    return partial(_native.fuzzy_memberships, X, X[:5000].copy(), None, 1.7, 0, np.empty(0), False)
