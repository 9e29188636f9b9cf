"""Optima of linear models in extended precision (80-bit numbers where the machine has them)."""

from __future__ import annotations

import numpy as np

Wide = np.longdouble


def solve(A, b):
    """A x = b for a positive definite A, by Gauss' elimination"""
    A, x = A.copy(), b.copy()
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            share = A[j, i] / A[i, i]
            A[j] -= share * A[i]
            x[j] -= share * x[i]
    for i in reversed(range(len(x))):
        x[i] = (x[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x


def softmax_optimum(X, y, C):
    """min C sum log loss + |coef|² / 2, by Newton; centers, coef (k, d) and intercepts"""
    k, (n, d) = int(y.max()) + 1, X.shape
    X, center = centered(X)
    A = np.column_stack([X, np.ones(n, Wide)])
    scores = 1 if k == 2 else k
    theta = np.zeros((scores, d + 1), Wide)
    ridge = np.tile(np.append(np.full(d, Wide(1) / Wide(C)), Wide(0)), scores)
    for _ in range(50):
        P = probabilities(A @ theta.T)
        G = ((P - np.eye(k, dtype=Wide)[y]).T @ A)[-scores:].ravel() + ridge * theta.ravel()
        H = np.zeros((scores, d + 1, scores, d + 1), Wide)
        for a in range(scores):
            for b in range(scores):
                p, q = P[:, a - scores], P[:, b - scores]
                H[a, :, b] = A.T @ (A * (p * ((a == b) - q))[:, None])
                H[a, -1, b, -1] += scores > 1  # intercepts may move together
        step = solve(H.reshape(len(G), len(G)) + np.diag(ridge), G)
        theta -= step.reshape(theta.shape)
    return center, theta[:, :-1], theta[:, -1]


def poisson_optimum(X, y):
    """max sum y z - exp(z), by Newton; centers, coef, intercept, square roots of diag H^-1 for coef"""
    X, center = centered(X)
    A = np.column_stack([X, np.ones(len(X), Wide)])
    theta = np.append(np.zeros(X.shape[1], Wide), np.log(Wide(y.mean())))
    for _ in range(50):
        m = np.exp(A @ theta)
        H = A.T @ (A * m[:, None])
        theta = theta + solve(H, A.T @ (y - m))
    errors = [np.sqrt(solve(H, unit)[i]) for i, unit in enumerate(np.eye(len(H), dtype=Wide))]
    return center, theta[:-1], theta[-1], np.array(errors[:-1])


def centered(X):
    """Columns less their means, and these"""
    wide = X.astype(Wide)
    center = wide.mean(axis=0)
    return wide - center, center


def probabilities(Z):
    """Shares of exp(z); of one score, those of 0 and z"""
    Z = np.column_stack([np.zeros(len(Z), Wide), Z]) if Z.shape[1] == 1 else Z
    E = np.exp(Z - Z.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)
