"""The one way from columns and a target to a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.trees._fitted import FittedTree
from hornbook.trees._parameters import Categorical
from hornbook.trees._settings import GrowerSettings, SampleSize
from hornbook.trees._targets import Target

__all__ = ["Draws", "Grower", "as_categorical"]


class Draws(Protocol):
    """Rows drawn with replacement: how many for a tree, and the running sums of how likely each row is."""

    @property
    def draws(self) -> int: ...
    @property
    def until(self) -> NDArray[np.int64] | None: ...


class Grower:
    """Grows trees on one table, whose columns are coded once for all of them.

    Parameters
    ----------
    frame : Frame
        The columns.
    settings : GrowerSettings
        How trees are grown.
    size : SampleSize
        What the rows of a tree amount to.
    bin_weights : ndarray, optional
        Weights of the rows where bins are made; those of weight 0 are not looked at.
    seed : int
        Seed of all draws.
    n_threads : int
        Threads.
    """

    def __init__(
        self,
        frame: Frame,
        settings: GrowerSettings,
        size: SampleSize,
        *,
        bin_weights: Floats | None,
        seed: int,
        n_threads: int,
    ) -> None:
        self.frame, self.settings, self.seed, self.n_threads = frame, settings, seed, n_threads
        self.options = settings.options(frame.schema, size)
        self.table = _code_table(frame, bin_weights, settings.max_bins, n_threads)

    def tree(
        self,
        target: Target,
        t: int = 0,
        *,
        draws: Draws | None = None,
        options: _native.TreeOptions | None = None,
        n_threads: int | None = None,
    ) -> FittedTree:
        """Grow tree number t, on all rows of some weight or on those that are drawn for it."""
        arrays = _native.grow_tree(*self._arguments(target, t, draws, options, n_threads))
        return _shifted(FittedTree(*arrays), target.shift)

    def tree_and_leaves(
        self, target: Target, t: int = 0, *, draws: Draws | None = None
    ) -> tuple[FittedTree, NDArray[np.int32]]:
        """Grow tree number t, and give the node that each row of the table ends in.

        The rows that the tree is grown on are sorted by leaf while it grows, so that only others are sent
        through it: those of weight 0 and those not drawn, and where missing values go to all children.
        """
        if self.options.fractional:
            tree = self.tree(target, t, draws=draws)
            return tree, tree.apply(self.frame, self.n_threads)
        arrays, leaves = _native.grow_tree_with_leaves(*self._arguments(target, t, draws, None, None))
        tree = _shifted(FittedTree(*arrays), target.shift)
        unseen = np.flatnonzero(leaves < 0)
        if len(unseen):
            leaves[unseen] = tree.apply(self.frame[unseen], self.n_threads)
        return tree, leaves

    def _arguments(
        self,
        target: Target,
        t: int,
        draws: Draws | None,
        options: _native.TreeOptions | None,
        n_threads: int | None,
    ) -> tuple[Any, ...]:
        return (
            self.table,
            target.codes,
            target.n_classes,
            target.sums,
            target.w,
            options or self.options,
            self.seed,
            t,
            n_threads or self.n_threads,
            *((0, None) if draws is None else (draws.draws, draws.until)),
        )


def _shifted(tree: FittedTree, shift: float) -> FittedTree:
    return replace(tree, value=tree.value + shift) if shift else tree


def _code_table(frame: Frame, w: Floats | None, max_bins: int | None, n_threads: int) -> _native.CodedTable:
    """Columns as rank codes."""
    columns = frame.schema.columns
    levels = [-1 if column.kind == "numeric" else len(column.levels) for column in columns]
    return _native.code_table(
        [frame.column(j) for j in range(len(columns))],
        np.array(levels, dtype=np.int32),
        np.array([column.kind == "nominal" for column in columns]),
        w,
        max_bins or 0,
        n_threads,
    )


def as_categorical(frame: Frame, columns: Categorical) -> Frame:
    """The frame with some numeric columns as categories; given by names, positions or marks."""
    if columns is None:
        return frame
    chosen = np.asarray(columns)
    if chosen.dtype == np.bool_:
        if chosen.shape != (len(frame.schema),):
            raise ValueError(
                f"categorical_features marks {len(chosen)} columns, but the table has {len(frame.schema)}: "
                "give one mark for each, or names."
            )
        chosen = np.flatnonzero(chosen)
    # Of columns that are categories already nothing has to change.
    wanted = [frame.schema.position(key) for key in chosen.tolist()]
    kinds: dict[str | int, str | Sequence[Any]] = {
        j: "nominal" for j in wanted if frame.schema.columns[j].kind == "numeric"
    }
    return Frame(frame, kinds=kinds) if kinds else frame
