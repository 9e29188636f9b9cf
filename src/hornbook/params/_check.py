"""The parameters of a learner, read from the annotations of its ``__init__``, and their validation."""

from __future__ import annotations

import difflib
import functools
import inspect
import operator
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from hornbook.params._annotate import Tune
from hornbook.params._constraint import Constraint, constraint_of

__all__ = ["Parameter", "ParameterError", "check", "parameters", "settle", "suggest"]

_LONGEST_REPR = 80


class ParameterError(ValueError):
    """A parameter has a value that is not allowed."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of a learner.

    Parameters
    ----------
    name : str
        Its name in ``__init__``.
    default : object
        Its default; ``inspect.Parameter.empty`` when it has none.
    allowed : str
        The allowed values, as text.
    tune : Tune or None
        Where to look for a good value; None for a parameter that is not tuned.

    Examples
    --------
    >>> Parameter("alpha", 1.0, "a number in [0, inf)", Tune(0.1, 10.0, log=True)).tune.grid(3)
    (0.1, 1.0, 10.0)
    """

    name: str
    default: object
    allowed: str
    tune: Tune | None


def parameters(learner: type) -> tuple[Parameter, ...]:
    """List the parameters of a learner class, in the order of its ``__init__``.

    Parameters
    ----------
    learner : type
        The class, not an instance.

    Returns
    -------
    tuple of Parameter
        One for each parameter; empty for a class without any.

    Examples
    --------
    >>> from hornbook.params import Range
    >>> class Ridge:
    ...     def __init__(self, alpha: Annotated[float, Range(low=0), Tune(0.01, 100.0, log=True)] = 1.0): ...
    >>> [(entry.name, entry.default, entry.allowed) for entry in parameters(Ridge)]
    [('alpha', 1.0, 'a number in [0, inf)')]
    """
    # Both are cached: annotations are resolved once per class, not once per fit.
    init = _init(learner)
    constraints, hints = _constraints(init), _hints(init)
    return tuple(
        Parameter(name, parameter.default, str(constraints[name]), _tune(hints.get(name, Any)))
        for name, parameter in _signature(init).items()
    )


def check(learner: object, called: str = "") -> None:
    """Check every parameter of a learner against its annotation.

    Parameters
    ----------
    learner : object
        An instance whose attributes are named like the parameters of its ``__init__``.
    called : str, default ""
        The name that errors begin with; the name of the class when empty.

    Raises
    ------
    ParameterError
        For the first parameter with a value that is not allowed.

    Examples
    --------
    >>> from typing import Literal
    >>> class Voter:
    ...     def __init__(self, voting: Literal["hard", "soft"] = "hard"):
    ...         self.voting = voting
    >>> try:
    ...     check(Voter("sofd"))
    ... except ParameterError as error:
    ...     print(error)
    Voter: parameter 'voting' must be one of 'hard', 'soft'; got 'sofd'. Did you mean 'soft'?
    """
    cls = type(learner)
    for name, default, constraint in _checked_parameters(_init(cls)):
        value = getattr(learner, name)
        # Defaults are allowed, and most parameters have theirs in most fits.
        if value is not default and not constraint.accepts(value):
            problem = f"parameter '{name}' must be {constraint}; got {_value_text(value)}."
            raise ParameterError(f"{called or cls.__name__}: {problem}{_suggestion(value, constraint)}")


def settle(learner: type) -> None:
    """Replace the string annotations of ``__init__`` with the types they stand for.

    A class defined in a notebook or script is pickled by value and leaves its module behind, and with it the
    names that a postponed annotation refers to.

    Parameters
    ----------
    learner : type
        The class. Its signature is still displayed as it was written.

    Examples
    --------
    >>> class Voter:
    ...     def __init__(self, voting: "bool" = True): ...
    >>> settle(Voter)
    >>> Voter.__init__.__annotations__
    {'voting': <class 'bool'>}
    """
    init: Any = _init(learner)
    # With postponed evaluation all annotations are strings, which help() would print as they are.
    if any(isinstance(hint, str) for hint in getattr(init, "__annotations__", {}).values()):
        with suppress(NameError):  # the check at fit needs the name too and will report it
            hints = _hints(init)
            init.__signature__ = inspect.signature(init)
            init.__annotations__ = hints


def suggest(name: str, allowed: Iterable[str]) -> str:
    """Suggest the name that was probably meant, for the end of an error message.

    Parameters
    ----------
    name : str
        The unknown name.
    allowed : iterable of str
        The known names.

    Returns
    -------
    str
        A question that starts with a space, or nothing when no name is close.

    Examples
    --------
    >>> "No column 'colr'." + suggest("colr", ["color", "root"])
    "No column 'colr'. Did you mean 'color'?"
    >>> suggest("RandomForest", ["RandomForestClassifier", "RandomForestRegressor", "RadiusNeighbors"])
    " Did you mean 'RandomForestClassifier' or 'RandomForestRegressor'?"
    """
    known = list(allowed)
    # A prefix is the most likely slip; only then a similar spelling is sought.
    close = [option for option in known if len(name) > 2 and option.lower().startswith(name.lower())]
    if not close:
        by_lower = {option.lower(): option for option in known}
        close = [by_lower[match] for match in difflib.get_close_matches(name.lower(), by_lower, n=1)]
    words = " or ".join(f"'{option}'" for option in close[:3])
    return f" Did you mean {words}?" if words else ""


# mypy rightly rejects ``cls.__init__``, which a subclass may override; the override is what we want here.
_init = operator.attrgetter("__init__")


def _signature(init: Callable[..., None]) -> dict[str, inspect.Parameter]:
    """Parameters other than ``self``, ``*args`` and ``**kwargs``."""
    _, *own = inspect.signature(init).parameters.values()
    caught = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {parameter.name: parameter for parameter in own if parameter.kind not in caught}


@functools.cache
def _hints(init: Callable[..., None]) -> dict[str, Any]:
    return get_type_hints(init, include_extras=True)


@functools.cache
def _constraints(init: Callable[..., None]) -> dict[str, Constraint]:
    hints = _hints(init)
    return {name: constraint_of(hints.get(name, Any)) for name in _signature(init)}


@functools.cache
def _checked_parameters(init: Callable[..., None]) -> tuple[tuple[str, object, Constraint], ...]:
    """Name, default and constraint of each parameter."""
    constraints = _constraints(init)
    return tuple((name, parameter.default, constraints[name]) for name, parameter in _signature(init).items())


def _tune(hint: Any) -> Tune | None:
    """Find the Tune of an annotation; a float parameter is tuned over floats, even if written as integers."""
    origin = get_origin(hint)
    if origin is Annotated:
        base, *marks = get_args(hint)
        tune = next((mark for mark in marks if isinstance(mark, Tune)), None)
        if tune is None or tune.low is None or tune.high is None:
            return tune or _tune(base)
        return replace(tune, low=float(tune.low), high=float(tune.high)) if _is_real(base) else tune
    if origin is Union or origin is UnionType:
        return next((tune for tune in map(_tune, get_args(hint)) if tune), None)
    return None


def _is_real(hint: Any) -> bool:
    return hint is float or any(_is_real(part) for part in get_args(hint))


def _suggestion(value: object, constraint: Constraint) -> str:
    words = [word for word in constraint.listed if isinstance(word, str)]
    return suggest(value, words) if isinstance(value, str) else ""


def _value_text(value: object) -> str:
    """Write a value as the user would, on one line and truncated when long."""
    text = " ".join(repr(value.item() if isinstance(value, np.generic) else value).split())
    return text if len(text) <= _LONGEST_REPR else f"{text[:_LONGEST_REPR]}..."
