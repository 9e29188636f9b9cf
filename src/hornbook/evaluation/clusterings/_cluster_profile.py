"""Clusters in words: by which columns the rows of each differ from the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hornbook.display import Cell, Description, Table
from hornbook.evaluation.clusters._partition import partition_of
from hornbook.frame import Column, Frame, Label, as_frame, require_rows_and_columns
from hornbook.params import Floats

__all__ = ["ClusterProfile", "ClusterTrait", "cluster_profile"]

NOTABLE = 0.5  # effect from which a difference is told, as Cohen calls it medium
FEWEST_KNOWN = 2  # values on either side that a mean is taken of


@dataclass(frozen=True)
class ClusterTrait:
    """One way in which the rows of a cluster differ from all others.

    Parameters
    ----------
    column : str
        The column.
    level : label, optional
        Of a category the level in question; None stands for the mean of numbers, ``"missing"`` for cells
        without a value.
    inside, outside : float
        Mean, or share of the level, in the cluster and in the other rows.
    effect : float
        Cohen's d of means (their difference in pooled standard deviations) or his h of shares (difference of
        2·arcsin √share): both are medium from 0.5 and large from 0.8.
    """

    column: str
    level: Label | None
    inside: float
    outside: float
    effect: float

    @property
    def words(self) -> str:
        """The trait as a phrase."""
        if self.level is None:
            return f"{'high' if self.effect > 0 else 'low'} {self.column}"
        name = f"{self.column} missing" if self.level == "missing" else f"{self.column}={self.level}"
        if self.inside == 1.0:
            return f"all {name}"
        if self.inside == 0.0:
            return f"no {name}"
        if self.effect < 0:
            return f"seldom {name}"
        return f"mostly {name}" if self.inside > 0.5 else f"often {name}"


@dataclass(frozen=True, eq=False)
class ClusterProfile:
    """What the rows of each cluster have in common that others have not.

    Parameters
    ----------
    names : tuple
        The labels of the clusters.
    sizes : ndarray of int of shape (n_clusters,)
        Their rows.
    traits : tuple of tuple of ClusterTrait
        For each cluster what sets it apart, the largest effect first.
    """

    names: tuple[Label, ...]
    sizes: NDArray[np.int64]
    traits: tuple[tuple[ClusterTrait, ...], ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """One sentence for each cluster."""
        total = int(self.sizes.sum())
        return tuple(
            f"Cluster {name} ({size} rows, {100 * size / total:.0f} %): {_listed(traits)}."
            for name, size, traits in zip(self.names, self.sizes.tolist(), self.traits, strict=True)
        )

    def _description(self) -> Description:
        rows: list[list[Cell]] = [
            [str(name), trait.words, trait.inside, trait.outside, trait.effect]
            for name, traits in zip(self.names, self.traits, strict=True)
            for trait in traits
        ]
        head = ["cluster", "trait", "in the cluster", "elsewhere", "effect"]
        facts = {f"cluster {name}": size for name, size in zip(self.names, self.sizes.tolist(), strict=True)}
        return Description(" ".join(self.sentences), facts, [Table("What sets clusters apart", head, rows)])

    def __str__(self) -> str:
        return str(self._description())

    def _repr_html_(self) -> str:
        return self._description()._repr_html_()

    def to_dict(self) -> dict[str, Any]:
        """Return the profile as plain data."""
        return {
            "sentences": list(self.sentences),
            "clusters": [
                {"name": name, "rows": size, "traits": [{**vars(t), "words": t.words} for t in traits]}
                for name, size, traits in zip(self.names, self.sizes.tolist(), self.traits, strict=True)
            ],
        }


def cluster_profile(X: Any, labels: ArrayLike, *, n_traits: int = 4) -> ClusterProfile:
    """Say in words how the rows of each cluster differ from all others.

    Differences are given as effect sizes, not as tests: the clusters were made to differ in these columns, so
    a p-value would say nothing.

    Parameters
    ----------
    X : table of shape (n_rows, n_columns)
        The rows, clustered or not: columns that took no part are described as well.
    labels : array-like of shape (n_rows,)
        The cluster of each row.
    n_traits : int, default 4
        At most so many traits of each cluster are told; an effect below 0.5 never is.

    Returns
    -------
    ClusterProfile
        Prints as sentences and a table.

    Examples
    --------
    >>> table = {"petals": [1.0, 1.2, 5.0, 5.3], "site": ["A", "A", "B", "B"]}
    >>> for sentence in cluster_profile(table, [0, 0, 1, 1]).sentences:
    ...     print(sentence)
    Cluster 0 (2 rows, 50 %): low petals, all site=A.
    Cluster 1 (2 rows, 50 %): high petals, all site=B.
    """
    frame = as_frame(X).features
    require_rows_and_columns(frame)
    if n_traits < 1:
        raise ValueError(f"cluster_profile: 'n_traits' must be at least 1; got {n_traits}.")
    partition = partition_of("cluster_profile", "labels", labels, len(frame))
    traits = []
    for code in range(len(partition.names)):
        inside = partition.codes == code
        notable = [trait for column in frame.schema.columns for trait in _notable(frame, column, inside)]
        # Sorting is stable, so ties keep the order of the columns.
        traits.append(tuple(sorted(notable, key=lambda trait: -abs(trait.effect))[:n_traits]))
    return ClusterProfile(partition.names, partition.sizes, tuple(traits))


def _notable(frame: Frame, column: Column, inside: NDArray[np.bool_]) -> list[ClusterTrait]:
    """What is worth telling about a column: of its levels only one, frequent rather than rare."""
    traits = [trait for trait in _traits(frame, column, inside) if abs(trait.effect) >= NOTABLE]
    levels = [trait for trait in traits if trait.level is not None]
    if not levels:
        return traits
    # Levels of one column are not independent: "mostly red" already says "seldom blue".
    telling = max(levels, key=lambda trait: (trait.effect > 0, abs(trait.effect)))
    return [trait for trait in traits if trait.level is None or trait is telling]


def _traits(frame: Frame, column: Column, inside: NDArray[np.bool_]) -> list[ClusterTrait]:
    """All differences between the rows inside and those outside in one column."""
    if inside.all():
        return []
    cells = frame.column(column.name)
    missing = np.isnan(cells) if column.kind == "numeric" else cells < 0
    traits = [_share_trait(column.name, "missing", missing, inside)] if missing.any() else []
    if column.kind == "numeric":
        one, other = cells[inside & ~missing], cells[~inside & ~missing]
        # With a single value there is no variance to pool.
        if min(len(one), len(other)) >= FEWEST_KNOWN:
            traits.append(ClusterTrait(column.name, None, one.mean(), other.mean(), _cohen_d(one, other)))
        return traits
    known = [
        _share_trait(column.name, level, cells == code, inside) for code, level in enumerate(column.levels)
    ]
    return traits + known


def _share_trait(
    name: str, level: Label, having: NDArray[np.bool_], inside: NDArray[np.bool_]
) -> ClusterTrait:
    one, other = float(having[inside].mean()), float(having[~inside].mean())
    # Cohen's h: the arcsine makes equal differences of proportions equally detectable anywhere in [0,
    # 1], and puts h on about the same scale as d.
    effect = 2 * (np.arcsin(np.sqrt(one)) - np.arcsin(np.sqrt(other)))
    return ClusterTrait(name, level, one, other, float(effect))


def _cohen_d(one: Floats, other: Floats) -> float:
    """Difference of the means in pooled standard deviations; that of all rows where those are 0."""
    n, m = len(one), len(other)
    pooled = np.sqrt(((n - 1) * one.var(ddof=1) + (m - 1) * other.var(ddof=1)) / (n + m - 2))
    scale = pooled if pooled > 0 else np.concatenate([one, other]).std()
    # Both groups constant and equal: no effect; constant and different: measured in deviations of all
    # rows.
    return float((one.mean() - other.mean()) / scale) if scale > 0 else 0.0


def _listed(traits: tuple[ClusterTrait, ...]) -> str:
    return ", ".join(trait.words for trait in traits) or "nothing sets it apart from the others"
