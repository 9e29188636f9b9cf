"""Distance metric learning: a weighting of columns from pairs of rows that do or do not belong together."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Description, Table, Term, Transformer, Working
from hornbook.clustering._plot import main_directions
from hornbook.display import Cell
from hornbook.distances import TransformedEuclidean
from hornbook.params import Finite, Floats, MaxIter, Range, Shape, Tol, Verbose
from hornbook.plots import biplot, importance

__all__ = ["MetricLearner"]

Pairs = NDArray[np.int64]


class MetricLearner(Transformer):
    """Learns a distance in which pairs that belong together are near and pairs that do not are far apart.

    The distance is √((x - y) A (x - y)ᵀ) with A positive semidefinite; transformed rows have it as their
    Euclidean distance. A minimizes the mean of its squares over the pairs that belong together, minus the
    logarithm of its mean over the pairs that do not, in the manner of Xing, Ng, Jordan and Russell (2002);
    their constraints are replaced by a small penalty, which also decides where pairs say nothing.

    Parameters
    ----------
    must_link : array-like of int of shape (m, 2), optional
        Pairs of row numbers of the fit that belong together.
    cannot_link : array-like of int of shape (m, 2), optional
        Pairs of row numbers that do not. Without any pairs, columns are scaled to standard deviation 1.
    form : {"diagonal", "full"}, default "diagonal"
        Whether A weighs columns only, or also turns directions.
    alpha : float, default 0.01
        Factor of the penalty, the squared distance of A to the identity for columns scaled to standard
        deviation 1.
    max_iter : int, default 500
        The most steps.
    tol : float, default 1e-8
        Steps end when the objective falls by less than this.
    verbose : int, default 0
        Whether to print each step.

    Attributes
    ----------
    transform_ : ndarray of shape (n_encoded, n_encoded)
        Rows are multiplied by this; A is its product with its transpose.
    matrix_ : ndarray of shape (n_encoded, n_encoded)
        The matrix A.
    distance_ : TransformedEuclidean
        The distance, for every ``metric`` that takes one; for tables of numbers.
    objective_ : float
        What was minimized.
    n_iter_ : int
        Number of steps.
    history_ : dict
        The objective after each step.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    KMeans : Clusters around means.
    PCA : Directions of largest variance.

    Examples
    --------
    >>> from hornbook import KMedoids, MetricLearner
    >>> rows = [[0.0, 9.0], [1.0, 0.0], [7.0, 8.0], [8.0, 1.0]]
    >>> learner = MetricLearner(must_link=[[0, 1], [2, 3]], cannot_link=[[0, 2], [1, 3]]).fit(rows)
    >>> KMedoids(2, metric=learner.distance_, random_state=0).fit_predict(rows).tolist()
    [0, 0, 1, 1]
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    model_class = "a linear transform of the columns"
    objective = "mean squared distance of pairs that belong together - log mean distance of pairs that do not"
    optimizer = "projected gradient descent"

    transform_: Annotated[Floats, Shape("n_encoded", "n_encoded"), Finite()]
    objective_: float
    n_iter_: int

    def __init__(
        self,
        *,
        must_link: ArrayLike | None = None,
        cannot_link: ArrayLike | None = None,
        form: Literal["diagonal", "full"] = "diagonal",
        alpha: Annotated[float, Range(low=0.0, open_low=True)] = 0.01,
        max_iter: MaxIter = 500,
        tol: Tol = 1e-8,
        verbose: Verbose = 0,
    ) -> None:
        self.must_link = must_link
        self.cannot_link = cannot_link
        self.form = form
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose

    def _fit(self, data: Floats, y: Any, w: Floats | None) -> None:
        del y
        mean = np.average(data, axis=0, weights=w)
        spread = np.sqrt(np.average(np.square(data - mean), axis=0, weights=w))
        scale = np.where(spread > 0, spread, 1.0)
        near, far = (
            self._gaps(data / scale, name, getattr(self, name)) for name in ("must_link", "cannot_link")
        )
        self._refuse_contradictions()
        if not far.any():  # rows at the same place cannot be moved apart
            far = far[:0]
        A, self.objective_, self.n_iter_ = self._descend(near, far, data.shape[1])
        values, vectors = np.linalg.eigh(A)
        # The symmetric root: distances are Euclidean after x -> x A^(1/2).
        root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        self.transform_ = root / scale[:, None]

    def _gaps(self, rows: Floats, name: str, pairs: Any) -> Floats:
        """Differences of the rows of each pair."""
        if pairs is None:
            return np.empty((0, rows.shape[1]))
        places = np.asarray(pairs)
        whole = places.ndim == 2 and places.shape[1:] == (2,) and places.dtype.kind in "iu"
        outside = places[(places < 0) | (places >= len(rows))] if whole else places[:0]
        if not whole or len(outside):
            got = f"row {outside[0]}" if len(outside) else f"shape {places.shape} of {places.dtype}"
            raise ValueError(
                f"MetricLearner: parameter '{name}' must be pairs of row numbers from 0 to {len(rows) - 1}, "
                f"an integer array of shape (m, 2); got {got}."
            )
        return np.asarray(rows[places[:, 0]] - rows[places[:, 1]])

    def _refuse_contradictions(self) -> None:
        """Refuse pairs that are said to belong together and not to."""
        near, far = (
            {(min(pair), max(pair)) for pair in np.asarray(pairs).tolist()} if pairs is not None else set()
            for pairs in (self.must_link, self.cannot_link)
        )
        if near & far:
            one, other = min(near & far)
            raise ValueError(
                f"MetricLearner: the pair of rows {one} and {other} is in 'must_link' and in 'cannot_link': "
                "leave it out of one of them."
            )

    def _descend(self, near: Floats, far: Floats, d: int) -> tuple[Floats, float, int]:
        """Projected gradient steps, each halved until the objective falls."""
        A = np.eye(d)
        value, gradient = self._objective(A, near, far)
        step, n_iter = 1.0, 0
        for i in self.iterate(self.max_iter, name="step"):
            before, n_iter = value, i + 1
            while step > 1e-12:
                moved = self._projected(A - step * gradient)
                value, new_gradient = self._objective(moved, near, far)
                # Armijo's rule for projected steps: a decrease in proportion to the distance moved.
                if value <= before - 1e-4 / step * float(np.square(moved - A).sum()):
                    A, gradient = moved, new_gradient
                    break
                step /= 2
            else:
                value = before
            self.record(objective=value)
            if before - value <= self.tol:
                break
            # The next step may be longer again, or one small step would slow all later ones.
            step *= 2
        return A, value, n_iter

    def _projected(self, A: Floats) -> Floats:
        """The nearest matrix that is allowed."""
        if self.form == "diagonal":
            return np.diag(np.maximum(np.diag(A), 0.0))
        values, vectors = np.linalg.eigh((A + A.T) / 2)
        # Negative eigenvalues are set to 0: the projection onto positive semidefinite matrices in
        # Frobenius norm.
        return np.asarray((vectors * np.maximum(values, 0.0)) @ vectors.T)

    def _objective(self, A: Floats, near: Floats, far: Floats) -> tuple[float, Floats]:
        off = A - np.eye(len(A))
        value, gradient = self.alpha / 2 * float(np.square(off).sum()), self.alpha * off
        # Convex in A: the first term is linear, distances are roots of linear functions and concave, and so
        # is the logarithm of their sum. Descent cannot end in a merely local minimum.
        if len(near):
            scatter = near.T @ near / len(near)
            value += float((scatter * A).sum())
            gradient = gradient + scatter
        if len(far):
            distances = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", far, A, far), 0.0))
            total = float(distances.sum())
            if not total > 0:  # the logarithm forbids that all of them are at one place
                return np.inf, gradient
            inverse = np.divide(0.5, distances, out=np.zeros_like(distances), where=distances > 0)
            value -= float(np.log(total / len(far)))
            gradient = gradient - (far.T * inverse) @ far / total
        return value, gradient

    @property
    def matrix_(self) -> Floats:
        """The matrix A of the distance."""
        check_is_fitted(self)
        return np.asarray(self.transform_ @ self.transform_.T)

    @property
    def distance_(self) -> TransformedEuclidean:
        """The learned distance, for every ``metric`` that takes one."""
        check_is_fitted(self)
        if any(kind != "numeric" for kind in self.schema_.kinds) or len(self.schema_) != len(self.transform_):
            raise ValueError(
                "MetricLearner: a distance needs columns of complete numbers; here there are categories or "
                "missing values: put the learner before the other one in a pipeline, which uses transform."
            )
        return TransformedEuclidean(self.transform_)

    def _transform(self, X: Floats) -> Floats:
        # A sum in the order of the columns: a product of matrices may round a row differently in other
        # company.
        return np.asarray(np.einsum("ij,jk->ik", X, self.transform_))

    def _n_new_columns(self) -> int:
        return len(self.transform_)

    def _describe(self) -> Description:
        pairs = {
            name: 0 if pairs is None else len(np.asarray(pairs)) for name, pairs in self._given().items()
        }
        facts = {**pairs, "form": self.form, "objective": self.objective_, "steps": self.n_iter_}
        weights: list[list[Cell]] = [
            [str(name), float(a)] for name, a in zip(self.encoded_names_, np.diag(self.matrix_), strict=True)
        ]
        title = f"MetricLearner: a distance over {len(weights)} columns"
        return Description(title, facts, [Table("Weights (diagonal of A)", ["column", "weight"], weights)])

    def _given(self) -> dict[str, Any]:
        return {"pairs together": self.must_link, "pairs apart": self.cannot_link}

    def _working(self, X: Floats) -> Working:
        """The transformed row, whose Euclidean distance to others is the learned one."""
        terms = [
            Term(f"{name} = {cell:.6g}", (cell * weights).tolist())
            for name, cell, weights in zip(self.encoded_names_, X[0], self.transform_, strict=True)
        ]
        title = "MetricLearner: the place of a row, in which distances are Euclidean"
        return Working(
            title, "sum", self.get_feature_names_out().tolist(), terms, self._transform(X)[0].tolist()
        )

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        """Draw the weights of the columns; with rows, where the distance puts them, and columns as arrows."""
        names = self.encoded_names_.tolist()
        if X is None:
            return importance(np.diag(self.matrix_), names, ax=ax)
        places = self._transform(self._prepared(X))
        middle, directions = main_directions(places)
        titles = ["direction of largest variance", "direction of second largest variance"]
        points, arrows = (places - middle) @ directions.T, self.transform_ @ directions.T
        return biplot(points, arrows, names, classes=y, titles=titles, ax=ax)
