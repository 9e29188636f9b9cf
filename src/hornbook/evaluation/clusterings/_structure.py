"""Whether any of several clusterings is more than what rows without clusters would give."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hornbook.display import Cell, Table, plain_data
from hornbook.evaluation.clusterings._halves import agreement, half_splits, require_clusterer, rows_for
from hornbook.evaluation.clusterings._reference_tables import Reference, reference_table
from hornbook.evaluation.comparison._fold_scores import named_learners
from hornbook.frame import Frame, as_frame
from hornbook.params import Floats, Seed
from hornbook.random import seed_of

__all__ = ["ClusterStructure", "cluster_structure", "mean_agreements", "reference_kinds"]

NEARLY = 0.02  # what a stability lacks of 1 if it may as well be 1
DECISIVE = ("normal", "uniform")  # of these a clustering must be more stable than both


@dataclass(frozen=True, eq=False)
class ClusterStructure:
    """Stability of clusterers on a table, and on tables without clusters.

    Parameters
    ----------
    names : tuple of str
        The clusterers.
    values : ndarray of shape (n_learners,)
        Mean stability of each on the table; NaN where it failed.
    references : mapping of str to ndarray of shape (n_references, n_learners)
        The same on reference tables: ``"normal"``, ``"uniform"`` and ``"shuffled"`` ones.
    """

    names: tuple[str, ...]
    values: Floats
    references: Mapping[str, Floats]

    def adjusted(self, kind: str) -> Floats:
        """Probability, for each clusterer, that any would be as stable on one such table without clusters.

        Stabilities s, as -log(1.02 - s), are standardized, because that of some clusterers varies more than
        that of others; the largest standardized one of each table is what a clusterer is compared with,
        which pays for their number (Westfall and Young 1993). NaN where a clusterer failed.

        Parameters
        ----------
        kind : str
            Which reference tables.
        """
        tables = np.vstack([self.values, self.references[kind]])
        known = np.isfinite(tables).all(axis=0)
        p = np.full(len(self.names), np.nan)
        if known.any():
            # The table itself counts for mean and deviation: without clusters it is one of the others.
            # On a scale on which 0.95 and 1 are as far apart as 0.4 and 0.8: near 1 little room is left.
            some = -np.log(1.0 + NEARLY - tables[:, known])
            spread = some.std(axis=0)
            z = (some - some.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
            # Westfall and Young's single-step max statistic: adjusts for the number of clusterers
            # without the loss of Bonferroni, because clusterers agree with each other.
            p[known] = (z.max(axis=1)[:, None] >= z[0]).mean(axis=0)
        return p

    @property
    def p(self) -> Floats:
        """For each clusterer the larger of its probabilities under normal and uniform tables.

        Of tables without numbers, that under shuffled columns.
        """
        kinds = [kind for kind in DECISIVE if kind in self.references] or list(self.references)
        # Both nulls must be rejected: the larger p is a valid p-value of their union.
        return np.asarray(np.max([self.adjusted(kind) for kind in kinds], axis=0))

    @property
    def smallest_p(self) -> float:
        """The smallest of all; 1 where every clusterer failed."""
        known = self.p[np.isfinite(self.p)]
        return float(known.min()) if len(known) else 1.0

    def found(self, alpha: float) -> tuple[str, ...]:
        """Return the clusterers that are more stable than tables without clusters allow.

        Parameters
        ----------
        alpha : float
            Probability of returning any where there are no clusters.
        """
        return tuple(name for name, p in zip(self.names, self.p, strict=True) if p <= alpha)

    def in_single_columns(self, alpha: float) -> bool:
        """Return whether shuffled columns give clusterings as stable, so that single columns make them.

        Parameters
        ----------
        alpha : float
            Probability of returning False where columns have nothing to do with each other.
        """
        if "shuffled" not in self.references:
            return False
        p = self.adjusted("shuffled")
        return not bool((p[np.isfinite(p)] <= alpha).any())

    @property
    def table(self) -> Table:
        """One row for each clusterer."""
        rows: list[list[Cell]] = [
            [name, value, *(float(means[:, i].mean()) for means in self.references.values()), p]
            for i, (name, value, p) in enumerate(zip(self.names, self.values, self.p, strict=True))
        ]
        title = "stability here and on tables without clusters"
        return Table(title, ["learner", "here", *self.references, "adjusted p"], rows)

    def __str__(self) -> str:
        return str(self.table)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return {
            "names": list(self.names),
            "values": plain_data(self.values),
            "references": {kind: plain_data(means) for kind, means in self.references.items()},
            "p": plain_data(self.p),
        }


def cluster_structure(
    learners: Mapping[str, Any] | Sequence[Any],
    X: Any,
    *,
    n_splits: int = 4,
    n_references: int = 19,
    random_state: Seed = None,
) -> ClusterStructure:
    """Compare the stability of clusterings with that on tables without clusters.

    Stable is not the same as real: one elongated cloud is cut across its length every time. So stability is
    measured in the same way on tables that have no clusters: rows of one normal distribution with the same
    covariances, rows that are uniform in the box along the principal components, and the table with each
    column shuffled. A clusterer has found clusters if it is more stable, relative to them, than any clusterer
    is on the normal and on the uniform tables. Shuffled columns tell whether clusters are made by single
    columns, with several peaks or long tails, or by how columns go together.

    Parameters
    ----------
    learners : mapping of str to clusterer, or sequence of clusterers
        The clusterers, by name or named after their class; each must have ``predict``.
    X : table of shape (n_rows, n_columns)
        The rows.
    n_splits : int, default 4
        Number of splits into halves, as in `cluster_stability`.
    n_references : int, default 19
        Number of tables of each kind; 19 allow for p = 0.05.
    random_state : int or RandomState, optional
        Seed of the draws; a fresh one each time when left out.

    Returns
    -------
    ClusterStructure
        Prints as a table; ``found(alpha)`` names the clusterers that found something.

    Examples
    --------
    >>> from hornbook import KMeans, Scaled, datasets
    >>> learners = {f"k={k}": Scaled(KMeans(k, random_state=0)) for k in (2, 3)}
    >>> structure = cluster_structure(learners, datasets.iris().features, random_state=0)
    >>> structure.found(0.05)
    ('k=2', 'k=3')
    """
    named = named_learners("cluster_structure", learners)
    for name, learner in named.items():
        require_clusterer("cluster_structure", repr(name), learner)
    if n_references < 1:
        raise ValueError(f"cluster_structure: 'n_references' must be at least 1; got {n_references}.")
    seed, frame = seed_of(random_state), as_frame(X).features
    clusterers = list(named.values())
    references: dict[str, Floats] = {
        kind: np.array(
            [
                mean_agreements(clusterers, reference_table(frame, kind, seed, index), n_splits, seed)
                for index in range(n_references)
            ]
        )
        for kind in reference_kinds(frame)
    }
    return ClusterStructure(tuple(named), mean_agreements(clusterers, frame, n_splits, seed), references)


def reference_kinds(frame: Frame) -> tuple[Reference, ...]:
    """Return the kinds of reference tables that say something about a table."""
    kinds: list[Reference] = ["normal", "uniform"] if len(frame.schema.numeric) else []
    # Shuffling a single column changes nothing, unless there is no other reference.
    if len(frame.schema) > 1 or not kinds:
        kinds.append("shuffled")
    return tuple(kinds)


def mean_agreements(learners: Sequence[Any], frame: Frame, n_splits: int, seed: int) -> Floats:
    """Return the mean stability of each clusterer on a table; NaN for one that fails."""
    splits = list(half_splits("cluster_structure", frame, n_splits, seed))
    means = np.full(len(learners), np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of tables that nobody has asked about
        for i, learner in enumerate(learners):
            rows = rows_for(learner, frame) if hasattr(learner, "accepts") else np.asarray(frame)
            try:
                means[i] = np.mean([agreement(learner, rows, halves)[0] for halves in splits])
            except Exception:  # noqa: BLE001, S112 - one learner's failure must not end the comparison
                continue
    return means
