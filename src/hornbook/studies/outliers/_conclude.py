"""What comes after the splits: how unusual each row is, how sure that is, and what makes rows unusual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hornbook.frame import Frame
from hornbook.studies.clusters._conclude import plane_of
from hornbook.studies.clusters._findings import ClusterPlane
from hornbook.studies.clusters._tasks import sample_of
from hornbook.studies.outliers._findings import OutlierFindings, UnusualCell, UnusualRow
from hornbook.studies.outliers._tasks import ranks_of
from hornbook.studies.prepare._prepare import PreparedStudy

__all__ = ["MOST_LISTED", "cells_of", "findings_of", "plane_with"]

MOST_LISTED = 50  # rows that are described
HALF = 0.5  # of the resamples, in which a listed row is called unusual
MOST_CELLS = 3
LEAST_SHARE = 0.1  # of a cell that is named
MOST_CORRELATED = 5_000  # rows that stability is measured on


def findings_of(
    prepared: PreparedStudy, ranks: Mapping[str, Sequence[NDArray[np.float32]]]
) -> OutlierFindings:
    """Combine the ranks of all methods and splits.

    Parameters
    ----------
    prepared : PreparedStudy
        The study.
    ranks : mapping of str to sequence of ndarray of shape (n_rows,)
        For each method the ranks of the rows in each split; as many splits for each, at least two.
    """
    settings, methods = prepared.settings, tuple(ranks)
    assert settings.unusual is not None  # filled in before
    n_splits = len(ranks[methods[0]])
    combined, called = [], []
    for split in range(n_splits):
        here = np.stack([ranks[name][split] for name in methods]).astype(np.float64)
        combined.append(ranks_of(np.asarray(here.mean(axis=0))).astype(np.float32))
        called.append((here > 1 - settings.unusual).all(axis=0))
    whole, sure = np.stack(combined), np.asarray(np.mean(called, axis=0))
    low, high = np.quantile(whole, [settings.alpha / 2, 1 - settings.alpha / 2], axis=0)
    scores = whole.mean(axis=0, dtype=np.float64)
    by_method = {name: np.asarray(np.stack(ranks[name]).mean(axis=0, dtype=np.float64)) for name in methods}
    matrix = _correlations(np.stack([ranks_of(column) for column in by_method.values()]))
    return OutlierFindings(
        settings.unusual,
        methods,
        n_splits,
        prepared.training.rows,
        scores,
        low.astype(np.float64),
        high.astype(np.float64),
        sure,
        by_method,
        {
            name: dict(zip(methods, row, strict=True))
            for name, row in zip(methods, matrix.tolist(), strict=True)
        },
        {
            **{name: _stability(np.stack(ranks[name]), settings.seed) for name in methods},
            **({"all": _stability(whole, settings.seed)} if len(methods) > 1 else {}),
        },
        _listed(prepared, scores, low, high, sure),
    )


def _stability(ranks: NDArray[np.float32], seed: int) -> float:
    """Mean correlation of the ranks of every two splits."""
    some = ranks[:, sample_of(ranks.shape[1], seed, MOST_CORRELATED)].astype(np.float64)
    return float(_correlations(some)[np.triu_indices(len(some), 1)].mean())


def _correlations(ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    # A method that gives all rows the same rank says nothing about them: its correlations count as 0.
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.nan_to_num(np.atleast_2d(np.corrcoef(ranks))))


def _listed(
    prepared: PreparedStudy,
    scores: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    sure: NDArray[np.float64],
) -> tuple[UnusualRow, ...]:
    """The rows that all methods call unusual in at least half of the splits, the most unusual first."""
    places = np.flatnonzero(sure >= HALF)
    rows = prepared.training.rows
    return tuple(
        UnusualRow(int(rows[i]), float(scores[i]), float(low[i]), float(high[i]), float(sure[i]))
        for i in places[np.lexsort((places, -scores[places]))].tolist()
    )


def cells_of(features: Frame, place: int, shares: NDArray[np.float64]) -> tuple[UnusualCell, ...]:
    """Return the cells that make a row unusual, the most important first.

    Parameters
    ----------
    features : Frame
        All rows.
    place : int
        The row.
    shares : ndarray of shape (n_columns,)
        How important each column is.
    """
    order = np.argsort(-shares, kind="stable")[:MOST_CELLS]
    return tuple(_cell(features, place, int(j), float(shares[j])) for j in order if shares[j] >= LEAST_SHARE)


def _cell(features: Frame, place: int, j: int, share: float) -> UnusualCell:
    column, values = features.schema.columns[j], features.column(j)
    value = values[place]
    if column.kind != "numeric":
        alike = float(np.mean(values == value))
        text = "missing" if value < 0 else f"= {column.levels[int(value)]}"
        return UnusualCell(column.name, text, f"{100 * alike:.2g} % of the rows", share)
    if not np.isfinite(value):
        alike = float(np.mean(~np.isfinite(values)))
        return UnusualCell(column.name, "missing", f"{100 * alike:.2g} % of the rows", share)
    low, high = np.quantile(values[np.isfinite(values)], [0.05, 0.95])
    span = f"{low:.4g} to {high:.4g}"
    # Of a usual number it is the combination with other columns that is unusual.
    usual = f"usual by itself: {span}" if low <= value <= high else f"usual: {span}"
    return UnusualCell(column.name, f"= {value:.4g}", usual, share)


def plane_with(features: Frame, findings: OutlierFindings, seed: int) -> ClusterPlane | None:
    """Return some rows and all unusual ones in the plane of two principal components.

    Parameters
    ----------
    features : Frame
        All rows.
    findings : OutlierFindings
        Which of them are unusual.
    seed : int
        Seed of the sample.
    """
    unusual = np.isin(findings.rows, [row.row for row in findings.unusual])
    drawn = np.union1d(sample_of(len(features), seed), np.flatnonzero(unusual))
    return plane_of(features, drawn, unusual.astype(np.int64))
