"""A fitted forest: the nodes of all trees in one set of arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook import _native
from hornbook.frame import Frame, check_offsets
from hornbook.params import Floats, Index, Shape
from hornbook.trees import LEAF, MULTIWAY, THRESHOLD, FittedTree, WeightedTrees, require_trees

__all__ = [
    "FittedForest",
    "ForestCells",
    "cells_of",
    "forest_of_kept",
    "joined_nodes",
    "slim",
    "unit_votes",
]

Ints = NDArray[np.int32]
_NONE = np.zeros(0, dtype=np.int32)
_ROOT = np.zeros(1, dtype=np.int32)
_ROOT.flags.writeable = False
_NO_SHARES = np.zeros(0)


@dataclass(frozen=True)
class ForestCells:
    """Numbers and codes of rows as the kernels read them, taken from a table once for many trees.

    Parameters
    ----------
    numbers : ndarray of shape (n_rows, n_numeric)
        The numeric columns.
    codes : ndarray of shape (n_rows, n_coded)
        The codes of the others.
    place : ndarray of shape (n_columns,)
        Index of a column among the numbers, or -1 - its index among the codes.
    """

    numbers: Floats
    codes: NDArray[np.int32]
    place: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, rows: NDArray[np.intp]) -> ForestCells:
        """Some rows, as a copy."""
        return ForestCells(self.numbers[rows], self.codes[rows], self.place)

    def column(self, j: int) -> NDArray[Any]:
        """One column, which can be written to."""
        place = int(self.place[j])
        return np.asarray(self.numbers[:, place] if place >= 0 else self.codes[:, -1 - place])


def cells_of(features: Frame) -> ForestCells:
    """The cells of a frame."""
    return ForestCells(features.numbers, features.codes, features.schema.places)


@dataclass(frozen=True)
class FittedForest:
    """Trees one after the other, in compact form: values for leaves only, where no inner node predicts.

    Parameters
    ----------
    roots : ndarray of int32
        First node of each tree.
    kind, feature, threshold : ndarray
        As in `hornbook.trees.FittedTree`.
    first_child : ndarray of int32
        Number of child 0 within the whole forest; in leaves, the row of the leaf in ``value``.
    missing_child : ndarray of int32
        As in `FittedTree`.
    level_offset, levels : ndarray of int32
        As in `FittedTree`; empty when no node splits on categories.
    share : ndarray of float64
        As in `FittedTree`; empty when missing values do not go to all children.
    value : ndarray of float64
        Class probabilities or the number, a row for each leaf, or for each node where levels may have
        branches of their own.
    cover : ndarray of float64
        Training weight of each row of ``value``; empty in files of earlier versions.
    """

    roots: Annotated[Ints, Shape("n_trees"), Index("n_nodes")]
    kind: Annotated[NDArray[np.uint8], Shape("n_nodes"), Index(4)]
    feature: Annotated[Ints, Shape("n_nodes"), Index("n_columns", low=-1)]
    threshold: Annotated[Floats, Shape("n_nodes")]
    first_child: Annotated[Ints, Shape("n_nodes")]
    missing_child: Annotated[Ints, Shape("n_nodes")]
    level_offset: Annotated[Ints, Shape("n_nodes + 1"), Shape(0)]
    levels: Annotated[Ints, Shape("n_listed")]
    share: Annotated[Floats, Shape("n_nodes"), Shape(0)]
    value: Annotated[Floats, Shape("n_answers", "n_outputs")]
    cover: Annotated[Floats, Shape("n_answers"), Shape(0)] = field(default_factory=lambda: np.zeros(0))

    def verify(self, _: object) -> None:
        """Reject nodes that do not form trees, as in a damaged model file."""
        leaf = self.kind == LEAF
        counts = np.where(leaf, 0, 2)
        if len(self.level_offset):
            wrong = check_offsets(self.level_offset, len(leaf) + 1, len(self.levels))
            if wrong:
                raise ValueError(wrong)
            counts = np.where(self.kind == MULTIWAY, np.diff(self.level_offset), counts)
        elif (self.kind[~leaf] != THRESHOLD).any():
            raise ValueError("a node splits on levels, and none are listed")
        require_trees(self.first_child, counts, self.roots)
        # Compact form: first_child of a leaf is the row of its value instead of a node.
        answers = self.first_child[leaf] if len(self.value) < len(leaf) else np.empty(0)
        if len(answers) and not 0 <= answers.min() <= answers.max() < len(self.value):
            raise ValueError("a leaf has no value")
        if (self.feature[~leaf] < 0).any() or (self.missing_child >= np.maximum(counts, 1)).any():
            raise ValueError("an inner node has no column to split on, or a child that does not exist")

    def __len__(self) -> int:
        return len(self.roots)

    @property
    def n_leaves(self) -> NDArray[np.intp]:
        """Number of leaves of each tree."""
        # Nodes of a tree are contiguous from its root, so one reduceat counts all trees.
        return np.add.reduceat(self.kind == LEAF, self.roots, dtype=np.intp)

    @property
    def nbytes(self) -> int:
        """Memory of all arrays."""
        return sum(int(array.nbytes) for array in vars(self).values())

    def tree(self, t: int) -> FittedForest:
        """One tree, as a forest of its own."""
        begin = int(self.roots[t])
        end = int(self.roots[t + 1]) if t + 1 < len(self) else len(self.kind)
        leaf = self.kind[begin:end] == LEAF
        first = self.first_child[begin:end]
        # Without compact values every node has one, and the rows are the nodes themselves.
        rows = first[leaf] if len(self.value) < len(self.kind) else np.array([begin, end - 1])
        low, high = int(rows.min()), int(rows.max())  # values of a tree are contiguous
        offset, levels = self.level_offset[begin : end + 1], _NONE
        if len(offset):
            levels = self.levels[offset[0] : offset[-1]]
            offset = offset - offset[0] if len(levels) else _NONE  # as if the tree had grown alone
        return FittedForest(
            np.zeros(1, dtype=np.int32),
            self.kind[begin:end],
            self.feature[begin:end],
            self.threshold[begin:end],
            # Relative to the tree: leaves point into the values, inner nodes to nodes.
            (first - np.where(leaf, low, begin)).astype(np.int32),
            self.missing_child[begin:end],
            offset,
            levels,
            self.share[begin:end] if len(self.share) else self.share,
            self.value[low : high + 1],
            self.cover[low : high + 1],
        )

    def answers(
        self, features: Frame | ForestCells, n_threads: int, *, hard: bool = False, turns: int = 1
    ) -> Floats:
        """Sum of the predictions of all trees; ``hard`` ones are 1 for the class of the largest share.

        With ``turns``, which are not for hard ones, trees add to so many sums in turn, side by side.
        """
        cells = _cells(features)
        if not hard:
            return self.total(cells, self.value, n_threads, turns)
        if len(self.share):  # a row may reach several leaves of a tree, which together give one vote
            return np.asarray(sum(self.each(cells, n_threads, hard=True)))
        # A few rows: look up their leaves instead of turning the values of all leaves into votes.
        if len(cells) * len(self) < len(self.value):  # fewer lookups than leaves
            return self._votes(cells, n_threads)
        return self.total(cells, unit_votes(self.value), n_threads)

    def each(self, features: Frame | ForestCells, n_threads: int, *, hard: bool = False) -> Iterator[Floats]:
        """Predictions of one tree after the other."""
        cells = _cells(features)
        for t in range(len(self)):
            answer = self.tree(t).answers(cells, n_threads)
            yield unit_votes(answer) if hard else answer

    def weighted(
        self,
        scale: float,
        offset: Floats,
        meaning: str,
        *,
        hard: bool = False,
        output: ArrayLike = 0,
        shares: bool | None = None,
    ) -> WeightedTrees:
        """The trees as contributions need them, all with one weight; ``hard`` ones vote for a class.

        ``output`` is the output of each tree: 0 where all add to the same ones. Several values are ``shares``
        of classes unless it is said that they are not.
        """
        if not len(self.cover):
            raise ValueError(
                "contributions need the training weights of the leaves, which older model files lack: "
                "fit the model again."
            )
        return WeightedTrees(
            self._nodes(),
            unit_votes(self.value) if hard else self.value,
            self.cover,
            np.full(len(self), scale),
            np.broadcast_to(np.asarray(output, dtype=np.int32), len(self)).copy(),
            offset,
            meaning,
            shares=self.value.shape[1] > 1 if shares is None else shares,
        )

    def apply(self, features: Frame | ForestCells, n_threads: int) -> Ints:
        """Node that each row ends in, a column for each tree."""
        cells = _cells(features)
        return _native.tree_apply(*self._nodes(), cells.numbers, cells.codes, cells.place, n_threads)

    def _votes(self, cells: ForestCells, n_threads: int) -> Floats:
        nodes = self.apply(cells, n_threads)
        # (rows, trees, classes) at the leaves reached; only small inputs come here.
        chosen = self.value[np.where(self.kind[nodes] == LEAF, self.first_child[nodes], nodes)].argmax(axis=2)
        votes = np.zeros((len(cells), self.value.shape[1]))
        np.add.at(votes, (np.arange(len(cells))[:, None], chosen), 1.0)
        return votes

    def total(self, cells: ForestCells, value: Floats, n_threads: int, turns: int = 1) -> Floats:
        """Sum over all trees of other values than those of the forest, in its leaves."""
        rows = (cells.numbers, cells.codes, cells.place)
        return _native.tree_predict(*self._nodes(), value, *rows, n_threads, turns)

    def _nodes(self) -> tuple[Any, Any, Any, Any, Any, Any, Any, Any, Any]:
        return (
            self.roots,
            self.kind,
            self.feature,
            self.threshold,
            self.first_child,
            self.missing_child,
            self.level_offset,
            self.levels,
            self.share,
        )


def unit_votes(shares: Floats) -> Floats:
    """1 for the largest share of each row, the first of equal ones, 0 for the others."""
    votes = np.zeros_like(shares)
    votes[np.arange(len(shares)), shares.argmax(axis=1)] = 1.0
    return votes


def slim(tree: FittedTree, *, classes: bool, every_node: bool, in_parts: bool) -> FittedForest:
    """The arrays of one grown tree that prediction needs."""
    first, value, cover = tree.first_child, tree.value, tree.weight
    if not every_node:
        cover = cover[tree.is_leaf]
        first, value = _native.leaf_answers(tree.kind, first, value, classes)
    elif classes:
        value = value / value.sum(axis=1, keepdims=True)
    listed = len(tree.levels) > 0
    return FittedForest(
        np.zeros(1, dtype=np.int32),
        tree.kind,
        tree.feature,
        tree.threshold,
        first,
        tree.missing_child,
        tree.level_offset if listed else _NONE,
        tree.levels if listed else _NONE,
        tree.share if in_parts else np.zeros(0),
        value,
        cover,
    )


def forest_of_kept(arrays: tuple[NDArray[Any], ...]) -> FittedForest:
    """The forest of one tree, from what ``grow_kept_tree`` keeps of it."""
    kind, feature, threshold, first, missing_child, level_offset, levels, value, cover, _ = arrays
    offset, levels = (level_offset, levels) if len(levels) else (_NONE, _NONE)
    return FittedForest(
        _ROOT, kind, feature, threshold, first, missing_child, offset, levels, _NO_SHARES, value, cover
    )


def joined_nodes(trees: Sequence[FittedTree]) -> dict[str, NDArray[Any]]:
    """Arrays of a forest of grown trees, all at once; first_child of a leaf is the leaf itself."""

    def joined(name: str) -> NDArray[Any]:
        return np.concatenate(list(map(attrgetter(name), trees)))

    sizes = np.array([len(tree.kind) for tree in trees])
    roots = np.cumsum(sizes) - sizes
    levels, offset = joined("levels"), _NONE
    if len(levels):
        listed = np.array([len(tree.levels) for tree in trees])
        ends = np.concatenate([tree.level_offset[1:] for tree in trees])
        # Offsets count levels within a tree; shifted by the levels of all trees before it.
        offset = np.append(0, ends + np.repeat(np.cumsum(listed) - listed, sizes)).astype(np.int32)
    return {
        "roots": roots.astype(np.int32),
        "kind": joined("kind"),
        "feature": joined("feature"),
        "threshold": joined("threshold"),
        "first_child": (joined("first_child") + np.repeat(roots, sizes)).astype(np.int32),
        "missing_child": joined("missing_child"),
        "level_offset": offset,
        "levels": levels,
        "share": np.zeros(0),
    }


def _cells(features: Frame | ForestCells) -> ForestCells:
    return features if isinstance(features, ForestCells) else cells_of(features)
