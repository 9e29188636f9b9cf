"""Learning vector quantization: one pass over the rows."""

from __future__ import annotations

import numpy as np


def lvq_pass(X, y, w, order, prototypes, classes, rule, eta, window, epsilon, beta):
    """A row moves prototypes p by step (x - p); of weight w it is presented w times."""
    P = prototypes.copy()
    for i in order:
        left = 1.0 if w is None else w[i]
        while left > 0:
            present(P, X[i], classes == y[i], rule, min(left, 1.0) * eta, window, epsilon, beta)
            left -= 1.0
    return P


def present(P, x, own, rule, eta, window, epsilon, beta):
    squares = ((x - P) ** 2).sum(axis=1)
    order = np.argsort(squares, kind="stable")
    if rule == 0:  # the nearest: toward x if it has its class, else away
        k = order[0]
        P[k] += (eta if own[k] else -eta) * (x - P[k])
    elif rule in (1, 2):
        a, b = order[:2] if len(order) > 1 else (0, 0)
        near = np.sqrt(squares[a]) * (1 + window) >= np.sqrt(squares[b]) * (1 - window)
        if own[a] != own[b] and near:
            P[a] += (eta if own[a] else -eta) * (x - P[a])
            P[b] += (eta if own[b] else -eta) * (x - P[b])
        elif rule == 2 and own[a] and own[b] and len(order) > 1:
            P[a] += epsilon * eta * (x - P[a])
            P[b] += epsilon * eta * (x - P[b])
    elif own.any() and not own.all():  # down the gradient of f((d - e) / (d + e))
        p, q = (next(k for k in order if own[k] == side) for side in (True, False))
        d, e = squares[p], squares[q]
        if d + e > 0:
            f = 1 / (1 + np.exp(-beta * (d - e) / (d + e)))
            slope = eta * beta * f * (1 - f) / (d + e)
            P[p] += min(slope * e / (d + e), 1.0) * (x - P[p])
            P[q] -= min(slope * d / (d + e), 1.0) * (x - P[q])
