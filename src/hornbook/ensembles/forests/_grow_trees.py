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
from hornbook.ensembles.forests._bootstrap import BootstrapDraws, bootstrap_of
from hornbook.ensembles.forests._fitted_forest import FittedForest, slim
from hornbook.ensembles.forests._settings import ForestSettings
from hornbook.frame import Frame
from hornbook.params import Floats, Team
from hornbook.trees import (
    ClassTarget,
    FittedTree,
    Grower,
    SampleSize,
    class_factor,
    prune_to,
    target_of,
    weighted,
)

__all__ = ["BATCH", "ForestRows", "Growth", "batches"]

# Fewest trees between two looks of callbacks; the same on any number of threads, so that these see the same.
BATCH = 32
# Most batches of trees grown alike: with each, all trees so far may have to be put together.
_LOOKS = 16

# Number of the first tree, and number of trees.
Batch: TypeAlias = tuple[int, int]
Result = TypeVar("Result")


@dataclass(frozen=True)
class ForestRows:
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

    def inside(self, draws: BootstrapDraws | None) -> Floats | None:
        """Weights of the rows inside a tree."""
        return self.factor if draws is not None else weighted(self.w, self.factor)

    def size(self, draws: BootstrapDraws | None) -> SampleSize:
        """What the rows of a tree amount to; what is expected of a drawn sample."""
        w = self.inside(draws)
        if draws is not None:
            mean = 1.0 if w is None else float(np.average(w, weights=self.w))
            return SampleSize(draws.draws, draws.draws * mean)
        return replace(SampleSize.of(w, len(self)), lightest=None)


class Growth:
    """Everything that is made once for all trees: coded columns, options, target.

    Parameters
    ----------
    rows : ForestRows
        The rows of the fit.
    settings : ForestSettings
        How the forest is grown.
    seed : int
        Seed of the forest.
    n_threads : int
        Threads.
    """

    def __init__(self, rows: ForestRows, settings: ForestSettings, seed: int, n_threads: int) -> None:
        self.rows, self.n_threads, self.is_balanced = rows, n_threads, settings.is_balanced
        self.draws = (
            bootstrap_of(seed, len(rows), rows.w, settings.max_samples) if settings.bootstrap else None
        )
        trees = settings.trees
        # Equal gains go to any of the columns, not to the first, unless nothing is drawn or the bounded
        # draws begin with the best tree.
        drawn = self.draws is not None or trees.thresholds == "random" or trees.split != "best"
        self.settings = replace(trees, draw_order=drawn and trees.max_random_splits is None)
        self._grower = Grower(
            rows.frame,
            self.settings,
            rows.size(self.draws),
            bin_weights=rows.w,
            seed=seed,
            n_threads=n_threads,
        )
        criterion = self._grower.options.criterion
        self._target = target_of(rows.y, rows.n_classes, rows.inside(self.draws), criterion, drawn_by=rows.w)

    @property
    def samples(self) -> BootstrapDraws:
        """The samples of a forest that has any."""
        assert self.draws is not None  # asked of forests with draws only
        return self.draws

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.rows.frame.schema)

    def slim(self, tree: FittedTree) -> FittedForest:
        """What prediction needs of a tree."""
        return slim(
            tree,
            classes=self.rows.n_classes > 0,
            every_node=self.settings.splits == "multiway",
            in_parts=self.settings.missing == "fractional",
        )

    def trees(self, first: int, count: int) -> Iterator[FittedTree]:
        """Some trees, one after the other."""
        return self.each([(first, count)], lambda _, tree: tree)

    def each(self, plan: Iterable[Batch], digest: Callable[[int, FittedTree], Result]) -> Generator[Result]:
        """What ``digest`` makes of one numbered tree after the other, while the next ones grow."""

        def work(t: int) -> Result:
            return digest(t, self._tree(t))

        numbers = (t for first, count in plan for t in range(first, first + count))
        if self.n_threads == 1:
            yield from map(work, numbers)
            return
        with Team(self.n_threads) as team:
            waiting: deque[Future[Result]] = deque()
            for t in numbers:
                waiting.append(team.submit(work, t))
                if len(waiting) > 2 * self.n_threads:  # a bound on how far growing runs ahead
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()

    def _options(self, t: int) -> _native.TreeOptions:
        """Options of tree t: under a bound s, trees have in turn at most 0, 1, ..., s random splits."""
        most = self.settings.max_random_splits
        if most is None:
            return self._grower.options
        options = _native.TreeOptions(self._grower.options)
        options.max_random_splits = t % (most + 1)
        return options

    def _tree(self, t: int) -> FittedTree:
        target = self._target
        if self.is_balanced and self.draws is not None and isinstance(target, ClassTarget):
            target = replace(target, w=_balanced(target, self.draws.counts(t)))
        tree = self._grower.tree(target, t, draws=self.draws, options=self._options(t), n_threads=1)
        return prune_to(tree, self.settings.ccp_alpha) if self.settings.ccp_alpha > 0 else tree


def _balanced(target: ClassTarget, counts: NDArray[np.uint32]) -> Floats | None:
    """Weights that make the classes of a tree's own sample count the same."""
    return class_factor("balanced", np.arange(target.n_classes), target.codes, counts.astype(np.float64), "")


def batches(n_trees: int, begin: int = 0) -> Iterator[Batch]:
    """The trees from number ``begin`` on, some at a time."""
    size = max(BATCH, n_trees // _LOOKS)
    for first in range(begin, n_trees, size):
        yield first, min(size, n_trees - first)
