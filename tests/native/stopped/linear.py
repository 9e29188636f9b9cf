"""Sums and passes of linear models."""

from __future__ import annotations

from functools import partial

import numpy as np
from tests.native.stopped.arguments import for_ever, numbers

from hornbook import _native


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


def weighted_gram(_):
    return partial(_native.weighted_gram, numbers(3000, 5000), np.ones(3000))


def class_scatter(_):
    return partial(_native.class_scatter, numbers(3000, 5000), np.zeros(3000, dtype=np.int32), None, 1)


def row_scatter(_):
    return partial(_native.row_scatter, numbers(3000, 5000), None)


def linear_descent_pass(_):
    """Rows of one column, whose multipliers never settle."""
    n = 5_000_000
    terms = np.zeros(n), np.full(n, 1e6), np.ones(n), np.zeros(n)
    states = np.zeros(n), np.zeros(2), np.arange(n)
    call = partial(_native.linear_descent_pass, numbers(n, 1), 1.0, *terms, 0.0, *states, n, np.inf, 0, 0)
    return partial(for_ever, call)


def joint_descent_pass(_):
    """Rows of two classes that lie at the same place, whose multipliers never settle."""
    n = 5_000_000
    rows = np.ones(n), np.zeros(n, dtype=np.int32), np.arange(n + 1), 1
    terms = np.arange(n) % 2, np.full(n, 1e6), 2
    states = np.zeros(2 * n), np.zeros(4), np.arange(n)
    call = partial(_native.joint_descent_pass, *rows, 1.0, *terms, *states, n, np.inf, 0, 0)
    return partial(for_ever, call)


def sparse_descent_pass(_):
    """The same on sparse rows."""
    n = 5_000_000
    terms = np.zeros(n), np.full(n, 1e6), np.ones(n), np.zeros(n)
    states = np.zeros(n), np.zeros(2), np.arange(n)
    rows = np.ones(n), np.zeros(n, dtype=np.int32), np.arange(n + 1), 1
    call = partial(_native.sparse_descent_pass, *rows, 1.0, *terms, 0.0, *states, n, np.inf, 0, 0)
    return partial(for_ever, call)
