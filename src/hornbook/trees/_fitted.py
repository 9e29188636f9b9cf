"""A fitted tree: parallel arrays with an entry for each node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Frame, check_offsets
from hornbook.params import Floats, Index, Shape
from hornbook.trees._verify import require_trees

__all__ = ["LEAF", "MULTIWAY", "SUBSET", "THRESHOLD", "FittedTree", "class_probabilities"]

# The numbers of `SplitKind` in the native grower; model files contain them, too.
LEAF, THRESHOLD, SUBSET, MULTIWAY = range(4)
Ints = NDArray[np.int32]
_FEW = 256  # nodes for each row from which on it pays to look up only those that rows end in
# Kernels of prediction take forests: a single tree is a forest of which node 0 is the only root.
_ROOT = np.zeros(1, dtype=np.int32)
_ROOT.flags.writeable = False


@dataclass(frozen=True)
class FittedTree:
    """Nodes of a tree as parallel arrays; node 0 is the root, children follow their parent side by side.

    Parameters
    ----------
    kind : ndarray of uint8
        0 leaf, 1 threshold, 2 set of levels, 3 one child for each level.
    feature : ndarray of int32
        Column that is split on; -1 in leaves.
    threshold : ndarray of float64
        Numbers (and codes of ordered categories) up to it go to child 0, the others to child 1.
    first_child : ndarray of int32
        Number of child 0, the next child is the next node; the node itself in leaves.
    missing_child : ndarray of int32
        Which child (0, 1, ...) missing values go to; -1 when they go to all, in fractions.
    level_offset, levels : ndarray of int32
        ``levels[level_offset[i]:level_offset[i + 1]]`` are the codes that go to child 0 of node i (kind 2),
        or to child 0, 1, ... (kind 3).
    n_rows : ndarray of int32
        Training rows; empty in a tree out of a forest, which does not keep them.
    weight, impurity, gain : ndarray of float64
        Weight of the rows, impurity by the criterion, and score of the split; 0 in leaves. The latter two are
        empty where a forest does not keep them.
    share : ndarray of float64
        Fraction of the parent's weight in this node; of the rows with a value, if missing values go to all.
    value : ndarray of shape (n_nodes, n_classes) or (n_nodes, 1)
        Weights of the classes, or the number that is predicted.
    """

    kind: Annotated[NDArray[np.uint8], Shape("n_nodes"), Index(4)]
    feature: Annotated[Ints, Shape("n_nodes"), Index("n_columns", low=-1)]
    threshold: Annotated[Floats, Shape("n_nodes")]
    first_child: Annotated[Ints, Shape("n_nodes"), Index("n_nodes")]
    missing_child: Annotated[Ints, Shape("n_nodes"), Index("n_nodes", low=-1)]
    level_offset: Annotated[Ints, Shape("n_nodes + 1")]
    levels: Annotated[Ints, Shape("n_listed")]
    n_rows: Annotated[Ints, Shape("n_nodes"), Shape(0)]
    weight: Annotated[Floats, Shape("n_nodes")]
    impurity: Annotated[Floats, Shape("n_nodes"), Shape(0)]
    gain: Annotated[Floats, Shape("n_nodes"), Shape(0)]
    share: Annotated[Floats, Shape("n_nodes")]
    value: Annotated[Floats, Shape("n_nodes", "n_outputs")]

    def verify(self, _: object) -> None:
        """Reject nodes that do not form a tree, as in a damaged model file."""
        wrong = check_offsets(self.level_offset, len(self) + 1, len(self.levels))
        if wrong:
            raise ValueError(wrong)
        # A child with a smaller number than its parent would send a kernel around in circles.
        require_trees(self.first_child, self.n_children, np.zeros(1, dtype=np.intp))
        if (self.missing_child >= np.maximum(self.n_children, 1)).any():
            raise ValueError("missing values go to a child that does not exist")
        if (self.feature[~self.is_leaf] < 0).any():
            raise ValueError("an inner node has no column to split on")

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Which nodes are leaves."""
        return np.asarray(self.kind == LEAF)

    @property
    def n_children(self) -> NDArray[np.intp]:
        """Number of children of each node."""
        of_levels = np.diff(self.level_offset).astype(np.intp)
        return np.where(self.kind == MULTIWAY, of_levels, np.where(self.kind == LEAF, 0, 2))

    @property
    def parent(self) -> NDArray[np.intp]:
        """Parent of each node; -1 for the root."""
        above = np.full(len(self), -1, dtype=np.intp)
        inner = np.flatnonzero(~self.is_leaf)
        counts = self.n_children[inner]
        # Children are side by side: position within all children, moved to where the family begins. No loop
        # over nodes, of which a forest has millions.
        starts = np.repeat(self.first_child[inner] - np.cumsum(counts) + counts, counts)
        above[starts + np.arange(counts.sum())] = np.repeat(inner, counts)
        return above

    @property
    def depth(self) -> NDArray[np.intp]:
        """Depth of each node; 0 for the root."""
        return self._above((self.parent >= 0).astype(np.intp), np.add)

    def _above(self, value: NDArray[Any], merge: np.ufunc) -> NDArray[Any]:
        """Merge the values of each node and all its ancestors, by pointer jumping: log2(depth) steps."""
        reached = self.parent
        while (reached >= 0).any():
            value = np.where(reached >= 0, merge(value, value[reached]), value)
            reached = np.where(reached >= 0, reached[reached], -1)  # twice as far up
        return value

    def children(self, node: int) -> range:
        """Children of one node."""
        first, kind = int(self.first_child[node]), self.kind[node]
        if kind == MULTIWAY:
            return range(first, first + int(self.level_offset[node + 1] - self.level_offset[node]))
        return range(first, first + (0 if kind == LEAF else 2))

    def node_levels(self, node: int) -> list[int]:
        """Codes listed by one node."""
        return self.levels[self.level_offset[node] : self.level_offset[node + 1]].tolist()  # type: ignore[no-any-return]  # NumPy's stubs say Any

    def below(self, node: int) -> NDArray[np.bool_]:
        """Which nodes are in the subtree of a node, itself included."""
        inside = np.zeros(len(self), dtype=np.bool_)
        inside[node] = True
        level = [node]
        while level:
            level = [child for parent in level for child in self.children(parent)]
            inside[level] = True
        return inside

    def apply(self, features: Frame, n_threads: int) -> NDArray[np.int32]:
        """Node that each row ends in."""
        return _native.tree_apply(*self._parts(), *_rows(features), n_threads)[:, 0]

    def answers(self, features: Frame, value: Floats, n_threads: int) -> Floats:
        """Prediction for each row, from a table with a row for each node."""
        return _native.tree_predict(*self._parts(), value, *_rows(features), n_threads)

    def probabilities(self, features: Frame, smoothing: Floats, n_threads: int) -> Floats:
        """Class probabilities of each row; those of all nodes are computed only if rows may need them."""
        if len(features) * _FEW < len(self) and _complete(features):
            return class_probabilities(self.value[self.apply(features, n_threads)], smoothing)
        return self.answers(features, class_probabilities(self.value, smoothing), n_threads)

    def _parts(self) -> tuple[Any, Any, Any, Any, Any, Any, Any, Any, Any]:
        return (
            _ROOT,
            self.kind,
            self.feature,
            self.threshold,
            self.first_child,
            self.missing_child,
            self.level_offset,
            self.levels,
            self.share,
        )

    @staticmethod
    def grown(arrays: Sequence[NDArray[Any]], shift: float) -> FittedTree:
        """The tree of a grower, with a constant added to its node values."""
        # Numbers are summed as deviations from their mean, without cancellation, and moved back here.
        return FittedTree(*((*arrays[:-1], arrays[-1] + shift) if shift else arrays))

    def cut(self, leaves: NDArray[np.bool_]) -> FittedTree:
        """The tree in which the marked nodes are leaves, without their subtrees."""
        kind = np.where(leaves, LEAF, self.kind).astype(np.uint8)
        above = self.parent
        # A node stays if no ancestor is a leaf; cumulative counts renumber those that stay.
        kept = self._above((above < 0) | (kind[above] != LEAF), np.logical_and)
        number = np.cumsum(kept) - 1
        leaf = kind[kept] == LEAF
        counts = np.where(leaf, 0, np.diff(self.level_offset)[kept])
        listed = np.repeat(kept & (kind != LEAF), np.diff(self.level_offset))
        return replace(
            self,
            kind=kind[kept],
            feature=np.where(leaf, -1, self.feature[kept]).astype(np.int32),
            threshold=np.where(leaf, np.nan, self.threshold[kept]),
            first_child=np.where(leaf, number[kept], number[self.first_child[kept]]).astype(np.int32),
            missing_child=np.where(leaf, -1, self.missing_child[kept]).astype(np.int32),
            level_offset=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
            levels=self.levels[listed],
            # Trees of forests keep no row numbers and impurities: of an empty array, nothing is taken.
            n_rows=self.n_rows[kept[: len(self.n_rows)]],
            weight=self.weight[kept],
            impurity=self.impurity[kept[: len(self.impurity)]],
            gain=np.where(leaf, 0.0, self.gain[kept]) if len(self.gain) else self.gain,
            share=self.share[kept],
            value=self.value[kept],
        )


def class_probabilities(counts: Floats, smoothing: Floats) -> Floats:
    """Class probabilities of each node, with ``smoothing`` pseudo-counts added to each class."""
    # Laplace's correction where the pseudo-counts are 1. It takes the probabilities of small leaves away from
    # 0 and 1, which ranks rows better than pruning does (Provost and Domingos 2003).
    smooth = counts + smoothing
    return np.asarray(smooth / smooth.sum(axis=1, keepdims=True))


def _complete(features: Frame) -> bool:
    """Whether each row is known to end in one node: it goes to several only where a value is missing."""
    return features.array is not None and not np.isnan(features.array).any()


def _rows(features: Frame) -> tuple[Floats, Ints, Ints]:
    return features.numbers, features.codes, features.schema.places
