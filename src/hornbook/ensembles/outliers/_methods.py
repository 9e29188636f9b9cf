"""How unusual rows are, by mixture density, one-class SVM and forest proximity."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.clustering import GaussianMixture
from hornbook.ensembles._extra_trees import ExtraTreesClassifier
from hornbook.ensembles.forests._proximity import shared_leaves
from hornbook.frame import Frame
from hornbook.params import Floats
from hornbook.random import Stream, row_bits

__all__ = [
    "METHODS",
    "Method",
    "fitted_forest",
    "fitted_mixture",
    "proximity_scores",
    "some_rows",
]

Method = Literal["mixture", "one_class", "forest"]
METHODS: tuple[Method, ...] = ("mixture", "one_class", "forest")

REG_COVAR = 0.01  # of standardized columns: columns of 0 and 1 have no normal distribution
ROWS_PER_COMPONENT = 10  # at least
LEAST_SHARE = 0.01  # of the rows in a component
MOST_UNIFORM = 1_000  # rows that the forest tells the table from
WIDER = 0.5  # of its range, by which a column is extended: beyond, trees would take all rows for usual
DEPTH = 10  # of a tree: deeper ones know every row that they were grown on
SMALLEST = 0.01  # added to mean squared proximities: a row that is alone but for itself is alone
_UNIFORM_STREAM = int.from_bytes(b"uniform", "big")


def some_rows(frame: Frame, w: Floats | None, most: int, seed: int) -> NDArray[np.intp]:
    """Return the rows of positive weight, or as many of them as asked for, drawn by their content.

    Equal rows are drawn together, so that a row of weight 3 is the same as three rows.
    """
    counted = np.arange(len(frame)) if w is None else np.flatnonzero(w > 0)
    if len(counted) <= most:
        return counted
    bits = row_bits(_columns(frame), len(frame), seed)[counted]
    return np.sort(counted[np.argsort(bits, kind="stable")[:most]])


def _columns(frame: Frame) -> list[NDArray[Any]]:
    return [frame.column(j) for j in range(len(frame.schema))]


def fitted_mixture(rows: Floats, w: Floats | None, most: int, seed: int) -> GaussianMixture:
    """Return the mixture of normal distributions with the least BIC, of 1 to so many components."""
    mass = float(len(rows) if w is None else w.sum())
    mixtures: list[tuple[float, GaussianMixture]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of mixtures with too many components, which BIC does not choose
        for k in range(1, max(1, min(most, int(mass / ROWS_PER_COMPONENT))) + 1):
            mixture = GaussianMixture(k, reg_covar=REG_COVAR, random_state=seed)
            try:
                mixture.fit(rows, None, w)
            except ValueError:
                if not mixtures:
                    raise
                break  # too few distinct rows: more components would fail, too
            # A component of a few rows would take outliers for a cluster, and hide them.
            least = max(ROWS_PER_COMPONENT, LEAST_SHARE * mass) / mass
            if k == 1 or mixture.weights_.min() >= least:
                mixtures.append((_bic(mixture, rows, w, mass), mixture))
    return min(mixtures, key=lambda pair: pair[0])[1]


def _bic(mixture: GaussianMixture, rows: Floats, w: Floats | None, mass: float) -> float:
    """The criterion for rows with weights: a row of weight 3 counts as three rows."""
    densities = mixture.score_samples(rows)
    n_parameters = round((mixture.aic(rows) + 2.0 * float(densities.sum())) / 2.0)
    total = densities.sum() if w is None else (w * densities).sum()
    return float(np.log(max(mass, 1.0)) * n_parameters - 2.0 * total)


def fitted_forest(
    frame: Frame, w: Floats | None, n_estimators: int, seed: int, n_jobs: int | None
) -> ExtraTreesClassifier:
    """Return a forest that tells rows of a table from rows without structure (Breiman).

    Those are drawn uniformly from the levels of the columns and from their ranges, made wider. Rows with
    permuted cells, which Breiman's program also offers, would have the same distribution in every column, and
    a forest would not see a row that is unusual in a single one (Shi and Horvath 2006 compare the two).
    """
    made, n_made = _uniform_rows(frame, seed)
    mass = float(len(frame) if w is None else w.sum())
    # All rows in every tree: draws by place would make a row of weight 3 differ from three rows.
    forest = ExtraTreesClassifier(
        n_estimators=n_estimators, bootstrap=False, max_depth=DEPTH, random_state=seed, n_jobs=n_jobs
    )
    columns = [np.concatenate([frame.column(j), cells]) for j, cells in enumerate(made)]
    weights = np.concatenate([np.ones(len(frame)) if w is None else w, np.full(n_made, mass / n_made)])
    real = np.arange(len(frame) + n_made) < len(frame)
    return forest.fit(Frame.from_columns(frame.schema, columns, len(real)), real, sample_weight=weights)


def _uniform_rows(frame: Frame, seed: int) -> tuple[list[NDArray[Any]], int]:
    """Cells from somewhat below the least number of each column to above the largest, or of any level."""
    cells: list[NDArray[Any]] = []
    for j, column in enumerate(frame.schema.columns):
        known, stream = frame.column(j), Stream(seed, _UNIFORM_STREAM, j)
        shares = stream.uniform(MOST_UNIFORM)
        if column.kind == "numeric":
            finite = known[np.isfinite(known)]
            low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 0.0)
            wider = WIDER * (high - low)
            cells.append(low - wider + shares * (high - low + 2 * wider))
        else:
            levels = np.unique(known[known >= 0])
            levels = levels if len(levels) else np.zeros(1, dtype=known.dtype)
            cells.append(levels[(shares * len(levels)).astype(np.intp)])
    return cells, MOST_UNIFORM


def proximity_scores(leaves: NDArray[np.int32], others: NDArray[np.int32], other_weights: Floats) -> Floats:
    """Return how far rows are from others: minus the logarithm of the mean squared proximity."""
    squares = (shared_leaves(leaves, others) ** 2 * other_weights).sum(axis=1) / other_weights.sum()
    return np.asarray(-np.log(squares + SMALLEST))
