"""Grows trees from a coded table and a target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Frame, Schema
from hornbook.params import Floats
from hornbook.trees._fitted import FittedTree
from hornbook.trees._parameters import Categorical
from hornbook.trees._settings import GrowerSettings, SampleSize
from hornbook.trees._several import SeveralTarget
from hornbook.trees._targets import GradientTarget, Target
from hornbook.trees.binned._bins import code_frame

__all__ = ["Draws", "Grower", "as_categorical", "leaves_of_all", "require_categories"]

# Options of the grower of gradient pairs alone, as they are when nobody asks for them.
_FOR_PAIRS: dict[str, object] = {
    "l1": 0.0,
    "interactions": [],
    "columns_per_level": 2**63 - 1,
}


class Draws(Protocol):
    """Rows drawn with replacement: how many for a tree, and the running sums of how likely each row is."""

    @property
    def draws(self) -> int: ...
    @property
    def until(self) -> NDArray[np.int64] | None: ...
    def counts(self, t: int) -> NDArray[np.uint32]: ...


class Grower:
    """Grows trees on one table, whose columns are coded once for all of them.

    Parameters
    ----------
    table : CodedTable
        The columns.
    options : TreeOptions
        How trees are grown.
    seed : int
        Seed of all draws.
    n_threads : int
        Threads.
    frame : Frame, optional
        The rows themselves, to find the leaves of those that the tree was not grown on.
    all_coded : bool, default False
        Whether all rows have codes: those of weight 0 when the table was coded have none.
    """

    def __init__(
        self,
        table: _native.CodedTable,
        options: _native.TreeOptions,
        *,
        seed: int,
        n_threads: int,
        frame: Frame | None = None,
        all_coded: bool = False,
    ) -> None:
        self.table, self.options, self.seed, self.n_threads = table, options, seed, n_threads
        self._frame, self.all_coded = frame, all_coded
        self._pairs: _native.PairGrower | None = None
        self._pairs_refused = False

    @staticmethod
    def of(
        frame: Frame,
        settings: GrowerSettings,
        size: SampleSize,
        *,
        bin_weights: Floats | None,
        seed: int,
        n_threads: int,
    ) -> Grower:
        """The grower for a table; rows of weight 0 do not affect the bins."""
        table = code_frame(frame, bin_weights, settings.max_bins, seed, n_threads)
        options = settings.options(frame.schema, size)
        # Rows of weight 0 are coded as missing, so their codes do not lead to their leaf; rows that are only
        # left out of one tree have codes that do.
        all_coded = bin_weights is None or bool((bin_weights > 0).all())
        return Grower(table, options, seed=seed, n_threads=n_threads, frame=frame, all_coded=all_coded)

    def tree(
        self,
        target: Target | SeveralTarget,
        t: int = 0,
        *,
        draws: Draws | None = None,
        options: _native.TreeOptions | None = None,
        n_threads: int | None = None,
    ) -> FittedTree:
        """Grow tree number t, on all rows of positive weight or on those that are drawn for it."""
        if isinstance(target, SeveralTarget):
            return self._tree_for_several(target, t, draws, options, n_threads)
        if options is None and draws is None and self._takes_pairs(target):
            return self._tree_of_pairs(target, t, n_threads)[0]
        arrays = _native.grow_tree(*self._arguments(target, t, draws, options, n_threads))
        return FittedTree.grown(arrays, target.shift)

    def kept_tree(
        self, target: Target, t: int, *, draws: Draws | None, options: _native.TreeOptions
    ) -> tuple[NDArray[Any], ...]:
        """Grow tree number t on one thread; what a forest keeps of it, as ``grow_kept_tree`` lists it."""
        arrays = _native.grow_kept_tree(*self._arguments(target, t, draws, options, 1))
        return (*arrays[:7], arrays[7] + target.shift, *arrays[8:]) if target.shift else arrays

    def tree_and_leaves(
        self, target: Target, t: int = 0, *, draws: Draws | None = None
    ) -> tuple[FittedTree, NDArray[np.int32]]:
        """Grow tree number t, and give the node that each row of the table ends in.

        The rows that the tree is grown on are sorted by leaf while it grows, so that only the others have to
        traverse it: those of weight 0, those not drawn, and all where missing values go to all children.
        """
        assert self._frame is not None  # growers of codes alone are used for trees only
        # A row that goes down several branches has no single leaf in the grower; so the tree is asked with
        # `apply`.
        if self.options.fractional:
            tree = self.tree(target, t, draws=draws)
            return tree, tree.apply(self._frame, self.n_threads)
        if draws is None and self._takes_pairs(target):
            tree, leaves = self._tree_of_pairs(target, t, None)
        else:
            arrays, leaves = _native.grow_tree_with_leaves(*self._arguments(target, t, draws, None, None))
            tree = FittedTree.grown(arrays, target.shift)
        return tree, leaves_of_all(tree, leaves, self._frame, self.n_threads)

    @property
    def pairs(self) -> _native.PairGrower | None:
        """The faster grower of gradient pairs on the same table, if it takes the table and the options."""
        if not _native.PairGrower.takes(self.table, self.options):
            return None
        if self._pairs is None:
            self._pairs = _native.PairGrower(self.table)
        return self._pairs

    def _takes_pairs(self, target: Target) -> TypeGuard[GradientTarget]:
        return isinstance(target, GradientTarget) and self.pairs is not None

    def _tree_of_pairs(
        self, pairs: GradientTarget, t: int, n_threads: int | None
    ) -> tuple[FittedTree, NDArray[np.int32]]:
        assert self._pairs is not None  # made when it was found to suit
        threads = n_threads or self.n_threads
        arrays, leaves = _native.grow_pairs(
            self._pairs, pairs.sums, pairs.w, self.options, self.seed, t, threads, self.all_coded
        )
        return FittedTree(*arrays), leaves

    def _tree_for_several(
        self,
        target: SeveralTarget,
        t: int,
        draws: Draws | None,
        options: _native.TreeOptions | None,
        n_threads: int | None,
    ) -> FittedTree:
        arrays = _native.grow_tree_for_several(
            self.table,
            target.codes,
            list(target.sizes),
            target.numbers,
            target.w,
            options or self.options,
            self.seed,
            t,
            n_threads or self.n_threads,
            *((0, None) if draws is None else (draws.draws, draws.until)),
        )
        return FittedTree(*arrays[:-1], arrays[-1] + target.shift)

    def _arguments(
        self,
        target: Target,
        t: int,
        draws: Draws | None,
        options: _native.TreeOptions | None,
        n_threads: int | None,
    ) -> tuple[Any, ...]:
        if not self._pairs_refused:  # once: it takes as long as a small tree
            _refuse_options_of_pairs(self.options, isinstance(target, GradientTarget))
            self._pairs_refused = True
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
            target.square_unit,
        )


def _refuse_options_of_pairs(options: _native.TreeOptions, of_pairs: bool) -> None:
    unused_values = _FOR_PAIRS | ({"monotone": []} if of_pairs else {})
    for name, unused in unused_values.items():
        if getattr(options, name) != unused:
            raise ValueError(
                f"{name} is for gradient pairs on bins: set max_bins to at most 255 and min_gain to 0, "
                "and make the best split in two of all rows."
            )


def leaves_of_all(
    tree: FittedTree, leaves: NDArray[np.int32], frame: Frame, n_threads: int
) -> NDArray[np.int32]:
    """The leaf of each row, where -1 stands for rows that the tree was not grown on; in place."""
    if leaves.min() < 0:
        # Only rows that took no part in growth go down the tree again.
        unseen = np.flatnonzero(leaves < 0)
        leaves[unseen] = tree.apply(frame[unseen], n_threads)
    return leaves


def as_categorical(frame: Frame, columns: Categorical) -> Frame:
    """The frame with some numeric columns as categories; given by names, positions or a mask."""
    numeric = _numeric_among(frame.schema, columns)
    kinds: dict[str | int, str | Sequence[Any]] = dict.fromkeys(numeric, "nominal")
    return Frame(frame, kinds=kinds) if kinds else frame


def require_categories(schema: Schema, columns: Categorical) -> None:
    """Reject numeric columns marked as categories: not all of their levels are known."""
    numeric = _numeric_among(schema, columns)
    if numeric:
        name = schema.names[numeric[0]]
        raise ValueError(
            f"categorical_features names the numeric column {name!r}, whose levels are not known from a part "
            f"of the rows: say so when the file is opened, scan(path, kinds={{{name!r}: 'nominal'}})."
        )


_WRONG_COLUMNS = "categorical_features must be an array-like of bool, int or str, got:"


def _position(schema: Schema, key: Any, chosen: NDArray[Any]) -> int:
    """Position of a column that is marked as a category."""
    if not isinstance(key, str | int):
        kinds = ", ".join(sorted({type(one).__name__ for one in chosen.tolist()}))
        raise ValueError(f"{_WRONG_COLUMNS} {kinds}.")  # noqa: TRY004 - scikit-learn's kind of error
    if isinstance(key, str) and not schema.named:
        raise ValueError(
            "categorical_features should be passed as an array of integers or as a boolean mask when the "
            f"model is fitted on data without feature names; got {key!r}."
        )
    try:
        return schema.position(key)
    except ValueError as error:
        if not isinstance(key, str):
            raise
        raise ValueError(
            f"categorical_features has an item value {key!r} which is not a valid feature name of the "
            f"training data. {error}"
        ) from None


def _numeric_among(schema: Schema, columns: Categorical) -> list[int]:
    """Positions of the marked columns that are numeric; others are categories already."""
    if columns is None:
        return []
    chosen = np.asarray(columns)
    if chosen.dtype == np.bool_:
        if chosen.shape != (len(schema),):
            raise ValueError(
                "categorical_features set as a boolean mask must have shape (n_features,) = "
                f"({len(schema)},); got {len(chosen)} marks: pass one for each column, or names."
            )
        chosen = np.flatnonzero(chosen)
    if chosen.dtype.kind not in "iuUO" and len(chosen):
        raise ValueError(f"{_WRONG_COLUMNS} {chosen.dtype.name}.")
    positions = [_position(schema, key, chosen) for key in chosen.tolist()]
    return [j for j in positions if schema.columns[j].kind == "numeric"]
