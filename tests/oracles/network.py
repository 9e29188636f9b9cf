"""A Bayesian network by brute force: the whole joint distribution as one array."""

from __future__ import annotations

import numpy as np


def conditional_table(codes, w, sizes, node, parents, smoothing, alpha):
    """P(node | parents), one axis for each parent and the last for the node, from rows that know them all."""
    axes = [*parents, node]
    n = np.zeros([sizes[v] for v in axes])
    for row, weight in zip(codes[:, axes], w, strict=True):
        if (row >= 0).all():
            n[tuple(row)] += weight
    total, m = n.sum(axis=-1, keepdims=True), n.shape[-1]
    smooth = (n + alpha) / (total + alpha * m)
    plain = np.where(total > 0, n / np.where(total > 0, total, 1), 1 / m)
    return {"laplace": smooth, "none": plain}[smoothing]


def whole_joint(tables, parents, sizes):
    """P(x_1, ..., x_k) = prod_i P(x_i | parents of i), one axis for each node."""
    joint = np.ones(sizes)
    for node, (table, above) in enumerate(zip(tables, parents, strict=True)):
        axes = [*above, node]
        order = np.argsort(axes)
        shape = [sizes[v] if v in axes else 1 for v in range(len(sizes))]
        joint = joint * table.transpose(order).reshape(shape)
    return joint


def marginal(joint, known, keep):
    """Sum the joint over everything that is neither known (a dict of node to level) nor kept."""
    index = tuple(known.get(v, slice(None)) for v in range(joint.ndim))
    left = [v for v in range(joint.ndim) if v not in known]
    part = joint[index]
    return part.sum(axis=tuple(i for i, v in enumerate(left) if v not in keep))
