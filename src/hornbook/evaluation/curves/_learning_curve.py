"""The learning curve: the score as a function of the number of training rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_classifier

from hornbook.evaluation.curves._curve_table import curve_table
from hornbook.evaluation.curves._fold_average import band_of, score_columns
from hornbook.evaluation.folds._dataset import fit_and_score
from hornbook.evaluation.folds._experiment import experiment
from hornbook.evaluation.splits._kfold import Splitter
from hornbook.params import Floats, Seed
from hornbook.random import Stream, seed_of

__all__ = ["LearningCurve", "learning_curve"]

_STREAM = int.from_bytes(b"learning", "big")  # random stream of this module
_SIZES = (0.1, 0.325, 0.55, 0.775, 1.0)


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """Scores of a learner for several training set sizes, on training rows and on test rows.

    Parameters
    ----------
    sizes : ndarray of shape (n_sizes,)
        Numbers of training rows.
    train, test : ndarray of shape (n_sizes, n_folds)
        Scores on the training rows and on the test rows of each fold.
    measure : str
        The measure.
    greater_is_better : bool
        Whether larger scores are better.
    """

    sizes: NDArray[np.int64]
    train: Floats
    test: Floats
    measure: str
    greater_is_better: bool

    def band(self, level: float | None = None) -> tuple[Floats, Floats]:
        """Return the lower and upper end of a band around the mean test scores.

        Parameters
        ----------
        level : float, optional
            Confidence level of a t interval of the mean; left out, the band is one standard deviation of the
            folds on either side.
        """
        return band_of(self.test.T, level)

    def __str__(self) -> str:
        columns = {"rows": self.sizes.astype(np.float64), **score_columns(self.train, self.test)}
        title = f"learning curve, {self.measure} over {self.test.shape[1]} folds"
        return str(curve_table(title, list(columns), list(columns.values())))

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain data."""
        return {
            "measure": self.measure,
            "greater_is_better": self.greater_is_better,
            "sizes": self.sizes.tolist(),
            "train": self.train.tolist(),
            "test": self.test.tolist(),
        }


def learning_curve(
    learner: Any,
    X: Any,
    y: Any = None,
    *,
    sizes: Sequence[float] = _SIZES,
    cv: Splitter | int = 5,
    measure: str | Callable[..., Any] | None = None,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    random_state: Seed = None,
) -> LearningCurve:
    """Fit a learner on increasing numbers of training rows of each fold and score it.

    Each subset includes the smaller ones, and for classifiers keeps the class proportions approximately.

    Parameters
    ----------
    learner : estimator
        A classifier or regressor, cloned for each fit.
    X : table of shape (n_rows, n_columns)
        The rows.
    y : array-like of shape (n_rows,), optional
        The target; that of a Frame when left out.
    sizes : sequence of float or int, default (0.1, 0.325, 0.55, 0.775, 1.0)
        Training set sizes: integers above 1 are numbers of rows, others are fractions of the smallest
        training set of a fold.
    cv : splitter or int, default 5
        The folds; a number stands for that many folds of shuffled rows, stratified for a classifier.
    measure : str or measure, optional
        The measure; left out, it is the log loss (error rate without probabilities) or the root mean squared
        error.
    groups : array-like of shape (n_rows,), optional
        The group of each row, for splitters that keep groups together.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.
    random_state : int, RandomState or None, default None
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    LearningCurve
        Scores on training and test rows, fold by fold.

    Examples
    --------
    >>> from hornbook import NaiveBayes, datasets
    >>> flowers = datasets.iris()
    >>> print(learning_curve(NaiveBayes(), flowers, sizes=[30, 120], measure="error_rate", random_state=0))
    learning curve, error_rate over 5 folds
      rows  train     test       low    high
        30   0.04     0.06    -0.023   0.143
       120   0.04  0.05333  -0.02341  0.1301
    """
    plan = experiment(
        "learning_curve", learner, X, y, cv=cv, measure=measure, groups=groups, sample_weight=sample_weight
    )
    # Of the smallest fold, so that every size exists in every fold.
    counts = _counts(sizes, min(len(train) for train, _ in plan.folds))
    seed, classes = seed_of(random_state), is_classifier(learner)
    scores = np.empty((2, len(counts), len(plan.folds)))
    for k, (train, test) in enumerate(plan.folds):
        order = train[_order(plan.data.y[train], Stream(seed, _STREAM, k), classes=classes)]
        unseen = plan.data[test]
        for i, count in enumerate(counts):
            # Prefixes of one order: larger training sets contain the smaller ones, which smooths the
            # curve.
            scores[:, i, k] = fit_and_score(learner, plan.data[order[:count]], unseen, plan.measure)
    return LearningCurve(counts, scores[0], scores[1], plan.measure.name, plan.measure.greater_is_better)


def _counts(sizes: Sequence[float], most: int) -> NDArray[np.int64]:
    """Turn shares and counts into ascending counts of rows."""
    numbers = np.asarray(sizes, dtype=np.float64)
    counts = np.where(numbers <= 1, np.round(numbers * most), numbers)
    if numbers.ndim != 1 or not len(numbers) or not ((numbers > 0) & (counts >= 1) & (counts <= most)).all():
        raise ValueError(
            f"learning_curve: 'sizes' must be numbers of rows up to {most}, the smallest training set of a "
            f"fold, or fractions of it in (0, 1]; got {list(sizes)}."
        )
    return np.unique(counts.astype(np.int64))


def _order(y: NDArray[Any], draws: Stream, *, classes: bool) -> NDArray[np.int64]:
    """Return a random order of the rows in which every prefix has about the same class proportions."""
    order = draws.permutation(len(y))
    if not classes:
        return order
    _, codes, sizes = np.unique(y[order], return_inverse=True, return_counts=True)
    by_class = np.argsort(codes, kind="stable")
    # the n-th row of a class with m rows gets the position (n + 0.5) / m: classes are spread evenly
    nth = np.empty(len(y))
    nth[by_class] = np.arange(len(y)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return order[np.argsort((nth + 0.5) / sizes[codes], kind="stable")]
