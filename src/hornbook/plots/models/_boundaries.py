"""Decision boundaries of several classifiers in the plane."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from hornbook.plots.canvas._canvas import GRAY, axes, color
from hornbook.plots.canvas._class_points import class_order, class_points
from hornbook.plots.canvas._grid import grid_like, placed_rows, span

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["boundaries"]

STEPS = 200
_DASHES = ("solid", "dashed", "dotted", "dashdot")


def boundaries(
    models: Sequence[Any] | Mapping[str, Any],
    X: Any,
    y: ArrayLike,
    ax: Axes | None = None,
    *,
    bold: Any = None,
    bold_color: str = "black",
    heights: Callable[[Any], ArrayLike] | None = None,
    title: str = "",
) -> Axes:
    """Draw the decision boundary of each of several classifiers, to see how much they differ.

    Fitted to bootstrap samples of the same table, the lines show the variance of a learner; the bold line
    is that of a further model, such as their vote.

    Parameters
    ----------
    models : sequence of fitted classifiers, or a mapping of them by name
        The models, one thin line each; those with names have lines of their own kind, in the legend.
    X : table with two numeric columns
        The points; rows with a missing number cannot be drawn and are counted above the plot.
    y : array-like of shape (n,)
        Their classes.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.
    bold : fitted classifier, optional
        A model whose line is bold.
    bold_color : str, default "black"
        Color of its line.
    heights : callable, optional
        Gives a number for each row of a table, such as a coordinate of a transformer; its level curves are
        drawn thin, with their values.
    title : str, default ""
        Title of the plot.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> from hornbook import NaiveBayes, datasets
    >>> iris = datasets.iris()
    >>> X, y = iris.numbers[:, :2], iris.y
    >>> models = [NaiveBayes().fit(X[i::3], y[i::3]) for i in range(3)]
    >>> ax = boundaries(models, X, y)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['setosa', 'versicolor', 'virginica']
    """
    rows = placed_rows("boundaries", X, y, 2, "class")
    ax = axes(ax)
    across, up = span(rows.points[:, 0], STEPS), span(rows.points[:, 1], STEPS)
    grid = np.column_stack([side.ravel() for side in np.meshgrid(across, up)])
    table = grid_like(X, grid)
    if heights is not None:
        levels = np.asarray(heights(table), dtype=np.float64).reshape(STEPS, STEPS)
        if levels.min() < levels.max():
            ax.clabel(ax.contour(across, up, levels, colors=GRAY, linewidths=0.7), fontsize=7)
    classes = class_order(rows.y, bold)
    more: list[tuple[Any, str]] = []
    if isinstance(models, Mapping):
        for i, (name, model) in enumerate(models.items()):
            # Colors go on after those of the classes.
            look = {
                "color": color(len(classes) + i),
                "linestyle": _DASHES[i % len(_DASHES)],
                "linewidth": 1.8,
            }
            _outline(ax, model, table, (across, up), look)
            more.append((_handle(look), name))
    else:
        for model in models:
            _outline(ax, model, table, (across, up), {"color": GRAY, "linewidth": 0.8})
    if bold is not None:
        _outline(ax, bold, table, (across, up), {"color": bold_color, "linewidth": 2.6})
    ax.set_xlabel(rows.names[0] or "x1")
    ax.set_ylabel(rows.names[1] or "x2")
    ax.set_title(title, loc="left" if rows.left_out else "center")
    rows.say_left_out(ax)
    class_points(ax, rows.points, rows.y, classes, more=more)
    return ax


def _handle(look: dict[str, Any]) -> Any:
    from matplotlib.lines import Line2D  # noqa: PLC0415  importing matplotlib is slow, and only plotting needs it

    return Line2D([], [], **look)


def _outline(ax: Axes, model: Any, table: Any, edges: tuple[Any, Any], look: dict[str, Any]) -> None:
    """Draw where the model is undecided, or the outline of the region of each class but the last."""
    shape = len(edges[1]), len(edges[0])
    style: dict[str, Any] = {f"{key}s": value for key, value in look.items()}
    predicted = np.asarray(model.predict(table)).reshape(shape)
    labels = np.unique(predicted)
    if len(labels) == 2 and hasattr(model, "decision_function"):
        margin = np.asarray(model.decision_function(table))
        if margin.shape == predicted.ravel().shape:  # smoother than the steps of the grid
            ax.contour(*edges, margin.reshape(shape), levels=[0.0], **style)
            return
    # The last region is bounded by all others, whose outlines are drawn.
    for label in labels[:-1]:
        ax.contour(*edges, (predicted == label).astype(np.float64), levels=[0.5], **style)
