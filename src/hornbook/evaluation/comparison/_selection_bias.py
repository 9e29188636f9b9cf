"""The score of the learner that was chosen, corrected for having been chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation.comparison._scores import OutOfFold, Scores
from hornbook.evaluation.folds._predictions import score_of
from hornbook.evaluation.intervals._interval import Interval
from hornbook.evaluation.metrics._measure import measure_by_name
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["corrected_for_choice"]

STREAM = 0x0BBC  # draws of this module, apart from everybody else's


def corrected_for_choice(scores: Scores, *, level: float = 0.95, n_replicates: int = 200) -> Interval:
    """Score to expect of the best learner, chosen as it was, on new rows.

    The learner that looks best on some rows looks better there than it is. In each replicate the best is
    chosen on rows drawn with replacement and scored on the rows not drawn (bootstrap bias-corrected
    cross-validation); the mean over the replicates is the estimate. Nothing is fitted again.

    Parameters
    ----------
    scores : Scores
        With the out-of-fold predictions of all learners.
    level : float, default 0.95
        Confidence level of the interval.
    n_replicates : int, default 200
        Draws.

    Returns
    -------
    Interval
        Percentiles of the replicates around their mean.

    Examples
    --------
    >>> from hornbook import Baseline, NaiveBayes, compare, datasets
    >>> from hornbook.evaluation import StratifiedKFold
    >>> folds = StratifiedKFold(5, shuffle=True, random_state=0)
    >>> verdict = compare([NaiveBayes(), Baseline()], datasets.iris(), measure="accuracy", cv=folds)
    >>> round(corrected_for_choice(verdict.scores).estimate, 2)
    0.95
    """
    if scores.out_of_fold is None:
        raise ValueError("the correction needs the out-of-fold predictions: compare the learners themselves.")
    names = [name for name, whole in zip(scores.names, scores.complete, strict=True) if whole]
    measured = _measured(scores, scores.out_of_fold, names)
    n_rows = len(scores.out_of_fold.truth)
    drawn_scores = []
    # Bootstrap bias corrected cross-validation (Tsamardinos, Greasidou and Borboudakis 2018): choose
    # on the rows drawn, score on the rows left out. Predictions are reused, so no model is fitted
    # again.
    for r in range(n_replicates):
        drawn = np.bincount(Stream(0, STREAM, r).integers(n_rows, n_rows), minlength=n_rows)
        rest = (drawn == 0).astype(np.intp)
        if not rest.any():
            continue  # every row was drawn: only possible with a handful of rows
        try:
            inside, outside = measured(drawn), measured(rest)
        except ValueError:  # rows of one class only, or without weight, have no such score
            continue
        drawn_scores.append(outside[_first_best(inside, scores.greater_is_better)])
    if not drawn_scores:
        raise ValueError("there are too few rows to correct the score for the choice.")
    tail = (1 - level) / 2
    low, high = np.quantile(drawn_scores, [tail, 1 - tail])
    return Interval(float(low), float(high), float(np.mean(drawn_scores)), level, "bootstrap over the choice")


def _first_best(scores: Floats, greater_is_better: bool) -> int:
    """Place of the best score; of equal ones, rounding aside, the first."""
    losses = -scores if greater_is_better else scores
    return int(np.argmax(losses <= losses.min() + 1e-12 * np.abs(losses).max()))


def _measured(scores: Scores, kept: OutOfFold, names: list[str]) -> Callable[[NDArray[np.intp]], Floats]:
    """Function from how often each row counts to the score of each learner, averaged over repeats."""
    measure = measure_by_name(scores.measure)
    row_mean = measure.row_mean
    if row_mean is None or kept.options:

        def on_rows(times: NDArray[np.intp]) -> Floats:
            rows = np.repeat(np.arange(len(times)), times)
            weight = None if kept.sample_weight is None else kept.sample_weight[rows]

            def measured(predicted: NDArray[Any]) -> float:
                # A draw of rows may be without a class whose column is there.
                return score_of(
                    measure, kept.truth[rows], predicted[rows], kept.labels, weight, **kept.options
                )

            return np.array([np.mean([measured(part) for part in kept.answers[name]]) for name in names])

        return on_rows
    by_row = [
        [row_mean.values(kept.truth, part, kept.labels) for part in kept.answers[name]] for name in names
    ]
    # Averaged over repeats before the bootstrap: rows are resampled, not repeats.
    values = np.array([np.mean(repeats, axis=0) for repeats in by_row])
    weights = np.ones(len(kept.truth)) if kept.sample_weight is None else kept.sample_weight
    finish = np.sqrt if row_mean.root_of else np.asarray

    def on_weighted_rows(times: NDArray[np.intp]) -> Floats:
        weight = weights * times
        if not weight.any():
            raise ValueError("rows without weight have no score.")
        # Not by a product of matrices: the threads of that cost more than so short a sum.
        return np.asarray(finish((values * weight).sum(axis=1) / weight.sum()))

    return on_weighted_rows
