"""One function per picture: numbers and an Axes in, the same Axes out.

Each function takes ``ax``, a matplotlib Axes to draw on; left out, a new figure is made, which
belongs to the Axes alone (``ax.figure.savefig("picture.svg")``). Nothing is shown or kept open behind your
back, and matplotlib itself is imported with the first picture.
"""

from __future__ import annotations

from hornbook.plots._agreement import agreement
from hornbook.plots._bars import bars
from hornbook.plots._bias_variance import bias_variance
from hornbook.plots._boundaries import boundaries
from hornbook.plots._calibration import calibration
from hornbook.plots._canvas import side_by_side
from hornbook.plots._capacity import capacity
from hornbook.plots._chances import chances
from hornbook.plots._class_densities import Panel, class_densities
from hornbook.plots._class_frequencies import class_frequencies
from hornbook.plots._class_plane import class_plane
from hornbook.plots._code_matrix import code_matrix
from hornbook.plots._coefficient_path import coefficient_path
from hornbook.plots._coefficients import coefficients
from hornbook.plots._combining import combining
from hornbook.plots._confusion import confusion
from hornbook.plots._contributions import contributions
from hornbook.plots._cost_curve import cost_curve
from hornbook.plots._critical_difference import critical_difference
from hornbook.plots._ellipses import ellipses
from hornbook.plots._fits import fits
from hornbook.plots._histogram import histogram
from hornbook.plots._importance import importance
from hornbook.plots._learning_curve import learning_curve
from hornbook.plots._linear_boundary import linear_boundary
from hornbook.plots._lines import lines
from hornbook.plots._loss_functions import loss_functions
from hornbook.plots._network import network
from hornbook.plots._null_density import null_density
from hornbook.plots._partition import Region, partition
from hornbook.plots._percentiles import percentiles
from hornbook.plots._permutation_histogram import permutation_histogram
from hornbook.plots._precision_recall import precision_recall
from hornbook.plots._process import process
from hornbook.plots._profile import profile
from hornbook.plots._projection import projection
from hornbook.plots._residuals import residuals
from hornbook.plots._roc import roc
from hornbook.plots._split_gain import split_gain
from hornbook.plots._staged_error import staged_error
from hornbook.plots._strips import strips
from hornbook.plots._text import lettered
from hornbook.plots._tree import TreeBox, tree
from hornbook.plots._validation_curve import validation_curve
from hornbook.plots._verdict import verdict
from hornbook.plots._voronoi import voronoi

__all__ = [
    "Panel",
    "Region",
    "TreeBox",
    "agreement",
    "bars",
    "bias_variance",
    "boundaries",
    "calibration",
    "capacity",
    "chances",
    "class_densities",
    "class_frequencies",
    "class_plane",
    "code_matrix",
    "coefficient_path",
    "coefficients",
    "combining",
    "confusion",
    "contributions",
    "cost_curve",
    "critical_difference",
    "ellipses",
    "fits",
    "histogram",
    "importance",
    "learning_curve",
    "lettered",
    "linear_boundary",
    "lines",
    "loss_functions",
    "network",
    "null_density",
    "partition",
    "percentiles",
    "permutation_histogram",
    "precision_recall",
    "process",
    "profile",
    "projection",
    "residuals",
    "roc",
    "side_by_side",
    "split_gain",
    "staged_error",
    "strips",
    "tree",
    "validation_curve",
    "verdict",
    "voronoi",
]
