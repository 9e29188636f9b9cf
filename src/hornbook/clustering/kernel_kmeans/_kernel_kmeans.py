"""Kernel k-means: clusters that are round in the feature space of a kernel, not in that of the columns."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from hornbook.base import Accepts, Clusterer, Description, KernelColumns, Table, Term, Transformer, Working
from hornbook.clustering._initialization import weighted_draws
from hornbook.clustering._parameters import ClusterCount, ProgressReports, RandomDraws
from hornbook.clustering._plot import main_directions
from hornbook.clustering.kernel_kmeans._feature_space import (
    FeatureSpace,
    Labels,
    cluster_shares,
    row_distances,
    square_lengths,
)
from hornbook.frame import require_memory
from hornbook.kernels import Kernel, kernel_of, negative_square
from hornbook.params import Floats, Index, MaxIter, Range, Shape, blas_threads, declared
from hornbook.plots import voronoi
from hornbook.random import Stream, seed_of

__all__ = ["KernelKMeans"]

START_STREAM = 5  # random numbers that choose the first clusters
MANY_STARTS = 10  # for random partitions, from which much depends on chance
ROUNDING = 1e-12  # of squared distances, as a part of the largest k(x, x)


class KernelKMeansResult:
    """What kernel k-means has found.

    Attributes
    ----------
    labels_ : ndarray of shape (n_rows,)
        Cluster of each row of the fit.
    inertia_ : float
        Sum over rows of weight times squared distance to the mean, or times average distance.
    kernel_ : Kernel
        The kernel with its width.
    rows_ : ndarray of shape (n_rows, n_encoded)
        The rows of the fit, which new rows are compared with; none with a kernel matrix.
    weights_ : ndarray of shape (n_rows,)
        Their weights.
    within_ : ndarray of shape (n_clusters,)
        Mean kernel value of two rows of a cluster.
    n_iter_ : int
        Number of passes.
    history_ : dict
        For each pass the number of the start, the loss, and how many rows changed their cluster.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    labels_: Annotated[Labels, Shape("n_rows"), Index("n_centers")]
    kernel_: Kernel
    rows_: Annotated[Floats, Shape("n_kept", "n_encoded")]
    diagonal_: Annotated[Floats, Shape("n_rows")]
    weights_: Annotated[Floats, Shape("n_rows")]
    within_: Annotated[Floats, Shape("n_centers")]
    inertia_: float
    n_iter_: int


