"""A measure as scikit-learn wants it: a function of learner, X and y."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation.folds._predictions import answers_of, can_answer, score_of
from hornbook.evaluation.metrics._columns import label_column
from hornbook.evaluation.metrics._labels import distinct
from hornbook.evaluation.metrics._measure import Measure, as_measure
from hornbook.frame import Frame, Label

__all__ = ["Scorer", "measure_learner", "scorer"]


def measure_learner(
    measure: Measure, learner: Any, X: Any, y: Any, *, sample_weight: Any = None, **options: Any
) -> float:
    """Measure the predictions of a fitted learner on rows with a known target."""
    if not can_answer(learner, measure.needs):
        raise TypeError(
            f"{measure.name} needs {measure.needs}, which {type(learner).__name__} does not give: "
            "choose another measure."
        )
    labels = None
    if measure.needs in ("probabilities", "scores") and hasattr(learner, "classes_"):
        labels = _all_classes(measure, learner.classes_, y)
    predicted = answers_of(learner, X, measure.needs, labels)
    return score_of(measure, y, predicted, labels, sample_weight, **options)


def _all_classes(measure: Measure, known: NDArray[Any], y: Any) -> tuple[Label, ...]:
    """Return the classes of the learner and, after them, those that it has never seen."""
    classes = tuple(np.asarray(known).tolist())
    labels = distinct(measure.name, label_column(measure.name, "y_true", y))
    unknown = tuple(label for label in labels if label not in classes)
    if unknown:
        warnings.warn(
            f"{measure.name}: the learner does not know the classes {list(unknown)}, "
            "which count with probability 0: stratify the folds.",
            UserWarning,
            stacklevel=4,
        )
    return classes + unknown


@dataclass(frozen=True)
class Scorer:
    """A measure as scikit-learn wants it: a function of learner, X and y where larger is better.

    Parameters
    ----------
    measure : Measure
        What is measured.
    options : mapping, default {}
        Further arguments of the measure.
    """

    measure: Measure
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, learner: Any, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Measure a fitted learner on rows with a known target; losses get a minus sign."""
        target = X.y if y is None and isinstance(X, Frame) else y
        if target is None:
            raise ValueError(f"scorer of '{self.measure.name}': 'y' is missing; pass the true values.")
        value = measure_learner(self.measure, learner, X, target, sample_weight=sample_weight, **self.options)
        return value if self.measure.greater_is_better else -value


def scorer(measure: str | Callable[..., Any], **options: Any) -> Scorer:
    """Make a measure a scorer, for scikit-learn's ``cross_validate(scoring=...)`` and the like.

    Parameters
    ----------
    measure : str or measure
        The measure or its name.
    **options
        Further arguments of the measure, such as ``positive`` or ``average``.

    Returns
    -------
    Scorer
        A function of (learner, X, y, sample_weight=None). Larger is better: losses get a minus sign, as in
        scikit-learn.

    Examples
    --------
    >>> from hornbook import NaiveBayes, datasets
    >>> melons = datasets.watermelon("3.0")
    >>> model = NaiveBayes().fit(melons)
    >>> round(scorer("accuracy")(model, melons), 4), round(scorer("log_loss")(model, melons), 4)
    (0.8235, -0.361)
    """
    return Scorer(as_measure(measure), options)
