"""The skeleton of all forests: how they grow, answer and tell about themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Accepts, Description, Floats, Learner, Table, Term, Working
from hornbook.ensembles._bootstrap import Bootstrap, MaxSamples, bootstrap_of
from hornbook.ensembles._fitted_forest import FittedForest, joined, slim
from hornbook.ensembles._forest_parameters import TreeSizes
from hornbook.ensembles._growth import Growth, Rows, batches
from hornbook.ensembles._out_of_bag import OutOfBag
from hornbook.frame import Blocks, Frame, Schema, align
from hornbook.plots import importance
from hornbook.random import seed_of
from hornbook.trees import Categorical, as_categorical, impurity_importance

__all__ = ["ForestMethods"]


class ForestMethods(TreeSizes, Learner):
    """Methods of learners whose fitted model is many trees, ``forest_`` on the columns ``forest_schema_``.

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

    # What not every forest lets choose.
    vote: Any = "soft"
    split: Any = "best"
    top_k: Any = 1
    max_random_splits: Any = None
    splits: Any = "binary"
    subspace: Any = "node"
    _with_codes: Callable[[Blocks], Blocks]  # of classifiers

    def _grow(self, features: Frame, y: NDArray[Any], w: Floats | None, factor: Floats | None) -> None:
        """Grow the forest; ``factor`` are weights of rows inside a tree that do not change the draws."""
        self._check_draws()
        frame = as_categorical(features, self.categorical_features)
        self.forest_schema_ = frame.schema
        self.n_rows_ = len(y)
        self.seed_ = seed_of(self.random_state)
        rows = Rows(frame, y, w, factor, len(getattr(self, "classes_", ())))
        draws = bootstrap_of(self.seed_, len(y), w, self.max_samples) if self.bootstrap else None
        growth = Growth(self, rows, draws, self.seed_, self._threads())
        unseen = self._unseen(rows, draws)
        shares: list[Floats] = []
        plan = list(batches(self.n_estimators, self.max_random_splits))
        for i in self.iterate(len(plan), name="batch of trees"):
            trees = growth.trees(*plan[i])
            small = [slim(tree, **self._needs(rows)) for tree in trees]
            kept = len(small) if unseen is None else self._ask(unseen, small, plan[i][0])
            shares += [impurity_importance(tree, len(frame.schema)) for tree in trees[:kept] if len(tree) > 1]
            self.forest_ = joined([self.forest_, *small[:kept]] if i else small[:kept])
            self.feature_importances_ = _mean_share(shares, len(frame.schema))
            if unseen is not None and self._is_stable(unseen):
                break
        if unseen is not None:
            self._keep(unseen)

    def _check_draws(self) -> None:
        needs = {
            "oob_score": self.oob_score,
            "stop_when_stable": self.stop_when_stable is not None,
            "max_samples": self.max_samples is not None,
        }
        for name, given in needs.items():
            if given and not self.bootstrap:
                raise ValueError(
                    f"{type(self).__name__}: parameter {name!r} is about rows that are drawn or left out, "
                    "but bootstrap is False: set bootstrap=True, or leave it out."
                )
        if self.max_random_splits is not None and self.split == "best":
            raise ValueError(
                f"{type(self).__name__}: parameter 'max_random_splits' bounds the splits that are drawn, but "
                "split is 'best': choose split='top_k' or 'proportional', or leave it out."
            )

    def _needs(self, rows: Rows) -> dict[str, bool]:
        return {
            "classes": rows.n_classes > 0,
            "every_node": self.splits == "multiway",
            "in_parts": self.missing == "fractional",
        }

    def _unseen(self, rows: Rows, draws: Bootstrap | None) -> OutOfBag | None:
        if draws is None or not (self.oob_score or self.stop_when_stable is not None):
            return None
        return OutOfBag(rows.frame, rows.y, rows.w, draws, n_classes=rows.n_classes, hard=self.vote == "hard")

    def _ask(self, unseen: OutOfBag, trees: list[FittedForest], first: int) -> int:
        """Ask new trees about rows they have not seen; how many are kept when the error gets stable."""
        for t, tree in enumerate(trees):
            unseen.add(tree, first + t, self._threads())
            self.record(oob_error=unseen.errors[-1])
            if self._is_stable(unseen):
                return t + 1
        return len(trees)

    def _is_stable(self, unseen: OutOfBag) -> bool:
        return self.stop_when_stable is not None and unseen.is_stable(self.stop_when_stable, self.stable_tol)

    def _keep(self, unseen: OutOfBag) -> None:
        self.oob_score_ = unseen.score()
        self.oob_errors_ = np.array(unseen.errors)
        self.oob_tree_errors_ = np.array(unseen.tree_errors)

    def _coded(self, features: Frame) -> Frame:
        """Rows with the columns the forest was grown on: marked numbers are categories."""
        return align(features, self.forest_schema_)

    def _fitted_schema(self) -> Schema:
        check_is_fitted(self)
        return self.forest_schema_

    def _known(self, X: Any, y: Any, sample_weight: Any) -> Rows:
        """Rows whose target is known, checked and coded as those of the fit."""
        check_is_fitted(self)
        blocks = self._training_blocks(X, y, sample_weight)
        labels = getattr(self, "classes_", ())
        (block,) = self._with_codes(blocks) if len(labels) else self._learn_target(blocks)
        assert block.y is not None  # checked above
        return Rows(self._coded(align(block.X, self.schema_)), block.y, block.w, None, len(labels))

    def _mean(self, features: Frame) -> Floats:
        rows = self._coded(features)
        total = self.forest_.answers(rows, self._threads(), hard=self.vote == "hard")
        return np.asarray(total / len(self.forest_))

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Give the node that each row ends in, tree by tree.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        nodes : ndarray of shape (n_rows, n_trees)
            Numbers of nodes within their tree, 0 for the root; leaves, as in `DecisionTreeClassifier.apply`.
        """
        rows = self._coded(self._prepared(X))
        return np.asarray(self.forest_.apply(rows, self._threads()) - self.forest_.roots)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:  # noqa: ARG002 - the forest is drawn without rows
        return importance(self.feature_importances_, self.forest_schema_.names, ax=ax)

    def _describe(self) -> Description:
        forest = self.forest_
        facts: dict[str, Any] = {
            "trees": len(forest),
            "leaves of a tree": float(forest.n_leaves.mean()),
            "rows of a tree": "drawn with replacement" if self.bootstrap else "all",
        }
        if hasattr(self, "classes_"):
            facts["vote"] = self.vote
        if hasattr(self, "oob_score_"):
            facts["out-of-bag score"] = self.oob_score_
        used = sorted(
            zip(self.feature_importances_, self.forest_schema_.names, strict=True), key=lambda pair: -pair[0]
        )
        table = Table("Importance", ["column", "share"], [[name, float(s)] for s, name in used if s > 0])
        word = "classifier" if hasattr(self, "classes_") else "regressor"
        return Description(f"{self.title} {word} with {len(forest)} trees", facts, [table])

    def _working(self, row: Frame) -> Working:
        """Trees that agree in one line."""
        answers = np.concatenate(list(self.forest_.each(self._coded(row), 1, hard=self.vote == "hard")))
        labels = getattr(self, "classes_", None)
        if labels is None:
            return _quarters(answers[:, 0], float(self._answer(row)[0]))
        chosen = answers.argmax(axis=1)
        terms = [
            Term(_tally((chosen == c).sum(), label), answers[chosen == c].sum(axis=0).tolist())
            for c, label in enumerate(labels.tolist())
            if (chosen == c).any()
        ]
        what = "votes" if self.vote == "hard" else "class shares"
        title = f"The {what} of {len(answers)} trees, by the class they favour"
        return Working(title, "sum", labels.tolist(), terms, self._answer(row)[0])


def _tally(n: int, label: Any) -> str:
    return f"{n} {'tree' if n == 1 else 'trees'} for {label}"


def _quarters(numbers: Floats, answer: float) -> Working:
    """What the lowest, lower, higher and highest quarter of the trees add to the mean."""
    parts = [part for part in np.array_split(np.sort(numbers), 4) if len(part)]
    terms = [
        Term(f"{len(part)} trees from {part[0]:.6g} to {part[-1]:.6g}", [float(part.sum() / len(numbers))])
        for part in parts
    ]
    title = f"What {len(numbers)} trees add to their mean, in order of their answers"
    return Working(title, "sum", ["value"], terms, answer)


def _mean_share(shares: list[Floats], n_columns: int) -> Floats:
    """Mean of the importances in trees that have splits, scaled to sum 1 once more."""
    mean = np.mean(shares, axis=0) if shares else np.zeros(n_columns)
    return np.asarray(mean / (mean.sum() or 1.0))
