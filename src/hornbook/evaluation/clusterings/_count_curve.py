"""How good clusterings with different numbers of clusters are, by one criterion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from hornbook.display import Table, plain_data
from hornbook.evaluation.clusterings._cluster_sizes import checked_sizes, size_parameter
from hornbook.evaluation.clusterings._gap import gap_statistic
from hornbook.evaluation.clusterings._halves import rows_for
from hornbook.evaluation.clusterings._stability import cluster_stability, stability_interval
from hornbook.evaluation.clusters._cluster_geometry import davies_bouldin, dunn
from hornbook.evaluation.clusters._scatter import calinski_harabasz
from hornbook.evaluation.clusters._silhouette import silhouette
from hornbook.evaluation.intervals._interval import Interval
from hornbook.evaluation.splits._rows import count_rows
from hornbook.params import Floats

__all__ = ["ClusterCountCurve", "cluster_count_curve", "curve_of_splits"]

Criterion = Literal[
    "silhouette", "calinski_harabasz", "davies_bouldin", "dunn", "gap", "bic", "aic", "stability"
]

INDICES: dict[str, Callable[..., float]] = {
    "silhouette": silhouette,
    "calinski_harabasz": calinski_harabasz,
    "davies_bouldin": davies_bouldin,
    "dunn": dunn,
}
SMALLER_IS_BETTER = {"davies_bouldin", "bic", "aic"}


@dataclass(frozen=True, eq=False)
class ClusterCountCurve:
    """A criterion by the number of clusters.

    Parameters
    ----------
    criterion : str
        The criterion.
    sizes : ndarray of int of shape (n_sizes,)
        Numbers of clusters.
    values : ndarray of shape (n_sizes,)
        The criterion for each.
    low, high : ndarray of shape (n_sizes,), optional
        The interval of each value: of stability that of the mean over the splits, of the gap one standard
        error on either side; the other criteria have none.
    best : int
        The number of clusters that the criterion prefers.
    """

    criterion: str
    sizes: NDArray[np.int64]
    values: Floats
    low: Floats | None
    high: Floats | None
    best: int

    def __str__(self) -> str:
        columns = {"clusters": self.sizes.tolist(), self.criterion: self.values.tolist()}
        if self.low is not None and self.high is not None:
            columns |= {"low": self.low.tolist(), "high": self.high.tolist()}
        rows = [list(row) for row in zip(*columns.values(), strict=True)]
        return str(Table(f"number of clusters by {self.criterion}, best {self.best}", [*columns], rows))

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain data."""
        return {
            "criterion": self.criterion,
            "sizes": self.sizes.tolist(),
            "values": self.values.tolist(),
            "low": plain_data(self.low),
            "high": plain_data(self.high),
            "best": self.best,
        }


