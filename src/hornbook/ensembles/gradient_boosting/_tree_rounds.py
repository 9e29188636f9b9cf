"""Trees as members of boosting: what they are fitted to, and what their leaves add."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from hornbook import _native
from hornbook.ensembles.forests._fitted_forest import ForestCells, cells_of
from hornbook.ensembles.gradient_boosting._boosted_trees import BoostedTrees, boosted_trees
from hornbook.ensembles.gradient_boosting._progress import total_weight
from hornbook.frame import Frame
from hornbook.losses import LogLoss, Loss, Regions, SoftmaxLoss
from hornbook.params import Floats
from hornbook.trees import (
    FittedTree,
    GradientTarget,
    Grower,
    GrowerSettings,
    NumberTarget,
    SampleSize,
    prune_to,
)

__all__ = [
    "LEAST_BEND",
    "LEVEL_SUPPORT",
    "SMALLEST_HESSIAN",
    "Members",
    "Round",
    "RoundMaker",
    "TreeBefore",
    "TreeRecipe",
    "TreeRounds",
    "TreesOfRounds",
    "bend_of",
]

SMALLEST_HESSIAN = 1e-16  # rows without any would not count at all
LEAST_BEND = 0.01  # of the first derivative, for many classes; as in loss_pairs.hpp of the native core
LEVEL_SUPPORT = 10.0  # average rows below which a level of a category counts as rare, as in scikit-learn
_ROUNDING = 1e-9  # of the largest second derivative: what differences of rounded numbers may be below 0
_NOTHING = 1e-120  # gradients up to here are 0: their squares cannot be told apart


@dataclass(frozen=True)
class Round:
    """What one score of all rows needs to know of a round.

    Parameters
    ----------
    number : int
        Number of the member: the round times the number of scores, plus the score.
    loss : Loss
        The loss.
    y : ndarray
        Targets: numbers or class numbers.
    z : ndarray of shape (n_rows,) or (n_rows, n_scores)
        The scores so far.
    k : int
        Which score.
    gradient, hessian : ndarray of shape (n_rows,)
        Derivatives of the loss by this score.
    w : ndarray, optional
        Weights of the rows; 0 for those that this round does not use.
    """

    number: int
    loss: Loss
    y: NDArray[Any]
    z: Floats
    k: int
    gradient: Floats
    hessian: Floats
    w: Floats | None

    @property
    def newton_target(self) -> Floats:
        """Newton's step of each row, -g / h."""
        _refuse_concave(self.loss, self.hessian)
        return np.asarray(-self.gradient / np.maximum(self.hessian, SMALLEST_HESSIAN))

    def one_score(self) -> tuple[Loss, NDArray[Any], Floats]:
        """The loss as a function of this score alone: for many classes, that of the class and the rest."""
        if self.z.ndim == 1:
            return self.loss, self.y, self.z
        # log of the sum of exponentials of all other classes: z_k minus it is the log odds of class
        # k.
        rest = logsumexp(np.delete(self.z, self.k, axis=1), axis=1)
        return LogLoss(), (self.y == self.k).astype(np.intp), np.asarray(self.z[:, self.k] - rest)


def bend_of(loss: Loss, gradient: Floats, hessian: Floats) -> Floats:
    """Second derivatives as gradient-pair trees count them: 1 for losses without curvature.

    Among many classes, rows that are wrong for certain have hardly any, and a leaf of theirs would make a
    step that no later one can take back: they count as a hundredth of the first derivative at least.
    """
    if not loss.has_curvature:
        return np.ones_like(hessian)
    _refuse_concave(loss, hessian)
    bend = np.maximum(hessian, SMALLEST_HESSIAN)
    return np.maximum(bend, LEAST_BEND * np.abs(gradient)) if isinstance(loss, SoftmaxLoss) else bend


def _refuse_concave(loss: Loss, hessian: Floats) -> None:
    """Reject second derivatives below 0, beyond rounding: where a loss is concave, Newton's step climbs."""
    lowest = float(hessian.min())
    if lowest < -_ROUNDING * float(hessian.max()):
        raise ValueError(
            f"step='newton' divides by the second derivative, but that of {type(loss).__name__} is "
            f"{lowest:g} for a row: set step='gradient', or let hessian return a bound that is 0 or more."
        )


