"""Kernels and support vectors."""

from __future__ import annotations

from functools import partial

import numpy as np
from tests.native.stopped.arguments import for_ever, numbers

from hornbook import _native


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
