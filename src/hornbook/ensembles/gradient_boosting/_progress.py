"""The course of boosting: losses after each round, and when to stop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import CHUNK
from hornbook.losses import Loss
from hornbook.params import Floats

__all__ = [
    "Held",
    "HeldOut",
    "Improves",
    "LossCurves",
    "Newest",
    "chunk_sums",
    "improves_within",
    "loss_sums",
    "mean_loss",
    "mean_of",
    "total_weight",
    "undercuts_some",
]

# Whether the curve of a loss still improves, given how many rounds back to look and by how much.
Improves = Callable[[Sequence[float], int, float], bool]


def chunk_sums(values: Floats) -> Floats:
    """Sums of chunks of rows: added in their order, they give the same wherever the rows are."""
    whole = len(values) // CHUNK * CHUNK
    sums = values[:whole].reshape(-1, CHUNK).sum(axis=1)
    return sums if whole == len(values) else np.append(sums, values[whole:].sum())


def total_weight(w: Floats | None, n_rows: int) -> float:
    """Sum of the weights of all rows."""
    return float(n_rows if w is None else chunk_sums(w).sum())


def loss_sums(loss: Loss, y: NDArray[Any], z: Floats, w: Floats | None) -> Floats:
    """Weighted loss and weight of each chunk of rows, one below the other."""
    with np.errstate(over="ignore"):  # an infinite loss is one that does not improve
        value = loss.value(y, z)
        weights = np.ones(len(y)) if w is None else w
        return np.column_stack([chunk_sums(value if w is None else value * w), chunk_sums(weights)])


def mean_of(sums: Floats) -> float:
    """Weighted mean of the loss over all chunks."""
    return float(sums[:, 0].sum() / sums[:, 1].sum())


def mean_loss(loss: Loss, y: NDArray[Any], z: Floats, w: Floats | None) -> float:
    """Weighted mean of the loss."""
    return mean_of(loss_sums(loss, y, z, w))


def undercuts_some(curve: Sequence[float], n: int, tol: float) -> bool:
    """Whether the last value is below one of the n before it: the rule of ``GradientBoosting...``."""
    return len(curve) <= n or curve[-1] + tol < max(curve[-n - 1 : -1])


def improves_within(curve: Sequence[float], n: int, tol: float) -> bool:
    """Whether one of the last n values is below the one before them: the rule of ``Hist...``."""
    return len(curve) <= n or min(curve[-n:]) < curve[-n - 1] - tol


class Newest(Protocol):
    """What the newest member adds."""

    def latest(self, rows: Any) -> Floats:
        """To the scores of rows as members want them."""
        ...


class Held(Protocol):
    """Rows that boosting does not learn from, with their scores so far."""

    def add(self, member: Any, k: int) -> None:
        """Add the newest member to score k."""
        ...

    def loss(self, loss: Loss) -> float:
        """Weighted mean of the loss."""
        ...


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

    def add(self, member: Newest, k: int) -> None:
        """Add the newest member to score k."""
        more = member.latest(self.rows)
        if self.z.ndim == 1:
            self.z += more
        else:
            self.z[:, k] += more

    def loss(self, loss: Loss) -> float:
        """Weighted mean of the loss."""
        return mean_loss(loss, self.y, self.z, self.w)


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
        scores: dict[str, Any] = {name: part * np.array(series) for (name, part), series in known if series}
        if self.unseen:
            scores["oob_score_"] = float(scores["oob_scores_"][-1])
        return scores


def _attributes(factor: float) -> dict[str, float]:
    """Names of the attributes, and what losses are multiplied by; rows not drawn always show losses."""
    return {
        "train_score_": factor,
        "validation_score_": factor,
        "oob_scores_": abs(factor),
        "oob_improvement_": abs(factor),
    }
