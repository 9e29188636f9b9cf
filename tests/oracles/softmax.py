"""Scores turned into logarithms of shares."""

from __future__ import annotations

import numpy as np


def log_softmax(scores):
    """total = top + log sum_c exp(s_c - top), shares = (s - top) - log sum; a row of -inf stays as it is."""
    top = scores.max(axis=1, keepdims=True)
    total = np.logaddexp.reduce(scores, axis=1)
    with np.errstate(invalid="ignore"):
        shares = (scores - top) - np.logaddexp.reduce(scores - top, axis=1)[:, None]
    shares[np.isneginf(total)] = -np.inf
    return shares, total
