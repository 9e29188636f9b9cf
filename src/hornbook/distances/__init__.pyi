# Written by scripts/lazy_stubs.py.
from hornbook.distances._axioms import Axioms as Axioms
from hornbook.distances._axioms import distance_axioms as distance_axioms
from hornbook.distances._axioms import matrix_axioms as matrix_axioms
from hornbook.distances._called import CalledSpace as CalledSpace
from hornbook.distances._called import PairDistance as PairDistance
from hornbook.distances._called import PrecomputedSpace as PrecomputedSpace
from hornbook.distances._distance import Distance as Distance
from hornbook.distances._distance import Gower as Gower
from hornbook.distances._distance import Hamming as Hamming
from hornbook.distances._distance import Mahalanobis as Mahalanobis
from hornbook.distances._distance import Minkowski as Minkowski
from hornbook.distances._distance import ValueDifference as ValueDifference
from hornbook.distances._learned import TransformedEuclidean as TransformedEuclidean
from hornbook.distances._matrix import called_matrix as called_matrix
from hornbook.distances._matrix import precomputed_matrix as precomputed_matrix
from hornbook.distances._matrix import precomputed_queries as precomputed_queries
from hornbook.distances._space import Placed as Placed
from hornbook.distances._space import Space as Space
from hornbook.distances._space import Tree as Tree
from hornbook.distances._space import planted as planted
from hornbook.distances._sparse import nearest_sparse as nearest_sparse
from hornbook.distances._sparse import within_sparse as within_sparse
from hornbook.distances._tables import Metric as Metric
from hornbook.distances._tables import distance_of as distance_of
from hornbook.distances._tables import nearest as nearest
from hornbook.distances._tables import pairwise as pairwise
from hornbook.distances._tables import space_of as space_of
from hornbook.distances._tables import sparse_space_of as sparse_space_of

HOMES: dict[str, str]
LENT: dict[str, str]
