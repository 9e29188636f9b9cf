"""Log likelihood of rows under a kernel density per class and column."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp


def kernel_joint(X, points, weights, offsets, bandwidth):
    """Sum over the columns that are not NaN of log(sum_i w_i N(x; p_i, h^2) / sum_i w_i)."""
    joint = np.zeros((len(X), len(bandwidth)))
    for c in range(len(bandwidth)):
        for j in range(X.shape[1]):
            sample = slice(offsets[c * X.shape[1] + j], offsets[c * X.shape[1] + j + 1])
            h, w = bandwidth[c, j], weights[sample]
            z = (X[:, [j]] - points[sample]) / h
            log_kernel = -0.5 * z**2 - np.log(h) - 0.5 * np.log(2 * np.pi)
            log_density = logsumexp(log_kernel + np.log(w), axis=1) - logsumexp(np.log(w))
            joint[:, c] += np.where(np.isnan(X[:, j]), 0.0, log_density)
    return joint
