"""Disagreement of the trees of a forest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import numpy as np

from hornbook.params import Floats

__all__ = ["Kind", "spread_of", "votes_disagree"]

Kind: TypeAlias = Literal["entropy", "margin"]


def votes_disagree(shares: Floats, kind: Kind) -> Floats:
    """Entropy of the shares in bits, or 1 minus the largest share."""
    if kind == "margin":
        return np.asarray(1.0 - shares.max(axis=1))
    logs = np.log2(np.where(shares > 0, shares, 1.0))
    return np.asarray(np.abs((shares * logs).sum(axis=1)))  # abs rather than minus, which would give -0.0


def spread_of(answers: Iterable[Floats]) -> Floats:
    """Standard deviation with divisor n - 1, in one pass (Welford 1962); 0 for a single tree."""
    n, mean, squares = 0, np.zeros(1), np.zeros(1)
    # Tree by tree: (trees, rows) answers are never held together.
    for answer in answers:
        n += 1
        step = answer - mean
        mean = mean + step / n
        squares = squares + step * (answer - mean)
    return np.asarray(np.sqrt(squares / max(n - 1, 1)))
