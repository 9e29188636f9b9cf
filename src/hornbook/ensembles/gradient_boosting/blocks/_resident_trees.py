"""Trees of boosting on rows that stay with other processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from hornbook import _native
from hornbook.ensembles.gradient_boosting._progress import mean_of
from hornbook.ensembles.gradient_boosting._tree_rounds import TreeRecipe
from hornbook.ensembles.gradient_boosting.blocks._block_fit import PassedTrees
from hornbook.ensembles.gradient_boosting.blocks._pair_rows import PairRows, by_row, joined_by_row
from hornbook.ensembles.gradient_boosting.blocks._passes import (
    CodedStep,
    CodedTree,
    PairBounds,
    PairSource,
    add_all,
    join_all,
    join_bounds,
)
from hornbook.frame import LostRowsError, Schema
from hornbook.params import Floats
from hornbook.trees import CodedBlocks, FittedTree, GrowerSettings

__all__ = ["ResidentTrees"]

Result = TypeVar("Result")


class ResidentTrees(PassedTrees):
    """Grows the trees of boosting here, from sums of objects that keep the nodes of their rows.

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
        self._rounds: list[Sequence[CodedStep]] = []
        self._residents = self.rows.residents(PairRows, *self._state)

    @property
    def _state(self) -> tuple[Any, ...]:
        return self._base, self.sizes, self._rounds

    def _repeated(self, step: Callable[[], Result]) -> Result:
        """Do something, again from its start if rows were lost with a machine."""
        while True:
            try:
                return step()
            except LostRowsError:
                self._residents.restore(*self._state)

    def advance(self, source: PairSource) -> PairBounds:
        """Add the newest trees to the scores of the rows, and say what is known of the pairs there."""
        steps = [step.value for step in self._rounds[-1]] if self._rounds else []

        def ask() -> dict[int, PairBounds]:
            args = source, len(self._rounds), steps
            return self._residents.ask("advance", *args, merge=joined_by_row)  # type: ignore[no-any-return]

        return by_row(self._repeated(ask), join_bounds)

    def mean_loss(self, source: PairSource, bounds: PairBounds) -> float:  # noqa: ARG002 - not part of them
        """Weighted mean of the loss at the scores of the rows."""

        def ask() -> dict[int, Floats]:
            return self._residents.ask("losses", source, merge=joined_by_row)  # type: ignore[no-any-return]

        return mean_of(by_row(self._repeated(ask), lambda one, other: np.concatenate([one, other])))

    def grow(self, source: PairSource, bounds: PairBounds) -> list[tuple[FittedTree, Floats]]:
        """Grow the trees of a round, and give them with what their nodes add to the scores."""
        grown, steps = self._repeated(lambda: self._grown_once(source, bounds))
        self._rounds = [*self._rounds, steps]
        return grown

    def _grown_once(
        self, source: PairSource, bounds: PairBounds
    ) -> tuple[list[tuple[FittedTree, Floats]], list[CodedStep]]:
        growers = self.growers(source, bounds)
        begun: set[int] = set()
        # Level by level: one question for the histograms of all open nodes of all trees of the round.
        while active := [k for k, grower in enumerate(growers) if grower.slots]:
            trees = [(k, None if k in begun else growers[k].scale, *_open_nodes(growers[k])) for k in active]
            sums = self._residents.ask("histograms", source, trees, merge=add_all)
            begun.update(active)
            for k, histograms in zip(active, sums, strict=True):
                growers[k].take(np.require(histograms, requirements=["ALIGNED", "C_CONTIGUOUS"]))
        for k in set(range(len(growers))) - begun:  # trees of one node, which nobody has heard of
            trees = [(k, growers[k].scale, growers[k].grown()[0], np.zeros(1, np.int32))]
            self._residents.ask("histograms", source, trees, merge=add_all)
        nodes = [(k, *grower.grown(), grower.nodes) for k, grower in enumerate(growers)]
        leaf_sums = by_row(self._residents.ask("leaf_sums", nodes, merge=joined_by_row), join_all)
        grown = [FittedTree(*grower.tree(sums)) for grower, sums in zip(growers, leaf_sums, strict=True)]
        values = [self._rate * tree.value[:, 0] for tree in grown]
        steps = [
            CodedStep(CodedTree(*grower.routes()), value)
            for grower, value in zip(growers, values, strict=True)
        ]
        return list(zip(grown, values, strict=True)), steps


def _open_nodes(grower: _native.PairPassGrower) -> tuple[Any, Any]:
    """The nodes of a growing tree, and those whose histograms are wanted, by their slots."""
    routes, slot = grower.routes()
    nodes = np.flatnonzero(slot >= 0)
    return routes, nodes[slot[nodes].argsort()].astype(np.int32)
