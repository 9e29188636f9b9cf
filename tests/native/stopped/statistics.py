"""Likelihoods, counts and draws."""

from __future__ import annotations

from functools import partial

import numpy as np
from tests.native.stopped.arguments import for_ever, numbers

from hornbook import _native


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


def _table_of_levels(n, columns):
    """Codes of four levels, and their numbers."""
    codes = np.random.default_rng(0).integers(0, 4, (n, columns), dtype=np.int32)
    return codes, np.full(columns, 4, dtype=np.int32)


def aode_joint(threads):
    codes, levels = _table_of_levels(20_000, 300)
    tables = np.zeros((1200, 7)), np.zeros((1200**2, 7)), np.ones(1200, dtype=np.uint8)
    return partial(_native.aode_joint, codes, levels, *tables, None, threads)


def pair_counts(threads):
    codes, levels = _table_of_levels(200_000, 300)
    y = np.arange(200_000, dtype=np.int32) % 2
    return partial(_native.pair_counts, codes, y, None, levels, np.arange(300, dtype=np.int32), 2, threads)


def permute_dot(threads):
    return partial(_native.permute_dot, numbers(2_000_000), numbers(2_000_000), 1_000_000, 0, threads)


def permute_two_sample_mean(threads):
    return partial(_native.permute_two_sample_mean, numbers(20_000_000), 10_000_000, 1_000_000, 0, threads)


def auc_bootstrap(threads):
    score = numbers(2_000_000)
    return partial(_native.auc_bootstrap, score > 0, score, 1_000_000, 0, 0, threads)


def _mixture_of_many():
    """Components, and rows of which each misses other cells."""
    X = numbers(4000, 200)
    X[np.random.default_rng(1).random(X.shape) < 0.5] = np.nan
    return X, (np.zeros((10, 200)), np.tile(np.eye(200), (10, 1)), np.zeros(10), False)


def mixture_joint(threads):
    X, components = _mixture_of_many()
    return partial(_native.mixture_joint, X, *components, threads)


def mixture_sums(threads):
    X, components = _mixture_of_many()
    return partial(_native.mixture_sums, X, None, None, *components)


def bootstrap_counts(_):
    return partial(_native.bootstrap_counts, 0, 0, 1000, 2**31 - 1)


def philox(_):
    return partial(for_ever, partial(_native.philox, 0, 0, 0, 20_000_000, 0))
