"""How `describe` and `working` present a normal mixture."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hornbook.base import Description, Table, Term, Working
from hornbook.clustering.mixture._components import MixtureModel, NormalComponents
from hornbook.display import Cell
from hornbook.params import Floats

__all__ = ["description", "working"]

MOST_COLUMNS = 12  # whose covariance matrices are printed


def description(learner: Any, components: NormalComponents, model: MixtureModel) -> Description:
    """Weights, means, standard deviations and, of few columns, covariances."""
    k, d = components.means.shape
    names = [str(name) for name in learner.encoded_names_]
    facts = {
        "covariances": model.covariance_type,
        "mean log-likelihood": learner.lower_bound_,
        "passes": learner.n_iter_,
        "converged": learner.converged_,
        "free parameters": model.n_parameters(k, d),
    }
    weights: list[list[Cell]] = [[i, float(weight)] for i, weight in enumerate(components.weights)]
    head = ["column", *(f"component {i}" for i in range(k))]
    spreads = np.sqrt(model.variances(components))
    tables = [
        Table("Weights", ["component", "weight"], weights),
        Table("Means", head, _by_column(names, components.means)),
        Table("Standard deviations", head, _by_column(names, spreads)),
    ]
    if not model.diagonal and 1 < d <= MOST_COLUMNS:
        matrices = model.matrices(components)
        titles = (
            ["all components"] if model.covariance_type == "tied" else [f"component {i}" for i in range(k)]
        )
        for title, matrix in zip(titles, matrices, strict=False):
            tables.append(Table(f"Covariances of {title}", ["column", *names], _by_column(names, matrix)))
    return Description(f"Gaussian mixture: {k} components in {d} columns", facts, tables)


def _by_column(names: list[str], table: Floats) -> list[list[Cell]]:
    return [[name, *map(float, column)] for name, column in zip(names, table.T, strict=True)]


def working(X: Floats, components: NormalComponents, model: MixtureModel, prediction: Any) -> Working:
    """Prior and density of each component, and the posterior probabilities that follow."""
    known = np.flatnonzero(~np.isnan(X[0]))
    heights, squares = [], []
    for mean, covariance in zip(components.means, model.matrices(components), strict=True):
        factor = np.linalg.cholesky(covariance[np.ix_(known, known)])
        heights.append(-np.log(np.diag(factor)).sum() - 0.5 * len(known) * math.log(2 * math.pi))
        squares.append(float(np.square(np.linalg.solve(factor, (X[0] - mean)[known])).sum()))
    terms = [
        Term("weight of the component", np.log(components.weights).tolist()),
        Term("density at its mean", [float(height) for height in heights]),
        Term("exp(-½ squared Mahalanobis distance)", [-0.5 * square for square in squares]),
    ]
    title = "Gaussian mixture: posterior probability is proportional to weight times density"
    return Working(title, "product", range(len(components.weights)), terms, prediction)
