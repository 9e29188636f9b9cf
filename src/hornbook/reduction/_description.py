"""How `describe` presents principal components."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from hornbook.base import Description, Table, Term, Working
from hornbook.display import Cell
from hornbook.params import Floats
from hornbook.reduction._cutoff import Rule, cutoff
from hornbook.reduction._missing_cells import regression

__all__ = ["description", "working"]

MOST = 10  # components whose loadings are printed


def description(model: Any) -> Description:
    """Variances, their shares and sums, the loadings, and how many components each rule would keep."""
    k, d = model.components_.shape
    shares = model.explained_variance_ratio_
    facts: dict[str, Any] = {
        "share of the variance": float(shares.sum()),
        "variance of the noise": model.noise_variance_,
    }
    variances: list[list[Cell]] = [
        [i, float(v), float(share), float(total)]
        for i, (v, share, total) in enumerate(
            zip(model.explained_variance_, shares, np.cumsum(shares), strict=True)
        )
    ]
    shown = min(k, MOST)
    loadings: list[list[Cell]] = [
        [str(name), *map(float, column)]
        for name, column in zip(model.encoded_names_, model.components_[:shown].T, strict=True)
    ]
    tables = [
        Table("Components", ["component", "variance", "share", "sum of shares"], variances),
        Table("Directions", ["column", *(f"component {i}" for i in range(shown))], loadings),
    ]
    if len(model.spectrum_) == min(model.n_samples_, d):
        rules: list[Rule] = ["share", "kaiser", "broken_stick", "elbow"]
        tables.append(
            Table("Cut-off", ["rule", "components"], [[r, cutoff(model.spectrum_, r)] for r in rules])
        )
    return Description(f"PCA: {k} components of {d} columns", facts, tables)


def working(model: Any, row: Floats, scales: Floats) -> Working:
    """The coordinates of a row: each known cell adds its difference from the mean times a loading."""
    known = ~np.isnan(row)
    loadings = regression(known, model.components_, model.explained_variance_, model.noise_variance_) / scales
    cells = zip(model.encoded_names_[known], row[known], model.mean_[known], loadings, strict=True)
    terms = [
        Term(f"{name}: {cell:.6g} - {mean:.6g}", ((cell - mean) * loading).tolist())
        for name, cell, mean, loading in cells
    ]
    names = [f"component {i}" for i in range(model.n_components_)]
    working = Working("PCA: coordinates, sums of (cell - mean) times loading", "sum", names, terms, [])
    return replace(working, prediction=working.scores)
