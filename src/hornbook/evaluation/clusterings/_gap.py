"""The gap statistic (Tibshirani, Walther and Hastie 2001)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from hornbook.display import Table
from hornbook.evaluation.clusterings._cluster_sizes import checked_sizes, size_parameter
from hornbook.evaluation.clusterings._reference_tables import principal_box, uniform_rows
from hornbook.frame import as_frame
from hornbook.params import Floats, Seed
from hornbook.random import Stream, seed_of

__all__ = ["GapStatistic", "gap_statistic"]

_REFERENCE_STREAM = 63


@dataclass(frozen=True, eq=False)
class GapStatistic:
    """How much tighter clusters are than those of rows without clusters.

    Parameters
    ----------
    sizes : ndarray of int of shape (n_sizes,)
        Numbers of clusters.
    gap : ndarray of shape (n_sizes,)
        Mean of log W over the reference tables minus log W of the rows.
    error : ndarray of shape (n_sizes,)
        Standard deviation of log W over the reference tables times √(1 + 1/B).
    within : ndarray of shape (n_sizes,)
        W, the sum of squared distances of the rows from the means of their clusters.
    """

    sizes: NDArray[np.int64]
    gap: Floats
    error: Floats
    within: Floats

    @property
    def best(self) -> int:
        """The first size whose gap is at least the next one minus its error; else that of the largest gap."""
        # Tibshirani's rule: the smallest k with gap(k) >= gap(k + 1) - s(k + 1), a one-standard-error
        # rule that favors fewer clusters.
        enough = np.flatnonzero(self.gap[:-1] >= self.gap[1:] - self.error[1:])
        return int(self.sizes[enough[0] if len(enough) else self.gap.argmax()])

    def __str__(self) -> str:
        rows = np.column_stack([self.gap, self.error, self.within]).tolist()
        cells = [[size, *row] for size, row in zip(self.sizes.tolist(), rows, strict=True)]
        return str(Table(f"gap statistic, best {self.best}", ["clusters", "gap", "error", "within"], cells))

    def to_dict(self) -> dict[str, Any]:
        """Return the statistic as plain data."""
        return {
            "sizes": self.sizes.tolist(),
            "gap": self.gap.tolist(),
            "error": self.error.tolist(),
            "within": self.within.tolist(),
            "best": self.best,
        }


def gap_statistic(
    learner: Any,
    X: Any,
    *,
    sizes: Iterable[int] = range(1, 11),
    n_references: int = 20,
    reference: Literal["uniform", "principal"] = "uniform",
    random_state: Seed = None,
) -> GapStatistic:
    """Compare the tightness of clusters with that of clusters of uniform rows.

    Parameters
    ----------
    learner : clusterer
        Cloned for each fit; its parameter ``n_clusters`` or ``n_components`` is set.
    X : table of shape (n_rows, n_columns)
        Rows of numbers without missing cells.
    sizes : iterable of int, default 1 to 10
        Numbers of clusters, ascending.
    n_references : int, default 20
        Number B of reference tables.
    reference : {"uniform", "principal"}, default "uniform"
        Whether reference rows are uniform in the range of each column, or in that of each principal
        component, which follows the shape of the rows.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    GapStatistic
        ``gap`` and ``error`` by number of clusters, and ``best``.

    Examples
    --------
    >>> from hornbook import KMeans
    >>> X = [[0.0, 0.1], [0.2, 0.0], [0.1, 0.3], [5.0, 5.1], [5.2, 5.0], [5.3, 5.3]]
    >>> gap_statistic(KMeans(random_state=0), X, sizes=(1, 2, 3), random_state=0).best
    2
    """
    name = size_parameter("gap_statistic", learner)
    numbers = _numbers(X)
    counts = checked_sizes("gap_statistic", sizes, len(numbers))
    if n_references < 1:
        raise ValueError(f"gap_statistic: 'n_references' must be at least 1; got {n_references}.")
    if reference not in ("uniform", "principal"):
        raise ValueError(f"gap_statistic: 'reference' must be 'uniform' or 'principal'; got {reference!r}.")
    models = [clone(learner).set_params(**{name: int(size)}) for size in counts]
    within = np.array([_within(model, numbers) for model in models])
    if not (within > 0).all():
        size = counts[int((within <= 0).argmax())]
        raise ValueError(
            f"gap_statistic: {size} clusters leave no distance within clusters, so its logarithm does not "
            "exist; the rows have too few distinct values for 'sizes' this large."
        )
    seed = seed_of(random_state)
    # One stream per reference table: the same tables whatever their number.
    tables = (_reference(numbers, reference, seed, index) for index in range(n_references))
    logs = np.log([[_within(model, table) for model in models] for table in tables])
    # sqrt(1 + 1/B) adds the simulation error of the mean over B references.
    error = logs.std(axis=0) * np.sqrt(1 + 1 / n_references)
    return GapStatistic(counts, logs.mean(axis=0) - np.log(within), error, within)


def _numbers(X: Any) -> Floats:
    frame = as_frame(X).features
    for column in frame.schema.columns:
        if column.kind != "numeric":
            raise ValueError(
                f"gap_statistic: column {column.name!r} is {column.kind}, and reference rows are drawn from "
                "ranges of numbers; encode it with hornbook.Encoder, or leave it out."
            )
    numbers = np.ascontiguousarray(frame.matrix)
    if np.isnan(numbers).any():
        column = frame.schema.columns[int(np.isnan(numbers).any(axis=0).argmax())]
        raise ValueError(
            f"gap_statistic: column {column.name!r} has missing cells; fill them first, for example with "
            "hornbook.Encoder."
        )
    return numbers


def _within(model: Any, X: Floats) -> float:
    """Sum of squared distances of rows from the means of their clusters."""
    # Labels may have gaps (a clusterer may find fewer clusters than asked); the inverse closes them.
    labels = np.unique(model.fit_predict(X), return_inverse=True)[1]
    counts = np.bincount(labels)
    means = np.stack([np.bincount(labels, column) / counts for column in X.T], axis=1)
    return float(np.square(X - means[labels]).sum())


def _reference(X: Floats, kind: str, seed: int, index: int) -> Floats:
    # With "principal" the box is aligned with the data's own axes, which suits elongated tables
    # better.
    axes = principal_box(X) if kind == "principal" else np.eye(X.shape[1])
    return uniform_rows(X, axes, Stream(seed, _REFERENCE_STREAM, index))
