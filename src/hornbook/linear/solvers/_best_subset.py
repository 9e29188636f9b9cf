"""Best subset of the columns, by branch and bound (Furnival and Wilson 1974)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Floats

__all__ = ["Subset", "best_subset"]

Indices = NDArray[np.intp]

MOST_FITS = 1024  # all subsets of ten columns
TIE = 1e-9  # relative improvement below which two costs count as equal


@dataclass(frozen=True)
class Subset:
    """A fit on some of the columns.

    Parameters
    ----------
    columns : ndarray of int
        Indices of the columns.
    x : ndarray
        Their coefficients, then the intercept if there is one.
    value : float
        The loss.
    """

    columns: Indices
    x: Floats
    value: float


def best_subset(
    first: Subset,
    fit: Callable[[Indices, Floats], Subset],
    price: float,
    spread: Floats,
    most: int = MOST_FITS,
) -> tuple[Subset, bool]:
    """Find the subset for which price x loss + number of columns is least.

    Depth first, the least important column is dropped, and so on; on backtracking, it is kept instead. Any
    subset of a node contains its kept columns and is contained in its columns, so it costs at least the
    number of the former plus the loss of the latter: the node is pruned when that bound is no better than the
    best subset.

    Parameters
    ----------
    first : Subset
        The fit on all columns.
    fit : callable
        Fits columns, from a start; must return the smallest loss for these columns.
    price : float
        Cost of a loss of 1, in columns.
    spread : ndarray of shape (n_columns, n_columns)
        Products of the columns, by which their importance is estimated.
    most : int, default 1024
        How many fits are allowed.

    Returns
    -------
    best : Subset
        The best subset found.
    proven : bool
        Whether it is optimal: all other subsets were fitted or pruned.
    """

    def cost(subset: Subset) -> float:
        return price * subset.value + len(subset.columns)

    best, fits = first, 1
    stack: list[tuple[Subset, frozenset[int]]] = [(first, frozenset())]
    while stack:
        node, kept = stack.pop()
        free = np.array(
            [j for j, column in enumerate(node.columns.tolist()) if column not in kept], dtype=int
        )
        if not len(free) or price * node.value + len(kept) >= cost(best) * (1.0 - TIE):
            continue
        if fits >= most:
            return best, False
        importance = _importance(node.x[: len(node.columns)], spread[np.ix_(node.columns, node.columns)])
        dropped = int(free[np.argmin(importance[free])])
        # Pushed first, visited last: dropping columns quickly gives a good bound.
        stack.append((node, kept | {int(node.columns[dropped])}))
        smaller = fit(np.delete(node.columns, dropped), np.delete(node.x, dropped))
        fits += 1
        if cost(smaller) < cost(best) * (1.0 - TIE):
            best = smaller
        stack.append((smaller, kept))
    return best, True


def _importance(coef: Floats, spread: Floats) -> Floats:
    """Importance of each coefficient: its square over its variance, as in a t test."""
    # Redundant columns make the products singular: the pseudo-inverse shares their importance.
    inverse = np.linalg.pinv(spread, hermitian=True)
    return np.asarray(coef**2 / np.maximum(np.diag(inverse), 1e-300))
