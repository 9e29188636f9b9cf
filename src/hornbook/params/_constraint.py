"""From an annotation to the constraint on a value, and to the text that states it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeGuard, Union, get_args, get_origin

import numpy as np
from numpy.typing import ArrayLike

from hornbook.params._annotate import Range

__all__ = ["Constraint", "constraint_of"]

# A union that holds ArrayLike holds its parts, because unions are flattened.
_ARRAY_LIKE = frozenset(get_args(ArrayLike) or (ArrayLike,))


@dataclass(frozen=True)
class Constraint:
    """The allowed values of a parameter: a predicate, and the same as text."""

    accepts: Callable[[object], bool]
    words: tuple[str, ...]
    listed: tuple[object, ...] = ()

    def __str__(self) -> str:
        if len(self.listed) == len(self.words) > 1 and self.words != ("True", "False"):
            return "one of " + ", ".join(self.words)
        *most, last = self.words
        return f"{', '.join(most)} or {last}" if most else last


def constraint_of(hint: Any) -> Constraint:
    """Return the constraint that an annotation states."""
    return _any_of([_single(part, bounds) for part, bounds in _parts(hint, None)])


def _any_of(constraints: list[Constraint]) -> Constraint:
    return Constraint(
        accepts=lambda value: any(constraint.accepts(value) for constraint in constraints),
        words=tuple(dict.fromkeys(word for constraint in constraints for word in constraint.words)),
        listed=tuple(option for constraint in constraints for option in constraint.listed),
    )


def _parts(hint: Any, bounds: Range | None) -> list[tuple[Any, Range | None]]:
    """Flatten unions and ``Annotated``; a Range around a union holds for every number in it."""
    origin = get_origin(hint)
    if hint == ArrayLike:
        return [(hint, bounds)]
    if origin is Annotated:
        base, *marks = get_args(hint)
        return _parts(base, next((mark for mark in marks if isinstance(mark, Range)), bounds))
    if origin is Union or origin is UnionType:
        members = list(get_args(hint))
        if _ARRAY_LIKE.issubset(members):
            members = [ArrayLike, *(member for member in members if member not in _ARRAY_LIKE)]
        members.sort(key=lambda member: member is NoneType)  # "... or None" reads best at the end
        return [part for member in members for part in _parts(member, bounds)]
    return [(hint, bounds)]


def _single(hint: Any, bounds: Range | None) -> Constraint:
    # bool is a subclass of int in Python, but True is no number of trees.
    if hint is int:
        return _number(_is_integer, "an integer", bounds)
    if hint is float:
        return _number(_is_number, "a number", bounds)
    if get_origin(hint) is Literal:
        options = get_args(hint)
        return Constraint(lambda value: _is_listed(value, options), tuple(map(repr, options)), options)
    return next((constraint for kind, constraint in _PLAIN if hint == kind), None) or _instance(hint)


def _number(is_kind: Callable[[object], TypeGuard[float]], noun: str, bounds: Range | None) -> Constraint:
    if bounds is None:
        return Constraint(is_kind, (noun,))
    return Constraint(lambda value: is_kind(value) and value in bounds, (f"{noun} in {bounds}",))


def _is_integer(value: object) -> TypeGuard[int]:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _is_number(value: object) -> TypeGuard[float]:
    return _is_integer(value) or isinstance(value, float | np.floating)


def _is_listed(value: object, options: tuple[object, ...]) -> bool:
    """Whether a value is one of the options and of its kind: True is not 1, and 1.0 is not 1."""
    if _is_integer(value) or isinstance(value, bool):
        kind = bool if isinstance(value, bool) else int
        return any(type(option) is kind and option == value for option in options)
    return any(isinstance(value, type(option)) and option == value for option in options)


def _instance(hint: Any) -> Constraint:
    """Constraint of a class or generic alias; what Python cannot check at run time passes."""
    kind = get_origin(hint) or hint
    if kind is Callable:
        return Constraint(callable, ("a callable",))
    if kind is object or not isinstance(kind, type) or not _checkable(kind):
        return Constraint(lambda _: True, ("anything",))
    # A string is a sequence to Python, but as a parameter it is a misspelled word.
    refused = str if inspect.isabstract(kind) and issubclass(kind, Iterable) else ()
    return Constraint(
        lambda value: isinstance(value, kind) and not isinstance(value, refused),
        (f"{'an' if kind.__name__[0] in 'AEIOUaeiou' else 'a'} {kind.__name__}",),
    )


def _checkable(kind: type) -> bool:
    try:
        isinstance(None, kind)
    except TypeError:
        return False
    return True


_PLAIN: tuple[tuple[Any, Constraint], ...] = (
    (NoneType, Constraint(lambda value: value is None, ("None",), (None,))),
    (bool, Constraint(lambda value: isinstance(value, bool | np.bool_), ("True", "False"), (True, False))),
    (str, Constraint(lambda value: isinstance(value, str), ("a string",))),
    # A bare string is array-like to NumPy, but as a parameter it is a misspelled word.
    (ArrayLike, Constraint(lambda value: not isinstance(value, str | bytes | NoneType), ("array-like",))),
)
