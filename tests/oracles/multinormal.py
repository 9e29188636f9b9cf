"""Log density of rows under multivariate normal distributions, cells that are NaN left out."""

from __future__ import annotations

import numpy as np


def multinormal_joint(X, mean, cov):
    """log N(x; m, S) = -(k log 2 pi + log |S| + (x - m)' S^-1 (x - m)) / 2 over the k known columns."""
    out = np.zeros((len(X), len(mean)))
    for i, x in enumerate(X):
        known = ~np.isnan(x)
        for c, (m, S) in enumerate(zip(mean, cov, strict=True)):
            part, gap = S[np.ix_(known, known)], (x - m)[known]
            square = gap @ np.linalg.solve(part, gap)
            out[i, c] = -0.5 * (known.sum() * np.log(2 * np.pi) + np.linalg.slogdet(part)[1] + square)
    return out
