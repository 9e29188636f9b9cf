"""K-means: centers such that rows are near the center of their cluster."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning

from hornbook import _native
from hornbook.base import Accepts, Clusterer, Description, Transformer, Working
from hornbook.clustering._column_moments import ColumnMoments, checked_moments, column_moments
from hornbook.clustering._description import center_tables, terms_of
from hornbook.clustering._empty_clusters import relocated
from hornbook.clustering._initialization import Start, checked_centers, initializer
from hornbook.clustering._lloyd import Lloyd
from hornbook.clustering._minibatch import epoch, updated_means
from hornbook.clustering._parameters import CenterStart, ClusterCount, ClusterWork, PassLimits
from hornbook.clustering._plot import draw
from hornbook.frame import Blocks
from hornbook.params import (
    Floats,
    Index,
    Range,
    Shape,
    Tol,
    blas_threads,
    declared,
)
from hornbook.random import Stream, seed_of

__all__ = ["KMeans"]

ORDER_STREAM = 2  # random numbers for the order of the rows in mini-batches
CALL_STREAM = 3  # random numbers for the seeds that functions of initial centers get
MANY_STARTS = 10  # for initializations that depend much on chance


@dataclass(frozen=True)
class Run:
    """Result of one start."""

    centers: Floats
    seen: Floats
    labels: NDArray[np.int32]
    inertia: float
    n_iter: int


class KMeansResult:
    """What k-means has found.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_encoded)
        The centers.
    labels_ : ndarray of shape (n_rows,)
        Cluster of each row of the fit.
    inertia_ : float
        Sum of weight times squared distance to the nearest center.
    n_iter_ : int
        Number of passes.
    seen_ : ndarray of shape (n_clusters, n_encoded)
        Weight of the values behind each coordinate of a center.
    history_ : dict
        For each pass the number of the start, the inertia before centers moved, and the sum of their squared
        moves.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    cluster_centers_: Annotated[Floats, Shape("n_centers", "n_encoded")]
    seen_: Annotated[Floats, Shape("n_centers", "n_encoded")]
    labels_: Annotated[NDArray[np.int32], Shape("n_rows"), Index("n_centers")]
    inertia_: float
    n_iter_: int


