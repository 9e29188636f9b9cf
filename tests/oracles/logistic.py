"""Log loss of linear scores, weighted products of columns, coordinate descent."""

from __future__ import annotations

import numpy as np


def with_ones(X):
    return np.column_stack([X, np.ones(len(X))])


def weighted_gram(X, h):
    """(X, 1)' diag(h) (X, 1)"""
    A = with_ones(X)
    return A.T @ np.diag(h) @ A


def logistic_sums(X, y, w, coef):
    """z = (x, 1).coef; sum w (ln(1 + e^z) - y z), sum w (p - y) (x, 1), sum w p (1 - p) (x, 1)(x, 1)'"""
    w = np.ones(len(X)) if w is None else w
    z = with_ones(X) @ coef
    p = 1 / (1 + np.exp(-z))
    value = np.sum(w * (np.logaddexp(0, z) - y * z))
    return value, with_ones(X).T @ (w * (p - y)), weighted_gram(X, w * p * (1 - p))


def softmax_sums(X, y, w, coef):
    """z = coef (x, 1); sums of w (ln sum e^z - z_y), w (p - e_y) (x, 1)', w (diag p - pp') x (x, 1)(x, 1)'"""
    A, w = with_ones(X), np.ones(len(X)) if w is None else w
    z = A @ coef.T
    p = np.exp(z - z.max(axis=1, keepdims=True))
    total = np.log(p.sum(axis=1)) + z.max(axis=1)
    p /= p.sum(axis=1, keepdims=True)
    value = np.sum(w * (total - z[np.arange(len(y)), y]))
    gradient = (w[:, None] * (p - np.eye(len(coef))[y])).T @ A
    curvature = np.einsum("i,ik,km->ikm", w, p, np.eye(len(coef))) - np.einsum("i,ik,im->ikm", w, p, p)
    return value, gradient, np.einsum("ikm,ia,ib->kamb", curvature, A, A).reshape((coef.size,) * 2)


def coordinate_descent(H, g, l1, start, sweeps, positive=False):
    """x_j <- S(x_j - slope_j / H_jj, l1_j / H_jj) with slope = g + H (x - start), one after the other;
    S(z, r) is sign(z) max(|z| - r, 0), or max(z - r, 0) where only positive x count"""
    x = start.copy()
    for _ in range(sweeps):
        for j in range(len(x)):
            goal = x[j] - (g + H @ (x - start))[j] / H[j, j]
            size = goal if positive else abs(goal)
            x[j] = (1.0 if positive else np.sign(goal)) * max(size - l1[j] / H[j, j], 0.0)
    return x
