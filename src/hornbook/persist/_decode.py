"""From JSON and arrays to a fitted learner, validating everything."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from inspect import Parameter
from typing import Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from hornbook.params import ParameterError, check, parameters
from hornbook.persist._closed_list import find_learner, find_record
from hornbook.persist._errors import Damaged, quoted
from hornbook.persist._fields import fits
from hornbook.persist._format import ARRAY_TYPES, MAX_DEPTH, Json
from hornbook.persist._validate import attributes
from hornbook.registry import FORMER_ATTRIBUTES

__all__ = ["Unpacker", "entries"]

SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
MAX_DIMENSIONS = 32


def entries(node: Json, *names: str) -> list[Json]:
    """Return the entries of a JSON object that must have exactly these, in this order."""
    if not isinstance(node, dict) or set(node) != set(names):
        raise Damaged(f"a part of it should have the entries {', '.join(names)} and no others.")
    return [node[name] for name in names]


class Unpacker:
    """Turns JSON back into values.

    Parameters
    ----------
    read_array : callable
        Gives the array for (index, dtype, shape).
    max_bytes : int
        Limit on the memory that fixed-width strings may take; a short string can claim any width.
    """

    def __init__(self, read_array: Callable[[int, str, tuple[int, ...]], Any], max_bytes: int) -> None:
        self._read_array = read_array
        self._bytes_left = max_bytes
        self._records: list[Any] = []
        self._makers: dict[str, Callable[[dict[str, Json], int], Any]] = {
            "float": self._float,
            "tuple": self._tuple,
            "dict": self._dict,
            "scalar": self._scalar,
            "array": self._array,
            "labels": self._labels,
            "record": self._record,
            "again": self._again,
            "learner": self._nested,
        }

    def learner(self, name: Json, values: Json, state: Json, depth: int = 0) -> Any:
        """Return the learner of that class with these parameters and fitted attributes."""
        cls = find_learner(name)
        known = parameters(cls)
        names = [parameter.name for parameter in known]
        # A parameter added in a later version takes its default in files of earlier ones.
        needed = {parameter.name for parameter in known if parameter.default is Parameter.empty}
        if not isinstance(values, dict) or not needed <= set(values) <= set(names):
            raise Damaged(f"it does not have just the parameters of {name}, which are {', '.join(names)}.")
        model = cls(**{key: self.value(values[key], depth) for key in names if key in values})
        try:
            check(model)
        except ParameterError as error:
            raise Damaged(str(error)) from error
        if not isinstance(state, dict):
            raise Damaged("its fitted attributes are missing.")
        for written, node in state.items():
            key = written if written in attributes(cls) else FORMER_ATTRIBUTES.get(written, written)
            if key not in attributes(cls) or (key != written and key in state):
                raise Damaged(
                    f"it sets {quoted(key)}, which is not the name of a fitted attribute of {name}."
                )
            vars(model)[key] = self.value(node, depth)
        return model

    def value(self, node: Json, depth: int = 0) -> Any:
        """Return the value that a piece of JSON encodes."""
        if depth > MAX_DEPTH:
            raise Damaged(f"its parts are nested more than {MAX_DEPTH} deep.")
        if isinstance(node, list):
            return [self.value(item, depth + 1) for item in node]
        if not isinstance(node, dict):
            return node
        kind = node.get("type")
        if not isinstance(kind, str) or kind not in self._makers:
            raise Damaged(f"it holds a value of the unknown type {quoted(kind)}.")
        return self._makers[kind]({key: item for key, item in node.items() if key != "type"}, depth + 1)

    def _float(self, node: dict[str, Json], _: int) -> float:
        (text,) = entries(node, "value")
        if not isinstance(text, str) or text not in SPECIAL:
            raise Damaged(f"it holds {quoted(text)} in place of a number.")
        return SPECIAL[text]

    def _tuple(self, node: dict[str, Json], depth: int) -> tuple[Any, ...]:
        (items,) = entries(node, "items")
        return tuple(self._several(items, depth))

    def _several(self, items: Json, depth: int) -> list[Any]:
        if not isinstance(items, list):
            raise Damaged("it holds something else in place of a list.")
        return [self.value(item, depth) for item in items]

    def _dict(self, node: dict[str, Json], depth: int) -> dict[Any, Any]:
        (items,) = entries(node, "items")
        if not isinstance(items, list) or not all(
            isinstance(pair, list) and len(pair) == 2 for pair in items
        ):
            raise Damaged("it holds something else in place of pairs of keys and values.")
        made = {self.value(key, depth): self.value(item, depth) for key, item in items}
        if len(made) != len(items):
            raise Damaged("it holds one key twice.")
        return made

    def _scalar(self, node: dict[str, Json], depth: int) -> np.generic:
        dtype, value = entries(node, "dtype", "value")
        plain = self.value(value, depth)
        if dtype == "str" and isinstance(plain, str):
            return np.str_(plain)
        if not _is_array_type(dtype) or not isinstance(plain, bool | int | float):
            raise Damaged(f"it holds a single value of the unknown type {quoted(dtype)}.")
        # A value that the type cannot hold, such as 0.5 as an integer, would be changed without a word.
        made: np.generic = np.dtype(dtype).type(plain)
        back = made.item()
        same = back == plain or (back != back and plain != plain)  # noqa: PLR0124 - NaN
        if type(back) is not type(plain) or not same:
            raise Damaged(f"it holds {quoted(plain)} as {quoted(dtype)}, which cannot hold it.")
        return made

    def _array(self, node: dict[str, Json], _: int) -> Any:
        index, dtype, shape = entries(node, "index", "dtype", "shape")
        if not _is_count(index) or not _is_array_type(dtype):
            raise Damaged(f"it names the array {quoted(index)} of type {quoted(dtype)}, which is not valid.")
        return self._read_array(index, dtype, _shape(shape))

    def _labels(self, node: dict[str, Json], depth: int) -> NDArray[Any]:
        dtype, shape, values = entries(node, "dtype", "shape", "values")
        sizes, items = _shape(shape), self._several(values, depth)
        if len(items) != math.prod(sizes):
            raise Damaged(f"it holds {len(items)} labels for an array of shape {sizes}.")
        return self._label_array(dtype, items).reshape(sizes)

    def _label_array(self, dtype: Json, items: list[Any]) -> NDArray[Any]:
        if dtype == "|O":
            if not all(
                label is None or isinstance(label, str | bool | int | float | np.generic) for label in items
            ):
                raise Damaged("it holds a label that is neither text nor a number.")
            made = np.empty(len(items), dtype=object)
            made[:] = items
            return made
        kind, width = _text_type(dtype)
        # Before the array is made: a few bytes of JSON can name a type of gigabytes.
        self._bytes_left -= len(items) * width * (4 if kind == "U" else 1)
        if self._bytes_left < 0:
            raise Damaged(
                "its labels take more memory than allowed: pass a larger max_bytes if you trust it."
            )
        if not all(isinstance(label, str) and len(label) <= width for label in items):
            raise Damaged(f"it holds a label that is not a text of at most {width} letters.")
        texts = items if kind == "U" else [label.encode("latin-1") for label in items]
        return np.array(texts, dtype=f"{kind}{width}")

    def _record(self, node: dict[str, Json], depth: int) -> Any:
        name, content = entries(node, "class", "fields")
        cls = find_record(name)
        # A field added in a later version takes its default in files of earlier ones.
        given = content if isinstance(content, dict) else {}
        names = [
            item.name for item in fields(cls) if item.init and (item.name in given or not _has_default(item))
        ]
        values = dict(zip(names, (self.value(item, depth) for item in entries(content, *names)), strict=True))
        hints = _hints(cls)
        for key, value in values.items():
            if not fits(value, hints[key]):
                raise Damaged(f"{quoted(key)} of its {name} is not valid.")
        self._records.append(cls(**values))
        return self._records[-1]

    def _again(self, node: dict[str, Json], _: int) -> Any:
        (number,) = entries(node, "record")
        if not _is_count(number) or number >= len(self._records):
            raise Damaged(f"it names the record {quoted(number)}, which it does not have.")
        return self._records[number]

    def _nested(self, node: dict[str, Json], depth: int) -> Any:
        name, parameters, state = entries(node, "class", "parameters", "state")
        return self.learner(name, parameters, state, depth)


_hints = functools.cache(get_type_hints)


def _has_default(item: Field[Any]) -> bool:
    return item.default is not MISSING or item.default_factory is not MISSING


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_array_type(dtype: object) -> bool:
    return isinstance(dtype, str) and dtype in ARRAY_TYPES


def _shape(shape: Json) -> tuple[int, ...]:
    if not isinstance(shape, list) or len(shape) > MAX_DIMENSIONS or not all(map(_is_count, shape)):
        raise Damaged("it holds an array with an invalid shape.")
    return tuple(shape)


def _text_type(dtype: Json) -> tuple[str, int]:
    if isinstance(dtype, str) and dtype[:2] in ("<U", "|S") and dtype[2:].isdecimal() and len(dtype) < 12:
        return dtype[1], int(dtype[2:])
    raise Damaged(f"it holds labels of the unknown type {quoted(dtype)}.")
