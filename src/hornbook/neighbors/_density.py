"""Densities from the distance to the k-th neighbor, and the classifier that follows from them."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln
from sklearn.utils.validation import check_is_fitted

from hornbook.base import (
    Classifier,
    Description,
    Table,
    Term,
    Working,
    class_codes,
    draw_beside_rows,
    in_plane,
)
from hornbook.distances import Placed
from hornbook.frame import Frame
from hornbook.neighbors._memory import Algorithm, Memory, remember
from hornbook.neighbors._parameters import NNeighbors, Power
from hornbook.params import Floats, Index, Jobs, Shape
from hornbook.plots import Panel, bars, boundaries, class_densities

__all__ = ["KNNDensity"]

STEPS = 400  # points of a drawn curve
AT_ONCE = 1 << 20  # distances in memory: with many ties, all rows may lie on the surface of the ball


class KNNDensity(Classifier):
    """The density of each class around a row, from the ball that reaches to the k-th nearest training row.

    With K_i of the n_i rows of class i in the ball and V its volume, f(x | i) = K_i / (n_i V). With the
    frequencies n_i / n as priors, the probability of the class is K_i / K, and the largest wins: the vote of
    `KNeighborsClassifier`, except that all rows as far away as the k-th are in the ball (Loftsgaarden and
    Quesenberry 1965). Predicting a row takes as long as finding its neighbors, which grows with rows x
    columns, or with log rows in the k-d tree of few columns; each value of a category is a column.

    Parameters
    ----------
    n_neighbors : int, default 5
        How many rows the ball reaches (k); all when there are fewer. A row of weight 3 counts as three.
    p : float, default 2.0
        The power of Minkowski's distance: 2 is Euclid's, with round balls.
    algorithm : {"auto", "kd_tree", "brute"}, default "auto"
        Search by a k-d tree, or compare with every row. The predictions are the same.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    class_prior_ : ndarray of shape (n_classes,)
        Their fractions of the weight.
    memory_ : Memory
        The training rows and the k-d tree over them.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    KNeighborsClassifier : Vote of the k nearest rows.
    NaiveBayes : Bayes' rule with columns independent in each class.

    Examples
    --------
    >>> from hornbook import KNNDensity
    >>> model = KNNDensity(n_neighbors=3).fit([[0.0], [1.0], [2.0], [6.0]], ["a", "a", "b", "b"])
    >>> model.density([[1.0]]).round(6).tolist()  # two of two and one of two rows on a length of 2
    [[0.5, 0.25]]
    """

    counts_absent = True
    scale_sensitive = True
    model_class = "the training rows and a distance"
    objective = "none: the rows are counted"
    optimizer = "none: the rows are kept and looked up"

    memory_: Memory
    y_: Annotated[NDArray[np.int32], Shape("n_rows"), Index("n_classes")]
    class_mass_: Annotated[Floats, Shape("n_classes")]
    class_prior_: Annotated[Floats, Shape("n_classes")]

    def __init__(
        self,
        *,
        n_neighbors: NNeighbors = 5,
        p: Power = 2.0,
        algorithm: Algorithm = "auto",
        n_jobs: Jobs = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.p = p
        self.algorithm = algorithm
        self.n_jobs = n_jobs

    def _fit(self, X: Floats, y: NDArray[np.int32], w: Floats | None) -> None:
        self.memory_ = remember(
            Frame(X),
            w,
            None,
            metric="minkowski",
            p=self.p,
            algorithm=self.algorithm,
            n_threads=self._threads(),
        )
        # The memory drops rows of weight 0; their classes go with them.
        self.y_ = y if self.memory_.origin is None else y[self.memory_.origin]
        mass = np.bincount(self.y_, weights=self.memory_.mass, minlength=len(self.classes_))
        self.class_mass_ = mass.astype(np.float64)
        self.class_prior_ = self.class_mass_ / self.class_mass_.sum()

    def _counts(self, inside: NDArray[np.bool_], indices: NDArray[np.int64]) -> Floats:
        """Weight of each class inside the ball, one row for each query."""
        k = len(self.classes_)
        places = np.arange(len(indices))[:, None] * k + self.y_[indices]
        weights = np.where(inside, self.memory_.mass[indices], 0.0)
        sums = np.bincount(places.ravel(), weights=weights.ravel(), minlength=len(indices) * k)
        return np.asarray(sums, dtype=np.float64).reshape(len(indices), k)

    def _balls(self, X: Floats) -> tuple[Floats, Floats]:
        """The radius of the ball around each row, and the rows of each class in it."""
        memory, threads = self.memory_, self._threads()
        queries = memory.space.place(Frame(X))
        # First the radius, from k neighbors; then all rows within it, of which ties may make many more.
        nearest = memory.k_neighbors(queries, self.n_neighbors, None, threads)
        radius = nearest.distances[nearest.offsets[1:] - 1]
        counts = np.zeros((len(X), len(self.classes_)))
        waiting, count = np.arange(len(X)), min(self.n_neighbors, len(memory))
        while len(waiting):  # until the farthest row that was retrieved lies outside the ball
            # One more row is usually enough; after that the count doubles, so few searches are repeated.
            count = min(2 * count, len(memory)) if count > self.n_neighbors else min(count + 1, len(memory))
            step = max(1, AT_ONCE // count)
            parts = [waiting[at : at + step] for at in range(0, len(waiting), step)]
            closed = [self._count(queries, radius, rows, count, counts) for rows in parts]
            waiting = waiting[~np.concatenate(closed)]
        return radius, counts

    def _count(
        self, queries: Placed, radius: Floats, rows: NDArray[np.intp], count: int, out: Floats
    ) -> NDArray[np.bool_]:
        """Count within the balls of some queries, and report for which of them ``count`` rows were enough."""
        distances, indices = self.memory_.nearest(queries[rows], count, self._threads())
        inside = distances <= radius[rows, None]
        out[rows] = self._counts(inside, indices)
        return np.asarray(~inside[:, -1] | (count == len(self.memory_)))

    def log_density(self, X: Any) -> Floats:
        """Return the natural logarithm of the density of each class at each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        log_density : ndarray of shape (n_rows, n_classes)
            Minus infinity where no row of the class is in the ball; plus infinity where one is, and the ball
            is a point because k training rows are equal to the row.
        """
        check_is_fitted(self)
        numbers = self._prepared(X)
        radius, counts = self._balls(numbers)
        # In logarithms: the volume of a ball in many dimensions under- or overflows.
        with np.errstate(divide="ignore"):
            # Good for comparing classes at one place. It is not a density that integrates to 1: its tails
            # fall too slowly.
            volume = _log_volume(numbers.shape[1], self.p) + numbers.shape[1] * np.log(radius)
            logs = np.log(counts)
            log_densities = (
                logs - np.log(self.class_mass_) - np.where(np.isneginf(logs), 0.0, volume[:, None])
            )
        return np.asarray(log_densities)

    def density(self, X: Any) -> Floats:
        """Return the density of each class at each row: f(x | i) = K_i / (n_i V).

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        density : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``.
        """
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(self.log_density(X)))

    def _proba(self, X: Floats) -> Floats:
        counts = self._balls(X)[1]
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def _describe(self) -> Description:
        title = f"KNNDensity that stores {len(self.memory_)} rows of {len(self.schema_.columns)} columns"
        facts = {"neighbors": self.n_neighbors, "power of the distance": self.p}
        rows = list(zip(self.classes_.tolist(), self.class_prior_.tolist(), strict=True))
        return Description(title, facts, [Table("Share of each class", ["class", "share"], rows)])

    def _working(self, X: Floats) -> Working:
        radius, counts = self._balls(X)
        total = counts[0].sum()
        terms = [Term(f"share of the {total:g} rows within {radius[0]:.6g}", (counts[0] / total).tolist())]
        answer = self.classes_[int(counts[0].argmax())]
        return Working("The rows of the ball", "sum", self.classes_.tolist(), terms, answer)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        names = [str(label) for label in self.classes_]
        if len(self.schema_.columns) == len(self.schema_.numeric) == 1:
            panel = self._curves()
            if X is not None:
                codes = class_codes(self, X, y)
                numbers = {name: X.column(0)[codes == i] for i, name in enumerate(names)}
                panel = replace(panel, rows=numbers)
            return class_densities([panel], ax=ax)
        if in_plane(X):
            labels = self.predict(X) if y is None else y
            return boundaries([], X, labels, ax, bold=self, title=f"{self.n_neighbors} neighbors")
        title = "Share of each class"
        return draw_beside_rows(
            self, lambda place: bars(self.class_prior_, names, ax=place, title=title), X, y, ax
        )

    def _curves(self) -> Panel:
        """The density of each class along the only column."""
        assert isinstance(self.memory_.rows, Placed)
        seen = self.memory_.rows.numbers
        grid = np.linspace(seen.min(), seen.max(), STEPS)
        heights = self.density(Frame.from_columns(self.schema_, grid[:, None]))
        highest = heights[np.isfinite(heights)].max(initial=0.0)
        # Infinite where k training rows coincide, which cannot be drawn.
        heights = np.minimum(heights, highest)
        curves = {str(label): heights[:, i] for i, label in enumerate(self.classes_)}
        return Panel(self.schema_.names[0], grid, curves)


def _log_volume(d: int, p: float) -> float:
    """Logarithm of the volume of the unit ball of Minkowski's distance: π^(d/2) / Γ(d/2 + 1) for p = 2."""
    if np.isinf(p):
        return float(d * np.log(2))
    # (2 Γ(1 + 1/p))^d / Γ(1 + d/p), due to Dirichlet.
    return float(d * (np.log(2) + gammaln(1 + 1 / p)) - gammaln(1 + d / p))
