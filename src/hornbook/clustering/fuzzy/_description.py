"""How fuzzy clusterers describe themselves, and the terms of one prediction."""

from __future__ import annotations

from typing import Any

import numpy as np

from hornbook.base import Description, Table, Term, Working
from hornbook.clustering.fuzzy._assignment import NOISE, Assignment
from hornbook.clustering.fuzzy._passes import known_share
from hornbook.clustering.fuzzy._prototypes import FuzzyPrototypes
from hornbook.display import Cell
from hornbook.params import Floats

__all__ = ["description_of", "working_of"]


def description_of(model: Any, more: list[Table]) -> Description:
    """The clusters of a fitted learner: weights and centers, and tables of its own."""
    k, d = model.cluster_centers_.shape
    facts: dict[str, Cell] = {
        "objective": model.objective_,
        "passes": model.n_iter_,
        "memberships": model.kind,
        "fuzzifier": model.fuzzifier if isinstance(model.fuzzifier, float | int) else str(model.fuzzifier),
        "start": model.init if isinstance(model.init, str) else "given",
    }
    if model.kind == "noise":
        facts["noise distance"] = float(np.sqrt(model.scales_[0]))
    heads = ["cluster", "weight", *(["eta"] if model.kind == "possibilistic" else [])]
    numbers = [model.weights_, *([model.scales_] if model.kind == "possibilistic" else [])]
    clusters: list[list[Cell]] = [[i, *map(float, row)] for i, row in enumerate(zip(*numbers, strict=True))]
    tables = [
        Table("Clusters", heads, clusters),
        by_column("Centers", model.cluster_centers_, model.encoded_names_),
        *more,
    ]
    title = f"{type(model).__name__}: {k} clusters, centers with {d} columns"
    return Description(title, facts, tables)


def by_column(title: str, numbers: Floats, names: Any) -> Table:
    """Numbers of the clusters, with one row for each column of the data."""
    rows: list[list[Cell]] = [
        [str(name), *map(float, column)] for name, column in zip(names, numbers.T, strict=True)
    ]
    return Table(title, ["column", *(f"cluster {i}" for i in range(len(numbers)))], rows)


def working_of(model: Any, X: Floats, prototypes: FuzzyPrototypes, assignment: Assignment) -> Working:
    """Minus what each known column adds to the squared distance from each center, over eta if there is."""
    x, known, k = X[0], known_share(X), len(prototypes.centers)
    parts = np.column_stack([_parts(X, prototypes, i) for i in range(k)])
    if assignment.kind == "possibilistic":
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(parts == 0.0, 0.0, parts / assignment.scales)
    candidates = list(range(k))
    terms = []
    if assignment.kind == "noise":
        candidates.append(NOISE)
        parts = np.column_stack([parts, np.zeros(len(parts))])
        terms.append(Term("noise distance", [*[0.0] * k, -float(known[0] * assignment.scales[0])]))
    terms += [
        Term(f"{model.encoded_names_[j]} = {x[j]:.6g}", (0.0 - parts[j]).tolist())
        for j in np.flatnonzero(~np.isnan(x))
    ]
    if not terms:
        terms.append(Term("no cell is known", [0.0] * k))
    unit = " over eta" if assignment.kind == "possibilistic" else ""
    title = (
        f"{type(model).__name__}: the greatest membership is in the nearest cluster, that with the largest "
        f"sum of minus the parts of d²{unit}"
    )
    label = int(assignment.labels(prototypes.square_distances(X), known)[0])
    return Working(title, "sum", candidates, terms, label, distances=not unit)


def _parts(X: Floats, prototypes: FuzzyPrototypes, i: int) -> Floats:
    """What each column of a row adds to its squared distance from a center; the sum over columns is d²."""
    deviations = prototypes.deviations(X, i)[0]
    if prototypes.factors is None:
        return np.asarray(np.square(deviations))
    factor = prototypes.factors[i]
    return np.asarray(deviations * (factor.T @ (factor @ deviations)))
