"""Stability: whether a clustering comes out the same from other rows of the same kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbook.display import Table, plain_data
from hornbook.evaluation.clusterings._halves import agreement, half_splits, require_clusterer, rows_for
from hornbook.evaluation.clusterings._reference_tables import reference_table
from hornbook.evaluation.intervals._interval import Interval
from hornbook.evaluation.significance._t_tests import corrected_interval
from hornbook.frame import as_frame
from hornbook.params import Floats, Seed
from hornbook.random import seed_of

__all__ = ["ClusterStability", "cluster_stability", "stability_interval"]

HALVES_OVERLAP = 1.0  # as many rows outside a half as in it


@dataclass(frozen=True, eq=False)
class ClusterStability:
    """How far clusterings of two halves of the rows agree.

    Parameters
    ----------
    values : ndarray of shape (n_splits,)
        Adjusted Rand index of the labels that the two models of each split give to all rows.
    interval : Interval
        Mean of the values and its interval, with the variance of the corrected resampled t-test.
    reference : ndarray of shape (n_references,), optional
        Mean stability on tables whose columns were shuffled, so that nothing but their distributions is left.
    """

    values: Floats
    interval: Interval
    reference: Floats | None = None

    @property
    def p(self) -> float | None:
        """Probability of a mean as large on tables without clusters; None without reference."""
        if self.reference is None:
            return None
        # The table itself is counted among the references, so p is never 0.
        return float((1 + np.sum(self.reference >= self.interval.estimate)) / (1 + len(self.reference)))

    def __str__(self) -> str:
        rows: list[list[Any]] = [["mean", self.interval.estimate], ["low", self.interval.low]]
        rows += [["high", self.interval.high], ["smallest", float(self.values.min())]]
        if self.reference is not None:
            rows += [["without clusters", float(self.reference.mean())], ["p", self.p]]
        return str(Table(f"stability over {len(self.values)} splits into halves", ["", "value"], rows))

    def to_dict(self) -> dict[str, Any]:
        """Return the stability as plain data."""
        return {
            "values": self.values.tolist(),
            "interval": dict(vars(self.interval)),
            "reference": plain_data(self.reference),
            "p": self.p,
        }


def cluster_stability(
    learner: Any,
    X: Any,
    *,
    n_splits: int = 20,
    n_references: int = 0,
    level: float = 0.95,
    random_state: Seed = None,
) -> ClusterStability:
    """Measure whether a clusterer finds the same clusters in two halves of the rows.

    The rows are split into two halves at random, a clone is fitted to each, both place all rows, and the
    adjusted Rand index says how far they agree: 1 if they always do, 0 on average for labels drawn by chance
    (Lange et al. 2004 compare halves in the same way). Where all rows are put into one cluster it is 0. The
    interval is wider than that of independent values, because splits share rows (Nadeau and Bengio 2003).

    Stable is not the same as real: k-means cuts even a structureless cloud in about the same way each time
    when the cloud is longer than it is wide. ``n_references`` tables with shuffled columns show how stable
    that makes a clustering.

    Parameters
    ----------
    learner : clusterer
        Cloned for each fit; it must have ``predict``.
    X : table of shape (n_rows, n_columns)
        The rows.
    n_splits : int, default 20
        Number of splits into halves.
    n_references : int, default 0
        Number of tables with shuffled columns that are measured in the same way; 19 allow for p = 0.05.
    level : float, default 0.95
        Confidence level of the interval.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    ClusterStability
        The value of each split, the mean with its interval, and the references.

    Examples
    --------
    >>> from hornbook import KMeans, datasets
    >>> flowers = datasets.iris().features
    >>> stability = cluster_stability(KMeans(2, random_state=0), flowers, n_splits=5, random_state=0)
    >>> stability.values.round(2).tolist()
    [0.95, 0.95, 0.92, 0.95, 0.92]
    """
    require_clusterer("cluster_stability", "'learner'", learner)
    if n_references < 0:
        raise ValueError(f"cluster_stability: 'n_references' must be at least 0; got {n_references}.")
    seed, rows = seed_of(random_state), rows_for(learner, X)
    values = _values(learner, rows, n_splits, seed)
    tables = (reference_table(as_frame(X).features, "shuffled", seed, index) for index in range(n_references))
    taken = tables if hasattr(learner, "accepts") else map(np.asarray, tables)
    means = [_values(learner, table, n_splits, seed).mean() for table in taken]
    return ClusterStability(values, stability_interval(values, level), np.array(means) if means else None)


def stability_interval(values: Floats, level: float, *, most: float = 1.0) -> Interval:
    """Return the interval of a mean over splits into halves, cut off at the largest possible value."""
    # Splits of the same rows share half of them: Nadeau and Bengio's interval, with as many
    # test as training rows.
    interval = corrected_interval(values, HALVES_OVERLAP, level)
    return Interval(
        interval.low, min(interval.high, most), interval.estimate, interval.level, interval.method
    )


def _values(learner: Any, X: Any, n_splits: int, seed: int) -> Floats:
    splits = half_splits("cluster_stability", X, n_splits, seed)
    return np.array([agreement(learner, X, halves)[0] for halves in splits])