class Members(Protocol):
    """The members so far."""

    def model(self) -> dict[str, Any]:
        """As attributes of the learner."""
        ...


class RoundMaker(Members, Protocol):
    """Makes a member for one score in one round, and keeps it."""

    def add(self, at: Round) -> Floats:
        """What the new member adds to the scores of the training rows."""
        ...

    def latest(self, rows: Any) -> Floats:
        """What it adds to those of other rows."""
        ...

    def rows_of(self, frame: Frame) -> Any:
        """Other rows as ``latest`` wants them."""
        ...


@dataclass(frozen=True)
class TreeRecipe:
    """How the trees of boosting are fitted.

    Parameters
    ----------
    step : {"gradient", "newton"}
        What is fitted.
    leaf : {"newton", "exact"}
        What a leaf adds.
    learning_rate : float
        Factor of what is added.
    ccp_alpha : float
        Cost of a leaf in pruning.
    min_hessian : float
        Smallest sum of second derivatives in a child.
    """

    step: Literal["gradient", "newton"]
    leaf: Literal["newton", "exact"]
    learning_rate: float
    ccp_alpha: float = 0.0
    min_hessian: float = 0.0

    @property
    def grows_pairs(self) -> bool:
        """Whether trees are grown from pairs of derivatives, as in Chen and Guestrin (2016)."""
        return self.step == "newton" and self.leaf == "newton"


class TreesOfRounds:
    """The trees of boosting so far.

    Parameters
    ----------
    n_columns : int
        Number of columns.
    before : BoostedTrees and gains, optional
        Trees of an earlier fit and the total gain of each column.
    """

    def __init__(self, n_columns: int, before: tuple[BoostedTrees, Floats] | None) -> None:
        self._n_columns, self._before = n_columns, before
        self._grown = _native.GrownTrees()

    def keep(self, tree: FittedTree, step: Floats) -> None:
        """Add a tree with what its nodes add to the scores."""
        self._grown.add(
            tree.kind, tree.feature, tree.threshold, tree.first_child, tree.missing_child,
            tree.level_offset, tree.levels, tree.n_rows, tree.weight, tree.gain, step,
        )  # fmt: skip

    def newest(self, back: int = 1) -> BoostedTrees:
        """The last tree, or the one so many places from the end."""
        at = len(self._grown) - back
        return boosted_trees(self._grown, at, at + 1)

    def model(self) -> dict[str, Any]:
        """The trees so far, and the total gain of each column."""
        before, n_trees = self._before, len(self._grown)
        if not n_trees:
            return {} if before is None else {"forest_": before[0], "gains_": before[1]}
        forest, total = boosted_trees(self._grown, 0, n_trees), self._grown.gains(self._n_columns)
        if before is None:
            return {"forest_": forest, "gains_": total}
        return {"forest_": before[0].followed_by(forest), "gains_": before[1] + total}


