"""The distances: what each column contributes, and how the contributions are combined."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.distances._space import Space, numbers_of, refuse_missing
from hornbook.frame import Frame, as_frame
from hornbook.params import Floats

__all__ = ["Distance", "Gower", "Hamming", "Mahalanobis", "Minkowski", "ValueDifference"]


ROUNDING = 1e-10  # correlations that differ by less are equal up to rounding


class Distance(ABC):
    """Base of the distances; ``d(x, y)`` is the distance of two rows."""

    learns = False  # whether it needs a table to learn from

    @abstractmethod
    def space(self, frame: Frame, y: NDArray[np.int32] | None = None, w: Floats | None = None) -> Space:
        """Learn from a table how rows are placed; y are class codes and w weights of its rows."""

    def __call__(self, x: Sequence[Any] | NDArray[Any], y: Sequence[Any] | NDArray[Any]) -> float:
        if self.learns:
            raise ValueError(
                f"{type(self).__name__} learns from a whole table, which two rows are not: "
                "use hornbook.distances.pairwise(X, metric=...)."
            )
        one, other = list(x), list(y)
        if len(one) != len(other) or not one:
            raise ValueError(
                f"x and y must have the same columns, at least one; got {len(one)} and {len(other)}."
            )
        # Two rows make a table, so that strings and missing cells are read as everywhere else.
        frame = as_frame([one, other])
        space = self.space(frame)
        rows = space.place(frame)
        return float(space.pairwise(rows[:1], rows[1:], 1)[0, 0])


@dataclass(frozen=True)
class Minkowski(Distance):
    """The p-th root of the sum over the columns of weight times |x - y|^p.

    The weights are inside the root and are not raised to the power p. Numbers are subtracted as they are;
    ordered categories are evenly spaced in [0, 1]; two different categories without an order are 1 apart.

    Parameters
    ----------
    p : float, default 2.0
        At least 1: 1 is the Manhattan distance, 2 the Euclidean, ``inf`` Chebyshev's, which is the largest
        |x - y| of all columns.
    weights : sequence of float, optional
        One number >= 0 for each column, usually with sum 1; 1 for each when left out.

    Examples
    --------
    >>> Minkowski(p=2)([0, 0], [3, 4])
    5.0
    >>> Minkowski(p=1, weights=[0.25, 0.75])([0, 0], [4, 4])
    4.0
    """

    p: float = 2.0
    weights: tuple[float, ...] | None = None

    def __init__(self, p: float = 2.0, weights: ArrayLike | None = None) -> None:
        object.__setattr__(self, "p", _power(type(self).__name__, p))
        object.__setattr__(self, "weights", _weights(type(self).__name__, weights))

    def space(self, frame: Frame, y: NDArray[np.int32] | None = None, w: Floats | None = None) -> Space:
        """Place rows as they are, up to the weights."""
        del y, w  # nothing is learned
        return _minkowski_space(frame, self.p, self.weights)

    def __str__(self) -> str:
        name = {1.0: "Manhattan distance", 2.0: "Euclidean distance", np.inf: "Chebyshev distance"}
        weighted = "" if self.weights is None else "weighted "
        return weighted + name.get(self.p, f"Minkowski distance with p = {self.p:g}")


@dataclass(frozen=True)
class Hamming(Distance):
    """The number of columns in which two rows differ (L0): a count, not a fraction.

    Examples
    --------
    >>> Hamming()([1, 0, 1, 1], [1, 1, 1, 0])
    2.0
    """

    def space(self, frame: Frame, y: NDArray[np.int32] | None = None, w: Floats | None = None) -> Space:
        """Place rows as they are."""
        del y, w  # nothing is learned
        numeric, coded = _parts(frame)
        d = len(numeric) + len(coded)
        return Space(
            0.0,
            numeric,
            coded,
            np.ones(len(numeric)),
            np.ones(d),
            np.ones(len(coded)),
            _n_levels(frame, coded),
            np.empty((0, 0)),
        )

    def __str__(self) -> str:
        return "Hamming distance"


@dataclass(frozen=True)
class Mahalanobis(Distance):
    """The root of (x - y)ᵀ Σ⁻¹ (x - y), with Σ the covariance matrix of the columns (Mahalanobis 1936).

    It takes numbers and ordered categories, without missing values.

    Parameters
    ----------
    covariance : array-like of shape (n_columns, n_columns), optional
        The covariance matrix; that of the table when left out.
    divisor : {"n", "n-1"}, default "n"
        Divisor of the covariances of the table: the number of rows, or one less (as ``numpy.cov`` does).

    Examples
    --------
    >>> Mahalanobis(covariance=[[4, 0], [0, 1]])([0, 0], [2, 0])
    1.0
    """

    covariance: tuple[tuple[float, ...], ...] | None = None
    divisor: Literal["n", "n-1"] = "n"

    def __init__(self, covariance: ArrayLike | None = None, divisor: Literal["n", "n-1"] = "n") -> None:
        if divisor not in ("n", "n-1"):
            raise ValueError(f"Mahalanobis: 'divisor' must be 'n' or 'n-1'; got {divisor!r}.")
        matrix = None if covariance is None else np.asarray(covariance, dtype=np.float64)
        if matrix is not None and (matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]):
            raise ValueError(f"Mahalanobis: 'covariance' must be square; got shape {matrix.shape}.")
        cells = None if matrix is None else tuple(tuple(row) for row in matrix.tolist())
        object.__setattr__(self, "covariance", cells)
        object.__setattr__(self, "divisor", divisor)

    @property
    def learns(self) -> bool:  # type: ignore[override]  # it depends on what was given
        """Whether it needs a table to learn from."""
        return self.covariance is None

    def space(self, frame: Frame, y: NDArray[np.int32] | None = None, w: Floats | None = None) -> Space:
        """Whiten the rows, so that their Euclidean distance is the Mahalanobis distance."""
        del y
        numeric, coded = _parts(frame)
        if len(coded):
            name = frame.schema.names[int(coded[0])]
            raise ValueError(
                f"Column {name!r} is nominal, and categories have no covariance: leave it out, or choose "
                "another distance."
            )
        # A missing number has no whitened coordinates: each of them mixes all columns.
        numbers = numbers_of(frame, numeric)
        refuse_missing(frame, numeric, numbers)
        whitening = _whitening(self._matrix(numbers, w))
        return Space(2.0, numeric, coded, whitening, np.ones(len(numeric)), *_no_codes())

    def _matrix(self, numbers: Floats, w: Floats | None) -> Floats:
        d = numbers.shape[1]
        if self.covariance is not None:
            matrix = np.asarray(self.covariance, dtype=np.float64)
            if matrix.shape != (d, d):
                raise ValueError(
                    f"Mahalanobis: 'covariance' must be {d} x {d} for {d} columns; got {matrix.shape}."
                )
            return matrix
        mass = np.ones(len(numbers)) if w is None else w
        # Weights count as repeated rows.
        divisor = mass.sum() - (self.divisor == "n-1")
        if not divisor > 0:
            raise ValueError("Mahalanobis: divisor='n-1' needs at least two rows; got one: use 'n'.")
        # Two passes: products of deviations do not cancel.
        gaps = numbers - np.average(numbers, axis=0, weights=mass)
        return np.asarray((gaps.T * mass) @ gaps / divisor)

    def __str__(self) -> str:
        return f"Mahalanobis distance (divisor {self.divisor})"


@dataclass(frozen=True)
class Gower(Distance):
    """The mean over the columns of |x - y| / range for numbers, and of 0 or 1 for categories (Gower 1971).

    Ordered categories count as evenly spaced numbers. Every column contributes at most 1 within the range of
    the table, so that no column dominates by its unit; a column missing in one of the rows is left out.

    Parameters
    ----------
    weights : sequence of float, optional
        One number >= 0 for each column: a weighted mean; all equal when left out.

    Examples
    --------
    >>> from hornbook.distances import pairwise
    >>> pairwise([["a", 0.0], ["b", 5.0], ["b", 10.0]], metric=Gower())[0].tolist()
    [0.0, 0.75, 1.0]
    """

    weights: tuple[float, ...] | None = None
    learns = True

    def __init__(self, weights: ArrayLike | None = None) -> None:
        object.__setattr__(self, "weights", _weights("Gower", weights))

    def space(self, frame: Frame, y: NDArray[np.int32] | None = None, w: Floats | None = None) -> Space:
        """Find the range of each numeric column."""
        del y
        # Gower's distance is Manhattan's on columns divided by their range, with weights that sum to 1.
        mass = np.asarray(self.weights or np.ones(len(frame.schema)), dtype=np.float64)
        space = _minkowski_space(frame, 1.0, tuple(mass / mass.sum()))
        numbers = numbers_of(frame, space.numeric)
        # A row of weight 0 must not widen the range.
        if w is not None:
            numbers = numbers[w > 0]
        low, high = np.fmin.reduce(numbers, axis=0), np.fmax.reduce(numbers, axis=0)
        width = high - low
        scale = np.divide(space.transform, width, out=np.zeros_like(width), where=width > 0)
        return Space(
            1.0, space.numeric, space.coded, scale, space.shares, space.steps, space.n_levels, space.profiles
        )

    def __str__(self) -> str:
        return "Gower distance"


@dataclass(frozen=True)
class ValueDifference(Distance):
    """Minkowski's distance with the value difference metric for categories (VDM, Stanfill and Waltz 1986).

    The categories a and b of a column contribute the sum over the classes c of |P(c | a) - P(c | b)|^p, with
    the class frequencies among the rows that have the category.

    Parameters
    ----------
    p : float, default 2.0
        As in `Minkowski`.
    weights : sequence of float, optional
        As in `Minkowski`.

    Examples
    --------
    >>> from hornbook.distances import pairwise
    >>> color, label = [["red"], ["red"], ["blue"], ["green"]], ["ripe", "unripe", "unripe", "unripe"]
    >>> pairwise(color, metric=ValueDifference(p=1), y=label)[0].tolist()
    [0.0, 0.0, 1.0, 1.0]
    """

    p: float = 2.0
    weights: tuple[float, ...] | None = None
    learns = True

    def __init__(self, p: float = 2.0, weights: ArrayLike | None = None) -> None:
        object.__setattr__(self, "p", _power("ValueDifference", p))
        object.__setattr__(self, "weights", _weights("ValueDifference", weights))

    def space(self, frame: Frame, y: NDArray[np.int32] | None = None, w: Floats | None = None) -> Space:
        """Estimate the class frequencies of each category."""
        if y is None:
            raise ValueError(
                "ValueDifference compares categories by their classes: pass y, the class of each row."
            )
        space = _minkowski_space(frame, self.p, self.weights)
        n_classes = int(y.max()) + 1
        mass = np.ones(len(frame)) if w is None else w
        # One row of class frequencies for each level: its profile, which the kernel compares.
        shares = [np.empty((0, n_classes))]
        for j, levels in zip(space.coded.tolist(), space.n_levels.tolist(), strict=True):
            codes = frame.column(j)
            known = codes >= 0
            places = codes[known].astype(np.intp) * n_classes + y[known]
            counts = np.bincount(places, weights=mass[known], minlength=levels * n_classes)
            counts = counts.reshape(levels, n_classes)
            total = counts.sum(axis=1, keepdims=True)
            shares.append(np.divide(counts, total, out=np.zeros_like(counts), where=total > 0))
        profiles = np.concatenate(shares) if len(space.coded) else np.empty((0, 0))
        return Space(
            space.power,
            space.numeric,
            space.coded,
            space.transform,
            space.shares,
            space.steps,
            space.n_levels,
            profiles,
        )

    def __str__(self) -> str:
        return f"value difference metric with p = {self.p:g}"


def _minkowski_space(frame: Frame, p: float, weights: tuple[float, ...] | None) -> Space:
    n_columns = len(frame.schema)
    mass = np.ones(n_columns) if weights is None else np.asarray(weights)
    if len(mass) != n_columns:
        raise ValueError(
            f"'weights' must have one number for each of the {n_columns} columns; got {len(mass)}."
        )
    numeric, coded = (part[mass[part] > 0] for part in _parts(frame))
    ones = np.isinf(p)  # Chebyshev: a weight only decides whether a column takes part in the maximum
    # w |x - y|^p = |w^(1/p) x - w^(1/p) y|^p, so that weights move into the coordinates.
    transform = np.ones(len(numeric)) if ones else mass[numeric] ** (1 / p)
    steps = np.ones(len(coded)) if ones else mass[coded]
    shares = np.concatenate([mass[numeric], mass[coded]])
    return Space(
        float(p), numeric, coded, transform, shares, steps, _n_levels(frame, coded), np.empty((0, 0))
    )


def _parts(frame: Frame) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Positions of the columns placed as numbers and of those placed as codes."""
    nominal = np.array([kind == "nominal" for kind in frame.schema.kinds], dtype=np.bool_)
    return np.flatnonzero(~nominal), np.flatnonzero(nominal)


