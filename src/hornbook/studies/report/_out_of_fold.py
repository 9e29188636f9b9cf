"""What one learner said about rows it had not learned from, ready to be drawn and counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.studies._results import AnswerKind, Predictions

__all__ = ["Answers", "answers_of"]


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of one learner in one repeat: each row is answered at most once.

    Parameters
    ----------
    name : str
        The learner.
    repeat : int
        The repeat, counted from 0: the first of those with the most rows.
    rows : ndarray of shape (n,)
        Position of each answered row in the table that was given.
    truth, given : ndarray of shape (n,)
        True and predicted classes or numbers.
    chances : ndarray of shape (n, n_classes), optional
        The probabilities, where the learner gives them.
    weights : ndarray of shape (n,), optional
        Weights of the rows.
    total : int
        All rows there are.
    """

    name: str
    repeat: int
    rows: NDArray[np.intp]
    truth: NDArray[Any]
    given: NDArray[Any]
    chances: NDArray[np.float64] | None
    weights: NDArray[np.float64] | None
    total: int

    @property
    def words(self) -> str:
        """Which rows these are, in words."""
        part = "all rows" if len(self.rows) == self.total else f"{len(self.rows)} of {self.total} rows"
        return f"{part}, each predicted by a model that had not seen it (repeat {self.repeat + 1})"


def answers_of(predictions: Predictions, name: str | None) -> Answers | None:
    """Return the answers of a learner in the repeat that has most of them; None when there are none."""
    if name is None or name not in predictions.answers:
        return None
    kind, repeats = predictions.kinds[name], predictions.answers[name]
    known = [_known(found, kind) for found in repeats]
    repeat = int(np.argmax([each.sum() for each in known])) if known else 0
    if not known or not known[repeat].any():
        return None
    rows = known[repeat]
    return Answers(
        name=name,
        repeat=repeat,
        rows=predictions.rows[rows],
        truth=predictions.truth[rows],
        given=predictions.labels(name, repeat)[rows],
        chances=np.asarray(repeats[repeat])[rows] if kind == "probabilities" else None,
        weights=None if predictions.weights is None else predictions.weights[rows],
        total=len(predictions.truth),
    )


def _known(found: NDArray[Any], kind: AnswerKind) -> NDArray[np.bool_]:
    if kind == "probabilities":
        return np.asarray(np.isfinite(found).all(axis=1))
    if kind == "numbers":
        return np.asarray(np.isfinite(found.astype(np.float64)))
    return np.array([each is not None for each in found.tolist()], dtype=bool)
