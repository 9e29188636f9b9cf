"""From a fitted learner to JSON and a list of plain arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.persist._closed_list import is_learner, record_name
from hornbook.persist._errors import ModelFileError
from hornbook.persist._format import ARRAY_TYPES, MAX_DEPTH, Json

__all__ = ["Packer", "Place"]

INT_BITS = 2000  # longer integers cannot be converted to text under Python's strictest limit
SCALARS = (np.bool_, np.integer, np.floating)
DRAWS = (
    np.random.RandomState,
    np.random.Generator,
    np.random.BitGenerator,
    np.random.SeedSequence,
)


@dataclass(frozen=True)
class Place:
    """Where in a model a value is, for the error that rejects it.

    Parameters
    ----------
    owner : str
        Name of the learner.
    role : str
        "parameter" or "attribute".
    name : str
        Name of the parameter or attribute.
    depth : int
        Values around this one.
    """

    owner: str
    role: str
    name: str
    depth: int = 0

    def __str__(self) -> str:
        return f"{self.owner}: {self.role} {self.name!r}"

    def inside(self) -> Place:
        """One value further in."""
        if self.depth >= MAX_DEPTH:
            raise ModelFileError(f"{self} is nested more than {MAX_DEPTH} deep, or holds itself: flatten it.")
        return replace(self, depth=self.depth + 1)


class Packer:
    """Turns values into JSON; numeric arrays are collected in `arrays`."""

    def __init__(self) -> None:
        self.arrays: list[NDArray[Any]] = []
        self._records: dict[int, int] = {}
        # By exact type, because what a subclass adds would be lost.
        self._packers: dict[type, Callable[[Any, Place], Json]] = {
            float: self._float,
            int: self._int,
            list: self._list,
            tuple: self._tuple,
            dict: self._dict,
            np.ndarray: self._array,
            np.memmap: self._array,
        }

    def learner(self, model: Any, depth: int = 0) -> dict[str, Json]:
        """Class, parameters and fitted attributes; any other attributes are not saved."""
        name = type(model).__name__
        parameters = model.get_params(deep=False)
        state = {key: value for key, value in vars(model).items() if key.endswith("_") and key[0] != "_"}
        return {
            "class": name,
            "parameters": {
                key: self.value(value, Place(name, "parameter", key, depth))
                for key, value in parameters.items()
            },
            "state": {
                key: self.value(value, Place(name, "attribute", key, depth)) for key, value in state.items()
            },
        }

    def value(self, value: Any, place: Place) -> Json:
        """One value of any kind that a model file can hold."""
        place = place.inside()
        if value is None or type(value) in (bool, str):
            return value
        if isinstance(value, np.generic):
            return self._scalar(value, place)
        return self._packers.get(type(value), self._ours)(value, place)

    def _int(self, value: int, place: Place) -> Json:
        if value.bit_length() > INT_BITS:
            raise ModelFileError(
                f"{place} holds an integer of {value.bit_length()} bits: pass a smaller one."
            )
        return value

    def _float(self, value: float, _: Place) -> Json:
        return value if math.isfinite(value) else {"type": "float", "value": repr(value)}

    def _list(self, value: list[Any], place: Place) -> Json:
        return [self.value(item, place) for item in value]

    def _tuple(self, value: tuple[Any, ...], place: Place) -> Json:
        return {"type": "tuple", "items": [self.value(item, place) for item in value]}

    def _dict(self, value: dict[Any, Any], place: Place) -> Json:
        pairs = [[self.value(key, place), self.value(item, place)] for key, item in value.items()]
        return {"type": "dict", "items": pairs}

    def _ours(self, value: Any, place: Place) -> Json:
        if is_learner(value):
            return {"type": "learner", **self.learner(value, place.depth)}
        name = record_name(value)
        if name is None:
            raise _refusal(value, place)
        if id(value) in self._records:
            return {"type": "again", "record": self._records[id(value)]}
        known = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
        packed = {key: self.value(field, place) for key, field in known.items()}
        # A record that several parts share is written once, and shared again when loaded.
        self._records[id(value)] = len(self._records)
        return {"type": "record", "class": name, "fields": packed}

    def _scalar(self, value: np.generic, place: Place) -> Json:
        if isinstance(value, np.str_):
            return {"type": "scalar", "dtype": "str", "value": str(value)}
        if not isinstance(value, SCALARS) or _little(value.dtype).str not in ARRAY_TYPES:
            raise _refusal(value, place)
        plain = self.value(value.item(), place)
        return {"type": "scalar", "dtype": _little(value.dtype).str, "value": plain}

    def _array(self, array: NDArray[Any], place: Place) -> Json:
        if array.dtype.kind in "OUS":
            return self._labels(array, place)
        dtype = _little(array.dtype)
        if dtype.str not in ARRAY_TYPES:
            raise _refusal(array, place)
        self.arrays.append(np.asarray(array, dtype=dtype, order="C"))
        return {
            "type": "array",
            "index": len(self.arrays) - 1,
            "dtype": dtype.str,
            "shape": list(array.shape),
        }

    def _labels(self, array: NDArray[Any], place: Place) -> Json:
        """Strings, or objects each of which keeps its own type."""
        if array.dtype.kind == "S":
            items = [label.decode("latin-1") for label in array.ravel().tolist()]
        else:
            items = array.ravel().tolist()
        for label in items:
            if not (label is None or isinstance(label, str | bool | int | float | np.generic)):
                raise _refusal(label, place)
        values = [self.value(label, place) for label in items]
        dtype = _little(array.dtype).str
        return {"type": "labels", "dtype": dtype, "shape": list(array.shape), "values": values}


def _little(dtype: np.dtype[Any]) -> np.dtype[Any]:
    return dtype.newbyteorder("<") if dtype.kind in "biufOUS" else dtype


def _refusal(value: Any, place: Place) -> ModelFileError:
    if isinstance(value, np.ndarray):
        what = f"an array of {value.dtype}" if type(value) is np.ndarray else f"a {type(value).__name__}"
    else:
        name = type(value).__name__
        what = f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"
    return ModelFileError(f"{place} holds {what}, which a model file cannot hold: {_remedy(value, place)}.")


def _remedy(value: Any, place: Place) -> str:
    if isinstance(value, DRAWS):
        return "pass an integer seed"
    if place.role == "attribute":
        return "delete it, or keep plain data in it"
    if hasattr(value, "get_params"):
        return "use one of Hornbook's own learners"
    if callable(value):
        return "use one of the choices that have a name"
    return "pass numbers, texts, lists or NumPy arrays"
