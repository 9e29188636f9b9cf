"""Scores turned into logarithms of shares."""

from __future__ import annotations

import numpy as np


def log_softmax(scores):
    """total = log sum_c exp(s_c), shares = s - total; a row of -inf stays as it is."""
    total = np.logaddexp.reduce(scores, axis=1)
    with np.errstate(invalid="ignore"):
        shares = scores - total[:, None]
    shares[np.isneginf(total)] = -np.inf
    return shares, total
