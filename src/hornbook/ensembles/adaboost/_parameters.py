"""The parameters that both learners of this room take."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from hornbook.params import Range, Tune

__all__ = ["LearningRate", "Method"]

LearningRate: TypeAlias = Annotated[float, Range(low=0.0, open_low=True), Tune(0.01, 1.0, log=True)]
Method: TypeAlias = Literal["weights", "resample"]
