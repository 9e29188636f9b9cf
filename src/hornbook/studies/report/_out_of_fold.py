"""The out-of-fold predictions of one learner, ready for plots and tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import Predictions
from hornbook.studies._results import OutOfFoldPredictions

__all__ = ["LearnerPredictions", "predictions_of"]


@dataclass(frozen=True, eq=False, kw_only=True)
class LearnerPredictions(Predictions):
    """The predictions of one learner in one repeat: each row is predicted at most once.

    Parameters
    ----------
    name : str
        The learner.
    repeat : int
        The repeat, counted from 0: the first of those with the most predicted rows.
    rows : ndarray of shape (n_rows,)
        Position of each predicted row in the original table.
    total : int
        Number of all rows.
    """

    name: str
    repeat: int
    rows: NDArray[np.intp]
    total: int

    @property
    def words(self) -> str:
        """Which rows these are, in words."""
        part = "all rows" if len(self.rows) == self.total else f"{len(self.rows)} of {self.total} rows"
        return f"{part}, each predicted by a model that had not seen it (repeat {self.repeat + 1})"


def predictions_of(study: OutOfFoldPredictions, name: str | None) -> LearnerPredictions | None:
    """Return the predictions of a learner in the repeat with the most of them; None if there are none."""
    if name is None or name not in study.answers:
        return None
    known = [study.known(name, repeat) for repeat in range(len(study.answers[name]))]
    # The first of the most complete repeats: after an interruption the last one has gaps.
    repeat = int(np.argmax([rows.sum() for rows in known])) if known else 0
    if not known or not known[repeat].any():
        return None
    rows, probabilistic = known[repeat], study.kinds[name] == "probabilities"
    return LearnerPredictions(
        labels=study.labels(name, repeat)[rows],
        truth=study.truth[rows],
        classes=study.classes,
        probabilities=np.asarray(study.answers[name][repeat])[rows] if probabilistic else None,
        weights=None if study.weights is None else study.weights[rows],
        name=name,
        repeat=repeat,
        rows=study.rows[rows],
        total=len(study.truth),
    )
