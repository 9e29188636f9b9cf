"""Votes of the neighbors, and how ties are broken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.distances import Placed
from hornbook.neighbors._memory import Neighbors
from hornbook.params import Floats
from hornbook.random import row_bits

__all__ = ["Ties", "Weighting", "nearest_tied", "probabilities_of", "tied", "tied_at_random", "votes_of"]

Weighting = Literal["uniform", "distance"] | Callable[[Floats], Floats] | None
Ties = Literal["nearest", "random", "first"]

SMALLEST = 1e-300  # the smallest distance whose reciprocal is finite
SAME = 1e-12  # sums of votes with a smaller relative difference are equal up to rounding


def votes_of(neighbors: Neighbors, weights: Weighting) -> Floats:
    """Return the vote of each neighbor.

    ``"distance"`` is 1 / D; where the query has neighbors at distance 0, only those vote.
    """
    if callable(weights):
        return neighbors.masses * _function_votes(weights, neighbors)
    if weights is None or weights == "uniform":
        return neighbors.masses
    # 1 / 0 would outvote everything: equal rows, if there are any, are the only voters.
    same = neighbors.distances == 0
    exact = np.bincount(neighbors.queries, weights=same, minlength=len(neighbors.offsets) - 1) > 0
    # Inverse distance weighting (Shepard 1968).
    inverse = 1 / np.maximum(neighbors.distances, SMALLEST)
    return np.asarray(neighbors.masses * np.where(exact[neighbors.queries], same, inverse))


def _function_votes(weights: Callable[[Floats], Floats], neighbors: Neighbors) -> Floats:
    distances = neighbors.distances
    votes = np.asarray(weights(distances.copy()), dtype=np.float64)
    if votes.shape != distances.shape or np.isnan(votes).any() or (votes < 0).any():
        raise ValueError(
            "parameter 'weights' must be a function that gives a number >= 0 for each distance of an "
            f"array; for {distances.shape} distances it gave shape {votes.shape}, or other numbers."
        )
    endless = np.isinf(votes)
    if not endless.any():
        return votes
    # As for 1 / D: where some votes have no bound, those alone count.
    outvoted = np.bincount(neighbors.queries, weights=endless, minlength=len(neighbors.offsets) - 1) > 0
    return np.asarray(np.where(outvoted[neighbors.queries], endless, votes), dtype=np.float64)


def tied(totals: Floats) -> NDArray[np.bool_]:
    """Which classes have the most votes, one row for each query."""
    most = totals.max(axis=1, keepdims=True)
    return np.asarray(totals >= most * (1 - SAME))


def nearest_tied(
    totals: Floats, neighbors: Neighbors, votes: Floats, y: NDArray[np.int32]
) -> NDArray[np.intp]:
    """Return the class of the nearest neighbor among those with the most votes, where there are several.

    Elsewhere it is the first with the most votes.
    """
    best = tied(totals)
    choice = np.asarray(best.argmax(axis=1))
    several = best.sum(axis=1) > 1
    voters = np.flatnonzero(np.repeat(several, np.diff(neighbors.offsets)) & (votes > 0))
    whose = np.searchsorted(neighbors.offsets, voters, side="right") - 1
    label = y[neighbors.indices[voters]]
    counts = best[whose, label]
    # From the farthest to the nearest, because the last assignment wins.
    choice[whose[counts][::-1]] = label[counts][::-1]
    return choice


def tied_at_random(totals: Floats, queries: Placed, seed: int) -> NDArray[np.intp]:
    """Return one of the classes with the most votes, drawn for each query."""
    # The draw depends on the row's content, so equal rows always get the same class.
    best = tied(totals)
    place = np.floor(_uniform(queries, seed) * best.sum(axis=1)).astype(np.intp)
    return np.asarray((np.cumsum(best, axis=1) > place[:, None]).argmax(axis=1))


def probabilities_of(totals: Floats, choice: NDArray[np.intp]) -> Floats:
    """Return votes as probabilities; of tied classes the chosen one is ahead by one ulp.

    Without votes there are none: 0 for every class.
    """
    mass = totals.sum(axis=1, keepdims=True)
    probabilities = np.divide(totals, mass, out=np.zeros_like(totals), where=mass > 0)
    rows = np.flatnonzero((tied(totals).sum(axis=1) > 1) & (mass[:, 0] > 0))
    # So that the argmax of predict_proba is the prediction, whatever rule broke the tie.
    probabilities[rows, choice[rows]] = np.nextafter(probabilities[rows].max(axis=1), 2.0)
    return np.asarray(probabilities)


def _uniform(queries: Placed, seed: int) -> Floats:
    """Return a number in [0, 1) for each row that depends on its cells and the seed alone."""
    bits = row_bits([*queries.numbers.T.copy(), *queries.codes.T], len(queries), seed)
    return np.asarray((bits >> np.uint64(11)).astype(np.float64) * 2.0**-53)
