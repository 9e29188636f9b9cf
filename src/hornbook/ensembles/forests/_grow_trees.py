"""Growing the trees of a forest, some at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.base import class_weights
from hornbook.ensembles.forests._bootstrap import BootstrapDraws, bootstrap_of
from hornbook.ensembles.forests._fitted_forest import FittedForest, forest_of_kept, slim
from hornbook.ensembles.forests._settings import ForestSettings
from hornbook.frame import Blocks, Frame
from hornbook.params import Floats, Team
from hornbook.trees import (
    ClassTarget,
    FittedTree,
    FixedPoint,
    Grower,
    GrowerSettings,
    NumberTarget,
    SampleSize,
    SeveralTarget,
    class_mass,
    fixed_point,
    impurity_importance,
    in_memory,
    mean_weight,
    prune_to,
    target_of,
    unit_below,
    weighted,
)

__all__ = [
    "BATCH",
    "ForestRows",
    "Growth",
    "KeptTree",
    "MemoryGrowth",
    "balanced_factors",
    "batches",
    "drawn_settings",
    "forest_grid",
]

# Fewest trees between two calls of callbacks, which see the same on any number of threads.
BATCH = 32
# Most batches: callbacks may copy all trees so far after each.
_MOST_BATCHES = 16

# Number of the first tree, and number of trees.
Batch: TypeAlias = tuple[int, int]
# The nodes of a tree that a forest keeps, and the importance of each column.
KeptTree: TypeAlias = tuple[FittedForest, Floats]
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
        Weights of the rows: sampling weights of the bootstrap, or, without draws, weights inside the trees.
    factors : ndarray, optional
        Weights of the classes inside the trees; of several targets, those of the rows.
    n_classes : int
        Number of classes; 0 for numbers.
    sizes : tuple of int, default ()
        Number of classes of each of several targets; ``n_classes`` is then their sum.
    """

    frame: Frame
    y: NDArray[Any]
    w: Floats | None
    factors: Floats | None
    n_classes: int
    sizes: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.y)

    @property
    def are_several(self) -> bool:
        """Whether there are several targets."""
        return self.y.ndim == 2

    def inside(self, draws: BootstrapDraws | None) -> Floats | None:
        """Weights of the rows inside a tree."""
        factor = self.factors if self.factors is None or self.are_several else self.factors[self.y]
        # Drawn rows carry the sample weight in how often they are drawn; only class weights remain.
        return factor if draws is not None else weighted(self.w, factor)

    def size(self, draws: BootstrapDraws | None, fixed: FixedPoint) -> SampleSize:
        """Number and weight of the rows of a tree; expected values for a drawn sample."""
        if draws is not None:
            factors = self.factors
            if factors is None:
                mean = 1.0
            elif self.are_several:
                mean = float(np.average(factors, weights=self.w))
            else:
                mean = mean_weight(in_memory(self.y, self.w), factors)
            return SampleSize(draws.draws, draws.draws * mean)
        return replace(SampleSize.of(fixed.weights(self.inside(draws)), len(self)), lightest=None)


