"""Small learners that exercise the skeleton where no registered learner does yet."""

from __future__ import annotations

from typing import Annotated, ClassVar

import numpy as np

from hornbook.base import Accepts, Classifier, Clusterer, Regressor
from hornbook.params import Range


class Descent(Regressor):
    """Least squares by gradient descent on numbers; every step can be watched."""

    def __init__(
        self,
        *,
        max_iter: Annotated[int, Range(low=1)] = 20,
        eta0: float = 0.1,
        tol: float = 0.0,
        verbose: int = 0,
    ):
        self.max_iter = max_iter
        self.eta0 = eta0
        self.tol = tol
        self.verbose = verbose

    def _fit(self, X, y, w):
        w = np.ones(len(y)) if w is None else w
        self.coef_ = np.zeros(X.shape[1])
        for i in self.iterate(self.max_iter, name="step"):
            gradient = (X.T * w) @ (X @ self.coef_ - y) / w.sum()
            self.coef_ = self.coef_ - self.eta0 * gradient
            self.n_iter_ = i + 1
            self.record(slope=np.abs(gradient).max())
            if np.abs(gradient).max() <= self.tol:
                break

    def _predict(self, X):
        return X @ self.coef_


class SumOfColumns(Regressor):
    """Predicts the mean of the target plus the sum of the row's numbers; fitted block by block."""

    def __init__(self, *, n_jobs=None):
        self.n_jobs = n_jobs

    def _fit_blocks(self, blocks):
        total, mass = blocks.reduce(lambda b: np.array([b.y.sum(), len(b)]))
        self.level_ = total / mass

    def _predict(self, X):
        return self.level_ + X.sum(axis=1)


class Restarts(Clusterer):
    """One cluster, found several times over: loops inside a loop."""

    def __init__(self, *, n_init=2, max_iter=3):
        self.n_init = n_init
        self.max_iter = max_iter

    def _fit(self, X, y, w):
        for start in self.iterate(self.n_init, name="restart", inner=self.max_iter):
            for i in self.iterate(self.max_iter):
                self.center_ = X.mean(axis=0)
                self.record(place=10 * start + i)
        self.labels_ = self._predict(X)

    def _predict(self, X):
        return np.zeros(len(X), dtype=np.int32)


class Sign(Classifier):
    """Two classes by the sign of the first number: a learner with scores and no probabilities."""

    accepts: ClassVar = Accepts(kinds=("numeric",), missing=False)

    def __init__(self):
        pass

    def _fit(self, X, y, w):
        self.done_ = True

    def _decision(self, X):
        return X[:, 0].copy()


class CodeCount(Classifier):
    """Predicts the class whose position is the row's first code: a learner that wants codes."""

    wants: ClassVar = "codes"
    accepts: ClassVar = Accepts(kinds=("nominal", "ordinal"))

    def __init__(self):
        pass

    def _fit(self, codes, y, w):
        self.shape_ = codes.shape

    def _predict(self, codes):
        return codes[:, 0]
