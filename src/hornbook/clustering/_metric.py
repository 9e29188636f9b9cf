"""The distance of a clusterer: by name with further arguments, and whether it is a metric."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence, Sized
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.distances import Axioms, Distance, Metric, Placed, Space, distance_of, matrix_axioms
from hornbook.frame import require_memory
from hornbook.params import Floats

__all__ = [
    "PRECOMPUTED",
    "axioms_on_some",
    "distance_with",
    "filled_matrix",
    "have_common_columns",
    "require_finite_distances",
    "warn_of_broken",
    "warn_unless_metric",
]

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


def require_finite_distances(name: str, space: Space, rows: Placed, columns: Sequence[str]) -> None:
    """Reject rows so far apart that their distances overflow.

    Parameters
    ----------
    name : str
        The learner.
    space : Space
        The space of the distance.
    rows : Placed
        The rows in it.
    columns : sequence of str
        Names of all columns of the table.
    """
    numbers = rows.numbers
    if not numbers.size:
        return
    # The corners of the box around all rows: no two rows are farther apart in any column.
    corners = np.stack([np.fmin.reduce(numbers), np.fmax.reduce(numbers)])
    low, high = (Placed(corners[[i]], rows.codes[:1]) for i in (0, 1))
    span = space.pairwise(low, high, 1)
    if np.isnan(corners).all() or np.isfinite(span).all():
        return
    with np.errstate(over="ignore", invalid="ignore"):
        # A column that spans more than the largest double is infinite here, and therefore the widest.
        widest = int(np.nanargmax(corners[1] - corners[0]))
    raise ValueError(
        f"{name}: column {columns[space.numeric[widest]]!r} holds values so large that distances overflow: "
        "rescale it."
    )


def have_common_columns(rows: Placed) -> bool:
    """Whether every two rows have a known column in common; others have no distance."""
    if rows.complete:
        return True
    known = np.concatenate([~np.isnan(rows.numbers), rows.codes >= 0], axis=1)
    # Patterns of missing cells are few even when rows are many.
    patterns = np.unique(known, axis=0).astype(np.float64)
    return bool((patterns @ patterns.T > 0).all())


def filled_matrix(space: Space, rows: Placed, n_threads: int) -> Floats:
    """All distances; rows without a common column are as far apart as the farthest others."""
    n = len(rows)
    require_memory(n, n, "fill the missing values: some rows have no known column in common")
    matrix = space.pairwise(rows, rows, n_threads)
    known = np.isfinite(matrix)
    # As far as the farthest: any finite value keeps such pairs from being merged early.
    matrix[~known] = matrix[known].max(initial=0.0)
    np.fill_diagonal(matrix, 0.0)
    return matrix


def axioms_on_some(
    distances: Callable[[NDArray[np.int64]], Floats], rows: Sized
) -> tuple[Axioms, NDArray[np.int64]]:
    """Check the axioms of a metric on some of the rows, and return which these are."""
    # Evenly spaced rows, 60^3 triples: the triangle inequality on all rows would take n^3.
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
