"""How good a learner is, from bootstrap samples: out-of-bag, on all rows, .632 and .632+."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbook.display import Description
from hornbook.evaluation.folds._dataset import Dataset
from hornbook.evaluation.folds._predictions import answers_of, score_of
from hornbook.evaluation.metrics._measure import Measure, as_measure
from hornbook.evaluation.splits._bootstrap import Bootstrap, Estimator
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["BootstrapEstimate", "bootstrap_estimate", "relative_overfitting"]


MOST_SHIFTS = 1000
STREAM = int.from_bytes(b"shifts", "big")  # draws of this module, apart from everybody else's


@dataclass(frozen=True, eq=False)
class BootstrapEstimate:
    """A score estimated from bootstrap samples, and what it was made of.

    Parameters
    ----------
    measure : str
        What was measured.
    test : {"out_of_bag", "all", "632", "632+"}
        How the estimate was made.
    estimate : float
        The estimate.
    scores : ndarray of shape (n_samples,)
        Score of each sample on its test rows: those left out, or all rows.
    training : float
        Score of the learner on the rows it was fitted to, all of them.
    no_information : float or None
        Score of its predictions if they had nothing to do with the truth (.632+ only).
    overfitting : float or None
        Relative overfitting rate R in [0, 1] (.632+ only).
    weight : float
        Weight of the out-of-bag score in the estimate; the training score has the rest.
    """

    measure: str
    test: Estimator
    estimate: float
    scores: Floats
    training: float
    no_information: float | None
    overfitting: float | None
    weight: float

    @property
    def mean(self) -> float:
        """Mean of the scores of the samples."""
        return float(self.scores.mean())

    @property
    def variance(self) -> float:
        """Variance of the scores of the samples, divided by their number as in the notes."""
        return float(self.scores.var())

    def __str__(self) -> str:
        return f"{self.measure} {self.estimate:.4g} ({_NAMES[self.test]}, {len(self.scores)} samples)"

    def _repr_html_(self) -> str:
        facts = {name: value for name, value in self.to_dict().items() if value is not None}
        return Description(str(self), facts)._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate and its pieces as plain data."""
        return {
            "measure": self.measure,
            "test": self.test,
            "estimate": self.estimate,
            "n_samples": len(self.scores),
            "mean": self.mean,
            "variance": self.variance,
            "training": self.training,
            "no_information": self.no_information,
            "overfitting": self.overfitting,
            "weight": self.weight,
        }


_NAMES = {
    "out_of_bag": "out-of-bag bootstrap",
    "all": "bootstrap tested on all rows",
    "632": ".632 bootstrap",
    "632+": ".632+ bootstrap",
}


def bootstrap_estimate(
    learner: Any,
    X: Any,
    y: Any = None,
    *,
    measure: str | Callable[..., Any],
    bootstrap: Bootstrap | None = None,
    sample_weight: Any = None,
) -> BootstrapEstimate:
    """Estimate how well a learner does on new rows, from bootstrap samples.

    The test of the bootstrap says how:

    - ``"out_of_bag"``: the mean score on the rows left out; pessimistic, as a sample has only 63.2 % of the
      different rows;
    - ``"all"``: the mean score on all rows, as in the notes; optimistic, as most rows were learned from;
    - ``"632"``: 0.368 training + 0.632 out_of_bag;
    - ``"632+"``: (1 - w) training + w out_of_bag' with out_of_bag' = min(out_of_bag, no_information) for
      errors, the relative overfitting R = (out_of_bag' - training) / (no_information - training) in [0, 1],
      and w = 0.632 / (1 - 0.368 R), so that a learner that repeats its training rows gets no credit for them.

    The score without information is the mean of the scores after the predictions have been moved against the
    truth by 0, 1, 2, ... rows, which for averages over rows is the average over all pairs of truth and
    prediction (beyond 1000 rows, 1000 moves are drawn). Weights count in fitting and in measuring; rows are
    drawn with equal chances.

    Parameters
    ----------
    learner : estimator
        It is cloned, not changed.
    X : Frame, DataFrame, array or list
        The table; a Frame brings its target and weights.
    y : array-like of shape (n_rows,), optional
        The target.
    measure : str or measure
        What to measure, such as "error_rate" or "rmse".
    bootstrap : Bootstrap, optional
        The samples and the kind of estimate; ``Bootstrap(50, test="632+")`` when left out.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    BootstrapEstimate
        The estimate with its pieces.

    Examples
    --------
    >>> from hornbook import NaiveBayes, datasets
    >>> iris = datasets.iris()
    >>> samples = Bootstrap(50, test="632+", random_state=0)
    >>> print(bootstrap_estimate(NaiveBayes(), iris, measure="error_rate", bootstrap=samples))
    error_rate 0.04599 (.632+ bootstrap, 50 samples)
    """
    chosen, samples = as_measure(measure), bootstrap or Bootstrap(test="632+")
    data = Dataset.of("bootstrap_estimate", X, y, sample_weight=sample_weight).for_learner(learner)
    model = data.fit(learner).model
    training = data.score(chosen, model)
    # No y: the samples are not stratified, as Efron draws them.
    folds = data.folds(samples.split(data.X))
    scores = np.array([test.score(chosen, drawn.fit(learner).model) for drawn, test in folds])
    mean = float(scores.mean())
    without, rate, weight = None, None, 1.0
    if samples.test == "632":
        weight = 0.632
    elif samples.test == "632+":
        without = _no_information(chosen, model, data)
        mean, rate = relative_overfitting(chosen, training, mean, without)
        # Efron and Tibshirani (1997): from 0.632 without overfitting (R = 0) to 1 (R = 1).
        weight = 0.632 / (1 - 0.368 * rate)
    estimate = (1 - weight) * training + weight * mean
    return BootstrapEstimate(chosen.name, samples.test, estimate, scores, training, without, rate, weight)


def _no_information(measure: Measure, model: Any, data: Dataset) -> float:
    """Score of predictions that have nothing to do with the truth."""
    classes = tuple(np.asarray(model.classes_).tolist()) if hasattr(model, "classes_") else None
    predicted, n_rows = answers_of(model, data.X, measure.needs, classes), len(data)
    # gamma is the mean over all pairs (prediction i, truth j). Each cyclic shift pairs every row
    # once, so all n shifts give the n^2 pairs, for any measure and not only for means over rows.
    shifts = np.arange(n_rows)
    if n_rows > MOST_SHIFTS:
        shifts = Stream(0, STREAM).permutation(n_rows)[:MOST_SHIFTS]  # a fixed choice, not a random one
    moved = (np.roll(predicted, shift, axis=0) for shift in shifts.tolist())
    return float(np.mean([score_of(measure, data.y, rows, classes, data.weights) for rows in moved]))


def relative_overfitting(
    measure: Measure, training: float, out_of_bag: float, no_information: float
) -> tuple[float, float]:
    """Return the out-of-bag score, no worse than without information, and the overfitting rate R."""
    sign = -1.0 if measure.greater_is_better else 1.0
    known, unknown, none = sign * training, sign * out_of_bag, sign * no_information
    # An out-of-bag score worse than no information is noise: it is capped before R is taken.
    capped = min(unknown, none)
    rate = (capped - known) / (none - known) if capped > known else 0.0
    return sign * capped, rate
