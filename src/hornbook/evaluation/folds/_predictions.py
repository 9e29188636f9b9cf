"""What a fitted learner answers, in the form a measure needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation.metrics._measure import Needs

__all__ = ["answers_of", "can_answer"]


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
    """Ask a fitted learner about rows.

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
        One answer, or one row of answers, for each row.

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
        found = np.asarray(model.decision_function(X), dtype=np.float64)
        return found if found.ndim == 1 else _placed(found, model.classes_, labels, -np.inf)
    shares = _placed(np.asarray(model.predict_proba(X), dtype=np.float64), model.classes_, labels, 0.0)
    return shares[:, 1] if needs == "scores" and shares.shape[1] == 2 else shares


def _placed(
    found: NDArray[np.float64], classes: NDArray[Any], labels: Sequence[Any] | None, absent: float
) -> NDArray[np.float64]:
    seen = np.asarray(classes).tolist()
    if labels is None or seen == list(labels):
        return found
    out = np.full((len(found), len(labels)), absent)
    place = {label: j for j, label in enumerate(labels)}
    out[:, [place[label] for label in seen]] = found
    return out
