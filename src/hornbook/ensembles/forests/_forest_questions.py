"""What a fitted forest can be asked about rows and columns."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from sklearn.base import clone, is_classifier

from hornbook.base import Floats
from hornbook.ensembles.forests._bootstrap import bootstrap_of
from hornbook.ensembles.forests._forest_trees import ForestTrees
from hornbook.ensembles.forests._grow_trees import Rows
from hornbook.ensembles.forests._importance import Importance, impurity_falls, permuted_errors
from hornbook.ensembles.forests._imputation import imputed
from hornbook.ensembles.forests._proximity import outlier_scores, shared_leaves
from hornbook.frame import Frame, require_memory
from hornbook.random import seed_of
from hornbook.trees import as_categorical

__all__ = ["ForestQuestions"]


class ForestQuestions(ForestTrees):
    """Importance of columns, and closeness of rows."""

    def importance(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        kind: Literal["permutation", "impurity"] = "permutation",
        test: bool = True,
        n_repeats: int = 20,
        random_state: Any = 0,
    ) -> Importance:
        """Say how much each column matters.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns), optional
            The rows of the fit, in the same order; ``kind="impurity"`` does without.
        y : array-like of shape (n_rows,), optional
            Their target.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.
        kind : {"permutation", "impurity"}, default "permutation"
            By how much the out-of-bag error (share of wrong classes, mean squared error) of the forest rises
            when the column is shuffled among the rows each tree has not seen; or by how much the splits on
            the column make impurity fall, the mean over the trees, scaled to a maximum of 100. A node counts
            by the share of the rows of X that come to it; without X, of the rows its tree has drawn, and
            each tree counts the same, as in ``feature_importances_``. Where columns say the same, either
            kind gives each of them little.
        test : bool, default True
            Whether to give p-values for ``kind="permutation"``: with r shuffles, 1 plus the number of
            shuffles without a rise, over r + 1.
        n_repeats : int, default 20
            Number of shuffles.
        random_state : int, default 0
            Seed of the draws; a fresh one each time when left out.

        Returns
        -------
        importance : Importance
            ``values``, ``spread`` and ``p_values`` in the order of the columns; prints as a table.
        """
        names = tuple(map(str, self._fitted_schema().names))
        if kind == "impurity":
            falls = self.feature_importances_
            if X is not None:
                falls = self._falls(self._rows_of_fit(X, y, sample_weight, "importance"))
            values = np.asarray(falls * (100.0 / (float(falls.max()) or 1.0)))
            return Importance(names, values, meaning="fall of impurity, the largest being 100")
        if kind != "permutation":
            raise ValueError(f"parameter 'kind' must be 'permutation' or 'impurity'; got {kind!r}.")
        _require_count("n_repeats", n_repeats)
        self._require_draws("ask for kind='impurity'")
        if X is None:
            raise ValueError(
                "importance by permutation asks about the rows of the fit again: pass X and y, or ask for "
                "kind='impurity'."
            )
        rows = self._rows_of_draws(X, y, sample_weight, "importance")
        before, after = permuted_errors(
            self.forest_,
            rows,
            bootstrap_of(self.seed_, len(rows), rows.w, self.max_samples),
            hard=self.vote == "hard",
            n_repeats=n_repeats,
            seed=seed_of(random_state),
            n_threads=self._threads(),
        )
        spread = after.std(axis=1, ddof=1) if n_repeats > 1 else None
        p_values = (1 + (after <= before).sum(axis=1)) / (n_repeats + 1) if test else None
        error = "share of wrong answers" if rows.n_classes else "mean squared error"
        meaning = f"rise of the out-of-bag {error} when shuffled"
        return Importance(names, (after - before).mean(axis=1), spread, p_values, meaning)

    def _falls(self, rows: Rows) -> Floats:
        """Mean over the trees, grown once more, of the falls of impurity by each column."""
        trees = self._grown_again(rows, 0, len(self.forest_))
        total = sum(impurity_falls(tree, rows.frame, rows.w, self._threads()) for tree in trees)
        return np.asarray(total / len(self.forest_))

    def proximity(self, X: Any, others: Any = None) -> Floats:
        """Give the share of trees in which two rows end in the same leaf.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        others : table of shape (n_others, n_columns), optional
            The rows to compare with; those of X when left out.

        Returns
        -------
        proximity : ndarray of shape (n_rows, n_others)
            1 for rows that no tree tells apart.
        """
        rows = self._prepared(X)
        columns = rows if others is None else self._prepared(others)
        remedy = "pass fewer rows at a time, as in proximity(X[:1000], others=X)"
        require_memory(len(rows), len(columns), remedy)
        leaves = self._leaves(rows)
        return shared_leaves(leaves, leaves if columns is rows else self._leaves(columns))

    def _leaves(self, rows: Any) -> Any:
        return self.forest_.apply(self._coded(rows), self._threads())

    def outliers(self, X: Any, y: Any = None) -> Floats:
        """Give Breiman's outlier score of each row: how little it has to do with the rows of its class.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,), optional
            Their classes; those of a Frame with a target when left out. Without any, and for numbers, all
            rows are one class.

        Returns
        -------
        scores : ndarray of shape (n_rows,)
            Number of rows over the sum of squared proximities to the rows of the class, less the median of
            the class, over the mean distance from it. Above 10 is far out.
        """
        leaves = self._leaves(self._prepared(X))
        y = X.y if y is None and isinstance(X, Frame) else y
        if y is None or not hasattr(self, "classes_"):
            return outlier_scores(leaves, np.zeros(len(leaves), dtype=np.int32))
        return outlier_scores(leaves, self._known(X, y, None).y)

    def impute(self, X: Any, y: Any = None, sample_weight: Any = None, *, n_iter: int = 5) -> Frame:
        """Fill missing cells by what close rows have, as Breiman does; the forest itself is left alone.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,), optional
            Their target; a Frame with a target needs none.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.
        n_iter : int, default 5
            How often a forest with these parameters is grown on the filled table and cells are filled anew.

        Returns
        -------
        filled : Frame
            The table without missing cells. They begin as the median or most frequent level of the row's
            class and become the mean or heaviest level of the rows that have one, weighted by proximity.
        """
        _require_count("n_iter", n_iter)
        (block,) = self._training_blocks(X, y, sample_weight)
        target: Any = block.y
        labels = target if is_classifier(self) else np.zeros(len(target))
        groups = np.unique(labels, return_inverse=True)[1]
        frame = as_categorical(block.X, self.categorical_features)

        def leaves_of(filled: Frame) -> Any:
            model = clone(self).set_params(oob_score=False, stop_when_stable=None, categorical_features=None)
            model.fit(filled, target, sample_weight=block.w)
            return model.apply(filled) + model.forest_.roots

        w = np.ones(len(target)) if block.w is None else block.w
        return imputed(frame, groups, w, leaves_of, n_iter)


def _require_count(name: str, value: Any) -> None:
    if not isinstance(value, int | np.integer) or value < 1:
        raise ValueError(f"parameter {name!r} must be an integer in [1, inf); got {value!r}.")
