"""Means of classes and the scatter around them; one pass of the perceptron."""

from __future__ import annotations

import numpy as np


def class_scatter(X, y, w, n_classes):
    """mass = sum w, mean = sum w x / mass (0 without mass), within = sum w (x - mean_y)(x - mean_y)'"""
    w = np.ones(len(X)) if w is None else w
    mass = np.array([w[y == c].sum() for c in range(n_classes)])
    mean = np.zeros((n_classes, X.shape[1]))
    for c in np.flatnonzero(mass):
        mean[c] = w[y == c] @ X[y == c] / mass[c]
    gap = X - mean[y]
    return mass, mean, (gap * w[:, None]).T @ gap


def perceptron_pass(X, y, w, coef, eta, strict):
    """For each row, w times: if wrong, coef += eta (2 y - 1) (x, 1); z = coef.(x, 1), z >= 0 is class 1"""
    coef, mistakes = coef.copy(), 0
    for i, x in enumerate(np.column_stack([X, np.ones(len(X))])):
        left = 1.0 if w is None else w[i]
        while left > 0:
            z = coef[-1] + sum(c * v for c, v in zip(coef[:-1], x[:-1], strict=True))
            if (z >= 0) == (y[i] == 1) and not (strict and z == 0):
                break
            coef = coef + (2 * y[i] - 1) * (eta * min(left, 1.0)) * x
            mistakes, left = mistakes + 1, left - 1
    return coef, mistakes
