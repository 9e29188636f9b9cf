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

from hornbook._lazy import attach

HOMES = {
    "DBSCAN": "density._dbscan",
    "AgglomerativeClustering": "hierarchy._agglomerative",
    "ExponentialTransform": "fuzzy._transforms",
    "FuzzyCMeans": "fuzzy._fuzzy_c_means",
    "GaussianMixture": "_gaussian_mixture",
    "GustafsonKessel": "fuzzy._gustafson_kessel",
    "KernelKMeans": "kernel_kmeans._kernel_kmeans",
    "KMeans": "_kmeans",
    "KMedoids": "medoids._kmedoids",
    "MembershipTransform": "fuzzy._transforms",
    "MetricLearner": "metric._metric_learner",
    "PolynomialTransform": "fuzzy._transforms",
    "PowerTransform": "fuzzy._transforms",
    "core_rows": "density._relations",
    "density_connected": "density._relations",
    "density_reachable": "density._relations",
    "neighborhoods": "density._relations",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES)
