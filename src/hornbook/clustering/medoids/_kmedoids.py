"""K-medoids: rows such that the others are near one of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags

from hornbook.base import Clusterer, Description, Term, Transformer, Working
from hornbook.clustering._metric import (
    PRECOMPUTED,
    axioms_on_some,
    filled_matrix,
    have_common_columns,
    require_finite_distances,
    warn_of_broken,
)
from hornbook.clustering._parameters import ClusterCount, ClusterWork, MetricChoice, MinkowskiPower
from hornbook.clustering.medoids._all_distances import (
    CalledDistances,
    ComputedDistances,
    Indices,
    MatrixDistances,
)
from hornbook.clustering.medoids._description import distance_text, medoid_tables
from hornbook.clustering.medoids._initialization import MedoidStart, first_medoids
from hornbook.clustering.medoids._plot import draw_medoids
from hornbook.clustering.medoids._prototypes import (
    Prototypes,
    cells_of,
    ordered,
)
from hornbook.clustering.medoids._search import Searched, alternated, settled, swapped
from hornbook.distances import (
    CalledSpace,
    Placed,
    Space,
    distance_of,
    precomputed_matrix,
    space_of,
)
from hornbook.frame import Frame, require_memory
from hornbook.params import Floats, Index, MaxIter, Range, Shape, declared
from hornbook.random import Stream, seed_of

__all__ = ["KMedoids"]

START_STREAM = 3  # random numbers that choose the first medoids
SAMPLE_STREAM = 4  # random numbers that choose the samples of CLARA
SAMPLES = 5  # of CLARA, as in Kaufman and Rousseeuw (1990)
# Rows whose distances take little memory, and columns from which on it takes longer to compute a distance for
# every candidate than to look it up.
MATRIX_ROWS, MATRIX_COLUMNS = 2000, 24
ROWS_EACH, LEAST_ROWS = 40, 1000  # of a sample, for each medoid and in all


@dataclass(frozen=True)
class _Solution:
    medoids: Indices
    loss: float
    n_iter: int


class KMedoidsResult:
    """What k-medoids has found.

    Attributes
    ----------
    medoid_indices_ : ndarray of int64 of shape (n_clusters,)
        The rows that are medoids, in the order of their cells.
    cluster_centers_ : ndarray of shape (n_clusters, n_columns) or None
        Their cells: numbers, or objects where there are categories; None with a matrix of distances.
    labels_ : ndarray of shape (n_rows,)
        Cluster of each row of the fit.
    inertia_ : float
        Sum of weight times distance to the nearest medoid.
    n_iter_ : int
        Number of passes.
    is_metric_ : bool
        Whether the triangle inequality holds for the rows it was tested on, at most 60; Minkowski's
        distances of rows without gaps need no test. K-medoids does without it, so that a function or a matrix
        that violates it is only warned of.
    farthest_ : float
        Largest distance of a row to a medoid, which stands for that of rows without a known column in common.
    history_ : dict
        For each pass the loss and the number of swaps, or of medoids that changed.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    medoid_indices_: Annotated[Indices, Shape("n_centers")]
    prototypes_: Prototypes
    labels_: Annotated[NDArray[np.int32], Shape("n_labels"), Index("n_centers")]
    mass_: Annotated[Floats, Shape("n_centers")]
    inertia_: float
    n_iter_: int
    is_metric_: bool
    farthest_: float


