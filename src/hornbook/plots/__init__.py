"""One function per plot: numbers and an Axes in, the same Axes out.

Each function takes ``ax``, a matplotlib Axes to draw on; left out, a new figure is made, which
belongs to the Axes alone (``ax.figure.savefig("plot.svg")``). Nothing is shown or kept open without being
asked for, and matplotlib itself is imported with the first plot.
"""

from __future__ import annotations

from hornbook.plots.canvas._bars import bars
from hornbook.plots.canvas._canvas import side_by_side as side_by_side
from hornbook.plots.canvas._lines import lines
from hornbook.plots.canvas._strips import strips
from hornbook.plots.canvas._text import lettered as lettered
from hornbook.plots.comparisons._agreement import agreement
from hornbook.plots.comparisons._bias_variance import bias_variance
from hornbook.plots.comparisons._chances import chances
from hornbook.plots.comparisons._combining import combining
from hornbook.plots.comparisons._confusion import confusion
from hornbook.plots.comparisons._critical_difference import critical_difference
from hornbook.plots.comparisons._kappa_error import kappa_error
from hornbook.plots.comparisons._null_density import null_density
from hornbook.plots.comparisons._permutation_histogram import permutation_histogram
from hornbook.plots.comparisons._residuals import residuals
from hornbook.plots.comparisons._verdict import verdict
from hornbook.plots.components._biplot import biplot
from hornbook.plots.components._layers import layers
from hornbook.plots.components._spectrum import spectrum
from hornbook.plots.curves._calibration import calibration
from hornbook.plots.curves._calibration_maps import calibration_maps
from hornbook.plots.curves._capacity import capacity
from hornbook.plots.curves._cluster_count import cluster_count
from hornbook.plots.curves._cost_curve import cost_curve
from hornbook.plots.curves._learning_curve import learning_curve
from hornbook.plots.curves._loss_functions import loss_functions
from hornbook.plots.curves._margin_distribution import margin_distribution
from hornbook.plots.curves._precision_recall import precision_recall
from hornbook.plots.curves._roc import roc
from hornbook.plots.curves._staged_error import staged_error
from hornbook.plots.curves._validation_curve import validation_curve
from hornbook.plots.effects._beeswarm import beeswarm
from hornbook.plots.effects._dependence import dependence
from hornbook.plots.effects._partial_dependence import partial_dependence
from hornbook.plots.effects._waterfall import waterfall
from hornbook.plots.groups._clusters import clusters
from hornbook.plots.groups._dendrogram import dendrogram
from hornbook.plots.groups._k_distance import bend as bend
from hornbook.plots.groups._k_distance import k_distance
from hornbook.plots.groups._memberships import memberships
from hornbook.plots.groups._structure import cluster_structure
from hornbook.plots.models._boundaries import boundaries
from hornbook.plots.models._class_densities import Panel, class_densities
from hornbook.plots.models._class_frequencies import class_frequencies
from hornbook.plots.models._class_plane import class_plane
from hornbook.plots.models._code_matrix import code_matrix
from hornbook.plots.models._coefficient_path import coefficient_path
from hornbook.plots.models._coefficients import coefficients
from hornbook.plots.models._contributions import contributions
from hornbook.plots.models._ellipses import ellipses
from hornbook.plots.models._fits import fits
from hornbook.plots.models._importance import importance
from hornbook.plots.models._linear_boundary import linear_boundary
from hornbook.plots.models._margins import margins
from hornbook.plots.models._network import network
from hornbook.plots.models._partition import Region, partition
from hornbook.plots.models._projection import projection
from hornbook.plots.models._split_gain import split_gain
from hornbook.plots.models._tree import TreeBox, tree
from hornbook.plots.models._voronoi import voronoi
from hornbook.plots.tables._histogram import histogram
from hornbook.plots.tables._percentiles import percentiles
from hornbook.plots.tables._process import process
from hornbook.plots.tables._profile import profile

__all__ = [
    "Panel",
    "Region",
    "TreeBox",
    "agreement",
    "bars",
    "beeswarm",
    "bias_variance",
    "biplot",
    "boundaries",
    "calibration",
    "calibration_maps",
    "capacity",
    "chances",
    "class_densities",
    "class_frequencies",
    "class_plane",
    "cluster_count",
    "cluster_structure",
    "clusters",
    "code_matrix",
    "coefficient_path",
    "coefficients",
    "combining",
    "confusion",
    "contributions",
    "cost_curve",
    "critical_difference",
    "dendrogram",
    "dependence",
    "ellipses",
    "fits",
    "histogram",
    "importance",
    "k_distance",
    "kappa_error",
    "layers",
    "learning_curve",
    "linear_boundary",
    "lines",
    "loss_functions",
    "margin_distribution",
    "margins",
    "memberships",
    "network",
    "null_density",
    "partial_dependence",
    "partition",
    "percentiles",
    "permutation_histogram",
    "precision_recall",
    "process",
    "profile",
    "projection",
    "residuals",
    "roc",
    "spectrum",
    "split_gain",
    "staged_error",
    "strips",
    "tree",
    "validation_curve",
    "verdict",
    "voronoi",
    "waterfall",
]
