"""Random undersampling of large classes, and oversampling of small ones."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Classifier, Description
from hornbook.frame import Frame
from hornbook.imbalance._balance import sampled_weights
from hornbook.imbalance._one_member import PredictsAsMember
from hornbook.params import Floats, Range, Seed, Shape, Tune
from hornbook.random import seed_of

__all__ = ["OverSampler", "UnderSampler"]

Ratio = Annotated[float, Range(low=0.0, high=1.0, open_low=True), Tune(0.1, 1.0)]


class _Sampler(PredictsAsMember):
    """A member that learns from rows sampled by class; ``_goals(mass)`` says how many of each."""

    counts_absent: ClassVar[bool] = False  # the sample must not depend on rows of weight 0

    ratio: float
    random_state: Any
    _goals: Any

    before_: Annotated[Floats, Shape("n_classes")]
    after_: Annotated[Floats, Shape("n_classes")]

    def _fit(self, frame: Frame, y: NDArray[np.int32], w: Floats | None) -> None:
        seed = seed_of(self.random_state)
        self.before_ = np.bincount(y, weights=w, minlength=len(self.classes_)).astype(np.float64)
        weights = sampled_weights(frame, y, w, self._goals(self.before_), seed)
        self.after_ = np.bincount(y, weights=weights, minlength=len(self.classes_)).astype(np.float64)
        # The same seed for a member that draws: the whole fit depends on one random_state.
        self._fit_member(frame, y, weights, seed)

    def _describe(self) -> Description:
        return self._class_description(
            {"ratio": self.ratio}, ["rows", "rows learned from"], self.before_, self.after_
        )

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        return self._bars(self.after_, "Rows learned from, by class", X, y, ax)


class UnderSampler(_Sampler, Classifier):
    """Drop random rows of large classes until they are no larger than the smallest, then learn.

    Learning is faster, but the information in the dropped rows is lost. Which rows are dropped depends on the
    seed and on their content, not on their order; a row of weight 3 counts as three rows. Sampling takes
    n log n time in the rows; the rest grows with rows, columns and categories as the member does.

    Parameters
    ----------
    estimator : classifier of Hornbook or scikit-learn, optional
        The learner inside; `LogisticRegression` when left out.
    ratio : float, default 1.0
        Size of the smallest class over any other after dropping; 1 makes all equal, less drops fewer rows.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    before_, after_ : ndarray of shape (n_classes,)
        Rows of each class before and after sampling.
    estimator_ : learner
        The member, fitted.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    OverSampler : Rows of rare classes repeated.
    CostSensitive : Costs of mistakes in the fit or in the decision.

    Examples
    --------
    >>> from hornbook import NaiveBayes, UnderSampler, datasets
    >>> model = UnderSampler(NaiveBayes(), random_state=0).fit(datasets.spam())
    >>> model.before_.tolist(), model.after_.tolist()
    ([2788.0, 1813.0], [1813.0, 1813.0])
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "that of the member"
    objective = "that of the member, on as many rows of each class"
    optimizer = "that of the member"

    def __init__(self, estimator: Any = None, *, ratio: Ratio = 1.0, random_state: Seed = None) -> None:
        self.estimator = estimator
        self.ratio = ratio
        self.random_state = random_state

    def _goals(self, mass: Floats) -> Floats:
        # A class without weight would be the smallest, and nothing would be left of the others.
        return np.asarray(np.minimum(mass, mass[mass > 0].min() / self.ratio))


class OverSampler(_Sampler, Classifier):
    """Repeat rows of small classes until they are no smaller than the largest, then learn.

    Every row is repeated as often as it fits, and a random subset once more. No row is lost, but learning
    takes longer. Copies of a row must not be on both sides of a split: sample inside each fold, as this
    learner does. Time grows with the repeated rows, and with columns and categories as that of the member.

    Parameters
    ----------
    estimator : classifier of Hornbook or scikit-learn, optional
        The learner inside; `LogisticRegression` when left out.
    ratio : float, default 1.0
        Size of any class over the largest after repeating; 1 makes all equal, less repeats fewer rows.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    before_, after_ : ndarray of shape (n_classes,)
        Rows of each class before and after sampling.
    estimator_ : learner
        The member, fitted.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.

    See Also
    --------
    UnderSampler : Rows of frequent classes left out.
    CostSensitive : Costs of mistakes in the fit or in the decision.

    Examples
    --------
    >>> from hornbook import NaiveBayes, OverSampler, datasets
    >>> model = OverSampler(NaiveBayes(), ratio=0.9, random_state=0).fit(datasets.spam())
    >>> model.before_.tolist(), model.after_.round(1).tolist()
    ([2788.0, 1813.0], [2788.0, 2509.2])
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    model_class = "that of the member"
    objective = "that of the member, on as many rows of each class"
    optimizer = "that of the member"

    def __init__(self, estimator: Any = None, *, ratio: Ratio = 1.0, random_state: Seed = None) -> None:
        self.estimator = estimator
        self.ratio = ratio
        self.random_state = random_state

    def _goals(self, mass: Floats) -> Floats:
        return np.asarray(np.where(mass > 0, np.maximum(mass, mass.max() * self.ratio), 0.0))
