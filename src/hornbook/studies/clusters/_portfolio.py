"""The clusterings that a study compares: clusterers, each with several numbers of clusters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone

from hornbook.base import Encoder, Learner, Scaled
from hornbook.distances import nearest
from hornbook.frame import Frame
from hornbook.plots import bend
from hornbook.random import Stream
from hornbook.studies._settings import Settings, StudyError
from hornbook.studies.prepare._portfolio import (
    AskedLearner,
    Candidate,
    Learners,
    asked_learners,
    parameters_of,
)

__all__ = ["ClusterCandidate", "cluster_candidates", "for_all_rows"]

# Up to how many rows a clusterer takes part unasked: time and memory of most grow with their square.
LIMITS = {"AgglomerativeClustering": 10_000, "DBSCAN": 5_000, "KMedoids": 4_000}
FOR_NUMBERS = ("KMeans", "GaussianMixture", "AgglomerativeClustering", "DBSCAN")
FOR_CATEGORIES = ("KMeans", "KMedoids", "AgglomerativeClustering", "DBSCAN")
MIN_SAMPLES = 5  # rows of half the table that make a neighborhood dense
MOST_DISTANCES = 2_000  # rows whose distances choose the radius of DBSCAN
_RADIUS_STREAM = 66


@dataclass(frozen=True)
class ClusterCandidate(Candidate):
    """A clustering that takes part.

    Parameters
    ----------
    family : str
        The clusterer without its number of clusters.
    size : int, optional
        The number of clusters; None for clusterers that find it, and for objects that the user passed.
    tuned : bool
        Whether the study has chosen a radius for it.
    """

    family: str = ""
    size: int | None = None
    tuned: bool = False


def cluster_candidates(
    asked: Learners, settings: Settings, features: Frame, sizes: tuple[int, ...]
) -> tuple[list[ClusterCandidate], list[tuple[str, str]]]:
    """Return the clusterings of a study, and the clusterers that are left out with the reason.

    Parameters
    ----------
    asked : names, clusterers by name, or None
        What the user wants; those that suit the columns and the number of rows when None or empty.
    settings : Settings
        The settings.
    features : Frame
        The rows.
    sizes : tuple of int
        Numbers of clusters to try.
    """
    coded, n_rows = len(features.schema.coded) > 0, len(features)
    skipped = []
    if not asked:
        names = FOR_CATEGORIES if coded else FOR_NUMBERS
        suitable = [name for name in names if n_rows <= LIMITS.get(name, n_rows)]
        skipped = [
            (
                name,
                f"The table has {n_rows} rows, and its time grows with their square; learners= includes it.",
            )
            for name in names
            if name not in suitable
        ]
        if coded:
            why = "Columns of 0 and 1 made of categories have no normal distribution; learners= includes it."
            skipped.append(("GaussianMixture", why))
        asked = suitable
    named = asked_learners(asked, "clustering")
    taken = [
        candidate
        for name, entry in named.items()
        for candidate in _sized(name, entry, settings, features, sizes)
    ]
    return taken, skipped


def _sized(
    name: str, asked: AskedLearner, settings: Settings, features: Frame, sizes: tuple[int, ...]
) -> list[ClusterCandidate]:
    """One clusterer with every number of clusters; as it is, if it was passed as an object."""
    learner = asked.learner
    known = learner.get_params(deep=False)
    parameter = next((key for key in ("n_clusters", "n_components") if key in known), None)
    if asked.known_as is None:
        return [_candidate(name, clone(learner), settings, name, None)]
    if name == "KMedoids" and len(features.schema.coded):
        known["metric"] = "gower"
    if parameter is None:
        tuned = name == "DBSCAN" and settings.tune != "off"
        if tuned:
            learner.set_params(eps=_radius(features, settings), min_samples=MIN_SAMPLES)
        return [replace(_candidate(name, learner, settings, name, None), tuned=tuned)]
    return [
        _candidate(f"{name} k={k}", type(learner)(**{**known, parameter: k}), settings, name, k)
        for k in sizes
    ]


def _candidate(
    name: str, learner: Any, settings: Settings, family: str, size: int | None
) -> ClusterCandidate:
    if not isinstance(learner, Learner) or not hasattr(learner, "predict"):
        raise StudyError(
            f"{name!r} must be a clusterer of this library that places new rows; got "
            f"{type(learner).__name__}."
        )
    if learner.get_params(deep=False).get("random_state", 0) is None:
        learner.set_params(random_state=settings.seed)
    # Of mixtures, too: their start and their smallest variance depend on the scale.
    scaled = settings.scale and not isinstance(learner, Scaled)
    return ClusterCandidate(
        name,
        Scaled(learner) if scaled else learner,
        scaled,
        parameters_of(learner),
        family=family,
        size=size,
    )


def _radius(features: Frame, settings: Settings) -> float:
    """Where the distances to the fifth row of a neighborhood bend, in half of the table."""
    # On half of the rows, as clusterers are fitted to halves: a denser table would have a smaller radius.
    half = Stream(settings.seed, _RADIUS_STREAM).permutation(len(features))[: max(len(features) // 2, 1)]
    encoder = Encoder(scale="standard" if settings.scale else None).fit(features)
    rows = encoder.transform(features[half])
    some = rows[:MOST_DISTANCES]
    far = np.sort(nearest(rows, some, min(MIN_SAMPLES, len(rows)))[0][:, -1])[::-1]
    return float(f"{max(far[bend(far)], 1e-9):.3g}")  # three digits: what is used is what is printed


def for_all_rows(candidate: ClusterCandidate) -> Learner:
    """Return the learner as it is fitted to all rows.

    The radius of DBSCAN was chosen on half of them: of all, twice as many make a neighborhood as dense.

    Parameters
    ----------
    candidate : ClusterCandidate
        The clustering.
    """
    if candidate.name != "DBSCAN" or not candidate.tuned:
        return candidate.learner
    inside = "estimator__" if candidate.scaled else ""
    changed: Learner = clone(candidate.learner).set_params(**{f"{inside}min_samples": 2 * MIN_SAMPLES})
    return changed
