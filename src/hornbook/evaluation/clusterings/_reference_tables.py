"""Tables without clusters: what a clustering of real rows is compared with."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.random import Stream

__all__ = ["Reference", "principal_box", "reference_table", "uniform_rows"]

Reference = Literal["normal", "uniform", "shuffled"]

TINY = 2.0**-54  # below every uniform number but 0
_SHUFFLE_STREAM = 62
_DRAW_STREAMS = {"normal": 64, "uniform": 65}


def reference_table(frame: Frame, kind: Reference, seed: int, index: int) -> Frame:
    """Draw a table without clusters, with the kinds, categories and missing cells of another.

    ``"shuffled"`` puts the cells of each column in an order of its own. The other two draw numbers from one
    normal distribution with the same means and covariances, or uniformly from the box around the rows along
    their principal components; categories are shuffled.
    """
    order = Stream(seed, _SHUFFLE_STREAM, index)
    # Shuffling each column on its own keeps every marginal distribution, gaps included, and destroys
    # only what columns have in common.
    columns = [frame.column(j)[order.permutation(len(frame))] for j in range(len(frame.schema))]
    numeric = frame.schema.numeric.tolist()
    if kind == "shuffled" or not numeric:
        return Frame.from_columns(frame.schema, columns)
    cells = np.column_stack([frame.column(j) for j in numeric]).astype(np.float64)
    gaps = np.isnan(cells)
    # Filled with means for the moments only; the gaps are put back below.
    numbers = np.where(gaps, _means(cells, gaps), cells)
    draws = Stream(seed, _DRAW_STREAMS[kind], index)
    drawn = _normal_rows(numbers, draws) if kind == "normal" else _uniform_principal(numbers, draws)
    drawn[gaps] = np.nan
    for place, j in enumerate(numeric):
        columns[j] = np.ascontiguousarray(drawn[:, place])
    return Frame.from_columns(frame.schema, columns)


def principal_box(X: Floats) -> Floats:
    """Return the principal axes of rows, one a row."""
    # Right singular vectors of the centered rows: no covariance matrix, whose condition is squared.
    return np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2]


def uniform_rows(X: Floats, axes: Floats, draws: Stream) -> Floats:
    """Draw as many rows uniformly from the box around others along orthogonal axes."""
    center = X.mean(axis=0)
    scores = (X - center) @ axes.T
    low, high = scores.min(axis=0), scores.max(axis=0)
    uniform = draws.uniform(scores.size).reshape(scores.shape)
    return np.asarray(center + (low + uniform * (high - low)) @ axes)


def _uniform_principal(X: Floats, draws: Stream) -> Floats:
    # Of standardized columns: otherwise the one with the largest numbers would be the first axis.
    center, spread = X.mean(axis=0), X.std(axis=0)
    scaled = (X - center) / np.where(spread > 0, spread, 1.0)
    return np.asarray(uniform_rows(scaled, principal_box(scaled), draws) * spread + center)


def _normal_rows(X: Floats, draws: Stream) -> Floats:
    """Draw as many rows from the normal distribution with the same moments."""
    center, n = X.mean(axis=0), len(X)
    # With X - mean = U S V', scores of unit variance times S / sqrt(n) have the sample covariance.
    _, lengths, axes = np.linalg.svd((X - center) / np.sqrt(n), full_matrices=False)
    # A uniform draw of exactly 0 would become minus infinity.
    scores = ndtri(np.maximum(draws.uniform(n * len(lengths)), TINY)).reshape(n, -1)
    return np.asarray(center + (scores * lengths) @ axes)


def _means(cells: Floats, gaps: NDArray[np.bool_]) -> Floats:
    # A column without any known cell has mean 0, and all of it is missing again afterwards.
    known = np.maximum((~gaps).sum(axis=0), 1)
    return np.asarray(np.where(gaps, 0.0, cells).sum(axis=0) / known)
