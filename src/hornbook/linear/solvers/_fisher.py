"""Fisher's discriminant (Fisher 1936): directions along which classes are far apart for their width."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_factor, cho_solve, eigh

from hornbook.linear.solvers._scatter import Scatter
from hornbook.params import Floats

__all__ = [
    "Directions",
    "FisherRatio",
    "directions_of",
    "fisher_ratio",
    "inverse_times",
    "project",
    "whitening",
]

Solver = Literal["direct", "eigen", "svd"]

# Standard deviations within classes, relative to those of the columns. Below CONSTANT a direction counts as
# constant; if the classes differ along it, it gets NARROW instead. A smaller value would make this
# direction's rounding errors outweigh all others.
CONSTANT = 1e-4
NARROW = 1e-2


@dataclass(frozen=True)
class Directions:
    """Discriminant directions, best first.

    Parameters
    ----------
    axes : ndarray of shape (n_columns, n_directions)
        The directions, scaled to a scatter of 1 within classes.
    ratios : ndarray of shape (n_directions,)
        Scatter between over scatter within classes along each.
    rank : int
        Number of independent directions with scatter within classes.
    sure : int
        Number of further directions without such scatter along which the class means differ.
    """

    axes: Floats
    ratios: Floats
    rank: int
    sure: int


def directions_of(scatter: Scatter, solver: Solver) -> Directions:
    """Directions w in which w'S_b w / w'S_w w is large, for S_b with the masses of the classes."""
    # S_b = gaps' gaps has rank at most classes - 1.
    gaps = (scatter.mean - scatter.center) * np.sqrt(scatter.mass)[:, None]
    most = min(len(scatter.mass) - 1, len(scatter.within))
    regular = _factor(scatter) is not None
    if regular and solver == "direct":
        values, axes = _by_solving(scatter, gaps)
    elif regular and solver == "eigen":
        # The generalized eigenproblem S_b w = ratio S_w w, symmetric, because S_w is positive definite here.
        values, axes = eigh(gaps.T @ gaps, scatter.within)
    else:
        return _by_whitening(scatter, gaps, most)
    # eigh sorts ascending; the largest ratios come first here.
    values, axes = values[::-1][:most], axes[:, ::-1][:, :most]
    used = values > CONSTANT**2 * values[:1].max(initial=0.0)
    return Directions(_signed(axes[:, used]), values[used], len(scatter.within), 0)


def inverse_times(scatter: Scatter, right: Floats) -> Floats:
    """Inverse of the scatter within classes times the columns of a matrix."""
    cholesky = _factor(scatter)
    if cholesky is None:
        root, _, _ = _whitening(scatter)
        return np.asarray(root @ (root.T @ right))
    factor, unit = cholesky
    return np.asarray(unit[:, None] * cho_solve((factor, True), unit[:, None] * right))


def whitening(scatter: Scatter) -> Floats:
    """A matrix after which the scatter within classes is 1 in every direction."""
    root, _, _ = _whitening(scatter)
    return root


def _factor(scatter: Scatter) -> tuple[Floats, Floats] | None:
    """Cholesky factor of the scatter brought to a diagonal of ones, and the units; None where singular."""
    size = np.sqrt(np.diag(scatter.within))
    if scatter.rows is not None or not len(size) or not (size > 0).all():
        return None
    unit = 1.0 / size
    try:
        factor, _ = cho_factor(scatter.within * unit[:, None] * unit, lower=True)
    except LinAlgError:
        return None
    # The smallest squared pivot is an upper bound of the smallest eigenvalue.
    return (factor, unit) if np.diag(factor).min() > CONSTANT else None


def _by_solving(scatter: Scatter, gaps: Floats) -> tuple[Floats, Floats]:
    """Directions in the span of S_w^-1 (class means): an eigenproblem of the size of the classes."""
    cholesky = _factor(scatter)
    assert cholesky is not None
    factor, unit = cholesky
    # gaps S_w^-1 gaps' has the nonzero eigenvalues of S_w^-1 S_b, and is only classes x classes.
    solved = unit[:, None] * cho_solve((factor, True), unit[:, None] * gaps.T)
    values, vectors = eigh(gaps @ solved)
    kept = values > 0
    return values[kept], solved @ (vectors[:, kept] / np.sqrt(values[kept]))


def _by_whitening(scatter: Scatter, gaps: Floats, most: int) -> Directions:
    root, rank, sure = _whitening(scatter)
    _, size, vectors = np.linalg.svd(gaps @ root, full_matrices=False)
    used = size[:most] > CONSTANT * size[:1].max(initial=0.0)
    axes = (root @ vectors[:most].T)[:, used]
    return Directions(_signed(axes), size[:most][used] ** 2, rank, sure)


def _whitening(scatter: Scatter) -> tuple[Floats, int, int]:
    """A matrix T such that T'S_w T = 1, by the eigenvalues of S_w; directions without scatter are dropped.

    Directions without scatter within classes along which the class means differ, however, separate the
    classes perfectly. They are kept, with so little scatter that they outweigh all others.
    """
    # Columns in units of their scatter within classes, or of their total scatter where that is 0: eigenvalues
    # can then be compared with fixed thresholds, whatever the units of the columns.
    mass = scatter.mass.sum()
    gaps = (scatter.mean - scatter.center) * np.sqrt(scatter.mass)[:, None]
    square = np.diag(scatter.within)
    size, whole = np.sqrt(square / mass), np.sqrt((square + (gaps**2).sum(axis=0)) / mass)
    size = np.where(size > CONSTANT**2 * whole, size, whole)
    unit = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    within, between, basis = _scaled(scatter, gaps, unit)

    def back(inside: Floats) -> Floats:
        return np.asarray(unit[:, None] * (inside if basis is None else basis @ inside))

    values, vectors = eigh(within / mass)
    wide = values > CONSTANT**2
    root = back(vectors[:, wide]) / np.sqrt(values[wide] * mass)
    flat = vectors[:, ~wide]
    # Among the flat directions, those in which the class means differ.
    apart, places = eigh(flat.T @ between @ flat / mass)
    sure = apart > CONSTANT
    edge = back(flat @ places[:, sure]) / (NARROW * np.sqrt(mass))
    return np.column_stack([root, edge]), int(wide.sum()), int(sure.sum())


def _scaled(scatter: Scatter, gaps: Floats, unit: Floats) -> tuple[Floats, Floats, Floats | None]:
    """Scatter within and between classes in units of the columns.

    With fewer rows than columns, along a basis of the span of rows and means, which is then returned, too: in
    all other directions there is neither.
    """
    if scatter.rows is None:
        return scatter.within * unit[:, None] * unit, gaps.T @ gaps * unit[:, None] * unit, None
    basis, parts = np.linalg.qr((np.vstack([scatter.rows, gaps]) * unit).T)
    rows, means = parts.T[: len(scatter.rows)], parts.T[len(scatter.rows) :]
    return rows.T @ rows, means.T @ means, basis


def _signed(axes: Floats) -> Floats:
    """The axes with a sign that does not depend on the solver: the largest entry is positive."""
    largest = np.abs(axes).argmax(axis=0)
    return np.asarray(axes * np.where(axes[largest, np.arange(axes.shape[1])] < 0, -1.0, 1.0))


def project(X: ArrayLike, w: ArrayLike) -> tuple[Floats, Floats]:
    """Project points on the line through the origin with direction w.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_columns)
        The points.
    w : array-like of shape (n_columns,)
        The direction, of any length but 0.

    Returns
    -------
    coordinates : ndarray of shape (n_rows,)
        Where on the line they are: w·x / length of w.
    points : ndarray of shape (n_rows, n_columns)
        The nearest points of the line: (w·x / w·w) w.

    Examples
    --------
    >>> coordinates, points = project([[2.0, 0.0], [0.0, 1.0]], [1.0, 1.0])
    >>> coordinates.round(3).tolist(), points.round(9).tolist()
    ([1.414, 0.707], [[1.0, 1.0], [0.5, 0.5]])
    """
    rows, direction = np.asarray(X, dtype=np.float64), np.asarray(w, dtype=np.float64)
    size = float(np.linalg.norm(direction))
    if size == 0:
        raise ValueError("project: 'w' must not be 0 in all entries; got a direction without a length.")
    along = rows @ direction / size
    return np.asarray(along), np.outer(along, direction / size)


@dataclass(frozen=True)
class FisherRatio:
    """How well one direction separates two classes.

    Parameters
    ----------
    means : ndarray of shape (2,)
        Mean w·x of each class.
    scatters : ndarray of shape (2,)
        Sum over the rows of each class of the squared distance from it; n times the variance.
    ratio : float
        (difference of the means)² / sum of the scatters.
    """

    means: Floats
    scatters: Floats
    ratio: float


def fisher_ratio(X: ArrayLike, y: ArrayLike, w: ArrayLike) -> FisherRatio:
    """Measure how far apart two classes are along a direction, relative to their width.

    This is the ratio w'B w / w'S w with B = (m1 - m2)(m1 - m2)', without the sizes of the classes, and the
    scatter S around the means. `LinearDiscriminant` finds its largest value; the length of w does not matter.

    Parameters
    ----------
    X : array-like of shape (n_rows, n_columns)
        The points.
    y : array-like of shape (n_rows,)
        Their classes, two of them.
    w : array-like of shape (n_columns,)
        The direction.

    Returns
    -------
    result : FisherRatio
        Means and scatters of the classes along w, and the ratio.

    Examples
    --------
    >>> result = fisher_ratio([[0.0], [2.0], [5.0], [7.0]], ["a", "a", "b", "b"], [1.0])
    >>> result.means.tolist(), result.scatters.tolist(), result.ratio
    ([1.0, 6.0], [2.0, 2.0], 6.25)
    """
    labels, codes = np.unique(np.asarray(y), return_inverse=True)
    if len(labels) != 2:
        raise ValueError(f"fisher_ratio: 'y' must have two classes; got {len(labels)}.")
    along = np.asarray(X, dtype=np.float64) @ np.asarray(w, dtype=np.float64)
    means = np.array([along[codes == c].mean() for c in range(2)])
    scatters = np.array([((along[codes == c] - means[c]) ** 2).sum() for c in range(2)])
    if scatters.sum() == 0:
        raise ValueError("fisher_ratio: both classes are points along 'w'; try another direction.")
    return FisherRatio(means, scatters, float((means[0] - means[1]) ** 2 / scatters.sum()))
