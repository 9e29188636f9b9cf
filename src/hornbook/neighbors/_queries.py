"""Questions about the remembered rows: the nearest ones, those within a radius, and the graphs of both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, issparse
from sklearn.utils.validation import check_is_fitted

from hornbook.frame import Frame, SparseRows
from hornbook.neighbors._memory import Algorithm, Memory, Neighbors, OwnRows, remember
from hornbook.params import Floats

__all__ = ["KQueries", "RadiusQueries", "RememberedRows"]

Mode = Literal["connectivity", "distance"]


class RememberedRows:
    """What all neighbor learners know about the rows of their fit.

    Attributes
    ----------
    memory_ : Memory
        The training rows and the k-d tree over them.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    memory_: Memory
    algorithm: Algorithm
    metric: Any
    metric_params: Mapping[str, Any] | None
    p: float
    _threads: Any
    _by_chunks: Any

    @property
    def n_samples_fit_(self) -> int:
        """Number of rows of the fit that have a weight."""
        return len(self.memory_)

    def _memory_of(
        self, rows: Frame | SparseRows, w: Floats | None, y: NDArray[np.int32] | None = None
    ) -> Memory:
        return remember(
            rows,
            w,
            y,
            metric=self.metric,
            p=self.p,
            algorithm=self.algorithm,
            n_threads=self._threads(),
            settings=self.metric_params,
        )

    def _prepared(self, X: Any) -> Any:
        """New rows; without any, the rows of the fit, each of which asks the others."""
        if X is not None:
            return super()._prepared(X)  # type: ignore[misc]  # that of the learner
        check_is_fitted(self)
        if self.memory_.origin is not None:
            raise ValueError(
                f"{type(self).__name__}: some training rows have weight 0 and were not kept, so it cannot "
                "answer for all of them: pass the rows."
            )
        return OwnRows(np.arange(len(self.memory_), dtype=np.int64))

    def _placed(self, rows: Any) -> Any:
        return rows if isinstance(rows, OwnRows) else self.memory_.space.place(rows)

    def _graph(
        self, mode: Mode, offsets: NDArray[np.int64], indices: NDArray[np.int64], distances: Floats
    ) -> csr_matrix:
        if mode not in ("connectivity", "distance"):
            raise ValueError(
                f'Unsupported mode, must be one of "connectivity", or "distance" but got "{mode}" instead'
            )
        values = np.ones(len(indices)) if mode == "connectivity" else distances
        n_rows = len(self.memory_)
        if self.memory_.origin is not None:
            # Columns are the rows of the fit by their own numbers, also where some without weight were not
            # kept.
            n_rows = max(n_rows, int(self.memory_.origin[-1]) + 1)
        return csr_matrix((values, indices, offsets), shape=(len(offsets) - 1, n_rows))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]  # that of the learner
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags


class KQueries(RememberedRows):
    """The nearest rows."""

    n_neighbors: int

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> tuple[Floats, NDArray[np.int64]] | NDArray[np.int64]:
        """Find the nearest training rows of each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns), optional
            The rows; when left out the training rows, none of which is its own neighbor.
        n_neighbors : int, optional
            How many; the parameter of the learner when left out.
        return_distance : bool, default True
            Whether to return the distances, too.

        Returns
        -------
        distances : ndarray of shape (n_rows, n_neighbors)
            Infinite where no further row has a known column in common.
        indices : ndarray of shape (n_rows, n_neighbors)
            Training rows, the nearest first, ties by index; -1 where there is none.
        """
        check_is_fitted(self)
        memory, own = self.memory_, X is None
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 1 <= k <= len(memory) - own:
            raise ValueError(
                f"Expected n_neighbors from 1 to {len(memory) - own}, the number of rows there are to choose "
                f"from; got {k!r}: ask for fewer neighbors."
            )
        distances, indices = self._nearest(X, int(k))
        return (distances, indices) if return_distance else indices

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int | None = None, mode: Mode = "connectivity"
    ) -> csr_matrix:
        """Return the graph of the nearest training rows of each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns), optional
            The rows; when left out the training rows, none of which is its own neighbor.
        n_neighbors : int, optional
            How many; the parameter of the learner when left out.
        mode : {"connectivity", "distance"}, default "connectivity"
            What an edge weighs: 1, or the distance.

        Returns
        -------
        graph : sparse matrix of shape (n_rows, n_training_rows)
            One stored number for each neighbor, the nearest first.
        """
        distances, indices = self.kneighbors(X, n_neighbors)
        known = indices >= 0
        offsets = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
        return self._graph(mode, offsets, indices[known], distances[known])

    def _nearest(self, X: Any, k: int) -> tuple[Floats, NDArray[np.int64]]:
        memory = self.memory_
        if issparse(X):
            # Distances and indices stacked in one array, since chunks return one; indices are exact in
            # float64.
            both = self._by_chunks(lambda part: np.stack(self._nearest(part, k), axis=1), X)
            return both[:, 0], both[:, 1].astype(np.int64)
        if X is None:
            distances, indices = memory.others(np.arange(len(memory)), k, self._threads())
        else:
            queries = memory.space.place(self._prepared(X))
            distances, indices = memory.nearest(queries, k, self._threads())
        return distances, np.where(indices < 0, -1, memory.source(indices))


