"""What the annotations of a model's parts declare, collected and checked against the arrays."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from hornbook.base import Learner
from hornbook.frame import Schema
from hornbook.params import Finite, Index, Shape, size_of
from hornbook.persist._closed_list import is_record
from hornbook.persist._errors import Damaged, brief
from hornbook.persist._fields import fits

__all__ = ["Claims", "Seen"]

Sizes = dict[str, int]


@dataclass
class Seen:
    """Cache for parts that several learners share, so that each is checked once."""

    ends: dict[int, tuple[int, int]] = field(default_factory=dict)
    verified: set[tuple[int, int]] = field(default_factory=set)


@dataclass(frozen=True)
class _Claim:
    """An array or a list, its declarations, and the named sizes in its scope."""

    value: Any
    shapes: tuple[Shape, ...]
    index: Index | None
    sizes: Sizes
    path: str

    @property
    def actual(self) -> tuple[int, ...]:
        return self.value.shape if isinstance(self.value, np.ndarray) else (len(self.value),)

    @property
    def possible(self) -> list[Shape]:
        """Those of the declared shapes that have as many dimensions."""
        return [shape for shape in self.shapes if len(shape.sizes) == len(self.actual)]


class Claims:
    """What is declared of the parts of one learner.

    Parameters
    ----------
    schema : Schema
        The columns of what the hooks of the learner get.
    seen : Seen
        What is known of shared parts.
    """

    def __init__(self, schema: Schema, seen: Seen) -> None:
        self._schema = schema
        self._seen = seen
        self._claims: list[_Claim] = []
        self._records: dict[int, tuple[Any, Sizes, str]] = {}
        self.learners: list[Learner] = []

    def collect(self, value: Any, hint: Any, sizes: Sizes, path: str) -> None:
        """Collect the claims of a value and of all inside it.

        A record shares named sizes with the record around it; each item of a list has its own scope.
        """
        hint, markers = _taken_apart(value, hint)
        shapes = tuple(marker for marker in markers if isinstance(marker, Shape))
        index = next((marker for marker in markers if isinstance(marker, Index)), None)
        if any(isinstance(marker, Finite) for marker in markers) and not _is_finite(value):
            raise Damaged(f"its part {path} holds numbers that are not finite.")
        if shapes or index is not None:
            self._claims.append(_Claim(value, shapes, index, sizes, path))
        if isinstance(value, Learner):
            self.learners.append(value)
        elif isinstance(value, list | tuple | dict):
            for place, item, inner in _items(value, hint):
                self.collect(item, inner, dict(sizes), f"{path}[{place}]")
        elif isinstance(value, Schema):
            return  # names, kinds and levels: many, and nothing in them has a size
        elif is_record(value) and id(value) not in self._records:
            self._records[id(value)] = (value, sizes, path)
            cls: Any = type(value)
            for name, inner in _hints(cls).items():
                self.collect(getattr(value, name), inner, sizes, f"{path}.{name}")

    def check(self) -> None:
        """Reject parts that are not as declared; then call ``verify`` of the records that have it."""
        # Names of sizes are bound before anything is compared, as one part may use a name of another; records
        # verify themselves last, when shapes and ranges can be relied on.
        for claim in self._claims:
            _bind(claim)
        for record, sizes, path in self._records.values():
            for name, size in _asked(record, "sizes_by_name", path).items():
                if sizes.setdefault(name, size) != size:
                    raise Damaged(f"its part {path} does not fit the others.")
        for claim in self._claims:
            if (claim.shapes and not _has_shape(claim)) or not self._within(claim):
                raise Damaged(f"its part {claim.path} does not fit the others.")
        for record, _, path in self._records.values():
            known = (id(record), id(self._schema))
            if known not in self._seen.verified:
                _asked(record, "verify", path, self._schema)
                self._seen.verified.add(known)

    def _within(self, claim: _Claim) -> bool:
        """Whether all entries are within their declared range."""
        if claim.index is None or not claim.value.size:
            return True
        if id(claim.value) not in self._seen.ends:
            self._seen.ends[id(claim.value)] = int(np.min(claim.value)), int(np.max(claim.value))
        low, high = self._seen.ends[id(claim.value)]
        try:
            return claim.index.low <= low and high < size_of(claim.index.below, claim.sizes)
        except KeyError:  # a size that is defined only by an absent part
            return False


@functools.cache
def _hints(cls: Any) -> dict[str, Any]:
    hints = get_type_hints(cls, include_extras=True)
    return {field.name: hints[field.name] for field in fields(cls) if field.init}


def _taken_apart(value: Any, hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """The plain annotation that applies to a value, and its markers."""
    if get_origin(hint) in (Union, UnionType):
        hint = next((member for member in get_args(hint) if fits(value, member)), Any)
    if get_origin(hint) is Annotated:
        plain, *markers = get_args(hint)
        return plain, tuple(markers)
    return hint, ()


def _items(value: Any, hint: Any) -> Iterator[tuple[object, Any, Any]]:
    """Place, item and annotation of what is in a container, where it can hold further parts."""
    inner = get_args(hint)
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for number, (place, item) in enumerate(pairs):
        if not isinstance(item, str | bool | int | float | np.generic | None):
            several = isinstance(value, tuple) and inner[1:] != (Ellipsis,)
            yield place, item, inner[number if several else isinstance(value, dict)] if inner else Any


def _bind(claim: _Claim) -> None:
    """Bind the named sizes that are still unknown to the dimensions of an array."""
    if len(claim.possible) == 1:
        for size, actual in zip(claim.possible[0].sizes, claim.actual, strict=True):
            if isinstance(size, str) and size.isidentifier():
                claim.sizes.setdefault(size, actual)


def _has_shape(claim: _Claim) -> bool:
    try:
        return any(
            tuple(size_of(size, claim.sizes) for size in shape.sizes) == claim.actual
            for shape in claim.possible
        )
    except KeyError:  # a size that is defined only by an absent part
        return False


def _is_finite(value: Any) -> bool:
    try:
        return bool(np.isfinite(np.asarray(value, dtype=np.float64)).all())
    except OverflowError:  # an integer beyond all floating-point numbers
        return False


def _asked(record: Any, method: str, path: str, *arguments: Any) -> dict[str, int]:
    call: Callable[..., dict[str, int] | None] | None = getattr(record, method, None)
    if call is None:
        return {}
    try:
        return call(*arguments) or {}
    except (ValueError, IndexError, OverflowError) as error:
        raise Damaged(f"its part {path} contradicts itself: {brief(error)}.") from error
