"""A fitted network: its structure and weights, and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from hornbook import _native
from hornbook.networks.mlp._costs import cost_code
from hornbook.networks.mlp._units import UNITS
from hornbook.params import Finite, Floats, Shape, blas_threads

__all__ = ["Network", "Sums"]

_native.network_use_blas()

Mask = NDArray[np.uint8]
Sums = tuple[float, Floats]  # a cost and its gradient


@dataclass(frozen=True)
class Network:
    """A feed-forward network: each layer is fully linked with the next, unless the mask says otherwise.

    Parameters
    ----------
    sizes : ndarray of shape (n_layers,)
        Inputs first, outputs last.
    weights : ndarray of shape (n_weights,)
        Layer after layer: the matrix of inputs x units row by row, then the constants of its units.
    mask : ndarray of shape (n_weights,) or (0,)
        0 for weights that were removed and stay 0; empty when there are none.
    hidden, output, cost : str
        Units and cost by name.
    slope, amplitude : float
        Of the units; outputs that are the identity, exponential or softmax have slope 1.
    """

    sizes: Annotated[NDArray[np.int64], Shape("n_layers")]
    weights: Annotated[Floats, Shape("n_weights"), Finite()]
    mask: Annotated[Mask, Shape("n_weights"), Shape(0)]
    hidden: str
    output: str
    cost: str
    slope: float = 1.0
    amplitude: float = 1.0

    @classmethod
    def blank(
        cls, sizes: Sequence[int], hidden: str, output: str, cost: str, slope: float, amplitude: float
    ) -> Network:
        """A network whose weights are all 0."""
        layers = np.array(sizes, dtype=np.int64)
        n = int(((layers[:-1] + 1) * layers[1:]).sum())
        return cls(layers, np.zeros(n), np.empty(0, np.uint8), hidden, output, cost, slope, amplitude)

    def verify(self, _: object) -> None:
        """Refuse what is no network, as a damaged model file may hold."""
        if len(self.sizes) < 2 or self.sizes.min() < 1 or self.sizes.max() > 2**24:
            raise ValueError("a network has at least two layers of 1 to 2^24 units")
        if int(((self.sizes[:-1] + 1) * self.sizes[1:]).sum()) != len(self.weights):
            raise ValueError("the network has another number of weights than its layers say")
        # The kernel knows which units and costs go together, and refuses the others.
        self.net(np.zeros((1, int(self.sizes[0]))), 1)

    @property
    def depth(self) -> int:
        """Layers with weights."""
        return len(self.sizes) - 1

    @property
    def structure(self) -> tuple[NDArray[np.int64], NDArray[np.int32], Floats]:
        """What kernels need to know beside the weights."""
        (hidden, factor), (output, last) = UNITS[self.hidden], UNITS[self.output]
        plain = self.output in ("identity", "exponential", "softmax")
        numbers = [self.slope * factor, self.amplitude, 1.0 if plain else self.slope * last, self.amplitude]
        kinds = [hidden, output, cost_code(self.cost, self.output)]
        return self.sizes, np.array(kinds, dtype=np.int32), np.array(numbers, dtype=np.float64)

    def with_weights(self, weights: Floats) -> Network:
        """The same structure with other weights."""
        # Every iteration has one, and `dataclasses.replace` takes several times as long.
        kinds = (self.hidden, self.output, self.cost)
        return Network(self.sizes, weights, self.mask, *kinds, self.slope, self.amplitude)

    def split(self, weights: NDArray[Any] | None = None) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """Matrix and constants of each layer, as views; of these weights, or of others like them."""
        values, parts, start = self.weights if weights is None else weights, [], 0
        for inputs, units in zip(self.sizes[:-1].tolist(), self.sizes[1:].tolist(), strict=True):
            stop = start + inputs * units
            parts.append((values[start:stop].reshape(inputs, units), values[stop : stop + units]))
            start = stop + units
        return parts

    def penalized(self) -> NDArray[np.bool_]:
        """Which weights are weights of connections, not constants."""
        marks = np.ones(len(self.weights), dtype=np.bool_)
        for _, constants in self.split(marks):
            # Constants shift the net input; shrinking them would pull outputs toward 0 for no reason.
            constants[:] = False
        return marks

    def masked(self, weights: Floats) -> Floats:
        """The same weights, with 0 for those that were removed."""
        return weights * self.mask if len(self.mask) else weights

    @property
    def mask_or_none(self) -> Mask | None:
        """The mask as kernels take it."""
        return self.mask if len(self.mask) else None

    def outputs(self, X: Floats, n_threads: int = 1) -> Floats:
        """Outputs for rows, of shape (n_rows, n_outputs)."""
        return self._outputs(X, n_threads, net=False)

    def net(self, X: Floats, n_threads: int = 1) -> Floats:
        """Net inputs of the output units for rows."""
        return self._outputs(X, n_threads, net=True)

    def _outputs(self, X: Floats, n_threads: int, *, net: bool) -> Floats:
        # BLAS splits sums by its own threads, which would change the last bits.
        with blas_threads(1):
            return _native.network_outputs(
                np.ascontiguousarray(X), *self.structure, self.weights, net, n_threads
            )

    def sums(self, X: Floats, targets: Floats, w: Floats | None) -> Sums:
        """Cost of rows and its gradient by the weights."""
        return _native.network_gradient(np.ascontiguousarray(X), targets, w, *self.structure, self.weights)

    def jacobian(self, X: Floats) -> tuple[Floats, Floats]:
        """Net inputs of the output units, and their derivatives: (n_rows x n_outputs, n_weights)."""
        return _native.network_jacobian(np.ascontiguousarray(X), *self.structure, self.weights)
