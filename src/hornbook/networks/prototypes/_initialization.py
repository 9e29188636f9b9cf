"""Initial prototypes: which class each of them has, and where it begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.clustering import KMeans
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["given_prototypes", "initial_prototypes", "prototype_codes"]

START_STREAM = 1  # random numbers that choose rows


def prototype_codes(
    prototypes: int | Sequence[Any], classes: NDArray[Any], most: NDArray[np.intp]
) -> NDArray[np.int32]:
    """The class of each prototype, as a place in the classes: so many of each, or by their labels.

    Parameters
    ----------
    prototypes : int or sequence of labels
        As the learner has it.
    classes : ndarray of shape (n_classes,)
        The labels.
    most : ndarray of shape (n_classes,)
        The most prototypes of each class, if a number of them is given; 0 for a class without rows.
    """
    present = most > 0
    if isinstance(prototypes, int | np.integer):
        return np.repeat(np.arange(len(classes)), np.minimum(most, prototypes)).astype(np.int32)
    labels = np.asarray(prototypes)
    unknown = ~np.isin(labels, classes[present])
    if labels.ndim != 1 or unknown.any():
        problem = f"got {labels.ravel()[unknown.ravel()].tolist()[0]!r}" if unknown.any() else "got a table"
        raise ValueError(
            f"LVQClassifier: parameter 'prototypes' must be a number or a list of classes of rows with "
            f"weight, which are {', '.join(map(repr, classes[present].tolist()))}; {problem}."
        )
    codes = np.searchsorted(classes, labels).astype(np.int32)
    without = np.setdiff1d(np.flatnonzero(present), codes)
    if len(without):
        raise ValueError(
            f"LVQClassifier: parameter 'prototypes' has none for class {classes[without].tolist()[0]!r}: "
            "name every class at least once."
        )
    return codes


def given_prototypes(init: Any, count: int, n_columns: int) -> Floats:
    """Initial prototypes from the user, validated."""
    places = np.array(init, dtype=np.float64, order="C")
    finite = bool(np.isfinite(places).all())
    if places.shape != (count, n_columns) or not finite:
        raise ValueError(
            f"LVQClassifier: parameter 'init' must be {count} rows of {n_columns} finite numbers, one row "
            f"for each prototype and one number for each encoded column; got shape {places.shape}"
            f"{'' if finite else ' with cells that are not finite'}."
        )
    return places


def initial_prototypes(
    init: Literal["kmeans", "random"],
    rows: Sequence[tuple[Floats, Floats]],
    codes: NDArray[np.int32],
    classes: NDArray[Any],
    seed: int,
) -> Floats:
    """Prototypes among the rows of their classes.

    Parameters
    ----------
    init : {"kmeans", "random"}
        Centers of clusters of the class, or rows of it.
    rows : sequence of (ndarray, ndarray)
        The distinct rows of each class, and their weights.
    codes : ndarray of shape (n_prototypes,)
        Class of each prototype.
    classes : ndarray of shape (n_classes,)
        The labels, for errors.
    seed : int
        Seed of the draws.
    """
    places = np.empty((len(codes), rows[codes[0]][0].shape[1]))
    for rank, code in enumerate(np.unique(codes).tolist()):
        own = codes == code
        X, w = rows[code]
        if len(X) < own.sum():
            raise ValueError(
                f"LVQClassifier: class {classes.tolist()[code]!r} has {len(X)} distinct rows with weight, "
                f"fewer than its {own.sum()} prototypes: lower 'prototypes'."
            )
        if init == "random":
            places[own] = X[_drawn(w, int(own.sum()), Stream(seed, START_STREAM, rank))]
        elif own.sum() == 1:
            places[own] = X[0] + (w / w.sum()) @ (X - X[0])  # from a row: means of large numbers lose digits
        else:
            clusters = KMeans(int(own.sum()), random_state=seed, n_jobs=1)
            places[own] = clusters.fit(X, sample_weight=w).cluster_centers_
    return places


def _drawn(w: Floats, count: int, draws: Stream) -> list[int]:
    """Different rows, drawn one after the other with probabilities proportional to their weights."""
    mass, chosen = w.copy(), []
    for draw in draws.uniform(count):
        running = np.cumsum(mass)
        row = int(np.searchsorted(running, draw * running[-1], side="right"))
        row = min(row, int(np.flatnonzero(mass)[-1]))  # rounding may put a draw at the very end
        chosen.append(row)
        mass[row] = 0.0
    return chosen
