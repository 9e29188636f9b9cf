"""Tasks of workers in a study of outliers: one split into halves, and what makes rows unusual."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.base import clone

from hornbook.ensembles import OutlierEnsemble
from hornbook.evaluation import Clock, stored_numbers
from hornbook.frame import Frame
from hornbook.studies.clusters._tasks import sample_of
from hornbook.studies.run._shared_table import Shared
from hornbook.studies.run._tasks import FoldDone, first_warning, written

__all__ = ["CellsTask", "RanksTask", "ranks_of"]

REPLACEMENTS = 20  # rows whose cells take the place of one


def ranks_of(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of rows with a smaller score; equal ones count half."""
    return np.asarray((rankdata(scores) - 0.5) / len(scores))


@dataclass(frozen=True)
class RanksTask:
    """Fit a method to each half of the rows, and rank the rows of the other half.

    Parameters
    ----------
    learner : OutlierEnsemble
        Of one method.
    split : int
        Which split.
    path : str
        Where the ranks are written.
    """

    learner: OutlierEnsemble
    split: int
    path: str

    def run(self, shared: Shared) -> FoldDone:
        """Fit, rank rows that the model has not seen, and write the ranks."""
        half_of = shared.folds[self.split]
        ranks = np.empty(len(half_of), dtype=np.float32)
        seconds, predict_seconds, stored = 0.0, 0.0, 0
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("default")
            for half in (0, 1):
                clock = Clock()
                model = clone(self.learner).fit(shared.features[np.flatnonzero(half_of == half)])
                seconds += clock.seconds / 2
                clock = Clock()
                # A row that is in neither half is ranked with the second one.
                others = np.flatnonzero(half_of != half if half == 0 else half_of == 0)
                ranks[others] = ranks_of(model.method_scores(shared.features[others])[:, 0])
                predict_seconds += clock.seconds / 2
                stored = max(stored, stored_numbers(model))
        mark = written(Path(self.path), ranks)
        return FoldDone({}, seconds, predict_seconds, stored, mark, first_warning(warned), {})


@dataclass(frozen=True)
class CellsTask:
    """Measure how much less unusual rows get when one of their cells is replaced by those of other rows.

    Parameters
    ----------
    model : OutlierEnsemble
        Fitted to all rows.
    places : tuple of int
        The rows.
    seed : int
        Seed of the draw of the other rows.
    """

    model: OutlierEnsemble
    places: tuple[int, ...]
    seed: int

    def run(self, shared: Shared) -> Mapping[int, NDArray[np.float64]]:
        """Return for each row a share for each column; they add up to 1 where any of them helps."""
        others = sample_of(len(shared.features), self.seed, REPLACEMENTS)
        return {place: self._shares(shared.features, place, others) for place in self.places}

    def _shares(self, frame: Frame, place: int, others: NDArray[np.intp]) -> NDArray[np.float64]:
        n_columns, n_others = len(frame.schema), len(others)
        # One table for all columns: block j has the row with the cells of others in column j.
        repeated = np.full(n_columns * n_others, place)
        columns = []
        for j in range(n_columns):
            source = repeated.copy()
            source[j * n_others : (j + 1) * n_others] = others
            columns.append(frame.column(j)[source])
        changed = Frame.from_columns(frame.schema, columns, len(repeated))
        before = self.model.method_scores(frame[np.array([place])])
        after = self.model.method_scores(changed).reshape(n_columns, n_others, -1).mean(axis=1)
        drops = np.maximum(before - after, 0.0)
        # Every method counts alike, whatever its unit; one for which no single cell matters does not count.
        totals = drops.sum(axis=0)
        shares = drops[:, totals > 0] / totals[totals > 0]
        return np.asarray(shares.mean(axis=1)) if shares.shape[1] else np.zeros(n_columns)
