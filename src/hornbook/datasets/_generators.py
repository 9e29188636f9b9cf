"""Random tables: the same for the same seed, on every machine."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.special import ndtri

from hornbook.datasets._table import choose
from hornbook.frame import Frame
from hornbook.params import Floats, ParameterError, Seed
from hornbook.random import Stream, seed_of

__all__ = ["double_moon", "gaussians", "noisy_trend", "two_samples"]


_EIGHT = (
    [(0.4, 0.9), (2.0, 1.8), (2.3, 2.3), (2.6, 1.8)],
    [(1.5, 1.0), (1.9, 1.0), (1.5, 3.0), (3.3, 2.6)],
)


def double_moon(
    distance: float = -5.0,
    radius: float = 10.0,
    width: float = 6.0,
    *,
    n: int = 1000,
    random_state: Seed = None,
) -> Frame:
    """Draw points from two interleaved half rings.

    The upper moon lies around (0, 0); the lower one is its mirror image, moved to the right by the radius and
    down by the distance, so a negative distance lifts it into the upper one. Points are spread evenly over
    the area of a moon. With the sizes of the notes a distance of -6 leaves a gap and -6.5 does not.

    Parameters
    ----------
    distance : float, default -5.0
        From the lower edge of the upper moon down to the upper edge of the lower one.
    radius : float, default 10.0
        Of the middle line of a moon.
    width : float, default 6.0
        Of a moon; at most twice the radius.
    n : int, default 1000
        Number of points, half of them in each moon; of an odd number the upper one gets one more.
    random_state : int, RandomState or None, optional
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    Frame
        ``x1``, ``x2`` and the target ``moon``: "upper" or "lower".

    Examples
    --------
    >>> moons = double_moon(distance=-6, n=200, random_state=0)
    >>> moons.shape, int((moons.y == "upper").sum())
    ((200, 3), 100)
    """
    _require("double_moon", "n", n, whole=True, low=1)
    _require("double_moon", "distance", distance)
    _require("double_moon", "radius", radius, low=0)
    _require("double_moon", "width", width, low=0)
    if width > 2 * radius:
        raise ParameterError(
            f"double_moon: parameter 'width' must be at most twice the radius ({2 * radius}); got {width}."
        )
    draws = Stream(seed_of(random_state))
    inner, outer = radius - width / 2, radius + width / 2
    # For points uniform over the area, the squared distance from the center is uniform.
    length = np.sqrt(inner**2 + (outer**2 - inner**2) * draws.uniform(n))
    angle = np.pi * draws.uniform(n)
    lower = np.arange(n) >= n - n // 2
    x1, x2 = length * np.cos(angle), length * np.sin(angle)
    return Frame(
        {
            "x1": np.where(lower, x1 + radius, x1),
            "x2": np.where(lower, -x2 - distance, x2),
            "moon": np.where(lower, "lower", "upper").astype(object),
        },
        target="moon",
    )


def gaussians(
    mixture: Literal["eight", "twenty"] = "eight", *, n: int | None = None, random_state: Seed = None
) -> Frame:
    """Draw points of two classes whose columns are independent normal numbers.

    Parameters
    ----------
    mixture : {"eight", "twenty"}, default "eight"
        - "eight": in the plane, four centers for each class, variance 0.08; 400 points when n is left out.
          The best possible error rate is 0.0532;
        - "twenty": 20 columns, one center for each class at -a and +a in every column, a = 2 / sqrt(20), and
          variance 1; 200 points when n is left out. The best possible error rate is 0.0228.
    n : int, optional
        Number of points; the centers get equal shares, the first ones one more if there is a rest.
    random_state : int, RandomState or None, optional
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    Frame
        ``x1``, ``x2``, ... and the target ``class``: "A" or "B".

    Examples
    --------
    >>> points = gaussians("twenty", random_state=0)
    >>> points.shape, bool(points.features.matrix[points.y == "A"].mean() < 0)
    ((200, 21), True)
    """
    choose("gaussians", "mixture", mixture, ("eight", "twenty"))
    if mixture == "eight":
        centers, deviation, n_rows = np.array(_EIGHT).reshape(8, 2), np.sqrt(0.08), 400
    else:
        # Breiman's twonorm: the centers are 4 apart, whatever the direction of the axes.
        a = 2 / np.sqrt(20)
        centers, deviation, n_rows = np.array([[-a] * 20, [a] * 20]), np.float64(1.0), 200
    n_rows = n_rows if n is None else n
    _require("gaussians", "n", n_rows, whole=True, low=1)
    # The same number of rows around each center, up to one, in the order of the centers.
    center = np.sort(np.arange(n_rows) % len(centers))
    noise = _normal(Stream(seed_of(random_state)), n_rows * centers.shape[1])
    X = centers[center] + deviation * noise.reshape(n_rows, -1)
    columns = {f"x{j + 1}": X[:, j] for j in range(X.shape[1])}
    classes = np.where(center < len(centers) // 2, "A", "B").astype(object)
    return Frame({**columns, "class": classes}, target="class")


def two_samples(n: int = 20, shift: float = 0.1, *, random_state: Seed = None) -> Frame:
    """Draw two normal samples with variance 1 whose means differ by the shift.

    With the means -1/20 and +1/20 of the notes, a test on 20 values in each sample detects it only by luck.

    Parameters
    ----------
    n : int, default 20
        Values in each sample.
    shift : float, default 0.1
        The mean of the second sample minus that of the first; they are symmetric around 0.
    random_state : int, RandomState or None, optional
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    Frame
        ``value`` and the target ``sample``: "x" or "y".

    Examples
    --------
    >>> both = two_samples(random_state=0)
    >>> both.y.tolist().count("x"), both.y.tolist().count("y")
    (20, 20)
    """
    _require("two_samples", "n", n, whole=True, low=1)
    _require("two_samples", "shift", shift)
    second = np.arange(2 * n) >= n
    values = np.where(second, shift / 2, -shift / 2) + _normal(Stream(seed_of(random_state)), 2 * n)
    return Frame({"value": values, "sample": np.where(second, "y", "x").astype(object)}, target="sample")


def noisy_trend(n: int = 100, noise: float = 3.0, *, random_state: Seed = None) -> Frame:
    """Draw pairs with a common trend and much noise: x = i/n + e and y = i/n + f for i = 1, ..., n.

    All e and f are independent and uniform between 0 and the noise. With the noise of the notes the
    correlation is about 0.1, too small to be seen in 100 pairs except by luck.

    Parameters
    ----------
    n : int, default 100
        Number of pairs.
    noise : float, default 3.0
        The largest error.
    random_state : int, RandomState or None, optional
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    Frame
        ``x`` and the target ``y``.

    Examples
    --------
    >>> noisy_trend(4, noise=0).features.matrix.ravel().tolist()
    [0.25, 0.5, 0.75, 1.0]
    """
    _require("noisy_trend", "n", n, whole=True, low=1)
    _require("noisy_trend", "noise", noise, low=0)
    trend = np.arange(1, n + 1) / n
    errors = noise * Stream(seed_of(random_state)).uniform(2 * n)
    return Frame({"x": trend + errors[:n], "y": trend + errors[n:]}, target="y")


def _normal(draws: Stream, n: int) -> Floats:
    """Standard normal numbers by the inverse distribution function of uniform ones, kept away from 0."""
    # Uniform numbers are multiples of 2^-53 from 0 on, and the inverse has no finite value at 0.
    return np.asarray(ndtri(draws.uniform(n) + 2.0**-54), dtype=np.float64)


def _require(function: str, name: str, value: object, *, whole: bool = False, low: float = -np.inf) -> None:
    """Reject what is not a finite number, or not an integer, of at least ``low``."""
    kinds = (int, np.integer) if whole else (int, float, np.integer, np.floating)
    if not isinstance(value, kinds) or isinstance(value, bool) or not low <= float(value) < np.inf:
        what = "a whole number" if whole else "a number"
        limit = "" if low == -np.inf else f" >= {low:g}"
        raise ParameterError(f"{function}: parameter '{name}' must be {what}{limit}; got {value!r}.")
