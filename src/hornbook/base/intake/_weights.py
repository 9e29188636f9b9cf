"""The weights of rows: from what the user passed to plain, checked numbers that can be added up."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hornbook.base.intake._target import numpy_of
from hornbook.params import Floats

__all__ = [
    "checked_weights",
    "ordinary_weights",
    "refuse_extreme",
    "weight_factor",
    "weight_range",
    "wider_range",
]


# The largest weight lies between 2 to minus and plus this, so that sums of weights, of their squares, and of
# their products with squares of columns neither overflow nor vanish.
EXPONENT = 200
RATIO = 2.0**600  # of the largest to the smallest weight: with more, the smallest would vanish


def checked_weights(sample_weight: Any, n_rows: int, *, start: int = 0) -> Floats | None:
    """Return the weights as float64, or None when every row counts once; rows count from ``start``."""
    if sample_weight is None:
        return None
    weights = _numbers(sample_weight, start)
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.ndim != 1:
        raise ValueError(f"Sample weights must be 1D array or scalar; got shape {weights.shape}.")
    if len(weights) != n_rows:
        raise ValueError(
            f"sample_weight.shape == {weights.shape}, expected ({n_rows},)!: pass one weight for each row."
        )
    wrong = ~np.isfinite(weights) | (weights < 0)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise ValueError(
            f"sample_weight contains {weights[row]} in row {start + row}: "
            "weights are numbers >= 0; drop the row or correct its weight (NaN and infinity are refused)."
        )
    return weights


def _numbers(sample_weight: Any, start: int) -> Floats:
    values = numpy_of(sample_weight)
    if values.dtype.kind in "biuf":
        return np.asarray(values, dtype=np.float64, order="C")
    cells = values.ravel().tolist()
    if values.dtype == object and not any(isinstance(cell, str | bytes | complex) for cell in cells):
        try:
            return np.asarray(values, dtype=np.float64, order="C")
        except (TypeError, ValueError):
            pass
    row = next((i for i, cell in enumerate(cells) if not _is_number(cell)), 0)
    what = f"{cells[row]!r} in row {start + row}" if cells else f"no numbers but {values.dtype}"
    raise ValueError(
        f"sample_weight contains {what}: weights are numbers >= 0; pass one number for each row, or leave "
        "sample_weight out."
    )


def _is_number(cell: Any) -> bool:
    if isinstance(cell, str | bytes | complex):
        return False
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return True


def weight_range(weights: Floats | None) -> tuple[float, float]:
    """The smallest and the largest positive weight of some rows; infinity and 0 if there is none."""
    if weights is None:
        return 1.0, 1.0
    positive = weights[weights > 0]
    return float(positive.min(initial=math.inf)), float(positive.max(initial=0.0))


def wider_range(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """The range of the weights of both."""
    return min(one[0], other[0]), max(one[1], other[1])


def weight_factor(least: float, most: float) -> float:
    """Power of two by which all weights are multiplied before they are used; 1 unless they are extreme.

    A power of two changes no bit of the result, except where the size of the weights itself counts, as beside
    the rows added by smoothing: there weights of 2**200 are already as good as infinite.

    Parameters
    ----------
    least, most : float
        The smallest and the largest positive weight of all rows.
    """
    if most == 0:
        raise ValueError("sample_weight is zero for every row: give at least one row a positive weight.")
    if least < most / RATIO:
        raise ValueError(
            f"sample_weight reaches from {least:.6g} to {most:.6g}: beside the largest the smallest cannot "
            "be told from 0; set it to 0, or correct the largest."
        )
    # A power of two changes the exponent only: no weight is rounded, and equal weights stay equal.
    exponent = math.frexp(most)[1]
    return 2.0 ** (min(max(exponent, -EXPONENT), EXPONENT) - exponent)


def ordinary_weights(weights: Floats | None, *, later: bool = False) -> Floats | None:
    """The weights of all rows, brought to an ordinary size where they are extreme.

    With ``later``, more rows may come in another call, and extreme weights are refused: nobody knows theirs.
    """
    if weights is None:
        return None
    factor = weight_factor(*weight_range(weights))
    if factor == 1.0:
        return weights
    if later:
        refuse_extreme(factor)
    return weights * factor


def refuse_extreme(factor: float) -> None:
    """Refuse weights that need a factor when those of other calls are not known."""
    raise ValueError(
        "sample_weight has numbers so large or small that they cannot be added up over several calls of "
        f"partial_fit: multiply the weights of all calls by {factor:.6g}."
    )
