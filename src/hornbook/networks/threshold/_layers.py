"""Layers of threshold units: weights, thresholds, and what the units say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.params import Finite, Floats, Shape

__all__ = ["ThresholdLayers", "Units"]

Units = Literal["binary", "bipolar"]


@dataclass(frozen=True)
class ThresholdLayers:
    """Layers of McCulloch-Pitts neurons: each fires when its weighted inputs exceed its threshold.

    A unit computes v = Σ w x - t and says 1 if v > 0; otherwise 0 (binary units) or -1 (bipolar units).
    `ThresholdLayers.of` makes them of matrices.

    Parameters
    ----------
    sizes : ndarray of shape (n_layers + 1,)
        Number of inputs, and of the units of each layer.
    weights : ndarray of shape (n_weights,)
        Weights of all units, one after the other.
    thresholds : ndarray of shape (n_units,)
        Their thresholds.

    Examples
    --------
    >>> xor = ThresholdLayers.of([([[1, 1], [1, 1]], [0.5, 1.5]), ([[1, -2]], [0.5])])
    >>> xor.outputs(np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))[-1].ravel().tolist()
    [0.0, 1.0, 0.0]
    """

    sizes: Annotated[NDArray[np.int64], Shape("n_sizes")]
    weights: Annotated[Floats, Shape("n_weights"), Finite()]
    thresholds: Annotated[Floats, Shape("n_units"), Finite()]

    def __post_init__(self) -> None:
        # Also for networks made by hand, whose sizes nobody else has checked.
        self.verify(None)

    def verify(self, _: object) -> None:
        """Reject sizes that do not fit, as in a damaged model file."""
        sizes = [int(size) for size in self.sizes]
        if len(sizes) < 2 or min(sizes) < 1:
            raise ValueError("a network needs inputs and at least one layer of at least one unit")
        if sum(a * b for a, b in pairwise(sizes)) != len(self.weights):
            raise ValueError("the number of weights does not fit the sizes of the layers")
        if sum(sizes[1:]) != len(self.thresholds):
            raise ValueError("the number of thresholds does not fit the sizes of the layers")

    @classmethod
    def of(cls, layers: Sequence[tuple[Any, Any]]) -> ThresholdLayers:
        """Make layers of pairs of weights, one row for each unit, and thresholds.

        Parameters
        ----------
        layers : sequence of (array-like of shape (n_units, n_inputs), array-like of shape (n_units,))
            The layers, from the inputs on.

        Returns
        -------
        layers : ThresholdLayers
            The layers.
        """
        matrices = [np.asarray(weights, dtype=np.float64) for weights, _ in layers]
        thresholds = [np.asarray(values, dtype=np.float64) for _, values in layers]
        width = None
        for i, (matrix, values) in enumerate(zip(matrices, thresholds, strict=True)):
            # -1 makes the comparison below fail for what is not a matrix, with one message for all.
            inputs = matrix.shape[1] if matrix.ndim == 2 else -1
            if inputs < 1 or values.shape != (len(matrix),) or width not in (None, inputs):
                raise ValueError(
                    f"ThresholdLayers: layer {i + 1} must have a row of {width or 'as many'} weights for "
                    f"each unit{'' if width else ' as there are inputs'}, and a threshold for each; got "
                    f"shapes {matrix.shape} and {values.shape}."
                )
            if not (np.isfinite(matrix).all() and np.isfinite(values).all()):
                raise ValueError(f"ThresholdLayers: layer {i + 1} has weights that are not finite.")
            width = len(matrix)
        if not matrices:
            raise ValueError("ThresholdLayers: there must be at least one layer; got none.")
        sizes = np.array([matrices[0].shape[1], *(len(matrix) for matrix in matrices)], dtype=np.int64)
        # One array for all layers: a model file then holds three arrays, however deep the network is.
        return cls(sizes, np.concatenate([m.ravel() for m in matrices]), np.concatenate(thresholds))

    def __len__(self) -> int:
        return len(self.sizes) - 1

    def matrices(self) -> list[tuple[Floats, Floats]]:
        """Weights and thresholds of each layer."""
        sizes = self.sizes.tolist()
        counts = [a * b for a, b in pairwise(sizes)]
        parts = np.split(self.weights, np.cumsum(counts)[:-1])
        ends = np.split(self.thresholds, np.cumsum(sizes[1:])[:-1])
        return [(w.reshape(len(t), -1), t) for w, t in zip(parts, ends, strict=True)]

    def excesses(self, X: Floats, units: Units = "binary") -> list[Floats]:
        """By how much the weighted inputs of each unit exceed its threshold, layer by layer."""
        low, values, sums = (0.0 if units == "binary" else -1.0), X, []
        for weights, thresholds in self.matrices():
            # Sums before the step are kept, because they are the decision values: how far a unit is from
            # changing.
            sums.append(values @ weights.T - thresholds)
            values = np.where(sums[-1] > 0, 1.0, low)
        return sums

    def outputs(self, X: Floats, units: Units = "binary") -> list[Floats]:
        """What the units of each layer say.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_inputs)
            The inputs.
        units : {"binary", "bipolar"}, default "binary"
            Whether a unit that does not fire says 0 or -1.

        Returns
        -------
        outputs : list of ndarray of shape (n_rows, n_units)
            One for each layer.
        """
        low = 0.0 if units == "binary" else -1.0
        return [np.where(excess > 0, 1.0, low) for excess in self.excesses(X, units)]

    def connections(self) -> list[tuple[str, str]]:
        """Arrows between units whose weight is not 0: inputs x1, x2, ..., units of layer k hk.1, hk.2, ..."""
        names = [f"x{j + 1}" for j in range(int(self.sizes[0]))]
        arrows = []
        for k, (weights, _) in enumerate(self.matrices()):
            units = [f"h{k + 1}.{i + 1}" for i in range(len(weights))]
            arrows += [(names[j], units[i]) for i, j in np.argwhere(weights != 0).tolist()]
            names = units
        return arrows
