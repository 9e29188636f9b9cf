"""Which column makes the best super-parent: leave-one-out cross-validation by taking rows off the counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.bayes._aode_model import Estimates
from hornbook.bayes._given import blended, log_normal
from hornbook.bayes._one_dependence import OneDependence, one_dependence
from hornbook.bayes._pairs import PairStatistics
from hornbook.bayes._statistics import Plan
from hornbook.frame import Block, Blocks, Moments

__all__ = ["left_out_losses", "super_parent_model"]

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]

MOST_LOSS = -float(np.log(1e-15))  # a probability of 0 counts as this one, as in common log losses


def super_parent_model(
    statistics: PairStatistics, plan: Plan, parent: int, log_prior: Floats, how: Estimates, less: float = 0.0
) -> OneDependence:
    """The model in which one column is the parent of all others; -1 for none."""
    parents = np.full(len(plan.table_sizes), parent, dtype=np.int32)
    if parent >= 0:
        parents[parent] = -1
    numbers = np.full(statistics.single.moments.mean.shape[1], parent, dtype=np.int32)
    return one_dependence(statistics, plan, parents, numbers, log_prior, how, joint_root=parent, less=less)


@dataclass(frozen=True)
class _Candidate:
    """A super-parent's model, and its tables followed by those with a row less in every count."""

    parent: int
    full: OneDependence
    log_tables: Floats


def left_out_losses(
    blocks: Blocks, statistics: PairStatistics, plan: Plan, log_prior: Floats, how: Estimates
) -> Floats:
    """Sum of the log losses of all rows, each predicted without itself, for each column as super-parent.

    A row of weight w stands for copies of a unit weight, 1 or the smallest weight if that is less; one
    copy at a time is left out. The last entry of the result is the sum of the weights.
    """
    unit = min(1.0, blocks.reduce(_least_weight, merge=min))
    with np.errstate(divide="ignore"):
        mass = statistics.class_mass
        prior_less = np.log(np.maximum(mass - unit, 0.0) / mass.sum())
    candidates = []
    for parent in range(len(plan.table_sizes)):
        full = super_parent_model(statistics, plan, parent, log_prior, how)
        less = super_parent_model(statistics, plan, parent, prior_less, how, unit)
        candidates.append(_Candidate(parent, full, np.concatenate([full.log_table, less.log_table])))
    losses = blocks.reduce(_losses, statistics, candidates, how, unit)
    counts = np.split(statistics.single.counts.sum(axis=0), np.cumsum(plan.table_sizes)[:-1])
    for place, part in enumerate(counts):
        if part.sum() == 0:  # a column without values is nobody's parent
            losses[place] = MOST_LOSS * losses[-1]
    return losses


def _least_weight(block: Block) -> float:
    if block.w is None:
        return 1.0
    return float(block.w[block.w > 0].min(initial=1.0))


def _losses(
    block: Block, statistics: PairStatistics, candidates: list[_Candidate], how: Estimates, unit: float
) -> Floats:
    numbers, y = block.X.numbers, np.asarray(block.y, dtype=np.int32)
    counted = candidates[0].full.plan.codes(numbers, block.X.codes)
    w = np.ones(len(block)) if block.w is None else block.w
    rows = np.arange(len(block))
    sums = []
    for each in candidates:
        both = _native.table_joint(each.full.cells(counted), each.log_tables, each.full.sizes, 1)
        joint = np.ascontiguousarray(both[:, : len(both[0]) // 2])
        joint[rows, y] = both[rows, len(both[0]) // 2 + y]
        if statistics.given is not None:
            levels = each.full.given_levels(counted, each.parent)
            other = each.full.densities(numbers, counted)
            other[rows, y] = _left_out_density(statistics, numbers, y, levels, how, unit)
            joint = joint + other
        shares, evidence = _native.log_softmax(joint, 1)
        loss = np.where(np.isneginf(evidence), MOST_LOSS, -shares[rows, y])
        sums.append(w @ np.minimum(loss, MOST_LOSS))
    return np.array([*sums, w.sum()])


def _left_out_density(
    statistics: PairStatistics,
    numbers: Floats,
    y: Codes,
    levels: NDArray[np.intp],
    how: Estimates,
    unit: float,
) -> Floats:
    """Log density of the numbers of each row in its own class, the row itself left out."""
    assert statistics.given is not None
    classes, given = statistics.single.moments, statistics.given
    pooled = classes.pooled().variance()
    x = np.where(np.isnan(numbers), 0.0, numbers)
    mass, mean, scatter = _without(classes, y, x, unit)
    with np.errstate(divide="ignore", invalid="ignore"):
        var = np.where(mass > 0, scatter / mass, pooled)
    mean = np.where(mass > 0, mean, classes.pooled().mean)
    own = _without(given, y * (len(given.mass) // len(classes.mass)) + np.maximum(levels, 0), x, unit)
    own = (np.where((levels >= 0)[:, None], own[0], 0.0), own[1], own[2])
    middle, spread = blended(own, mean, var, how.rows_added)
    floor = how.var_smoothing * np.where(pooled > 0, pooled, 1.0)
    return np.asarray(log_normal(numbers, middle, spread + floor).sum(axis=1))


def _without(moments: Moments, places: NDArray[Any], x: Floats, unit: float) -> tuple[Floats, Floats, Floats]:
    """Mass, mean and scatter of the rows at some places, each with one value taken off."""
    mass, mean, scatter = moments.mass[places], moments.mean[places], moments.scatter[places]
    left = np.maximum(mass - unit, 0.0)
    gap = x - mean
    share = np.divide(unit, left, out=np.zeros_like(left), where=left > 0)
    return left, mean - gap * share, np.maximum(scatter - unit * gap * gap * (1.0 + share), 0.0)
