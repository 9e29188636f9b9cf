# Written by scripts/lazy_stubs.py.
from hornbook.clustering._gaussian_mixture import GaussianMixture as GaussianMixture
from hornbook.clustering._kmeans import KMeans as KMeans
from hornbook.clustering.density._dbscan import DBSCAN as DBSCAN
from hornbook.clustering.density._relations import core_rows as core_rows
from hornbook.clustering.density._relations import density_connected as density_connected
from hornbook.clustering.density._relations import density_reachable as density_reachable
from hornbook.clustering.density._relations import neighborhoods as neighborhoods
from hornbook.clustering.fuzzy._fuzzy_c_means import FuzzyCMeans as FuzzyCMeans
from hornbook.clustering.fuzzy._gustafson_kessel import GustafsonKessel as GustafsonKessel
from hornbook.clustering.fuzzy._transforms import ExponentialTransform as ExponentialTransform
from hornbook.clustering.fuzzy._transforms import MembershipTransform as MembershipTransform
from hornbook.clustering.fuzzy._transforms import PolynomialTransform as PolynomialTransform
from hornbook.clustering.fuzzy._transforms import PowerTransform as PowerTransform
from hornbook.clustering.hierarchy._agglomerative import AgglomerativeClustering as AgglomerativeClustering
from hornbook.clustering.kernel_kmeans._kernel_kmeans import KernelKMeans as KernelKMeans
from hornbook.clustering.medoids._kmedoids import KMedoids as KMedoids
from hornbook.clustering.metric._metric_learner import MetricLearner as MetricLearner

HOMES: dict[str, str]
