"""How the margins of a vote are distributed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.curves._curve_lines import curve_legend, line_look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

__all__ = ["margin_distribution"]


def margin_distribution(
    margins: ArrayLike | Mapping[str, ArrayLike], *, name: str = "margin", ax: Axes | None = None
) -> Axes:
    """Draw the share of rows whose margin is at most so large; where it is below 0 the ensemble errs.

    Boosting goes on pushing margins up when there are no more errors on the training rows (Schapire, Freund,
    Bartlett and Lee 1998).

    Parameters
    ----------
    margins : array-like of shape (n_rows,), or a dict of them by name
        Margins as ``margins(X, y)`` of an ensemble gives them, for example after different numbers of rounds.
    name : str, default "margin"
        Name of the margin.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> ax = margin_distribution({"5 rounds": [-0.2, 0.1, 0.4], "100 rounds": [0.1, 0.2, 0.3]})
    >>> ax.get_ylabel(), [text.get_text() for text in ax.get_legend().get_texts()]
    ('share of rows', ['5 rounds', '100 rounds'])
    """
    series: dict[str, Any] = dict(margins) if isinstance(margins, Mapping) else {"": margins}
    lines = {title: np.sort(np.asarray(line, dtype=np.float64), axis=None) for title, line in series.items()}
    for title, line in lines.items():
        if np.ndim(series[title]) != 1 or not len(line) or not np.isfinite(line).all():
            of = f" of '{title}'" if title else ""
            raise ValueError(
                f"margin_distribution: 'margins'{of} must be a list of finite numbers, at least one; "
                f"got an array of shape {np.shape(series[title])}."
            )
    if not lines:
        raise ValueError("margin_distribution: 'margins' must hold at least one list; got none.")
    ax = axes(ax)
    drawn: list[Line2D] = []
    for i, (title, line) in enumerate(lines.items()):
        shares = np.arange(len(line) + 1) / len(line)
        # The empirical distribution function; one more point closes it at 1.
        drawn += ax.step(np.append(line, line[-1]), shares, where="pre", label=title or None, **line_look(i))
    ax.axvline(0.0, color=GRAY, linewidth=0.8)
    ax.set_xlabel(name)
    ax.set_ylabel("share of rows")
    ax.set_ylim(0.0, 1.02)
    if "" not in lines:
        curve_legend(ax, drawn)
    return ax
