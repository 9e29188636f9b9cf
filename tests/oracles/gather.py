"""Columns side by side."""

from __future__ import annotations

import numpy as np


def gather(columns):
    """X[i, j] = columns[j][i], as float64."""
    return np.stack([column.astype(np.float64) for column in columns], axis=1)


def gather_codes(columns):
    """X[i, j] = columns[j][i], as int32."""
    return np.stack(columns, axis=1)
