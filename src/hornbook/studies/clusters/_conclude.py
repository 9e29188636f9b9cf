"""What comes after the splits: the verdict on stability, and what the clusters are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.base import Encoder
from hornbook.evaluation import (
    ClusterCountCurve,
    ClusterProfile,
    ClusterStructure,
    GapStatistic,
    Scores,
    Verdict,
    adjusted_mutual_information,
    adjusted_rand,
    cluster_profile,
    curve_of_splits,
    stability_scores,
)
from hornbook.frame import Frame
from hornbook.reduction import PCA
from hornbook.studies._results import LearnerInfo
from hornbook.studies.clusters._findings import ClusterPlane
from hornbook.studies.clusters._portfolio import ClusterCandidate
from hornbook.studies.prepare._prepare import PreparedStudy
from hornbook.studies.run._gather_scores import info_of, means_of, table_of
from hornbook.studies.run._plan import Key
from hornbook.studies.run._records import Record

__all__ = [
    "GatheredClusterings",
    "agreement_with",
    "count_curves",
    "gather_clusterings",
    "judge_clusterings",
    "plane_of",
    "profile_of",
    "recommended",
]

CRITERIA = ("stability", "silhouette", "calinski_harabasz", "davies_bouldin")
MIXTURE = "GaussianMixture"
WHY = "and it has the most clusters of those that are probably as stable"


@dataclass(frozen=True, eq=False)
class GatheredClusterings:
    """Results of the splits.

    Parameters
    ----------
    scores : Scores
        Stability, with NaN where a split is missing.
    common : ndarray of int
        Splits that all clusterings without a failure have finished.
    values : mapping of str to ndarray of shape (n_candidates, n_splits)
        All measures, split by split.
    beside : dict
        Means of the measures beside stability.
    learners : tuple of LearnerInfo
        The outcome of each clustering.
    """

    scores: Scores
    common: NDArray[np.intp]
    values: Mapping[str, NDArray[np.float64]]
    beside: dict[str, dict[str, float]]
    learners: tuple[LearnerInfo, ...]


def gather_clusterings(prepared: PreparedStudy, counted: Mapping[Key, Record]) -> GatheredClusterings:
    """Collect the records of all splits.

    Parameters
    ----------
    prepared : PreparedStudy
        The study as it was run.
    counted : mapping
        Records by clustering, repeat and split.
    """
    settings, candidates = prepared.settings, prepared.candidates
    names = [candidate.name for candidate in candidates]
    places = [(repeat, fold) for repeat in range(settings.repeats) for fold in range(settings.cv)]
    measures = (*prepared.measures, "bic")
    values = {measure: table_of(names, places, counted, measure) for measure in measures}
    stability = values["stability"]
    failed = {record.learner: record.error for record in counted.values() if record.kind != "done"}
    healthy = [i for i, name in enumerate(names) if name not in failed]
    common = np.flatnonzero(np.isfinite(stability[healthy]).all(axis=0)) if healthy else np.array([], np.intp)
    infos = tuple(info_of(one, [r for r in counted.values() if r.learner == one.name]) for one in candidates)
    scores = stability_scores(
        names,
        stability,
        prepared.folds.shape[1],
        errors=failed,
        seconds={info.name: info.fit_seconds for info in infos},
        stored={info.name: info.stored for info in infos},
    )
    beside = {measure: means_of(names, values[measure]) for measure in prepared.measures[1:]}
    return GatheredClusterings(scores, common, values, beside, infos)


def judge_clusterings(gathered: GatheredClusterings, prepared: PreparedStudy) -> tuple[Verdict | None, str]:
    """Judge the splits that all clusterings without a failure have finished.

    Parameters
    ----------
    gathered : GatheredClusterings
        Results of the splits.
    prepared : PreparedStudy
        The study.

    Returns
    -------
    verdict, reason
        The verdict, or None and why there is none.
    """
    scores, common, settings = gathered.scores, gathered.common, prepared.settings
    # A standard deviation of differences needs two of them.
    if len(common) < 2:
        if len(scores.errors) == len(scores.names):
            broken = "; ".join(f"{name}: {error.rstrip('.')}" for name, error in scores.errors.items())
            return None, f"No clusterer could be fitted. {broken}."
        return None, f"All clusterings finished {len(common)} splits in common; a verdict needs 2."
    part = replace(
        scores,
        values=scores.values[:, common],
        n_train=scores.n_train[common],
        n_test=scores.n_test[common],
    )
    assert settings.equivalence is not None  # filled in before
    return Verdict.of(part, alpha=settings.alpha, equivalence=settings.equivalence), ""


def recommended(
    verdict: Verdict, structure: ClusterStructure | None, candidates: Sequence[ClusterCandidate]
) -> Verdict:
    """Return the verdict with the clustering to take.

    Only clusterings that are more stable than on tables without clusters are considered, if there are any:
    the most stable of them, or, of those that cannot be told apart from it and are probably as stable, the
    one with the most clusters, because a coarser one leaves something unsaid.

    Parameters
    ----------
    verdict : Verdict
        The comparison of stabilities.
    structure : ClusterStructure, optional
        The comparison with tables without clusters.
    candidates : sequence of ClusterCandidate
        The clusterings.
    """
    structured = () if structure is None else structure.found(verdict.alpha)
    ranked = [s for s in verdict.standings if s.mean is not None and (not structured or s.name in structured)]
    # Stability alone would favor few clusters, and clusters in data without any: those with structure come
    # first.
    first = ranked[0]
    if first.name != verdict.best:
        return replace(verdict, recommended=first.name)
    sizes = {candidate.name: candidate.size or 0 for candidate in candidates}
    equal = [first, *(s for s in ranked[1:] if s.status == "tied best" and (s.worse or 0.0) <= 0.5)]
    chosen = max(equal, key=lambda s: (sizes[s.name], -np.inf if s.stored is None else -s.stored))
    more = bool(structured) and sizes[chosen.name] > min(sizes[s.name] for s in equal)
    return replace(verdict, recommended=chosen.name, why=WHY if more else "")


def count_curves(
    gathered: GatheredClusterings,
    family: str,
    candidates: Sequence[ClusterCandidate],
    gap: GapStatistic | None,
    level: float,
) -> tuple[ClusterCountCurve, ...]:
    """Return criteria by the number of clusters, as far as every number has them in every split.

    Parameters
    ----------
    gathered : GatheredClusterings
        Results of the splits.
    family : str
        The clusterer whose stability and validity is shown.
    candidates : sequence of ClusterCandidate
        The clusterings.
    gap : GapStatistic, optional
        Of k-means.
    level : float
        Confidence level of the intervals.
    """
    curves = []
    for criterion, of in (*((criterion, family) for criterion in CRITERIA), ("bic", MIXTURE)):
        places = [i for i, one in enumerate(candidates) if one.family == of and one.size is not None]
        values = gathered.values[criterion][places][:, gathered.common]
        if len(places) > 1 and values.shape[1] > 1 and np.isfinite(values).all():
            sizes = [size for i in places if (size := candidates[i].size) is not None]
            curves.append(curve_of_splits(criterion, sizes, values, level))
    if gap is not None:
        low, high = gap.gap - gap.error, gap.gap + gap.error
        curves.append(ClusterCountCurve("gap", gap.sizes, gap.gap, low, high, gap.best))
    return tuple(curves)


def profile_of(frame: Frame, labels: NDArray[np.int64]) -> ClusterProfile:
    """Return what sets clusters apart, in all columns, also those that were set aside.

    Parameters
    ----------
    frame : Frame
        The columns to tell about.
    labels : ndarray of int of shape (n_rows,)
        The clusters; -1 is noise.
    """
    # Noise is no cluster, but its rows are set apart like one, so that they do not vanish from the table.
    noisy = labels.min(initial=0) < 0
    named = np.where(labels < 0, "noise", labels.astype(str)) if noisy else labels
    return cluster_profile(frame, named)


def plane_of(features: Frame, rows: NDArray[np.intp], labels: NDArray[np.int64]) -> ClusterPlane | None:
    """Return rows in the plane of the first two principal components of standardized columns.

    Parameters
    ----------
    features : Frame
        All rows.
    rows : ndarray of int
        Those that are drawn.
    labels : ndarray of int of shape (n_rows,)
        The clusters of all rows.
    """
    # Fitted to all rows, although some are drawn: the plane must not depend on the sample.
    encoder = Encoder(scale="standard").fit(features)
    numbers = np.ascontiguousarray(encoder.transform(features[rows]))
    if numbers.shape[1] < 2 or len(numbers) < 3:
        return None
    model = PCA(n_components=2).fit(numbers)
    points = model.transform(numbers)
    # Correlations of columns and components: they are at most 1, whatever the number of columns.
    spread, along = numbers.std(axis=0), points.std(axis=0)
    covariances = (numbers - numbers.mean(axis=0)).T @ (points - points.mean(axis=0)) / len(points)
    scale = np.outer(spread, along)
    loadings = np.divide(covariances, scale, out=np.zeros_like(covariances), where=scale > 0)
    shares = tuple(float(share) for share in model.explained_variance_ratio_)
    return ClusterPlane(points, labels[rows], shares, loadings, tuple(map(str, encoder.encoded_names_)))


def agreement_with(prepared: PreparedStudy, labels: NDArray[np.int64]) -> dict[str, float]:
    """Return how far clusters agree with the classes that were set aside.

    Parameters
    ----------
    prepared : PreparedStudy
        The study.
    labels : ndarray of int of shape (n_rows,)
        The clusters.
    """
    training: Any = prepared.training
    if not training.classes:
        return {}
    known = training.y >= 0
    truth, clusters = training.y[known], labels[known]
    return {
        # Adjusted for chance, so that many small clusters do not look like agreement (Hubert and Arabie 1985;
        # Vinh, Epps and Bailey 2010).
        "adjusted_rand": float(adjusted_rand(truth, clusters)),
        "adjusted_mutual_information": float(adjusted_mutual_information(truth, clusters)),
    }
