"""Means of what members predict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from hornbook.ensembles.combining._checks import number_table, shares_of
from hornbook.params import Floats

__all__ = ["average", "f_mean"]

Function: TypeAlias = Callable[[Floats], Floats]
NamedMean: TypeAlias = Literal["identity", "log", "reciprocal", "square"]

_NAMED: dict[str, tuple[Function, Function]] = {
    "identity": (lambda x: x, lambda z: z),
    "log": (np.log, np.exp),
    "reciprocal": (lambda x: 1.0 / x, lambda z: 1.0 / z),
    "square": (np.square, np.sqrt),
}


def average(numbers: ArrayLike, weights: ArrayLike | None = None) -> Floats:
    """Average what members predict: the sum of w_i h_i, with weights that are made to sum to 1.

    Parameters
    ----------
    numbers : array-like of shape (n_members, ...)
        The predictions of each member.
    weights : array-like of shape (n_members,), optional
        Weights of the members, at least 0; all are 1 / n_members when left out.

    Returns
    -------
    ndarray
        One number for each prediction.

    Examples
    --------
    >>> average([[1.0, 4.0], [3.0, 8.0]]).tolist()
    [2.0, 6.0]
    >>> average([[1.0, 4.0], [3.0, 8.0]], weights=[3, 1]).tolist()
    [1.5, 5.0]
    """
    table = number_table("average", numbers)
    # Members along the first axis; any further shape, rows or rows and classes, is kept.
    return np.asarray(np.tensordot(shares_of("average", weights, len(table)), table, axes=1))


def f_mean(
    numbers: ArrayLike,
    f: NamedMean | tuple[Function, Function] = "identity",
    weights: ArrayLike | None = None,
) -> Floats:
    """Average what a function makes of the predictions, and undo the function: f^-1(mean of f(h_i)).

    The identity gives the arithmetic mean and the logarithm the geometric one: the rules of the sum and of
    the product for probabilities, up to a common factor.

    Parameters
    ----------
    numbers : array-like of shape (n_members, ...)
        The predictions of each member.
    f : {"identity", "log", "reciprocal", "square"} or tuple of two callables, default "identity"
        The function, or a function and its inverse.
    weights : array-like of shape (n_members,), optional
        Weights of the members, at least 0; all are 1 / n_members when left out.

    Returns
    -------
    ndarray
        One number for each prediction.

    Examples
    --------
    >>> f_mean([[1.0], [4.0]], "log").tolist()
    [2.0]
    >>> f_mean([[1.0], [4.0]], (np.sqrt, np.square)).tolist()
    [2.25]
    """
    is_pair = isinstance(f, tuple) and len(f) == 2 and all(callable(part) for part in f)
    if not is_pair and not (isinstance(f, str) and f in _NAMED):
        raise ValueError(f"f_mean: 'f' must be one of {', '.join(_NAMED)}, or two functions; got {f!r}.")
    function, inverse = _NAMED[f] if isinstance(f, str) else f
    with np.errstate(divide="ignore"):  # the logarithm and the reciprocal of 0 are limits that come out right
        return np.asarray(inverse(average(function(number_table("f_mean", numbers)), weights)))
