"""Agglomerative clustering: the two nearest clusters are merged until few are left."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from joblib import Memory
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags

from hornbook import _native
from hornbook.base import Accepts, Clusterer, Description, Working
from hornbook.clustering._metric import (
    PRECOMPUTED,
    filled_matrix,
    have_common_columns,
    require_finite_distances,
    warn_unless_metric,
)
from hornbook.clustering._parameters import MetricChoice, MinkowskiPower, WorkingThreads
from hornbook.clustering.hierarchy._description import description, placement
from hornbook.clustering.hierarchy._graph import Between, connected, edge_distances, edges_of, euclidean
from hornbook.clustering.hierarchy._plot import draw
from hornbook.clustering.hierarchy._tree import (
    Linkage,
    MergeTree,
    cut,
    graph_tree,
    graph_ward_tree,
    matrix_tree,
    rows_tree,
    ward_tree,
)
from hornbook.distances import (
    Space,
    distance_of,
    precomputed_matrix,
    precomputed_queries,
    space_of,
)
from hornbook.frame import Encoding, Frame, column_statistics
from hornbook.params import Floats, Index, Range, Shape, Tune, declared

__all__ = ["AgglomerativeClustering"]

MOST_LEVELS = 256  # of a category in the encoded rows, as for every learner on a matrix


class AgglomerativeResult:
    """What agglomerative clustering has found.

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,)
        Cluster of each row of the fit.
    n_clusters_ : int
        Number of clusters.
    n_leaves_ : int
        Number of rows in the tree: those with a weight above 0.
    leaf_rows_ : ndarray of shape (n_leaves,)
        The rows of the fit that are leaves.
    children_ : ndarray of shape (n_leaves - 1, 2)
        The nodes that each merge joins: leaves below n_leaves, else earlier merges, counted from there.
    distances_ : ndarray of shape (n_leaves - 1,)
        How far apart they are.
    cluster_weights_ : ndarray of shape (n_clusters,)
        Weight of the rows of each cluster.
    centroids_ : ndarray of shape (n_clusters, n_encoded)
        Means of the clusters in the encoded columns, by which new rows are placed: missing cells are filled
        with means or the most frequent category. Without columns for precomputed distances, where the
        smallest mean distance decides.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    labels_: Annotated[NDArray[np.int32], Shape("n_labels"), Index("n_centers")]
    leaf_rows_: Annotated[NDArray[np.int64], Shape("n_leaves"), Index("n_labels")]
    leaf_weights_: Annotated[Floats, Shape("n_leaves")]
    children_: Annotated[NDArray[np.int64], Shape("n_merges", 2), Index("2 * n_leaves")]
    distances_: Annotated[Floats, Shape("n_merges")]
    cluster_weights_: Annotated[Floats, Shape("n_centers")]
    # Not the number of columns that the hooks get, which are those of the frame.
    encoded_names_: Annotated[NDArray[Any], Shape("n_coordinates")]
    centroids_: Annotated[Floats, Shape("n_centers", "n_coordinates")]
    n_clusters_: int
    n_leaves_: int


