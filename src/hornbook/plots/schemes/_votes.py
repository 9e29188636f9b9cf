"""Which members are right on which rows, and their majority."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["votes"]

_RIGHT, _WRONG = color(2), color(3)


def votes(right: ArrayLike, ax: Axes | None = None, *, members: Sequence[str] = (), title: str = "") -> Axes:
    """Draw a check mark where a member is right and a cross where it is not; below, their majority vote.

    Parameters
    ----------
    right : array-like of bool of shape (n_members, n_rows)
        Whether each member is right on each row.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    members : sequence of str, default ()
        Names of the members; h1, h2, ... when left out.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on. The majority of two classes is right where more than half of the members are.

    Examples
    --------
    >>> ax = votes([[1, 1, 0], [0, 1, 1], [1, 0, 1]])
    >>> [text.get_text() for text in ax.texts][-3:]
    ['✓', '✓', '✓']
    """
    marks = np.asarray(right).astype(np.bool_)
    if marks.ndim != 2 or not marks.size:
        raise ValueError(
            "votes: 'right' must have one row for each member and one column for each row of the data; "
            f"got shape {marks.shape}."
        )
    names = list(members) or [f"h{i + 1}" for i in range(len(marks))]
    if len(names) != len(marks):
        raise ValueError(f"votes: 'members' must name all {len(marks)} members; got {len(names)} names.")
    table = np.vstack([marks, 2 * marks.sum(axis=0) > len(marks)])
    n = table.shape[1]
    ax = axes(ax, size=(1.6 + 0.62 * n, 0.9 + 0.36 * len(table)))
    for (i, j), mark in np.ndenumerate(table):
        ax.text(
            j,
            i,
            "✓" if mark else "✗",
            ha="center",
            va="center",
            fontsize=13,
            color=_RIGHT if mark else _WRONG,
        )
    ax.axhline(len(marks) - 0.5, color="black", linewidth=1)
    ax.set_xticks(range(n), [f"row {j + 1}" for j in range(n)])
    ax.set_yticks(range(len(table)), [*names, "majority"])
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    ax.set(xlim=(-0.6, n - 0.4), ylim=(len(table) - 0.4, -0.6))
    ax.set_title(title)
    return ax
