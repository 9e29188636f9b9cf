"""The parameters that both learners of this room take."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from sklearn.utils.validation import has_fit_parameter

from hornbook.params import Range, Tune

__all__ = ["LearningRate", "Method", "takes_weights"]

LearningRate: TypeAlias = Annotated[float, Range(low=0.0, open_low=True), Tune(0.01, 1.0, log=True)]
Method: TypeAlias = Literal["weights", "resample"]


def takes_weights(estimator: Any) -> bool:
    """Whether members can be fitted with weights."""
    return has_fit_parameter(estimator, "sample_weight")
