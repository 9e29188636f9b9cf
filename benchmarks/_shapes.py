"""Tables of many shapes: few and many rows and columns, classes and numbers, ties and categories."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import polars as pl

ROWS = (1_000, 10_000, 100_000, 1_000_000)
COLUMNS = (5, 30, 200)
CLASSES = (2, 7, 26, 0)  # 0: numbers
KINDS = ("continuous", "tied", "two-valued", "categories")
LEVELS = 12  # of a category
MOST_CELLS = 2 * 10**7


@dataclass(frozen=True)
class Shape:
    """What a table looks like; with 0 classes the target is a number."""

    rows: int
    columns: int
    classes: int
    kind: str

    def __str__(self) -> str:
        target = f"{self.classes} classes" if self.classes else "numbers"
        return f"{self.rows:,} x {self.columns}, {target}, {self.kind}"


@dataclass(frozen=True)
class Sample:
    """A table to learn from, and rows for the test; categories are text in a polars frame."""

    X: Any
    y: np.ndarray
    new: Any
    truth: np.ndarray


def shapes(*, quick: bool) -> Iterator[Shape]:
    """Yield the grid: all targets and kinds on small tables, each of them once for a size of large ones."""
    if quick:
        yield from (Shape(200, 5, classes, kind) for classes, kind in zip(CLASSES, KINDS, strict=True))
        return
    for i, (rows, columns) in enumerate(product(ROWS, COLUMNS)):
        if rows * columns > MOST_CELLS:
            continue
        if rows * columns <= 300_000:
            yield from (Shape(rows, columns, *rest) for rest in product(CLASSES, KINDS))
        else:
            for j, classes in enumerate(CLASSES):
                yield Shape(rows, columns, classes, KINDS[(i + j) % len(KINDS)])


def sample(shape: Shape) -> Sample:
    """Make a table whose target is a bent function of the first columns, and noise."""
    rng = np.random.default_rng(shape.rows + shape.columns)
    n = shape.rows + min(shape.rows, 20_000)
    X = rng.normal(size=(n, shape.columns))
    if shape.kind == "tied":
        X = np.round(20 * X)
    elif shape.kind == "two-valued":
        X = (X > 0).astype(np.float64)
    values = X
    if shape.kind == "categories":
        X = rng.integers(LEVELS, size=X.shape)
        values = np.take_along_axis(rng.normal(size=(LEVELS, shape.columns)), X, axis=0)
    scores = _scores(values, max(shape.classes, 1), rng)
    y = scores.argmax(axis=1) if shape.classes else scores[:, 0]
    table = _texts(X) if shape.kind == "categories" else X
    return Sample(table[: shape.rows], y[: shape.rows], table[shape.rows :], y[shape.rows :])


def _texts(codes: np.ndarray) -> pl.DataFrame:
    texts = np.array([f"level {i}" for i in range(LEVELS)])
    return pl.DataFrame({f"c{j}": texts[codes[:, j]] for j in range(codes.shape[1])})


def _scores(X: np.ndarray, n_scores: int, rng: np.random.Generator) -> np.ndarray:
    used = X[:, :5]
    scaled = (used - used.mean(axis=0)) / used.std(axis=0)
    bent = np.hstack([scaled, np.sin(2 * scaled), scaled[:, :1] * scaled[:, 1:]])
    return bent @ rng.normal(size=(bent.shape[1], n_scores)) + rng.normal(size=(len(X), n_scores))
