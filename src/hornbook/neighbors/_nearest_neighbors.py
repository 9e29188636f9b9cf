"""Which rows are nearest, without a target."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np

from hornbook.base import Accepts, Description, Term, Transformer, Working
from hornbook.frame import Frame, SparseRows
from hornbook.neighbors._description import description, distance_used
from hornbook.neighbors._memory import Neighbors, OwnRows
from hornbook.neighbors._parameters import NNeighbors, Radius, RowDistance
from hornbook.neighbors._plot import draw_distances
from hornbook.neighbors._queries import KQueries, RadiusQueries
from hornbook.params import Floats, declared

__all__ = ["NearestNeighbors"]

SLACK = 1e-6  # of sums of weights, which are rounded


@declared
class NearestNeighbors(RowDistance, KQueries, RadiusQueries, Transformer):
    """The nearest training rows of a row, and those within a radius.

    It takes numbers, categories and missing cells together. Unlike scikit-learn's, it also transforms: a row
    becomes its distances to the nearest training rows. Finding the neighbors of a row takes time that grows
    with rows x columns, or with log rows in the k-d tree of few columns.

    Parameters
    ----------
    n_neighbors : int, default 5
        How many neighbors are found (k). Of two rows at the same distance, the one with the lower index comes
        first.
    radius : float, default 1.0
        How far `radius_neighbors` looks.

    See Also
    --------
    KNeighborsClassifier : Vote of the k nearest rows.
    KNeighborsRegressor : Mean of the k nearest rows.

    Examples
    --------
    >>> from hornbook import NearestNeighbors
    >>> model = NearestNeighbors(n_neighbors=2).fit([[0.0], [1.0], [5.0]])
    >>> distances, indices = model.kneighbors([[0.9]])
    >>> distances.round(2).tolist(), indices.tolist()
    ([[0.1, 0.9]], [[1, 0]])
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    model_class = "the training rows and a distance"
    objective = "none: the rows are kept"
    optimizer = "none: the rows are kept and looked up"
    scale_sensitive: ClassVar[bool] = True

    n_neighbors: NNeighbors = 5
    radius: Radius = 1.0

    def _fit(self, rows: Frame | SparseRows, _: None, w: Floats | None) -> None:
        self.memory_ = self._memory_of(rows, w)

    def _n_new_columns(self) -> int:
        # A row of weight 3 counts as three rows.
        return min(self.n_neighbors, int(np.ceil(self.memory_.mass.sum())))

    def _transform(self, rows: Frame | OwnRows) -> Floats:
        k = self._n_new_columns()
        neighbors: Neighbors = self.memory_.k_neighbors(self._placed(rows), k, None, self._threads())
        starts, ends = neighbors.offsets[:-1, None], neighbors.offsets[1:, None]
        # The j-th distance is that of the neighbor with which the weights first reach j.
        reached = np.concatenate([[0.0], np.cumsum(neighbors.masses)])
        wanted = reached[starts] + np.arange(1, k + 1) - SLACK
        places = np.searchsorted(reached[1:], wanted)
        known = places < ends
        distances = np.full((len(rows), k), np.inf)  # no further row has a known column in common
        distances[known] = neighbors.distances[places[known]]
        return distances

    def _describe(self) -> Description:
        facts = {"neighbors": self.n_neighbors, "radius": self.radius}
        return description(self, self.memory_, facts, distance_used(self))

    def _working(self, row: Frame) -> Working:
        distances = self._transform(row)[0].tolist()
        _, (rows,) = self.memory_.nearest(
            self.memory_.space.place(row), min(len(distances), len(self.memory_)), 1
        )
        names = ", ".join(str(i) for i in self.memory_.source(rows[rows >= 0]).tolist())
        terms = [Term(f"distances of the rows {names}", distances)]
        ranks = [f"neighbor {rank}" for rank in range(1, len(distances) + 1)]
        return Working("How far the nearest rows are", "sum", ranks, terms, distances)

    def _plot(self, X: Any, _: Any, ax: Any) -> Any:
        return draw_distances(self.memory_, X, ax, self.n_neighbors)
