"""A tree in the form that scikit-learn documents for ``tree_``, which explainers and exporters read."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree._tree import Tree

from hornbook.frame import Schema
from hornbook.params import Floats
from hornbook.trees._fitted import LEAF, MULTIWAY, THRESHOLD, FittedTree

__all__ = ["partial_dependence", "scikit_tree"]

# TREE_LEAF and TREE_UNDEFINED of scikit-learn.
_NO_CHILD, _NO_COLUMN = -1, -2
_NOT_KEPT = "a forest does not keep {} of its trees: forest.tree(t, X, y) grows one again with all of them."


class TreeInForest(Tree):
    """A tree without the statistics that a forest does not keep."""

    @property
    def n_node_samples(self) -> NDArray[np.int64]:  # type: ignore[override]  # read only
        """Refused: only weights of rows are kept."""
        raise AttributeError(_NOT_KEPT.format("the numbers of rows"))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), *super().__reduce__()[1:])


class TreeWithoutImpurity(TreeInForest):
    """A tree of a forest whose impurities do not follow from the values of its leaves."""

    @property
    def impurity(self) -> Floats:  # type: ignore[override]  # read only
        """Refused: only what splits take off the impurity is known."""
        raise AttributeError(_NOT_KEPT.format("the impurities of nodes"))


def scikit_tree(nodes: FittedTree, schema: Schema, values: Floats, sizes: tuple[int, ...]) -> Tree:
    """The nodes under their numbers, as a ``sklearn.tree._tree.Tree``.

    Parameters
    ----------
    nodes : FittedTree
        The tree. Its splits must be thresholds of numeric columns.
    schema : Schema
        The columns.
    values : ndarray of shape (n_nodes, n_values)
        Class probabilities of one target after the other, all summing to 1, or numbers.
    sizes : tuple of int
        Number of classes of each target; empty for numbers.
    """
    _require_thresholds(nodes, schema)
    leaf = nodes.kind == LEAF
    n_outputs = len(sizes) or values.shape[1]
    outputs = np.array(sizes or [1] * n_outputs, dtype=np.intp)
    kind = Tree if len(nodes.n_rows) else TreeInForest if len(nodes.impurity) else TreeWithoutImpurity
    tree = kind(len(schema), outputs, n_outputs)
    # The layout of a node is asked for, since versions of scikit-learn add fields.
    table = np.zeros(len(nodes), dtype=tree.__getstate__()["nodes"].dtype)
    table["left_child"] = np.where(leaf, _NO_CHILD, nodes.first_child)
    table["right_child"] = np.where(leaf, _NO_CHILD, nodes.first_child + 1)
    table["feature"] = np.where(leaf, _NO_COLUMN, nodes.feature)
    table["threshold"] = np.where(leaf, float(_NO_COLUMN), nodes.threshold)
    table["weighted_n_node_samples"] = nodes.weight
    table["missing_go_to_left"] = ~leaf & (nodes.missing_child == 0)
    if len(nodes.n_rows):
        table["n_node_samples"] = nodes.n_rows
    if len(nodes.impurity):
        table["impurity"] = nodes.impurity
    tree.__setstate__(
        {
            "max_depth": int(nodes.depth.max()),
            "node_count": len(nodes),
            "nodes": table,
            "values": _by_output(values * (n_outputs if sizes else 1), outputs),
        }
    )
    return tree


def _by_output(values: Floats, outputs: NDArray[np.intp]) -> Floats:
    """The values of each node as a table, filled up with zeros where a target has fewer classes."""
    table = np.zeros((len(values), len(outputs), int(outputs.max())))
    ends = np.cumsum(outputs)
    for t, (end, size) in enumerate(zip(ends.tolist(), outputs.tolist(), strict=True)):
        table[:, t, :size] = values[:, end - size : end]
    return table


def partial_dependence(tree: Tree, grid: Any, columns: Any) -> Floats:
    """Mean prediction for values of some columns, over the training weights of the branches on others."""
    means = np.zeros(len(grid))
    tree.compute_partial_dependence(
        np.ascontiguousarray(grid, dtype=np.float32), np.asarray(columns, dtype=np.intp), means
    )
    return means


def _require_thresholds(nodes: FittedTree, schema: Schema) -> None:
    """Reject splits that the arrays cannot express."""
    inner = nodes.kind != LEAF
    used = np.unique(nodes.feature[inner]).tolist()
    coded = [schema.columns[j] for j in used if schema.columns[j].kind != "numeric"]
    if coded:
        raise AttributeError(
            f"tree_ has numeric thresholds only, and column {coded[0].name!r} holds categories: read nodes_, "
            "or fit the tree to an encoded table."
        )
    if (nodes.kind == MULTIWAY).any() or (nodes.kind[inner] != THRESHOLD).any():
        raise AttributeError("tree_ has numeric thresholds only, and a node splits on levels: read nodes_.")
    if (nodes.missing_child[inner] < 0).any():
        raise AttributeError(
            "tree_ sends rows without a value to one child, and missing='fractional' to all: read nodes_, or "
            "set missing='direction'."
        )
