"""What a fitted learner says about rows, and how well that agrees with the truth."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import answers_of, can_answer, for_positive, measure_by_name
from hornbook.studies.prepare._training_data import class_numbers
from hornbook.studies.run._shared_table import Shared

__all__ = ["Answers", "ask"]

LARGE = 20_000  # rows of a table; above, nothing is asked twice


@dataclass(frozen=True, eq=False)
class Answers:
    """Answers of one learner in one fold.

    Parameters
    ----------
    decided : ndarray of shape (n_rows,)
        Class numbers, or numbers.
    shares : ndarray of shape (n_rows, n_classes), optional
        Probabilities.
    ranking : ndarray, optional
        Scores that rank the rows.
    n_classes : int
        How many classes there are; 0 for a regression.
    positive : int, optional
        The positive one of two classes.
    """

    decided: NDArray[Any]
    shares: NDArray[np.float64] | None
    ranking: NDArray[np.float64] | None
    n_classes: int
    positive: int | None = None

    @property
    def packed(self) -> NDArray[Any]:
        """All that is kept, as one array: the probabilities, if there are any, and what was decided."""
        if self.shares is not None:
            return np.column_stack([self.shares, self.decided.astype(np.float64)])
        return self.decided.astype(np.int32 if self.n_classes else np.float64)

    def scores(
        self, truth: NDArray[Any], weights: NDArray[np.float64] | None, metric: str, beside: Sequence[str]
    ) -> dict[str, float | None]:
        """Measure the answers; None for measures beside the metric that have no value here."""
        found: dict[str, float | None] = {metric: self._score(metric, truth, weights)}
        value = found[metric]
        if value is None or not np.isfinite(value):
            raise ValueError(f"its {metric} on the test rows is {value}, which cannot be compared")
        for name in beside:
            try:
                score = self._score(name, truth, weights)
            except ValueError:  # not defined on these rows, such as R² of a single one
                score = None
            found[name] = score if score is not None and np.isfinite(score) else None
        return found

    def _score(self, name: str, truth: NDArray[Any], weights: NDArray[np.float64] | None) -> float | None:
        measure = for_positive(measure_by_name(name), range(self.n_classes), self.positive)
        options: dict[str, Any] = {"sample_weight": weights}
        if measure.needs in ("probabilities", "scores"):
            options["labels"] = list(range(self.n_classes))
        given = {"probabilities": self.shares, "scores": self.ranking}.get(measure.needs, self.decided)
        if given is None:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of 0/0 in small folds; the value follows a stated rule
            return float(measure(truth, given, **options))


def ask(model: Any, rows: Any, metric: str, shared: Shared) -> Answers:
    """Ask a fitted learner about rows.

    Parameters
    ----------
    model : Learner
        Fitted to classes, or to numbers.
    rows : Frame
        The rows.
    metric : str
        The measure that decides. If it takes probabilities and the table is large, the class is the most
        probable one, which for some learners differs from ``predict`` where classes are equally probable.
    shared : Shared
        The table.
    """
    needs = measure_by_name(metric).needs
    if not shared.classes:
        return Answers(np.asarray(model.predict(rows), dtype=np.float64), None, None, 0)
    labels = list(shared.classes)
    shares = answers_of(model, rows, "probabilities", labels) if can_answer(model, "probabilities") else None
    large = len(shared.y) > LARGE
    if shares is not None and needs == "probabilities" and large:
        decided = shares.argmax(axis=1)
    else:
        decided = class_numbers(np.asarray(model.predict(rows)), shared.classes)
    ranking = None
    if shares is not None:
        ranking = shares[:, 1] if shares.shape[1] == 2 else shares
    elif can_answer(model, "scores") and (needs == "scores" or not large):
        ranking = answers_of(model, rows, "scores", labels)
    return Answers(decided, shares, ranking, len(labels), shared.positive)
