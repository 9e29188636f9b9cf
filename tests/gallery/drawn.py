"""What a figure shows, read from its artists."""

from __future__ import annotations

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.contour import ContourSet


def texts(ax):
    """Words written in the plot, without empty ones."""
    return [text.get_text() for text in ax.texts if text.get_text()]


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def contours(ax):
    """Corners of each level curve, one array for each call that drew some."""
    sets = [part for part in ax.collections if isinstance(part, ContourSet)]
    return [np.concatenate([path.vertices for path in part.get_paths()]) for part in sets]


def points(ax):
    """Places of all marks, group by group, in the order of drawing."""
    groups = [part for part in ax.collections if isinstance(part, PathCollection)]
    return [np.asarray(part.get_offsets()) for part in groups]
