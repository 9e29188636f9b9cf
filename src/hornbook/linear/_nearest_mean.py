"""The nearest class mean by a distance of choice."""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Classifier, Description, Term, Working
from hornbook.distances import TransformedEuclidean, pairwise
from hornbook.frame import Blocks
from hornbook.linear._basic_linear import class_moments
from hornbook.linear.explain._description import class_table
from hornbook.linear.explain._plot import draw_regions
from hornbook.linear.solvers._fisher import whitening
from hornbook.linear.solvers._scatter import scatter_of_classes
from hornbook.params import Floats, Jobs, Range, Shape

__all__ = ["NearestMeanClassifier"]

POWERS = {"euclidean": 2.0, "manhattan": 1.0, "chebyshev": math.inf, "mahalanobis": 2.0}


class NearestMeanClassifier(Classifier):
    """Nearest mean: a row belongs to the class whose mean is nearest.

    The means are the exemplars of their classes. With the Euclidean distance this is the basic linear
    classifier; scikit-learn's NearestCentroid is the same there, and takes medians instead of means with the
    city-block distance.

    Time grows with rows x columns (columns² for ``"mahalanobis"``), memory with classes x columns; a category
    counts as many columns as it has levels.

    Parameters
    ----------
    metric : str or TransformedEuclidean, default "euclidean"
        The distance: ``"euclidean"``, ``"manhattan"``, ``"chebyshev"``, ``"minkowski"``,
        ``"mahalanobis"``, or a learned one, ``distance_`` of `MetricLearner`. ``"mahalanobis"`` uses the
        scatter within classes over the number of rows as covariance, so that predictions are those of
        `LinearDiscriminant` with its cut halfway between the means.
    p : float, default 2.0
        The power of ``"minkowski"``.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    centroids_ : ndarray of shape (n_classes, n_encoded)
        Means of the classes.
    whitening_ : ndarray of shape (n_encoded, n_directions)
        For ``"mahalanobis"`` and learned distances: the matrix that makes the Euclidean distance that
        distance; else empty.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    BasicLinearClassifier : The plane halfway between two class means.
    LVQClassifier : Prototypes that rows attract and repel.

    Examples
    --------
    >>> from hornbook import NearestMeanClassifier
    >>> X, y = [[0.0], [1.0], [4.0], [6.0]], ["low", "low", "high", "high"]
    >>> NearestMeanClassifier().fit(X, y).predict([[2.7], [2.8]]).tolist()
    ['low', 'high']
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "one exemplar for each class"
    objective = "distance to the mean of the own class"
    optimizer = "closed form: class means"

    centroids_: Annotated[Floats, Shape("n_classes", "n_encoded")]
    whitening_: Annotated[Floats, Shape("n_encoded", "n_directions")]

    def __init__(
        self,
        *,
        metric: Literal["euclidean", "manhattan", "chebyshev", "minkowski", "mahalanobis"]
        | TransformedEuclidean = "euclidean",
        p: Annotated[float, Range(low=1.0, high=math.inf)] = 2.0,
        n_jobs: Jobs = None,
    ) -> None:
        self.metric = metric
        self.p = p
        self.n_jobs = n_jobs

    def _fit_blocks(self, blocks: Blocks) -> None:
        self.whitening_ = np.empty((len(self.encoded_names_), 0))
        if self.metric != "mahalanobis":
            self.centroids_ = class_moments(blocks, self.classes_, type(self).__name__).mean
            if isinstance(self.metric, TransformedEuclidean):
                self.whitening_ = self._learned(self.metric)
            return
        scatter = scatter_of_classes(blocks, self.classes_, type(self).__name__)
        self.centroids_ = scatter.mean
        # Scatter is a sum over rows; divided by their weight it is the covariance.
        self.whitening_ = whitening(scatter) * math.sqrt(float(scatter.mass.sum()))

    def _learned(self, distance: TransformedEuclidean) -> Floats:
        """The transform of a learned distance."""
        matrix = np.asarray(distance.transform)
        if len(matrix) != len(self.encoded_names_):
            raise ValueError(
                f"{type(self).__name__}: the distance 'metric' is for {len(matrix)} columns of numbers, and "
                f"there are {len(self.encoded_names_)}: pass the columns it was learned from."
            )
        return matrix

    @property
    def _turns(self) -> bool:
        """Whether rows are transformed before they are compared."""
        return self.metric == "mahalanobis" or isinstance(self.metric, TransformedEuclidean)

    def _distances(self, X: Floats) -> Floats:
        rows, means = X, self.centroids_
        if self._turns:
            near = means[0]  # subtracted first: products of large numbers would lose the digits of distances
            rows, means = (rows - near) @ self.whitening_, (means - near) @ self.whitening_
        # Few means and many rows: in this order each mean is compared with a long run of rows.
        return pairwise(means, rows, metric="minkowski", p=self._power(), n_jobs=self.n_jobs).T

    def _power(self) -> float:
        return POWERS.get(self.metric, self.p) if isinstance(self.metric, str) else 2.0

    def _decision(self, X: Floats) -> Floats:
        distances = self._distances(X)
        # Larger means more of the class: minus the distance, or with two classes the difference.
        return distances[:, 0] - distances[:, 1] if len(self.classes_) == 2 else -distances

    def _predict(self, X: Floats) -> NDArray[np.intp]:
        return np.asarray(self._distances(X).argmin(axis=1))

    def _describe(self) -> Description:
        n = len(self.encoded_names_)
        title = f"Nearest mean classifier with {len(self.classes_)} classes and {n} columns"
        metric = f"minkowski, p = {self.p:g}" if self.metric == "minkowski" else str(self.metric)
        table = class_table("Means", self.centroids_, self.encoded_names_, self.classes_)
        return Description(title, {"metric": metric}, [table])

    def _working(self, X: Floats) -> Working:
        power, classes = self._power(), self.classes_.tolist()
        name = f"{self.metric} distance" if isinstance(self.metric, str) else str(self.metric)
        title = f"Nearest mean: minus the {name} to the mean of each class"
        if self._turns or math.isinf(power):
            terms = [Term("minus distance", (-self._distances(X)[0]).tolist())]
        else:
            title += " to the power of p" if power != 1 else ""
            parts = -(np.abs(X[0] - self.centroids_) ** power)
            terms = [
                Term(f"{name} = {X[0, j]:.6g}", parts[:, j].tolist())
                for j, name in enumerate(self.encoded_names_)
            ]
        return Working(title, "sum", classes, terms, self._answer(X)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_regions(self, self.centroids_, X, y, ax)
