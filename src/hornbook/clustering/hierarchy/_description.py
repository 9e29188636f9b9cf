"""How `describe` and `working` present a tree of merges."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.base import Description, Table, Term, Working
from hornbook.clustering._description import center_tables, terms_of
from hornbook.clustering._metric import PRECOMPUTED
from hornbook.distances import Distance, distance_of
from hornbook.params import Floats

__all__ = ["description", "placement"]

MOST = 10  # of the last merges that are listed


def description(learner: Any) -> Description:
    """Describe the clusters, their centroids and the last merges."""
    metric = learner.metric
    if not (isinstance(metric, str) and metric == PRECOMPUTED):
        distance = distance_of(metric, learner.p)
        metric = str(distance) if isinstance(distance, Distance) else "a function"
    facts = {"linkage": learner.linkage, "distance": metric, "merges": len(learner.distances_)}
    k = learner.n_clusters_
    if k > 1:
        facts["clusters are apart by at least"] = float(learner.distances_[-(k - 1)])
    if len(learner.distances_) >= k:
        facts["merged inside clusters up to"] = float(learner.distances_[-k])
    seen = np.repeat(learner.cluster_weights_[:, None], max(1, learner.centroids_.shape[1]), axis=1)
    tables = center_tables(learner.centroids_, seen, learner.encoded_names_)
    heights = learner.distances_[::-1][:MOST].tolist()
    rows = [[i + 1, height] for i, height in enumerate(heights)]
    last = Table("Heights of the last merges", ["clusters left", "height"], rows)
    title = f"AgglomerativeClustering: {k} clusters of {learner.n_leaves_} rows"
    return Description(title, facts, [*(tables if learner.centroids_.size else tables[:1]), last])


def placement(learner: Any, x: Floats | None, means: Floats | None, answer: Any) -> Working:
    """Show why a row is in its cluster: squares of differences to the centroids, or mean distances."""
    clusters = range(learner.n_clusters_)
    if x is None:
        assert means is not None
        terms = [Term("minus mean distance to the rows", (-means).tolist())]
        title = "AgglomerativeClustering: the cluster with the smallest mean distance"
        return Working(title, "sum", clusters, terms, answer)
    terms = terms_of(x, learner.centroids_, learner.encoded_names_)
    title = "AgglomerativeClustering: the nearest centroid has the largest sum of -(value - centroid)²"
    return Working(title, "sum", clusters, terms, answer, distances=True)
