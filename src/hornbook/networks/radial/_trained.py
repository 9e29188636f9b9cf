"""Centers, widths and output weights as the minimum of one cost, found by L-BFGS."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hornbook import _native
from hornbook.frame import Block, Blocks
from hornbook.networks.radial._basis import Basis
from hornbook.networks.radial._output_weights import targets_of
from hornbook.optimize import FirstOrder
from hornbook.params import Floats

__all__ = ["NetworkCost"]


@dataclass(frozen=True)
class NetworkCost(FirstOrder):
    """Half the mean squared error of a network plus a penalty, as a function of everything in it.

    The vector holds the centers, the logarithms of the widths, the coefficients and the intercepts, in units
    in which all are about 1.

    Parameters
    ----------
    blocks : Blocks
        The rows, with the targets.
    basis : Basis
        Where the training begins; its mean center is the origin.
    unit : float
        Unit of the centers.
    mean, scale : ndarray of shape (n_targets,)
        The targets are counted from the mean in units of the scale.
    mass : float
        Weight of all rows.
    alpha : float
        Penalty on the squares of the coefficients, as in least squares.
    """

    blocks: Blocks
    basis: Basis
    unit: float
    mean: Floats
    scale: Floats
    mass: float
    alpha: float

    @property
    def origin(self) -> Floats:
        """The point that centers are counted from."""
        return np.asarray(self.basis.centers.mean(axis=0))

    def vector(self, basis: Basis, coef: Floats, intercept: Floats) -> Floats:
        """The vector of a network."""
        places = (basis.centers - self.origin) / self.unit
        outputs = (coef / self.scale[:, None], (intercept - self.mean) / self.scale)
        return np.concatenate([places.ravel(), np.log(basis.widths), *(part.ravel() for part in outputs)])

    def network(self, x: Floats) -> tuple[Basis, Floats, Floats]:
        """The network of a vector."""
        k, d = self.basis.centers.shape
        places, widths, coef, intercept = np.split(x, np.cumsum([k * d, k, len(self.mean) * k]))
        # Logarithms of widths are cut off where squares of the widths are still finite.
        with np.errstate(over="ignore"):
            basis = replace(
                self.basis,
                centers=self.origin + self.unit * places.reshape(k, d),
                widths=np.exp(np.clip(widths, -300.0, 300.0)),
            )
        outputs = coef.reshape(-1, k) * self.scale[:, None]
        return basis, outputs, intercept * self.scale + self.mean

    def first(self, x: Floats) -> tuple[float, Floats]:
        """Value and gradient."""
        basis, coef, intercept = self.network(x)
        scaled = (coef / self.scale[:, None], intercept, self.scale)
        sums = self.blocks.reduce(_cost_sums, basis, self.origin, *scaled)
        value, slope = float(sums[0]) / self.mass, sums[1:] / self.mass
        k, d = basis.centers.shape
        slope[: k * d] *= self.unit
        inside = slice(k * d + k, k * d + k + coef.size)
        penalty = self.alpha / self.mass
        slope[inside] += penalty * x[inside]
        return value + 0.5 * penalty * float(x[inside] @ x[inside]), slope


def _cost_sums(
    block: Block, basis: Basis, origin: Floats, coef: Floats, intercept: Floats, scale: Floats
) -> Floats:
    """Half the sum of squared errors over some rows, and its derivatives by centers, widths and outputs."""
    X = np.ascontiguousarray(block.X)
    squares = _native.square_distances(X, basis.centers, 1)
    values = basis.values(squares)
    gaps = values @ coef.T - (targets_of(block) - intercept) / scale
    pull = gaps if block.w is None else gaps * block.w[:, None]
    by_square, by_width = basis.slopes(values, squares)
    back = pull @ coef  # derivatives by the values of the functions
    # The squared distance |x - c|² changes by -2 (x - c) with c.
    moved = back * by_square
    centers = -2.0 * (moved.T @ (X - origin) - moved.sum(axis=0)[:, None] * (basis.centers - origin))
    parts = [centers, (back * by_width).sum(axis=0), pull.T @ values, pull.sum(axis=0)]
    return np.concatenate([[0.5 * float((pull * gaps).sum())], *(part.ravel() for part in parts)])
