"""Which rows each bootstrap sample has, and how often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes, color, name_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["resamples"]


def resamples(
    counts: ArrayLike,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
    *,
    title: str = "",
) -> Axes:
    """Draw a table set and samples of it: a column for each row, a dot as large as it occurs often.

    Rows that a sample does not have are out of the bag; at the end of each line is how many those are.

    Parameters
    ----------
    counts : array-like of int of shape (n_samples, n_rows)
        How often each row occurs in each sample.
    names : sequence of str, optional
        Names of the samples; numbers from 1 when left out.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = resamples([[2, 0, 1]], ["first"])
    >>> [text.get_text() for text in ax.texts]
    ['2', '1', '1 out of bag']
    """
    table = np.asarray(counts)
    if table.ndim != 2 or not table.size or not np.issubdtype(table.dtype, np.integer) or table.min() < 0:
        raise ValueError(
            "resamples: 'counts' must be a table of counts, one line for each sample; got "
            f"{table.dtype} of shape {table.shape}."
        )
    n, rows = table.shape
    labels = [f"sample {i + 1}" for i in range(n)] if names is None else list(names)
    if len(labels) != n:
        raise ValueError(
            f"resamples: 'names' must have a name for each of the {n} samples; got {len(labels)}."
        )
    ax = axes(ax, size=(0.42 * rows + 2.4, 0.5 * n + 1.0))
    drawn, place = np.nonzero(table)
    times = table[drawn, place]
    # The area of a dot is in proportion to the count.
    ax.scatter(place, drawn, s=110 * times, color=color(0), alpha=0.75, linewidths=0)
    for x, y, count in zip(place.tolist(), drawn.tolist(), times.tolist(), strict=True):
        ax.text(x, y, str(count), color="white", ha="center", va="center", fontsize=8)
    missing, where = np.nonzero(table == 0)
    ax.scatter(where, missing, s=12, color=GRAY, marker="x", linewidths=0.9)
    for y, count in enumerate((table == 0).sum(axis=1).tolist()):
        ax.text(rows - 0.3, y, f"{count} out of bag", va="center", fontsize=8, color="#444444")
    name_rows(ax, labels)
    ax.set_xticks(range(rows), [str(i + 1) for i in range(rows)])
    ax.set_xlim(-0.6, rows + 0.9 + 0.06 * rows)
    ax.tick_params(axis="x", length=0, labelsize=8)
    ax.set_xlabel("row")
    ax.set_title(title)
    return ax
