"""Polynomials of one variable by least squares, and noisy curves for them: small and exact."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin


class Polynomial(RegressorMixin, BaseEstimator):
    """Least squares over 1, x, ..., x**degree."""

    def __init__(self, degree=1):
        self.degree = degree

    def fit(self, X, y):
        self.coef_ = np.linalg.lstsq(self._powers(X), np.asarray(y, dtype=float), rcond=None)[0]
        return self

    def predict(self, X):
        return self._powers(X) @ self.coef_

    def _powers(self, X):
        return np.asarray(X, dtype=float)[:, :1] ** np.arange(self.degree + 1)


class Descent(Polynomial):
    """The same model class, fitted by few steps of gradient descent: a heuristic that stops early."""

    def __init__(self, degree=1, n_steps=5):
        super().__init__(degree)
        self.n_steps = n_steps

    def fit(self, X, y):
        powers, y = self._powers(X), np.asarray(y, dtype=float)
        self.coef_ = np.zeros(self.degree + 1)
        for _ in range(self.n_steps):
            self.coef_ -= 0.3 * powers.T @ (powers @ self.coef_ - y) / len(y)
        return self


def parabola(x):
    return 1.0 - x + 2.0 * x**2


def noisy_parabola(n_rows, sd):
    """Sampler of training sets."""

    def sampler(rng):
        x = rng.uniform(-1, 1, n_rows)
        return x[:, None], parabola(x) + rng.normal(0, sd, n_rows)

    return sampler
