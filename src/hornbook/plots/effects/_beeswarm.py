"""Contributions of the columns to many predictions, colored by the cells of the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import Contributions
from hornbook.frame import Label
from hornbook.plots.canvas._canvas import axes
from hornbook.plots.effects._cell_colors import low_to_high, order_legend
from hornbook.plots.effects._dot_rows import dot_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["beeswarm"]

_BINS = 40  # of contributions, to see where they are dense


def beeswarm(
    contributions: Contributions,
    ax: Axes | None = None,
    *,
    output: Label | None = None,
    most: int = 20,
    title: str = "",
) -> Axes:
    """Draw the contribution of each column to each prediction, colored by whether the cell is low or high.

    Parameters
    ----------
    contributions : Contributions
        As ``contributions(X)`` of trees, forests and boosting gives them.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    output : label, optional
        The class; the second of two when left out.
    most : int, default 20
        How many columns are drawn: those with the largest mean size; the title says how many there are.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on; of more than 300 rows, evenly chosen ones are drawn.

    Examples
    --------
    >>> from hornbook import DecisionTreeClassifier, datasets
    >>> model = DecisionTreeClassifier().fit(datasets.watermelon("3.0a"))
    >>> ax = beeswarm(model.contributions(datasets.watermelon("3.0a")))
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['sugar', 'density']
    """
    parts = contributions.of(output)
    if not len(parts) or not len(parts.names):
        raise ValueError("beeswarm: 'contributions' must be of at least one row and one column; got none.")
    ax = axes(ax, size=(5.4, 1.1))
    colors = {}

    def shades(j: int, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        colors[j] = low_to_high(parts.data, j)
        return colors[j][rows]

    more = dot_rows(ax, parts.values, parts.names, most, shades, _density)
    ax.set_xlabel(f"contribution to the {parts.meaning}")
    ax.set_title(", ".join(filter(None, [title, more])))
    # Equal red, green and blue are gray: a category, or a missing cell.
    gray = any(np.ptp(shade, axis=1).min() < 1e-9 for shade in colors.values())
    order_legend(ax, "cell", gray="category or missing" if gray else "")
    return ax


def _density(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """How many values are near each, relative to the most."""
    low, high = float(values.min()), float(values.max())
    bins = np.minimum(((values - low) / ((high - low) or 1.0) * _BINS).astype(np.intp), _BINS - 1)
    counts = np.bincount(bins, minlength=_BINS)
    # Dots spread the more, the denser their neighborhood: the outline of a violin plot.
    return np.asarray(counts[bins] / counts.max())
