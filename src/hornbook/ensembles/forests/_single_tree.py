"""The trees of a forest as learners of their own: as they were kept, or grown again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Learner
from hornbook.ensembles.forests._bootstrap import BootstrapDraws
from hornbook.ensembles.forests._fitted_forest import FittedForest
from hornbook.ensembles.forests._grow_trees import ForestRows, Growth
from hornbook.frame import Frame, Schema
from hornbook.impurity import impurity
from hornbook.trees import (
    LEAF,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    FittedTree,
    path_matrix,
    settings_of,
)

__all__ = [
    "ForestTrees",
    "TreeLearner",
    "as_kept",
    "as_learner",
    "decision_path",
    "grown_again",
    "require_first_tree",
    "require_one_target",
    "require_rows",
    "samples_of_trees",
    "tree_of_fit",
]

_TABLE_ATTRIBUTES = (
    "schema_",
    "n_features_in_",
    "feature_names_in_",
    "target_name_",
    "classes_",
    "n_outputs_",
)
TreeLearner: TypeAlias = DecisionTreeClassifier | DecisionTreeRegressor


class ForestTrees(Sequence[TreeLearner]):
    """The trees of a fitted forest, each made a learner when it is asked for; the arrays are not copied.

    Parameters
    ----------
    forest : Learner
        The forest.
    nodes : FittedForest
        Its trees.
    schema : Schema
        Its columns.
    """

    def __init__(self, forest: Learner, nodes: FittedForest, schema: Schema) -> None:
        self._forest, self._nodes, self._schema = forest, nodes, schema

    def __len__(self) -> int:
        return len(self._nodes)

    @overload
    def __getitem__(self, t: int) -> TreeLearner: ...
    @overload
    def __getitem__(self, t: slice) -> list[TreeLearner]: ...
    def __getitem__(self, t: int | slice) -> TreeLearner | list[TreeLearner]:
        if isinstance(t, slice):
            return [self[i] for i in range(*t.indices(len(self)))]
        if not -len(self) <= t < len(self):
            raise IndexError(f"there is no tree {t}: the forest has trees 0 to {len(self) - 1}.")
        settings = settings_of(self._forest)
        labels = getattr(self._forest, "classes_", None)
        tree = as_kept(self._nodes.tree(int(t) % len(self)), classes=labels is not None)
        if isinstance(labels, list):  # shares of each target sum to 1 over their number
            tree = replace(tree, value=len(labels) * tree.value)
            parts = np.split(tree.value, np.cumsum([len(one) for one in labels])[:-1], axis=1)
            mixed = [impurity(part, settings.criterion, settings.beta) for part in parts]
            tree = replace(tree, impurity=np.mean(mixed, axis=0))
        elif labels is not None:
            tree = replace(tree, impurity=impurity(tree.value, settings.criterion, settings.beta))
        return as_learner(self._forest, self._schema, tree)

    def __repr__(self) -> str:
        return f"<{len(self)} trees of {type(self._forest).__name__}>"


def as_kept(kept: FittedForest, *, classes: bool) -> FittedTree:
    """A tree of what a forest keeps: weights and values of inner nodes follow from those of their leaves."""
    if not len(kept.cover):
        raise ValueError(
            "estimators_ needs the training weights of the leaves, which older model files lack: fit the "
            "model again."
        )
    leaf, n_nodes = kept.kind == LEAF, len(kept.kind)
    bare = _bare(kept, leaf)
    weight, total = np.zeros(n_nodes), np.zeros((n_nodes, kept.value.shape[1]))
    filled = np.ones(n_nodes, dtype=np.bool_) if len(kept.value) == n_nodes else leaf
    weight[filled] = kept.cover
    total[filled] = kept.value * kept.cover[:, None]
    if len(kept.value) < n_nodes:
        above, depth = bare.parent, bare.depth
        # From the deepest level up: a node is complete before it is added to its parent.
        for level in range(int(depth.max()), 0, -1):
            nodes = np.flatnonzero(depth == level)
            np.add.at(weight, above[nodes], weight[nodes])
            np.add.at(total, above[nodes], total[nodes])
    share = np.ones(n_nodes)
    share[1:] = weight[1:] / weight[bare.parent[1:]]
    value = total if classes else total / weight[:, None]
    return replace(bare, weight=weight, share=kept.share if len(kept.share) else share, value=value)


def _bare(kept: FittedForest, leaf: NDArray[np.bool_]) -> FittedTree:
    """The splits alone."""
    n_nodes, none = len(leaf), np.zeros(0)
    first = np.where(leaf, np.arange(n_nodes), kept.first_child).astype(np.int32)
    offset = kept.level_offset if len(kept.level_offset) else np.zeros(n_nodes + 1, dtype=np.int32)
    return FittedTree(
        kept.kind,
        kept.feature,
        kept.threshold,
        first,
        kept.missing_child,
        offset,
        kept.levels,
        n_rows=np.zeros(0, dtype=np.int32),
        weight=none,
        impurity=none,
        gain=none,
        share=none,
        value=np.zeros((n_nodes, 0)),
    )


def samples_of_trees(self: Any) -> list[NDArray[np.int32]]:
    """The rows that each tree was grown on, as often as they were drawn."""
    check_is_fitted(self)
    rows = np.arange(self.n_rows_, dtype=np.int32)
    draws = vars(self).get("_draws", self)
    if draws is None:
        return [rows.copy() for _ in range(len(self.forest_))]
    if not isinstance(draws, BootstrapDraws):
        raise AttributeError(  # noqa: TRY004 - a property
            "estimators_samples_ draws rows again by their weights, which model files lack: fit the "
            "model again."
        )
    return [np.repeat(rows, draws.counts(t)) for t in range(len(self.forest_))]


def tree_of_fit(self: Any, t: int, X: Any, y: Any = None, sample_weight: Any = None) -> TreeLearner:
    """Grow one tree of the forest again, as a learner of its own with rules, plots and predictions.

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
    rows = self._rows_of_fit(X, y, sample_weight, "tree")
    (tree,) = grown_again(self._growth(rows), self.forest_, t, 1)
    return as_learner(self, self.forest_schema_, tree)


