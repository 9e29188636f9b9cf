"""The numbers of a plot of one column, and a note about those left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["known_numbers", "say_left_out"]


def known_numbers(function: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return the finite numbers of a list; reject anything else."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{function}: 'values' must be numbers; draw categories with plots.bars.") from None
    if numbers.ndim != 1:
        raise ValueError(
            f"{function}: 'values' must be one column of numbers; got an array of shape {numbers.shape}."
        )
    known = numbers[np.isfinite(numbers)]
    if not len(known):
        raise ValueError(
            f"{function}: 'values' must have a finite number; got {len(numbers)} values without any."
        )
    return known


def say_left_out(ax: Axes, values: ArrayLike, known: NDArray[np.float64]) -> None:
    """Write above the plot how many values are not in it."""
    total = len(np.asarray(values))
    if len(known) < total:
        ax.set_title(f"{total - len(known)} of {total} values missing or infinite", loc="right", fontsize=9)
