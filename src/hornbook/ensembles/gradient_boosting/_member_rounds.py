"""Any regressor as member of boosting, by line search (Friedman 2001, algorithm 1)."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from hornbook.base import member_answers, member_rows, prepare
from hornbook.ensembles.gradient_boosting._tree_rounds import Round
from hornbook.frame import Frame
from hornbook.losses import Regions, line_minimizers
from hornbook.params import Floats

__all__ = ["MemberRounds"]


class MemberRounds:
    """Fits a regressor to the negative gradients in each round, and finds the best factor for it.

    Parameters
    ----------
    estimator : regressor
        What is fitted.
    frame : Frame
        The training rows.
    w : ndarray, optional
        Their weights.
    step : {"gradient", "newton"}
        Whether it is fitted to -g or to -g / h.
    learning_rate : float
        Factor of what is added.
    seed : int
        Seed of the draws of all members.
    before : list and ndarray, optional
        Members of an earlier fit, and their factors.
    """

    def __init__(
        self,
        estimator: Any,
        frame: Frame,
        w: Floats | None,
        step: Literal["gradient", "newton"],
        learning_rate: float,
        *,
        seed: int,
        before: tuple[list[Any], Floats] | None,
    ) -> None:
        self._prepared = prepare(estimator, frame, w, task="regression")
        self._step, self._rate, self._seed = step, learning_rate, seed
        self._members: list[Any] = [] if before is None else list(before[0])
        self._factors: list[float] = [] if before is None else before[1].tolist()

    def add(self, at: Round) -> Floats:
        """Fit a member, and give what it adds to the scores of the training rows."""
        wanted = -at.gradient if self._step == "gradient" else at.newton_target
        member = self._prepared.fit(wanted, at.w, seed=(self._seed + at.number) % 2**32)
        along = np.asarray(member_answers(member, self._prepared.data), dtype=np.float64)
        loss, y, z = at.one_score()
        # rho = argmin sum L(y, z + rho h): a member's scale is arbitrary, so one factor for all rows.
        factor = line_minimizers(loss, y, z, Regions.whole(len(y), at.w), along)[0]
        self._members.append(member)
        self._factors.append(self._rate * float(factor))
        return self._factors[-1] * along

    def latest(self, rows: Any) -> Floats:
        """What the newest member adds to the scores of other rows."""
        return np.asarray(self._factors[-1] * member_answers(self._members[-1], rows))

    def rows_of(self, frame: Frame) -> Any:
        """Other rows as members want them."""
        return member_rows(self._prepared.pattern, frame)

    def model(self) -> dict[str, Any]:
        """The members so far, and their factors."""
        return {"estimators_": list(self._members), "factors_": np.array(self._factors)}