def _n_levels(frame: Frame, coded: NDArray[np.intp]) -> NDArray[np.int32]:
    return np.array([len(frame.schema.columns[int(j)].levels) for j in coded], dtype=np.int32)


def _no_codes() -> tuple[Floats, NDArray[np.int32], Floats]:
    return np.empty(0), np.empty(0, dtype=np.int32), np.empty((0, 0))


def _whitening(covariance: Floats) -> Floats:
    """Return W with W Wᵀ = Σ⁻¹."""
    spread = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    # As correlations, so that the rank does not depend on the units of the columns.
    scale = np.where(spread > 0, spread, 1.0)
    correlation = covariance / np.outer(scale, scale)
    # With correlation = V diag(values) V', the columns of V / sqrt(values) whiten: PCA whitening, which needs
    # no triangular solve for each row.
    values, vectors = np.linalg.eigh((correlation + correlation.T) / 2)
    if np.abs(correlation - correlation.T).max() > ROUNDING or not values[0] > ROUNDING:
        raise ValueError(
            "The covariance matrix has no inverse: a column is constant or a sum of others; leave it out, or "
            "choose another distance."
        )
    return np.asarray(vectors / np.sqrt(values) / scale[:, None])


def _power(owner: str, p: Any) -> float:
    if isinstance(p, bool) or not isinstance(p, int | float | np.number) or not p >= 1:
        raise ValueError(f"{owner}: 'p' must be a number from 1 up to infinity; got {p!r}.")
    return float(p)


def _weights(owner: str, weights: ArrayLike | None) -> tuple[float, ...] | None:
    if weights is None:
        return None
    values = np.asarray(weights, dtype=np.float64)
    if values.ndim != 1 or not (values >= 0).all() or not np.isfinite(values).all() or not values.any():
        raise ValueError(
            f"{owner}: 'weights' must be finite numbers >= 0, one for each column and not all 0; "
            f"got {weights!r}."
        )
    return tuple(values.tolist())
