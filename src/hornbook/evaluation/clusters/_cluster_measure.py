"""What marks a function as a measure of a clustering."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol, TypeVar, cast

__all__ = ["ClusterMeasure", "cluster_measure"]

ClusterNeeds = Literal["reference", "rows"]

_F = TypeVar("_F", bound=Callable[..., Any])


class ClusterMeasure(Protocol):
    """A function that says how good a clustering is, with attributes that describe it.

    Attributes
    ----------
    name : str
        Its name.
    greater_is_better : bool
        Whether larger values are better.
    needs : {"reference", "rows"}
        What it is computed from besides the labels: a reference clustering, or the rows that were clustered.
    best : float
        The value of a perfect clustering.
    """

    name: str
    greater_is_better: bool
    needs: ClusterNeeds
    best: float

    def __call__(self, basis: Any, labels: Any, /, **options: Any) -> float:
        """Judge labels by a reference or by the rows."""


def cluster_measure(*, needs: ClusterNeeds, greater_is_better: bool, best: float) -> Callable[[_F], _F]:
    """Give a function the attributes of a measure of clusterings.

    They are not among `measures`, which compare predictions with the truth: cluster labels are arbitrary.
    """

    def mark(function: _F) -> _F:
        marked = cast("ClusterMeasure", function)
        marked.name, marked.needs = function.__name__, needs
        marked.greater_is_better, marked.best = greater_is_better, best
        return function

    return mark
