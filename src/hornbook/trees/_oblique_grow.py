"""Trees whose nodes split on linear combinations of columns, grown depth first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.params import Floats, Index, Shape
from hornbook.trees._targets import ClassTarget, NumberTarget
from hornbook.trees._verify import require_trees

__all__ = ["Directions", "ObliqueTree", "grow_oblique"]


@dataclass(frozen=True)
class ObliqueTree:
    """Nodes of an oblique tree as parallel arrays; node 0 is the root, children are adjacent.

    Parameters
    ----------
    coef : ndarray of shape (n_nodes, n_columns)
        Coefficients of the linear combination; all 0 in leaves.
    threshold : ndarray of float64
        Sums up to it go to child 0, the others to child 1; NaN in leaves.
    first_child : ndarray of int32
        Number of child 0; -1 in leaves.
    n_rows : ndarray of int32
        Training rows.
    weight, impurity, gain : ndarray of float64
        Weight of the rows, impurity by the criterion, and score of the split; 0 in leaves.
    value : ndarray of shape (n_nodes, n_classes) or (n_nodes, 1)
        Weights of the classes, or the number that is predicted.
    """

    coef: Annotated[Floats, Shape("n_nodes", "n_encoded")]
    threshold: Annotated[Floats, Shape("n_nodes")]
    first_child: Annotated[NDArray[np.int32], Shape("n_nodes"), Index("n_nodes", low=-1)]
    n_rows: Annotated[NDArray[np.int32], Shape("n_nodes")]
    weight: Annotated[Floats, Shape("n_nodes")]
    impurity: Annotated[Floats, Shape("n_nodes")]
    gain: Annotated[Floats, Shape("n_nodes")]
    value: Annotated[Floats, Shape("n_nodes", "n_outputs")]

    def verify(self, _: object) -> None:
        """Reject nodes that do not form a tree, as in a damaged model file."""
        require_trees(self.first_child, np.where(self.is_leaf, 0, 2), np.zeros(1, dtype=np.intp))

    def __len__(self) -> int:
        return len(self.threshold)

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which nodes are leaves."""
        return np.asarray(self.first_child < 0)

    @property
    def depth(self) -> int:
        """Depth of the tree."""
        return int(self._depths().max())

    def _depths(self) -> NDArray[np.intp]:
        depths = np.zeros(len(self), dtype=np.intp)
        for node in np.flatnonzero(~self.is_leaf):  # children come after their parents
            depths[self.first_child[node] : self.first_child[node] + 2] = depths[node] + 1
        return depths

    def ending_at(self, depth: int) -> ObliqueTree:
        """The tree cut at a depth; deeper nodes stay in the arrays, but cannot be reached."""
        first = np.where(self._depths() >= depth, -1, self.first_child).astype(np.int32)
        return replace(self, first_child=first)

    def apply(self, X: Floats) -> NDArray[np.intp]:
        """Leaf of each row."""
        at = np.zeros(len(X), dtype=np.intp)
        moving = np.flatnonzero(~self.is_leaf[at])
        while len(moving):
            nodes = at[moving]
            # Not a BLAS product: it sums in another order for one row than for many, and a row next to a
            # threshold could end in another leaf.
            sums = np.einsum("ij,ij->i", X[moving], self.coef[nodes])
            at[moving] = self.first_child[nodes] + (sums > self.threshold[nodes])
            moving = moving[~self.is_leaf[at[moving]]]
        return at

    def path(self, x: Floats) -> list[int]:
        """Nodes of one row, from the root to its leaf."""
        nodes = [0]
        while not self.is_leaf[nodes[-1]]:
            node = nodes[-1]
            right = (
                float(np.einsum("ij,ij->i", x[None, :], self.coef[node][None, :])[0]) > self.threshold[node]
            )
            nodes.append(int(self.first_child[node]) + int(right))
        return nodes


