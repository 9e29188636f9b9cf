"""Boosting by passes over coded rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hornbook import _native
from hornbook.base import Learner
from hornbook.ensembles.forests._fitted_forest import ForestCells, cells_of
from hornbook.ensembles.gradient_boosting._boosting_fit import BoostingFit, StoppingRule
from hornbook.ensembles.gradient_boosting._progress import Held, LossCurves, mean_of
from hornbook.ensembles.gradient_boosting._tree_rounds import (
    LEVEL_SUPPORT,
    Round,
    TreeRecipe,
    TreesOfRounds,
    bend_of,
)
from hornbook.ensembles.gradient_boosting.blocks._passes import (
    TOGETHER,
    CodedStep,
    CodedTree,
    PairBounds,
    PairSource,
    add_all,
    bounds_of,
    histograms_of,
    join_all,
    join_bounds,
    leaf_sums_of,
    scores_of,
)
from hornbook.frame import Block, Frame, Schema
from hornbook.losses import Loss
from hornbook.params import Floats
from hornbook.trees import CodedBlocks, FittedTree, GradientTarget, GrowerSettings, SampleSize, refuse_weights

__all__ = ["BlockFit", "PassTrees", "PassedTrees", "TableTrees"]

HISTOGRAM_BYTES = 2**25  # of all histograms of one pass


class CodedTrees(TreesOfRounds):
    """Trees on coded rows.

    Parameters
    ----------
    coded : CodedBlocks
        The training rows.
    schema : Schema
        Their columns.
    recipe : TreeRecipe
        How trees are fitted.
    settings : GrowerSettings
        How they are grown.
    seed : int
        Seed of the draws.
    """

    def __init__(
        self, coded: CodedBlocks, schema: Schema, recipe: TreeRecipe, settings: GrowerSettings, *, seed: int
    ) -> None:
        super().__init__(len(schema), None)
        self.rows, self.sizes = coded.rows, coded.sizes
        self._coded, self._seed, self._rate = coded, seed, recipe.learning_rate
        size = self.rows.reduce(_row_counts, merge=_joined)
        weight = float(size[:, 1].sum())
        if settings.min_gain is None:
            settings = replace(settings, min_gain=0.0)
        self._options = settings.options(schema, SampleSize(int(size[:, 0].sum()), weight))
        self._options.min_weight_leaf = recipe.min_hessian
        self._options.level_support = LEVEL_SUPPORT / weight

    def latest(self, rows: ForestCells) -> Floats:
        """What the newest tree adds to the scores of rows in memory."""
        return self.newest().answers(rows, self.rows.threads)[:, 0]

    def rows_of(self, frame: Frame) -> ForestCells:
        """The cells of rows in memory."""
        return cells_of(frame)

    def growers(self, source: PairSource, bounds: PairBounds) -> list[_native.PairPassGrower]:
        """What grows the trees of a round, one for each score, from histograms of their open nodes."""
        refuse_weights(max(float(runs[:, 1].max()) for runs in bounds.runs))
        n_scores = len(bounds.runs)
        return [
            _native.PairPassGrower(
                self._coded.columns,
                self._options,
                self._seed,
                source.number * n_scores + k,
                runs,
                self.rows.n_rows,
                int(n_rows),
                HISTOGRAM_BYTES // n_scores,
            )
            for k, (runs, n_rows) in enumerate(zip(bounds.runs, bounds.n_rows, strict=True))
        ]


class TableTrees(CodedTrees):
    """Grows the trees of boosting on the codes of all rows in memory.

    Parameters
    ----------
    coded, schema, recipe, settings, seed : object
        As in `CodedTrees`.
    """

    def __init__(
        self, coded: CodedBlocks, schema: Schema, recipe: TreeRecipe, settings: GrowerSettings, *, seed: int
    ) -> None:
        super().__init__(coded, schema, recipe, settings, seed=seed)
        self.block = coded.gather()
        codes = np.ascontiguousarray(self.block.X)
        table = _native.table_of_codes(codes, coded.width, coded.columns, self.rows.threads)
        self._grower = _native.PairGrower(table)

    def add(self, at: Round) -> Floats:
        """Grow a tree, and give what it adds to the scores of the rows."""
        pairs = GradientTarget.of(at.gradient, bend_of(at.loss, at.gradient, at.hessian), at.w)
        arrays, leaves = _native.grow_pairs(
            self._grower, pairs.sums, pairs.w, self._options, self._seed, at.number, self.rows.threads
        )
        tree = FittedTree(*arrays)
        value = self._rate * tree.value[:, 0]
        self.keep(tree, value)
        # Rows of weight 0 have no codes, and nobody asks for their scores.
        return np.where(leaves >= 0, value[leaves], 0.0)


class PassedTrees(CodedTrees, ABC):
    """Trees on rows whose scores stay where they are."""

    @abstractmethod
    def advance(self, source: PairSource) -> PairBounds:
        """Add the newest trees to the scores of the rows, and say what is known of the pairs there."""

    @abstractmethod
    def mean_loss(self, source: PairSource, bounds: PairBounds) -> float:
        """Weighted mean of the loss at the scores of the rows."""

    @abstractmethod
    def grow(self, source: PairSource, bounds: PairBounds) -> list[tuple[FittedTree, Floats]]:
        """Grow the trees of a round, and give them with what their nodes add to the scores."""


class PassTrees(PassedTrees):
    """Grows the trees of boosting by passes over coded rows, all trees of a round side by side.

    Parameters
    ----------
    coded, schema, recipe, settings, seed : object
        As in `CodedTrees`.
    base : ndarray of shape (n_scores,)
        Where the scores start.
    """

    def __init__(
        self,
        coded: CodedBlocks,
        schema: Schema,
        recipe: TreeRecipe,
        settings: GrowerSettings,
        *,
        base: Floats,
        seed: int,
    ) -> None:
        super().__init__(coded, schema, recipe, settings, seed=seed)
        self.n_scores, self._base = len(base), base
        self._rounds: list[Sequence[CodedStep]] = []  # which the scores of the rows include
        self._newest: Sequence[CodedStep] = ()  # which they do not
        self.scores = self.rows.carry(scores_of, base, self.sizes, [])

    def advance(self, source: PairSource) -> PairBounds:
        """Add the newest trees to the scores of the rows, and say what is known of the pairs there."""
        bounds = self.rows.reduce(
            bounds_of,
            source,
            self._newest,
            self.n_scores,
            carry=self.scores,
            merge=join_bounds,
            together=TOGETHER,
        )
        if self._newest:
            self._rounds, self._newest = [*self._rounds, self._newest], ()
            self.scores.state = (self._base, self.sizes, self._rounds)
        return bounds

    def mean_loss(self, source: PairSource, bounds: PairBounds) -> float:  # noqa: ARG002 - known by now
        """Weighted mean of the loss at the scores of the rows."""
        return mean_of(bounds.loss)

    def grow(self, source: PairSource, bounds: PairBounds) -> list[tuple[FittedTree, Floats]]:
        """Grow the trees of a round, and give them with what their nodes add to the scores."""
        growers = self.growers(source, bounds)
        # Level by level: one pass sums the histograms of all open nodes of all trees of the round.
        while active := [k for k, grower in enumerate(growers) if grower.slots]:
            trees = [(k, CodedTree(*growers[k].routes()), growers[k].slots, growers[k].scale) for k in active]
            sums = self.rows.reduce(
                histograms_of, source, trees, carry=self.scores, reads=True, merge=add_all, together=TOGETHER
            )
            for k, histograms in zip(active, sums, strict=True):
                growers[k].take(histograms)
        finished = [CodedTree(*grower.routes()) for grower in growers]
        nodes = [(k, tree, growers[k].nodes) for k, tree in enumerate(finished)]
        # Leaf values are summed in doubles, chunk by chunk, after the splits have been found on
        # integers.
        leaf_sums = self.rows.reduce(
            leaf_sums_of, source, nodes, carry=self.scores, reads=True, merge=join_all, together=TOGETHER
        )
        grown = [FittedTree(*grower.tree(sums)) for grower, sums in zip(growers, leaf_sums, strict=True)]
        values = [self._rate * tree.value[:, 0] for tree in grown]
        self._newest = [CodedStep(*pair) for pair in zip(finished, values, strict=True)]
        return list(zip(grown, values, strict=True))


class BlockFit(BoostingFit):
    """Adds trees to scores that stay where the rows are.

    Parameters
    ----------
    learner : Learner
        The learner, whose callbacks see each round.
    loss : Loss
        What is minimized.
    trees : PassedTrees
        Grows the trees.
    held : Held, optional
        Rows that are watched.
    rule : StoppingRule, optional
        When to stop early.
    """

    def __init__(
        self,
        learner: Learner,
        loss: Loss,
        trees: PassedTrees,
        held: Held | None,
        rule: StoppingRule | None,
    ) -> None:
        self._learner, self._loss = learner, loss
        self._members = self._trees = trees
        self._held, self._rule, self._done = held, rule, 0
        self._bounds: PairBounds | None = None  # at the scores so far

    def _source(self, t: int) -> PairSource:
        return PairSource(self._loss, self._trees.sizes, type(self._learner).__name__, t)

    def _at_scores(self, t: int) -> PairBounds:
        if self._bounds is None:
            self._bounds = self._trees.advance(self._source(t))
        return self._bounds

    def _add(self, t: int, curves: LossCurves) -> Loss:  # noqa: ARG002 - for rows that are not drawn
        """Make round t: a tree for each score."""
        for k, (tree, value) in enumerate(self._trees.grow(self._source(t), self._at_scores(t))):
            self._trees.keep(tree, value)
            if self._held is not None:
                self._held.add(self._trees, k)
        self._bounds = None
        return self._loss

    def _train_loss(self, loss: Loss) -> float:  # noqa: ARG002 - all rounds have the same
        return self._trees.mean_loss(self._source(self._done), self._at_scores(self._done))


def _row_counts(block: Block) -> Floats:
    """Number and weight of the rows of positive weight."""
    w = np.ones(len(block)) if block.w is None else block.w
    return np.array([[np.count_nonzero(w), w.sum()]])


def _joined(one: Floats, other: Floats) -> Floats:
    return np.concatenate([one, other])
