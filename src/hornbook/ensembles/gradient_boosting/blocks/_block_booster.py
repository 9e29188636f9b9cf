"""The fit of gradient boosting from blocks."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hornbook._scikit import available_if
from hornbook.ensembles.forests._fitted_forest import cells_of
from hornbook.ensembles.gradient_boosting._booster import Booster
from hornbook.ensembles.gradient_boosting._boosting_fit import BoostingFit, require_shapes
from hornbook.ensembles.gradient_boosting._contradictions import refuse_contradictions
from hornbook.ensembles.gradient_boosting._losses_by_name import refuse_infinite
from hornbook.ensembles.gradient_boosting._progress import Held, HeldOut, LossCurves
from hornbook.ensembles.gradient_boosting._row_sampling import RowSampling
from hornbook.ensembles.gradient_boosting._start import best_constant, spread_base
from hornbook.ensembles.gradient_boosting._tree_rounds import TreeRecipe
from hornbook.ensembles.gradient_boosting._validation import GivenRows
from hornbook.ensembles.gradient_boosting.blocks._block_fit import (
    BlockFit,
    PassTrees,
    TableTrees,
)
from hornbook.ensembles.gradient_boosting.blocks._held_out import HeldBlocks, choose_held, split_blocks
from hornbook.ensembles.gradient_boosting.blocks._resident_trees import ResidentTrees
from hornbook.frame import Block, Blocks
from hornbook.losses import Loss
from hornbook.params import Floats
from hornbook.random import seed_of
from hornbook.trees import CodedBlocks, code_blocks, require_categories, weighted

__all__ = ["BlockBooster"]

Arrays = tuple[NDArray[Any], ...]
_MOST_BINS = 255
# Quantiles and medians are no sums over rows: absolute, quantile and Huber losses are left out.
_LOSSES_OF_SUMS = ("log_loss", "exponential", "squared_error", "poisson", "gamma", "tweedie")


def _boosts_from_sums(learner: Booster) -> bool:
    """Whether all that the parameters ask for follows from sums over the rows."""
    if isinstance(learner.loss, Loss):
        starts = learner.init is not None or learner.loss.mean_is_enough or hasattr(learner, "class_weight")
        known = learner.loss.has_curvature and starts
    else:
        known = learner.loss in _LOSSES_OF_SUMS
    bins = getattr(learner, "max_bins", None)
    return (
        known
        and bins is not None
        and bins <= _MOST_BINS
        and (learner.step, learner.leaf) == ("newton", "newton")
        and learner.subsample >= 1
        and learner.estimator is None
        and (learner.init is None or isinstance(learner.init, str))
        and getattr(learner, "leaf_size", None) is None
        and isinstance(getattr(learner, "scoring", "loss"), str)
    )


class BlockBooster(Booster):
    """Boosting that can also learn from rows that are not in memory."""

    whole_table_first: ClassVar[bool] = True
    whole_table_remedy: ClassVar[str] = (
        "grow gradient-pair trees (step='newton', leaf='newton') on at most 255 bins, for a loss other than "
        "absolute_error, quantile and huber (with init='zero' for one of your own), without subsample, "
        "estimator, an estimator as init, leaf_size and scoring, or pass blocks.to_frame()"
    )

    @available_if(_boosts_from_sums)
    def _fit_blocks(self, blocks: Blocks) -> None:
        before, given = vars(self).pop("_before"), vars(self).pop("_given", None)
        name, loss, n_classes = type(self).__name__, self._loss(), self._n_classes()
        if before:
            raise ValueError(
                f"{name}: warm_start=True adds rounds to those of an earlier fit, which needs all rows at "
                "once: pass blocks.to_frame(), or set warm_start=False and fit all rounds anew."
            )
        chosen = None if isinstance(self.categorical_features, str) else self.categorical_features
        require_categories(blocks.schema.features, chosen)
        # Targets and weights alone, so that files need not be read again for sums over them.
        carry = blocks.carry(_targets_of)
        self._refuse_extremes(*blocks.reduce(_extremes, carry=carry, merge=_wider).tolist())
        rows, targets = blocks, blocks.kept(carry)
        factors = self._class_factors(targets)
        if factors is not None:
            rows, targets = (part.map(partial(_reweighted, factors=factors)) for part in (rows, targets))
        self.boosted_schema_, self.n_rows_ = blocks.schema.features, blocks.n_rows
        stops = self._stops_early(blocks.n_rows, given is not None)
        refuse_contradictions(self, loss)
        self.seed_ = seed_of(self.random_state) if self.random_state is not None or self._draws(stops) else 0
        held: Blocks | None = None
        if stops and given is None and self.validation_fraction is not None:
            assert not isinstance(self.validation_fraction, str)  # "oob" needs rows that are not drawn
            held_rows = choose_held(
                targets, self.validation_fraction, self.seed_, n_classes=n_classes, learner=name
            )
            rows, held = split_blocks(rows, held_rows)
        if n_classes == 1:
            self.base_score_, self.n_iter_ = np.zeros(1), 0
            return
        self._boost_blocks(rows, held, given, loss, stops=stops)

    def _boost_blocks(
        self, rows: Blocks, held: Blocks | None, given: GivenRows | None, loss: Loss, *, stops: bool
    ) -> None:
        assert self.max_bins is not None  # `_boosts_from_sums` says so
        coded = code_blocks(rows, None, self.max_bins, self.seed_)
        self._require_bytes(coded)
        self._start_blocks(coded.rows, loss)
        recipe = TreeRecipe(self.step, self.leaf, self.learning_rate, min_hessian=self.min_hessian)
        watched: Held | None = None
        if given is not None:
            known = self._given_rows(given)
            scores = self._first_scores(known.frame)
            watched = HeldOut(cells_of(known.frame), known.y, known.w, scores)
        elif held is not None:
            watched = HeldBlocks(held, self.boosted_schema_, self.base_score_)
        rule = self._loss_rule(watched=watched is not None) if stops else None
        factor, curves = self._score_factor(), LossCurves()
        how = coded, self.boosted_schema_, recipe, self._tree_settings()
        trees: PassTrees | ResidentTrees | TableTrees
        if coded.fits_in_memory:
            trees = TableTrees(*how, seed=self.seed_)
            y, w = trees.block.y, trees.block.w
            assert y is not None
            z = spread_base(self.base_score_, len(y))
            fit = BoostingFit(self, loss, trees, y, w, z, RowSampling(1.0, "uniform", 0), watched, rule)
        else:
            # Rows in other processes stay in their memory, with what is known of them; files are read anew.
            way = ResidentTrees if coded.rows.elsewhere else PassTrees
            trees = way(*how, base=self.base_score_, seed=self.seed_)
            fit = BlockFit(self, loss, trees, watched, rule)
        self.n_iter_ = fit.run(
            curves,
            0,
            self._n_rounds(),
            train_loss=self.always_scores or stops,
            from_start=self.from_start,
        )
        vars(self).update(trees.model())
        vars(self).update(curves.scores(factor))

    def _start_blocks(self, rows: Blocks, loss: Loss) -> None:
        n_classes, name = self._n_classes(), type(self).__name__
        n_scores = n_classes if n_classes > 2 else 1
        self.base_score_ = np.zeros(n_scores)
        if loss is self.loss:
            some = rows.take([0]).y
            assert some is not None
            require_shapes(loss, some, name)
        if self.init is None:
            base = best_constant(loss, rows, n_classes)
            self.base_score_ = np.asarray(base, dtype=np.float64).reshape(n_scores)
            refuse_infinite(self.base_score_, self.loss, name)

    def _require_bytes(self, coded: CodedBlocks) -> None:
        """Reject categories of more levels than gradient pairs are summed for."""
        if coded.width > 1:
            j = int(coded.sizes.argmax())
            raise ValueError(
                f"{type(self).__name__}: column {self.boosted_schema_.names[j]!r} has {coded.sizes[j]} "
                f"levels, but from Blocks a column may have at most {_MOST_BINS}: merge rare ones, or pass "
                "blocks.to_frame()."
            )


def _targets_of(block: Block) -> Arrays:
    """Targets and weights as they are kept: the former in the place of features, too."""
    assert block.y is not None
    return (block.y, block.y) if block.w is None else (block.y, block.y, block.w)


def _extremes(block: Block, _: Arrays) -> tuple[Floats, Arrays]:
    """Smallest and largest target; targets and weights are kept."""
    kept = _targets_of(block)
    return np.array([kept[0].min(), kept[0].max()], dtype=np.float64), kept


def _wider(one: Floats, other: Floats) -> Floats:
    return np.array([min(one[0], other[0]), max(one[1], other[1])])


def _reweighted(block: Block, factors: Floats) -> Block:
    """Rows with weights times those of their classes."""
    return Block(block.X, block.y, weighted(block.w, factors[block.y]), block.start)
