"""What the tests of tuning share: a learner with one parameter, and tables."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from hornbook.evaluation import KFold
from hornbook.params import Range, Tune


def two_classes(n=200, seed=0, shift=1.0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 3)) + shift * y[:, None], y


class Picky(RegressorMixin, BaseEstimator):
    """Predicts ``value``; refuses negative ones and, where asked, everything."""

    def __init__(self, value: Annotated[float, Range(low=0), Tune(0.0, 4.0)] = 1.0, refuse: bool = False):
        self.value = value
        self.refuse = refuse

    def fit(self, X, y, sample_weight=None):
        if self.value < 0 or self.refuse:
            raise ValueError(f"value must not be negative; got {self.value}.\nSecond line.")
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return np.full(len(X), self.value if self.value != 3 else np.nan)


FOLDS = KFold(4, shuffle=True, random_state=1)
X4, Y4 = np.zeros((160, 1)), np.full(160, 2.0)