class Growth(ABC):
    """What all trees of a forest share, and how they are grown.

    Parameters
    ----------
    settings : GrowerSettings
        How trees are grown.
    n_classes : int
        Number of classes; 0 for numbers.
    n_columns : int
        Number of columns.
    """

    draws: BootstrapDraws | None
    n_threads: int

    def __init__(self, settings: GrowerSettings, n_classes: int, n_columns: int) -> None:
        self.settings, self.n_classes, self.n_columns = settings, n_classes, n_columns

    @property
    def samples(self) -> BootstrapDraws:
        """The samples of a forest that has any."""
        assert self.draws is not None  # used by forests with draws only
        return self.draws

    def slim(self, tree: FittedTree) -> FittedForest:
        """The arrays of a tree that prediction needs."""
        return slim(
            tree,
            classes=self.n_classes > 0,
            every_node=self.settings.splits == "multiway",
            in_parts=self.settings.missing == "fractional",
        )

    def trees(self, first: int, count: int) -> Iterator[FittedTree]:
        """Some trees, one after the other."""
        return self.map_trees([(first, count)], lambda _, tree: tree)

    def map_trees(
        self, plan: Iterable[Batch], function: Callable[[int, FittedTree], Result]
    ) -> Generator[Result]:
        """The result of ``function`` for one numbered tree after the other, while the next ones grow."""
        numbers = (t for first, count in plan for t in range(first, first + count))
        yield from self._map_trees(numbers, function)

    def map_kept(
        self, plan: Iterable[Batch], function: Callable[[int, KeptTree], Result]
    ) -> Generator[Result]:
        """The same for what is kept of the trees."""
        numbers = (t for first, count in plan for t in range(first, first + count))
        yield from self._map_kept(numbers, function)

    def _map_kept(
        self, numbers: Iterator[int], function: Callable[[int, KeptTree], Result]
    ) -> Iterator[Result]:
        def kept(t: int, tree: FittedTree) -> Result:
            return function(t, (self.slim(tree), impurity_importance(tree, self.n_columns)))

        return self._map_trees(numbers, kept)

    @abstractmethod
    def _map_trees(
        self, numbers: Iterator[int], function: Callable[[int, FittedTree], Result]
    ) -> Iterator[Result]:
        """The same for trees of these numbers."""

    def _pruned(self, tree: FittedTree) -> FittedTree:
        return prune_to(tree, self.settings.ccp_alpha) if self.settings.ccp_alpha > 0 else tree


class MemoryGrowth(Growth):
    """Growth on a coded table in memory, a tree on each thread.

    Parameters
    ----------
    grower : Grower
        Grows one tree.
    target : ClassTarget, NumberTarget or SeveralTarget
        What trees are grown for.
    settings : GrowerSettings
        How.
    draws : BootstrapDraws, optional
        Rows of each tree; all when left out.
    balanced : FixedPoint, optional
        If classes are balanced within each tree's own sample: the units that weights are rounded to.
    rows : ForestRows, optional
        The rows themselves, for analyses of those that a tree has not seen.
    """

    def __init__(
        self,
        grower: Grower,
        target: ClassTarget | NumberTarget | SeveralTarget,
        settings: GrowerSettings,
        draws: BootstrapDraws | None,
        balanced: FixedPoint | None,
        rows: ForestRows | None = None,
    ) -> None:
        super().__init__(settings, target.n_classes, grower.table.n_columns)
        self.draws, self.n_threads = draws, grower.n_threads
        self._grower, self._target, self._balanced, self._rows = grower, target, balanced, rows

    @staticmethod
    def of(rows: ForestRows, settings: ForestSettings, seed: int, n_threads: int) -> MemoryGrowth:
        """Growth on the rows of a table."""
        draws = bootstrap_of(seed, len(rows), rows.w, settings.max_samples) if settings.bootstrap else None
        trees, fixed = drawn_settings(settings), None
        if rows.are_several:
            settings.refuse_several()
            trees.refuse_several()
        else:
            trees.refuse_classes(rows.n_classes)
        if trees.sums_exactly and not rows.are_several:
            known, numbers = in_memory(rows.y, rows.w), rows.n_classes == 0
            fixed = forest_grid(known, settings, rows.factors, draws, numbers=numbers)
        size = rows.size(draws, fixed or FixedPoint())
        grower = Grower.of(rows.frame, trees, size, bin_weights=rows.w, seed=seed, n_threads=n_threads)
        inside, criterion = rows.inside(draws), grower.options.criterion
        target: ClassTarget | NumberTarget | SeveralTarget
        if rows.are_several:
            target = SeveralTarget.of(rows.y, rows.sizes, inside, criterion, drawn_by=rows.w)
        else:
            target = target_of(rows.y, rows.n_classes, inside, criterion, drawn_by=rows.w, fixed=fixed)
        balanced = (fixed or FixedPoint()) if settings.is_balanced else None
        return MemoryGrowth(grower, target, trees, draws, balanced, rows)

    @property
    def rows(self) -> ForestRows:
        """The rows of the fit."""
        assert self._rows is not None  # used only where they were passed
        return self._rows

    def _map_trees(
        self, numbers: Iterator[int], function: Callable[[int, FittedTree], Result]
    ) -> Iterator[Result]:
        return self._map(numbers, lambda t: function(t, self._tree(t)))

    def _map_kept(
        self, numbers: Iterator[int], function: Callable[[int, KeptTree], Result]
    ) -> Iterator[Result]:
        settings = self.settings
        # Pruning, multiway nodes and fractional cases need all statistics of the nodes; the short
        # form, made in the kernel, has only what prediction reads.
        several = isinstance(self._target, SeveralTarget)
        if (
            several
            or settings.ccp_alpha > 0
            or settings.splits == "multiway"
            or settings.missing == "fractional"
        ):
            return super()._map_kept(numbers, function)
        return self._map(numbers, lambda t: function(t, self._kept(t)))

    def _map(self, numbers: Iterator[int], work: Callable[[int], Result]) -> Iterator[Result]:
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
        """Options of tree t: with max_random_splits=s, trees have in turn at most 0, 1, ..., s of them."""
        most = self.settings.max_random_splits
        if most is None:
            return self._grower.options
        options = _native.TreeOptions(self._grower.options)
        options.max_random_splits = t % (most + 1)
        return options

    def _target_of(self, t: int) -> ClassTarget | NumberTarget | SeveralTarget:
        """The target of tree t, with weights that may depend on its sample."""
        target = self._target
        if self._balanced is not None and isinstance(target, ClassTarget):
            # Counts of the sample as weights: class weights balance what this tree has actually
            # drawn.
            sample = in_memory(target.codes, self.samples.counts(t).astype(np.float64))
            factors = balanced_factors(class_mass(sample, target.n_classes))
            return replace(target, w=self._balanced.weights(factors[target.codes]))
        if self._balanced is not None and isinstance(target, SeveralTarget) and target.codes is not None:
            w = np.ones(len(target.codes))
            counts = self.samples.counts(t).astype(np.float64)
            for codes, size in zip(target.codes.T, target.sizes, strict=True):
                w *= balanced_factors(class_mass(in_memory(codes, counts), size))[codes]
            return replace(target, w=w)
        return target

    def _kept(self, t: int) -> KeptTree:
        target = self._target_of(t)
        assert not isinstance(target, SeveralTarget)  # kept by way of whole trees
        arrays = self._grower.kept_tree(target, t, draws=self.draws, options=self._options(t))
        return forest_of_kept(arrays), arrays[-1]

    def _tree(self, t: int) -> FittedTree:
        # One thread per tree: trees in parallel scale better than parallel search within each.
        tree = self._grower.tree(
            self._target_of(t), t, draws=self.draws, options=self._options(t), n_threads=1
        )
        return self._pruned(tree)


