"""What makes a function a measure: its name, what it needs of a learner, and which way is better."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeVar, cast

from hornbook.params import suggest

__all__ = ["Measure", "Needs", "as_measure", "measure", "measure_by_name", "measures"]

Needs = Literal["labels", "probabilities", "scores", "numbers"]

_F = TypeVar("_F", bound=Callable[..., Any])


class Measure(Protocol):
    """A function of the truth and of a learner's answers, with a few facts about itself.

    Attributes
    ----------
    name : str
        Its name, by which `measure_by_name` finds it.
    greater_is_better : bool
        Whether larger values are better.
    needs : {"labels", "probabilities", "scores", "numbers"}
        What it is computed from: predicted classes, class probabilities, scores that rank the rows, or
        predicted numbers.
    best : float
        The value of perfect answers.
    """

    name: str
    greater_is_better: bool
    needs: Needs
    best: float

    def __call__(self, y_true: Any, y_pred: Any, /, **options: Any) -> float:
        """Compare answers with the truth."""


_MEASURES: dict[str, Measure] = {}


def measure(*, needs: Needs, greater_is_better: bool, best: float) -> Callable[[_F], _F]:
    """Make a function a measure, so that it works with scorers, comparisons and studies, also by name.

    Parameters
    ----------
    needs : {"labels", "probabilities", "scores", "numbers"}
        What its second argument is: predicted classes, class probabilities, scores that rank the rows, or
        predicted numbers.
    greater_is_better : bool
        Whether larger values are better.
    best : float
        The value of perfect answers.

    Returns
    -------
    function
        Takes a function ``f(y_true, y_pred, *, sample_weight=None, ...)`` and gives it back with these facts
        as attributes.

    Examples
    --------
    >>> @measure(needs="numbers", greater_is_better=False, best=0.0)
    ... def largest_error(y_true, y_pred, *, sample_weight=None):
    ...     return max(abs(truth - predicted) for truth, predicted in zip(y_true, y_pred, strict=True))
    >>> measure_by_name("largest_error")([1.0, 2.0], [1.5, 2.0])
    0.5
    """
    if needs not in ("labels", "probabilities", "scores", "numbers"):
        raise ValueError(
            f"measure: 'needs' must be one of 'labels', 'probabilities', 'scores', 'numbers'; got {needs!r}."
        )

    def mark(function: _F) -> _F:
        known = cast("Measure", function)
        known.name = function.__name__
        known.needs, known.greater_is_better, known.best = needs, greater_is_better, best
        earlier: Any = _MEASURES.get(known.name)
        if earlier is not None and earlier.__module__ != function.__module__:
            raise ValueError(f"measure: there is a measure '{known.name}' already; choose another name.")
        _MEASURES[known.name] = known
        return function

    return mark


def measures() -> tuple[str, ...]:
    """List the names of all measures.

    Returns
    -------
    tuple of str
        In alphabetical order.

    Examples
    --------
    >>> from hornbook.evaluation import measures
    >>> {"accuracy", "auc", "log_loss", "rmse"} <= set(measures())
    True
    """
    return tuple(sorted(_MEASURES))


def measure_by_name(name: str) -> Measure:
    """Find a measure by its name.

    Parameters
    ----------
    name : str
        One of `measures`.

    Returns
    -------
    Measure
        The function.

    Examples
    --------
    >>> from hornbook.evaluation import measure_by_name
    >>> measure_by_name("log_loss").greater_is_better
    False
    """
    if name not in _MEASURES:
        raise ValueError(
            f"there is no measure {name!r}; there are {', '.join(measures())}.{suggest(name, _MEASURES)}"
        )
    return _MEASURES[name]


def as_measure(chosen: str | Callable[..., Any]) -> Measure:
    """Return a measure that was given by its name or as the function itself."""
    if isinstance(chosen, str):
        return measure_by_name(chosen)
    if not callable(chosen) or not all(
        hasattr(chosen, each) for each in ("name", "needs", "greater_is_better")
    ):
        raise TypeError(
            f"a measure must be a name or a function marked with hornbook.evaluation.measure; got {chosen!r}."
        )
    return cast("Measure", chosen)
