"""scikit-learn's bases and decorators, whose types stand in the stub beside this file.

scikit-learn has no types, so that type checkers would accept every call of classes that derive from its own.
"""

from __future__ import annotations

from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClusterMixin,
    OutlierMixin,
    RegressorMixin,
    TransformerMixin,
)
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.utils.metaestimators import available_if

__all__ = [
    "BaseEstimator",
    "CallbackSupportMixin",
    "ClassifierMixin",
    "ClusterMixin",
    "OutlierMixin",
    "RegressorMixin",
    "TransformerMixin",
    "available_if",
    "with_callbacks",
]
