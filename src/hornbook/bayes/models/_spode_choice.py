"""Choice of the super-parent by leave-one-out cross-validation, subtracting each row from the counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.bayes.models._aode_model import Estimates, given_of, level_places, log_pairs, parent_logs
from hornbook.bayes.models._conditional_normals import NumbersGiven, blended, log_normal
from hornbook.bayes.models._one_dependence import OneDependence, one_dependence
from hornbook.bayes.models._pairs import PairStatistics
from hornbook.bayes.models._statistics import CountingPlan
from hornbook.bayes.models._variances import raised, smoothing_unit
from hornbook.frame import Block, Blocks, Moments
from hornbook.params import Floats

__all__ = ["left_out_losses", "super_parent_model"]

Codes = NDArray[np.int32]

MOST_LOSS = -float(np.log(1e-15))  # probabilities are clipped here, as is usual for log loss


def super_parent_model(
    statistics: PairStatistics,
    plan: CountingPlan,
    parent: int,
    log_prior: Floats,
    estimates: Estimates,
    left_out: float = 0.0,
) -> OneDependence:
    """The model in which one column is the parent of all others; -1 for none."""
    parents = np.full(len(plan.table_sizes), parent, dtype=np.int32)
    if parent >= 0:
        parents[parent] = -1
    numbers = np.full(statistics.single.moments.mean.shape[1], parent, dtype=np.int32)
    return one_dependence(
        statistics, plan, parents, numbers, log_prior, estimates, joint_root=parent, left_out=left_out
    )


@dataclass(frozen=True)
class _Candidates:
    """The tables of all super-parents, for each class as it is and with one row subtracted from every count.

    Parameters
    ----------
    log_parent : ndarray of shape (n_levels, 2 * n_classes)
        Log of P(class, level).
    log_pair : ndarray of shape (n_levels * n_levels, 2 * n_classes)
        Log of P(other level | class, level).
    log_alone : ndarray of shape (2 * n_classes, n_levels)
        Log of P(level | class), for rows in which the super-parent is missing.
    log_prior : ndarray of shape (2 * n_classes,)
        Log of P(class).
    given : NumbersGiven, optional
        Densities of the numbers, no row left out; None when they are counted in bins.
    """

    log_parent: Floats
    log_pair: Floats
    log_alone: Floats
    log_prior: Floats
    given: NumbersGiven | None

    @classmethod
    def of(
        cls,
        statistics: PairStatistics,
        plan: CountingPlan,
        log_prior: Floats,
        estimates: Estimates,
        unit: float,
    ) -> _Candidates:
        """The tables that follow from counts of all pairs, ``unit`` being the weight that is left out."""
        tables = [
            parent_logs(statistics, plan, estimates, include_self=False, left_out=left_out)
            for left_out in (0.0, unit)
        ]
        single = statistics.single.counts[:, None, :]
        alone = [log_pairs(single, plan.table_sizes, estimates, left_out)[:, 0] for left_out in (0.0, unit)]
        with np.errstate(divide="ignore"):
            mass = statistics.class_mass
            prior_less = np.log(np.maximum(mass - unit, 0.0) / mass.sum())
        return cls(
            np.concatenate([table[0] for table in tables], axis=1),
            np.concatenate([table[1] for table in tables], axis=1),
            np.concatenate(alone),
            np.concatenate([log_prior, prior_less]),
            given_of(statistics, plan.n_classes, estimates),
        )

    def joint(self, counted: Codes, y: Codes, sizes: Codes) -> Floats:
        """Log of P(class, row) for each row, super-parent and class; a row is left out of its own class."""
        n_classes, rows = len(self.log_prior) // 2, np.arange(len(y))
        usable = np.ones(len(self.log_parent), dtype=np.uint8)
        terms = _native.aode_terms(counted, sizes, self.log_parent, self.log_pair, usable, None, 1)
        terms = terms.reshape(*counted.shape, 2 * n_classes)
        missing = counted < 0
        if missing.any():
            alone = _native.table_joint(counted, self.log_alone, sizes, 1) + self.log_prior
            terms = np.where(missing[:, :, None], alone[:, None, :], terms)
        # A row is in the counts of its own class alone: the tables of the other classes are the same with and
        # without it.
        joint = terms[:, :, :n_classes].copy()
        joint[rows, :, y] = terms[rows, :, n_classes + y]
        return joint


def left_out_losses(
    blocks: Blocks, statistics: PairStatistics, plan: CountingPlan, log_prior: Floats, estimates: Estimates
) -> Floats:
    """Sum of the log losses of all rows, each predicted without itself, for each column as super-parent.

    A row of weight w stands for copies of a unit weight, 1 or the smallest weight if that is less; one
    copy at a time is left out. The last entry of the result is the sum of the weights.
    """
    # All candidates at once: two sets of tables, with and without the row, cover every row and class.
    unit = min(1.0, blocks.reduce(_least_weight, merge=min))
    candidates = _Candidates.of(statistics, plan, log_prior, estimates, unit)
    losses = blocks.reduce(_losses, statistics, plan, candidates, estimates, unit)
    counts = np.split(statistics.single.counts.sum(axis=0), np.cumsum(plan.table_sizes)[:-1])
    for place, part in enumerate(counts):
        if part.sum() == 0:  # a column without values cannot be a parent
            losses[place] = MOST_LOSS * losses[-1]
    return losses


def _least_weight(block: Block) -> float:
    if block.w is None:
        return 1.0
    return float(block.w[block.w > 0].min(initial=1.0))


def _losses(
    block: Block,
    statistics: PairStatistics,
    plan: CountingPlan,
    candidates: _Candidates,
    estimates: Estimates,
    unit: float,
) -> Floats:
    numbers, y = block.X.numbers, np.asarray(block.y, dtype=np.int32)
    counted = plan.codes(numbers, block.X.codes)
    joint = candidates.joint(counted, y, plan.table_sizes)
    if candidates.given is not None:
        joint += _left_out_densities(candidates.given, statistics, plan, numbers, counted, y, estimates, unit)
    n_rows, n_columns, n_classes = joint.shape
    log_probabilities, evidence = _native.log_softmax(joint.reshape(n_rows * n_columns, n_classes), 1)
    own = log_probabilities.reshape(joint.shape)[np.arange(n_rows), :, y]
    lost = np.isneginf(evidence).reshape(n_rows, n_columns)
    loss = np.where(lost, MOST_LOSS, np.minimum(-own, MOST_LOSS))
    w = np.ones(n_rows) if block.w is None else block.w
    return np.array([*(w @ loss), w.sum()])


def _left_out_densities(
    given: NumbersGiven,
    statistics: PairStatistics,
    plan: CountingPlan,
    numbers: Floats,
    counted: Codes,
    y: Codes,
    estimates: Estimates,
    unit: float,
) -> Floats:
    """Log density of the numbers given each column in turn, each row left out of its own class."""
    out = np.empty((*counted.shape, plan.n_classes))
    for j, levels in enumerate(level_places(counted, plan.table_sizes).T):
        out[:, j] = given.log_density(numbers, levels, slice(None))
        out[np.arange(len(y)), j, y] = _left_out_density(statistics, numbers, y, levels, estimates, unit)
    return out


def _left_out_density(
    statistics: PairStatistics,
    numbers: Floats,
    y: Codes,
    levels: NDArray[np.intp],
    estimates: Estimates,
    unit: float,
) -> Floats:
    """Log density of the numbers of each row in its own class, the row itself left out."""
    assert statistics.given is not None
    classes, given = statistics.single.moments, statistics.given
    pooled = classes.pooled().variance()
    x = np.where(np.isnan(numbers), 0.0, numbers)
    mass, mean, scatter = _without(classes, y, x, unit)
    with np.errstate(divide="ignore", invalid="ignore"):
        var = raised(np.where(mass > 0, scatter / mass, pooled), pooled, mass)
    mean = np.where(mass > 0, mean, classes.pooled().mean)
    own = _without(given, y * (len(given.mass) // len(classes.mass)) + np.maximum(levels, 0), x, unit)
    # Without a level of the super-parent only the class is known, and its pseudo-rows decide.
    own = (np.where((levels >= 0)[:, None], own[0], 0.0), own[1], own[2])
    middle, spread = blended(own, mean, var, estimates.rows_added)
    spread = raised(spread, pooled, own[0]) + estimates.var_smoothing * smoothing_unit(pooled)
    return np.asarray(log_normal(numbers, middle, spread).sum(axis=1))


def _without(moments: Moments, places: NDArray[Any], x: Floats, unit: float) -> tuple[Floats, Floats, Floats]:
    """Mass, mean and scatter of some groups, each with one value removed (a Welford update in reverse)."""
    mass, mean, scatter = moments.mass[places], moments.mean[places], moments.scatter[places]
    left = np.maximum(mass - unit, 0.0)  # rounding could make it negative
    gap = x - mean
    share = np.divide(unit, left, out=np.zeros_like(left), where=left > 0)
    return left, mean - gap * share, np.maximum(scatter - unit * gap * gap * (1.0 + share), 0.0)
