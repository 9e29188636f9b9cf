"""The parameters of a learner, read from the annotations of its ``__init__``, and their check."""

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
from hornbook.params._rules import Rule, rule

__all__ = ["Parameter", "ParameterError", "check", "parameters", "settle", "suggest"]

_LONGEST_REPR = 80


class ParameterError(ValueError):
    """A parameter has a value that it may not have."""


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
        What it may be, in words.
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
    >>> [(each.name, each.default, each.allowed) for each in parameters(Ridge)]
    [('alpha', 1.0, 'a number in [0, inf)')]
    """
    init = _init(learner)
    rules, hints = _rules(init), _hints(init)
    return tuple(
        Parameter(name, each.default, str(rules[name]), _tune(hints.get(name, Any)))
        for name, each in _signature(init).items()
    )


def check(learner: object, called: str = "") -> None:
    """Check every parameter of a learner against its annotation.

    Parameters
    ----------
    learner : object
        An instance whose attributes are named like the parameters of its ``__init__``.
    called : str, default ""
        The name that errors begin with; that of the class when left empty.

    Raises
    ------
    ParameterError
        For the first parameter with a value that it may not have.

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
    for name, each in _rules(_init(cls)).items():
        value = getattr(learner, name)
        if not each.accepts(value):
            found = f"{called or cls.__name__}: parameter '{name}' must be {each}; got {_shown(value)}."
            raise ParameterError(found + _meant(value, each))


def settle(learner: type) -> None:
    """Put what the annotations of ``__init__`` mean in the place of their text.

    A class of a notebook or script goes to another process by value and leaves its module behind, and with it
    the names that a postponed annotation is made of.

    Parameters
    ----------
    learner : type
        The class. People are shown its signature as it was written.

    Examples
    --------
    >>> class Voter:
    ...     def __init__(self, voting: "bool" = True): ...
    >>> settle(Voter)
    >>> Voter.__init__.__annotations__
    {'voting': <class 'bool'>}
    """
    init: Any = _init(learner)
    if any(isinstance(hint, str) for hint in getattr(init, "__annotations__", {}).values()):
        with suppress(NameError):  # left to the check at fit, which needs the name too
            hints = _hints(init)
            init.__signature__ = inspect.signature(init)
            init.__annotations__ = hints


def suggest(name: str, allowed: Iterable[str]) -> str:
    """Say which of the allowed names was probably meant, for the end of an error sentence.

    Parameters
    ----------
    name : str
        The name that was given.
    allowed : iterable of str
        The names there are.

    Returns
    -------
    str
        A question that starts with a space, or nothing when no name is close.

    Examples
    --------
    >>> "No column 'color'." + suggest("color", ["color", "root"])
    "No column 'color'. Did you mean 'color'?"
    >>> suggest("RandomForest", ["RandomForestClassifier", "RandomForestRegressor", "RadiusNeighbors"])
    " Did you mean 'RandomForestClassifier' or 'RandomForestRegressor'?"
    """
    known = list(allowed)
    longer = [each for each in known if len(name) > 2 and each.lower().startswith(name.lower())]
    if not longer:
        lower = {each.lower(): each for each in known}
        longer = [lower[each] for each in difflib.get_close_matches(name.lower(), lower, n=1)]
    words = " or ".join(f"'{each}'" for each in longer[:3])
    return f" Did you mean {words}?" if words else ""


# mypy rightly distrusts ``cls.__init__``, which a subclass may replace; that one is the one we want.
_init = operator.attrgetter("__init__")


def _signature(init: Callable[..., None]) -> dict[str, inspect.Parameter]:
    """Parameters without ``self`` and catch-alls."""
    _, *own = inspect.signature(init).parameters.values()
    caught = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {each.name: each for each in own if each.kind not in caught}


@functools.cache
def _hints(init: Callable[..., None]) -> dict[str, Any]:
    return get_type_hints(init, include_extras=True)


@functools.cache
def _rules(init: Callable[..., None]) -> dict[str, Rule]:
    hints = _hints(init)
    return {name: rule(hints.get(name, Any)) for name in _signature(init)}


def _tune(hint: Any) -> Tune | None:
    """Find the Tune of an annotation; one of a real parameter spreads real numbers."""
    origin = get_origin(hint)
    if origin is Annotated:
        base, *marks = get_args(hint)
        found = next((mark for mark in marks if isinstance(mark, Tune)), None)
        if found is None or found.low is None or found.high is None:
            return found or _tune(base)
        return replace(found, low=float(found.low), high=float(found.high)) if _is_real(base) else found
    if origin is Union or origin is UnionType:
        return next((found for found in map(_tune, get_args(hint)) if found), None)
    return None


def _is_real(hint: Any) -> bool:
    return hint is float or any(_is_real(each) for each in get_args(hint))


def _meant(value: object, each: Rule) -> str:
    words = [word for word in each.listed if isinstance(word, str)]
    return suggest(value, words) if isinstance(value, str) else ""


def _shown(value: object) -> str:
    """Write a value as the user would, on one line and cut when long."""
    text = " ".join(repr(value.item() if isinstance(value, np.generic) else value).split())
    return text if len(text) <= _LONGEST_REPR else f"{text[:_LONGEST_REPR]}..."
