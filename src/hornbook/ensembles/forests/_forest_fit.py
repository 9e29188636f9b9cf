"""One fit of a forest: batches of trees, out-of-bag rows, warm starts."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Learner
from hornbook.ensembles.forests._fitted_forest import FittedForest
from hornbook.ensembles.forests._forest_builder import GrowingForest
from hornbook.ensembles.forests._grow_trees import Growth, KeptTree, MemoryGrowth, batches
from hornbook.ensembles.forests._out_of_bag import OutOfBag
from hornbook.ensembles.forests._settings import ForestSettings
from hornbook.params import Floats

__all__ = [
    "ForestFit",
    "GrownTrees",
    "kept_by_warm_start",
    "trees_before",
]

# What is kept of a grown tree: its nodes, the importance of each column, out-of-bag rows and predictions.
TreeResult = tuple[FittedForest, Floats, tuple[NDArray[np.intp], Floats] | None]


@dataclass(frozen=True)
class GrownTrees:
    """Trees, and the importance of each column.

    Parameters
    ----------
    forest : FittedForest
        The trees.
    importances : ndarray of shape (n_columns,)
        Share of each column in the decrease of impurity, the mean over the trees that have splits.
    """

    forest: FittedForest
    importances: Floats


class ForestFit:
    """One fit of a forest.

    Parameters
    ----------
    growth : Growth
        Grows the trees.
    settings : ForestSettings
        How many trees there are, and whether they are evaluated out of bag.
    learner : Learner
        The learner, whose callbacks see each batch of trees.
    """

    def __init__(self, growth: Growth, settings: ForestSettings, learner: Learner) -> None:
        self._growth, self._settings, self._learner = growth, settings, learner
        # Predictions of the trees for the rows they have not seen.
        self.unseen: OutOfBag | None = None
        if growth.draws is not None and settings.uses_out_of_bag:
            assert isinstance(growth, MemoryGrowth)  # `grows_from_sums` excludes the others
            self.unseen = OutOfBag(growth.rows, growth.draws, hard=settings.is_hard)
        # With early stopping the final number is unknown, and the arrays grow by doubling.
        self._forest = GrowingForest(settings.n_estimators if settings.stop_when_stable is None else None)
        self._shares: list[Floats] = []

    def grow(self, before: GrownTrees | None) -> GrownTrees:
        """Grow the trees that the fit before lacks, batch by batch."""
        if before is not None:
            self._take_up(before)
        plan = list(batches(self._settings.n_estimators, len(self._forest)))
        if self._is_stable():
            plan = []

        def so_far() -> dict[str, Any]:
            return {"forest_": self._forest.so_far(), "feature_importances_": self._importances()}

        # Closing stops the growth of further trees when a callback raises or the error is stable.
        with closing(self._growth.map_kept(plan, self._result)) as grown:
            for i in self._learner.iterate(len(plan), name="batch of trees", model=so_far):
                for result in islice(grown, plan[i][1]):
                    self._add(*result)
                    if self._is_stable():
                        break
                if self._is_stable():
                    break
        return GrownTrees(self._forest.finished(), self._importances())

    def _result(self, t: int, kept: KeptTree) -> TreeResult:
        tree, importance = kept
        answers = None if self.unseen is None else self.unseen.ask(tree, t, 1)  # while others grow
        return tree, importance, answers

    def _add(
        self, tree: FittedForest, share: Floats, answers: tuple[NDArray[np.intp], Floats] | None
    ) -> None:
        if answers is not None:
            self._take(answers)
        self._forest.add(tree)
        # A tree without a split has no importances; counting it would shrink the mean.
        self._shares += [share] if len(tree.kind) > 1 else []

    def _take_up(self, before: GrownTrees) -> None:
        """Start with the trees of the fit before, their out-of-bag predictions and importances."""
        if self.unseen is not None:
            for t in range(len(before.forest)):
                self._take(self.unseen.ask(before.forest.tree(t), t, self._growth.n_threads))
        self._forest.add(before.forest)
        # Only trees with splits count in the mean, and each counts the same.
        self._shares = [before.importances] * int((before.forest.n_leaves > 1).sum())

    def _take(self, answers: tuple[NDArray[np.intp], Floats]) -> None:
        """Add the out-of-bag predictions of a tree."""
        assert self.unseen is not None  # predictions exist only then
        self.unseen.take(*answers)
        self._learner.record(oob_error=self.unseen.errors[-1])

    def _is_stable(self) -> bool:
        """Whether the out-of-bag error is stable, so that no further tree is needed."""
        n_trees = self._settings.stop_when_stable
        if self.unseen is None or n_trees is None:
            return False
        return self.unseen.is_stable(n_trees, self._settings.stable_tol)

    def _importances(self) -> Floats:
        """Mean of the importances in trees that have splits, scaled to sum to 1 again."""
        mean = np.mean(self._shares, axis=0) if self._shares else np.zeros(self._growth.n_columns)
        return np.asarray(mean / (mean.sum() or 1.0))


def kept_by_warm_start(fitted: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes that the next fit needs of this one; none before the first."""
    names = (
        "forest_",
        "forest_schema_",
        "feature_importances_",
        "seed_",
        "n_rows_",
        "classes_",
        "n_outputs_",
    )
    return {name: fitted[name] for name in names if name in fitted} if "forest_" in fitted else {}


def trees_before(
    before: Mapping[str, Any], now: Mapping[str, Any], settings: ForestSettings
) -> GrownTrees | None:
    """The trees that a warm start adds to; an error if the table changed, or if there are too many."""
    if not before:
        return None
    same = (
        before["n_rows_"] == now["n_rows_"]
        and before["forest_schema_"] == now["forest_schema_"]
        and _same_classes(before.get("classes_", ()), now.get("classes_", ()))
        and before.get("n_outputs_", 1) == now.get("n_outputs_", 1)
    )
    learner, n_trees, have = settings.trees.learner, settings.n_estimators, len(before["forest_"])
    if not same:
        raise ValueError(
            f"{learner}: warm_start=True adds trees to a forest grown on the same table, but its "
            "columns, classes or number of rows have changed: pass the same one, or set warm_start=False."
        )
    if n_trees < have:
        raise ValueError(
            f"{learner}: parameter 'n_estimators' is {n_trees}, but warm_start=True and there are "
            f"{have} trees already: raise it, or set warm_start=False."
        )
    if n_trees == have:
        warnings.warn(
            f"{learner}: Warm-start fitting without increasing n_estimators does not fit new trees.",
            stacklevel=2,
        )
    return GrownTrees(before["forest_"], before["feature_importances_"])


def _same_classes(one: Any, other: Any) -> bool:
    """Whether two fits have the same classes, of each target where there are several."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(np.array_equal, one, other))
    return not isinstance(one, list) and not isinstance(other, list) and np.array_equal(one, other)
