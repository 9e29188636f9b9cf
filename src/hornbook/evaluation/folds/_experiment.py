"""Rows, folds and a measure for a curve: all that its fits share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sklearn.base import is_classifier

from hornbook.evaluation.folds._dataset import Dataset, measure_for
from hornbook.evaluation.metrics._measure import Measure
from hornbook.evaluation.splits._kfold import KFold, Split, Splitter
from hornbook.evaluation.splits._stratified import StratifiedKFold

__all__ = ["Experiment", "default_folds", "experiment"]


@dataclass(frozen=True)
class Experiment:
    """What a learner meets at every point of a curve."""

    data: Dataset
    folds: list[Split]
    measure: Measure


def experiment(
    function: str,
    learner: Any,
    X: Any,
    y: Any,
    *,
    cv: Splitter | int,
    measure: str | Callable[..., Any] | None,
    groups: Any = None,
    sample_weight: Any = None,
) -> Experiment:
    """Check and cut the rows once, for all fits."""
    data = Dataset.of(function, X, y, groups, sample_weight).for_learner(learner)
    if isinstance(cv, int):
        cv = default_folds(learner, cv)
    return Experiment(data, list(cv.split(data.X, data.y, data.groups)), measure_for([learner], measure))


def default_folds(learner: Any, n_splits: int) -> Splitter:
    """Shuffled folds, always the same ones, with the same share of every class in each.

    Parameters
    ----------
    learner : estimator
        A classifier or regressor.
    n_splits : int
        How many folds.

    Examples
    --------
    >>> from hornbook import NaiveBayes
    >>> default_folds(NaiveBayes(), 5)
    StratifiedKFold(n_splits=5, shuffle=True, random_state=0, by=None)
    """
    kind = StratifiedKFold if is_classifier(learner) else KFold
    # A fixed seed: curves of two learners, or of one learner twice, are on the same folds.
    return kind(n_splits, shuffle=True, random_state=0)
