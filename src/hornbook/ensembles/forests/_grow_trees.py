"""Growing the trees of a forest, some at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.base import Floats, class_weights
from hornbook.ensembles.forests._bootstrap import Bootstrap
from hornbook.frame import Frame
from hornbook.params import Team
from hornbook.trees import FittedTree, code_frame, prune_to, refuse_squares, refuse_weights, tree_options

__all__ = ["BATCH", "Growth", "Rows", "batches"]

# Fewest trees between two looks of callbacks; the same on any number of threads, so that these see the same.
BATCH = 32
# Most batches of trees grown alike: with each, all trees so far may have to be put together.
_LOOKS = 16
_UNLIMITED = 2**63 - 1

# Number of the first tree, and number of trees.
Batch: TypeAlias = tuple[int, int]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Rows:
    """The rows of a fit.

    Parameters
    ----------
    frame : Frame
        The columns.
    y : ndarray
        Class numbers, or numbers.
    w : ndarray, optional
        Weights of the rows: how likely they are to be drawn, or, without draws, how much they count.
    factor : ndarray, optional
        How much each row counts on top of that.
    n_classes : int
        Number of classes; 0 for numbers.
    """

    frame: Frame
    y: NDArray[Any]
    w: Floats | None
    factor: Floats | None
    n_classes: int

    def __len__(self) -> int:
        return len(self.y)

    def inside(self, draws: Bootstrap | None) -> Floats | None:
        """Weights of the rows inside a tree."""
        if draws is not None or self.w is None:
            return self.factor
        return self.w if self.factor is None else self.w * self.factor

    def size(self, draws: Bootstrap | None) -> tuple[int, float]:
        """Number and weight of the rows of a tree; what is expected of a drawn sample."""
        w = self.inside(draws)
        if draws is None:
            return (len(self), float(len(self))) if w is None else (int((w > 0).sum()), float(w.sum()))
        return draws.draws, draws.draws * (1.0 if w is None else float(np.average(w, weights=self.w)))


class Growth:
    """Everything that is made once for all trees: coded columns, options, target.

    Parameters
    ----------
    model : Learner
        A forest with its parameters.
    rows : Rows
        The rows of the fit.
    draws : Bootstrap or None
        The samples; None when each tree sees all rows.
    seed : int
        Seed of the forest.
    n_threads : int
        Threads.
    """

    def __init__(self, model: Any, rows: Rows, draws: Bootstrap | None, seed: int, n_threads: int) -> None:
        self.draws, self.seed, self.n_threads, self.n_classes = draws, seed, n_threads, rows.n_classes
        self.n_columns = len(rows.frame.schema)
        self.alpha = model.ccp_alpha
        self.by_sample = draws is not None and getattr(model, "class_weight", None) == "balanced_subsample"
        self.table = code_frame(rows.frame, rows.w, model.max_bins, n_threads)
        self.options = tree_options(model, rows.frame.schema, *rows.size(draws))
        self.options.random_thresholds = model.random_thresholds
        self.options.pick = model.split
        if model.split == "proportional" and self.options.criterion == "gain_ratio":
            self.options.criterion = "raw_gain_ratio"  # of each candidate alone: no columns are compared
        self.options.top_k = model.top_k
        # Equal gains go to any of the columns, not to the first, unless nothing is drawn or the bounded
        # draws begin with the best tree.
        drawn = draws is not None or model.random_thresholds or model.split != "best"
        self.max_random_splits: int | None = model.max_random_splits
        self.options.draw_order = drawn and self.max_random_splits is None
        if model.subspace == "tree":
            self.options.columns_per_tree = self.options.max_features
            self.options.max_features = _UNLIMITED
        self.weight = rows.inside(draws)
        refuse_weights(self.weight)
        self.label, self.sum, self.shift = None, None, 0.0
        if rows.n_classes:
            self.label = np.ascontiguousarray(rows.y, dtype=np.int32)
        elif self.options.criterion == "squared_error":  # sums around the mean lose no digits
            self.shift = float(np.average(rows.y, weights=rows.w))
            off = rows.y - self.shift
            refuse_squares(off)
            self.sum = off * (1.0 if self.weight is None else self.weight)
        else:
            self.sum = np.ascontiguousarray(rows.y)

    def each(self, plan: Iterable[Batch], digest: Callable[[int, FittedTree], Result]) -> Generator[Result]:
        """What ``digest`` makes of one numbered tree after the other, while the next ones grow."""

        def work(t: int, options: _native.TreeOptions) -> Result:
            return digest(t, self._tree(t, options))

        trees = self._numbered(plan)
        if self.n_threads == 1:
            yield from (work(*each) for each in trees)
            return
        with Team(self.n_threads) as team:
            waiting: deque[Future[Result]] = deque()
            for each in trees:
                waiting.append(team.submit(work, *each))
                if len(waiting) > 2 * self.n_threads:  # a bound on how far growing runs ahead
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

    def _numbered(self, plan: Iterable[Batch]) -> Iterator[tuple[int, _native.TreeOptions]]:
        for first, count in plan:
            for t in range(first, first + count):
                yield t, self._options(t)

    def _options(self, t: int) -> _native.TreeOptions:
        """Options of tree t: under a bound s, trees have in turn at most 0, 1, ..., s random splits."""
        if self.max_random_splits is None:
            return self.options
        options = _native.TreeOptions(self.options)
        options.max_random_splits = t % (self.max_random_splits + 1)
        return options

    def _tree(self, t: int, options: _native.TreeOptions) -> FittedTree:
        draws, until = (0, None) if self.draws is None else (self.draws.draws, self.draws.until)
        arrays = _native.grow_tree(
            self.table,
            self.label,
            self.n_classes,
            self.sum,
            self._balanced(t) if self.by_sample else self.weight,
            options,
            self.seed,
            t,
            1,
            draws,
            until,
        )
        tree = FittedTree(*arrays)
        if self.shift:
            tree = replace(tree, value=tree.value + self.shift)
        return prune_to(tree, self.alpha) if self.alpha > 0 else tree

    def _balanced(self, t: int) -> Floats:
        """Weights that make the classes of tree t's own sample count the same."""
        assert self.draws is not None  # for mypy: there are samples
        assert self.label is not None  # and classes
        mass = np.bincount(self.label, self.draws.counts(t), self.n_classes).astype(np.float64)
        return np.asarray(class_weights("balanced", np.arange(self.n_classes), mass, "")[self.label])


def batches(n_trees: int, begin: int = 0) -> Iterator[Batch]:
    """The trees from number ``begin`` on, some at a time."""
    size = max(BATCH, n_trees // _LOOKS)
    for first in range(begin, n_trees, size):
        yield first, min(size, n_trees - first)
