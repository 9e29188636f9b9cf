"""Rare or costly classes: move the threshold, undersample, oversample, or weight mistakes.

Each is a meta-learner around any classifier of Hornbook or scikit-learn.
"""

from __future__ import annotations

from hornbook.imbalance._cost_sensitive import CostSensitive
from hornbook.imbalance._samplers import OverSampler, UnderSampler
from hornbook.imbalance._threshold_moving import ThresholdMoving

__all__ = ["CostSensitive", "OverSampler", "ThresholdMoving", "UnderSampler"]
