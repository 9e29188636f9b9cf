"""One function per picture: numbers and an Axes in, the same Axes out.

Each function takes ``ax``, a matplotlib Axes to draw on; left out, a new figure is made, which
belongs to the Axes alone (``ax.figure.savefig("picture.svg")``). Nothing is shown or kept open behind your
back, and matplotlib itself is imported with the first picture.
"""

from __future__ import annotations

from hornbook.plots._bars import bars
from hornbook.plots._bias_variance import bias_variance
from hornbook.plots._boundaries import boundaries
from hornbook.plots._class_densities import Panel, class_densities
from hornbook.plots._ellipses import ellipses
from hornbook.plots._fits import fits
from hornbook.plots._histogram import histogram
from hornbook.plots._percentiles import percentiles
from hornbook.plots._profile import profile
from hornbook.plots._verdict import verdict

__all__ = [
    "Panel",
    "bars",
    "bias_variance",
    "boundaries",
    "class_densities",
    "ellipses",
    "fits",
    "histogram",
    "percentiles",
    "profile",
    "verdict",
]
