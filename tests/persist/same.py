"""Whether two fitted learners are equal in everything a model file keeps."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import numpy as np
from sklearn.base import BaseEstimator


def kept(learner):
    """Parameters and fitted attributes."""
    state = {key: value for key, value in vars(learner).items() if key[-1] == "_" and key[0] != "_"}
    return learner.get_params(deep=False), state


def same(one, other):
    """Equality of types, values and bits, however deep."""
    return type(one) is type(other) and plain(one) == plain(other)


def plain(value):
    """A value taken apart into texts, bytes and types, which can be compared."""
    kind = type(value).__name__
    if isinstance(value, np.ndarray) and value.dtype != object:
        parts = [value.dtype.str, value.shape, value.tobytes()]
    elif isinstance(value, np.ndarray):
        parts = [value.shape, plain(value.tolist())]
    elif isinstance(value, BaseEstimator):
        parts = plain(kept(value))
    elif is_dataclass(value):
        parts = [(field.name, plain(getattr(value, field.name))) for field in fields(value)]
    elif isinstance(value, dict):
        parts = plain(list(value.items()))
    elif isinstance(value, list | tuple):
        parts = [plain(item) for item in value]
    else:
        parts = repr(value)  # the shortest text that reads as the same number; all NaN are one
    return kind, parts
