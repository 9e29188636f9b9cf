"""What plots of curves share: named curves, the unit square, a band around a line, the legend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from hornbook.params import Floats
from hornbook.plots.canvas._canvas import color, figure_of, is_own, marker
from hornbook.plots.canvas._legend import PAD, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D

__all__ = [
    "SQUARE",
    "curve_legend",
    "draw_band",
    "draw_scores",
    "line_look",
    "named_curves",
    "noted",
    "unit_square",
]

SQUARE = (5.0, 4.8)  # inches of a figure whose plot is square
_ROUNDS = 3  # in which matplotlib's layout finds the place of a square with a legend beside it
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
    """Set both axes to the range from 0 to 1, slightly wider so that lines on the edge are not clipped."""
    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(-0.02, 1.02)
    # An equal aspect leaves room in the cell; NW puts it where the legend is.
    ax.set_aspect("equal", anchor="NW")  # beside its label, and where a legend begins
    ax.set_xlabel(across)
    ax.set_ylabel(up)


def line_look(i: int) -> dict[str, Any]:
    """Color and dashes of line i: dashes change when the colors begin anew."""
    return {"color": color(i), "linestyle": ("-", "--", ":", "-.")[i // 8 % 4]}


def noted(name: str, note: str) -> tuple[str, str]:
    """Return the label of a curve, and the part that follows the name; without a name, only the note."""
    return (f"{name} ({note})", f" ({note})") if name else (note, "")


def curve_legend(ax: Axes, lines: Sequence[Line2D], notes: Sequence[str] = ()) -> None:
    """Draw the legend of the lines next to the plot; must be called last.

    Labels end with their notes, which are kept when a name is cut.
    """
    labels = [str(line.get_label()) for line in lines]
    suffixes = notes or [""] * len(labels)
    names = [label.removesuffix(note) for label, note in zip(labels, suffixes, strict=True)]
    drawn = legend(ax, lines, names, notes=suffixes)
    if ax.get_aspect() != "auto":
        _keep_room(ax, drawn)


def _keep_room(ax: Axes, drawn: Legend) -> None:
    """Reserve room for the legend next to a square, which the layout engine assumes to fill its cell."""
    figure = figure_of(ax)
    engine: Any = figure.get_layout_engine()
    if is_own(ax):
        share = (drawn.get_window_extent().width + PAD * figure.dpi) / figure.bbox.width
        drawn.set_in_layout(False)
        # The engine does not know that the square is narrower than its cell, and would shrink it
        # further.
        engine.set(rect=(0.0, 0.0, 1.0 - share, 1.0))
    elif engine is not None:
        for _ in range(_ROUNDS):
            engine.execute(figure)


def draw_band(ax: Axes, x: Any, low: Floats, high: Floats, shade: str) -> None:
    """Lightly fill the area between two lines."""
    ax.fill_between(x, low, high, color=shade, alpha=0.18, linewidth=0)


def draw_scores(
    ax: Axes, x: Any, train: Floats, test: Floats, band: tuple[Floats, Floats] | None, *, joined: bool
) -> list[Line2D]:
    """Draw mean scores on training and test rows, and a band around the latter; return the lines."""
    lines: list[Line2D] = []
    style = "-" if joined else "none"
    for i, (name, scores) in enumerate({"test": test, "training": train}.items()):
        lines += ax.plot(
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
    return lines
