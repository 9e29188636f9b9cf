"""Methods of every fitted tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from hornbook.base import (
    Description,
    Learner,
    Table,
    Working,
    answers_of_targets,
    codes_of_targets,
    evenly_by_target,
    learn_targets,
    predict_log_proba,
    predict_proba,
    tags_of_targets,
)
from hornbook.frame import Blocks, Frame, Schema, align, as_frame
from hornbook.params import Floats, Seed, Shape
from hornbook.random import seed_of
from hornbook.trees._fit_tree import Pruning, fit_tree
from hornbook.trees._fitted import FittedTree
from hornbook.trees._gain_ratio import RowScale
from hornbook.trees._grower import as_categorical
from hornbook.trees._parameters import Categorical
from hornbook.trees._settings import feature_count, settings_of, warn_of_friedman
from hornbook.trees._several import several_factors
from hornbook.trees._targets import class_codes, class_factors, weighted
from hornbook.trees.binned._bins import columns_with_gaps
from hornbook.trees.binned._row_weights import in_memory
from hornbook.trees.explain._contributions import WeightedTrees, contributions, with_contributions
from hornbook.trees.explain._decision_path import path_matrix, path_terms
from hornbook.trees.explain._importance import impurity_importance
from hornbook.trees.explain._plot import draw_partition, draw_tree, rows_in_nodes
from hornbook.trees.explain._questions import Classes, ClassLabels, Gaps, whole
from hornbook.trees.explain._rules import Rules
from hornbook.trees.explain._split_table import reaching, split_table

if TYPE_CHECKING:
    from sklearn.tree._tree import Tree

__all__ = ["TreeMethods"]

MOST_RULES = 50  # shown by `describe`


class TreeMethods(Learner):
    """Methods of learners whose fitted model is one tree, ``nodes_`` on the columns ``tree_schema_``.

    ``tree_gaps_`` marks the columns in which training rows lacked values.

    Attributes
    ----------
    nodes_ : FittedTree
        The nodes as parallel arrays.
    tree_ : sklearn.tree._tree.Tree
        The nodes under the same numbers in the form of scikit-learn, for explainers and exporters; of trees
        whose splits are thresholds of numeric columns. It is a copy: changes to it do not change the tree.
    max_features_ : int
        Number of columns that compete in a node.
    n_outputs_ : int
        Number of targets.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each column in the decrease of impurity.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    nodes_: FittedTree
    tree_schema_: Schema
    tree_gaps_: Annotated[NDArray[np.bool_], Shape("n_columns")]
    title: ClassVar[str]

    categorical_features: Categorical
    random_state: Seed
    n_outputs_: int = 1
    if not TYPE_CHECKING:  # in types, classes are those of one target
        classes_: Annotated[NDArray[Any], Shape("n_classes")] | list[NDArray[Any]]

    _learn_target = learn_targets
    _with_codes = codes_of_targets
    _answer = answers_of_targets
    _evenly = evenly_by_target
    predict_proba = predict_proba
    predict_log_proba = predict_log_proba

    def _fit(self, features: Frame, y: NDArray[Any], w: Floats | None) -> None:
        warn_of_friedman(self)
        frame = as_categorical(features, self.categorical_features)
        self.tree_schema_ = frame.schema
        self.tree_gaps_ = columns_with_gaps(frame)
        self.nodes_ = fit_tree(
            frame,
            y,
            self._by_class(y, w),
            settings_of(self),
            self._pruning(),
            n_classes=self._class_sizes(),
            seed=seed_of(self.random_state),
            bin_seed=self._bin_seed(),
            n_threads=self._threads(),
        )

    def _takes_several(self) -> bool:
        """Whether it can be fitted to several targets, with these parameters."""
        suits = settings_of(self).takes_several and self._pruning().rule is None
        return self.accepts.multi_output and suits

    def _warns_of_columns(self) -> bool:
        return not self._takes_several()

    def __sklearn_tags__(self) -> Tags:
        return tags_of_targets(super().__sklearn_tags__(), several=self._takes_several())

    def _bin_seed(self) -> int:
        """Seed of the bin sample; fixed without random_state, so that fits without draws are all equal."""
        return 0 if self.random_state is None else seed_of(self.random_state)

    def _pruning(self) -> Pruning:
        return Pruning()

    def _class_sizes(self) -> int | tuple[int, ...]:
        """Number of classes, of each of several targets; 0 or nothing for numbers."""
        labels = self._class_labels()
        if self.n_outputs_ == 1:
            return 0 if labels is None else len(labels)
        return tuple(map(len, labels)) if isinstance(labels, list) else ()

    def _by_class(self, codes: NDArray[Any], w: Floats | None) -> Floats | None:
        """The weights of rows times those of their classes, if there are classes."""
        if isinstance(labels := self._class_labels(), list):
            class_weight = getattr(self, "class_weight", None)
            return weighted(w, several_factors(class_weight, labels, codes, w, type(self).__name__))
        factors = self._class_factors(in_memory(codes, w))
        return weighted(w, None if factors is None else factors[codes])

    def _class_factors(self, blocks: Blocks) -> Floats | None:
        """Weight of each class; None if all are 1."""
        class_weight = getattr(self, "class_weight", None)
        return class_factors(class_weight, np.asarray(self._class_labels()), blocks, type(self).__name__)

    def _coded(self, features: Frame) -> Frame:
        """Rows with the columns the tree was grown on: marked numbers are categories."""
        # Levels of new rows get the codes of the fit; others count as missing.
        return align(features, self.tree_schema_)

    def _node_values(self) -> Floats:
        """The value of each node as `_proba` or `_predict` returns it."""
        raise TypeError("subclasses define the values of their nodes")

    contributions = contributions

    def _weighted_trees(self, rows: Frame) -> WeightedTrees:  # noqa: ARG002 - any rows
        values, classes = self._node_values(), self._class_labels() is not None
        meaning, start = "probability" if classes else "value", np.zeros(values.shape[1])
        return WeightedTrees.of([self.nodes_], values, offset=start, meaning=meaning, shares=classes)

    def _class_labels(self) -> Classes:
        return getattr(self, "classes_", None)

    def _labels_of_one(self) -> NDArray[Any] | None:
        """The classes of one target; None for numbers."""
        labels = self._class_labels()
        assert not isinstance(labels, list)  # several targets are refused before
        return labels

    def _require_one_target(self, method: str) -> None:
        check_is_fitted(self)
        if self.n_outputs_ > 1:
            raise ValueError(
                f"{method} is for one target, and this tree was fitted to {self.n_outputs_}: fit one learner "
                "for each column of y."
            )

    def _gaps(self) -> Gaps:
        return getattr(self, "tree_gaps_", None)  # a single tree taken from a forest has none

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Give the node that each row ends in.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        nodes : ndarray of shape (n_rows,)
            A leaf; an inner node for a level that has no branch there. Where missing values go to all
            children, the heaviest is followed.
        """
        rows = self._coded(self._prepared(X))
        return self.nodes_.apply(rows, self._threads())

    def decision_path(self, X: Any) -> csr_matrix:
        """Mark the nodes that each row passes on its way from the root to where it ends.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        path : sparse matrix of shape (n_rows, n_nodes)
            1 for the nodes of the path, up to that of `apply`.
        """
        ends = self.apply(X)
        return path_matrix(ends, self.nodes_.parent)

    def get_depth(self) -> int:
        """Depth of the tree."""
        check_is_fitted(self)
        return int(self.nodes_.depth.max())

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        check_is_fitted(self)
        return int(self.nodes_.is_leaf.sum())

    @property
    def tree_(self) -> Tree:
        """The nodes as scikit-learn has them, made anew each time; numeric columns split in two only."""
        check_is_fitted(self)
        from hornbook.trees.explain._scikit_tree import scikit_tree  # noqa: PLC0415 - loads scikit-learn's trees

        sizes = self._class_sizes() if self.n_outputs_ > 1 else ()
        if self.n_outputs_ == 1 and (labels := self._class_labels()) is not None:
            sizes = (len(labels),)
        assert isinstance(sizes, tuple)  # of several targets
        return scikit_tree(self.nodes_, self.tree_schema_, self._node_values(), sizes)

    def _compute_partial_dependence_recursion(self, grid: Any, target_features: Any) -> Floats:
        """What `sklearn.inspection.partial_dependence` asks trees for numbers for (Friedman 2001)."""
        from hornbook.trees.explain._scikit_tree import partial_dependence  # noqa: PLC0415 - as above

        return partial_dependence(self.tree_, grid, target_features)

    @property
    def max_features_(self) -> int:
        """Number of columns that compete in a node."""
        check_is_fitted(self)
        return feature_count(settings_of(self).max_features, self.tree_schema_, type(self).__name__)

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in the decrease of impurity, weighted by rows; all 0 for a single leaf."""
        check_is_fitted(self)
        if not len(self.nodes_.impurity) and settings_of(self).criterion != "squared_error":
            raise AttributeError(
                "feature_importances_ of one tree needs impurities of nodes, which a forest does not keep "
                "for this criterion: forest.tree(t, X, y) grows the tree again with all of them."
            )
        return impurity_importance(self.nodes_, len(self.tree_schema_))

    def rules(self) -> Rules:
        """Give the tree as rules: as text, with ``to_table()`` and with ``to_python()``."""
        check_is_fitted(self)
        return Rules(self.nodes_, self.tree_schema_, self._class_labels(), self._gaps())

    def split_table(self, node: int, X: Any, y: Any, sample_weight: Any = None) -> Table:
        """List the candidate splits of one node with the impurity they leave and their gain.

        Parameters
        ----------
        node : int
            The node; 0 is the root.
        X : table of shape (n_rows, n_columns)
            Rows, usually those of the fit; the ones that reach the node count.
        y : array-like of shape (n_rows,)
            Their target.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows; every row counts once when left out.

        Returns
        -------
        table : Table
            Column, split, weight of each class on the left, impurity left over, and gain; all candidates of
            each column. Rows that lack a value count as the learner's ``missing`` says: on the side where
            they gain most, or not at all, with the gain reduced to the share of the others. With
            ``criterion="gain_ratio"`` the cost of a threshold is subtracted from the gain, and a further
            column has the gain ratio of the splits that are compared: the best of each column of at least
            average gain.
        """
        self._require_one_target("split_table")
        if not isinstance(node, int | np.integer) or not 0 <= node < len(self.nodes_):
            raise ValueError(f"there is no node {node}: the tree has nodes 0 to {len(self.nodes_) - 1}.")
        rows, target, w = self._checked_rows(X, y, sample_weight)
        # In parts, where rows without a value go down several branches.
        reached = w * reaching(self.nodes_, rows, node)
        kept = np.flatnonzero(reached > 0)
        labels, scale = self._labels_of_one(), RowScale.of(w)
        parts = (rows[kept], target[kept], reached[kept])
        return split_table(node, *parts, self.nodes_, settings_of(self), labels, scale)

    def _checked_rows(self, X: Any, y: Any, sample_weight: Any) -> tuple[Frame, NDArray[Any], Floats]:
        """Rows with their target and weights, checked, in the columns of the tree."""
        check_is_fitted(self)
        part = self._whole_table(X, y, sample_weight)
        rows, target = self._coded(align(part.X, self.schema_)), np.asarray(part.y)
        w = np.ones(len(rows)) if part.w is None else part.w
        labels = self._labels_of_one()
        if labels is not None:  # a class that the fit did not see has weight 1
            codes, w = class_codes(target, labels), w.copy()
            w[codes >= 0] = self._by_class(codes[codes >= 0], w[codes >= 0])
        return rows, target, w

    def plot_partition(self, X: Any = None, y: Any = None, ax: Any = None) -> Any:
        """Draw the regions of a tree on two numeric columns.

        Parameters
        ----------
        X : table with two numeric columns, optional
            Points to draw.
        y : array-like of shape (n_rows,), optional
            Their target.
        ax : matplotlib Axes, optional
            Where to draw; a new figure when left out.

        Returns
        -------
        ax : matplotlib Axes
            The picture.
        """
        self._require_one_target("plot_partition")
        points = None if X is None else as_frame(X).features.matrix
        target = getattr(X, "y", None) if y is None else y
        return draw_partition(self.nodes_, self.tree_schema_, self._labels_of_one(), points, target, ax)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        lines, labels = None, self._class_labels()
        if X is not None and self.n_outputs_ == 1:
            lines = rows_in_nodes(self.apply(X), self.nodes_.parent, y, ClassLabels(labels))
        return draw_tree(self.nodes_, self.tree_schema_, labels, self._gaps(), ax, lines)

    def _describe(self) -> Description:
        tree = self.nodes_
        facts = {
            "criterion": settings_of(self).criterion,
            "leaves": int(tree.is_leaf.sum()),
            "depth": int(tree.depth.max()),
            "rows": whole(tree.weight[0]),
        }
        names = self.tree_schema_.names
        # Sorting is stable, so that columns of equal importance keep the order of the table.
        used = sorted(zip(self.feature_importances_, names, strict=True), key=lambda pair: -pair[0])
        importance = Table("Importance", ["column", "share"], [[name, float(s)] for s, name in used if s > 0])
        title = f"{self.title} with {len(tree)} nodes"
        rules = self.rules().to_table(MOST_RULES)
        if tree.is_leaf.sum() > MOST_RULES:
            rules = Table(f"The first {MOST_RULES} rules; rules() has them all", rules.head, rules.rows)
        return Description(title, facts, [rules, importance])

    def _working(self, row: Frame) -> Working:
        """The path: what each answer to a question adds to what is known at the node before."""
        coded, values = self._coded(row), self._node_values()
        labels = ClassLabels(self._class_labels()).names
        if labels is not None:  # of several targets, shares of each sum to 1 over their number
            values = self.n_outputs_ * values
        node, terms = path_terms(self.nodes_, self.tree_schema_, coded, values)
        numbers = ["value"] if self.n_outputs_ == 1 else [f"value {t}" for t in range(self.n_outputs_)]
        candidates = numbers if labels is None else labels
        title = f"The path to node {node}: what each answer changes"
        answer = self._answer(row)[0]
        answer = answer.tolist() if self.n_outputs_ > 1 else answer
        working = Working(title, "sum", candidates, terms, answer)
        return with_contributions(self, row, working)