@declared
class KernelKMeans(
    ProgressReports, RandomDraws, ClusterCount, KernelKMeansResult, KernelColumns, Clusterer, Transformer
):
    """K-means in the feature space of a kernel: finds clusters that no straight border separates.

    Only values of the kernel are used, never the features. The distance of a row to a cluster is that to the
    mean of its rows in feature space, as in most libraries, or the average distance to its rows, as in some
    textbooks.

    Parameters
    ----------
    kernel : str, Kernel or callable, default "rbf"
        ``"linear"``, ``"poly"``, ``"rbf"``, ``"laplacian"``, ``"sigmoid"``, a kernel of `hornbook.kernels`, a
        function of two rows, or ``"precomputed"``: X is the kernel matrix of all rows, and for new rows that
        with all rows of the fit.
    gamma : float, "scale" or "auto", default "scale"
        Of kernels by name but the linear one: 1 / (columns times variance) with ``"scale"``, 1 / columns with
        ``"auto"``.
    degree : int, default 3
        Of ``"poly"``.
    coef0 : float, default 0.0
        Of ``"poly"`` and ``"sigmoid"``.
    distance : {"mean", "average"}, default "mean"
        ``"mean"``: k(x, x) - 2/|D| Σ k(x, y) + 1/|D|² ΣΣ k(y, z), the squared distance to the mean of the
        cluster D. ``"average"``: 1/|D| Σ √(k(x, x) - 2 k(x, y) + k(y, y)).
    init : {"k-means++", "random"}, default "k-means++"
        First clusters. ``"k-means++"``: around rows far apart in feature space. ``"random"``: a random
        cluster for each row.
    n_init : int or "auto", default "auto"
        Number of starts, of which the one with the smallest loss is kept; ``"auto"`` is 1 for k-means++, else
        10.
    max_iter : int, default 300
        The most passes for each start; they end when no row changes its cluster.

    See Also
    --------
    KMeans : Clusters around means.
    Nystroem : Features of a kernel from some of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> from hornbook import KernelKMeans
    >>> angle = np.linspace(0, 6, 40)
    >>> rings = np.concatenate([np.c_[np.cos(angle), np.sin(angle)], 5 * np.c_[np.cos(angle), np.sin(angle)]])
    >>> model = KernelKMeans(2, kernel=lambda x, y: (x @ x) * (y @ y), random_state=0).fit(rings)
    >>> len(set(model.labels_[:40])), len(set(model.labels_[40:]))
    (1, 1)
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "a partition of the training rows; a new row belongs to the nearest part"
    objective = "sum of distances to clusters in feature space"
    optimizer = "alternation of nearest clusters and their means"

    kernel: str | Kernel | Callable[[Any, Any], float] = "rbf"
    gamma: Annotated[float, Range(low=0.0, open_low=True)] | Literal["scale", "auto"] = "scale"
    degree: Annotated[int, Range(low=1)] = 3
    coef0: float = 0.0
    distance: Literal["mean", "average"] = "mean"
    init: Literal["k-means++", "random"] = "k-means++"
    n_init: Annotated[int, Range(low=1)] | Literal["auto"] = "auto"
    max_iter: MaxIter = 300

    def _fit(self, data: Floats, y: Any, w: Floats | None) -> None:
        del y
        weights = np.ones(len(data)) if w is None else w
        n = int(np.count_nonzero(weights))
        if n < self.n_clusters:
            raise ValueError(
                f"n_samples={n} should be >= n_clusters={self.n_clusters}: KernelKMeans needs at least one "
                "row of positive weight for each cluster; lower n_clusters."
            )
        n = len(data)
        # n^2 kernel values are kept: the price of a feature space without coordinates.
        require_memory(n, n, "fit on fewer rows and predict the others; KMeans needs no kernel matrix")
        with blas_threads(1):  # so that sums do not depend on threads
            self.kernel_ = kernel_of(
                self.kernel,
                data,
                w,
                gamma=self.gamma,
                degree=self.degree,
                coef0=self.coef0,
                sizes=self._sizes(),
            )
            space, kernel_values = self._space(data, weights)
            labels, self.inertia_, self.n_iter_ = self._best_start(space)
            self.within_ = square_lengths(kernel_values, cluster_shares(labels, space.w, self.n_clusters))
        self.labels_, self.weights_, self.diagonal_ = labels, weights, space.diagonal
        self.rows_ = np.empty((0, data.shape[1])) if self._precomputed else data.copy()
        self._warn_of_few()

    def _space(self, data: Floats, w: Floats) -> tuple[FeatureSpace, Floats]:
        with np.errstate(over="ignore", invalid="ignore"):  # refused below
            K = self.kernel_.matrix(data, data)
        if self._precomputed and not np.allclose(K, K.T, rtol=0, atol=1e-8 * float(np.abs(K).max())):
            raise ValueError("KernelKMeans: a precomputed kernel matrix must be symmetric: repair it.")
        if not np.isfinite(K).all():
            raise ValueError(
                "KernelKMeans: the kernel has values that are not finite: scale the columns, or choose "
                "another kernel."
            )
        diagonal = np.diag(K).copy()
        self._warn_of_negative_squares(K)
        table = row_distances(K, diagonal, diagonal) if self.distance == "average" else K
        return FeatureSpace(table, diagonal, w, self.distance), K

    def _warn_of_negative_squares(self, K: Floats) -> None:
        """Warn of a kernel that is no scalar product, where that shows in the distance of two rows."""
        worst = negative_square(K)
        if worst is not None:
            i, j, square = worst
            warnings.warn(
                f"KernelKMeans: the kernel is not positive semidefinite: the squared distance of rows {i} "
                f"and {j} is {square:.4g}. Negative squares count as 0, so that clusters may be lost: choose "
                "another kernel, or other parameters of it.",
                UserWarning,
                stacklevel=9,
            )

    def _best_start(self, space: FeatureSpace) -> tuple[Labels, float, int]:
        n = (1 if self.init == "k-means++" else MANY_STARTS) if self.n_init == "auto" else self.n_init
        seed = seed_of(self.random_state)
        best: tuple[Labels, float, int] | None = None
        for start in self.iterate(n, name="start", inner=self.max_iter) if n > 1 else range(1):
            run = self._run(space, start, Stream(seed, START_STREAM, start))
            if best is None or run[1] < best[1]:
                best = run
        assert best is not None
        return best

    def _run(self, space: FeatureSpace, start: int, draws: Stream) -> tuple[Labels, float, int]:
        k = self.n_clusters
        labels = self._first(space, draws)
        # With means and a positive semidefinite kernel no pass raises the loss, so that it ends. Average
        # distances are not what assigning rows to them minimizes, and passes may repeat earlier partitions.
        loss, n_iter, changed = math.inf, 0, 1
        for i in self.iterate(self.max_iter, name="pass"):
            labels = _filled(space, labels, k)
            costs = space.costs(labels, k)
            loss = float(space.w @ costs[np.arange(len(labels)), labels])
            nearest = np.argmin(costs, axis=1).astype(np.int32)
            # A row stays where another cluster is only as near.
            stays = costs[np.arange(len(labels)), labels] <= costs.min(axis=1)
            moved = np.where(stays, labels, nearest)
            changed, n_iter = int(np.count_nonzero(moved != labels)), i + 1
            self.record(start=start, loss=loss, changed=changed)
            self.labels_, self.n_iter_ = moved, n_iter
            labels = moved
            if not changed:
                break
        if changed:
            warnings.warn(
                f"KernelKMeans: {changed} rows still changed their cluster in the last of "
                f"max_iter={self.max_iter} passes: raise max_iter; with "
                "distance='average' passes may cycle.",
                ConvergenceWarning,
                stacklevel=8,
            )
        return labels, loss, n_iter

    def _first(self, space: FeatureSpace, draws: Stream) -> Labels:
        n, k = len(space.w), self.n_clusters
        if self.init == "random":
            return draws.integers(k, n).astype(np.int32)
        columns = [self._to_row(space, int(weighted_draws(space.w, draws.uniform(1))[0]))]
        while len(columns) < k:
            nearest = np.min(columns, axis=0)
            mass = space.w * nearest
            # k-means++ in feature space: drawn in proportion to the squared distance to the nearest
            # chosen row.
            row = weighted_draws(mass if mass.sum() > 0 else space.w, draws.uniform(1))[0]
            columns.append(self._to_row(space, int(row)))
        return np.asarray(np.argmin(columns, axis=0), dtype=np.int32)

    def _to_row(self, space: FeatureSpace, row: int) -> Floats:
        """Squared distances, or distances, of all rows to one."""
        if self.distance == "average":
            return np.asarray(space.K[row])
        squares = space.diagonal - 2 * space.K[row] + space.diagonal[row]
        return np.asarray(np.maximum(squares, 0.0))

    def _warn_of_few(self) -> None:
        n_used = np.count_nonzero(np.bincount(self.labels_))
        if n_used < self.n_clusters:
            warnings.warn(
                f"KernelKMeans: number of distinct clusters ({n_used}) found smaller than n_clusters "
                f"({self.n_clusters}), possibly because rows repeat each other: lower n_clusters.",
                ConvergenceWarning,
                stacklevel=6,
            )

    def _parts(self, X: Floats) -> tuple[Floats, Floats]:
        """k(x, x) of new rows, and their mean value (or distance) with the rows of each cluster."""
        k = len(self.within_)
        shares = cluster_shares(self.labels_, self.weights_, k)
        with blas_threads(1):
            if self._precomputed:
                if self.distance == "average":
                    raise _unknown_lengths("distance='average'")
                K, own = X, np.zeros(len(X))
            else:
                K, own = self.kernel_.matrix(X, self.rows_), self.kernel_.diagonal(X)
            table = row_distances(K, own, self.diagonal_) if self.distance == "average" else K
            # One row at a time: a product of matrices may round a row differently in another company.
            means = np.stack([row @ shares for row in table]) if len(table) else np.empty((0, k))
        means[:, ~shares.any(axis=0)] = np.inf if self.distance == "average" else -np.inf
        return own, means

    def _transform(self, X: Floats) -> Floats:
        if self._precomputed:
            raise _unknown_lengths("transform")
        own, means = self._parts(X)
        if self.distance == "average":
            return means
        return np.sqrt(np.maximum(own[:, None] - 2 * means + self.within_, 0.0))

    def _predict(self, X: Floats) -> NDArray[np.int32]:
        _, means = self._parts(X)
        # k(x, x) is the same for all clusters and can be left out of the comparison.
        scores = -means if self.distance == "average" else 2 * means - self.within_
        return np.asarray(np.argmax(scores, axis=1), dtype=np.int32)

    def _n_new_columns(self) -> int:
        return len(self.within_)

    def _describe(self) -> Description:
        facts = {
            "kernel": str(self.kernel_) if isinstance(self.kernel, str | Kernel) else "a function",
            "distance": "to the mean of a cluster" if self.distance == "mean" else "average over its rows",
            "loss": self.inertia_,
            "passes": self.n_iter_,
        }
        mass = np.bincount(self.labels_, weights=self.weights_, minlength=len(self.within_))
        cells = [[i, *pair] for i, pair in enumerate(zip(mass.tolist(), self.within_.tolist(), strict=True))]
        table = Table("Clusters", ["cluster", "weight", "mean kernel value within"], cells)
        return Description(f"KernelKMeans: {len(mass)} clusters of {len(self.labels_)} rows", facts, [table])

    def _working(self, X: Floats) -> Working:
        own, means = self._parts(X)
        k = len(self.within_)
        if self.distance == "average":
            terms = [Term("-average distance to the rows", (0.0 - means[0]).tolist())]
            title = "KernelKMeans: the nearest cluster has the largest -average distance"
        else:
            terms = [
                Term("-k(x, x)", [-float(own[0])] * k),
                Term("2 mean k(x, y) over its rows", (2 * means[0]).tolist()),
                Term("-mean k(y, z) within", (-self.within_).tolist()),
            ]
            title = "KernelKMeans: the nearest mean has the largest -(squared distance)"
        squares = self.distance == "mean" and not self._precomputed
        return Working(title, "sum", range(k), terms, self._answer(X)[0], distances=squares)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        if self._precomputed:
            raise ValueError("KernelKMeans: a kernel matrix has no coordinates to draw: fit on rows.")
        shares = cluster_shares(self.labels_, self.weights_, len(self.within_))
        centers = shares.T @ self.rows_
        rows, labels = self.rows_, self.labels_
        if X is not None:
            rows = self._prepared(X)
            labels = self._predict(rows)
        names = [str(name) for name in self.encoded_names_]
        if rows.shape[1] != 2:
            middle, directions = main_directions(rows if len(rows) > 1 else centers)
            centers, rows = (centers - middle) @ directions.T, (rows - middle) @ directions.T
            names = ["direction of largest variance", "direction of second largest variance"]
        return voronoi(centers, rows, labels, ax, classes=y, names=names, regions=False)


def _unknown_lengths(what: str) -> ValueError:
    return ValueError(
        f"KernelKMeans: {what} needs k(x, x) of new rows, which a precomputed matrix does not contain: fit "
        "on rows with a kernel."
    )


def _filled(space: FeatureSpace, labels: Labels, k: int) -> Labels:
    """Give each empty cluster the row that is farthest from its own, one of a cluster with several rows."""
    labels = labels.copy()
    counts = np.bincount(labels[space.w > 0], minlength=k)
    nothing = ROUNDING * float(np.abs(space.diagonal).max(initial=0.0))  # as a squared distance
    if space.distance == "average":
        nothing = math.sqrt(nothing)
    for empty in np.flatnonzero(counts == 0):
        costs = space.costs(labels, k)[np.arange(len(labels)), labels]
        # A row that is alone must stay, or its own cluster would be the next empty one.
        costs = np.where((space.w > 0) & (counts[labels] > 1), costs, -1.0)
        row = int(np.argmax(costs))
        if not costs[row] > nothing:
            break  # all rows of a cluster are the same
        counts[labels[row]] -= 1
        labels[row] = empty
        counts[empty] = 1
    return labels
