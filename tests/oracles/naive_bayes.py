"""Naive Bayes for a pandas table, written row by row."""

from __future__ import annotations

import numpy as np


def naive_bayes(X, y, w, classes, *, smoothing, variance, smooth_prior, var_smoothing):
    """log P(c) + sum_j log P(x_j | c) for the rows of X itself; missing cells have no factor.

    numbers: N(x; m, s2 + share * v), m = sum w x / sum w, s2 = sum w (x - m)^2 / (n or n - 1), v of all rows;
        s2 = v / (2 ln(N + 1)) where there is one value, and 1 where there is one in all classes
    categories: (n + 1) / (N + m), or n / N where n > 0 under zero_only
    """
    mass = np.array([w[y == c].sum() for c in classes])
    mass = mass + smooth_prior * (mass > 0)
    with np.errstate(divide="ignore"):
        joint = np.tile(np.log(mass / mass.sum()), (len(X), 1))
    for name in X:
        known = X[name].notna().to_numpy()
        numeric = X[name].dtype.kind == "f"
        values = X[name].to_numpy(dtype=float if numeric else object)
        m = len(set(values[known]))
        for k, c in enumerate(classes):
            own = known & (y == c)
            if numeric:
                v, share = (values[own], w[own]) if w[own].sum() > 0 else (values[known], w[known])
                pool = np.average(
                    (values[known] - np.average(values[known], weights=w[known])) ** 2, weights=w[known]
                )
                mean = np.average(v, weights=share)
                scatter = (share * (v - mean) ** 2).sum()
                n = share.sum() - (variance == "unbiased" and w[own].sum() > 0)
                var = scatter / n if n > 0 else 0.0
                if var <= 1e-9 * pool:
                    var = pool / max(2 * np.log(w[own].sum() + 1), 1) if pool > 0 else 1.0
                var += var_smoothing * (pool if pool > 0 else 1.0)
                factor = -0.5 * np.log(2 * np.pi * var) - (values[known] - mean) ** 2 / (2 * var)
            else:
                total = w[own].sum()
                count = np.array([w[own & (values == value)].sum() for value in values[known]])
                smooth = (count + 1) / (total + m)
                plain = count / total if total > 0 else np.full(len(count), 1 / m)
                factor = np.log(
                    np.where((count == 0) & (total > 0), smooth, plain)
                    if smoothing == "zero_only"
                    else smooth
                )
            joint[known, k] += factor
    return joint
