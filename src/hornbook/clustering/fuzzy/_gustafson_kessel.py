"""Gustafson-Kessel clustering: fuzzy clusters with shapes of their own."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from hornbook.base import Description
from hornbook.clustering._column_moments import ColumnMoments
from hornbook.clustering.fuzzy._assignment import Assignment
from hornbook.clustering.fuzzy._description import by_column, description_of
from hornbook.clustering.fuzzy._fuzzy_clusterer import FuzzyClusterer
from hornbook.clustering.fuzzy._passes import totals_of
from hornbook.clustering.fuzzy._prototypes import FuzzyPrototypes
from hornbook.clustering.fuzzy._transforms import PowerTransform
from hornbook.clustering.fuzzy._updates import AdaptiveShapes, checked_volumes, sphere_of
from hornbook.frame import Blocks
from hornbook.params import Range, declared

__all__ = ["GustafsonKessel"]


@declared
class GustafsonKessel(FuzzyClusterer):
    """Gustafson-Kessel clustering: fuzzy c-means whose clusters are ellipsoids, each with a shape of its own.

    Gustafson and Kessel (1979): the distance from a cluster is d² = (x - c)ᵀ C⁻¹ (x - c), where C is
    proportional to the covariance matrix of its rows, weighted by u^w, and has a fixed determinant, the
    square of its volume up to a constant: without that, clusters could make all distances 0. Memberships and
    centers are those of `FuzzyCMeans`. Nearly singular matrices are met as Babuška, van der Veen and Kaymak
    (2002) proposed: by a limit of the condition and, if wanted, a share of a sphere. scikit-learn and
    scikit-fuzzy have no such method.

    Of a row with missing cells each cluster takes the nearest of all completions: their conditional means,
    which leave the Mahalanobis distance of the known cells. A cluster without any spread is a sphere.

    Parameters
    ----------
    volumes : float or array-like of shape (n_clusters,)
        Determinant of each C. The volumes of Babuška et al., determinants of C⁻¹, are 1 over these.
    regularization : float
        Share r of a sphere in each covariance matrix F: (1 - r) F + r s I, s being the d-th root of the
        determinant of the covariance matrix of all rows. 1 gives fuzzy c-means.
    max_condition : float
        The largest ratio of the variances along two axes of a cluster; smaller variances are raised.

    See Also
    --------
    FuzzyCMeans : Clusters to which rows belong in part.
    GaussianMixture : Clusters as normal distributions.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import GustafsonKessel
    >>> line = np.linspace(0, 6, 13)
    >>> rows = np.concatenate([np.column_stack([line, 0 * line + y]) for y in (-3, 3)])
    >>> model = GustafsonKessel(2, init=[[3, -3], [3, 3]], max_condition=100.0).fit(rows)
    >>> model.cluster_centers_.round(2).tolist()
    [[3.0, -3.0], [3.0, 3.0]]
    >>> np.diagonal(model.covariances_, axis1=1, axis2=2).round(2).tolist()
    [[10.0, 0.1], [10.0, 0.1]]
    """

    model_class = "centers and shapes of equal volume; a row belongs to all of them by degrees"
    objective = "sum of transformed memberships times squared Mahalanobis distances of the clusters"

    volumes: ArrayLike = 1.0
    regularization: Annotated[float, Range(0.0, 1.0)] = 0.0
    max_condition: Annotated[float, Range(low=1.0)] = 1e15

    def _update(self, blocks: Blocks, columns: ColumnMoments) -> AdaptiveShapes:
        # One cluster of all rows: its scatter is that of the table.
        whole = FuzzyPrototypes(columns.mean[None])
        totals = totals_of(
            blocks, whole, Assignment.probabilistic(PowerTransform()), gaps=columns.gaps, shapes=True
        )
        return AdaptiveShapes(
            checked_volumes(self.volumes, self.n_clusters),
            self.regularization,
            self.max_condition,
            sphere_of(totals.covariances[0], self.max_condition),
        )

    def _describe(self) -> Description:
        deviations = np.sqrt(np.diagonal(self.covariances_, axis1=1, axis2=2))
        return description_of(
            self, [by_column("Standard deviations of the shapes", deviations, self.encoded_names_)]
        )
