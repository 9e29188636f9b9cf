"""Clusters for a report: a card each, with its size, how well it is found again, and what sets it apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hornbook.evaluation import ClusterTrait
from hornbook.studies._study_data import StudyData
from hornbook.studies.report._numbers import number_text, truncated

__all__ = ["ClusterCard", "cluster_cards", "found_clusters"]

BLACK = 6  # its place in the palette
COLORS = 8  # of the palette; further clusters repeat them
LONGEST = 60  # characters of a phrase
STABLE, WEAK = 0.85, 0.6  # of a Jaccard index, as Hennig (2007) reads it


@dataclass(frozen=True)
class ClusterCard:
    """One cluster: its name, color, rows, share, how well it is found again, and its traits in words."""

    name: str
    color: str
    rows: int
    share: float
    recovery: float | None
    judged: str
    traits: tuple[tuple[str, str], ...]


def cluster_cards(study: StudyData) -> list[ClusterCard]:
    """Return a card for each cluster of the recommended model."""
    findings = study.clusters
    if findings is None or findings.profile is None:
        return []
    profile, total = findings.profile, int(findings.profile.sizes.sum())
    cards = []
    for i, (name, rows) in enumerate(zip(profile.names, profile.sizes.tolist(), strict=True)):
        recovery = findings.recovery[i] if i < len(findings.recovery) else np.nan
        known = float(recovery) if np.isfinite(recovery) else None
        noise = name == "noise"
        shade = _shade(None if noise else int(name))
        traits = tuple((truncated(trait.words, LONGEST), _numbers(trait)) for trait in profile.traits[i])
        label = "Noise" if noise else f"Cluster {name}"
        cards.append(ClusterCard(label, shade, rows, rows / total, known, _judged(known), traits))
    return cards


def found_clusters(study: StudyData) -> bool | None:
    """Return whether any clustering is more stable than on tables without clusters; None if not tested."""
    findings = study.clusters
    if findings is None or findings.structure is None or study.verdict is None:
        return None
    return bool(findings.structure.found(study.verdict.alpha))


def _shade(label: int | None) -> str:
    """The color of a cluster in the figures: the seventh is black, noise is gray."""
    if label is None:
        return "var(--gray)"
    return "currentColor" if label % COLORS == BLACK else f"var(--c{label % COLORS})"


def _numbers(trait: ClusterTrait) -> str:
    if trait.level is None:
        return f"mean {number_text(trait.inside, 3)}, elsewhere {number_text(trait.outside, 3)}"
    return f"{100 * trait.inside:.0f} % of its rows, elsewhere {100 * trait.outside:.0f} %"


def _judged(recovery: float | None) -> str:
    if recovery is None:
        return ""
    if recovery >= STABLE:
        return "found again"
    return "partly found again" if recovery >= WEAK else "dissolves"
