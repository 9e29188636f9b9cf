"""The columns that are worth their price: a search that leaves out what cannot be better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = ["Subset", "best_subset"]

Places = NDArray[np.intp]

MOST_FITS = 1024  # as many as ten columns have subsets
TIE = 1e-9  # share of the cost by which a better one must be better


@dataclass(frozen=True)
class Subset:
    """A fit on some of the columns.

    Parameters
    ----------
    columns : ndarray of int
        Which.
    x : ndarray
        Their coefficients, then the intercept if there is one.
    value : float
        The loss.
    """

    columns: Places
    x: Floats
    value: float


def best_subset(
    first: Subset,
    fit: Callable[[Places, Floats], Subset],
    price: float,
    spread: Floats,
    most: int = MOST_FITS,
) -> tuple[Subset, bool]:
    """Find the subset for which price x loss + number of columns is least.

    From all columns, the least needed one is taken out, and so on; on the way back, each is kept instead. A
    subset between some columns that stay and some that are still there costs at least the number of the
    former plus the loss of the latter, so it is left when that is no better than the best found.

    Parameters
    ----------
    first : Subset
        The fit on all columns.
    fit : callable
        Fits columns, from a start; the loss is to be the smallest for these columns.
    price : float
        How much a loss of 1 counts, in columns.
    spread : ndarray of shape (n_columns, n_columns)
        Products of the columns, by which needs are compared.
    most : int, default 1024
        How many fits are allowed.

    Returns
    -------
    best : Subset
        The best that was found.
    proven : bool
        Whether no other can be better: all were tried, or left for a reason.
    """

    def cost(subset: Subset) -> float:
        return price * subset.value + len(subset.columns)

    best, fits = first, 1
    ways: list[tuple[Subset, frozenset[int]]] = [(first, frozenset())]
    while ways:
        here, kept = ways.pop()
        free = np.array(
            [j for j, column in enumerate(here.columns.tolist()) if column not in kept], dtype=int
        )
        if not len(free) or price * here.value + len(kept) >= cost(best) * (1.0 - TIE):
            continue
        if fits >= most:
            return best, False
        need = _need(here.x[: len(here.columns)], spread[np.ix_(here.columns, here.columns)])
        least = int(free[np.argmin(need[free])])
        ways.append((here, kept | {int(here.columns[least])}))
        there = fit(np.delete(here.columns, least), np.delete(here.x, least))
        fits += 1
        if cost(there) < cost(best) * (1.0 - TIE):
            best = there
        ways.append((there, kept))
    return best, True


def _need(coef: Floats, spread: Floats) -> Floats:
    """How much each coefficient would be missed: small for its uncertainty, as in a t test, is little."""
    inverse = np.linalg.pinv(spread, hermitian=True)
    return np.asarray(coef**2 / np.maximum(np.diag(inverse), 1e-300))
