"""Regions between hyperplanes, and the codes that the first layer gives them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from hornbook.params import Floats

__all__ = ["checked_codes", "occupied_codes", "separating_unit", "two_layers_suffice"]

MOST_REGIONS = 100_000
TINY = 1e-9  # radius of a region that is only rounding


def occupied_codes(weights: ArrayLike, thresholds: ArrayLike) -> list[str]:
    """List the regions into which hyperplanes cut the space, by their codes.

    The code of a point has a digit for each hyperplane: 1 where w·x > t, the positive side, else 0. It is the
    vertex of the hypercube that the first layer of a network maps the point to. Not every vertex is occupied:
    two parallel lines make three regions, not four.

    Parameters
    ----------
    weights : array-like of shape (n_planes, n_columns)
        w of each hyperplane.
    thresholds : array-like of shape (n_planes,)
        t of each.

    Returns
    -------
    codes : list of str
        Codes of all regions with an inside, sorted.

    Examples
    --------
    >>> occupied_codes([[1, 1], [1, 1]], [0.5, 1.5])
    ['00', '10', '11']
    """
    planes = np.asarray(weights, dtype=np.float64)
    ends = np.asarray(thresholds, dtype=np.float64)
    if planes.ndim != 2 or ends.shape != (len(planes),):
        raise ValueError(
            f"occupied_codes: 'weights' must have a row and 'thresholds' a number for each hyperplane; got "
            f"shapes {planes.shape} and {ends.shape}."
        )
    codes = [""]
    for k in range(len(planes)):  # plane by plane, so that empty regions are not cut further
        codes = [code + digit for code in codes for digit in "01" if _has_inside(planes, ends, code + digit)]
        if len(codes) > MOST_REGIONS:
            raise ValueError(
                f"occupied_codes: {k + 1} hyperplanes make more than {MOST_REGIONS:,} regions: use fewer."
            )
    return codes


def _has_inside(planes: Floats, ends: Floats, code: str) -> bool:
    """Whether some point is strictly on these sides of the first hyperplanes."""
    ones = np.array([digit == "1" for digit in code])
    sides, ends = np.where(ones, 1.0, -1.0)[:, None] * planes[: len(code)], ends[: len(code)]
    lengths = np.linalg.norm(sides, axis=1)
    flat = lengths == 0  # without weights all points are on one side
    if (ones[flat] != (ends[flat] < 0)).any():
        return False
    kept, n = np.flatnonzero(~flat), planes.shape[1]
    if not len(kept):
        return True
    # The largest ball inside: side·x - t >= radius |side|.
    # By its center (of Chebyshev) a linear program tells regions with an inside from those that only touch;
    # bounded by 1, as most regions are unbounded.
    ball = linprog(
        np.append(np.zeros(n), -1.0),
        A_ub=np.column_stack([-sides, lengths])[kept],
        b_ub=-np.where(ones, ends, -ends)[kept],
        bounds=[(None, None)] * n + [(0.0, 1.0)],
        method="highs",
    )
    return ball.x is not None and bool(ball.x[-1] > TINY)


def two_layers_suffice(regions: Sequence[str], others: Sequence[str]) -> bool:
    """Test whether one unit behind the first layer can tell some regions from others.

    It can if a hyperplane separates their vertices. A network of two layers realizes some unions of regions,
    one of three layers realizes any.

    Parameters
    ----------
    regions, others : sequence of str
        Codes of the regions of the class, and of all others.

    Returns
    -------
    suffices : bool
        Whether there is such a hyperplane.

    Examples
    --------
    >>> two_layers_suffice(["10"], ["00", "11"]), two_layers_suffice(["10", "01"], ["00", "11"])
    (True, False)
    """
    return separating_unit(regions, others) is not None


def separating_unit(
    regions: Sequence[str], others: Sequence[str], *, bipolar: bool = False
) -> tuple[Floats, float] | None:
    """Weights and threshold of a unit that fires for the first codes and not for the others, if there are."""
    inside = checked_codes("two_layers_suffice", regions)
    outside = checked_codes("two_layers_suffice", others, width=inside.shape[1] if len(inside) else None)
    if not len(inside):
        raise ValueError("two_layers_suffice: 'regions' must have at least one code; got none.")
    if bipolar:
        inside, outside = 2 * inside - 1, 2 * outside - 1
    p = inside.shape[1]
    # w·v - t >= 1/2 inside and <= -1/2 outside, with the smallest sum of absolute weights; w = a - b.
    rows = np.vstack([-inside, outside.reshape(-1, p)])
    free = np.append(np.ones(len(inside)), -np.ones(len(outside)))
    program = linprog(
        np.append(np.ones(2 * p), 0.0),
        A_ub=np.column_stack([rows, -rows, free]),
        b_ub=np.full(len(rows), -0.5),
        bounds=[(0, None)] * (2 * p) + [(None, None)],
        method="highs",
    )
    if program.x is None:
        return None
    return program.x[:p] - program.x[p : 2 * p], float(program.x[-1])


def checked_codes(name: str, codes: Any, *, width: int | None = None, gaps: bool = False) -> Floats:
    """Codes as rows of 0 and 1; NaN for ``*`` where gaps are allowed."""
    allowed = "01*" if gaps else "01"
    listed = list(codes) if not isinstance(codes, str) else [codes]
    width = len(listed[0]) if width is None and listed and isinstance(listed[0], str) else width
    for code in listed:
        if not isinstance(code, str) or len(code) != width or set(code) - set(allowed) or not code:
            raise ValueError(
                f"{name}: a code must be {width or 1} digits out of {', '.join(allowed)}, one for each "
                f"hyperplane or variable; got {code!r}."
            )
    values = {"0": 0.0, "1": 1.0, "*": np.nan}
    return np.array([[values[digit] for digit in code] for code in listed]).reshape(len(listed), width or 0)
