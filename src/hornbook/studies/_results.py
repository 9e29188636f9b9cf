"""The parts of a finished study: predictions, facts about learners, importance of columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "ColumnImportance",
    "Importance",
    "LearnerInfo",
    "OutOfFoldPredictions",
    "PredictionKind",
    "Predictions",
    "named",
]

PredictionKind = Literal["probabilities", "labels", "numbers"]


@dataclass(frozen=True, eq=False)
class OutOfFoldPredictions:
    """The out-of-fold predictions of every learner: for rows that were not in its training set.

    Parameters
    ----------
    rows : ndarray of shape (n_rows,)
        Position of each row in the original table.
    truth : ndarray of shape (n_rows,)
        The target.
    folds : ndarray of shape (n_repeats, n_rows)
        The fold in which each row is tested.
    kinds : mapping of str to {"probabilities", "labels", "numbers"}
        The kind of predictions of each learner.
    answers : mapping of str to sequence of ndarray
        For each learner one array per repeat. Probabilities have a column for each class in the order of
        ``classes``. Where a fold is missing, probabilities and numbers are NaN, and labels, which are
        objects, are None.
    classes : tuple
        The classes; empty for a regression.
    weights : ndarray of shape (n_rows,), optional
        Weights of the rows.
    decided : mapping of str to sequence of ndarray, default {}
        For classifiers with probabilities the predicted classes, as positions in ``classes`` (NaN where a
        fold is missing); the most probable class where left out.
    """

    rows: NDArray[np.intp]
    truth: NDArray[Any]
    folds: NDArray[np.int64]
    kinds: Mapping[str, PredictionKind]
    answers: Mapping[str, Sequence[NDArray[Any]]]
    classes: tuple[Any, ...] = ()
    weights: NDArray[np.float64] | None = None
    decided: Mapping[str, Sequence[NDArray[np.float64]]] = field(default_factory=dict)

    def labels(self, name: str, repeat: int) -> NDArray[Any]:
        """Return the predictions of one learner in one repeat: numbers, or classes (None where missing).

        Parameters
        ----------
        name : str
            The learner.
        repeat : int
            The repeat, counted from 0.
        """
        predicted = self.answers[name][repeat]
        if self.kinds[name] != "probabilities":
            return predicted
        if name in self.decided:
            return named(self.classes, self.decided[name][repeat])
        known = np.isfinite(predicted).all(axis=1)
        # argmax takes NaN for the largest value, so rows without a prediction are set to 0 first.
        most = np.where(known[:, None], predicted, 0.0).argmax(axis=1)
        return named(self.classes, np.where(known, most, np.nan))

    def known(self, name: str, repeat: int) -> NDArray[np.bool_]:
        """Return which rows one learner has predicted in one repeat.

        Parameters
        ----------
        name : str
            The learner.
        repeat : int
            The repeat, counted from 0.
        """
        predicted, kind = self.answers[name][repeat], self.kinds[name]
        if kind == "probabilities":
            return np.asarray(np.isfinite(predicted).all(axis=1))
        if kind == "numbers":
            return np.asarray(np.isfinite(predicted.astype(np.float64)))
        return np.array([label is not None for label in predicted.tolist()], dtype=bool)


Predictions = OutOfFoldPredictions  # the name that users know


def named(classes: tuple[Any, ...], codes: NDArray[np.float64]) -> NDArray[Any]:
    """Return the classes at some positions, as objects; None for NaN."""
    # One more entry at the end for "no prediction", which the index -1 reaches: a lookup without a loop.
    table = np.empty(len(classes) + 1, dtype=object)
    table[:-1], table[-1] = classes, None
    return np.asarray(table[np.where(np.isfinite(codes), codes, -1).astype(np.intp)])


@dataclass(frozen=True)
class LearnerInfo:
    """The outcome for one learner.

    Parameters
    ----------
    name : str
        Its name in this study.
    parameters : mapping of str to str
        Its parameters, as one would type them.
    scaled : bool
        Whether columns were standardized for it inside each fold.
    done, failed : int
        Folds that it finished, and folds in which it failed.
    error : str
        The message of its first failure.
    fit_seconds, predict_seconds : float, optional
        Mean time to fit, and to predict the test rows, over the finished folds.
    stored : float, optional
        Mean number of values that the fitted model stores.
    warning : str
        The first warning of the learner.
    chosen : sequence of mapping, default ()
        For each finished fold its ``repeat``, its ``fold`` and the ``setting`` that was chosen on its
        training rows; empty where nothing is tuned.
    """

    name: str
    parameters: Mapping[str, str]
    scaled: bool
    done: int
    failed: int
    error: str = ""
    fit_seconds: float | None = None
    predict_seconds: float | None = None
    stored: float | None = None
    warning: str = ""
    chosen: Sequence[Mapping[str, Any]] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class ColumnImportance:
    """How much worse predictions get when one column is shuffled.

    Parameters
    ----------
    column : str
        The column.
    mean : float
        Mean drop of the score on held-out rows; positive if the column helps.
    sd : float
        Standard deviation over folds and shuffles.
    p : float, optional
        Of a one-sided t-test that shuffling does not make the losses of held-out rows larger, adjusted for
        all columns (Holm).
    """

    column: str
    mean: float
    sd: float
    p: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return asdict(self)


Importance = ColumnImportance  # the name that users know
