"""How forests grow: batches of trees, rows out of bag, trees added to an earlier fit."""

from __future__ import annotations

from contextlib import closing
from itertools import islice
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Accepts, Floats, Learner
from hornbook.ensembles.forests._bootstrap import Bootstrap, MaxSamples, bootstrap_of
from hornbook.ensembles.forests._fitted_forest import FittedForest, slim
from hornbook.ensembles.forests._forest_builder import GrowingForest
from hornbook.ensembles.forests._grow_trees import Growth, Rows, batches
from hornbook.ensembles.forests._out_of_bag import OutOfBag
from hornbook.ensembles.forests._parameters import TreeSizes
from hornbook.frame import Frame, Schema
from hornbook.params import Shape
from hornbook.random import seed_of
from hornbook.trees import Categorical, FittedTree, as_categorical, impurity_importance

__all__ = ["ForestGrowing"]

_KEPT = ("forest_", "forest_schema_", "feature_importances_", "seed_", "n_rows_", "classes_")


class ForestGrowing(TreeSizes, Learner):
    """The fit of learners whose fitted model is many trees, ``forest_`` on the columns ``forest_schema_``.

    Attributes
    ----------
    forest_ : FittedForest
        The nodes of all trees as parallel arrays.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each column in the fall of impurity, the mean over the trees.
    seed_ : int
        Seed of the draws.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts()

    forest_: FittedForest
    forest_schema_: Schema
    n_rows_: int
    seed_: int
    feature_importances_: Annotated[Floats, Shape("n_columns")]
    oob_score_: float
    oob_errors_: Annotated[Floats, Shape("n_trees")]
    oob_tree_errors_: Annotated[Floats, Shape("n_trees")]
    title: ClassVar[str]
    random_thresholds: ClassVar[bool] = False

    # Of the group DrawnRows, which comes after all others.
    bootstrap: bool
    max_samples: MaxSamples
    oob_score: bool
    stop_when_stable: Any
    stable_tol: float
    categorical_features: Categorical
    random_state: Any
    warm_start: bool

    # What not every forest lets choose.
    vote: Any = "soft"
    vote_smoothing: float = 0.0
    split: Any = "best"
    top_k: Any = 1
    max_random_splits: Any = None
    splits: Any = "binary"
    subspace: Any = "node"

    def _forget(self) -> None:
        kept = {}
        if self.warm_start and hasattr(self, "forest_"):
            kept = {name: getattr(self, name) for name in _KEPT if hasattr(self, name)}
        super()._forget()
        self._before = kept

    def _fit(self, features: Frame, y: NDArray[Any], w: Floats | None) -> None:
        before = vars(self).pop("_before")
        self._check_draws()
        frame = as_categorical(features, self.categorical_features)
        rows = Rows(frame, y, w, self._factor(y, w), len(getattr(self, "classes_", ())))
        self.forest_schema_ = frame.schema
        self.n_rows_ = len(y)
        self.seed_ = seed_of(self.random_state)
        growth = self._growth(rows) if not before else self._go_on(before, rows)
        self._grow(growth, self._unseen(rows, growth.draws))

    def _factor(self, y: NDArray[Any], w: Floats | None) -> Floats | None:  # noqa: ARG002 - for forests of classes
        """Weights of rows inside a tree that do not change the draws."""
        return None

    def _growth(self, rows: Rows) -> Growth:
        draws = bootstrap_of(self.seed_, len(rows), rows.w, self.max_samples) if self.bootstrap else None
        return Growth(self, rows, draws, self.seed_, self._threads())

    def _go_on(self, before: dict[str, Any], rows: Rows) -> Growth:
        """Take up the trees of the fit before; the new ones are drawn as if all grew at once."""
        same = (
            before["n_rows_"] == len(rows)
            and before["forest_schema_"] == self.forest_schema_
            and np.array_equal(before.get("classes_", ()), getattr(self, "classes_", ()))
        )
        name, have = type(self).__name__, len(before["forest_"])
        if not same:
            raise ValueError(
                f"{name}: warm_start=True adds trees to a forest grown on the same table, but its "
                "columns, classes or number of rows have changed: pass the same one, or set warm_start=False."
            )
        if self.n_estimators < have:
            raise ValueError(
                f"{name}: parameter 'n_estimators' is {self.n_estimators}, but warm_start=True and there are "
                f"{have} trees already: raise it, or set warm_start=False."
            )
        self.seed_, self.forest_ = before["seed_"], before["forest_"]
        self.feature_importances_ = before["feature_importances_"]
        return self._growth(rows)

    def _grow(self, growth: Growth, unseen: OutOfBag | None) -> None:
        """Add trees to those there are, batch by batch."""
        forest = GrowingForest(self.n_estimators if self.stop_when_stable is None else None)
        shares = self._take_up(forest, unseen)
        plan = list(batches(self.n_estimators, len(forest)))
        if self._is_stable(unseen):
            plan = []

        def digest(t: int, grown: FittedTree) -> tuple[FittedForest, Floats, Any]:
            tree = self._slim(grown)
            said = None if unseen is None else unseen.ask(tree, t, 1)  # while others grow
            return tree, impurity_importance(grown, growth.n_columns), said

        def so_far() -> dict[str, Any]:
            mean = _mean_share(shares, growth.n_columns)
            return {"forest_": forest.so_far(), "feature_importances_": mean}

        with closing(growth.each(plan, digest)) as grown:
            for i in self.iterate(len(plan), name="batch of trees", model=so_far):
                for tree, share, said in islice(grown, plan[i][1]):
                    if unseen is not None:
                        self._take(unseen, *said)
                    forest.add(tree)
                    shares += [share] if len(tree.kind) > 1 else []
                    if self._is_stable(unseen):
                        break
                if self._is_stable(unseen):
                    break
        self.forest_ = forest.finished()
        self.feature_importances_ = _mean_share(shares, growth.n_columns)
        if unseen is not None:
            self._keep(unseen)

    def _take_up(self, forest: GrowingForest, unseen: OutOfBag | None) -> list[Floats]:
        """Begin with the trees of the fit before; the importances in those that have splits."""
        if not hasattr(self, "forest_"):
            return []
        if unseen is not None:
            for t in range(len(self.forest_)):
                self._take(unseen, *unseen.ask(self.forest_.tree(t), t, self._threads()))
        forest.add(self.forest_)
        # Only trees with splits count in the mean, and each counts the same.
        return [self.feature_importances_] * int((self.forest_.n_leaves > 1).sum())

    def _check_draws(self) -> None:
        name = type(self).__name__
        needs = {
            "oob_score": self.oob_score,
            "stop_when_stable": self.stop_when_stable is not None,
            "max_samples": self.max_samples is not None,
        }
        for parameter, given in needs.items():
            if given and not self.bootstrap:
                raise ValueError(
                    f"{name}: parameter {parameter!r} is about rows that are drawn or left out, "
                    "but bootstrap is False: set bootstrap=True, or leave it out."
                )
        if self.max_random_splits is not None and self.split == "best":
            raise ValueError(
                f"{name}: parameter 'max_random_splits' bounds the splits that are drawn, but "
                "split is 'best': choose split='top_k' or 'proportional', or leave it out."
            )

    def _slim(self, tree: Any) -> FittedForest:
        """What prediction needs of a tree."""
        return slim(
            tree,
            classes=hasattr(self, "classes_"),
            every_node=self.splits == "multiway",
            in_parts=self.missing == "fractional",
        )

    def _unseen(self, rows: Rows, draws: Bootstrap | None) -> OutOfBag | None:
        if draws is None or not (self.oob_score or self.stop_when_stable is not None):
            return None
        return OutOfBag(rows.frame, rows.y, rows.w, draws, n_classes=rows.n_classes, hard=self.vote == "hard")

    def _take(self, unseen: OutOfBag, rows: NDArray[np.intp], answers: Floats) -> None:
        """Take in what a tree says about the rows it has not seen."""
        unseen.take(rows, answers)
        self.record(oob_error=unseen.errors[-1])

    def _is_stable(self, unseen: OutOfBag | None) -> bool:
        if unseen is None or self.stop_when_stable is None:
            return False
        return unseen.is_stable(self.stop_when_stable, self.stable_tol)

    def _keep(self, unseen: OutOfBag) -> None:
        self.oob_score_ = unseen.score()
        self.oob_errors_ = np.array(unseen.errors)
        self.oob_tree_errors_ = np.array(unseen.tree_errors)


def _mean_share(shares: list[Floats], n_columns: int) -> Floats:
    """Mean of the importances in trees that have splits, scaled to sum 1 once more."""
    mean = np.mean(shares, axis=0) if shares else np.zeros(n_columns)
    return np.asarray(mean / (mean.sum() or 1.0))
