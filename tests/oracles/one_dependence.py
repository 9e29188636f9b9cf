"""One-dependence estimators for coded rows, written out from their formulas."""

from __future__ import annotations

import numpy as np


def share(n, total, m, smoothing, alpha):
    """(n + alpha) / (N + alpha m); n / N; n / N and the first where n is 0."""
    smooth = (n + alpha) / (total + alpha * m)
    plain = n / total if total > 0 else 1 / m
    zero_only = smooth if n == 0 and total > 0 else plain
    return {"laplace": smooth, "none": plain, "zero_only": zero_only}[smoothing]


def conditional(codes, y, w, sizes, c, j, value, parent, level, how):
    """P(x_j = value | class c, x_parent = level); without a parent when it is None or its level -1."""
    rows = (y == c) & (codes[:, j] >= 0)
    if parent is not None and level >= 0:
        rows &= codes[:, parent] == level
    return share(w[rows & (codes[:, j] == value)].sum(), w[rows].sum(), sizes[j], *how)


def with_parent(codes, y, w, sizes, n_classes, row, p, how, include_self=False):
    """P(class, x_p) prod_{j != p} P(x_j | class, x_p), the product over all j when it includes itself."""
    out = []
    known = codes[:, p] >= 0
    for c in range(n_classes):
        n = w[(y == c) & (codes[:, p] == row[p])].sum()
        value = share(n, w[known].sum(), n_classes * sizes[p], *how)
        for j in range(len(row)):
            if row[j] >= 0 and (j != p or include_self):
                value *= conditional(codes, y, w, sizes, c, j, row[j], p, row[p], how)
        out.append(value)
    return np.array(out)


def aode(codes, y, w, sizes, n_classes, row, how, min_count, include_self):
    """Sum over the columns whose value occurs often enough; naive Bayes when there is none."""
    usable = [
        p for p in range(len(row)) if row[p] >= 0 and w[codes[:, p] == row[p]].sum() >= max(min_count, 1e-300)
    ]
    if usable:
        return sum(with_parent(codes, y, w, sizes, n_classes, row, p, how, include_self) for p in usable)
    return tree(codes, y, w, sizes, n_classes, row, [None] * len(row), how)


def tree(codes, y, w, sizes, n_classes, row, parents, how):
    """P(class) prod_j P(x_j | class, x_parent(j))."""
    out = []
    for c in range(n_classes):
        value = w[y == c].sum() / w.sum()
        for j in range(len(row)):
            if row[j] >= 0:
                p = parents[j]
                value *= conditional(codes, y, w, sizes, c, j, row[j], p, -1 if p is None else row[p], how)
        out.append(value)
    return np.array(out)
