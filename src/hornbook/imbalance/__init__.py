"""Classes of which some are rare or dear: move the threshold, drop rows, repeat rows, or weigh mistakes.

Each is a learner around another one, which can be any classifier of Hornbook or scikit-learn.
"""

from __future__ import annotations

from hornbook.imbalance._cost_sensitive import CostSensitive
from hornbook.imbalance._samplers import OverSampler, UnderSampler
from hornbook.imbalance._threshold_moving import ThresholdMoving

__all__ = ["CostSensitive", "OverSampler", "ThresholdMoving", "UnderSampler"]
