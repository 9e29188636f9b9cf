"""Means and products of deviations from them, merged over pieces of the rows without cancellation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Block

__all__ = ["Floats", "Scatter", "class_scatter", "refuse_large", "whole_scatter"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Scatter:
    """Mass and mean of each class, and the scatter around the means of the classes.

    Two of disjoint rows merge into that of all rows by Chan's formula, class by class.

    Parameters
    ----------
    mass : ndarray of shape (n_classes,)
        Weight of each class.
    mean : ndarray of shape (n_classes, n_columns)
        Its mean, 0 where the mass is 0.
    within : ndarray of shape (n_columns, n_columns)
        Sum over all rows of w (x - mean of the class)(x - mean of the class)'.
    """

    mass: Floats
    mean: Floats
    within: Floats

    @classmethod
    def of(
        cls,
        X: Floats,
        y: NDArray[np.int32] | None,
        w: Floats | None,
        n_classes: int = 1,
        beside: Floats | None = None,
    ) -> Scatter:
        """Scatter of the rows of one chunk, with further columns beside; without y they are one class."""
        classes = np.zeros(len(X), dtype=np.int32) if y is None else y
        return cls(*_native.class_scatter(X, classes, w, n_classes, beside))

    def merge(self, other: Scatter) -> Scatter:
        """Scatter of the rows of both."""
        mass = self.mass + other.mass
        share = np.divide(other.mass, mass, out=np.zeros_like(mass), where=mass > 0)
        with np.errstate(over="ignore", invalid="ignore"):
            gap = other.mean - self.mean
            moved = gap * np.sqrt(self.mass * share)[:, None]
            mean = self.mean + gap * share[:, None]
            return Scatter(mass, mean, self.within + other.within + moved.T @ moved)

    @property
    def center(self) -> Floats:
        """Mean of all rows."""
        # Taken from the mean of one class, so that a column that is constant stays so to the last bit.
        first = self.mean[int(self.mass.argmax())]
        return np.asarray(first + self.mass @ (self.mean - first) / self.mass.sum())

    def between(self) -> Floats:
        """Sum over classes of mass (mean of the class - mean of all)(mean of the class - mean of all)'."""
        with np.errstate(over="ignore", invalid="ignore"):
            gap = (self.mean - self.center) * np.sqrt(self.mass)[:, None]
            return np.asarray(gap.T @ gap)


def class_scatter(block: Block, n_classes: int) -> Scatter:
    """Scatter of a chunk around the means of its classes."""
    return Scatter.of(block.X, np.asarray(block.y), block.w, n_classes)


def whole_scatter(block: Block) -> Scatter:
    """Scatter of a chunk around its mean."""
    return Scatter.of(block.X, None, block.w)


def refuse_large(learner: str) -> None:
    """Say that squares of the columns do not fit."""
    raise ValueError(
        f"{learner}: a column of X or y has numbers so large that their squares overflow; "
        "scale it first, for example with hornbook.Encoder(scale='standard')."
    )
