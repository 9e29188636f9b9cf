"""A code of classes in colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots._canvas import axes, cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["code_matrix"]

_MOST_SIGNS = 40  # columns up to which the signs are readable
_LONGEST = 18  # characters of a name


def code_matrix(code: ArrayLike, classes: Sequence[str], ax: Axes | None = None) -> Axes:
    """Draw which classes each member of a decomposition tells apart: +1 dark, -1 light, 0 left out.

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
    ax = axes(ax, size=(min(10.0, 2.4 + 0.3 * m), min(8.0, 1.4 + 0.35 * k)))
    ax.imshow(signs.reshape(k, m or 1) if m else np.zeros((k, 1)), cmap="Blues", vmin=-1.6, vmax=1.6)
    ax.set_xlabel("member")
    ax.set_yticks(range(k), [cut(str(name), _LONGEST) for name in classes])
    ax.set_xticks(range(m), [str(j + 1) for j in range(m)] if m <= _MOST_SIGNS else [""] * m)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    if m <= _MOST_SIGNS:
        for (i, j), sign in np.ndenumerate(signs):
            shown = "+" if sign > 0 else "-" if sign < 0 else ""
            ax.text(j, i, shown, ha="center", va="center", color="white" if sign > 0 else "black")
    return ax
