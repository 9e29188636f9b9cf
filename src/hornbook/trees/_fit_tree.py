"""From a table to one tree: code, grow, prune."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.trees._fitted import FittedTree
from hornbook.trees._grower import Grower
from hornbook.trees._settings import GrowerSettings, SampleSize
from hornbook.trees._several import SeveralTarget
from hornbook.trees._targets import target_of
from hornbook.trees.binned._bins import code_frame, columns_with_gaps
from hornbook.trees.binned._fixed_point import fixed_point
from hornbook.trees.binned._row_weights import in_memory
from hornbook.trees.pruning._complexity import prune_to
from hornbook.trees.pruning._pruning import held_out, pessimistic, pruned_by_rows, row_parts

__all__ = ["Pruning", "fit_tree"]


@dataclass(frozen=True)
class Pruning:
    """How one tree is pruned, besides cost-complexity pruning.

    Parameters
    ----------
    rule : str, optional
        The rule; none when left out.
    validation_fraction : float
        Fraction of the rows held out for it.
    """

    rule: Literal["pre", "reduced_error", "pessimistic"] | None = None
    validation_fraction: float = 0.0

    @property
    def holds_out(self) -> bool:
        """Whether it needs rows that the tree was not grown on."""
        return self.rule in ("pre", "reduced_error")


def fit_tree(
    frame: Frame,
    y: NDArray[Any],
    w: Floats | None,
    settings: GrowerSettings,
    pruning: Pruning,
    *,
    n_classes: int | tuple[int, ...],
    seed: int,
    bin_seed: int,
    n_threads: int,
) -> FittedTree:
    """Grow one tree on all rows, or on those that are not held out for pruning, and prune it.

    Of several targets ``n_classes`` has one number for each; it is empty if they are numbers.
    """
    if isinstance(n_classes, tuple):
        return _fit_several(
            frame, y, w, settings, pruning, sizes=n_classes, seed=seed, bin_seed=bin_seed, n_threads=n_threads
        )
    settings.refuse_classes(n_classes)
    full = np.ones(len(y)) if w is None else w
    out = np.zeros(len(y), dtype=np.bool_)
    if pruning.holds_out:
        out = held_out(y, full, pruning.validation_fraction, seed, by_class=n_classes > 0)
        w = np.where(out, 0.0, full)  # rows of weight 0 take no part in growth, and no copy is needed
    # Fixed point makes histogram sums exact, so that a tree from a file, summed in another order, has the
    # same bits.
    fixed = fixed_point(in_memory(y, w), None, numbers=n_classes == 0) if settings.sums_exactly else None
    # Limits that are fractions count the rows that the tree is grown on, without those held out.
    size = SampleSize.of(w if fixed is None else fixed.weights(w), len(y))
    options = settings.options(frame.schema, size)
    table = code_frame(frame, w, settings.max_bins, bin_seed, n_threads)
    target = target_of(y, n_classes, w, options.criterion, fixed=fixed)
    tree = Grower(table, options, seed=seed, n_threads=n_threads).tree(target)
    if pruning.rule == "pessimistic":
        in_parts = settings.missing == "fractional" and columns_with_gaps(frame).any()
        tree = pessimistic(tree, row_parts(tree, frame, full) if in_parts else None)
    elif pruning.holds_out:
        loss = "errors" if n_classes else settings.criterion
        tree = pruned_by_rows(tree, frame, y, np.where(out, full, 0.0), loss, ahead=pruning.rule == "pre")
    return prune_to(tree, settings.ccp_alpha) if settings.ccp_alpha > 0 else tree


def _fit_several(
    frame: Frame,
    y: NDArray[Any],
    w: Floats | None,
    settings: GrowerSettings,
    pruning: Pruning,
    *,
    sizes: tuple[int, ...],
    seed: int,
    bin_seed: int,
    n_threads: int,
) -> FittedTree:
    """Grow one tree for several targets at once, and prune it by its costs."""
    settings.refuse_several()
    if pruning.rule is not None:
        raise ValueError(
            f"{settings.learner}: pruning={pruning.rule!r} is for one target, and y has several: set "
            "ccp_alpha instead, or fit one learner for each column of y."
        )
    options = settings.options(frame.schema, SampleSize.of(w, len(y)))
    table = code_frame(frame, w, settings.max_bins, bin_seed, n_threads)
    target = SeveralTarget.of(y, sizes, w, options.criterion)
    tree = Grower(table, options, seed=seed, n_threads=n_threads).tree(target)
    return prune_to(tree, settings.ccp_alpha) if settings.ccp_alpha > 0 else tree
