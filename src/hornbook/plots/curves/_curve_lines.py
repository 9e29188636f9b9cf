"""What pictures of curves share: named curves, a square of shares, a band around a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hornbook.plots.canvas._canvas import color, marker

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_band", "draw_scores", "named_curves", "unit_square"]

Floats = NDArray[np.float64]
Curve = TypeVar("Curve")


def named_curves(
    function: str, curves: Curve | Mapping[str, Curve], kinds: tuple[type, ...]
) -> dict[str, Curve]:
    """Return curves by name; a single curve has no name."""
    named: dict[str, Any] = dict(curves) if isinstance(curves, Mapping) else {"": curves}
    if not named:
        raise ValueError(f"{function}: 'curves' must hold at least one curve; got none.")
    for name, curve in named.items():
        if not isinstance(curve, kinds):
            words = " or ".join(kind.__name__ for kind in kinds)
            of = f" for '{name}'" if name else ""
            raise TypeError(
                f"{function}: 'curves' must be a {words}, or a dict of them by name; "
                f"got {type(curve).__name__}{of}."
            )
    return named


def unit_square(ax: Axes, across: str, up: str) -> None:
    """Set both axes to shares from 0 to 1, a little wider so that lines on the edge are whole."""
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(-0.02, 1.02)
    ax.set_aspect("equal")
    ax.set_xlabel(across)
    ax.set_ylabel(up)


def draw_band(ax: Axes, x: Any, low: Floats, high: Floats, shade: str) -> None:
    """Fill the room between two lines, lightly."""
    ax.fill_between(x, low, high, color=shade, alpha=0.18, linewidth=0)


def draw_scores(
    ax: Axes, x: Any, train: Floats, test: Floats, band: tuple[Floats, Floats] | None, *, joined: bool
) -> None:
    """Draw mean scores on training and test rows over folds, and a band around the latter."""
    style = "-" if joined else "none"
    for i, (name, scores) in enumerate({"test": test, "training": train}.items()):
        ax.plot(
            x,
            scores.mean(axis=1),
            marker=marker(i),
            markersize=5,
            color=color(i),
            linestyle=style if i == 0 or not joined else "--",
            label=f"{name} rows",
        )
    if band is not None and joined:
        draw_band(ax, x, *band, color(0))
    elif band is not None:
        middle = test.mean(axis=1)
        ax.errorbar(
            x, middle, yerr=[middle - band[0], band[1] - middle], fmt="none", ecolor=color(0), capsize=3
        )
    ax.legend(frameon=False)
