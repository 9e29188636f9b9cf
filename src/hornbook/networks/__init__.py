"""Networks of simple units in layers, which learn by changing the weights of their connections.

`LVQClassifier` moves a few prototypes of each class. `RBFNetworkClassifier` and `RBFNetworkRegressor` add up
functions of the distance from centers. `parameter_count` counts the weights and thresholds of a
network, and `hidden_units_estimate` says how many hidden units the number of rows allows.
"""

from __future__ import annotations

from hornbook.networks._sizes import hidden_units_estimate, parameter_count
from hornbook.networks.prototypes._lvq import LVQClassifier
from hornbook.networks.radial._rbf import RBFNetworkClassifier, RBFNetworkRegressor

__all__ = [
    "LVQClassifier",
    "RBFNetworkClassifier",
    "RBFNetworkRegressor",
    "hidden_units_estimate",
    "parameter_count",
]
