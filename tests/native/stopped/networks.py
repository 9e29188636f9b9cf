"""Passes of networks."""

from __future__ import annotations

from functools import partial

import numpy as np
from tests.native.stopped.arguments import for_ever, numbers

from hornbook import _native


def lvq_pass(_):
    """Rows of weights that are presented as often as possible."""
    X, y, order = numbers(100_000, 20), np.zeros(100_000, dtype=np.int32), np.arange(100_000)
    codes, settings = np.arange(10, dtype=np.int32), (0, 0.1, 0.3, 0.1, 2.0)
    return partial(_native.lvq_pass, X, y, np.full(len(X), 1e9), order, X[:10].copy(), codes, *settings)


def rls_pass(_):
    X, Y = numbers(100_000, 200), numbers(100_000, 1)
    return partial(_native.rls_pass, X, Y, None, np.eye(200), np.zeros((200, 1)))


def _network(n, *sizes):
    """Rows, targets, and the structure and weights of a network for them."""
    layers = np.array(sizes)
    kinds, shape = np.array([2, 1, 0], dtype=np.int32), np.ones(4)
    theta = 0.01 * numbers(int(((layers[:-1] + 1) * layers[1:]).sum()))
    return numbers(n, sizes[0]), np.zeros((n, sizes[-1])), (layers, kinds, shape), theta


def network_outputs(threads):
    X, _, structure, theta = _network(20_000, 200, 3000, 1)
    return partial(for_ever, partial(_native.network_outputs, X, *structure, theta, False, threads))


def network_gradient(_):
    X, targets, structure, theta = _network(20_000, 200, 3000, 1)
    return partial(for_ever, partial(_native.network_gradient, X, targets, None, *structure, theta))


def network_jacobian(_):
    X, _, structure, theta = _network(1_000_000, 5, 5, 1)
    return partial(for_ever, partial(_native.network_jacobian, X, *structure, theta))


def network_epochs(threads):
    X, targets, structure, theta = _network(100_000, 50, 3000, 1)
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
    X, targets, structure, theta = _network(100_000, 20, 40, 1)
    order = np.tile(np.arange(len(X)), 100)
    return partial(
        _native.network_kalman, X, targets, None, order, *structure, 1.0, 0.0, theta, np.eye(len(theta))
    )
