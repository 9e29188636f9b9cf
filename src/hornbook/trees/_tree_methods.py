"""Methods of every fitted tree."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Description, Learner, Table, Working
from hornbook.frame import Blocks, Frame, Schema, align, as_frame
from hornbook.params import Floats, Seed, Shape
from hornbook.random import seed_of
from hornbook.trees._fit_tree import Pruning, fit_tree
from hornbook.trees._fitted import FittedTree
from hornbook.trees._gain_ratio import RowScale
from hornbook.trees._grower import as_categorical
from hornbook.trees._parameters import Categorical
from hornbook.trees._settings import settings_of
from hornbook.trees._targets import class_codes, class_factors, weighted
from hornbook.trees.binned._bins import columns_with_gaps
from hornbook.trees.binned._row_weights import in_memory
from hornbook.trees.explain._contributions import WeightedTrees, contributions, with_contributions
from hornbook.trees.explain._decision_path import path_terms
from hornbook.trees.explain._importance import impurity_importance
from hornbook.trees.explain._plot import draw_partition, draw_tree, rows_in_nodes
from hornbook.trees.explain._questions import ClassLabels, Gaps, whole
from hornbook.trees.explain._rules import Rules
from hornbook.trees.explain._split_table import reaching, split_table

__all__ = ["TreeMethods"]

MOST_RULES = 50  # shown by `describe`


class TreeMethods(Learner):
    """Methods of learners whose fitted model is one tree, ``tree_`` on the columns ``tree_schema_``.

    ``tree_gaps_`` marks the columns in which training rows lacked values.

    Attributes
    ----------
    tree_ : FittedTree
        The nodes as parallel arrays.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each column in the decrease of impurity.
    n_features_in_ : int
        Number of columns at fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if they had any.
    """

    tree_: FittedTree
    tree_schema_: Schema
    tree_gaps_: Annotated[NDArray[np.bool_], Shape("n_columns")]
    title: ClassVar[str]

    categorical_features: Categorical
    random_state: Seed

    def _fit(self, features: Frame, y: NDArray[Any], w: Floats | None) -> None:
        frame = as_categorical(features, self.categorical_features)
        self.tree_schema_ = frame.schema
        self.tree_gaps_ = columns_with_gaps(frame)
        self.tree_ = fit_tree(
            frame,
            y,
            self._by_class(y, w),
            settings_of(self),
            self._pruning(),
            n_classes=len(getattr(self, "classes_", ())),
            seed=seed_of(self.random_state),
            bin_seed=self._bin_seed(),
            n_threads=self._threads(),
        )

    def _bin_seed(self) -> int:
        """Seed of the bin sample; fixed without random_state, so that fits without draws are all equal."""
        return 0 if self.random_state is None else seed_of(self.random_state)

    def _pruning(self) -> Pruning:
        return Pruning()

    def _by_class(self, codes: NDArray[Any], w: Floats | None) -> Floats | None:
        """The weights of rows times those of their classes, if there are classes."""
        factors = self._class_factors(in_memory(codes, w))
        return weighted(w, None if factors is None else factors[codes])

    def _class_factors(self, blocks: Blocks) -> Floats | None:
        """Weight of each class; None if all are 1."""
        class_weight = getattr(self, "class_weight", None)
        return class_factors(class_weight, np.asarray(self._class_labels()), blocks, type(self).__name__)

    def _coded(self, features: Frame) -> Frame:
        """Rows with the columns the tree was grown on: marked numbers are categories."""
        return align(features, self.tree_schema_)

    def _node_values(self) -> Floats:
        """The value of each node as `_proba` or `_predict` returns it."""
        raise TypeError("subclasses define the values of their nodes")

    contributions = contributions

    def _weighted_trees(self, rows: Frame) -> WeightedTrees:  # noqa: ARG002 - any rows
        values, classes = self._node_values(), self._class_labels() is not None
        meaning, start = "probability" if classes else "value", np.zeros(values.shape[1])
        return WeightedTrees.of([self.tree_], values, offset=start, meaning=meaning, shares=classes)

    def _class_labels(self) -> NDArray[Any] | None:
        return getattr(self, "classes_", None)

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
        return self.tree_.apply(rows, self._threads())

    def get_depth(self) -> int:
        """Depth of the tree."""
        check_is_fitted(self)
        return int(self.tree_.depth.max())

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        check_is_fitted(self)
        return int(self.tree_.is_leaf.sum())

    @property
    def feature_importances_(self) -> Floats:
        """Share of each column in the decrease of impurity, weighted by rows; all 0 for a single leaf."""
        check_is_fitted(self)
        return impurity_importance(self.tree_, len(self.tree_schema_))

    def rules(self) -> Rules:
        """Give the tree as rules: as text, with ``to_table()`` and with ``to_python()``."""
        check_is_fitted(self)
        return Rules(self.tree_, self.tree_schema_, self._class_labels(), self._gaps())

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
        check_is_fitted(self)
        if not isinstance(node, int | np.integer) or not 0 <= node < len(self.tree_):
            raise ValueError(f"there is no node {node}: the tree has nodes 0 to {len(self.tree_) - 1}.")
        rows, target, w = self._checked_rows(X, y, sample_weight)
        reached = w * reaching(self.tree_, rows, node)
        kept = np.flatnonzero(reached > 0)
        labels, scale = self._class_labels(), RowScale.of(w)
        parts = (rows[kept], target[kept], reached[kept])
        return split_table(node, *parts, self.tree_, settings_of(self), labels, scale)

    def _checked_rows(self, X: Any, y: Any, sample_weight: Any) -> tuple[Frame, NDArray[Any], Floats]:
        """Rows with their target and weights, checked, in the columns of the tree."""
        check_is_fitted(self)
        part = self._whole_table(X, y, sample_weight)
        rows, target = self._coded(align(part.X, self.schema_)), np.asarray(part.y)
        w = np.ones(len(rows)) if part.w is None else part.w
        labels = self._class_labels()
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
        check_is_fitted(self)
        points = None if X is None else as_frame(X).features.matrix
        target = getattr(X, "y", None) if y is None else y
        return draw_partition(self.tree_, self.tree_schema_, self._class_labels(), points, target, ax)

    def _plot(self, X: Any, y: Any, ax: Any) -> Any:
        lines, labels = None, self._class_labels()
        if X is not None:
            lines = rows_in_nodes(self.apply(X), self.tree_.parent, y, ClassLabels(labels))
        return draw_tree(self.tree_, self.tree_schema_, labels, self._gaps(), ax, lines)

    def _describe(self) -> Description:
        tree = self.tree_
        facts = {
            "criterion": settings_of(self).criterion,
            "leaves": int(tree.is_leaf.sum()),
            "depth": int(tree.depth.max()),
            "rows": whole(tree.weight[0]),
        }
        names = self.tree_schema_.names
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
        node, terms = path_terms(self.tree_, self.tree_schema_, coded, values)
        labels = self._class_labels()
        candidates = ["value"] if labels is None else labels.tolist()
        title = f"The path to node {node}: what each answer changes"
        working = Working(title, "sum", candidates, terms, self._answer(row)[0])
        return with_contributions(self, row, working)
