"""What the single trees of a forest can be asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Floats
from hornbook.ensembles.forests._bootstrap import bootstrap_of
from hornbook.ensembles.forests._forest_methods import ForestMethods
from hornbook.ensembles.forests._grow_trees import Rows
from hornbook.ensembles.forests._out_of_bag import OutOfBag, mean_error
from hornbook.ensembles.forests._single_tree import as_learner, same_tree
from hornbook.trees import FittedTree

__all__ = ["ForestTrees"]


class ForestTrees(ForestMethods):
    """Errors of the first trees, and trees grown once more."""

    def _require_draws(self, otherwise: str) -> None:
        if not self.bootstrap:
            raise ValueError(
                f"{type(self).__name__} was fitted with bootstrap=False, so every tree has seen every row: "
                f"fit with bootstrap=True, or {otherwise}."
            )

    def staged_errors(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        oob: bool = False,
        unvoted: Literal["skip", "first"] = "skip",
    ) -> Floats:
        """Give the error of the first 1, 2, ... trees together; `hornbook.plots.staged_error` draws it.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows; with ``oob`` those of the fit, in the same order.
        y : array-like of shape (n_rows,), optional
            Their target; a Frame with a target needs none.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.
        oob : bool, default False
            Whether each row is answered only by the trees that have not seen it.
        unvoted : {"skip", "first"}, default "skip"
            With ``oob``, what happens to rows that all trees so far have seen: they are left out, as in
            ``oob_errors_``, or are taken for the first class, so that the divisor is the number of all rows.

        Returns
        -------
        errors : ndarray of shape (n_trees,)
            Shares of wrong classes, or mean squared errors.
        """
        if unvoted not in ("skip", "first"):
            raise ValueError(f"parameter 'unvoted' must be 'skip' or 'first'; got {unvoted!r}.")
        if unvoted == "first" and not (oob and hasattr(self, "classes_")):
            raise ValueError("unvoted='first' is about classes out of bag: set oob=True, or leave it out.")
        hard, n_threads = self.vote == "hard", self._threads()
        if not oob:
            rows, total, errors = self._known(X, y, sample_weight), np.zeros((1, 1)), []
            for t, answers in enumerate(self.forest_.each(rows.frame, n_threads, hard=hard)):
                total = total + answers
                errors.append(mean_error(total / (t + 1), rows.y, rows.w, classes=rows.n_classes > 0))
            return np.array(errors)
        check_is_fitted(self)
        self._require_draws("leave out oob")
        rows = self._rows_of_draws(X, y, sample_weight, "staged_errors with oob=True")
        draws = bootstrap_of(self.seed_, len(rows), rows.w, self.max_samples)
        unseen, errors = OutOfBag(rows.frame, rows.y, rows.w, draws, n_classes=rows.n_classes, hard=hard), []
        for t in range(len(self.forest_)):
            unseen.add(self.forest_.tree(t), t, n_threads)
            errors.append(unseen.error if unvoted == "skip" else unseen.error_of_all_rows)
        return np.array(errors)

    def _rows_of_draws(self, X: Any, y: Any, sample_weight: Any, asked: str) -> Rows:
        """Rows of the fit, of which the seed tells who has seen them; the first tree must grow from them."""
        rows = self._rows_of_fit(X, y, sample_weight, asked)
        (first,) = self._growth(rows).each([(0, 1)], lambda _, tree: tree)
        if not same_tree(self._slim(first), self.forest_.tree(0)):
            raise ValueError(
                f"{asked} needs the rows of the fit, but from these grows another tree: pass the same table, "
                "target and weights, in the same order."
            )
        return rows

    def tree(self, t: int, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Grow one tree of the forest once more, as a learner that can be drawn, read and asked.

        Parameters
        ----------
        t : int
            Number of the tree, from 0.
        X : table of shape (n_rows, n_columns)
            The rows of the fit, in the same order; the forest itself keeps only what prediction needs.
        y : array-like of shape (n_rows,), optional
            Their target; a Frame with a target needs none.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        tree : DecisionTreeClassifier or DecisionTreeRegressor
            The tree with the counts and impurities of all nodes, on the rows that it has drawn.
        """
        check_is_fitted(self)
        if not isinstance(t, int | np.integer) or not 0 <= t < len(self.forest_):
            raise ValueError(f"there is no tree {t!r}: the forest has trees 0 to {len(self.forest_) - 1}.")
        (grown,) = self._grown_again(self._rows_of_fit(X, y, sample_weight, "tree"), t, t + 1)
        return as_learner(self, grown)

    def _grown_again(self, rows: Rows, begin: int, end: int) -> Iterator[FittedTree]:
        """Trees with all that is known of their nodes; refused if they are not those of the forest."""
        for t, tree in enumerate(
            self._growth(rows).each([(begin, end - begin)], lambda _, tree: tree), begin
        ):
            if not same_tree(self._slim(tree), self.forest_.tree(t)):
                raise ValueError(
                    f"tree {t} cannot be grown again: rows, target, weights or parameters are not "
                    "those of the fit: pass the same table."
                )
            yield tree
