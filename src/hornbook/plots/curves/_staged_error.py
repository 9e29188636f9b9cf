"""The error of the first 1, 2, 3, ... members of an ensemble."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import axes
from hornbook.plots.curves._curve_lines import curve_legend, line_look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

__all__ = ["staged_error"]


def staged_error(
    errors: ArrayLike | Mapping[str, ArrayLike],
    *,
    members: str = "trees",
    name: str = "error",
    ax: Axes | None = None,
) -> Axes:
    """Draw how the error changes with the number of members.

    Parameters
    ----------
    errors : array-like of shape (n_members,), or a dict of them by name
        Error of the first 1, 2, ... members, as ``staged_errors`` of a forest gives it, or its
        ``oob_errors_``. Where there is none yet, NaN, the line is left out.
    members : str, default "trees"
        Name of the members.
    name : str, default "error"
        Name of the error.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = staged_error({"out of bag": [0.4, 0.3, 0.25], "training": [0.1, 0.05, 0.0]})
    >>> ax.get_xlabel(), [text.get_text() for text in ax.get_legend().get_texts()]
    ('number of trees', ['out of bag', 'training'])
    """
    series: dict[str, Any] = dict(errors) if isinstance(errors, Mapping) else {"": errors}
    lines = {title: np.asarray(line, dtype=np.float64) for title, line in series.items()}
    for title, line in lines.items():
        # NaN is allowed: out of bag, the first members have seen all rows of some.
        if line.ndim != 1 or not np.isfinite(line).any() or np.isinf(line).any():
            of = f" of '{title}'" if title else ""
            raise ValueError(
                f"staged_error: 'errors'{of} must be a list of numbers, at least one of them known; "
                f"got an array of shape {line.shape}."
            )
    if not lines:
        raise ValueError("staged_error: 'errors' must hold at least one list; got none.")
    ax = axes(ax)
    drawn: list[Line2D] = []
    for i, (title, line) in enumerate(lines.items()):
        drawn += ax.plot(np.arange(1, len(line) + 1), line, label=title or None, **line_look(i))
    ax.set_xlabel(f"number of {members}")
    ax.set_ylabel(name)
    ax.set_ylim(bottom=0.0)
    ax.locator_params(axis="x", integer=True)
    if "" not in lines:
        curve_legend(ax, drawn)
    return ax
