"""How much worse a learner gets when one column is shuffled."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import measure_by_name
from hornbook.frame import Frame
from hornbook.random import Stream
from hornbook.studies.run._predict import predict, scores_of
from hornbook.studies.run._recipe import Recipe
from hornbook.studies.run._shared_table import Shared

__all__ = ["ImportanceTask"]

STREAM = int.from_bytes(b"columns", "big")  # random numbers of this file, distinct from all others
MOST_ROWS = 2_000  # tested on
MOST_PREDICTED = 100_000  # rows, over all columns and shuffles
MOST_SHUFFLES = 5


# Permutation importance (Breiman 2001), on the test rows of a fold: on training rows, columns that a model
# has only memorized would matter.
@dataclass(frozen=True)
class ImportanceTask:
    """Fit a learner to the training rows of a fold, shuffle columns of the test rows, and measure.

    The result has one row for each shuffle and one column for each column of the table: by how much the
    score got worse.
    """

    recipe: Recipe
    fold: int
    metric: str
    seed: int

    def run(self, shared: Shared) -> NDArray[np.float64]:
        """Fit, then measure each shuffled column."""
        train, test = shared.split(0, self.fold)
        draws = Stream(self.seed, STREAM, self.fold)
        if len(test) > MOST_ROWS:
            test = np.sort(test[draws.permutation(len(test))[:MOST_ROWS]])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the folds have reported them
            model = self.recipe.fit(shared, train).model
            return self._worsened(model, shared, test, draws)

    def _worsened(
        self, model: Any, shared: Shared, test: NDArray[np.intp], draws: Stream
    ) -> NDArray[np.float64]:
        rows: Frame = shared.features[test]
        n_columns = len(rows.schema)
        shuffles = int(np.clip(MOST_PREDICTED // max(len(test) * n_columns, 1), 1, MOST_SHUFFLES))
        sign = 1.0 if measure_by_name(self.metric).greater_is_better else -1.0

        def score(X: Frame) -> float:
            predictions = predict(model, X, test, self.metric, shared)
            return sign * float(scores_of(predictions, self.metric, (), shared.positive)[self.metric] or 0.0)

        whole = score(rows)
        columns = [rows.column(j) for j in range(n_columns)]
        worse = np.empty((shuffles, n_columns))
        for i in range(shuffles):
            # The same order for every column, so that columns are compared on the same draw.
            order = draws.permutation(len(test))
            for j in range(n_columns):
                mixed = [*columns[:j], columns[j][order], *columns[j + 1 :]]
                worse[i, j] = whole - score(Frame.from_columns(rows.schema, mixed, len(test)))
        return worse
