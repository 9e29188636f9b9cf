"""Log likelihood of rows under one simple model per class and column."""

from __future__ import annotations

import numpy as np


def gaussian_joint(X, mean, var):
    """Sum over the columns that are not NaN of log N(x; m, v) = -log(2 pi v) / 2 - (x - m)^2 / (2 v)."""
    with np.errstate(over="ignore"):
        z = (X[:, None, :] - mean) / np.sqrt(var)
        terms = -0.5 * (np.log(2 * np.pi) + np.log(var)) - 0.5 * z**2
    return np.where(np.isnan(terms), 0.0, terms).sum(axis=2)


def table_joint(codes, log_table, n_levels):
    """Sum over the columns with a code of log_table[c, start of the column + code]."""
    starts = np.cumsum([0, *n_levels[:-1]])
    joint = np.zeros((len(codes), len(log_table)))
    for j in range(codes.shape[1]):
        known = codes[:, j] >= 0
        joint[known] += log_table[:, starts[j] + codes[known, j]].T
    return joint