class TreeRounds(TreesOfRounds):
    """Grows the trees of boosting on one coded table.

    Parameters
    ----------
    frame : Frame
        The training rows.
    w : ndarray, optional
        Their weights.
    recipe : TreeRecipe
        How trees are fitted.
    settings : GrowerSettings
        How they are grown.
    before : BoostedTrees and gains, optional
        Trees of an earlier fit and the total gain of each column.
    seed, n_threads : int
        Seed of the draws; threads.
    """

    def __init__(
        self,
        frame: Frame,
        w: Floats | None,
        recipe: TreeRecipe,
        settings: GrowerSettings,
        before: tuple[BoostedTrees, Floats] | None,
        *,
        seed: int,
        n_threads: int,
    ) -> None:
        super().__init__(len(frame.schema), before)
        self._recipe, self._frame, self._w, self.n_threads = recipe, frame, w, n_threads
        if recipe.grows_pairs and settings.min_gain is None:
            # Any positive gain splits; the default threshold of single trees is for impurities, not
            # for losses.
            settings = replace(settings, min_gain=0.0)
        size = SampleSize.of(w, len(frame))
        self.grower = Grower.of(frame, settings, size, bin_weights=w, seed=seed, n_threads=n_threads)
        if recipe.grows_pairs:
            self.grower.options.min_weight_leaf = recipe.min_hessian
        if self.grower.pairs is None:
            _refuse_pair_settings(settings)

    def add(self, at: Round) -> Floats:
        """Grow a tree, and give what it adds to the scores of the training rows."""
        tree, leaves = self.grower.tree_and_leaves(self._target(at), at.number)
        if self._recipe.ccp_alpha > 0:
            tree = prune_to(tree, self._recipe.ccp_alpha)
            # Pruning has merged leaves, so that rows must be placed again.
            leaves = tree.apply(self._frame, self.n_threads)
        steps = self._recipe.learning_rate * self._values(at, tree, leaves)
        self.keep(tree, steps)
        return np.asarray(steps[leaves])

    @property
    def takes_pairs(self) -> bool:
        """Whether trees can be grown by ``PairScores.advance``."""
        return self._recipe.grows_pairs and self._recipe.ccp_alpha == 0 and self.grower.pairs is not None

    def pair_growth(self) -> tuple[Grower, _native.GrownTrees, float]:
        """What grows trees of gradient pairs, where they are kept, and the rate of what they add."""
        self._support_levels(self._w, len(self._frame))
        return self.grower, self._grown, self._recipe.learning_rate

    def latest(self, rows: ForestCells, back: int = 1) -> Floats:
        """What the newest tree, or one before it, adds to the scores of other rows."""
        return self.newest(back).answers(rows, self.n_threads)[:, 0]

    def rows_of(self, frame: Frame) -> ForestCells:
        """The cells of other rows."""
        return cells_of(frame)

    def _target(self, at: Round) -> GradientTarget | NumberTarget:
        if not self._recipe.grows_pairs:
            wanted = -at.gradient if self._recipe.step == "gradient" else at.newton_target
            # A perfect fit leaves gradients whose squares underflow: splits among them would be
            # noise.
            if max(-wanted.min(), wanted.max()) < _NOTHING:
                wanted = np.zeros_like(wanted)
            return NumberTarget.of(wanted, at.w, "squared_error")
        self._support_levels(at.w, len(at.gradient))
        return GradientTarget.of(at.gradient, bend_of(at.loss, at.gradient, at.hessian), at.w)

    def _support_levels(self, w: Floats | None, n_rows: int) -> None:
        self.grower.options.level_support = LEVEL_SUPPORT / total_weight(w, n_rows)

    def _values(self, at: Round, tree: FittedTree, leaves: NDArray[np.int32]) -> Floats:
        """What the nodes add to the scores, without the learning rate."""
        regions = Regions(leaves, len(tree), at.w)
        if self._recipe.leaf == "exact":
            loss, y, z = at.one_score()
            return loss.region_minimizers(y, z, regions)
        if not at.loss.has_curvature:
            return at.loss.region_steps(at.y, at.z, regions)
        if self._recipe.step == "newton":
            return tree.value[:, 0]
        steps = regions.newton_steps(at.gradient, at.hessian)
        if isinstance(at.loss, SoftmaxLoss):
            # Friedman's (2001) factor (K - 1) / K for the sum of K one-against-rest steps.
            steps *= (at.loss.n_classes - 1) / at.loss.n_classes
        return steps


@dataclass(frozen=True)
class TreeBefore:
    """One of the newest trees, by its place from the end.

    Parameters
    ----------
    trees : TreeRounds
        All trees so far.
    back : int
        1 for the last one, 2 for the one before it.
    """

    trees: TreeRounds
    back: int

    def latest(self, rows: ForestCells) -> Floats:
        """What the tree adds to the scores of other rows."""
        return self.trees.latest(rows, self.back)


# Settings that only trees of pairs on bins know: what they are when unused, and the parameter that sets them.
_OF_BINNED_PAIRS: dict[str, tuple[object, str]] = {
    "l1": (0.0, "reg_alpha"),
    "monotone": (None, "monotonic_cst"),
    "interactions": (None, "interaction_cst"),
    "columns_per_level": (1.0, "colsample_bylevel"),
}


def _refuse_pair_settings(settings: GrowerSettings) -> None:
    for name, (unused, parameter) in _OF_BINNED_PAIRS.items():
        if getattr(settings, name) != unused:
            raise ValueError(
                f"{settings.learner}: parameter {parameter!r} is for columns of at most 255 bins or levels: "
                f"lower max_bins, merge rare categories, or leave {parameter} out."
            )