@declared
class AgglomerativeClustering(WorkingThreads, MinkowskiPower, MetricChoice, AgglomerativeResult, Clusterer):
    """Agglomerative clustering: every row starts as a cluster, and the two nearest are merged, step by step.

    The merges form a tree, the dendrogram, which can be cut at any number of clusters or at any height.
    Unlike scikit-learn's, it takes categories, missing cells and weights, keeps heights and places new rows;
    Ward's and single linkage need no matrix of distances. Of equally near clusters, those with the lowest
    rows are merged first. Clusters are numbered by weight, the heaviest first. Rows without a known column in
    common are as far apart as the two farthest others.

    Parameters
    ----------
    n_clusters : int, optional, default 2
        Number of clusters; None with ``distance_threshold``.
    linkage : {"ward", "complete", "average", "single"}, default "ward"
        The distance of two clusters: the root of twice the growth of the sum of squares around the means
        (only for Euclidean distances); the largest, the mean, or the smallest distance of a row of one to a
        row of the other.
    distance_threshold : float, optional
        Merge clusters nearer than this, instead of until ``n_clusters`` are left.
    connectivity : array-like or sparse matrix of shape (n_rows, n_rows), or callable, optional
        Other than 0 where two rows are neighbors, in either direction: only neighboring clusters are merged.
        Or a function of the encoded rows that returns this, as scikit-learn's ``kneighbors_graph`` does.
        Distances of clusters go by pairs of neighbors alone, except with Ward's linkage, so that a merge may
        be lower than the one before. Parts without an edge between them are joined by their nearest rows,
        with a warning.
    memory : str, Path or joblib.Memory, optional
        Folder in which the tree is kept: with the same rows, another ``n_clusters`` or ``distance_threshold``
        needs no new one.
    compute_full_tree : bool or "auto", default "auto"
        As in scikit-learn; the tree is always whole.
    compute_distances : bool, default False
        As in scikit-learn; ``distances_`` are always there.

    See Also
    --------
    KMeans : Clusters around means.
    DBSCAN : Clusters of dense rows, and noise.

    Examples
    --------
    >>> from hornbook import AgglomerativeClustering
    >>> model = AgglomerativeClustering(2).fit([[0.0], [0.2], [1.0], [9.0], [9.1]])
    >>> model.labels_.tolist(), model.distances_.round(3).tolist()
    ([0, 0, 0, 1, 1], [0.1, 0.2, 1.039, 13.401])
    >>> model.predict([[2.0], [7.0]]).tolist()
    [0, 1]
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts()
    scale_sensitive: ClassVar[bool] = True

    model_class = "a tree of merged clusters, cut at a height"
    objective = "distance between clusters"
    optimizer = "greedy: the two nearest clusters are merged"

    n_clusters: Annotated[int, Range(low=1), Tune(2, 20)] | None = field(default=2, kw_only=False)
    linkage: Linkage = "ward"
    distance_threshold: Annotated[float, Range(low=0.0)] | None = None
    connectivity: ArrayLike | Callable[[Any], Any] | None = None
    memory: str | Path | Memory | None = None
    compute_full_tree: bool | Literal["auto"] = "auto"
    compute_distances: bool = False

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.metric, str) and self.metric == PRECOMPUTED

    def _fit(self, rows: Frame, y: Any, w: Floats | None) -> None:
        del y
        self._check_parameters(rows)
        self.leaf_rows_ = np.arange(len(rows)) if w is None else np.flatnonzero(w).astype(np.int64)
        self.leaf_weights_ = np.ones(len(rows)) if w is None else w[self.leaf_rows_]
        self.n_leaves_ = len(self.leaf_rows_)
        # Encoded for centroids and Ward only; other linkages measure the frame itself.
        X = self._encoded(rows, w)
        tree = self._tree(rows, X, w)
        self.children_, self.distances_ = tree.children, tree.heights
        self.n_clusters_ = self._number_of_clusters(tree)
        leaf_labels = self._numbered(cut(tree, self.n_clusters_))
        self.labels_ = np.empty(len(rows), dtype=np.int32)
        self.labels_[self.leaf_rows_] = leaf_labels
        self.centroids_ = _means(X[self.leaf_rows_], leaf_labels, self.leaf_weights_, self.n_clusters_)
        if w is not None and self.n_leaves_ < len(rows):  # rows of weight 0 are placed like new ones
            others = np.flatnonzero(w == 0)
            self.labels_[others] = self._predict(rows[others])
        self._warn_of_few()

    def _warn_of_few(self) -> None:
        apart = self.distances_[self.n_leaves_ - self.n_clusters_ :]  # of the clusters that are not merged
        n_distinct = int(np.count_nonzero(apart)) + 1
        if n_distinct < self.n_clusters_ and self.distance_threshold is None:
            warnings.warn(
                f"AgglomerativeClustering: number of distinct clusters ({n_distinct}) found smaller than "
                f"n_clusters ({self.n_clusters}), because rows repeat each other: some equal rows are in "
                "different clusters; lower n_clusters.",
                ConvergenceWarning,
                stacklevel=6,
            )

    def _check_parameters(self, rows: Frame) -> None:
        if (self.n_clusters is None) == (self.distance_threshold is None):
            raise ValueError(
                "AgglomerativeClustering: exactly one of 'n_clusters' and 'distance_threshold' has to be "
                f"set, and the other be None; got {self.n_clusters} and {self.distance_threshold}."
            )
        euclidean = isinstance(self.metric, str) and (
            self.metric in ("euclidean", "l2") or (self.metric == "minkowski" and self.p == 2)
        )
        if self.linkage == "ward" and not euclidean:
            raise ValueError(
                "AgglomerativeClustering: linkage='ward' minimizes sums of squares and needs "
                f"metric='euclidean'; got {self.metric!r}: choose another linkage, such as 'average'."
            )
        if self.n_clusters is not None and len(rows) < self.n_clusters:
            raise ValueError(
                f"n_samples={len(rows)} should be >= n_clusters={self.n_clusters}: AgglomerativeClustering "
                "needs at least one row for each cluster; lower n_clusters."
            )

    def _encoded(self, rows: Frame, w: Floats | None) -> Floats:
        if self._precomputed:
            self.encoded_names_ = np.empty(0, dtype=object)
            return np.empty((len(rows), 0))
        self.encoding_ = Encoding.from_statistics(
            self.schema_,
            column_statistics(rows, w),
            scale=None,
            max_categories=MOST_LEVELS,
            missing="impute",
        )
        self.encoded_names_ = np.array(self.encoding_.names, dtype=object)
        return self.encoding_.apply(rows)

    def _tree(self, rows: Frame, X: Floats, w: Floats | None) -> MergeTree:
        leaves, mass, some = self.leaf_rows_, self.leaf_weights_, len(self.leaf_rows_) < len(rows)
        name = type(self).__name__
        if self._precomputed:
            distances = precomputed_matrix(name, rows.matrix)
            distances = distances[np.ix_(leaves, leaves)] if some else distances
            warn_unless_metric(name, lambda part: distances[np.ix_(part, part)], distances)
            return self._matrix_tree(rows.matrix, distances)
        if self.linkage == "ward":
            points = np.ascontiguousarray(X[leaves]) if some else X
            if self.connectivity is None:
                tree = self._kept(ward_tree)(points, mass)
            else:
                tree = self._graph_tree(
                    X, lambda one, other: euclidean(points[one], points[other], self._threads())
                )
            self._check_overflow(X, tree)
            return tree
        space = space_of(distance_of(self.metric, self.p), rows, None, w)
        placed = space.place(rows)[leaves] if some else space.place(rows)
        if not isinstance(space, Space):
            warn_unless_metric(name, lambda part: space.pairwise(placed[part], placed[part], 1), placed)
        else:
            require_finite_distances(name, space, placed, rows.schema.names)
            if not have_common_columns(placed):
                return self._matrix_tree(X, filled_matrix(space, placed, self._threads()))
        if self.connectivity is not None:
            return self._graph_tree(
                X, lambda one, other: space.pairwise(placed[other], placed[one], self._threads())
            )
        return self._kept(rows_tree)(space, placed, mass, self.linkage, self._threads())

    def _matrix_tree(self, X: Floats, distances: Floats) -> MergeTree:
        if self.connectivity is not None:
            return self._graph_tree(X, lambda one, other: distances[np.ix_(one, other)])
        return self._kept(matrix_tree)(distances, self.leaf_weights_, self.linkage)

    def _graph_tree(self, X: Floats, between: Between) -> MergeTree:
        """Merge neighbors alone; `between` has distances of leaves, by their numbers."""
        leaves, mass = self.leaf_rows_, self.leaf_weights_
        edges = connected(edges_of(self.connectivity, X, leaves), len(leaves), between)
        if self.linkage == "ward":
            return self._kept(graph_ward_tree)(np.ascontiguousarray(X[leaves]), edges, mass)
        return self._kept(graph_tree)(edges, edge_distances(edges, between), mass, self.linkage)

    def _kept(self, tree: Callable[..., MergeTree]) -> Callable[..., MergeTree]:
        """The same function, whose results are kept in `memory`."""
        if self.memory is None:
            return tree
        memory = self.memory if isinstance(self.memory, Memory) else Memory(self.memory, verbose=0)
        return memory.cache(tree, ignore=["n_threads"] if tree is rows_tree else [])

    def _check_overflow(self, X: Floats, tree: MergeTree) -> None:
        if not np.isfinite(tree.heights).all():
            widest = self.encoded_names_[int(np.argmax(np.ptp(X, axis=0)))]
            raise ValueError(
                f"AgglomerativeClustering: column {widest!r} holds values so large that squared distances "
                "overflow: rescale it."
            )

    def _number_of_clusters(self, tree: MergeTree) -> int:
        if self.distance_threshold is not None:
            # Merges at or above the threshold are undone, each of which leaves one more cluster.
            return int((tree.heights >= self.distance_threshold).sum()) + 1
        assert self.n_clusters is not None
        return min(self.n_clusters, self.n_leaves_)

    def _numbered(self, clusters: NDArray[np.intp]) -> NDArray[np.int32]:
        """Number the clusters of the leaves by weight, the heaviest first, ties by their first leaf."""
        first = np.unique(clusters, return_index=True)[1]
        weights = np.asarray(np.bincount(clusters, weights=self.leaf_weights_), dtype=np.float64)
        order = np.lexsort([first, -weights])
        self.cluster_weights_ = weights[order]
        ranks = np.empty(len(order), dtype=np.int32)
        ranks[order] = np.arange(len(order))
        return ranks[clusters]

    def _predict(self, rows: Frame) -> NDArray[np.int32]:
        if self._precomputed:
            distances = precomputed_queries(type(self).__name__, rows.matrix)
            return np.asarray(self._mean_distances(distances).argmin(axis=1), dtype=np.int32)
        return _native.nearest_centers(self.encoding_.apply(rows), self.centroids_, self._threads())[0]

    def _mean_distances(self, distances: Floats) -> Floats:
        """Mean distance of new rows to the rows of each cluster."""
        members = np.zeros((self.n_leaves_, self.n_clusters_))
        members[np.arange(self.n_leaves_), self.labels_[self.leaf_rows_]] = self.leaf_weights_
        # A matrix product: sums of distances by cluster, over the weight of the cluster.
        return np.asarray(distances[:, self.leaf_rows_] @ members / self.cluster_weights_)

    def _describe(self) -> Description:
        return description(self)

    def _working(self, row: Frame) -> Working:
        answer = self._answer(row)[0]
        if self._precomputed:
            means = self._mean_distances(precomputed_queries(type(self).__name__, row.matrix))[0]
            return placement(self, None, means, answer)
        return placement(self, self.encoding_.apply(row)[0], None, answer)

    def _plot(self, X: Frame | None, y: Any, ax: Any) -> Any:
        return draw(self, X, y, ax)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed
        return tags


def _means(X: Floats, labels: NDArray[np.int32], w: Floats, k: int) -> Floats:
    """Weighted means of the clusters."""
    sums = [np.bincount(labels, weights=w * column, minlength=k) for column in X.T]
    mass = np.bincount(labels, weights=w, minlength=k)
    return np.ascontiguousarray(np.stack(sums, axis=1) / mass[:, None]) if sums else np.empty((k, 0))
