"""Contributions of the columns to the predictions of trees, alone and in sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook import _native
from hornbook.base import Working
from hornbook.evaluation import Contributions
from hornbook.frame import Frame, require_memory
from hornbook.params import Floats
from hornbook.trees._fitted import FittedTree
from hornbook.trees.explain._questions import ClassLabels

__all__ = ["WeightedTrees", "contributions", "with_contributions"]

Ints = NDArray[np.int32]


@dataclass(frozen=True)
class WeightedTrees:
    """Trees that are summed with weights, as contributions need them.

    Parameters
    ----------
    nodes : tuple of ndarray
        Roots, kind, feature, threshold, first_child, missing_child, level_offset, levels and share of all
        trees, as `_native.tree_predict` takes them.
    value : ndarray of shape (n_answers, n_values)
        Values of the leaves, or of all nodes.
    cover : ndarray of shape (n_answers,)
        Training weight of each row of ``value``; only those of leaves count.
    scale : ndarray of shape (n_trees,)
        Weight of each tree.
    output : ndarray of int32 of shape (n_trees,)
        The output that the first value of each tree is added to; the others follow.
    offset : ndarray of shape (n_outputs,)
        Where the sums start.
    meaning : str
        What the sums are.
    shares : bool, default False
        Whether the values of a tree are shares of classes, which add up to 1.
    """

    nodes: tuple[Any, Any, Any, Any, Any, Any, Any, Any, Any]
    value: Floats
    cover: Floats
    scale: Floats
    output: Ints
    offset: Floats
    meaning: str
    shares: bool = False

    @staticmethod
    def of(
        trees: Sequence[FittedTree],
        value: Floats,
        *,
        scale: ArrayLike = 1.0,
        output: ArrayLike = 0,
        offset: ArrayLike,
        meaning: str,
        shares: bool = False,
    ) -> WeightedTrees:
        """Single trees, one after the other, with a row of ``value`` for each of their nodes."""
        sizes, listed = [len(tree) for tree in trees], [len(tree.levels) for tree in trees]
        first, levels_before = np.cumsum([0, *sizes[:-1]]), np.cumsum([0, *listed[:-1]])
        offsets = [tree.level_offset[:-1] + b for tree, b in zip(trees, levels_before, strict=True)]
        joined = {
            name: np.concatenate([getattr(tree, name) for tree in trees])
            for name in ("kind", "feature", "threshold", "missing_child", "levels", "share", "weight")
        }
        nodes = (
            first.astype(np.int32),
            joined["kind"],
            joined["feature"],
            joined["threshold"],
            np.concatenate([tree.first_child + b for tree, b in zip(trees, first, strict=True)]).astype(
                np.int32
            ),
            joined["missing_child"],
            np.append(np.concatenate(offsets), sum(listed)).astype(np.int32),
            joined["levels"],
            joined["share"],
        )
        return WeightedTrees(
            nodes,
            value,
            joined["weight"],
            np.broadcast_to(np.asarray(scale, dtype=np.float64), len(trees)).copy(),
            np.broadcast_to(np.asarray(output, dtype=np.int32), len(trees)).copy(),
            np.asarray(offset, dtype=np.float64),
            meaning,
            shares,
        )

    def contributions(self, rows: Frame, n_threads: int, *, interactions: bool) -> tuple[Floats, Floats]:
        """Values of shape (n_rows, n_columns[, n_columns], n_outputs), and the mean prediction."""
        n, columns, outputs = len(rows), len(rows.schema), len(self.offset)
        shape = (n, *[columns] * (2 if interactions else 1), outputs)
        # Interactions grow with the square of the columns, which is easily more than memory.
        require_memory(n, int(np.prod(shape[1:])), "pass fewer rows at a time")
        mirrored = self.shares and outputs == 2  # what one class gains, the other loses
        values, mean = _native.tree_contributions(
            *self.nodes,
            np.ascontiguousarray(self.value[:, 1:]) if mirrored else self.value,
            self.cover,
            self.scale,
            self.output,
            1 if mirrored else outputs,
            rows.numbers,
            rows.codes,
            rows.schema.places,
            interactions,
            n_threads,
        )
        if mirrored:
            # 0.0 - x and not -x, which would show columns without effect as -0.
            values = np.stack([0.0 - values, values], axis=-1)
            # Both shares of a node add up to 1, those of the sum of trees to the sum of their scales.
            mean = np.array([self.scale.sum() - mean[0], mean[0]])
        return values.reshape(shape), np.asarray(mean + self.offset)


class SumOfTrees(Protocol):
    """A learner whose predictions are sums over trees."""

    def _prepared(self, X: Any) -> Any: ...
    def _threads(self) -> int: ...
    def _coded(self, features: Frame) -> Frame: ...
    def _weighted_trees(self, rows: Frame) -> WeightedTrees: ...


# A method of such learners. It is assigned in their classes: a base class for it would be one more ancestor.
def contributions(self: SumOfTrees, X: Any, *, interactions: bool = False) -> Contributions:
    """Share out each prediction among the columns, by Shapley values (TreeSHAP, Lundberg et al. 2020).

    A column that is not known branches by the training weights. The values of a row and the mean
    prediction add up to what is predicted for the row.

    Parameters
    ----------
    X : table of shape (n_rows, n_columns)
        The rows.
    interactions : bool, default False
        Whether to share out among pairs of columns, too.

    Returns
    -------
    contributions : Contributions
        ``values`` of shape (n_rows, n_columns) for numbers or (n_rows, n_columns, n_classes) for classes,
        and ``base``; `hornbook.plots` has ``beeswarm``, ``waterfall`` and ``dependence`` for them.
    """
    return _shared_out(self, self._coded(self._prepared(X)), self._threads(), interactions=interactions)


def with_contributions(learner: SumOfTrees, row: Frame, working: Working) -> Working:
    """The working of a row with what each column contributes, where that is defined."""
    try:
        return replace(working, contributions=_shared_out(learner, learner._coded(row), 1))  # noqa: SLF001
    except ValueError:  # members that are no trees, rows that go to several leaves with one vote
        return working


def _shared_out(
    self: SumOfTrees, rows: Frame, n_threads: int, *, interactions: bool = False
) -> Contributions:
    trees = self._weighted_trees(rows)
    values, base = trees.contributions(rows, n_threads, interactions=interactions)
    labels, n_targets = getattr(self, "classes_", None), getattr(self, "n_outputs_", 1)
    outputs = tuple(ClassLabels(labels).names or ())
    if n_targets > 1 and labels is None:
        outputs = tuple(f"value {t}" for t in range(n_targets))
    elif n_targets > 1:  # the shares of each target sum to 1 over their number
        values, base = n_targets * values, n_targets * base
    if len(base) != len(outputs):  # a number, or one score for two classes
        values, base, outputs = values[..., 0], base[0], ()
    pairs = values if interactions else None
    return Contributions(
        values.sum(axis=2) if interactions else values, base, rows, outputs, trees.meaning, pairs
    )
