"""Distances between rows: the Minkowski family, Hamming, Mahalanobis, and distances for mixed columns.

A distance is an object that compares two rows, ``Minkowski(p=1)([0, 0], [1, 2])``; `pairwise` and `nearest`
compare whole tables natively, by name or by object. A column that is missing in one of two rows is left out
and the sum over the known columns is scaled up by the total weight over the weight of the known ones, as in
scikit-learn's ``nan_euclidean_distances``. `distance_axioms` tests whether a distance is a metric.
"""

from __future__ import annotations

from hornbook.distances._axioms import Axioms, distance_axioms
from hornbook.distances._axioms import matrix_axioms as matrix_axioms
from hornbook.distances._called import CalledSpace as CalledSpace
from hornbook.distances._distance import (
    Distance,
    Gower,
    Hamming,
    Mahalanobis,
    Minkowski,
    ValueDifference,
)
from hornbook.distances._learned import TransformedEuclidean
from hornbook.distances._matrix import called_matrix as called_matrix
from hornbook.distances._matrix import precomputed_matrix as precomputed_matrix
from hornbook.distances._matrix import precomputed_queries as precomputed_queries
from hornbook.distances._space import Placed as Placed
from hornbook.distances._space import Space as Space
from hornbook.distances._space import Tree as Tree
from hornbook.distances._space import planted as planted
from hornbook.distances._sparse import nearest_sparse as nearest_sparse
from hornbook.distances._sparse import within_sparse as within_sparse
from hornbook.distances._tables import Metric, nearest, pairwise
from hornbook.distances._tables import distance_of as distance_of
from hornbook.distances._tables import space_of as space_of
from hornbook.distances._tables import sparse_space_of as sparse_space_of

__all__ = [
    "Axioms",
    "Distance",
    "Gower",
    "Hamming",
    "Mahalanobis",
    "Metric",
    "Minkowski",
    "TransformedEuclidean",
    "ValueDifference",
    "distance_axioms",
    "nearest",
    "pairwise",
]
