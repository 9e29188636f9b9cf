"""Multiple testing: p-values adjusted so that the family-wise error rate is at most alpha."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.evaluation.intervals._samples import numbers, share
from hornbook.params import Floats

__all__ = ["Adjusted", "holm"]


class Adjusted(NamedTuple):
    """Adjusted p-values and what follows from them.

    Parameters
    ----------
    adjusted : ndarray
        The adjusted p-values, in the order they were given.
    rejected : ndarray of bool
        Whether each null hypothesis is rejected: adjusted p <= alpha.
    """

    adjusted: Floats
    rejected: NDArray[np.bool_]


def holm(p_values: ArrayLike, alpha: float = 0.05) -> Adjusted:
    """Adjust p-values by the step-down method of Holm (1979).

    The smallest of m is multiplied by m, the next by m - 1 and so on; none may become smaller than the one
    before, nor larger than 1. Rejecting where the adjusted p is at most alpha keeps the probability of one or
    more false rejections at most alpha, however the tests depend on each other.

    Parameters
    ----------
    p_values : array-like of shape (m,)
        p-values in [0, 1]; may be empty.
    alpha : float, default 0.05
        Family-wise significance level, in (0, 1).

    Returns
    -------
    Adjusted
        Adjusted p-values and decisions; unpacks as ``adjusted, rejected = holm(...)``.

    Examples
    --------
    >>> adjusted, rejected = holm([0.01, 0.04, 0.03])
    >>> adjusted.tolist(), rejected.tolist()
    ([0.03, 0.06, 0.06], [True, False, False])
    """
    alpha = share("holm", "alpha", alpha)
    p = numbers("holm", "p_values", p_values, least=0)
    wrong = np.flatnonzero((p < 0) | (p > 1))
    if len(wrong):
        raise ValueError(f"holm: 'p_values' must be in [0, 1]; got {p[wrong[0]]} at position {wrong[0]}.")
    # The i-th smallest of m p-values is multiplied by m - i + 1: less than Bonferroni's m, with the
    # same guarantee and without any assumption of independence.
    order = np.argsort(p, kind="stable")
    # the running maximum keeps the order: whoever has the smaller p has the smaller adjusted p
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(steps, 1.0)
    return Adjusted(adjusted, adjusted <= alpha)
