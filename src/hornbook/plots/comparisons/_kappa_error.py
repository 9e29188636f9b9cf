"""Kappa-error diagrams of the pairs of several classifiers (Margineantu and Dietterich 1997)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hornbook.evaluation import KappaError
from hornbook.plots.canvas._canvas import GRAY, axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["kappa_error"]

_AREA = 18.0  # square points of a dot for one pair
_LARGEST = 600.0


def kappa_error(result: KappaError, ax: Axes | None = None) -> Axes:
    """Draw a dot for each pair of classifiers: how much they agree, and how often they are wrong.

    The area of a dot is that of all pairs at the same place. An ensemble of accurate and different
    classifiers lies low and to the left; at kappa 0, the dashed line, they agree as by chance.

    Parameters
    ----------
    result : KappaError
        As `hornbook.evaluation.kappa_error` returns it.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> from hornbook.evaluation import kappa_error as pairs_of
    >>> ax = kappa_error(pairs_of([["a", "a", "b"], ["a", "b", "b"]], ["a", "a", "b"]))
    >>> ax.get_title()
    '1 pair of 2 different classifiers'
    """
    points = result.points
    ax = axes(ax)
    ax.axvline(0.0, color=GRAY, linestyle="--", linewidth=1)
    if len(points):
        # Areas in proportion to the number of pairs, all of them scaled down if one would be too
        # large.
        unit = min(_AREA, _LARGEST / points[:, 2].max())
        ax.scatter(points[:, 0], points[:, 1], s=unit * points[:, 2], color=color(0), alpha=0.7)
    n_pairs = len(result.pairs)
    ax.set_title(f"{n_pairs} pair{'s' * (n_pairs != 1)} of {result.n_distinct} different classifiers")
    ax.set_xlabel("kappa of the pair")
    ax.set_ylabel("mean error of the pair")
    return ax
