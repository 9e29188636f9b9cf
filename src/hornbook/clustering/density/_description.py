"""How `describe` and `working` present clusters of dense rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.base import Description, Table, Term, Working
from hornbook.clustering._metric import PRECOMPUTED, distance_with
from hornbook.distances import Distance
from hornbook.frame import Frame
from hornbook.params import Floats

__all__ = ["description", "neighbor_working"]

MOST = 20  # core neighbors that are listed


def description(learner: Any) -> Description:
    """Describe fitted clusters: how many core, border and noise rows there are, and where."""
    n, n_core = len(learner.labels_), len(learner.core_sample_indices_)
    noise = int((learner.labels_ < 0).sum())
    sizes, cores = (
        learner.cluster_sizes_,
        np.bincount(learner.core_labels_, minlength=len(learner.cluster_sizes_)),
    )
    facts = {
        "eps": learner.eps,
        "min_samples": learner.min_samples,
        "distance": _distance_text(learner),
        "core rows": n_core,
        "border rows": n - n_core - noise,
        "noise": noise,
        "border rows belong to": f"the {learner.border} cluster",
    }
    rows = [[c, int(sizes[c]), int(cores[c]), int(sizes[c] - cores[c])] for c in range(len(sizes))]
    table = Table("Clusters", ["cluster", "rows", "core", "border"], rows)
    return Description(f"DBSCAN: {len(sizes)} clusters of {n} rows", facts, [table] if rows else [])


def _distance_text(learner: Any) -> str:
    if isinstance(learner.metric, str) and learner.metric == PRECOMPUTED:
        return PRECOMPUTED
    distance = distance_with(learner.metric, 2.0 if learner.p is None else learner.p, learner.metric_params)
    return str(distance) if isinstance(distance, Distance) else "a function"


def neighbor_working(
    learner: Any, row: Frame, distances: Floats | None, answer: int, n_threads: int
) -> Working:
    """Show the core rows within eps of a row, of which the nearest gives it its cluster."""
    rows, places = _core_neighbors(learner, row, distances, n_threads)
    labels = learner.core_labels_[places]
    candidates = [-1, *range(len(learner.cluster_sizes_))]
    terms = []
    for rank, (row_index, far, label) in enumerate(zip(*rows, labels.tolist(), strict=True)):
        if rank == MOST:
            terms.append(Term(f"{len(labels) - MOST} core rows farther away", [0.0] * len(candidates)))
            break
        nearest = ", the nearest" if rank == 0 else ""
        votes = [float(rank == 0 and c == label) for c in candidates]
        terms.append(Term(f"core row {row_index} of cluster {label} at distance {far:.6g}{nearest}", votes))
    if not terms:
        terms = [Term(f"no core row within {learner.eps:g}: noise", [float(c == -1) for c in candidates])]
    title = f"DBSCAN: the cluster of the nearest core row within {learner.eps:g}"
    return Working(title, "sum", candidates, terms, answer)


def _core_neighbors(learner: Any, row: Frame, distances: Floats | None, n_threads: int) -> Any:
    """Indices and distances of the core rows within eps, nearest first, and their places among the cores."""
    memory = learner.memory_
    if distances is not None:
        far = distances[learner.core_sample_indices_]
        places = np.argsort(far, kind="stable")
        places = places[far[places] <= learner.eps]
        far = far[places]
    elif len(memory):
        neighbors = memory.within(memory.space.place(row), learner.eps, n_threads)
        places, far = neighbors.indices, neighbors.distances
    else:
        places, far = np.empty(0, dtype=np.int64), np.empty(0)
    return (learner.core_sample_indices_[places].tolist(), far.tolist()), places
