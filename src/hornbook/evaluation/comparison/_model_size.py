"""How much a fitted model stores."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from hornbook._scikit import BaseEstimator

__all__ = ["stored_numbers"]


def stored_numbers(model: Any) -> int:
    """Count the numbers a fitted model consists of: the fewer, the simpler it is.

    Parameters
    ----------
    model : estimator
        A fitted learner. Of objects that are neither arrays, containers, dataclasses nor estimators, one
        number is counted for every eight bytes they take when pickled.

    Returns
    -------
    int
        The count.

    Examples
    --------
    >>> import numpy as np
    >>> stored_numbers({"coef": np.zeros((2, 3)), "level": 1.5})
    7
    """
    parts = _parts(model)
    if parts is not None:
        return sum(stored_numbers(part) for part in parts)
    if isinstance(model, np.ndarray):
        return int(model.size)
    if model is None or isinstance(model, str | bytes):
        return 0
    # Opaque objects count by their pickle in units of a double, a rough but monotone stand-in.
    return 1 if isinstance(model, bool | int | float | np.generic) else len(pickle.dumps(model)) // 8


def _parts(model: Any) -> Iterable[Any] | None:
    """What an object is made of, or None if it has no parts."""
    if isinstance(model, BaseEstimator):
        # Parameters are what the user chose, not what was learned.
        parameters = set(model.get_params(deep=False))
        return [value for name, value in vars(model).items() if name not in parameters]
    if is_dataclass(model) and not isinstance(model, type):
        return [getattr(model, field.name) for field in fields(model)]
    if isinstance(model, Mapping):
        return model.values()
    if isinstance(model, np.ndarray) and model.dtype == object:
        return list(model.ravel())
    return model if isinstance(model, list | tuple | set | frozenset) else None
