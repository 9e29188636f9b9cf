"""The distance of a clusterer: by name with further arguments, and whether it is a metric."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sized
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.distances import Axioms, Distance, Metric, distance_of, matrix_axioms
from hornbook.params import Floats

__all__ = ["PRECOMPUTED", "axioms_on_some", "distance_with", "warn_of_broken", "warn_unless_metric"]

PRECOMPUTED = "precomputed"
SAMPLE = 60  # rows on whose triples the axioms are checked

# What SciPy and scikit-learn call these arguments.
SYNONYMS = {"V": "covariance", "w": "weights"}


def distance_with(
    metric: Metric, p: float, arguments: Mapping[str, Any] | None
) -> Distance | Callable[[Any, Any], float]:
    """Return the distance with this name and further arguments.

    Parameters
    ----------
    metric : str, Distance or callable
        The distance.
    p : float
        The power of "minkowski".
    arguments : mapping, optional
        Further arguments of the distance.

    Examples
    --------
    >>> distance_with("minkowski", 2.0, {"p": 1, "w": [1, 3]})
    Minkowski(p=1.0, weights=(1.0, 3.0))
    """
    distance = distance_of(metric, p)
    if not arguments:
        return distance
    if not isinstance(distance, Distance):
        return partial(distance, **arguments)
    if isinstance(metric, Distance):
        raise TypeError(
            f"'metric_params' must be None where 'metric' is an object; got {arguments!r}: pass them to "
            f"{type(metric).__name__} itself."
        )
    named = {SYNONYMS.get(name, name): value for name, value in arguments.items()}
    if hasattr(distance, "p"):
        named.setdefault("p", distance.p)
    try:
        return type(distance)(**named)
    except TypeError as error:
        raise ValueError(f"'metric_params' does not fit metric={metric!r}: {error}.") from None


def axioms_on_some(
    distances: Callable[[NDArray[np.int64]], Floats], rows: Sized
) -> tuple[Axioms, NDArray[np.int64]]:
    """Check the axioms of a metric on some of the rows, and return which these are."""
    some = np.unique(np.linspace(0, len(rows) - 1, min(SAMPLE, len(rows))).astype(np.int64))
    return matrix_axioms(distances(some)), some


def warn_unless_metric(name: str, distances: Callable[[NDArray[np.int64]], Floats], rows: Sized) -> None:
    """Warn where a distance violates an axiom on some of the rows."""
    warn_of_broken(name, *axioms_on_some(distances, rows))


def warn_of_broken(name: str, axioms: Axioms, some: NDArray[np.int64]) -> None:
    """Warn where one of the axioms, which were checked on these rows, does not hold."""
    if axioms.metric:
        return
    broken = {
        axiom: tuple(int(some[i]) for i in points)
        for axiom in ("non_negativity", "identity", "symmetry", "triangle")
        if (points := getattr(axioms, axiom)) is not None
    }
    axiom, points = next(iter(broken.items()))
    warnings.warn(
        f"{name}: the distance is not a metric: {axiom.replace('_', '-')} is violated by the rows "
        f"{', '.join(map(str, points))}. Clusters are what the distances say, but need not look like groups.",
        UserWarning,
        stacklevel=8,
    )
