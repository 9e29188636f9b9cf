"""Three ways to count: at fit, batch by batch, and lazily at prediction."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from hornbook.bayes.models._statistics import CountingPlan, Kept, bins_of, kept_of
from hornbook.bayes.models._variances import VarScale, constant_columns, warn_of_constant
from hornbook.frame import Blocks, Moments, Schema
from hornbook.params import Floats, Shape

__all__ = ["Counting"]


class Counting:
    """Learners whose model follows from counts; they define what to count and the model built from it."""

    lazy: bool
    density: Any  # a string: which ones there are, learners say
    n_bins: int
    var_scale: VarScale = "column"
    classes_: Annotated[NDArray[Any], Shape("n_classes")]
    schema_: Schema
    kept_: Kept
    plan_: CountingPlan
    statistics_: Any
    factors_: Any
    _threads: Any
    _prior: Any
    _check_settings: Callable[[], None]
    _counted: Callable[[Blocks, CountingPlan], Any]  # the sums over the rows
    _factors: Callable[[Any, CountingPlan], Any]  # the model that follows from them
    _check_plan: Callable[..., None]  # rejects tables too large for the memory, or for this number of rows

    def _fit_blocks(self, blocks: Blocks) -> None:
        self._start(blocks)
        if self.lazy:
            self._warn_of_empty(np.asarray(np.isnan(self.kept_.numbers).all(axis=0)))
        else:
            self._warn_of_empty(self.statistics_.empty(self.plan_))
            self._warn_of_constant(self.statistics_)

    def _start(self, blocks: Blocks) -> None:
        self._check_settings()
        # A lazy learner may get more rows before the first prediction, so it only stores them.
        if self.lazy:
            self.kept_ = blocks.reduce(kept_of, merge=Kept.merge)
        else:
            self.plan_ = self._plan(blocks)
            self.statistics_ = self._counted(blocks, self.plan_)
            self.factors_ = self._factors(self.statistics_, self.plan_)

    def _partial_fit(self, blocks: Blocks) -> None:
        if hasattr(self, "kept_"):
            self.kept_ = self.kept_.merge(blocks.reduce(kept_of, merge=Kept.merge))
        elif hasattr(self, "statistics_"):
            old, plan = self.plan_, replace(self.plan_, n_levels=self._n_levels())
            self._check_plan(plan)
            # Old counts move to the layout with the new levels before both are added.
            before = self.statistics_.widened(old.table_sizes, plan.table_sizes)
            self.plan_, self.statistics_ = plan, before.merge(self._counted(blocks, plan))
            self.factors_ = self._factors(self.statistics_, plan)
        else:
            self._start(blocks)

    def _n_levels(self) -> NDArray[np.int32]:
        columns = self.schema_.columns
        return np.array([len(columns[j].levels) for j in self.schema_.coded], dtype=np.int32)

    def _plan(self, blocks: Blocks) -> CountingPlan:
        # Bin edges are fixed here; later batches are counted in the same bins.
        edges = bins_of(blocks, self.n_bins) if self.density == "bins" else None
        plan = CountingPlan(len(self.classes_), self._n_levels(), edges, keep_rows=self.density == "kernel")
        self._check_plan(plan, blocks.n_rows)
        return plan

    def _current_model(self) -> Any:
        """The model to predict with; a lazy learner counts its rows for it now."""
        if not hasattr(self, "kept_"):
            return self.factors_
        return self._factors(*self._sums())

    def _sums(self) -> tuple[Any, CountingPlan]:
        """The counts, and what was counted."""
        if not hasattr(self, "kept_"):
            return self.statistics_, self.plan_
        blocks = self.kept_.blocks(self.schema_, self._threads())
        plan = self._plan(blocks)
        statistics = self._counted(blocks, plan)
        self._warn_of_constant(statistics)
        return statistics, plan

    def _warn_of_empty(self, empty: NDArray[np.bool_]) -> None:
        for j in self.schema_.numeric[empty]:
            name = self.schema_.names[j]
            warnings.warn(f"column {name!r} has no values: it is left out.", UserWarning, stacklevel=7)

    def _normal_moments(self, _: Any) -> Moments | None:
        """The moments that determine the normal densities of single columns; None if there are none."""
        return None

    def _warn_of_constant(self, statistics: Any) -> None:
        moments = self._normal_moments(statistics)
        if moments is not None:
            warn_of_constant(
                constant_columns(moments), statistics.class_mass, self.schema_, self.classes_, self.var_scale
            )

    @property
    def class_count_(self) -> Floats:
        """Weight of each class."""
        if hasattr(self, "kept_"):
            mass = np.bincount(self.kept_.y, weights=self.kept_.w, minlength=len(self.classes_))
            return mass.astype(np.float64)
        return np.asarray(self.statistics_.class_mass)

    @property
    def class_prior_(self) -> Floats:
        """Probability of each class."""
        return np.asarray(self._prior(self.class_count_))
