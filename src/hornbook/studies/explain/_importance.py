"""How much worse a learner gets when one column is shuffled."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student_t

from hornbook.evaluation import Predictions, holm, measure_by_name
from hornbook.frame import Frame
from hornbook.random import Stream
from hornbook.studies.run._predict import predict, scores_of
from hornbook.studies.run._recipe import Recipe
from hornbook.studies.run._shared_table import Shared

__all__ = ["ImportanceTask", "Worsened", "p_values"]

STREAM = int.from_bytes(b"columns", "big")  # random numbers of this file, distinct from all others
MOST_ROWS = 2_000  # tested on
MOST_PREDICTED = 100_000  # rows, over all columns and shuffles
MOST_SHUFFLES = 5
SMALLEST = float(np.finfo(np.float64).eps)  # probability, as in the log loss


@dataclass(frozen=True)
class Worsened:
    """What shuffling each column did to the score, and to the losses of single rows.

    Parameters
    ----------
    drops : ndarray of shape (n_shuffles, n_columns)
        By how much the score got worse.
    sums, squares : ndarray of shape (n_columns,)
        Of the changes of the rows' losses, their mean over the shuffles: the weighted sum, and the squares of
        weight times distance from the mean, summed.
    mass : float
        Total weight of the rows.
    n_rows : int
        How many there are.
    """

    drops: NDArray[np.float64]
    sums: NDArray[np.float64]
    squares: NDArray[np.float64]
    mass: float
    n_rows: int


def p_values(parts: Sequence[Worsened]) -> NDArray[np.float64]:
    """Test for each column that shuffling it does not make losses larger; adjusted for all columns by Holm.

    One-sided t-tests of the changes of single rows, given the fitted models: each test row is in one fold.

    Parameters
    ----------
    parts : sequence of Worsened
        Of the folds.
    """
    n_rows = sum(part.n_rows for part in parts)
    change = sum(part.sums for part in parts)
    error = np.sqrt(sum(part.squares for part in parts))
    with np.errstate(divide="ignore", invalid="ignore"):
        # A column that changes nothing is not shown to matter.
        t = np.where(change == 0, -np.inf, change / error)
    adjusted, _ = holm(student_t.sf(t, max(n_rows - len(parts), 1)))
    return np.asarray(adjusted)


# Permutation importance (Breiman 2001), on the test rows of a fold: on training rows, columns that a model
# has only memorized would matter.
@dataclass(frozen=True)
class ImportanceTask:
    """Fit a learner to the training rows of a fold, shuffle columns of the test rows, and measure.

    Drops have one row for each shuffle and one column for each column of the table: by how much the score got
    worse.
    """

    recipe: Recipe
    fold: int
    metric: str
    seed: int

    def run(self, shared: Shared) -> Worsened:
        """Fit, then measure each shuffled column."""
        train, test = shared.split(0, self.fold)
        draws = Stream(self.seed, STREAM, self.fold)
        if len(test) > MOST_ROWS:
            test = np.sort(test[draws.permutation(len(test))[:MOST_ROWS]])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the folds have reported them
            model = self.recipe.fit(shared, train).model
            return self._worsened(model, shared, test, draws)

    def _worsened(self, model: Any, shared: Shared, test: NDArray[np.intp], draws: Stream) -> Worsened:
        rows: Frame = shared.features[test]
        n_columns = len(rows.schema)
        shuffles = int(np.clip(MOST_PREDICTED // max(len(test) * n_columns, 1), 1, MOST_SHUFFLES))
        sign = 1.0 if measure_by_name(self.metric).greater_is_better else -1.0

        def judged(X: Frame) -> tuple[float, NDArray[np.float64]]:
            predictions = predict(model, X, test, self.metric, shared)
            score = scores_of(predictions, self.metric, (), shared.positive)[self.metric]
            return sign * float(score or 0.0), row_losses(predictions)

        whole, losses = judged(rows)
        drops, changes = np.empty((shuffles, n_columns)), np.zeros((len(test), n_columns))
        for i in range(shuffles):
            # The same order for every column, so that columns are compared on the same draw.
            order = draws.permutation(len(test))
            for j, mixed in enumerate(_shuffled(rows, order)):
                score, shuffled = judged(mixed)
                drops[i, j] = whole - score
                changes[:, j] += (shuffled - losses) / shuffles
        w = np.ones(len(test)) if shared.weights is None else np.asarray(shared.weights[test])
        sums = w @ changes
        squares = ((w[:, None] * (changes - sums / w.sum())) ** 2).sum(axis=0)
        return Worsened(drops, sums, squares, float(w.sum()), len(test))


def _shuffled(rows: Frame, order: NDArray[np.intp]) -> Iterator[Frame]:
    """Yield the rows with one column after the other in another order; each is to be used before the next."""
    if rows.array is not None:
        # One matrix for all: of many columns, a new one each time would take longer than the predictions.
        matrix = np.array(rows.array)
        for j in range(len(rows.schema)):
            own = matrix[:, j].copy()
            matrix[:, j] = own[order]
            yield Frame.from_columns(rows.schema, matrix, len(rows))
            matrix[:, j] = own
        return
    columns = [rows.column(j) for j in range(len(rows.schema))]
    for j, column in enumerate(columns):
        yield Frame.from_columns(rows.schema, [*columns[:j], column[order], *columns[j + 1 :]], len(rows))


def row_losses(predictions: Predictions) -> NDArray[np.float64]:
    """Loss of each row: minus the logarithm of the probability of its class, 0 or 1, or a squared error."""
    if not predictions.classes:
        return np.asarray((predictions.labels - predictions.truth) ** 2, dtype=np.float64)
    if predictions.probabilities is None:
        return np.asarray(predictions.labels != predictions.truth, dtype=np.float64)
    certainty = predictions.probabilities[np.arange(len(predictions.truth)), predictions.truth]
    return np.asarray(-np.log(np.maximum(certainty, SMALLEST)))
