"""Counting pairs of columns, for learners whose model follows from them."""

from __future__ import annotations

from hornbook.bayes.models._aode_model import Estimates
from hornbook.bayes.models._counting import Counting
from hornbook.bayes.models._factors import Smoothing
from hornbook.bayes.models._pairs import Codes, PairStatistics, count_pairs, every_column, require_room
from hornbook.bayes.models._statistics import CountingPlan
from hornbook.frame import Blocks, Moments

__all__ = ["PairCounting"]


class PairCounting(Counting):
    """Count the pairs of some columns, all unless the learner says otherwise, with every column."""

    smoothing: Smoothing
    alpha: float
    var_smoothing: float
    statistics_: PairStatistics

    def _counted_parents(self, plan: CountingPlan) -> Codes:
        return every_column(plan)

    def _check_plan(self, plan: CountingPlan, n_rows: int | None = None) -> None:
        require_room(plan, self._counted_parents(plan), n_rows)

    def _counted(self, blocks: Blocks, plan: CountingPlan) -> PairStatistics:
        return count_pairs(blocks, plan, self._counted_parents(plan), self._threads())

    def _normal_moments(self, statistics: PairStatistics) -> Moments | None:
        return statistics.single.moments if self.density == "gaussian" else None

    def _estimates(self) -> Estimates:
        return Estimates(self.smoothing, self.alpha, self.var_smoothing)