@declared
class KMeans(ClusterWork, PassLimits, CenterStart, ClusterCount, KMeansResult, Clusterer, Transformer):
    """K-means: every row belongs to the nearest of k centers, and every center is the mean of its rows.

    Lloyd's algorithm (1982): rows are assigned to their nearest centers and centers moved to the means of
    their rows until nothing changes, which makes the sum of squared distances small. Unlike scikit-learn's,
    it takes categories and missing cells, learns from files and from rows that arrive in parts, and compares
    only those rows with all centers that could have changed sides (Hamerly 2010), with the same result.

    A missing cell adds nothing to a distance, which is the square root of the sum of (x - c)² over the
    known columns, nor to a center, which is the mean of the known cells of its rows: so the sum of
    squared distances falls in every pass. scikit-learn's ``nan_euclidean_distances`` scales that sum up by
    columns / known columns; the nearest center is the same. A center without rows takes the row that is
    farthest from its own center. Of equally near centers the first counts as the nearest.

    Parameters
    ----------
    init : {"k-means++", "random", "uniform"}, array or callable, default "k-means++"
        Initial centers. ``"k-means++"``: rows far apart, each the best of 2 + ln k that are drawn with
        probability proportional to weight times squared distance to the centers so far. ``"random"``:
        distinct rows, drawn with probability proportional to weight. ``"uniform"``: vectors drawn uniformly
        from the bounding box of the rows. Or given centers, or a function of the rows, the number of clusters
        and ``random_state=`` that returns them. Rows are drawn from a random 100,000 when there are more.
    n_init : int or "auto", default "auto"
        Number of starts, of which the one with the smallest sum of squared distances is kept; ``"auto"`` is 1
        for k-means++ and given centers, else 10, also for a function.
    tol : float, default 1e-4
        Passes end when the sum of the squared moves of the centers is at most this times the mean variance of
        the columns, or when no row changes its cluster; with 0 only the latter ends them.
    batch_size : int, optional
        Mini-batches: centers move after this many rows, instead of once a pass, each to the mean of all rows
        it was ever given. Rows are shuffled within each 4096. Takes fewer passes over many rows and is a
        little less exact; a center without rows stays where it is.
    copy_x : bool, default True
        As in scikit-learn; the rows are never changed.
    algorithm : {"lloyd", "elkan"}, default "lloyd"
        As in scikit-learn: both lead to the same clusters, here always by Hamerly's bounds.

    See Also
    --------
    KMedoids : Clusters around rows of the table.
    GaussianMixture : Clusters as normal distributions.

    Examples
    --------
    >>> from hornbook import KMeans, datasets
    >>> melons = datasets.watermelon("4.0")
    >>> model = KMeans(3, init=melons.features.numbers[[5, 11, 23]]).fit(melons)
    >>> model.cluster_centers_.round(3).tolist()
    [[0.633, 0.162], [0.335, 0.214], [0.6, 0.405]]
    >>> model.predict([{"density": 0.5, "sugar": 0.4}]).tolist(), round(model.inertia_, 4)
    ([2], 0.4126)
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    missing_cells: ClassVar[Literal["keep"]] = "keep"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "k centers; a row belongs to the nearest"
    objective = "sum of squared distances of rows to their centers"
    optimizer = "Lloyd's alternation of nearest centers and means, or mini-batches"

    init: Start | ArrayLike | Callable[..., ArrayLike] = "k-means++"  # type: ignore[assignment]  # wider here
    n_init: Annotated[int, Range(low=1)] | Literal["auto"] = "auto"
    tol: Tol = 1e-4
    batch_size: Annotated[int, Range(low=1)] | None = None
    copy_x: bool = True
    algorithm: Literal["lloyd", "elkan"] = "lloyd"

    def _fit_blocks(self, blocks: Blocks) -> None:
        columns = self._checked_columns(blocks)
        if self.algorithm == "elkan" and self.n_clusters == 1:
            warnings.warn(
                "algorithm='elkan' doesn't make sense for a single cluster. Using 'lloyd' instead.",
                RuntimeWarning,
                stacklevel=6,
            )
        seed = seed_of(self.random_state)
        best: Run | None = None
        with blas_threads(1):  # once, instead of in each of many short passes
            lloyd = Lloyd(blocks, columns)
            # One Lloyd object for all starts: tiles and chunks of the rows are laid out once.
            for start, centers in enumerate(self._initial_centers(lloyd, columns, seed)):
                run = self._run(lloyd, columns, centers, start, Stream(seed, ORDER_STREAM, start))
                if best is None or run.inertia < best.inertia:  # ties go to the earlier start
                    best = run
        assert best is not None
        self._keep(best)
        self._warn_of_few(best.labels)

    def _checked_columns(self, blocks: Blocks) -> ColumnMoments:
        return checked_moments(blocks, self.n_clusters, self.encoded_names_, "KMeans")

    def _check_overflow(self, columns: ColumnMoments, total: float) -> None:
        columns.check_overflow(total, self.encoded_names_, "KMeans")

    def _initial_centers(self, lloyd: Lloyd, columns: ColumnMoments, seed: int) -> Iterator[Floats]:
        """Initial centers, one set for each run; with several, callbacks see each start."""
        n = self.n_init
        if n == "auto":
            drawn = callable(self.init) or (isinstance(self.init, str) and self.init != "k-means++")
            # k-means++ is rarely improved by restarts; other draws depend much more on chance.
            n = MANY_STARTS if drawn else 1
        if n > 1 and not isinstance(self.init, str) and not callable(self.init):
            warnings.warn(
                f"KMeans: parameter 'init' holds the initial centers, so n_init={n} starts would all be "
                "the same: Explicit initial center position passed: performing only one init; leave n_init "
                "at 'auto'.",
                RuntimeWarning,
                stacklevel=7,
            )
            n = 1
        start = self._initializer(lloyd, columns, seed)
        for run in self.iterate(n, name="start", inner=self.max_iter) if n > 1 else range(1):
            yield start(run)

    def _initializer(self, lloyd: Lloyd, columns: ColumnMoments, seed: int) -> Callable[[int], Floats]:
        """Return a function from the number of a start to its initial centers."""
        if callable(self.init):
            return partial(self._called_centers, self.init, lloyd.blocks, seed)
        if not isinstance(self.init, str):
            places = checked_centers(self.init, self.n_clusters, len(columns.mean))
            return lambda _: places
        return initializer(self.init, lloyd.blocks, self.n_clusters, columns.mean, seed, lloyd.tiles)

    def _called_centers(self, init: Callable[..., Any], blocks: Blocks, seed: int, start: int) -> Floats:
        """The centers that the user's function returns for all rows, encoded."""
        if not blocks.is_one_block:
            raise ValueError(
                "KMeans: a function as 'init' needs all rows in memory, and these come in blocks: pass "
                "blocks.to_frame(), or another 'init'."
            )
        (block,) = blocks
        state = np.random.RandomState(int(Stream(seed, CALL_STREAM, start).integers(2**32, 1)[0]))
        centers = init(block.X, self.n_clusters, random_state=state)
        return checked_centers(centers, self.n_clusters, block.X.shape[1])

    def _run(self, lloyd: Lloyd, columns: ColumnMoments, centers: Floats, start: int, order: Stream) -> Run:
        """Move the centers until they converge; each pass is seen by callbacks."""
        lloyd.restart()
        blocks = lloyd.blocks
        seen = np.zeros_like(centers)
        # Relative to the variance, as in scikit-learn, so that units do not matter.
        # Inertia is a sum over columns, the shift a sum of squares: both scale with the square of the
        # unit.
        tolerance = self.tol * float(columns.variance.mean())
        n_iter, at_rest = 0, False
        for i in self.iterate(self.max_iter, name="pass"):
            if self.batch_size is None:
                totals = lloyd.step(centers)
                self._check_overflow(columns, totals.inertia)
                moved = relocated(totals, blocks, centers).means(centers)
                # Labels of the first pass have nothing to be compared with.
                inertia, seen, unchanged = totals.inertia, totals.mass, i > 0 and totals.changed == 0
            else:
                end = epoch(blocks, columns, centers, seen, self.batch_size, order)
                moved, seen, inertia, order, unchanged = end.centers, end.seen, end.inertia, end.order, False
            shift = float(np.square(moved - centers).sum())
            self.record(start=start, inertia=inertia, shift=shift)
            # Only sums over all rows are free of the rounding that running changes accumulate.
            centers, n_iter, at_rest = moved, i + 1, unchanged and shift == 0.0 and lloyd.is_exact
            self.cluster_centers_, self.seen_, self.n_iter_ = centers, seen, n_iter
            if unchanged or shift <= tolerance:
                break
        if not at_rest:  # labels must be those of the last centers
            totals = lloyd.step(centers, exact=True)
            self._check_overflow(columns, totals.inertia)
            inertia, seen = totals.inertia, seen if self.batch_size else totals.mass
        return Run(centers, seen, lloyd.labels, inertia, n_iter)

    def _keep(self, run: Run) -> None:
        self.cluster_centers_, self.seen_ = run.centers, run.seen
        self.labels_, self.inertia_, self.n_iter_ = run.labels, run.inertia, run.n_iter

    def _warn_of_few(self, labels: NDArray[np.int32]) -> None:
        n_used = np.count_nonzero(np.bincount(labels))
        if n_used < self.n_clusters:
            warnings.warn(
                f"KMeans: Number of distinct clusters ({n_used}) found smaller than n_clusters "
                f"({self.n_clusters}). Possibly due to duplicate points in X: lower n_clusters. The centers "
                "left over have no rows.",
                ConvergenceWarning,
                stacklevel=6,
            )

    def _partial_fit(self, blocks: Blocks) -> None:
        # The first batch chooses the initial centers; later ones only move them.
        if hasattr(self, "cluster_centers_"):
            columns = column_moments(blocks)
            lloyd = Lloyd(blocks, columns)
        else:
            columns = self._checked_columns(blocks)
            lloyd = Lloyd(blocks, columns)
            centers = self._initializer(lloyd, columns, seed_of(self.random_state))(0)
            self.cluster_centers_, self.seen_, self.n_iter_ = centers, np.zeros_like(centers), 0
        totals = lloyd.step(self.cluster_centers_)
        self._check_overflow(columns, totals.inertia)
        # Means of all rows ever seen, so that the order of batches matters less and less.
        moved, seen = updated_means(self.cluster_centers_, self.seen_, totals)
        self._keep(Run(moved, seen, lloyd.labels, totals.inertia, self.n_iter_ + 1))

    def _predict(self, X: Floats) -> NDArray[np.int32]:
        return _native.nearest_centers(X, self.cluster_centers_, self._threads())[0]

    def _row_scores(self, X: Floats) -> Floats:
        return -_native.nearest_centers(X, self.cluster_centers_, self._threads())[1]

    def _transform(self, X: Floats) -> Floats:
        return np.sqrt(_native.square_distances(X, self.cluster_centers_, self._threads()))

    def _n_new_columns(self) -> int:
        return len(self.cluster_centers_)

    def _describe(self) -> Description:
        facts = {
            "sum of squared distances": self.inertia_,
            "passes": self.n_iter_,
            "start": self.init
            if isinstance(self.init, str)
            else "a function"
            if callable(self.init)
            else "given",
        }
        k, d = self.cluster_centers_.shape
        tables = center_tables(self.cluster_centers_, self.seen_, self.encoded_names_)
        return Description(f"KMeans: {k} clusters, centers with {d} columns", facts, tables)

    def _working(self, X: Floats) -> Working:
        terms = terms_of(X[0], self.cluster_centers_, self.encoded_names_)
        title = "KMeans: the nearest center is the one with the largest sum of -(value - center)²"
        clusters = range(len(self.cluster_centers_))
        return Working(title, "sum", clusters, terms, self._answer(X)[0], distances=True)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        rows = np.empty((0, len(self.encoded_names_))) if X is None else self._prepared(X)
        return draw(self.cluster_centers_, self.encoded_names_, rows, y, ax)
