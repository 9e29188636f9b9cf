"""The candidate splits of a node as a table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from hornbook.base import Table
from hornbook.display import Cell
from hornbook.frame import Column, Frame, Schema
from hornbook.impurity import absolute_deviation, entropy, impurity, known_gain, variance
from hornbook.params import Floats
from hornbook.trees._fitted import SUBSET, THRESHOLD, FittedTree
from hornbook.trees._gain_ratio import Candidates, RowScale
from hornbook.trees._settings import GrowerSettings, count_of
from hornbook.trees._targets import class_codes
from hornbook.trees.binned._bins import lacks
from hornbook.trees.explain._questions import border, class_counts, joined, level_names, listed, shown

__all__ = ["EVERYWHERE", "STAYS", "child_numbers", "reaching", "split_table"]

MOST_SUBSETS = 4096
STAYS, EVERYWHERE = -1, -2
BY_LEVEL = "by level"
KNOWN = "is known"

MOST_HOMES = 256  # branches in which rows without a value are tried, as in the native search

Bools = NDArray[np.bool_]
Places = NDArray[np.intp]


def reaching(tree: FittedTree, rows: Frame, node: int) -> Floats:
    """Fraction of each row that reaches a node: 0 or 1, or less where missing values go to all children."""
    above, path = tree.parent, [node]
    while above[path[-1]] >= 0:
        path.append(int(above[path[-1]]))
    part = np.ones(len(rows))
    # From the root downward: fractions of a row multiply along its path.
    for upper, lower in zip(path[:0:-1], path[-2::-1], strict=True):
        part *= to_child(tree, rows, upper, lower)
    return part


def child_numbers(tree: FittedTree, rows: Frame, node: int) -> NDArray[np.intp]:
    """Which child (0, 1, ...) each row in a node goes to.

    `STAYS` for a level without a branch, `EVERYWHERE` for a missing value that goes to all in fractions.
    """
    j = int(tree.feature[node])
    cells = rows.column(j)
    lacking = lacks(rows, j)
    listed = tree.levels[tree.level_offset[node] : tree.level_offset[node + 1]]
    if tree.kind[node] == THRESHOLD:
        child = np.where(cells <= tree.threshold[node], 0, 1)
    elif tree.kind[node] == SUBSET:
        child = np.where(np.isin(cells, listed), 0, 1)
    else:
        child = np.minimum(np.searchsorted(listed, cells), len(listed) - 1)
        child = np.where(listed[child] == cells, child, STAYS)
    missing = int(tree.missing_child[node])
    return np.where(lacking, EVERYWHERE if missing < 0 else missing, child)


def to_child(tree: FittedTree, rows: Frame, node: int, child: int) -> Floats:
    """Fraction of each row in a node that goes to one of its children."""
    number = child_numbers(tree, rows, node)
    whole = (number == child - int(tree.first_child[node])).astype(np.float64)
    return np.asarray(np.where(number == EVERYWHERE, tree.share[child], whole))


def split_table(
    node: int,
    rows: Frame,
    y: NDArray[Any],
    w: Floats,
    tree: FittedTree,
    settings: GrowerSettings,
    classes: NDArray[Any] | None,
    scale: RowScale,
) -> Table:
    """Candidates of all columns; ``y`` holds classes or numbers of the rows in the node."""
    target = _Numbers(settings, y, w) if classes is None else _Classes(settings, y, w, classes)
    cells: list[list[Cell]] = []
    branches: list[tuple[int, Places]] = []  # column of each candidate, and where its rows go
    for j, column in enumerate(rows.schema.columns):
        for split, known in _candidates(settings, column, rows.column(j), lacks(rows, j)):
            direction = settings.missing == "direction" and bool((known < 0).any())
            place, home = _with_missing(target, known) if direction else (known, None)
            row: list[Cell] = [*target.row(place)]
            if row[-1] == -np.inf:  # not allowed
                continue
            if split == BY_LEVEL:  # no left and right: the text lists the branches by level
                row[: len(target.heads)] = [None] * len(target.heads)
                levels = level_names(column, np.unique(rows.column(j)[known >= 0]).tolist())
                if home is not None:
                    levels[home] += " or missing"
                texts = zip(levels, target.branch_texts(place), strict=True)
                text = joined([f"{level} {branch}" for level, branch in texts])
            else:
                text = f"{split} or missing" if home == 0 else split
            cells.append([column.name, text, *row])
            branches.append((j, place))
    heads = ["column", "split", *target.heads, "impurity left", "gain"]
    if settings.criterion == "gain_ratio":
        heads.append("gain ratio")
        least = (
            count_of(settings.min_samples_leaf, int(tree.n_rows[0]), 1),
            settings.min_weight_fraction_leaf * tree.weight[0],
        )
        _add_ratios(cells, branches, least, w, rows.schema, scale)
    return Table(f"Splits of node {node}", heads, cells)


def _add_ratios(
    cells: list[list[Cell]],
    branches: list[tuple[int, Places]],
    least: tuple[int, float],
    w: Floats,
    schema: Schema,
    scale: RowScale,
) -> None:
    """Subtract the cost of thresholds from the gains, and add the ratios of the splits that are compared.

    ``least`` are the fewest rows and the smallest weight of a branch.
    """
    fewest, lightest = least
    weights = [np.bincount(place + 1, weights=w) for _, place in branches]
    allowed = [
        np.bincount(place + 1)[1:].min() >= fewest and weight[1:].min() >= lightest
        for (_, place), weight in zip(branches, weights, strict=True)
    ]
    candidates = Candidates(
        column=np.array([j for j, _ in branches], dtype=np.intp),
        gain=np.array([row[-1] for row in cells], dtype=np.float64),
        # Rows that go to all children are a branch of their own in H(A).
        divisor=np.array([entropy(weight) for weight in weights], dtype=np.float64),
        allowed=np.array(allowed, dtype=np.bool_),
        # Of equal gains the first is taken, and this comes last while growing.
        last=np.array([row[1] == KNOWN for row in cells], dtype=np.bool_),
    )
    gain, ratio = candidates.compared(float(w.sum()), schema, scale)
    for row, gained, quotient in zip(cells, gain.tolist(), ratio.tolist(), strict=True):
        row[-1:] = [gained, None if np.isnan(quotient) else quotient]


def _with_missing(target: _Classes | _Numbers, place: Places) -> tuple[Places, int]:
    """The branch of each row if missing values join the branch of largest gain, and that branch."""
    count = int(place.max()) + 1
    homes = list(range(count))
    if count > MOST_HOMES:  # as in the native search
        homes = [int(np.bincount(place[place >= 0], weights=target.w[place >= 0]).argmax())]
    filled = [np.where(place < 0, home, place) for home in homes]
    gains = np.array([target.row(places)[-1] for places in filled])
    best = int(np.argmax(gains >= gains.max() - 1e-12))  # equal up to rounding
    return filled[best], homes[best]


def _candidates(
    settings: GrowerSettings, column: Column, cells: NDArray[Any], lacking: Bools
) -> Iterator[tuple[str, Places]]:
    """Name of each split, and the branch of each row: 0, 1, ... or -1 where the value is missing."""
    known = ~lacking
    multiway = column.kind == "nominal" and settings.splits == "multiway"
    if settings.missing == "direction" and not multiway and lacking.any() and known.any():
        yield KNOWN, lacking.astype(np.intp)
    values = np.unique(cells[known])
    if len(values) < 2:
        return
    if column.kind != "nominal":
        for low, high in pairwise(values.tolist()):
            yield f"<= {border(column, 0.5 * low + 0.5 * high)}", np.where(known, cells > low, -1)
    elif multiway:
        yield BY_LEVEL, np.where(known, np.searchsorted(values, cells), -1)
    else:
        for chosen in _subsets(values, settings.subset_size):
            yield f"in {listed(level_names(column, chosen))}", np.where(known, ~np.isin(cells, chosen), -1)


def _subsets(values: NDArray[Any], most: int | None) -> Iterator[tuple[Any, ...]]:
    # Subsets of more than half of the levels are complements of smaller ones.
    largest = min(most or len(values) // 2, len(values) - 1)
    count = 0
    for size in range(1, largest + 1):
        for chosen in combinations(values.tolist(), size):
            count += 1
            if count > MOST_SUBSETS:
                return
            yield chosen


class _Classes:
    """Rows of a table about classes."""

    def __init__(self, settings: GrowerSettings, y: NDArray[Any], w: Floats, classes: NDArray[Any]) -> None:
        self._settings, self.w = settings, w
        labels = classes.tolist()
        self._codes = class_codes(y, classes)
        if (self._codes < 0).any():
            other = y.tolist()[int(np.argmax(self._codes < 0))]
            raise ValueError(
                f"y holds {other!r}, which is not among the classes {labels} of the fit: pass only classes "
                "of the fit."
            )
        self.heads = [f"left: {label}" for label in labels]

    def _counts(self, place: Places) -> Floats:
        """Class weights of each branch; in the first line, of the rows without one."""
        k = len(self.heads)
        length = (int(place.max()) + 2) * k
        counts = np.bincount((place + 1) * k + self._codes, weights=self.w, minlength=length)
        return np.asarray(counts.reshape(-1, k), dtype=np.float64)

    def branch_texts(self, place: Places) -> list[str]:
        """Class weights of each branch."""
        return [class_counts(weights) for weights in self._counts(place)[1:]]

    def row(self, place: Places) -> list[float]:
        """Class weights of the first branch, impurity left over and gain."""
        missing, *branches = self._counts(place)
        table = np.array(branches)
        criterion, beta = self._settings.criterion, self._settings.beta
        criterion = "entropy" if criterion == "gain_ratio" else criterion  # ratios are compared afterwards
        weights = table.sum(axis=1)
        left = float(weights @ impurity(table, criterion, beta) / weights.sum())
        return [*table[0].tolist(), left, known_gain(table, missing, criterion, beta)]


def _half_deviance(numbers: Floats, weights: Floats) -> float:
    """Half the mean Poisson deviance of the numbers from their mean, the mean of y log(y / mean).

    It is infinite for zeros alone, which may not be a branch.
    """
    mean = float(np.average(numbers, weights=weights))
    return float(np.average(xlogy(numbers, numbers / mean), weights=weights)) if mean > 0.0 else np.inf


_SPREADS = {
    "squared_error": variance,
    "absolute_error": absolute_deviation,
    "poisson": _half_deviance,
}


class _Numbers:
    """Rows of a table about numbers."""

    heads = ("left: rows", "left: mean")

    def __init__(self, settings: GrowerSettings, y: NDArray[Any], w: Floats) -> None:
        self._measure = _SPREADS[settings.criterion]
        self._y, self.w = y.astype(np.float64), w

    def _branches(self, place: Places) -> list[NDArray[np.intp]]:
        """The rows of each branch."""
        order = np.argsort(place, kind="stable")
        return np.split(order, np.searchsorted(place[order], np.arange(place.max() + 1)))[1:]

    def branch_texts(self, place: Places) -> list[str]:
        """Mean of each branch."""
        return [
            shown(float(np.average(self._y[rows], weights=self.w[rows]))) for rows in self._branches(place)
        ]

    def row(self, place: Places) -> list[float]:
        """Weight and mean of the first branch, impurity left over and gain."""
        branches = self._branches(place)
        weights = np.array([self.w[rows].sum() for rows in branches])
        inside = np.array([self._measure(self._y[rows], self.w[rows]) for rows in branches])
        left = float(weights @ inside / weights.sum())
        known = place >= 0
        before = self._measure(self._y[known], self.w[known])
        share = weights.sum() / self.w.sum()
        mean = float(np.average(self._y[branches[0]], weights=self.w[branches[0]]))
        gain = float(share * (before - left)) if left < np.inf else -np.inf
        return [float(weights[0]), mean, left, gain]