class RadiusQueries(RememberedRows):
    """The rows within a radius."""

    radius: float

    def radius_neighbors(
        self,
        X: Any = None,
        radius: float | None = None,
        return_distance: bool = True,
        sort_results: bool = False,
    ) -> tuple[NDArray[Any], NDArray[Any]] | NDArray[Any]:
        """Find all training rows within a radius of each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns), optional
            The rows; when left out the training rows, none of which is its own neighbor.
        radius : float, optional
            How far; the parameter of the learner when left out.
        return_distance : bool, default True
            Whether to return the distances, too.
        sort_results : bool, default False
            As in scikit-learn; here the nearest always come first.

        Returns
        -------
        distances : ndarray of shape (n_rows,) of arrays
            How far the neighbors of each row are.
        indices : ndarray of shape (n_rows,) of arrays
            Training rows, the nearest first, ties by index.
        """
        if sort_results and not return_distance:
            raise ValueError(
                "return_distance must be True if sort_results is True: ask for the distances, too, or leave "
                "out sort_results, since the nearest come first anyway."
            )
        neighbors = self._within(X, radius)
        distances = _by_query(neighbors, neighbors.distances)
        indices = _by_query(neighbors, self.memory_.source(neighbors.indices))
        return (distances, indices) if return_distance else indices

    def radius_neighbors_graph(
        self,
        X: Any = None,
        radius: float | None = None,
        mode: Mode = "connectivity",
        sort_results: bool = False,
    ) -> csr_matrix:
        """Return the graph of the training rows within a radius of each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns), optional
            The rows; when left out the training rows, none of which is its own neighbor.
        radius : float, optional
            How far; the parameter of the learner when left out.
        mode : {"connectivity", "distance"}, default "connectivity"
            What an edge weighs: 1, or the distance.
        sort_results : bool, default False
            As in scikit-learn; here the nearest always come first.

        Returns
        -------
        graph : sparse matrix of shape (n_rows, n_training_rows)
            One stored number for each neighbor.
        """
        del sort_results
        neighbors = self._within(X, radius)
        sources = self.memory_.source(neighbors.indices)
        return self._graph(mode, neighbors.offsets, sources, neighbors.distances)

    def _within(self, X: Any, radius: float | None) -> Neighbors:
        check_is_fitted(self)
        if radius is not None and (np.ndim(radius) or not radius >= 0):
            raise ValueError(f"parameter 'radius' must be one number >= 0 for all rows; got {radius!r}.")
        rows = cast("Any", X).toarray() if issparse(X) else X
        queries = self._placed(self._prepared(rows))
        return self.memory_.within(queries, self.radius if radius is None else radius, self._threads())


def _by_query(neighbors: Neighbors, values: NDArray[Any]) -> NDArray[Any]:
    # Made first, since NumPy would turn parts of equal length into one array of two dimensions.
    parts = np.empty(len(neighbors.offsets) - 1, dtype=object)
    parts[:] = np.split(values, neighbors.offsets[1:-1])
    return parts
