"""Networks of simple units in layers, which learn by changing the weights of their connections.

`MLPClassifier` and `MLPRegressor` are multilayer perceptrons, trained by backpropagation with many solvers;
`WeightPenalty` is the base of penalties on their weights, `SquaredWeights` and `WeightElimination` are two.
`LVQClassifier` moves a few prototypes of each class. `RBFNetworkClassifier` and `RBFNetworkRegressor` add up
functions of the distance from centers. `ElmanClassifier` and `ElmanRegressor` read a row step by step and
remember. `ThresholdNetwork` is made of `ThresholdLayers`, by construction:
`occupied_codes` are the regions between hyperplanes, and `two_layers_suffice` says whether one unit can tell
them apart. `parameter_count` counts the weights and thresholds of a network, `hidden_units_estimate` says how
many hidden units the number of rows allows, and `is_feed_forward` whether connections lead in circles.
"""

from __future__ import annotations

from hornbook.networks._mlp import MLPClassifier, MLPRegressor
from hornbook.networks._sizes import hidden_units_estimate, parameter_count
from hornbook.networks.mlp._penalties import SquaredWeights, WeightElimination, WeightPenalty
from hornbook.networks.prototypes._lvq import LVQClassifier
from hornbook.networks.radial._rbf import RBFNetworkClassifier, RBFNetworkRegressor
from hornbook.networks.recurrent._elman import ElmanClassifier, ElmanRegressor
from hornbook.networks.threshold._feed_forward import is_feed_forward
from hornbook.networks.threshold._layers import ThresholdLayers
from hornbook.networks.threshold._regions import occupied_codes, two_layers_suffice
from hornbook.networks.threshold._threshold_network import ThresholdNetwork

__all__ = [
    "ElmanClassifier",
    "ElmanRegressor",
    "LVQClassifier",
    "MLPClassifier",
    "MLPRegressor",
    "RBFNetworkClassifier",
    "RBFNetworkRegressor",
    "SquaredWeights",
    "ThresholdLayers",
    "ThresholdNetwork",
    "WeightElimination",
    "WeightPenalty",
    "hidden_units_estimate",
    "is_feed_forward",
    "occupied_codes",
    "parameter_count",
    "two_layers_suffice",
]
