"""Starts of expectation maximization: passes until nothing changes, and what is done about collapses."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from hornbook.clustering._column_moments import ColumnMoments
from hornbook.clustering.mixture._components import Collapse, MixtureModel, NormalComponents
from hornbook.clustering.mixture._em import step
from hornbook.clustering.mixture._initialization import Starter
from hornbook.frame import Blocks

__all__ = ["MixtureFit", "MixtureRun"]

RESTARTS = 5  # of a start in which a component collapses
POINT = 2.0  # times reg_covar: a component that is no wider in any direction is a point
STEADIER = ("diag", "tied", "equal_determinant")  # covariances with less freedom to collapse
WIDE = 1000.0  # times reg_covar: columns that are no wider than this are expected to look like points


@dataclass(frozen=True)
class MixtureRun:
    """Result of one start; ``collapse`` says which component is a point, if one is."""

    components: NormalComponents
    bound: float
    n_iter: int
    converged: bool
    collapse: str | None = None


class MixtureFit:
    """Runs of expectation maximization on the same rows.

    Parameters
    ----------
    learner : GaussianMixture
        Its parameters, and the callbacks that see each pass.
    blocks : Blocks
        The rows.
    columns : ColumnMoments
        Of these rows.
    model : MixtureModel
        What components may be.
    keep : callable
        Called with components, mean log-likelihood and number of a pass, before callbacks see its end.
    """

    def __init__(
        self,
        learner: Any,
        blocks: Blocks,
        columns: ColumnMoments,
        model: MixtureModel,
        keep: Callable[[NormalComponents, float, int], None],
    ) -> None:
        self.learner = learner
        self.blocks = blocks
        self.columns = columns
        self.model = model
        self.keep = keep

    def best(self, starter: Starter) -> MixtureRun:
        """The start with the greatest likelihood; those with a collapsed component come last."""
        best: MixtureRun | None = None
        n, inner = self.learner.n_init, self.learner.max_iter * self._tries(starter)
        for start in self.learner.iterate(n, name="start", inner=inner) if n > 1 else range(1):
            run = self._repeated(starter, start)
            # The likelihood has no bound where a component shrinks to a point (Day 1969): a collapsed start
            # with a greater one is not better.
            if best is None or (run.collapse is None, run.bound) > (best.collapse is None, best.bound):
                best = run
        assert best is not None
        return best

    def continued(self, components: NormalComponents, bound: float) -> MixtureRun:
        """A single run from given components, whose likelihood was ``bound``."""
        try:
            return self._run(components, 0, bound)
        except Collapse as collapse:
            raise self._refusal(collapse, 1) from None

    def _repeated(self, starter: Starter, start: int) -> MixtureRun:
        """A run in which no component collapses, if one of several draws leads to it."""
        tries = self._tries(starter)
        collapses: list[str] = []
        usable: MixtureRun | None = None
        for attempt in range(tries):
            try:
                run = self._run(starter.components(start + attempt * self.learner.n_init), start, runs=tries)
            except Collapse as collapse:
                collapses.append(str(collapse))
                continue
            usable = run
            if run.collapse is None:
                break
            collapses.append(run.collapse)
        if usable is None:
            raise self._refusal(collapses[0], tries)
        if collapses:
            self._warn(collapses, tries, usable)
        return usable

    @staticmethod
    def _tries(starter: Starter) -> int:
        """How often a start may be made from other draws."""
        return 1 if starter.given.complete else 1 + RESTARTS

    def _run(
        self, components: NormalComponents, start: int, bound: float = -math.inf, runs: int = 1
    ) -> MixtureRun:
        learner, spread = self.learner, np.sqrt(self.columns.variance)
        spread[spread == 0] = 1.0
        n_iter, converged, collapse = 0, False, None
        for i in learner.iterate(learner.max_iter, name="pass", runs=runs):
            try:
                now = step(self.blocks, components, self.model, self.columns.variance)
            except Collapse as reason:
                collapse = reason  # raised below: the callbacks have to see the end of this pass
                break
            shift = float(np.abs((now.components.means - components.means) / spread).max())
            learner.record(start=start, lower_bound=now.bound, shift=shift)
            change = shift if learner.convergence == "means" else abs(now.bound - bound)
            components, bound, n_iter = now.components, now.bound, i + 1
            self.keep(components, bound, n_iter)
            converged = change < learner.tol
            if converged:
                break
        if collapse is not None:
            raise collapse
        return MixtureRun(components, bound, n_iter, converged, self._point(components))

    def _point(self, components: NormalComponents) -> str | None:
        """Which component is held open by regularization alone, in words."""
        least = self.model.reg_covar
        if not least > 0 or not self.columns.variance.max() > WIDE * least:
            return None
        widths = self.model.variances(components).max(axis=1)
        points = np.flatnonzero(widths <= POINT * least)
        return f"component {points[0]} is no wider than reg_covar in any direction" if len(points) else None

    def _warn(self, collapses: list[str], tries: int, run: MixtureRun) -> None:
        times = f"{len(collapses)} of {min(len(collapses) + 1, tries)} starts"
        if run.collapse is None:
            outcome = "the start was repeated from other draws"
        else:
            outcome = "as rows repeat each other or are too few, it is kept: lower n_components"
        warnings.warn(
            f"GaussianMixture: {collapses[0]}, in {times}; {outcome}.", ConvergenceWarning, stacklevel=9
        )

    def _refusal(self, collapse: str | Collapse, tries: int) -> ValueError:
        times = "" if tries == 1 else f" in the first of {tries} starts, and no other start did better"
        others = [repr(kind) for kind in STEADIER if kind != self.learner.covariance_type]
        return ValueError(
            f"GaussianMixture: {collapse}{times}: lower n_components, raise reg_covar (now "
            f"{self.model.reg_covar:g}), or choose covariance_type={' or '.join(others)}."
        )
