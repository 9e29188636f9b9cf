"""The area under the ROC curve, for two classes or more, and its confidence interval."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook import _native
from hornbook.evaluation.intervals._interval import Interval
from hornbook.evaluation.metrics._columns import label_column, score_table, weight_column
from hornbook.evaluation.metrics._labels import Codes, checked_classes, coded, distinct
from hornbook.evaluation.metrics._measure import measure
from hornbook.evaluation.metrics._ranking import ranked_rows, refuse_one_class
from hornbook.frame import Label
from hornbook.params import Floats, Seed, threads
from hornbook.random import seed_of

__all__ = ["auc", "auc_interval"]

_STREAM = 0xA0C << 32  # random stream of this module


@measure(needs="scores", greater_is_better=True, best=1.0)
def auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: Sequence[Label] | None = None,
    positive: Label | None = None,
    scheme: Literal["one_vs_rest", "one_vs_one"] = "one_vs_rest",
    average: Literal["macro", "weighted"] = "macro",
    sample_weight: ArrayLike | None = None,
) -> float:
    """Area under the ROC curve: the probability that a positive row is ranked above a negative one.

    It is the Mann-Whitney statistic divided by the number of pairs (Hanley and McNeil, 1982); ties count one
    half. With more than two classes it is an average over classes or pairs of classes; classes without rows
    are left out of it, with a warning.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true classes.
    y_score : array-like of shape (n,) or (n, n_classes)
        Scores that are higher the more likely a row is positive, or a column of scores for each class;
        infinities are allowed.
    labels : sequence, optional
        The classes in the order of the columns; the sorted classes of ``y_true`` when left out.
    positive : label, optional
        The class that a single column is about; 1, or else the one of two that sorts last, when left out.
    scheme : {"one_vs_rest", "one_vs_one"}, default "one_vs_rest"
        With a column for each of several classes: each class against all others, or the mean of both
        directions of each pair of classes (Hand and Till, 2001), which does not depend on the class sizes.
    average : {"macro", "weighted"}, default "macro"
        The plain mean, or one weighted by the rows of each class or pair.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows; every row counts once when left out.

    Returns
    -------
    float
        1 is best, 0.5 is chance.

    Examples
    --------
    >>> auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    for name, value, allowed in (
        ("scheme", scheme, ("one_vs_rest", "one_vs_one")),
        ("average", average, ("macro", "weighted")),
    ):
        if value not in allowed:
            raise ValueError(f"auc: '{name}' must be '{allowed[0]}' or '{allowed[1]}'; got {value!r}.")
    if np.ndim(y_score) == 2 and np.shape(y_score)[1] > 2:
        return _of_many(y_true, y_score, labels, scheme, average, sample_weight)
    rows = ranked_rows("auc", y_true, y_score, labels=labels, positive=positive, sample_weight=sample_weight)
    return float(_native.auc(rows.is_positive, rows.score, rows.weight))


def _of_many(
    y_true: ArrayLike,
    y_score: ArrayLike,
    labels: Sequence[Label] | None,
    scheme: str,
    average: str,
    sample_weight: ArrayLike | None,
) -> float:
    truth = label_column("auc", "y_true", y_true)
    scores = score_table("auc", "y_score", y_score, len(truth), infinite=True)
    classes = distinct("auc", truth) if labels is None else checked_classes("auc", labels)
    if scores.shape[1] != len(classes):
        raise ValueError(
            f"auc: 'y_score' must have a column for each of the classes {list(classes)}; "
            f"got {scores.shape[1]}: name all classes in 'labels', in the order of the columns."
        )
    weights = weight_column("auc", sample_weight, len(truth))
    rows = _Rows(coded("auc", "y_true", truth, classes), scores, weights)
    masses = np.bincount(rows.codes, rows.weights, len(classes))
    present: list[int] = np.flatnonzero(masses > 0).tolist()
    if len(present) < 2:
        refuse_one_class("auc", classes[present[0]])
    if len(present) < len(classes):
        absent = [label for label, mass in zip(classes, masses, strict=True) if mass == 0]
        warnings.warn(f"auc: no row is of {absent}; the average is over the other classes.", stacklevel=3)
    # Provost and Domingos (2000): one class against the rest, a measure that depends on class
    # proportions.
    if scheme == "one_vs_rest":
        areas = [rows.against_rest(c) for c in present]
        sizes = masses[present]
    else:
        # Hand and Till (2001): pairs of classes, insensitive to class proportions.
        pairs = list(itertools.combinations(present, 2))
        areas = [rows.of_pair(a, b) for a, b in pairs]
        sizes = np.array([masses[a] + masses[b] for a, b in pairs])
    return float(np.average(areas, weights=sizes if average == "weighted" else None))


@dataclass(frozen=True)
class _Rows:
    """Rows with their class as a code and a score for each class."""

    codes: Codes
    scores: Floats
    weights: Floats | None

    def against_rest(self, c: int) -> float:
        return float(_native.auc(self.codes == c, np.ascontiguousarray(self.scores[:, c]), self.weights))

    def of_pair(self, a: int, b: int) -> float:
        """Return the mean of both directions: class a against b by the scores of a, and b against a."""
        chosen = (self.codes == a) | (self.codes == b)
        weights = None if self.weights is None else self.weights[chosen]
        pair = _Rows(self.codes[chosen], self.scores[chosen], weights)
        return (pair.against_rest(a) + pair.against_rest(b)) / 2


def auc_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    positive: Label | None = None,
    n_replicates: int = 10_000,
    level: float = 0.95,
    random_state: Seed = None,
    n_jobs: int | None = None,
) -> Interval:
    """Confidence interval of the area under the ROC curve by the percentile bootstrap (Efron, 1979).

    As many rows as there are are drawn with replacement; a sample that lacks one of the classes is redrawn.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The true classes.
    y_score : array-like of shape (n,)
        Scores that are higher the more likely a row is positive.
    positive : label, optional
        The positive class; 1, or else the one of two that sorts last, when left out.
    n_replicates : int, default 10000
        Number of bootstrap samples.
    level : float, default 0.95
        The confidence level.
    random_state : int, RandomState or None, default None
        Seed of the draws; a fresh one each time when left out.
    n_jobs : int, optional
        Threads; all available when left out. The result does not depend on it.

    Returns
    -------
    Interval
        The estimate is the area for the original rows.

    Examples
    --------
    >>> print(auc_interval([0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.6, 0.5, 0.7, 0.9], random_state=1))
    0.889 [0.40, 1.00] (95 %, bootstrap percentile)
    """
    if not 0 < level < 1:
        raise ValueError(f"auc_interval: 'level' must be a number between 0 and 1; got {level!r}.")
    if not isinstance(n_replicates, int | np.integer) or n_replicates < 1:
        raise ValueError(f"auc_interval: 'n_replicates' must be a positive integer; got {n_replicates!r}.")
    rows = ranked_rows("auc_interval", y_true, y_score, positive=positive)
    # Rows are sorted once; a replicate only counts how often each is drawn, which is O(n). Samples
    # without one of the classes are drawn again, so that every replicate has an area.
    areas = _native.auc_bootstrap(
        rows.is_positive, rows.score, int(n_replicates), seed_of(random_state), _STREAM, threads(n_jobs)
    )
    low, high = np.quantile(areas, [(1 - level) / 2, (1 + level) / 2])
    estimate = float(_native.auc(rows.is_positive, rows.score, None))
    return Interval(float(low), float(high), estimate, level, "bootstrap percentile")
