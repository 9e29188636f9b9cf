"""Memberships from squared distances: shared among clusters, shared with noise, or each for itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hornbook.clustering.fuzzy._transforms import MembershipTransform
from hornbook.params import Floats

__all__ = ["NOISE", "Assignment", "Kind"]

Kind = Literal["probabilistic", "noise", "possibilistic"]

NOISE = -1  # label of rows that belong to the noise more than to any cluster


@dataclass(frozen=True)
class Assignment:
    """How squared distances become memberships.

    Parameters
    ----------
    transform : MembershipTransform
        The convex function h of memberships.
    kind : {"probabilistic", "noise", "possibilistic"}
        Whether memberships have sum 1, sum 1 with that of the noise, or are independent of each other.
    scales : ndarray
        Empty; the square of the noise distance; or the squared distance at which the membership in each
        cluster is 1/2.
    """

    transform: MembershipTransform
    kind: Kind
    scales: Floats

    @staticmethod
    def probabilistic(transform: MembershipTransform) -> Assignment:
        """Memberships with sum 1."""
        return Assignment(transform, "probabilistic", np.empty(0))

    def _scales(self, known: Floats) -> Floats:
        """Scales for each row: in proportion to the known columns, as its squared distances are."""
        return known[:, None] * self.scales

    def memberships(self, squares: Floats, known: Floats) -> Floats:
        """Memberships of rows in clusters; with noise their sum may be less than 1.

        Parameters
        ----------
        squares : ndarray of shape (n_rows, n_clusters)
            Squared distances over the known columns.
        known : ndarray of shape (n_rows,)
            Share of the columns that are known.
        """
        if self.kind == "probabilistic":
            return self.transform.shared(squares)
        if self.kind == "noise":
            # Noise takes part in the sharing as a further cluster, whose column is then dropped.
            return self.transform.shared(np.hstack([squares, self._scales(known)]))[:, :-1]
        return self.transform.possible(squares, self._scales(known))

    def losses(self, u: Floats, squares: Floats, known: Floats) -> Floats:
        """What each row adds to the objective: sum of h(u) d², and what noise or lack of membership costs."""
        h = self.transform.value
        losses = np.einsum("ij,ij->i", h(u), squares)
        if self.kind == "noise":
            losses += h(np.clip(1.0 - u.sum(axis=1), 0.0, 1.0)) * self._scales(known)[:, 0]
        elif self.kind == "possibilistic":
            losses += np.einsum("ij,ij->i", h(1.0 - u), self._scales(known))
        return np.asarray(losses)

    def scores(self, squares: Floats, known: Floats) -> Floats:
        """Numbers that are smallest where the membership is greatest; those of the noise come last."""
        if self.kind == "probabilistic":
            return squares
        if self.kind == "noise":
            return np.hstack([squares, self._scales(known)])
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            # 0 / 0 on a center without extent counts as 0: the row is at the center.
            return np.where(squares == 0.0, 0.0, squares / self.scales)

    def labels(self, squares: Floats, known: Floats) -> NDArray[np.int32]:
        """The cluster with the greatest membership, the first of equals, or `NOISE`."""
        best = self.scores(squares, known).argmin(axis=1).astype(np.int32)
        return np.where(best == squares.shape[1], np.int32(NOISE), best)
