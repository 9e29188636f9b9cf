"""The basic linear classifier: the boundary halfway between the class means."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np

from hornbook.base import Accepts, Classifier, Description, Floats, Working
from hornbook.frame import Block, Blocks, Moments
from hornbook.linear._class_weight import require_classes
from hornbook.linear._picture import draw_means
from hornbook.linear._scatter import refuse_large
from hornbook.linear._separating import Separating
from hornbook.linear._words import class_table, score_table, terms_of
from hornbook.params import Jobs, Shape

__all__ = ["BasicLinearClassifier", "class_means", "moments_of_classes"]


class BasicLinearClassifier(Separating, Classifier):
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
        With two classes the mean of the second less that of the first, else the means.
    threshold_ : float or ndarray of shape (n_classes,)
        With two classes what w·x is compared with, half the difference of the squared lengths of the means;
        else half the squared lengths.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Minus the threshold.
    encoded_names_ : ndarray of shape (n_encoded,)
        Names of the encoded columns.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

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
    optimiser = "closed form: class means"

    means_: Annotated[Floats, Shape("n_classes", "n_encoded")]
    threshold_: float | Annotated[Floats, Shape("n_scores")]

    def __init__(self, *, n_jobs: Jobs = None) -> None:
        self.n_jobs = n_jobs

    def _fit_blocks(self, blocks: Blocks) -> None:
        self.means_ = class_means(blocks, self.classes_, type(self).__name__)
        with np.errstate(over="ignore", invalid="ignore"):
            half = 0.5 * (self.means_**2).sum(axis=1)
        if not np.isfinite(half).all():
            refuse_large(type(self).__name__)
        if len(self.classes_) == 2:
            self.coef_ = self.means_[1:] - self.means_[:1]
            # (|m2|² - |m1|²) / 2 as a product keeps its digits when the means are far from 0
            self.threshold_: Any = float(0.5 * (self.coef_[0] @ (self.means_[0] + self.means_[1])))
        else:
            self.coef_, self.threshold_ = self.means_.copy(), half
        self.intercept_ = -np.atleast_1d(self.threshold_)

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


def class_means(blocks: Blocks, classes: Any, learner: str) -> Floats:
    """Mean of each class."""
    moments = blocks.reduce(moments_of_classes, len(classes), merge=Moments.merge)
    require_classes(moments.mass[:, 0], classes, learner)
    return moments.mean


def moments_of_classes(block: Block, n_classes: int) -> Moments:
    """Moments of the columns within each class."""
    return Moments.of(block.X, np.asarray(block.y), block.w, n_classes)