def drawn_settings(settings: ForestSettings) -> GrowerSettings:
    """Grower settings of the trees of a forest.

    Equal gains go to a random column, not to the first, unless nothing is drawn, or random splits are bounded
    and tree 0 is therefore the best tree.
    """
    trees = settings.trees
    drawn = settings.bootstrap or trees.thresholds == "random" or trees.split != "best"
    return replace(trees, draw_order=drawn and trees.max_random_splits is None)


def forest_grid(
    blocks: Blocks,
    settings: ForestSettings,
    factors: Floats | None,
    draws: BootstrapDraws | None,
    *,
    numbers: bool,
) -> FixedPoint:
    """The units that targets and weights of all trees are rounded to."""
    if settings.is_balanced and draws is not None:  # the weights of a sample add up to its size
        # Balanced weights of n draws sum to n; twice that is a safe bound for the unit.
        return FixedPoint(weight_unit=unit_below(2.0 * draws.draws))
    return fixed_point(blocks, factors, numbers=numbers, draws=0 if draws is None else draws.draws)


def balanced_factors(mass: Floats) -> Floats:
    """Class weights that balance a sample; ``mass`` is its number of rows of each class."""
    return np.asarray(class_weights("balanced", np.arange(len(mass)), mass, ""))


def batches(n_trees: int, begin: int = 0) -> Iterator[Batch]:
    """The trees from number ``begin`` on, some at a time."""
    size = max(BATCH, n_trees // _MOST_BATCHES)
    for first in range(begin, n_trees, size):
        yield first, min(size, n_trees - first)
