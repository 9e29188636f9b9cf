"""Stability of clusterings, and what it is on tables without clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hornbook.evaluation import ClusterStructure
from hornbook.plots.canvas._canvas import GRAY, axes, color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["cluster_structure"]


def cluster_structure(structure: ClusterStructure, *, alpha: float = 0.05, ax: Axes | None = None) -> Axes:
    """Draw the stability of each clusterer, with its range on tables without clusters.

    Thin lines reach from the smallest to the largest stability on the tables of each kind; the dot is that of
    the table itself, filled if it is more than tables without clusters give.

    Parameters
    ----------
    structure : ClusterStructure
        As `hornbook.evaluation.cluster_structure` makes it.
    alpha : float, default 0.05
        Up to which adjusted p a dot is filled.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    Axes
        The Axes drawn on.

    Examples
    --------
    >>> from hornbook.evaluation import ClusterStructure
    >>> references = {"normal": np.array([[0.2], [0.4]]), "uniform": np.array([[0.3], [0.5]])}
    >>> cluster_structure(ClusterStructure(("k=2",), np.array([0.9]), references)).get_xlabel()
    'stability'
    """
    if not isinstance(structure, ClusterStructure):
        raise TypeError(
            "cluster_structure: 'structure' must be a ClusterStructure, as "
            f"hornbook.evaluation.cluster_structure makes; got {type(structure).__name__}."
        )
    ax = axes(ax)
    order = np.argsort(np.nan_to_num(structure.values, nan=-1.0), kind="stable")
    places = np.arange(len(order))
    kinds = list(structure.references)
    for j, kind in enumerate(kinds):
        means = structure.references[kind][:, order]
        # Kinds of references side by side around the row of the clusterer.
        shifted = places + 0.22 * (j - (len(kinds) - 1) / 2)
        ax.hlines(
            shifted,
            means.min(axis=0),
            means.max(axis=0),
            color=color(j + 1),
            linewidth=2.5,
            alpha=0.55,
            label=kind,
        )
    values, significant = structure.values[order], structure.p[order] <= alpha
    for some, face, label in (
        (significant, color(0), "more than without clusters"),
        (~significant, "none", "not more"),
    ):
        if some.any():
            ax.plot(
                values[some], places[some], "o", color=color(0), markerfacecolor=face, label=label, zorder=3
            )
    ax.axvline(1.0, color=GRAY, linestyle=":", linewidth=1)
    ax.set_yticks(places, [structure.names[i] for i in order])
    ax.set_xlabel("stability")
    ax.figure.set_figheight(max(2.5, 0.9 + 0.24 * len(order)))  # type: ignore[union-attr]  # of a figure, not of a part of it
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3, frameon=False)
    return ax
