"""Base class of forests for classes."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from hornbook.base import Classifier, Working
from hornbook.ensembles.forests._description import vote_terms
from hornbook.ensembles.forests._forest import Forest
from hornbook.ensembles.forests._out_of_bag import OutOfBag
from hornbook.ensembles.forests._parameters import Votes
from hornbook.ensembles.forests._strength import margins_of
from hornbook.ensembles.forests._uncertainty import Kind, votes_disagree
from hornbook.frame import Blocks, Frame
from hornbook.params import Floats, Shape
from hornbook.trees import WeightedTrees, class_factors, contributions, with_contributions

__all__ = ["ForestClassifier"]


class ForestClassifier(Votes, Forest, Classifier):
    """Base class of forests for classes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_classes_ : int
        Their number.
    oob_score_ : float
        Accuracy on the rows that some tree has not seen, by those trees. Attributes
        that begin with ``oob_`` need ``oob_score`` or ``stop_when_stable``.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Class shares without the trees that have seen the row; NaN for rows that all trees have seen.
    oob_errors_, oob_tree_errors_ : ndarray of shape (n_trees,)
        Share of wrong answers out of bag: of the first 1, 2, ... trees together, and of each tree alone.
    oob_strength_, oob_correlation_ : float
        Mean margin out of bag with one vote for each tree, and mean correlation of the trees' margins.
    error_bound_ : float
        Breiman's (2001) bound on the error, ``oob_correlation_ * (1 - s**2) / s**2`` with s =
        ``oob_strength_``; infinite when s is not above 0.
    """

    counts_absent = True
    adjustable: ClassVar[frozenset[str]] = frozenset({"vote_smoothing"})
    model_class = "many trees of questions about one column, with class shares in the leaves"

    oob_decision_function_: Annotated[Floats, Shape("n_bag_rows", "n_classes")]
    oob_strength_: float
    oob_correlation_: float
    error_bound_: float

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        check_is_fitted(self)
        return len(self.classes_)

    def _factors(self, blocks: Blocks) -> Floats | None:
        chosen = self.class_weight
        # Without bootstrap every tree has all rows, and the two settings are the same.
        if chosen == "balanced_subsample":
            if self.bootstrap:  # the weights differ from tree to tree
                return None
            chosen = "balanced"
        return class_factors(chosen, self.classes_, blocks, type(self).__name__)

    def _known_target(self, blocks: Blocks) -> Blocks:
        return self._with_codes(blocks)

    def _proba(self, features: Frame) -> Floats:
        trees, more = len(self.forest_), self.vote_smoothing
        if not more:
            return self._mean(features)
        # Laplace smoothing with m more votes, spread evenly: (T p + m / k) / (T + m).
        return np.asarray((trees * self._mean(features) + self._evenly(more)) / (trees + more))

    contributions = contributions

    def _weighted_trees(self, rows: Frame) -> WeightedTrees:
        hard, all_votes = self.vote == "hard", len(self.forest_) + self.vote_smoothing
        gaps = np.isnan(rows.numbers).any() or (rows.codes < 0).any()
        if hard and gaps and len(self.forest_.share):
            raise ValueError(
                "contributions of hard votes are not defined for rows without a value that go to several "
                "leaves, which have one vote together: fill in the values, or set vote='soft' or "
                "missing='direction'."
            )
        # Smoothing is a constant and belongs to no column: it goes to the base of the contributions.
        offset = self._evenly(self.vote_smoothing) / all_votes
        meaning = "share of votes" if hard else "probability"
        return self.forest_.weighted(1.0 / all_votes, offset, meaning, hard=hard)

    def _working(self, row: Frame) -> Working:
        """Sums over the trees that agree on a class."""
        hard, smoothing = self.vote == "hard", self.vote_smoothing
        more = f"smoothing: {smoothing:g} more, evenly", self._evenly(smoothing)
        working = vote_terms(
            np.concatenate(list(self.forest_.each(self._coded(row), 1, hard=hard))),
            self.classes_,
            what="votes" if hard else "class shares",
            answer=self._answer(row)[0],
            more=more if smoothing else None,
        )
        return with_contributions(self, row, working)

    def _keep(self, unseen: OutOfBag) -> None:
        super()._keep(unseen)
        self.oob_decision_function_ = unseen.means
        strength = unseen.strength()
        self.oob_strength_, self.oob_correlation_ = strength.strength, strength.correlation
        self.error_bound_ = strength.bound

    def margins(self, X: Any, y: Any = None) -> Floats:
        """Give the margin of each row: the share of its class minus the largest share of another class.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        y : array-like of shape (n_rows,), optional
            Their classes; a Frame with a target needs none.

        Returns
        -------
        margins : ndarray of shape (n_rows,)
            From -1 to 1; below 0 where the forest errs. Shares are those of ``predict_proba``
            without smoothing.
        """
        rows = self._known(X, y, None)
        total = self.forest_.answers(rows.frame, self._threads(), hard=self.vote == "hard")
        return margins_of(total / len(self.forest_), rows.y)

    def uncertainty(self, X: Any, kind: Kind = "entropy") -> Floats:
        """Measure how far the trees disagree about each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_columns)
            The rows.
        kind : {"entropy", "margin"}, default "entropy"
            Entropy in bits of the shares of votes, each tree having one, or 1 minus the largest share.

        Returns
        -------
        uncertainty : ndarray of shape (n_rows,)
            0 where all trees agree.
        """
        if kind not in ("entropy", "margin"):
            raise ValueError(f"parameter 'kind' must be 'entropy' or 'margin'; got {kind!r}.")
        rows = self._coded(self._prepared(X))
        votes = self.forest_.answers(rows, self._threads(), hard=True)
        return votes_disagree(votes / len(self.forest_), kind)
