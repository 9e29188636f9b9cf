"""What alternating optimization needs beside the passes: scales of memberships, words at the end."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from hornbook.clustering._column_moments import ColumnMoments
from hornbook.clustering.fuzzy._assignment import Assignment, Kind
from hornbook.clustering.fuzzy._passes import FuzzyTotals
from hornbook.clustering.fuzzy._prototypes import FuzzyPrototypes
from hornbook.params import Floats

__all__ = ["FuzzyRun", "estimated_scales", "given_scales", "warn_of_end"]

NOISE_RADII = 2.0  # the noise distance, in root mean squared distances of rows from their clusters
COINCIDE = 10.0  # centers closer than this times the tolerance are one
NEAR = 0.25  # the same for possibilistic clusters, in roots of eta


@dataclass(frozen=True)
class FuzzyRun:
    """Result of one start."""

    prototypes: FuzzyPrototypes
    assignment: Assignment
    totals: FuzzyTotals
    n_iter: int
    at_rest: bool


def given_scales(
    learner: str, kind: Kind, n_clusters: int, noise_distance: float | None, eta: float | ArrayLike | None
) -> Floats | None:
    """The scales of an assignment that the user gave; None where they must be estimated."""
    for name, value, needed in (("noise_distance", noise_distance, "noise"), ("eta", eta, "possibilistic")):
        if value is not None and kind != needed:
            raise ValueError(
                f"{learner}: parameter '{name}' has no meaning with kind={kind!r}: leave it out or set "
                f"kind={needed!r}."
            )
    if kind == "probabilistic":
        return np.empty(0)
    if kind == "noise":
        return None if noise_distance is None else np.array([float(noise_distance) ** 2])
    if eta is None:
        return None
    scales = np.array(eta, dtype=np.float64)
    if scales.shape not in ((), (n_clusters,)) or not (np.isfinite(scales) & (scales > 0)).all():
        raise ValueError(
            f"{learner}: parameter 'eta' must be a positive number or {n_clusters} of them, one for each "
            f"cluster; got {eta!r}."
        )
    return np.broadcast_to(scales, n_clusters).copy()


def estimated_scales(kind: Kind, totals: FuzzyTotals) -> Floats:
    """The scales of an assignment, from the totals of a probabilistic one."""
    if kind == "possibilistic":  # Krishnapuram and Keller (1993), with K = 1
        return totals.radii
    mass = totals.heights.sum()
    # Dave (1991): noise is a cluster at one distance from all rows, here twice the root mean square.
    return np.array([NOISE_RADII**2 * totals.spread.sum() / mass if mass > 0 else 0.0])


def warn_of_end(learner: str, run: FuzzyRun, max_iter: int, tol: float, columns: ColumnMoments) -> None:
    """Say when centers still move, coincide or have no rows."""
    if not run.at_rest and run.n_iter == max_iter:
        warnings.warn(
            f"{learner}: the centers still move after max_iter={max_iter} passes: raise max_iter or tol.",
            ConvergenceWarning,
            stacklevel=7,
        )
    reach, cause = COINCIDE * tol * math.sqrt(float(columns.variance.mean())), "rows repeat each other"
    if run.assignment.kind == "possibilistic":
        # Such clusters attract each other, and meet only nearly unless their scales are equal.
        reach = max(reach, NEAR * math.sqrt(float(run.assignment.scales.min())))
        cause = "possibilistic clusters do not repel each other"
    distinct, n_clusters = _n_distinct(run, reach), len(run.prototypes.centers)
    if distinct < n_clusters:
        warnings.warn(
            f"{learner}: number of distinct clusters ({distinct}) found smaller than n_clusters "
            f"({n_clusters}), possibly because {cause}: lower n_clusters. The other centers coincide with "
            "these or have no rows.",
            ConvergenceWarning,
            stacklevel=7,
        )


def _n_distinct(run: FuzzyRun, reach: float) -> int:
    """Number of centers with rows that are farther than this from each other."""
    distinct: list[Floats] = []
    for center in run.prototypes.centers[run.totals.heights > 0]:
        if all(np.linalg.norm(center - other) > reach for other in distinct):
            distinct.append(center)
    return len(distinct)
