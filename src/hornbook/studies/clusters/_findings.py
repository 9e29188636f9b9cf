"""What a study of clusterings found, besides the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.display import plain_data
from hornbook.evaluation import ClusterCountCurve, ClusterProfile, ClusterStructure

__all__ = ["ClusterFindings", "ClusterPlane"]


@dataclass(frozen=True, eq=False)
class ClusterPlane:
    """Rows in the plane of two principal components.

    Parameters
    ----------
    points : ndarray of shape (n_points, 2)
        Some of the rows, or all.
    labels : ndarray of int of shape (n_points,)
        Their clusters.
    shares : tuple of float
        Share of the variance of each component.
    loadings : ndarray of shape (n_columns, 2)
        Correlation of each encoded column with the two components.
    columns : tuple of str
        Their names.
    """

    points: NDArray[np.float64]
    labels: NDArray[np.int64]
    shares: tuple[float, ...]
    loadings: NDArray[np.float64]
    columns: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ClusterFindings:
    """What a clustering found.

    Parameters
    ----------
    sizes : tuple of int
        Numbers of clusters that were tried.
    labels : ndarray of int of shape (n_rows,), default empty
        The cluster of each row in the recommended model; -1 is noise.
    rows : ndarray of int of shape (n_rows,), default empty
        Position of each row in the original table.
    profile : ClusterProfile, optional
        What sets each cluster apart, in words.
    recovery : tuple of float, default ()
        For each cluster of the profile, how well models of halves of the rows find it again: the mean
        Jaccard index with their most similar cluster.
    structure : ClusterStructure, optional
        Stability compared with tables without clusters.
    untested : str, default ""
        Why there is no such comparison.
    curves : tuple of ClusterCountCurve, default ()
        Criteria by the number of clusters.
    family : str, default ""
        The clusterer that the curves of stability and of validity indices are about.
    plane : ClusterPlane, optional
        Rows for a picture.
    reference : str, optional
        The column that was set aside.
    agreement : mapping of str to float, default {}
        How far the clusters agree with it.
    """

    sizes: tuple[int, ...]
    labels: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    rows: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    profile: ClusterProfile | None = None
    recovery: tuple[float, ...] = ()
    structure: ClusterStructure | None = None
    untested: str = ""
    curves: tuple[ClusterCountCurve, ...] = ()
    family: str = ""
    plane: ClusterPlane | None = None
    reference: str | None = None
    agreement: Mapping[str, float] = field(default_factory=dict)

    @property
    def n_clusters(self) -> int:
        """Number of clusters of the recommended model, without noise."""
        # Counted, not read from a parameter: DBSCAN has none, and a cluster may have stayed empty.
        return len(np.unique(self.labels[self.labels >= 0]))

    def to_dict(self) -> dict[str, Any]:
        """Return all but the label of each row and the picture as plain data."""
        # Without labels and points, which would make the JSON as long as the table; clusters.csv has them.
        data: dict[str, Any] = plain_data(
            {
                "sizes": self.sizes,
                "n_clusters": self.n_clusters,
                "profile": None if self.profile is None else self.profile.to_dict(),
                "recovery": self.recovery,
                "structure": None if self.structure is None else self.structure.to_dict(),
                "untested": self.untested,
                "curves": [curve.to_dict() for curve in self.curves],
                "family": self.family,
                "reference": self.reference,
                "agreement": self.agreement,
            }
        )
        return data
