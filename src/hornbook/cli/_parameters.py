"""Parameters of learners on the command line: ``--set name=value``, parsed and checked by annotation."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

import hornbook
from hornbook.registry import LEARNERS, learner_class

if TYPE_CHECKING:
    from hornbook.display import Table

__all__ = ["parameter_table", "seeded", "with_parameters"]

WORDS = {"none": None, "true": True, "false": False, "inf": float("inf"), "-inf": float("-inf")}


def with_parameters(name: str, settings: Iterable[str]) -> Any:
    """Make a learner from parameters as typed.

    Parameters
    ----------
    name : str
        The learner.
    settings : iterable of str
        Texts like ``alpha=0.5``; ``estimator__alpha=0.5`` sets a parameter of an inner learner.
    """
    cls = learner_class(name)
    values: dict[str, Any] = {}
    nested: dict[str, str] = {}
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals:
            raise _wrong(f"'{text}' has no value: write --set {text}=value.")
        if "__" in key:
            nested[key] = value
        else:
            _refuse_unknown(name, key, [parameter.name for parameter in hornbook.params.parameters(cls)])
            values[key] = _accepted(cls, key, value)
    learner = _made(cls, values)
    for key, value in nested.items():  # after the others, which may name the inner learner
        _set_nested(learner, key, value)
    return learner


def seeded(learner: Any, seed: int, settings: Iterable[str]) -> bool:
    """Set the seed of a learner unless it has one; return whether there was anything to seed.

    A learner with a seed of its own seeds its inner learners; others pass the seed on to them.

    Parameters
    ----------
    learner : Learner
        Modified in place.
    seed : int
        The seed.
    settings : iterable of str
        Parameters as typed, which take precedence.
    """
    typed = {text.partition("=")[0].strip() for text in settings}
    return _seed(learner, seed, typed, "")


def _seed(learner: Any, seed: int, typed: set[str], prefix: str) -> bool:
    parameters = learner.get_params(deep=False)
    if "random_state" in parameters:
        free = f"{prefix}random_state" not in typed and parameters["random_state"] is None
        if free:
            learner.set_params(random_state=seed)
        return free
    inside = {name: value for name, value in parameters.items() if hasattr(value, "get_params")}
    seeds = [_seed(value, seed, typed, f"{prefix}{name}__") for name, value in inside.items()]
    return any(seeds)


def _wrong(text: str) -> click.BadParameter:
    return click.BadParameter(text, param_hint="--set")


def _refuse_unknown(learner: str, key: str, known: list[str]) -> None:
    if key not in known:
        message = f"{learner} has no parameter '{key}'; it has {', '.join(known) or 'none'}."
        raise _wrong(message + hornbook.params.suggest(key, known))


def _accepted(cls: Any, key: str, text: str) -> Any:
    """The first interpretation of a text that the annotation of the parameter allows."""
    first: Exception | None = None
    for value in _readings(text):
        probe = cls.__new__(cls)  # not by __init__, which may need more parameters than this one
        vars(probe).update(_defaults(cls) | {key: value})
        try:
            hornbook.params.check(probe)
        except hornbook.params.ParameterError as error:
            first = first or error
        else:
            return value
    raise _wrong(str(first))


def _defaults(cls: Any) -> dict[str, Any]:
    # A parameter without a default is an inner learner; for the check, any learner will do.
    empty = hornbook.Baseline()
    defaults = {parameter.name: parameter.default for parameter in hornbook.params.parameters(cls)}
    return {name: empty if isinstance(default, type) else default for name, default in defaults.items()}


def _readings(text: str) -> Iterator[Any]:
    """Possible values of a text: a learner, a Python literal, or the text itself."""
    if text in LEARNERS:
        yield with_parameters(text, ())
    if text.strip().lower() in WORDS:
        yield WORDS[text.strip().lower()]
    else:
        with suppress(ValueError, SyntaxError, MemoryError, RecursionError):  # plain text
            yield ast.literal_eval(text)
    yield text


def _made(cls: Any, values: dict[str, Any]) -> Any:
    lacking = [
        parameter.name
        for parameter in hornbook.params.parameters(cls)
        if isinstance(parameter.default, type) and parameter.name not in values
    ]
    if lacking:
        raise _wrong(f"{cls.__name__} needs the parameter '{lacking[0]}': write --set {lacking[0]}=value.")
    return cls(**values)


def _set_nested(learner: Any, key: str, text: str) -> None:
    """Set a parameter of an inner learner."""
    outer, _, inner = key.partition("__")
    _refuse_unknown(type(learner).__name__, outer, list(learner.get_params(deep=False)))
    held = getattr(learner, outer)
    if not hasattr(held, "get_params"):
        raise _wrong(f"'{outer}' of {type(learner).__name__} is not a learner, so it has no '{inner}'.")
    if "__" in inner:
        _set_nested(held, inner, text)
        return
    _refuse_unknown(type(held).__name__, inner, list(held.get_params(deep=False)))
    setattr(held, inner, _accepted(type(held), inner, text))


def parameter_table(name: str) -> Table:
    """List the parameters of a learner.

    Parameters
    ----------
    name : str
        The learner.
    """
    from hornbook.display import Table  # noqa: PLC0415 - needs NumPy, which would slow down --help

    rows = [
        [
            parameter.name,
            "(required)" if isinstance(parameter.default, type) else repr(parameter.default),
            parameter.allowed,
        ]
        for parameter in hornbook.params.parameters(learner_class(name))
    ]
    return Table(f"Parameters of {name}", ["parameter", "default", "allowed"], rows)
