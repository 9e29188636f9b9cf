"""The variances along principal components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes
from hornbook.plots.canvas._legend import legend
from hornbook.plots.canvas._palette import color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["spectrum"]


def spectrum(variances: ArrayLike, kept: int | None = None, ax: Axes | None = None) -> Axes:
    """Draw the variances along principal components in descending order, and the shares of the first ones.

    Parameters
    ----------
    variances : array-like of shape (n_components,)
        The variances, such as ``PCA.spectrum_``.
    kept : int, optional
        How many components are kept: where to draw the cut.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on: bars for the variances, and a line that says which percentage of their sum the
        components up to here have, scaled so that 100% is the height of the first bar.

    Examples
    --------
    >>> ax = spectrum([5.0, 3.0, 1.0, 0.5, 0.5], kept=2)
    >>> len(ax.patches), ax.get_xlabel()
    (5, 'component')
    """
    values = np.asarray(variances, dtype=np.float64)
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all() or (values < 0).any():
        raise ValueError("spectrum: 'variances' must be a list of finite numbers that are not negative.")
    if kept is not None and not 1 <= kept <= len(values):
        raise ValueError(f"spectrum: 'kept' must be from 1 to {len(values)}; got {kept}.")
    ax = axes(ax)
    places = np.arange(len(values))
    handles: list[Any] = [ax.bar(places, values, color=color(0), label="variance")]
    total = float(values.sum())
    if total > 0:
        shares = np.cumsum(values) / total
        label = "share of all so far (100%: height of the first bar)"
        handles += ax.plot(
            # On the axis of the variances: a second axis would be one more thing to read.
            places,
            shares * values.max(),
            "o-",
            color=color(1),
            markersize=3,
            linewidth=1.2,
            label=label,
        )
    if kept is not None and kept < len(values):
        handles.append(ax.axvline(kept - 0.5, color=GRAY, linestyle="--", label=f"{kept} kept"))
    ax.set_xlabel("component")
    ax.set_ylabel("variance")
    legend(ax, handles, [handle.get_label() for handle in handles])
    return ax
