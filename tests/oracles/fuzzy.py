"""Fuzzy clustering as the formulas have it: memberships, objective and the sums for the next prototypes."""

from __future__ import annotations

import numpy as np


def squares(X, centers, shapes=None):
    """d² = (x - c)ᵀ C⁻¹ (x - c); missing cells are left out where C is the identity"""
    gaps = X[:, None] - centers
    if shapes is None:
        return np.nansum(gaps**2, axis=2)
    return np.einsum("nkd,kde,nke->nk", gaps, np.linalg.inv(shapes), gaps)


def memberships(d2, w, kind, scales):
    """u_i = d_i^(2/(1-w)) / sum_k d_k^(2/(1-w)), on centers evenly; or 1 / (1 + (d²/eta)^(1/(w-1)))"""
    if kind == "possibilistic":
        with np.errstate(invalid="ignore", divide="ignore"):
            return 1 / (1 + np.where(d2 == 0, 0, d2 / scales) ** (1 / (w - 1)))
    d = np.hstack([d2, scales]) if kind == "noise" else d2
    u = np.array([row == 0 if (row == 0).any() else (row.min() / row) ** (1 / (w - 1)) for row in d])
    return (u / u.sum(axis=1, keepdims=True))[:, : d2.shape[1]]


def objective(d2, u, w, kind, scales):
    """sum u^w d², and the same of the noise, or eta (1 - u)^w"""
    total = (u**w * d2).sum(axis=1)
    if kind == "noise":
        total += (1 - u.sum(axis=1)).clip(0, 1) ** w * scales[:, 0]
    if kind == "possibilistic":
        total += (scales * (1 - u) ** w).sum(axis=1)
    return total


def sums(X, weights, centers, w, kind, scales, shapes=None):
    """sums of v (x - c), of v over known cells, of weight u, of v d², of v, of v (x - c)(x - c)ᵀ"""
    known = ~np.isnan(X)
    scales = known.mean(axis=1)[:, None] * np.reshape(scales, (1, -1))
    d2 = squares(X, centers, shapes)
    u = memberships(d2, w, kind, scales)
    v = weights[:, None] * u**w
    gaps = np.where(known[:, None], X[:, None] - centers, 0.0)
    parts = [np.einsum("nk,nkd->kd", v, gaps), v.T @ known, weights @ u, (v * d2).sum(axis=0), v.sum(axis=0)]
    total = weights @ objective(d2, u, w, kind, scales)
    return *parts, weights.sum(), total, np.einsum("nk,nkd,nke->kde", v, gaps, gaps)
