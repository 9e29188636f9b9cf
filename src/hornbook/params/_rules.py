"""From an annotation to the rule that a value must keep, and to the words that say it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeGuard, Union, get_args, get_origin

import numpy as np
from numpy.typing import ArrayLike

from hornbook.params._annotate import Range

__all__ = ["Rule", "rule"]

# A union that holds ArrayLike holds its parts, because unions are flattened.
_ARRAY_LIKE = frozenset(get_args(ArrayLike) or (ArrayLike,))


@dataclass(frozen=True)
class Rule:
    """What a parameter may be: a test, and the same in words."""

    accepts: Callable[[object], bool]
    words: tuple[str, ...]
    listed: tuple[object, ...] = ()

    def __str__(self) -> str:
        if len(self.listed) == len(self.words) > 1 and self.words != ("True", "False"):
            return "one of " + ", ".join(self.words)
        *most, last = self.words
        return f"{', '.join(most)} or {last}" if most else last


def rule(hint: Any) -> Rule:
    """Read one annotation."""
    return _any_of([_single(part, bounds) for part, bounds in _parts(hint, None)])


def _any_of(rules: list[Rule]) -> Rule:
    return Rule(
        accepts=lambda value: any(each.accepts(value) for each in rules),
        words=tuple(dict.fromkeys(word for each in rules for word in each.words)),
        listed=tuple(option for each in rules for option in each.listed),
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
            members = [ArrayLike, *(each for each in members if each not in _ARRAY_LIKE)]
        members.sort(key=lambda each: each is NoneType)
        return [part for each in members for part in _parts(each, bounds)]
    return [(hint, bounds)]


def _single(hint: Any, bounds: Range | None) -> Rule:
    if hint is int:
        return _number(_is_integer, "an integer", bounds)
    if hint is float:
        return _number(_is_number, "a number", bounds)
    if get_origin(hint) is Literal:
        options = get_args(hint)
        return Rule(lambda value: _is_listed(value, options), tuple(map(repr, options)), options)
    return next((each for kind, each in _PLAIN if hint == kind), None) or _instance(hint)


def _number(is_kind: Callable[[object], TypeGuard[float]], noun: str, bounds: Range | None) -> Rule:
    if bounds is None:
        return Rule(is_kind, (noun,))
    return Rule(lambda value: is_kind(value) and value in bounds, (f"{noun} in {bounds}",))


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


def _instance(hint: Any) -> Rule:
    """Rule for a class or a generic one; what Python cannot check at run time passes."""
    kind = get_origin(hint) or hint
    if kind is Callable:
        return Rule(callable, ("a callable",))
    if kind is object or not isinstance(kind, type) or not _checkable(kind):
        return Rule(lambda _: True, ("anything",))
    # A string is a sequence to Python, but as a parameter it is a misspelt word.
    refused = str if inspect.isabstract(kind) and issubclass(kind, Iterable) else ()
    return Rule(
        lambda value: isinstance(value, kind) and not isinstance(value, refused),
        (f"{'an' if kind.__name__[0] in 'AEIOUaeiou' else 'a'} {kind.__name__}",),
    )


def _checkable(kind: type) -> bool:
    try:
        isinstance(None, kind)
    except TypeError:
        return False
    return True


_PLAIN: tuple[tuple[Any, Rule], ...] = (
    (NoneType, Rule(lambda value: value is None, ("None",), (None,))),
    (bool, Rule(lambda value: isinstance(value, bool | np.bool_), ("True", "False"), (True, False))),
    (str, Rule(lambda value: isinstance(value, str), ("a string",))),
    # A bare string is array-like to NumPy, but as a parameter it is a misspelt word.
    (ArrayLike, Rule(lambda value: not isinstance(value, str | bytes | NoneType), ("array-like",))),
)
