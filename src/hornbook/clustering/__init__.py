"""Groups of rows that were not known before.

`KMeans` finds centers such that rows are near the center of their group, `KMedoids` rows that are such
centers, for any distance, and `KernelKMeans` groups in the feature space of a kernel. `FuzzyCMeans` lets rows
belong to several groups by degrees, `GustafsonKessel` gives each of them a shape; a `MembershipTransform`
says how soft they are. `GaussianMixture` finds normal distributions from which the rows could come. `DBSCAN`
finds dense regions and the noise between them; `neighborhoods`, `core_rows`, `density_reachable` and
`density_connected` are the relations that its clusters are made of. `AgglomerativeClustering` merges the two
nearest clusters, again and again. `MetricLearner` learns a distance from pairs of rows.
"""

from __future__ import annotations

from hornbook.clustering._gaussian_mixture import GaussianMixture
from hornbook.clustering._kmeans import KMeans
from hornbook.clustering.density._dbscan import DBSCAN
from hornbook.clustering.density._relations import (
    core_rows,
    density_connected,
    density_reachable,
    neighborhoods,
)
from hornbook.clustering.fuzzy._fuzzy_c_means import FuzzyCMeans
from hornbook.clustering.fuzzy._gustafson_kessel import GustafsonKessel
from hornbook.clustering.fuzzy._transforms import (
    ExponentialTransform,
    MembershipTransform,
    PolynomialTransform,
    PowerTransform,
)
from hornbook.clustering.hierarchy._agglomerative import AgglomerativeClustering
from hornbook.clustering.kernel_kmeans._kernel_kmeans import KernelKMeans
from hornbook.clustering.medoids._kmedoids import KMedoids
from hornbook.clustering.metric._metric_learner import MetricLearner

__all__ = [
    "DBSCAN",
    "AgglomerativeClustering",
    "ExponentialTransform",
    "FuzzyCMeans",
    "GaussianMixture",
    "GustafsonKessel",
    "KMeans",
    "KMedoids",
    "KernelKMeans",
    "MembershipTransform",
    "MetricLearner",
    "PolynomialTransform",
    "PowerTransform",
    "core_rows",
    "density_connected",
    "density_reachable",
    "neighborhoods",
]
