"""Arguments that many calls share."""

from __future__ import annotations

import numpy as np


def numbers(*shape):
    """Any numbers."""
    return np.random.default_rng(0).standard_normal(shape)


def for_ever(call):
    """Make a call again and again: one that is done in seconds may be done before it is stopped."""
    while True:
        call()


def metric(power, d):
    """Arguments of a metric over numbers alone."""
    none = np.empty(0, dtype=np.int32)
    return power, np.ones(d), np.empty(0), none, np.empty((0, 0))


def no_codes(n):
    """As many rows without codes."""
    return np.empty((n, 0), dtype=np.int32)
