"""A kernel machine drawn as a network: columns, one node for each stored row, and their weighted sum."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from hornbook.params import Floats
from hornbook.plots import network

__all__ = ["kernel_network"]

Edge = tuple[Hashable, Hashable]


def kernel_network(model: Any, *, most: int = 6, ax: Any = None) -> Any:
    """Draw a fitted kernel machine as a network with one hidden layer.

    Each node of the hidden layer computes the kernel value of the row with a stored one, so the number of
    nodes and their centers are what was learned. With a Gaussian kernel this is the architecture of a radial
    basis function network, with a hyperbolic tangent that of a perceptron with two layers.

    Parameters
    ----------
    model : fitted learner
        With ``dual_coef_`` and ``support_vectors_`` or ``X_fit_``: a support vector machine for two classes
        or for numbers, scikit-learn's included, `KernelPerceptron` or `KernelRidge`.
    most : int, default 6
        How many nodes are drawn: those with the largest coefficients; the picture says how many there are.
    ax : matplotlib Axes, optional
        Where to draw; a new figure when left out.

    Returns
    -------
    ax : matplotlib Axes
        The picture; arrows to the sum have the coefficients.

    Examples
    --------
    >>> from hornbook import KernelPerceptron
    >>> from hornbook.svm import kernel_network
    >>> model = KernelPerceptron(gamma=1.0).fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> kernel_network(model).get_title()
    '4 nodes'
    """
    if most < 1:
        raise ValueError(f"kernel_network: 'most' must be at least 1; got {most}.")
    rows, coef = _expansion(model)
    # The largest are chosen, then drawn in the order of the rows.
    order = np.sort(np.argsort(-np.abs(coef), kind="stable")[:most])
    columns = [str(name) for name in getattr(model, "encoded_names_", ())]
    if len(columns) != rows.shape[1]:
        columns = [f"x{j + 1}" for j in range(rows.shape[1])]
    nodes = {i: f"k(x, s{i + 1}), s{i + 1} = {_text(rows[i])}" for i in order.tolist()}
    edges: list[Edge] = [(column, node) for node in nodes.values() for column in columns]
    labels: dict[Edge, str] = {(node, "sum"): f"{coef[i]:.3g}" for i, node in nodes.items()}
    edges += labels
    ax = network(edges, labels=labels, faint=columns, ax=ax)
    rest = "" if len(order) == len(coef) else f", the {len(order)} with the largest coefficients"
    constant = float(np.ravel(getattr(model, "intercept_", 0.0))[0])
    ax.set_title(f"{len(coef)} nodes{rest}" + (f"; the sum begins at {constant:.3g}" if constant else ""))
    return ax


def _text(row: Floats) -> str:
    return "[" + ", ".join(f"{value:.3g}" for value in row) + "]"


def _expansion(model: Any) -> tuple[Floats, Floats]:
    """The stored rows and their coefficients."""
    rows = getattr(model, "support_vectors_", getattr(model, "X_fit_", None))
    coef = getattr(model, "dual_coef_", None)
    if rows is None or coef is None or not len(rows):
        raise ValueError(
            "kernel_network: 'model' must be a fitted kernel machine with dual_coef_ and stored rows; got "
            f"{type(model).__name__}."
        )
    table, weights = np.asarray(rows, dtype=np.float64), np.asarray(coef, dtype=np.float64)
    if weights.size != len(table):
        raise ValueError(
            f"kernel_network: one sum can be drawn, but {type(model).__name__} has several: fit it on two "
            "classes or one target."
        )
    return table, weights.ravel()
