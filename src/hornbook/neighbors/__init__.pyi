# Written by scripts/lazy_stubs.py.
from hornbook.neighbors._density import KNNDensity as KNNDensity
from hornbook.neighbors._kneighbors import KNeighborsClassifier as KNeighborsClassifier
from hornbook.neighbors._kneighbors import KNeighborsRegressor as KNeighborsRegressor
from hornbook.neighbors._memory import Algorithm as Algorithm
from hornbook.neighbors._memory import Memory as Memory
from hornbook.neighbors._memory import placed_memory as placed_memory
from hornbook.neighbors._nearest_neighbors import NearestNeighbors as NearestNeighbors
from hornbook.neighbors._radius import RadiusNeighborsClassifier as RadiusNeighborsClassifier
from hornbook.neighbors._radius import RadiusNeighborsRegressor as RadiusNeighborsRegressor

HOMES: dict[str, str]
LENT: dict[str, str]
