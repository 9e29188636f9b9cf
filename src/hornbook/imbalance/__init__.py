"""Rare or costly classes: move the threshold, undersample, oversample, or weight mistakes.

Each is a meta-learner around any classifier of Hornbook or scikit-learn.
"""

from __future__ import annotations

from hornbook._lazy import attach

HOMES = {
    "CostSensitive": "_cost_sensitive",
    "OverSampler": "_samplers",
    "ThresholdMoving": "_threshold_moving",
    "UnderSampler": "_samplers",
}

__all__ = list(HOMES)
__getattr__, __dir__ = attach(__name__, HOMES)
