"""Permutation importance out of bag (Breiman 2001), and mean decrease in impurity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbook.base import Description, Table
from hornbook.ensembles.forests._fitted_forest import FittedForest
from hornbook.ensembles.forests._grow_trees import MemoryGrowth
from hornbook.ensembles.forests._out_of_bag import OutOfBag
from hornbook.ensembles.forests._single_tree import grown_again
from hornbook.frame import Frame, Schema
from hornbook.params import Floats, Team
from hornbook.plots import importance
from hornbook.random import Stream
from hornbook.trees import FittedTree

__all__ = ["Importance", "mean_impurity_decreases", "permutation_importance"]

_CELLS = 1 << 24  # sums of predictions that one thread holds at once


@dataclass(frozen=True)
class Importance:
    """How much each column matters to a forest.

    Parameters
    ----------
    names : sequence of str
        The columns.
    values : ndarray of shape (n_columns,)
        The importance of each.
    spread : ndarray of shape (n_columns,), optional
        Standard deviation over repeated shuffles.
    p_values : ndarray of shape (n_columns,), optional
        Probability of an importance at least this large if the column carried no information.
    meaning : str, default "importance"
        What the values mean.
    """

    names: tuple[str, ...]
    values: Floats
    spread: Floats | None = None
    p_values: Floats | None = None
    meaning: str = "importance"

    @staticmethod
    def by_impurity(schema: Schema, decreases: Floats) -> Importance:
        """Decreases of impurity, scaled to a maximum of 100."""
        values = np.asarray(decreases * (100.0 / (float(decreases.max()) or 1.0)))
        return Importance(_names(schema), values, meaning="decrease in impurity, scaled to a maximum of 100")

    def to_table(self) -> Table:
        """Give a row for each column, the most important first."""
        order = np.argsort(-self.values, kind="stable")
        more = {"deviation": self.spread, "p": self.p_values}
        known = {head: numbers for head, numbers in more.items() if numbers is not None}
        rows = [
            [self.names[j], float(self.values[j]), *(float(numbers[j]) for numbers in known.values())]
            for j in order.tolist()
        ]
        return Table("Importance", ["column", "importance", *known], rows)

    def __str__(self) -> str:
        return str(self._description())

    def _repr_html_(self) -> str:
        return self._description()._repr_html_()

    def _description(self) -> Description:
        return Description("How much each column matters", {"importance": self.meaning}, [self.to_table()])

    def plot(self, ax: Any = None) -> Any:
        """Draw a bar for each column.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure when left out.

        Returns
        -------
        ax : matplotlib Axes
            The plot.
        """
        drawn = importance(self.values, self.names, self.spread, ax=ax)
        drawn.set_xlabel(self.meaning)
        return drawn


def permutation_importance(
    forest: FittedForest, growth: MemoryGrowth, *, hard: bool, n_repeats: int, test: bool, seed: int
) -> Importance:
    """Increases of the out-of-bag error when columns are shuffled."""
    before, after = _permuted_errors(forest, growth, hard=hard, n_repeats=n_repeats, seed=seed)
    spread = after.std(axis=1, ddof=1) if n_repeats > 1 else None
    # One-sided permutation test; the unshuffled forest counts as one of the draws.
    # A p-value is therefore never 0, which no number of draws could show (Phipson and Smyth 2010).
    p_values = (1 + (after <= before).sum(axis=1)) / (n_repeats + 1) if test else None
    error = "error rate" if growth.rows.n_classes else "mean squared error"
    meaning = f"increase in the out-of-bag {error} when shuffled"
    names = _names(growth.rows.frame.schema)
    return Importance(names, (after - before).mean(axis=1), spread, p_values, meaning)


def _names(schema: Schema) -> tuple[str, ...]:
    return tuple(map(str, schema.names))


def mean_impurity_decreases(growth: MemoryGrowth, forest: FittedForest) -> Floats:
    """Mean over the trees, grown again, of the decrease of impurity by each column."""
    rows, n_threads = growth.rows, growth.n_threads
    trees = grown_again(growth, forest, 0, len(forest))
    total = sum(_impurity_decreases(tree, rows.frame, rows.w, n_threads) for tree in trees)
    return np.asarray(total / len(forest))


def _impurity_decreases(tree: FittedTree, frame: Frame, w: Floats | None, n_threads: int) -> Floats:
    """Decrease of impurity by the splits on each column, times the share of these rows that reach the node.

    Where missing values go to all children, a row counts where its largest fraction ends.
    """
    above, depth, leaf = tree.parent, tree.depth, tree.is_leaf
    mass = np.bincount(tree.apply(frame, n_threads), w, len(tree)).astype(np.float64)
    # Bottom up by levels: rows of inner nodes are those of their children.
    for level in range(int(depth.max()), 0, -1):
        nodes = np.flatnonzero(depth == level)
        np.add.at(mass, above[nodes], mass[nodes])
    below = np.zeros(len(tree))
    np.add.at(below, above[1:], tree.weight[1:] * tree.impurity[1:])
    # Rounding may make a useless split negative.
    decrease = np.maximum(tree.impurity - below / tree.weight, 0.0) * (mass / mass[0])
    return np.bincount(tree.feature[~leaf], decrease[~leaf], len(frame.schema)).astype(np.float64)


def _permuted_errors(
    forest: FittedForest, growth: MemoryGrowth, *, hard: bool, n_repeats: int, seed: int
) -> tuple[float, Floats]:
    """Out-of-bag error of the forest, and with each column shuffled: a row for each column.

    A column is shuffled among the rows that a tree has not seen, anew for each tree, and the answers are
    pooled over the trees as usual. Trees that do not use the column predict as before.
    """
    rows, n_threads = growth.rows, growth.n_threads
    unseen = OutOfBag(rows, growth.samples, hard=hard)
    # Views of single trees, made once: each is asked for every column.
    trees = [forest.tree(t) for t in range(len(forest))]
    for t, tree in enumerate(trees):
        unseen.add(tree, t, n_threads)
    unseen.score()  # an error if no tree has left out a row
    shuffles = _Shuffles(unseen, trees, seed)
    # Repeats share one pass over the trees as far as their sums fit in memory.
    some = max(1, _CELLS // unseen.total.size)
    parts = [range(first, min(first + some, n_repeats)) for first in range(0, n_repeats, some)]
    jobs = [(j, part) for j in range(len(rows.frame.schema)) for part in parts]
    with Team(n_threads) as team:
        # Columns side by side: the few rows that one tree has not seen are not worth several threads.
        errors = [error for part in team.map(lambda job: shuffles.errors(*job), jobs) for error in part]
    return unseen.error, np.reshape(errors, (-1, n_repeats))


class _Shuffles:
    """Out-of-bag predictions with one column shuffled."""

    def __init__(self, unseen: OutOfBag, trees: list[FittedForest], seed: int) -> None:
        self.unseen, self.trees, self.seed = unseen, trees, seed

    def errors(self, j: int, repeats: range) -> list[float]:
        """Errors with column j shuffled, one for each of the repeats."""
        unseen, n_columns = self.unseen, len(self.unseen.cells.place)
        change = np.zeros((len(repeats), *unseen.total.shape))
        for t, tree in enumerate(self.trees):
            if not (tree.feature == j).any():
                continue
            left_out = unseen.left_out(t)
            part = unseen.cells[left_out]
            # Only the change against the usual prediction is summed: trees without the column change nothing.
            usual, column = tree.answers(part, 1, hard=unseen.hard), part.column(j).copy()
            for r, sums in zip(repeats, change, strict=True):
                order = Stream(self.seed, r * n_columns + j, t).permutation(len(left_out))
                part.column(j)[:] = column[order]
                sums[left_out] += tree.answers(part, 1, hard=unseen.hard) - usual
        return [unseen.error_of(unseen.total + sums) for sums in change]
