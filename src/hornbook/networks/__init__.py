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

from hornbook._lazy import attach

HOMES = {
    "ElmanClassifier": "recurrent._elman",
    "ElmanRegressor": "recurrent._elman",
    "LVQClassifier": "prototypes._lvq",
    "MLPClassifier": "_mlp",
    "MLPRegressor": "_mlp",
    "RBFNetworkClassifier": "radial._rbf",
    "RBFNetworkRegressor": "radial._rbf",
    "SquaredWeights": "mlp._penalties",
    "ThresholdLayers": "threshold._layers",
    "ThresholdNetwork": "threshold._threshold_network",
    "WeightElimination": "mlp._penalties",
    "WeightPenalty": "mlp._penalties",
    "hidden_units_estimate": "_sizes",
    "is_feed_forward": "threshold._feed_forward",
    "occupied_codes": "threshold._regions",
    "parameter_count": "_sizes",
    "two_layers_suffice": "threshold._regions",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES)
