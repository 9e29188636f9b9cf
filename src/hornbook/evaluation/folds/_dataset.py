"""Fit these rows, predict those, score: the one engine of comparisons, curves, tuning and studies."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import has_fit_parameter

from hornbook.evaluation.folds._predictions import can_answer
from hornbook.evaluation.folds._scorer import measure_learner
from hornbook.evaluation.metrics._defaults import default_measure
from hornbook.evaluation.metrics._measure import Measure, as_measure
from hornbook.evaluation.splits._kfold import Rows, Split
from hornbook.evaluation.splits._rows import count_rows, same_rows, take_rows
from hornbook.frame import Frame, TimeSaved, as_frame

__all__ = ["Clock", "Dataset", "Fitted", "fit_and_score", "measure_for"]


class Clock:
    """Time of one learner since the clock was made, as if it had to prepare its rows by itself.

    Parameters
    ----------
    saved : TimeSaved, optional
        What the learner was saved because others had prepared the same rows.
    """

    def __init__(self, saved: TimeSaved | None = None) -> None:
        self._saved = saved or TimeSaved()
        self._start = self._now()

    def _now(self) -> float:
        # Time saved by sharing an encoding is added back, so that the first learner of a fold does
        # not look slower than those that find the matrix ready.
        return time.perf_counter() + self._saved.seconds

    @property
    def seconds(self) -> float:
        """Seconds since then."""
        return self._now() - self._start


@dataclass(frozen=True)
class Fitted:
    """A fitted learner, and how long its ``fit`` took."""

    model: Any
    seconds: float


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table with what belongs to its rows; some of them are for learning, some for measuring.

    Parameters
    ----------
    X : table
        The features.
    y : ndarray of shape (n_rows,)
        The target as learners get it: classes, or numbers.
    groups : ndarray of shape (n_rows,) or None
        Group of each row.
    weights : ndarray of shape (n_rows,) or None
        Weight of each row.
    """

    X: Any
    y: NDArray[Any]
    groups: NDArray[Any] | None = None
    weights: NDArray[np.float64] | None = None

    @classmethod
    def of(cls, who: str, X: Any, y: Any = None, groups: Any = None, sample_weight: Any = None) -> Dataset:
        """Put together what was given; a Frame brings what its roles say.

        Parameters
        ----------
        who : str
            Function to name in errors.
        X, y, groups
            As the user gave them.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.
        """
        if isinstance(X, Frame):
            y, groups = X.y if y is None else y, X.groups if groups is None else groups
            sample_weight, X = X.w if sample_weight is None else sample_weight, X.features
        if y is None:
            raise ValueError(f"{who}: the target is needed: give y, or a Frame with a target.")
        columns = same_rows(count_rows(X), y=y, groups=groups, sample_weight=sample_weight)
        weights = columns["sample_weight"]
        numbers = None if weights is None else weights.astype(np.float64)
        return cls(X, np.asarray(columns["y"]), columns["groups"], numbers)

    def for_learner(self, learner: Any) -> Dataset:
        """The same rows, as a Frame for our own learners, so that categories are known in every fold."""
        return self._framed if hasattr(learner, "accepts") else self

    @cached_property
    def _framed(self) -> Dataset:
        return self if isinstance(self.X, Frame) else replace(self, X=as_frame(self.X))

    def __len__(self) -> int:
        return len(self.y)

    @property
    def n_cells(self) -> int:
        """Rows times columns."""
        return len(self) * (len(self.X.schema) if isinstance(self.X, Frame) else np.shape(self.X)[1])

    def __getitem__(self, rows: Rows) -> Dataset:
        return Dataset(*(take_rows(part, rows) for part in (self.X, self.y, self.groups, self.weights)))

    def prepared(self, saved: TimeSaved | None = None) -> Dataset:
        """The same rows, encoded once for all learners that want the same matrix.

        The first learner that wants a matrix makes it; learners that take the table as it is get it as it is.

        Parameters
        ----------
        saved : TimeSaved, optional
            Where the time of work that is not repeated is counted.
        """
        return replace(self, X=self.X.prepared(saved)) if isinstance(self.X, Frame) else self

    def folds(self, splits: Iterable[Split]) -> Iterator[tuple[Dataset, Dataset]]:
        """Give the training and the test rows of one fold after the other, prepared.

        What learners make of the rows of a fold goes with the fold, so that memory does not grow.

        Parameters
        ----------
        splits : iterable of pairs
            Positions of the training and of the test rows of each fold.
        """
        for train, test in splits:
            yield self[train].prepared(), self[test].prepared()

    def folds_for(
        self, learners: Mapping[str, Any], splits: Sequence[Split]
    ) -> Iterator[dict[str, tuple[Dataset, Dataset]]]:
        """Give the folds as `folds` does, by the name of each learner: foreign ones get the table as it came.

        Parameters
        ----------
        learners : mapping of name to estimator
            All that learn from the same folds.
        splits : sequence of pairs
            Positions of the training and of the test rows of each fold.
        """
        tables = {name: self.for_learner(learner) for name, learner in learners.items()}
        # By identity: learners of ours share one Frame, foreign ones the original table.
        distinct = {id(table): table for table in tables.values()}
        for folds in zip(*(table.folds(splits) for table in distinct.values()), strict=True):
            rows = dict(zip(distinct, folds, strict=True))
            yield {name: rows[id(table)] for name, table in tables.items()}

    def fit(self, learner: Any) -> Fitted:
        """Fit a clone of the learner to all rows with their weights."""
        options = {}
        if self.weights is not None:
            if not has_fit_parameter(learner, "sample_weight"):
                name = type(learner).__name__
                raise TypeError(f"{name} takes no weights: leave sample_weight out, or take another learner.")
            options["sample_weight"] = self.weights
        model = clone(learner)
        forms = getattr(self.X, "forms", None)
        clock = Clock(None if forms is None else forms.saved)
        model.fit(self.X, self.y, **options)
        return Fitted(model, clock.seconds)

    def score(self, measure: Measure, model: Any) -> float:
        """Measure a fitted learner on all rows with their weights."""
        return measure_learner(measure, model, self.X, self.y, sample_weight=self.weights)


def measure_for(learners: Iterable[Any], measure: str | Callable[..., Any] | None = None) -> Measure:
    """Return the measure that was asked for, or the one that learners of one task are compared by.

    Parameters
    ----------
    learners : iterable of estimator
        All classifiers, or all regressors.
    measure : str or measure, optional
        What was asked for.

    Examples
    --------
    >>> from hornbook import KNeighborsRegressor
    >>> measure_for([KNeighborsRegressor()]).name
    'rmse'
    """
    if measure is not None:
        return as_measure(measure)
    compared = list(learners)
    return default_measure(
        classes=is_classifier(compared[0]),
        probabilities=all(can_answer(learner, "probabilities") for learner in compared),
    )


def fit_and_score(learner: Any, train: Dataset, test: Dataset, measure: Measure) -> tuple[float, float]:
    """Fit a copy of a learner to some rows; return its score there and on others.

    Parameters
    ----------
    learner : estimator
        Cloned, never changed.
    train, test : Dataset
        The rows to learn from, and the others.
    measure : Measure
        What is measured.

    Examples
    --------
    >>> from hornbook import NaiveBayes
    >>> rows = Dataset(np.array([[1.0], [2.0], [7.0], [8.0]]), np.array(["low", "low", "high", "high"]))
    >>> fit_and_score(NaiveBayes(), rows, rows[np.array([0, 1])], as_measure("accuracy"))
    (1.0, 1.0)
    """
    model = train.fit(learner).model
    return train.score(measure, model), test.score(measure, model)