@declared
class KMedoids(
    ClusterWork, MinkowskiPower, MetricChoice, ClusterCount, KMedoidsResult, Clusterer, Transformer
):
    """K-medoids: every row belongs to the nearest of k rows, the medoids, with a small sum of distances.

    It works with any distance, so also with categories, missing cells, a function of two rows or a matrix of
    distances, and rows far out matter less than for k-means. Unlike the ``kmedoids`` package it computes
    distances when it needs them: no n x n matrix is stored unless the distance is a function, or rows are at
    most 2000 and have many columns.

    Parameters
    ----------
    method : {"fasterpam", "alternate", "clara"}, default "fasterpam"
        ``"fasterpam"``: each row in turn is tried as a medoid and swapped at once with the one whose place it
        takes best (Schubert and Rousseeuw 2021), until no swap lowers the loss. ``"alternate"``: rows are
        assigned to the nearest medoid and each cluster takes the row with the smallest sum of distances to
        the others, until nothing changes; faster and usually worse. ``"clara"``: swaps on samples of the
        rows, for very many of them (Kaufman and Rousseeuw 1990).
    init : {"k-medoids++", "build", "random"} or array of int of shape (n_clusters,), default "k-medoids++"
        First medoids. ``"k-medoids++"``: rows far apart, each the best of 2 + ln k that are drawn with
        probability proportional to weight times distance to the medoids so far. ``"build"``: each the row
        that lowers the loss most, without any draw; takes k passes over all pairs. ``"random"``: rows drawn
        with probability proportional to weight. Or the numbers of given rows.
    max_iter : int, default 300
        The most passes over all candidates.
    sample_size : int, optional
        Rows of each of the 5 samples of ``"clara"``; 40 for each cluster, at least 1000, when left out.

    See Also
    --------
    KMeans : Clusters around means.
    AgglomerativeClustering : Clusters merged step by step.

    Examples
    --------
    >>> from hornbook import KMedoids
    >>> model = KMedoids(2, metric="manhattan", random_state=0).fit([[0, 0], [1, 0], [0, 2], [8, 8], [9, 8]])
    >>> model.medoid_indices_.tolist(), model.cluster_centers_.tolist(), model.inertia_
    ([0, 4], [[0.0, 0.0], [9.0, 8.0]], 4.0)
    >>> model.predict([[5, 5]]).tolist()
    [1]
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    scale_sensitive: ClassVar[bool] = True

    model_class = "k of the rows; a row belongs to the nearest"
    objective = "sum of distances of rows to their medoids"
    optimizer = "swaps of medoids with other rows, or alternation"

    method: Literal["fasterpam", "alternate", "clara"] = "fasterpam"
    init: MedoidStart | ArrayLike = "k-medoids++"
    max_iter: MaxIter = 300
    sample_size: Annotated[int, Range(low=1)] | None = None

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.metric, str) and self.metric == PRECOMPUTED

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed
        return tags

    def _fit(self, data: Frame, y: Any, w: Floats | None) -> None:
        del y
        weights = np.ones(len(data)) if w is None else w
        self._check_rows(weights)
        seed = seed_of(self.random_state)
        space, rows, matrix = self._places(data, w)
        if self.method == "clara":
            solution = self._clara(self._lazy(space, rows, matrix), weights, seed)
        else:
            solution = self._search(self._eager(space, rows, matrix), weights, seed)
        medoids = np.sort(solution.medoids).astype(np.int64)
        if space is not None:
            # Labels are numbered by the cells of the medoids: shuffled rows give the same clusters.
            medoids = ordered(cells_of(data[medoids]), medoids)
        self.prototypes_ = Prototypes.of(space, rows, data, medoids)
        self.medoid_indices_, self.n_iter_ = medoids, solution.n_iter
        every = self._lazy(space, rows, matrix)
        distances = every.to(medoids)
        self.labels_ = np.argmin(distances, axis=1).astype(np.int32)
        self.farthest_ = float(distances.max())
        self.inertia_ = float(weights @ distances.min(axis=1))
        self.mass_ = np.bincount(self.labels_, weights=weights, minlength=len(medoids)).astype(np.float64)
        self.is_metric_ = _is_minkowski(space, rows)
        if not self.is_metric_:
            axioms, some = axioms_on_some(lambda some: every.part(some).to(np.arange(len(some))), data)
            self.is_metric_ = axioms.metric
            if not isinstance(space, Space):  # named distances are what their names say
                warn_of_broken("KMedoids", axioms, some)
        self._warn_of_few()

    def _check_rows(self, weights: Floats) -> None:
        n = int(np.count_nonzero(weights > 0))
        if n < self.n_clusters:
            raise ValueError(
                f"n_samples={n} should be >= n_clusters={self.n_clusters}: KMedoids needs at least one row "
                "of positive weight for each cluster; lower n_clusters."
            )

    def _places(
        self, data: Frame, w: Floats | None
    ) -> tuple[Space | CalledSpace | None, Placed | None, Floats | None]:
        """The space of the distance with the rows in it, or the matrix of distances."""
        if self._precomputed:
            return None, None, precomputed_matrix("KMedoids", data.matrix)
        space = space_of(distance_of(self.metric, self.p), data, None, w)
        rows = space.place(data)
        if isinstance(space, Space):
            require_finite_distances("KMedoids", space, rows, data.schema.names)
            if not have_common_columns(rows):
                return space, rows, filled_matrix(space, rows, self._threads())
        return space, rows, None

    def _lazy(
        self, space: Space | CalledSpace | None, rows: Placed | None, matrix: Floats | None
    ) -> Searched | CalledDistances:
        if matrix is not None:
            return MatrixDistances(matrix, self._threads())
        assert space is not None
        assert rows is not None
        if isinstance(space, Space):
            return ComputedDistances(space, rows, self._threads())
        return CalledDistances(space, rows, self._threads())

    def _eager(
        self, space: Space | CalledSpace | None, rows: Placed | None, matrix: Floats | None
    ) -> Searched:
        lazy = self._lazy(space, rows, matrix)
        n = len(lazy)
        if isinstance(lazy, ComputedDistances) and self.method == "fasterpam":
            columns = lazy.rows.numbers.shape[1] + lazy.rows.codes.shape[1]
            if n <= MATRIX_ROWS and columns >= MATRIX_COLUMNS:
                # Up to 2000^2 doubles, 32 MB; beyond, computing again is faster than missing the
                # cache.
                return MatrixDistances(np.ascontiguousarray(lazy.to(np.arange(n))), self._threads())
        if not isinstance(lazy, CalledDistances):
            return lazy
        require_memory(n, n, "choose method='clara', which compares samples, or a named metric")
        return lazy.part(np.arange(n))

    def _start(self, distances: Searched, w: Floats, seed: int, run: int = 0) -> Indices:
        if isinstance(self.init, str):
            return first_medoids(self.init, distances, w, self.n_clusters, Stream(seed, START_STREAM, run))
        rows = np.array(self.init)
        whole = rows.dtype.kind in "iu" and rows.shape == (self.n_clusters,)
        if not whole or (rows < 0).any() or (rows >= len(w)).any() or len(set(rows.tolist())) < len(rows):
            raise ValueError(
                f"KMedoids: parameter 'init' must be {self.n_clusters} different row numbers from 0 to "
                f"{len(w) - 1}; got {self.init!r}."
            )
        return rows.astype(np.int64)

    def _search(self, distances: Searched, w: Floats, seed: int) -> _Solution:
        medoids = self._start(distances, w, seed)
        steps = alternated if self.method == "alternate" else swapped
        return self._followed(steps(distances, w, medoids), medoids)

    def _followed(self, steps: Iterator[tuple[Indices, float, int]], medoids: Indices) -> _Solution:
        """Take steps until none changes anything; callbacks see each."""
        n_iter, loss, changed = 0, np.inf, 1
        for i in self.iterate(self.max_iter, name="pass"):
            medoids, loss, changed = next(steps)
            self.record(loss=loss, swaps=changed)
            self.medoid_indices_, self.n_iter_ = np.sort(medoids), i + 1
            n_iter = i + 1
            if not changed:
                break
        if changed:
            warnings.warn(
                f"KMedoids: the medoids still changed in the last of max_iter={self.max_iter} passes: raise "
                "max_iter.",
                ConvergenceWarning,
                stacklevel=7,
            )
        return _Solution(medoids, loss, n_iter)

    def _clara(self, distances: Searched | CalledDistances, w: Floats, seed: int) -> _Solution:
        """The best medoids of several samples, judged by all rows; each sample contains the best so far."""
        usable = np.flatnonzero(w > 0)
        size = self.sample_size or max(LEAST_ROWS, ROWS_EACH * self.n_clusters)
        if size < self.n_clusters:
            raise ValueError(
                f"KMedoids: parameter 'sample_size' must be at least n_clusters={self.n_clusters}; "
                f"got {size}."
            )
        best: _Solution | None = None
        for run in range(SAMPLES if size < len(usable) else 1):
            drawn = usable[Stream(seed, SAMPLE_STREAM, run).permutation(len(usable))[:size]]
            # Kaufman and Rousseeuw: the best medoids so far join each sample, so that it can only get
            # better.
            rows = np.unique(drawn if best is None else np.concatenate([drawn, best.medoids])).astype(
                np.int64
            )
            sample = distances.part(rows)
            start = self._start(sample, w[rows], seed, run)
            medoids = rows[settled(sample, w[rows], start, self.max_iter)]
            loss = float(w @ distances.to(medoids).min(axis=1))
            self.record(loss=loss, swaps=0)
            if best is None or loss < best.loss:
                best = _Solution(medoids, loss, run + 1)
        assert best is not None
        return best

    def _warn_of_few(self) -> None:
        n_used = np.count_nonzero(np.bincount(self.labels_))
        if n_used < self.n_clusters:
            warnings.warn(
                f"KMedoids: number of distinct clusters ({n_used}) found smaller than n_clusters "
                f"({self.n_clusters}), possibly because rows repeat each other: lower n_clusters. The "
                "medoids left over have no rows.",
                ConvergenceWarning,
                stacklevel=6,
            )

    @property
    def cluster_centers_(self) -> NDArray[Any] | None:
        """Cells of the medoids: numbers, or objects where there are categories."""
        if "prototypes_" not in vars(self):
            raise AttributeError(f"{type(self).__name__} has no cluster_centers_ before it is fitted.")
        return None if self._precomputed else self.prototypes_.decoded(self.schema_)

    def _distances(self, rows: Frame) -> Floats:
        """Distances of new rows to the medoids."""
        prototypes = self.prototypes_
        if prototypes.space is None:
            return np.ascontiguousarray(rows.matrix[:, self.medoid_indices_])
        places = prototypes.space.place(rows)
        distances = prototypes.space.pairwise(prototypes.rows, places, self._threads())
        # Rows without a known column in common are as far apart as any in the fit.
        return np.where(np.isinf(distances), self.farthest_, distances)

    def _predict(self, X: Frame) -> NDArray[np.int32]:
        return np.asarray(np.argmin(self._distances(X), axis=1), dtype=np.int32)

    def _row_scores(self, X: Frame) -> Floats:
        return np.asarray(-self._distances(X).min(axis=1))

    def _transform(self, X: Frame) -> Floats:
        return self._distances(X)

    def _n_new_columns(self) -> int:
        return len(self.medoid_indices_)

    def _describe(self) -> Description:
        facts = {
            "sum of distances": self.inertia_,
            "distance": PRECOMPUTED if self._precomputed else distance_text(distance_of(self.metric, self.p)),
            "method": self.method,
            "passes": self.n_iter_,
        }
        if not self.is_metric_:
            facts["note"] = "the distance violates the triangle inequality, so it is not a metric"
        names = self.schema_.names
        tables = medoid_tables(self.medoid_indices_, self.mass_, self.cluster_centers_, names)
        return Description(f"KMedoids: {len(self.mass_)} clusters", facts, tables)

    def _working(self, X: Frame) -> Working:
        distances = self._distances(X)[0]
        terms = [Term("-distance to the medoid", (0.0 - distances).tolist())]
        title = "KMedoids: the nearest medoid is the one with the largest -distance"
        return Working(title, "sum", range(len(distances)), terms, self._answer(X)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        rows = None if X is None else self._prepared(X)
        labels = None if rows is None else self._predict(rows)
        return draw_medoids(self.prototypes_, self.schema_, rows, labels, y, ax)


def _is_minkowski(space: object, rows: Placed | None) -> bool:
    """Whether the distance is a metric by Minkowski's inequality."""
    if not isinstance(space, Space) or rows is None:
        return False
    return space.power >= 1.0 and not len(space.coded) and rows.complete
