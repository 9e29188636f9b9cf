"""Distances between rows: the Minkowski family, Hamming, Mahalanobis, and distances for mixed columns.

A distance is an object that compares two rows, ``Minkowski(p=1)([0, 0], [1, 2])``; `pairwise` and `nearest`
compare whole tables natively, by name or by object. A column that is missing in one of two rows is left out
and the sum over the known columns is scaled up by the total weight over the weight of the known ones, as in
scikit-learn's ``nan_euclidean_distances``. `distance_axioms` tests whether a distance is a metric.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "Axioms": "_axioms",
    "Distance": "_distance",
    "Gower": "_distance",
    "Hamming": "_distance",
    "Mahalanobis": "_distance",
    "Metric": "_tables",
    "Minkowski": "_distance",
    "TransformedEuclidean": "_learned",
    "ValueDifference": "_distance",
    "distance_axioms": "_axioms",
    "nearest": "_tables",
    "pairwise": "_tables",
}

# Lent to other packages, not for users.
LENT = {
    "CalledSpace": "_called",
    "PairDistance": "_called",
    "Placed": "_space",
    "PrecomputedSpace": "_called",
    "Space": "_space",
    "Tree": "_space",
    "called_matrix": "_matrix",
    "distance_of": "_tables",
    "matrix_axioms": "_axioms",
    "nearest_sparse": "_sparse",
    "planted": "_space",
    "precomputed_matrix": "_matrix",
    "precomputed_queries": "_matrix",
    "space_of": "_tables",
    "sparse_space_of": "_tables",
    "within_sparse": "_sparse",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES, LENT)
