"""Two halves of the rows, a clustering of each, and how far the two agree on all rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from hornbook.evaluation.clusters._pair_counts import adjusted_rand
from hornbook.evaluation.folds._dataset import Clock, Fitted
from hornbook.evaluation.splits._rows import count_rows, take_rows
from hornbook.frame import as_frame
from hornbook.random import Stream

__all__ = [
    "FEWEST_ROWS",
    "Halves",
    "agreement",
    "agreement_of",
    "half_splits",
    "labelings",
    "require_clusterer",
    "rows_for",
]

Halves = tuple[NDArray[np.int64], NDArray[np.int64]]

FEWEST_ROWS = 4  # two for each half
_SPLIT_STREAM = 61


def require_clusterer(function: str, name: str, learner: Any) -> None:
    """Refuse what does not find clusters or cannot place new rows in them."""
    if not hasattr(learner, "fit_predict"):
        raise TypeError(f"{function}: {name} must be a clusterer; got {type(learner).__name__}.")
    if not hasattr(learner, "predict"):
        raise TypeError(
            f"{function}: {name}, a {type(learner).__name__}, has no 'predict', so two clusterings cannot be "
            "compared on the same rows; choose a clusterer that places new rows."
        )


def rows_for(learner: Any, X: Any) -> Any:
    """The table as the learner takes it: a Frame for our own, so that categories are known in every half."""
    return as_frame(X) if hasattr(learner, "accepts") else X


def half_splits(function: str, X: Any, n_splits: int, seed: int) -> Iterator[Halves]:
    """Draw disjoint halves of the rows, in the order of the table; of an odd number one row is left out."""
    n_rows = count_rows(X)
    if n_rows < FEWEST_ROWS:
        raise ValueError(f"{function}: at least {FEWEST_ROWS} rows are needed for two halves; got {n_rows}.")
    if n_splits < 2:
        raise ValueError(f"{function}: 'n_splits' must be at least 2; got {n_splits}.")
    half = n_rows // 2
    for split in range(n_splits):
        order = Stream(seed, _SPLIT_STREAM, split).permutation(n_rows)
        # In table order: a clusterer that breaks ties by row number must not see a shuffled table.
        yield np.sort(order[:half]), np.sort(order[half : 2 * half])


def labelings(learner: Any, X: Any, halves: Halves) -> tuple[list[NDArray[np.int64]], Fitted]:
    """Fit a clone to each half and let both label all rows.

    The second result is the model of the first half with the mean time of the two.
    """
    clock = Clock()
    models = [clone(learner).fit(take_rows(X, rows)) for rows in halves]
    seconds = clock.seconds / len(models)
    return [np.asarray(model.predict(X)) for model in models], Fitted(models[0], seconds)


def agreement_of(labels: Sequence[NDArray[np.int64]]) -> float:
    """Return the adjusted Rand index of two labelings of the same rows.

    A model that puts all rows into one cluster says nothing about them: its agreement is 0, as it is with
    labels drawn by chance.
    """
    grouped = all(len(np.unique(codes)) > 1 for codes in labels)
    # A single cluster agrees with everything; it counts as no structure rather than as perfect
    # agreement.
    return adjusted_rand(*labels) if grouped else 0.0


def agreement(learner: Any, X: Any, halves: Halves) -> tuple[float, Fitted]:
    """Return how far the models of two halves agree on all rows, and the model of the first."""
    labels, fitted = labelings(learner, X, halves)
    return agreement_of(labels), fitted
