"""The mean of the neighbors, which both regressors predict."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from hornbook.base import Description, Working
from hornbook.frame import Frame, SparseRows
from hornbook.neighbors._description import description, distance_used, number_terms
from hornbook.neighbors._memory import Memory, Neighbors, OwnRows
from hornbook.neighbors._votes import Weighting, votes_of
from hornbook.neighbors._voting import weighting_text
from hornbook.params import Floats, Shape

__all__ = ["Averaging"]


class Averaging:
    """The mean target of neighbors: ``_search(queries)`` finds them.

    Attributes
    ----------
    mean_ : float or ndarray of shape (n_targets,)
        Mean of the target; the prediction for rows without a neighbor.
    """

    weights: Weighting
    memory_: Memory
    y_: Annotated[Floats, Shape("n_rows")] | Annotated[Floats, Shape("n_rows", "n_targets")]
    mean_: float | Annotated[Floats, Shape("n_targets")]
    _memory_of: Any
    _placed: Any
    _search: Any
    _threads: Any

    def _remember(self, rows: Frame | SparseRows, y: Floats, w: Floats | None) -> None:
        self.memory_ = self._memory_of(rows, w)
        self.y_ = y.copy() if self.memory_.origin is None else y[self.memory_.origin]
        # For rows that have no neighbor in reach, where the mean is the best constant answer.
        mean = np.average(self.y_, axis=0, weights=self.memory_.mass)
        self.mean_ = float(mean) if y.ndim == 1 else mean

    def _predict(self, rows: Frame | OwnRows) -> Floats:
        neighbors: Neighbors = self._search(self._placed(rows))
        votes = votes_of(neighbors, self.weights)
        n_rows, whose = len(rows), neighbors.queries
        # Neighbors of all queries in one flat list, because with a radius their numbers differ.
        total = np.bincount(whose, weights=votes, minlength=n_rows)
        # Votes are normalized before the sum, so that products of large targets and votes do not overflow.
        shares = votes / np.where(total > 0, total, 1.0)[whose]
        columns = self.y_.reshape(len(self.y_), -1).T
        means = np.column_stack(
            [np.bincount(whose, weights=shares * y[neighbors.indices], minlength=n_rows) for y in columns]
        )
        # Rounding must not lead out of the range of the targets: all equal ones are their own mean.
        answers = np.where(
            total[:, None] > 0, means.clip(columns.min(axis=1), columns.max(axis=1)), self.mean_
        )
        return answers[:, 0] if self.y_.ndim == 1 else answers

    def _mean_description(self, facts: dict[str, Any]) -> Description:
        """Describe the memory; the facts say which neighbors count."""
        known = {
            **facts,
            "votes": weighting_text(self.weights),
            "mean target": ", ".join(f"{mean:.6g}" for mean in np.atleast_1d(self.mean_)),
        }
        return description(self, self.memory_, known, distance_used(self))

    def _working(self, row: Frame) -> Working:
        neighbors: Neighbors = self._search(self.memory_.space.place(row))
        votes = votes_of(neighbors, self.weights)
        terms = number_terms(self.memory_, neighbors, votes, self.y_, self.mean_)
        title = f"The mean of {len(votes)} neighbors, each with its share of the votes"
        answer = self._predict(row)[0]
        if self.y_.ndim == 1:
            return Working(title, "sum", ["value"], terms, float(answer))
        return Working(title, "sum", [f"target {i}" for i in range(len(answer))], terms, answer.tolist())
