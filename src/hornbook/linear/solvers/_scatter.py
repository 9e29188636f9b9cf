"""Class means and scatter matrices, merged over chunks of rows without cancellation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.frame import Block, Blocks, Moments
from hornbook.linear.solvers._require_classes import require_classes
from hornbook.linear.solvers._row_space import centered_rows
from hornbook.params import Floats

__all__ = [
    "Scatter",
    "class_scatter",
    "moments_of_classes",
    "refuse_large",
    "refuse_wide",
    "scatter_of_classes",
    "total_scatter",
]


WIDEST = 16_384  # columns; their scatter matrix then takes 2 GB


@dataclass(frozen=True)
class Scatter:
    """Mass and mean of each class, and the scatter around the means of the classes.

    Those of disjoint rows merge by the pairwise update of Chan, Golub and LeVeque (1983), class by class.

    Parameters
    ----------
    mass : ndarray of shape (n_classes,)
        Weight of each class.
    mean : ndarray of shape (n_classes, n_columns)
        Its mean, 0 where the mass is 0.
    within : ndarray of shape (n_columns, n_columns)
        Sum over all rows of w (x - mean of the class)(x - mean of the class)'.
    rows : ndarray of shape (n_rows, n_columns), optional
        Rows whose products are ``within``, if they are fewer than columns.
    """

    mass: Floats
    mean: Floats
    within: Floats
    rows: Floats | None = None

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
        if y is None and beside is None:
            return cls(*_native.row_scatter(X, w))
        classes = np.zeros(len(X), dtype=np.int32) if y is None else y
        return cls(*_native.class_scatter(X, classes, w, n_classes, beside))

    def merge(self, other: Scatter) -> Scatter:
        """Scatter of the rows of both."""
        mass = self.mass + other.mass
        share = np.divide(other.mass, mass, out=np.zeros_like(mass), where=mass > 0)
        with np.errstate(over="ignore", invalid="ignore"):
            gap = other.mean - self.mean
            # The means differ, so the joint scatter exceeds the sum by mass1 mass2 / mass gap gap' per class.
            moved = gap * np.sqrt(self.mass * share)[:, None]
            mean = self.mean + gap * share[:, None]
            return Scatter(mass, mean, self.within + other.within + moved.T @ moved)

    @property
    def center(self) -> Floats:
        """Mean of all rows."""
        # Relative to the mean of one class, so that a constant column keeps its value to the last bit.
        first = self.mean[int(self.mass.argmax())]
        return np.asarray(first + self.mass @ (self.mean - first) / self.mass.sum())

    def relative(self) -> Scatter:
        """The same for weights whose sum is 1, however small or large they were."""
        mass = self.mass.sum()
        rows = None if self.rows is None else self.rows / np.sqrt(mass)
        return Scatter(self.mass / mass, self.mean, self.within / mass, rows)

    def between(self) -> Floats:
        """Sum over classes of mass (mean of the class - mean of all)(mean of the class - mean of all)'."""
        with np.errstate(over="ignore", invalid="ignore"):
            gap = (self.mean - self.center) * np.sqrt(self.mass)[:, None]
            return np.asarray(gap.T @ gap)


def class_scatter(block: Block, n_classes: int) -> Scatter:
    """Scatter of a chunk around the means of its classes."""
    return Scatter.of(block.X, np.asarray(block.y), block.w, n_classes)


def scatter_of_classes(blocks: Blocks, classes: NDArray[Any], learner: str) -> Scatter:
    """Scatter of all rows around their class means; with fewer rows than columns, the rows as well."""
    n_columns = blocks.take([0]).X.shape[1]
    refuse_wide(n_columns, learner)
    if blocks.n_rows < n_columns:
        scatter = _wide_scatter(blocks, len(classes), n_columns)
    else:
        scatter = blocks.reduce(class_scatter, len(classes), merge=Scatter.merge)
    require_classes(scatter.mass, classes, learner)
    with np.errstate(over="ignore", invalid="ignore"):
        between = scatter.mass @ (scatter.mean - scatter.center) ** 2
    # By Cauchy-Schwarz no product exceeds the squares, so the diagonal is enough.
    if not np.isfinite(np.diag(scatter.within)).all() or not np.isfinite(between).all():
        refuse_large(learner)
    return scatter


def _wide_scatter(blocks: Blocks, n_classes: int, n_columns: int) -> Scatter:
    moments = blocks.reduce(moments_of_classes, n_classes, merge=Moments.merge)
    block = centered_rows(blocks, np.zeros(n_columns))
    # Rows of weight 0 become 0: they may hold numbers whose squares overflow.
    with np.errstate(over="ignore", invalid="ignore"):
        rows = block.X - moments.mean[np.asarray(block.y)]
        if block.w is not None:
            rows = np.where(block.w[:, None] > 0, rows * np.sqrt(block.w)[:, None], 0.0)
        return Scatter(moments.mass[:, 0], moments.mean, rows.T @ rows, rows)


def moments_of_classes(block: Block, n_classes: int) -> Moments:
    """Moments of the columns within each class."""
    return Moments.of(block.X, np.asarray(block.y), block.w, n_classes)


def total_scatter(block: Block) -> Scatter:
    """Scatter of a chunk around its mean."""
    return Scatter.of(block.X, None, block.w)


def refuse_wide(n_columns: int, learner: str) -> None:
    """Reject more columns than whose scatter matrix fits into memory."""
    if n_columns > WIDEST:
        raise ValueError(
            f"{learner}: the products of {n_columns} encoded columns do not fit into memory, at most "
            f"{WIDEST} are taken; leave out columns, or join rare categories first."
        )


def refuse_large(learner: str, where: str = "X or y", column: str | None = None) -> None:
    """Raise the error for columns whose squares overflow."""
    which = f"a column of {where}" if column is None else f"column {column!r}"
    raise ValueError(
        f"{learner}: {which} has numbers so large that their squares overflow; "
        "scale it first, for example with hornbook.Encoder(scale='standard')."
    )
