"""The Axes of a plot in three dimensions."""

from __future__ import annotations

from typing import Any

__all__ = ["axes3d", "name_axes"]


def axes3d(function: str, ax: Any, size: tuple[float, float] = (5.6, 4.6)) -> Any:
    """Return the Axes to draw on: the caller's, which must have three dimensions, or that of a new figure."""
    if ax is None:
        from matplotlib.figure import Figure  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

        return Figure(figsize=size, layout="constrained").add_subplot(projection="3d")
    if getattr(ax, "name", "") != "3d":
        raise ValueError(
            f"{function}: 'ax' must be an Axes with three dimensions; got one with the projection "
            f"'{getattr(ax, 'name', type(ax).__name__)}': make it with add_subplot(projection=\"3d\")."
        )
    return ax


def name_axes(ax: Any, names: tuple[str, str, str], title: str) -> None:
    """Write the names of the three axes and the title."""
    ax.set(xlabel=names[0], ylabel=names[1], zlabel=names[2], title=title)
    ax.tick_params(labelsize=8)
    # A little smaller than the default, which leaves no room for the name of the third axis.
    ax.set_box_aspect(None, zoom=0.88)