class _OfTargets(Protocol):
    n_outputs_: int


class _WithTrees(Protocol):
    forest_: FittedForest
    _prepared: Callable[[Any], Frame]
    _leaves: Callable[[Frame], NDArray[np.int32]]


def decision_path(self: _WithTrees, X: Any) -> tuple[csr_matrix, NDArray[np.intp]]:
    """Mark the nodes that each row passes in each tree.

    Parameters
    ----------
    X : table of shape (n_rows, n_columns)
        The rows.

    Returns
    -------
    path : sparse matrix of shape (n_rows, n_nodes)
        1 for the nodes of the paths, with the nodes of all trees side by side.
    n_nodes_ptr : ndarray of shape (n_trees + 1,)
        The nodes of tree t are ``n_nodes_ptr[t]`` to ``n_nodes_ptr[t + 1]``.
    """
    leaves = self._leaves(self._prepared(X))
    nodes = self.forest_
    paths = []
    for t in range(len(nodes)):
        tree = nodes.tree(t)
        paths.append(path_matrix(leaves[:, t] - nodes.roots[t], _bare(tree, tree.kind == LEAF).parent))
    return csr_matrix(hstack(paths)), np.append(nodes.roots, len(nodes.kind)).astype(np.intp)


def as_learner(forest: Learner, schema: Schema, tree: FittedTree, *, numbers: bool = False) -> TreeLearner:
    """A decision tree with the parameters of the forest as far as it has them, fitted to this tree.

    With ``numbers`` it predicts numbers, also where the forest is for classes.
    """
    classes = hasattr(forest, "classes_") and not numbers
    kind = DecisionTreeClassifier if classes else DecisionTreeRegressor
    # Class weights are already in the nodes, and may be of a kind that single trees do not take.
    known = set(kind().get_params()) - {"class_weight"}
    learner = kind(**{name: getattr(forest, name) for name in known if hasattr(forest, name)})
    for name in _TABLE_ATTRIBUTES:
        if hasattr(forest, name) and (classes or name != "classes_"):
            setattr(learner, name, getattr(forest, name))
    learner.splitter = settings_of(forest).thresholds
    learner.tree_schema_, learner.nodes_ = schema, tree
    return learner


def grown_again(growth: Growth, forest: FittedForest, first: int, count: int) -> Iterator[FittedTree]:
    """Trees with all statistics of their nodes; an error if they are not those of the forest."""
    for t, tree in enumerate(growth.trees(first, count), first):
        if not _same_tree(growth.slim(tree), forest.tree(t)):
            raise ValueError(
                f"tree {t} cannot be grown again: rows, target, weights or parameters are not "
                "those of the fit: pass the same table."
            )
        yield tree


def require_one_target(forest: _OfTargets, method: str) -> None:
    """Reject a forest for several targets."""
    if forest.n_outputs_ > 1:
        raise ValueError(
            f"{method} is for one target, and this forest was fitted to {forest.n_outputs_}: fit one for "
            "each column of y."
        )


def require_rows(rows: ForestRows, n_rows: int, method: str) -> ForestRows:
    """The rows, after a check that there are as many as in the fit."""
    if len(rows) != n_rows:
        raise ValueError(
            f"{method} needs the {n_rows} training rows, but X has {len(rows)}: pass the same table."
        )
    return rows


def require_first_tree(growth: Growth, forest: FittedForest, method: str) -> None:
    """Reject rows from which the first tree does not grow: the seed then does not determine their samples."""
    (first,) = growth.trees(0, 1)
    if not _same_tree(growth.slim(first), forest.tree(0)):
        raise ValueError(
            f"{method} needs the training rows, but these grow another tree: pass the same table, "
            "target and weights, in the same order."
        )


def _same_tree(one: FittedForest, other: FittedForest) -> bool:
    """Whether two trees have the same splits and values, up to rounding on other machines."""
    pairs = [
        (vars(one)[name], vars(other)[name]) for name in vars(one) if name != "cover"
    ]  # not in old files
    return all(
        a.shape == b.shape and np.allclose(a, b, rtol=1e-9, atol=0.0, equal_nan=True) for a, b in pairs
    )
