"""One look at a matrix, column by column."""

from __future__ import annotations

import numpy as np


def scan(X):
    """Return NaN counts, finite minima and maxima (NaN where there is none), place of the first infinity."""
    missing = np.isnan(X).sum(axis=0)
    finite = [column[np.isfinite(column)] for column in X.T]
    low = np.array([values.min() if len(values) else np.nan for values in finite])
    high = np.array([values.max() if len(values) else np.nan for values in finite])
    places = np.flatnonzero(np.isinf(X))  # row-major: i d + j
    return missing, low, high, places[0] if len(places) else -1
