"""A confusion table in colors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from hornbook.evaluation import ConfusionTable
from hornbook.plots.canvas._canvas import axes, cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["confusion"]

_MOST_NUMBERS = 20  # classes up to which the counts are readable
_MOST_NAMES = 40
_LONGEST = 18  # characters of a name


def confusion(
    table: ConfusionTable,
    *,
    of: Literal["truth", "prediction", "all"] = "truth",
    notes: Sequence[Sequence[str]] | None = None,
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw a confusion table: counts in the cells, the darker the larger their fraction.

    With more than 20 classes there are no counts, with more than 40 no names: they would not be readable.

    Parameters
    ----------
    table : ConfusionTable
        The table; its orientation is kept.
    of : {"truth", "prediction", "all"}, default "truth"
        What the fractions are of: each true class, so that the diagonal shows recall, each predicted class,
        so that it shows precision, or the whole table.
    notes : sequence of sequence of str, optional
        Words above the count of each cell, such as "TP", in the layout of the table.
    title : str, default ""
        Title of the plot.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> from hornbook.evaluation import confusion_table
    >>> ax = confusion(confusion_table(["a", "b", "b"], ["a", "b", "a"]))
    >>> [text.get_text() for text in ax.texts]
    ['1', '0', '1', '1']
    """
    if not isinstance(table, ConfusionTable):
        raise TypeError(
            "confusion: 'table' must be a ConfusionTable, as hornbook.evaluation.confusion_table makes; "
            f"got {type(table).__name__}."
        )
    shares = table.shares(of)
    k = len(table.labels)
    ax = axes(ax, size=(min(9.0, 2.6 + 0.55 * k), min(8.0, 2.0 + 0.5 * k)))
    # A fixed range of 0 to 1 makes the shades of two tables comparable.
    ax.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    ax.spines[:].set_visible(False)
    down, across = table.names if table.rows == "truth" else table.names[::-1]
    ax.set_xlabel(across, labelpad=7)
    ax.set_ylabel(down, labelpad=7)
    ax.xaxis.set_label_position("top")
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    names = [cut(str(label), _LONGEST) for label in table.labels] if k <= _MOST_NAMES else []
    ax.set_xticks(range(len(names)), names)
    ax.set_yticks(range(len(names)), names)
    if max(map(len, names), default=0) * k > 40:
        for text in ax.get_xticklabels():
            text.set(rotation=35, rotation_mode="anchor", horizontalalignment="left")
    if k <= _MOST_NUMBERS:
        for (i, j), count in np.ndenumerate(table.array):
            # White on the dark half of the color map.
            shade = "white" if shares[i, j] > 0.5 else "black"
            words = f"{count:.4g}" if notes is None else f"{notes[i][j]}\n{count:.4g}"
            ax.text(j, i, words, ha="center", va="center", color=shade, fontsize=9)
    ax.set_title(title)
    return ax