def cluster_count_curve(
    learner: Any,
    X: Any,
    *,
    sizes: Iterable[int] = range(2, 11),
    criterion: Criterion = "silhouette",
    **options: Any,
) -> ClusterCountCurve:
    """Fit a clusterer with several numbers of clusters, and say which one a criterion prefers.

    Parameters
    ----------
    learner : clusterer
        Cloned for each fit; its parameter ``n_clusters`` or ``n_components`` is set.
    X : table of shape (n_rows, n_columns)
        The rows.
    sizes : iterable of int, default 2 to 10
        Numbers of clusters, ascending.
    criterion : str, default "silhouette"
        ``"silhouette"``, ``"calinski_harabasz"`` and ``"dunn"``: the largest value of the measure of that
        name is preferred; ``"davies_bouldin"``: the smallest. ``"bic"`` and ``"aic"``: the smallest value of
        the learner's method of that name, as mixtures have it. ``"gap"``: see `gap_statistic`, which may be
        asked about one cluster, too. ``"stability"``: the largest mean of `cluster_stability`; of equal ones
        the largest number, because every coarser stable clustering leaves something unsaid.
    **options
        Further arguments of the measure, or of `gap_statistic` or `cluster_stability`.

    Returns
    -------
    ClusterCountCurve
        The value of each size and ``best``; `hornbook.plots.cluster_count` draws it.

    Examples
    --------
    >>> from hornbook import KMeans, datasets
    >>> flowers = datasets.iris().features
    >>> print(cluster_count_curve(KMeans(random_state=0), flowers, sizes=(2, 3, 4)))
    number of clusters by silhouette, best 2
      clusters  silhouette
             2      0.6808
             3      0.5526
             4      0.4185
    """
    if criterion not in get_args(Criterion):
        known = ", ".join(map(repr, get_args(Criterion)))
        raise ValueError(f"cluster_count_curve: 'criterion' must be one of {known}; got {criterion!r}.")
    _check_options(learner, criterion, options)
    if criterion == "gap":
        gap = gap_statistic(learner, X, sizes=sizes, **options)
        return ClusterCountCurve(
            "gap", gap.sizes, gap.gap, gap.gap - gap.error, gap.gap + gap.error, gap.best
        )
    name, rows = size_parameter("cluster_count_curve", learner), rows_for(learner, X)
    # Internal indices need at least two clusters; stability and information criteria allow one.
    counts = checked_sizes("cluster_count_curve", sizes, count_rows(rows), least=1 + (criterion in INDICES))
    models = [clone(learner).set_params(**{name: int(size)}) for size in counts]
    if criterion == "stability":
        means = [cluster_stability(model, X, **options).interval for model in models]
        return _curve_of_means(criterion, counts, means)
    values = np.array([_value(model.fit(rows), X, rows, criterion, options) for model in models])
    return ClusterCountCurve(criterion, counts, values, None, None, _preferred(criterion, counts, values))


def curve_of_splits(criterion: str, sizes: Sequence[int], values: Floats, level: float) -> ClusterCountCurve:
    """Return the curve of a criterion that was measured in the same splits into halves for every size.

    Parameters
    ----------
    criterion : str
        The criterion.
    sizes : sequence of int
        Numbers of clusters.
    values : ndarray of shape (n_sizes, n_splits)
        The criterion for each, split by split.
    level : float
        Confidence level of the intervals.
    """
    means = [
        stability_interval(row, level, most=1.0 if criterion == "stability" else np.inf) for row in values
    ]
    return _curve_of_means(criterion, np.asarray(sizes, dtype=np.int64), means)


def _curve_of_means(criterion: str, sizes: NDArray[np.int64], means: Sequence[Interval]) -> ClusterCountCurve:
    # The intervals share their splits, so they are for reading one size at a time, not for comparing.
    values, low, high = np.array([(mean.estimate, mean.low, mean.high) for mean in means]).T
    return ClusterCountCurve(criterion, sizes, values, low, high, _preferred(criterion, sizes, values))


def _preferred(criterion: str, sizes: NDArray[np.int64], values: Floats) -> int:
    if criterion == "stability":  # every coarser stable clustering leaves something unsaid
        return int(sizes[np.flatnonzero(values == values.max())[-1]])
    return int(sizes[values.argmin() if criterion in SMALLER_IS_BETTER else values.argmax()])


def _check_options(learner: Any, criterion: str, options: dict[str, Any]) -> None:
    """Refuse options that the criterion does not have, before anything is fitted."""
    function: Callable[..., Any]
    if criterion in INDICES:
        function = INDICES[criterion]
    elif criterion in ("gap", "stability"):
        function = gap_statistic if criterion == "gap" else cluster_stability
    elif hasattr(learner, criterion):
        function = getattr(learner, criterion)
    else:
        raise TypeError(
            f"cluster_count_curve: {type(learner).__name__} has no method {criterion!r}; choose a mixture, "
            "or another criterion."
        )
    parameters = signature(function).parameters.values()
    names = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.name != "sizes"]
    if unknown := [name for name in options if name not in names]:
        takes = f"takes {', '.join(names)}" if names else "takes none"
        raise TypeError(
            f"cluster_count_curve: criterion={criterion!r} has no option {unknown[0]!r}; it {takes}."
        )


def _value(model: Any, X: Any, rows: Any, criterion: str, options: dict[str, Any]) -> float:
    if criterion in INDICES:
        return INDICES[criterion](X, model.labels_, **options)
    return float(getattr(model, criterion)(rows, **options))
