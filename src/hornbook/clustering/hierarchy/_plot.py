"""The plot of a tree of merges: the dendrogram, or rows by their cluster."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.clustering._plot import main_directions
from hornbook.frame import Frame
from hornbook.plots import bars, clusters, dendrogram

__all__ = ["draw"]


def draw(learner: Any, rows: Frame | None, y: Any, ax: Any) -> Any:
    """Draw the dendrogram, or given rows in the plane of two columns or of the two main directions.

    With precomputed distances, rows have no place in a plane: their number in each cluster is drawn.
    """
    if rows is None:
        k, heights = learner.n_clusters_, learner.distances_
        height = None
        if 1 < k <= len(heights):
            height = float(heights[-(k - 1)] + heights[-k]) / 2
        return dendrogram(learner.children_, heights, ax, cut=height)
    labels = learner.predict(rows)
    if not learner.centroids_.shape[1]:
        counts = np.bincount(labels, minlength=learner.n_clusters_).astype(np.float64)
        names = [f"cluster {c}" for c in range(len(counts))]
        return bars(counts, names, ax=ax, title="Number of rows given")
    points = learner.encoding_.apply(rows)
    names = [str(name) for name in learner.encoded_names_]
    if points.shape[1] == 1:
        points, names = np.column_stack([points[:, 0], np.zeros(len(points))]), [names[0], ""]
    elif points.shape[1] > 2:
        middle, directions = main_directions(points)
        points = (points - middle) @ directions.T
        names = ["direction of largest variance", "direction of second largest variance"]
    return clusters(points, labels, None, ax, classes=y, names=names)
