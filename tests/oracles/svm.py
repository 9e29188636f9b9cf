"""The dual of support vector machines by a general solver of quadratic programs."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize


def kernel_matrix(X, Y, kind, gamma=1.0, coef0=0.0, degree=3):
    """x.y, (gamma x.y + coef0)^degree, exp(-gamma |x - y|²) or tanh(gamma x.y + coef0)."""
    dots = X @ Y.T
    if kind == "rbf":
        return np.exp(-gamma * ((X[:, None] - Y[None]) ** 2).sum(axis=2))
    if kind == "poly":
        return (gamma * dots + coef0) ** degree
    return np.tanh(gamma * dots + coef0) if kind == "sigmoid" else dots


def dual_optimum(K, low, high, linear, ridge, total):
    """Minimum of ½ b'(K + diag(ridge)) b + linear'b for low <= b <= high and sum of b = total."""
    Q = K + np.diag(ridge)
    start = np.clip(np.full(len(K), total / len(K)), low, high)
    best = minimize(
        lambda b: 0.5 * b @ Q @ b + linear @ b,
        start,
        jac=lambda b: Q @ b + linear,
        bounds=[
            (lo, None if np.isinf(hi) else hi) if np.isfinite(lo) else (None, hi)
            for lo, hi in zip(low, high, strict=True)
        ],
        constraints={"type": "eq", "fun": lambda b: b.sum() - total, "jac": np.ones_like},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 2000},
    )
    return float(best.fun), best.x


def svc_dual(K, signs, costs, loss):
    """Largest Σ a - ½ ΣΣ a_i a_j y_i y_j K_ij with 0 <= a <= C or, squared, K_ii + 1/(2C)."""
    upper = costs if loss == "hinge" else np.full(len(K), np.inf)
    ridge = np.zeros(len(K)) if loss == "hinge" else 0.5 / costs
    low, high = np.where(signs > 0, 0.0, -upper), np.where(signs > 0, upper, 0.0)
    value, b = dual_optimum(K, low, high, -signs, ridge, 0.0)
    return -value, b


def descent_step(rows, b, i, low, high, target, ridge, width):
    """Best value of one multiplier of ½ |rows' b|² + ½ Σ ridge b² - target'b + width Σ |b|, and its gain."""
    slope = rows[i] @ (rows.T @ b) - target[i] + ridge[i] * b[i]
    rise = -(slope + (width if b[i] >= 0 else -width)) if b[i] < high[i] else -np.inf
    fall = slope + (width if b[i] > 0 else -width) if b[i] > low[i] else -np.inf
    if max(rise, fall) <= 0:
        return b[i], 0.0
    bend = rows[i] @ rows[i] + ridge[i]
    if bend == 0:
        return (high[i] if slope + width < 0 else low[i] if slope - width > 0 else 0.0), max(rise, fall)
    free = b[i] - slope / bend
    shrunk = np.sign(free) * max(abs(free) - width / bend, 0.0)
    return min(max(shrunk, low[i]), high[i]), max(rise, fall)


def joint_step(slopes, own, cost, curvature):
    """Multipliers of one row in the dual of Crammer and Singer, by bisection for their level.

    Minimize ½ curvature Σ a² + Σ slopes a with Σ a = 0, a <= cost for the own class and a <= 0 for others:
    a = min(bound, (level - slope) / curvature).
    """
    bounds = np.zeros(len(slopes))
    bounds[own] = cost
    low, high = slopes.min() - curvature * cost - 1.0, slopes.max() + curvature * cost + 1.0
    for _ in range(200):
        level = (low + high) / 2
        if np.minimum(bounds, (level - slopes) / curvature).sum() > 0:
            high = level
        else:
            low = level
    return np.minimum(bounds, (high - slopes) / curvature)
