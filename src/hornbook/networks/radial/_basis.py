"""Radial basis functions: they depend on the distance from their center alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from hornbook import _native
from hornbook.params import Floats

__all__ = ["Basis", "BasisKind"]

BasisKind = Literal["gaussian", "inverse_quadratic"]


@dataclass(frozen=True)
class Basis:
    """Functions of the distance from centers, each with its own width.

    Parameters
    ----------
    kind : {"gaussian", "inverse_quadratic"}
        With s the squared distance: exp(-s / (2 width²)), or width² / (width² + s).
    centers : ndarray of shape (n_centers, n_columns)
        The centers.
    widths : ndarray of shape (n_centers,)
        The widths.
    """

    kind: BasisKind
    centers: Floats
    widths: Floats

    def apply(self, X: Floats) -> Floats:
        """Values of all functions for each row."""
        # One thread: chunks of rows are spread over threads by the sums over blocks.
        return self.values(_native.square_distances(np.ascontiguousarray(X), self.centers, 1))

    def values(self, squares: Floats) -> Floats:
        """Values from squared distances."""
        # A width that underflows to 0 gives infinite or undefined values, which the cost that is minimized
        # shows.
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._values(squares)

    def _values(self, squares: Floats) -> Floats:
        scale = np.square(self.widths)
        if self.kind == "gaussian":
            return np.asarray(np.exp(-squares / (2.0 * scale)))
        return np.asarray(scale / (scale + squares))

    def slopes(self, values: Floats, squares: Floats) -> tuple[Floats, Floats]:
        """Derivatives by the squared distance, and by the logarithm of the width."""
        scale = np.square(self.widths)
        if self.kind == "gaussian":
            # By the logarithm of the width, so that a step of the minimizer never makes a width negative.
            return -values / (2.0 * scale), values * (squares / scale)
        return -np.square(values) / scale, 2.0 * values * (1.0 - values)