# Coefficients of the sums that compete in a node, one row each, from its cells, its rows and their weights.
Directions = Callable[[Floats, NDArray[np.intp], Floats], Floats]


def grow_oblique(
    X: Floats,
    target: ClassTarget | NumberTarget,
    directions: Directions,
    options: _native.TreeOptions,
    max_depth: int | None,
) -> ObliqueTree:
    """Grow a tree depth first: in each node the best threshold of the best sum."""
    w = np.ones(len(X)) if target.w is None else target.w
    target = replace(target, w=w)
    nodes: list[dict[str, Any]] = [{}]
    waiting = [(0, np.flatnonzero(w > 0), 0)]
    while waiting:
        node, rows, depth = waiting.pop()
        candidates = None
        if max_depth is None or depth < max_depth:
            candidates = partial(directions, X[rows], rows, w[rows])
        coef, stump = _best_split(X[rows], target.part(rows), candidates, options)
        record = {name: stump[name][0] for name in ("n_rows", "weight", "impurity", "gain", "value")}
        nodes[node] = {**record, "coef": coef, "threshold": stump["threshold"][0], "first_child": -1}
        if not coef.any():
            continue
        nodes[node]["first_child"] = len(nodes)
        right = _projected(X[rows], coef) > stump["threshold"][0]
        # The last one is taken first, so that the left subtree is grown before the right one.
        waiting += [(len(nodes) + 1, rows[right], depth + 1), (len(nodes), rows[~right], depth + 1)]
        nodes += [{}, {}]
    stacked = {name: np.array([node[name] for node in nodes]) for name in nodes[0]}
    return ObliqueTree(
        stacked["coef"],
        stacked["threshold"],
        stacked["first_child"].astype(np.int32),
        stacked["n_rows"].astype(np.int32),
        stacked["weight"],
        stacked["impurity"],
        stacked["gain"],
        stacked["value"] + target.shift,
    )


_NAMES = (
    "kind", "feature", "threshold", "first_child", "missing_child", "level_offset", "levels",
    "n_rows", "weight", "impurity", "gain", "share", "value",
)  # fmt: skip


def _projected(X: Floats, coef: Floats) -> Floats:
    """The sum of each row, computed as in prediction, so that training rows end in the same leaf."""
    return np.asarray(np.einsum("ij,ij->i", X, np.broadcast_to(coef, X.shape)))


def _best_split(
    X: Floats,
    target: ClassTarget | NumberTarget,
    candidates: Callable[[], Floats] | None,
    options: _native.TreeOptions,
) -> tuple[Floats, dict[str, Any]]:
    """Coefficients of the node's sum (0 for a leaf), and the stump on the sums that competed.

    ``candidates`` returns the coefficients of those sums; None makes the node a leaf.
    """
    stump = _stump(np.zeros((len(X), 1)), target, options)  # a constant column: the node's statistics alone
    nothing = np.zeros(X.shape[1])
    if candidates is None or stump["impurity"][0] == 0.0:
        return nothing, stump
    coefs = candidates()
    sums = np.column_stack([_projected(X, coef) for coef in coefs])
    usable = np.isfinite(sums).all(axis=0)  # sums that overflow have no threshold
    if not usable.any():
        return nothing, stump
    coefs = coefs[usable]
    stump = _stump(np.ascontiguousarray(sums[:, usable]), target, options)
    return (coefs[stump["feature"][0]] if stump["kind"][0] else nothing), stump


def _stump(sums: Floats, target: ClassTarget | NumberTarget, options: _native.TreeOptions) -> dict[str, Any]:
    d = sums.shape[1]
    levels, nominal = np.full(d, -1, dtype=np.int32), np.zeros(d, dtype=np.bool_)
    table = _native.code_table(list(sums.T), levels, nominal, None, 0, 1)
    arrays = _native.grow_tree(table, target.codes, target.n_classes, target.sums, target.w, options, 0, 0, 1)
    return dict(zip(_NAMES, arrays, strict=True))
