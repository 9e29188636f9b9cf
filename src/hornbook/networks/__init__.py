"""Networks of simple units in layers, which learn by changing the weights of their connections.

`parameter_count` counts the weights and thresholds of a network, and `hidden_units_estimate` says how many
hidden units the number of rows allows.
"""

from __future__ import annotations

from hornbook.networks._sizes import hidden_units_estimate, parameter_count

__all__ = ["hidden_units_estimate", "parameter_count"]
