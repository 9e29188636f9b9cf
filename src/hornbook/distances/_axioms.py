"""Whether a distance is a metric, tested on points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.distances._tables import Metric, pairwise
from hornbook.params import Floats

__all__ = ["Axioms", "distance_axioms", "matrix_axioms"]


@dataclass(frozen=True)
class Axioms:
    """Which axioms of a metric hold on some points; None where no points violate one.

    Parameters
    ----------
    non_negativity : tuple of int or None
        The first points i, j with d(i, j) < 0.
    identity : tuple of int or None
        The first points i, j with d(i, j) = 0 although they differ, or the reverse.
    symmetry : tuple of int or None
        The first points i, j with d(i, j) other than d(j, i).
    triangle : tuple of int or None
        The first points i, j, k with d(i, j) > d(i, k) + d(k, j); without this axiom a distance is
        called non-metric.
    """

    non_negativity: tuple[int, int] | None
    identity: tuple[int, int] | None
    symmetry: tuple[int, int] | None
    triangle: tuple[int, int, int] | None

    @property
    def metric(self) -> bool:
        """Whether all four hold."""
        return not any((self.non_negativity, self.identity, self.symmetry, self.triangle))

    def __str__(self) -> str:
        sentences = [
            f"{name.replace('_', '-')} is violated by the points {', '.join(map(str, points))}"
            for name in ("non_negativity", "identity", "symmetry", "triangle")
            if (points := getattr(self, name)) is not None
        ]
        return "; ".join(sentences) + "." if sentences else "All four axioms hold on these points."


def distance_axioms(d: Metric, points: Any, *, p: float = 2.0, rounding: float = 1e-9) -> Axioms:
    """Check non-negativity, identity, symmetry and the triangle inequality on every choice of points.

    Parameters
    ----------
    d : str, Distance or callable
        The distance, as in `pairwise`.
    points : table of shape (n, n_columns)
        The points; all n³ triples are tested, so a few hundred at most.
    p : float, default 2.0
        The power of "minkowski".
    rounding : float, default 1e-9
        Differences up to this fraction of the largest distance count as 0.

    Returns
    -------
    axioms : Axioms
        For each axiom the first points that violate it, or None.

    Examples
    --------
    >>> squared = lambda x, y: ((x - y) ** 2).sum()
    >>> print(distance_axioms(squared, [[0.0], [1.0], [2.0]]))
    triangle is violated by the points 0, 2, 1.
    >>> distance_axioms("chebyshev", [[0.0, 1.0], [1.0, 5.0], [2.0, 2.0]]).metric
    True
    """
    return matrix_axioms(pairwise(points, metric=d, p=p), _same(points), rounding=rounding)


def matrix_axioms(
    distances: Floats, same: NDArray[np.bool_] | None = None, *, rounding: float = 1e-9
) -> Axioms:
    """Check the axioms on all distances of some points.

    Parameters
    ----------
    distances : ndarray of shape (n, n)
        Distances of the points.
    same : ndarray of bool of shape (n, n), optional
        Which points are equal; those at distance 0 when left out, so that only the diagonal is tested.
    rounding : float, default 1e-9
        Differences up to this fraction of the largest distance count as 0.

    Examples
    --------
    >>> print(matrix_axioms(np.array([[0.0, 1.0], [2.0, 0.0]])))
    symmetry is violated by the points 0, 1.
    """
    # Relative to the largest distance: axioms are tested up to rounding.
    allowed = rounding * np.abs(distances).max(initial=0.0)
    zero = np.abs(distances) <= allowed
    if same is None:
        same = zero | np.eye(len(zero), dtype=np.bool_)
    # The shortest detour over any third point; the triangle inequality says that it is no shorter.
    detour = np.full_like(distances, np.inf)
    path = np.empty_like(distances)
    for k in range(len(distances)):
        # Matrices of n**2 cells, n times: all n**3 triples at once would not fit into memory.
        np.add(distances[:, k, None], distances[None, k, :], out=path)
        np.fmin(detour, path, out=detour)
    crossed = _first(distances > detour + allowed)
    return Axioms(
        _first(distances < -allowed),
        _first(zero != same),
        _first(np.abs(distances - distances.T) > allowed),
        None if crossed is None else (*crossed, _stopover(distances, *crossed)),
    )


def _stopover(distances: Floats, start: int, end: int) -> int:
    """The third point of the shortest detour."""
    return int(np.nanargmin(distances[start] + distances[:, end]))


def _same(points: Any) -> NDArray[np.bool_]:
    apart = pairwise(points, metric="hamming")
    return np.asarray(apart == 0)


def _first(wrong: NDArray[np.bool_]) -> tuple[int, int] | None:
    places = np.argwhere(wrong)
    return (int(places[0, 0]), int(places[0, 1])) if len(places) else None
