"""Plots of Bayes classifiers: ellipses for two numeric columns, else a panel for each column."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import class_codes
from hornbook.bayes.models._factors import Factors, KernelDensity, NormalDensities
from hornbook.frame import Frame, Schema, interval_names
from hornbook.params import Floats
from hornbook.plots import Panel, class_densities, ellipses

__all__ = ["draw"]

GRID = 200  # points of a density curve


def draw(
    learner: Any,
    factors: Factors,
    rows: Frame | None,
    labels: NDArray[Any] | None,
    ax: Any,
    covariances: Floats | None = None,
) -> Any:
    """Draw class ellipses when there are just two numeric columns, else one panel for each column.

    Rows are points among the ellipses, ticks under the densities, and marked frequencies of the levels.
    Rows without a target are drawn with the class that is predicted.
    """
    schema: Schema = learner.schema_
    names = [str(label) for label in learner.classes_]
    density = factors.density
    codes = None if rows is None else class_codes(learner, rows, labels)
    if isinstance(density, NormalDensities) and len(schema.numeric) == len(schema.columns) == 2:
        shape = density.var if covariances is None else covariances
        y = None if codes is None else np.array(names, dtype=object)[codes]
        ax = ellipses(density.mean, shape, names, X=rows, y=y, ax=ax)
        ax.set(xlabel=schema.names[0], ylabel=schema.names[1])
        return ax
    # A category without a level has nothing to draw.
    filled = [j for j, column in enumerate(schema.columns) if column.kind == "numeric" or column.levels]
    panels = [_panel(factors, schema, j, names) for j in filled]
    if rows is not None and codes is not None:
        panels = [
            _with_rows(factors, schema, j, panel, rows, codes)
            for j, panel in zip(filled, panels, strict=True)
        ]
    return class_densities(panels, ax=ax)


def _with_rows(
    factors: Factors, schema: Schema, j: int, panel: Panel, rows: Frame, codes: NDArray[np.intp]
) -> Panel:
    """The panel with the numbers of the rows, or the frequencies of the levels among them."""
    present = [(i, name) for i, name in enumerate(panel.curves) if (codes == i).any()]
    if panel.kind == "density":
        return replace(panel, rows={name: rows.column(j)[codes == i] for i, name in present})
    coded, numeric = schema.coded.tolist(), schema.numeric.tolist()
    place = coded.index(j) if j in coded else len(coded) + numeric.index(j)
    levels = factors.plan.codes(rows.numbers, rows.codes)[:, place]
    count = len(np.asarray(panel.x))
    shares = {}
    for i, name in present:
        seen = levels[(codes == i) & (levels >= 0)]
        if len(seen):
            shares[name] = np.bincount(seen, minlength=count)[:count] / len(seen)
    return replace(panel, shares=shares)


def _panel(factors: Factors, schema: Schema, j: int, names: list[str]) -> Panel:
    column = schema.columns[j]
    if column.kind != "numeric":
        place = schema.coded.tolist().index(j)
        probabilities = factors.table(place)
        return Panel(
            column.name, [str(level) for level in column.levels], _named(names, probabilities), "bars"
        )
    place = schema.numeric.tolist().index(j)
    if factors.plan.edges is not None:
        probabilities = factors.table(len(schema.coded) + place)
        bins = interval_names(factors.plan.edges[place])
        return Panel(column.name, bins, _named(names, probabilities), "bars")
    grid = _grid(factors.density, place)
    # The density of one column is the likelihood of rows in which all others are missing.
    numbers = np.full((GRID, len(schema.numeric)), np.nan)
    numbers[:, place] = grid
    blank = np.full((GRID, len(schema.coded)), -1, dtype=np.int32)
    heights = np.exp(factors.likelihood(numbers, blank, 1)).T
    return Panel(column.name, grid, _named(names, heights), "density")


def _named(names: list[str], values: Floats) -> dict[str, Floats]:
    return dict(zip(names, values, strict=True))


def _grid(density: NormalDensities | KernelDensity | None, j: int) -> Floats:
    if isinstance(density, NormalDensities):
        reach = 3.5 * np.sqrt(density.var[:, j])  # beyond, a normal density is below 0.3 % of its peak
        return np.linspace((density.mean[:, j] - reach).min(), (density.mean[:, j] + reach).max(), GRID)
    assert isinstance(density, KernelDensity)
    n_columns = density.bandwidth.shape[1]
    mine = [
        density.points[density.offsets[s] : density.offsets[s + 1]]
        for s in range(j, len(density.offsets) - 1, n_columns)
    ]
    reach = 3 * density.bandwidth[:, j].max()
    return np.linspace(min(p[0] for p in mine) - reach, max(p[-1] for p in mine) + reach, GRID)
