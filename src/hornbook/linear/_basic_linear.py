"""The basic linear classifier: the boundary halfway between the class means."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from hornbook.base import Accepts, Classifier, Description, Working
from hornbook.frame import Blocks, Moments
from hornbook.linear._linear_scores import LinearClassifierMixin
from hornbook.linear.explain._description import class_table, score_table, terms_of
from hornbook.linear.explain._far_columns import warn_far
from hornbook.linear.explain._plot import draw_means
from hornbook.linear.solvers._require_classes import require_classes
from hornbook.linear.solvers._scatter import moments_of_classes, refuse_large
from hornbook.params import Floats, Jobs, Shape

__all__ = ["BasicLinearClassifier", "class_moments"]


class BasicLinearClassifier(LinearClassifierMixin, Classifier):
    """Basic linear classifier: the boundary lies halfway between the class means.

    A row belongs to the class whose mean is nearest. With two classes, w is the difference of the means and a
    row is of the second class when w·x exceeds the threshold; neither the shape nor the size of the classes
    matters, unlike in `LinearDiscriminant`. With more classes there is such a boundary between any two.

    Time grows with rows x columns, memory with classes x columns; a category counts as many columns as it has
    levels.

    Parameters
    ----------
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    means_ : ndarray of shape (n_classes, n_encoded)
        Means of the classes.
    coef_ : ndarray of shape (1, n_encoded) or (n_classes, n_encoded)
        With two classes the mean of the second minus that of the first, else the means minus their own mean,
        which changes no comparison and keeps the digits of columns far from 0.
    threshold_ : float or ndarray of shape (n_classes,)
        With two classes what w·x is compared with, half the difference of the squared lengths of the means;
        else half the squared length of each minus that of their mean.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Minus the threshold.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    NearestMeanClassifier : The class whose mean is nearest.
    LinearDiscriminant : Normal densities with one covariance for all classes.

    Examples
    --------
    >>> from hornbook import BasicLinearClassifier
    >>> X = [[2, 2], [3, 1], [4, 3], [0, 0], [-1, 1], [1, -1]]
    >>> model = BasicLinearClassifier().fit(X, [1, 1, 1, 0, 0, 0])
    >>> model.coef_.tolist(), model.threshold_
    ([[3.0, 2.0]], 6.5)
    >>> model.margins([[3, 2]], [1]).round(3).tolist()
    [1.803]
    """

    wants: ClassVar[Literal["matrix"]] = "matrix"
    accepts: ClassVar[Accepts] = Accepts(sparse=True)
    scale_sensitive: ClassVar[bool] = True

    model_class = "weighted sum of the columns and a threshold"
    objective = "distance to the mean of the own class"
    optimizer = "closed form: class means"

    means_: Annotated[Floats, Shape("n_classes", "n_encoded")]
    threshold_: float | Annotated[Floats, Shape("n_scores")]

    def __init__(self, *, n_jobs: Jobs = None) -> None:
        self.n_jobs = n_jobs

    def _fit_blocks(self, blocks: Blocks) -> None:
        moments = class_moments(blocks, self.classes_, type(self).__name__)
        self.means_ = moments.mean
        # With more classes scores are relative to the middle of the means, which changes no comparison.
        first = self.means_[0] if len(self.classes_) == 2 else _middle(self.means_)
        others = self.means_[1:] if len(self.classes_) == 2 else self.means_
        with np.errstate(over="ignore", invalid="ignore"):
            self.coef_ = others - first
            # (|m2|² - |m1|²) / 2 as a product keeps its digits when the means are far from 0.
            half = 0.5 * (self.coef_ * (others + first)).sum(axis=1)
            lengths = (self.means_**2).sum(axis=1)
        if not np.isfinite(half).all() or not np.isfinite(lengths).all():
            refuse_large(type(self).__name__)
        self.threshold_: Any = float(half[0]) if len(half) == 1 else half
        self.intercept_ = -half
        whole = moments.pooled()
        warn_far(self, whole.mean[0], whole.variance()[0], float((self.coef_**2).sum(axis=1).max()))

    def _describe(self) -> Description:
        n = len(self.encoded_names_)
        title = f"Basic linear classifier with {len(self.classes_)} classes and {n} columns"
        tables = [
            class_table("Means", self.means_, self.encoded_names_, self.classes_),
            score_table(self.coef_, self.intercept_, self.encoded_names_, self.classes_),
        ]
        facts = {"threshold": self.threshold_} if len(self.classes_) == 2 else {}
        return Description(title, facts, tables)

    def _working(self, X: Floats) -> Working:
        terms = terms_of(X[0], self.coef_, self.intercept_, self.encoded_names_)
        title = "Basic linear classifier: the score is coefficient times value less the threshold"
        return Working(title, "sum", self.classes_.tolist(), terms, self._answer(X)[0])

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return draw_means(self, X, y, ax)


def _middle(means: Floats) -> Floats:
    """The mean of the means, relative to the first: a constant column keeps its value to the last bit."""
    return np.asarray(means[0] + (means - means[0]).mean(axis=0))


def class_moments(blocks: Blocks, classes: Any, learner: str) -> Moments:
    """Mean and scatter of each class."""
    moments = blocks.reduce(moments_of_classes, len(classes), merge=Moments.merge)
    require_classes(moments.mass[:, 0], classes, learner)
    return moments
