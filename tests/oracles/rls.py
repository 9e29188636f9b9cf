"""Recursive least squares by its usual formulas."""

from __future__ import annotations

import numpy as np


def rls_pass(X, Y, w, normal, moments):
    """After each row, A += w x x', B += w x y'; the coefficients are the shortest solution of A W = B."""
    A, B, errors = normal.copy(), moments.copy(), 0.0
    for x, y, weight in zip(X, Y, np.ones(len(X)) if w is None else w, strict=True):
        errors += weight * ((y - x @ np.linalg.solve(A, B)) ** 2).sum()
        A += weight * np.outer(x, x)
        B += weight * np.outer(x, y)
    return A, B, errors
