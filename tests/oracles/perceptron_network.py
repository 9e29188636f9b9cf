"""A feed-forward network in plain NumPy: costs and gradients as in the textbook."""

from __future__ import annotations

import numpy as np

from hornbook.networks.mlp._costs import loss_of
from hornbook.networks.mlp._units import unit_slope, unit_value


def passes(network, X):
    """Outputs of every layer for every row; net inputs of the last."""
    values, outputs, net = X, [X], None
    for layer, (W, b) in enumerate(network.split()):
        net = values @ W + b  # v_j = w_j0 + sum_k w_jk y_k
        last = layer == network.depth - 1
        unit = network.output if last else network.hidden
        slope = 1.0 if last and unit in ("identity", "exponential", "softmax") else network.slope
        values = np.array([unit_value(unit, row, slope, network.amplitude) for row in net])
        outputs.append(values)
    return outputs, net, slope


def gradient(network, X, targets, w=None):
    """Sum over rows of the cost, and its gradient by backpropagation."""
    outputs, net, slope = passes(network, X)
    w = np.ones(len(X)) if w is None else w
    loss = loss_of(network.cost, network.output, targets.shape[1])
    if network.cost == "squared_error":  # J = sum of (y - t)^2 / 2, delta = e f'(v)
        cost = 0.5 * ((outputs[-1] - targets) ** 2).sum(axis=1)
        delta = (outputs[-1] - targets) * unit_slope(network.output, outputs[-1], slope, network.amplitude)
    elif network.output == "softmax":
        codes = targets.argmax(axis=1)
        cost, delta = loss.value(codes, net), loss.gradient(codes, net)
    else:
        z = slope * net
        cost, delta = loss.value(targets, z), slope * loss.gradient(targets, z)
        cost = cost if cost.ndim == 1 else cost.sum(axis=1)
    delta, parts = delta * w[:, None], []
    for layer in range(network.depth - 1, -1, -1):
        W, _ = network.split()[layer]
        parts = [(outputs[layer].T @ delta).ravel(), delta.sum(axis=0), *parts]
        delta = (delta @ W.T) * unit_slope(network.hidden, outputs[layer], network.slope, network.amplitude)
    return float(w @ cost), np.concatenate(parts)
