"""One fit of boosting: rounds, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Learner
from hornbook.ensembles.gradient_boosting._pair_scores import PairScores, is_native
from hornbook.ensembles.gradient_boosting._progress import Held, Improves, LossCurves, mean_loss
from hornbook.ensembles.gradient_boosting._row_sampling import RowSampling
from hornbook.ensembles.gradient_boosting._tree_rounds import (
    Members,
    Round,
    RoundMaker,
    TreeBefore,
    TreeRounds,
)
from hornbook.losses import Loss
from hornbook.params import Floats

__all__ = ["BoostingFit", "StoppingRule", "require_finite", "require_shapes"]


@dataclass(frozen=True)
class StoppingRule:
    """When boosting stops early.

    Parameters
    ----------
    judge : {"held_out", "oob", "train"}
        The rows whose loss must improve.
    improves : callable
        Whether it does.
    n_rounds : int
        How many rounds it looks back.
    tol : float
        What counts as better.
    score : callable, optional
        Score of a model on the held-out rows, or on those of the fit if none are, in place of the loss;
        larger is better.
    """

    judge: Literal["held_out", "oob", "train"]
    improves: Improves
    n_rounds: int
    tol: float
    score: Callable[[dict[str, Any]], float] | None = None

    def is_over(self, curves: LossCurves) -> bool:
        """Whether no further round is needed."""
        if self.judge == "oob":
            # Cumulative improvement on rows not drawn (Friedman 2002), negated so that smaller is
            # better.
            curve = np.negative(np.cumsum(curves.improvement)).tolist()
        else:
            curve = curves.validation if self.judge == "held_out" else curves.train
        return not self.improves(curve, self.n_rounds, self.tol)


class BoostingFit:
    """Adds members to scores, one round after the other.

    Parameters
    ----------
    learner : Learner
        The learner, whose callbacks see each round.
    loss : Loss
        What is minimized.
    maker : RoundMaker
        Makes the members.
    y : ndarray
        Targets of the training rows.
    w : ndarray, optional
        Their weights.
    z : ndarray of shape (n_rows,) or (n_rows, n_scores)
        Their scores, which may be changed.
    sampling : RowSampling
        Rows of each round.
    held : Held, optional
        Rows that are watched.
    rule : StoppingRule, optional
        When to stop early.
    """

    def __init__(
        self,
        learner: Learner,
        loss: Loss,
        maker: RoundMaker,
        y: NDArray[Any],
        w: Floats | None,
        z: Floats,
        sampling: RowSampling,
        held: Held | None,
        rule: StoppingRule | None,
    ) -> None:
        self._learner, self._loss, self._maker = learner, loss, maker
        self._members: Members = maker
        self._y, self._w, self._z = y, w, z
        self._sampling, self._held, self._rule = sampling, held, rule
        self._pairs: PairScores | None = None
        # The native path keeps scores, pairs and trees together; sampling and other losses need
        # arrays.
        trees = maker if isinstance(maker, TreeRounds) and maker.takes_pairs and sampling.takes_all else None
        if trees is not None and is_native(loss):
            self._pairs = PairScores(loss, y, w, z, trees.n_threads)
            self._z = self._pairs.z
        self._done = 0

    def run(self, curves: LossCurves, first: int, last: int, *, train_loss: bool, from_start: bool) -> int:
        """Make the rounds from number ``first`` on, and say how many there are in all.

        ``train_loss`` is whether the loss of the training rows is computed after each, and ``from_start``
        whether the curves begin before the first.
        """
        self._done = first
        if from_start and not first:
            self._record(curves, self._loss, train_loss=train_loss)
        if first and self._rule is not None and self._rule.is_over(curves):
            return first
        for _ in self._learner.iterate(last - first, name="round", model=self._so_far):
            loss = self._add(self._done, curves)
            self._done += 1
            self._record(curves, loss, train_loss=train_loss)
            if self._rule is not None and self._rule.is_over(curves):
                break
        return self._done

    def _so_far(self) -> dict[str, Any]:
        return {**self._members.model(), "n_iter_": self._done}

    def _add(self, t: int, curves: LossCurves) -> Loss:
        """Make round t: a member for each score."""
        if self._pairs is not None:
            return self._add_trees(self._pairs)
        y, w, z = self._y, self._w, self._z
        # Huber's loss sets its width by a quantile of the current residuals, anew in each round.
        loss = self._loss.adapted(y, z, w)
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is an error, not a warning
            gradient, hessian = (np.asarray(part, dtype=np.float64) for part in loss.derivatives(y, z))
        require_finite(loss, gradient, hessian, y, z, type(self._learner).__name__, t)
        unseen: NDArray[np.intp] | None = None
        if not self._sampling.takes_all:
            factors = self._sampling.factors(t, gradient, w)
            unseen = np.flatnonzero((factors == 0) if w is None else (factors == 0) & (w > 0))
            before = self._unseen_loss(loss, unseen)
            w = factors if w is None else w * factors
        # All members of a round see the scores before it.
        n_scores = 1 if z.ndim == 1 else z.shape[1]
        updates = [
            self._maker_update(
                Round(t * n_scores + k, loss, y, z, k, _column(gradient, k), _column(hessian, k), w)
            )
            for k in range(n_scores)
        ]
        z += updates[0] if z.ndim == 1 else np.column_stack(updates)
        if unseen is not None:
            after = self._unseen_loss(loss, unseen)
            curves.unseen.append(after)
            curves.improvement.append(before - after)
        return loss

    def _add_trees(self, pairs: PairScores) -> Loss:
        """The same for trees of gradient pairs on all rows, without going over them more than needed."""
        assert isinstance(self._maker, TreeRounds)  # others have no pairs
        if not pairs.is_finite:
            self._require_finite_pairs()
        try:
            pairs.advance(self._maker, self._done)
        except ValueError:  # derivatives whose sizes add up to infinity, though they cancel in `is_finite`
            self._require_finite_pairs()
            raise
        if self._held is not None:
            n_scores = 1 if self._z.ndim == 1 else self._z.shape[1]
            for k in range(n_scores):
                self._held.add(TreeBefore(self._maker, n_scores - k), k)
        return self._loss

    def _require_finite_pairs(self) -> None:
        """Name the row and value in the error: derivatives are computed again for that alone."""
        with np.errstate(over="ignore", invalid="ignore"):
            gradient, hessian = self._loss.derivatives(self._y, self._z)
        require_finite(
            self._loss, gradient, hessian, self._y, self._z, type(self._learner).__name__, self._done
        )

    def _maker_update(self, at: Round) -> Floats:
        update = self._maker.add(at)
        if self._held is not None:
            self._held.add(self._maker, at.k)
        return update

    def _unseen_loss(self, loss: Loss, rows: NDArray[np.intp]) -> float:
        w = None if self._w is None else self._w[rows]
        return mean_loss(loss, self._y[rows], self._z[rows], w) if len(rows) else 0.0

    def _train_loss(self, loss: Loss) -> float:
        return mean_loss(loss, self._y, self._z, self._w)

    def _minus(self, score: Callable[[dict[str, Any]], float] | None) -> float:
        """A score as a loss of the model so far."""
        assert score is not None  # asked for where there is one
        return -score(self._members.model())

    def _record(self, curves: LossCurves, loss: Loss, *, train_loss: bool) -> None:
        seen: dict[str, float] = {}
        score = None if self._rule is None else self._rule.score
        if train_loss:
            by_score = score is not None and self._held is None
            curves.train.append(self._minus(score) if by_score else self._train_loss(loss))
            seen["train_loss"] = curves.train[-1]
        if self._held is not None:
            curves.validation.append(self._held.loss(loss) if score is None else self._minus(score))
            seen["validation_loss"] = curves.validation[-1]
        if any(np.isnan(value) for value in seen.values()):
            raise ValueError(
                f"{type(self._learner).__name__}: after round {self._done}, {_judge(loss, score)} is nan: "
                "lower learning_rate, or choose one that is a number there."
            )
        if curves.improvement:
            seen["oob_improvement"] = curves.improvement[-1]
        self._learner.record(**seen)


def _judge(loss: Loss, score: Callable[[dict[str, Any]], float] | None) -> str:
    return f"the value of {type(loss).__name__}" if score is None else "what scoring returns"


def require_finite(
    loss: Loss, gradient: Floats, hessian: Floats, y: NDArray[Any], z: Floats, learner: str, t: int
) -> None:
    """Reject derivatives in round t that are not finite, or whose sizes add up to infinity."""
    for name, values in (("first", gradient), ("second", hessian)):
        sizes = np.abs(values)
        # One sum instead of a test of each value: it is finite for nearly all rounds.
        with np.errstate(over="ignore", invalid="ignore"):
            total = sizes.sum()
        if not np.isfinite(total):
            # The first value that is not finite, or else the largest.
            sizes[np.isnan(sizes)] = np.inf
            place = np.unravel_index(sizes.argmax(), sizes.shape)
            raise ValueError(
                f"{learner}: the {name} derivative of {type(loss).__name__} is {values[place]} in round "
                f"{t + 1}, for a target of {y[place[0]]} and a score of {z[place]:g}: lower learning_rate, "
                "or choose a loss that is finite there."
            )


def require_shapes(loss: Loss, y: NDArray[Any], learner: str) -> None:
    """Reject a loss of one's own that does not return a number for each row."""
    z = np.zeros(len(y))
    for name, values in (
        ("value", loss.value(y, z)),
        *zip(_DERIVATIVES, loss.derivatives(y, z), strict=True),
    ):
        if np.shape(values) != z.shape:
            raise ValueError(
                f"{learner}: the {name} of {type(loss).__name__} has shape {np.shape(values)} for scores of "
                f"shape {z.shape}: return one number for each."
            )


_DERIVATIVES = ("first derivative", "second derivative")


def _column(values: Floats, k: int) -> Floats:
    return values if values.ndim == 1 else np.ascontiguousarray(values[:, k])
