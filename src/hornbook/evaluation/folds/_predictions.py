"""What a fitted learner says about rows, in the form a measure needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation.metrics._measure import Measure, Needs

__all__ = ["Predictions", "answers_of", "can_answer", "score_of"]


@dataclass(frozen=True, eq=False)
class Predictions:
    """What one learner said about some rows, and what is true there.

    Parameters
    ----------
    labels : ndarray of shape (n_rows,)
        The predicted classes or numbers.
    truth : ndarray of shape (n_rows,)
        The true ones, in the same form.
    classes : tuple, default ()
        The classes in the order of the columns of probabilities; empty for numbers.
    probabilities : ndarray of shape (n_rows, n_classes), optional
        Of each class, where the learner gives them.
    scores : ndarray, optional
        What ranks the rows, where there are no probabilities.
    weights : ndarray of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.

    Examples
    --------
    >>> from hornbook.evaluation import error_rate
    >>> Predictions(np.array(["a", "b"]), np.array(["a", "a"]), ("a", "b")).score(error_rate)
    0.5
    """

    labels: NDArray[Any]
    truth: NDArray[Any]
    classes: tuple[Any, ...] = ()
    probabilities: NDArray[np.float64] | None = None
    scores: NDArray[np.float64] | None = None
    weights: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def needed(self, needs: Needs) -> NDArray[Any] | None:
        """Return what a measure is computed from; None if the learner does not give it."""
        if needs in ("labels", "numbers"):
            return self.labels
        if needs == "scores":
            return self.scores if self.probabilities is None else ranking(self.probabilities)
        return self.probabilities

    def score(self, measure: Measure, rows: NDArray[np.intp] | None = None) -> float:
        """Measure the predictions, of some rows or of all.

        Parameters
        ----------
        measure : Measure
            What is measured; the learner must give what it needs.
        rows : ndarray of int, optional
            Some of the rows; all when left out.
        """
        columns = (self.truth, self.needed(measure.needs), self.weights)
        truth, predicted, weights = (part if rows is None or part is None else part[rows] for part in columns)
        return score_of(measure, truth, predicted, self.classes, weights)


def score_of(
    measure: Measure,
    truth: Any,
    predicted: Any,
    classes: Sequence[Any] | None = None,
    weights: NDArray[np.float64] | None = None,
    **options: Any,
) -> float:
    """Measure predictions in the form that the measure needs.

    Parameters
    ----------
    measure : Measure
        What is measured.
    truth, predicted : array-like of shape (n_rows, ...)
        The true and the predicted values.
    classes : sequence, optional
        What the columns of probabilities and scores are about.
    weights : ndarray of shape (n_rows,), optional
        Weights of the rows.
    **options
        Further arguments of the measure.

    Examples
    --------
    >>> from hornbook.evaluation import log_loss
    >>> round(score_of(log_loss, ["a"], [[0.5, 0.5]], ["a", "b"]), 4)
    0.6931
    """
    if classes is not None and measure.needs in ("probabilities", "scores"):
        # Measures of probabilities must know the classes of the columns, also those without a row.
        options = {"labels": list(classes), **options}
    return float(measure(truth, predicted, sample_weight=weights, **options))


def ranking(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores that rank the rows: the probability of the second of two classes, or all of them."""
    return probabilities[:, 1] if probabilities.shape[1] == 2 else probabilities


def can_answer(learner: Any, needs: Needs) -> bool:
    """Whether a learner has the method that gives what a measure needs.

    Parameters
    ----------
    learner : estimator
        Fitted or not.
    needs : {"labels", "probabilities", "scores", "numbers"}
        What to ask for.

    Returns
    -------
    bool
        Whether it can be asked.

    Examples
    --------
    >>> from hornbook import KNeighborsRegressor
    >>> can_answer(KNeighborsRegressor(), "numbers"), can_answer(KNeighborsRegressor(), "probabilities")
    (True, False)
    """
    if needs == "probabilities":
        return hasattr(learner, "predict_proba")
    if needs == "scores":
        return hasattr(learner, "decision_function") or hasattr(learner, "predict_proba")
    return hasattr(learner, "predict")


def answers_of(model: Any, X: Any, needs: Needs, labels: Sequence[Any] | None) -> NDArray[Any]:
    """Return what a fitted learner says about rows.

    Parameters
    ----------
    model : estimator
        A fitted learner.
    X : table
        The rows.
    needs : {"labels", "probabilities", "scores", "numbers"}
        What to ask for.
    labels : sequence, optional
        All classes; probabilities and scores get a column for each, also for those the model never saw.

    Returns
    -------
    ndarray
        One prediction, or one row of them, for each row.

    Examples
    --------
    >>> from hornbook import Baseline
    >>> model = Baseline().fit([[0.0], [0.0]], ["a", "c"])
    >>> answers_of(model, [[0.0]], "probabilities", ["a", "b", "c"]).tolist()
    [[0.5, 0.0, 0.5]]
    """
    if needs in ("labels", "numbers"):
        return np.asarray(model.predict(X))
    if needs == "scores" and hasattr(model, "decision_function"):
        scores = np.asarray(model.decision_function(X), dtype=np.float64)
        # A class that was not in the training rows ranks below all others, and has probability 0.
        return scores if scores.ndim == 1 else _placed(scores, model.classes_, labels, -np.inf)
    known = np.asarray(model.predict_proba(X), dtype=np.float64)
    probabilities = _placed(known, model.classes_, labels, 0.0)
    return ranking(probabilities) if needs == "scores" else probabilities


def _placed(
    columns: NDArray[np.float64], classes: NDArray[Any], labels: Sequence[Any] | None, absent: float
) -> NDArray[np.float64]:
    seen = np.asarray(classes).tolist()
    if labels is None or seen == list(labels):
        return columns
    out = np.full((len(columns), len(labels)), absent)
    place = {label: j for j, label in enumerate(labels)}
    out[:, [place[label] for label in seen]] = columns
    return out
