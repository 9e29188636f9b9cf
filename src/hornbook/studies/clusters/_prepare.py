"""Preparation of a clustering: everything that is decided before fitting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.evaluation import Target, half_splits
from hornbook.frame import Frame, detect_task
from hornbook.studies._settings import Settings
from hornbook.studies.clusters._checks import cluster_checks, refuse_other_settings, sizes_to_try
from hornbook.studies.clusters._portfolio import ClusterCandidate, cluster_candidates
from hornbook.studies.prepare._check import Check
from hornbook.studies.prepare._checks import left_out
from hornbook.studies.prepare._data import Opened
from hornbook.studies.prepare._portfolio import Learners, learners_for
from hornbook.studies.prepare._prepare import PreparedStudy, identity_of, kept_frame, stop_if_wrong
from hornbook.studies.prepare._training_data import TrainingData

__all__ = ["halves_of", "prepare_clusters"]

EQUIVALENCE = 0.05  # differences of stability up to this do not matter
INDICES = ("silhouette", "calinski_harabasz", "davies_bouldin")


def prepare_clusters(opened: Opened, learners: Learners, say: Callable[[str], None]) -> PreparedStudy:
    """Check the table, choose clusterers, numbers of clusters and splits into halves.

    Parameters
    ----------
    opened : Opened
        The table.
    learners : names, clusterers by name, or None
        What the user wants to compare.
    say : function
        Takes a sentence about each decision.
    """
    for note in opened.notes:
        say(note)
    settings = opened.settings
    refuse_other_settings(settings)
    rows, frame = kept_frame(opened, say)
    profile = frame.profile()
    results = cluster_checks(frame, profile, settings)
    stop_if_wrong(results)
    out = left_out(results, settings)
    features = frame.select([name for name in frame.schema.features.names if name not in out])
    training = TrainingData(features, _reference(frame, settings), rows)
    sizes = sizes_to_try(features, settings)
    # Each number of clusters is a candidate of its own, because how many there are is part of the question.
    taken, skipped = cluster_candidates(learners, settings, features, sizes)
    results += tuple(_scaled(taken, settings))
    for check in results:
        if check.level in ("left out", "warning") or check.code in ("scaled", "date", "categories"):
            say(str(check))
    _say_candidates(taken, sizes, say)
    if not learners:
        more = [
            name for name in sorted(learners_for("clustering")) if name not in {one.family for one in taken}
        ]
        say(f"learners: the default set; learners= also accepts {', '.join(more)}")
    filled = replace(
        settings,
        equivalence=EQUIVALENCE if settings.equivalence is None else settings.equivalence,
        learners=tuple(dict.fromkeys(candidate.family for candidate in taken)),
        clusters=sizes,
    )
    folds = halves_of(features, settings)
    measures = ("stability", *INDICES, *(("adjusted_rand",) if training.classes else ()))
    identity = identity_of(filled, opened.fingerprint, taken, features.schema.names)
    return PreparedStudy(filled, profile, results, training, folds, taken, skipped, measures, identity)


def _reference(frame: Frame, settings: Settings) -> Target:
    """The column that was set aside, as classes; none if there is no such column, or if it holds numbers."""
    # Indices of agreement compare partitions, so that a column of numbers is no reference.
    if settings.target is None or detect_task(frame) == "regression":
        return Target(np.zeros(len(frame), dtype=np.int64), ())
    values = frame.column(settings.target)
    column = frame.schema.columns[frame.schema.position(settings.target)]
    if column.kind != "numeric":
        return Target(values.astype(np.int64), tuple(column.levels))
    known = np.isfinite(values)
    levels, codes = np.unique(values[known], return_inverse=True)
    whole = np.full(len(values), -1, dtype=np.int64)
    whole[known] = codes
    return Target(whole, tuple(levels.tolist()))


def halves_of(features: Frame, settings: Settings) -> NDArray[Any]:
    """Return the half of each row, 0 or 1, in every split; -1 for a row that is left out.

    Parameters
    ----------
    features : Frame
        The rows.
    settings : Settings
        With the number of splits and the seed.
    """
    n_splits = settings.cv * settings.repeats
    # A byte for each row and split, since all of them are written to a file for the workers.
    halves = np.full((n_splits, len(features)), -1, dtype=np.int8)
    for split, parts in enumerate(half_splits("study", features, n_splits, settings.seed)):
        for code, part in enumerate(parts):
            halves[split, part] = code
    return halves


def _scaled(taken: Sequence[ClusterCandidate], settings: Settings) -> list[Check]:
    if any(candidate.scaled for candidate in taken):
        reason = "Numbers are standardized, so that every column counts alike whatever its unit."
        return [Check("scaled", "note", (), reason, "scale=False leaves them as they are.")]
    if settings.scale:
        return []
    reason = "Columns are not standardized, as requested."
    return [Check("not_scaled", "warning", (), reason, "Columns with large values dominate.")]


def _say_candidates(
    taken: Sequence[ClusterCandidate], sizes: tuple[int, ...], say: Callable[[str], None]
) -> None:
    families = list(dict.fromkeys(candidate.family for candidate in taken if candidate.size is not None))
    if families:
        span = f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else f"{sizes[0]}"
        say(f"clusters: {span} by {', '.join(families)}; clusters= asks for other numbers")
    for candidate in taken:
        if candidate.family == "DBSCAN" and "eps" in candidate.parameters:
            say(f"settings: DBSCAN with eps={candidate.parameters['eps']}, where distances bend")
