"""Fuzzy c-means: k-means with degrees of membership."""

from __future__ import annotations

from numpy.typing import ArrayLike

from hornbook.base import Description
from hornbook.clustering._column_moments import ColumnMoments
from hornbook.clustering.fuzzy._description import description_of
from hornbook.clustering.fuzzy._fuzzy_clusterer import FuzzyClusterer
from hornbook.clustering.fuzzy._updates import FixedShapes, checked_shapes
from hornbook.frame import Blocks
from hornbook.params import declared

__all__ = ["FuzzyCMeans"]


@declared
class FuzzyCMeans(FuzzyClusterer):
    """Fuzzy c-means: a row belongs to all clusters, the more the nearer, and centers are weighted means.

    Bezdek (1981): minimizes the sum of u^w d² over rows and clusters, u being memberships with sum 1 for each
    row. For fixed centers u is d^(2 / (1 - w)) scaled to sum 1, for fixed memberships a center is the mean of
    the rows weighted by u^w; both steps alternate until the centers rest. Unlike scikit-fuzzy's ``cmeans`` it
    is a learner like others (rows are rows), takes categories, missing values, weights and files, other
    transforms than u^w, and rows that are noise.

    A row that lies on a center belongs to it alone, on several to these evenly. A missing cell is left out of
    distances and means, which gives the memberships and centers of the partial distance strategy (Hathaway
    and Bezdek 2001); noise distance and eta are for such a row in proportion to its known columns.

    Parameters
    ----------
    covariances : array-like of shape (n_encoded, n_encoded) or (n_clusters, n_encoded, n_encoded), optional
        Makes distances specific to clusters: d² = (x - c)ᵀ C⁻¹ (x - c), with one symmetric positive definite
        matrix for all clusters or one for each; Euclidean when left out. `GustafsonKessel` learns them.

    See Also
    --------
    KMeans : Clusters around means.
    GustafsonKessel : Fuzzy clusters with shapes of their own.

    Examples
    --------
    >>> from hornbook import FuzzyCMeans, datasets
    >>> points = datasets.butterfly()
    >>> model = FuzzyCMeans(2, init=[[0.0, 2.0], [6.0, 2.0]], tol=1e-9).fit(points)
    >>> model.cluster_centers_.round(4).tolist()
    [[0.8548, 2.0], [5.1452, 2.0]]
    >>> model.memberships_[[4, 6, 7], 0].round(4).tolist()
    [0.9988, 0.8829, 0.5]
    """

    model_class = "centers; a row belongs to all of them by degrees"
    objective = "sum of transformed memberships times squared distances"

    covariances: ArrayLike | None = None

    def _update(self, blocks: Blocks, columns: ColumnMoments) -> FixedShapes:  # noqa: ARG002 - others need the rows
        if self.covariances is None:
            return FixedShapes()
        return FixedShapes(checked_shapes(self.covariances, self.n_clusters, len(columns.mean)))

    def _describe(self) -> Description:
        return description_of(self, [])
