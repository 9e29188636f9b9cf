"""Tasks of workers in a clustering: one split into halves, one reference table, the gap, the final fit."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Encoder, Learner, Scaled
from hornbook.clustering import KMeans
from hornbook.evaluation import (
    Clock,
    GapStatistic,
    adjusted_rand,
    agreement_of,
    calinski_harabasz,
    davies_bouldin,
    gap_statistic,
    labelings,
    mean_agreements,
    reference_table,
    silhouette,
    stored_numbers,
)
from hornbook.frame import Frame
from hornbook.random import Stream
from hornbook.studies.run._shared_table import Shared
from hornbook.studies.run._tasks import FoldDone, first_warning, written

__all__ = [
    "MOST_REFERENCE",
    "N_SPLITS",
    "FitTask",
    "GapTask",
    "HalvesTask",
    "ReferenceTask",
    "encoded_rows",
    "sample_of",
]

INDICES = {
    "silhouette": silhouette,
    "calinski_harabasz": calinski_harabasz,
    "davies_bouldin": davies_bouldin,
}
MOST_SAMPLED = 2_000  # rows that indices, pictures and labels of splits are made of
N_SPLITS = 4  # of each table, where stability is compared with tables without clusters
MOST_REFERENCE = 1_000  # rows of those tables
GAP_REFERENCES = 10
_SAMPLE_STREAM = 67


def sample_of(n_rows: int, seed: int, most: int = MOST_SAMPLED) -> NDArray[np.intp]:
    """Return the same rows for everybody: all, or so many drawn at random."""
    if n_rows <= most:
        return np.arange(n_rows)
    return np.sort(Stream(seed, _SAMPLE_STREAM).permutation(n_rows)[:most])


def encoded_rows(features: Frame, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return some rows as standardized numbers."""

    def encode() -> NDArray[np.float64]:
        encoder = Encoder(scale="standard").fit(features)
        return np.ascontiguousarray(encoder.transform(features[rows]))

    return features.form(("encoded sample", rows.tobytes()), encode)


@dataclass(frozen=True)
class HalvesTask:
    """Fit a clusterer to two halves of the rows, and let both models label all.

    Parameters
    ----------
    learner : Learner
        The clusterer.
    split : int
        Which split.
    seed : int
        Seed of the sample whose labels are written.
    path : str
        Where they are written.
    """

    learner: Learner
    split: int
    seed: int
    path: str

    def run(self, shared: Shared) -> FoldDone:
        """Fit, label, measure, and write the labels of both models for some rows."""
        half_of = shared.folds[self.split]
        halves = (np.flatnonzero(half_of == 0), np.flatnonzero(half_of == 1))
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("default")
            clock = Clock()
            labels, fitted = labelings(self.learner, shared.features, halves)
            predict_seconds = max(clock.seconds - 2 * fitted.seconds, 0.0) / 2
        sample = sample_of(len(half_of), self.seed)
        scores = {"stability": agreement_of(labels), **self._indices(shared, sample, labels[0])}
        if shared.classes:
            known = shared.y >= 0
            scores["adjusted_rand"] = adjusted_rand(shared.y[known], labels[0][known])
        # On the half that was fitted: the criterion pays for parameters instead of holding rows out.
        if (bic := _bic(fitted.model, shared.features[halves[0]])) is not None:
            scores["bic"] = bic
        mark = written(Path(self.path), np.stack([codes[sample] for codes in labels]).astype(np.int32))
        stored = stored_numbers(fitted.model)
        return FoldDone(scores, fitted.seconds, predict_seconds, stored, mark, first_warning(warned), {})

    def _indices(
        self, shared: Shared, sample: NDArray[np.intp], labels: NDArray[np.int64]
    ) -> Mapping[str, float | None]:
        """Validity of the first model's clusters among rows of the second half, which it has not seen."""
        outside = sample[shared.folds[self.split][sample] == 1]
        codes = labels[outside]
        if not 1 < len(np.unique(codes)) < len(codes):
            return dict.fromkeys(INDICES)
        rows = encoded_rows(shared.features, outside)
        values = {name: float(index(rows, codes)) for name, index in INDICES.items()}
        return {name: value if np.isfinite(value) else None for name, value in values.items()}


def _bic(model: Any, rows: Frame) -> float | None:
    """Of a mixture, divided by the number of rows."""
    inside = model.estimator_ if isinstance(model, Scaled) else model
    if not hasattr(inside, "bic"):
        return None
    return float(inside.bic(model.scaled_rows(rows) if isinstance(model, Scaled) else rows)) / len(rows)


@dataclass(frozen=True)
class ReferenceTask:
    """Measure the stability of all clusterings on one table: the study's own, or one without clusters."""

    learners: Sequence[Learner]
    kind: str
    index: int
    seed: int
    path: str

    def run(self, shared: Shared) -> FoldDone:
        """Measure, and write the mean stability of each."""
        clock = Clock()
        frame = shared.features[sample_of(len(shared.features), self.seed, MOST_REFERENCE)]
        if self.kind != "table":
            kind: Any = self.kind
            frame = reference_table(frame, kind, self.seed, self.index)
        means = mean_agreements(self.learners, frame, N_SPLITS, self.seed)
        return FoldDone({}, clock.seconds, 0.0, 0, written(Path(self.path), means), "", {})


@dataclass(frozen=True)
class GapTask:
    """Compute the gap statistic of k-means on standardized rows."""

    sizes: tuple[int, ...]
    seed: int

    def run(self, shared: Shared) -> GapStatistic:
        """Compute it, on a sample of the rows."""
        rows = encoded_rows(shared.features, sample_of(len(shared.features), self.seed))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of reference tables
            # Boxes along the principal axes are the better of the two references of Tibshirani, Walther and
            # Hastie (2001) where columns are correlated.
            return gap_statistic(
                KMeans(random_state=self.seed),
                rows,
                sizes=(1, *self.sizes),
                n_references=GAP_REFERENCES,
                reference="principal",
                random_state=self.seed,
            )


@dataclass(frozen=True)
class FitTask:
    """Fit a clusterer to all rows."""

    learner: Learner

    def run(self, shared: Shared) -> Any:
        """Fit it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the splits have reported them
            return self.learner.fit(shared.features)
