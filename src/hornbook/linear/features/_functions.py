"""Functions of columns, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from hornbook.params import Floats

__all__ = ["FUNCTIONS", "POWERS", "products"]

# Functions that multiply columns, and how many at a time.
POWERS = MappingProxyType({"products": 2, "square": 2, "cube": 3})


def products(X: Floats) -> Floats:
    """The product of every two different columns: x1 x2, x1 x3, ..., x2 x3, ..."""
    first, second = np.triu_indices(X.shape[1], 1)
    return np.asarray(X[:, first] * X[:, second])


def _same(X: Floats) -> Floats:
    return X


def _cube(X: Floats) -> Floats:
    return np.asarray(X * X * X)


# Each makes columns of columns; all but "products" one of one.
FUNCTIONS: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "identity": _same,
        "products": products,
        "square": np.square,
        "cube": _cube,
        "abs": np.abs,
        "sqrt": np.sqrt,
        "log": np.log,
        "exp": np.exp,
        "sin": np.sin,
        "cos": np.cos,
        "tanh": np.tanh,
    }
)
