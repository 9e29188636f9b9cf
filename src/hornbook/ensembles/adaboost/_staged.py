"""Predictions, scores and errors of the first 1, 2, ... rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.ensembles._staged import StagedClasses
from hornbook.ensembles.adaboost._scores import BoostScoring
from hornbook.frame import Blocks, Frame, align
from hornbook.params import Floats

__all__ = ["StagedClassifier"]


class StagedClassifier(StagedClasses):
    """Methods of a boosted classifier that show how it changes from round to round."""

    alphas_: Floats
    variant: Any
    _scoring: Callable[[], BoostScoring]
    _score_parts: Callable[[Frame], Iterator[Floats]]
    _decided: Callable[[Floats, float], Floats]
    _believed: Callable[..., Floats]
    _chosen: Callable[[Floats], NDArray[np.intp]]
    _norm: Callable[..., float]

    def _known(self, X: Any, y: Any, sample_weight: Any) -> tuple[Frame, NDArray[np.int32], Floats | None]:
        """Rows whose classes are known, with these as positions in ``classes_``."""
        whole = self._whole_table(X, y, sample_weight)
        (block,) = self._with_codes(Blocks.of(whole, self.schema_, self._threads()))
        assert block.y is not None  # checked above
        return align(block.X, self.schema_), block.y, block.w

    def _staged_scores(self, rows: Frame) -> Iterator[Floats]:
        """Scores after 1, 2, ... rounds; of one class alone, once."""
        # A new array each round: earlier ones may still be in the hands of the caller.
        total = np.zeros((len(rows), self._scoring().width))
        if not len(self.alphas_):
            yield total
            return
        for part in self._score_parts(rows):
            total = total + part
            yield total

    def staged_score(self, X: Any, y: Any = None, sample_weight: Any = None) -> Iterator[float]:
        """Yield the accuracy of the first 1, 2, ... rounds.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,), optional
            Their classes; a Frame with a target needs none.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Yields
        ------
        accuracy : float
            Share of right predictions.
        """
        for error in self.staged_errors(X, y, sample_weight):
            yield 1.0 - float(error)

    def staged_errors(self, X: Any, y: Any = None, sample_weight: Any = None) -> Floats:
        """Give the error of the first 1, 2, ... rounds; `hornbook.plots.staged_error` draws it.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,), optional
            Their classes; a Frame with a target needs none.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        errors : ndarray of shape (n_rounds,)
            Shares of wrong predictions; `hornbook.ensembles.suggested_size` reads a size from them.
        """
        rows, codes, w = self._known(X, y, sample_weight)
        truth = self.classes_[codes]
        return np.array(
            [np.average(labels != truth, weights=w) for labels in self._hook("_staged_answers", rows)]
        )

    def staged_weights(self, X: Any, y: Any = None, sample_weight: Any = None) -> Iterator[Floats]:
        """Yield what rows weigh after 1, 2, ... rounds, for the member of the next one.

        Weights are exp(-y F), up to a factor: what a row costs so far under the exponential loss. For
        ``"logit"`` they are p (1 - p). With regressors for each of more than two classes, rows have a weight
        for each of them; here it is that for their own class.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows, usually those of the fit.
        y : array-like of shape (n_rows,), optional
            Their classes; a Frame with a target needs none.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Yields
        ------
        weights : ndarray of shape (n_rows,)
            The sum is that of the rows' own weights.
        """
        rows, codes, w = self._known(X, y, sample_weight)
        start = np.ones(len(codes)) if w is None else w
        yield from self._hook("_staged_weights", rows, self.classes_[codes], start)

    def _staged_decisions(self, rows: Frame) -> Iterator[Floats]:
        for t, scores in enumerate(self._staged_scores(rows), 1):
            yield self._decided(scores, self._norm(t))

    def _staged_probabilities(self, rows: Frame) -> Iterator[Floats]:
        for t, scores in enumerate(self._staged_scores(rows), 1):
            yield self._believed(scores, t)

    def _staged_answers(self, rows: Frame) -> Iterator[NDArray[Any]]:
        for scores in self._staged_scores(rows):
            yield self.classes_[self._chosen(scores)]

    def _staged_weights(self, rows: Frame, labels: NDArray[Any], start: Floats) -> Iterator[Floats]:
        scoring, total = self._scoring(), start.sum()
        # Rows of classes that the fit never saw have no score to be weighted by.
        start = np.where(np.isin(labels, self.classes_), start, 0.0)
        own = (np.arange(len(labels)), np.searchsorted(self.classes_, labels) % len(self.classes_))
        for scores in self._staged_scores(rows):
            weights = start * scoring.row_factors(scores, own)
            yield np.asarray(weights * (total / weights.sum()))
