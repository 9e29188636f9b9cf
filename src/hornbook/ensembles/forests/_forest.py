"""Base class of all forests: the fit, the fitted trees, and the analyses they allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from hornbook._scikit import available_if
from hornbook.base import (
    Accepts,
    Description,
    Learner,
    answers_of_targets,
    classes_of_targets,
    codes_of_targets,
    draw_beside_rows,
    evenly_by_target,
    learn_targets,
    predict_log_proba,
    predict_proba,
    tags_of_targets,
)
from hornbook.ensembles._staged import staged_errors
from hornbook.ensembles.forests._block_growth import ForestBlocks, growth_on_blocks
from hornbook.ensembles.forests._description import describe_forest, draw_importance
from hornbook.ensembles.forests._fitted_forest import FittedForest
from hornbook.ensembles.forests._forest_fit import ForestFit, kept_by_warm_start, trees_before
from hornbook.ensembles.forests._grow_trees import ForestRows, Growth, MemoryGrowth
from hornbook.ensembles.forests._importance import Importance, mean_impurity_decreases, permutation_importance
from hornbook.ensembles.forests._imputation import impute
from hornbook.ensembles.forests._out_of_bag import OutOfBag, seen_errors, unseen_errors
from hornbook.ensembles.forests._parameters import ForestParameters
from hornbook.ensembles.forests._proximity import outlier_scores, shared_leaves
from hornbook.ensembles.forests._settings import ForestSettings, forest_settings, require_count, votes_hard
from hornbook.ensembles.forests._single_tree import (
    ForestTrees,
    TreeLearner,
    decision_path,
    require_first_tree,
    require_one_target,
    require_rows,
    samples_of_trees,
    tree_of_fit,
)
from hornbook.frame import Blocks, Frame, Schema, align, require_memory
from hornbook.params import Floats, Shape
from hornbook.random import seed_of
from hornbook.trees import as_categorical, in_memory, require_categories, settings_of, warn_of_friedman

__all__ = ["Forest"]


class Forest(ForestParameters, Learner):
    """Learners whose fitted model is many trees, ``forest_`` on the columns ``forest_schema_``.

    Attributes
    ----------
    forest_ : FittedForest
        The nodes of all trees as parallel arrays.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each column in the decrease of impurity, the mean over the trees.
    estimators_ : sequence of DecisionTreeClassifier or DecisionTreeRegressor
        The trees; also those of ``len``, ``[]`` and iteration. Each is made when it is asked for, from what
        the forest keeps: not the numbers of rows, nor for numbers the impurities, of nodes.
    estimators_samples_ : list of ndarray
        The rows of each tree, as often as they were drawn; drawn again from the seed.
    seed_ : int
        Seed of the draws.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    wants: ClassVar[Literal["frame"]] = "frame"
    accepts: ClassVar[Accepts] = Accepts(sparse=True, densified=True, multi_output=True)
    title: ClassVar[str]
    n_outputs_: int = 1

    _learn_target = learn_targets
    _with_codes = codes_of_targets
    _answer = answers_of_targets
    _evenly = evenly_by_target
    predict_proba = predict_proba
    predict_log_proba = predict_log_proba

    whole_table_first: ClassVar[bool] = True
    whole_table_remedy: ClassVar[str] = "set max_bins=255 and leave out oob_score, or pass blocks.to_frame()"

    forest_: FittedForest
    forest_schema_: Schema
    n_rows_: int
    seed_: int
    feature_importances_: Annotated[Floats, Shape("n_columns")]
    oob_score_: float
    oob_errors_: Annotated[Floats, Shape("n_trees")]
    oob_tree_errors_: Annotated[Floats, Shape("n_trees")]

    def _takes_several(self) -> bool:
        """Whether it can be fitted to several targets, with these parameters."""
        return settings_of(self).takes_several and not votes_hard(self)

    def _warns_of_columns(self) -> bool:
        return not self._takes_several()

    def __sklearn_tags__(self) -> Tags:
        return tags_of_targets(super().__sklearn_tags__(), several=self._takes_several())

    def _factors(self, blocks: Blocks) -> Floats | None:  # noqa: ARG002 - for classes
        """Class weights inside a tree, which do not change the draws."""
        return None

    def _known_target(self, blocks: Blocks) -> Blocks:
        """Rows passed after the fit, with their target encoded as in the fit."""
        return self._learn_target(blocks)

    def _forget(self) -> None:
        kept = kept_by_warm_start(vars(self)) if self.warm_start else {}
        super()._forget()
        self._before = kept

    def _fit(self, features: Frame, y: NDArray[Any], w: Floats | None) -> None:
        frame = as_categorical(features, self.categorical_features)
        self._grow(frame.schema, len(y), partial(self._growth, self._rows(frame, y, w)))

    @available_if(lambda forest: forest.max_bins is not None and forest_settings(forest).grows_from_sums)
    def _fit_blocks(self, blocks: Blocks) -> None:
        require_categories(blocks.schema.features, self.categorical_features)
        rows = ForestBlocks(blocks, self._factors(blocks), self._n_classes())
        self._grow(rows.schema, blocks.n_rows, lambda settings: growth_on_blocks(rows, settings, self.seed_))

    def _grow(self, schema: Schema, n_rows: int, growth: Callable[[ForestSettings], Growth]) -> None:
        before, settings = vars(self).pop("_before"), forest_settings(self)
        settings.refuse_contradictions()
        warn_of_friedman(self)
        self.forest_schema_, self.n_rows_, self.seed_ = schema, n_rows, seed_of(self.random_state)
        trees = trees_before(before, vars(self), settings)
        self.seed_ = before.get("seed_", self.seed_)  # further trees continue the draws of the first fit
        grown = (fit := ForestFit(made := growth(settings), settings, self)).grow(trees)
        self._draws = made.draws
        self.forest_, self.feature_importances_ = grown.forest, grown.importances
        if fit.unseen is not None:
            self._keep(fit.unseen)

    def _rows(self, frame: Frame, y: NDArray[Any], w: Floats | None) -> ForestRows:
        several = classes_of_targets(self)
        if several is None:
            return ForestRows(frame, y, w, self._factors(in_memory(y, w)), self._n_classes())
        sizes = tuple(map(len, several))
        return ForestRows(frame, y, w, self._factors_of_rows(y, w), sum(sizes), sizes)

    def _n_classes(self) -> int:
        return len(getattr(self, "classes_", ()))

    def _factors_of_rows(self, y: NDArray[Any], w: Floats | None) -> Floats | None:  # noqa: ARG002 - for classes
        """The same for several targets, for each row."""
        return None

    def _growth(self, rows: ForestRows, settings: ForestSettings | None = None) -> MemoryGrowth:
        return MemoryGrowth.of(rows, settings or forest_settings(self), self.seed_, self._threads())

    def _keep(self, unseen: OutOfBag) -> None:
        self.oob_score_ = unseen.score_by(self.oob_score, getattr(self, "classes_", None))
        self.oob_errors_ = np.array(unseen.errors)
        self.oob_tree_errors_ = np.array(unseen.member_errors)

    def _coded(self, features: Frame) -> Frame:
        """Rows with the columns the forest was grown on: marked numbers are categories."""
        return align(features, self.forest_schema_)

    def _known(self, X: Any, y: Any, sample_weight: Any) -> ForestRows:
        """Rows whose target is known, checked and coded as those of the fit."""
        check_is_fitted(self)
        whole = self._whole_table(X, y, sample_weight)
        (block,) = self._known_target(Blocks.of(whole, self.schema_, self._threads()))
        assert block.y is not None  # checked above
        return self._rows(self._coded(align(block.X, self.schema_)), block.y, block.w)

    def _rows_of_fit(self, X: Any, y: Any, sample_weight: Any, method: str) -> ForestRows:
        """Rows that must be those of the fit; only their number is checked."""
        return require_rows(self._known(X, y, sample_weight), self.n_rows_, method)

    def _growth_of_draws(self, X: Any, y: Any, sample_weight: Any, method: str) -> MemoryGrowth:
        """The growth of the fit, verified by its first tree; then the seed determines the out-of-bag rows."""
        growth = self._growth(self._rows_of_fit(X, y, sample_weight, method))
        require_first_tree(growth, self.forest_, method)
        return growth

    def _mean(self, features: Frame) -> Floats:
        rows, n_threads = self._coded(features), self._threads(len(features))
        total = self.forest_.answers(rows, n_threads, hard=votes_hard(self))
        return np.asarray(total / len(self.forest_))

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Give the node that each row ends in, for each tree.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        nodes : ndarray of shape (n_rows, n_trees)
            Numbers of nodes within their tree, 0 for the root; leaves, as in `DecisionTreeClassifier.apply`.
        """
        return np.asarray(self._leaves(self._prepared(X)) - self.forest_.roots)

    decision_path = decision_path
    estimators_samples_ = property(samples_of_trees)

    @property
    def estimators_(self) -> ForestTrees:
        """The trees, each made a learner of its own when it is asked for."""
        check_is_fitted(self)
        return ForestTrees(self, self.forest_, self.forest_schema_)

    def __len__(self) -> int:
        return len(self.estimators_)

    def __bool__(self) -> bool:
        return True  # also without trees, before the fit

    def __getitem__(self, t: int) -> TreeLearner:
        return self.estimators_[t]

    def __iter__(self) -> Iterator[TreeLearner]:
        return iter(self.estimators_)

    def _leaves(self, rows: Frame) -> NDArray[np.int32]:
        return self.forest_.apply(self._coded(rows), self._threads())

    def tree_answers(self, X: Any) -> Floats:
        """Give the predictions of the trees; their mean is that of the forest.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        answers : ndarray of shape (n_trees, n_rows) or (n_trees, n_rows, n_classes)
            Numbers, or class probabilities; with ``vote="hard"`` 1 for the class a tree votes for.
        """
        rows = self._coded(self._prepared(X))
        answers = np.array(list(self.forest_.each(rows, self._threads(), hard=votes_hard(self))))
        return answers if hasattr(self, "classes_") or self.n_outputs_ > 1 else answers[:, :, 0]

    staged_errors = staged_errors

    def _errors_so_far(self, X: Any, y: Any, sample_weight: Any) -> Floats:
        rows = self._known(X, y, sample_weight)
        return seen_errors(self.forest_, rows, hard=votes_hard(self), n_threads=self._threads())

    def _unseen_errors(self, X: Any, y: Any, sample_weight: Any, every_row: bool) -> Floats:
        check_is_fitted(self)
        forest_settings(self).require_draws("leave out oob")
        growth = self._growth_of_draws(X, y, sample_weight, "staged_errors with oob=True")
        return unseen_errors(self.forest_, growth, hard=votes_hard(self), every_row=every_row)

    tree = tree_of_fit

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
        """Compute the importance of each column.

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
            the column lower the impurity, the mean over the trees, scaled to a maximum of 100. A node counts
            by the share of the rows of X that reach it; without X, of the rows its tree has drawn, and
            each tree counts the same, as in ``feature_importances_``. Where columns carry the same
            information, either kind gives each of them little.
        test : bool, default True
            Whether to give p-values for ``kind="permutation"``: with r shuffles, 1 plus the number of
            shuffles without a rise, over r + 1 (Phipson and Smyth 2010).
        n_repeats : int, default 20
            Number of shuffles.
        random_state : int, default 0
            Seed of the draws; a fresh one each time when left out.

        Returns
        -------
        importance : Importance
            ``values``, ``spread`` and ``p_values`` in the order of the columns; prints as a table.
        """
        check_is_fitted(self)
        if kind == "impurity":
            shares = self.feature_importances_
            if X is not None:
                growth = self._growth(self._rows_of_fit(X, y, sample_weight, "importance"))
                shares = mean_impurity_decreases(growth, self.forest_)
            return Importance.by_impurity(self.forest_schema_, shares)
        if kind != "permutation":
            raise ValueError(f"parameter 'kind' must be 'permutation' or 'impurity'; got {kind!r}.")
        require_count("n_repeats", n_repeats)
        forest_settings(self).require_draws("set kind='impurity'")
        if X is None:
            raise ValueError(
                "importance by permutation needs the training rows again: pass X and y, or set "
                "kind='impurity'."
            )
        growth = self._growth_of_draws(X, y, sample_weight, "importance")
        seed = seed_of(random_state)
        return permutation_importance(
            self.forest_,
            growth,
            hard=votes_hard(self),
            n_repeats=n_repeats,
            test=test,
            seed=seed,
        )

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
            1 for rows that share a leaf in every tree.
        """
        rows = self._prepared(X)
        columns = rows if others is None else self._prepared(others)
        remedy = "pass fewer rows at a time, as in proximity(X[:1000], others=X)"
        require_memory(len(rows), len(columns), remedy)
        leaves = self._leaves(rows)
        return shared_leaves(leaves, leaves if columns is rows else self._leaves(columns))

    def outliers(self, X: Any, y: Any = None) -> Floats:
        """Give Breiman's outlier score of each row: how far it is from the rows of its class.

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
            Number of rows over the sum of squared proximities to the rows of the class, minus the median of
            the class, divided by the mean distance from it. Scores above 10 suggest outliers.
        """
        require_one_target(self, "outliers")
        leaves = self._leaves(self._prepared(X))
        y = X.y if y is None and isinstance(X, Frame) else y
        if y is None or not hasattr(self, "classes_"):
            return outlier_scores(leaves, np.zeros(len(leaves), dtype=np.int32))
        return outlier_scores(leaves, self._known(X, y, None).y)

    impute = impute

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        draw = partial(draw_importance, self.feature_importances_, self.forest_schema_)
        # Several targets have no one color for rows.
        return draw_beside_rows(self, draw, X if self.n_outputs_ == 1 else None, y, ax)

    def _describe(self) -> Description:
        return describe_forest(self.title, vars(self))
