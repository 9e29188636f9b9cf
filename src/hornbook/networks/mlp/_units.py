"""Units of networks: what a neuron makes of its net input, by name."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.special import expit

from hornbook.params import Floats

__all__ = ["UNITS", "HiddenUnit", "OutputUnit", "unit_range", "unit_slope", "unit_value"]

HiddenUnit = Literal["identity", "logistic", "bipolar", "tanh", "scaled_tanh", "relu"]
OutputUnit = Literal[
    "identity", "logistic", "bipolar", "tanh", "scaled_tanh", "relu", "exponential", "softmax"
]

# Code of each unit in the kernels, and the factor of its slope there: bipolar units are tanh(a v / 2).
UNITS: dict[str, tuple[int, float]] = {
    "identity": (0, 1.0),
    "logistic": (1, 1.0),
    "bipolar": (2, 0.5),
    "tanh": (2, 1.0),
    "scaled_tanh": (2, 0.5),
    "relu": (3, 1.0),
    "exponential": (4, 1.0),
    "softmax": (5, 1.0),
}


def unit_value(unit: str, v: Floats, slope: float, amplitude: float) -> Floats:
    """Outputs of units for net inputs.

    Parameters
    ----------
    unit : str
        The name of the unit.
    v : ndarray
        Net inputs; for softmax, those of one row.
    slope, amplitude : float
        The output is f(slope v), for ``"scaled_tanh"`` amplitude times that.

    Examples
    --------
    >>> unit_value("bipolar", np.array([0.0, 2.0]), 1.0, 1.0).round(4).tolist()
    [0.0, 0.7616]
    """
    z = slope * np.asarray(v, dtype=np.float64)
    if unit == "logistic":
        return np.asarray(expit(z))
    if unit in ("bipolar", "tanh", "scaled_tanh"):
        return amplitude * np.tanh(UNITS[unit][1] * z)
    if unit == "relu":
        return np.maximum(z, 0.0)
    if unit == "exponential":
        return np.exp(z)
    if unit == "softmax":
        e = np.exp(z - z.max())
        return np.asarray(e / e.sum())
    return z


def unit_slope(unit: str, y: Floats, slope: float, amplitude: float) -> Floats:
    """Derivatives of units by their net inputs, from their outputs: for the logistic one, a y (1 - y).

    Parameters
    ----------
    unit : str
        The name of the unit, not softmax.
    y : ndarray
        Outputs.
    slope, amplitude : float
        As in `unit_value`.

    Examples
    --------
    >>> unit_slope("logistic", np.array([0.5, 0.9]), 2.0, 1.0).round(4).tolist()
    [0.5, 0.18]
    """
    if unit == "logistic":
        return slope * y * (1.0 - y)
    if unit in ("bipolar", "tanh", "scaled_tanh"):
        return slope * UNITS[unit][1] * (amplitude - y * y / amplitude)
    if unit == "relu":
        return np.where(y > 0, slope, 0.0)
    if unit == "exponential":
        return slope * y
    return np.full_like(y, slope)


def unit_range(unit: str, amplitude: float) -> tuple[float, float]:
    """Smallest and largest output of a unit."""
    if unit in ("bipolar", "tanh", "scaled_tanh"):
        return -amplitude, amplitude
    if unit in ("logistic", "softmax"):
        return 0.0, 1.0
    return (0.0 if unit in ("relu", "exponential") else -np.inf), np.inf
