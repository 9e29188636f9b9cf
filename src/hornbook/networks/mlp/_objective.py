"""What training minimizes: the cost of all rows and the penalty on the weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Block, Blocks
from hornbook.networks.mlp._network import Network, Sums
from hornbook.networks.mlp._penalties import SquaredWeights, WeightElimination, WeightPenalty
from hornbook.networks.mlp._units import unit_slope, unit_value
from hornbook.optimize import FirstOrder
from hornbook.params import Floats

__all__ = ["Decay", "Objective", "PenaltyName"]

PenaltyName = Literal["l2", "elimination", "tradeoff"]
RUN = 256  # rows whose derivatives are in memory at a time

CODES: dict[str, int] = {"none": 0, "l2": 1, "elimination": 2, "tradeoff": 3}


@dataclass(frozen=True)
class Decay:
    """The penalty and its weight, and how both are combined with the cost of rows.

    Parameters
    ----------
    penalty : {"l2", "elimination", "tradeoff"}, WeightPenalty or None
        The penalty.
    alpha : float
        Its weight.
    width : float
        w0 of weight elimination.
    mean : bool
        Whether the objective is divided by the weight of the rows.
    """

    penalty: PenaltyName | WeightPenalty | None
    alpha: float
    width: float
    mean: bool

    @property
    def is_tradeoff(self) -> bool:
        """Whether the objective is (1 - alpha) mean cost + alpha sum of w², constants included."""
        return isinstance(self.penalty, str) and self.penalty == "tradeoff" and self.alpha > 0

    @property
    def per_row(self) -> bool:
        """Whether the objective is a mean over rows."""
        return self.mean or self.is_tradeoff

    @property
    def code(self) -> int | None:
        """The penalty as the kernels know it; None for one that they do not know."""
        if self.penalty is None or self.alpha == 0:
            return CODES["none"]
        return CODES[self.penalty] if isinstance(self.penalty, str) else None

    def function(self) -> WeightPenalty | None:
        """The function of one weight."""
        if isinstance(self.penalty, WeightPenalty):
            return self.penalty
        if self.code == CODES["none"]:
            return None
        return WeightElimination(self.width) if self.penalty == "elimination" else SquaredWeights()

    def combined(self, network: Network, sums: Sums, mass: float) -> Sums:
        """Objective and gradient from cost and gradient of rows with this mass."""
        (cost, gradient), w = sums, network.weights
        share = 1.0 / mass if self.per_row else 1.0
        if self.is_tradeoff:
            keep = (1.0 - self.alpha) * share
            return keep * cost + self.alpha * float(
                np.einsum("i,i->", w, w)
            ), keep * gradient + 2.0 * self.alpha * w
        function = self.function()
        if function is not None:
            marks = network.penalized()
            # Added before the division by the mass: alpha counts like rows, as in scikit-learn, so that its
            # effect fades as rows are added.
            cost += self.alpha * float(np.sum(function.value(w)[marks]))
            gradient = gradient + self.alpha * np.where(marks, function.gradient(w), 0.0)
        return share * cost, share * gradient


@dataclass(frozen=True)
class Objective(FirstOrder):
    """The objective of all rows as a function of the weights.

    Parameters
    ----------
    blocks : Blocks
        The rows, with target matrices.
    network : Network
        The structure.
    decay : Decay
        The penalty.
    mass : float
        Weight of all rows.
    """

    blocks: Blocks
    network: Network
    decay: Decay
    mass: float

    def first(self, x: Floats) -> Sums:
        """Value and gradient."""
        network = self.network.with_weights(x)
        sums = self.blocks.reduce(_sums, network, merge=_added)
        value, gradient = self.decay.combined(network, sums, self.mass)
        return value, self.network.masked(gradient)

    def value(self, x: Floats) -> float:
        """The value alone."""
        return self.first(x)[0]

    def curvature(self, x: Floats) -> tuple[float, Floats, Floats]:
        """Value, gradient, and the Gauss-Newton matrix: the Hessian without the curvature of the network.

        It is the sum over rows of J'CJ, where J has the derivatives of the net inputs of the output units,
        and C is the second derivative of the cost by them. The penalty adds to its diagonal.
        """
        # Generalized to costs other than least squares by Schraudolph (2002): it is positive semidefinite
        # wherever the cost is convex in the net inputs.
        value, gradient = self.first(x)
        network = self.network.with_weights(x)
        matrix = self.blocks.reduce(_gauss_newton, network)
        if len(network.mask):  # a step of weights that stay 0 would be made up for by the others
            matrix = matrix * np.outer(network.mask, network.mask)
        share = 1.0 / self.mass if self.decay.per_row else 1.0
        alpha = self.decay.alpha
        if self.decay.is_tradeoff:
            return value, gradient, (1.0 - alpha) * share * matrix + 2.0 * alpha * np.eye(len(x))
        if self.decay.penalty == "l2":
            matrix = matrix + np.diag(alpha * network.penalized())
        return value, gradient, share * matrix

    def hessian(self, x: Floats) -> Floats:
        """All second derivatives, by central differences of the exact gradient."""
        n = len(x)
        matrix = np.zeros((n, n))
        for i in self.free():
            matrix[i] = self._second(x, i)
        # Differences are symmetric only up to rounding, and solvers rely on symmetry.
        return 0.5 * (matrix + matrix.T)

    def diagonal(self, x: Floats) -> Floats:
        """Second derivative by each weight alone."""
        out = np.zeros(len(x))
        for i in self.free():
            out[i] = self._second(x, i)[i]
        return out

    def free(self) -> NDArray[np.intp]:
        """Weights that were not removed."""
        mask = self.network.mask
        return np.flatnonzero(mask) if len(mask) else np.arange(len(self.network.weights))

    def _second(self, x: Floats, i: int) -> Floats:
        # The error of a central difference is the square of the step plus the rounding unit over the step:
        # smallest near the cube root of the unit, 6e-6.
        step = 1e-5 * max(1.0, abs(float(x[i])))
        above, below = x.copy(), x.copy()
        above[i] += step
        below[i] -= step
        # By the step that was actually taken, since x + step is rounded.
        difference: Floats = (self.first(above)[1] - self.first(below)[1]) / (above[i] - below[i])
        return difference


def _sums(block: Block, network: Network) -> Sums:
    return network.sums(block.X, np.asarray(block.y), block.w)


def _added(one: Sums, other: Sums) -> Sums:
    return one[0] + other[0], one[1] + other[1]


def _gauss_newton(block: Block, network: Network) -> Floats:
    k, n = int(network.sizes[-1]), len(network.weights)
    total = np.zeros((n, n))
    # The derivatives of a chunk would take rows times outputs times weights numbers at once.
    for start in range(0, len(block), RUN):
        part = block.rows(start, min(start + RUN, len(block)))
        net, jacobian = network.jacobian(part.X)
        curved = _cost_curvature(network, net, np.asarray(part.y))
        if part.w is not None:
            curved = curved * part.w[:, None, None]
        J = jacobian.reshape(len(part), k, n)
        heavy = np.einsum("rij,rjn->rin", curved, J)
        total += J.reshape(-1, n).T @ heavy.reshape(-1, n)
    return total


def _cost_curvature(network: Network, net: Floats, targets: Floats) -> Floats:
    """Second derivatives of the cost by the net inputs of each row: (n_rows, n_outputs, n_outputs)."""
    k, unit = net.shape[1], network.output
    # Outputs that are the identity or exponential have slope 1, whatever that of the hidden units.
    a, c = 1.0 if unit in ("identity", "exponential") else network.slope, network.amplitude
    own = np.arange(k)
    if unit == "softmax":
        e = np.exp(net - net.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        # The curvature of the log loss by net inputs is diag(p) - p pᵀ.
        full = -p[:, :, None] * p[:, None, :]
        full[:, own, own] += p
        return np.asarray(full * targets.sum(axis=1)[:, None, None])
    y = unit_value(unit, net, a, c)
    if network.cost == "squared_error":
        # Gauss-Newton leaves out the residual times the second derivative of the unit, which may be negative:
        # the matrix stays positive semidefinite.
        diagonal = unit_slope(unit, y, a, c) ** 2
    elif network.cost == "poisson":
        diagonal = a**2 * y
    else:
        diagonal = a**2 * y * (1.0 - y) * (targets if network.cost == "kl" else 1.0)
    full = np.zeros((len(net), k, k))
    full[:, own, own] = diagonal
    return full
