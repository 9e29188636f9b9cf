"""Explicit weights of kernel machines with polynomial kernels, and the curve they draw in the plane."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from hornbook.kernels import Linear, Polynomial, feature_map
from hornbook.params import Floats

__all__ = ["Conic", "conic_of", "explicit_weights"]

FLAT = 1e-10  # of the larger eigenvalue: below it, a curvature counts as 0

Kind = Literal["ellipse", "hyperbola", "parabola", "lines", "point", "empty"]


def explicit_weights(kernel: Linear | Polynomial, rows: ArrayLike, coef: ArrayLike) -> Floats:
    """Compute w = Σ coef_i φ(x_i), the weights in the feature space of a polynomial kernel.

    Parameters
    ----------
    kernel : Linear or Polynomial
        The kernel.
    rows : array-like of shape (n, n_columns)
        The stored rows, such as support vectors.
    coef : array-like of shape (n,)
        Their coefficients: alpha times label.

    Returns
    -------
    ndarray of shape (n_new,)
        One weight for each of `hornbook.kernels.feature_names`.

    Examples
    --------
    >>> from hornbook.kernels import Polynomial
    >>> from hornbook.svm import explicit_weights
    >>> explicit_weights(Polynomial(2, constant=0.0), [[1.0, 2.0], [1.0, 0.0]], [1.0, -1.0]).round(3).tolist()
    [0.0, 2.828, 4.0]
    """
    weights = np.asarray(coef, dtype=np.float64)
    mapped = feature_map(rows, kernel)
    if weights.shape != (len(mapped),):
        raise ValueError(
            f"explicit_weights: 'coef' must have one number for each of the {len(mapped)} rows; got shape "
            f"{weights.shape}."
        )
    return np.asarray(weights @ mapped)


@dataclass(frozen=True)
class Conic:
    """The curve xᵀAx + g·x + c = 0 in the plane.

    Parameters
    ----------
    kind : {"ellipse", "hyperbola", "parabola", "lines", "point", "empty"}
        What it is; one or two lines are ``"lines"``, no real point ``"empty"``.
    center : ndarray of shape (2,), optional
        The center; a parabola and parallel lines have none.
    semi_axes : ndarray of shape (2,), optional
        Half the lengths of the axes of an ellipse, the longer first, or those of a hyperbola, the one that
        it crosses first.
    directions : ndarray of shape (2, 2)
        Unit vectors along the axes, in rows.
    """

    kind: Kind
    center: Floats | None
    semi_axes: Floats | None
    directions: Floats


def conic_of(kernel: Polynomial, weights: ArrayLike, bias: float) -> Conic:
    """Describe the boundary w·φ(x) + b = 0 of a kernel of degree 2 in the plane.

    Parameters
    ----------
    kernel : Polynomial
        Of degree 2.
    weights : array-like of shape (3,) or (6,)
        Weights of `hornbook.kernels.feature_map` of two columns, as `explicit_weights` gives them.
    bias : float
        The bias b.

    Returns
    -------
    Conic
        Center, semi-axes and their directions in the plane of the columns.

    Examples
    --------
    >>> from hornbook.kernels import Polynomial
    >>> from hornbook.svm import conic_of
    >>> conic = conic_of(Polynomial(2, constant=0.0), [1.0, 0.0, 4.0], -4.0)  # x1² + 4 x2² = 4
    >>> conic.kind, conic.semi_axes.tolist(), conic.directions.tolist()
    ('ellipse', [2.0, 1.0], [[1.0, 0.0], [0.0, 1.0]])
    """
    w = np.asarray(weights, dtype=np.float64)
    size = 6 if kernel.constant > 0 else 3
    if kernel.degree != 2 or w.shape != (size,) or not np.isfinite(w).all() or not np.isfinite(bias):
        raise ValueError(
            f"conic_of: a kernel of degree 2 in the plane has {size} finite weights and a finite bias; got "
            f"degree {kernel.degree} and weights of shape {w.shape}."
        )
    # The columns of the feature map have factors √2 for mixed terms, which are undone here.
    square = kernel.scale * w[-3:]
    A = np.array([[square[0], square[1] / sqrt(2)], [square[1] / sqrt(2), square[2]]])
    g, c = np.zeros(2), float(bias)
    if size == 6:
        g, c = sqrt(2 * kernel.scale * kernel.constant) * w[1:3], c + kernel.constant * float(w[0])
    return _conic(A, g, c)


def _conic(A: Floats, g: Floats, c: float) -> Conic:
    values, vectors = np.linalg.eigh(A)
    directions = vectors.T
    # A singular A has no unique center: parabolas and pairs of parallel lines.
    if (np.abs(values) <= FLAT * np.abs(values).max()).any():
        return Conic(_kind_without_center(values, directions @ g, c), None, None, directions)
    # Where the gradient 2 A x + g is 0.
    center = np.asarray(np.linalg.solve(-2 * A, g), dtype=np.float64)
    level = -(c + float(g @ center) / 2)  # the value of (x - center)ᵀA(x - center) on the curve
    squares = level / values
    if abs(level) <= FLAT * (abs(c) + float(np.abs(g * center).sum())):
        return Conic("point" if values[0] * values[1] > 0 else "lines", center, None, directions)
    if (squares < 0).all():
        return Conic("empty", None, None, directions)
    order = np.argsort(-squares)
    kind: Kind = "ellipse" if (squares > 0).all() else "hyperbola"
    return Conic(kind, center, np.sqrt(np.abs(squares[order])), directions[order])


def _kind_without_center(values: Floats, slopes: Floats, c: float) -> Kind:
    """What a curve is that bends along one direction at most; slopes are those along the directions."""
    bent = int(np.argmax(np.abs(values)))
    if values[bent] == 0:
        return "lines" if slopes.any() else "empty"
    if abs(slopes[1 - bent]) > FLAT * np.abs(slopes).max():
        return "parabola"
    return "lines" if slopes[bent] ** 2 - 4 * values[bent] * c >= 0 else "empty"
