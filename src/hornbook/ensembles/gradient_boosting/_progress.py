"""The course of boosting: losses after each round, and when to stop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.losses import Loss
from hornbook.params import Floats

__all__ = ["HeldOut", "Improves", "LossCurves", "improves_within", "mean_loss", "undercuts_some"]

# Whether the curve of a loss still improves, given how many rounds back to look and by how much.
Improves = Callable[[Sequence[float], int, float], bool]


def mean_loss(loss: Loss, y: NDArray[Any], z: Floats, w: Floats | None) -> float:
    """Weighted mean of the loss."""
    with np.errstate(over="ignore"):  # an infinite loss is one that does not improve
        return float(np.average(loss.value(y, z), weights=w))


def undercuts_some(curve: Sequence[float], n: int, tol: float) -> bool:
    """Whether the last value is below one of the n before it: the rule of ``GradientBoosting...``."""
    return len(curve) <= n or curve[-1] + tol < max(curve[-n - 1 : -1])


def improves_within(curve: Sequence[float], n: int, tol: float) -> bool:
    """Whether one of the last n values is below the one before them: the rule of ``Hist...``."""
    return len(curve) <= n or min(curve[-n:]) < curve[-n - 1] - tol


@dataclass
class HeldOut:
    """Rows that boosting does not learn from, and their scores so far.

    Parameters
    ----------
    rows : object
        The rows as members want them.
    y : ndarray
        Their targets.
    w : ndarray, optional
        Their weights.
    z : ndarray
        Their scores.
    """

    rows: Any
    y: NDArray[Any]
    w: Floats | None
    z: Floats


@dataclass
class LossCurves:
    """Mean losses: of the training rows, of held-out rows, and of rows that were not drawn, by round.

    Parameters
    ----------
    train, validation : list of float
        Losses after 0, 1, ... rounds or after 1, 2, ... rounds, as the learner wants it.
    unseen, improvement : list of float
        Loss of the rows not drawn after each round, and by how much the round lowered it.
    """

    train: list[float] = field(default_factory=list)
    validation: list[float] = field(default_factory=list)
    unseen: list[float] = field(default_factory=list)
    improvement: list[float] = field(default_factory=list)

    @staticmethod
    def of(fitted: Mapping[str, Any], factor: float) -> LossCurves:
        """The curves that attributes of a fitted learner show."""
        return LossCurves(
            *(
                (np.asarray(fitted.get(name, ())) / part).tolist()
                for name, part in _attributes(factor).items()
            )
        )

    def scores(self, factor: float) -> dict[str, Any]:
        """The attributes that show the curves: losses times a factor."""
        known = zip(
            _attributes(factor).items(),
            (self.train, self.validation, self.unseen, self.improvement),
            strict=True,
        )
        found: dict[str, Any] = {name: part * np.array(series) for (name, part), series in known if series}
        if self.unseen:
            found["oob_score_"] = float(found["oob_scores_"][-1])
        return found


def _attributes(factor: float) -> dict[str, float]:
    """Names of the attributes, and what losses are multiplied by; rows not drawn always show losses."""
    return {
        "train_score_": factor,
        "validation_score_": factor,
        "oob_scores_": abs(factor),
        "oob_improvement_": abs(factor),
    }
