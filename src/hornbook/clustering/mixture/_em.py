"""Passes of expectation maximization over rows: posterior probabilities, and the estimates that follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.clustering.mixture._components import MixtureModel, NormalComponents, Sums
from hornbook.frame import Block, Blocks
from hornbook.params import Floats

__all__ = ["EMStep", "labels_of", "step"]


@dataclass(frozen=True)
class EMStep:
    """One pass: the mean log density of the rows under the components before, and the next ones."""

    bound: float
    components: NormalComponents


def step(blocks: Blocks, components: NormalComponents, model: MixtureModel, widths: Floats) -> EMStep:
    """Weigh each row by its posterior probabilities, and estimate the components anew.

    ``widths`` are the variances of the columns.
    """
    flat: Floats = blocks.reduce(_sums, *components.arguments(model))
    sums = Sums.of(flat, *components.means.shape, diagonal=model.diagonal)
    # Per unit of weight, as scikit-learn reports it: tol does not depend on the number of rows.
    bound = sums.log_likelihood / float(sums.mass.sum())
    return EMStep(bound, model.estimated(sums, components.means, widths))


def labels_of(blocks: Blocks, components: NormalComponents, model: MixtureModel) -> NDArray[np.int32]:
    """The most probable component of each row."""
    return np.concatenate(blocks.reduce(_labels, *components.arguments(model)))


def _sums(block: Block, means: Floats, whiten: Floats, scales: Floats, diagonal: bool) -> Floats:
    return _native.mixture_sums(block.X, block.w, None, means, whiten, scales, diagonal)


def _labels(
    block: Block, means: Floats, whiten: Floats, scales: Floats, diagonal: bool
) -> list[NDArray[np.int32]]:
    joint = _native.mixture_joint(block.X, means, whiten, scales, diagonal, 1)
    return [joint.argmax(axis=1).astype(np.int32)]
