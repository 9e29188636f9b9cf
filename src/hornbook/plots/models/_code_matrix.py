"""The code matrix of a multiclass decomposition in colors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import at_least, axes, name_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["code_matrix"]

_MOST_SIGNS = 40  # columns up to which the signs are readable


def code_matrix(code: ArrayLike, classes: Sequence[str], ax: Axes | None = None) -> Axes:
    """Draw which classes each member of a decomposition separates: +1 dark, -1 light, 0 left out.

    Parameters
    ----------
    code : array-like of shape (n_classes, n_members)
        -1, 0 and +1.
    classes : sequence of str
        Names of the rows.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = code_matrix([[1, 0], [-1, 1], [0, -1]], ["a", "b", "c"])
    >>> [text.get_text() for text in ax.texts]
    ['+', '', '-', '+', '', '-']
    """
    signs = np.asarray(code, dtype=np.float64)
    if signs.ndim != 2 or len(signs) != len(classes):
        raise ValueError(
            f"code_matrix: 'code' must have a row for each of the {len(classes)} classes; got shape "
            f"{signs.shape}."
        )
    k, m = signs.shape
    ax = axes(ax, size=(min(10.0, 1.2 + 0.3 * m), 1.2))
    at_least(ax, 1.2 + 0.3 * k)
    # Beyond +-1, so that neither sign is as dark or as pale as the color map allows.
    ax.imshow(signs if m else np.zeros((k, 1)), cmap="Blues", vmin=-1.6, vmax=1.6, aspect="auto")
    ax.set_xlabel("member")
    name_rows(ax, classes)
    ax.set_ylim(k - 0.5, -0.5)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    if m > _MOST_SIGNS:
        ax.set_xlabel(f"{m} members")
        ax.set_xticks([])
        return ax
    ax.set_xticks(range(m), [str(j + 1) for j in range(m)], fontsize=9 if m <= _MOST_SIGNS // 2 else 7)
    for (i, j), sign in np.ndenumerate(signs):
        shown = "+" if sign > 0 else "-" if sign < 0 else ""
        ax.text(j, i, shown, ha="center", va="center", color="white" if sign > 0 else "black")
    return ax
