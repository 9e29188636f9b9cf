"""Points as dots, and very many points as a two-dimensional histogram."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.params import Floats
from hornbook.plots.canvas._canvas import color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["cloud", "number_pairs"]

MOST_DOTS = 2_000
_BINS = (90, 60)  # across and up
_FAINTEST = 0.12  # the lightest shade that is still visible


def number_pairs(function: str, y_true: ArrayLike, y_pred: ArrayLike) -> tuple[Floats, Floats]:
    """Return true and predicted numbers of the rows that have both; reject anything else."""
    truth, predicted = np.asarray(y_true, dtype=np.float64), np.asarray(y_pred, dtype=np.float64)
    if truth.ndim != 1 or truth.shape != predicted.shape:
        raise ValueError(
            f"{function}: 'y_true' and 'y_pred' must be two columns of the same length; got arrays of shape "
            f"{truth.shape} and {predicted.shape}."
        )
    known = np.isfinite(truth) & np.isfinite(predicted)
    if not known.any():
        raise ValueError(f"{function}: no row has both a true and a predicted number to draw.")
    return truth[known], predicted[known]


def cloud(ax: Axes, x: Floats, y: Floats) -> None:
    """Draw up to 2,000 points as dots; more are counted in cells, the darker the more points."""
    if len(x) <= MOST_DOTS:
        ax.plot(x, y, "o", color=color(0), markersize=3.2, markeredgewidth=0, alpha=0.55)
        return
    # (across, up) bins; imshow wants rows from bottom to top, hence the transpose and the origin.
    counts, across, up = np.histogram2d(x, y, bins=_BINS)
    shades = np.sqrt(counts.T / counts.max())  # the square root keeps sparse regions visible
    cells = np.zeros((*shades.shape, 4))
    cells[..., :3] = _rgb(color(0))
    cells[..., 3] = np.where(shades > 0, _FAINTEST + (1 - _FAINTEST) * shades, 0)
    ends = (across[0], across[-1], up[0], up[-1])
    ax.imshow(cells, extent=ends, origin="lower", aspect="auto", interpolation="nearest")
    ax.set_title(f"{len(x):,} rows: the darker, the more", loc="right", fontsize=9)


def _rgb(shade: str) -> list[float]:
    return [int(shade[i : i + 2], 16) / 255 for i in (1, 3, 5)]
