"""Measures of a model's predictions, each with an interval."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.cli._model import Matched
from hornbook.evaluation import (
    ConfusionTable,
    Predictions,
    choose_positive,
    confusion_table,
    for_positive,
    measure_by_name,
    usual_measures,
)
from hornbook.frame import Blocks

__all__ = ["ModelPredictions", "confusion"]

MOST_CLASSES = 30  # for which a confusion table is still readable


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelPredictions(Predictions):
    """Predictions of a model for rows with known target values.

    Parameters
    ----------
    model : str
        Name of the model, for messages.
    positive : label, optional
        The positive class of two.
    """

    model: str
    positive: Any = None

    @classmethod
    def of(cls, model: Any, matched: Matched, blocks: Blocks, weight: str | None) -> ModelPredictions:
        """Predict all rows, block by block."""
        assert matched.target is not None
        methods = [name for name in ("predict", "predict_proba", "decision_function") if hasattr(model, name)]
        parts = list(matched.predictions(model, blocks, methods, weight))
        whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        weights = None if weight is None else whole["weight"].astype(np.float64)
        classes = tuple(model.classes_.tolist()) if hasattr(model, "classes_") else ()
        truth = _checked(whole["truth"], matched.target, numbers=not classes)
        unknown = tuple(label for label in dict.fromkeys(truth.tolist()) if label not in classes)
        probabilities = whole.get("predict_proba")
        if classes and unknown:
            warnings.warn(f"the model does not know the classes {list(unknown)}.", UserWarning, stacklevel=2)
            if probabilities is not None:
                # A class that the model cannot predict has probability 0, and log loss counts it in full.
                probabilities = np.pad(probabilities, ((0, 0), (0, len(unknown))))
        return cls(
            whole["predict"],
            truth,
            classes + unknown if classes else (),
            probabilities,
            whole.get("decision_function"),
            weights,
            model=str(model),
        )

    @property
    def usual(self) -> tuple[str, ...]:
        """The default measures."""
        return usual_measures(len(self.classes), probabilities=self.probabilities is not None)

    def measure(self, name: str) -> Any:
        """A measure, bound to the positive class."""
        return for_positive(measure_by_name(name), self.classes, self.positive)

    def with_positive(self, asked: str | None) -> tuple[ModelPredictions, str]:
        """Choose the positive class of two; also return the reason for the choice."""
        if len(self.classes) != 2:
            if asked is not None:
                raise ValueError(
                    "--positive is for models of two classes, which this one is not: leave it out."
                )
            return self, ""
        weights = np.ones(len(self.truth)) if self.weights is None else self.weights
        masses = {label: float(weights[self.truth == label].sum()) for label in self.classes}
        label, why = choose_positive(masses, asked)
        return replace(self, positive=label), why

    def for_measure(self, name: str) -> NDArray[Any]:
        """The predictions a measure is computed from."""
        needs = measure_by_name(name).needs
        if (needs == "numbers") == bool(self.classes):
            kind = "classes" if self.classes else "numbers"
            raise ValueError(
                f"{name} does not apply to a model that predicts {kind}: choose another --metric."
            )
        predicted = self.needed(needs)
        if predicted is None:
            raise ValueError(
                f"{name} needs {needs}, which {self.model} does not provide: choose another --metric."
            )
        return predicted


def _checked(truth: NDArray[Any], target: str, *, numbers: bool) -> NDArray[Any]:
    missing = np.array([label is None or label != label for label in truth.tolist()])  # noqa: PLR0124 - NaN
    if missing.any():
        raise ValueError(
            f"column '{target}' is missing in {missing.sum()} of {len(truth)} rows, the first of them "
            f"row {int(missing.argmax())}: leave these rows out."
        )
    if numbers and truth.dtype.kind not in "fiu":
        raise ValueError(f"column '{target}' is not numeric, but the model predicts numbers: see --target.")
    return truth


def confusion(predictions: ModelPredictions) -> ConfusionTable | None:
    """Confusion table of the predictions; None for regression and for too many classes.

    Parameters
    ----------
    predictions : ModelPredictions
        Predictions of the model.
    """
    if not 0 < len(predictions.classes) <= MOST_CLASSES:
        return None
    return confusion_table(
        predictions.truth,
        predictions.labels,
        labels=predictions.classes,
        sample_weight=predictions.weights,
    )
